use super::*;
use crate::{Either, Empty, Entity, Id, Map, NonExhaustive};

mod against_serde_json;
mod depth;

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
    for body in [r#"{"id":"1"}"#, r#"{"id":"1","emojis":null}"#, r#"{"id":"1","emojis":[]}"#] {
        let decoded = account(body).expect(body);
        assert!(decoded.value.emojis.is_empty());
        assert!(decoded.rejected.is_empty());
    }
}

#[test]
fn sets_a_bad_element_aside() {
    let body = r#"[{"id":"1"},{"id":null},{"id":2,"emojis":[{"shortcode":"a"},{"shortcode":7},3,{"shortcode":"b"}]},"x",null]"#;
    let Decoded { value: list, rejected } = accounts(body).expect("a list");
    let ids: Vec<_> = list.iter().map(|account| account.id.as_str()).collect();
    assert_eq!(ids, ["1", "2"]);
    let codes: Vec<_> = list[1].emojis.iter().map(|emoji| emoji.shortcode.as_str()).collect();
    assert_eq!(codes, ["a", "b"]);
    let paths: Vec<_> = rejected.iter().map(|rejected| rejected.path.as_str()).collect();
    assert_eq!(paths, ["$[1].id", "$[2].emojis[1].shortcode", "$[2].emojis[2]", "$[3]", "$[4]"]);
    assert_eq!(rejected[4].message, "invalid type: null, expected an object");
    assert_eq!(rejected[0].message, "invalid type: null, expected a string or a number");
    assert_eq!(rejected[1].value, serde_json::json!({"shortcode": 7}));
    assert_eq!(rejected[3].value, serde_json::json!("x"));
}

