//! Conditions: when a field is sent, and when a parameter is required.

use std::fmt::{self, Write as _};

use serde::{Deserialize, Deserializer, Serialize};

/// When something holds: where every clause of one of the cases does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Condition(pub Vec<Vec<Clause>>);

/// A part of a condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clause {
    /// Words that complete "when ..".
    If(String),
    /// The owner of the token that the request carries.
    Token(Caller),
    /// The request has a parameter, by wire name, with one of the values if any are listed.
    Sent(String, Vec<String>),
    /// The request lacks a parameter, by wire name.
    NotSent(String),
    /// A field, by id, has one of the values.
    Field(String, Vec<String>),
    /// The entity is answered in one of the places.
    In(Vec<EntityLocation>),
    /// The entity is answered in none of the places.
    NotIn(Vec<EntityLocation>),
}

/// The owner of the token that a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Caller {
    /// A user's.
    User,
    /// The user whom the entity belongs to.
    Owner,
}

/// A place in which an entity can be answered, by id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntityLocation {
    /// In the answer to an operation.
    Operation(String),
    /// In the answers to the operations of a group.
    Group(String),
    /// Inside another entity.
    Entity(String),
    /// In a field of another entity, or of its own.
    Field(String),
}

impl Condition {
    /// A condition in words.
    pub fn words(text: impl Into<String>) -> Self {
        Self(vec![vec![Clause::If(text.into())]])
    }

    /// The condition where only some names exist: values, parameters, and ids of places. Nothing where it always or never holds there.
    #[must_use]
    pub fn among(&self, exists: impl Fn(&str) -> bool) -> Option<Self> {
        let mut cases = Vec::new();
        for case in &self.0 {
            let clauses: Vec<Among> = case.iter().map(|clause| clause.among(&exists)).collect();
            if clauses.contains(&Among::Never) {
                continue;
            }
            let told = clauses.into_iter().filter_map(|clause| match clause {
                Among::Told(clause) => Some(clause),
                Among::Always | Among::Never => None,
            });
            cases.push(told.collect::<Vec<_>>());
        }
        let is_told = !cases.is_empty() && cases.iter().all(|case| !case.is_empty());
        is_told.then_some(Self(cases))
    }

    /// `Present only when the request carries a user's token.` for a field of the entity.
    pub fn presence(&self, entity: &str) -> String {
        format!("Present {}.", self.cases(Some(entity)))
    }

    /// For a parameter, as in "Required when `grant_type` is `password`."
    pub fn requirement(&self) -> String {
        let text = self.cases(None);
        format!("Required {}.", text.strip_prefix("only ").unwrap_or(&text))
    }

    /// The cases, `only when .., or in ..`; a lone exception is not introduced by `only`.
    fn cases(&self, entity: Option<&str>) -> String {
        let cases: Vec<String> = self.0.iter().map(|case| phrase(case, entity)).collect();
        let only = if cases.iter().all(|case| case.starts_with("except ")) { "" } else { "only " };
        format!("{only}{}", cases.join(", or "))
    }
}

/// A clause where only some names exist.
#[derive(PartialEq)]
enum Among {
    Always,
    Never,
    Told(Clause),
}

impl Clause {
    fn among(&self, exists: &impl Fn(&str) -> bool) -> Among {
        let existing = |names: &[String]| -> Vec<String> {
            names.iter().filter(|name| exists(name)).cloned().collect()
        };
        let places = |places: &[EntityLocation]| -> Vec<EntityLocation> {
            places.iter().filter(|place| exists(place.id())).cloned().collect()
        };
        match self {
            Self::Sent(name, _) | Self::Field(name, _) if !exists(name) => Among::Never,
            Self::NotSent(name) if !exists(name) => Among::Always,
            Self::Sent(name, values) if !values.is_empty() => match existing(values) {
                values if values.is_empty() => Among::Never,
                values => Among::Told(Self::Sent(name.clone(), values)),
            },
            Self::Field(id, values) => match existing(values) {
                values if values.is_empty() => Among::Never,
                values => Among::Told(Self::Field(id.clone(), values)),
            },
            Self::In(ids) => match places(ids) {
                ids if ids.is_empty() => Among::Never,
                ids => Among::Told(Self::In(ids)),
            },
            Self::NotIn(ids) => match places(ids) {
                ids if ids.is_empty() => Among::Always,
                ids => Among::Told(Self::NotIn(ids)),
            },
            Self::If(_) | Self::Token(_) | Self::Sent(..) | Self::NotSent(_) => {
                Among::Told(self.clone())
            }
        }
    }
}

