//! Values of enumerations: which the source declares, which it accepts, and which it sends.
//!
//! A word may be declared for years before anything is made with it. What a switch or a list of words takes is accepted. What a
//! function gives to a call, answers or writes somewhere is sent.

use std::collections::{BTreeMap, HashMap};

use super::go::{Constant, MODEL, Packages, TypeName, arguments, case_values, folder, receiver};
use crate::surface::{Enumeration, Use};
use crate::syntax::Spot;

/// The package of what the database holds, whose words are written in lower case on the way out.
const STORED: &str = "internal/gtsmodel";

/// The enumerations, by the name of their type, or by where their words stand together.
pub(super) fn enums(packages: &Packages<'_>) -> BTreeMap<String, Enumeration> {
    let mut reader = Reader {
        packages,
        found: BTreeMap::new(),
        constants: HashMap::new(),
    };
    reader.constants();
    reader.spelled();
    reader.lists();
    let used = reader.used();
    for (name, value, at, r#use) in used {
        if let Some(found) = reader.found.get_mut(&name) {
            found.note(value, at.place(), r#use);
        }
    }
    reader.found
}

struct Reader<'p, 's> {
    packages: &'p Packages<'s>,
    found: BTreeMap<String, Enumeration>,
    /// The enumeration and the word that a constant of a package stands for.
    constants: HashMap<(&'s str, &'s str), Vec<(String, String)>>,
}

/// A word of an enumeration, and what is done with it at a place.
type Used<'s> = (String, String, Spot<'s>, Use);

