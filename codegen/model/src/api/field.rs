//! Fields of entities, and when an answer has them.

use fedispec_since::{Presence, StableVersion, Version};
use serde::{Deserialize, Serialize};

use super::{Evidence, Item, Type};
use crate::change::{Change, ChangedFact};
use crate::condition::Condition;

/// A field.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Field {
    /// The facts that every item has. Its `id` and `name` are those of the named owner: `Instance.configuration.polls`,
    /// `configuration[polls]`; `wire` is the key in this object: `polls`.
    pub item: Item,
    /// Its type.
    pub r#type: Type,
    /// Whether a source gives its type.
    pub type_known: bool,
    /// Whether it may be null.
    pub nullable: bool,
    /// Whether it may be absent.
    pub optional: bool,
    /// Whether anybody says so.
    pub presence_known: bool,
    /// The presence in programs that differ from that, in the order of [`Api::programs`](super::Api::programs). Empty where none does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub presence: Vec<Option<Presence>>,
    /// The value that its absence means. Absent where no value would be true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent_means: Option<AbsentMeans>,
    /// When it is present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// How its absence is sent, where it is both nullable and optional or neither: `true` null, `false` left out.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub none_is_null: bool,
    /// The format of its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The entity it was taken over from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inherited_from: Option<String>,
    /// The entity or enumeration that the documents name behind it, in their spelling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refers_to: Option<String>,
    /// The departures of real servers from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quirks: Vec<Quirk>,
    /// A program that was taken out of the API is known to miss it ([`Field::is_known_to_miss`]).
    #[serde(skip)]
    pub missed_apart: bool,
    /// The item that the catalogue lists for the values of this map, `api_versions[<software_key>]` beside
    /// `api_versions`: a row, and no member of the struct.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<Box<Field>>,
}

/// The meaning of a field's absence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AbsentMeans {
    /// The value, as JSON.
    pub value: serde_json::Value,
    /// Servers that have the field leave it out where it has this value.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub omitted: bool,
    /// Null means the same.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub or_null: bool,
    /// The proof of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// The presence of a field in a program from a release on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PresenceState {
    /// The first release of the state; `None` where it is the first one.
    pub since: Option<StableVersion>,
    /// Whether the field is there.
    pub presence: Presence,
}

