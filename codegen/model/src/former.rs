//! Facts as the forms of the resolved API before had them.

use fedispec_since::LeftOut;
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

/// Reads the effect of leaving a parameter out. It had a list of safe values for each program, of which the first counts.
pub(crate) fn left_out<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<LeftOut>, D::Error> {
    let mut value = Value::deserialize(deserializer)?;
    if let Value::Object(map) = &mut value {
        map.remove("evidence");
        let of_programs = map.get_mut("safe").and_then(Value::as_array_mut);
        if let Some(first) = of_programs.filter(|lists| lists.iter().any(Value::is_array)) {
            let first = first.swap_remove(0);
            map.insert("safe".into(), first);
        }
    }
    Option::deserialize(value).map_err(de::Error::custom)
}

#[cfg(test)]
mod tests {
    use fedispec_since::{Effect, SafeValues};

    #[test]
    fn safe_values_were_listed_by_program() {
        let read = |text: &str| {
            let read = super::left_out(&mut serde_json::Deserializer::from_str(text));
            read.expect(text).expect(text)
        };
        let former = read(
            r#"{"effect": "fails", "so": "it fails", "safe": [["1"], "any"], "evidence": {"class": "A"}}"#,
        );
        assert_eq!(former.safe, SafeValues::Only(vec!["1".into()]));
        assert_eq!(read(&serde_json::to_string(&former).expect("JSON")), former);
        assert_eq!(read(r#"{"effect": "harmless"}"#), Effect::Harmless.into());
    }
}
