//! The two sample crates, with other settings, and in crates of other kinds.

use fedispec_tests::skip::skipped;

use crate::crates::Crate;

/// The included text is parsed by the edition of the crate that includes it.
#[test]
fn an_older_edition_will_do() {
    let sample = Crate::copy("samples/client", "sample-client-2018");
    sample.replace("Cargo.toml", "edition = \"2024\"", "edition = \"2018\"");
    sample.compiles();

    let sample = Crate::copy("samples/server", "sample-server-2021");
    sample.replace("Cargo.toml", "edition = \"2024\"", "edition = \"2021\"");
    sample.compiles();
}

/// To the compiler included text is the user's code, under the user's lints.
#[test]
fn a_strict_crate_may_include_it_anywhere() {
    let strict = "#![deny(warnings, missing_docs, unreachable_pub, missing_debug_implementations, unused_qualifications)]
#![deny(rust_2018_idioms, nonstandard_style, clippy::all, clippy::pedantic, clippy::nursery)]
#![forbid(unsafe_code)]
";
    // The including module shadows names of the prelude and of crates, and is not at the crate's root.
    let around = "mod around {
    #![allow(dead_code, clippy::redundant_pub_crate)]
    struct String;
    struct Option;
    struct Result;
    mod std {}
    mod serde {}
    pub(super) mod fedispec {
";
    let sample = Crate::copy("samples/server", "sample-server-strict");
    let main = sample.read("src/main.rs");
    let main = main.replace("mod fedispec {\n", around);
    let end = "fedispec.rs\"));\n}";
    let main = main.replace(end, &format!("{end}\n}}\nuse around::fedispec;"));
    let (docs, code) = main.split_once('\n').expect("documentation");
    sample.write("src/main.rs", &format!("{docs}\n{strict}{code}"));
    let ran = sample.cargo(&["clippy", "--quiet"]);
    if ran.stderr.contains("no such command") {
        return skipped("a_strict_crate_may_include_it_anywhere", "clippy is not installed");
    }
    assert_eq!(ran.succeeded().stderr, "");
}

/// `current` follows the program that the build script names.
#[test]
fn what_is_current_is_that_of_the_chosen_program() {
    let sample = Crate::copy("samples/server", "sample-server-current");
    let main = sample.read("src/main.rs");
    let used = "/// Only Mastodon says so.\npub fn is_indexable(account: &fedispec::current::Account) -> bool {\n    account.indexable\n}\n";
    sample.write("src/main.rs", &format!("{main}\n{used}"));
    sample.compiles();
    sample.replace("build.rs", ".server()", ".server()\n        .current(\"gotosocial\")");
    sample.fails_with(&["error[E0609]: no field `indexable` on type `&", "current::Account`"]);
    sample.replace("build.rs", "gotosocial", "gotosocail");
    sample.fails_with(&[
        "`.current(..)`: the catalogue does not know the program `gotosocail`; did you mean `gotosocial`?",
    ]);
}
