//! The context of the rules: both states with their indexes. Every change is constructed here.

use std::collections::{BTreeMap, HashMap};

use super::change::{Cause, Change, Direction, ItemRef, Place, Proof};
use super::index::{Index, IndexedItem};
use super::reach::Reach;
use super::rules::RuleId;
use fedispec_model::api::{At, Evidence, Life, Program, Since, Type};
use fedispec_model::floors::Floors;
use fedispec_since::StableVersion;

/// A program, in either state or both.
pub(super) struct ProgramPair<'a> {
    pub(super) key: &'a str,
    /// Its column in the old state.
    pub(super) old: Option<usize>,
    /// Its column in the new one.
    pub(super) new: Option<usize>,
    /// The program in the old state and in the new one.
    pub(super) programs: [Option<&'a Program>; 2],
    /// The newest release that was looked at in the old state. Changes of newer releases are evolution, not corrections.
    pub(super) newest: StableVersion,
    /// The releases that the new state knows.
    pub(super) releases: Vec<StableVersion>,
    /// The releases that the old state knew.
    pub(super) old_releases: Vec<StableVersion>,
    /// Versions at or below are frozen.
    pub(super) freeze: Option<StableVersion>,
}

impl<'a> ProgramPair<'a> {
    /// The place of a release among what was looked at, in the old state and in the new one.
    pub(super) fn places(&self, release: StableVersion) -> [fedispec_since::At; 2] {
        let somewhere = || fedispec_since::At::new(&release.version());
        self.programs
            .map(|program| program.map_or_else(somewhere, |program| program.place(release)))
    }

    /// The key of the program that it is a fork of.
    pub(super) fn base(&self) -> Option<&'a str> {
        self.programs[1]?.based_on.as_deref()
    }

    /// The life of a node of the old state in the program.
    pub(super) fn old_life<'l>(&self, life: &'l [Life]) -> Option<&'l Life> {
        self.old.and_then(|at| life.get(at))
    }

    /// The life of a node of the new state in the program.
    pub(super) fn new_life<'l>(&self, life: &'l [Life]) -> Option<&'l Life> {
        self.new.and_then(|at| life.get(at))
    }
}

/// Both states.
pub(super) struct Context<'a> {
    pub(super) old: Index<'a>,
    pub(super) new: Index<'a>,
    pub(super) programs: Vec<ProgramPair<'a>>,
    pub(super) old_floors: Floors,
    pub(super) new_floors: Floors,
    /// The present names of entities and enumerations, by their former ones.
    renamed: HashMap<&'a str, &'a str>,
    reach: Reach<'a>,
}

/// The options of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Floors of the old state by program; the catalogue's where none is named.
    pub old_floors: BTreeMap<String, StableVersion>,
    /// Floors of the new state by program.
    pub new_floors: BTreeMap<String, StableVersion>,
    /// By program, the release up to which versions are frozen.
    pub freeze: BTreeMap<String, StableVersion>,
}

impl<'a> Context<'a> {
    pub(super) fn new(
        old: Index<'a>,
        new: Index<'a>,
        renamed: HashMap<&'a str, &'a str>,
        options: &Options,
    ) -> Self {
        let place = |index: &Index<'_>, key: &str| index.api.column(key);
        let mut keys: Vec<&'a str> =
            new.api.programs.iter().map(|program| program.key.as_str()).collect();
        let gone = old.api.programs.iter().map(|program| program.key.as_str());
        keys.extend(gone.filter(|key| place(&new, key).is_none()));
        let programs = keys.into_iter().map(|key| {
            let programs = [old.api, new.api].map(|api| api.program(key));
            let releases = |program: Option<&Program>| {
                let releases = program.into_iter().flat_map(|program| &program.releases);
                releases.map(|release| release.version).collect()
            };
            ProgramPair {
                key,
                old: place(&old, key),
                new: place(&new, key),
                programs,
                newest: programs[0].and_then(Program::newest_looked_at).unwrap_or_default(),
                old_releases: releases(programs[0]),
                releases: releases(programs[1]),
                freeze: options.freeze.get(key).copied(),
            }
        });
        let programs: Vec<_> = programs.collect();
        Self {
            programs,
            old_floors: Floors::new(old.api, &options.old_floors),
            new_floors: Floors::new(new.api, &options.new_floors),
            renamed,
            reach: Reach::default(),
            old,
            new,
        }
    }

