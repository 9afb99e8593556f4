//! The lines of the YAML files that state a change: the line of the fact rather than of its item.

use std::collections::{HashMap, HashSet};

use crate::diff::report::Side;
use crate::show;
use fedispec_diff::change::{Change, Place, Proof};
use fedispec_diff::rules::{Fact, RuleId};
use fedispec_model::api::{Api, At};
use fedispec_model::rows::rows;
use fedispec_reader::load::Catalogue;
use fedispec_reader::model::Source;
use fedispec_reader::source::FileId;

/// A state, with what its places are found by.
#[derive(Debug)]
pub struct State<'a> {
    /// The state's resolved API.
    pub api: &'a Api,
    /// The catalogue's texts, unless the state was read from the resolved form.
    pub catalogue: Option<&'a Catalogue>,
    /// The state's name, and the folder that its places begin with.
    pub side: &'a Side,
}

/// The places of both states.
pub(super) struct Places<'a> {
    base: Finder<'a>,
    head: Finder<'a>,
}

impl<'a> Places<'a> {
    pub(super) fn new(base: &'a State<'a>, head: &'a State<'a>) -> Self {
        Self { base: Finder::new(base), head: Finder::new(head) }
    }

    /// The change with the line of its fact in both states, where these were read from files.
    pub(super) fn located(&self, change: Change) -> Change {
        let was = self.base.place(&change);
        let is = self.head.place(&change);
        let is = is.or_else(|| self.head.around(was.as_ref()?, &change.item.id));
        let folder = change.implementation.as_ref().map(|program| format!("programs/{program}/"));
        // A place in the program's folder is nearer than that of the item.
        let is_own = |place: &&Place| folder.as_ref().is_some_and(|of| place.file.starts_with(of));
        let nearer = |found: Option<Place>, stated: &Option<Place>| {
            let places = [&found, stated].map(Option::as_ref);
            let own = places.into_iter().flatten().find(is_own).cloned();
            own.or(found).or_else(|| stated.clone())
        };
        let base_at = nearer(was, &change.base_at);
        let left_over = || {
            let base_at = base_at.as_ref()?;
            let list = self.list(&change, base_at);
            list.or_else(|| self.head.left_over(&change, base_at, &self.base))
        };
        let head_at = nearer(is, &change.head_at);
        let is_left = base_at.as_ref().is_some_and(|place| is_own(&place));
        let kept = head_at.clone().filter(|place| !is_left || is_own(&place));
        let head_at = kept.or_else(left_over).or(head_at);
        let own = self.head.proofs(&change);
        let named = || change.evidence.iter().map(|proof| self.named(proof)).collect();
        Change {
            evidence: if own.is_empty() { named() } else { own },
            base_at: base_at.map(|place| self.base.state.in_folder(place)),
            head_at: head_at.map(|place| self.head.state.in_folder(place)),
            ..change
        }
    }

    /// Where the list of a program's items stands now that has lost one: the others of it tell.
    fn list(&self, change: &Change, base: &Place) -> Option<Place> {
        let program = change.implementation.as_deref()?;
        let [was, is] = [&self.base, &self.head].map(|finder| finder.state.stated_of(program));
        let others =
            was.into_iter().filter(|(_, at)| (&at.file, at.line) == (&base.file, base.line));
        let others: HashSet<_> = others.map(|(id, _)| id).collect();
        let mut now = is.into_iter().filter(|(id, at)| at.file == base.file && others.contains(id));
        now.next().map(|(_, at)| at)
    }

    /// A proof under the name that the files give its source: titles are long.
    fn named(&self, proof: &Proof) -> Proof {
        let catalogue = self.head.state.catalogue.into_iter();
        let mut sources = catalogue.flat_map(|catalogue| &catalogue.implementations.sources);
        let named = sources.find_map(|(name, source): (&String, &Source)| {
            let rest = proof.r#ref.strip_prefix(&source.full_title())?;
            Some(format!("{name}{rest}"))
        });
        Proof { class: proof.class.clone(), r#ref: named.unwrap_or_else(|| proof.r#ref.clone()) }
    }
}

impl<'a> State<'a> {
    /// The items that are said of a program by itself, with the place that says so.
    fn stated_of(&self, program: &str) -> Vec<(&'a str, Place)> {
        let column = self.api.column(program);
        let stated = rows(self.api).into_iter().filter_map(|row| {
            let at = row.item.life.get(column?)?.at?;
            Some((row.item.id.as_str(), self.place(at)?))
        });
        stated.collect()
    }

    /// A position of the resolved API as a place; none where it is no position.
    fn place(&self, At(file, line): At) -> Option<Place> {
        let file = self.api.files.get(usize::try_from(file).ok()?)?;
        (line > 0).then(|| Place { file: file.clone(), line, col: None })
    }

