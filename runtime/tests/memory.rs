//! The memory that decoding takes, in proportion to the body.

use fedispec_runtime as rt;
use rt::de::{self, Decoded};

#[derive(Debug, rt::Entity)]
struct Rule {
    id: String,
    text: String,
}

const BODY: usize = 2 * 1024 * 1024;

/// The most memory held at once while a list of rules is read, and the list.
fn read(body: &str) -> (u64, Decoded<Vec<Rule>>) {
    let mut list = None;
    let used = allocation_counter::measure(|| list = de::read::<Vec<Rule>>(body).ok());
    (used.bytes_max, list.expect("a list"))
}

#[test]
fn what_does_not_fit_is_counted_and_not_kept() {
    for (element, most) in [("1", 64 * 1024), (r#"{"id":"1"}"#, 64 * 1024), ("[]", 64 * 1024)] {
        let count = BODY / (element.len() + 1);
        let body = format!("[{}]", vec![element; count].join(","));
        let (used, list) = read(&body);
        assert!(used < most, "{element}: {used} bytes for a body of {}", body.len());
        let Some(end) = list.rejected.last() else {
            unreachable!("they do not fit");
        };
        assert_eq!((list.rejected.len(), list.rejected.len() + end.more), (16, count));
        assert!(list.value.is_empty());
    }
}

#[test]
fn a_long_element_that_does_not_fit_is_not_kept() {
    let element = format!("[{}]", vec!["1"; BODY / 32].join(","));
    let body = format!("[{}]", vec![&*element; 16].join(","));
    let (used, list) = read(&body);
    assert!(used < 64 * 1024, "{used} bytes for a body of {}", body.len());
    assert_eq!(list.rejected.len(), 16);
    assert!(list.rejected.iter().all(|one| one.value.is_null() && one.more == 0));
}

/// An object that may be empty, in a box that it may be in.
#[derive(Debug, rt::Entity)]
struct Loose {
    one: Option<String>,
    two: Option<String>,
    three: Option<String>,
    four: Option<rt::Json>,
    list: Vec<String>,
    map: Option<rt::Map<Vec<i64>>>,
    inner: Option<Box<Loose>>,
}

/// The most memory held at once by what a body is read as, in KiB, and whether it was too much.
fn bounded<T: de::FromJson>(body: &str) -> (u64, bool) {
    let mut error = None;
    let used = allocation_counter::measure(|| {
        error = de::bounded(SMALL as u64, || de::read::<T>(body).err());
    });
    (used.bytes_max / 1024, error.is_some_and(|error| error.message.contains("bytes of memory")))
}

const SMALL: usize = BODY / 4;

#[test]
fn what_is_small_on_the_wire_takes_no_more_than_it_may() {
    const MOST: u64 = (8 * SMALL as u64 + 1024 * 1024) / 1024;
    type Boxes = Vec<Option<Box<Loose>>>;
    type Lists = rt::Map<Vec<i64>>;
    let list =
        |element: &str| format!("[{}]", vec![element; SMALL / (element.len() + 1)].join(","));
    let keys: Vec<_> = (0..SMALL / 16).map(|key| format!("\"{key}\":[]")).collect();
    let keys = format!("{{{}}}", keys.join(","));
    let long_key = format!("{{\"{}\":[]}}", "k".repeat(SMALL / 2));
    let nested = list(&format!("{}{{}}{}", r#"{"inner":"#.repeat(30), "}".repeat(30)));
    let long_text = list(&format!("\"{}\"", "t".repeat(500)));
    let mut table = Vec::new();
    for (what, (used, is_refused), expected) in [
        ("empty objects", bounded::<Vec<Loose>>(&list("{}")), true),
        ("nulls", bounded::<Vec<Loose>>(&list("null")), false),
        ("boxes", bounded::<Boxes>(&list("{}")), true),
        ("nested boxes", bounded::<Vec<Loose>>(&nested), true),
        ("numbers as trees", bounded::<Vec<rt::Json>>(&list("1")), true),
        ("a tree of lists", bounded::<rt::Json>(&list("[]")), true),
        ("a tree of objects", bounded::<rt::Json>(&list(r#"{"":0}"#)), true),
        ("trees in objects", bounded::<Vec<Loose>>(&list(r#"{"four":[[],{"":{}},1]}"#)), true),
        ("empty texts", bounded::<Vec<String>>(&list(r#""""#)), true),
        ("long texts", bounded::<Vec<String>>(&long_text), false),
        ("keys", bounded::<Lists>(&keys), false),
        ("a long key", bounded::<Lists>(&long_key), false),
    ] {
        table.push(format!("{what}: {used} KiB{}", if is_refused { ", refused" } else { "" }));
        assert!(used <= MOST, "{table:#?}");
        assert_eq!(is_refused, expected, "{table:#?}");
    }
    println!("{SMALL} bytes each, {MOST} KiB at most: {table:#?}");
}
