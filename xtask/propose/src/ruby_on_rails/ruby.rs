//! Ruby classes and modules: what they declare, and which method a name means.

use std::collections::{BTreeMap, HashMap};

use crate::syntax::{File, Spot};

/// The classes and modules of a source, by their whole names: `Api::V1::StatusesController`.
pub(super) struct Classes<'s> {
    by_name: BTreeMap<String, Class<'s>>,
}

/// A class or module, as far as all its files declare it.
#[derive(Default)]
pub(super) struct Class<'s> {
    superclass: Option<String>,
    /// The modules that it includes, in their order.
    includes: Vec<String>,
    methods: HashMap<&'s str, Spot<'s>>,
    /// The methods of the class itself: `def self.find`.
    own_methods: HashMap<&'s str, Spot<'s>>,
    constants: HashMap<&'s str, Spot<'s>>,
    /// The calls in its body, and in the blocks that a concern runs where it is included: `before_action :require_user!`.
    pub(super) calls: Vec<Spot<'s>>,
    /// It drops the attributes that it inherits: `self._attributes_data = {}`.
    pub(super) resets: bool,
    /// Where it is declared first.
    pub(super) at: Option<Spot<'s>>,
}

impl<'s> Classes<'s> {
    pub(super) fn new(files: &'s [File]) -> Self {
        let mut classes = Self { by_name: BTreeMap::new() };
        for file in files {
            classes.read(file.root(), "", 0);
        }
        classes
    }

    fn read(&mut self, at: Spot<'s>, outer: &str, depth: usize) {
        if depth > 32 {
            return;
        }
        for child in at.children() {
            match child.kind() {
                "class" | "module" => {
                    let Some(name) = child.field("name").map(Spot::text) else {
                        continue;
                    };
                    let name =
                        if outer.is_empty() { name.to_owned() } else { format!("{outer}::{name}") };
                    let superclass = child.field("superclass").and_then(Spot::first);
                    let class = self.by_name.entry(name.clone()).or_default();
                    class.at.get_or_insert(child);
                    if let Some(above) = superclass {
                        class.superclass = Some(above.text().trim_start_matches("::").to_owned());
                    }
                    if let Some(body) = child.field("body") {
                        class.read(body);
                        self.read(body, &name, depth + 1);
                    }
                }
                "body_statement" | "begin" => self.read(child, outer, depth + 1),
                _ => {}
            }
        }
    }

    /// The controller that a file declares, be it inside modules.
    pub(super) fn controller(&self, path: &str) -> Option<&str> {
        let here = |class: &Class<'s>| class.at.is_some_and(|at| at.file.path == path);
        let mut classes =
            self.by_name.iter().filter(|(name, class)| name.ends_with("Controller") && here(class));
        classes.next().map(|(name, _)| name.as_str())
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&String, &Class<'s>)> {
        self.by_name.iter()
    }

    /// The whole name that a constant means inside a class.
    pub(super) fn resolve(&self, within: &str, name: &str) -> Option<&str> {
        let name = name.trim_start_matches("::");
        let mut outer = within;
        loop {
            let whole = if outer.is_empty() { name.to_owned() } else { format!("{outer}::{name}") };
            if let Some((whole, _)) = self.by_name.get_key_value(&whole) {
                return Some(whole);
            }
            if outer.is_empty() {
                return None;
            }
            outer = outer.rsplit_once("::").map_or("", |(outer, _)| outer);
        }
    }

    /// A class, what it includes, and what is above it, in the order in which Ruby looks for a method.
    pub(super) fn ancestors(&self, name: &str) -> Vec<(&str, &Class<'s>)> {
        let mut found = Vec::new();
        self.collect(name, &mut found, 0);
        found
    }

