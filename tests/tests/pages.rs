//! Checks of the site, the stand-in and the OpenAPI documents by programs of others: a browser, validators and generators.
//!
//! `.ci/pages` runs these, beside the other tests, since they need a browser and compile a generated client.
#![allow(clippy::panic, reason = "a failing test panics")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fedispec_standin::StandIn;
use fedispec_tests::commands::{self, finish};
use fedispec_tests::{catalogue, node, python, root, skip};

/// Where a browser may be.
const BROWSERS: [&str; 3] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

#[test]
fn a_browser_shows_the_site() {
    let test = "a_browser_shows_the_site";
    let Some(packages) = node::packages(test) else {
        return;
    };
    let Some(browser) = browser(test) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let site = folder.path().join("site").display().to_string();
    commands::run(["site", "--out", &site]).succeeded();
    let comparisons = folder.path().join("comparisons");
    fs::create_dir(&comparisons).expect("writable");
    let pairs: [(&str, &[&str]); 3] = [
        ("mastodon@4.2.0..gotosocial@0.17.0", &["mastodon@4.2.0", "gotosocial@0.17.0"]),
        ("gotosocial@0.19.2..mastodon@2.9.4", &["gotosocial@0.19.2", "mastodon@2.9.4"]),
        ("mastodon@3.5.0..mastodon@4.3.0", &["--program", "mastodon", "3.5.0..4.3.0"]),
    ];
    for (name, args) in pairs {
        let made = commands::run(["diff", "--format", "json"].iter().chain(args)).succeeded();
        fs::write(comparisons.join(format!("{name}.json")), made.stdout).expect("writable");
    }
    let mut node = Command::new("node");
    node.arg(root().join("tests/node/site.mjs"))
        .args([site.as_str(), browser])
        .arg(&comparisons)
        .env("PACKAGES", packages);
    let told = finish(&mut node).succeeded();
    assert!(told.stdout.ends_with("pages, 0 findings\n"), "{}", told.stdout);
}

