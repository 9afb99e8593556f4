//! The resolved API as one value: every item is named, sorted and merged, and every reference is resolved.
//!
//! `gen` writes it as one JSON file, every emitter is a function of it, and two of them can be compared.

mod auth;
mod entity;
mod evidence;
mod feature;
mod field;
mod held;
mod item;
mod life;
mod operation;
mod param;
mod position;
mod program;
mod types;

use fedispec_since::StableVersion;
use fedispec_since::profile::Profiles;
use serde::{Deserialize, Serialize};

pub use auth::{Auth, Auths, UNAUTHORIZED};
pub use entity::{Entity, EntityRole, StandsIn};
pub use evidence::{Evidence, Own};
pub use feature::{Feature, plain as plain_name};
pub use field::{AbsentMeans, Field, PresenceState, Quirk};
pub use held::{Held, State, number};
pub use item::{Item, Origin};
pub use life::{Lack, Life, Since};
pub use operation::{
    Alternative, Deciding, ErrorAnswer, Oauth, Operation, Route, Twin, literals, path_of,
};
pub use param::{Limits, Param, one_of_several};
pub use position::{At, Files};
pub use program::{Program, Release};
pub use types::Type;

/// The version of the JSON form.
pub const SCHEMA: &str = "fedispec-api/5";

/// The forms before, which are still read: the first had positions in it, in the first two the values of a
/// [`Change`](crate::change::Change) were texts, nothing said what leaving a parameter out does, and an operation had one
/// [`Auth`] for all programs, in the third the effect of leaving a parameter out had lists of safe values by program, and in the fourth every
/// item had a life in every program, each written out.
pub const FORMER_SCHEMAS: [&str; 4] =
    ["fedispec-api/1", "fedispec-api/2", "fedispec-api/3", "fedispec-api/4"];

/// The whole API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Api {
    /// [`SCHEMA`].
    pub schema: String,
    /// Which layers it was made from.
    pub layer: Layer,
    /// The programs, in the order of every [`Since`] row.
    pub programs: Vec<Program>,
    /// How these and other programs are recognized, and what they do in their own way.
    #[serde(default, skip_serializing_if = "Profiles::is_empty")]
    pub profiles: Profiles,
    /// The groups, by name.
    pub groups: Vec<Group>,
    /// The operations, sorted by group, then as the catalogue orders them.
    pub operations: Vec<Operation>,
    /// The entities by id; objects nested in another follow it.
    pub entities: Vec<Entity>,
    /// The enumerations by id.
    pub enums: Vec<Enumeration>,
    /// The features by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<Feature>,
    /// Ids that are gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tombstones: Vec<Tombstone>,
    /// The declared contradictions, for `show`, `coverage` and the diff.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<Dispute>,
    /// The files that positions refer to, relative to the catalogue's folder. Like positions, only known of what was read
    /// from YAML.
    #[serde(skip)]
    pub files: Files,
}

impl Api {
    /// The title: `Mastodon client API`.
    pub fn title(&self) -> String {
        self.profiles.reference().map_or_else(
            || "client API".to_owned(),
            |reference| format!("{} client API", reference.name()),
        )
    }

    /// The program of a key.
    pub fn program(&self, key: &str) -> Option<&Program> {
        self.programs.iter().find(|program| program.key == key)
    }

    /// The place of a program among the programs, and of its facts wherever they are listed by program.
    pub fn column(&self, program: &str) -> Option<usize> {
        self.programs.iter().position(|one| one.key == program)
    }

    /// The names of the programs, as in a sentence: `Mastodon and GoToSocial`.
    pub fn program_names(&self) -> String {
        let names: Vec<_> = self.programs.iter().map(|program| program.name.as_str()).collect();
        match names.as_slice() {
            [] => String::new(),
            [one] => (*one).to_owned(),
            [others @ .., last] => format!("{} and {last}", others.join(", ")),
        }
    }

    /// The oldest release of each program that types are made for, in the order of the programs: the stated ones, and none
    /// for a program without. Where no program states any, each has its first release.
    pub fn floors(&self) -> impl Iterator<Item = Option<StableVersion>> {
        let stated = self.programs.iter().any(|program| program.floor.is_some());
        self.programs.iter().map(move |program| {
            let first = program.releases.first().filter(|_| !stated);
            program.floor.or(first.map(|release| release.version))
        })
    }
}

/// Which layers an [`Api`] was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The transcription of the two documents alone.
    Documents,
    /// Both layers, and overlays.
    Full,
}

/// A group of operations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Its id and Rust module: `accounts`.
    pub id: String,
    /// The name of its server trait: `Accounts`.
    pub rust: String,
    /// One line about it.
    pub summary: String,
}

/// An enumeration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Enumeration {
    /// The facts that every item has.
    pub item: Item,
    /// Whether a source lists its values.
    pub values_known: bool,
    /// Some operation takes it.
    pub sent: bool,
    /// Some operation answers it.
    pub received: bool,
    /// Its values, in the catalogue's order; `wire` is the value.
    pub values: Vec<Item>,
}

/// An id that is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tombstone {
    /// The id.
    pub id: String,
    /// Why it is gone.
    pub why: String,
    /// It never existed on any server.
    pub never_existed: bool,
}

/// A declared contradiction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dispute {
    /// The item's id.
    pub item: String,
    /// The fact.
    pub fact: String,
    /// The documents' value, as JSON.
    pub documents: serde_json::Value,
    /// The supplement's value, as JSON.
    pub supplement: serde_json::Value,
    /// The supplement's value holds.
    pub supplement_holds: bool,
    /// The proof of it.
    pub evidence: Evidence,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Where it is declared.
    #[serde(skip)]
    pub at: At,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
pub(crate) fn is_false(value: &bool) -> bool {
    !value
}
