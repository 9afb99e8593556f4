//! Values of enumerations: which the source declares, which it accepts, and which it sends.
//!
//! A word may be declared for years before anything is made with it. What a switch or a list of words takes is accepted. What a
//! function gives to a call, answers or writes somewhere is sent.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::go::{
    Constant, MODEL, Package, Packages, TypeName, arguments, case_values, folder, package_name,
    receiver,
};
use crate::surface::{Enumeration, Use};
use crate::syntax::Spot;

/// The package of what the database holds, whose words are written in lower case on the way out.
const STORED: &str = "internal/gtsmodel";

/// The enumerations, by the name of their type, or by where their words stand together.
pub(super) fn enums(packages: &Packages<'_>) -> BTreeMap<String, Enumeration> {
    let mut reader = Reader { packages, found: BTreeMap::new(), constants: HashMap::new() };
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
        let declared = Enumeration { at: at.place(), values: BTreeMap::new() };
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
                let word = if folder == STORED { text.to_lowercase() } else { text };
                self.note(&name, constant.name, &word, Use::Declared);
                let key = (folder, constant.name.text());
                self.constants.entry(key).or_default().push((name, word));
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
        for constant in package.constants() {
            let name = constant.name.text();
            let longest = types.iter().filter(|of| name.starts_with(**of));
            let Some(of) = longest.max_by_key(|of| of.len()).filter(|of| is_number(of)) else {
                continue;
            };
            // Those after the first have neither type nor value of their own.
            let is_flag = match (constant.r#type, constant.value()) {
                // What has no bit is the lack of all.
                (Some(own), value) => {
                    own.text() == *of && value.is_none_or(|value| value.text().contains("<<"))
                }
                (None, value) => value.is_none(),
            };
            let word = snake(&name[of.len()..]);
            if is_flag && !word.is_empty() {
                self.note(of, constant.name, &word, Use::Declared);
                let known = self.constants.entry((MODEL, name)).or_default();
                known.push(((*of).to_owned(), word));
            }
        }
    }

    /// `const All = A | B`: the bits that something is made with.
    fn combined(&self) -> Vec<Used<'s>> {
        let mut used = Vec::new();
        let package = self.packages.package(MODEL).into_iter();
        let values = package.flat_map(Package::constants).filter_map(Constant::value);
        for value in values.filter(|value| value.kind() == "binary_expression") {
            value.walk(|at| {
                if at.kind() == "identifier" {
                    let known = self.constant(MODEL, at).into_iter().flatten();
                    used.extend(
                        known.map(|(name, word)| (name.clone(), word.clone(), at, Use::Sent)),
                    );
                }
                true
            });
        }
        used
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
                let is_spelling =
                    function.field("name").is_some_and(|name| name.text() == "String")
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
        let result = function.field("result").and_then(|result| self.packages.named(result));
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
    let end = (1..name.len()).filter(|at| name.is_char_boundary(*at)).find(|at| upper(*at))?;
    Some(format!("{}.{}*", last(folder), &name[..end]))
}

/// The types of what is answered go by their names alone.
fn type_name((folder, name): TypeName<'_>) -> String {
    if folder == MODEL { name.to_owned() } else { format!("{}.{name}", last(folder)) }
}

fn last(folder: &str) -> &str {
    package_name(folder)
}

/// `const text = "a"; return text`: the constant of that name in the case around.
fn declared<'s>(packages: &Packages<'s>, at: Spot<'s>, name: &str) -> Option<String> {
    let mut around = at;
    while around.kind() != "expression_case" {
        around = around.parent()?;
    }
    let mut found = None;
    around.walk(|spec| {
        let is_it =
            spec.kind() == "const_spec" && spec.field("name").is_some_and(|own| own.text() == name);
        if is_it {
            let value = spec.field("value").map(Spot::children).unwrap_or_default();
            found = value.first().and_then(|value| packages.string(*value, &|_| None));
        }
        found.is_none()
    });
    found
}

/// `manage_users` of `ManageUsers`.
fn snake(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

/// The words that text fields of answers are filled with, where nothing but words written in the source is: by the struct and the
/// field's name in Go.
pub(super) fn filled<'s>(
    packages: &Packages<'s>,
) -> BTreeMap<(&'s str, &'s str), Vec<(String, Spot<'s>)>> {
    let mut found: BTreeMap<(&str, &str), Vec<(String, Spot<'_>)>> = BTreeMap::new();
    let mut others: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (_, package) in packages.all() {
        for function in package.functions.values().chain(package.methods.values()) {
            let (mut made, mut set_later) = (BTreeSet::new(), BTreeSet::new());
            function.walk(|at| {
                match at.kind() {
                    "composite_literal" => {
                        let of = at.field("type").and_then(|of| packages.named(of));
                        let Some((_, of)) = of.filter(|(folder, _)| *folder == MODEL) else {
                            return true;
                        };
                        made.insert(of);
                        let body = at.field("body").map(Spot::children).unwrap_or_default();
                        for pair in body.into_iter().filter(|at| at.kind() == "keyed_element") {
                            let [key, value] = pair.children()[..] else {
                                continue;
                            };
                            let inner = value.children().first().copied().unwrap_or(value);
                            let key = (of, key.text());
                            match packages.string(inner, &|_| None) {
                                Some(word) => found.entry(key).or_default().push((word, inner)),
                                None => _ = others.insert(key),
                            }
                        }
                    }
                    "assignment_statement" => {
                        let left = at.field("left").map(Spot::children).unwrap_or_default();
                        set_later.extend(
                            left.iter().filter_map(|left| Some(left.field("field")?.text())),
                        );
                    }
                    // `type_identifier`s: what a function is given.
                    "type_identifier" => _ = made.insert(at.text()),
                    _ => {}
                }
                true
            });
            for of in made {
                others.extend(set_later.iter().map(|member| (of, *member)));
            }
        }
    }
    found.retain(|key, words| {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|one| one.is_ascii_lowercase() || one == b'_')
        };
        !others.contains(key) && words.iter().all(|(word, _)| is_word(word))
    });
    found
}

/// What is done with a constant where it stands; nothing where it is only looked at.
fn use_of(at: Spot<'_>) -> Option<Use> {
    let mut inner = at;
    while let Some(outer) = inner.parent() {
        match outer.kind() {
            "expression_case" => {
                let is_value =
                    outer.field("value").is_some_and(|value| value.node.id() == inner.node.id());
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
