//! The emitted code compiles without a warning, whatever names the items have.

use std::path::{Path, PathBuf};
use std::process::Command;

use fedispec_codegen::emit::{self, Form, Options};
use fedispec_codegen::write;
use fedispec_model::api::{Api, Layer};
use fedispec_model::names::{NameRole, reserved};

fn api() -> Api {
    layer(Layer::Full)
}

fn layer(layer: Layer) -> Api {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen/tests/golden/spec");
    let opened = fedispec_reader::open(&golden, layer);
    opened.map_err(|failure| failure.to_string()).expect("the golden catalogue").1
}

/// A workspace of its own with one crate, which stands on this repository's runtime.
struct Workspace {
    place: PathBuf,
    name: String,
}

impl Workspace {
    fn new(name: &str, files: &[(String, String)]) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let manifest =
            std::fs::read_to_string(root.join("Cargo.toml")).expect("the workspace's manifest");
        let (head, tail) = manifest.split_once("members = [").expect("members");
        let (_, tail) = tail.split_once("\n[workspace.package]").expect("the end of the members");
        let absolute = format!("path = \"{}/", root.canonicalize().expect("the root").display());
        let tail = tail.replace("path = \"", &absolute);
        write::replace(&place.join(name), files).expect("a place to write");
        std::fs::write(
            place.join("Cargo.toml"),
            format!("{head}members = [\"{name}\"]\n\n[workspace.package]{tail}"),
        )
        .expect("a manifest");
        // The same versions as everywhere, without a network.
        let _ = std::fs::copy(root.join("Cargo.lock"), place.join("Cargo.lock"));
        Self { place, name: name.to_owned() }
    }

    /// Checks the crate; gives the errors, and the warnings about the emitted files.
    fn check(&self, features: &str) -> String {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
        let output = Command::new(env!("CARGO"))
            .current_dir(&self.place)
            .env("CARGO_TARGET_DIR", target)
            .args(["check", "--offline", "--message-format", "short", "--features", features])
            .output()
            .expect("cargo");
        let stderr = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            return stderr.into_owned();
        }
        stderr.lines().filter(|line| line.starts_with(&self.name)).collect::<Vec<_>>().join("\n")
    }
}

fn crate_of(api: &Api) -> Vec<(String, String)> {
    emit::files(api, &Options::default()).expect("Rust")
}

#[test]
fn the_golden_crate_compiles() {
    let workspace = Workspace::new("golden", &crate_of(&api()));
    for features in ["", "client-core", "server", "client-core,server"] {
        assert_eq!(workspace.check(features), "", "features: {features}");
    }
}

#[test]
fn the_documents_alone_compile() {
    let documents = crate_of(&layer(Layer::Documents));
    assert_eq!(Workspace::new("documents", &documents).check("client-core,server"), "");
}

#[test]
fn names_do_not_matter() {
    let mut api = api();
    give_bad_names(&mut api);
    assert_eq!(Workspace::new("hygiene", &crate_of(&api)).check("client-core,server"), "");
}

#[test]
fn one_text_compiles_where_it_is_included() {
    let options = Options { form: Form::Single, ..Options::default() };
    let mut files = emit::files(&api(), &options).expect("Rust");
    files[0].0 = "src/bindings.rs".into();
    let inside = "mod bindings {\n    include!(\"bindings.rs\");\n}\npub use bindings::*;\n";
    files.push(("src/lib.rs".into(), format!("//! A user.\n{inside}")));
    files.push((
        "Cargo.toml".into(),
        "[package]\nname = \"user\"\nversion.workspace = true\nedition.workspace = true\n[features]\nboth = []\n\
         [dependencies]\nfedispec-runtime = { workspace = true, features = [\"client\", \"server\"] }\n"
            .into(),
    ));
    assert_eq!(Workspace::new("single", &files).check("both"), "");
}

/// The name, or another where `check` refuses it in that role.
fn allowed(name: &str, role: NameRole) -> String {
    match reserved(name, role) {
        Some(_) => format!("{name}1"),
        None => name.into(),
    }
}

/// Calls everything what would hurt if emitted code relied on a name or wrote it down as it is.
fn give_bad_names(api: &mut Api) {
    const TYPES: &[&str] = &[
        "Request",
        "Operation",
        "Json",
        "Server",
        "Client",
        "Page",
        "Id",
        "Entity",
        "Error",
        "Call",
        "Encode",
        "1x",
        "Decode",
        "Arc",
        "Routes",
        "Router",
        "Events",
        "Timestamp",
        "Cow",
        "Invalid",
        "Type",
        "Item",
    ];
    const VALUES: &[&str] = &[
        "self",
        "type",
        "1x",
        "non_exhaustive",
        "new",
        "clone",
        "default",
        "to",
        "from",
        "crate",
        "super",
        "option",
        "request",
        "call",
        "fn",
        "required",
        "rt",
        "string",
        "encode",
        "mut",
        "async",
        "gen",
        "entities",
        "app",
    ];
    // Every struct begins elsewhere, so that all names have a turn.
    let mut start = 0;
    let mut modules = ["struct", "account", "request"].into_iter();
    for group in &mut api.groups {
        let (old, new) = (group.id.clone(), modules.next().expect("as many names as groups"));
        api.operations.iter_mut().filter(|o| o.group == old).for_each(|o| o.group = new.into());
        group.id = new.into();
        group.rust = TYPES[new.len()].into();
    }
    for (i, operation) in api.operations.iter_mut().enumerate() {
        operation.item.rust = TYPES[i].into();
        operation.rust_fn = allowed(VALUES[i + 3], NameRole::Method);
        start += 5;
        let value = |i: usize| VALUES[(start + i) % VALUES.len()].to_owned();
        for (i, param) in operation.params.iter_mut().enumerate() {
            param.item.rust = allowed(&value(i), NameRole::Param);
        }
        for alternative in &mut operation.alternatives {
            alternative.rust = format!("{}1", alternative.rust);
        }
    }
    let argument_names_differ = api.operations.len();
    for (i, entity) in api.entities.iter_mut().enumerate() {
        entity.item.rust = TYPES[argument_names_differ + i].into();
        start += 5;
        let value = |i: usize| VALUES[(start + i) % VALUES.len()].to_owned();
        for (i, field) in entity.fields.iter_mut().enumerate() {
            field.item.rust = allowed(&value(i), NameRole::Field);
        }
    }
    for (i, enumeration) in api.enums.iter_mut().enumerate() {
        enumeration.item.rust = TYPES[i].into();
        for (value, name) in enumeration.values.iter_mut().zip(["None", "String", "Some"]) {
            value.rust = name.into();
        }
    }
}
