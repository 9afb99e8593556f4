//! Versions as the catalogue writes them, in order.

use crate::api::{Life, Since};

/// A version's three numbers.
pub type Release = (u32, u32, u32);

/// The catalogue's word for `from the first`.
pub const FIRST: &str = "0.0.0";

/// Reads a version. The loader has refused everything else, so that there is nothing to report here.
pub fn parse(text: &str) -> Option<Release> {
    let mut numbers = text.split('.').map(|part| part.parse().ok());
    let release = (numbers.next()??, numbers.next()??, numbers.next()??);
    numbers.next().is_none().then_some(release)
}

/// The order of availability: a version, then unknown, then never.
fn rank(since: &Since) -> (u8, Release) {
    match since {
        Since::Version(text) => (0, parse(text).unwrap_or_default()),
        Since::Unknown => (1, (0, 0, 0)),
        Since::Never => (2, (0, 0, 0)),
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
    let number = |text: &str| parse(text).unwrap_or_default();
    let start = match container.map(|life| &life.effective) {
        Some(Since::Version(version)) => number(version).max(floor),
        // The program never has the container, so it never lacks the item in it.
        Some(Since::Never) => return true,
        Some(Since::Unknown) | None => floor,
    };
    let Some(item) = item else { return false };
    let Since::Version(since) = &item.effective else {
        return false;
    };
    let whole =
        item.removed.is_none() && item.absent.iter().all(|(_, until)| number(until) <= start);
    whole && number(since) <= start
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
