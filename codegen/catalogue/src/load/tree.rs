//! A YAML document as a value, whatever is wrong with its keys: the scan has told of that already.

use std::fmt;

use serde::de::{
    self, Deserialize, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_yaml::{Mapping, Value};

/// The key that merges maps; it is refused.
pub(super) const MERGE: &str = "<<";

/// Reads the first document of a text. Of two keys the first holds; keys that are no text are left out, and merge keys, and tags.
pub(super) fn read(text: &str) -> Result<Value, serde_yaml::Error> {
    match serde_yaml::Deserializer::from_str(text).next() {
        Some(document) => Tree::deserialize(document).map(|tree| tree.0),
        None => Ok(Value::Null),
    }
}

struct Tree(Value);

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor).map(Self)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any YAML")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Value, E> {
        Ok(value.to_string().into())
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Value, E> {
        Ok(value.to_string().into())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(Tree(element)) = seq.next_element()? {
            elements.push(element);
        }
        Ok(Value::Sequence(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Mapping::new();
        while let Some((Tree(key), Tree(value))) = map.next_entry()? {
            if key.as_str().is_some_and(|key| key != MERGE) {
                entries.entry(key).or_insert(value);
            }
        }
        Ok(Value::Mapping(entries))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Value, A::Error> {
        let (de::IgnoredAny, content) = tagged.variant()?;
        content.newtype_variant::<Tree>().map(|tree| tree.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_two_keys_holds_and_other_keys_are_left_out() {
        let value =
            read("a: 1\na: 2\n3: x\n<<: y\n? [b]\n: c\nd: !tag {e: !x f}\n---\nz: 1\n").unwrap();
        assert_eq!(
            value,
            serde_yaml::from_str::<Value>("a: 1\nd: {e: f}").unwrap()
        );
    }

    #[test]
    fn nothing_is_null() {
        assert_eq!(read("").unwrap(), Value::Null);
        assert_eq!(read("# nothing\n").unwrap(), Value::Null);
    }
}
