//! Facts that are written otherwise although the resolved catalogue is the same: what is a test, proves something that carries no
//! proof, or says again what holds anyway.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::diff::locate::State;
use crate::diff::report::Entry;
use crate::show;
use fedispec_diff::change::{Cause, Change, ItemRef, Place, operation_of};
use fedispec_diff::rules::{Fact, RuleId};
use fedispec_reader::load::Catalogue;
use fedispec_reader::model::Source;
use fedispec_since::Class;
use serde_json::Value;

/// A fact: the folder of its file, or the file where it is one of the file's own, and the keys that lead to it.
type Key<'a> = (&'a str, Vec<&'a str>);

/// A value and its place.
type Written = (String, Place);

/// The subject of a fact: kind and id, and how many of the keys lead there.
type Subject<'a> = (&'a str, &'a str, usize);

/// Finds what differs in the files of both states and what no change tells.
pub(super) fn untold(base: &State<'_>, head: &State<'_>, told: &[Entry]) -> Vec<Change> {
    let (Some(before), Some(after)) = (base.catalogue, head.catalogue) else {
        return Vec::new();
    };
    let subjects = [show::paths(base.api), show::paths(head.api)];
    let renamed: Vec<_> = { told.iter().map(|entry| &entry.change) }
        .flat_map(|change| Renamed::by(change, &subjects))
        .collect();
    let (mut old, new) = (facts(before), facts(after));
    for one in &renamed {
        old = old.into_iter().map(|fact| one.now(fact, &new)).collect();
    }
    let mut items: HashMap<Vec<&str>, (&str, &str)> = HashMap::new();
    for ((kind, id), path) in subjects.iter().flatten() {
        items.insert(path.iter().map(String::as_str).collect(), (kind, id));
    }
    let keys: BTreeSet<&Key<'_>> = old.keys().chain(new.keys()).collect();
    let text = |facts: &BTreeMap<Key<'_>, Written>, key: &Key<'_>| {
        facts.get(key).map(|(text, _)| text.clone())
    };
    let mut found: BTreeMap<(Subject<'_>, String), Vec<&Key<'_>>> = BTreeMap::new();
    // A map is empty where all that stood in it is gone.
    let is_left = |facts: &BTreeMap<Key<'_>, Written>, key: &Key<'_>| {
        let mut below = facts.range(key..).map(|(below, _)| below);
        below.next().is_some_and(|below| below.0 == key.0 && below.1.starts_with(&key.1))
    };
    let differs = |key: &&Key<'_>| {
        let [was, is] = [&old, &new].map(|facts| text(facts, key));
        let is_empty = [&was, &is].into_iter().flatten().all(|text| text == "{}");
        was != is && !(is_empty && is_left(&old, key) && is_left(&new, key))
    };
    for key in keys.into_iter().filter(differs) {
        let subject = subject(&items, key);
        let rest = &key.1[subject.2..];
        let place = new.get(key).or_else(|| old.get(key)).map(|(_, place)| place);
        if !is_told(subject, rest, place, told) {
            found.entry((subject, fact(rest))).or_default().push(key);
        }
    }
    let changes = found.into_iter().map(|((subject, fact), keys)| {
        let said = |facts: &BTreeMap<Key<'_>, Written>| {
            let said = keys.iter().filter_map(|key| facts.get(key));
            let said: Vec<_> = said.map(|(text, _)| text.as_str()).collect();
            (!said.is_empty()).then(|| said.join(" "))
        };
        let at = |state: &State<'_>, facts: &BTreeMap<Key<'_>, Written>| {
            let place = keys.iter().find_map(|key| facts.get(key))?.1.clone();
            Some(state.in_folder(place))
        };
        let classes = [class(before, &old, keys[0]), class(after, &new, keys[0])];
        // A class that is not stated is that of the source.
        let is_class = keys.iter().all(|key| key.1.last() == Some(&"class"));
        let stated = |facts, class: Option<Class>| {
            said(facts).or_else(|| class.filter(|_| is_class).map(|class| format!("{class:?}")))
        };
        let whole = [stated(&old, classes[0]), stated(&new, classes[1])];
        let is_longer_or_shorter = whole.iter().all(Option::is_some);
        let [was, is] = apart(whole);
        let words = |said: &Option<String>| said.clone().unwrap_or_else(|| "nothing".into());
        let message = match (&was, &is) {
            _ if was == is => format!("its {fact} is written otherwise, and says the same"),
            (None, Some(is)) if is_longer_or_shorter => format!("its {fact}: also {is}"),
            (Some(was), None) if is_longer_or_shorter => format!("its {fact}: no longer {was}"),
            _ => format!("its {fact}: {}, was {}", words(&is), words(&was)),
        };
        let (kind, id, _) = subject;
        let rule = match fact.split('.').any(|key| key == "evidence") {
            // A is the best class.
            true if classes[0].is_some_and(|was| classes[1].is_none_or(|is| is > was)) => {
                RuleId::ProvenanceWeakened
            }
            true => RuleId::ProvenanceOnlyChanged,
            false if (kind, &*fact) == ("source", "class") && was.is_some() && is > was => {
                RuleId::ProvenanceWeakened
            }
            false => RuleId::StatementChanged,
        };
        let item = ItemRef { id: id.to_owned(), kind: kind.to_owned(), ..ItemRef::default() };
        let none = || "nothing".to_owned();
        Change {
            old: Some(format!("{fact} {}", was.unwrap_or_else(none))),
            new: Some(format!("{fact} {}", is.unwrap_or_else(none))),
            base_at: at(base, &old),
            head_at: at(head, &new),
            ..Change::new(rule, Cause::Editorial, message, item)
        }
    });
    changes.collect()
}

