//! How releases write what they answer, where that is not as the types say.

use std::sync::Arc;

use fedispec_since::StableVersion;

use crate::Version;

/// How some releases write an item, where that is not as its type says. Generated code has a table of these.
#[derive(Debug, Clone, Copy)]
pub struct Written {
    /// The id of an entity, or of a value.
    pub(super) item: &'static str,
    /// The key in the entity.
    pub(super) key: &'static str,
    pub(super) way: Way,
    /// The program that writes so; any where it is empty.
    program: &'static str,
    since: Option<StableVersion>,
    until: Option<StableVersion>,
}

impl Written {
    /// A way of writing a key of an entity, in every release of a program.
    pub const fn key(
        program: &'static str,
        item: &'static str,
        key: &'static str,
        way: Way,
    ) -> Self {
        Self { item, key, way, program, since: None, until: None }
    }

    /// A replacement for a value of an enumeration, given by its id, in releases that lack it.
    pub const fn value(item: &'static str, way: Way) -> Self {
        Self::key("", item, "", way)
    }

    setters! {
        const;
        /// Sets the first release that writes so.
        since(major: u16, minor: u16, patch: u16) => since = Some(StableVersion(major, minor, patch));

        /// Sets the first release that does not any more.
        until(major: u16, minor: u16, patch: u16) => until = Some(StableVersion(major, minor, patch));
    }

    /// Whether a release of a program writes so; without a release its newest one.
    fn holds(&self, program: &str, release: Option<&Version>) -> bool {
        let reached =
            |version: StableVersion| release.is_none_or(|release| version.version() <= *release);
        self.program == program
            && self.since.is_none_or(reached)
            && !self.until.is_some_and(reached)
    }
}

/// A way of writing an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A value of an enumeration, in a release that lacks it: as null.
    Null,
    /// A value of an enumeration, in a release that lacks it: as another value, by its id and its text.
    Instead {
        /// The id of the other value.
        id: &'static str,
        /// Its text.
        wire: &'static str,
    },
    /// Only if the caller is a user.
    ForUsers,
    /// Never, although the release has the field.
    Never,
    /// As this JSON, whatever the value.
    Always(&'static str),
    /// No value, or the one that absence means: without its key.
    NoneLeftOut,
    /// No value and an empty one, such as `false` or 0: without its key.
    EmptyLeftOut,
    /// No value: as this JSON.
    NoneAs(&'static str),
    /// Texts as numbers.
    Numbers,
    /// Switches and numbers as texts.
    Texts,
    /// Days as moments.
    Moments,
    /// Roles by their names.
    RoleName,
    /// An operation, by its id: it answers an empty object, whatever the handler does.
    NoAnswer,
}

impl Way {
    /// Whether it tells how no value is written.
    fn is_of_none(self) -> bool {
        matches!(self, Self::NoneLeftOut | Self::EmptyLeftOut | Self::NoneAs(_))
    }

    /// The rule for a key that is written so.
    fn rule(self, is_user: bool) -> Option<KeyRule> {
        match self {
            Self::Null | Self::Instead { .. } | Self::NoAnswer => None,
            Self::ForUsers if is_user => None,
            Self::ForUsers | Self::Never => Some(KeyRule::Out),
            Self::Always(json) => Some(KeyRule::Constant(json.into())),
            _ if self.is_of_none() => Some(KeyRule::Written { none: Some(self), other: None }),
            _ => Some(KeyRule::Written { none: None, other: Some(self) }),
        }
    }
}

/// The text that a release writes in place of a key with its value.
#[derive(Debug, Clone)]
pub(super) enum KeyRule {
    /// Nothing.
    Out,
    /// A value of the release's own, as JSON.
    Constant(Arc<str>),
    /// The same value in other ways.
    Written {
        /// How no value is written.
        none: Option<Way>,
        /// How a value is.
        other: Option<Way>,
    },
}

impl KeyRule {
    /// Joins two rules for a key; one that leaves it out wins, and then the first.
    pub(super) fn and(self, second: Self) -> Self {
        match (self, second) {
            (Self::Out, _) | (_, Self::Out) => Self::Out,
            (Self::Constant(json), _) | (_, Self::Constant(json)) => Self::Constant(json),
            (Self::Written { none, other }, Self::Written { none: second, other: last }) => {
                Self::Written { none: none.or(second), other: other.or(last) }
            }
        }
    }
}

/// An entity's id, a key, and what becomes of it.
pub(super) type KeyRow = (&'static str, &'static str, KeyRule);

/// How an emulated release writes keys, to users and to others.
pub(super) fn keys(
    written: &'static [Written],
    program: &str,
    release: &Version,
    is_user: bool,
) -> Vec<KeyRow> {
    let own = written.iter().filter(|one| one.holds(program, Some(release)));
    own.filter_map(|one| Some((one.item, one.key, one.way.rule(is_user)?))).collect()
}

/// The operations that an emulated release answers with nothing.
pub(super) fn silent(
    written: &'static [Written],
    program: &str,
    release: &Version,
) -> Vec<&'static str> {
    let own = written.iter().filter(|one| one.way == Way::NoAnswer);
    own.filter(|one| one.holds(program, Some(release))).map(|one| one.item).collect()
}

/// The keys that a program leaves out where the caller is not a user; without a release those of its newest one.
pub(super) fn for_users(
    written: &'static [Written],
    program: &str,
    release: Option<&Version>,
) -> Vec<KeyRow> {
    let own = written.iter().filter(|one| one.way == Way::ForUsers && one.holds(program, release));
    own.map(|one| (one.item, one.key, KeyRule::Out)).collect()
}