impl EntityLocation {
    /// Returns the id of what it is inside.
    pub fn id(&self) -> &str {
        match self {
            Self::Operation(id) | Self::Group(id) | Self::Entity(id) | Self::Field(id) => id,
        }
    }
}

impl fmt::Display for Condition {
    /// Writes the condition in words, for a reader who knows which entity is meant.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cases(Some("entity")).replace("`entity`", "entity"))
    }
}

/// Reads the conditions of earlier resolved files too, where each was a text.
impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Cases(Vec<Vec<Clause>>),
            Words(String),
        }
        Ok(match Written::deserialize(deserializer)? {
            Written::Cases(cases) => Self(cases),
            Written::Words(words) => Self::words(words),
        })
    }
}

/// One case: the place, what must be so, and the exception, in this order.
fn phrase(case: &[Clause], entity: Option<&str>) -> String {
    let mut text = String::new();
    let mut whens = Vec::new();
    let mut except = String::new();
    for clause in case {
        match clause {
            Clause::In(locations) => push(&mut text, &places(locations, " or ")),
            Clause::NotIn(locations) => except = format!("except {}", places(locations, " and ")),
            _ => whens.push(when(clause, entity)),
        }
    }
    if !whens.is_empty() {
        push(&mut text, &format!("when {}", whens.join(" and ")));
    }
    push(&mut text, &except);
    text
}

fn push(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push_str(if more.starts_with("except") { ", " } else { " " });
    }
    text.push_str(more);
}

fn when(clause: &Clause, entity: Option<&str>) -> String {
    match clause {
        Clause::If(words) => words.trim().trim_end_matches('.').to_owned(),
        Clause::Token(Caller::User) => "the request carries a user's token".into(),
        Clause::Token(Caller::Owner) => format!(
            "the `{}` belongs to the user whose token the request carries",
            entity.unwrap_or_default()
        ),
        Clause::Sent(name, values) if values.is_empty() => match entity {
            Some(_) => format!("the request sends `{name}`"),
            None => format!("`{name}` is sent"),
        },
        Clause::Sent(name, values) => {
            let verb = if name.ends_with("[]") { "contains" } else { "is" };
            let of = if entity.is_some() { "the request's " } else { "" };
            format!("{of}`{name}` {verb} {}", ticked(values))
        }
        Clause::NotSent(name) => match entity {
            Some(_) => format!("the request does not send `{name}`"),
            None => format!("`{name}` is not sent"),
        },
        Clause::Field(id, values) => {
            let name = entity.and_then(|entity| id.strip_prefix(entity)?.strip_prefix('.'));
            format!("`{}` is {}", name.unwrap_or(id), ticked(values))
        }
        Clause::In(_) | Clause::NotIn(_) => String::new(),
    }
}

fn places(locations: &[EntityLocation], and: &str) -> String {
    let one = |location: &EntityLocation| match location {
        EntityLocation::Operation(id) => format!("in the answer to `{id}`"),
        EntityLocation::Group(id) => format!("in the answers to the operations of `{id}`"),
        EntityLocation::Entity(id) | EntityLocation::Field(id) => format!("inside `{id}`"),
    };
    locations.iter().map(one).collect::<Vec<_>>().join(and)
}

