//! The crate that is made of a small catalogue, as it should look. `FEDISPEC_BLESS=1` writes what is made now.

use std::path::{Path, PathBuf};

use fedispec_codegen::emit::{self, Options};
use fedispec_codegen::write;
use fedispec_model::api::{Api, Layer};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn api() -> Api {
    let opened = fedispec_reader::open(&folder().join("spec"), Layer::Full);
    opened.map_err(|failure| failure.to_string()).expect("the golden catalogue").1
}

#[test]
fn the_crate_looks_as_it_should() {
    let mut made = emit::files(&api(), &Options::default()).expect("Rust");
    // Under its own name cargo would take it for the package that a dependency on the repository names.
    for (path, _) in made.iter_mut().filter(|(path, _)| path == "Cargo.toml") {
        *path = "manifest.toml".into();
    }
    let golden = folder().join("crate");
    if std::env::var_os("FEDISPEC_BLESS").is_some() {
        write::replace(&golden, &made).expect("writable");
    }
    let stale = write::check(&golden, &made).expect("readable");
    assert!(stale.is_empty(), "not as in tests/golden/crate: {stale:?}");
}

#[test]
fn twice_is_the_same() {
    let api = api();
    let options = Options::default();
    let once = emit::files(&api, &options).expect("Rust");
    assert_eq!(once, emit::files(&api, &options).expect("Rust"));
}
