//! An OpenAPI document as types, for 3.0 and 3.1.
//!
//! They are our own because no kept crate writes both versions: `openapiv3` knows 3.0 alone, `oas3` and the `openapi` module of utoipa
//! 3.1 alone, and of these `oas3` lacks `patternProperties` and utoipa the extensions of parameters.

use indexmap::IndexMap;
use serde::Serialize;
use serde::ser::{SerializeSeq as _, Serializer};
use serde_json::Value;

/// A map that keeps its order.
pub type Map<V> = IndexMap<String, V>;

/// The whole document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Document {
    /// The version of OpenAPI.
    pub openapi: &'static str,
    /// Title, version and licence of the document.
    pub info: Info,
    /// The addresses of servers.
    pub servers: Vec<Server>,
    /// The groups of operations.
    pub tags: Vec<Tag>,
    /// The operations by path, then by method in lower case.
    pub paths: Map<Map<Operation>>,
    /// The schemas and other parts that operations refer to.
    pub components: Components,
}

/// The head of a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct Info {
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    pub description: String,
    pub license: License,
    /// The release, or the version of this crate where the document is of all releases.
    pub version: String,
    /// The program, where the document is of one release.
    #[serde(rename = "x-program", skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Operations that were left out because they need an uploaded file.
    #[serde(rename = "x-left-out", skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// The licence of the catalogue.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct License {
    pub name: &'static str,
    /// An SPDX expression, which 3.0 does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identifier: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<&'static str>,
}

/// The address of a server.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct Server {
    pub url: &'static str,
    pub description: &'static str,
    pub variables: Map<Variable>,
}

/// A part of a server's address.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct Variable {
    pub default: &'static str,
    pub description: &'static str,
}

/// A group of operations.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct Tag {
    pub name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
}

/// An item's life in the catalogue, as extensions. The document of one release has only the facts of that release.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Lives {
    /// The first release with the item, by program: a version, `unknown` or `never`.
    #[serde(rename = "x-since", skip_serializing_if = "Map::is_empty")]
    pub since: Map<String>,
    /// The first release that heeds it, where that is later.
    #[serde(rename = "x-works-since", skip_serializing_if = "Map::is_empty")]
    pub works_since: Map<String>,
    /// The release that discourages it.
    #[serde(rename = "x-deprecated", skip_serializing_if = "Map::is_empty")]
    pub deprecated: Map<String>,
    /// The first release without it.
    #[serde(rename = "x-removed", skip_serializing_if = "Map::is_empty")]
    pub removed: Map<String>,
    /// Releases in between that lack it: the first without it, and the first with it again.
    #[serde(rename = "x-absent", skip_serializing_if = "Map::is_empty")]
    pub absent: Map<Vec<(String, String)>>,
    /// The changes in place.
    #[serde(rename = "x-changed", skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Changed>,
    /// Nobody knows whether the release has it.
    #[serde(rename = "x-unknown", skip_serializing_if = "is_false")]
    pub unknown: bool,
    /// The id of what to use instead.
    #[serde(rename = "x-replacement", skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
}

impl Lives {
    /// Keeps only the facts about these programs.
    pub(crate) fn only_of(&mut self, programs: &[&str]) {
        let texts =
            [&mut self.since, &mut self.works_since, &mut self.deprecated, &mut self.removed];
        let is_theirs = |program: &str| programs.contains(&program);
        for by_program in texts {
            by_program.retain(|program, _| is_theirs(program));
        }
        self.absent.retain(|program, _| is_theirs(program));
        self.changed.retain(|change| is_theirs(&change.program));
    }
}

/// A change in place.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "as in the catalogue")]
pub struct Changed {
    pub program: String,
    pub r#in: String,
    pub what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Value>,
}

/// An operation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct Operation {
    pub operation_id: String,
    pub tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(skip_serializing_if = "is_false")]
    pub deprecated: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Part<Parameter>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_body: Option<RequestBody>,
    pub responses: Map<Part<Response>>,
    /// Alternatives, each a map from a scheme to its scopes; none where anybody may call.
    pub security: Vec<Map<Vec<String>>>,
    #[serde(flatten)]
    pub lives: Lives,
    /// The id of the operation that does the same by another method.
    #[serde(rename = "x-twin-of", skip_serializing_if = "Option::is_none")]
    pub twin_of: Option<String>,
    /// How the list is cut into pages.
    #[serde(rename = "x-paging", skip_serializing_if = "Option::is_none")]
    pub paging: Option<&'static str>,
    /// The permissions of which the user's role needs one.
    #[serde(rename = "x-permissions", skip_serializing_if = "Vec::is_empty")]
    pub permissions: Vec<String>,
    /// Parameters that were left out because they are uploaded files.
    #[serde(rename = "x-left-out", skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// A parameter of a path, a query or a header.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct Parameter {
    pub name: String,
    pub r#in: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(skip_serializing_if = "is_false")]
    pub required: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub deprecated: bool,
    pub schema: Schema,
    #[serde(flatten)]
    pub lives: Lives,
}

