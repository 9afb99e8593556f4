//! One difference between two states of the catalogue, as the engine finds it and as the JSON form has it.

use std::borrow::Cow;

use serde::Serialize;

use super::rules::{Audience, Bump, Fact, RuleId, Severity};
use fedispec_model::api::Feature;
use fedispec_since::StableVersion;

/// The version of the JSON form.
pub const SCHEMA: &str = "fedispec-diff/1";

/// Why something differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A server changed.
    Evolution,
    /// The catalogue was wrong.
    Correction,
    /// The catalogue did not know.
    Coverage,
    /// Only text, proof or order differ.
    Editorial,
}

impl Cause {
    /// Its name in the outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Evolution => "evolution",
            Self::Correction => "correction",
            Self::Coverage => "coverage",
            Self::Editorial => "editorial",
        }
    }
}

/// The way a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To the server.
    Request,
    /// From the server.
    Response,
}

/// One difference between two states, whole: nothing is added to it once it is made.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// The rule.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub rule: RuleId,
    /// How bad it is.
    pub severity: Severity,
    /// Why it differs.
    pub cause: Cause,
    /// The item.
    pub item: ItemRef,
    /// The way the value goes, where that is what matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// The program, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implementation: Option<String>,
    /// The releases that are hit: `>=4.3.0`, or several stretches of them, `<4.2.0 || >=4.3.0, <4.3.4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versions: Option<String>,
    /// The old value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The new value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// The audiences that it breaks.
    pub breaks: Vec<Audience>,
    /// The version step of the crate that it requires.
    pub bump: Bump,
    /// The operations that it reaches.
    pub reach: Vec<String>,
    /// The releases whose gate opens or closes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// The evidence for the new state.
    pub evidence: Vec<Proof>,
    /// Where the old state says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_at: Option<Place>,
    /// Where the new state says so, or else the place of the fact that the old one depended on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_at: Option<Place>,
    /// One line for a person.
    pub message: String,
    /// How many items went or came with it.
    pub with: usize,
    /// The keys that lead to it from its item, where the rule does not tell.
    #[serde(skip)]
    pub keys: Vec<String>,
    /// Whether it is said of all programs, and a recorded change makes it that of one.
    #[serde(skip)]
    pub of_all: bool,
    /// Whether the rewritten fact is proven by new evidence.
    #[serde(skip)]
    pub proven: bool,
    /// The paths in generated Rust at which the item is seen in either state; none where it is no item.
    #[serde(skip)]
    pub seen_at: Vec<String>,
}

impl Change {
    /// A change with all that its rule says, and nothing else yet.
    pub fn new(rule: RuleId, cause: Cause, message: String, item: ItemRef) -> Self {
        let row = rule.rule();
        Self {
            rule,
            severity: row.severity,
            cause,
            item,
            direction: None,
            implementation: None,
            versions: None,
            old: None,
            new: None,
            breaks: row.breaks.to_vec(),
            bump: row.bump,
            reach: Vec::new(),
            gate: None,
            evidence: Vec::new(),
            base_at: None,
            head_at: None,
            message,
            with: 0,
            keys: Vec::new(),
            of_all: false,
            proven: false,
            seen_at: Vec::new(),
        }
    }