/// Of two lists what only one of them has; of anything else all.
fn apart([was, is]: [Option<String>; 2]) -> [Option<String>; 2] {
    let list = |text: &Option<String>| serde_json::from_str::<Vec<Value>>(text.as_ref()?).ok();
    let (Some(before), Some(after)) = (list(&was), list(&is)) else {
        return [was, is];
    };
    let only = |one: &[Value], other: &[Value]| {
        let only = one.iter().filter(|value| !other.contains(value)).map(ToString::to_string);
        let only: Vec<_> = only.collect();
        (!only.is_empty()).then(|| only.join(", "))
    };
    match [only(&before, &after), only(&after, &before)] {
        // Only the order differs.
        [None, None] => [was, is],
        apart => apart,
    }
}

/// The sources that have another class, title or revision, as evidence names them: before and today.
fn named_otherwise(base: &State<'_>, head: &State<'_>) -> Vec<[String; 2]> {
    let (Some(before), Some(after)) = (base.catalogue, head.catalogue) else {
        return Vec::new();
    };
    let [before, after] = [before, after].map(|catalogue| &catalogue.implementations.sources);
    let both = before.iter().filter_map(|(key, was)| Some([was, after.get(key)?]));
    let names = both.flat_map(|both| {
        let titles = both.map(Source::full_title);
        // Evidence may have a class of its own.
        [both.map(|one| format!("{:?} {}", one.class, one.full_title())), titles]
    });
    names.filter(|[was, is]| was != is).collect()
}

