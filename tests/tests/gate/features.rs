//! The generated crate and its runtime compile with each set of features alone, and without warnings.

use fedispec_tests::{catalogue, commands, root};

/// The other features of the generated crate are those of the runtime, and no code of its own asks for them.
const GENERATED: &[&str] =
    &["", "client-core", "client", "oauth", "server", "client,server", "serde"];

const RUNTIME: &[&str] = &[
    "",
    "client",
    "reqwest",
    "reqwest,brotli,zstd,http2",
    "oauth",
    "loopback",
    "push",
    "tracing",
    "streaming",
    "reqwest,streaming",
    "server",
    "listen",
    "websocket",
    "sniff",
    "serde",
    "chrono",
    "jiff",
    "time",
];

/// Compiles a package with each set; a feature that its code asks for must be in one of them.
fn compiles(package: &str, folder: &str, sets: &[&str]) {
    for (file, text) in catalogue::tree(&root().join(folder).join("src")) {
        let text = String::from_utf8_lossy(&text);
        for named in text.split("feature = \"").skip(1) {
            let feature = named.split('"').next().unwrap_or_default();
            let is_compiled = sets.iter().any(|set| set.split(',').any(|one| one == feature));
            assert!(is_compiled, "{folder}/src/{file} asks for `{feature}`");
        }
    }
    for features in sets {
        let mut command = commands::cargo();
        let alone = ["--no-default-features", "--features", features];
        command.args(["check", "--quiet", "--package", package]).args(alone);
        let told = commands::finish(&mut command);
        assert_eq!(told.code, Some(0), "{package} with `{features}`: {}", told.stderr);
        assert!(!told.stderr.contains("warning"), "{package} with `{features}`: {}", told.stderr);
    }
}

#[test]
fn the_generated_crate_compiles_with_every_set_of_features() {
    compiles("fedispec", "generated", GENERATED);
}

#[test]
fn the_runtime_compiles_with_every_set_of_features() {
    compiles("fedispec-runtime", "runtime", RUNTIME);
}
