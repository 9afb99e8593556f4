//! Requests as [`http`] types.

use std::borrow::Cow;

use form_urlencoded::Serializer;
use http::Uri;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, USER_AGENT};
use http::request::Builder;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::elements::ordered;
use super::encoder::{Encode, Encoder, Entry, Listed};
use super::multipart::Multipart;
use super::{Accept, Body, Error, Origin, Token};
use crate::brackets::{self, Step, element, field, steps};
use crate::param::Value;
use crate::{Json, Location, Operation, Request};

/// The default `User-Agent`. GoToSocial refuses requests without one.
pub(super) const DEFAULT_USER_AGENT: &str = concat!("fedispec/", env!("CARGO_PKG_VERSION"));

/// The characters that are percent-encoded in a path segment.
const IN_PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'/')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}')
    .add(b';');

/// Builds the HTTP request, for callers that send it themselves.
///
/// ```
/// # use fedispec_runtime as rt;
/// # struct Verify;
/// # impl rt::Request for Verify {
/// #     type Answer = rt::Json;
/// #     const OPERATION: &'static rt::Operation = &rt::Operation::new("apps.verify", rt::Method::Get, "/api/v1/apps/verify_credentials");
/// # }
/// # impl rt::client::Encode for Verify {
/// #     fn encode<'a>(&'a self, _: &mut rt::codegen::Encoder<'a>) {}
/// # }
/// let request = rt::client::request(&Verify, &"example.org".parse()?, Some(&"token".into()))?;
/// assert_eq!(request.uri(), "https://example.org/api/v1/apps/verify_credentials");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When a parameter cannot be sent, such as an empty path segment or a header value with a line break.
pub fn request<R>(
    request: &R,
    origin: &Origin,
    token: Option<&Token>,
) -> Result<http::Request<Body>, Error>
where
    R: Request + Encode,
    R::Answer: Accept,
{
    let mut encoder = Encoder::collect(R::OPERATION, request);
    encoder.accept = R::Answer::accept();
    encoder.settle(None)?;
    build(&encoder, origin, token)
}

/// Builds the HTTP request from collected parameters.
pub(super) fn build(
    encoder: &Encoder<'_>,
    origin: &Origin,
    token: Option<&Token>,
) -> Result<http::Request<Body>, Error> {
    let operation = encoder.operation();
    if let Some(name) = encoder.unknown {
        let what = "the operation has no parameter of this name";
        return Err(Error::request(operation, name, what));
    }
    let fault = |error: http::Error| Error::request(operation, "", &error.to_string());
    let url = origin.url(&target(encoder)?).map_err(fault)?;
    let builder = bare(operation, url, token)?.method(operation.method.as_str());
    let mut builder = headers(encoder, builder)?.header(ACCEPT, encoder.accept);
    let (content_type, body) = body(encoder)?;
    if let Some(content_type) = content_type {
        builder = builder.header(CONTENT_TYPE, content_type);
    }
    builder.body(body).map_err(fault)
}

/// Builds the request for a URL that the server gave.
pub(super) fn follow(
    operation: &'static Operation,
    url: Uri,
    token: Option<&Token>,
) -> Result<http::Request<Body>, Error> {
    bare(operation, url, token)?
        .header(ACCEPT, "application/json")
        .body(Body::default())
        .map_err(|error| Error::request(operation, "", &error.to_string()))
}

/// Starts a request with the headers that all have.
pub(super) fn bare(
    operation: &Operation,
    url: Uri,
    token: Option<&Token>,
) -> Result<Builder, Error> {
    let builder = http::Request::get(url).header(USER_AGENT, DEFAULT_USER_AGENT);
    let Some(token) = token else {
        return Ok(builder);
    };
    let what = "the token has characters that are not allowed in a header";
    let value = token.header().ok_or_else(|| Error::request(operation, "", what))?;
    Ok(builder.header(AUTHORIZATION, value))
}

/// The path and query.
pub(super) fn target(encoder: &Encoder<'_>) -> Result<String, Error> {
    let mut target = String::with_capacity(64);
    for segment in encoder.operation().path.split('/').skip(1) {
        target.push('/');
        match segment.strip_prefix(':') {
            Some(name) => target.extend(utf8_percent_encode(&segment_of(encoder, name)?, IN_PATH)),
            None => target += segment,
        }
    }
    let mut entries = encoder.at(Location::Query).peekable();
    if entries.peek().is_some() {
        target.push('?');
        let start = target.len();
        let mut query = Serializer::for_suffix(target, start);
        for entry in entries {
            each_text(encoder, entry, &mut |key, value| {
                query.append_pair(key, value);
            })?;
        }
        target = query.finish();
    }
    Ok(target)
}

fn segment_of<'a>(encoder: &'a Encoder<'_>, name: &str) -> Result<Cow<'a, str>, Error> {
    let entry = encoder.at(Location::Path).find(|entry| entry.param.wire == name);
    let fault = |what: &str| Err(Error::request(encoder.operation(), name, what));
    let Some(entry) = entry else {
        return fault("it is part of the path and must be set");
    };
    let text = entry.value.scalar();
    match text.as_deref() {
        None => fault("it is part of the path and must be a scalar"),
        Some("") => fault("it is part of the path and must not be empty"),
        // URL parsers remove dot segments, also percent-encoded ones (https://url.spec.whatwg.org/#double-dot-path-segment), so that another
        // operation would be called.
        Some("." | "..") => fault("it is part of the path and must not be a dot"),
        Some(_) => Ok(text.unwrap_or_default()),
    }
}