impl Field {
    /// The field, and where it is a map or list, the items that stand for its values, however deep.
    pub fn with_entries(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |field| field.entry.as_deref())
    }

    /// Whether answers of the programs that say nothing else may lack it or have null there.
    pub fn common_presence(&self) -> Presence {
        Presence { optional: self.optional, nullable: self.nullable }
    }

    /// Returns the presence in a program, where it is stated for that program alone.
    pub fn own_presence(&self, program: usize) -> Option<Presence> {
        self.presence.get(program).copied().flatten()
    }

    /// Returns the presence in a program that says nothing of it: anything, where its facts stand apart from those of others.
    fn unsaid_presence(&self, program: usize) -> Presence {
        if self.is_apart(program) {
            Presence { optional: true, nullable: true }
        } else {
            self.common_presence()
        }
    }

    fn is_apart(&self, program: usize) -> bool {
        self.item.life.get(program).is_some_and(|life| life.apart)
    }

    /// Whether the newest answers of a program may lack it or have null there.
    pub fn presence_in(&self, program: usize) -> Presence {
        let states = self.presence_states(program);
        let newest = states.last().map(|state| state.presence);
        newest.unwrap_or_else(|| self.common_presence())
    }

    /// Whether a release of a program, or a pre-release, may lack it or send null there, but for quirks.
    pub fn presence_at(&self, program: usize, release: impl Into<Version>) -> Presence {
        let release = release.into();
        let states = self.presence_states(program).into_iter().rev();
        let reached = |since: StableVersion| Version::from(since) <= release;
        let mut reached = states.filter(|state| state.since.is_none_or(reached));
        let state = reached.next();
        state.map_or_else(|| self.unsaid_presence(program), |state| state.presence)
    }

    /// Its presence in a program release by release, from the oldest state to the newest.
    pub fn presence_states(&self, program: usize) -> Vec<PresenceState> {
        let life = self.item.life.get(program);
        let changes = life.into_iter().flat_map(|life| &life.changed);
        let changes = changes.filter(|change| change.what == ChangedFact::Presence);
        let mut steps: Vec<Change> = changes.flat_map(Change::steps).collect();
        steps.sort_by_key(|step| step.r#in);
        let said = |value: &Option<serde_json::Value>| {
            let name = value.as_ref().and_then(serde_json::Value::as_str);
            name.and_then(Presence::named)
        };
        // The presence of all programs may be wider than that of one of them.
        let common = self.unsaid_presence(program);
        let own = self.own_presence(program);
        let oldest = steps.first().and_then(|step| said(&step.from));
        let mut states =
            vec![PresenceState { since: None, presence: oldest.or(own).unwrap_or(common) }];
        for step in &steps {
            states.push(PresenceState {
                since: Some(step.r#in),
                presence: said(&step.to).or(own).unwrap_or(common),
            });
        }
        states
    }

    /// Returns the presence in the answers of a program from a release on, but for quirks.
    pub fn presence_from(&self, program: usize, floor: StableVersion) -> Presence {
        let states = self.presence_states(program);
        let ends = states.iter().skip(1).map(|state| state.since);
        let states = states.iter().zip(ends.chain([None]));
        let reached = states.filter(|(_, end)| end.is_none_or(|end| end > floor));
        let presences = reached.map(|(state, _)| state.presence);
        presences.fold(Presence::ALWAYS, Presence::or)
    }

    /// Returns the presence in the answers of any release of a program, where something is stated of it: always there where nothing is.
    pub(crate) fn stated_presence(&self, program: usize) -> Presence {
        let states = self.presence_states(program);
        if self.own_presence(program).is_none() && states.len() == 1 && self.is_apart(program) {
            return Presence::ALWAYS;
        }
        states.iter().map(|state| state.presence).fold(Presence::ALWAYS, Presence::or)
    }

    /// Returns the presence in the answers of any release of any program whose facts do not stand apart, but for quirks.
    pub fn widest_presence(&self) -> Presence {
        let programs = (0..self.item.life.len()).filter(|program| !self.is_apart(*program));
        let states = programs.flat_map(|program| self.presence_states(program));
        let presences = states.map(|state| state.presence);
        presences.fold(self.common_presence(), Presence::or)
    }

    /// Whether it is known to be neither null nor absent in the releases that have it, of every program.
    pub fn is_always_there(&self) -> bool {
        let mut quirks = self.quirks.iter().map(Quirk::presence);
        self.type_known
            && self.presence_known
            && self.widest_presence() == Presence::ALWAYS
            && quirks.all(|presence| presence == Presence::ALWAYS)
    }

    /// The quirks that its type does not have room for.
    pub fn departures(&self) -> impl Iterator<Item = &Quirk> {
        self.quirks.iter().filter(|quirk| !self.takes(quirk))
    }

    /// Whether its type has what a quirk sends: an empty text, which only its format rules out, where the text is never missing.
    fn takes(&self, quirk: &Quirk) -> bool {
        quirk.sends == "empty_string" && self.r#type == Type::String && self.is_always_there()
    }
}

/// Something else than the type promises.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Quirk {
    /// The program's key, or its node info name where it is not registered.
    pub program: String,
    /// The value that it sends: `empty_array`, `empty_object`, `empty_string`, `integer`, `string`, `null`, `absent`, `object`, `zero` (0 or
    /// `false`, never null), `absent_if_empty` (nothing in place of `false`, 0, an empty text and an empty list), or `unwrapped` (the entity that
    /// the field's entity holds, in place of it).
    pub sends: String,
    /// The first release that does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<StableVersion>,
    /// The first release that no longer does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<StableVersion>,
}

impl Quirk {
    /// Whether a release of a program, which is named by its key, sends it.
    pub fn is_of(&self, program: &str, release: impl Into<Version>) -> bool {
        let release = release.into();
        let reached = |version: StableVersion| Version::from(version) <= release;
        self.program == program
            && self.since.is_none_or(reached)
            && !self.until.is_some_and(reached)
    }

    /// Whether the program leaves the field out, always or where it is empty.
    pub fn leaves_out(&self) -> bool {
        matches!(self.sends.as_str(), "absent" | "absent_if_empty" | "nothing")
    }

    /// Whether the field is there where this is sent.
    pub fn presence(&self) -> Presence {
        Presence { optional: self.leaves_out(), nullable: self.sends == "null" }
    }
}
