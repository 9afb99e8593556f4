//! Names of parameters and fields in bracket notation: `source[privacy]`, `types[]`, `fields_attributes[:index][name]`.
//!
//! The client's and the server's half and the stand-ins read and write names here. `fedispec_model::wire` checks those of the catalogue, and
//! tells what is wrong with one; names in generated code have passed it.

#[cfg(feature = "client")]
use crate::Json;

/// A segment of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// `source`, `[privacy]`
    Key(&'a str),
    /// `[]`: the next element of a list.
    Next,
    /// `[:index]`: a numbered element of a list.
    Number,
}

/// Splits the name of a parameter or field in generated code.
pub(crate) fn steps(name: &str) -> impl Iterator<Item = Step<'_>> {
    name.split('[').enumerate().map(|(place, part)| {
        let part = part.strip_suffix(']').unwrap_or(part);
        match part {
            "" if place > 0 => Step::Next,
            _ if place > 0 && part.starts_with(':') => Step::Number,
            _ => Step::Key(part),
        }
    })
}

/// The steps to a list as a whole, or to any other value: those of its name, save the mark for elements at its end.
#[cfg(feature = "server")]
pub(crate) fn whole(name: &str) -> impl Iterator<Item = Step<'_>> {
    let mut steps = steps(name).peekable();
    std::iter::from_fn(move || {
        let step = steps.next()?;
        (matches!(step, Step::Key(_)) || steps.peek().is_some()).then_some(step)
    })
}

/// Whether a name marks its value as a list: `types[]`.
pub(crate) fn lists(name: &str) -> bool {
    steps(name).any(|step| step == Step::Next)
}

/// The name up to its brackets, of a parameter or as received.
#[cfg(feature = "server")]
pub(crate) fn stem(name: &str) -> &str {
    name.split('[').next().unwrap_or_default()
}

/// Splits a name that was received by [Rack's rules]: `a[b][]` into `a` and its steps, no more than `most`. One with unbalanced brackets is a
/// plain name, and so is all that follows an opening bracket but is no empty mark.
///
/// [Rack's rules]: https://github.com/rack/rack/blob/main/lib/rack/query_parser.rs
#[cfg(feature = "server")]
pub(crate) fn received(name: &str, most: usize) -> (&str, Vec<Step<'_>>) {
    let start = name.find('[').filter(|&start| start > 0);
    let split = start.and_then(|start| {
        let (stem, brackets) = name.split_at(start);
        let inner = brackets.strip_prefix('[')?.strip_suffix(']')?;
        Some((stem, inner))
    });
    let Some((stem, inner)) = split else {
        return (name, Vec::new());
    };
    let steps = inner.split("][").take(most).map(|part| match part {
        "" => Step::Next,
        key => Step::Key(key),
    });
    (stem, steps.collect())
}

/// Adds a key to a name: `source` and `privacy` are `source[privacy]`, and `types` and an empty key are `types[]`.
#[cfg(feature = "client")]
pub(crate) fn push(name: &mut String, key: &str) {
    name.extend(["[", key, "]"]);
}

/// Goes to a member of an object. Where there is no object or no such member, it makes one.
#[cfg(feature = "client")]
pub(crate) fn field<'a>(place: &'a mut Json, name: &str) -> &'a mut Json {
    if !place.is_object() {
        *place = Json::Object(serde_json::Map::new());
    }
    &mut place[name]
}

/// Goes to an element of a list by its number, or to a new one. Where there is no list, it makes one.
#[cfg(feature = "client")]
pub(crate) fn element(place: &mut Json, number: Option<usize>) -> &mut Json {
    if !place.is_array() {
        *place = Json::Array(Vec::new());
    }
    let length = place.as_array().map_or(0, Vec::len);
    let number = number.unwrap_or(length);
    if let Json::Array(items) = place
        && number >= length
    {
        // A number beyond the end fills the gap with empty objects.
        items.resize(number + 1, Json::Object(serde_json::Map::new()));
    }
    &mut place[number]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_the_names_of_generated_code() {
        let read = |name| steps(name).collect::<Vec<_>>();
        assert_eq!(read("acct"), [Step::Key("acct")]);
        assert_eq!(read("types[]"), [Step::Key("types"), Step::Next]);
        assert_eq!(
            read("data[alerts][admin.sign_up]"),
            [Step::Key("data"), Step::Key("alerts"), Step::Key("admin.sign_up")]
        );
        assert_eq!(
            read("fields_attributes[:index][name]"),
            [Step::Key("fields_attributes"), Step::Number, Step::Key("name")]
        );
        assert!(lists("keywords[][keyword]") && !lists("a[b]") && !lists("a[:index]"));
    }

    #[cfg(feature = "server")]
    #[test]
    fn the_whole_of_a_list_is_without_its_last_mark() {
        let read = |name| whole(name).collect::<Vec<_>>();
        assert_eq!(read("acct"), [Step::Key("acct")]);
        assert_eq!(read("types[]"), [Step::Key("types")]);
        assert_eq!(read("types[:index]"), [Step::Key("types")]);
        assert_eq!(read("k[][w]"), [Step::Key("k"), Step::Next, Step::Key("w")]);
        assert_eq!(read("k[][l][]"), [Step::Key("k"), Step::Next, Step::Key("l")]);
    }

    #[cfg(feature = "server")]
    #[test]
    fn a_received_name_has_no_numbers() {
        let key = Step::Key;
        assert_eq!(received("a[:b][]", 9), ("a", vec![key(":b"), Step::Next]));
        assert_eq!(received("a[0][b]", 9), ("a", vec![key("0"), key("b")]));
        for plain in ["a", "a[b", "[c]", "d]", ""] {
            assert_eq!(received(plain, 9), (plain, Vec::new()));
        }
        assert_eq!(received("a[b][c]", 1), ("a", vec![key("b")]));
        assert_eq!(stem("a[b][c]"), "a");
    }

    #[cfg(feature = "client")]
    #[test]
    fn writes_keys_and_marks() {
        let mut name = "k".to_owned();
        push(&mut name, "");
        push(&mut name, "w");
        assert_eq!(name, "k[][w]");
    }
}