    fn collect<'c>(&'c self, name: &str, found: &mut Vec<(&'c str, &'c Class<'s>)>, depth: usize) {
        let Some((name, class)) = self.by_name.get_key_value(name) else {
            return;
        };
        if depth > 32 || found.iter().any(|(known, _)| known == name) {
            return;
        }
        found.push((name, class));
        for module in class.includes.iter().rev() {
            if let Some(module) = self.resolve(name, module) {
                self.collect(module, found, depth + 1);
            }
        }
        let outer = name.rsplit_once("::").map_or("", |(outer, _)| outer);
        if let Some(above) = class.superclass.as_ref().and_then(|above| self.resolve(outer, above))
        {
            self.collect(above, found, depth + 1);
        }
    }

    /// The method of that name, and the class that declares it. `skip` leaves out the first classes of the order: `super`.
    pub(super) fn method(&self, class: &str, name: &str, skip: usize) -> Option<Spot<'s>> {
        let ancestors = self.ancestors(class).into_iter().skip(skip);
        let mut methods = ancestors.filter_map(|(_, class)| class.methods.get(name).copied());
        methods.next()
    }

    /// The method of that name that a class itself has: `def self.find`.
    pub(super) fn own_method(&self, class: &str, name: &str) -> Option<Spot<'s>> {
        let ancestors = self.ancestors(class).into_iter();
        let mut methods = ancestors.filter_map(|(_, class)| class.own_methods.get(name).copied());
        methods.next()
    }

    /// All methods of a class's objects, by their names; of those above it that it does not replace.
    pub(super) fn methods(&self, class: &str) -> impl Iterator<Item = Spot<'s>> {
        let mut found = BTreeMap::new();
        for (_, class) in self.ancestors(class) {
            for (name, method) in &class.methods {
                found.entry(*name).or_insert(*method);
            }
        }
        found.into_values()
    }

    /// The value of a constant, as it is meant inside a class, and the class that declares it.
    pub(super) fn constant(&self, within: &str, name: &str) -> Option<(&str, Spot<'s>)> {
        let of = |owner: &str, name: &str| {
            let ancestors = self.ancestors(owner).into_iter();
            let mut found =
                ancestors.filter_map(|(owner, class)| Some((owner, *class.constants.get(name)?)));
            found.next()
        };
        if let Some((owner, name)) = name.rsplit_once("::") {
            return of(self.resolve(within, owner)?, name);
        }
        of(within, name).or_else(|| self.constant(within.rsplit_once("::")?.0, name))
    }

    /// `TABLE = { key: SomeClass }.freeze`: the keys of a class's tables, and the classes that they stand for.
    pub(super) fn table(&self, owner: &str) -> Vec<(String, Spot<'s>, &str)> {
        let Some(class) = self.by_name.get(owner) else {
            return Vec::new();
        };
        let hashes = class.constants().into_values().filter_map(|value| {
            if value.kind() == "call" { value.field("receiver") } else { Some(value) }
        });
        let hashes = hashes.filter(|hash| hash.kind() == "hash");
        let entries = hashes
            .flat_map(|hash| pairs(hash.children()))
            .filter_map(|(key, value)| Some((name(key)?, key, self.resolve(owner, value.text())?)));
        entries.collect()
    }

    /// The words of a constant expression: `%i(a b)`, `[:a, 'b']`, a constant of such, both together, `{a: 1}.keys`.
    pub(super) fn words(&self, within: &str, at: Spot<'s>) -> Option<Vec<(String, Spot<'s>)>> {
        self.words_at(within, at, 0)
    }

    fn words_at(
        &self,
        within: &str,
        at: Spot<'s>,
        depth: usize,
    ) -> Option<Vec<(String, Spot<'s>)>> {
        if depth > 16 {
            return None;
        }
        let inner = |at| self.words_at(within, at, depth + 1);
        match at.kind() {
            "symbol_array" | "string_array" => {
                let words = at.children().into_iter().map(|word| (word.text().to_owned(), word));
                Some(words.collect())
            }
            "array" | "argument_list" => {
                let mut words = Vec::new();
                for element in at.children() {
                    match element.kind() {
                        "splat_argument" => words.extend(inner(element)?),
                        _ => words.push((name(element)?, element)),
                    }
                }
                Some(words)
            }
            "splat_argument" | "parenthesized_statements" => inner(at.first()?),
            "hash" => {
                let pairs = at.children().into_iter().filter(|pair| pair.kind() == "pair");
                let keys = pairs.filter_map(|pair| pair.field("key"));
                keys.map(|key| Some((name(key)?, key))).collect()
            }
            "binary" => {
                let mut left = inner(at.field("left")?)?;
                let right = inner(at.field("right")?)?;
                match at.field("operator")?.text() {
                    "-" => left.retain(|(word, _)| !right.iter().any(|(other, _)| other == word)),
                    _ => left.extend(right),
                }
                Some(left)
            }
            "constant" | "scope_resolution" => {
                let (owner, value) = self.constant(within, at.text())?;
                self.words_at(owner, value, depth + 1)
            }
            "call" => match at.field("method")?.text() {
                "freeze" | "keys" | "uniq" | "map" | "to_set" | "sort" | "flatten" => {
                    inner(at.field("receiver")?)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl<'s> Class<'s> {
    /// The methods of its objects, in the order of their names.
    pub(super) fn methods(&self) -> impl Iterator<Item = Spot<'s>> {
        let methods: BTreeMap<_, _> = self.methods.iter().collect();
        methods.into_values().copied().collect::<Vec<_>>().into_iter()
    }

    /// Its constants, in the order of their names.
    pub(super) fn constants(&self) -> BTreeMap<&'s str, Spot<'s>> {
        self.constants.iter().map(|(name, value)| (*name, *value)).collect()
    }

    fn read(&mut self, body: Spot<'s>) {
        for child in body.children() {
            self.statement(child);
        }
    }

    fn statement(&mut self, at: Spot<'s>) {
        match at.kind() {
            "method" => {
                if let Some(name) = at.field("name") {
                    self.methods.insert(name.text(), at);
                }
            }
            "singleton_method" => {
                if let Some(name) = at.field("name") {
                    self.own_methods.insert(name.text(), at);
                }
            }
            // `class << self`
            "singleton_class" => {
                for method in statements(at) {
                    if let ("method", Some(name)) = (method.kind(), method.field("name")) {
                        self.own_methods.insert(name.text(), method);
                    }
                }
            }
            "assignment" => {
                self.resets |= at.is("left", "self._attributes_data");
                if let (Some(left), Some(right)) = (at.field("left"), at.field("right"))
                    && left.kind() == "constant"
                {
                    self.constants.insert(left.text(), right);
                }
            }
            "call" => {
                let method = at.word("method");
                match method {
                    "include" | "prepend" => {
                        let modules = arguments(at).into_iter();
                        self.includes.extend(modules.map(|module| module.text().to_owned()));
                    }
                    "included" | "class_methods" | "with_options" => {
                        for statement in block(at) {
                            self.statement(statement);
                        }
                    }
                    // `private def x`
                    "private" | "protected" | "public" | "memoize" => {
                        for argument in arguments(at) {
                            self.statement(argument);
                        }
                    }
                    _ => self.calls.push(at),
                }
            }
            "body_statement" => self.read(at),
            _ => {}
        }
    }
}

/// The arguments of a call.
pub(super) fn arguments(call: Spot<'_>) -> Vec<Spot<'_>> {
    call.list("arguments")
}

/// The statements of a call's block.
pub(super) fn block(call: Spot<'_>) -> Vec<Spot<'_>> {
    call.field("block").map(statements).unwrap_or_default()
}

/// The statements of a block, a method or a lambda.
pub(super) fn statements(at: Spot<'_>) -> Vec<Spot<'_>> {
    let Some(body) = at.field("body") else {
        return Vec::new();
    };
    match body.kind() {
        "body_statement" | "block_body" => body.children(),
        // The body of a lambda is a block of its own.
        "block" | "do_block" => statements(body),
        _ => vec![body],
    }
}

/// The statement whose value a body has: what follows is for errors.
pub(super) fn last<'s>(body: &[Spot<'s>]) -> Option<Spot<'s>> {
    let mut body = body.iter().rev();
    body.find(|one| !matches!(one.kind(), "rescue" | "ensure")).copied()
}

/// The value of an option of a call: `only: :index`.
pub(super) fn option<'s>(call: Spot<'s>, key: &str) -> Option<Spot<'s>> {
    value_of(arguments(call), key)
}

/// The keys and values of the pairs in a list.
pub(super) fn pairs(list: Vec<Spot<'_>>) -> impl Iterator<Item = (Spot<'_>, Spot<'_>)> {
    let pairs = list.into_iter().filter(|at| at.kind() == "pair");
    pairs.filter_map(|pair| Some((pair.field("key")?, pair.field("value")?)))
}

/// The value of a key among the pairs in a list.
pub(super) fn value_of<'s>(list: Vec<Spot<'s>>, key: &str) -> Option<Spot<'s>> {
    let mut pairs = pairs(list);
    pairs.find(|(own, _)| name(*own).as_deref() == Some(key)).map(|(_, value)| value)
}

