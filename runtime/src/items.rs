//! The item table: every operation, parameter, field, enumeration and value, with its versions.

mod text;

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use fedispec_since::StableVersion;

use crate::{Kind, LeftOut, Life, Operation, Version};

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Item {
    kind: Kind,
    inherited: bool,
    id: &'static str,
    name: &'static str,
    lives: &'static [Life],
    left_out: &'static LeftOut,
}

impl Item {
    /// What it is.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether its entity takes it over from another.
    pub const fn is_inherited(&self) -> bool {
        self.inherited
    }

    /// Its identity: `accounts.lookup.acct`.
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// Its spelling on the wire; empty for an operation.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What leaving it out does, for a parameter.
    pub const fn when_left_out(&self) -> &'static LeftOut {
        self.left_out
    }

    /// Its lives, in the order of the table's programs.
    pub const fn lives(&self) -> &'static [Life] {
        self.lives
    }
}

/// A stable release of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    version: StableVersion,
    date: &'static str,
    api: Option<u32>,
}

impl Release {
    /// A release.
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Self { version: StableVersion(major, minor, patch), date: "", api: None }
    }

    /// The day of it, like `2024-10-08`.
    #[must_use]
    pub const fn date(mut self, date: &'static str) -> Self {
        self.date = date;
        self
    }

    /// The number of the API that it publishes.
    #[must_use]
    pub const fn api(mut self, number: u32) -> Self {
        self.api = Some(number);
        self
    }

    /// Its version.
    pub const fn version(&self) -> Version {
        self.version.version()
    }

    /// Its version as the rule of lives compares it.
    pub(crate) const fn stable(&self) -> StableVersion {
        self.version
    }

    /// The day it came out, where known.
    pub const fn day(&self) -> Option<&'static str> {
        if self.date.is_empty() { None } else { Some(self.date) }
    }

    /// The number of the API that it publishes.
    pub const fn api_number(&self) -> Option<u32> {
        self.api
    }
}

/// A server program of the table.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    key: &'static str,
    name: &'static str,
    letter: &'static str,
    nodeinfo: &'static [&'static str],
    releases: &'static [Release],
    looked_at: Option<StableVersion>,
    floor: Option<StableVersion>,
}

impl Program {
    /// A program: its key in the catalogue and its name.
    pub const fn new(key: &'static str, name: &'static str) -> Self {
        Self { key, name, letter: "", nodeinfo: &[], releases: &[], looked_at: None, floor: None }
    }

    /// The letter that the documents call it by.
    #[must_use]
    pub const fn letter(mut self, letter: &'static str) -> Self {
        self.letter = letter;
        self
    }

    /// The names it has in node info.
    #[must_use]
    pub const fn nodeinfo(mut self, names: &'static [&'static str]) -> Self {
        self.nodeinfo = names;
        self
    }

    /// Its stable releases, oldest first.
    #[must_use]
    pub const fn releases(mut self, releases: &'static [Release]) -> Self {
        self.releases = releases;
        self
    }

    /// The newest release that the catalogue's facts were looked up in; where it is not said, that is the last of the releases.
    #[must_use]
    pub const fn looked_at(mut self, major: u16, minor: u16, patch: u16) -> Self {
        self.looked_at = Some(StableVersion(major, minor, patch));
        self
    }

    /// The oldest release that the entities' types are made for.
    #[must_use]
    pub const fn floor(mut self, major: u16, minor: u16, patch: u16) -> Self {
        self.floor = Some(StableVersion(major, minor, patch));
        self
    }

    /// `gotosocial`
    pub const fn key(&self) -> &'static str {
        self.key
    }

    /// `GoToSocial`
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The letter that the documents call it by, where they do.
    pub const fn document_letter(&self) -> Option<&'static str> {
        if self.letter.is_empty() { None } else { Some(self.letter) }
    }

    /// The names it has in node info.
    pub const fn nodeinfo_names(&self) -> &'static [&'static str] {
        self.nodeinfo
    }

    /// Its stable releases, oldest first.
    pub const fn known_releases(&self) -> &'static [Release] {
        self.releases
    }

    /// The newest release that the catalogue's facts were looked up in. What a later one has, nobody says: an item that this program
    /// never had is Unknown there.
    pub fn newest_looked_at(&self) -> Option<StableVersion> {
        self.looked_at.or(self.releases.last().map(Release::stable))
    }

    /// The oldest release that the entities' types are made for, where the program counts for them. What an older one answers
    /// may not decode.
    pub const fn oldest_supported(&self) -> Option<Version> {
        match self.floor {
            Some(floor) => Some(floor.version()),
            None => None,
        }
    }

    /// The first release that is registered and was not looked at.
    pub(crate) fn first_not_looked_at(&self) -> Option<StableVersion> {
        let looked_at = self.newest_looked_at();
        let mut releases = self.releases.iter().map(Release::stable);
        releases.find(|release| Some(*release) > looked_at)
    }
}

