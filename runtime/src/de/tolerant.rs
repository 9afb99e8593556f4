//! The second pass: a deserializer over a tree that knows where it is.
//!
//! Where it is stands in a thread-local, because a list's `deserialize_with` gets nothing but the deserializer.

use std::cell::{Cell, RefCell};

use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::path::{self, Step};
use super::{Decoded, Error, UnknownField};
use crate::{Json, Rejected};

#[derive(Default)]
struct Pass {
    /// From the root to where the deserializer is.
    path: Vec<Step>,
    /// Where the error on its way up was first seen.
    fault: Option<Vec<Step>>,
    /// The elements set aside: where they are, where their fault is, what it is.
    refused: Vec<(Vec<Step>, Vec<Step>, String)>,
    /// The fields that no type has, while somebody listens for them.
    ignored: Vec<Vec<Step>>,
}

thread_local! {
    static PASS: RefCell<Option<Pass>> = const { RefCell::new(None) };
    static LISTENING: Cell<bool> = const { Cell::new(false) };
    static HEARD: RefCell<Vec<UnknownField>> = const { RefCell::new(Vec::new()) };
}

/// Whether somebody listens for fields that no type has.
pub(super) fn is_listening() -> bool {
    LISTENING.get()
}

/// The fields that no type has, in what is read meanwhile.
pub(super) fn listen(read: impl FnOnce()) -> Vec<UnknownField> {
    struct Listening(bool);

    impl Drop for Listening {
        fn drop(&mut self) {
            LISTENING.set(self.0);
        }
    }

    HEARD.take();
    let listening = Listening(LISTENING.replace(true));
    read();
    drop(listening);
    HEARD.take()
}

fn with<R>(act: impl FnOnce(&mut Pass) -> R) -> Option<R> {
    PASS.with_borrow_mut(|pass| pass.as_mut().map(act))
}

/// Ends the pass, also when a `Deserialize` panics, and gives back the pass that it interrupted.
struct Running {
    before: Option<Pass>,
}

impl Running {
    fn start() -> Self {
        Self {
            before: PASS.replace(Some(Pass::default())),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        PASS.replace(self.before.take());
    }
}

/// Decodes a tree; its lists set aside what does not decode.
pub(super) fn read<'de, T>(
    tree: &'de Json,
    decode: impl FnOnce(Tree<'de>) -> Result<T, serde_json::Error>,
) -> Result<Decoded<T>, Error> {
    let running = Running::start();
    let result = decode(Tree(tree));
    let pass = PASS.take().unwrap_or_default();
    drop(running);
    if is_listening() {
        let unknown = pass.ignored.iter().map(|path| UnknownField {
            path: path::show(path),
            value: path::find(tree, path).cloned().unwrap_or_default(),
        });
        HEARD.with_borrow_mut(|heard| heard.extend(unknown));
    }
    match result {
        Ok(value) => Ok(Decoded {
            value,
            rejected: pass
                .refused
                .into_iter()
                .map(|(element, fault, message)| Rejected {
                    path: path::show(&fault),
                    message,
                    value: path::find(tree, &element).cloned().unwrap_or_default(),
                })
                .collect(),
        }),
        Err(error) => Err(Error {
            path: path::show(&pass.fault.unwrap_or_default()),
            message: error.to_string(),
        }),
    }
}

/// Decodes a part of a tree; where it fails, it leaves no traces.
pub(super) fn attempt<T: DeserializeOwned>(tree: &Json) -> Result<T, serde_json::Error> {
    let before = with(|pass| (pass.refused.len(), pass.ignored.len()));
    let result = T::deserialize(Tree(tree));
    if let (true, Some((refused, ignored))) = (result.is_err(), before) {
        with(|pass| {
            pass.refused.truncate(refused);
            pass.ignored.truncate(ignored);
            pass.fault = None;
        });
    }
    result
}

/// Notes that a list's element was refused; false outside of a second pass.
pub(super) fn set_aside(error: &impl std::fmt::Display) -> bool {
    with(|pass| {
        let Some(fault) = pass.fault.take() else {
            return false;
        };
        let element = fault.get(..=pass.path.len()).unwrap_or(&fault).to_vec();
        pass.refused.push((element, fault, error.to_string()));
        true
    })
    .unwrap_or(false)
}

/// Runs a step deeper.
fn inside<R>(
    step: Step,
    run: impl FnOnce() -> Result<R, serde_json::Error>,
) -> Result<R, serde_json::Error> {
    with(|pass| pass.path.push(step));
    let result = run();
    with(|pass| {
        match &result {
            // Somebody made do with a fault further down.
            Ok(_) => pass.fault = None,
            Err(_) => {
                pass.fault.get_or_insert_with(|| pass.path.clone());
            }
        }
        pass.path.pop();
    });
    result
}

/// A deserializer over a tree.
#[derive(Clone, Copy)]
pub(super) struct Tree<'de>(&'de Json);

