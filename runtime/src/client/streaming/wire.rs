//! Server-sent events over the body of a response.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Buf as _;
use http_body::Body;

use crate::client::{Frame, Line, Message, TransportError};

/// The body of an event stream.
pub(crate) struct Lines<B>(pub(crate) Pin<Box<B>>);

impl<B> Line for Lines<B>
where
    B: Body<Error: Into<Box<dyn std::error::Error + Send + Sync>>>,
{
    fn poll_next(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame, TransportError>>> {
        let frame = match ready!(self.0.as_mut().poll_frame(context)) {
            Some(Ok(frame)) => frame,
            Some(Err(error)) => {
                return Poll::Ready(Some(Err(TransportError::Broken(error.into()))));
            }
            None => return Poll::Ready(None),
        };
        let piece = frame
            .into_data()
            .map_or(Frame::Alive, |mut data| Frame::Piece(data.copy_to_bytes(data.remaining())));
        Poll::Ready(Some(Ok(piece)))
    }

    /// There is nothing to send on; a ping is not needed where the server sends comments.
    fn send(&mut self, _: Message) -> Result<(), TransportError> {
        Ok(())
    }
}

/// Whether a response is an event stream.
pub(crate) fn is_event_stream(status: http::StatusCode, headers: &http::HeaderMap) -> bool {
    let content_type = headers.get(http::header::CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    status == http::StatusCode::OK
        && content_type.is_some_and(|value| value.trim_start().starts_with("text/event-stream"))
}
