//! What a handler gets beside the request.

use std::fmt;
use std::sync::Arc;

use axum::http::{Extensions, HeaderMap, Uri};

use super::{Caller, Error, Result, Target};
use crate::{Id, Operation, Secret};

/// What a handler gets beside the request.
#[non_exhaustive]
pub struct Call {
    /// The operation that is called.
    pub operation: &'static Operation,
    /// Who calls, by the server's [`Authenticator`](super::Authenticator). `None` where there is none, where the operation is public, and where
    /// a token is optional and was not sent.
    pub caller: Option<Caller>,
    /// The release that the answer is meant to be of, where the server has one.
    pub target: Option<Arc<Target>>,
    /// The URL, as the caller asked for it.
    pub uri: Uri,
    /// The headers.
    pub headers: HeaderMap,
    /// What layers before the routes have added.
    pub extensions: Extensions,
    pub(super) token: Option<Secret>,
}

impl Call {
    /// The bearer token: of the header `Authorization`, or else `access_token` of the query or the form. Where the server has no
    /// [`Authenticator`](super::Authenticator), nobody has checked it.
    pub fn bearer(&self) -> Option<Secret> {
        self.token.clone()
    }

    /// The account of the user who calls.
    ///
    /// # Errors
    ///
    /// 401 where no user does.
    pub fn account(&self) -> Result<&Id> {
        match &self.caller {
            Some(caller) => caller.account.as_ref().ok_or_else(Error::user_required),
            None => Err(Error::token_required()),
        }
    }
}

/// Headers hold tokens and cookies, and URLs hold what users look for; neither is shown.
impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("operation", &self.operation.id)
            .field("caller", &self.caller)
            .finish_non_exhaustive()
    }
}