/// The arguments that are no options.
pub(super) fn positional(call: Spot<'_>) -> Vec<Spot<'_>> {
    let arguments = arguments(call).into_iter();
    arguments
        .filter(|argument| {
            !matches!(argument.kind(), "pair" | "block_argument" | "hash_splat_argument")
        })
        .collect()
}

/// The name that a call is given first: `attribute :name`.
pub(super) fn first_name(call: Spot<'_>) -> Option<String> {
    positional(call).first().copied().and_then(name)
}

/// The name under an option of a call.
pub(super) fn option_name(call: Spot<'_>, key: &str) -> Option<String> {
    option(call, key).and_then(name)
}

/// The text of a symbol, a string or a key.
pub(super) fn name(at: Spot<'_>) -> Option<String> {
    match at.kind() {
        "simple_symbol" => Some(at.text().trim_start_matches(':').to_owned()),
        "hash_key_symbol" | "bare_symbol" | "bare_string" => Some(at.text().to_owned()),
        "string" | "delimited_symbol" => {
            let parts = at.children();
            if parts.iter().any(|part| part.kind() == "interpolation") {
                return None;
            }
            Some(parts.into_iter().map(Spot::text).collect())
        }
        _ => None,
    }
}

/// The names in a symbol, a string or a list of them.
pub(super) fn names(at: Spot<'_>) -> Vec<String> {
    match at.kind() {
        "array" => at.children().into_iter().filter_map(name).collect(),
        "symbol_array" | "string_array" => {
            at.children().into_iter().map(|word| word.text().to_owned()).collect()
        }
        _ => name(at).into_iter().collect(),
    }
}

/// `policies` of `policy`, as Rails does for the words that name resources.
pub(super) fn plural(word: &str) -> String {
    if word.ends_with('s') || word.ends_with("media") {
        return word.to_owned();
    }
    match word.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if word.ends_with("ch") || word.ends_with("sh") || word.ends_with('x') => {
            format!("{word}es")
        }
        _ => format!("{word}s"),
    }
}

/// `policy` of `policies`.
pub(super) fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies") {
        return format!("{stem}y");
    }
    for ending in ["statuses", "aliases"] {
        if word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    for ending in ["ches", "shes", "xes"] {
        if word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    word.strip_suffix('s').filter(|stem| !stem.ends_with('s')).unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{plural, singular};

    #[test]
    fn words_bend_as_rails_bends_them() {
        for (one, many) in [
            ("status", "statuses"),
            ("policy", "policies"),
            ("note", "notes"),
            ("media", "media"),
            ("day", "days"),
            ("search", "searches"),
        ] {
            assert_eq!(singular(many), one);
            if one != "status" {
                assert_eq!(plural(one), many);
            }
        }
    }
}
