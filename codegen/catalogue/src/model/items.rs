//! The items of the catalogue: operations, parameters, entities, fields, enumerations, values.

use fedispec_model::api::{Auth, Oauth, Quirk, Since};
use fedispec_model::change::ChangedFact;
use fedispec_since::text::OneOrMore;
use fedispec_since::{
    BodyEncoding, ErrorText, FixedError, LeftOut, Paging, Presence, Refused, Several,
    StableVersion, UnlistedValues, Unset,
};
use serde::Deserialize;

use super::{AbsentMeans, Bound, By, Evidence, Fact, Needed, PerProgram, TypeName, When};
use crate::map::IndexMap;

/// The keys of every dated item.
macro_rules! item {
    ($(#[$meta:meta])* pub struct $name:ident { $($body:tt)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields, default)]
        pub struct $name {
            /// How the documents call it, where that differs: `U24`, `GET /api/v1/..`, `rebogged`.
            pub documented_as: Option<String>,
            /// One line in our own words.
            pub summary: Option<String>,
            /// The first release that has it, per program. Absent: as its container.
            pub since: PerProgram<Since>,
            /// The first release in which it does what it says (before, a stub, ignored, or always empty).
            pub works_since: PerProgram<Since>,
            /// The release that discourages it.
            pub deprecated: PerProgram<StableVersion>,
            /// The first release without it.
            pub removed: PerProgram<StableVersion>,
            /// Holes: `[first release without it, first release with it again]`.
            pub absent: PerProgram<Vec<(StableVersion, StableVersion)>>,
            /// The changes in place.
            pub changed: PerProgram<Vec<Change>>,
            /// The id of what to use instead.
            pub replacement: Option<String>,
            /// An earlier id.
            pub renamed_from: Option<String>,
            /// The Rust identifier, where the one made from the name will not do.
            pub rust: Option<String>,
            /// The spelling on the wire, where it is not the key.
            pub wire: Option<String>,
            /// Servers have it and no documentation says so.
            pub undocumented: bool,
            /// Why it is older than what contains it.
            pub older_because: Option<String>,
            /// The proofs: by program for versions, under `shape` for the rest.
            pub evidence: PerProgram<Evidence>,
            /// Remarks for users.
            pub notes: Vec<String>,
            $($body)*
        }

        impl Dated for $name {
            fn head(&self) -> Head<'_> {
                Head {
                    documented_as: self.documented_as.as_deref(),
                    summary: self.summary.as_deref(),
                    since: &self.since,
                    works_since: &self.works_since,
                    deprecated: &self.deprecated,
                    removed: &self.removed,
                    absent: &self.absent,
                    changed: &self.changed,
                    replacement: self.replacement.as_deref(),
                    renamed_from: self.renamed_from.as_deref(),
                    rust: self.rust.as_deref(),
                    wire: self.wire.as_deref(),
                    undocumented: self.undocumented,
                    older_because: self.older_because.as_deref(),
                    evidence: &self.evidence,
                    notes: &self.notes,
                }
            }
        }
    };
}

/// An item of any kind.
pub trait Dated: 'static {
    /// The keys that items of every kind have.
    fn head(&self) -> Head<'_>;
}

/// A view of the keys of every dated item, with the same names.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "each is the key of that name, documented there")]
pub struct Head<'a> {
    pub documented_as: Option<&'a str>,
    pub summary: Option<&'a str>,
    pub since: &'a PerProgram<Since>,
    pub works_since: &'a PerProgram<Since>,
    pub deprecated: &'a PerProgram<StableVersion>,
    pub removed: &'a PerProgram<StableVersion>,
    pub absent: &'a PerProgram<Vec<(StableVersion, StableVersion)>>,
    pub changed: &'a PerProgram<Vec<Change>>,
    pub replacement: Option<&'a str>,
    pub renamed_from: Option<&'a str>,
    pub rust: Option<&'a str>,
    pub wire: Option<&'a str>,
    pub undocumented: bool,
    pub older_because: Option<&'a str>,
    pub evidence: &'a PerProgram<Evidence>,
    pub notes: &'a [String],
}

