use proptest::prelude::*;

use super::*;
use crate::{Entity, Id, Map};

#[derive(Debug, PartialEq, Entity)]
#[entity(crate = crate)]
struct Emoji {
    shortcode: String,
}

#[derive(Debug, PartialEq, Entity)]
#[entity(crate = crate)]
struct Account {
    id: Id,
    emojis: Vec<Emoji>,
    moved: Option<Box<Account>>,
    sizes: Option<Map<u32>>,
}

fn accounts(body: &str) -> Result<Decoded<Vec<Account>>, Error> {
    read(body)
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
    let Decoded {
        value: list,
        rejected,
    } = accounts(body).expect("a list");
    let ids: Vec<_> = list.iter().map(|account| account.id.as_str()).collect();
    assert_eq!(ids, ["1", "2"]);
    let codes: Vec<_> = list[1]
        .emojis
        .iter()
        .map(|emoji| emoji.shortcode.as_str())
        .collect();
    assert_eq!(codes, ["a", "b"]);
    let paths: Vec<_> = rejected
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
        rejected[0].message,
        "invalid type: null, expected a string or a number"
    );
    assert_eq!(rejected[1].value, serde_json::json!({"shortcode": 7}));
    assert_eq!(rejected[3].value, serde_json::json!("x"));
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
        assert_eq!(accounts(body).expect_err(body).path, "$");
    }
    let deep = "[".repeat(100_000);
    assert!(accounts(&deep).is_err());
    assert_eq!(accounts("{}").expect_err("no list").path, "$");
}

#[cfg(feature = "serde")]
#[test]
fn by_way_of_serde_nothing_is_set_aside() {
    let account =
        serde_json::json!({"id": 1, "emojis": [{"shortcode": "a"}], "moved": {"id": "2"}});
    let read: Account = serde_json::from_value(account).expect("an account");
    assert_eq!(
        read.moved.as_ref().map(|moved| moved.id.as_str()),
        Some("2")
    );
    let again: Account =
        serde_json::from_str(&serde_json::to_string(&read).expect("JSON")).expect("itself");
    assert_eq!(read, again);
    let error =
        serde_json::from_str::<Account>(r#"{"id":"1","emojis":[7]}"#).expect_err("a strict reader");
    assert!(
        error
            .to_string()
            .starts_with("$.emojis[0]: invalid type: integer `7`"),
        "{error}"
    );
}

#[test]
fn what_is_nested_too_deep_is_refused() {
    let body = |levels| {
        format!(
            "{}{{\"id\":\"1\"}}{}",
            "{\"id\":\"1\",\"moved\":".repeat(levels),
            "}".repeat(levels)
        )
    };
    assert!(account(&body(60)).is_ok());
    let error = account(&body(100)).expect_err("too deep");
    assert!(
        error.message.contains("nested more than 64 levels"),
        "{error}"
    );
    let list = accounts(&format!("[{},{{\"id\":\"2\"}}]", body(5000))).expect("a list");
    assert_eq!((list.value.len(), list.rejected.len()), (1, 1));
}

#[test]
fn a_key_counts_where_it_comes_first() {
    let read = account(r#"{"moved":null,"id":"1","id":"2"}"#).expect("an account");
    assert_eq!(read.value.id.as_str(), "1");
}

#[test]
fn a_fault_found_twice_is_reported_once() {
    #[derive(Debug, Entity)]
    #[entity(crate = crate)]
    struct Wrapper {
        outer: Vec<Vec<Emoji>>,
    }
    let decoded =
        read::<Wrapper>(r#"{"outer":[[{"shortcode":1}],[{"shortcode":"a"}]]}"#).expect("a list");
    assert_eq!(decoded.value.outer.len(), 2);
    assert_eq!(decoded.rejected.len(), 1);
    assert_eq!(decoded.rejected[0].path, "$.outer[0][0].shortcode");
    assert_eq!(
        decoded.rejected[0].value,
        serde_json::json!({"shortcode": 1})
    );
}

#[test]
fn lenient_takes_other_kinds() {
    #[derive(Debug, PartialEq, Entity)]
    #[entity(crate = crate)]
    struct Odd {
        #[entity(lenient)]
        text: String,
        #[entity(lenient)]
        number: Option<i64>,
        #[entity(lenient)]
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

/// JSON, with escapes, numbers of all kinds, and blanks.
fn json() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|value| value.to_string()),
        any::<i64>().prop_map(|value| value.to_string()),
        any::<f64>()
            .prop_filter("finite", |value| value.is_finite())
            .prop_map(|value| format!("{value:e}")),
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap_or_default()),
        "\"(\\\\u[0-9a-fA-F]{4}|\\\\[bfnrt/\"]|[a-z ])*\"",
    ];
    scalar.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5)
                .prop_map(|items| format!("[ {} ]", items.join(" , "))),
            proptest::collection::vec(("[a-z]{0,3}", inner), 0..5).prop_map(|entries| {
                let entries: Vec<_> = entries
                    .iter()
                    .map(|(key, value)| format!("\"{key}\" : {value}"))
                    .collect();
                format!("{{\n{}\t}}", entries.join(" ,"))
            }),
        ]
    })
}

