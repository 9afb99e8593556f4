//! The mentions that a client expects a status to have.

use super::prelude::*;
use crate::store::statuses::Draft;

/// Refuses a status that mentions others than the client expects, and answers who they are.
pub(super) fn only_expected(
    state: &State,
    me: Key,
    draft: &Draft,
    expected: &[String],
) -> Result<()> {
    let expected: Vec<_> =
        expected.iter().filter_map(|id| state.key(&Id::<()>::new(id.as_str()))).collect();
    let mentioned = state.mentioned(draft, me).into_iter();
    let unexpected: Vec<_> = mentioned.filter(|one| !expected.contains(one)).collect();
    if unexpected.is_empty() {
        return Ok(());
    }
    let told = "Post would be sent to unexpected accounts";
    let mut error = entities::Error::new(told);
    let view = state.view(me);
    error.unexpected_accounts = unexpected.into_iter().map(|one| view.account(one)).collect();
    Err(Reply::json(&error).with_status(StatusCode::UNPROCESSABLE_ENTITY))?
}
