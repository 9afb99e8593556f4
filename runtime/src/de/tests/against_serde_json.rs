//! The reader against `serde_json`: the same bodies are read, to the same values, and the same bodies are refused.
//!
//! The oracle is called here, on the body as it came. What is compared with it is read by the cursor and the types of this crate.

use std::fmt::{self, Write as _};

use proptest::prelude::*;

use super::*;

/// Any JSON, as the types of this crate read it.
#[derive(Debug, PartialEq)]
enum Tree {
    Null,
    Bool(bool),
    Integer(i64),
    Unsigned(u64),
    Float(f64),
    Text(String),
    List(Vec<Tree>),
    Map(Map<Tree>),
}

impl FromJson for Tree {
    fn blank() -> Self {
        Self::Null
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        let mark = input.mark();
        *self = if input.null() {
            Self::Null
        } else if let Some(value) = input.bool() {
            Self::Bool(value)
        } else if input.number().is_some() {
            input.rewind(mark);
            number(input)?
        } else if input.string()?.is_some() {
            input.rewind(mark);
            Self::Text(value(input)?)
        } else if matches!(input.open_list(), Ok(true)) {
            input.rewind(mark);
            Self::List(value(input)?)
        } else {
            Self::Map(value(input)?)
        };
        Ok(())
    }
}

fn value<T: FromJson>(input: &mut Input<'_>) -> Result<T, Fault> {
    let mut value = T::blank();
    value.read(input).map(|()| value)
}

fn number(input: &mut Input<'_>) -> Result<Tree, Fault> {
    let mark = input.mark();
    if let Ok(number) = value(input) {
        return Ok(Tree::Integer(number));
    }
    input.rewind(mark);
    if let Ok(number) = value(input) {
        return Ok(Tree::Unsigned(number));
    }
    input.rewind(mark);
    value(input).map(Tree::Float)
}

impl From<Json> for Tree {
    fn from(value: Json) -> Self {
        match value {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(value),
            Json::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(number), _) => Self::Integer(number),
                (None, Some(number)) => Self::Unsigned(number),
                (None, None) => Self::Float(number.as_f64().expect("a number")),
            },
            Json::String(text) => Self::Text(text),
            Json::Array(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Json::Object(entries) => {
                Self::Map(entries.into_iter().map(|(key, value)| (key, value.into())).collect())
            }
        }
    }
}

/// The oracle's reading of a body. A list that leaves out elements reads less than the oracle does, and so counts as a refusal.
fn check(body: &str) {
    let wanted = serde_json::from_str::<Json>(body).map(Tree::from).ok();
    let read = read::<Tree>(body);
    let found = match &read {
        Ok(decoded) if decoded.rejected.is_empty() => Some(&decoded.value),
        _ => None,
    };
    // By their debug form, which tells -0.0 from 0.0.
    assert_eq!(format!("{found:?}"), format!("{:?}", wanted.as_ref()), "{body:?}");
    if let Err(wanted) = serde_json::from_str::<IgnoredAny>(body) {
        assert_eq!(read.expect_err(body), Error::whole(wanted.to_string()), "{body:?}");
    }
}

/// A string alone, as an element, as a key, and behind another that moves it in the words that are searched at once.
fn check_string(literal: &str) {
    check(literal);
    check(&format!("[{literal} , {literal}]"));
    check(&format!("{{{literal}:{literal}}}"));
}

fn check_number<T>(literal: &str)
where
    T: FromJson + serde::de::DeserializeOwned + fmt::Debug,
{
    let wanted = serde_json::from_str::<T>(literal);
    let found = read::<T>(literal).map(|decoded| decoded.value);
    assert_eq!(format!("{:?}", found.ok()), format!("{:?}", wanted.ok()), "{literal:?}");
}

fn check_numbers(literal: &str) {
    check(literal);
    check(&format!("[{literal},{literal}]"));
    check_number::<i64>(literal);
    check_number::<u64>(literal);
    check_number::<u32>(literal);
    check_number::<f64>(literal);
    check_number::<Json>(literal);
}

