//! Arbitrary bytes as a request: the extractors do not panic, and every answer is well-formed.

use proptest::prelude::*;

#[path = "extract.rs"]
mod extract;

/// Fragments with a meaning in one of the encodings.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "status",
        "poll[options][]",
        "keywords_attributes[][keyword]",
        "fields_attributes[0][name]",
        "media_ids[]",
        "context[]",
        "=",
        "&",
        "[",
        "]",
        "[]",
        "{",
        "}",
        "\"",
        ":",
        ",",
        "null",
        "true",
        "-1",
        "1e9",
        "%",
        "%5B",
        "\r\n",
        "--b\r\n",
        "--b--",
        "Content-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n",
        "\\u0000",
        "grant_type",
        "authorization_code",
        "subscription[keys][auth]",
    ];
    prop_oneof![
        4 => proptest::sample::select(words.to_vec()).prop_map(|word| word.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..6),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_comes_is_answered(
        head in any::<[u8; 2]>(),
        query in proptest::collection::vec(piece(), 0..8),
        body in proptest::collection::vec(piece(), 0..24),
    ) {
        extract::check(&[&head, query.concat().as_slice(), b"\n", body.concat().as_slice()].concat());
    }
}
