//! Parameters that are objects: each becomes the parameters that go over the wire for its members.
//!
//! ```yaml
//! objects:
//!   Rules:
//!     always[:index]: {summary: Who may at once., type: "string[]"}
//! operations:
//!   policies.update:
//!     params:
//!       public: {in: form, type: Rules, required: false}      # public[always][:index]
//! ```
//!
//! The file's tree is rewritten before it is decoded, so that nothing behind this knows of objects, and every position is that of the line
//! that states the fact.

use indexmap::map::Entry;

use super::text::quote;
use crate::diagnostic::Diagnostic;
use crate::map::{HashMap, HashSet, Hasher, IndexMap};
use crate::source::FileId;
use crate::source::tree::{Content, YamlNode};
use fedispec_model::suggest::{did_you_mean, nearest};

/// The section of a file that names objects, and the key of a parameter that lists or changes members.
const OBJECTS: &str = "objects";
const MEMBERS: &str = "members";
/// The type of a parameter whose members stand under [`MEMBERS`] alone.
const OBJECT: &str = "object";
/// The ending of the type of a list.
const LIST: &str = "[]";

/// The most parameters that the objects of a file may make: objects in objects multiply.
const MOST: usize = 4096;

type Map = IndexMap<String, YamlNode>;

/// Replaces the parameters that are objects by their members, and tells what is wrong with them.
pub(super) fn spread(file: FileId, root: &mut YamlNode) -> Vec<Diagnostic> {
    let mut objects = Objects {
        file,
        named: IndexMap::default(),
        asked: HashMap::default(),
        used: HashSet::default(),
        found: Vec::new(),
        made: 0,
    };
    let Some(sections) = root.map_mut() else {
        return Vec::new();
    };
    if let Some(section) = sections.get(OBJECTS) {
        let well_formed = section.children().filter(|(_, node)| node.map().is_some());
        let named = well_formed.filter_map(|(name, node)| Some((name?.to_owned(), node.clone())));
        objects.named = named.collect();
    }
    for section in [OBJECTS, "operations"].iter().filter_map(|section| sections.get(*section)) {
        types(section, &mut objects.asked);
    }
    let operations = sections.get_mut("operations").and_then(YamlNode::map_mut);
    for facts in operations.into_iter().flat_map(Map::values_mut).filter_map(YamlNode::map_mut) {
        if let Some(params) = facts.get_mut("params").and_then(YamlNode::map_mut) {
            objects.params(params);
        }
    }
    objects.without_parameter();
    // An object that a parameter has taken over is decoded there. The others are decoded as they stand, mistakes included.
    if let Some(section) = sections.get_mut(OBJECTS).and_then(YamlNode::map_mut) {
        section.retain(|name, _| !objects.used.contains(name));
    }
    if objects.made > 0 {
        number(root, &mut 0);
    }
    objects.found
}

struct Objects {
    file: FileId,
    /// The objects that the file names.
    named: Map,
    /// The types that the file asks for, and how often.
    asked: HashMap<String, usize>,
    /// The objects that a parameter has for a type.
    used: HashSet<String>,
    found: Vec<Diagnostic>,
    /// How many parameters the objects have made.
    made: usize,
}

impl Objects {
    fn params(&mut self, params: &mut Map) {
        let mut spread = Map::with_capacity_and_hasher(params.len(), Hasher::default());
        for (name, param) in std::mem::take(params) {
            self.param(name, param, &mut Vec::new(), &mut spread);
        }
        *params = spread;
    }

    /// Adds a parameter, or in its place its members. `around` are the objects that it is a member of.
    fn param(&mut self, name: String, param: YamlNode, around: &mut Vec<String>, into: &mut Map) {
        let Some(members) = self.members(&name, &param, around) else {
            self.add(name, param, into);
            return;
        };
        self.made += members.len();
        if self.made > MOST {
            if self.made - members.len() <= MOST {
                let message = format!("the objects of the file make more than {MOST} parameters");
                let help = "list the parameters themselves, or cut the file in two";
                self.report("wrong-object", param.span.name(), message, help);
            }
            return;
        }
        let is_list = type_of(&param).is_some_and(|kind| kind.ends_with(LIST));
        let prefix = if is_list { name + LIST } else { name };
        let object = type_of(&param).map(|kind| kind.trim_end_matches(LIST).to_owned());
        around.extend(object);
        for (member, said) in members {
            let member = in_brackets(&prefix, &member);
            self.param(member, laid_over(&param, said), around, into);
        }
        around.pop();
    }

    /// The members of a parameter that is an object: those of its type, with what the parameter says of each. None where it is no object.
    fn members(&mut self, name: &str, param: &YamlNode, around: &[String]) -> Option<Map> {
        let own = param.child(MEMBERS);
        let kind = param.child("type");
        let object = type_of(param)?.trim_end_matches(LIST);
        if around.iter().any(|outer| outer == object) && object != OBJECT {
            let message = format!("the object {} contains itself", quote(object));
            let help = "give one of its members another type";
            self.report("wrong-object", kind?.span.content(), message, help);
            return Some(Map::default());
        }
        let misspelt = kind.and_then(|kind| self.misspelt(object, kind));
        let object = misspelt.as_deref().unwrap_or(object);
        let mut members = match self.named.get(object) {
            Some(named) => {
                self.used.insert(object.to_owned());
                named.map()?.clone()
            }
            None if object == OBJECT && own.is_some() => Map::default(),
            None => {
                if let (Some(_), Some(kind)) = (own, kind) {
                    let message = format!(
                        "{} has members, and there is no object {} in this file",
                        quote(name),
                        quote(object)
                    );
                    let or_else = "write `type: object`, or the name of an object under `objects` of this file";
                    let named = self.named.keys().map(String::as_str);
                    let help = did_you_mean(object, named, or_else);
                    self.report("unknown-object", kind.span.content(), message, &help);
                }
                return None;
            }
        };
        for (member, said) in own.and_then(YamlNode::map).into_iter().flatten() {
            let whole = match members.get(member) {
                Some(below) => over(below, said.clone()),
                None if object != OBJECT && said.child("type").is_none() => {
                    let message = format!("{} has no member {}", quote(object), quote(member));
                    let known = members.keys().map(String::as_str);
                    let help =
                        did_you_mean(member, known, "name one, or say what it is with a `type`");
                    self.report("wrong-object", said.span.name(), message, &help);
                    continue;
                }
                None => said.clone(),
            };
            members.insert(member.clone(), whole);
        }
        Some(members)
    }