    /// The place as the reader's folder has it.
    pub(super) fn in_folder(&self, place: Place) -> Place {
        let folder = &self.side.folder;
        if folder.is_empty() {
            return place;
        }
        Place { file: format!("{folder}/{}", place.file), ..place }
    }
}

/// The places of a state.
struct Finder<'a> {
    state: &'a State<'a>,
    /// The keys that lead to an item in a file, by its kind and id.
    paths: HashMap<(&'static str, &'a str), Vec<String>>,
}

impl<'a> Finder<'a> {
    fn new(state: &'a State<'a>) -> Self {
        let paths = match state.catalogue {
            Some(_) => show::paths(state.api),
            None => HashMap::new(),
        };
        Self { state, paths }
    }

    /// The fact's place, else the item's own in the topmost layer.
    fn place(&self, change: &Change) -> Option<Place> {
        let catalogue = self.state.catalogue?;
        let item = self.item(change)?;
        let item: Vec<&str> = item.iter().map(String::as_str).collect();
        let facts = facts(change);
        let program = change.implementation.as_deref();
        // A dispute about all programs settles nothing that one of them has stated.
        let own = |fact: &[&str]| {
            let is_own = program.is_some() && fact.last().copied() == program;
            let path = [&item[..], fact].concat();
            is_own.then(|| top(catalogue, &path, (program, false))).flatten()
        };
        let settled = |fact: &Vec<&str>| self.settled(change, fact).or_else(|| own(fact));
        if let Some(settled) = facts.iter().find_map(settled) {
            return Some(settled);
        }
        let paths = facts.iter().map(|fact| [&item[..], fact].concat());
        let paths: Vec<_> = paths.chain([item.clone()]).collect();
        let find =
            |anywhere| paths.iter().find_map(|path| top(catalogue, path, (program, anywhere)));
        // The folder of a program says nothing of the others, unless the item is its own.
        find(false).or_else(|| find(true))
    }

    /// The evidence of a fact that has its own beside that of its item: what is asked of callers, presence, and errors.
    fn proofs(&self, change: &Change) -> Vec<Proof> {
        let (Some(catalogue), Some(item)) = (self.state.catalogue, self.item(change)) else {
            return Vec::new();
        };
        let aspect = match change.rule.fact() {
            Fact::Token | Fact::Scope | Fact::Role => "auth.",
            Fact::Presence | Fact::Nullable => "presence.",
            Fact::Errors => "",
            _ => return Vec::new(),
        };
        let around = if aspect.is_empty() { &change.keys[..] } else { &[] };
        let path: Vec<&str> = item.iter().chain(around).map(String::as_str).collect();
        let programs = self.state.api.programs.iter().map(|program| program.key.as_str());
        let about =
            |program: &&str| change.implementation.as_deref().is_none_or(|key| key == *program);
        let proofs = programs.filter(about).filter_map(|program| {
            let key = format!("{aspect}{program}");
            let path = [&path[..], &["evidence", &key]].concat();
            let value = |key: &str| text_at(catalogue, &[&path[..], &[key]].concat());
            let source = value("source").or_else(|| text_at(catalogue, &path))?;
            let class = catalogue.implementations.sources.get(source)?.class;
            let at = value("at").map(|at| format!(": {at}")).unwrap_or_default();
            let class = value("class").map_or_else(|| format!("{class:?}"), str::to_owned);
            Some(Proof { class, r#ref: format!("{source}{at}") })
        });
        proofs.collect()
    }

    /// The place of the declared contradiction that gives a fact its value.
    fn settled(&self, change: &Change, fact: &[&str]) -> Option<Place> {
        let fact = fact.join(".");
        let mut disputes = self.state.api.disputes.iter();
        let dispute = disputes
            .find(|one| one.supplement_holds && one.item == change.item.id && one.fact == fact)?;
        self.state.place(dispute.at)
    }

    /// The place of what an item that went stood in, in the file where it stood.
    fn around(&self, base: &Place, id: &str) -> Option<Place> {
        let catalogue = self.state.catalogue?;
        let (owner, _) = id.rsplit_once('.')?;
        let kinds = ["field", "entity", "enum", "response", "param", "operation"];
        let paths = kinds.iter().filter_map(|kind| self.paths.get(&(*kind, owner)));
        let group = ["groups".to_owned(), owner.to_owned()];
        let mut paths = paths.map(Vec::as_slice).chain([&group[..]]);
        paths.find_map(|path| {
            let path: Vec<_> = path.iter().map(String::as_str).collect();
            top(catalogue, &path, (None, false)).filter(|found| found.file == base.file)
        })
    }

    /// The keys that lead to what a change is about.
    fn item(&self, change: &Change) -> Option<Vec<String>> {
        let id = change.item.id.as_str();
        let key = match change.item.kind.as_str() {
            "program" if self.state.api.program(id).is_none() => "identified",
            "program" => "programs",
            "group" => "groups",
            "feature" => "features",
            "tombstone" => "tombstones",
            kind => return self.paths.get(&(kind, id)).cloned(),
        };
        Some(vec![key.to_owned(), id.to_owned()])
    }

    /// The item in the file where something stood that went without a trace, or else the section, or the file's head.
    fn left_over(&self, change: &Change, at: &Place, base: &Self) -> Option<Place> {
        let there = self.state.api.files.contains(&at.file);
        let line = || {
            let sources = &self.state.catalogue?.sources;
            let file = sources.files().find(|file| sources.path(*file) == at.file)?;
            let item = self.item(change).unwrap_or_default();
            let item: Vec<_> = item.iter().map(String::as_str).collect();
            let section = || sources.span(file, &[base.section(at)?]);
            let left = sources.span(file, &item).filter(|_| !item.is_empty()).or_else(section)?;
            u32::try_from(sources.line_col(file, left.name().start).0).ok()
        };
        there.then(|| Place { file: at.file.clone(), line: line().unwrap_or(1), col: None })
    }

    /// The section of a file that a place lies in.
    fn section(&self, at: &Place) -> Option<&'a str> {
        let sources = &self.state.catalogue?.sources;
        let file = sources.files().find(|file| sources.path(*file) == at.file)?;
        let line = usize::try_from(at.line).unwrap_or(usize::MAX);
        let mut above = sources.facts(file).into_iter().rev();
        let (keys, ..) = above.find(|(.., number)| *number <= line)?;
        keys.first().copied()
    }
}

/// The keys below an item that a change is about, the likeliest first.
fn facts(change: &Change) -> Vec<Vec<&str>> {
    let program = change.implementation.as_deref();
    if change.rule.rule().fact == Fact::Release && change.keys.is_empty() {
        let version = change.new.as_deref().or(change.old.as_deref());
        return version.map(|version| vec!["releases", version]).into_iter().collect();
    }
    let own: Vec<&str> = change.keys.iter().map(String::as_str).collect();
    let keys: Vec<&[&str]> = match &own[..] {
        [] => keys(change.rule).iter().map(std::slice::from_ref).collect(),
        // The file may say it in fewer keys.
        own => {
            let less = (1..=own.len()).rev().map(|length| &own[..length]);
            less.chain(keys(change.rule).iter().map(std::slice::from_ref)).collect()
        }
    };
    let of_program = keys.iter().filter_map(|keys| Some([keys, &[program?][..]].concat()));
    // What changed in other programs is not of this one.
    let of_all = keys.iter().filter(|keys| program.is_none() || **keys != ["changed"]);
    of_program.chain(of_all.map(|keys| keys.to_vec())).collect()
}

/// The keys under which the catalogue states what a rule is about, the likeliest first.
fn keys(rule: RuleId) -> &'static [&'static str] {
    match rule {
        RuleId::ItemRenamed | RuleId::ItemRenamedGuess => &["renamed_from"],
        RuleId::PathArgAdded | RuleId::PathArgRemoved => &["path"],
        RuleId::ParamAddedRequired => &["required"],
        RuleId::ItemAdded
        | RuleId::ItemAddedBackdated
        | RuleId::ItemAddedBackdatedUnproven
        | RuleId::ItemAddedWithoutSince => &["since"],
        RuleId::LimitFromChanged => &["limit_from"],
        _ => rule.fact().keys(),
    }
}

