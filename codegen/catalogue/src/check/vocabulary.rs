//! Closed vocabularies: scopes, permissions, formats, and the words of quirks.

use std::borrow::Cow;

use super::Checker;
use crate::load::LayerKind;
use crate::map::{HashMap, IndexMap};
use crate::merge::around;
use crate::model::{FORMATS, SENDS};
use crate::problems::NodePath;
use crate::source::tree::YamlNode;
use fedispec_model::api::{Life, Since};
use fedispec_model::suggest::one_of;
use fedispec_since::scopes::plain;

/// The keys of an item that say more than a fact of each program, what other checks look at, and `left_out`, whose evidence is of others.
const OF_ALL: [&str; 14] = [
    "absent",
    "changed",
    "deprecated",
    "errors",
    "evidence",
    "fields",
    "left_out",
    "members",
    "params",
    "removed",
    "response",
    "since",
    "stub",
    "works_since",
];

/// The facts of which each program of the family that has the item says its own, where one does.
const OF_EACH: [&str; 5] = ["auth", "left_out", "paging", "required", "returns"];

/// The enumerations that list what `auth` may ask for, by the key of the list. A catalogue without them leaves it open.
pub(super) const NAMED_BY: [(&str, &str); 2] =
    [("scopes", "OauthScope"), ("permissions", "RolePermission")];

/// The roles that were asked for before there were permissions.
const ROLES: [&str; 4] = ["admin", "administrator", "moderator", "staff"];

impl<'a, 'n> Checker<'a, 'n> {
    pub(super) fn vocabulary(&mut self) {
        let sources = self.problems.sources();
        let lives = self.lives();
        let ids = self.merged.ids.iter();
        let each = ids.flat_map(|(id, said)| (0..).zip(said).map(move |(at, one)| (id, at, one)));
        for (id, at, one) in each {
            let place = &one.place;
            let Some(node) = sources.node(place.file, &place.keys()) else {
                continue;
            };
            // Of the first to speak of an item more is asked.
            let is_of_folder = one.kind == LayerKind::Program && at > 0;
            if is_of_folder && node.children().next().is_none() {
                let message = format!("the folder of a program says nothing of `{id}` here");
                let help = "write since when the program has it, or remove the entry";
                self.problems.key("empty-entry", place, message, help);
            }
            let lives = lives.get(id.as_str());
            for (key, child) in node.map().into_iter().flatten() {
                let place = || place.then(key.clone());
                match key.as_str() {
                    "auth" => self.asked(child, &place()),
                    "format" => self.word(child, &place(), "format", &FORMATS),
                    "quirks" => self.quirks(child, &place()),
                    "changed" => self.changed_lists(child, &place()),
                    "wire" => self.spelling(child, &place()),
                    _ => {}
                }
                if let Some((lives, each)) = lives.zip(child.map()) {
                    if !OF_ALL.contains(&key.as_str()) {
                        self.of_programs_that_have_it(id, lives, each.keys(), (&one.place, place));
                    }
                    let is_ours = one.kind == LayerKind::Supplement;
                    if is_ours && OF_EACH.contains(&key.as_str()) && self.says_alone(id, key) {
                        self.of_each_that_has_it(id, lives, each, place);
                    }
                }
            }
        }
    }

    /// The lives of everything that a fact of a program can be said of, by id.
    fn lives(&self) -> HashMap<Cow<'n, str>, &'n [Life]> {
        let api = self.api;
        let operations = api.operations.iter();
        let errors = operations.clone().flat_map(|one| {
            let id = |status| Cow::Owned(format!("{}.{status}", one.item.id));
            one.errors.iter().map(move |error| (id(error.status), error.lives(one)))
        });
        let fields = api.entities.iter().flat_map(|one| &one.fields).map(|field| &field.item);
        let params = operations.clone().flat_map(|one| &one.params).map(|param| &param.item);
        let items = operations.map(|one| &one.item).chain(params).chain(fields);
        items.map(|item| (Cow::Borrowed(item.id.as_str()), &*item.life)).chain(errors).collect()
    }