item! {
    /// An operation: a method on a path.
    pub struct Operation {
        /// `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.
        pub method: Option<Fact<String>>,
        /// The path, `/api/v1/accounts/:id`.
        pub path: Option<Fact<String>>,
        /// Other methods that do the same on this path, by program: `{mastodon: [PATCH]}`.
        pub also: PerProgram<Vec<String>>,
        /// By program, the first release in which it is a stub: up to `works_since` it answers, and its list is always empty.
        pub stub: PerProgram<StableVersion>,
        /// The properties of an endpoint of OAuth (RFC 6749).
        pub oauth: Option<Oauth>,
        /// The token and scopes that it asks for: in every program, or by program where they differ.
        pub auth: Option<Fact<By<Auth>>>,
        /// How the body is sent, where that is not a form or, with a file among the parameters, multipart.
        pub body: Option<BodyEncoding>,
        /// Parameters by wire name.
        pub params: IndexMap<String, Param>,
        /// The parameters that are required together, by name; exactly these ways of calling exist.
        pub alternatives: IndexMap<String, Alternative>,
        /// Requests of their own in Rust, by name, for calls whose answer a parameter decides; the plain request answers the rest of `returns`.
        pub requests: IndexMap<String, Deciding>,
        /// The parameters that constructors take, in the order of their arguments: those of the path first. Absent: in the
        /// order of `params`.
        pub arguments: Vec<String>,
        /// The type it answers: `Account`, `Account[]`, `empty`; absent where `response` lists the fields.
        pub returns: Option<Fact<By<TypeName>>>,
        /// The fields it answers without a named entity.
        pub response: FieldMap,
        /// The media type of what it answers, where that is not JSON as `application/json`: `application/jrd+json`, or `text/html` of a
        /// page for the browser. A file has any.
        pub media_type: Option<Fact<By<String>>>,
        /// The statuses of success.
        pub success: Option<Fact<By<Vec<u16>>>>,
        /// How its list is cut into pages.
        pub paging: Option<Fact<By<Paging>>>,
        /// Other answers, by status; a list of statuses, `[401, 404]`, where the catalogue's `defaults` say when each is given.
        #[cfg_attr(feature = "schema", schemars(schema_with = "super::vocabulary::errors"))]
        pub errors: Option<Fact<IndexMap<String, ErrorAnswer>>>,
        /// The sources of its parameters where it stands in for its replacement: that one's parameters, `phrase:
        /// title`, or for true and false `irreversible: filter_action is hide`. What has one name in both needs no word.
        pub stands_in: IndexMap<String, String>,
    }
}

item! {
    /// A parameter of an operation.
    pub struct Param {
        /// Where it stands: `path`, `query`, `form` (the body, whatever its encoding) or `header`.
        pub r#in: Option<Fact<String>>,
        /// Its type: of a parameter with members `object`, or the name of an object under `objects` of the file.
        pub r#type: Option<Fact<TypeName>>,
        /// The members of a parameter that is an object, by name, or what some of them say that the others do not. Each has what
        /// the parameter says and it does not.
        pub members: IndexMap<String, Param>,
        /// The format of its text: one of those listed, such as `uri` or `language-code`.
        pub format: Option<String>,
        /// Whether it must be sent: `true`, `false`, `sometimes`.
        pub required: Option<Fact<By<Needed>>>,
        /// When it must be sent, for `sometimes`.
        pub required_when: Option<When>,
        /// Whether null may be sent.
        pub nullable: Option<Fact<bool>>,
        /// The value that the server takes when it is left out.
        pub default: Option<Fact<By<serde_json::Value>>>,
        /// The least number.
        pub min: Option<Fact<By<Bound<f64>>>>,
        /// The greatest number.
        pub max: Option<Fact<By<Bound<f64>>>>,
        /// The greatest number of characters.
        pub max_length: Option<Fact<By<Bound<u64>>>>,
        /// The least number of elements. A required list has one at least, unless this is 0.
        pub min_items: Option<Fact<By<Bound<u64>>>>,
        /// The greatest number of elements.
        pub max_items: Option<Fact<By<Bound<u64>>>>,
        /// The field of the instance document that tells the limit.
        pub limit_from: Option<String>,
        /// The only values taken, where the enumeration has more.
        pub only: Vec<String>,
        /// The enumeration of the words that its text understands, such as the operators of a search.
        pub words: Option<String>,
        /// The treatment by each program of values of an enumeration that it has not. Otherwise an operation that reads ignores them, and one
        /// that writes refuses them.
        pub unlisted_values: PerProgram<UnlistedValues>,
        /// How each program takes several values of a parameter that takes one as well, such as `string|string[]`.
        pub several: PerProgram<Several>,
        /// The effect of leaving it out, compared with a server that heeds it.
        pub left_out: Option<Fact<By<LeftOut>>>,
        /// The effect of an update on it where the caller does not set it.
        pub unset: Option<Fact<By<Unset>>>,
        /// Releases that know it and answer an error where it is sent.
        pub refused: PerProgram<Refused>,
        /// How each program answers a request without it: in all releases alike, or a list of answers with `since` and `until`.
        pub missing: PerProgram<OneOrMore<FixedError>>,
        /// The entity or enumeration that the documents name behind it.
        pub refers_to: Option<String>,
    }
}

