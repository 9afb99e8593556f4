//! Compares the versions of all items in four places that different code writes: the `#[since(..)]` attributes, the `Since`
//! lines of the documentation, the rows of the item table, and `export`.

use std::collections::{BTreeMap, BTreeSet};

use fedispec_model::api::{Api, Entity, EntityRole, Item, Param, Since};
use fedispec_model::rows::RowSubject;
use fedispec_runtime::{LeftOut, Refused, StableVersion, Unset};
use fedispec_since::{Effect, SafeValues};
use fedispec_tests::{catalogue, root};
use serde_json::Value;

/// Versions such as `mastodon 3.4.0, gotosocial 0.11.0` by the item's path in the source, such as `accounts::Lookup::acct`.
type BySource = BTreeMap<String, String>;

/// The versions in the generated source, by attribute and by documentation.
#[derive(Default)]
struct Source {
    attributes: BySource,
    docs: BySource,
    /// `Mastodon` and `mastodon`
    programs: Vec<(String, String)>,
}

impl Source {
    fn read(api: &Api) -> Self {
        let mut source = Self {
            programs: api
                .programs
                .iter()
                .map(|program| (program.name.clone(), program.key.clone()))
                .collect(),
            ..Self::default()
        };
        for (path, text) in catalogue::tree(&root().join("generated/src")) {
            let text = String::from_utf8(text).expect("UTF-8");
            let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
            let module = path.split(['/', '.']).next().expect("a name");
            for item in &file.items {
                source.item(module, item);
            }
        }
        source
    }

    fn item(&mut self, module: &str, item: &syn::Item) {
        match item {
            syn::Item::Struct(item) => {
                let at = format!("{module}::{}", item.ident);
                self.note(&at, &item.attrs);
                for field in &item.fields {
                    if let Some(name) = &field.ident {
                        self.note(&format!("{at}::{}", plain(name)), &field.attrs);
                    }
                }
            }
            syn::Item::Enum(item) => {
                let at = format!("{module}::{}", item.ident);
                self.note(&at, &item.attrs);
                for variant in &item.variants {
                    self.note(&format!("{at}::{}", plain(&variant.ident)), &variant.attrs);
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, at: &str, attributes: &[syn::Attribute]) {
        for attribute in attributes {
            if attribute.path().is_ident("since") {
                let former = self.attributes.insert(at.to_owned(), arguments(attribute));
                assert_eq!(former, None, "two attributes at {at}");
            }
            let line =
                doc(attribute).and_then(|line| self.versions(line.trim().strip_prefix("Since ")?));
            if let Some(since) = line {
                let former = self.docs.insert(at.to_owned(), since);
                assert_eq!(former, None, "two Since lines at {at}");
            }
        }
    }

    /// Turns `GoToSocial 0.14.0 · not in Mastodon` into the form of the attributes; `None` for a sentence that only begins like that.
    fn versions(&self, line: &str) -> Option<String> {
        let mut said = BTreeMap::new();
        for part in line.split(" · ") {
            let (name, version) = match part.strip_prefix("not in ") {
                Some(name) => (name, "never"),
                None => part.split_once(' ')?,
            };
            let known = self.programs.iter().any(|(program, _)| program == name);
            if !known || version.contains(' ') {
                return None;
            }
            said.insert(name, version);
        }
        let parts = self.programs.iter().filter_map(|(name, key)| {
            let version = said.get(name.as_str()).filter(|version| **version != "unknown")?;
            Some(format!("{key} {version}"))
        });
        Some(parts.collect::<Vec<_>>().join(", "))
    }
}

fn plain(name: &syn::Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

fn doc(attribute: &syn::Attribute) -> Option<String> {
    let syn::Meta::NameValue(pair) = &attribute.meta else {
        return None;
    };
    match &pair.value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. })
            if pair.path.is_ident("doc") =>
        {
            Some(text.value())
        }
        _ => None,
    }
}

/// The versions of `#[since(mastodon = "3.4.0", gotosocial = never)]`.
fn arguments(attribute: &syn::Attribute) -> String {
    let mut parts = Vec::new();
    let list = attribute.meta.require_list().expect("since(..)");
    let pairs = list
        .parse_args_with(
            syn::punctuated::Punctuated::<syn::MetaNameValue, syn::Token![,]>::parse_terminated,
        )
        .expect("program = version");
    for pair in pairs {
        let program = pair.path.get_ident().expect("a program").to_string();
        match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(version), .. }) => {
                parts.push(format!("{program} {}", version.value()));
            }
            syn::Expr::Path(word) => {
                parts.push(format!("{program} {}", word.path.get_ident().expect("a word")));
            }
            _ => {}
        }
    }
    parts.join(", ")
}

