use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::{Id, Map};

#[derive(Debug, PartialEq, Deserialize)]
struct Emoji {
    shortcode: String,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Account {
    id: Id,
    #[serde(default, deserialize_with = "list")]
    emojis: Vec<Emoji>,
    moved: Option<Box<Account>>,
    #[serde(default)]
    sizes: Map<u32>,
}

fn account(body: &str) -> Result<Decoded<Account>, Error> {
    read(body)
}

#[test]
fn null_and_absent_are_empty() {
    for body in [
        r#"{"id":"1"}"#,
        r#"{"id":"1","emojis":null}"#,
        r#"{"id":"1","emojis":[]}"#,
    ] {
        let decoded = account(body).expect(body);
        assert!(decoded.value.emojis.is_empty());
        assert!(decoded.rejected.is_empty());
    }
}

#[test]
fn sets_a_bad_element_aside() {
    let body = r#"[{"id":"1"},{"id":null},{"id":2,"emojis":[{"shortcode":"a"},{"shortcode":7},3,{"shortcode":"b"}]},"x"]"#;
    let list = read_list::<Account>(body).expect("a list");
    let ids: Vec<_> = list.iter().map(|account| account.id.as_str()).collect();
    assert_eq!(ids, ["1", "2"]);
    let codes: Vec<_> = list[1]
        .emojis
        .iter()
        .map(|emoji| emoji.shortcode.as_str())
        .collect();
    assert_eq!(codes, ["a", "b"]);
    let paths: Vec<_> = list
        .rejected
        .iter()
        .map(|rejected| rejected.path.as_str())
        .collect();
    assert_eq!(
        paths,
        [
            "$[1].id",
            "$[2].emojis[1].shortcode",
            "$[2].emojis[2]",
            "$[3]"
        ]
    );
    assert_eq!(
        list.rejected[0].message,
        "invalid type: null, expected a string or a number"
    );
    assert_eq!(list.rejected[1].value, serde_json::json!({"shortcode": 7}));
    assert_eq!(list.rejected[3].value, serde_json::json!("x"));
}

#[test]
fn names_the_path_of_a_fault_outside_of_lists() {
    let error =
        account(r#"{"id":"1","moved":{"id":"2","sizes":{"@1x":-1}}}"#).expect_err("a fault");
    assert_eq!(error.path, r#"$.moved.sizes["@1x"]"#);
    assert_eq!(error.message, "invalid value: integer `-1`, expected u32");
    let error = account(r#"{"moved":null}"#).expect_err("a fault");
    assert_eq!(error.to_string(), "$: missing field `id`");
    let error = account(r#"{"id":"1","moved":{}}"#).expect_err("a fault");
    assert_eq!(error.to_string(), "$.moved: missing field `id`");
}

#[test]
fn what_is_no_json_is_said_to_be_none() {
    for body in [
        "",
        "<html>",
        r#"{"id":"1""#,
        r#"[{"id":"1"}"#,
        r#"{"id":"1"} x"#,
        "[1] x",
    ] {
        assert_eq!(account(body).expect_err(body).path, "$");
        assert_eq!(read_list::<Account>(body).expect_err(body).path, "$");
    }
    let deep = "[".repeat(100_000);
    assert!(read_list::<Account>(&deep).is_err());
    assert_eq!(read_list::<Account>("{}").expect_err("no list").path, "$");
}

#[test]
fn plain_vectors_outside_of_a_pass_stay_strict() {
    let mut deserializer = serde_json::Deserializer::from_str(r#"[{"shortcode":7}]"#);
    assert!(list::<Emoji, _>(&mut deserializer).is_err());
    // A tree of serde_json's own has exact sizes, and is still not a second pass.
    assert!(list::<Emoji, _>(serde_json::json!([{"shortcode": 7}])).is_err());
}

#[test]
fn a_fault_found_twice_is_reported_once() {
    #[derive(Debug, Deserialize)]
    struct Wrapper {
        #[serde(deserialize_with = "list")]
        outer: Vec<Vec<Emoji>>,
    }
    let decoded =
        read::<Wrapper>(r#"{"outer":[[{"shortcode":1}],[{"shortcode":"a"}]]}"#).expect("a list");
    assert_eq!(decoded.value.outer.len(), 1);
    assert_eq!(decoded.rejected.len(), 1);
    assert_eq!(decoded.rejected[0].path, "$.outer[0][0].shortcode");
    assert_eq!(
        decoded.rejected[0].value,
        serde_json::json!([{"shortcode": 1}])
    );
}

#[test]
fn lenient_takes_other_kinds() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Odd {
        #[serde(deserialize_with = "lenient")]
        text: String,
        #[serde(default, deserialize_with = "lenient")]
        number: Option<i64>,
        #[serde(default, deserialize_with = "lenient")]
        object: Option<Emoji>,
    }
    let odd = |json: &str| {
        read::<Odd>(json).map(|decoded| {
            (
                decoded.value.text,
                decoded.value.number,
                decoded.value.object.is_some(),
            )
        })
    };
    assert_eq!(
        odd(r#"{"text":7,"number":"4","object":{"shortcode":"a"}}"#),
        Ok(("7".into(), Some(4), true))
    );
    assert_eq!(
        odd(r#"{"text":"x","number":"many","object":[]}"#),
        Ok(("x".into(), None, false))
    );
    assert_eq!(
        odd(r#"{"text":true,"number":null,"object":"a"}"#),
        Ok(("true".into(), None, false))
    );
    assert_eq!(odd(r#"{"text":"x"}"#), Ok(("x".into(), None, false)));
    let error = odd(r#"{"text":{}}"#).expect_err("no text");
    assert_eq!(error.path, "$.text");
}

proptest! {
    #[test]
    fn both_passes_agree_on_what_is_right(ids in proptest::collection::vec("[a-z0-9]{1,8}", 0..8)) {
        let good: Vec<_> = ids.iter().map(|id| serde_json::json!({"id": id})).collect();
        let fast = read_list::<Account>(&serde_json::to_string(&good).expect("json")).expect("a list");
        let mut mixed = good;
        mixed.push(serde_json::json!({"id": []}));
        let slow = read_list::<Account>(&serde_json::to_string(&mixed).expect("json")).expect("a list");
        prop_assert_eq!(fast.items, slow.items);
        prop_assert_eq!(slow.rejected.len(), 1);
    }

    #[test]
    fn never_panics(body in "[\\[\\]{}\",:a-z0-9 ]{0,40}") {
        let _ = read::<Account>(&body);
        let _ = read_list::<Account>(&body);
    }
}
