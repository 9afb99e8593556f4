//! Go packages: what they declare, what their names mean, and constant expressions.

use std::collections::{BTreeMap, HashMap};

use crate::syntax::{File, Spot};

/// The package of what is answered.
pub(super) const MODEL: &str = "internal/api/model";

/// The packages of a module that were read.
pub(super) struct Packages<'s> {
    /// The path of the module: `code.superseriousbusiness.org/gotosocial`.
    module: &'s str,
    by_folder: BTreeMap<&'s str, Package<'s>>,
    /// The declarations of files that are not part of a release.
    other_builds: BTreeMap<&'s str, Package<'s>>,
    /// By file, the paths of the packages that its names mean.
    imports: HashMap<&'s str, HashMap<&'s str, &'s str>>,
}

/// A package.
#[derive(Default)]
pub(super) struct Package<'s> {
    functions: BTreeMap<&'s str, Spot<'s>>,
    /// By the receiver's type and their name.
    pub(super) methods: BTreeMap<(&'s str, &'s str), Spot<'s>>,
    /// The expressions of constants and variables.
    pub(super) constants: BTreeMap<&'s str, Constant<'s>>,
    /// The `type_spec`s.
    pub(super) types: BTreeMap<&'s str, Spot<'s>>,
}

/// A constant or variable of a package.
#[derive(Clone, Copy)]
pub(super) struct Constant<'s> {
    /// Its name where it is declared.
    pub(super) name: Spot<'s>,
    pub(super) r#type: Option<Spot<'s>>,
    pub(super) value: Option<Spot<'s>>,
}

/// A type of a package: its folder and name.
pub(super) type TypeName<'s> = (&'s str, &'s str);

impl<'s> Packages<'s> {
    /// Finds out what the files declare. What is of other platforms and of builds for debugging stands apart.
    pub(super) fn new(module: &'s str, files: &'s [File]) -> Self {
        let mut by_folder: BTreeMap<&str, Package<'s>> = BTreeMap::new();
        let mut other_builds: BTreeMap<&str, Package<'s>> = BTreeMap::new();
        for file in files {
            let built = if is_built(&file.text) { &mut by_folder } else { &mut other_builds };
            let package = built.entry(folder(&file.path)).or_default();
            for declaration in file.root().children() {
                declare(package, declaration);
            }
        }
        Self {
            module,
            by_folder,
            other_builds,
            imports: files.iter().map(|file| (file.path.as_str(), imports(file))).collect(),
        }
    }

    /// The method that stands for one of a release in another build.
    pub(super) fn of_other_builds(&self, method: Spot<'s>) -> Option<Spot<'s>> {
        let name = method.field("name")?.text();
        let (_, of) = receiver(method)?;
        let package = self.other_builds.get(folder(&method.file.path))?;
        package.methods.get(&(of, name)).copied()
    }

    pub(super) fn package(&self, folder: &str) -> Option<&Package<'s>> {
        self.by_folder.get(folder)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&'s str, &Package<'s>)> {
        self.by_folder.iter().map(|(folder, package)| (*folder, package))
    }

    /// The functions and methods of all packages, with the folders of these.
    pub(super) fn functions(&self) -> impl Iterator<Item = (&'s str, Spot<'s>)> {
        self.all().flat_map(|(folder, package)| {
            let functions = package.functions.values().chain(package.methods.values());
            functions.map(move |function| (folder, *function))
        })
    }

