//! Values of parameters that take one value or a list.

use std::ops::Deref;

use crate::param::{Expected, FromParam, Given, ToParam, Value};

/// The values of a parameter that takes one value or a list. It dereferences to a slice.
///
/// A client sends them as the server's release takes them: as a list, or as the lines of one text. A server gets the same from both.
///
/// ```
/// # use fedispec_runtime as rt;
/// use rt::OneOrMany;
///
/// let one: OneOrMany<String> = "https://elephant.example/callback".into();
/// let two: OneOrMany<String> = ["https://elephant.example/callback", "urn:ietf:wg:oauth:2.0:oob"].into();
/// assert_eq!((one.len(), two.len()), (1, 2));
/// assert_eq!(one[0], two[0]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OneOrMany<T>(Vec<T>);

impl<T> OneOrMany<T> {
    /// The values as a list.
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T> Deref for OneOrMany<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> IntoIterator for OneOrMany<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a OneOrMany<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T> FromIterator<T> for OneOrMany<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl<T: ToParam> From<T> for OneOrMany<T> {
    fn from(value: T) -> Self {
        Self(vec![value])
    }
}

impl From<&str> for OneOrMany<String> {
    fn from(value: &str) -> Self {
        Self(vec![value.to_owned()])
    }
}

impl From<&String> for OneOrMany<String> {
    fn from(value: &String) -> Self {
        Self(vec![value.clone()])
    }
}

impl<T, S: Into<T>> From<Vec<S>> for OneOrMany<T> {
    fn from(values: Vec<S>) -> Self {
        values.into_iter().map(Into::into).collect()
    }
}

impl<T, S: Into<T>, const N: usize> From<[S; N]> for OneOrMany<T> {
    fn from(values: [S; N]) -> Self {
        values.into_iter().map(Into::into).collect()
    }
}

impl<T, S: Clone + Into<T>> From<&[S]> for OneOrMany<T> {
    fn from(values: &[S]) -> Self {
        values.iter().cloned().map(Into::into).collect()
    }
}

impl<T: ToParam> ToParam for OneOrMany<T> {
    fn to_param(&self) -> Value<'_> {
        Value::Several(self.0.iter().map(T::to_param).collect())
    }
}

impl<T: FromParam> FromParam for OneOrMany<T> {
    const EMPTY_IS_VALUE: bool = T::EMPTY_IS_VALUE;
    const IS_SEVERAL: bool = true;
    const ENUMERATION: &'static str = T::ENUMERATION;
    const LISTED: &'static [&'static str] = T::LISTED;

    fn blank() -> Self {
        Self(Vec::new())
    }

    fn from_param(given: Given) -> Result<Self, Expected> {
        match given {
            Given::List(values) => values.into_iter().map(T::from_param).collect(),
            one => T::from_param(one).map(|value| Self(vec![value])),
        }
    }
}
