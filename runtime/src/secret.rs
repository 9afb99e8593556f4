//! Secret text.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use crate::de::{self, Fault, FromJson, Input};
use crate::param::{Expected, FromParam, Given, ToParam, Value};

/// Text that must not be printed: a token, a password, an application's secret. `Debug` hides it, [`expose`](Self::expose) returns it.
/// Clones share the text.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub struct Secret(Arc<str>);

impl Secret {
    /// Creates a secret.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The secret text.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

shown!(Secret(..));

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

of_text!(Secret);

impl From<&Secret> for Secret {
    fn from(secret: &Secret) -> Self {
        secret.clone()
    }
}

impl FromJson for Secret {
    fn blank() -> Self {
        Self::new("")
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        *self = Self::new(de::text(input)?);
        Ok(())
    }
}

impl ToParam for Secret {
    fn to_param(&self) -> Value<'_> {
        Value::Text(Cow::Borrowed(&self.0))
    }
}

impl FromParam for Secret {
    const EMPTY_IS_VALUE: bool = true;

    fn blank() -> Self {
        Self::new("")
    }

    fn from_param(given: Given) -> Result<Self, Expected> {
        String::from_param(given).map(Self::from)
    }
}