    /// The message for a person: with the program and the releases that it is about, unless the message or the item names them.
    pub fn sentence(&self) -> Cow<'_, str> {
        let message = &self.message;
        let program = self.implementation.as_deref();
        let program = program.filter(|key| self.item.kind != "program" && !names(message, key));
        let is_named = |versions: &&str| {
            let mut numbers = versions.split(|one: char| !one.is_ascii_digit() && one != '.');
            numbers.any(|number| !number.is_empty() && names(message, number))
        };
        let versions = self.versions.as_deref().filter(|versions| !is_named(versions));
        match (program, versions) {
            (None, None) => Cow::Borrowed(message),
            (Some(key), None) => Cow::Owned(format!("in {key} {message}")),
            (None, Some(versions)) => Cow::Owned(format!("{message} ({versions})")),
            (Some(key), Some(versions)) => Cow::Owned(format!("in {key} {versions} {message}")),
        }
    }

    /// The change from one state to another.
    pub(crate) fn between(self, old: impl Into<String>, new: impl Into<String>) -> Self {
        Self { old: Some(old.into()), new: Some(new.into()), ..self }
    }

    /// The change of a program, given by its key.
    pub(crate) fn in_program(self, key: &str) -> Self {
        Self { implementation: Some(key.to_owned()), ..self }
    }

    /// The change where the generated items of both states are the same: it asks for no more than a patch, and concerns
    /// the other audiences only.
    #[must_use]
    pub fn without_code(self) -> Self {
        if !self.breaks.contains(&Audience::Source) {
            return self;
        }
        let rule = self.rule.rule();
        let (left, severity) = rule.without_code();
        let beyond = |who: &Audience| !rule.breaks.contains(who);
        let all = self.breaks.iter().copied();
        let breaks: Vec<_> = all
            .filter(|who| *who != Audience::Source && (left.contains(who) || beyond(who)))
            .collect();
        let severity = match &breaks[..] {
            // What it would break beside code it does not break here.
            [] if !left.is_empty() => self.severity.min(Severity::Compatible),
            all if all.iter().any(beyond) => self.severity,
            _ => self.severity.min(severity),
        };
        Self { severity, breaks, bump: self.bump.min(Bump::Patch), ..self }
    }

    /// The change where the generated items of the new state are those of the old one and more.
    #[must_use]
    pub fn only_adds(self) -> Self {
        Self { bump: Bump::Minor, ..self.without_code() }
    }

    /// Why those that it breaks are broken.
    pub fn why(&self) -> &'static str {
        let rule = self.rule.rule();
        let is_code_alone = self.breaks == [Audience::Source] && rule.breaks.len() > 1;
        if is_code_alone && self.rule.fact() == Fact::Type {
            "Code that names the type has to name another; what goes over the wire is the same."
        } else {
            rule.why
        }
    }

    /// Whether it says something of the past for which there is no sufficient evidence.
    pub fn is_unproven(&self) -> bool {
        match self.rule {
            RuleId::ItemAddedBackdatedUnproven
            | RuleId::ProvenanceWeakened
            | RuleId::SinceRewrittenUnproven => true,
            // With new evidence it has the severity of the change that it goes with.
            RuleId::FrozenFactChanged => !self.proven,
            _ => false,
        }
    }

    /// The change where only releases are hit that nobody supports.
    #[must_use]
    pub(super) fn below_the_floor(self) -> Self {
        let message = format!("{}, below the floor", self.message);
        let severity = self.severity.min(Severity::Compatible);
        Self { message, breaks: Vec::new(), severity, ..self }
    }

    /// The change where only code is hit: what goes over the wire is the same.
    #[must_use]
    pub(super) fn only_code(self) -> Self {
        Self { breaks: vec![Audience::Source], ..self }
    }
}

/// An item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ItemRef {
    /// Its id.
    pub id: String,
    /// `operation`, `param`, `field`, `response`, `entity`, `enum`, `value`, `group`, `feature`, `program`, `dispute`, `tombstone`, or `rust` for
    /// a path in generated Rust.
    pub kind: String,
    /// The method of an operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The path of an operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The path in generated Rust.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rust: Option<String>,
    /// The path that it had, where that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rust_was: Option<String>,
}

impl ItemRef {
    /// A feature.
    pub(super) fn feature(feature: &Feature) -> Self {
        Self {
            id: feature.id.clone(),
            kind: "feature".to_owned(),
            rust: Some(format!("features::{}", feature.constant())),
            ..Self::default()
        }
    }
}

/// Whether a key stands in a text as a word.
fn names(text: &str, key: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    text.match_indices(key).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + key.len()..].starts_with(is_part)
    })
}

/// The signature that makes a type, before and after, in a sentence.
#[must_use]
pub fn made_by(was: &str, is: &str) -> String {
    match (was, is) {
        (was, "" | "nothing") => format!("is no longer made by {was}"),
        ("" | "nothing", is) => format!("is made by {is} too"),
        (was, is) => format!("is made by {is}, was {was}"),
    }
}

/// The operation that an id is of, or of a part of: `accounts.lookup` of `accounts.lookup.acct`.
pub fn operation_of(id: &str) -> &str {
    id.match_indices('.').nth(1).map_or(id, |(end, _)| &id[..end])
}

/// The releases whose gate moves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gate {
    /// The releases that it opens on.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub opens: Vec<StableVersion>,
    /// The releases that it closes on.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub closes: Vec<StableVersion>,
}

/// A piece of evidence, as reports show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proof {
    /// How much it proves: A to D.
    pub class: String,
    /// Source and place.
    pub r#ref: String,
}

/// A place in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1: where the key stands, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub col: Option<u32>,
}
