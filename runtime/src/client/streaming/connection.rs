//! A connection that stands, and what comes over it.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

use super::{EventLines, Pulse, Sign, StreamMessage};
use crate::RawEvent;
use crate::client::{BoxLine, ErrorKind, Frame, Message, TransportError};

/// A connection that stands.
pub(super) struct Connection {
    line: BoxLine,
    lines: EventLines,
    /// What was read from a list, and is told first.
    missed: VecDeque<RawEvent>,
    pulse: Pulse,
    timer: Pin<Box<Sleep>>,
    since: Instant,
}

/// What came over a connection.
pub(super) enum Came {
    /// Read from a list.
    Missed(RawEvent),
    Event(Option<String>, RawEvent),
    Refused(String, Option<u16>),
    Lost(ErrorKind),
}

impl Connection {
    /// A new connection, whose events have at most so many bytes.
    pub(super) fn new(line: BoxLine, limit: usize, silence: Duration) -> Self {
        let now = Instant::now();
        Self {
            line,
            lines: EventLines::new(limit),
            missed: VecDeque::new(),
            pulse: Pulse::new(silence, now.into_std()),
            timer: Box::pin(sleep(silence / 2)),
            since: now,
        }
    }

    pub(super) fn age(&self) -> Duration {
        self.since.elapsed()
    }

    /// Tells these events before what comes.
    pub(super) fn tell_first(&mut self, missed: Vec<RawEvent>) {
        self.missed.extend(missed);
    }

    /// Sends a text. That a connection is broken is found out when it is polled.
    pub(super) fn send(&mut self, text: String) {
        let _ = self.line.send(Message::Text(text));
    }

    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Came> {
        if let Some(event) = self.missed.pop_front() {
            return Poll::Ready(Came::Missed(event));
        }
        loop {
            match self.lines.next_event() {
                Ok(Some(event)) => return Poll::Ready(Came::Event(None, event)),
                Ok(None) => {}
                Err(long) => return lost(TransportError::TooLong(long.0 as u64)),
            }
            let Poll::Ready(frame) = self.line.poll_next(context) else {
                return match ready!(self.poll_pulse(context)) {
                    Ok(never) => match never {},
                    Err(error) => lost(error),
                };
            };
            self.pulse.heard(Instant::now().into_std());
            match frame {
                Some(Ok(Frame::Piece(piece))) => self.lines.push(&piece),
                Some(Ok(Frame::Alive)) => {}
                Some(Ok(Frame::Text(text))) => match StreamMessage::read(&text) {
                    StreamMessage::Event { stream, event } => {
                        return Poll::Ready(Came::Event(Some(stream), event));
                    }
                    StreamMessage::Refused { error, status } => {
                        return Poll::Ready(Came::Refused(error, status));
                    }
                    // A message of another kind says nothing that a reader of events could use.
                    StreamMessage::Other(_) => {}
                },
                Some(Ok(Frame::Closed { code, reason })) => {
                    return Poll::Ready(Came::Lost(ErrorKind::Closed { code, reason }));
                }
                Some(Err(error)) => return lost(error),
                None => {
                    let ended = ErrorKind::Closed {
                        code: None,
                        reason: String::new(),
                    };
                    return Poll::Ready(Came::Lost(ended));
                }
            }
        }
    }

    /// Waits for the time to ask for a sign of life, or for the end of patience.
    fn poll_pulse(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<Infallible, TransportError>> {
        loop {
            ready!(self.timer.as_mut().poll(context));
            match self.pulse.check(Instant::now().into_std()) {
                Sign::Wait(until) => self.timer.as_mut().reset(Instant::from_std(until)),
                Sign::Dead => return Poll::Ready(Err(TransportError::Timeout)),
                Sign::Ask => {
                    if let Err(error) = self.line.send(Message::Ping) {
                        return Poll::Ready(Err(error));
                    }
                    // What was queued is sent when the line is polled.
                    context.waker().wake_by_ref();
                }
            }
        }
    }
}

fn lost(error: TransportError) -> Poll<Came> {
    Poll::Ready(Came::Lost(ErrorKind::Transport(error)))
}