/// A browser, if there is one.
fn browser(test: &str) -> Option<&'static str> {
    let found = BROWSERS.iter().find(|path| Path::new(path).exists());
    if found.is_none() {
        skip::skipped(test, "no Chromium is installed; `apt-get install chromium`");
    }
    found.copied()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_shows_the_stand_in() {
    let test = "a_browser_shows_the_stand_in";
    let (Some(packages), Some(browser)) = (node::packages(test), browser(test)) else {
        return;
    };
    let server = StandIn::new().emulate("mastodon@4.3.0").expect("a release");
    let server = server.start().await.expect("a server");
    let url = server.url().to_owned();
    let looked_at = tokio::task::spawn_blocking(move || {
        for path in ["/api/v1/collections/1?made_up=1", "/api/v2/instance"] {
            // The answer does not matter: the page shows that the request was made.
            let _ = ureq::get(format!("{url}{path}")).call();
        }
        let mut node = Command::new("node");
        node.arg(root().join("tests/node/standin.mjs"))
            .args([url.as_str(), browser])
            .env("PACKAGES", packages);
        finish(&mut node)
    });
    looked_at.await.expect("no panic").succeeded();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_asks_a_server() {
    let test = "a_page_asks_a_server";
    let (Some(packages), Some(browser), Some(bindgen)) =
        (node::packages(test), browser(test), node::wasm_bindgen(test))
    else {
        return;
    };
    let server = StandIn::new().emulate("mastodon@4.6.5").expect("a release");
    let server = server.start().await.expect("a server");
    server.account("mona").expect("an account");
    let query = |name: &str| format!("origin={}&name={name}", server.url());
    let queries = [query("mona"), query("nobody"), "origin=http://127.0.0.1:1&name=mona".into()];
    let asked = tokio::task::spawn_blocking(move || {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
        for (path, text) in catalogue::tree(&root().join("tests/samples/page")) {
            catalogue::write(&place.join(path), &text);
        }
        let manifest = fs::read_to_string(place.join("Cargo.toml")).expect("a manifest");
        let outside = root().canonicalize().expect("the root").display().to_string();
        let manifest = manifest.replace("../../..", &outside);
        fs::write(place.join("Cargo.toml"), manifest).expect("writable");
        let mut cargo = commands::cargo();
        cargo.current_dir(&place).env("CARGO_TARGET_DIR", place.join("target"));
        cargo.args(["build", "--quiet", "--release", "--target", "wasm32-unknown-unknown"]);
        finish(&mut cargo).succeeded();
        let mut glue = Command::new(bindgen);
        glue.current_dir(&place).args(["--target", "web", "--out-dir", "."]);
        glue.arg("target/wasm32-unknown-unknown/release/sample_page.wasm");
        finish(&mut glue).succeeded();
        queries.map(|query| {
            let mut node = Command::new("node");
            node.arg(root().join("tests/node/page.mjs")).arg(&place).args([&query, browser]);
            finish(node.env("PACKAGES", packages)).succeeded().stdout
        })
    });
    let [mona, nobody, nowhere] = asked.await.expect("no panic");
    assert!(mona.ends_with(" runs 4.6.5; @mona wrote 0 statuses\n"), "{mona}");
    assert!(nobody.contains("404 Not Found: Record not found"), "{nobody}");
    assert!(nowhere.starts_with("error: nobody answers"), "{nowhere}");
}

/// Writes a document of those arguments.
fn document(folder: &Path, name: &str, args: &[&str]) -> PathBuf {
    let path = folder.join(name);
    let made = commands::run(["openapi"].iter().chain(args)).succeeded();
    fs::write(&path, made.stdout).expect("writable");
    path
}

/// A program of an npm package.
fn npm(packages: &Path, program: &str) -> Command {
    Command::new(packages.join("node_modules/.bin").join(program))
}

#[test]
fn a_linter_finds_no_error() {
    let Some(packages) = node::packages("a_linter_finds_no_error") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let documents: [(&str, &[&str]); 5] = [
        ("all.json", &[]),
        ("old.json", &["--openapi", "3.0"]),
        ("one.yaml", &["--openapi", "3.0", "--bodies", "one", "--format", "yaml"]),
        ("mastodon.yaml", &["--as", "mastodon@4.6.4", "--format", "yaml", "--enums", "closed"]),
        ("gotosocial.json", &["--as", "gotosocial@0.19.2"]),
    ];
    for (name, args) in documents {
        let path = document(folder.path(), name, args);
        let mut lint = npm(packages, "redocly");
        lint.env("REDOCLY_TELEMETRY", "off")
            .args(["lint", "--extends=recommended", "--format=summary"])
            .arg(&path);
        finish(&mut lint).succeeded();
    }
}

#[test]
fn typescript_made_of_it_compiles() {
    let Some(packages) = node::packages("typescript_made_of_it_compiles") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    // Of all releases together, some send an empty object in place of an account.
    let use_it = "import type { paths, components } from \"./api.js\";\n\
                  type Lookup = paths[\"/api/v1/accounts/lookup\"][\"get\"][\"responses\"][200][\"content\"][\"application/json\"];\n\
                  export const name = (account: Lookup): string => account.acct;\n\
                  export const of = (status: components[\"schemas\"][\"Status\"]): string => name(status.account as Lookup);\n";
    for args in
        [&[][..], &["--as", "mastodon@4.6.4", "--enums", "closed"], &["--as", "gotosocial@0.19.2"]]
    {
        let path = document(folder.path(), "api.json", args);
        let types = folder.path().join("api.ts");
        let mut generate = npm(packages, "openapi-typescript");
        finish(generate.arg(&path).arg("-o").arg(&types)).succeeded();
        fs::write(folder.path().join("use.ts"), use_it).expect("writable");
        let mut compile = npm(packages, "tsc");
        compile
            .current_dir(folder.path())
            .args(["--strict", "--noEmit", "--module", "nodenext", "use.ts"]);
        finish(&mut compile).succeeded();
    }
}

/// The releases of which clients are made, and which they call: the newest one of each kind.
const CALLED: [&str; 2] = ["mastodon@4.6.5", "gotosocial@0.19.2"];

/// Makes a client of a release's document in a folder and lets it call the stand-in of that release.
async fn called(
    release: &str,
    args: &'static [&str],
    call: impl FnOnce(&Path, &Path, &str, &str) + Send + 'static,
) {
    let server = StandIn::new().emulate(release).expect("a release");
    let server = server.start().await.expect("a server");
    let (url, token) = (server.url().to_owned(), server.token().to_owned());
    let release = release.to_owned();
    let made = tokio::task::spawn_blocking(move || {
        let folder = tempfile::tempdir().expect("a folder");
        let document = document(folder.path(), "api.json", &[&["--as", &release], args].concat());
        call(folder.path(), &document, &url, &token);
    });
    made.await.expect("no panic");
    server.stop().await.expect("stopped");
}

#[tokio::test(flavor = "multi_thread")]
async fn typescript_clients_made_of_it_compile_and_call() {
    let Some(packages) = node::packages("typescript_clients_made_of_it_compile_and_call") else {
        return;
    };
    for release in CALLED {
        called(release, &[], move |folder, document, url, token| {
            let into = |name: &str| folder.join(name).display().to_string();
            std::os::unix::fs::symlink(packages.join("node_modules"), into("node_modules"))
                .expect("writable");
            let mut hey = npm(packages, "openapi-ts");
            finish(hey.arg("-i").arg(document).args(["-o", &into("hey"), "--silent"])).succeeded();
            let mut orval = npm(packages, "orval");
            let orval = orval.current_dir(folder).arg("--input").arg(document);
            finish(orval.args(["--output", "./orval.ts", "--client", "fetch"])).succeeded();
            fs::copy(root().join("tests/node/generated.ts"), into("use.ts")).expect("writable");
            let mut compile = npm(packages, "tsc");
            compile.current_dir(folder).args(["--strict", "--noEmit", "--skipLibCheck"]).args([
                "--target",
                "es2022",
                "--module",
                "esnext",
                "--moduleResolution",
                "bundler",
                "--lib",
                "es2022,dom,dom.iterable",
                "--types",
                "node",
                "use.ts",
                "orval.ts",
            ]);
            finish(&mut compile).succeeded();
            let mut bundle = npm(packages, "esbuild");
            bundle.current_dir(folder).args(["use.ts", "--bundle", "--platform=node"]);
            finish(bundle.args(["--format=esm", "--log-level=error", "--outfile=use.mjs"]))
                .succeeded();
            let mut node = Command::new("node");
            let told = finish(node.arg(into("use.mjs")).args([url, token])).succeeded();
            assert_eq!(told.stdout, "all is well\n");
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_python_client_made_of_it_calls() {
    let Some(python) = python::python("a_python_client_made_of_it_calls") else {
        return;
    };
    for release in CALLED {
        // Of a request that takes several kinds of bodies it makes a module that does not load.
        called(release, &["--bodies", "one"], move |folder, document, url, token| {
            let names = [document, folder].map(|path| path.display().to_string());
            let script = root().join("tests/python/generated.py");
            let args = [names[0].as_str(), names[1].as_str(), url, token];
            python::run(python, &script, &args, "").succeeded();
        })
        .await;
    }
}

const GENERATOR: &str = "\
[package]
name = \"generator\"
version = \"0.0.0\"
edition = \"2024\"

[workspace]

[dependencies]
openapiv3 = \"2\"
progenitor-impl = \"0.15\"
serde_json = \"1\"
";

const GENERATE: &str = "\
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths = std::env::args().skip(1);
    let text = std::fs::read_to_string(paths.next().ok_or(\"no document\")?)?;
    let document: openapiv3::OpenAPI = serde_json::from_str(&text)?;
    let tokens = progenitor_impl::Generator::default().generate_tokens(&document)?;
    std::fs::write(paths.next().ok_or(\"no output\")?, tokens.to_string())?;
    Ok(())
}
";

const CLIENT: &str = "\
[package]
name = \"made\"
version = \"0.0.0\"
edition = \"2024\"

[workspace]

[dependencies]
bytes = \"1\"
chrono = { version = \"0.4\", default-features = false, features = [\"clock\", \"serde\"] }
futures-core = \"0.3\"
progenitor-client = \"0.15\"
regress = \"0.11\"
reqwest = { version = \"0.13\", default-features = false, features = [\"form\", \"json\", \"query\", \"stream\"] }
serde = { version = \"1\", features = [\"derive\"] }
serde_json = \"1\"
serde_urlencoded = \"0.7\"
";

/// The folder of a package outside the workspace, kept below the target folder so that it is compiled once.
fn package(name: &str, manifest: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| root().join("target"), PathBuf::from);
    let folder = target.join("tests-pages").join(name);
    fs::create_dir_all(folder.join("src")).expect("writable");
    fs::write(folder.join("Cargo.toml"), manifest).expect("writable");
    folder
}

fn cargo(folder: &Path, args: &[&str]) -> Command {
    let mut cargo = commands::cargo();
    cargo.current_dir(folder).env("CARGO_TARGET_DIR", folder.join("target"));
    cargo.args(args);
    cargo
}

#[test]
fn a_rust_client_made_of_it_compiles() {
    let generator = package("generator", GENERATOR);
    fs::write(generator.join("src/main.rs"), GENERATE).expect("writable");
    let client = package("client", CLIENT);
    let folder = tempfile::tempdir().expect("a folder");
    for args in [&[][..], &["--as", "gotosocial@0.19.2", "--enums", "closed"]] {
        let args = [&["--openapi", "3.0", "--bodies", "one"], args].concat();
        let document = document(folder.path(), "api.json", &args).display().to_string();
        let made = client.join("src/lib.rs").display().to_string();
        finish(&mut cargo(&generator, &["run", "--quiet", "--", &document, &made])).succeeded();
        finish(&mut cargo(&client, &["check", "--quiet"])).succeeded();
    }
}
