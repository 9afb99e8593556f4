//! How the scalars are read.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, IntoDeserializer, MapAccess, SeqAccess, Visitor, value};
use serde::{Deserialize, Deserializer};

use super::{Evidence, Fact, Needed, SinceValue, TypeName, VersionText};
use fedispec_model::api::Class;

/// Why a scalar was refused, with the mend. It passes through serde as its text and is found again by [`Mistake::parse`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The kind.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// The mend.
    pub help: String,
}

/// The kinds that scalars can have.
const CODES: [&str; 3] = [Mistake::UNQUOTED, Mistake::MALFORMED, Mistake::TYPE];

impl Mistake {
    /// A version without quotes.
    pub const UNQUOTED: &'static str = "unquoted-version";
    /// Something that is no version.
    pub const MALFORMED: &'static str = "malformed-version";
    /// Something of another type.
    pub const TYPE: &'static str = "wrong-type";

    /// Finds the mistake in the text of a serde error.
    pub fn parse(text: &str) -> Option<Self> {
        let (code, rest) = text.split_once(": ")?;
        let code = CODES.into_iter().find(|known| *known == code)?;
        let (message, help) = rest.split_once("; help: ")?;
        Some(Self {
            code,
            message: message.into(),
            help: help.into(),
        })
    }

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
        if complete(written).is_none() {
            let near = ["unknown", "never"]
                .into_iter()
                .find(|word| strsim::damerau_levenshtein(word, written) <= 2);
            self.help = match near {
                Some(word) => format!("did you mean `{word}`?"),
                None => {
                    "write three numbers in quotes, as \"4.3.0\", or `unknown` or `never`".into()
                }
            };
        }
        self
    }

    fn malformed(written: &str) -> Self {
        let help = match complete(written) {
            Some(full) => format!("write \"{full}\""),
            None => "a version is three numbers in quotes: \"4.3.0\"".into(),
        };
        Self {
            code: Self::MALFORMED,
            message: format!("`{written}` is not a version"),
            help,
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; help: {}", self.code, self.message, self.help)
    }
}

/// The version that somebody meant who wrote `4.3`, `v4.3.0` or `04.3.0`.
fn complete(written: &str) -> Option<String> {
    let text = written.trim();
    let mut numbers = text
        .strip_prefix(['v', 'V'])
        .unwrap_or(text)
        .split('.')
        .map(|part| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse::<u32>().ok().filter(|_| digits)
        });
    let (major, minor) = (numbers.next()??, numbers.next().unwrap_or(Some(0))?);
    let patch = numbers.next().unwrap_or(Some(0))?;
    numbers
        .next()
        .is_none()
        .then(|| format!("{major}.{minor}.{patch}"))
}

impl VersionText {
    /// Whether a text is three numbers without leading zeros.
    pub(crate) fn is_version(text: &str) -> bool {
        let is_number = |part: &str| {
            part.parse::<u32>().is_ok()
                && !part.starts_with('+')
                && (part == "0" || !part.starts_with('0'))
        };
        text.starts_with(|first: char| first.is_ascii_digit())
            && text.split('.').count() == 3
            && text.split('.').all(is_number)
    }

    /// Takes three numbers without leading zeros.
    pub fn parse(text: &str) -> Result<Self, Mistake> {
        if Self::is_version(text) {
            Ok(Self(text.into()))
        } else {
            Err(Mistake::malformed(text))
        }
    }
}

struct VersionVisitor<T>(fn(&str) -> Result<T, Mistake>, &'static str);

impl<T> Visitor<'_> for VersionVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.0)(text).map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
        Err(E::custom(Mistake::unquoted(&number.to_string())))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        Err(E::custom(Mistake::unquoted(&number.to_string())))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<T, E> {
        Err(E::custom(Mistake::unquoted(&number.to_string())))
    }
}

impl<'de> Deserialize<'de> for VersionText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(VersionVisitor(Self::parse, "a version in quotes"))
    }
}

impl<'de> Deserialize<'de> for SinceValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(VersionVisitor(
            |text| match text {
                "unknown" => Ok(Self::Unknown),
                "never" => Ok(Self::Never),
                _ => VersionText::parse(text)
                    .map(Self::Version)
                    .map_err(|mistake| mistake.or_word(text)),
            },
            "a version in quotes, `unknown` or `never`",
        ))
    }
}