/// The body of a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct RequestBody {
    #[serde(skip_serializing_if = "is_false")]
    pub required: bool,
    pub content: Map<MediaType>,
}

/// A body of one type.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct MediaType {
    pub schema: Schema,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Value>,
}

/// A part that stands where it is used, or among the components.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Part<T> {
    /// Where it is used.
    Own(T),
    /// Among the components.
    Shared {
        /// Its place there: `#/components/responses/NotFound`.
        #[serde(rename = "$ref")]
        reference: String,
    },
}

impl<T> Part<T> {
    /// The component of that kind and name.
    pub(crate) fn shared(kind: &str, name: &str) -> Self {
        Self::Shared { reference: format!("#/components/{kind}/{name}") }
    }

    /// The part, where it stands here.
    pub fn own(&self) -> Option<&T> {
        if let Self::Own(own) = self { Some(own) } else { None }
    }
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct Response {
    pub description: String,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub headers: Map<Part<Header>>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub content: Map<MediaType>,
}

/// A header of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct Header {
    pub description: &'static str,
    pub schema: Schema,
}

/// The parts that operations refer to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct Components {
    pub schemas: Map<Schema>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub parameters: Map<Parameter>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub responses: Map<Response>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub headers: Map<Header>,
    pub security_schemes: Map<SecurityScheme>,
}

/// A kind of token.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct SecurityScheme {
    pub r#type: &'static str,
    pub description: &'static str,
    pub flows: Map<Flow>,
}

/// How a token is asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct Flow {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authorization_url: Option<&'static str>,
    pub token_url: &'static str,
    pub scopes: Map<String>,
}

/// A schema.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct Schema {
    #[serde(rename = "$ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<Kind>,
    /// In 3.0 what `null` among the types is in 3.1.
    #[serde(skip_serializing_if = "is_false")]
    pub nullable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_media_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub deprecated: bool,
    #[serde(rename = "enum", skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The bounds of the values, by the names of OpenAPI: `maxLength`.
    #[serde(flatten)]
    pub bounds: IndexMap<&'static str, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Box<Schema>>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub properties: Map<Schema>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub pattern_properties: Map<Schema>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_properties: Option<Box<Schema>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub all_of: Vec<Schema>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub any_of: Vec<Schema>,
    #[serde(flatten)]
    pub lives: Lives,
    /// The lives of the values of an enumeration.
    #[serde(rename = "x-values", skip_serializing_if = "Map::is_empty")]
    pub value_lives: Map<Lives>,
    /// The listed values of an enumeration that takes any other text too.
    #[serde(rename = "x-extensible-enum", skip_serializing_if = "Vec::is_empty")]
    pub open_values: Vec<Value>,
    /// The payload of each value of an enumeration of events.
    #[serde(rename = "x-payloads", skip_serializing_if = "Map::is_empty")]
    pub payloads: Map<Schema>,
    /// The enumeration of the events of a stream.
    #[serde(rename = "x-events", skip_serializing_if = "Option::is_none")]
    pub events: Option<Box<Schema>>,
    /// The format of the text, where OpenAPI has none for it.
    #[serde(rename = "x-format", skip_serializing_if = "Option::is_none")]
    pub other_format: Option<String>,
    /// The field of the instance document that tells the limit.
    #[serde(rename = "x-limit-from", skip_serializing_if = "Option::is_none")]
    pub limit_from: Option<String>,
}

/// The type of a value: one, and in 3.1 null beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "as OpenAPI calls it")]
pub struct Kind {
    pub name: &'static str,
    pub or_null: bool,
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.or_null {
            return serializer.serialize_str(self.name);
        }
        let mut both = serializer.serialize_seq(Some(2))?;
        both.serialize_element(self.name)?;
        both.serialize_element("null")?;
        both.end()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_false(value: &bool) -> bool {
    !value
}
