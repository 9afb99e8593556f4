//! Versions in the JSON form: each is a string, read once by the rules of `fedispec-since`.
//!
//! The modules are for `#[serde(with = "..")]`, since `fedispec-since` has no dependencies and so does not know serde.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

use fedispec_since::{Availability, StableVersion, VersionError};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that the JSON form holds as text.
pub trait Text: Display + FromStr<Err = VersionError> {
    /// What a message calls such a value.
    const NAME: &'static str;
}

impl Text for StableVersion {
    const NAME: &'static str = "a version";
}

impl Text for Availability<StableVersion> {
    const NAME: &'static str = "a version, `unknown` or `never`";
}

/// A value and its text.
struct AsText<T>(T);

impl<T: Display> Serialize for AsText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, T: Text> Deserialize<'de> for AsText<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor(PhantomData))
    }
}

struct TextVisitor<T>(PhantomData<T>);

impl<T: Text> Visitor<'_> for TextVisitor<T> {
    type Value = AsText<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::NAME)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<AsText<T>, E> {
        let value = text.parse().map(AsText);
        value.map_err(|error| E::custom(format_args!("`{text}` is not {}: {error}", T::NAME)))
    }
}

/// A version or a Since.
pub mod text {
    use super::{AsText, Deserialize, Deserializer, Serialize, Serializer, Text};

    #[allow(missing_docs, reason = "as serde calls it")]
    pub fn serialize<T: Text, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        AsText(value).serialize(serializer)
    }

    #[allow(missing_docs, reason = "as serde calls it")]
    pub fn deserialize<'de, T: Text, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        AsText::deserialize(deserializer).map(|text| text.0)
    }
}

/// A version or a Since that may be left out.
pub mod optional {
    use super::{AsText, Deserialize, Deserializer, Serialize, Serializer, Text};

    #[allow(missing_docs, reason = "as serde calls it")]
    #[allow(clippy::ref_option, reason = "serde wants a reference")]
    pub fn serialize<T: Text, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().map(AsText).serialize(serializer)
    }

    #[allow(missing_docs, reason = "as serde calls it")]
    pub fn deserialize<'de, T: Text, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        Ok(Option::<AsText<T>>::deserialize(deserializer)?.map(|text| text.0))
    }
}

/// A list of versions, which are only written.
#[allow(missing_docs, reason = "as serde calls it")]
pub fn list<T: Text, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(AsText))
}

/// Versions by program.
pub mod by_program {
    use std::collections::BTreeMap;

    use super::{AsText, Deserialize, Deserializer, Serializer, Text};

    #[allow(missing_docs, reason = "as serde calls it")]
    pub fn serialize<T: Text, S: Serializer>(
        versions: &BTreeMap<String, T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(versions.iter().map(|(key, version)| (key, AsText(version))))
    }

    #[allow(missing_docs, reason = "as serde calls it")]
    pub fn deserialize<'de, T: Text, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, T>, D::Error> {
        let versions = BTreeMap::<String, AsText<T>>::deserialize(deserializer)?;
        Ok(versions.into_iter().map(|(key, version)| (key, version.0)).collect())
    }
}

/// A list of pairs of versions.
pub mod pairs {
    use super::{AsText, Deserialize, Deserializer, Serializer, Text};

    #[allow(missing_docs, reason = "as serde calls it")]
    pub fn serialize<T: Text, S: Serializer>(
        pairs: &[(T, T)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(pairs.iter().map(|(a, b)| (AsText(a), AsText(b))))
    }

    #[allow(missing_docs, reason = "as serde calls it")]
    pub fn deserialize<'de, T: Text, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(T, T)>, D::Error> {
        let pairs = Vec::<(AsText<T>, AsText<T>)>::deserialize(deserializer)?;
        Ok(pairs.into_iter().map(|(a, b)| (a.0, b.0)).collect())
    }
}
