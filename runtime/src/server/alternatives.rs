//! Checks of the valid combinations of parameters.

use super::decoder::{Decoder, Invalid, Problem};
use crate::Alternative;
use crate::param::Given;

/// Checks that the parameters are one of the operation's valid combinations.
pub(super) fn check(decoder: &Decoder) -> Result<(), Invalid> {
    let ways = decoder.operation.alternatives;
    if ways.is_empty() || ways.iter().any(|way| fault(decoder, way).is_none()) {
        return Ok(());
    }
    if decoder.operation.oauth.is_some() {
        match grant(decoder, ways) {
            Grant::Another => return Ok(()),
            Grant::Missing(index) => return Err(decoder.invalid(index, Problem::Missing)),
            Grant::Listed => {}
        }
    }
    // The fixed values, where set, show which combination was meant.
    let meant = ways.iter().find(|way| !way.sets.is_empty() && sets(decoder, way));
    match meant.or(single(ways)).and_then(|way| fault(decoder, way)) {
        Some(invalid) => Err(invalid),
        None => Err(no_way(decoder, ways)),
    }
}

/// The parameter that tells the ways of calling an endpoint of OAuth apart.
enum Grant {
    Listed,
    /// Another way, for the handler to judge: grants are open ([RFC 6749, 4.5](https://www.rfc-editor.org/rfc/rfc6749#section-4.5)).
    Another,
    /// By its index.
    Missing(usize),
}

fn grant(decoder: &Decoder, ways: &[Alternative]) -> Grant {
    // A release without the parameters of a grant does not know it.
    let is_known = |way: &&Alternative| {
        !way.requires.iter().any(|index| decoder.is_ignored(usize::from(*index)))
    };
    let sets = || ways.iter().filter(is_known).flat_map(|way| way.sets);
    for &(index, _) in sets() {
        let mut values = sets().filter(|(other, _)| *other == index);
        match decoder.peek(index.into()) {
            None => return Grant::Missing(index.into()),
            Some(Given::Text(text)) if !values.any(|(_, value)| value == text) => {
                return Grant::Another;
            }
            Some(_) => {}
        }
    }
    Grant::Listed
}

fn single(ways: &'static [Alternative]) -> Option<&'static Alternative> {
    match ways {
        [way] => Some(way),
        _ => None,
    }
}

fn sets(decoder: &Decoder, way: &Alternative) -> bool {
    way.sets.iter().all(|&(index, value)| match decoder.peek(index.into()) {
        Some(Given::Text(text)) => text == value,
        _ => false,
    })
}

fn fault(decoder: &Decoder, way: &Alternative) -> Option<Invalid> {
    if let Some(&(index, value)) = way
        .sets
        .iter()
        .find(|&&(index, value)| !matches!(decoder.peek(index.into()), Some(Given::Text(text)) if text == value))
    {
        let param = decoder.invalid(index.into(), Problem::Missing).param();
        return Some(Invalid::one_of(param, value.to_owned()));
    }
    if let Some(&index) = way.requires.iter().find(|&&index| decoder.peek(index.into()).is_none()) {
        return Some(decoder.invalid(index.into(), Problem::Missing));
    }
    let excluded = way.excludes.iter().find(|&&index| decoder.peek(index.into()).is_some())?;
    let name = |index: u16| decoder.invalid(index.into(), Problem::Missing).param();
    let other = match (way.requires.first(), way.sets.first()) {
        (Some(&index), _) => name(index).to_owned(),
        (None, Some(&(index, value))) => format!("{}={value}", name(index)),
        (None, None) => "the other parameters".to_owned(),
    };
    Some(decoder.invalid((*excluded).into(), Problem::Excluded(other)))
}

/// Lists the choices, where the parameters do not show which was meant.
fn no_way(decoder: &Decoder, ways: &[Alternative]) -> Invalid {
    let name = |index: u16| decoder.invalid(index.into(), Problem::Missing).param();
    // The emulated release has words of its own for what it looks at first.
    let mut needed = ways.iter().flat_map(|way| way.requires);
    let is_meant = |index: &&u16| {
        let index = usize::from(**index);
        decoder.has_words_for(index) && decoder.peek(index).is_none()
    };
    if let Some(&index) = needed.find(is_meant) {
        return decoder.invalid(index.into(), Problem::Missing);
    }
    let first = ways.first().and_then(|way| way.sets.first());
    if let Some(&(index, _)) = first {
        let values: Vec<_> = ways
            .iter()
            .flat_map(|way| way.sets)
            .filter(|(other, _)| *other == index)
            .map(|(_, value)| *value)
            .collect();
        return Invalid::one_of(name(index), values.join(", "));
    }
    let needs: Vec<_> = ways
        .iter()
        .map(|way| {
            let names: Vec<_> = way.requires.iter().map(|&index| name(index)).collect();
            names.join(" with ")
        })
        .collect();
    decoder.bound(Invalid::one_of("", needs.join(", ")), false)
}