impl<'s> Reader<'_, 's> {
    fn note(&mut self, name: &str, at: Spot<'s>, word: &str, r#use: Use) {
        let declared = Enumeration {
            at: at.place(),
            values: BTreeMap::new(),
        };
        let found = self.found.entry(name.to_owned()).or_insert(declared);
        found.note(word.to_owned(), at.place(), r#use);
    }

    /// Text constants: those of a type, and those that stand together under names that begin alike.
    fn constants(&mut self) {
        for (folder, _) in self.packages.all() {
            for (constant, text) in self.packages.texts(folder) {
                let Some(name) = named(folder, constant).filter(|_| !text.is_empty()) else {
                    continue;
                };
                let word = if folder == STORED {
                    text.to_lowercase()
                } else {
                    text
                };
                self.note(&name, constant.name, &word, Use::Declared);
                let key = (folder, constant.name.text());
                self.constants.entry(key).or_default().push((name, word));
            }
        }
        // A word that stands alone is no enumeration.
        let typed = |name: &str| !name.ends_with('*');
        self.found
            .retain(|name, found| typed(name) || found.values.len() > 1);
    }

    /// `func (t T) String() string { switch t { case A: return "a" } }`: the words of constants that are numbers.
    fn spelled(&mut self) {
        let packages = self.packages;
        for (folder, package) in packages.all() {
            let methods = package.methods.iter();
            for ((of, _), method) in methods.filter(|((_, name), _)| *name == "String") {
                let name = type_name((folder, of));
                for (constants, result) in cases(*method) {
                    let text = result.and_then(|at| packages.string(at, &|_| None));
                    let Some(text) = text.filter(|text| !text.is_empty()) else {
                        continue;
                    };
                    for constant in constants.into_iter().filter(|at| at.kind() == "identifier") {
                        self.note(&name, constant, &text, Use::Declared);
                        let key = (folder, constant.text());
                        let known = self.constants.entry(key).or_default();
                        known.push((name.clone(), text.clone()));
                    }
                }
            }
        }
    }

    /// `var valid = []string{"a", "b"}`: what is let through.
    fn lists(&mut self) {
        let packages = self.packages;
        for (folder, package) in packages.all() {
            for constant in package.constants() {
                let list = constant.value().filter(|at| {
                    at.kind() == "composite_literal"
                        && at.field("type").is_some_and(|of| of.text() == "[]string")
                });
                let Some(body) = list.and_then(|list| list.field("body")) else {
                    continue;
                };
                let name = format!("{}.{}", last(folder), constant.name.text());
                for element in body.children() {
                    let at = element.children().first().copied().unwrap_or(element);
                    if !at.kind().ends_with("string_literal") {
                        continue;
                    }
                    if let Some(text) = packages.string(at, &|_| None) {
                        self.note(&name, at, &text, Use::Accepted);
                    }
                }
            }
        }
    }

    /// What the functions of all packages do with the words.
    fn used(&mut self) -> Vec<Used<'s>> {
        let packages = self.packages;
        let mut used = Vec::new();
        for (folder, package) in packages.all() {
            let functions = package.functions.values().chain(package.methods.values());
            for function in functions {
                let is_spelling = function
                    .field("name")
                    .is_some_and(|name| name.text() == "String")
                    && receiver(*function).is_some();
                if !is_spelling {
                    self.function(folder, *function, &mut used);
                }
            }
        }
        used
    }

    fn function(&mut self, home: &'s str, function: Spot<'s>, used: &mut Vec<Used<'s>>) {
        let Some(body) = function.field("body") else {
            return;
        };
        let result = function
            .field("result")
            .and_then(|result| self.packages.named(result));
        let result = result.map(type_name);
        let parsed = result.filter(|name| self.found.contains_key(name));
        let mut switches = Vec::new();
        body.walk(|at| {
            match at.kind() {
                "expression_switch_statement" => switches.push(at),
                "identifier" | "selector_expression" => {
                    if let Some(known) = self.constant(home, at) {
                        // What a function reads from text is what it answers, not what it sends.
                        let is_parsed = parsed
                            .as_ref()
                            .is_some_and(|name| known.iter().any(|(of, _)| of == name));
                        let r#use = use_of(at).filter(|r#use| *r#use != Use::Sent || !is_parsed);
                        if let Some(r#use) = r#use {
                            let each = known.iter().cloned();
                            used.extend(each.map(|(name, word)| (name, word, at, r#use)));
                        }
                        return false;
                    }
                }
                _ => {}
            }
            true
        });
        for switch in switches {
            self.switch(function, switch, parsed.as_deref());
        }
    }

    /// The words of a switch over a text: they are of the type that the function answers, else they are an enumeration by themselves.
    fn switch(&mut self, function: Spot<'s>, switch: Spot<'s>, parsed: Option<&str>) {
        let words = case_values(switch).filter(|at| at.kind() == "interpreted_string_literal");
        let words: Vec<_> = words
            .filter_map(|at| Some((at, self.packages.string(at, &|_| None)?)))
            .filter(|(_, text)| !text.is_empty())
            .collect();
        if words.len() < 2 {
            return;
        }
        let own = function.field("name").map_or("", Spot::text);
        let place = format!("{}.{own}", last(folder(&function.file.path)));
        let name = parsed.unwrap_or(&place);
        for (at, word) in words {
            self.note(name, at, &word, Use::Accepted);
        }
    }

    fn constant(&self, home: &'s str, at: Spot<'s>) -> Option<&Vec<(String, String)>> {
        let key = if at.kind() == "identifier" {
            (home, at.text())
        } else {
            let operand = at.field("operand")?;
            let package = self.packages.import(at.file, operand.text())?;
            (package, at.field("field")?.text())
        };
        self.constants.get(&key)
    }
}

/// The name of the enumeration that a constant belongs to.
fn named(folder: &str, constant: Constant<'_>) -> Option<String> {
    if let Some(of) = constant.r#type.filter(|of| of.text() != "string") {
        return (of.kind() == "type_identifier").then(|| type_name((folder, of.text())));
    }
    // Under names that begin with the same word: `TimelineHome`, `TimelinePublic`.
    let name = constant.name.text();
    let upper = |at: usize| name[at..].starts_with(|letter: char| letter.is_ascii_uppercase());
    let end = (1..name.len())
        .filter(|at| name.is_char_boundary(*at))
        .find(|at| upper(*at))?;
    Some(format!("{}.{}*", last(folder), &name[..end]))
}

/// The types of what is answered go by their names alone.
fn type_name((folder, name): TypeName<'_>) -> String {
    if folder == MODEL {
        name.to_owned()
    } else {
        format!("{}.{name}", last(folder))
    }
}

fn last(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}

/// What is done with a constant where it stands; nothing where it is only looked at.
fn use_of(at: Spot<'_>) -> Option<Use> {
    let mut inner = at;
    while let Some(outer) = inner.parent() {
        match outer.kind() {
            "expression_case" => {
                let is_value = outer
                    .field("value")
                    .is_some_and(|value| value.node.id() == inner.node.id());
                return Some(if is_value { Use::Accepted } else { Use::Sent });
            }
            "binary_expression" => {
                let operator = outer.field("operator").map_or("", Spot::text);
                if matches!(operator, "==" | "!=") {
                    return None;
                }
            }
            "argument_list" => {
                let call = outer.parent().and_then(|call| call.field("function"));
                let called = call.and_then(|function| function.field("field").or(Some(function)));
                // The key of a table is looked up.
                let is_key = arguments_of(outer) == Some(inner.node.id());
                let looks = matches!(
                    called.map_or("", Spot::text),
                    "Get" | "Set" | "Has" | "Contains"
                );
                return (!(looks && is_key)).then_some(Use::Sent);
            }
            kind if kind.ends_with("_statement") || kind == "block" => return Some(Use::Sent),
            _ => {}
        }
        inner = outer;
    }
    None
}

/// The first argument of a list.
fn arguments_of(list: Spot<'_>) -> Option<usize> {
    let call = list.parent()?;
    Some(arguments(call).first()?.node.id())
}

/// The cases of the switches of a function: their values, and what each answers.
fn cases(function: Spot<'_>) -> Vec<(Vec<Spot<'_>>, Option<Spot<'_>>)> {
    let mut found = Vec::new();
    let Some(body) = function.field("body") else {
        return found;
    };
    body.walk(|at| {
        if at.kind() == "expression_case" {
            let mut answered = None;
            at.walk(|inner| {
                if inner.kind() == "return_statement" && answered.is_none() {
                    let results = inner.children().first().map(|list| list.children());
                    answered = results.and_then(|results| results.first().copied());
                }
                answered.is_none()
            });
            let values = at.field("value").map(Spot::children).unwrap_or_default();
            found.push((values, answered));
        }
        true
    });
    found
}
