//! Parameters of operations.

use fedispec_since::text::OneOrMore;
use fedispec_since::{
    FixedError, LeftOut, Location, Refused, Required, Several, StableVersion, UnlistedValues, Unset,
};
use serde::{Deserialize, Serialize};

use super::{Evidence, Item, Program, Type};
use crate::condition::Condition;

/// A parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Param {
    /// The facts that every item has. `rust` is the field of the request or, with a [`Param::parent`], of that; `wire`
    /// is the whole name: `keywords_attributes[][keyword]`.
    pub item: Item,
    /// Where it stands.
    pub location: Location,
    /// Its type; the element's for what is nested in an array.
    pub r#type: Type,
    /// Whether a source gives its type.
    pub type_known: bool,
    /// The id of the entity (role [`EntityRole::Argument`](super::EntityRole::Argument)) that it is a
    /// field of: `filters.create.keywords_attributes`. Without one it is a field of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Whether it must be sent.
    pub required: Required,
    /// When it must be sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_when: Option<Condition>,
    /// Whether null may be sent.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub nullable: bool,
    /// The format of its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The value that the server assumes when it is left out, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<serde_json::Value>,
    /// Its limits.
    #[serde(default, skip_serializing_if = "Limits::is_empty")]
    pub limits: Limits,
    /// The only values taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// The id of the enumeration of the words that its text understands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The entity or enumeration that the documents name behind it, in their spelling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refers_to: Option<String>,
    /// The effect of leaving it out; absent where nobody has classed it, and where it is always required.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "crate::former::left_out"
    )]
    pub left_out: Option<LeftOut>,
    /// The proof of that effect, where it is another than that of the shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out_evidence: Option<Evidence>,
    /// The effect of an update that does not set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unset: Option<Unset>,
    /// Releases that know it and answer an error where it is sent, one per program in the order of [`Api::programs`](super::Api::programs).
    /// Empty where none does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Option<Refused>>,
    /// The answer of each program to a request without it. Empty where nobody says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Option<OneOrMore<FixedError>>>,
    /// The treatment of unlisted values where it is not that of a program's other operations, one per program in the order of
    /// [`Api::programs`](super::Api::programs). Empty where none does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unlisted_values: Vec<Option<UnlistedValues>>,
    /// How programs take several values where it takes one as well, one per program in the order of [`Api::programs`](super::Api::programs).
    /// Empty where it is no such parameter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub several: Vec<Option<Several>>,
}

impl Param {
    /// The type of one value, where it takes one or several: `string` of `string|string[]`.
    pub fn one_of_several(&self) -> Option<&Type> {
        one_of_several(&self.r#type)
    }

    /// How programs take several values where it takes one as well, as a sentence.
    pub fn several_values(&self, programs: &[Program]) -> Option<String> {
        let form = |words: &str, since: fn(&Several) -> Option<StableVersion>| {
            let ways = programs.iter().zip(&self.several);
            let takers = ways.filter_map(|(program, way)| {
                Some(format!("{} since {}", program.name, since(way.as_ref()?)?))
            });
            let takers: Vec<_> = takers.collect();
            (!takers.is_empty()).then(|| format!("{words} by {}", takers.join(" and ")))
        };
        let forms =
            [form("as a list", |way| way.list), form("as the lines of one text", |way| way.lines)];
        let forms: Vec<_> = forms.into_iter().flatten().collect();
        (!forms.is_empty()).then(|| format!("Several are taken {}.", forms.join(", ")))
    }
}

/// The type of one value, where a type is that or a list of it: `string` of `string|string[]`.
pub fn one_of_several(r#type: &Type) -> Option<&Type> {
    let Type::OneOf(types) = r#type else {
        return None;
    };
    match types.as_slice() {
        [one, Type::List(element)] | [Type::List(element), one] if **element == *one => Some(one),
        _ => None,
    }
}

/// The limits of a parameter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// The least number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// The greatest number of characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// The least number of elements. A required list has one at least, unless this is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    /// The greatest number of elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    /// The field of the instance document that tells the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_from: Option<String>,
}

impl Limits {
    /// Nothing bounds it.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
