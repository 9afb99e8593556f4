//! Facts that programs differ in: what each program says.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::Evidence;

/// A fact of an item in one program, at its newest release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// The state of the fact.
    pub state: State,
    /// The proof of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// The state of a fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Nobody says.
    Unknown,
    /// The item is without it: no default, no limit.
    None,
    /// The value.
    Is(Value),
}

impl State {
    /// The value, as the type of the fact; nothing where it is of another, or there is none.
    pub fn read<T: DeserializeOwned>(self) -> Option<T> {
        match self {
            Self::Is(value) => serde_json::from_value(value).ok(),
            Self::Unknown | Self::None => None,
        }
    }
}

/// A number as JSON, whole where it is.
pub fn number(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[allow(clippy::cast_possible_truncation, reason = "it is whole and small")]
    if value.fract() == 0.0 && value.abs() < EXACT { json!(value as i64) } else { json!(value) }
}

impl From<Option<Value>> for State {
    fn from(value: Option<Value>) -> Self {
        value.map_or(Self::None, Self::Is)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_no_point() {
        assert_eq!(number(40.0).to_string(), "40");
        assert_eq!(number(0.5).to_string(), "0.5");
    }
}
