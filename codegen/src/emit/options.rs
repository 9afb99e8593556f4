//! Options of the emitters: the part of the API to emit, and its form.

use std::collections::{BTreeMap, BTreeSet};

use fedispec_model::api::Api;
use fedispec_model::floors::Floors;
use fedispec_since::StableVersion;

/// Which code [`files`](super::files) generates from an API. The default is the ready-made crate: all of it, for every release.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Options {
    /// The oldest release to support, by program. A program that is not named has the catalogue's floor, unless
    /// [`only_named_floors`](Self::only_named_floors) is set.
    pub floors: BTreeMap<String, StableVersion>,
    /// Only the programs of [`floors`](Self::floors) count; what another guarantees is of no interest.
    pub only_named_floors: bool,
    /// The newest release to know, by program: later items are left out.
    pub ceilings: BTreeMap<String, StableVersion>,
    /// The program whose newest release `current` follows; without one the first that counts.
    pub current: Option<String>,
    /// Items that are newer than a floor are left out.
    pub guaranteed_only: bool,
    /// Which operations to emit, with all that they need.
    pub selection: Selection,
    /// The client's half.
    pub client: bool,
    /// The server's half.
    pub server: bool,
    /// A crate, or a text to include.
    pub form: Form,
    /// The catalogue knows programs that the runtime does not, or other things of them.
    pub teaches: bool,
    /// The path of the runtime crate.
    pub runtime: String,
}

impl Options {
    /// Whether nothing of the API is left out.
    pub(super) fn is_whole(&self) -> bool {
        self.selection == Selection::All && self.ceilings.is_empty() && !self.guaranteed_only
    }

    /// The oldest supported releases.
    pub(super) fn supported(&self, api: &Api) -> Floors {
        if self.only_named_floors {
            Floors::only(api, &self.floors)
        } else {
            Floors::new(api, &self.floors)
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            floors: BTreeMap::new(),
            only_named_floors: false,
            ceilings: BTreeMap::new(),
            current: None,
            guaranteed_only: false,
            selection: Selection::All,
            client: true,
            server: true,
            form: Form::Crate,
            teaches: false,
            runtime: "fedispec_runtime".into(),
        }
    }
}

/// Which operations to emit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Selection {
    /// All operations, entities and enumerations.
    #[default]
    All,
    /// The operations of these groups, these operations besides, and the entities and enumerations that they reach.
    Only {
        /// Groups by id: `accounts`.
        groups: BTreeSet<String>,
        /// Operations by id: `accounts.lookup`.
        operations: BTreeSet<String>,
    },
}

/// The form of the output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// A crate: its halves are cargo features, a file a module.
    #[default]
    Crate,
    /// One text of nested modules without inner attributes, for `include!`. It links the runtime alone and is not
    /// formatted.
    Single,
}