    /// The program that another is a fork of.
    pub(super) fn base(&self, program: &ProgramPair<'_>) -> Option<&ProgramPair<'a>> {
        let key = program.base()?;
        self.programs.iter().find(|one| one.key == key)
    }

    /// An old type in the names of the new state.
    pub(super) fn translated(&self, r#type: &Type) -> Type {
        let now = |id: &String| self.now(id);
        match r#type {
            Type::Entity(id) => Type::Entity(now(id)),
            Type::Enum(id) => Type::Enum(now(id)),
            Type::Id(Some(id)) => Type::Id(Some(now(id))),
            Type::List(inner) => Type::List(Box::new(self.translated(inner))),
            Type::Map(inner) => Type::Map(Box::new(self.translated(inner))),
            Type::OneOf(types) => {
                Type::OneOf(types.iter().map(|inner| self.translated(inner)).collect())
            }
            plain => plain.clone(),
        }
    }

    /// An id of the old state by the name that its entity or enumeration has in the new one.
    pub(super) fn now(&self, id: &str) -> String {
        if let Some(now) = self.renamed.get(id) {
            return (*now).to_owned();
        }
        let (first, rest) = id.split_at(id.find('.').unwrap_or(id.len()));
        self.renamed.get(first).map_or_else(|| id.to_owned(), |now| format!("{now}{rest}"))
    }

    /// A change of an item, whole: what it was and is, and what else a rule knows, is given with `..` of this.
    pub(super) fn change(
        &self,
        rule: RuleId,
        cause: Cause,
        message: String,
        old: Option<IndexedItem<'a>>,
        new: Option<IndexedItem<'a>>,
    ) -> Change {
        // A removed item is shown at its former owner.
        let owner = old.and_then(IndexedItem::owner);
        let shown = new.or_else(|| owner.and_then(|owner| self.new.get(owner)));
        let evidence = new.and_then(|node| node.item().evidence.as_ref());
        Change {
            seen_at: self.seen_at(old, new),
            evidence: evidence.map(proof).into_iter().collect(),
            base_at: self.old_place(old.map(|node| node.item().at)),
            head_at: self.new_place(shown.map(|node| node.item().at)),
            ..self.change_of(rule, cause, message, self.reference(old, new))
        }
    }

    /// The paths in generated Rust at which an item is seen in either state.
    pub(super) fn seen_at(
        &self,
        old: Option<IndexedItem<'a>>,
        new: Option<IndexedItem<'a>>,
    ) -> Vec<String> {
        let mut paths = old.map_or_else(Vec::new, |node| self.old.rust_paths(node));
        paths.extend(new.map_or_else(Vec::new, |node| self.new.rust_paths(node)));
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    /// The item as the newer state has it, or as the older one had it.
    fn reference(&self, old: Option<IndexedItem<'a>>, new: Option<IndexedItem<'a>>) -> ItemRef {
        match (old, new) {
            (Some(old), Some(new)) => {
                let reference = self.new.reference(new);
                let was = Some(self.old.rust_path(old));
                ItemRef {
                    rust_was: was.filter(|was| reference.rust.as_ref() != Some(was)),
                    ..reference
                }
            }
            (None, Some(new)) => self.new.reference(new),
            (Some(old), None) => self.old.reference(old),
            (None, None) => ItemRef::default(),
        }
    }

    /// Describes a change of something other than an item: a group, a program, an order.
    pub(super) fn other(
        &self,
        rule: RuleId,
        cause: Cause,
        message: String,
        (kind, id): (&str, &str),
    ) -> Change {
        let item = ItemRef { id: id.to_owned(), kind: kind.to_owned(), ..ItemRef::default() };
        self.change_of(rule, cause, message, item)
    }

    /// A change with all that its rule says, and the operations that it reaches.
    pub(super) fn change_of(
        &self,
        rule: RuleId,
        cause: Cause,
        message: String,
        item: ItemRef,
    ) -> Change {
        Change {
            reach: self.reach(&item, None),
            seen_at: seen_at(&item),
            ..Change::new(rule, cause, message, item)
        }
    }

    /// The operations that answer or take an item, or do one of both.
    pub(super) fn reach(&self, item: &ItemRef, direction: Option<Direction>) -> Vec<String> {
        self.reach.of(&self.old, &self.new, (item, direction))
    }

    pub(super) fn old_place(&self, at: Option<At>) -> Option<Place> {
        at.and_then(|at| place(&self.old, at))
    }

    pub(super) fn new_place(&self, at: Option<At>) -> Option<Place> {
        at.and_then(|at| place(&self.new, at))
    }
}

/// Where generated Rust shows an item: a field also in the literals of servers.
fn seen_at(item: &ItemRef) -> Vec<String> {
    let path = item.rust.as_deref();
    let member = path.and_then(|path| path.strip_prefix("entities::"));
    let literal = member.map(|member| format!("current::{member}"));
    path.map(str::to_owned).into_iter().chain(literal).collect()
}

fn place(index: &Index<'_>, at: At) -> Option<Place> {
    let file = index.file(at)?;
    (at.1 > 0).then(|| Place { file: file.to_owned(), line: at.1, col: None })
}

/// Converts evidence to its form in the report.
pub(super) fn proof(evidence: &Evidence) -> Proof {
    let mut reference = evidence.source.clone();
    if let Some(at) = &evidence.at {
        reference.push_str(": ");
        reference.push_str(at);
    }
    Proof { class: format!("{:?}", evidence.class), r#ref: reference }
}

impl Context<'_> {
    /// Why an enumeration is used in a direction, where all that uses it there is new.
    pub(super) fn use_cause(&self, of: IndexedItem<'_>, direction: Direction) -> Option<Cause> {
        let id = of.item().id.as_str();
        let names = |node: &&IndexedItem<'_>| {
            let mut all = Vec::new();
            match (node, direction) {
                (IndexedItem::Param(_, param), Direction::Request) => {
                    param.r#type.names(&mut all);
                    all.extend(param.words.as_deref());
                }
                (IndexedItem::Field(_, field), Direction::Response) => {
                    field.r#type.names(&mut all);
                }
                (IndexedItem::Operation(operation), Direction::Response) => {
                    operation.returns.names(&mut all);
                }
                _ => {}
            }
            all.contains(&id)
        };
        let mut cause = None;
        for user in self.new.nodes.iter().filter(names) {
            if self.old.get(user.key()).is_some() {
                return None;
            }
            if cause != Some(Cause::Coverage) {
                cause = Some(self.addition_cause(*user));
            }
        }
        cause
    }