#[test]
fn names_the_path_of_a_fault_outside_of_lists() {
    let error = account(r#"{"moved":null}"#).expect_err("a fault");
    assert_eq!(error.to_string(), "$: missing field `id`");
    let error = account(r#"{"id":{}}"#).expect_err("a fault");
    assert_eq!(error.path, "$.id");
}

/// An optional part is dropped alone; what is required stays blank only where it is lenient.
#[test]
fn an_optional_part_that_does_not_fit_is_set_aside() {
    for (body, path, message) in [
        (r#"{"id":"1","moved":{}}"#, "$.moved", "missing field `id`"),
        (r#"{"id":"1","moved":[]}"#, "$.moved", "invalid type: sequence, expected an object"),
        (
            r#"{"id":"1","moved":{"id":"2","sizes":{"@1x":-1}}}"#,
            r#"$.moved.sizes["@1x"]"#,
            "invalid value: integer `-1`, expected u32",
        ),
    ] {
        let Decoded { value, rejected } = account(body).expect(body);
        assert_eq!(value.id.as_str(), "1");
        let [rejected] = rejected.try_into().expect("one part");
        assert_eq!((rejected.path.as_str(), rejected.message.as_str()), (path, message));
        let Decoded { value, rejected } = accounts(&format!("[{body}]")).expect(body);
        assert_eq!((value.len(), rejected.len()), (1, 1));
    }
    let moved = account(r#"{"id":"1","moved":{}}"#).expect("an account").value.moved;
    assert!(moved.is_none());
    // Notes on a rejected part are dropped with it.
    let body = r#"{"id":"1","moved":{"emojis":[3],"sizes":{"@1x":-1},"id":null}}"#;
    let paths = account(body).expect("an account").rejected.into_iter().map(|part| part.path);
    assert_eq!(paths.collect::<Vec<_>>(), ["$.moved.id"]);
    assert!(account(r#"{"id":"1","moved":{"id":x}}"#).is_err());
}

#[test]
fn what_is_no_json_is_said_to_be_none() {
    for body in ["", "<html>", r#"{"id":"1""#, r#"[{"id":"1"}"#, r#"{"id":"1"} x"#, "[1] x"] {
        assert_eq!(account(body).expect_err(body).path, "$");
        assert_eq!(accounts(body).expect_err(body).path, "$");
    }
    let deep = "[".repeat(100_000);
    assert!(accounts(&deep).is_err());
    assert_eq!(accounts("{}").expect_err("no list").path, "$");
}

#[test]
fn by_way_of_serde_nothing_is_set_aside() {
    let account =
        serde_json::json!({"id": 1, "emojis": [{"shortcode": "a"}], "moved": {"id": "2"}});
    let read: Account = serde_json::from_value(account).expect("an account");
    assert_eq!(read.moved.as_ref().map(|moved| moved.id.as_str()), Some("2"));
    let again: Account =
        serde_json::from_str(&serde_json::to_string(&read).expect("JSON")).expect("itself");
    assert_eq!(read, again);
    let error =
        serde_json::from_str::<Account>(r#"{"id":"1","emojis":[7]}"#).expect_err("a strict reader");
    assert!(error.to_string().starts_with("$.emojis[0]: invalid type: integer `7`"), "{error}");
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
    assert_eq!(decoded.rejected[0].value, serde_json::json!({"shortcode": 1}));
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
            (decoded.value.text, decoded.value.number, decoded.value.object.is_some())
        })
    };
    assert_eq!(
        odd(r#"{"text":7,"number":"4","object":{"shortcode":"a"}}"#),
        Ok(("7".into(), Some(4), true))
    );
    assert_eq!(odd(r#"{"text":"x","number":"many","object":[]}"#), Ok(("x".into(), None, false)));
    assert_eq!(
        odd(r#"{"text":true,"number":null,"object":"a"}"#),
        Ok(("true".into(), None, false))
    );
    assert_eq!(odd(r#"{"text":"x"}"#), Ok(("x".into(), None, false)));
    assert_eq!(odd(r#"{"number":"","object":"","text":""}"#), Ok((String::new(), None, false)));
    let error = odd(r#"{"text":[]}"#).expect_err("no text");
    assert_eq!(error.path, "$.text");
}

/// Its type would take null, but an object that lacks it is refused.
#[test]
fn a_lenient_field_that_must_be_there_does_not_become_null() {
    #[derive(Debug, Entity)]
    #[entity(crate = crate)]
    struct Parcel {
        #[entity(lenient)]
        size: Either<u32, Vec<u32>>,
    }
    let size = |json: &str| read::<Parcel>(json).map(|decoded| decoded.value.size.second());
    assert_eq!(size(r#"{"size":null}"#), Ok(Some(Vec::new())));
    assert_eq!(size("{}").expect_err("no size").path, "$");
    assert_eq!(size(r#"{"size":"big"}"#).expect_err("no size").path, "$.size");
}

/// A post of a hidden author is a post still.
#[test]
fn a_lenient_field_that_must_be_there_stays_blank() {
    #[derive(Debug, Entity)]
    #[entity(crate = crate)]
    struct Post {
        #[entity(lenient)]
        account: Account,
        #[entity(lenient)]
        text: String,
    }
    for (body, path, message) in [
        (r#"{"account":{},"text":"a"}"#, "$[0].account", "missing field `id`"),
        (r#"{"text":"a","account": { } }"#, "$[0].account", "missing field `id`"),
        (
            r#"{"account":null,"text":"a"}"#,
            "$[0].account",
            "invalid type: null, expected an object",
        ),
        (r#"{"text":"a"}"#, "$[0].account", "missing field `account`"),
        (r#"{"account":{"id":"1"}}"#, "$[0].text", "missing field `text`"),
        (
            r#"{"account":{"id":"1"},"text":null}"#,
            "$[0].text",
            "invalid type: null, expected a string",
        ),
    ] {
        let read = read::<Vec<Post>>(&format!("[{body}]")).expect(body);
        let told: Vec<_> = read.rejected.iter().map(|one| (&*one.path, &*one.message)).collect();
        assert_eq!((read.value.len(), told), (1, vec![(path, message)]), "{body}");
        let [post] = read.value.try_into().expect("a post");
        assert!(post.account.id.as_str().is_empty() || post.text.is_empty(), "{body}");
    }
    // Another object, and a value that is there and does not fit.
    for body in [
        "{}",
        r#"{"error":"x"}"#,
        r#"{"account":{"emojis":[]},"text":"a"}"#,
        r#"{"account":[],"text":"a"}"#,
    ] {
        let read = read::<Vec<Post>>(&format!("[{body}]")).expect(body);
        assert_eq!((read.value.len(), read.rejected.len()), (0, 1), "{body}");
    }
    // More than are told are counted.
    let many = vec![r#"{"account":{},"text":"a"}"#; 20].join(",");
    let read = read::<Vec<Post>>(&format!("[{many}]")).expect("a list");
    assert_eq!((read.value.len(), read.rejected.len()), (20, 16));
    assert_eq!(read.rejected[15].more, 4);
}

#[test]
fn an_empty_string_of_a_lenient_field_is_none() {
    #[derive(Debug, Entity)]
    #[entity(crate = crate)]
    struct Page {
        #[entity(lenient)]
        url: Option<String>,
        title: Option<String>,
    }
    let page = |json: &str| read::<Page>(json).expect(json).value;
    let empty = page(r#"{"url": "", "title": ""}"#);
    assert_eq!((empty.url, empty.title.as_deref()), (None, Some("")));
    let some = page(r#"{"url": "\"", "title": null}"#);
    assert_eq!((some.url.as_deref(), some.title), (Some("\""), None));
}

/// Elements of these lists that do not fit are noted before it shows that the object around the list does not fit either.
#[test]
fn notes_of_an_abandoned_attempt_are_dropped() {
    #[derive(Debug, Entity)]
    #[entity(crate = crate)]
    struct Pack {
        emojis: Vec<Emoji>,
        shortcode: u32,
    }
    #[derive(Debug, Entity)]
    #[entity(crate = crate)]
    struct Shelf {
        #[entity(lenient)]
        pack: Option<Pack>,
    }
    let pack = r#"{"emojis":[{"shortcode":7}],"shortcode":"a"}"#;

    let either = read::<Either<Pack, Emoji>>(pack).expect("an emoji");
    assert_eq!(either.value.second().map(|emoji| emoji.shortcode), Some("a".to_owned()));
    assert!(either.rejected.is_empty(), "{:?}", either.rejected);

    let shelf = read::<Shelf>(&format!(r#"{{"pack":{pack}}}"#)).expect("a shelf");
    assert!(shelf.value.pack.is_none());
    assert!(shelf.rejected.is_empty(), "{:?}", shelf.rejected);

    let list = read::<Vec<Pack>>(&format!("[{pack}]")).expect("a list");
    let paths: Vec<_> = list.rejected.iter().map(|rejected| rejected.path.as_str()).collect();
    assert_eq!(paths, ["$[0].shortcode"]);
}

#[test]
fn notes_keep_their_order_and_their_own_paths() {
    let body = r#"[{"id":"1","emojis":[7]},{"id":"2"},{"id":"3","moved":{"id":"4","emojis":[{"shortcode":"a"},8]}},9]"#;
    let read = accounts(body).expect("a list");
    let rejected: Vec<_> = read
        .rejected
        .iter()
        .map(|rejected| (rejected.path.as_str(), rejected.value.as_i64()))
        .collect();
    assert_eq!(
        rejected,
        [("$[0].emojis[0]", Some(7)), ("$[2].moved.emojis[1]", Some(8)), ("$[3]", Some(9))]
    );
}

#[test]
fn grammatical_json_without_a_value_costs_a_list_one_element() {
    for (element, path, message) in [
        (r#"{"id":"\ud800"}"#, "$[1].id", "unexpected end of hex escape"),
        (r#"{"id":1e999}"#, "$[1].id", "number out of range"),
        (r#"{"id":"1","\udc00":1}"#, "$[1]", "lone leading surrogate in hex escape"),
    ] {
        let read = accounts(&format!(r#"[{{"id":"1"}},{element},{{"id":"3"}}]"#)).expect(element);
        let ids: Vec<_> = read.value.iter().map(|account| account.id.as_str()).collect();
        assert_eq!(ids, ["1", "3"]);
        let [rejected] = read.rejected.as_slice() else {
            panic!("{:?}", read.rejected);
        };
        assert_eq!((rejected.path.as_str(), rejected.message.as_str()), (path, message));
        assert_eq!(rejected.value, Json::Null, "it cannot be shown");
    }
}

#[test]
fn a_body_that_is_not_json_is_reported_as_that_first() {
    let error = account(r#"{"id":null,"emojis":[}"#).expect_err("not JSON");
    assert_eq!(error.to_string(), "$: expected value at line 1 column 22");
    let error = read::<Vec<u32>>("[1,2").expect_err("not JSON");
    assert_eq!(error.to_string(), "$: EOF while parsing a list at line 1 column 4");
}

#[test]
fn unknown_fields_are_collected_with_their_paths() {
    let body =
        r#"[{"id":"1","cat":true,"moved":{"id":"2","dog":"\ud800"}},{"cat":1},{"emojis":[]}]"#;
    let known = accounts(body).expect("a list");
    let fields = unknown_fields(|| assert_eq!(accounts(body).expect("a list").value, known.value));
    let fields: Vec<_> = fields.iter().map(|field| (field.path.as_str(), &field.value)).collect();
    // The second account is refused, and so is what was found inside.
    assert_eq!(fields, [("$[0].cat", &Json::Bool(true)), ("$[0].moved.dog", &Json::Null)]);
}

#[test]
fn collections_of_unknown_fields_nest() {
    let read = |key: &str| drop(account(&format!(r#"{{"id":"1","{key}":1}}"#)));
    let paths =
        |fields: Vec<UnknownField>| fields.into_iter().map(|field| field.path).collect::<Vec<_>>();
    let mut inner = Vec::new();
    let outer = unknown_fields(|| {
        read("a");
        inner = unknown_fields(|| read("b"));
        read("c");
    });
    assert_eq!(
        (paths(outer), paths(inner)),
        (vec!["$.a".to_owned(), "$.c".to_owned()], vec!["$.b".to_owned()])
    );
    assert!(!collector::wanted().unknown);
    assert!(
        std::panic::catch_unwind(|| unknown_fields(|| panic!("a panic of the caller"))).is_err()
    );
    assert!(!collector::wanted().unknown);
    assert!(unknown_fields(|| ()).is_empty());
}

#[test]
fn keys_that_are_no_names_are_quoted_in_paths() {
    let path = |key: &str| {
        let key = Json::from(key);
        read::<Map<u32>>(&format!("{{{key}:null}}")).expect_err("no number").path
    };
    for (key, wanted) in [
        ("a_1", "$.a_1"),
        ("_", "$._"),
        ("1a", r#"$["1a"]"#),
        ("", r#"$[""]"#),
        ("a b", r#"$["a b"]"#),
        ("a\"", r#"$["a\""]"#),
        ("ä", r#"$["ä"]"#),
    ] {
        assert_eq!(path(key), wanted);
    }
}

#[test]
fn the_kinds_of_values_are_named_in_errors() {
    for (body, found) in [
        ("null", "null"),
        ("true", "boolean `true`"),
        ("7", "integer `7`"),
        ("-7", "integer `-7`"),
        ("18446744073709551615", "integer `18446744073709551615`"),
        ("0.5", "floating point `0.5`"),
        ("[]", "sequence"),
        ("{}", "map"),
    ] {
        let error = read::<Map<String>>(&format!("{{\"a\":{body}}}")).expect_err(body);
        assert_eq!(error.to_string(), format!("$.a: invalid type: {found}, expected a string"));
    }
    let error = read::<bool>("\"a\"").expect_err("a string");
    assert_eq!(error.message, "invalid type: string \"a\", expected a boolean");
    let error = read::<u32>("\"a\"").expect_err("a string");
    assert_eq!(error.message, "invalid type: string \"a\", expected u32");
}

#[test]
fn fields_are_found_in_any_order() {
    let [a, b, c] = [r#""id":"1""#, r#""emojis":[{"shortcode":"a"}]"#, r#""sizes":{"x":1}"#];
    let whole = account(&format!("{{{a},{b},{c}}}")).expect("an account").value;
    assert_eq!(
        (whole.id.as_str(), whole.emojis.len(), whole.sizes.as_ref().map(Map::len)),
        ("1", 1, Some(1))
    );
    for [a, b, c] in [[a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] {
        assert_eq!(account(&format!("{{{a},{b},{c}}}")).expect("an account").value, whole);
    }
}

/// The reader expects the order of the object before; whatever comes instead is found all the same.
#[test]
fn each_object_of_a_list_may_have_an_order_of_its_own() {
    let fields = [
        r#""id":"1""#,
        r#""emojis":[{"shortcode":"a"}]"#,
        r#""moved":{"emojis":null,"id":"2"}"#,
        r#""is_cat":{"id":"3"}"#,
        r#""sizes" : {"a":1}"#,
        r#""id":"4""#,
        r#""\u0065mojis":[]"#,
    ];
    let mut orders = Vec::new();
    for first in 0..fields.len() {
        for step in 1..fields.len() {
            let order = (0..fields.len()).map(|at| fields[(first + at * step) % fields.len()]);
            // One key less each time, so that what is expected is absent too.
            orders.push(order.take(fields.len() - first).collect::<Vec<_>>());
        }
    }
    let objects = orders.iter().map(|order| format!("{{{}}}", order.join(",")));
    let objects: Vec<_> = objects.collect();
    let together = accounts(&format!("[{}]", objects.join(" , "))).expect("a list");
    let mut together = together.value.into_iter();
    for object in &objects {
        if let Ok(alone) = account(object) {
            assert_eq!(together.next(), Some(alone.value), "{object}");
        }
    }
    assert_eq!(together.next(), None);
}

#[test]
fn only_the_missing_field_that_is_required_is_missed() {
    #[derive(Debug, Entity)]
    #[entity(crate = crate)]
    struct Boxed {
        optional: Box<Option<u32>>,
        required: Box<u32>,
    }
    let error = read::<Vec<Emoji>>(r#"[{"code":"a"}]"#).expect("a list").rejected;
    assert_eq!(
        (error[0].path.as_str(), error[0].message.as_str()),
        ("$[0]", "missing field `shortcode`")
    );
    let boxed = read::<Boxed>(r#"{"required":1}"#).expect("a box").value;
    assert_eq!((*boxed.optional, *boxed.required), (None, 1));
    assert_eq!(read::<Boxed>("{}").expect_err("a box").message, "missing field `required`");
}

#[test]
fn whole_bodies_that_are_not_json() {
    assert_eq!(read::<String>("id,name\n").expect("text").value, "id,name\n");
    assert_eq!(read::<String>(r#""text""#).expect("text").value, "text");
    assert!(read::<Empty>("<html>").is_ok() && read::<Empty>("").is_ok());
    for body in ["", "<html>"] {
        assert!(read::<Json>(body).is_err() && read::<bool>(body).is_err(), "{body}");
    }
    assert_eq!(
        (String::accept(), Json::accept(), Empty::accept()),
        ("*/*", "application/json", "application/json")
    );
}

#[test]
fn an_either_is_scored_as_its_better_half() {
    type Nested = Either<Either<Emoji, Account>, Map<u32>>;
    let nested = read::<Nested>(r#"{"id":"1","sizes":null}"#).expect("an account").value;
    assert!(matches!(nested, Either::First(Either::Second(_))), "{nested:?}");
    let nested =
        read::<Either<Map<u32>, Either<Account, Emoji>>>(r#"{"shortcode":"a"}"#).expect("an emoji");
    assert!(matches!(nested.value, Either::Second(Either::Second(_))));
}

#[test]
fn numbers_keep_the_text_that_was_sent_as_ids() {
    for number in
        ["0", "109", "-1", "-0", "1.0", "1e2", "18446744073709551615", "18446744073709551616"]
    {
        let id = read::<Id>(number).expect(number).value;
        assert_eq!(id.as_str(), number);
    }
    for body in ["01", "1.", "1e", "--1", "1-2", "+1", "-", "1e999", "true"] {
        assert!(read::<Id>(body).is_err(), "{body}");
    }
}

#[test]
fn an_empty_list_is_a_list() {
    let list = read::<Either<Empty, Vec<u32>>>("[]").expect("one of two");
    assert_eq!(list.value.second(), Some(Vec::new()));
}

/// Keys are told apart by their first byte and length before their text is compared.
#[test]
fn a_key_like_another_is_another() {
    let emoji = read::<Emoji>(r#"{"shortnode":7,"shortcode":"a"}"#).expect("an emoji");
    assert_eq!(emoji.value.shortcode, "a");
    assert!(read::<Emoji>(r#"{"shortnode":"a"}"#).is_err());
}

/// Each way in which a field can be read and written.
#[derive(Debug, Clone, PartialEq, Entity)]
#[entity(crate = crate)]
struct Ways {
    id: String,
    #[entity(absent = "false")]
    late: bool,
    #[entity(absent = "true", optional)]
    omitted: bool,
    #[entity(absent = "[]")]
    list: Vec<u32>,
    #[entity(absent = "\"plain\"", lenient)]
    text: String,
    #[entity(optional)]
    option: Option<u32>,
    nullable: Option<u32>,
    options: Option<Vec<u32>>,
    #[entity(as_read)]
    non_exhaustive: NonExhaustive,
}

fn ways(body: &str) -> Ways {
    let decoded = read::<Ways>(body).expect(body);
    assert!(decoded.rejected.is_empty(), "{body}");
    decoded.value
}

#[test]
fn an_absent_field_has_the_value_that_absence_means() {
    let read = ways(r#"{"id":"1"}"#);
    assert_eq!((read.late, read.omitted), (false, true));
    assert_eq!((read.list, read.text.as_str()), (vec![], "plain"));
    assert_eq!((read.option, read.nullable, read.options), (None, None, None));
}

#[test]
fn null_reads_as_absent_where_absence_has_a_value() {
    let read =
        ways(r#"{"id":"1","late":null,"omitted":null,"list":null,"text":null,"options":null}"#);
    assert_eq!(read, ways(r#"{"id":"1"}"#));
    let error = super::read::<Ways>(r#"{"id":null}"#).expect_err("an id");
    assert_eq!(error.path, "$.id");
}

#[test]
fn a_value_of_another_kind_is_still_refused() {
    let error = read::<Ways>(r#"{"id":"1","late":"no"}"#).expect_err("a boolean");
    assert_eq!((error.path.as_str(), error.message.starts_with("invalid type")), ("$.late", true));
    assert_eq!(ways(r#"{"id":"1","text":7}"#).text, "7");
    assert_eq!(ways(r#"{"id":"1","text":{}}"#).text, "plain");
}

#[test]
fn absent_fields_are_told_with_their_paths() {
    let body = r#"[{"id":"1","late":false,"list":[],"text":"","options":[]},{"id":7},{"id":"3","omitted":true,"option":null}]"#;
    let absent = absent_fields(|| drop(read::<Vec<Ways>>(body)));
    assert_eq!(
        absent,
        [
            "$[0].omitted",
            "$[0].option",
            "$[0].nullable",
            "$[2].late",
            "$[2].list",
            "$[2].text",
            "$[2].nullable",
            "$[2].options",
        ]
    );
    let nested = absent_fields(|| {
        assert_eq!(absent_fields(|| drop(read::<Emoji>("{}"))), [""; 0], "it is refused");
        drop(read::<Ways>(r#"{"id":"1"}"#));
    });
    assert_eq!(nested.len(), 7);
}

#[cfg(feature = "server")]
mod written {
    use super::*;

    /// Every object is written with the keys that it was read with, in the order of the fields.
    #[test]
    fn as_it_was_read() {
        for body in [
            r#"{"id":"1"}"#,
            r#"{"id":"1","late":false,"omitted":true,"list":[],"text":"plain","option":null,"nullable":null,"options":null}"#,
            r#"{"id":"1","late":true,"omitted":false,"list":[1],"text":"x","option":1,"nullable":2,"options":[]}"#,
            r#"{"id":"1","omitted":true,"option":null,"options":[3]}"#,
            r#"{"id":"1","late":false,"list":[],"nullable":null}"#,
        ] {
            assert_eq!(crate::ser::text(&ways(body)), body);
        }
    }

    #[test]
    fn what_is_made_is_written_in_the_usual_way() {
        let made = Ways { non_exhaustive: NonExhaustive::default(), ..ways(r#"{"id":"1"}"#) };
        assert_eq!(made, ways(r#"{"id":"1"}"#), "how it was read makes no difference");
        assert_eq!(
            crate::ser::text(&made),
            r#"{"id":"1","late":false,"list":[],"text":"plain","nullable":null,"options":null}"#
        );
    }

    #[test]
    fn what_is_set_after_reading_is_written() {
        let mut read = ways(r#"{"id":"1"}"#);
        read.late = true;
        read.list.push(1);
        read.nullable = Some(2);
        assert_eq!(crate::ser::text(&read), r#"{"id":"1","late":true,"list":[1],"nullable":2}"#);
        // The value is again the one that its absence meant.
        read.late = false;
        assert_eq!(crate::ser::text(&read), r#"{"id":"1","list":[1],"nullable":2}"#);
    }
}

/// A field that a user empties in an entity that was read is left out, as it would be in a new one; only what came as null is null again.
#[cfg(feature = "server")]
#[test]
fn what_was_read_as_null_alone_is_written_as_null() {
    #[derive(Debug, Entity)]
    #[entity(crate = crate)]
    struct Marks {
        #[entity(optional)]
        home: Option<Emoji>,
        #[entity(optional)]
        away: Option<Emoji>,
        #[entity(as_read)]
        non_exhaustive: NonExhaustive,
    }
    let marks = read::<Marks>(r#"{"home":{"shortcode":"a"},"away":null}"#);
    let mut marks = marks.expect("marks").value;
    assert!(marks.home.take().is_some());
    assert_eq!(crate::ser::text(&marks), r#"{"away":null}"#);
}
