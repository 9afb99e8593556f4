//! The lock file, without cargo.

use std::fs;

use super::super::lock::{self, Facts};
use super::super::messages::Messages;
use crate::Config;

/// Returns the messages about a lock file with that text, and the content of the file afterwards.
fn held(
    text: Option<&str>,
    facts: &Facts,
    asked: &str,
) -> (Result<Vec<String>, String>, Option<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fedispec.lock");
    if let Some(text) = text {
        fs::write(&path, text).expect("written");
    }
    let mut messages = Messages::default();
    let told = lock::hold(&path, facts, asked, &mut messages);
    let place = folder.path().display().to_string() + std::path::MAIN_SEPARATOR_STR;
    let told = match told {
        Ok(()) => Ok(messages.lines_without(&place)),
        Err(error) => Err(error.to_string().replace(&place, "")),
    };
    (told, fs::read_to_string(&path).ok())
}

fn facts(config: &Config) -> Facts {
    config.clone().lock("fedispec.lock").make().expect("Rust").facts.expect("facts")
}

fn polls() -> Config {
    Config::new().floor("mastodon", "4.2.0").groups(["polls"])
}

#[test]
fn it_is_written_only_when_asked() {
    let facts = facts(&polls());
    let (told, file) = held(None, &facts, "");
    assert_eq!(file, None);
    let missing = "cargo::warning=there is no fedispec.lock yet: `FEDISPEC_LOCK=update cargo build` writes it";
    assert_eq!(told, Ok(vec![missing.to_owned()]));
    assert_eq!(held(None, &facts, "update"), (Ok(Vec::new()), Some(facts.text.clone())));
    assert_eq!(held(Some("{"), &facts, "update"), (Ok(Vec::new()), Some(facts.text.clone())));
    let (told, file) = held(Some("{"), &facts, "yes");
    let why = "FEDISPEC_LOCK is `yes`; it may be `update`, which writes fedispec.lock, or unset";
    assert_eq!((told, file.as_deref()), (Err(why.to_owned()), Some("{")));
}

#[test]
fn equal_facts_say_nothing_however_they_are_written() {
    let facts = facts(&polls());
    assert_eq!(held(Some(&facts.text), &facts, "").0, Ok(Vec::new()));
    let windows = facts.text.replace('\n', "\r\n");
    assert_eq!(held(Some(&windows), &facts, "").0, Ok(Vec::new()));
}

#[test]
fn other_facts_other_settings_and_no_facts_at_all() {
    let facts_now = facts(&polls());
    let told = |text: &str| held(Some(text), &facts_now, "").0;
    let accept = "cargo::warning=accept it with `FEDISPEC_LOCK=update cargo build`, which writes fedispec.lock";

    let lines =
        told(&facts_now.text.replace("/polls/:id/votes", "/polls/:id/vote")).expect("warnings");
    assert!(lines[0].ends_with("the catalogue has changed in what this crate uses:"), "{lines:#?}");
    assert!(lines[1..].iter().any(|line| line.contains("polls.vote")), "{lines:#?}");
    assert_eq!(lines.last().map(String::as_str), Some(accept));

    let lines = told(&facts(&polls().floor("gotosocial", "0.17.0")).text).expect("warnings");
    assert!(lines[0].contains("written for other settings of the build script"), "{lines:#?}");
    assert!(lines[0].contains("floor gotosocial 0.17.0"), "{lines:#?}");

    let lines = told(&facts_now.text.replace("fedispec-api/", "fedispec-api/9")).expect("warnings");
    assert!(lines[0].contains("the lock file is of the form `fedispec-api/9"), "{lines:#?}");

    let versions = facts_now.text.replace("\"4.2.0\"", "\"4.2\"");
    let error = told(&versions).expect_err("a version that is none");
    assert!(
        error.contains(
            "string \"4.2\", expected a version of three numbers in quotes, like \"4.3.0\""
        ),
        "{error}"
    );

    for broken in ["", "<<<<<<< HEAD", "{}", "{\"settings\":\"\",\"facts\":[]}"] {
        let error = told(broken).expect_err(broken);
        assert!(error.starts_with("fedispec.lock cannot be read: "), "{error}");
        assert!(error.ends_with("`FEDISPEC_LOCK=update cargo build` writes it anew"), "{error}");
    }
}

/// A lock file of the former schema, as the version wrote it that had positions in the resolved JSON.
const FORMER: &str = include_str!("fedispec-api-1.lock");

#[test]
fn a_lock_file_of_the_former_schema_is_read() {
    let facts = facts(&polls());
    let told = |text: &str| held(Some(text), &facts, "").0.expect("it is read");
    // The catalogue may have changed since; then that is told, and neither the schema nor the settings.
    let before = told(FORMER);
    let changed = "the catalogue has changed in what this crate uses:";
    assert!(before.first().is_none_or(|line| line.ends_with(changed)), "{before:#?}");
    let path = "path-changed";
    assert!(!before.iter().any(|line| line.contains(path)), "{before:#?}");
    let edited = told(&FORMER.replace("/polls/:id/votes", "/polls/:id/vote"));
    let is_about_the_vote = |line: &String| line.contains(path) && line.contains("polls.vote");
    assert!(edited.iter().any(is_about_the_vote), "{edited:#?}");
}

#[test]
fn it_holds_no_more_than_the_facts() {
    let text = facts(&polls()).text;
    assert!(text.len() < 30_000, "{} bytes", text.len());
    assert!(text.contains("polls.vote") && !text.contains("accounts.lookup"));
    assert!(!text.contains("evidence") && !text.contains("summary\":\"The numbers of the options"));
    assert!(!text.contains("2016-03-16"), "a release that no fact names: Mastodon 0.1.0");
}
