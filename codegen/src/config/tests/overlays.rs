//! Own operations, own fields, a third program, laid over the embedded catalogue.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{Config, dense, refused};
use fedispec_model::api::Layer;

const PROGRAM: &str = "
programs:
  third: {name: Third, nodeinfo: [third], releases: {\"1.0.0\": {}, \"1.1.0\": {}}}
sources:
  third-docs: {class: C, title: What Third says of itself}
";
const LAYER: &str = "
area: what Third has besides
defaults:
  since: {mastodon: never, gotosocial: never}
  evidence: {mastodon: mastodon-source, gotosocial: gotosocial-source, third: third-docs, shape: third-docs}
entities:
  Poll:
    fields:
      mood: {type: string, nullable: false, optional: false, since: {third: \"1.1.0\"}}
";

fn overlay() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "implementations.yaml", PROGRAM);
    write(folder.path(), "third.yaml", LAYER);
    folder
}

fn write(folder: &Path, file: &str, text: &str) {
    fs::write(folder.join(file), text).expect("written");
}

#[test]
fn an_own_field_of_an_own_program() {
    let folder = overlay();
    let polls = || Config::new().catalogue(folder.path()).groups(["polls"]);
    let all = dense(&polls());
    assert!(all.contains("pubmood:Option<String>"));
    assert!(all.contains("pubid:rt::Id<Poll>"), "what nobody says of Third makes nothing optional");
    assert!(dense(&polls().ceiling("third", "1.1.0")).contains("pubmood:"));
    assert!(!dense(&polls().ceiling("third", "1.0.0")).contains("pubmood:"));
    let text = refused(&polls().floor("third", "1.2.0"));
    assert!(text.contains("does not know Third 1.2.0; the nearest before it is 1.1.0"), "{text}");
}

#[test]
fn an_own_feature_of_an_own_field() {
    let folder = overlay();
    let write = |features: &str| {
        write(folder.path(), "features.yaml", &format!("features:\n  {features}\n"));
    };
    let polls = || Config::new().catalogue(folder.path()).groups(["polls"]);
    write("poll_moods: {summary: Polls have a mood., all: [Poll.mood]}");
    let text = dense(&polls());
    assert!(
        text.contains("POLL_MOODS:Feature=Feature::new(\"poll_moods\",items,&[\"Poll.mood\"],&[])")
    );
    write("moods: {summary: Polls have a mood., synonyms: [edit history], all: [Poll.moods]}");
    let text = refused(&polls());
    for told in ["`edit history` names a feature already", "no item `Poll.moods`", "`Poll.mood`?"] {
        assert!(text.contains(told), "{told}: {text}");
    }
}

#[test]
fn a_later_overlay_lies_over_an_earlier_one() {
    let (below, above) = (overlay(), tempfile::tempdir().expect("a folder"));
    let layer = LAYER.replace("mood:", "temper:");
    write(above.path(), "more.yaml", &layer);
    let both = Config::new().catalogue(below.path()).catalogue(above.path());
    let text = dense(&both.groups(["polls"]));
    assert!(text.contains("pubmood:") && text.contains("pubtemper:"));
}

#[test]
fn every_mistake_of_an_overlay_is_told_at_once() {
    let folder = overlay();
    write(
        folder.path(),
        "third.yaml",
        &LAYER.replace("\"1.1.0\"", "1.10").replace("type: string", "type: strnig"),
    );
    let text = refused(&Config::new().catalogue(folder.path()));
    for part in ["third.yaml:", "strnig", "1.10", "problems in 1 file"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

/// The same with the embedded catalogue parsed, as if somebody had written it.
fn parsed(folder: &Path) -> Config {
    Config::new().catalogue(fedispec_catalogue::FOLDER).catalogue(folder)
}

#[test]
fn it_is_the_same_whether_the_catalogue_below_is_parsed_or_not() {
    let folder = overlay();
    let text = |config: Config| config.client().server().text().expect("Rust");
    assert!(text(Config::new().catalogue(folder.path())) == text(parsed(folder.path())));
    let documents = |config: Config| text(config.layer(Layer::Documents));
    let whole = Config::new().catalogue(fedispec_catalogue::FOLDER);
    assert!(documents(Config::new()) == documents(whole));
}

#[test]
fn a_mistake_points_into_the_catalogue_below_though_that_is_not_parsed() {
    let folder = overlay();
    let poll = "  Poll:\n    fields:\n      expired: {type: string}\n";
    let layer = LAYER.replace("  Poll:\n    fields:\n", poll);
    write(folder.path(), "third.yaml", &layer);
    for layer in [Layer::Full, Layer::Documents] {
        let told = refused(&Config::new().catalogue(folder.path()).layer(layer));
        assert_eq!(told, refused(&parsed(folder.path()).layer(layer)));
        for part in [
            "`type` of `Poll.expired` contradicts",
            "the layer below says this",
            "polls.yaml:",
            "third.yaml:",
        ] {
            assert!(told.contains(part), "{part} is not in\n{told}");
        }
    }
}