/// Leaves out what only names something otherwise that is told of by itself: evidence, a source of another class or title; a condition, a
/// renamed field or parameter.
pub(super) fn without_names(changes: Vec<Change>, states: Option<[&State<'_>; 2]>) -> Vec<Change> {
    let sources = states.map_or_else(Vec::new, |[base, head]| named_otherwise(base, head));
    let renames = changes.iter().filter(|change| {
        matches!(change.rule, RuleId::ItemRenamed | RuleId::ItemRenamedGuess)
            && matches!(change.item.kind.as_str(), "field" | "param" | "value")
    });
    let renames = renames.filter_map(|change| {
        Some([change.old.as_deref()?, change.new.as_deref()?].map(|id| last(id).to_owned()))
    });
    let renames: Vec<_> = renames.collect();
    let is_named_otherwise = |change: &Change| {
        let names = match change.rule {
            RuleId::ProvenanceOnlyChanged | RuleId::ProvenanceWeakened => &sources,
            RuleId::FieldPresenceNoteChanged
            | RuleId::ParamConditionChanged
            | RuleId::ParamCombinationTightened
            | RuleId::ParamCombinationLoosened => &renames,
            _ => return false,
        };
        let (Some(old), Some(new)) = (&change.old, &change.new) else { return false };
        names.iter().any(|[was, is]| renamed(old, [was, is]) == *new)
    };
    changes.into_iter().filter(|change| !is_named_otherwise(change)).collect()
}

/// An item that goes by another id: what stood under the former one stands under the new one.
struct Renamed<'a> {
    ids: [&'a str; 2],
    paths: [Vec<&'a str>; 2],
}

impl<'a> Renamed<'a> {
    fn by(change: &'a Change, subjects: &'a [HashMap<(&str, &str), Vec<String>>; 2]) -> Vec<Self> {
        let (Some(old), Some(new)) = (change.old.as_deref(), change.new.as_deref()) else {
            return Vec::new();
        };
        let ids = match change.rule {
            RuleId::ItemRenamed | RuleId::ItemRenamedGuess | RuleId::ItemMovedModule => {
                vec![[old, new].map(str::to_owned)]
            }
            // An argument is known by its place.
            RuleId::PathArgRenamed => {
                let id =
                    |part: &str| Some(format!("{}.{}", change.item.id, part.strip_prefix(':')?));
                let both = old.split('/').zip(new.split('/')).filter(|(was, is)| was != is);
                both.filter_map(|(was, is)| Some([id(was)?, id(is)?])).collect()
            }
            _ => Vec::new(),
        };
        let found = |at: usize, id: &str| {
            let ((_, id), path) = subjects[at].iter().find(|((_, known), _)| *known == id)?;
            Some((*id, path.iter().map(String::as_str).collect()))
        };
        let renamed = ids.iter().filter_map(|[was, is]| {
            let [(was, before), (is, after)] = [found(0, was)?, found(1, is)?];
            Some(Self { ids: [was, is], paths: [before, after] })
        });
        renamed.collect()
    }

    /// A fact of the old state, where it stands now and with the names that it would have now.
    /// A text that stands there as it was is left.
    fn now(
        &self,
        ((folder, keys), (text, place)): (Key<'a>, Written),
        new: &BTreeMap<Key<'a>, Written>,
    ) -> (Key<'a>, Written) {
        let [was, is] = &self.paths;
        let keys: Vec<_> = match keys.strip_prefix(was.as_slice()) {
            Some(rest) => is.iter().chain(rest).copied().collect(),
            // A key that names it.
            None => keys
                .into_iter()
                .map(|key| if key == self.ids[0] { self.ids[1] } else { key })
                .collect(),
        };
        let key = (folder, keys);
        if new.get(&key).is_some_and(|(now, _)| *now == text) {
            return (key, (text, place));
        }
        let (folder, keys) = key;
        let text = renamed(&text, self.ids);
        // A condition names a field or a parameter of its own entity or operation without that; a reason of an error is prose.
        let owner = &is[..is.len().saturating_sub(2)];
        let is_condition = !owner.is_empty() && keys.starts_with(owner) && keys.contains(&"when");
        let names_it = is_condition && !keys.contains(&"errors");
        let text = if names_it { renamed(&text, self.ids.map(last)) } else { text };
        ((folder, keys), (text, place))
    }
}

/// The name of an item without that of its owner.
fn last(id: &str) -> &str {
    id.rsplit('.').next().unwrap_or(id)
}

/// A text with another name wherever the former one stands alone.
pub(super) fn renamed(text: &str, [was, is]: [&str; 2]) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut now = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(was) {
        let (before, after) = (&rest[..at], &rest[at + was.len()..]);
        let is_word = !before.ends_with(is_part) && !after.starts_with(is_part);
        now.push_str(before);
        now.push_str(if is_word { is } else { was });
        rest = after;
    }
    now + rest
}

fn facts(catalogue: &Catalogue) -> BTreeMap<Key<'_>, Written> {
    let sources = &catalogue.sources;
    let mut facts = BTreeMap::new();
    for file in sources.files() {
        let path = sources.path(file);
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (keys, text, line) in sources.facts(file) {
            let is_of_file = matches!(keys.first(), Some(&("area" | "defaults" | "has")));
            let place =
                Place { file: path.to_owned(), line: u32::try_from(line).unwrap_or(1), col: None };
            facts.insert((if is_of_file { path } else { folder }, keys), (text, place));
        }
    }
    facts
}

/// Finds the subject of a fact: the innermost item, else the entry of its section, else its file.
fn subject<'a>(
    items: &HashMap<Vec<&'a str>, (&'a str, &'a str)>,
    (folder, keys): &Key<'a>,
) -> Subject<'a> {
    for length in (1..keys.len()).rev() {
        if let Some((kind, id)) = items.get(&keys[..length]) {
            return (kind, id, length);
        }
    }
    let kind = match keys.first() {
        Some(&("programs" | "identified")) => "program",
        Some(&"sources") => "source",
        Some(&"features") => "feature",
        Some(&"groups") => "group",
        _ => "file",
    };
    match keys.get(1) {
        Some(id) if kind != "file" => (kind, id, 2),
        _ => ("file", folder, 0),
    }
}

