//! The item table: every operation, parameter, field, enumeration and value, with its versions.

mod feature;
mod read;

use std::collections::HashMap;
use std::sync::OnceLock;

use fedispec_since::row::{ProgramRow, Row};
#[cfg(feature = "server")]
use fedispec_since::{Bounds, PageSize, Paging};
use fedispec_since::{FixedError, LeftOut, Refused, SafeValues, StableVersion, Stretch};

use crate::{Auth, Effect, Kind, Life, Operation, TokenKind, Unset, Version};

pub use feature::Feature;

/// A row of the table: an item, and what each program says of it, by the program's place in the table.
#[derive(Debug, Clone)]
pub struct Item {
    id: String,
    row: Row,
    programs: Vec<ProgramRow>,
}

impl Item {
    /// Its kind.
    pub const fn kind(&self) -> Kind {
        self.row.kind
    }

    /// Whether its entity takes it over from another.
    pub const fn is_inherited(&self) -> bool {
        self.row.inherited
    }

    /// Its identity: `accounts.lookup.acct`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its spelling on the wire; empty for an operation.
    pub fn name(&self) -> &str {
        match (&self.row.wire, self.row.kind) {
            (_, Kind::Operation) => "",
            (Some(wire), _) => wire,
            (None, _) => self.id.rsplit('.').next().unwrap_or(&self.id),
        }
    }

    /// The effect of leaving a parameter out, in all programs together; `None` where the catalogue does not say.
    pub const fn left_out(&self) -> Option<&LeftOut> {
        self.row.left_out.as_ref()
    }

    /// The effect of leaving a parameter out in a release of a program, or else in its newest one. Of a program of which nobody has said
    /// it, a parameter without which others would do something else is taken to be one here too.
    pub fn left_out_in(&self, program: usize, release: Option<Version>) -> Option<&LeftOut> {
        let own = &self.programs.get(program)?.left_out;
        let state = match release {
            Some(release) => newest(own, release, |state| state.since),
            None => own.last(),
        };
        state.map(|state| &state.is)
    }

    /// The authorization of an operation in a release of a program; `None` where nothing is stated for the program alone.
    fn auth(&'static self, program: usize, release: Version) -> Option<Auth> {
        let states = &self.programs.get(program)?.auth;
        let state = newest(states, release.release(), |state| state.since);
        let state = &state.or(states.first())?.is;
        let auth = Auth::new(state.token, &state.scopes).with_permissions(&state.permissions);
        let auth = if state.all { auth.all() } else { auth };
        Some(state.unauthenticated.map_or(auth, |status| auth.unauthenticated(status)))
    }

    /// The severity of leaving a parameter out, in all programs together; `None` where the catalogue does not say.
    pub fn effect(&self) -> Option<Effect> {
        Some(self.left_out()?.effect)
    }

    /// The effect of leaving a parameter out, as a clause: `the status is posted at once`. Empty where nothing is lost.
    pub fn so(&self) -> &str {
        self.left_out().and_then(|left_out| left_out.so.as_deref()).unwrap_or_default()
    }

    /// The enumeration whose values a parameter takes.
    pub fn values(&self) -> Option<&str> {
        self.row.values.as_deref()
    }

    /// The enumeration of the operators that the text of a parameter may hold.
    pub fn words(&self) -> Option<&str> {
        self.row.words.as_deref()
    }

    /// The effect of an update that does not set a parameter.
    pub const fn unset(&self) -> Option<Unset> {
        self.row.unset
    }

    /// Its lives, in the order of the table's programs.
    pub fn lives(&self) -> impl ExactSizeIterator<Item = &Life> {
        self.programs.iter().map(|program| &program.life)
    }

    /// Its life in a program.
    pub fn life(&self, program: usize) -> Option<&Life> {
        self.programs.get(program).map(|program| &program.life)
    }

    /// The values of a parameter that mean the same as none to the newest release of a program.
    pub fn safe_values(&self, program: usize) -> Option<&SafeValues> {
        let safe = &self.left_out_in(program, None)?.safe;
        (!safe.is_empty()).then_some(safe)
    }

    /// The releases of a program that refuse a parameter.
    pub fn refused(&self, program: usize) -> Option<&Refused> {
        self.programs.get(program)?.refused.as_ref()
    }

    /// The answers of a program to a request without a parameter, each of other releases.
    pub fn missing(&self, program: usize) -> &[FixedError] {
        self.programs.get(program).map_or(&[], |program| &program.missing.0)
    }

