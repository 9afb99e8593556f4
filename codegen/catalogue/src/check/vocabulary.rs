//! Closed vocabularies: scopes, permissions, formats, and the words of quirks.

use super::Checker;
use crate::model::{FORMATS, SENDS};
use crate::problems::NodePath;
use crate::source::tree::YamlNode;
use fedispec_model::suggest::one_of;
use fedispec_since::scopes::plain;

/// The enumerations that list what `auth` may ask for, by the key of the list. A catalogue without them leaves it open.
const NAMED_BY: [(&str, &str); 2] = [("scopes", "OauthScope"), ("permissions", "RolePermission")];

impl<'a> Checker<'a, '_> {
    pub(super) fn vocabulary(&mut self) {
        let sources = self.problems.sources();
        for one in self.merged.ids.values().flatten() {
            let place = &one.place;
            let Some(node) = sources.node(place.file, &place.keys()) else {
                continue;
            };
            for (place, key, child) in inside(node, place) {
                match key {
                    Some("auth") => self.asked(child, &place),
                    Some("format") => self.word(child, &place, "format", &FORMATS),
                    Some("quirks") => self.quirks(child, &place),
                    Some("changed") => self.changed_scopes(child, &place),
                    _ => {}
                }
            }
        }
    }

    /// Checks the lists of scopes and permissions, however deep under `auth` they stand.
    fn asked(&mut self, node: &YamlNode, place: &NodePath<'a>) {
        if node.child("token").and_then(YamlNode::text) == Some("none") {
            for (list, _) in NAMED_BY {
                if node.child(list).is_some_and(|list| inside(list, place).next().is_some()) {
                    let message = format!("`{list}` are those of a token, and none is asked for");
                    let help = format!("remove `{list}`, or say which `token` is asked for");
                    self.problems.value("wrong-auth", &place.then(list), message, help);
                }
            }
        }
        for (place, key, child) in inside(node, place) {
            let Some((_, id)) = NAMED_BY.iter().find(|(list, _)| Some(*list) == key) else {
                self.asked(child, &place);
                continue;
            };
            self.all_listed(child, &place, id);
        }
    }

    /// Checks the scopes that a change begins and ends at. Roles were asked for by other words before there were permissions.
    fn changed_scopes(&mut self, node: &YamlNode, place: &NodePath<'a>) {
        let of_programs = inside(node, place);
        for (place, _, change) in of_programs.flat_map(|(place, _, all)| inside(all, &place)) {
            let [(scopes, id), _] = NAMED_BY;
            if change.child("what").and_then(YamlNode::text) != Some(scopes) {
                continue;
            }
            for key in ["from", "to"] {
                if let Some(list) = change.child(key) {
                    self.all_listed(list, &place.then(key), id);
                }
            }
        }
    }

    /// Checks that an enumeration has all values of a list.
    fn all_listed(&mut self, list: &YamlNode, place: &NodePath<'a>, id: &str) {
        let or_else = format!("add it to the values of `{id}`, or remove it here");
        for (place, _, element) in inside(list, place) {
            if let Some(text) = element.text() {
                self.is_listed("unknown-value", id, plain(text), &place, &or_else);
            }
        }
    }

    fn quirks(&mut self, node: &YamlNode, place: &NodePath<'a>) {
        for (place, _, quirk) in inside(node, place) {
            if let Some(sends) = quirk.child("sends") {
                self.word(sends, &place.then("sends"), "sends", &SENDS);
            }
        }
    }

    fn word(&mut self, node: &YamlNode, place: &NodePath<'a>, key: &str, known: &[&str]) {
        if let Some(text) = node.text().filter(|text| !known.contains(text)) {
            let message = format!("unknown value `{text}` of `{key}`");
            let help = one_of(text, known, "write one of");
            self.problems.value("unknown-value", place, message, help);
        }
    }
}

/// The nodes inside one, with their places and keys.
fn inside<'n, 'a>(
    node: &'n YamlNode,
    place: &NodePath<'a>,
) -> impl Iterator<Item = (NodePath<'a>, Option<&'n str>, &'n YamlNode)> + use<'n, 'a> {
    let place = place.clone();
    node.children().enumerate().map(move |(number, (key, child))| {
        let name = key.map_or_else(|| number.to_string(), ToOwned::to_owned);
        (place.then(name), key, child)
    })
}
