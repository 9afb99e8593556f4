//! Secret text.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::de::{self, Fault, FromJson, Input};
use crate::param::{Expected, FromParam, Given, ToParam, Value};

/// Text that must not be printed: a token, a password, an application's secret. `Debug` hides it, [`expose`](Self::expose) returns it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(Box<str>);

impl Secret {
    /// Creates a secret.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// The secret text.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

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

    fn from_param(given: Given) -> Result<Self, Expected> {
        String::from_param(given).map(Self::from)
    }
}
