//! Deserializing of the scalars.

use std::fmt;
use std::marker::PhantomData;

use fedispec_since::text::WordOr;
use serde::de::{self, IntoDeserializer, Visitor};
use serde::{Deserialize, Deserializer};

use super::{Bound, Evidence, Fact, Needed};
use fedispec_model::api::Since;
use fedispec_model::suggest::did_you_mean;
use fedispec_since::{Class, Required, StableVersion, VersionError};

/// Why a version was refused, with the mend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The kind.
    pub code: &'static str,
    /// The mistake.
    pub message: String,
    /// The mend.
    pub help: String,
}

impl Mistake {
    /// A version without quotes.
    pub const UNQUOTED: &'static str = "unquoted-version";
    /// Something that is no version.
    pub const MALFORMED: &'static str = "malformed-version";
    /// Something of another type.
    pub const TYPE: &'static str = "wrong-type";

    /// A version that YAML reads as something else than text.
    pub(crate) fn unquoted(written: &str) -> Self {
        Self {
            code: Self::UNQUOTED,
            message: format!("the version {written} is not quoted"),
            help: match complete(written) {
                Some(full) => format!("write \"{full}\""),
                None => "write it in quotes, with three numbers: \"4.3.0\"".into(),
            },
        }
    }

    /// Where `unknown` and `never` may stand too.
    fn or_word(mut self, written: &str) -> Self {
        let bare =
            written.trim_matches(['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}']);
        if bare != written {
            self.help = format!("these are no quotes of YAML; write \"{bare}\"");
        } else if complete(written).is_none()
            && let Some(full) = complete(&written.replace(['o', 'O'], "0").replace(['l', 'I'], "1"))
        {
            self.help = format!("write \"{full}\", with digits instead of letters");
        } else if complete(written).is_none() {
            self.help = did_you_mean(
                written,
                ["unknown", "never"],
                "write three numbers in quotes, as \"4.3.0\", or `unknown` or `never`",
            );
        }
        self
    }

    /// Describes the mistake in a text that should be a version: three numbers without leading zeros.
    pub(crate) fn of_version(written: &str) -> Option<Self> {
        let error = written.parse::<StableVersion>().err()?;
        Some(Self::malformed(written, error))
    }

    /// Describes the mistake in a text that should be a version, `unknown` or `never`.
    pub(crate) fn of_since(written: &str) -> Option<Self> {
        let error = written.parse::<Since>().err()?;
        Some(Self::malformed(written, error).or_word(written))
    }

    pub(crate) fn malformed(written: &str, error: VersionError) -> Self {
        let help = match (complete(written), error) {
            (Some(full), _) => format!("write \"{full}\""),
            (None, VersionError::TooLarge) => "the numbers of a version are at most 65535".into(),
            (None, _) => "a version is three numbers in quotes: \"4.3.0\"".into(),
        };
        Self { code: Self::MALFORMED, message: format!("`{written}` is not a version"), help }
    }
}

/// The version that somebody meant who wrote `4.3`, `v4.3.0` or `04.3.0`.
fn complete(written: &str) -> Option<StableVersion> {
    let text = written.trim();
    let mut numbers = text.strip_prefix(['v', 'V']).unwrap_or(text).split('.').map(|part| {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse().ok().filter(|_| digits)
    });
    let (major, minor) = (numbers.next()??, numbers.next().unwrap_or(Some(0))?);
    let patch = numbers.next().unwrap_or(Some(0))?;
    numbers.next().is_none().then_some(StableVersion(major, minor, patch))
}

impl<'de> Deserialize<'de> for Needed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Needs;

        impl Visitor<'_> for Needs {
            type Value = Needed;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`true`, `false` or `sometimes`")
            }

            fn visit_bool<E: de::Error>(self, always: bool) -> Result<Needed, E> {
                Ok(Needed(if always { Required::Always } else { Required::Never }))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Needed, E> {
                match text {
                    "sometimes" => Ok(Needed(Required::Sometimes)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
        }

        deserializer.deserialize_any(Needs)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Bound<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Limit<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Limit<T> {
            fn number<E: de::Error>(value: impl IntoDeserializer<'de, E>) -> Result<Bound<T>, E> {
                T::deserialize(value.into_deserializer()).map(|limit| Bound(Some(limit)))
            }
        }

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Limit<T> {
            type Value = Bound<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or `none`")
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Bound<T>, E> {
                let misfit = || E::invalid_value(de::Unexpected::Signed(number), &self);
                Self::number::<E>(number).map_err(|_| misfit())
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Bound<T>, E> {
                Self::number(number)
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Bound<T>, E> {
                let misfit = || E::invalid_value(de::Unexpected::Float(number), &self);
                Self::number::<E>(number).map_err(|_| misfit())
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Bound<T>, E> {
                match text {
                    "none" => Ok(Bound(None)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
        }

        deserializer.deserialize_any(Limit(PhantomData))
    }
}

/// The proof of a fact as a map.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct EvidenceMap {
    /// A key of `sources` in implementations.yaml.
    source: String,
    /// The place in it: a file, a heading, a tag.
    #[serde(default)]
    at: Option<String>,
    /// A class lower than the source's own.
    #[serde(default)]
    class: Option<Class>,
    /// What to know about it.
    #[serde(default)]
    note: Option<String>,
}

impl From<WordOr<String, EvidenceMap>> for Evidence {
    fn from(written: WordOr<String, EvidenceMap>) -> Self {
        match written {
            WordOr::Word(source) => Self { source, at: None, class: None, note: None },
            WordOr::Map(EvidenceMap { source, at, class, note }) => {
                Self { source, at, class, note }
            }
        }
    }
}

/// The name under which a [`Fact`] asks the reader of the catalogue for a value: `unknown` comes back as a unit, and
/// everything else as a newtype, so that an error in it keeps its place.
pub(crate) const FACT: &str = "fedispec::Fact";

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Fact<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(FACT, FactVisitor(PhantomData))
    }
}

struct FactVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for FactVisitor<T> {
    type Value = Fact<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`unknown` or a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Fact<T>, E> {
        Ok(Fact::Unknown)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<Fact<T>, D::Error> {
        T::deserialize(value).map(Fact::Known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_three_numbers() {
        for text in ["0.0.0", "4.3.0", "10.20.30"] {
            assert_eq!(Mistake::of_version(text), None);
        }
        for text in [
            "",
            "4",
            "4.3",
            "4.3.0.1",
            "04.3.0",
            "4.+3.0",
            "v4.3.0",
            "4.3.0-rc1",
            "4.3.0 ",
            "4..0",
            "4.3.99999999999",
            "٤.3.0",
        ] {
            assert!(Mistake::of_version(text).is_some(), "{text}");
        }
    }

    #[test]
    fn the_mend_is_what_was_meant() {
        let help = |text: &str| Mistake::of_version(text).unwrap().help;
        assert_eq!(help("v4.3"), "write \"4.3.0\"");
        assert_eq!(help("04.3.0"), "write \"4.3.0\"");
        assert_eq!(help("4.3.70000"), "the numbers of a version are at most 65535");
        assert_eq!(help("3.ff.1"), "a version is three numbers in quotes: \"4.3.0\"");
    }
}
