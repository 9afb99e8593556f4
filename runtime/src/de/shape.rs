//! How well a value fits a type, before it is decoded.

use serde::de::value::Error;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::Json;

/// How many of the value's keys the type has as fields; 0 where it is another kind of value altogether.
pub(crate) fn fits<T: DeserializeOwned>(value: &Json) -> usize {
    let mut score = 0;
    // The probe never gives a value; it looks at what the type asks for.
    let _ = T::deserialize(Probe {
        value,
        score: &mut score,
    });
    score
}

struct Probe<'a> {
    value: &'a Json,
    score: &'a mut usize,
}

fn done<T>() -> Result<T, Error> {
    Err(Error::custom("a probe has no value"))
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        done()
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Error> {
        if let Json::Object(entries) = self.value {
            let known = entries.keys().filter(|key| fields.contains(&key.as_str()));
            *self.score = known.count();
        }
        done()
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if let Json::Array(items) = self.value {
            *self.score = 1;
            if let Some(value) = items.first() {
                *self.score = 0;
                let score = self.score;
                return visitor.visit_seq(First(Some(Probe { value, score })));
            }
        }
        done()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _visitor: V,
    ) -> Result<V::Value, Error> {
        let is_empty = match self.value {
            Json::Null => true,
            Json::Object(entries) => entries.is_empty(),
            _ => false,
        };
        *self.score = usize::from(name == crate::list::EMPTY && is_empty);
        done()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_string<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        *self.score = usize::from(self.value.is_string());
        done()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str bytes byte_buf unit unit_struct tuple tuple_struct map enum identifier
        ignored_any
    }
}

struct First<'a>(Option<Probe<'a>>);

impl<'de> SeqAccess<'de> for First<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        match self.0.take() {
            Some(probe) => seed.deserialize(probe).map(Some),
            None => Ok(None),
        }
    }
}
