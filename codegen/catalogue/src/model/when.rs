//! Conditions as the catalogue writes them.

use fedispec_since::text::{Alone, OneOrMore};
use serde::Deserialize;

/// A condition: `{if: the account is suspended}`, or a list of such maps of which one is enough.
pub type When = OneOrMore<Case>;

/// Clauses that must all hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Case {
    /// Words that complete "when ..": `the account is suspended`.
    pub r#if: Option<String>,
    /// The owner of the token that the request carries: `user` (any user), or `owner` (the user whom the entity belongs to).
    pub token: Option<Whose>,
    /// A parameter that the request has; with `is`, one that has one of these values.
    pub sent: Option<String>,
    /// A parameter that the request lacks.
    pub not_sent: Option<String>,
    /// A field, by its id (`Poll.multiple`) or by the end of it (`multiple`, `source.privacy`) for one of the same entity, that
    /// has one of the values of `is`.
    pub field: Option<String>,
    /// The values of `field` or `sent`.
    pub is: Names,
    /// Where the entity is answered: operations, groups, entities around it, or fields, by id.
    pub r#in: Names,
    /// Where it is not.
    pub not_in: Names,
}

/// The owner of the token that a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    /// A user's.
    User,
    /// The user whom the entity belongs to.
    Owner,
}

/// One name, or a list of them.
pub type Names = OneOrMore<String>;

impl Alone for Case {
    const FORM: &'static str = "a condition, as `{if: the account is suspended}`";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_a_map_or_a_list_of_maps() {
        let read = crate::load::decoded::<When>;
        let one = read("{sent: sort, is: new}").unwrap();
        assert_eq!(one.0[0].sent.as_deref(), Some("sort"));
        assert_eq!(one.0[0].is.0, ["new"]);
        let two = read("[{token: owner}, {in: [accounts.get, Status]}]").unwrap();
        assert_eq!(two.0[0].token, Some(Whose::Owner));
        assert_eq!(two.0[1].r#in.0, ["accounts.get", "Status"]);
        for wrong in ["suspended", "{iff: it rains}", "{token: robot}", "{is: 1}"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