item! {
    /// A field of an entity or of an unnamed answer.
    pub struct Field {
        /// Its type.
        pub r#type: Option<Fact<TypeName>>,
        /// The format of its text: one of those listed, such as `uri` or `language-code`.
        pub format: Option<String>,
        /// Whether it may be null.
        pub nullable: Option<Fact<bool>>,
        /// Whether it may be absent.
        pub optional: Option<Fact<bool>>,
        /// The presence in programs that differ from that: `{gotosocial: optional}`. Earlier releases are told by `changed`.
        pub presence: PerProgram<Presence>,
        /// The value that its absence means; only where that is true of every release that lacks it.
        pub absent_means: Option<AbsentMeans>,
        /// When it is present.
        pub when: Option<When>,
        /// A field that is both nullable and optional is sent as null rather than left out.
        pub none_is_null: bool,
        /// The entity or enumeration that the documents name behind it.
        pub refers_to: Option<String>,
        /// The departures of real servers from it.
        pub quirks: Vec<Quirk>,
    }
}

item! {
    /// An entity: an object that operations answer or take.
    pub struct Entity {
        /// The entity whose fields it has besides its own.
        pub includes: Option<String>,
        /// Its fields by wire name, or `unknown`.
        pub fields: Option<Fact<FieldMap>>,
        /// How it becomes the entity that replaced it, on servers that have only this one.
        pub stands_in: Option<StandsIn>,
    }
}

item! {
    /// An enumeration.
    pub struct Enumeration {
        /// Its values by wire name, or `unknown`.
        pub values: Option<Fact<ValueMap>>,
    }
}

item! {
    /// A value of an enumeration.
    pub struct Value {
        /// The substitute of a release without the value: `drop_element` (the element of the list is left out), `null`,
        /// or another value of the enumeration. In quotes: an unquoted null is no text.
        pub on_older: Option<String>,
        /// The payload, where it is an event of a stream: an entity, or a bare id.
        pub payload: Option<TypeName>,
    }
}

/// Fields by name.
pub type FieldMap = IndexMap<String, Field>;
/// Values by name.
pub type ValueMap = IndexMap<String, Value>;

item! {
    /// An answer that is not a success; its `since` and `removed` tell the releases that give it.
    pub struct ErrorAnswer {
        /// When it is given: in every program, or by program where they differ.
        pub when: Option<By<String>>,
        /// The text of the error, by program, where it is always the same; `{text, since}` where earlier releases say another.
        pub text: PerProgram<ErrorText>,
        /// The entity of its body.
        pub returns: Option<TypeName>,
        /// The fields of its body, where no entity names them.
        pub fields: FieldMap,
    }
}

/// How an entity becomes another.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StandsIn {
    /// The id of the other.
    pub r#for: String,
    /// The other's fields and what they are made of: a field of this, or for one that is true or false `hide if
    /// irreversible else warn`. What has one name in both needs no word.
    pub fields: IndexMap<String, String>,
}

/// One of the ways in which an operation can be called.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// One line about it.
    #[serde(default)]
    pub summary: Option<String>,
    /// Parameters that it sets to a fixed value.
    #[serde(default)]
    pub sets: IndexMap<String, String>,
    /// Parameters that it needs.
    #[serde(default)]
    pub requires: Vec<String>,
    /// Parameters that it excludes.
    #[serde(default)]
    pub excludes: Vec<String>,
}

/// A request of its own for calls whose answer a parameter decides.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Deciding {
    /// One line about it.
    pub summary: String,
    /// The parameter that it sends.
    pub sends: String,
    /// The one of the types in `returns` that is answered only where the parameter is sent.
    pub returns: String,
}

/// A change in place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The first release with the new state.
    pub r#in: StableVersion,
    /// Later releases with the former state, where the change was also made in an older line: `[first release without it,
    /// first release with it again]`.
    #[serde(default)]
    pub absent: Vec<(StableVersion, StableVersion)>,
    /// The fact that changed.
    pub what: ChangedFact,
    /// The former value, as the fact itself would be written; left out where there was none, as a limit.
    #[serde(default)]
    pub from: Option<serde_json::Value>,
    /// The new value; the last change of a fact ends at its present value.
    #[serde(default)]
    pub to: Option<serde_json::Value>,
}
