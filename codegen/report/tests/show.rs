//! `show` on a small catalogue.

use std::path::Path;

use fedispec_model::api::Layer;
use fedispec_report::show::{Miss, show};

/// A right name under a wrong owner comes before names that have more letters in common with the query.
#[test]
fn a_name_under_a_wrong_owner_is_suggested_first() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diff/base");
    let (catalogue, api) = fedispec_reader::open(&folder, Layer::Full).expect("a catalogue");
    for (query, expected) in [
        ("Mood.isbn", &["books.create.isbn", "Mood.sad"][..]),
        ("books.list.isbn", &["books.create.isbn", "books.list.limit", "books.list.mood"]),
    ] {
        let missed = show(&catalogue, &api, query).expect_err(query);
        let nearest = expected.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(missed, Miss::Unknown { query: query.to_owned(), nearest });
    }
}
