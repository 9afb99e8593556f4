//! Decoding of request bodies.

use axum::http::StatusCode;
use axum::http::header::{
    CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue,
    TRANSFER_ENCODING,
};
use http_body_util::BodyExt as _;

use super::allowance::{Allowance, no_memory};
use super::limits::{too_long, too_many};
use super::route::Route;
use super::site::Site;
use super::timed::{BodyError, PacedBody};
use super::tree::{self, Tree};
use super::ways::Ways;
use super::{Error, RequestLimits, multipart, text};
use crate::Location;
use crate::param::Given;

pub(super) async fn read(
    headers: &HeaderMap,
    body: PacedBody,
    route: &Route,
    allowance: &mut Allowance<'_>,
    tree: &mut Tree,
) -> Result<(), Error> {
    let limits = &*route.limits;
    is_plain(headers)?;
    let content_type = content_type(headers);
    let kind = Encoding::of(content_type);
    if kind == Encoding::Multipart {
        let most = allowance.at_most(limits.upload);
        length_below(headers, most)?;
        let source = if allowance.is_known {
            multipart::Source::Arriving(body)
        } else {
            multipart::Source::Held(whole(body, most, allowance).await?.into())
        };
        return multipart::read(content_type, source, route, allowance, tree).await;
    }
    length_below(headers, allowance.body())?;
    let bytes = whole(body, allowance.body(), allowance).await?;
    if bytes.is_empty() {
        return Ok(());
    }
    match kind {
        Encoding::Form => pairs(&bytes, limits, tree),
        Encoding::Json => {
            let ways = Ways(route.site.target.as_deref());
            match tree::json(&bytes, limits.nesting, limits.params) {
                Ok(mut read) => {
                    // Null is none, also beside others.
                    read.retain(|_, given| *given != Given::Null);
                    tree.extend(read);
                }
                Err(_) if !ways.reads_bodies_for_all() && takes_nothing(route) => {}
                Err(error) => {
                    let usual = || format!("the body is not JSON of the expected shape: {error}");
                    let message = ways.malformed(&error, &bytes).unwrap_or_else(usual);
                    return Err(Error::new(StatusCode::BAD_REQUEST, message));
                }
            }
            Ok(())
        }
        Encoding::Multipart | Encoding::Other => Err(Error::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body must be a form, JSON or multipart/form-data",
        )),
    }
}

/// Whether an operation has no parameters that a body may hold in the emulated release.
fn takes_nothing(route: &Route) -> bool {
    let mut params = route.operation.params.iter().zip(&route.rules.params);
    params.all(|(param, rules)| {
        rules.ignored || matches!(param.location, Location::Path | Location::Header)
    })
}

/// Refuses a compressed body, whose bytes would be misread. A layer in front may decompress it; it then removes the header.
fn is_plain(headers: &HeaderMap) -> Result<(), Error> {
    let codings = |name| {
        let values = headers.get_all(name).iter();
        values.flat_map(|value| value.as_bytes().split(|&byte| byte == b','))
    };
    let is = |coding: &[u8], plain: &[u8]| coding.trim_ascii().eq_ignore_ascii_case(plain);
    if codings(CONTENT_ENCODING).any(|coding| !is(coding, b"identity")) {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(Error::new(status, "the body must not be compressed"));
    }
    if codings(TRANSFER_ENCODING).any(|coding| !is(coding, b"chunked")) {
        let told = "the body can be transferred as it is or chunked";
        return Err(Error::new(StatusCode::NOT_IMPLEMENTED, told));
    }
    Ok(())
}

/// The encoding of a body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Form,
    Json,
    Multipart,
    Other,
}

impl Encoding {
    fn of(content_type: &str) -> Self {
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        match &*essence.to_ascii_lowercase() {
            "" | "application/x-www-form-urlencoded" => Self::Form,
            "multipart/form-data" => Self::Multipart,
            "application/json" | "text/json" => Self::Json,
            json if json.ends_with("+json") => Self::Json,
            _ => Self::Other,
        }
    }
}

fn content_type(headers: &HeaderMap) -> &str {
    let value = headers.get(CONTENT_TYPE);
    value.and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Whether the body may hold the token. Not for uploads, which would be read and stored before the token is checked.
pub(super) fn can_have_token(headers: &HeaderMap) -> bool {
    matches!(Encoding::of(content_type(headers)), Encoding::Form | Encoding::Json)
}

/// Whether a read has a body that counts, as one of JSON does where the server emulates a program on Rails.
pub(super) fn is_of_read(headers: &HeaderMap, site: &Site) -> bool {
    let is_lenient = Ways(site.target.as_deref()).is_lenient();
    is_lenient && Encoding::of(content_type(headers)) == Encoding::Json
}

/// Decodes the pairs of a query or a form.
pub(super) fn pairs(text: &[u8], limits: &RequestLimits, tree: &mut Tree) -> Result<(), Error> {
    let mut own = Tree::new();
    for (count, pair) in text::pairs(text).enumerate() {
        if count >= limits.params {
            return Err(too_many());
        }
        let (key, value) = pair?;
        limits.insert(&mut own, &key, Given::Text(value))?;
    }
    tree.extend(own);
    Ok(())
}

/// Collects a body. It is copied: a client that sends byte by byte would otherwise hold a buffer for each.
async fn whole(
    mut body: PacedBody,
    limit: u64,
    allowance: &mut Allowance<'_>,
) -> Result<Vec<u8>, Error> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut held = Vec::new();
    while let Some(frame) = body.frame().await {
        // Trailers are ignored.
        let piece = frame?.into_data().unwrap_or_default();
        let length = held.len().saturating_add(piece.len());
        if length > most {
            return Err(too_long(limit));
        }
        if length > held.capacity() {
            let capacity = length.max(held.capacity().saturating_mul(2)).min(most);
            if !allowance.take(capacity - held.capacity()) {
                return Err(no_memory());
            }
            held.reserve_exact(capacity - held.len());
        }
        held.extend_from_slice(&piece);
    }
    Ok(held)
}

fn length_below(headers: &HeaderMap, limit: u64) -> Result<(), Error> {
    let length =
        headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    match length {
        Some(length) if length > limit => Err(too_long(limit)),
        _ => Ok(()),
    }
}

impl From<BodyError> for Error {
    fn from(broken: BodyError) -> Self {
        match broken {
            BodyError::Truncated | BodyError::EndlessPartHead => {
                Self::new(StatusCode::BAD_REQUEST, broken.to_string())
            }
            // The rest of the body is not awaited.
            BodyError::TooSlow => Self::new(StatusCode::REQUEST_TIMEOUT, broken.to_string())
                .with_header(CONNECTION, HeaderValue::from_static("close")),
        }
    }
}
