//! Limits of nesting, at the last level that is read and the first that is refused.

use super::*;

/// Lists and objects inside of each other, without limit.
#[derive(Debug, PartialEq)]
struct Nest(Vec<Nest>);

impl FromJson for Nest {
    fn blank() -> Self {
        Self(Vec::new())
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        self.0.read(input)
    }
}

fn objects(levels: usize) -> String {
    let around = levels - 1;
    format!("{}{{\"id\":\"1\"}}{}", r#"{"id":"1","moved":"#.repeat(around), "}".repeat(around))
}

fn lists(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

const TOO_DEEP: &str = "it is nested more than 64 levels deep";

#[test]
fn objects_nest_64_levels_deep() {
    let read = |levels| account(&objects(levels)).expect("an account").rejected;
    assert!(read(64).is_empty());
    let [rejected] = read(65).try_into().expect("one part");
    assert_eq!(
        (rejected.path, rejected.message.as_str()),
        (format!("${}", ".moved".repeat(64)), TOO_DEEP)
    );
}

#[test]
fn lists_nest_64_levels_deep() {
    let read = |levels| read::<Nest>(&lists(levels)).expect("a list").rejected;
    assert!(read(64).is_empty());
    let [rejected] = read(65).try_into().expect("one element");
    assert_eq!(
        (rejected.path, rejected.message.as_str()),
        (format!("${}", "[0]".repeat(64)), TOO_DEEP)
    );
}

#[test]
fn maps_nest_64_levels_deep() {
    #[derive(Debug)]
    struct Tree(Map<Tree>);

    impl FromJson for Tree {
        fn blank() -> Self {
            Self(Map::new())
        }

        fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
            self.0.read(input)
        }
    }

    let maps =
        |levels: usize| format!("{}{{}}{}", "{\"a\":".repeat(levels - 1), "}".repeat(levels - 1));
    assert!(read::<Tree>(&maps(64)).is_ok());
    assert_eq!(read::<Tree>(&maps(65)).expect_err("too deep").message, TOO_DEEP);
}

/// Each level that is left counts no more, whether by its end or by a fault inside.
#[test]
fn siblings_do_not_add_up() {
    let body = |element: &str| format!("[{}]", vec![element; 100].join(","));
    let read = accounts(&body(&objects(63))).expect("a list");
    assert_eq!((read.value.len(), read.rejected.len()), (100, 0));

    let bad = r#"{"id":"1","moved":{"id":"2","moved":{"id":null}}}"#;
    let read =
        accounts(&format!("[{},{}]", vec![bad; 100].join(","), objects(63))).expect("a list");
    assert_eq!((read.value.len(), read.rejected.len()), (101, 16));
    assert_eq!(read.rejected.last().map(|last| last.more), Some(84));
}

#[test]
fn a_part_that_is_too_deep_is_set_aside() {
    // Too deep for a tree as well, and much too deep for a reader that recurses.
    for (levels, is_null) in [(64, false), (300, true), (100_000, true)] {
        let read = accounts(&format!("[{},{{\"id\":\"2\"}}]", objects(levels))).expect("a list");
        let ids: Vec<_> = read.value.iter().map(|account| account.id.as_str()).collect();
        assert_eq!(ids, ["1", "2"]);
        assert_eq!((read.rejected.len(), read.rejected[0].message.as_str()), (1, TOO_DEEP));
        assert_eq!(read.rejected[0].value.is_null(), is_null);
    }
}

#[test]
fn values_that_are_skipped_have_no_limit() {
    let body = format!(r#"{{"id":"1","unknown":{}}}"#, lists(100_000));
    assert!(account(&body).is_ok());
    assert_eq!(unknown_fields(|| assert!(account(&body).is_ok()))[0].value, Json::Null);
}

/// The limit of trees is that of `serde_json`.
#[test]
fn trees_nest_127_levels_deep() {
    assert!(read::<Json>(&lists(127)).is_ok());
    let error = read::<Json>(&lists(128)).expect_err("too deep");
    assert_eq!(error.to_string(), "$: recursion limit exceeded");
    let read = read::<Vec<Json>>(&format!("[{},1]", lists(128))).expect("a list");
    assert_eq!((read.value, read.rejected.len()), (vec![Json::from(1)], 1));
}
