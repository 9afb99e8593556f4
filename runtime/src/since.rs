//! What the version attribute gives a type.

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
/// let (name, since) = Lookup::FIELDS[0];
/// assert_eq!(name, "acct");
/// assert_eq!(since.of("gotosocial"), Some(Availability::Unknown));
/// # let _ = Lookup { acct: String::new() }.acct;
/// ```
pub trait Since {
    /// The type's own attribute; empty without one.
    const SINCE: Dated;
    /// The fields of a struct or the variants of an enumeration that have an attribute, in their order.
    const FIELDS: &'static [(&'static str, Dated)];
}

/// The arguments of a version attribute: programs, each with an [`Availability`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Dated {
    // `mastodon 3.4.0 gotosocial never`: one literal an attribute costs a compiler less than a table would.
    /// Written by the macros, which have checked it.
    #[doc(hidden)]
    pub text: &'static str,
}

impl Dated {
    /// No attribute.
    pub const NONE: Self = Self { text: "" };

    /// Since when a program has it; `None` where the attribute does not name the program.
    pub fn of(self, program: &str) -> Option<Availability> {
        self.iter()
            .find_map(|(key, availability)| (key == program).then_some(availability))
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
        _ => word
            .parse()
            .map_or(Availability::Unknown, Availability::Since),
    }
}

impl fmt::Debug for Dated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.iter().map(|(key, since)| (key, since.to_string())))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_macros_text() {
        let dated = Dated {
            text: "mastodon 3.4.0 gotosocial never other unknown",
        };
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