/// Control characters have to be escaped (RFC 8259, section 7): all below 0x20, and no others.
#[test]
fn raw_bytes_at_each_place_of_a_string() {
    for byte in (0..0x80_u8).chain([b'\\', b'"']) {
        for length in 0..20 {
            for at in [0, length / 2, length] {
                let mut text = "a".repeat(length);
                text.insert(at, char::from(byte));
                check(&format!("\"{text}\""));
            }
        }
    }
    for control in ['\u{0}', '\u{1e}', '\u{1f}'] {
        check_string(&format!("\"{control}\""));
        check_string(&format!("\"\\n{control}\""));
        assert!(account(&format!("{{\"id\":\"{control}\"}}")).is_err());
    }
    for text in [" ", "\u{7f}", "\u{80}", "\u{9f}", "é", "日本", "\u{2028}", "\u{10ffff}"] {
        for before in 0..9 {
            check_string(&format!("\"{}{text}\"", "a".repeat(before)));
        }
    }
}

#[test]
fn each_escape() {
    for escaped in 0..0x80_u8 {
        check_string(&format!("\"a\\{}b\"", char::from(escaped)));
    }
    for code in (0..=0xffff).step_by(61) {
        check(&format!("\"\\u{code:04x}\""));
    }
    for escape in
        ["u12g4", "u+123", "u 123", "u123", "u", "u00é", "U0041", "é", "u00E9", "u00e9", "x41"]
    {
        check_string(&format!("\"\\{escape}\""));
    }
}

#[test]
fn each_pair_of_surrogates_at_the_borders() {
    const BORDERS: [u32; 9] =
        [0x41, 0xd7ff, 0xd800, 0xd83d, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff];
    for first in BORDERS {
        for second in BORDERS {
            check_string(&format!("\"\\u{first:04x}\\u{second:04X}\""));
            check_string(&format!("\"a\\u{first:04x}b\\u{second:04X}c\""));
        }
        for rest in ["", "\\", "\\n", "\\u", "\\udc0", "x", "dc00"] {
            check_string(&format!("\"\\u{first:04x}{rest}\""));
        }
    }
}

#[test]
fn numbers_at_the_limits() {
    let mut literals = Vec::new();
    for digits in 1..=22 {
        for digit in ["1", "9"] {
            literals.push(digit.repeat(digits));
        }
        literals.push(format!("1{}", "0".repeat(digits - 1)));
    }
    let limits = [i64::MIN.into(), i64::MAX.into(), u64::MAX.into(), u32::MAX.into(), 0_i128];
    literals.extend(
        limits
            .iter()
            .flat_map(|limit| [limit - 1, *limit, limit + 1])
            .map(|number| number.to_string()),
    );
    for literal in &literals {
        check_numbers(literal);
        for (before, behind) in [
            ("-", ""),
            ("--", ""),
            ("+", ""),
            ("0", ""),
            ("-0", ""),
            ("", ".0"),
            ("", "."),
            ("", "e0"),
            ("", "e-3"),
            ("", "E+2"),
            ("", "e"),
        ] {
            check_numbers(&format!("{before}{literal}{behind}"));
        }
    }
}

#[test]
fn numbers_out_of_the_ordinary() {
    let fraction = format!("0.{}", "123456789".repeat(40));
    let integer = "123456789".repeat(40);
    for literal in [
        "0",
        "-0",
        "-0.0",
        "00",
        "-00",
        "01",
        "-01",
        "-",
        "+1",
        ".5",
        "-.5",
        "5.",
        "5.e1",
        "0.1",
        "0e1",
        "1e5",
        "1E+5",
        "1e-5",
        "1e",
        "1e+",
        "1e5.0",
        "1.5.1",
        "1e400",
        "-1e400",
        "1e-400",
        "1e308",
        "1.8e308",
        "1.7976931348623157e308",
        "5e-324",
        "1-2",
        "1+2",
        "--1",
        "1_000",
        "0x10",
        "NaN",
        "Infinity",
        "-Infinity",
        "1 2",
        " 1 ",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "0e99999999999999999999",
        fraction.as_str(),
        integer.as_str(),
    ] {
        check_numbers(literal);
    }
}