/// The fact as a report names it: `evidence.auth.gotosocial`, `strings`. One that programs may state by themselves is one fact.
fn fact(keys: &[&str]) -> String {
    let evidence = keys.iter().position(|key| *key == "evidence");
    let by_program = keys.first().is_some_and(|key| ["auth", "left_out"].contains(key));
    let named = match evidence {
        Some(at) => keys.len().min(at + 2),
        None if by_program => 1,
        None => keys.len(),
    };
    keys[..named].join(".")
}

/// Whether a change tells of it, as far as the item shows. What the resolved form does not hold is told nowhere else.
fn is_told(
    (kind, id, _): Subject<'_>,
    keys: &[&str],
    place: Option<&Place>,
    told: &[Entry],
) -> bool {
    let mut told = told.iter().map(|entry| &entry.change);
    // An item comes and goes with its parts and their proof, and is missing with them.
    let is_part = |change: &Change| {
        let rest = id.strip_prefix(change.item.id.as_str());
        let goes = match change.rule.fact() {
            Fact::Existence => true,
            Fact::Absence => keys.first() == Some(&"absent"),
            _ => false,
        };
        goes && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    // A group comes and goes with its operations.
    let is_whole = |change: &Change| {
        let rest = change.item.id.strip_prefix(id);
        let is_group = kind == "group" && change.rule.fact() == Fact::Existence;
        is_group && rest.is_some_and(|rest| rest.starts_with('.'))
    };
    // The folder of a program comes and goes with it.
    let brings = [RuleId::ImplementationAdded, RuleId::ImplementationRemoved];
    let is_of_folder = |change: &Change| {
        let rest = place.and_then(|place| place.file.strip_prefix("programs/"));
        let rest = rest.and_then(|rest| rest.strip_prefix(change.item.id.as_str()));
        brings.contains(&change.rule) && rest.is_some_and(|rest| rest.starts_with('/'))
    };
    if told.clone().any(|change| is_part(change) || is_whole(change) || is_of_folder(change)) {
        return true;
    }
    match (kind, keys) {
        (_, ["evidence", aspect, ..]) if aspect.starts_with("auth.") => {
            let program = aspect.strip_prefix("auth.");
            told.any(|change| {
                matches!(change.rule, RuleId::SinceBecameSupported | RuleId::SinceBecameUnsupported)
                    && (change.item.id == id && change.implementation.as_deref() == program)
            })
        }
        ("program", ["strings", ..]) => {
            told.any(|change| change.rule == RuleId::RecognitionChanged && change.item.id == id)
        }
        // It makes facts of the program known, and says nothing else.
        ("program", ["held_against", what, ..]) => {
            let unknown = format!("its {what} in {id} unknown");
            told.any(|change| [&change.old, &change.new].contains(&&Some(unknown.clone())))
        }
        ("source", ["class" | "title" | "url" | "revision", ..]) | ("file", ["area"]) => false,
        ("file", ["disputes", ..]) => told.any(|change| change.item.kind == "dispute"),
        ("file", ["tombstones", id, ..]) => told.any(|change| change.item.id == *id),
        // They come and go with what a request has to have.
        ("operation", ["arguments"]) => told.any(|change| {
            let is_of_param = change.item.kind == "param"
                && operation_of(&change.item.id) == id
                && matches!(change.rule.fact(), Fact::Existence | Fact::Required);
            is_of_param || change.item.id == id
        }),
        // A part that moves with its owner is told with it.
        (_, ["since" | "evidence", program, ..]) => told.any(|change| {
            let owner = id.rsplit_once('.').map_or("", |(owner, _)| owner);
            let moves = change.rule.fact() == Fact::Since && change.item.id == owner;
            change.item.id == id || moves && change.implementation.as_deref() == Some(*program)
        }),
        ("source", _) => told.any(|change| change.rule.fact() == Fact::Evidence),
        ("file", ["defaults" | "has", ..]) => told.next().is_some(),
        ("file", _) => {
            let file = |place: Option<&Place>| place.map(|place| place.file.clone());
            told.any(|change| {
                [&change.head_at, &change.base_at]
                    .into_iter()
                    .any(|at| file(at.as_ref()).is_some_and(|at| Some(at) == file(place)))
            })
        }
        _ => told.any(|change| change.item.id == id),
    }
}

/// The class of the evidence that the keys of a fact lead to: its own, or else that of its source.
fn class(
    catalogue: &Catalogue,
    facts: &BTreeMap<Key<'_>, Written>,
    key: &Key<'_>,
) -> Option<Class> {
    let at = key.1.iter().position(|key| *key == "evidence")?;
    let evidence = &key.1[..key.1.len().min(at + 2)];
    let said = |rest: &[&'static str]| {
        let keys = [evidence, rest].concat();
        facts.get(&(key.0, keys)).map(|(text, _)| text.as_str())
    };
    let own = said(&["class"]).and_then(|class| serde_json::from_value(class.into()).ok());
    let source = said(&["source"]).or_else(|| said(&[]));
    own.or_else(|| Some(catalogue.implementations.sources.get(source?)?.class))
}

#[cfg(test)]
mod tests {
    use super::{apart, fact};

    #[test]
    fn the_proof_of_a_part_is_named_with_the_part() {
        assert_eq!(fact(&["evidence", "shape", "at"]), "evidence.shape");
        let of_an_error = ["errors", "404", "evidence", "mastodon", "at"];
        assert_eq!(fact(&of_an_error), "errors.404.evidence.mastodon");
        assert_eq!(fact(&["errors", "404", "when"]), "errors.404.when");
        assert_eq!(fact(&["auth", "mastodon", "token"]), "auth");
    }

    #[test]
    fn of_lists_only_the_difference_is_told() {
        let of = |was: &str, is: &str| {
            let text = |text: Option<String>| text.unwrap_or_default();
            let [was, is] = apart([was, is].map(|text| Some(text.to_owned())));
            (text(was), text(is))
        };
        let own = |was: &str, is: &str| (was.to_owned(), is.to_owned());
        assert_eq!(of("[1,2,3]", "[1,3,4]"), own("2", "4"));
        assert_eq!(of("[1,2]", "[2,1]"), own("[1,2]", "[2,1]"));
        assert_eq!(of("a", "[1]"), own("a", "[1]"));
    }
}
