//! A sound catalogue, and where things stand in it.

use std::path::Path;

use fedispec_model::api::Since;
use fedispec_reader::load::{Catalogue, LayerKind, load};
use fedispec_reader::model::{By, Fact, Needed};
use fedispec_since::{Required, StableVersion};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/catalogue");

fn sample() -> Catalogue {
    load(Path::new(SAMPLE)).map_err(|failure| failure.to_string()).expect("a sound catalogue")
}

#[test]
fn it_is_read_in_layers() {
    let catalogue = sample();
    let layers: Vec<_> =
        catalogue.layers.iter().map(|layer| (layer.kind, layer.files.len())).collect();
    assert_eq!(layers, [(LayerKind::Documents, 1), (LayerKind::Supplement, 1)]);
    let documents = &catalogue.layers[0].files[0].content;
    let supplement = &catalogue.layers[1].files[0].content;
    let version = Since::Since(StableVersion(3, 4, 0));
    assert_eq!(documents.operations["accounts.lookup"].since["mastodon"], version);
    assert_eq!(documents.defaults.since["gotosocial"], Since::Unknown);
    let Some(Fact::Known(fields)) = &documents.entities["Account"].fields else { panic!("fields") };
    assert_eq!(fields.keys().collect::<Vec<_>>(), ["id", "reblogged", "thumbnail[versions][@1x]"]);
    let params = &supplement.operations["accounts.lookup"].params;
    assert_eq!(params["acct"].required, Some(Fact::Known(By::Same(Needed(Required::Always)))));
    assert_eq!(
        params["exclude_types[]"].required,
        Some(Fact::Known(By::Same(Needed(Required::Sometimes))))
    );
    assert_eq!(supplement.disputes[0].item, "Account.reblogged");
    let releases = &catalogue.implementations.programs["mastodon"].releases;
    assert_eq!(releases[&StableVersion(4, 3, 0)].api, Some(2));
}

#[test]
fn positions_are_found_by_path() {
    let catalogue = sample();
    let file = catalogue.layers[0].files[0].file;
    let sources = &catalogue.sources;
    assert_eq!(sources.path(file), "documents/accounts.yaml");
    let text = |path: &[&str]| {
        let span = sources.span(file, path)?;
        Some((span.key.map(|key| &sources.text(file)[key]), &sources.text(file)[span.value]))
    };
    let since = ["operations", "accounts.lookup", "since", "mastodon"];
    assert_eq!(text(&since), Some((Some("mastodon"), "\"3.4.0\"")));
    assert_eq!(
        text(&["operations", "accounts.lookup", "params", "exclude_types[]"]),
        Some((Some("\"exclude_types[]\""), "{}"))
    );
    assert_eq!(text(&["defaults", "unknown", "1"]), Some((None, "path")));
    assert_eq!(text(&["defaults", "unknown", "99"]), None);
    assert_eq!(
        text(&["operations", "accounts.lookup", "errors", "404"]),
        Some((Some("\"404\""), "{when: Nobody has that address (ingen — 誰も).}"))
    );
    let (line, column) = sources.line_col(file, sources.span(file, &since).unwrap().value.start);
    assert_eq!((line, column), (13, 23));
}

#[test]
fn the_nearest_node_stands_for_what_is_missing() {
    let catalogue = sample();
    let file = catalogue.layers[0].files[0].file;
    let nearest =
        catalogue.sources.nearest(file, &["operations", "accounts.lookup", "auth", "token"]);
    assert_eq!(&catalogue.sources.text(file)[nearest.name()], "accounts.lookup");
}
