//! Closed vocabularies: scopes, permissions, formats, and the words of quirks.

use crate::merge::Merged;
use crate::model::{FORMATS, SENDS};
use crate::problems::{NodePath, Problems};
use crate::source::tree::YamlNode;
use fedispec_model::api::Api;
use fedispec_model::suggest::{did_you_mean, one_of};

/// The enumerations that list what `auth` may ask for, by the key of the list. A catalogue without them leaves it open.
const NAMED_BY: [(&str, &str); 2] = [("scopes", "OauthScope"), ("permissions", "RolePermission")];

pub(super) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let named = NAMED_BY.iter().filter_map(|(key, id)| {
        let mut enums = api.enums.iter();
        let list = enums.find(|one| one.item.id == *id && one.values_known)?;
        let values = list.values.iter().map(|value| value.wire.as_str());
        Some((*key, *id, values.collect()))
    });
    let vocabulary = Vocabulary {
        named: named.collect(),
        programs: api.programs.iter().map(|one| one.key.as_str()).collect(),
    };
    for place in merged.ids.values().flatten() {
        let Some(node) = problems.sources().node(place.file, &place.keys()) else {
            continue;
        };
        for (key, child) in node.children() {
            let place = place.then(key.unwrap_or_default().to_owned());
            match key {
                Some("auth") => vocabulary.auth(child, &place, problems),
                Some("format") => word(child, &place, "format", &FORMATS, problems),
                Some("quirks") => vocabulary.quirks(child, &place, problems),
                _ => {}
            }
        }
    }
}

struct Vocabulary<'n> {
    /// What the lists under a key may hold, and the enumeration that says so.
    named: Vec<(&'static str, &'static str, Vec<&'n str>)>,
    programs: Vec<&'n str>,
}

impl Vocabulary<'_> {
    /// The lists of scopes and permissions, however deep under `auth` they stand.
    fn auth<'a>(&self, node: &YamlNode, place: &NodePath<'a>, problems: &mut Problems<'a>) {
        for (place, key, child) in inside(node, place) {
            let named = self.named.iter().find(|(list, ..)| Some(*list) == key);
            let Some((_, id, known)) = named else {
                self.auth(child, &place, problems);
                continue;
            };
            for (place, _, element) in inside(child, &place) {
                let Some(text) = element.text().filter(|text| !known.contains(text)) else {
                    continue;
                };
                let message = format!("`{id}` has no value `{text}`");
                let help = format!("add it to the values of `{id}`, or remove it here");
                let help = did_you_mean(text, known.iter().copied(), &help);
                let problem = problems.value("unknown-value", &place, message);
                problems.push(problem.help(help));
            }
        }
    }

    fn quirks<'a>(&self, node: &YamlNode, place: &NodePath<'a>, problems: &mut Problems<'a>) {
        for (place, _, quirk) in inside(node, place) {
            if let Some(sends) = quirk.child("sends") {
                word(sends, &place.then("sends"), "sends", &SENDS, problems);
            }
            let program = quirk.child("program").and_then(YamlNode::text);
            if let Some(program) = program.filter(|key| !self.programs.contains(key)) {
                let or_else = format!("the registered programs are {}", self.programs.join(", "));
                let help = did_you_mean(program, self.programs.iter().copied(), &or_else);
                let message = format!("there is no program `{program}`");
                let problem = problems.value("unknown-program", &place.then("program"), message);
                problems.push(problem.help(help));
            }
        }
    }
}

/// The nodes inside one, with their places and keys.
fn inside<'n, 'a>(
    node: &'n YamlNode,
    place: &NodePath<'a>,
) -> Vec<(NodePath<'a>, Option<&'n str>, &'n YamlNode)> {
    let children = node.children().enumerate();
    let placed = children.map(|(number, (key, child))| {
        let name = key.map_or_else(|| number.to_string(), ToOwned::to_owned);
        (place.then(name), key, child)
    });
    placed.collect()
}

fn word<'a>(
    node: &YamlNode,
    place: &NodePath<'a>,
    key: &str,
    known: &[&str],
    problems: &mut Problems<'a>,
) {
    if let Some(text) = node.text().filter(|text| !known.contains(text)) {
        let message = format!("unknown value `{text}` of `{key}`");
        let problem = problems.value("unknown-value", place, message);
        problems.push(problem.help(one_of(text, known, "write one of")));
    }
}