/// The item table: programs, and a row for each item, sorted by id.
///
/// Its rows are written as text, because thousands of constants would take a compiler a third of a second in every build. A row is a line with the
/// kind, the id and a [`Life`] for each program of the table; indented lines below it say what else is known.
///
/// ```
/// use fedispec_runtime::{ItemTable, Program};
///
/// static PROGRAMS: &[Program] = &[
///     Program::new("mastodon", "Mastodon"),
///     Program::new("gotosocial", "GoToSocial"),
/// ];
/// static TABLE: ItemTable = ItemTable::new(
///     PROGRAMS,
///     r#"
/// operation statuses.create: 0.9.0, 0.1.0
/// param statuses.create.scheduled_at: 2.7.0, 0.17.0 works 0.18.0
///   changes_meaning the status is posted at once
///   refused gotosocial 501 0.17.0 removed 0.18.0
/// param statuses.create.visibility: 0.9.0, 0.1.0
///   changes_meaning the account's default decides who sees it
///   safe mastodon "public"
///   any gotosocial
/// "#,
/// );
///
/// let row = TABLE.get("statuses.create.scheduled_at").unwrap();
/// assert_eq!(row.name(), "scheduled_at");
/// assert_eq!(row.when_left_out().so, "the status is posted at once");
/// ```
///
/// | Line below a row | What it says |
/// |---|---|
/// | `wire NAME` | the spelling on the wire, where it is not the last word of the id |
/// | `harmless`, `changes_meaning SO`, `fails SO` | what leaving the parameter out does |
/// | `unset keep`, `unset reset` | what an update does to a parameter that is not set |
/// | `safe PROGRAM VALUE`, `any PROGRAM` | a value that means the same as none, or that every value does |
/// | `refused PROGRAM STATUS LIFE` | the releases that refuse it |
/// | `inferred PROGRAM` | nobody has read its versions from a source or a recording |
///
/// Texts may be JSON strings. A row or a line that this version of the crate does not know is skipped; the table knows nothing of it.
pub struct ItemTable {
    programs: &'static [Program],
    text: &'static str,
    rows: OnceLock<Vec<Item>>,
    /// The rows of operations and of their parameters, by the operation's id and the parameter's name on the wire; an
    /// operation's own name is empty.
    calls: OnceLock<HashMap<(&'static str, &'static str), usize>>,
}

impl ItemTable {
    /// A table of programs and of rows, which are read when they are first asked for.
    pub const fn new(programs: &'static [Program], rows: &'static str) -> Self {
        Self { programs, text: rows, rows: OnceLock::new(), calls: OnceLock::new() }
    }