/// The files of a catalogue, those of the topmost layer first.
fn from_the_top(catalogue: &Catalogue) -> impl Iterator<Item = FileId> {
    let layers = catalogue.layers.iter().rev();
    let files = layers.flat_map(|layer| layer.files.iter().map(|file| file.file));
    let programs = catalogue.implementations.programs.values();
    let registries = programs.filter_map(|program| program.file);
    let features = catalogue.features.iter().rev().map(|features| features.file);
    files.chain(registries).chain([catalogue.implementations_file]).chain(features)
}

/// The text under a path in the topmost file that has it.
fn text_at<'c>(catalogue: &'c Catalogue, path: &[&str]) -> Option<&'c str> {
    let sources = &catalogue.sources;
    let mut texts = from_the_top(catalogue).filter_map(|file| {
        let span = sources.span(file, path)?;
        sources.text(file).get(span.content())
    });
    texts.next().map(|text| text.trim_matches('"'))
}

/// Returns the node's place in the topmost layer that has it. The folders of other programs than the one that it is about
/// are looked into where that is asked for.
fn top(
    catalogue: &Catalogue,
    path: &[&str],
    (program, anywhere): (Option<&str>, bool),
) -> Option<Place> {
    let sources = &catalogue.sources;
    let is_foreign = |path: &str| {
        let folder = path.strip_prefix("programs/").and_then(|rest| rest.split_once('/'));
        folder.is_some_and(|(of, _)| Some(of) != program)
    };
    let mut files =
        from_the_top(catalogue).filter(|file| anywhere || !is_foreign(sources.path(*file)));
    files.find_map(|file| {
        let (line, col) = sources.line_col(file, sources.span(file, path)?.name().start);
        Some(Place {
            file: sources.path(file).to_owned(),
            line: u32::try_from(line).ok()?,
            col: u32::try_from(col).ok(),
        })
    })
}
