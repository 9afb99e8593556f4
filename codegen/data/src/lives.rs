//! The lives of all items, as every language reads them.

use std::collections::BTreeMap;

use fedispec_model::api::Api;
use fedispec_model::reach::Reach;
use fedispec_model::rows::rows;
use fedispec_since::{At, Kind, StableVersion, Verdict};

/// The lives of all items, by id.
#[derive(Debug)]
pub(crate) struct Lives<'a>(pub(crate) BTreeMap<&'a str, Item>);

/// An item with its life in each program, in the order of the programs.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    pub(crate) lives: Vec<Life>,
}

/// The life of an item in a program.
#[derive(Debug)]
pub(crate) struct Life {
    life: fedispec_since::Life,
    stub: Option<StableVersion>,
}

impl<'a> Lives<'a> {
    pub(crate) fn new(api: &'a Api) -> Self {
        let reach = Reach::new(api);
        let items = rows(api).into_iter().map(|row| {
            let lives = row.item.life.iter().zip(reach.effective(row.item));
            let lives = lives.map(|(life, effective)| Life {
                // Since when it can be met is all that counts outside; its own Since is for who keeps the catalogue.
                life: life.whole(effective).saying(effective, life.works_since, life.deprecated),
                stub: life.stub,
            });
            (row.item.id.as_str(), Item { kind: row.kind(), lives: lives.collect() })
        });
        Self(items.collect())
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Item> {
        self.0.get(id)
    }
}

impl Life {
    /// As text: `2.0.0 works 2.1.0 removed 4.6.0 absent 2.4.0..3.3.0 stub 2.0.0`.
    pub(crate) fn text(&self) -> String {
        let stub = self.stub.map(|stub| format!(" stub {stub}")).unwrap_or_default();
        format!("{}{stub}", self.life)
    }

    /// Whether a release has it and heeds it.
    pub(crate) fn verdict(&self, at: &At) -> Verdict {
        let decision = self.life.has(at);
        if self.stub.is_some() { decision.of_stub() } else { decision }.verdict
    }
}
