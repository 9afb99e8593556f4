//! Decoding of request bodies.

use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue};
use http_body_util::{BodyExt as _, Limited};

use super::limits::{too_long, too_many};
use super::site::Site;
use super::timed::{BodyError, PacedBody};
use super::tree::{self, Tree};
use super::{Error, RequestLimits, multipart};
use crate::Operation;
use crate::param::Given;

pub(super) async fn read(
    headers: &HeaderMap,
    body: PacedBody,
    site: &Site,
    operation: &Operation,
    tree: &mut Tree,
) -> Result<(), Error> {
    let limits = &site.limits;
    let content_type = content_type(headers);
    let kind = Kind::of(content_type);
    if kind == Kind::Multipart {
        length_below(headers, limits.upload)?;
        return multipart::read(content_type, body, site, operation, tree).await;
    }
    length_below(headers, limits.body)?;
    let bytes = whole(body, limits.body).await?;
    if bytes.is_empty() {
        return Ok(());
    }
    match kind {
        Kind::Form => pairs(&bytes, limits, tree),
        Kind::Json => {
            let read = tree::json(&bytes, limits.nesting, limits.params).map_err(|error| {
                let message = format!("the body is not JSON of the expected shape: {error}");
                Error::new(StatusCode::BAD_REQUEST, message)
            })?;
            tree.extend(read);
            Ok(())
        }
        Kind::Multipart | Kind::Other => Err(Error::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body must be a form, JSON or multipart/form-data",
        )),
    }
}

/// The encoding of a body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Form,
    Json,
    Multipart,
    Other,
}

impl Kind {
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
    value
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

/// Whether the body may hold the token. Not for uploads, which would be read and stored before the token is checked.
pub(super) fn can_have_token(headers: &HeaderMap) -> bool {
    matches!(Kind::of(content_type(headers)), Kind::Form | Kind::Json)
}

/// Decodes the pairs of a query or a form.
pub(super) fn pairs(text: &[u8], limits: &RequestLimits, tree: &mut Tree) -> Result<(), Error> {
    let mut own = Tree::new();
    for (count, (key, value)) in form_urlencoded::parse(text).enumerate() {
        if count >= limits.params {
            return Err(too_many());
        }
        limits.insert(&mut own, &key, Given::Text(value.into_owned()))?;
    }
    tree.extend(own);
    Ok(())
}

async fn whole(body: PacedBody, limit: u64) -> Result<Bytes, Error> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    match Limited::new(body, most).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) => Err(match BodyError::behind(&*error) {
            Some(broken) => broken.into(),
            None => too_long(limit),
        }),
    }
}

fn length_below(headers: &HeaderMap, limit: u64) -> Result<(), Error> {
    let length = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
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
