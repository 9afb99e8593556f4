//! Features: ids that name a constant, names that belong to one feature, and items that exist.

use super::meet::meet;
use crate::load::Catalogue;
use crate::map::HashMap;
use crate::merge::Merged;
use crate::model::Feature;
use crate::problems::{NodePath, Problems, Report};
use fedispec_model::api::{Api, Life, Since, plain_name};
use fedispec_model::names::is_snake;
use fedispec_model::rows::rows;
use fedispec_model::suggest::did_you_mean;

/// Reports what is wrong with the features of a catalogue whose items are all known.
pub(crate) fn check<'a>(
    catalogue: &'a Catalogue,
    api: &Api,
    merged: &Merged<'a>,
    problems: &mut Problems<'a>,
) {
    let items = if catalogue.features.is_empty() { Vec::new() } else { rows(api) };
    let items = items.iter().map(|row| (row.item.id.as_str(), &*row.item.life)).collect();
    let mut checker = Checker { merged, problems, items, names: HashMap::default() };
    let features = || {
        catalogue.features.iter().flat_map(|file| {
            let place = NodePath::root(file.file).then("features");
            let features = file.content.features.iter();
            features.map(move |(id, feature)| (place.then(id), id, feature))
        })
    };
    // An id goes before a synonym that is the same.
    for (place, id, _) in features() {
        checker.id(id, &place);
    }
    for (place, _, feature) in features() {
        for (number, synonym) in feature.synonyms.iter().enumerate() {
            let place = place.under(&["synonyms"]).then(number.to_string());
            checker.name(synonym, &place);
        }
        checker.feature(feature, &place);
    }
}

struct Checker<'a, 'p> {
    merged: &'p Merged<'a>,
    problems: &'p mut Problems<'a>,
    /// The lives of all items by id.
    items: HashMap<&'p str, &'p [Life]>,
    /// The place of each name, written plainly.
    names: HashMap<String, NodePath<'a>>,
}

