//! Values of enumerations: which the source declares, which it accepts, and which it sends.
//!
//! A word may be declared for years before anything is made with it. What a switch or a list of words takes is accepted. What a
//! function gives to a call, answers or writes somewhere is sent.

use std::collections::{BTreeMap, HashMap};

use super::go::{
    Constant, MODEL, Packages, TypeName, arguments, case_values, folder, package_name, receiver,
};
use crate::surface::{Enumeration, Use};
use crate::syntax::{Spot, snake_case};

/// The package of what the database holds, whose words are written in lower case on the way out.
const STORED: &str = "internal/gtsmodel";

/// The enumerations, by the name of their type, or by where their words stand together.
pub(super) fn enums(packages: &Packages<'_>) -> BTreeMap<String, Enumeration> {
    let mut reader = Words { packages, found: BTreeMap::new(), constants: HashMap::new() };
    reader.constants();
    reader.flags();
    reader.spelled();
    reader.lists();
    let mut used = reader.used();
    used.extend(reader.combined());
    for (name, value, at, r#use) in used {
        if let Some(found) = reader.found.get_mut(&name) {
            found.note(value, at.place(), r#use);
        }
    }
    reader.found
}

struct Words<'p, 's> {
    packages: &'p Packages<'s>,
    found: BTreeMap<String, Enumeration>,
    /// The enumeration and the word that a constant of a package stands for.
    constants: HashMap<(&'s str, &'s str), Vec<(String, String)>>,
}

/// A word of an enumeration, and what is done with it at a place.
type Used<'s> = (String, String, Spot<'s>, Use);

