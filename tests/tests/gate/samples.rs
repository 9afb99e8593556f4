//! The two sample crates, as they are, with other settings, and in crates of other kinds.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use fedispec_tests::skip::skipped;

use crate::crates::Crate;

/// A server process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ask(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(
        stream,
        "{request} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    )
    .expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn the_server_has_what_the_overlay_adds() {
    let sample = Crate::copy("samples/server", "sample-server");
    let told = "fedispec::items();\n    let leaf = fedispec_runtime::Identity::read(\"2.1.0-leaf.4\", None);\n    \
                println!(\"{:?} {:?}\", leaf.program, leaf.version);\n    let router =";
    sample.replace("src/main.rs", "let router =", told);
    let built = sample.cargo(&["build", "--quiet"]).succeeded();
    assert_eq!(built.stderr, "", "warnings");
    let mut command = sample.command(&["run", "--quiet"]);
    let mut server = Running(command.stdout(Stdio::piped()).spawn().expect("the server"));
    let stdout = server.0.stdout.take().expect("its output");
    let mut stdout = BufReader::new(stdout);
    let mut line = String::new();
    stdout.read_line(&mut line).expect("its address");
    let mut leaf = String::new();
    stdout.read_line(&mut leaf).expect("what a version string tells");
    assert_eq!(leaf.trim(), r#"Some("bergamot") Some("2.1.0")"#);
    let address = line.trim().trim_start_matches("http://").to_owned();

    let listed = ask(&address, "GET /api/v1/bergamot/statuses/1/reactions");
    assert!(listed.starts_with("HTTP/1.1 200"), "{listed}");
    let body = listed.split("\r\n\r\n").nth(1).expect("a body");
    assert_eq!(body, r#"[{"name":"🍵","count":1,"me":true,"accounts":[]}]"#);
    let add = "PUT /api/v1/bergamot/statuses/1/reactions/%F0%9F%8D%B5";
    let refused = ask(&address, add);
    assert!(refused.starts_with("HTTP/1.1 501"), "{refused}");
    let elsewhere = ask(&address, "GET /api/v1/polls/1");
    assert!(elsewhere.starts_with("HTTP/1.1 501"), "{elsewhere}");
    let nowhere = ask(&address, "GET /api/v1/accounts/1");
    assert!(nowhere.starts_with("HTTP/1.1 404"), "{nowhere}");
}

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
