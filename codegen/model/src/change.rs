//! Changes in place: what a program changed about an item after the item's Since.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use fedispec_since::scopes::covers;
use fedispec_since::{
    BodyEncoding, LeftOut, Location, Paging, Presence, Required, SafeValues, StableVersion,
    TokenKind, Unset,
};

/// A change in place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The first release with the new state.
    pub r#in: StableVersion,
    /// Later releases with the former state, where the change also went to an older line of releases: the first release
    /// without the change, and the first with it again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<(StableVersion, StableVersion)>,
    /// The fact that changed.
    #[serde(deserialize_with = "fact")]
    pub what: ChangedFact,
    /// The former state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Value>,
    /// The new state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Value>,
    /// Of scopes: all are needed, as [`Auth::all`](crate::api::Auth::all) says.
    #[serde(default, skip_serializing_if = "crate::api::is_false")]
    pub all: bool,
}

/// The name of a fact; a name that this version does not know is one of the free texts that former forms had.
fn fact<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ChangedFact, D::Error> {
    let name = String::deserialize(deserializer)?;
    Ok(ChangedFact::named(&name).unwrap_or(ChangedFact::Meaning))
}

/// Defines the facts, each with its key, what its values are, and the kinds of items that have it.
macro_rules! changed_facts {
    ($($(#[doc = $doc:literal])+ $fact:ident = $name:literal: $values:expr, [$($subject:ident)*];)+) => {
        /// A fact that can change in place.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum ChangedFact { $($(#[doc = $doc])+ $fact,)+ }

        impl ChangedFact {
            const TABLE: &[(Self, &'static str, ValueKind, &'static [Subject])] =
                &[$((Self::$fact, $name, $values, &[$(Subject::$subject),*]),)+];
        }
    };
}

changed_facts! {
    /// The kind of token.
    Token = "token": ValueKind::Word(TokenKind::NAMES), [Operation];
    /// The scopes of which one is enough; none is `[]`.
    Scopes = "scopes": ValueKind::Words, [Operation];
    /// The permissions, or before there were any the roles, of which one is enough.
    Permissions = "permissions": ValueKind::Words, [Operation];
    /// The method.
    Method = "method": ValueKind::Text, [Operation];
    /// The path.
    Path = "path": ValueKind::Text, [Operation];
    /// How the body is sent.
    Body = "body": ValueKind::Word(BodyEncoding::NAMES), [Operation];
    /// The type of the answer.
    Returns = "returns": ValueKind::Type, [Operation];
    /// The media type of the answer.
    MediaType = "media_type": ValueKind::Text, [Operation];
    /// The statuses of success.
    Success = "success": ValueKind::Statuses, [Operation];
    /// How the list is cut into pages.
    Paging = "paging": ValueKind::Word(Paging::NAMES), [Operation];
    /// The status of the answer to a call without a token.
    Unauthenticated = "unauthenticated": ValueKind::Whole, [Operation];
    /// Where the parameter stands.
    In = "in": ValueKind::Word(Location::NAMES), [Param];
    /// The type.
    Type = "type": ValueKind::Type, [Param Field];
    /// The format of the text.
    Format = "format": ValueKind::Text, [Param Field];
    /// Whether the parameter must be sent.
    Required = "required": ValueKind::Word(Required::NAMES), [Param];
    /// Whether null may be sent.
    Nullable = "nullable": ValueKind::Flag, [Param];
    /// Whether the field is always there.
    Presence = "presence": ValueKind::Word(Presence::NAMES), [Field];
    /// The value that the server assumes.
    Default = "default": ValueKind::Json, [Param];
    /// The least number.
    Min = "min": ValueKind::Number, [Param];
    /// The greatest number.
    Max = "max": ValueKind::Number, [Param];
    /// The greatest number of characters.
    MaxLength = "max_length": ValueKind::Whole, [Param];
    /// The least number of elements.
    MinItems = "min_items": ValueKind::Whole, [Param];
    /// The greatest number of elements.
    MaxItems = "max_items": ValueKind::Whole, [Param];
    /// The only values taken.
    Only = "only": ValueKind::Words, [Param];
    /// The effect of an update that does not set the parameter.
    Unset = "unset": ValueKind::Word(Unset::NAMES), [Param];
    /// The effect of leaving the parameter out.
    LeftOut = "left_out": ValueKind::LeftOut, [Param];
    /// The meaning of the item, in words.
    Meaning = "meaning": ValueKind::Text, [Operation Param Field Value];
}

/// The kind of a fact's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueKind {
    /// Text in words.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of words, of which one is enough.
    Words,
    /// A type in the catalogue's notation.
    Type,
    Flag,
    Number,
    Whole,
    Statuses,
    /// The effect of leaving a parameter out: its word, or a map that says more.
    LeftOut,
    /// Any value that the parameter can have.
    Json,
}

/// The kind of item that has a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the kind of that name")]
pub enum Subject {
    Operation,
    Param,
    Field,
    Value,
}

impl ChangedFact {
    fn row(self) -> &'static (Self, &'static str, ValueKind, &'static [Subject]) {
        &Self::TABLE[self as usize]
    }

    /// Its key: `max_length`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The fact of that name, the names that former forms had for it included.
    pub fn named(name: &str) -> Option<Self> {
        let former = match name {
            "scope" => Self::Scopes,
            "auth" => Self::Token,
            "role" => Self::Permissions,
            "errors" => Self::Unauthenticated,
            "when" | "optional" => Self::Presence,
            _ if name.starts_with("status") => Self::Unauthenticated,
            _ => {
                return Self::TABLE.iter().find(|row| row.1 == name).map(|row| row.0);
            }
        };
        Some(former)
    }

    /// The facts that items of a kind have.
    pub fn of(subject: Subject) -> impl Iterator<Item = Self> {
        let rows = Self::TABLE.iter().filter(move |row| row.3.contains(&subject));
        rows.map(|row| row.0)
    }

    /// Whether its values are types.
    pub fn is_type(self) -> bool {
        self.row().2 == ValueKind::Type
    }

    /// Describes the values of the fact, where the given one is none of them.
    pub fn misfit(self, value: &Value) -> Option<String> {
        let text = value.as_str();
        let whole = |value: &Value| value.is_u64();
        let all =
            |test: fn(&Value) -> bool| value.as_array().is_some_and(|list| list.iter().all(test));
        let (fits, wanted) = match self.row().2 {
            ValueKind::Text => (text.is_some_and(|text| !text.is_empty()), "text".into()),
            ValueKind::Word(words) => (
                text.is_some_and(|text| words.contains(&text)),
                format!("one of `{}`", words.join("`, `")),
            ),
            ValueKind::Words => (all(Value::is_string), "a list of names, `[]` for none".into()),
            // Whether the notation is sound is seen where types are read.
            ValueKind::Type => {
                (text.is_some(), "a type, as `string`, `Account[]` or `string|integer`".into())
            }
            ValueKind::Flag => (value.is_boolean(), "`true` or `false`".into()),
            ValueKind::Number => (value.is_number(), "a number without quotes".into()),
            ValueKind::Whole => (whole(value), "a whole number without quotes".into()),
            ValueKind::Statuses => (all(Value::is_u64), "a list of statuses: `[200]`".into()),
            ValueKind::LeftOut => (
                LeftOut::deserialize(value).is_ok(),
                "`harmless`, or a map as `{effect: changes_meaning, so: the status is posted at once}`"
                    .into(),
            ),
            ValueKind::Json => (true, String::new()),
        };
        (!fits).then_some(wanted)
    }

    /// A value as people read it: `profile or read:accounts`.
    pub fn text(self, value: &Value) -> String {
        self.text_of(value, false)
    }

    /// The same, of a list of which all elements may be needed: `profile and read:accounts`.
    pub fn text_of(self, value: &Value, all: bool) -> String {
        let or = if all { " and " } else { " or " };
        match (value, self.row().2) {
            (Value::String(text), ValueKind::Type) => text.replace('|', " or "),
            (Value::String(text), ValueKind::LeftOut) => text.replace('_', " "),
            (Value::String(text), _) => text.clone(),
            (Value::Array(list), _) if list.is_empty() => "none".into(),
            (Value::Array(list), ValueKind::Words | ValueKind::Statuses) => {
                list.iter().map(plain).collect::<Vec<_>>().join(or)
            }
            (other, ValueKind::LeftOut) => match LeftOut::deserialize(other) {
                Ok(LeftOut { effect, so, safe }) => {
                    let so = so.map(|so| format!(": {so}"));
                    let safe = match safe {
                        SafeValues::Any => Some("; as if left out: any value".to_owned()),
                        SafeValues::Only(values) if values.is_empty() => None,
                        SafeValues::Only(mut values) => {
                            let empty = values.iter_mut().filter(|value| value.is_empty());
                            empty.for_each(|value| "\"\"".clone_into(value));
                            Some(format!("; as if left out: {}", values.join(", ")))
                        }
                    };
                    [effect.name().replace('_', " ")].into_iter().chain(so).chain(safe).collect()
                }
                Err(_) => other.to_string(),
            },
            (other, _) => other.to_string(),
        }
    }

    /// The value behind a text of a former form, in which every value was a text.
    fn typed(self, text: &str) -> Value {
        let words = || -> Vec<Value> {
            let words = text
                .split([',', ' ', '|'])
                .filter(|word| !matches!(*word, "" | "or" | "and" | "none" | "nothing"));
            words.map(|word| Value::String(word.into())).collect()
        };
        let word = |text: &str| Value::String(text.into());
        match self.row().2 {
            ValueKind::Words => words().into(),
            ValueKind::Statuses => {
                let numbers = text.split([',', ' ']).filter_map(|part| part.parse::<u16>().ok());
                numbers.map(Value::from).collect::<Vec<_>>().into()
            }
            ValueKind::Flag
            | ValueKind::Number
            | ValueKind::Whole
            | ValueKind::LeftOut
            | ValueKind::Json => serde_json::from_str(text).unwrap_or_else(|_| word(text)),
            ValueKind::Type => word(&text.replace(" or ", "|")),
            ValueKind::Word(words) if words.contains(&text) => word(text),
            ValueKind::Word(_) => word(match (self, text) {
                (Self::Token, "client credentials") => "client",
                (Self::Token, _) if text.starts_with("optional") => "optional",
                (Self::Token, "") => "none",
                (Self::Required, "true") | (Self::Presence, "false") => "always",
                (Self::Required, "false") => "never",
                (Self::Presence, _) => "optional",
                _ => text,
            }),
            ValueKind::Text => word(text),
        }
    }
}

