//! Renames that nobody declared, guessed from the likeness of what went and what came.

use fedispec_model::api::Api;

use super::support::{edited, found};

/// The small catalogue with these values of its first enumeration, named on the wire alone.
fn with_values(names: &[String]) -> Api {
    let mut api = edited(&[]);
    let enumeration = &mut api.enums[0];
    let id = enumeration.item.id.clone();
    let value = enumeration.values[0].clone();
    enumeration.values.clear();
    for name in names {
        let mut value = value.clone();
        value.id = format!("{id}.{name}");
        value.name.clone_from(name);
        value.wire.clone_from(name);
        enumeration.values.push(value);
    }
    api
}

fn guesses(old: &[String], new: &[String]) -> usize {
    let found = found(&with_values(old), &with_values(new));
    found.iter().filter(|line| line.starts_with("item-renamed-guess")).count()
}

/// The life is half of the likeness of two values, the name the other half.
#[test]
fn values_with_a_quarter_of_a_name_in_common_are_taken_for_one() {
    let old = ["aaaaaaaaaaaaaaaaaaaa".to_owned()];
    assert_eq!(guesses(&old, &["aaaaabbbbbbbbbbbbbbb".to_owned()]), 1, "0.625");
    assert_eq!(guesses(&old, &["aaabbbbbbbbbbbbbbbbb".to_owned()]), 0, "0.575");
}

#[test]
fn so_many_at_one_place_are_no_renames() {
    let names = |letter: char, count: usize| -> Vec<String> {
        (0..count).map(|number| format!("some_long_value_{number}_{letter}")).collect()
    };
    assert_eq!(guesses(&names('a', 40), &names('b', 40)), 40);
    assert_eq!(guesses(&names('a', 41), &names('b', 41)), 0);
    assert_eq!(guesses(&names('a', 41), &names('b', 1)), 0);
    assert_eq!(guesses(&names('a', 1), &names('b', 41)), 0);
}
