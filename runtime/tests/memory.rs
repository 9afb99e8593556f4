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
