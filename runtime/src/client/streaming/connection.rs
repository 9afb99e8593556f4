//! A connection that stands, and what comes over it.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant, SystemTime};

use super::{Pulse, ServerSentEvents, Sign, StreamMessage};
use crate::RawEvent;
use crate::client::{BoxFuture, BoxLine, ErrorKind, Frame, Message, Timer, TransportError};

/// A connection that stands.
pub(super) struct Connection {
    line: BoxLine,
    lines: ServerSentEvents,
    /// The elements that were read from a list, and are told first.
    missed: VecDeque<RawEvent>,
    pulse: Pulse,
    clock: Clock,
    sleep: BoxFuture<'static, ()>,
}

/// The time since the connection stands, by the client's timer. The time of day may go back, and stands still then.
struct Clock {
    timer: Arc<dyn Timer>,
    since: SystemTime,
    start: Instant,
}

impl Clock {
    fn elapsed(&self) -> Duration {
        let elapsed = self.timer.now().duration_since(self.since);
        elapsed.unwrap_or_default()
    }

    fn now(&self) -> Instant {
        self.start + self.elapsed()
    }
}

/// A message that came over a connection.
pub(super) enum Came {
    /// Read from a list.
    Missed(RawEvent),
    Event(Option<String>, RawEvent),
    Refused(String, Option<u16>),
    Lost(ErrorKind),
}

impl Connection {
    /// A new connection, whose events have at most so many bytes.
    pub(super) fn new(
        line: BoxLine,
        limit: usize,
        silence: Duration,
        timer: Arc<dyn Timer>,
    ) -> Self {
        let start = Instant::now();
        Self {
            line,
            lines: ServerSentEvents::new(limit),
            missed: VecDeque::new(),
            pulse: Pulse::new(silence, start),
            sleep: timer.sleep(silence / 2),
            clock: Clock { since: timer.now(), timer, start },
        }
    }

    pub(super) fn age(&self) -> Duration {
        self.clock.elapsed()
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
            self.pulse.heard(self.clock.now());
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
                    let ended = ErrorKind::Closed { code: None, reason: String::new() };
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
            ready!(self.sleep.as_mut().poll(context));
            let now = self.clock.now();
            let wait = match self.pulse.check(now) {
                Sign::Wait(until) => until.saturating_duration_since(now),
                Sign::Dead => return Poll::Ready(Err(TransportError::Timeout)),
                Sign::Ask => {
                    if let Err(error) = self.line.send(Message::Ping) {
                        return Poll::Ready(Err(error));
                    }
                    // Queued messages are sent when the line is polled.
                    context.waker().wake_by_ref();
                    Duration::ZERO
                }
            };
            self.sleep = self.clock.timer.sleep(wait);
        }
    }
}

fn lost(error: TransportError) -> Poll<Came> {
    Poll::Ready(Came::Lost(ErrorKind::Transport(error)))
}