    fn add(&mut self, name: String, param: YamlNode, into: &mut Map) {
        match into.entry(name) {
            Entry::Vacant(vacant) => drop(vacant.insert(param)),
            Entry::Occupied(before) => {
                let message = format!("{} is there already", quote(before.key()));
                let before = before.get().span.name();
                let problem =
                    Diagnostic::at("duplicate-key", self.file, param.span.name(), message).related(
                        self.file,
                        before,
                        "it stands here first",
                    );
                self.found.push(problem.help("keep one of the two"));
            }
        }
    }

    fn without_parameter(&mut self) {
        let named = self.named.iter().map(|(name, node)| (name.clone(), node.span.name()));
        for (name, span) in named.collect::<Vec<_>>() {
            if !self.used.contains(&name) {
                let message = format!("no parameter of this file has the type {}", quote(&name));
                self.report(
                    "unused-object",
                    span,
                    message,
                    "remove it, or give a parameter that type",
                );
            }
        }
    }

    /// Finds the object that nothing asks for, where it is nearly called as a type that the file does not name, and tells which of the two
    /// is wrong: a name that several parameters have is right.
    fn misspelt(&mut self, object: &str, kind: &YamlNode) -> Option<String> {
        if object == OBJECT || self.named.contains_key(object) {
            return None;
        }
        let unasked = self.named.keys().filter(|name| !self.asked.contains_key(*name));
        let meant = nearest(object, unasked.map(String::as_str))?.to_owned();
        if self.used.insert(meant.clone()) {
            let is_right = self.asked.get(object).is_some_and(|times| *times > 1);
            let (span, message, right) = if is_right {
                let message = format!("no parameter of this file has the type {}", quote(&meant));
                (self.named.get(&meant)?.span.name(), message, object)
            } else {
                let message = format!("there is no object {} in this file", quote(object));
                (kind.span.content(), message, &*meant)
            };
            self.report(
                "unknown-object",
                span,
                message,
                &format!("did you mean {}?", quote(right)),
            );
        }
        Some(meant)
    }

    fn report(
        &mut self,
        code: &'static str,
        span: std::ops::Range<usize>,
        message: String,
        help: &str,
    ) {
        self.found.push(Diagnostic::at(code, self.file, span, message).help(help));
    }
}

/// Collects the types that are asked for in a part of the file.
fn types(node: &YamlNode, into: &mut HashMap<String, usize>) {
    if let Some(kind) = node.child("type").and_then(YamlNode::text) {
        *into.entry(kind.trim_end_matches(LIST).to_owned()).or_default() += 1;
    }
    node.children().for_each(|(_, child)| types(child, into));
}

/// The type that a parameter states; one that lists members needs to state none.
fn type_of(param: &YamlNode) -> Option<&str> {
    match param.child("type") {
        Some(kind) => kind.text(),
        None => param.child(MEMBERS).map(|_| OBJECT),
    }
}

/// A member as it goes over the wire: `always[:index]` of `public` is `public[always][:index]`.
fn in_brackets(prefix: &str, member: &str) -> String {
    match member.find('[') {
        Some(0) => format!("{prefix}{member}"),
        Some(at) => format!("{prefix}[{}]{}", &member[..at], &member[at..]),
        None => format!("{prefix}[{member}]"),
    }
}

/// Lays a member over the parameter that is the object, without the keys that only an object has.
fn laid_over(param: &YamlNode, member: YamlNode) -> YamlNode {
    let mut below = param.clone();
    if let Some(facts) = below.map_mut() {
        facts.retain(|key, _| key != MEMBERS && key != "type");
    }
    over(&below, member)
}

/// A map over another one: what it says goes before, and so it does in the maps that both have, such as `since`.
fn over(below: &YamlNode, above: YamlNode) -> YamlNode {
    let (Content::Map(facts), Content::Map(said)) = (&below.content, &above.content) else {
        return above;
    };
    let mut facts = facts.clone();
    for (key, value) in said {
        let mut value = value.clone();
        if let (Some(Content::Map(below)), Content::Map(above)) =
            (facts.get(key).map(|one| &one.content), &value.content)
        {
            let mut both = below.clone();
            both.extend(above.clone());
            value.content = Content::Map(both);
        }
        facts.insert(key.clone(), value);
    }
    YamlNode { content: Content::Map(facts), ..above }
}

/// Numbers the nodes anew: those that stand at several places have one number each, in the order of the tree.
fn number(node: &mut YamlNode, next: &mut u32) {
    node.number = *next;
    *next += 1;
    match &mut node.content {
        Content::Map(entries) => entries.values_mut().for_each(|child| number(child, next)),
        Content::List(elements) => elements.iter_mut().for_each(|child| number(child, next)),
        Content::Scalar(_) | Content::Alias => {}
    }
}
