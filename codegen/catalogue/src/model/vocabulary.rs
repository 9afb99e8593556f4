//! Words that only one of a few can stand for; the schema offers them, and `check` refuses all others.

/// The format of a text or a number (`format`).
#[rustfmt::skip]
pub const FORMATS: [&str; 25] = [
    "base64 public key, curve prime256v1", "base64, 16 random bytes", "blurhash", "cidr", "date", "datetime", "domain", "email",
    "H:MM:SS.ss", "hex-color", "html", "integer", "language-code", "markdown", "mime-type", "password", "ratio N/M",
    "seconds", "sha256", "space-separated OauthScope", "unix-timestamp", "uri", "uuid", "WxH", "x,y",
];

/// The value that a program sends instead (`sends` of a quirk).
pub const SENDS: [&str; 11] = [
    "absent",
    "absent_if_empty",
    "empty_array",
    "empty_object",
    "empty_string",
    "integer",
    "null",
    "object",
    "string",
    "unwrapped",
    "zero",
];

/// The schema of `errors`: answers by status, a list of statuses, or `unknown`.
#[cfg(feature = "schema")]
pub(super) fn errors(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let answer = generator.subschema_for::<super::ErrorAnswer>();
    schemars::json_schema!({
        "anyOf": [
            {"const": "unknown"},
            {"type": "array", "items": {"type": "integer", "minimum": 400, "maximum": 599}},
            {"type": "object", "additionalProperties": answer},
        ],
    })
}
