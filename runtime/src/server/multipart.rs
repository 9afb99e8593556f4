//! Decoding of multipart/form-data, as it arrives and never as a whole ([RFC 7578](https://www.rfc-editor.org/rfc/rfc7578)).
//!
//! multer parses it. It bounds the body and single fields, and neither the head of a part nor the memory of all requests together; axum's
//! `Multipart` is the same parser without its limits.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Bytes, HttpBody as _};
use axum::http::StatusCode;
use futures_core::Stream;
use multer::{Constraints, Field, Multipart, SizeLimit};

use super::allowance::{Allowance, no_memory};
use super::limits::{too_long, too_many};
use super::route::Route;
use super::spool::{Spool, Storage};
use super::timed::{BodyError, PacedBody};
use super::tree::Tree;
use super::{Error, text};
use crate::brackets::stem;
use crate::param::Given;
use crate::{File, Operation};

/// The number of bytes that the parser gets at a time.
const CHUNK: usize = 64 * 1024;
/// The number of bytes within which the parser must find something, which bounds the head of a part.
const MAX_SILENT: usize = 2 * CHUNK;

/// The bytes of a body.
pub(super) enum Source {
    /// As they arrive.
    Arriving(PacedBody),
    /// All of them.
    Held(Bytes),
}

/// Decodes the parts into the tree.
pub(super) async fn read(
    content_type: &str,
    source: Source,
    route: &Route,
    allowance: &mut Allowance<'_>,
    tree: &mut Tree,
) -> Result<(), Error> {
    let boundary = multer::parse_boundary(content_type).map_err(|error| broken(&error))?;
    let limits = allowance.limits;
    let sizes = SizeLimit::new().whole_stream(limits.upload);
    let silent = Arc::default();
    let (mut body, rest) = match source {
        Source::Arriving(body) => (Some(body), Bytes::new()),
        Source::Held(bytes) => (None, bytes),
    };
    let pieces = Pieces { body: body.as_mut(), rest, paused: false, silent: Arc::clone(&silent) };
    let mut parts =
        Multipart::with_constraints(pieces, boundary, Constraints::new().size_limit(sizes));
    let memory = if allowance.is_known {
        limits.memory
    } else {
        // It is in memory already, and nothing of an unknown sender is written to disk.
        usize::MAX
    };
    let mut reader = PartReader {
        operation: route.operation,
        text_left: limits.body,
        storage: Storage { memory, folder: route.site.uploads.as_deref() },
        allowance,
        silent,
    };
    let mut own = Tree::new();
    let mut count = 0;
    while let Some(part) = parts.next_field().await.map_err(|error| broken(&error))? {
        count += 1;
        if count > limits.params {
            return Err(too_many());
        }
        let name = part.name().unwrap_or_default().to_owned();
        let value = match part.file_name().map(str::to_owned) {
            Some(file_name) => reader.file(part, &name, &file_name).await?,
            None => Some(reader.text(part, &name).await?),
        };
        if let Some(value) = value {
            limits.insert(&mut own, &name, value)?;
        }
    }
    drop(parts);
    if let Some(body) = &mut body {
        body.end().await;
    }
    tree.extend(own);
    Ok(())
}

/// The state shared by the parts of a body.
struct PartReader<'r, 'a> {
    operation: &'static Operation,
    text_left: u64,
    storage: Storage<'r>,
    allowance: &'r mut Allowance<'a>,
    silent: Arc<AtomicUsize>,
}

impl PartReader<'_, '_> {
    async fn piece(&self, part: &mut Field<'_>) -> Result<Option<Bytes>, Error> {
        self.silent.store(0, Ordering::Relaxed);
        part.chunk().await.map_err(|error| broken(&error))
    }

    async fn text(&mut self, mut part: Field<'_>, name: &str) -> Result<Given, Error> {
        let mut content = Vec::new();
        while let Some(piece) = self.piece(&mut part).await? {
            let left = self.text_left.checked_sub(piece.len() as u64);
            self.text_left = left.ok_or_else(|| too_long(self.allowance.limits.body))?;
            self.take(piece.len()).then_some(()).ok_or_else(no_memory)?;
            content.extend_from_slice(&piece);
        }
        text::decode(content, name).map(Given::Text)
    }

