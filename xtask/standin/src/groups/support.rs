//! Helpers of several groups: pages by offset, and refusals in the words of the program.

use std::time::Duration;

use fedispec::runtime::profile::Profile;
use fedispec::runtime::{Map, profiles};
use fedispec::server::{Call, Error, Page, Result, StatusCode};

use crate::family::{Habit, does};
use crate::store::State;
use crate::store::clock::{Millis, millis};

/// An error of a handler where the presented program says why it refuses, or else another.
pub(crate) fn told_or(call: &Call, status: StatusCode, why: &str, other: Error) -> Error {
    if does(call, Habit::TellsWhy) { refused(status, why) } else { other }
}

/// 422 in the words of a model's validation.
pub(crate) fn not_valid(told: &str) -> Error {
    Error::unprocessable(format!("Validation failed: {told}"))
}

/// 422 in the words of a model's validation, or in those of a handler where programs of the presented one's family check there.
pub(crate) fn invalid(call: &Call, of_model: &str, of_handler: &str) -> Error {
    told_or(call, StatusCode::UNPROCESSABLE_ENTITY, of_handler, not_valid(of_model))
}

/// 422 of a model's validation, or 400 of a handler.
pub(crate) fn malformed(call: &Call, of_model: &str, of_handler: &str) -> Error {
    told_or(call, StatusCode::BAD_REQUEST, of_handler, not_valid(of_model))
}

/// A refusal of a handler, after the name of its status.
pub(crate) fn refused(status: StatusCode, why: &str) -> Error {
    let reason = status.canonical_reason().unwrap_or_default();
    Error::new(status, format!("{reason}: {why}"))
}

/// 400 of a handler.
pub(crate) fn bad_request(why: &str) -> Error {
    refused(StatusCode::BAD_REQUEST, why)
}

/// 409 of a handler.
pub(crate) fn conflict(why: &str) -> Error {
    refused(StatusCode::CONFLICT, why)
}

/// A refusal in the same words of both programs, as [`invalid`] has it.
pub(crate) fn invalid_alike(call: &Call, told: &str) -> Error {
    invalid(call, told, told)
}

/// A refusal in the same words of both programs, as [`malformed`] has it.
pub(crate) fn malformed_alike(call: &Call, told: &str) -> Error {
    malformed(call, told, told)
}

/// Refuses a text that is blank.
pub(crate) fn not_blank(text: &str, refusal: Error) -> Result<()> {
    if text.trim().is_empty() { Err(refusal) } else { Ok(()) }
}

/// Sets a value if a request gives another.
pub(crate) fn set<T>(own: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *own = given;
    }
}

/// Sets a list if a request gives one: an empty one cannot be told from none.
pub(crate) fn set_list<T>(own: &mut Vec<T>, given: Vec<T>) {
    if !given.is_empty() {
        *own = given;
    }
}

/// An object with one text.
pub(crate) fn member(name: &str, text: &str) -> Map<String> {
    [(name.to_owned(), text.to_owned())].into_iter().collect()
}

/// So many seconds from now.
pub(crate) fn in_seconds(state: &State, seconds: i64) -> Millis {
    let seconds = u64::try_from(seconds).unwrap_or_default();
    state.now().saturating_add(millis(Duration::from_secs(seconds)))
}

/// The page that a call asks for by its offset, of which alone the entities are made.
pub(crate) fn offset<T, E>(
    call: &Call,
    all: impl IntoIterator<Item = T>,
    show: impl FnMut(T) -> E,
) -> Page<E> {
    let query = call.paging();
    let items = all.into_iter().skip(query.offset).take(query.limit);
    let mut page = Page::new(items.map(show));
    if page.items.len() == query.limit && query.limit > 0 {
        let end = query.offset.saturating_add(query.limit);
        page = page.with_next([("offset", end.to_string())]);
    }
    if query.offset > 0 {
        let before = query.offset.saturating_sub(query.limit);
        page = page.with_prev([("offset", before.to_string())]);
    }
    page
}

/// The module of Rails that the errors of the API are in.
fn namespace() -> &'static str {
    profiles().reference().map_or("", Profile::name)
}

/// Refuses a request for more records than are given at once, in the words of an error without any.
pub(crate) fn at_most<T>(ids: &[T], most: usize) -> Result<()> {
    let told = || Error::unprocessable(format!("{}::ValidationError", namespace()));
    if ids.len() > most { Err(told()) } else { Ok(()) }
}