    /// Reports what is said under a key of a program that never has the item.
    fn of_programs_that_have_it<'k>(
        &mut self,
        id: &str,
        lives: &[Life],
        keys: impl Iterator<Item = &'k String>,
        (item, place): (&NodePath<'a>, impl Fn() -> NodePath<'a>),
    ) {
        for key in keys {
            let mut programs = self.api.programs.iter().zip(lives);
            let Some((program, life)) = programs.find(|(program, _)| program.key == *key) else {
                continue;
            };
            let is_told = || self.problems.has("missing-since", item);
            if life.since == Since::Never && !is_told() {
                let message = format!("{} never has `{id}`, of which this is said", program.name);
                let help = format!("remove `{key}` here, or mend its `since`");
                self.problems.key("out-of-order", &place().then(key.clone()), message, help);
                // It may be that of what is around it.
                let mut since = around(id)
                    .filter_map(|id| self.merged.place_in(id, "since", key, self.problems));
                if let Some(since) = since.next() {
                    self.problems.with_value(&since, "its Since");
                }
            }
        }
    }

    /// Whether one statement besides those of programs' folders has a key of an item.
    fn says_alone(&self, id: &str, key: &str) -> bool {
        let said = self.merged.ids.get(id).into_iter().flatten();
        let of_all = said.filter(|one| one.kind != LayerKind::Program);
        of_all.filter(|one| self.problems.stands(&one.place.then(key.to_owned()))).count() == 1
    }

    /// Reports a fact by program that leaves out one of the family which has the item: a caller of it has to know.
    fn of_each_that_has_it(
        &mut self,
        id: &str,
        lives: &[Life],
        said: &IndexMap<String, YamlNode>,
        place: impl Fn() -> NodePath<'a>,
    ) {
        let api = self.api;
        // Keys that are none of programs are those of the fact itself.
        if !api.programs.iter().any(|program| said.contains_key(&program.key)) {
            return;
        }
        let mut programs = api.programs.iter().zip(lives);
        let left_out = programs.find(|(program, life)| {
            let is_ours = program.based_on.is_none() && !program.stands_apart();
            is_ours && matches!(life.effective, Since::Since(_)) && !said.contains_key(&program.key)
        });
        if let Some((program, _)) = left_out {
            let (name, key) = (&program.name, &program.key);
            let message = format!("this says nothing of {name}, which has `{id}`");
            let help = format!("state it under `{key}`, or that it is `unknown`");
            self.problems.key("missing-fact", &place(), message, help);
        }
    }

    /// Reports white space around a name on the wire, which nobody sees.
    fn spelling(&mut self, node: &YamlNode, place: &NodePath<'a>) {
        if let Some(text) = node.text().filter(|text| text.trim() != *text) {
            let message = format!("`{text}` has white space around it");
            self.problems.value(
                "malformed-name",
                place,
                message,
                format!("write `{}`", text.trim()),
            );
        }
    }

    /// Checks the lists of scopes and permissions, however deep under `auth` they stand.
    fn asked(&mut self, node: &YamlNode, place: &NodePath<'a>) {
        let token = node.child("token").and_then(YamlNode::text);
        if token == Some("none") {
            let is_said = |key: &&str| node.child(key).is_some_and(|said| said.one_line() != "[]");
            let mut keys = ["scopes", "permissions", "unauthenticated"].into_iter();
            if let Some(key) = keys.find(is_said) {
                let message = format!("`{key}` goes with a token, and none is asked for");
                let help = format!("remove `{key}`, or say which `token` is asked for");
                self.problems.value("wrong-auth", &place.then(key), message, help);
            }
        }
        if token == Some("optional") && node.child("unauthenticated").is_some() {
            let message = "a request without a token is not refused where none is needed";
            let help = "remove `unauthenticated`, or say which `token` is asked for";
            self.problems.key("wrong-auth", &place.then("unauthenticated"), message, help);
        }
        if token == Some("app") && node.child("permissions").is_some() {
            let message = "an application's token is taken, whose owner has no role";
            let help = "mend `token`, or remove `permissions`";
            self.problems.key("wrong-auth", &place.then("permissions"), message, help);
        }
        for (place, key, child) in inside(node, place) {
            let Some((_, id)) = NAMED_BY.iter().find(|(list, _)| Some(*list) == key) else {
                self.asked(child, &place);
                continue;
            };
            self.all_listed(child, &place, id, &[]);
        }
    }

    /// Checks the scopes and permissions that a change begins and ends at.
    fn changed_lists(&mut self, node: &YamlNode, place: &NodePath<'a>) {
        let of_programs = inside(node, place);
        for (place, _, change) in of_programs.flat_map(|(place, _, all)| inside(all, &place)) {
            let what = change.child("what").and_then(YamlNode::text);
            let Some((_, id)) = NAMED_BY.iter().find(|(list, _)| Some(*list) == what) else {
                continue;
            };
            for key in ["from", "to"] {
                if let Some(list) = change.child(key) {
                    self.all_listed(list, &place.then(key), id, &ROLES);
                }
            }
        }
    }

    /// Checks that an enumeration has all values of a list.
    fn all_listed(&mut self, list: &YamlNode, place: &NodePath<'a>, id: &str, others: &[&str]) {
        let or_else = format!("add it to the values of `{id}`, or remove it here");
        for (place, _, element) in inside(list, place) {
            if let Some(text) = element.text().filter(|text| !others.contains(text)) {
                let mut longer = self.values_of(id).into_iter().flatten();
                let longer = longer.find(|known| known.starts_with(text));
                let meant = longer.map(|known| format!("did you mean `{known}`?"));
                let or_else = if ROLES.contains(&text) {
                    meant.as_deref().unwrap_or(
                        "only older releases ask for a role: write it under `from` of a `changed`",
                    )
                } else {
                    &*or_else
                };
                let others = NAMED_BY.iter().filter(|(_, of)| *of != id);
                let fitting = { others }
                    .find(|(_, of)| self.values_of(of).is_some_and(|all| all.contains(&text)));
                let other = fitting.map(|(list, _)| {
                    format!("it is one of `{list}`: mend `what` or the list's key")
                });
                let or_else = other.as_deref().unwrap_or(or_else);
                self.is_listed("unknown-value", id, plain(text), &place, or_else);
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
