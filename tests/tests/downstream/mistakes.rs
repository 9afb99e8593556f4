//! What cargo shows after a mistake.

use crate::crates::Crate;

#[test]
fn in_a_setting() {
    let sample = Crate::copy("samples/client", "wrong-settings");
    sample.replace("build.rs", "notifications", "notification");
    sample.replace("build.rs", "\"0.17.0\"", "\"0.17\"");
    sample.fails_with(&[
        "error: wrong-settings@0.0.0: there is no group `notification`; did you mean `notifications`?",
        "error: wrong-settings@0.0.0: floor: GoToSocial has no release `0.17` here; did you mean `0.17.0`?",
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

/// Such a call would wait for an end that never comes.
#[test]
fn a_stream_is_called_like_any_operation() {
    let sample = Crate::copy("samples/client", "gathering");
    sample.replace("build.rs", "\"notifications\"]", "\"notifications\", \"streaming\"]");
    let main = sample.read("src/main.rs");
    let calls = "pub fn gathers(client: &fedispec::client::Client) {\n    drop(client.send(fedispec::streaming::User::new()));\n}\n";
    sample.write("src/main.rs", &format!("{main}{calls}"));
    sample.fails_with(&[
        "is not the answer of an ordinary call",
        "a stream of events or a WebSocket has no end that a call could wait for",
    ]);
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
