//! `site`: what is written, where, and where it refuses to write. The pages of the whole catalogue are looked at in the gate.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use fedispec_tests::catalogue::{Scratch, tree};
use fedispec_tests::commands::{self, Ran};

fn site(out: &Path, more: &[&str]) -> Ran {
    let out = out.display().to_string();
    commands::run(["site", "--out", &out].iter().chain(more))
}

/// The same of a catalogue that takes no time.
fn site_of(catalogue: &Scratch, out: &Path, more: &[&str]) -> Ran {
    let spec = catalogue.spec().display().to_string();
    site(out, &[&["--spec", &spec], more].concat())
}

/// A name of a feature says what it means once: in the catalogue.
#[test]
fn no_word_of_the_search_is_the_name_of_a_feature() {
    let words = include_str!("../../../codegen/site/src/words.txt");
    let words = words.lines().filter_map(|line| line.split_once(": "));
    let export = commands::run(["export"]).succeeded().stdout;
    let export: serde_json::Value = serde_json::from_str(&export).expect("JSON");
    let items = export["items"].as_array().expect("items");
    let mut names = BTreeSet::new();
    for feature in items.iter().filter(|item| item["kind"] == "feature") {
        names.insert(feature["id"].as_str().expect("an id").replace('_', " "));
        let synonyms = feature["synonyms"].as_array().expect("synonyms").iter();
        names.extend(synonyms.filter_map(|name| name.as_str()).map(str::to_lowercase));
    }
    assert!(names.len() > 300, "{}", names.len());
    let twice: Vec<_> = words.map(|(word, _)| word).filter(|word| names.contains(*word)).collect();
    assert_eq!(twice, [""; 0]);
}

#[test]
fn a_second_run_writes_nothing_and_an_address_adds_pages() {
    let scratch = Scratch::small();
    let out = scratch.path().join("deep/site");
    site_of(&scratch, &out, &[]).succeeded();
    let again = site_of(&scratch, &out, &[]).succeeded();
    assert!(again.stdout.contains("nothing, all"), "{}", again.stdout);
    // Its style is in it, and a script finds the top where no address is told.
    let nowhere = fs::read_to_string(out.join("404.html")).expect("readable");
    assert!(nowhere.contains("<style>") && !nowhere.contains("style.css"), "{nowhere}");
    assert!(nowhere.contains("querySelector(\"base\").href = top"), "{nowhere}");
    // An address adds canonical links, the feed, the sitemap and what robots are told.
    assert!(!out.join("feed.xml").exists());
    site_of(&scratch, &out, &["--base", "https://fedispec.example/api/"]).succeeded();
    let front = fs::read_to_string(out.join("index.html")).expect("readable");
    assert!(front.contains("rel=\"canonical\" href=\"https://fedispec.example/api/\""), "{front}");
    let card = "property=\"og:image\" content=\"https://fedispec.example/api/card.png\"";
    assert!(front.contains(card) && out.join("card.png").exists(), "{front}");
    let nowhere = fs::read_to_string(out.join("404.html")).expect("readable");
    assert!(nowhere.contains("<base href=\"https://fedispec.example/api/\">"), "{nowhere}");
    assert!(nowhere.contains("noindex") && !nowhere.contains("canonical"), "{nowhere}");
    let feed = fs::read_to_string(out.join("feed.xml")).expect("readable");
    assert!(
        feed.contains("<link href=\"https://fedispec.example/api/releases/mastodon/"),
        "{feed}"
    );
    let robots = fs::read_to_string(out.join("robots.txt")).expect("readable");
    assert!(robots.ends_with("Sitemap: https://fedispec.example/api/sitemap.xml\n"), "{robots}");
    let sitemap = fs::read_to_string(out.join("sitemap.xml")).expect("readable");
    assert!(
        sitemap.contains("<loc>https://fedispec.example/api/operations/accounts.lookup/</loc>")
    );
}

#[test]
fn a_folder_with_something_else_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("thesis.txt"), "years of work").expect("writable");
    let ran = site(folder.path(), &[]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("thesis.txt"), "{}", ran.stderr);
    assert_eq!(tree(folder.path()).len(), 1);
    // Nor is a file that was put into the site.
    let scratch = Scratch::small();
    let out = scratch.path().join("site");
    site_of(&scratch, &out, &[]).succeeded();
    fs::write(out.join("CNAME"), "fedispec.example").expect("writable");
    let ran = site_of(&scratch, &out, &["--base", "https://fedispec.example/"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("CNAME"), "{}", ran.stderr);
    assert!(!out.join("sitemap.xml").exists());
}

#[test]
fn what_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("writable");
    for out in [file.clone(), file.join("site")] {
        let ran = site(&out, &[]);
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains(&file.display().to_string()), "{}", ran.stderr);
    }
    let ran = site(&folder.path().join("site"), &["--base", "fedispec.example"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("no address"), "{}", ran.stderr);
    assert_eq!(tree(folder.path()).len(), 1);
}

#[test]
fn a_former_address_leads_to_the_present_one() {
    let scratch = Scratch::small();
    let file = "supplement/all.yaml";
    scratch.edit(
        file,
        "  accounts.followers:\n",
        "  accounts.followed_by:\n    renamed_from: accounts.followers\n",
    );
    scratch.edit(file, "in: accounts.followers", "in: accounts.followed_by");
    scratch.edit(
        file,
        "  AccountEvent:\n    summary",
        "  Happening:\n    renamed_from: AccountEvent\n    summary",
    );
    scratch.edit(file, "events<AccountEvent>", "events<Happening>");
    scratch.edit(file, "      note:\n", "      about:\n        renamed_from: Account.note\n");
    let out = scratch.path().join("site");
    site_of(&scratch, &out, &["--base", "https://fedispec.example"]).succeeded();
    let read = |path: &str| {
        fs::read_to_string(out.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    for (former, present) in [
        ("operations/accounts.followers", "operations/accounts.followed_by"),
        ("enums/AccountEvent", "enums/Happening"),
    ] {
        let page = read(&format!("{former}/index.html"));
        let to = format!("../../{present}/index.html");
        assert!(page.contains(&format!("content=\"0; url={to}\"")), "{page}");
        assert!(page.contains(&format!("<a href=\"{to}\">")), "{page}");
        let canonical = format!("rel=\"canonical\" href=\"https://fedispec.example/{present}/\"");
        assert!(page.contains(&canonical), "{page}");
        assert!(out.join(present).join("index.html").exists(), "{present}");
    }
    assert!(read("entities/Account/index.html").contains("<span id=\"Account.note\">"));
    let sitemap = read("sitemap.xml");
    assert!(sitemap.contains("accounts.followed_by/") && !sitemap.contains("accounts.followers"));
    // The search knows it by its former name too.
    assert!(read("items.js").contains("accounts.followers GET /api/v1/accounts/:id/followers"));
}
