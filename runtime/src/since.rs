//! The trait that the version attribute implements for a type.

use std::fmt;

use crate::Availability;

/// A type with a version attribute: `#[since(mastodon = "3.4.0", gotosocial = never)]`.
///
/// The derive macro of the same name reads the attribute on the type and on its fields or variants:
///
/// ```
/// use fedispec_runtime::{Availability, Since};
///
/// #[derive(Since)]
/// #[since(mastodon = "3.4.0", gotosocial = "0.11.0")]
/// struct Lookup {
///     #[since(mastodon = "3.4.0", gotosocial = unknown)]
///     acct: String,
/// }
///
/// assert_eq!(Lookup::SINCE.of("mastodon"), Some(Availability::since(3, 4, 0)));
/// assert_eq!(Lookup::FIELDS.get("acct").of("gotosocial"), Some(Availability::Unknown));
/// # let _ = Lookup { acct: String::new() }.acct;
/// ```
pub trait Since {
    // One constant a type costs a compiler less than one for each thing that it tells.
    /// The attributes, written by the macros, which have checked them: a line for the type, and one for each field with an attribute,
    /// that begins with its name.
    #[doc(hidden)]
    const TEXT: &'static str;
    /// The type's own attribute; empty without one.
    const SINCE: Dated = Dated { text: lines(Self::TEXT).0 };
    /// The fields of a struct or the variants of an enumeration that have an attribute, in their order.
    const FIELDS: DatedFields = DatedFields { text: lines(Self::TEXT).1 };
}

/// The first line, and those after it.
const fn lines(text: &'static str) -> (&'static str, &'static str) {
    let mut at = 0;
    while at < text.len() {
        if text.as_bytes()[at] == b'\n' {
            let (first, rest) = text.split_at(at);
            return (first, rest.split_at(1).1);
        }
        at += 1;
    }
    (text, "")
}

/// The fields or variants of a type that have a version attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DatedFields {
    text: &'static str,
}

impl DatedFields {
    /// Each with its name, in the order of the type.
    pub fn iter(self) -> impl Iterator<Item = (&'static str, Dated)> {
        self.text.lines().map(|line| {
            let (name, text) = line.split_once(' ').unwrap_or((line, ""));
            (name, Dated { text })
        })
    }

    /// The attribute of a field; empty without one.
    pub fn get(self, name: &str) -> Dated {
        let found = self.iter().find(|(own, _)| *own == name);
        found.map_or(Dated::NONE, |(_, since)| since)
    }
}

impl fmt::Debug for DatedFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// The arguments of a version attribute: programs, each with an [`Availability`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Dated {
    // `mastodon 3.4.0 gotosocial never`: one literal an attribute costs a compiler less than a table would.
    text: &'static str,
}

impl Dated {
    /// No attribute.
    pub const NONE: Self = Self { text: "" };

    /// Since when a program has it; `None` where the attribute does not name the program.
    pub fn of(self, program: &str) -> Option<Availability> {
        self.iter().find_map(|(key, availability)| (key == program).then_some(availability))
    }

    /// The programs that the attribute names, in its order.
    pub fn iter(self) -> impl Iterator<Item = (&'static str, Availability)> {
        let mut words = self.text.split(' ');
        std::iter::from_fn(move || Some((words.next()?, availability(words.next()?))))
    }

    /// Whether there is no attribute.
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }
}

fn availability(word: &str) -> Availability {
    match word {
        "never" => Availability::Never,
        _ => word.parse().map_or(Availability::Unknown, Availability::Since),
    }
}

impl fmt::Debug for Dated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(key, since)| (key, since.to_string()))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_macros_lines_apart() {
        struct Asked;
        impl Since for Asked {
            const TEXT: &'static str = "mastodon 1.0.0\none mastodon 2.0.0\ntwo gotosocial never";
        }
        assert_eq!(format!("{:?}", Asked::SINCE), r#"{"mastodon": "1.0.0"}"#);
        assert_eq!(
            format!("{:?}", Asked::FIELDS),
            r#"{"one": {"mastodon": "2.0.0"}, "two": {"gotosocial": "never"}}"#
        );
        assert_eq!(Asked::FIELDS.get("two").of("gotosocial"), Some(Availability::Never));
        assert!(Asked::FIELDS.get("three").is_empty());
        assert_eq!(lines(""), ("", ""));
        assert_eq!(lines("\na"), ("", "a"));
    }

    #[test]
    fn reads_the_macros_text() {
        let dated = Dated { text: "mastodon 3.4.0 gotosocial never other unknown" };
        let read: Vec<_> = dated.iter().collect();
        assert_eq!(
            read,
            [
                ("mastodon", Availability::since(3, 4, 0)),
                ("gotosocial", Availability::Never),
                ("other", Availability::Unknown),
            ]
        );
        assert_eq!(dated.of("pleroma"), None);
        assert_eq!(Dated::NONE.iter().count(), 0);
    }
}
