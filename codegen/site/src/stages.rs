//! Items as each release has them, for the choice of a release on the pages of operations, entities and enumerations.
//!
//! A page shows the newest release of one program. It holds the stages of its items in all programs besides, by which `as.js` shows any other.

use std::collections::{BTreeMap, BTreeSet};

use fedispec_model::api::{
    Entity, EntityRole, Field, Item, Life, Operation, Param, Program, Since, State,
};
use fedispec_model::auth;
use fedispec_model::change::ChangedFact;
use fedispec_model::rows::{RowSubject, rows};
use fedispec_since::{Location, Presence, Required, StableVersion, Verdict};
use maud::{Markup, PreEscaped, html};
use serde_json::{Map, Value, json};

use crate::File;
use crate::page::{Site, name};
use crate::phrases::{bounds, place as place_of, sent};
use crate::places::anchor;
use crate::turns::{index, turns};

/// The scripts of a page with a choice of releases.
pub(crate) const SCRIPTS: &[&str] = &["programs.js", "as.js"];

/// The state of an item in a release; the first of the words says whether it is there.
type Words = Vec<String>;

/// The words of an item in a program, each with the place of the first release that they hold for.
type Runs = Vec<(usize, Words)>;

/// An item whose stages a page shows.
#[derive(Clone, Copy)]
pub(crate) enum Staged<'a> {
    Operation(&'a Operation),
    Param(&'a Param),
    Field(&'a Field),
    /// An entity or an enumeration.
    Type(&'a Item),
    Value(&'a Item),
}

/// The possible first words, in the order in which a page lists them.
const FIRST: [&str; 13] = [
    "required",
    "sometimes required",
    "required or not, no source says",
    "may be null",
    "may be absent or null",
    "may be absent",
    "no source says whether it may be null",
    "always there",
    "optional",
    "known",
    "refused",
    "no source says",
    "not there",
];

impl<'a> Staged<'a> {
    fn item(self) -> &'a Item {
        match self {
            Self::Operation(operation) => &operation.item,
            Self::Param(param) => &param.item,
            Self::Field(field) => &field.item,
            Self::Type(item) | Self::Value(item) => item,
        }
    }
}

impl<'a> Site<'a> {
    /// The program whose newest release a page shows at first: the first one that has the item.
    pub(crate) fn shown_first(&self, item: &Item) -> usize {
        let mut programs = 0..self.api.programs.len();
        programs.find(|place| self.newest_has(item, *place) == Verdict::Yes).unwrap_or_default()
    }

    /// The cell of a row that says what the item is in the release that is shown.
    pub(crate) fn stage_cell(&self, place: usize, staged: Staged<'_>) -> Markup {
        let program = &self.api.programs[place];
        html! { td.as data-side=(newest_name(program)) { (self.words_of(staged, place, newest(program)).join(", ")) } }
    }

    /// The heading of the column of [`Self::stage_cell`].
    pub(crate) fn stage_head(&self, place: usize) -> Markup {
        html! { th.as scope="col" { (newest_name(&self.api.programs[place])) } }
    }

    /// The fields of an entity and of the objects inside it.
    pub(crate) fn staged_fields(&self, entity: &'a Entity) -> Vec<Staged<'a>> {
        let own = entity.fields.iter().flat_map(Field::with_entries).map(Staged::Field);
        let inside = { self.api.entities.iter() }
            .filter(|one| one.role == EntityRole::Nested(entity.item.id.clone()));
        own.chain(inside.flat_map(|one| self.staged_fields(one))).collect()
    }

    /// The part of a page that shows it as one release has it, with the data of all the others.
    pub(crate) fn stages(&self, whole: Staged<'a>, parts: &[Staged<'a>]) -> Markup {
        let place = self.shown_first(whole.item());
        let program = &self.api.programs[place];
        let below = format!("{}.", whole.item().id);
        let mut groups: BTreeMap<usize, (String, Vec<&Item>)> = BTreeMap::new();
        for part in parts {
            let words = self.words_of(*part, place, newest(program));
            let group = groups.entry(rank(&words)).or_default();
            group.0.clone_from(&words[0]);
            group.1.push(part.item());
        }
        html! {
            section #as aria-labelledby="as-title" {
                h2 #as-title { "As " (newest_name(program)) " has it" }
                p #as-item { (newest_name(program)) " " (self.words_of(whole, place, newest(program)).join(", ")) "." }
                @if !parts.is_empty() { dl {
                    @for (first, items) in groups.values() {
                        dt { (first) " (" (items.len()) ")" }
                        dd { @for item in items {
                            @let (whole, wire) = (anchor(&item.id), item.id.strip_prefix(&below).unwrap_or(&item.wire));
                            a href={ "#" (whole) } { (name(wire)) } " "
                        } }
                    }
                } }
            }
            script type="application/json" id="stages" { (PreEscaped(self.data(whole, parts, place))) }
        }
    }

    fn data(&self, whole: Staged<'_>, parts: &[Staged<'_>], first: usize) -> String {
        let parts = parts.iter().map(|part| (anchor(&part.item().id), *part));
        let rows = std::iter::once((String::new(), whole)).chain(parts);
        let mut data = self.table(rows);
        data["first"] = json!(first);
        // An end tag in a text would end the script.
        data.to_string().replace('<', "\\u003c")
    }

    /// The stages of items as JSON. A row has a list for each program: the place of a release, and that of its words, one after the other.
    fn table<'s>(&self, rows: impl Iterator<Item = (String, Staged<'s>)>) -> Value {
        let rows: Vec<(String, Vec<Runs>)> = rows
            .map(|(id, staged)| {
                let programs = 0..self.api.programs.len();
                (id, programs.map(|place| self.runs(staged, place)).collect())
            })
            .collect();
        let words = rows.iter().flat_map(|(_, programs)| programs.iter().flatten());
        let words: BTreeSet<(usize, &Words)> =
            words.map(|(_, words)| (rank(words), words)).collect();
        let places = words.iter().enumerate().map(|(place, (_, words))| (*words, place));
        let places: BTreeMap<&Words, usize> = places.collect();
        let rows = rows.iter().map(|(id, programs)| {
            let programs = programs.iter().map(|runs| {
                let runs = runs.iter();
                runs.flat_map(|(at, words)| [json!(at), json!(places.get(words))])
                    .collect::<Value>()
            });
            (id.clone(), programs.collect())
        });
        let rows: Map<String, Value> = rows.collect();
        let words: Vec<_> = words.into_iter().map(|(_, words)| words).collect();
        json!({"words": words, "rows": rows})
    }

    fn runs(&self, staged: Staged<'_>, place: usize) -> Runs {
        let (program, item) = (&self.api.programs[place], staged.item());
        let mut versions: BTreeSet<StableVersion> = BTreeSet::new();
        versions.extend(program.releases.first().map(|release| release.version));
        versions.extend(program.not_looked_at().next());
        versions.extend(self.reach.effective(item).get(place).and_then(|since| since.version()));
        item.life.get(place).into_iter().for_each(|life| turns(life, &mut versions));
        match staged {
            Staged::Param(param) => {
                let refused = param.refused.get(place).and_then(Option::as_ref);
                versions.extend(
                    refused.into_iter().flat_map(|one| [Some(one.since), one.until]).flatten(),
                );
            }
            Staged::Field(field) => {
                let own = field.quirks.iter().filter(|quirk| quirk.program == program.key);
                versions.extend(own.flat_map(|quirk| [quirk.since, quirk.until]).flatten());
            }
            Staged::Operation(_) | Staged::Type(_) | Staged::Value(_) => {}
        }
        let mut runs = Runs::new();
        for at in
            versions.into_iter().map(|version| index(program, version)).collect::<BTreeSet<_>>()
        {
            let Some(release) = program.releases.get(at) else {
                continue;
            };
            let words = self.words_of(staged, place, release.version);
            if runs.last().is_none_or(|(_, last)| *last != words) {
                runs.push((at, words));
            }
        }
        runs
    }

    fn words_of(&self, staged: Staged<'_>, place: usize, release: StableVersion) -> Words {
        let (program, item) = (&self.api.programs[place], staged.item());
        let since = self.reach.effective(item).get(place).copied().unwrap_or(Since::Unknown);
        let Some(life) = item.life.get(place) else {
            return vec!["no source says".to_owned()];
        };
        let has = life.whole(since).present(&program.place(release)).verdict;
        let mut words = match (staged, has) {
            (Staged::Operation(_) | Staged::Type(_), Verdict::No) => {
                vec!["does not have it".to_owned()]
            }
            (Staged::Operation(_) | Staged::Type(_), Verdict::Unknown) => {
                vec!["may have it, no source says".to_owned()]
            }
            (_, Verdict::No) => vec!["not there".to_owned()],
            (_, Verdict::Unknown) => vec!["no source says".to_owned()],
            (Staged::Operation(operation), _) => {
                let has = if life.is_stub_at(release) {
                    "always answers an empty list"
                } else {
                    "has it"
                };
                let auth = auth::at(operation, place, release);
                let asked = auth.map(|auth| format!("for {}", auth::callers(&auth)));
                std::iter::once(has.to_owned()).chain(asked).collect()
            }
            (Staged::Type(_), _) => vec!["has it".to_owned()],
            (Staged::Param(param), _) => {
                param_words(&param.at(place, Some(release)), param, place, release)
            }
            (Staged::Field(field), _) => field_words(field, program, place, release),
            (Staged::Value(_), _) => vec!["known".to_owned()],
        };
        if matches!(has, Verdict::Yes | Verdict::Stub) {
            words.extend(in_place(item, place, release));
            words.extend(use_of(staged, life, release).map(str::to_owned));
        }
        words
    }
}