impl<'a> Checker<'a, '_> {
    /// Checks an id. It becomes a constant beside `ALL`, a page of the site and a badge.
    fn id(&mut self, id: &str, place: &NodePath<'a>) {
        if !is_snake(id) {
            let message = format!("the id `{id}` of a feature is not in snake_case");
            let help = "write it in small letters, digits and single `_`, as `edit_history`";
            self.problems.key("feature-id", place, message, help);
        } else if id == "all" {
            let message = "the constant `ALL` is the list of all features";
            self.problems.key("feature-id", place, message, "choose another id");
        }
        self.take(id, place, Problems::key);
    }

    fn name(&mut self, synonym: &str, place: &NodePath<'a>) {
        if plain_name(synonym).is_empty() {
            let message = "the synonym has no letter";
            self.problems.value("blank-text", place, message, "write a name, or remove it");
        } else {
            self.take(synonym, place, Problems::value);
        }
    }

    /// Notes that a name is taken, and reports one that is already.
    fn take(&mut self, name: &str, place: &NodePath<'a>, report: Report<'a>) {
        match self.names.get(&plain_name(name)) {
            None => {
                self.names.insert(plain_name(name), place.clone());
            }
            Some(before) => {
                let message = format!("`{name}` names a feature already");
                let help =
                    "choose another name, or remove one of the two: a name belongs to one feature";
                report(self.problems, "duplicate-name", place, message, help.into());
                self.problems.with_key(before, "it stands here first");
            }
        }
    }

    fn feature(&mut self, feature: &Feature, place: &NodePath<'a>) {
        if feature.summary.trim().is_empty() {
            let message = "the summary is blank";
            let help = "write a sentence about the feature";
            self.problems.value("blank-text", &place.then("summary"), message, help);
        }
        if feature.all.is_empty() && feature.one_of.is_empty() {
            let message = "the feature has no items, so that nobody can tell who has it";
            let help =
                "list the ids of items under `all`, or those of which one is enough under `one_of`";
            let lists = ["all", "one_of"].map(|list| place.then(list)).into_iter();
            let list = { lists }.find(|list| self.problems.stands(list));
            let place = list.as_ref().unwrap_or(place);
            self.problems.key("feature-without-items", place, message, help);
        }
        if let [only] = feature.one_of.as_slice()
            && !feature.all.contains(only)
            && self.items.contains_key(only.as_str())
        {
            let message = "one of a single item is that item";
            let help = format!("write `{only}` under `all`");
            self.problems.key("single-choice", &place.then("one_of"), message, help);
        }
        self.can_be_had(feature, place);
        for (list, ids) in [("all", &feature.all), ("one_of", &feature.one_of)] {
            for (number, id) in ids.iter().enumerate() {
                let place = place.then(list).then(number.to_string());
                let lives = self.items.get(id.as_str());
                if lives.is_none() {
                    if self.merged.is_lost(id, &place, self.problems) {
                        continue;
                    }
                    let known = self.items.keys().copied();
                    let or_else = "write the id of an item as `show` prints it: an operation, a parameter, a field or a value";
                    let mut words = id.split_whitespace();
                    let help = if words.clone().count() > 1
                        && words.all(|one| self.items.contains_key(one))
                    {
                        "write a comma between the ids".to_owned()
                    } else {
                        did_you_mean(id, known, or_else)
                    };
                    let message = format!("there is no item `{id}`");
                    self.problems.value("unknown-reference", &place, message, help);
                } else if lives.is_some_and(|lives| is_nowhere(lives)) {
                    let message = format!("no program has `{id}` and does anything with it");
                    let help = "name an item that some program heeds";
                    self.problems.value("unknown-reference", &place, message, help);
                } else if list == "one_of" && feature.all.contains(id) {
                    let message = format!("`{id}` is needed anyway: it stands under `all`");
                    let help = "remove it from one of the two lists";
                    self.problems.value("duplicate-element", &place, message, help);
                } else if let Some(around) =
                    around(id, ids).filter(|around| self.items.contains_key(around.as_str()))
                {
                    let (message, rest) = match list {
                        "all" => (format!("whoever has `{id}` has `{around}`"), around),
                        _ => (format!("whoever has `{id}` has `{around}`, which is enough"), id),
                    };
                    let help = format!("remove `{rest}`");
                    self.problems.value("duplicate-element", &place, message, help);
                }
            }
        }
    }

    /// Reports items that no release of any program has together and heeds.
    fn can_be_had(&mut self, feature: &Feature, place: &NodePath<'a>) {
        let lives = |ids: &[String]| -> Vec<&[Life]> {
            let lives = ids.iter().filter_map(|id| self.items.get(id.as_str()).copied());
            lives.filter(|lives| !is_nowhere(lives)).collect()
        };
        let (all, choice) = (lives(&feature.all), lives(&feature.one_of));
        let with = |one: &&[Life]| meet(&[&*all, &[*one]].concat(), Life::is_heeded_at);
        let (list, message, help) = if !all.is_empty() && !meet(&all, Life::is_heeded_at) {
            let help = "leave one out, or list them under `one_of`";
            ("all", "no release of any program has all of these", help)
        } else if !choice.is_empty() && !choice.iter().all(with) {
            let help = "leave one out: it is there without what stands under `all`";
            ("one_of", "one of these is in no release that has the rest", help)
        } else {
            return;
        };
        self.problems.value("unknown-reference", &place.then(list), message, help);
    }
}

/// Whether no program has an item and heeds it.
fn is_nowhere(lives: &[Life]) -> bool {
    let is_idle = |life: &Life| life.heeded_since(life.effective) == Since::Never;
    !lives.is_empty() && lives.iter().all(is_idle)
}

/// The item of a list that one stands in.
fn around<'i>(id: &str, ids: &'i [String]) -> Option<&'i String> {
    let is_around =
        |other: &&String| id.strip_prefix(other.as_str()).is_some_and(|rest| rest.starts_with('.'));
    ids.iter().find(is_around)
}