fn headers(encoder: &Encoder<'_>, mut builder: Builder) -> Result<Builder, Error> {
    for entry in encoder.at(Location::Header) {
        let fault = || {
            let what = "it is a header and has characters that are not allowed in a header";
            Error::request(encoder.operation(), entry.param.wire, what)
        };
        let name = HeaderName::try_from(entry.param.wire).map_err(|_| fault())?;
        let text = entry.value.scalar().ok_or_else(fault)?;
        builder = builder.header(name, HeaderValue::try_from(&*text).map_err(|_| fault())?);
    }
    Ok(builder)
}

/// Passes each pair of a query or a form on. A file is an error.
fn each_text(
    encoder: &Encoder<'_>,
    entry: &Entry<'_>,
    pair: &mut dyn FnMut(&str, &str),
) -> Result<(), Error> {
    let key = entry.key();
    match (&entry.value, entry.value.scalar()) {
        (_, Some(text)) => pair(&key, &text),
        (Value::Json(json), None) => each_json(&key, json, pair),
        _ => {
            let what = "a file can only be sent as multipart/form-data";
            return Err(Error::request(encoder.operation(), entry.param.wire, what));
        }
    }
    Ok(())
}

/// Spells JSON in brackets: `key[name]`, `key[]`.
fn each_json(key: &str, json: &Json, pair: &mut dyn FnMut(&str, &str)) {
    let inside = |name: &str| {
        let mut key = key.to_owned();
        brackets::push(&mut key, name);
        key
    };
    match json {
        Json::Array(items) => {
            for item in items {
                each_json(&inside(""), item, pair);
            }
        }
        Json::Object(fields) => {
            for (name, value) in fields {
                each_json(&inside(name), value, pair);
            }
        }
        scalar => pair(key, &Value::Json(scalar).scalar().unwrap_or_default()),
    }
}

fn body(encoder: &Encoder<'_>) -> Result<(Option<String>, Body), Error> {
    let mut entries = encoder.at(Location::Form).peekable();
    if entries.peek().is_none() {
        return Ok((None, Body::default()));
    }
    let has_file = encoder.at(Location::Form).any(|entry| matches!(entry.value, Value::File(_)));
    let json = encoder.operation().body == crate::BodyEncoding::Json
        || encoder.at(Location::Form).any(|entry| entry.cleared || entry.is_ambiguous_in_a_form());
    if has_file {
        multipart(encoder)
    } else if json {
        let tree = json_body(encoder);
        Ok((Some("application/json".to_owned()), tree.to_string().into()))
    } else {
        let mut form = Serializer::new(String::new());
        for entry in entries {
            each_text(encoder, entry, &mut |key, value| {
                form.append_pair(key, value);
            })?;
        }
        let content_type = "application/x-www-form-urlencoded".to_owned();
        Ok((Some(content_type), form.finish().into()))
    }
}

fn multipart(encoder: &Encoder<'_>) -> Result<(Option<String>, Body), Error> {
    let mut parts = Multipart::default();
    for entry in ordered(encoder)? {
        match entry.value {
            Value::File(file) => parts.file(&entry.key(), file),
            _ => each_text(encoder, entry, &mut |key, value| parts.text(key, value))?,
        }
    }
    let (content_type, body) = parts.finish();
    Ok((Some(content_type), body))
}

fn json_body(encoder: &Encoder<'_>) -> Json {
    let mut root = Json::Object(serde_json::Map::new());
    for entry in encoder.at(Location::Form) {
        let mut elements = entry.elements.iter().copied();
        let mut place = &mut root;
        let mut steps = steps(entry.param.wire).peekable();
        let mut last = None;
        while let Some(step) = steps.next() {
            place = match step {
                Step::Key(name) => field(place, name),
                // Only the spelling of a form numbers the elements of a list.
                Step::Number if entry.listed != Listed::No && steps.peek().is_none() => break,
                Step::Number => field(place, &elements.next().unwrap_or_default().to_string()),
                Step::Next => element(place, elements.next()),
            };
            last = Some(step);
        }
        // The name of a list may lack its `[]`.
        if entry.listed != Listed::No && last != Some(Step::Next) {
            place = element(place, None);
        }
        *place = typed(&entry.value);
    }
    let cleared = encoder.at(Location::Form).filter(|entry| entry.cleared);
    cleared.for_each(|entry| entry.empty(&mut root));
    root
}

fn typed(value: &Value<'_>) -> Json {
    match value {
        Value::Text(text) => Json::String(text.clone().into_owned()),
        Value::Bool(value) => Json::Bool(*value),
        Value::Integer(number) => Json::from(*number),
        Value::Number(number) => Json::from(*number),
        Value::Json(json) => (*json).clone(),
        Value::File(_) => Json::Null,
        Value::Several(values) => values.iter().map(typed).collect(),
    }
}

#[cfg(test)]
mod tests;
