//! Names of items as people write them: in Rust, on the wire, or as ids.

use crate::{Item, ItemTable, Kind};

/// A name with one `_` between its words, in lower case: `poll[options][]`, `poll_options` and `PollOptions` are the same.
fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 8);
    let mut before = '.';
    for c in name.chars() {
        let is_break = !c.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase());
        if is_break && !words.is_empty() && !words.ends_with('_') {
            words.push('_');
        }
        words.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
        before = c;
    }
    words.truncate(words.trim_end_matches('_').len());
    words
}

/// The row that a name means where it is not an id: `Account::noindex`, `statuses::Create::poll_options`,
/// `statuses.create.poll[options][]`. `None` where no row or several have the name.
pub(super) fn row<'a>(items: &'a ItemTable, name: &str) -> Option<&'a Item> {
    let asked = words(name);
    let mut rows = items.rows().iter().filter(|row| {
        let is_wire = || words(&format!("{}.{}", owner(row), row.name())) == asked;
        words(row.id()) == asked || is_wire()
    });
    let first = rows.next()?;
    rows.next().is_none().then_some(first)
}

/// The id that a name on the wire hangs on: a parameter's is whole in its operation, a field's a key in what is around it.
fn owner(row: &Item) -> &str {
    let id = row.id();
    let end = match row.kind() {
        Kind::Param => id.match_indices('.').nth(1).map(|(at, _)| at),
        _ => id.rfind('.'),
    };
    end.and_then(|end| id.get(..end)).unwrap_or_default()
}

/// Whether a name means the parameter of an operation: in Rust, on the wire, or by its id.
#[cfg(feature = "client")]
pub(crate) fn names_param(name: &str, operation: &str, wire: &str) -> bool {
    let (name, wire) = (words(name), words(wire));
    let own = name.strip_prefix(&words(operation));
    name == wire || own.and_then(|rest| rest.strip_prefix('_')) == Some(&*wire)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_has_several_names() {
        static ITEMS: ItemTable = ItemTable::new(
            &[],
            r#"{"form": 3, "items": {
    "Account.no-index": {"kind": "field", "wire": "noindex"},
    "accounts.update_credentials.source.privacy": {"kind": "param", "wire": "source[privacy]"},
    "one.a": "field",
    "one.a.b": {"kind": "param", "wire": "_a"}
}}"#,
            &[],
        );
        let found = |name| row(&ITEMS, name).map(Item::id);
        for name in ["Account::noindex", "Account.no_index", "account.noindex"] {
            assert_eq!(found(name), Some("Account.no-index"), "{name}");
        }
        for name in [
            "accounts::UpdateCredentials::source_privacy",
            "accounts.update_credentials.source[privacy]",
            "accounts.update_credentials.source.privacy",
        ] {
            assert_eq!(found(name), Some("accounts.update_credentials.source.privacy"), "{name}");
        }
        for name in ["", "Account", "Account::indexable", "source[privacy]"] {
            assert_eq!(found(name), None, "{name}");
        }
    }

    #[test]
    #[cfg(feature = "client")]
    fn a_parameter_has_several_names() {
        let is_options = |name| names_param(name, "statuses.create", "poll[options][]");
        for name in [
            "poll[options][]",
            "poll_options",
            "statuses.create.poll.options",
            "statuses::Create::poll_options",
        ] {
            assert!(is_options(name), "{name}");
        }
        for name in ["", "poll", "options", "statuses.create", "statuses.update.poll.options"] {
            assert!(!is_options(name), "{name}");
        }
    }
}
