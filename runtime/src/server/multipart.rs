//! Bodies of multipart/form-data: read as they come in, and never held whole.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Bytes, HttpBody as _};
use axum::http::StatusCode;
use futures_core::Stream;
use multer::{Constraints, Field, Multipart, SizeLimit};

use super::body::{insert, too_long, too_many};
use super::site::Site;
use super::spool::{Room, Spool};
use super::timed::{Broken, Timed};
use super::tree::Tree;
use super::{Error, Limits};
use crate::{File, Given, Operation, Param};

/// The bytes that a parser gets at once.
const PIECE: usize = 64 * 1024;
/// The bytes that a parser may get without finding anything: the head of a part has no more.
const FRUITLESS: usize = 2 * PIECE;

/// Reads the parts into the tree.
pub(super) async fn read(
    content_type: &str,
    body: Timed,
    site: &Site,
    operation: &Operation,
    tree: &mut Tree,
) -> Result<(), Error> {
    let boundary = multer::parse_boundary(content_type).map_err(|error| broken(&error))?;
    let limits = &site.limits;
    let sizes = SizeLimit::new().whole_stream(limits.upload);
    let fruitless = Arc::default();
    let flow = Flow {
        body,
        rest: Bytes::new(),
        paused: false,
        fruitless: Arc::clone(&fruitless),
    };
    let mut parts =
        Multipart::with_constraints(flow, boundary, Constraints::new().size_limit(sizes));
    let mut reader = Reader {
        limits,
        operation,
        text_left: limits.body,
        room: Room {
            memory: limits.memory,
            folder: site.uploads.as_deref(),
        },
        fruitless,
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
            insert(&mut own, &name, value, limits)?;
        }
    }
    tree.extend(own);
    Ok(())
}

/// Reads one part after the other.
struct Reader<'a> {
    limits: &'a Limits,
    operation: &'a Operation,
    text_left: u64,
    room: Room<'a>,
    fruitless: Arc<AtomicUsize>,
}

impl Reader<'_> {
    async fn piece(&self, part: &mut Field<'_>) -> Result<Option<Bytes>, Error> {
        self.fruitless.store(0, Ordering::Relaxed);
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

    /// A file; none where a form's field was left empty, and where nobody asks for it.
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
            let pushed = spool.push(&piece, &mut self.room).await;
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

/// A name without its brackets.
fn stem(name: &str) -> &str {
    name.split('[').next().unwrap_or_default()
}

fn file_too_long(limit: u64) -> Error {
    let message = format!("a file is longer than {limit} bytes");
    Error::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

/// The disk is full, or not to be written to.
fn no_room(error: std::io::Error) -> Error {
    Error::unavailable().with_source(error)
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

/// The bytes of a body, a little at once: the parser takes all that it can get, and searches all that it has anew each time.
struct Flow {
    body: Timed,
    rest: Bytes,
    paused: bool,
    /// The bytes since the parser found something.
    fruitless: Arc<AtomicUsize>,
}

impl Stream for Flow {
    type Item = Result<Bytes, Broken>;

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
            // Trailers are of no interest.
            self.rest = frame.into_data().unwrap_or_default();
        }
        let length = self.rest.len().min(PIECE);
        let piece = self.rest.split_to(length);
        if self.fruitless.fetch_add(length, Ordering::Relaxed) > FRUITLESS {
            return Poll::Ready(Some(Err(Broken::Endless)));
        }
        self.paused = true;
        Poll::Ready(Some(Ok(piece)))
    }
}
