//! Reads the body of a request into the tree.

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue};
use http_body_util::{BodyExt as _, Limited};
use multer::{Constraints, Multipart, SizeLimit};

use super::timed::{Broken, Timed};
use super::{Error, Limits, tree};
use crate::server::tree::Tree;
use crate::{File, Given};

pub(super) async fn read(
    headers: &HeaderMap,
    body: Body,
    limits: &Limits,
    tree: &mut Tree,
) -> Result<(), Error> {
    let content_type = content_type(headers);
    let kind = Kind::of(content_type);
    if kind == Kind::Multipart {
        length_below(headers, limits.upload)?;
        return multipart(content_type, body, limits, tree).await;
    }
    length_below(headers, limits.body)?;
    let bytes = whole(Timed::new(body, limits.patience), limits.body).await?;
    if bytes.is_empty() {
        return Ok(());
    }
    match kind {
        Kind::Form => pairs(&bytes, limits, tree),
        Kind::Json => {
            let read = tree::json(&bytes, limits.nesting, limits.params).map_err(|error| {
                let message = format!("the body is no JSON of the right shape: {error}");
                Error::new(StatusCode::BAD_REQUEST, message)
            })?;
            tree.extend(read);
            Ok(())
        }
        Kind::Multipart | Kind::Other => Err(Error::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "a body is a form, JSON or multipart/form-data",
        )),
    }
}

/// How a body is written.
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

/// Whether a token can stand in the body. Not beside files: those who may not send any do not get to do so first.
pub(super) fn can_have_token(headers: &HeaderMap) -> bool {
    matches!(Kind::of(content_type(headers)), Kind::Form | Kind::Json)
}

/// The pairs of a query or a form.
pub(super) fn pairs(text: &[u8], limits: &Limits, tree: &mut Tree) -> Result<(), Error> {
    let mut own = Tree::new();
    for (count, (key, value)) in form_urlencoded::parse(text).enumerate() {
        if count >= limits.params {
            return Err(too_many());
        }
        insert(&mut own, &key, Given::Text(value.into_owned()), limits)?;
    }
    tree.extend(own);
    Ok(())
}

fn insert(tree: &mut Tree, key: &str, value: Given, limits: &Limits) -> Result<(), Error> {
    if tree::insert(tree, key, value, limits.nesting) {
        Ok(())
    } else {
        let message = "the brackets of a parameter are nested too deeply";
        Err(Error::new(StatusCode::BAD_REQUEST, message))
    }
}

async fn multipart(
    content_type: &str,
    body: Body,
    limits: &Limits,
    tree: &mut Tree,
) -> Result<(), Error> {
    let boundary = multer::parse_boundary(content_type).map_err(|error| broken(&error))?;
    let sizes = SizeLimit::new().whole_stream(limits.upload);
    let constraints = Constraints::new().size_limit(sizes);
    let body = Timed::new(body, limits.patience).into_data_stream();
    let mut parts = Multipart::with_constraints(body, boundary, constraints);
    let mut own = Tree::new();
    let mut count = 0;
    let mut text_left = limits.body;
    while let Some(mut part) = parts.next_field().await.map_err(|error| broken(&error))? {
        count += 1;
        if count > limits.params {
            return Err(too_many());
        }
        let is_file = part.file_name().is_some();
        let mut content = Vec::new();
        while let Some(piece) = part.chunk().await.map_err(|error| broken(&error))? {
            if !is_file {
                text_left = text_left
                    .checked_sub(piece.len() as u64)
                    .ok_or_else(|| too_long(limits.body))?;
            }
            content.extend_from_slice(&piece);
        }
        let value = match part.file_name() {
            Some(name) => {
                let file = File::new(name, content);
                Given::File(match part.content_type() {
                    Some(kind) => file.with_content_type(kind.as_ref()),
                    None => file,
                })
            }
            None => Given::Text(String::from_utf8_lossy(&content).into_owned()),
        };
        insert(&mut own, part.name().unwrap_or_default(), value, limits)?;
    }
    tree.extend(own);
    Ok(())
}

async fn whole(body: Timed, limit: u64) -> Result<Bytes, Error> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    match Limited::new(body, most).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) => Err(match Broken::behind(&*error) {
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

fn too_long(limit: u64) -> Error {
    let message = format!("the body is longer than {limit} bytes");
    Error::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

fn too_many() -> Error {
    Error::new(StatusCode::BAD_REQUEST, "there are too many parameters")
}

fn broken(error: &multer::Error) -> Error {
    match error {
        multer::Error::StreamSizeExceeded { limit }
        | multer::Error::FieldSizeExceeded { limit, .. } => too_long(*limit),
        multer::Error::StreamReadFailed(source) => {
            Broken::behind(&**source).unwrap_or(Broken::Off).into()
        }
        _ => Error::new(
            StatusCode::BAD_REQUEST,
            "the body is no multipart/form-data",
        ),
    }
}

impl From<Broken> for Error {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Off => Self::new(StatusCode::BAD_REQUEST, broken.to_string()),
            // What has not arrived yet is not waited for.
            Broken::Late => Self::new(StatusCode::REQUEST_TIMEOUT, broken.to_string())
                .with_header(CONNECTION, HeaderValue::from_static("close")),
        }
    }
}
