//! The fields of a request, as a decoder fills them.
//!
//! A decoder is given all fields of a request in a table of pointers, and is compiled once. Code that took each field by its type was more than
//! half of what the backend had to compile of generated bindings.

use super::{Decode, Decoder, Invalid};
use crate::param::{Expected, FromParam, Given};

/// A field of a request and the index of its parameter.
pub struct Field<'s> {
    pub(super) index: usize,
    pub(super) is_required: bool,
    pub(super) slot: Slot<'s>,
}

/// The place that values are put into.
pub(super) enum Slot<'s> {
    Value(&'s mut dyn Values),
    List(&'s mut dyn Values),
    Objects(&'s mut dyn Objects),
}

impl<'s> Field<'s> {
    /// A required parameter.
    #[inline]
    pub fn required<T: FromParam>(index: usize, value: &'s mut T) -> Self {
        Self::new(index, true, Slot::Value(value))
    }

    /// An optional parameter.
    #[inline]
    pub fn optional<T: FromParam>(index: usize, value: &'s mut Option<T>) -> Self {
        Self::new(index, false, Slot::Value(value))
    }

    /// An optional list.
    #[inline]
    pub fn list<T: FromParam>(index: usize, values: &'s mut Vec<T>) -> Self {
        Self::new(index, false, Slot::List(values))
    }

    /// A required list.
    #[inline]
    pub fn required_list<T: FromParam>(index: usize, values: &'s mut Vec<T>) -> Self {
        Self::new(index, true, Slot::List(values))
    }

    /// An optional list of objects. The index is the list's, or that of any parameter in it.
    #[inline]
    pub fn objects<T: Decode>(index: usize, values: &'s mut Vec<T>) -> Self {
        Self::new(index, false, Slot::Objects(values))
    }

    /// A required list of objects.
    #[inline]
    pub fn required_objects<T: Decode>(index: usize, values: &'s mut Vec<T>) -> Self {
        Self::new(index, true, Slot::Objects(values))
    }

    #[inline]
    fn new(index: usize, is_required: bool, slot: Slot<'s>) -> Self {
        Self { index, is_required, slot }
    }
}

/// A field's value before it is taken from a request.
pub trait Unset {
    /// No value, or one that means nothing.
    fn unset() -> Self;
}

impl<T: FromParam> Unset for T {
    #[inline]
    fn unset() -> Self {
        T::blank()
    }
}

impl<T> Unset for Option<T> {
    #[inline]
    fn unset() -> Self {
        None
    }
}

impl<T> Unset for Vec<T> {
    #[inline]
    fn unset() -> Self {
        Self::new()
    }
}

/// The properties of a type as a parameter.
#[allow(clippy::struct_excessive_bools, reason = "each is a constant of its own in the trait")]
pub(super) struct ParamType {
    pub(super) empty_is_value: bool,
    pub(super) is_integer: bool,
    pub(super) is_switch: bool,
    pub(super) is_several: bool,
    pub(super) enumeration: &'static str,
    pub(super) listed: &'static [&'static str],
}

impl ParamType {
    const fn of<T: FromParam>() -> Self {
        Self {
            empty_is_value: T::EMPTY_IS_VALUE,
            is_integer: T::IS_INTEGER,
            is_switch: T::IS_SWITCH,
            is_several: T::IS_SEVERAL,
            enumeration: T::ENUMERATION,
            listed: T::LISTED,
        }
    }
}

/// A field that is made of one value, or of several.
pub(super) trait Values {
    fn kind(&self) -> &'static ParamType;

    /// Makes room for several values.
    fn reserve(&mut self, _: usize) {}

    /// Puts a value into it, behind those that it has if there can be several.
    fn put(&mut self, given: Given) -> Result<(), Expected>;
}

impl<T: FromParam> Values for T {
    fn kind(&self) -> &'static ParamType {
        const { &ParamType::of::<T>() }
    }

    fn put(&mut self, given: Given) -> Result<(), Expected> {
        *self = T::from_param(given)?;
        Ok(())
    }
}

impl<T: FromParam> Values for Option<T> {
    fn kind(&self) -> &'static ParamType {
        const { &ParamType::of::<T>() }
    }

    fn put(&mut self, given: Given) -> Result<(), Expected> {
        *self = Some(T::from_param(given)?);
        Ok(())
    }
}

impl<T: FromParam> Values for Vec<T> {
    fn kind(&self) -> &'static ParamType {
        const { &ParamType::of::<T>() }
    }

    fn reserve(&mut self, count: usize) {
        self.reserve_exact(count);
    }

    fn put(&mut self, given: Given) -> Result<(), Expected> {
        self.push(T::from_param(given)?);
        Ok(())
    }
}

/// A field that is a list of objects.
pub(super) trait Objects {
    fn reserve(&mut self, count: usize);

    /// Decodes an object and puts it behind those that there are.
    fn add(&mut self, from: &mut Decoder) -> Result<(), Invalid>;
}

impl<T: Decode> Objects for Vec<T> {
    fn reserve(&mut self, count: usize) {
        self.reserve_exact(count);
    }

    fn add(&mut self, from: &mut Decoder) -> Result<(), Invalid> {
        self.push(T::decode(from)?);
        Ok(())
    }
}