/// `stages.js`: the stages of all items, for the page that compares any two releases.
pub(crate) fn script(site: &Site<'_>, files: &mut Vec<File>) {
    let rows = rows(site.api);
    let staged = rows.iter().filter(|row| !row.inherited()).filter_map(|row| {
        let staged = match row.subject {
            RowSubject::Operation(operation) => Staged::Operation(operation),
            RowSubject::Param(_, param) => Staged::Param(param),
            RowSubject::Field(_, field) | RowSubject::Response(_, _, field) => Staged::Field(field),
            RowSubject::Enum(_) | RowSubject::Value(..) => return None,
        };
        Some((row.item.id.clone(), staged))
    });
    let text = format!("window.fedispec.stages={};\n", site.table(staged));
    files.push(("stages.js".to_owned(), text.into_bytes()));
}

fn newest(program: &Program) -> StableVersion {
    program.newest_looked_at().unwrap_or(StableVersion(0, 0, 0))
}

/// `Mastodon 4.6.5`
fn newest_name(program: &Program) -> String {
    format!("{} {}", program.name, newest(program))
}

fn rank(words: &Words) -> usize {
    let is_first = |known: &&str| words.first().is_some_and(|word| word.starts_with(known));
    // The longest of those that fit, since one may begin another.
    let fitting = FIRST.iter().enumerate().filter(|(_, known)| is_first(known));
    fitting.max_by_key(|(_, known)| known.len()).map_or(FIRST.len(), |(place, _)| place)
}