    /// The releases of a program that demand a parameter, where no constructor does.
    pub fn demanded(&self, program: usize) -> &[Stretch] {
        self.programs.get(program).map_or(&[], |program| &program.demanded)
    }

    /// The releases of a program that do not demand a parameter, where constructors do.
    pub fn spared(&self, program: usize) -> &[Stretch] {
        self.programs.get(program).map_or(&[], |program| &program.spared)
    }

    /// The releases of a program of which an edit resets a parameter that it does not set.
    pub fn resets(&self, program: usize) -> &[Stretch] {
        self.programs.get(program).map_or(&[], |program| &program.resets)
    }

    /// Whether an operation is a stub in a program until it works: it answers, and its list is always empty.
    pub fn is_stub(&self, program: usize) -> bool {
        self.programs.get(program).is_some_and(|program| program.stub)
    }

    /// The statuses of an operation's success in a release of a program, where others have others too.
    #[cfg(feature = "server")]
    pub(crate) fn success(&self, program: usize, release: StableVersion) -> Option<&[u16]> {
        let states = &self.programs.get(program)?.success;
        let state = newest(states, release.version(), |state| state.since)?;
        Some(&state.is)
    }

    /// Whether a release of a program answers a list as a whole that others cut into pages.
    #[cfg(feature = "server")]
    pub(crate) fn is_whole(&self, program: usize, release: StableVersion) -> bool {
        let states = self.programs.get(program).map_or(&[][..], |program| &program.paging);
        let state = newest(states, release.version(), |state| state.since);
        state.is_some_and(|state| state.is == Paging::None)
    }

    /// The words of an operation's errors in a program.
    #[cfg(feature = "server")]
    pub(crate) fn errors(&self, program: usize) -> &[FixedError] {
        self.programs.get(program).map_or(&[], |program| &program.errors)
    }

    /// The size of the pages that a parameter asks for, in a release of a program.
    #[cfg(feature = "server")]
    pub(crate) fn page_size(&self, program: usize, release: StableVersion) -> Option<PageSize> {
        newest(&self.programs.get(program)?.pages, release.version(), |size| size.since).copied()
    }

    /// The bounds of a parameter's value in a release of a program.
    #[cfg(feature = "server")]
    pub(crate) fn bounds(&self, program: usize, release: StableVersion) -> Option<Bounds> {
        let bounds = &self.programs.get(program)?.bounds;
        newest(bounds, release.version(), |state| state.since).map(|state| state.is)
    }
}