impl<'de> Deserializer<'de> for Tree<'de> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self.0 {
            Json::Array(items) => visitor.visit_seq(Elements(items.iter().enumerate())),
            Json::Object(fields) => visitor.visit_map(Fields {
                fields: fields.iter(),
                value: None,
            }),
            // By hand: by way of serde_json every entity's visitor would be compiled for its readers of trees too.
            Json::Null => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(*value),
            Json::String(text) => visitor.visit_borrowed_str(text),
            Json::Number(number) => visit_number(number, visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        match self.0 {
            Json::Object(fields) => visitor.visit_map(Fields {
                fields: fields.iter(),
                value: None,
            }),
            // Its fields in a row are no entity.
            Json::Array(_) => Err(de::Error::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self.0 {
            Json::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        match self.0 {
            Json::Object(fields) if fields.len() == 1 => match fields.iter().next() {
                Some((key, content)) => visitor.visit_enum(Variant { key, content }),
                None => self.0.deserialize_enum(name, variants, visitor),
            },
            other => other.deserialize_enum(name, variants, visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        if is_listening() {
            with(|pass| {
                if let Some(Step::Key(_)) = pass.path.last() {
                    pass.ignored.push(pass.path.clone());
                }
            });
        }
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map
        identifier
    }
}

fn visit_number<'de, V: Visitor<'de>>(
    number: &serde_json::Number,
    visitor: V,
) -> Result<V::Value, serde_json::Error> {
    if let Some(number) = number.as_u64() {
        visitor.visit_u64(number)
    } else if let Some(number) = number.as_i64() {
        visitor.visit_i64(number)
    } else {
        visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN))
    }
}

struct Elements<'de>(std::iter::Enumerate<std::slice::Iter<'de, Json>>);

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = serde_json::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Self::Error> {
        match self.0.next() {
            Some((index, item)) => {
                inside(Step::Index(index), || seed.deserialize(Tree(item))).map(Some)
            }
            None => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

struct Fields<'de> {
    fields: serde_json::map::Iter<'de>,
    value: Option<(&'de str, &'de Json)>,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = serde_json::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Self::Error> {
        let Some((key, value)) = self.fields.next() else {
            return Ok(None);
        };
        self.value = Some((key, value));
        seed.deserialize(key.as_str().into_deserializer()).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, Self::Error> {
        match self.value.take() {
            Some((key, value)) => {
                inside(Step::Key(key.to_owned()), || seed.deserialize(Tree(value)))
            }
            None => Err(de::Error::custom("a value was asked for before its key")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.fields.len())
    }
}

struct Variant<'de> {
    key: &'de str,
    content: &'de Json,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = serde_json::Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self), Self::Error> {
        Ok((seed.deserialize(self.key.into_deserializer())?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = serde_json::Error;

    fn unit_variant(self) -> Result<(), Self::Error> {
        de::Deserialize::deserialize(Tree(self.content))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<S::Value, Self::Error> {
        inside(Step::Key(self.key.to_owned()), || {
            seed.deserialize(Tree(self.content))
        })
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        inside(Step::Key(self.key.to_owned()), || {
            Tree(self.content).deserialize_any(visitor)
        })
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        inside(Step::Key(self.key.to_owned()), || {
            Tree(self.content).deserialize_any(visitor)
        })
    }
}