/// A parameter as a release has it; `listed` is what the page says of all releases.
fn param_words(param: &Param, listed: &Param, place: usize, release: StableVersion) -> Words {
    let refused = { listed.refused.get(place).and_then(Option::as_ref) }
        .filter(|one| one.since <= release && one.until.is_none_or(|until| release < until));
    if let Some(refused) = refused {
        return vec![format!("refused with {}", refused.status)];
    }
    let mut words = vec![
        match param.required {
            Required::Always => "required",
            Required::Sometimes => "sometimes required",
            Required::Unknown => "required or not, no source says",
            Required::Never => "optional",
        }
        .to_owned(),
    ];
    if param.location != listed.location && param.location != Location::Unknown {
        words.push(format!("in the {}", place_of(param.location)));
    }
    if param.nullable {
        words.push("null may be sent".to_owned());
    }
    words.extend(bounds(&param.limits));
    if let Some(default) = param.default.as_ref().filter(|default| !default.is_null()) {
        words.push(format!("default {default}"));
    }
    words
}

fn field_words(field: &Field, program: &Program, place: usize, release: StableVersion) -> Words {
    let quirks = field.quirks.iter().filter(|quirk| quirk.is_of(&program.key, release));
    let quirks: Vec<_> = quirks.collect();
    let is_unsaid = !field.presence_known
        || field.item.life.get(place).is_some_and(|life| {
            life.apart
                && field.own_presence(place).is_none()
                && !life.changed.iter().any(|change| change.what == ChangedFact::Presence)
        });
    let presence = quirks.iter().map(|quirk| quirk.presence());
    let presence = presence.fold(field.presence_at(place, release), Presence::or);
    let first = if is_unsaid { "no source says whether it may be null" } else { presence.phrase() };
    let sends = quirks.iter().filter(|quirk| quirk.presence() == Presence::ALWAYS);
    let sends = sends.map(|quirk| format!("sends {}", sent(&quirk.sends)));
    std::iter::once(first.to_owned()).chain(sends).collect()
}

/// The facts that the program changed or states on its own, as the release has them.
fn in_place(item: &Item, place: usize, release: StableVersion) -> Words {
    use ChangedFact as F;
    let facts = [
        F::Method,
        F::Path,
        F::Body,
        F::Returns,
        F::MediaType,
        F::Success,
        F::Paging,
        F::Type,
        F::Format,
        F::Only,
    ];
    // Where only another program changed it, it is as it became there.
    let elsewhere = |what| {
        let mut changes = item.life.iter().flat_map(|life| &life.changed);
        let last = changes.rfind(|change| change.what == what)?;
        Some(State::from(last.to.clone()))
    };
    let told = facts.into_iter().filter_map(|what| {
        match item.held(place, what, Some(release)).or_else(|| elsewhere(what))? {
            State::Is(value) => {
                Some(format!("{} {}", what.name().replace('_', " "), what.text(&value)))
            }
            State::None | State::Unknown => None,
        }
    });
    told.collect()
}

/// Whether the release heeds what it has, and discourages it.
fn use_of(
    staged: Staged<'_>,
    life: &Life,
    release: StableVersion,
) -> impl Iterator<Item = &'static str> {
    let is_heeded = life.works_since == Some(Since::Unknown) || life.works_at(release);
    let neglected = match staged {
        Staged::Field(_) => "not filled",
        _ => "accepted and ignored",
    };
    let is_neglected = !is_heeded && !life.is_stub_at(release);
    let discouraged = life.deprecated.is_some_and(|version| version <= release);
    is_neglected.then_some(neglected).into_iter().chain(discouraged.then_some("discouraged"))
}