impl<'de> Deserialize<'de> for TypeName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
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
                Ok(if always {
                    Needed::Always
                } else {
                    Needed::Never
                })
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Needed, E> {
                match text {
                    "sometimes" => Ok(Needed::Sometimes),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
        }

        deserializer.deserialize_any(Needs)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EvidenceMap {
    source: String,
    #[serde(default)]
    at: Option<String>,
    #[serde(default)]
    class: Option<Class>,
    #[serde(default)]
    note: Option<String>,
}

impl<'de> Deserialize<'de> for Evidence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Proof;

        impl<'de> Visitor<'de> for Proof {
            type Value = Evidence;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a source, or a map with `source`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Evidence, E> {
                Ok(Evidence {
                    source: text.into(),
                    at: None,
                    class: None,
                    note: None,
                })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Evidence, A::Error> {
                let EvidenceMap {
                    source,
                    at,
                    class,
                    note,
                } = EvidenceMap::deserialize(value::MapAccessDeserializer::new(map))?;
                Ok(Evidence {
                    source,
                    at,
                    class,
                    note,
                })
            }
        }

        deserializer.deserialize_any(Proof)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Fact<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FactVisitor(PhantomData))
    }
}

/// Hands everything but `unknown` on as it comes: buffering would lose the path of an error.
struct FactVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for FactVisitor<T> {
    type Value = Fact<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`unknown` or a value")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Fact<T>, E> {
        if text == "unknown" {
            return Ok(Fact::Unknown);
        }
        T::deserialize(text.into_deserializer()).map(Fact::Known)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Fact<T>, E> {
        T::deserialize(().into_deserializer()).map(Fact::Known)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Fact<T>, E> {
        T::deserialize(value.into_deserializer()).map(Fact::Known)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Fact<T>, E> {
        T::deserialize(value.into_deserializer()).map(Fact::Known)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Fact<T>, E> {
        T::deserialize(value.into_deserializer()).map(Fact::Known)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Fact<T>, E> {
        T::deserialize(value.into_deserializer()).map(Fact::Known)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Fact<T>, A::Error> {
        T::deserialize(value::MapAccessDeserializer::new(map)).map(Fact::Known)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Fact<T>, A::Error> {
        T::deserialize(value::SeqAccessDeserializer::new(seq)).map(Fact::Known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_three_numbers() {
        for text in ["0.0.0", "4.3.0", "10.20.30"] {
            assert_eq!(VersionText::parse(text), Ok(VersionText(text.into())));
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
            assert!(VersionText::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_mend_is_what_was_meant() {
        let help = |text: &str| VersionText::parse(text).unwrap_err().help;
        assert_eq!(help("v4.3"), "write \"4.3.0\"");
        assert_eq!(help("04.3.0"), "write \"4.3.0\"");
        assert_eq!(
            help("3.ff.1"),
            "a version is three numbers in quotes: \"4.3.0\""
        );
    }

    #[test]
    fn facts_read_unknown_and_hand_on_the_rest() {
        let read = serde_yaml::from_str::<Fact<Needed>>;
        assert_eq!(read("unknown").unwrap(), Fact::Unknown);
        assert_eq!(read("true").unwrap(), Fact::Known(Needed::Always));
        assert_eq!(read("sometimes").unwrap(), Fact::Known(Needed::Sometimes));
        assert!(read("maybe").is_err());
        assert_eq!(
            serde_yaml::from_str::<Fact<Vec<u16>>>("[200]").unwrap(),
            Fact::Known(vec![200])
        );
    }

    #[test]
    fn evidence_is_a_name_or_a_map() {
        let read = |text| serde_yaml::from_str::<Evidence>(text).unwrap();
        assert_eq!(read("tags").source, "tags");
        assert_eq!(read("{source: tags, class: D}").class, Some(Class::D));
    }

    #[test]
    fn a_mistake_survives_its_text() {
        let mistake = VersionText::parse("x; help: y").unwrap_err();
        assert_eq!(
            Mistake::parse(&mistake.to_string()).unwrap().code,
            Mistake::MALFORMED
        );
        assert_eq!(Mistake::parse("missing field `x`"), None);
    }
}