#[test]
fn blanks_words_and_brackets() {
    for blank in
        ["", " ", "\t", "\n", "\r", "\r\n \t", "\u{b}", "\u{c}", "\u{0}", "\u{a0}", "\u{feff}"]
    {
        for body in ["null", "1", "true", "\"a\"", "[1,2]", "{\"a\":1}"] {
            check(&format!("{blank}{body}"));
            check(&format!("{body}{blank}"));
            let spread: String =
                body.chars()
                    .map(|c| {
                        if c.is_alphanumeric() {
                            c.to_string()
                        } else {
                            format!("{blank}{c}{blank}")
                        }
                    })
                    .collect();
            check(&spread);
        }
    }
    for body in [
        "",
        "nul",
        "nulll",
        "null1",
        "Null",
        "tru",
        "truefalse",
        "False",
        "fals",
        "[",
        "]",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[,]",
        "[1 2]",
        "[1,,2]",
        "[1}",
        "{",
        "}",
        "{1:2}",
        "{null:1}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,\"a\":1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1]",
        "{\"a\" 1}",
        "{\"a\",1}",
        "{\"a\":1,\"a\":[]}",
        "[] []",
        "{}{}",
        "1,",
        "\"",
        "\"a",
        "'a'",
        "[\"a]",
        "nullnull",
        "[null,nul]",
        "[tru",
        "\u{feff}{}",
    ] {
        check(body);
    }
}

#[test]
fn each_beginning_of_a_body() {
    let body =
        r#" {"a\n":[1,-2.5e+3,"x\ud83d\ude00é\\",true,false,null,{}],"":{"b":[[],{"c":""}]}} "#;
    let ends = (0..=body.len()).filter(|end| body.is_char_boundary(*end));
    ends.for_each(|end| check(&body[..end]));
}

/// JSON with escapes, numbers of all kinds, and blanks.
fn json() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|value| value.to_string()),
        any::<i64>().prop_map(|value| value.to_string()),
        any::<u64>().prop_map(|value| value.to_string()),
        any::<f64>()
            .prop_filter("finite", |value| value.is_finite())
            .prop_map(|value| format!("{value:e}")),
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap_or_default()),
        "\"(\\\\u([0-9a-fA-F]{4}|[dD][89a-fA-F][0-9a-fA-F]{2})|\\\\[bfnrt/\"\\\\]|[a-z \u{7f}-\u{ff}])*\"",
    ];
    scalar.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5)
                .prop_map(|items| format!("[ {} ]", items.join(" , "))),
            proptest::collection::vec(("[a-z]{0,3}", inner), 0..5).prop_map(|entries| {
                let mut text = "{\n".to_owned();
                for (at, (key, value)) in entries.iter().enumerate() {
                    let comma = if at == 0 { "" } else { " ," };
                    let _ = write!(text, "{comma}\"{key}\" : {value}");
                }
                text + "\t}"
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_json(body in json()) {
        check(&body);
    }

    #[test]
    fn nearly_json(body in json(), at in any::<proptest::sample::Index>(), put in "[\\[\\]{}\",:\\\\a-z0-9 \n\u{0}-\u{1f}-]{0,2}") {
        let mut broken: Vec<char> = body.chars().collect();
        let at = at.index(broken.len());
        broken.splice(at..=at, put.chars());
        check(&broken.into_iter().collect::<String>());
    }

    #[test]
    fn anything_like_a_number(literal in "-?[0-9]{0,21}(\\.[0-9]{0,30})?([eE][+-]?[0-9]{0,3})?") {
        check_numbers(&literal);
    }

    #[test]
    fn any_integer(literal in "-?[0-9]{17,21}") {
        check_numbers(&literal);
    }

    #[test]
    fn anything_like_a_string(text in "([a-z\u{1e}-\u{21}\u{7f}é]|\\\\[uU\"\\\\/bfnrtx]|u?[dD][89a-fA-F][0-9a-fA-F]{2}|[0-9a-f]{4}){0,12}") {
        check_string(&format!("\"{text}\""));
    }

    #[test]
    fn anything_like_json(body in "[\\[\\]{}\",:a-z0-9 ]{0,40}") {
        check(&body);
        let _ = read::<Account>(&body);
        let _ = accounts(&body);
    }

    #[test]
    fn good_elements_beside_a_bad_one(ids in proptest::collection::vec("[a-z0-9]{1,8}", 0..8)) {
        let good: Vec<_> = ids.iter().map(|id| serde_json::json!({"id": id})).collect();
        let all = accounts(&serde_json::to_string(&good).expect("JSON")).expect("a list");
        prop_assert_eq!(all.value.len(), ids.len());
        let mut mixed = good;
        mixed.push(serde_json::json!({"id": []}));
        let some = accounts(&serde_json::to_string(&mixed).expect("JSON")).expect("a list");
        prop_assert_eq!(all.value, some.value);
        prop_assert_eq!(some.rejected.len(), 1);
    }
}