    /// The function or method of that name, where there is one alone.
    pub(super) fn only(&self, name: &str) -> Option<Spot<'s>> {
        let mut found = self.functions().filter(|(_, function)| function.is("name", name));
        let (_, first) = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// The name of a type, where it is one of what is answered.
    pub(super) fn answered(&self, at: Spot<'s>) -> Option<&'s str> {
        self.named(at).filter(|(folder, _)| *folder == MODEL).map(|(_, name)| name)
    }

    /// The path that a package's name means in a file: a folder of the module, or another module's path.
    pub(super) fn import(&self, file: &'s File, name: &str) -> Option<&'s str> {
        let path = self.imports.get(file.path.as_str())?.get(name)?;
        Some(self.folder_of(path))
    }

    /// The package and the name of `pkg.Name`.
    pub(super) fn selected(&self, at: Spot<'s>) -> Option<(&'s str, &'s str)> {
        let folder = self.import(at.file, at.field("operand")?.text())?;
        Some((folder, at.field("field")?.text()))
    }

    fn folder_of(&self, path: &'s str) -> &'s str {
        let inner = path.strip_prefix(self.module);
        inner.and_then(|path| path.strip_prefix('/')).unwrap_or(path)
    }

    /// The function or method value that an expression names: `name`, `pkg.Name`, or `m.Name` where `m` is a value of that type.
    pub(super) fn function(
        &self,
        at: Spot<'s>,
        type_of: &dyn Fn(&str) -> Option<TypeName<'s>>,
    ) -> Option<Spot<'s>> {
        match at.kind() {
            "identifier" => {
                let package = self.package(folder(&at.file.path))?;
                package.functions.get(at.text()).copied()
            }
            "selector_expression" => {
                let (operand, name) = (at.field("operand")?, at.field("field")?.text());
                if operand.kind() != "identifier" {
                    return None;
                }
                if let Some((folder, receiver)) = type_of(operand.text()) {
                    return self.package(folder)?.methods.get(&(receiver, name)).copied();
                }
                let folder = self.import(at.file, operand.text())?;
                self.package(folder)?.functions.get(name).copied()
            }
            "parenthesized_expression" => self.function(at.first()?, type_of),
            _ => None,
        }
    }

    /// The declaration of a type, through pointers, slices and maps: the folder, and the name in it.
    pub(super) fn named(&self, at: Spot<'s>) -> Option<TypeName<'s>> {
        match at.kind() {
            "type_identifier" => Some((folder(&at.file.path), at.text())),
            "qualified_type" => {
                let package = at.field("package")?;
                Some((self.import(at.file, package.text())?, at.field("name")?.text()))
            }
            "generic_type" => self.named(at.field("type")?),
            "pointer_type" | "parenthesized_type" => self.named(at.first()?),
            _ => None,
        }
    }

    pub(super) fn declaration(&self, name: TypeName<'s>) -> Option<Spot<'s>> {
        self.package(name.0)?.types.get(name.1).copied()
    }

    /// The text that a constant expression stands for. `local` tells what names of a function stand for.
    pub(super) fn string(
        &self,
        at: Spot<'s>,
        local: &dyn Fn(&str) -> Option<String>,
    ) -> Option<String> {
        self.string_within(at, local, 0)
    }

    fn string_within(
        &self,
        at: Spot<'s>,
        local: &dyn Fn(&str) -> Option<String>,
        depth: usize,
    ) -> Option<String> {
        // A constant that is made of itself, or of thousands, does not compile or is no path, but a source can say it.
        if depth > 16 {
            return None;
        }
        let inner = |at| self.string_within(at, local, depth + 1);
        match at.kind() {
            "interpreted_string_literal" => Some(unquoted(at.text())),
            "raw_string_literal" => Some(at.text().trim_matches('`').to_owned()),
            "binary_expression" if at.field("operator").is_none_or(|one| one.text() == "+") => {
                Some(inner(at.field("left")?)? + &inner(at.field("right")?)?)
            }
            "parenthesized_expression" => inner(at.first()?),
            "identifier" => local(at.text()).or_else(|| {
                let constant = self.constant(folder(&at.file.path), at.text())?;
                self.string_within(constant.value?, &|_| None, depth + 1)
            }),
            "selector_expression" => {
                let (folder, name) = self.selected(at)?;
                if folder == "net/http" {
                    return Some(name.strip_prefix("Method")?.to_uppercase());
                }
                let constant = self.constant(folder, name)?;
                self.string_within(constant.value?, &|_| None, depth + 1)
            }
            // A conversion, such as `Scope("read")`.
            "call_expression" | "type_conversion_expression" => {
                let to = at.field("function").or_else(|| at.field("type"))?;
                let name = match to.kind() {
                    "identifier" | "type_identifier" => (folder(&to.file.path), to.text()),
                    _ => self.selected(to)?,
                };
                let is_type = to.text() == "string" || self.declaration(name).is_some();
                match arguments(at)[..] {
                    [one] if is_type => inner(one),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The number that an expression is: a literal or a constant.
    pub(super) fn number(&self, at: Spot<'s>) -> Option<i64> {
        if at.kind() == "int_literal" {
            return at.text().parse().ok();
        }
        let (folder, name) = match at.kind() {
            "identifier" => (folder(&at.file.path), at.text()),
            _ => self.selected(at)?,
        };
        self.constant(folder, name)?.value?.text().parse().ok()
    }

    pub(super) fn constant(&self, folder: &str, name: &str) -> Option<Constant<'s>> {
        self.package(folder)?.constants.get(name).copied()
    }

    /// Whether constants of a type are declared beside it.
    pub(super) fn constants_of(&self, (folder, name): TypeName<'s>) -> bool {
        let constants = self.package(folder).into_iter();
        let mut constants = constants.flat_map(|package| package.constants.values());
        constants.any(|constant| constant.r#type.is_some_and(|of| of.text() == name))
    }
}

/// The paths that a file imports, by the names that it gives them.
fn imports(file: &File) -> HashMap<&str, &str> {
    let mut found = HashMap::new();
    let declarations = file.root().children().into_iter();
    let declarations = declarations.filter(|declared| declared.kind() == "import_declaration");
    for spec in declarations.flat_map(|declared| declared.of_kind("import_spec")) {
        let path = spec.word("path").trim_matches(['"', '`']);
        let own = spec.field("name").map(Spot::text);
        found.entry(own.unwrap_or(package_name(path))).or_insert(path);
    }
    found
}

/// The folder of a file; of a library beside the program, the path that it is imported by.
pub(super) fn folder(path: &str) -> &str {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    folder.strip_prefix("vendor/").unwrap_or(folder)
}

/// The name that a package goes by: the last part of its path that is no version.
pub(super) fn package_name(path: &str) -> &str {
    let is_version =
        |part: &&str| part.strip_prefix('v').is_some_and(|number| number.parse::<u32>().is_ok());
    let mut parts = path.rsplit('/').skip_while(is_version);
    parts.next().unwrap_or(path)
}

/// The values of a switch's cases.
pub(super) fn case_values(switch: Spot<'_>) -> impl Iterator<Item = Spot<'_>> {
    let cases = switch.children().into_iter();
    let cases = cases.filter(|at| at.kind() == "expression_case");
    cases.filter_map(|case| case.field("value")).flat_map(Spot::children)
}

/// The arguments of a call.
pub(super) fn arguments(call: Spot<'_>) -> Vec<Spot<'_>> {
    let list = call.field("arguments").or_else(|| call.child("argument_list"));
    list.map_or_else(|| call.field("operand").into_iter().collect(), Spot::children)
}

/// A text without its quotes and escapes.
fn unquoted(literal: &str) -> String {
    // The escapes of JSON cover those that names and paths have.
    serde_json::from_str(literal).unwrap_or_else(|_| literal.trim_matches('"').to_owned())
}

/// Notes what a declaration declares.
fn declare<'s>(package: &mut Package<'s>, declaration: Spot<'s>) {
    match declaration.kind() {
        "function_declaration" => {
            package.functions.insert(declaration.word("name"), declaration);
        }
        "method_declaration" => {
            if let Some((_, of)) = receiver(declaration) {
                package.methods.insert((of, declaration.word("name")), declaration);
            }
        }
        "type_declaration" => {
            for spec in declaration.children() {
                if let Some(name) = spec.field("name") {
                    package.types.insert(name.text(), spec);
                }
            }
        }
        "const_declaration" | "var_declaration" => declaration.walk(|spot| {
            let is_spec = matches!(spot.kind(), "const_spec" | "var_spec");
            if is_spec {
                let values = spot.list("value");
                for (place, name) in spot.fields("name").into_iter().enumerate() {
                    let constant = Constant {
                        name,
                        r#type: spot.field("type"),
                        value: values.get(place).copied(),
                    };
                    package.constants.insert(name.text(), constant);
                }
            }
            !is_spec
        }),
        _ => {}
    }
}

/// The name and the type of a method's receiver.
pub(super) fn receiver(method: Spot<'_>) -> Option<(Option<&str>, &str)> {
    let declared = method.field("receiver")?.child("parameter_declaration")?;
    let of = declared.field("type")?.of_kind("type_identifier").next()?;
    Some((declared.field("name").map(Spot::text), of.text()))
}

/// Whether a file is part of a release: what its build constraint says with no tag set.
fn is_built(text: &str) -> bool {
    let constraint = text.lines().take_while(|line| !line.starts_with("package "));
    let mut constraints = constraint.filter_map(|line| line.strip_prefix("//go:build "));
    constraints.next().is_none_or(holds)
}

/// Whether a build constraint holds on Linux with no tag set.
fn holds(constraint: &str) -> bool {
    // `||` binds less than `&&`. Brackets inside do not occur often enough to be worth a parser: what stands in them is read flat.
    let flat = constraint.replace(['(', ')'], " ");
    flat.split("||").any(|all| {
        all.split("&&").all(|tag| {
            let tag = tag.trim();
            match tag.strip_prefix('!') {
                Some(tag) => !is_set(tag),
                None => is_set(tag),
            }
        })
    })
}

fn is_set(tag: &str) -> bool {
    matches!(tag.trim(), "linux" | "unix" | "amd64" | "gc") || tag.trim().starts_with("go1.")
}

#[cfg(test)]
mod tests {
    use super::is_built;

    #[test]
    fn files_of_other_builds_are_left_out() {
        assert!(is_built("package a"));
        assert!(is_built("// text\n\n//go:build !debug && !debugenv\n\npackage a"));
        assert!(!is_built("//go:build debug || debugenv\n\npackage a"));
        assert!(is_built("//go:build linux\npackage a"));
        assert!(!is_built("//go:build windows\npackage a"));
        assert!(is_built("package a\n//go:build windows"));
    }
}
