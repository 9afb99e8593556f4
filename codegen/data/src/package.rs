//! Packages for JavaScript and Python: the code that is written by hand, and the data.

use fedispec_model::api::{Api, Feature};
use serde_json::{Map, Value, json};

use crate::lives::{Item, Lives};

/// The version of the packages, which is that of the crate.
const VERSION: &str = env!("CARGO_PKG_VERSION");
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const LICENSE: &str = env!("CARGO_PKG_LICENSE");

/// The words that the packages are found by.
fn keywords(api: &Api) -> Vec<&str> {
    vec![api.profiles.reference.as_str(), "fediverse", "compatibility"]
}

fn summary(api: &Api) -> String {
    format!("What servers of the {} support, by their version strings", api.title())
}

/// A text file of a folder.
pub(crate) type Text = (String, String);

/// The package for npm.
pub(crate) fn npm(api: &Api, lives: &Lives<'_>) -> Vec<Text> {
    let needed = features_items(api, lives);
    let data = |values: &[(&str, Vec<(String, Value)>)]| -> String {
        let constants = values
            .iter()
            .map(|(name, entries)| format!("export const {name} = {};\n", object(entries)));
        constants.collect()
    };
    let constant = |(name, value): (&str, String)| format!("export const {name} = {value};\n");
    let package = json!({
        "name": "fedispec",
        "version": VERSION,
        "description": summary(api),
        "license": LICENSE,
        "repository": {"type": "git", "url": format!("git+{REPOSITORY}.git")},
        "keywords": keywords(api),
        "type": "module",
        "sideEffects": false,
        "exports": {
            ".": {"types": "./index.d.ts", "default": "./index.js"},
            "./vectors.json": "./vectors.json",
        },
        "types": "./index.d.ts",
        "files": ["*.js", "*.d.ts", "vectors.json"],
    });
    let by_hand = [
        ("features.js", include_str!("../js/features.js")),
        ("identify.js", include_str!("../js/identify.js")),
        ("index.d.ts", include_str!("../js/index.d.ts")),
        ("index.js", include_str!("../js/index.js")),
        ("items.js", include_str!("../js/items.js")),
        ("pattern.js", include_str!("../js/pattern.js")),
        ("verdict.js", include_str!("../js/verdict.js")),
    ];
    let made = [
        ("README.md", readme(include_str!("../js/README.md"))),
        ("features.data.js", data(&[("FEATURES", features(api)), ("LIVES", items(needed))])),
        ("items.data.js", data(&[("ITEMS", items(all(lives)))])),
        ("package.json", pretty(&package)),
        ("programs.js", programs(api).map(constant).concat()),
    ];
    texts("", &by_hand, made)
}

/// The package for Python.
pub(crate) fn python(api: &Api, lives: &Lives<'_>) -> Vec<Text> {
    let programs =
        programs(api).map(|(name, value)| format!("\"{}\": {value}", name.to_lowercase()));
    let project = format!(
        "[build-system]\nrequires = [\"setuptools>=77\"]\nbuild-backend = \"setuptools.build_meta\"\n\n\
         [project]\nname = \"fedispec\"\nversion = \"{VERSION}\"\ndescription = \"{}\"\nreadme = \"README.md\"\n\
         requires-python = \">=3.9\"\nlicense = \"{LICENSE}\"\nlicense-files = [\"LICENSE-*\"]\nkeywords = {:?}\n\
         urls = {{ Repository = \"{REPOSITORY}\" }}\n\n\
         [tool.setuptools]\npackages = [\"fedispec\"]\npackage-dir = {{ \"\" = \"src\" }}\n\n\
         [tool.setuptools.package-data]\nfedispec = [\"*.json\", \"py.typed\"]\n",
        summary(api),
        keywords(api),
    );
    let by_hand = [
        ("__init__.py", include_str!("../python/__init__.py")),
        ("_data.py", include_str!("../python/_data.py")),
        ("_identify.py", include_str!("../python/_identify.py")),
        ("_pattern.py", include_str!("../python/_pattern.py")),
        ("_verdict.py", include_str!("../python/_verdict.py")),
        ("py.typed", ""),
    ];
    let made = [
        ("features.json", object(&features(api)) + "\n"),
        ("items.json", object(&items(all(lives))) + "\n"),
        ("programs.json", format!("{{\n{}\n}}\n", programs.join(",\n"))),
    ];
    let mut files = texts("src/fedispec/", &by_hand, made);
    files.push(("README.md".to_owned(), readme(include_str!("../python/README.md"))));
    files.push(("pyproject.toml".to_owned(), project));
    files
}

