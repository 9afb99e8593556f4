//! Presence: whether an answer always has a field, and whether it may be null.

/// Whether an answer may lack a field or have null there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Presence {
    /// It may be absent.
    pub optional: bool,
    /// It may be null.
    pub nullable: bool,
}

impl Presence {
    /// It is there, and not null.
    pub const ALWAYS: Self = Self { optional: false, nullable: false };

    /// The names of all, as the catalogue writes them.
    pub const NAMES: &'static [&'static str] =
        &["always", "optional", "nullable", "optional nullable"];

    /// Its name: `optional nullable`.
    pub fn name(self) -> &'static str {
        match (self.optional, self.nullable) {
            (false, false) => "always",
            (true, false) => "optional",
            (false, true) => "nullable",
            (true, true) => "optional nullable",
        }
    }

    /// The presence as the end of a sentence about a field: `may be absent`.
    pub fn phrase(self) -> &'static str {
        match (self.optional, self.nullable) {
            (false, false) => "always there",
            (true, false) => "may be absent",
            (false, true) => "may be null",
            (true, true) => "may be absent or null",
        }
    }

    /// The presence of that name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [(false, false), (true, false), (false, true), (true, true)];
        let mut all = all.into_iter().map(|(optional, nullable)| Self { optional, nullable });
        all.find(|presence| presence.name() == name)
    }

    /// Both: absent where either may be, null where either may be.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            optional: self.optional || other.optional,
            nullable: self.nullable || other.nullable,
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Presence {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Presence {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::text::word(deserializer, Self::named, Self::NAMES)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Presence {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PresenceName".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Whether a program's answers have the field.",
            "enum": Self::NAMES,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_read_back() {
        for name in Presence::NAMES {
            let presence = Presence::named(name).expect(name);
            assert_eq!(presence.name(), *name);
        }
        assert_eq!(Presence::named("nullable optional"), None);
    }
}