/// The same text for an item of the resolved API; `None` where no program states a version.
fn stated(api: &Api, item: &Item) -> Option<String> {
    let dated = item.life.iter().any(|life| matches!(life.since, Since::Since(_)));
    let parts =
        api.programs.iter().zip(&item.life).filter(|(_, life)| life.since != Since::Unknown);
    dated.then(|| {
        parts
            .map(|(program, life)| format!("{} {}", program.key, life.since))
            .collect::<Vec<_>>()
            .join(", ")
    })
}

/// The path in the source where each item with a version must stand, by the names that the resolver gave.
fn expected(api: &Api) -> BySource {
    let mut places = BySource::new();
    let mut put = |at: String, item: &Item| {
        if let Some(since) = stated(api, item).filter(|_| !item.implied) {
            let former = places.insert(at.clone(), since);
            assert_eq!(former, None, "two items at {at}");
        }
    };
    let arguments: BTreeMap<&str, &Entity> =
        api.entities.iter().map(|entity| (entity.item.id.as_str(), entity)).collect();
    for operation in &api.operations {
        let at = format!("{}::{}", operation.group, operation.item.rust);
        put(at.clone(), &operation.item);
        for param in &operation.params {
            let owner = param.parent.as_deref().map_or(at.clone(), |parent| {
                format!("{}::{}", operation.group, arguments[parent].item.rust)
            });
            put(format!("{owner}::{}", param.item.rust), &param.item);
        }
    }
    for entity in
        api.entities.iter().filter(|entity| !matches!(entity.role, EntityRole::Argument(_)))
    {
        for field in &entity.fields {
            put(format!("entities::{}::{}", entity.item.rust, field.item.rust), &field.item);
        }
    }
    for enumeration in &api.enums {
        let at = format!("enums::{}", enumeration.item.rust);
        put(at.clone(), &enumeration.item);
        for value in &enumeration.values {
            put(format!("{at}::{}", value.rust), value);
        }
    }
    places
}

/// Containers without a row of their own: entities and the structs of array elements.
fn is_container(api: &Api, at: &str) -> bool {
    api.entities.iter().any(|entity| at.rsplit("::").next() == Some(&entity.item.rust))
        && at.matches("::").count() == 1
        && !api.enums.iter().any(|enumeration| at == format!("enums::{}", enumeration.item.rust))
        && !api
            .operations
            .iter()
            .any(|operation| at == format!("{}::{}", operation.group, operation.item.rust))
}

/// Modules that repeat items of other modules: the server traits, and the enumerations of events with their payload.
const REPEATS: [&str; 2] = ["server::", "events::"];

fn without_containers(api: &Api, places: BySource) -> BySource {
    places
        .into_iter()
        .filter(|(at, _)| {
            !REPEATS.iter().any(|module| at.starts_with(module)) && !is_container(api, at)
        })
        .collect()
}

fn same(what: &str, found: &BySource, wanted: &BySource) {
    let lost: Vec<_> = wanted.keys().filter(|at| !found.contains_key(*at)).take(10).collect();
    let more: Vec<_> = found.keys().filter(|at| !wanted.contains_key(*at)).take(10).collect();
    assert!(
        lost.is_empty() && more.is_empty(),
        "{what}: lost {lost:?}, not in the catalogue {more:?}"
    );
    for (at, since) in wanted {
        assert_eq!(found.get(at), Some(since), "{what}: {at}");
    }
}

#[test]
fn attributes_and_documentation_are_the_catalogue() {
    let api = catalogue::typed();
    let source = Source::read(&api);
    let wanted = expected(&api);
    assert!(!wanted.is_empty());
    same("attributes", &without_containers(&api, source.attributes), &wanted);
    same("documentation", &without_containers(&api, source.docs), &wanted);
}

