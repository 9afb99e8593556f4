//! Handlers that need the locked state and who calls, and wait for nothing.

use std::future::{Ready, ready};

use fedispec::server::{Call, Handled, Result};

use crate::app::{App, Locked};
use crate::store::Key;

/// A handler that is given the calling user. Others are refused.
pub(super) fn by_user<R: Handled>(
    handle: impl Fn(Locked<'_>, Key, R, Call) -> Result<R::Answered> + Send + Sync + 'static,
) -> impl Fn(App, R, Call) -> Ready<Result<R::Answered>> + Send + Sync + 'static {
    move |app, request, call| {
        let user = app.user(&call);
        ready(user.and_then(|(state, me)| handle(state, me, request, call)))
    }
}

/// A handler that is given who looks at it, if anybody in particular.
pub(super) fn by_viewer<R: Handled>(
    handle: impl Fn(Locked<'_>, Option<Key>, R, Call) -> Result<R::Answered> + Send + Sync + 'static,
) -> impl Fn(App, R, Call) -> Ready<Result<R::Answered>> + Send + Sync + 'static {
    move |app, request, call| {
        let (state, viewer) = app.viewer(&call);
        ready(handle(state, viewer, request, call))
    }
}
