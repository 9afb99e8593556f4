//! The generated crate compiles with each set of features alone, and without warnings.

use fedispec_tests::commands;

#[test]
fn every_set_of_features_compiles() {
    for features in [
        "",
        "client-core",
        "client",
        "oauth",
        "loopback",
        "push",
        "tracing",
        "streaming",
        "client,streaming",
        "server",
        "listen",
        "websocket",
        "sniff",
        "client,server",
        "serde",
    ] {
        let mut command = commands::cargo();
        command.args([
            "check",
            "--quiet",
            "--package",
            "fedispec",
            "--no-default-features",
            "--features",
            features,
        ]);
        let told = commands::finish(&mut command);
        assert_eq!(told.code, Some(0), "features `{features}`: {}", told.stderr);
        assert!(!told.stderr.contains("warning"), "features `{features}`: {}", told.stderr);
    }
}
