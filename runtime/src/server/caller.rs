//! Callers of an API.

use crate::{Id, Scopes};

/// The user or application that a token belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Caller {
    /// The user's account; `None` for an application without a user.
    pub account: Option<Id>,
    /// The scopes of the token.
    pub scopes: Scopes,
    /// The permissions of the user's role, named as in [`Auth::permissions`](crate::Auth::permissions). With `None` they are not checked.
    pub permissions: Option<Vec<String>>,
}

impl Caller {
    /// A user with the scopes of a token, listed as in OAuth: `"read write:statuses"`.
    pub fn user(account: impl Into<Id>, scopes: impl Into<Scopes>) -> Self {
        Self { account: Some(account.into()), scopes: scopes.into(), permissions: None }
    }

    /// An application without a user.
    pub fn app(scopes: impl Into<Scopes>) -> Self {
        Self { account: None, scopes: scopes.into(), permissions: None }
    }

    /// Sets the permissions of the user's role, such as `["manage_reports"]`. Operations that need another one answer 403.
    #[must_use]
    pub fn with_permissions<P: Into<String>>(
        mut self,
        permissions: impl IntoIterator<Item = P>,
    ) -> Self {
        self.permissions = Some(permissions.into_iter().map(Into::into).collect());
        self
    }
}
