//! Decoding of multipart/form-data, as it arrives and never as a whole ([RFC 7578](https://www.rfc-editor.org/rfc/rfc7578)).

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Bytes, HttpBody as _};
use axum::http::StatusCode;
use futures_core::Stream;
use multer::{Constraints, Field, Multipart, SizeLimit};

use super::limits::{too_long, too_many};
use super::site::Site;
use super::spool::{Spool, Storage};
use super::timed::{BodyError, PacedBody};
use super::tree::Tree;
use super::{Error, RequestLimits};
use crate::brackets::stem;
use crate::param::Given;
use crate::{File, Operation, Param};

/// The number of bytes that the parser gets at a time.
const CHUNK: usize = 64 * 1024;
/// The number of bytes within which the parser must find something, which bounds the head of a part.
const MAX_SILENT: usize = 2 * CHUNK;

/// Decodes the parts into the tree.
pub(super) async fn read(
    content_type: &str,
    body: PacedBody,
    site: &Site,
    operation: &Operation,
    tree: &mut Tree,
) -> Result<(), Error> {
    let boundary = multer::parse_boundary(content_type).map_err(|error| broken(&error))?;
    let limits = &site.limits;
    let sizes = SizeLimit::new().whole_stream(limits.upload);
    let silent = Arc::default();
    let pieces = Pieces {
        body,
        rest: Bytes::new(),
        paused: false,
        silent: Arc::clone(&silent),
    };
    let mut parts =
        Multipart::with_constraints(pieces, boundary, Constraints::new().size_limit(sizes));
    let mut reader = Reader {
        limits,
        operation,
        text_left: limits.body,
        storage: Storage {
            memory: limits.memory,
            folder: site.uploads.as_deref(),
        },
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
            None => Some(reader.text(part).await?),
        };
        if let Some(value) = value {
            limits.insert(&mut own, &name, value)?;
        }
    }
    tree.extend(own);
    Ok(())
}

/// The state shared by the parts of a body.
struct Reader<'a> {
    limits: &'a RequestLimits,
    operation: &'a Operation,
    text_left: u64,
    storage: Storage<'a>,
    silent: Arc<AtomicUsize>,
}

impl Reader<'_> {
    async fn piece(&self, part: &mut Field<'_>) -> Result<Option<Bytes>, Error> {
        self.silent.store(0, Ordering::Relaxed);
        part.chunk().await.map_err(|error| broken(&error))
    }

    async fn text(&mut self, mut part: Field<'_>) -> Result<Given, Error> {
        let mut content = Vec::new();
        while let Some(piece) = self.piece(&mut part).await? {
            let left = self.text_left.checked_sub(piece.len() as u64);
            self.text_left = left.ok_or_else(|| too_long(self.limits.body))?;
            content.extend_from_slice(&piece);
        }
        let text = String::from_utf8(content);
        Ok(Given::Text(text.unwrap_or_else(|broken| {
            String::from_utf8_lossy(broken.as_bytes()).into_owned()
        })))
    }

    /// Reads a file; `None` for an input that was left empty and for a file that the operation does not take.
    async fn file(
        &mut self,
        mut part: Field<'_>,
        name: &str,
        file_name: &str,
    ) -> Result<Option<Given>, Error> {
        let is_wanted = |param: &Param| stem(param.wire) == stem(name);
        let wanted = self.operation.params.iter().any(is_wanted);
        let mut spool = Spool::default();
        while let Some(piece) = self.piece(&mut part).await? {
            if !wanted {
                continue;
            }
            if spool.len() + piece.len() as u64 > self.limits.file {
                return Err(file_too_long(self.limits.file));
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
        multer::Error::StreamReadFailed(source) => BodyError::behind(&**source)
            .unwrap_or(BodyError::Truncated)
            .into(),
        _ => Error::new(
            StatusCode::BAD_REQUEST,
            "the body is not valid multipart/form-data",
        ),
    }
}

/// Feeds the parser a body in small pieces: it would take all that has arrived, and search all of it again each time.
struct Pieces {
    body: PacedBody,
    rest: Bytes,
    paused: bool,
    /// The number of bytes since the parser last found something.
    silent: Arc<AtomicUsize>,
}

impl Stream for Pieces {
    type Item = Result<Bytes, BodyError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.paused) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        while self.rest.is_empty() {
            let frame = match ready!(Pin::new(&mut self.body).poll_frame(context)) {
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