/// `` `a`, `b` or `c` ``
fn ticked(values: &[String]) -> String {
    let mut text = String::new();
    for (i, value) in values.iter().enumerate() {
        let between = match i {
            0 => "",
            _ if i + 1 == values.len() => " or ",
            _ => ", ",
        };
        let _ = write!(text, "{between}`{value}`");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn present(cases: Vec<Vec<Clause>>) -> String {
        Condition(cases).presence("Account")
    }

    #[test]
    fn what_does_not_exist_is_not_told() {
        let values = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect();
        let told = |cases: Vec<Vec<Clause>>| {
            let condition = Condition(cases).among(|name| !name.starts_with("new"));
            condition.map(|condition| condition.presence("Account"))
        };
        let kind = |list: &[&str]| Clause::Field("Account.kind".into(), values(list));
        let only_bot = Some("Present only when `kind` is `bot`.".to_owned());
        assert_eq!(told(vec![vec![kind(&["bot", "new"])]]), only_bot);
        // A case that cannot hold is gone, and a clause that always holds.
        assert_eq!(told(vec![vec![kind(&["new"])], vec![kind(&["bot"])]]), only_bot);
        assert_eq!(told(vec![vec![Clause::NotSent("new".into()), kind(&["bot"])]]), only_bot);
        assert_eq!(told(vec![vec![kind(&["new"])]]), None);
        assert_eq!(told(vec![vec![Clause::Sent("new".into(), Vec::new())]]), None);
        let places =
            |ids: &[&str]| ids.iter().map(|id| EntityLocation::Group((*id).into())).collect();
        assert_eq!(told(vec![vec![Clause::NotIn(places(&["new"]))]]), None);
        let inside = Some("Present only in the answers to the operations of `lists`.".to_owned());
        assert_eq!(told(vec![vec![Clause::In(places(&["new", "lists"]))]]), inside);
    }

    #[test]
    fn every_kind_of_clause_is_a_sentence() {
        let values = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect();
        for (clause, sentence) in [
            (
                Clause::If("the account is suspended.".into()),
                "Present only when the account is suspended.",
            ),
            (Clause::Token(Caller::User), "Present only when the request carries a user's token."),
            (
                Clause::Token(Caller::Owner),
                "Present only when the `Account` belongs to the user whose token the request carries.",
            ),
            (
                Clause::Sent("limit".into(), Vec::new()),
                "Present only when the request sends `limit`.",
            ),
            (
                Clause::Sent("sort".into(), values(&["new", "old"])),
                "Present only when the request's `sort` is `new` or `old`.",
            ),
            (
                Clause::Sent("keys[]".into(), values(&["a", "b", "c"])),
                "Present only when the request's `keys[]` contains `a`, `b` or `c`.",
            ),
            (
                Clause::NotSent("limit".into()),
                "Present only when the request does not send `limit`.",
            ),
            (
                Clause::Field("Account.kind".into(), values(&["bot"])),
                "Present only when `kind` is `bot`.",
            ),
            (
                Clause::Field("Other.kind".into(), values(&["bot"])),
                "Present only when `Other.kind` is `bot`.",
            ),
            (
                Clause::In(vec![EntityLocation::Operation("accounts.get".into())]),
                "Present only in the answer to `accounts.get`.",
            ),
            (
                Clause::In(vec![EntityLocation::Group("accounts".into())]),
                "Present only in the answers to the operations of `accounts`.",
            ),
            (
                Clause::NotIn(vec![EntityLocation::Entity("Status".into())]),
                "Present except inside `Status`.",
            ),
        ] {
            assert_eq!(present(vec![vec![clause]]), sentence);
        }
    }

    #[test]
    fn clauses_and_cases_are_joined() {
        let suspended = || Clause::If("the account is suspended".into());
        assert_eq!(
            present(vec![vec![
                suspended(),
                Clause::Token(Caller::User),
                Clause::NotIn(vec![EntityLocation::Field("Account.moved".into())]),
            ]]),
            "Present only when the account is suspended and the request carries a user's token, \
             except inside `Account.moved`."
        );
        assert_eq!(
            present(vec![
                vec![suspended(), Clause::In(vec![EntityLocation::Operation("a.get".into())])],
                vec![Clause::Token(Caller::User)],
            ]),
            "Present only in the answer to `a.get` when the account is suspended, \
             or when the request carries a user's token."
        );
    }

    #[test]
    fn requirements_speak_of_the_request_itself() {
        let sentence = |clause| Condition(vec![vec![clause]]).requirement();
        assert_eq!(
            sentence(Clause::Sent("grant_type".into(), vec!["password".into()])),
            "Required when `grant_type` is `password`."
        );
        assert_eq!(
            sentence(Clause::NotSent("media_ids[]".into())),
            "Required when `media_ids[]` is not sent."
        );
        assert_eq!(
            sentence(Clause::Sent("media_ids[]".into(), Vec::new())),
            "Required when `media_ids[]` is sent."
        );
    }

    #[test]
    fn a_text_of_an_earlier_file_is_words() {
        let read = |json| serde_json::from_str::<Condition>(json).unwrap();
        assert_eq!(read("\"suspended\""), Condition::words("suspended"));
        let condition = Condition(vec![vec![
            Clause::Token(Caller::Owner),
            Clause::Sent("sort".into(), Vec::new()),
            Clause::In(vec![EntityLocation::Group("accounts".into())]),
        ]]);
        let json = serde_json::to_string(&condition).unwrap();
        assert_eq!(
            json,
            r#"[[{"token":"owner"},{"sent":["sort",[]]},{"in":[{"group":"accounts"}]}]]"#
        );
        assert_eq!(read(&json), condition);
    }
}