/// The last of several states, from the oldest to the newest, that a release has reached.
fn newest<T>(
    states: &[T],
    release: Version,
    since: impl Fn(&T) -> Option<StableVersion>,
) -> Option<&T> {
    states.iter().rfind(|state| since(state).is_none_or(|since| since.version() <= release))
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

    setters! {
        const;
        /// The day of it, like `2024-10-08`.
        date(date: &'static str) => date = date;

        /// The number of the API that it publishes.
        api(number: u32) => api = Some(number);
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
    nodeinfo: &'static [&'static str],
    releases: &'static [Release],
    looked_at: Option<StableVersion>,
    floor: Option<StableVersion>,
    apart: bool,
}

impl Program {
    /// A program: its key in the catalogue and its name.
    pub const fn new(key: &'static str, name: &'static str) -> Self {
        Self { key, name, nodeinfo: &[], releases: &[], looked_at: None, floor: None, apart: false }
    }

    setters! {
        const;
        /// The names it has in node info.
        nodeinfo(names: &'static [&'static str]) => nodeinfo = names;

        /// Its stable releases, oldest first.
        releases(releases: &'static [Release]) => releases = releases;

        /// The newest release that the catalogue's facts were looked up in; where it is not said, that is the last of the releases.
        looked_at(major: u16, minor: u16, patch: u16) => looked_at = Some(StableVersion(major, minor, patch));

        /// The oldest release that the entities' types are made for.
        floor(major: u16, minor: u16, patch: u16) => floor = Some(StableVersion(major, minor, patch));
    }

    /// Marks a program for which the facts of all programs together, in rows and in types, do not hold.
    #[must_use]
    pub const fn apart(mut self) -> Self {
        self.apart = true;
        self
    }

    /// Whether it stands apart.
    pub(crate) const fn is_apart(&self) -> bool {
        self.apart
    }

    /// `gotosocial`
    pub const fn key(&self) -> &'static str {
        self.key
    }

    /// `GoToSocial`
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The names it has in node info.
    pub const fn nodeinfo_names(&self) -> &'static [&'static str] {
        self.nodeinfo
    }

    /// Its stable releases, oldest first.
    pub const fn known_releases(&self) -> &'static [Release] {
        self.releases
    }

    /// The known release that one counts as: itself, or else the newest known one before it in its line.
    pub fn counts_as(&self, release: StableVersion) -> Option<&'static Release> {
        let known = release.counts_as(self.releases.iter().map(Release::stable))?;
        self.releases.iter().find(|release| release.version == known)
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

    /// Its newest release up to a day that was looked at. One of no known day counts as old.
    pub(crate) fn looked_at_by(&self, day: &str) -> Option<StableVersion> {
        let mut releases = self.releases.iter().rev();
        let then = releases.find(|release| release.date <= day)?;
        Some(self.newest_looked_at()?.min(then.version))
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
/// Its rows are JSON, because thousands of constants would take a compiler a third of a second in every build: what holds of each item
/// everywhere, and a block for each program ([`fedispec_since::row`] has their types). They are read when they are first asked for.
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
///     r#"{"form": 3, "items": {
///         "statuses.create": "operation",
///         "statuses.create.scheduled_at": {
///             "kind": "param",
///             "left_out": {"effect": "changes_meaning", "so": "the status is posted at once"}
///         }
///     }}"#,
///     &[
///         r#"{"otherwise": "never", "items": {"statuses.create": "0.9.0", "statuses.create.scheduled_at": "2.7.0"}}"#,
///         r#"{"otherwise": "never", "items": {
///             "statuses.create": "0.1.0",
///             "statuses.create.scheduled_at": {
///                 "life": "0.17.0 works 0.18.0",
///                 "refused": {"since": "0.17.0", "until": "0.18.0", "status": 501}
///             }
///         }}"#,
///     ],
/// );
///
/// TABLE.check().unwrap();
/// let row = TABLE.get("statuses.create.scheduled_at").unwrap();
/// assert_eq!(row.name(), "scheduled_at");
/// assert_eq!(row.so(), "the status is posted at once");
/// ```
pub struct ItemTable {
    programs: &'static [Program],
    rows: &'static str,
    of_programs: &'static [&'static str],
    read: OnceLock<Result<Read, TableError>>,
}

/// The rows of a table, and where those of each operation are.
struct Read {
    items: Vec<Item>,
    calls: HashMap<String, Call>,
}

/// The rows of an operation and of its parameters, by their names on the wire.
struct Call {
    row: usize,
    params: HashMap<String, usize>,
}

/// A table that cannot be read: it is damaged, or it was written for another version of this crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableError(String);

sentence!(TableError, own => "the item table cannot be read: {}", own.0);