#[test]
fn rows_are_the_export() {
    let api = catalogue::whole();
    let export = fedispec_report::export::export(&api, "spec").expect("an export");
    let export: Value = serde_json::from_str(&export).expect("JSON");
    let mut told = BTreeMap::new();
    let items = export["items"].as_array().expect("items").iter();
    for item in items.filter(|item| item["kind"] != "feature") {
        let id = item["id"].as_str().expect("an id").to_owned();
        told.insert(id, (item["kind"].to_string(), item["since"].to_string()));
    }
    let table = fedispec::items();
    let mut rows = BTreeMap::new();
    for row in table.rows().iter().filter(|row| !row.is_inherited()) {
        let since: serde_json::Map<_, _> = table
            .programs()
            .iter()
            .zip(row.lives())
            .map(|(program, life)| (program.key().to_owned(), Value::from(life.own().to_string())))
            .collect();
        rows.insert(
            row.id().to_owned(),
            (Value::from(row.kind().name()).to_string(), Value::from(since).to_string()),
        );
    }
    let ids = |of: &BTreeMap<String, _>| of.keys().cloned().collect::<BTreeSet<_>>();
    let (in_rows, in_export) = (ids(&rows), ids(&told));
    assert!(
        in_rows == in_export,
        "only rows: {:?}; only export: {:?}",
        in_rows.difference(&in_export),
        in_export.difference(&in_rows)
    );
    for (id, row) in &rows {
        assert_eq!(Some(row), told.get(id), "{id}");
    }
}

/// The rows are text that the runtime reads: nothing of it may get lost.
#[test]
fn rows_say_all_that_the_catalogue_says() {
    let api = catalogue::whole();
    let table = fedispec::items();
    let rows = fedispec_model::rows::rows(&api);
    assert_eq!(table.rows().len(), rows.len());
    for row in rows {
        let id = row.item.id.as_str();
        let read = table.get(id).unwrap_or_else(|| panic!("no row {id}"));
        let wire = match row.subject {
            RowSubject::Operation(_) => "",
            _ => row.item.wire.as_str(),
        };
        assert_eq!((read.name(), read.is_inherited()), (wire, row.inherited()), "{id}");
        assert_eq!(read.lives().len(), row.item.life.len(), "{id}");
        for (life, read) in row.item.life.iter().zip(read.lives()) {
            let version = |version: Option<StableVersion>| version.map(StableVersion::version);
            assert_eq!(read.own(), life.since.into(), "{id}");
            // An item that no operation answers comes later than its containers.
            assert!(read.effective() >= life.effective.into(), "{id}");
            assert_eq!(read.works(), life.works_since.map(Into::into), "{id}");
            assert_eq!(read.deprecated_in(), version(life.deprecated), "{id}");
            assert_eq!(read.removed_in(), version(life.removed), "{id}");
            let holes =
                { life.absent.iter() }.map(|(from, until)| (from.version(), until.version()));
            assert!(read.holes().eq(holes), "{id}");
        }
        if let RowSubject::Param(_, param) = row.subject {
            assert_eq!(meaning(read, api.programs.len()), stated_meaning(param), "{id}");
        }
    }
}

/// The effect of an update without a parameter, and by program that of leaving it out and the refusal.
type Meaning = (Option<Unset>, Vec<(Option<LeftOut>, Option<Refused>)>);

fn meaning(read: &fedispec_runtime::Item, programs: usize) -> Meaning {
    let programs = 0..programs;
    let said = programs.map(|program| {
        let left_out = read.left_out_in(program, None).cloned();
        (left_out, read.refused(program).copied())
    });
    (read.unset(), said.collect())
}

fn stated_meaning(param: &Param) -> Meaning {
    let said = param.item.life.iter().enumerate().map(|(program, life)| {
        // Of a program that nobody has looked into, the rows say that another act is another act, and no more.
        let caution = || {
            let left_out = param.left_out.clone().filter(|_| life.apart)?;
            let is_another_act = left_out.effect == Effect::ChangesMeaning;
            is_another_act.then(|| LeftOut { safe: SafeValues::default(), ..left_out })
        };
        let left_out = param.at(program, None).left_out.or_else(caution);
        (left_out, param.refused.get(program).copied().flatten())
    });
    (param.unset, said.collect())
}

/// There are as many rows with a version as attributes, so no item has a row without an attribute, or two of either.
#[test]
fn dated_rows_are_as_many_as_attributes() {
    let api = catalogue::typed();
    let dated = |life: &fedispec_runtime::Life| {
        life.own().to_string().starts_with(|first: char| first.is_ascii_digit())
    };
    // The attributes tell of the programs that the types are made for, which come first.
    let programs = api.programs.len();
    let rows =
        fedispec::items().rows().iter().filter(|row| row.lives().take(programs).any(dated)).count();
    let source = Source::read(&api);
    // The values of a map have a row, but no field of their own in the struct.
    let entries = api
        .entities
        .iter()
        .flat_map(|entity| &entity.fields)
        .filter_map(|field| field.entry.as_deref());
    let entries = entries.filter(|entry| stated(&api, &entry.item).is_some()).count();
    assert_eq!(rows, without_containers(&api, source.attributes).len() + entries);
}