impl<'s> Words<'_, 's> {
    fn note(&mut self, name: &str, at: Spot<'s>, word: &str, r#use: Use) {
        let declared = Enumeration { at: at.place(), values: BTreeMap::new() };
        let found = self.found.entry(name.to_owned()).or_insert(declared);
        found.note(word.to_owned(), at.place(), r#use);
    }

    /// Text constants: those of a type, and those that stand together under names that begin alike.
    fn constants(&mut self) {
        for (folder, package) in self.packages.all() {
            for constant in package.constants.values() {
                let text = constant.value.and_then(|at| self.packages.string(at, &|_| None));
                let text = text.filter(|text| !text.is_empty());
                let Some((name, text)) = named(folder, *constant).zip(text) else {
                    continue;
                };
                let word = if folder == STORED { text.to_lowercase() } else { text };
                self.note(&name, constant.name, &word, Use::Declared);
                let known = self.constants.entry((folder, constant.name.text())).or_default();
                known.push((name, word));
            }
        }
        // A word that stands alone is no enumeration.
        let typed = |name: &str| !name.ends_with('*');
        self.found.retain(|name, found| typed(name) || found.values.len() > 1);
    }

    /// `const ( PermissionsManageUsers Permissions = 1 << iota; PermissionsManageRules )`: bits of a number, which the API calls by
    /// their names.
    fn flags(&mut self) {
        let Some(package) = self.packages.package(MODEL) else {
            return;
        };
        let is_number = |of: &str| {
            let spec = package.types.get(of).and_then(|spec| spec.field("type"));
            spec.is_some_and(|of| of.text().trim_start_matches('u').starts_with("int"))
        };
        let types: Vec<&str> = package.types.keys().copied().collect();
        for constant in package.constants.values() {
            let name = constant.name.text();
            let longest = types.iter().filter(|of| name.starts_with(**of));
            let Some(of) = longest.max_by_key(|of| of.len()).filter(|of| is_number(of)) else {
                continue;
            };
            // Constants after the first have neither type nor value of their own.
            let is_flag = match (constant.r#type, constant.value) {
                // A constant without a bit is the lack of all.
                (Some(own), value) => {
                    own.text() == *of && value.is_none_or(|value| value.text().contains("<<"))
                }
                (None, value) => value.is_none(),
            };
            let word = snake_case(&name[of.len()..]);
            if is_flag && !word.is_empty() {
                self.note(of, constant.name, &word, Use::Declared);
                let known = self.constants.entry((MODEL, name)).or_default();
                known.push(((*of).to_owned(), word));
            }
        }
    }

    /// `const All = A | B`: the bits that something is made with.
    fn combined(&self) -> Vec<Used<'s>> {
        let package = self.packages.package(MODEL).into_iter();
        let values = package.flat_map(|package| package.constants.values());
        let values = values.filter_map(|constant| constant.value);
        let values = values.filter(|value| value.kind() == "binary_expression");
        let names = values.flat_map(|value| value.of_kind("identifier"));
        let used = names.flat_map(|at| {
            let known = self.constant(MODEL, at).into_iter().flatten();
            known.map(move |(name, word)| (name.clone(), word.clone(), at, Use::Sent))
        });
        used.collect()
    }

    /// `func (t T) String() string { switch t { case A: return "a" } }`: the words of constants that are numbers.
    fn spelled(&mut self) {
        let packages = self.packages;
        for (folder, package) in packages.all() {
            let methods = package.methods.iter();
            for ((of, _), method) in methods.filter(|((_, name), _)| *name == "String") {
                let name = type_name((folder, of));
                for (constants, result) in cases(*method) {
                    let text = result
                        .and_then(|at| packages.string(at, &|name| declared(packages, at, name)));
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
            for constant in package.constants.values() {
                let list = constant
                    .value
                    .filter(|at| at.kind() == "composite_literal" && at.is("type", "[]string"));
                let Some(body) = list.and_then(|list| list.field("body")) else {
                    continue;
                };
                let name = format!("{}.{}", package_name(folder), constant.name.text());
                for element in body.children() {
                    let at = element.first().unwrap_or(element);
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

    /// Finds how the functions of all packages use the words.
    fn used(&mut self) -> Vec<Used<'s>> {
        let mut used = Vec::new();
        for (folder, function) in self.packages.functions() {
            let is_spelling = function.is("name", "String") && receiver(function).is_some();
            if !is_spelling {
                self.function(folder, function, &mut used);
            }
        }
        used
    }

    fn function(&mut self, home: &'s str, function: Spot<'s>, used: &mut Vec<Used<'s>>) {
        let Some(body) = function.field("body") else {
            return;
        };
        let result = function.field("result").and_then(|result| self.packages.named(result));
        let result = result.map(type_name);
        let parsed = result.filter(|name| self.found.contains_key(name));
        let mut switches = Vec::new();
        body.walk(|at| {
            match at.kind() {
                "expression_switch_statement" => switches.push(at),
                "identifier" | "selector_expression" => {
                    if let Some(known) = self.constant(home, at) {
                        // A word that a function parses is its answer, and not sent by it.
                        let is_parsed = known.iter().any(|(of, _)| Some(of) == parsed.as_ref());
                        let r#use = use_of(at).filter(|r#use| *r#use != Use::Sent || !is_parsed);
                        used.extend(r#use.into_iter().flat_map(|r#use| {
                            let each = known.iter().cloned();
                            each.map(move |(name, word)| (name, word, at, r#use))
                        }));
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
        let own = function.word("name");
        let place = format!("{}.{own}", package_name(folder(&function.file.path)));
        let name = parsed.unwrap_or(&place);
        for (at, word) in words {
            self.note(name, at, &word, Use::Accepted);
        }
    }

    fn constant(&self, home: &'s str, at: Spot<'s>) -> Option<&Vec<(String, String)>> {
        let key = if at.kind() == "identifier" {
            (home, at.text())
        } else {
            self.packages.selected(at)?
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
    let end = (1..name.len()).filter(|at| name.is_char_boundary(*at)).find(|at| upper(*at))?;
    Some(format!("{}.{}*", package_name(folder), &name[..end]))
}

/// The types of what is answered go by their names alone.
fn type_name((folder, name): TypeName<'_>) -> String {
    if folder == MODEL { name.to_owned() } else { format!("{}.{name}", package_name(folder)) }
}

/// `const text = "a"; return text`: the constant of that name in the case around.
fn declared<'s>(packages: &Packages<'s>, at: Spot<'s>, name: &str) -> Option<String> {
    let mut specs = at.around("expression_case")?.of_kind("const_spec");
    let spec = specs.find(|spec| spec.is("name", name))?;
    packages.string(*spec.list("value").first()?, &|_| None)
}

/// The use of a constant at a place; nothing where it is only looked at.
fn use_of(at: Spot<'_>) -> Option<Use> {
    let mut inner = at;
    while let Some(outer) = inner.parent() {
        match outer.kind() {
            "expression_case" => {
                let is_value = outer.field("value").is_some_and(|value| value.same(inner));
                return Some(if is_value { Use::Accepted } else { Use::Sent });
            }
            "binary_expression" => {
                if matches!(outer.word("operator"), "==" | "!=") {
                    return None;
                }
            }
            "argument_list" => {
                let call = outer.parent().and_then(|call| call.field("function"));
                let called = call.and_then(|function| function.field("field").or(Some(function)));
                // The key of a table is looked up.
                let first = outer.parent().and_then(|call| arguments(call).first().copied());
                let is_key = first.is_some_and(|first| first.same(inner));
                let looks =
                    matches!(called.map_or("", Spot::text), "Get" | "Set" | "Has" | "Contains");
                return (!(looks && is_key)).then_some(Use::Sent);
            }
            kind if kind.ends_with("_statement") || kind == "block" => return Some(Use::Sent),
            _ => {}
        }
        inner = outer;
    }
    None
}

/// The cases of the switches of a function: their values, and what each answers.
fn cases(function: Spot<'_>) -> impl Iterator<Item = (Vec<Spot<'_>>, Option<Spot<'_>>)> {
    let body = function.field("body").into_iter();
    body.flat_map(|body| body.of_kind("expression_case")).map(|case| {
        let mut answers = case.of_kind("return_statement").filter_map(Spot::first);
        (case.list("value"), answers.find_map(Spot::first))
    })
}