impl ItemTable {
    /// A table of programs and of rows: those of all items, and those of each program.
    pub const fn new(
        programs: &'static [Program],
        rows: &'static str,
        of_programs: &'static [&'static str],
    ) -> Self {
        Self { programs, rows, of_programs, read: OnceLock::new() }
    }

    /// A table of programs of whose items nothing is said.
    pub const fn empty(programs: &'static [Program]) -> Self {
        Self::new(programs, r#"{"form": 3, "items": {}}"#, &[])
    }

    /// Reads the table where that has not been done.
    ///
    /// # Errors
    ///
    /// Where it is damaged, or was written for another version of this crate.
    pub fn check(&self) -> Result<(), TableError> {
        self.read().as_ref().map(drop).map_err(Clone::clone)
    }

    fn read(&self) -> &Result<Read, TableError> {
        self.read.get_or_init(|| read::read(self.programs, self.rows, self.of_programs))
    }

    #[allow(
        clippy::panic,
        reason = "a damaged table is a mistake in the program that was compiled with it"
    )]
    fn sound(&self) -> &Read {
        match self.read() {
            Ok(read) => read,
            Err(error) => panic!("{error}"),
        }
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
    ///
    /// # Panics
    ///
    /// Where the table cannot be read, as [`check`](Self::check) tells.
    pub fn rows(&self) -> &[Item] {
        &self.sound().items
    }

    /// The row of an id.
    pub fn get(&self, id: &str) -> Option<&Item> {
        let found = self.rows().binary_search_by(|row| row.id.as_str().cmp(id));
        found.ok().and_then(|at| self.rows().get(at))
    }

    /// The rows below an id: the parameters of an operation, the fields of an entity, the values of an enumeration.
    pub fn below(&self, id: &str) -> std::slice::Iter<'_, Item> {
        let prefix = || id.bytes().chain(std::iter::once(b'.'));
        let rows = self.rows();
        let start = rows.partition_point(|row| row.id.bytes().lt(prefix()));
        let rows = rows.get(start..).unwrap_or_default();
        let end = rows.partition_point(|row| row.id.bytes().take(id.len() + 1).eq(prefix()));
        rows.get(..end).unwrap_or_default().iter()
    }

    /// The day two years before the newest release of any program; empty where no day is known.
    pub(crate) fn two_years_ago(&self) -> String {
        let releases = self.programs.iter().flat_map(|program| program.releases);
        let newest = releases.map(|release| release.date).max().unwrap_or_default();
        let then = newest.split_once('-').and_then(|(year, day)| {
            Some(format!("{:04}-{day}", year.parse::<u32>().ok()?.checked_sub(2)?))
        });
        then.unwrap_or_default()
    }

    /// The token and the scopes that a release of a program asks for an operation; `None` where the catalogue does not say.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # use rt::{Auth, ItemTable, Method, Operation, Program, TokenKind, Unset, Version};
    /// # static GET: Operation = Operation::new("accounts.get", Method::Get, "/api/v1/accounts/:id")
    /// #     .auth(Auth::new(TokenKind::Optional, "read:accounts"));
    /// # static PROGRAMS: &[Program] = &[Program::new("gotosocial", "GoToSocial")];
    /// # static ITEMS: ItemTable = ItemTable::new(
    /// #     PROGRAMS,
    /// #     r#"{"form": 3, "items": {"accounts.get": "operation"}}"#,
    /// #     &[r#"{"otherwise": "never", "items": {"accounts.get": {"life": "0.1.0", "auth": [
    /// #         {"is": {"token": "user"}},
    /// #         {"since": "0.19.0", "is": {"token": "user", "scopes": "read:accounts"}}
    /// #     ]}}}"#],
    /// # );
    /// let asked = |release| ITEMS.auth(&GET, "gotosocial", release).unwrap().to_string();
    /// assert_eq!(asked(Version::new(0, 18, 3)), "a user's token");
    /// assert_eq!(asked(Version::new(0, 19, 2)), "a user's token with read:accounts");
    /// ```
    pub fn auth(
        &'static self,
        operation: &Operation,
        program: &str,
        release: Version,
    ) -> Option<Auth> {
        let program = self.program(program);
        let stated = program.and_then(|(place, _)| self.get(operation.id)?.auth(place, release));
        let is_apart = program.is_some_and(|(_, program)| program.apart);
        let asked = stated.or((!is_apart).then_some(operation.auth))?;
        (asked.token != TokenKind::Unknown).then_some(asked)
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
        self.sound().calls.get(operation.id).map(|call| call.row)
    }

    pub(crate) fn param_row(&self, operation: &Operation, place: usize) -> Option<usize> {
        let param = operation.params.get(place)?;
        self.sound().calls.get(operation.id)?.params.get(param.wire).copied()
    }
}

shown!(ItemTable, _own =>);

#[cfg(test)]
mod tests {
    use super::*;

    static PROGRAMS: &[Program] = &[
        Program::new("mastodon", "Mastodon")
            .releases(&[Release::new(4, 3, 0).date("2024-10-08").api(2)]),
        Program::new("gotosocial", "GoToSocial"),
    ];
    static ITEMS: ItemTable = ItemTable::new(
        PROGRAMS,
        r#"{"form": 3, "items": {
    "Account.id": "field",
    "Account.source": "field",
    "Account.source.note": "field",
    "AccountWarning.id": {"kind": "field", "inherited": true},
    "a.get": "operation"
}}"#,
        &[
            r#"{"otherwise": "never", "items": {
    "Account.id": "0.1.0",
    "Account.source": "2.4.0",
    "Account.source.note": "1.5.0 effective 2.4.0",
    "AccountWarning.id": "2.3.0",
    "a.get": "1.0.0 removed 4.0.0 absent 2.4.0..3.3.0"
}}"#,
            r#"{"otherwise": "never", "items": {
    "Account.id": "unknown",
    "Account.source.note": "unknown effective never",
    "AccountWarning.id": "unknown",
    "a.get": "unknown"
}}"#,
        ],
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
        let inherited = ITEMS.rows().iter().filter(|row| row.is_inherited());
        let inherited: Vec<_> = inherited.map(Item::id).collect();
        assert_eq!(inherited, ["AccountWarning.id"]);
        let [mastodon, gotosocial] = PROGRAMS else {
            unreachable!("there are two");
        };
        assert_eq!((mastodon.name(), gotosocial.name()), ("Mastodon", "GoToSocial"));
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
