//! Settings, right and wrong, and what comes of them.

use super::Config;

mod locked;
mod overlays;

fn refused(config: &Config) -> String {
    config.text().map(|_| ()).expect_err("refused").to_string()
}

#[test]
fn every_wrong_setting_is_named_with_what_is_allowed() {
    let config = Config::new()
        .floor("mastodont", "4.2.0")
        .floor("gotosocial", "0.99.0")
        .floor("mastodon", "4.3.0")
        .ceiling("mastodon", "4.2.0")
        .groups(["acounts"])
        .operations(["accounts.lookupp", "nothing.at_all"])
        .module("two words")
        .runtime("a b");
    let text = refused(&config);
    for part in [
        "the program `mastodont`; did you mean `mastodon`? it knows mastodon, gotosocial",
        "does not know GoToSocial 0.99.0; the nearest before it is 0.",
        "the floor of Mastodon, 4.3.0, is above its ceiling, 4.2.0",
        "no group `acounts`; did you mean `accounts`?",
        "no operation `accounts.lookupp`; did you mean `accounts.lookup`?",
        "no operation `nothing.at_all`; an operation is `group.name`",
        "the module `two words` is no Rust identifier",
        "the runtime `a b` is no Rust path",
    ] {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
    assert_eq!(text.lines().count(), 8, "{text}");
}

#[test]
fn a_mistake_says_what_was_probably_meant() {
    let new = Config::new;
    for (config, said) in [
        (new().floor("mastodon", "4.2"), "it knows 4.2.0, 4.2.1, "),
        (new().floor("mastodon", "v4.2.1"), "the nearest before it is 4.2.1;"),
        (new().floor("mastodon", "1.4.0"), "it knows 1.4.1, "),
        (new().floor("mastodon", "99.0.0"), "its releases are 0.1.0 to "),
        (new().floor("mastodon", "latest"), "its releases are 0.1.0 to "),
        (new().floor("mastodon", ""), "its releases are 0.1.0 to "),
        (
            new().floor("mastodon", "4.2.0").floor("mastodon", "4.3.0"),
            "`mastodon` has two, 4.2.0 and 4.3.0",
        ),
        (new().floor("misskey", "2.0.0"), "it knows mastodon, gotosocial"),
        (new().groups(["Accounts"]), "did you mean `accounts`?"),
        (
            new().groups(["accounts.lookup"]),
            "that is an operation: `.operations([\"accounts.lookup\"])`",
        ),
        (new().operations(["accounts"]), "that is a group: `.groups([\"accounts\"])`"),
        (new().operations(["polls.nothing"]), "that group has `polls.get`, `polls.vote`"),
        (new().groups([] as [&str; 0]), "`.groups(..)` names none"),
        (new().operations([] as [&str; 0]), "`.operations(..)` names none"),
        (new().module(""), "the module `` is no Rust identifier"),
        (new().module("fn"), "the module `fn` is no Rust identifier"),
        (new().module("../up"), "is no Rust identifier"),
        (new().runtime("a::<b>"), "is no Rust path"),
    ] {
        let text = refused(&config);
        assert!(text.contains(said), "{said}\nis not in\n{text}");
    }
}

#[test]
fn whole_catalogues_are_not_laid_over_each_other() {
    let folder = fedispec_catalogue::FOLDER;
    let text = refused(&Config::new().catalogue(folder).catalogue(folder));
    assert!(text.contains("are whole catalogues: keep one"), "{text}");
}

/// The warnings.
fn warned(config: &Config) -> Vec<String> {
    config.make().expect("Rust").warnings
}

#[test]
fn what_was_asked_for_and_is_of_no_use_deserves_a_warning() {
    let old = Config::new()
        .ceiling("mastodon", "2.0.0")
        .groups(["apps", "polls"])
        .operations(["accounts.lookup"]);
    assert_eq!(
        warned(&old),
        [
            "the operation `accounts.lookup` is left out: it is newer than what `.ceiling(..)` names",
            "the whole group `polls` is left out: it is newer than what `.ceiling(..)` names",
        ]
    );
    let other = Config::new().floor("gotosocial", "0.17.0").groups(["apps", "annual_reports"]);
    assert_eq!(
        warned(&other),
        ["the whole group `annual_reports` is of no use here: no release of GoToSocial has it"]
    );
    let guaranteed = Config::new()
        .floor("mastodon", "3.3.0")
        .guaranteed_only()
        .operations(["accounts.lookup", "apps.create"]);
    let warned_of = warned(&guaranteed);
    assert_eq!(warned_of.len(), 1);
    assert!(warned_of[0].contains("`accounts.lookup` is left out: `.guaranteed_only()`"));
    assert!(warned(&Config::new().floor("mastodon", "4.2.0").groups(["apps"])).is_empty());
    assert_eq!(
        warned(&Config::new().floor("mastodon", "4.2.20").groups(["apps"])),
        ["Mastodon 4.2.20: as 4.2.11, the newest looked at of 4.2"]
    );
}

/// The text without spaces, so that a test need not know where they stand.
fn dense(config: &Config) -> String {
    config.text().expect("Rust").replace([' ', '\n'], "")
}

#[test]
fn a_ceiling_counts_for_the_programs_that_are_named() {
    let of = |config: Config| dense(&config.groups(["push", "instance"]));
    let all = of(Config::new());
    let old = of(Config::new().ceiling("mastodon", "4.2.0"));
    let with_other = of(Config::new().ceiling("mastodon", "4.2.0").floor("gotosocial", "0.17.0"));
    // Since Mastodon 4.4.0, and in GoToSocial.
    let newer = "pubdescription_limit:";
    assert!(all.contains(newer) && !old.contains(newer));
    // Only in GoToSocial.
    let own = "pubsupported_mime_types:";
    assert!(all.contains(own) && with_other.contains(own));
}

#[test]
fn what_will_be_removed_is_not_guaranteed() {
    let of =
        |config: Config| dense(&config.floor("mastodon", "2.0.0").operations(["search.all_v1"]));
    assert!(of(Config::new()).contains("pubstructAllV1"));
    assert!(!of(Config::new().guaranteed_only()).contains("pubstructAllV1"));
}

#[test]
fn the_types_say_for_which_releases_they_are() {
    let text = Config::new()
        .floor("mastodon", "4.2.0")
        .ceiling("mastodon", "4.3.0")
        .groups(["polls"])
        .text()
        .expect("Rust");
    assert!(text.contains("Made for Mastodon 4.2.0 to 4.3.0: what each of these releases"));
    assert!(!text.contains(" and GoToSocial"), "it does not count");
}

#[test]
fn guaranteed_by_whom() {
    let text = refused(&Config::new().guaranteed_only());
    assert!(text.contains("needs a `.floor"), "{text}");
}

#[test]
fn a_folder_that_is_not_there() {
    let text = refused(&Config::new().catalogue("no/such/folder"));
    assert!(text.contains("no/such/folder"), "{text}");
}

#[test]
fn a_floor_makes_types_plain_and_only_what_is_reached_comes_along() {
    let text = |version| {
        Config::new()
            .floor("mastodon", version)
            .groups(["instance"])
            .text()
            .expect("Rust")
            .replace(' ', "")
    };
    let (old, new) = (text("4.2.0"), text("4.3.0"));
    assert!(old.contains("pubmax_pinned_statuses:Option<"));
    assert!(!new.contains("pubmax_pinned_statuses:Option<"));
    assert!(new.contains("pubmax_pinned_statuses:"));
    assert!(new.contains("pubdescription_limit:Option<"));
    assert!(!new.contains("structNotification{"));
}

#[test]
fn the_same_text_every_time_and_untouched_when_equal() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = Config::new().operations(["accounts.lookup"]).out_dir(folder.path()).module("own");
    config.generate().expect("generated");
    let path = folder.path().join("own.rs");
    let read = || {
        let modified = std::fs::metadata(&path).and_then(|data| data.modified());
        (std::fs::read_to_string(&path).expect("text"), modified.expect("a time"))
    };
    let first = read();
    config.generate().expect("generated again");
    assert_eq!(first, read());
    assert_eq!(std::fs::read_dir(folder.path()).expect("files").count(), 1);
}