    /// The programs, in the order of each row's lives.
    pub const fn programs(&self) -> &'static [Program] {
        self.programs
    }

    /// A program and its place in each row's lives.
    pub fn program(&self, key: &str) -> Option<(usize, &'static Program)> {
        self.programs.iter().enumerate().find(|(_, program)| program.key == key)
    }

    /// All rows, sorted by id: what belongs to an item follows it.
    pub fn rows(&self) -> &[Item] {
        self.rows.get_or_init(|| text::read(self.text, self.programs))
    }

    /// The row of an id.
    pub fn get(&self, id: &str) -> Option<&Item> {
        let found = self.rows().binary_search_by(|row| row.id.cmp(id));
        found.ok().and_then(|at| self.rows().get(at))
    }

    /// The rows below an id: the parameters of an operation, the fields of an entity, the values of an enumeration.
    pub fn below(&self, id: &str) -> std::slice::Iter<'_, Item> {
        let rows = self.rows().get(self.places_below(id));
        rows.unwrap_or_default().iter()
    }

    fn places_below(&self, id: &str) -> std::ops::Range<usize> {
        let prefix = || id.bytes().chain(std::iter::once(b'.'));
        let rows = self.rows();
        let start = rows.partition_point(|row| row.id.bytes().lt(prefix()));
        let is_below = |row: &Item| {
            let rest = row.id.strip_prefix(id);
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        let rows = rows.get(start..).unwrap_or_default();
        start..start + rows.partition_point(is_below)
    }

    /// The row of an operation.
    pub fn operation(&self, operation: &Operation) -> Option<&Item> {
        self.get(operation.id)
    }

    /// The row of an operation's parameter, by its place in [`Operation::params`].
    pub fn param(&self, operation: &Operation, place: usize) -> Option<&Item> {
        self.rows().get(self.param_row(operation, place)?)
    }

    pub(crate) fn operation_row(&self, operation: &Operation) -> Option<usize> {
        self.calls().get(&(operation.id, "")).copied()
    }

    pub(crate) fn param_row(&self, operation: &Operation, place: usize) -> Option<usize> {
        let param = operation.params.get(place)?;
        self.calls().get(&(operation.id, param.wire)).copied()
    }

    fn calls(&self) -> &HashMap<(&'static str, &'static str), usize> {
        self.calls.get_or_init(|| {
            let mut calls = HashMap::new();
            for (row, item) in self.rows().iter().enumerate() {
                if item.kind != Kind::Operation {
                    continue;
                }
                calls.insert((item.id, ""), row);
                let below = self.places_below(item.id).zip(self.below(item.id));
                let params = below.filter(|(_, item)| item.kind == Kind::Param);
                calls.extend(params.map(|(row, param)| ((item.id, param.name), row)));
            }
            calls
        })
    }
}

impl fmt::Debug for ItemTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ItemTable").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static PROGRAMS: &[Program] = &[
        Program::new("mastodon", "Mastodon")
            .releases(&[Release::new(4, 3, 0).date("2024-10-08").api(2)]),
        Program::new("gotosocial", "GoToSocial").letter("B"),
    ];
    static ITEMS: ItemTable = ItemTable::new(
        PROGRAMS,
        r"
field Account.id: 0.1.0, unknown
field Account.source: 2.4.0, never
field Account.source.note: 1.5.0 effective 2.4.0, unknown effective never
inherited AccountWarning.id: 2.3.0, unknown
operation a.get: 1.0.0 removed 4.0.0 absent 2.4.0..3.3.0, unknown
",
    );

    #[test]
    fn finds_rows_by_id() {
        for row in ITEMS.rows() {
            assert_eq!(ITEMS.get(row.id()).map(Item::id), Some(row.id()));
        }
        for absent in ["", "Account", "Account.idx", "a", "zzz", "Account.i"] {
            assert!(ITEMS.get(absent).is_none(), "{absent}");
        }
    }

    #[test]
    fn rows_and_programs_tell_what_they_were_made_of() {
        let inherited = |row: &Item| row.is_inherited().then_some(row.id());
        let inherited: Vec<_> = ITEMS.rows().iter().filter_map(inherited).collect();
        assert_eq!(inherited, ["AccountWarning.id"]);
        let [mastodon, gotosocial] = PROGRAMS else {
            unreachable!("there are two");
        };
        assert_eq!((mastodon.name(), gotosocial.name()), ("Mastodon", "GoToSocial"));
        let letters = [mastodon, gotosocial].map(Program::document_letter);
        assert_eq!(letters, [None, Some("B")]);
        let [release] = mastodon.known_releases() else {
            unreachable!("there is one");
        };
        assert_eq!((release.day(), release.api_number()), (Some("2024-10-08"), Some(2)));
        assert_eq!(Release::new(4, 3, 1).day(), None);
    }

    #[test]
    fn finds_what_is_below() {
        let ids = |id| ITEMS.below(id).map(Item::id).collect::<Vec<_>>();
        assert_eq!(ids("Account"), ["Account.id", "Account.source", "Account.source.note"]);
        assert_eq!(ids("Account.source"), ["Account.source.note"]);
        assert_eq!(ids("Accoun"), Vec::<&str>::new());
        assert_eq!(ids("zzz"), Vec::<&str>::new());
    }
}
