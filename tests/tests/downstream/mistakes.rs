//! Cargo's messages after a mistake.

use std::collections::BTreeMap;

use fedispec_tests::catalogue;

use crate::crates::Crate;

#[test]
fn in_a_setting() {
    let sample = Crate::copy("samples/client", "wrong-settings");
    sample.replace("build.rs", "notifications", "notification");
    sample.replace("build.rs", "\"0.17.0\"", "\"0.17\"");
    sample.fails_with(&[
        "error: wrong-settings@0.0.0: there is no group `notification`; did you mean `notifications`?",
        "error: wrong-settings@0.0.0: floor: the catalogue does not know GoToSocial 0.17; ",
        "Error: nothing was generated; the errors above say why",
    ]);
    sample.replace("build.rs", "\"notification\"", "\"notifications\"");
    sample.replace("build.rs", "\"0.17\"", "\"0.17.0\"");
    sample.compiles();
}

#[test]
fn in_an_overlay() {
    let sample = Crate::copy("samples/server", "wrong-overlay");
    let file = "catalogue/reactions.yaml";
    sample.replace(file, "returns: Status\n", "returns: Statsu\n");
    sample.replace(file, "type: integer,", "type: integr,");
    sample.fails_with(&[
        "error: wrong-overlay@0.0.0: error[unknown-reference]",
        "did you mean `Status`?",
        "catalogue/reactions.yaml:",
        "^^^^^^",
        "integr",
    ]);
    sample.replace(file, "type: integr,", "type: integer,");
    sample.replace(file, "returns: Statsu\n", "returns: Status\n");
    sample.compiles();
}

#[test]
fn a_field_that_is_always_sent_is_forgotten() {
    let sample = Crate::copy("samples/server", "forgotten");
    sample.replace("src/main.rs", "            count: 1,\n", "");
    sample.fails_with(&["missing field `count` in initializer of `current::EmojiReaction`"]);
}

/// The programs of `tests/fixtures/mistakes`, all in one call of cargo. Their first lines are in what the compiler says.
#[test]
fn in_a_program_of_a_newcomer() {
    let mistakes = Crate::copy("fixtures/mistakes", "mistakes");
    let ran = mistakes.cargo(&["check", "--quiet", "--keep-going", "--message-format=json"]);
    let mut told: BTreeMap<String, String> = BTreeMap::new();
    for line in ran.stdout.lines() {
        let message: serde_json::Value = serde_json::from_str(line).expect("JSON");
        if let Some(text) = message["message"]["rendered"].as_str() {
            let name = message["target"]["name"].as_str().expect("a name");
            *told.entry(name.to_owned()).or_default() += text;
        }
    }
    assert_eq!(told.get("mistakes"), None, "what is none");
    let programs = catalogue::tree(&mistakes.place().join("src/bin"));
    assert!(programs.len() >= 30, "only {:?}", programs.keys());
    for (file, text) in programs {
        let text = String::from_utf8(text).expect("UTF-8");
        let errors: Vec<_> =
            text.lines().map_while(|line| line.strip_prefix("// error: ")).collect();
        assert!(!errors.is_empty(), "{file} has no first line that tells the error");
        let told = told.get(file.trim_end_matches(".rs")).map_or("", String::as_str);
        for error in errors {
            assert!(told.contains(error), "{file}: no `{error}` in {told}");
        }
    }
}

#[test]
fn what_deserves_it_is_a_warning() {
    let sample = Crate::copy("samples/client", "left-out");
    sample.replace(
        "build.rs",
        "        .client()\n",
        "        .client()\n        .ceiling(\"mastodon\", \"4.2.0\")\n        .operations([\"notifications.unread_count\"])\n",
    );
    assert_eq!(
        sample.warnings(),
        ["warning: left-out@0.0.0: the operation `notifications.unread_count` is left out: \
         it is newer than what `.ceiling(..)` names"]
    );
}