impl fmt::Display for ChangedFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Change {
    /// Whether a release has the new state.
    pub fn holds(&self, at: StableVersion) -> bool {
        let inside = |&(from, until): &(StableVersion, StableVersion)| from <= at && at < until;
        self.r#in <= at && !self.absent.iter().any(inside)
    }

    /// The steps by release, in order: the change itself, and each gap in which it was undone and made again.
    pub fn steps(&self) -> impl Iterator<Item = Self> + '_ {
        let step = |release: StableVersion, is_undone: bool| {
            let (from, to) = (self.from.clone(), self.to.clone());
            let (from, to) = if is_undone { (to, from) } else { (from, to) };
            Self { r#in: release, absent: Vec::new(), from, to, ..*self }
        };
        let gaps = self.absent.iter();
        let gaps = gaps.flat_map(move |&(from, until)| [step(from, true), step(until, false)]);
        std::iter::once(step(self.r#in, false)).chain(gaps)
    }

    /// The former state as people read it.
    pub fn from_text(&self) -> Option<String> {
        self.from.as_ref().map(|value| self.what.text_of(value, self.all))
    }

    /// The new state as people read it.
    pub fn to_text(&self) -> Option<String> {
        self.to.as_ref().map(|value| self.what.text_of(value, self.all))
    }

    /// Gives the values their types, where they were read from a form in which every value was a text.
    pub(crate) fn type_values(&mut self) {
        for value in [&mut self.from, &mut self.to].into_iter().flatten() {
            if let Value::String(text) = value {
                *value = self.what.typed(text);
            }
        }
    }
}

/// A value as a form, a query or a sentence has it: a text stands without quotes.
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The state of a fact in a release, from what changed about it; `None` where nothing did.
pub fn state_at(changes: &[Change], what: ChangedFact, at: StableVersion) -> Option<&Value> {
    let mut all = changes.iter().filter(|change| change.what == what);
    let last = all.clone().rev().find(|change| change.holds(at));
    match last {
        Some(change) => change.to.as_ref(),
        None => all.next()?.from.as_ref(),
    }
}

/// Whether every token with the old scopes, as texts, still does where one of the new ones is asked for.
pub fn still_do(old: &str, new: &str) -> bool {
    let holds = |wide: &str| new.split(" or ").any(|narrow| covers(wide, narrow));
    old != new && old.split(" or ").all(holds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(text: &str) -> StableVersion {
        text.parse().expect(text)
    }

    fn backport() -> Vec<Change> {
        vec![
            Change {
                r#in: release("4.2.0"),
                absent: Vec::new(),
                what: ChangedFact::Token,
                from: Some("optional".into()),
                to: Some("user".into()),
                all: false,
            },
            Change {
                r#in: release("4.3.14"),
                absent: vec![(release("4.4.0"), release("4.4.6"))],
                what: ChangedFact::Scopes,
                from: Some(serde_json::json!([])),
                to: Some(serde_json::json!(["read:statuses"])),
                all: false,
            },
        ]
    }

    #[test]
    fn a_backport_is_not_in_the_first_releases_of_the_next_line() {
        let changes = backport();
        for (text, scopes) in [
            ("4.1.0", "none"),
            ("4.3.13", "none"),
            ("4.3.14", "read:statuses"),
            ("4.3.99", "read:statuses"),
            ("4.4.0", "none"),
            ("4.4.5", "none"),
            ("4.4.6", "read:statuses"),
            ("4.5.0", "read:statuses"),
        ] {
            let state = state_at(&changes, ChangedFact::Scopes, release(text));
            let state = state.map(|value| ChangedFact::Scopes.text(value));
            assert_eq!(state.as_deref(), Some(scopes), "{text}");
        }
        assert_eq!(state_at(&changes, ChangedFact::Path, release("4.4.0")), None);
    }

    #[test]
    fn a_gap_is_two_steps() {
        let steps: Vec<_> = backport()[1]
            .steps()
            .map(|step| (step.r#in.to_string(), step.to_text().unwrap_or_default()))
            .collect();
        let step = |release: &str, to: &str| (release.to_owned(), to.to_owned());
        assert_eq!(
            steps,
            [
                step("4.3.14", "read:statuses"),
                step("4.4.0", "none"),
                step("4.4.6", "read:statuses")
            ]
        );
    }

    #[test]
    fn every_fact_is_read_by_the_name_that_it_is_written_with() {
        for (fact, name, ..) in ChangedFact::TABLE {
            assert_eq!(serde_json::json!(fact), *name);
            assert_eq!(ChangedFact::named(name), Some(*fact));
        }
    }

    #[test]
    fn what_fits() {
        use ChangedFact as F;
        let json = |text: &str| serde_json::from_str::<Value>(text).expect(text);
        for (fact, good, bad) in [
            (F::Token, r#""optional""#, r#""optional user""#),
            (F::Scopes, r#"["read"]"#, r#""read""#),
            (F::Returns, r#""Account|empty""#, "1"),
            (F::Unauthenticated, "401", r#""401""#),
            (F::Max, "1.5", r#""1""#),
            (F::MaxLength, "30", "-1"),
            (F::Nullable, "true", r#""true""#),
            (F::Success, "[200, 202]", r#"["200"]"#),
            (F::Presence, r#""optional nullable""#, r#""sometimes""#),
        ] {
            assert_eq!(fact.misfit(&json(good)), None, "{fact}");
            assert!(fact.misfit(&json(bad)).is_some(), "{fact}");
        }
    }

    #[test]
    fn tokens_with_the_old_scopes_still_do_where_these_hold_a_new_one() {
        for (old, new) in [
            ("write", "write:statuses"),
            ("follow", "write:follows or read:follows"),
            ("follow", "follow or write:follows"),
            ("read", "follow or read:blocks"),
            ("read:accounts", "profile or read:accounts"),
        ] {
            assert!(still_do(old, new), "{old} {new}");
        }
        for (old, new) in [
            ("write", "write"),
            ("none", "read"),
            ("read:lists", "read"),
            ("read or write", "read:accounts"),
            ("integer", "string"),
        ] {
            assert!(!still_do(old, new), "{old} {new}");
        }
    }

    #[test]
    fn texts_of_the_former_form_become_values() {
        for (what, text, expected) in [
            ("scopes", "none", "[]"),
            ("scopes", "profile or read:accounts", r#"["profile","read:accounts"]"#),
            ("token", "optional user", r#""optional""#),
            ("token", "client credentials", r#""client""#),
            ("status without a token", "401", "401"),
            ("max", "80", "80"),
            ("type", "string or string[]", r#""string|string[]""#),
            ("presence", "only with a user token", r#""optional""#),
            ("presence", "always", r#""always""#),
            ("required", "true", r#""always""#),
            ("behaviour", "slow", r#""slow""#),
        ] {
            let old = serde_json::json!({"in": "4.0.0", "what": what, "to": text});
            let mut change: Change = serde_json::from_value(old).expect(what);
            change.type_values();
            let found = change.to.expect(what);
            assert_eq!(found.to_string(), expected, "{what} {text}");
            assert_eq!(change.what.misfit(&found), None, "{what} {text}");
        }
    }
}