fn texts<const N: usize>(
    folder: &str,
    by_hand: &[(&str, &str)],
    made: [(&str, String); N],
) -> Vec<Text> {
    let by_hand = by_hand.iter().map(|(path, text)| (*path, (*text).to_owned()));
    let all = by_hand.chain(made);
    all.map(|(path, text)| (format!("{folder}{path}"), text)).collect()
}

/// A package's own part, and the rules that it follows.
fn readme(own: &str) -> String {
    format!("{own}\n{}", include_str!("../rules.md"))
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// An object with a line for each entry.
fn object(entries: &[(String, Value)]) -> String {
    let lines: Vec<String> =
        entries.iter().map(|(key, value)| format!("{}:{value}", json!(key))).collect();
    format!("{{\n{}\n}}", lines.join(",\n"))
}

/// The programs, each with its releases, and the profiles that version strings are read by.
fn programs(api: &Api) -> [(&'static str, String); 3] {
    let programs = api.programs.iter().map(|program| {
        let releases: Vec<String> =
            program.releases.iter().map(|release| release.version.to_string()).collect();
        json!({
            "key": program.key,
            "name": program.name,
            "nodeinfo": program.nodeinfo,
            "releases": releases,
            "looked_at": program.newest_looked_at().map(|version| version.to_string()),
        })
    });
    let lines = |values: &mut dyn Iterator<Item = Value>| {
        let lines: Vec<String> = values.map(|value| value.to_string()).collect();
        format!("[\n{}\n]", lines.join(",\n"))
    };
    [
        ("REFERENCE", json!(api.profiles.reference).to_string()),
        ("PROGRAMS", lines(&mut { programs })),
        ("PROFILES", lines(&mut profiles(api).into_iter())),
    ]
}

/// How programs are recognized, in the order in which patterns of equal rank are tried.
pub(crate) fn profiles(api: &Api) -> Vec<Value> {
    let profiles = api.profiles.programs.iter().map(|profile| {
        let mut said = json!(profile.versions);
        said["key"] = json!(profile.key);
        said["nodeinfo"] = json!(profile.nodeinfo);
        if let Some(base) = &profile.based_on {
            said["based_on"] = json!(base);
        }
        said
    });
    profiles.collect()
}

fn features(api: &Api) -> Vec<(String, Value)> {
    let facts = |feature: &Feature| {
        json!({
            "summary": feature.summary,
            "synonyms": feature.synonyms,
            "all": feature.all,
            "one_of": feature.one_of,
        })
    };
    api.features.iter().map(|feature| (feature.id.clone(), facts(feature))).collect()
}

/// The items that features are made up of.
fn features_items<'l>(api: &'l Api, lives: &'l Lives<'_>) -> Vec<(&'l str, &'l Item)> {
    let mut ids: Vec<&str> = api.features.iter().flat_map(Feature::items).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().filter_map(|id| Some((id, lives.get(id)?))).collect()
}

fn all<'l>(lives: &'l Lives<'_>) -> Vec<(&'l str, &'l Item)> {
    lives.0.iter().map(|(id, item)| (*id, item)).collect()
}

fn items(items: Vec<(&str, &Item)>) -> Vec<(String, Value)> {
    let texts = |item: &Item| item.lives.iter().map(|life| Value::String(life.text())).collect();
    items.into_iter().map(|(id, item)| (id.to_owned(), Value::Array(texts(item)))).collect()
}

/// A map of a JSON object.
pub(crate) fn map(entries: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Object(entries.into_iter().collect::<Map<_, _>>())
}
