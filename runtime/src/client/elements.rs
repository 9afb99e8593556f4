//! The order in which a form sends lists of objects, spelled `a[][b]`.

use super::Error;
use super::encoder::{Encoder, Entry};
use crate::Location;

/// The entries of the body, ordered so that [Rack's parser] separates the elements as they were: it starts a new element when a key
/// repeats, so each element has to begin with a key that all of them have.
///
/// [Rack's parser]: https://github.com/rack/rack/blob/main/lib/rack/query_parser.rs
///
/// # Errors
///
/// When no key is set in every element: the server would mix the elements up.
pub(super) fn ordered<'e, 'a>(encoder: &'e Encoder<'a>) -> Result<Vec<&'e Entry<'a>>, Error> {
    let mut entries: Vec<_> = encoder.at(Location::Form).collect();
    for run in entries.chunk_by_mut(|one, other| list(one).is_some() && list(one) == list(other)) {
        sort(run).map_err(|param| {
            let what = "a form cannot tell the elements of the list apart unless one parameter is set in each of them";
            Error::request(encoder.operation(), param, what)
        })?;
    }
    Ok(entries)
}

/// The wire name of the list that an entry's element belongs to.
fn list<'e>(entry: &'e Entry<'_>) -> Option<&'e str> {
    let (list, _) = entry.param.wire.split_once("[][")?;
    Some(list)
}

/// Moves the key that all elements have to the front of each element. The error is the wire name of the first parameter.
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
            element.iter().filter(|entry| entry.index == wanted.index).count() == 1
        };
        elements.clone().all(has)
    };
    let start = run.iter().find(in_all).map(|entry| entry.index);
    let start = start.ok_or(wire)?;
    run.sort_by_key(|entry| (entry.elements.first().copied(), entry.index != start));
    Ok(())
}