    /// Takes memory; `false` where there is not enough. A body that is held whole has been counted.
    fn take(&mut self, bytes: usize) -> bool {
        !self.allowance.is_known || self.allowance.take(bytes)
    }

    /// Reads a file; `None` for an input that was left empty and for a file that the operation does not take.
    async fn file(
        &mut self,
        mut part: Field<'_>,
        name: &str,
        file_name: &str,
    ) -> Result<Option<Given>, Error> {
        let params = self.operation.params.iter();
        let named = params.filter(|param| stem(param.wire) == stem(name));
        let wanted = named.clone().any(|param| param.is_file);
        if !wanted && named.count() > 0 {
            // An empty field of a form for a file has no content.
            let is_empty = file_name.is_empty() && self.piece(&mut part).await?.is_none();
            return if is_empty { Ok(None) } else { Err(no_file(name)) };
        }
        let mut spool = Spool::default();
        while let Some(piece) = self.piece(&mut part).await? {
            if !wanted {
                continue;
            }
            let most = self.allowance.limits.file;
            if spool.len() + piece.len() as u64 > most {
                return Err(file_too_long(most));
            }
            if spool.is_held() && !self.take(piece.len()) {
                self.storage.memory = 0;
            }
            let pushed = spool.push(&piece, &mut self.storage).await;
            pushed.map_err(no_room)?;
        }
        if !wanted || (file_name.is_empty() && spool.len() == 0) {
            return Ok(None);
        }
        let file = File::of(file_name, spool.finish().await.map_err(no_room)?);
        Ok(Some(Given::File(match part.content_type() {
            Some(kind) => file.with_content_type(kind.as_ref()),
            None => file,
        })))
    }
}

/// A file comes where a text is expected.
fn no_file(name: &str) -> Error {
    Error::unprocessable(format!("{name} must not be a file"))
}

fn file_too_long(limit: u64) -> Error {
    let message = format!("a file is longer than {limit} bytes");
    Error::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

/// The disk is full or not writable.
fn no_room(error: std::io::Error) -> Error {
    Error::unavailable().with_source(error)
}

fn broken(error: &multer::Error) -> Error {
    match error {
        multer::Error::StreamSizeExceeded { limit }
        | multer::Error::FieldSizeExceeded { limit, .. } => too_long(*limit),
        multer::Error::StreamReadFailed(source) => {
            BodyError::behind(&**source).unwrap_or(BodyError::Truncated).into()
        }
        _ => Error::new(StatusCode::BAD_REQUEST, "the body is not valid multipart/form-data"),
    }
}

/// Feeds the parser a body in small pieces: it would take all that has arrived, and search all of it again each time.
struct Pieces<'b> {
    /// `None` where all of it is in `rest`.
    body: Option<&'b mut PacedBody>,
    rest: Bytes,
    paused: bool,
    /// The number of bytes since the parser last found something.
    silent: Arc<AtomicUsize>,
}

impl Stream for Pieces<'_> {
    type Item = Result<Bytes, BodyError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.paused) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        while self.rest.is_empty() {
            let Some(body) = &mut self.body else {
                return Poll::Ready(None);
            };
            let frame = match ready!(Pin::new(body).poll_frame(context)) {
                Some(Ok(frame)) => frame,
                Some(Err(broken)) => return Poll::Ready(Some(Err(broken))),
                None => return Poll::Ready(None),
            };
            // Trailers are ignored.
            self.rest = frame.into_data().unwrap_or_default();
        }
        let length = self.rest.len().min(CHUNK);
        let piece = self.rest.split_to(length);
        if self.silent.fetch_add(length, Ordering::Relaxed) > MAX_SILENT {
            return Poll::Ready(Some(Err(BodyError::EndlessPartHead)));
        }
        self.paused = true;
        Poll::Ready(Some(Ok(piece)))
    }
}
