//! Counts the allocations of decoding, against hand-written structs.

use fedispec::client::FromAnswer as _;
use fedispec::entities::Status;
use fedispec::runtime::Page;
use fedispec_tests::timeline;
use http::HeaderMap;

#[test]
fn a_page_allocates_no_more_than_structs_by_hand() {
    let body = serde_json::to_vec(&timeline::page(40)).expect("a body");
    let (headers, mut kept) = (HeaderMap::new(), None);
    let generated =
        allocation_counter::measure(|| kept = Page::<Status>::from_answer(&headers, &body).ok());
    let mut by_hand = None;
    let peer = allocation_counter::measure(|| {
        let text = std::str::from_utf8(&body).expect("text");
        by_hand = serde_json::from_str::<Vec<timeline::Status>>(text).ok();
    });
    let kept = kept.expect("a page").value;
    assert_eq!((kept.len(), kept.rejected.len()), (40, 0));
    assert_eq!(by_hand.map(|page| page.len()), Some(40));
    assert!(
        generated.count_total <= peer.count_total,
        "{} allocations against {}",
        generated.count_total,
        peer.count_total
    );
    assert!(
        generated.bytes_max <= peer.bytes_max * 3 / 2,
        "{} bytes against {}",
        generated.bytes_max,
        peer.bytes_max
    );
}

#[test]
fn nothing_of_a_page_is_lost() {
    let page = serde_json::Value::from(timeline::page(40));
    let body = page.to_string();
    let read =
        Page::<Status>::from_answer(&HeaderMap::new(), body.as_bytes()).expect("a page").value;
    let written = serde_json::to_value(&read.items).expect("JSON");
    let lost: Vec<_> = page
        .as_array()
        .into_iter()
        .flatten()
        .zip(written.as_array().into_iter().flatten())
        .flat_map(|(sent, kept)| missing("$", sent, kept))
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
}

/// The keys of one tree that the other lacks.
fn missing(path: &str, sent: &serde_json::Value, kept: &serde_json::Value) -> Vec<String> {
    use serde_json::Value::{Array, Object};
    match (sent, kept) {
        (Object(sent), Object(kept)) => sent
            .iter()
            .flat_map(|(key, value)| match kept.get(key) {
                Some(kept) => missing(&format!("{path}.{key}"), value, kept),
                None => vec![format!("{path}.{key}")],
            })
            .collect(),
        (Array(sent), Array(kept)) if sent.len() == kept.len() => sent
            .iter()
            .zip(kept)
            .flat_map(|(sent, kept)| missing(&format!("{path}[]"), sent, kept))
            .collect(),
        (sent, kept) if sent == kept => Vec::new(),
        (sent, kept) => vec![format!("{path}: {sent} became {kept}")],
    }
}