    /// Why a new item is there: a release that the base did not know brought it, or nobody had known of it.
    fn addition_cause(&self, node: IndexedItem<'_>) -> Cause {
        let newer = |pair: &ProgramPair<'_>| match pair.new_life(&node.item().life)?.since {
            Since::Since(version) => Some(version > pair.newest),
            Since::Unknown | Since::Never => None,
        };
        let mut dated = self.programs.iter().filter_map(newer).peekable();
        if dated.peek().is_some() && dated.all(|newer| newer) {
            Cause::Evolution
        } else {
            Cause::Coverage
        }
    }

    /// Why the floor of a program is another: that a release is registered, or a program, puts nothing right.
    pub(super) fn floor_cause(&self, program: &str) -> Cause {
        let Some(pair) = self.programs.iter().find(|pair| pair.key == program) else {
            return Cause::Correction;
        };
        let registered = pair.releases.iter().copied();
        let mut came = registered.filter(|release| !pair.old_releases.contains(release));
        match (pair.old, came.next()) {
            (None, _) => Cause::Coverage,
            (_, Some(release)) if release > pair.newest => Cause::Evolution,
            (_, Some(_)) => Cause::Coverage,
            (_, None) => Cause::Correction,
        }
    }

    /// Why a field crosses the floor of a program although nothing is said of the field itself.
    pub(super) fn crossing_cause(&self, program: Option<&str>) -> Cause {
        let pair = self.programs.iter().find(|pair| Some(pair.key) == program);
        let pair = pair.filter(|pair| self.floor_moved(pair));
        pair.map_or(Cause::Correction, |pair| self.floor_cause(pair.key))
    }

    /// Whether another release of a program is the oldest supported one.
    pub(super) fn floor_moved(&self, pair: &ProgramPair<'_>) -> bool {
        pair.old.and_then(|at| self.old_floors.of(at))
            != pair.new.and_then(|at| self.new_floors.of(at))
    }

    /// Whether what ends in a release of a program is over before the oldest supported one, in both states.
    pub(super) fn is_below_the_floor(&self, pair: &ProgramPair<'_>, end: StableVersion) -> bool {
        let floors = [
            pair.old.and_then(|at| self.old_floors.of(at)),
            pair.new.and_then(|at| self.new_floors.of(at)),
        ];
        floors.iter().all(|floor| floor.is_some_and(|floor| end <= floor))
    }

    /// Whether a field may become an `Option` or cease to be one although its own facts stay.
    pub(super) fn floors_moved(&self) -> bool {
        self.old_floors != self.new_floors
    }
}

/// Whether the life of an item's owner differs, which may change its gate or its `Option`.
pub(super) fn lives_under_change(old: IndexedItem<'_>, new: IndexedItem<'_>) -> bool {
    let (old, new) = (old.container(), new.container());
    match (old, new) {
        (Some(old), Some(new)) => {
            old.len() != new.len()
                || old.iter().zip(new).any(|(old, new)| old.effective != new.effective)
        }
        (old, new) => old.is_some() != new.is_some(),
    }
}
