//! Cargo's messages after a mistake.

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

/// The programs of `tests/fixtures/mistakes`.
#[test]
fn in_a_program_of_a_newcomer() {
    let told = Crate::copy("fixtures/mistakes", "mistakes").refused_programs("mistakes");
    assert!(told.len() >= 30, "only {:?}", told.keys());
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
