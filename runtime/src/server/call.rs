//! What a handler gets beside the request.

use std::fmt;

use axum::http::header::AUTHORIZATION;
use axum::http::{Extensions, HeaderMap, Uri};

use crate::{Operation, Secret};

/// What a handler gets beside the request.
#[non_exhaustive]
pub struct Call {
    /// The operation that is called.
    pub operation: &'static Operation,
    /// The URL, as the caller asked for it.
    pub uri: Uri,
    /// The headers.
    pub headers: HeaderMap,
    /// What layers before the routes have added.
    pub extensions: Extensions,
}

impl Call {
    /// The bearer token of the header `Authorization`. Nobody has checked it.
    pub fn bearer(&self) -> Option<Secret> {
        let value = self.headers.get(AUTHORIZATION)?.to_str().ok()?;
        let (scheme, token) = value.split_once(' ')?;
        let token = token.trim();
        (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then(|| Secret::from(token))
    }
}

/// Headers hold tokens and cookies, and URLs hold what users look for; neither is shown.
impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("operation", &self.operation.id)
            .finish_non_exhaustive()
    }
}
