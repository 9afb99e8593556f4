//! Versions as the catalogue writes them, in order.

use fedispec_since::{Availability, Hole, StableVersion};

use crate::api::{Life, Since};

/// A version's three numbers.
pub type Release = StableVersion;

/// The catalogue's word for `from the first`.
pub const FIRST: &str = "0.0.0";

/// Reads a version. The loader has refused everything else, so that there is nothing to report here.
pub fn parse(text: &str) -> Option<Release> {
    text.parse().ok()
}

/// Reads the part of a life that decides on availability; `None` where a version cannot be read.
pub fn lived(life: &Life) -> Option<Lived> {
    let removed = match &life.removed {
        Some(text) => Some(parse(text)?),
        None => None,
    };
    let holes = life.absent.iter();
    let holes = holes.map(|(from, until)| Some((parse(from)?.numbers(), parse(until)?.numbers())));
    let effective = match &life.effective {
        Since::Version(text) => Availability::Since(parse(text)?),
        Since::Unknown => Availability::Unknown,
        Since::Never => Availability::Never,
    };
    Some(Lived::lived(
        effective,
        removed,
        holes.collect::<Option<_>>()?,
    ))
}

/// A life that owns its holes.
pub type Lived = fedispec_since::Life<Vec<Hole>>;

/// The order of availability: a version, then unknown, then never.
fn rank(since: &Since) -> (u8, Release) {
    match since {
        Since::Version(text) => (0, parse(text).unwrap_or_default()),
        Since::Unknown => (1, Release::FIRST),
        Since::Never => (2, Release::FIRST),
    }
}

/// The later of two.
pub fn later<'s>(a: &'s Since, b: &'s Since) -> &'s Since {
    if a != b && rank(b) > rank(a) { b } else { a }
}

/// The earlier of two.
pub fn earlier<'s>(a: &'s Since, b: &'s Since) -> &'s Since {
    if a != b && rank(b) < rank(a) { b } else { a }
}

/// Whether every release from a floor on that has the container has the item too.
pub fn guarantees(item: Option<&Life>, container: Option<&Life>, floor: Release) -> bool {
    let container = container.and_then(lived);
    match item.and_then(lived) {
        Some(item) => item.guaranteed(container.as_ref(), floor),
        None => container.is_some_and(|life| life.effective() == Availability::Never),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_then_unknown_then_never() {
        let (old, new) = (
            Since::Version("4.9.0".into()),
            Since::Version("4.10.0".into()),
        );
        assert_eq!(later(&old, &new), &new);
        assert_eq!(earlier(&old, &new), &old);
        assert_eq!(later(&new, &Since::Unknown), &Since::Unknown);
        assert_eq!(later(&Since::Never, &Since::Unknown), &Since::Never);
        assert_eq!(earlier(&Since::Never, &Since::Unknown), &Since::Unknown);
        assert_eq!(parse("4.3"), None);
        assert_eq!(parse("4.3.0.1"), None);
    }
}