/// What is read of any JSON through the types of this crate.
#[derive(Debug, PartialEq)]
enum Tree {
    Scalar(Json),
    Text(String),
    List(Vec<Tree>),
    Map(Map<Tree>),
}

impl FromJson for Tree {
    fn blank() -> Self {
        Self::Scalar(Json::Null)
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        let mark = input.mark();
        let kind = input.tree()?;
        input.back(mark);
        *self = match kind {
            Json::String(_) => {
                let mut text = String::blank();
                text.read(input)?;
                Self::Text(text)
            }
            Json::Array(_) => {
                let mut items = Vec::blank();
                FromJson::read(&mut items, input)?;
                Self::List(items)
            }
            Json::Object(_) => {
                let mut entries = Map::blank();
                FromJson::read(&mut entries, input)?;
                Self::Map(entries)
            }
            scalar => {
                input.skip()?;
                Self::Scalar(scalar)
            }
        };
        Ok(())
    }
}

fn tree(value: Json) -> Tree {
    match value {
        Json::String(text) => Tree::Text(text),
        Json::Array(items) => Tree::List(items.into_iter().map(tree).collect()),
        Json::Object(entries) => Tree::Map(
            entries
                .into_iter()
                .map(|(key, value)| (key, tree(value)))
                .collect(),
        ),
        scalar => Tree::Scalar(scalar),
    }
}

proptest! {
    #[test]
    fn reads_what_serde_json_reads(body in json()) {
        let peer = serde_json::from_str::<Json>(&body);
        let own = read::<Tree>(&body);
        match (peer, own) {
            (Ok(peer), Ok(own)) => prop_assert_eq!((tree(peer), own.rejected.len()), (own.value, 0)),
            (Err(_), Err(_)) => {}
            (peer, own) => prop_assert!(false, "{peer:?} and {own:?}"),
        }
    }

    #[test]
    fn refuses_what_serde_json_refuses(body in json(), at in any::<proptest::sample::Index>(), put in "[\\[\\]{}\",:\\\\a-z0-9 \n-]{0,2}") {
        let mut broken: Vec<char> = body.chars().collect();
        let at = at.index(broken.len());
        broken.splice(at..=at, put.chars());
        let broken: String = broken.into_iter().collect();
        let peer = serde_json::from_str::<Json>(&broken);
        let own = read::<Tree>(&broken);
        prop_assert_eq!(peer.is_ok(), own.is_ok(), "{:?} and {:?} of {}", peer, own, broken);
        if let Err(own) = own {
            prop_assert!(own.path == "$" && own.message.contains(" at line "), "{own}");
        }
    }

    #[test]
    fn numbers_are_read_as_serde_reads_them(body in "-?[0-9]{0,20}(\\.[0-9]{0,3})?([eE][+-]?[0-9]{0,2})?") {
        prop_assert_eq!(read::<i64>(&body).ok().map(|read| read.value), serde_json::from_str(&body).ok());
        prop_assert_eq!(read::<u32>(&body).ok().map(|read| read.value), serde_json::from_str(&body).ok());
        prop_assert_eq!(read::<f64>(&body).ok().map(|read| read.value), serde_json::from_str(&body).ok());
    }

    #[test]
    fn both_passes_agree_on_what_is_right(ids in proptest::collection::vec("[a-z0-9]{1,8}", 0..8)) {
        let good: Vec<_> = ids.iter().map(|id| serde_json::json!({"id": id})).collect();
        let fast = accounts(&serde_json::to_string(&good).expect("json")).expect("a list");
        let mut mixed = good;
        mixed.push(serde_json::json!({"id": []}));
        let slow = accounts(&serde_json::to_string(&mixed).expect("json")).expect("a list");
        prop_assert_eq!(fast.value, slow.value);
        prop_assert_eq!(slow.rejected.len(), 1);
    }

    #[test]
    fn never_panics(body in "[\\[\\]{}\",:a-z0-9 ]{0,40}") {
        let _ = read::<Account>(&body);
        let _ = accounts(&body);
    }
}
