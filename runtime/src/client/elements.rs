//! Keeps the elements of a list apart where a form spells them `a[][b]`.

use super::Error;
use super::encoder::{Encoder, Entry};
use crate::Location;

/// The entries of the body, in an order in which a server puts them together again: an element ends where a key comes that it has.
/// So the first of each must be one that all of them have.
///
/// # Errors
///
/// When there is no such key: a server would mix the elements up.
pub(super) fn apart<'e, 'a>(encoder: &'e Encoder<'a>) -> Result<Vec<&'e Entry<'a>>, Error> {
    let mut entries: Vec<_> = encoder.at(Location::Form).collect();
    for run in entries.chunk_by_mut(|one, other| list(one).is_some() && list(one) == list(other)) {
        sort(run).map_err(|param| {
            let what = "a form cannot tell the elements of the list apart unless one parameter is set in each of them";
            Error::request(encoder.operation(), param, what)
        })?;
    }
    Ok(entries)
}

/// The list that an entry's element is in.
fn list<'e>(entry: &'e Entry<'_>) -> Option<&'e str> {
    let (list, _) = entry.param.wire.split_once("[][")?;
    Some(list)
}

/// Puts first in each element what all have; without that, says what cannot be sent.
fn sort(run: &mut [&Entry<'_>]) -> Result<(), &'static str> {
    let (Some(first), Some(last)) = (run.first(), run.last()) else {
        return Ok(());
    };
    if first.elements == last.elements {
        return Ok(());
    }
    let wire = first.param.wire;
    let elements = run.chunk_by(|one, other| one.elements == other.elements);
    let in_all = |wanted: &&&Entry<'_>| {
        let has = |element: &[&Entry<'_>]| {
            element
                .iter()
                .filter(|entry| entry.index == wanted.index)
                .count()
                == 1
        };
        elements.clone().all(has)
    };
    let start = run.iter().find(in_all).map(|entry| entry.index);
    let start = start.ok_or(wire)?;
    run.sort_by_key(|entry| (entry.elements.first().copied(), entry.index != start));
    Ok(())
}
