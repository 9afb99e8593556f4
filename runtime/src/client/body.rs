//! Bodies of requests.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Frame, SizeHint};

/// The body of a request: pieces of known length, files among them, which are not copied.
#[derive(Clone, Default)]
pub struct Body {
    pieces: VecDeque<Bytes>,
}

impl Body {
    /// Its length in bytes.
    pub fn len(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.len() as u64).sum()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.pieces.iter().all(Bytes::is_empty)
    }

    /// Its content in one piece.
    pub fn into_bytes(mut self) -> Bytes {
        if self.pieces.len() == 1 {
            return self.pieces.pop_front().unwrap_or_default();
        }
        let mut whole = Vec::with_capacity(usize::try_from(self.len()).unwrap_or_default());
        for piece in self.pieces {
            whole.extend_from_slice(&piece);
        }
        whole.into()
    }

    pub(super) fn push(&mut self, piece: impl Into<Bytes>) {
        let piece = piece.into();
        if !piece.is_empty() {
            self.pieces.push_back(piece);
        }
    }
}

impl<T: Into<Bytes>> From<T> for Body {
    fn from(bytes: T) -> Self {
        let mut body = Self::default();
        body.push(bytes);
        body
    }
}

/// A body may hold a password, so its content is not shown.
impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({} bytes)", self.len())
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.pieces.pop_front().map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.pieces.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.len())
    }
}
