//! Server-sent events, decoded without IO.

use crate::RawEvent;

/// Decodes a stream of [server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream), in
/// pieces of any length. It holds no more than the limit for one event, and never yields one that was cut off.
///
/// ```
/// use fedispec_runtime::client::ServerSentEvents;
///
/// let mut lines = ServerSentEvents::new(1024 * 1024);
/// lines.push(b":thump\n\nevent: delete\nda");
/// assert!(lines.next_event()?.is_none());
/// lines.push(b"ta: 31\n\n");
/// let event = lines.next_event()?.expect("it is complete");
/// assert_eq!((&*event.name, event.payload.as_deref()), ("delete", Some("31")));
/// # Ok::<(), fedispec_runtime::client::TooLong>(())
/// ```
pub struct ServerSentEvents {
    limit: usize,
    buffer: Vec<u8>,
    /// Where the line begins that is read next.
    start: usize,
    /// Up to where the buffer holds no line end.
    seen: usize,
    begun: bool,
    /// The last line ended in a carriage return, so that a line feed still belongs to it.
    after_return: bool,
    name: String,
    data: Vec<u8>,
    has_data: bool,
}

impl ServerSentEvents {
    /// A stream whose events have at most so many bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            buffer: Vec::new(),
            start: 0,
            seen: 0,
            begun: false,
            after_return: false,
            name: String::new(),
            data: Vec::new(),
            has_data: false,
        }
    }

    /// Takes a piece of the stream.
    pub fn push(&mut self, piece: &[u8]) {
        self.buffer.drain(..self.start);
        self.seen -= self.start;
        self.start = 0;
        self.buffer.extend_from_slice(piece);
    }

    /// The next event that is complete; `None` until more is pushed.
    ///
    /// # Errors
    ///
    /// When an event is longer than the limit. The stream cannot be read on then.
    pub fn next_event(&mut self) -> Result<Option<RawEvent>, TooLong> {
        if !self.begun {
            const MARK: &[u8] = b"\xEF\xBB\xBF";
            let have = self.buffer.len().min(MARK.len());
            if have < MARK.len() && self.buffer[..have] == MARK[..have] {
                return Ok(None);
            }
            self.begun = true;
            if self.buffer.starts_with(MARK) {
                (self.start, self.seen) = (MARK.len(), MARK.len());
            }
        }
        while let Some((from, to)) = self.line() {
            if from == to {
                if let Some(event) = self.finish() {
                    return Ok(Some(event));
                }
                continue;
            }
            self.field(from, to);
            if self.data.len() + self.name.len() > self.limit {
                return Err(TooLong(self.limit));
            }
        }
        if self.data.len() + (self.buffer.len() - self.start) > self.limit {
            return Err(TooLong(self.limit));
        }
        Ok(None)
    }

    /// The next line that is complete, without its end.
    fn line(&mut self) -> Option<(usize, usize)> {
        if self.after_return {
            // A line feed right after a carriage return is no line of its own.
            if *self.buffer.get(self.start)? == b'\n' {
                self.start += 1;
                self.seen = self.seen.max(self.start);
            }
            self.after_return = false;
        }
        let rest = &self.buffer[self.seen..];
        let Some(at) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
            self.seen = self.buffer.len();
            return None;
        };
        let (from, to) = (self.start, self.seen + at);
        self.after_return = self.buffer[to] == b'\r';
        self.start = to + 1;
        self.seen = self.start;
        Some((from, to))
    }

    fn field(&mut self, from: usize, to: usize) {
        let line = &self.buffer[from..to];
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = match colon {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"event" => self.name = String::from_utf8_lossy(value).into_owned(),
            b"data" => {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
                self.has_data = true;
            }
            // A comment, or a field that says nothing here.
            _ => {}
        }
    }

    /// Ends an event at an empty line.
    fn finish(&mut self) -> Option<RawEvent> {
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        if !std::mem::take(&mut self.has_data) {
            return None;
        }
        let name = if name.is_empty() { "message".to_owned() } else { name };
        let data = String::from_utf8(data)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Some(RawEvent::new(name, Some(data)))
    }
}

shown!(ServerSentEvents, own => limit, held = own.buffer.len() - own.start + own.data.len());

/// An event is longer than this limit in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong(pub usize);

sentence!(TooLong, own => "an event of the stream is longer than {} bytes", own.0);

#[cfg(test)]
mod tests {
    use super::*;

    fn all(pieces: &[&[u8]]) -> Vec<(String, Option<String>)> {
        let mut lines = ServerSentEvents::new(64);
        let mut events = Vec::new();
        for piece in pieces {
            lines.push(piece);
            while let Some(event) = lines.next_event().expect("short") {
                events.push((event.name, event.payload));
            }
        }
        events
    }

    fn event(name: &str, payload: &str) -> (String, Option<String>) {
        (name.to_owned(), Some(payload.to_owned()))
    }

    const STREAM: &[u8] = b"\xEF\xBB\xBFevent: update\n:)\ndata: {\"a\":\ndata:1}\n\n:thump\r\n\r\nevent:delete\r\ndata: 31\r\n\r\n\
        event: gone\n\nevent: filters_changed\rdata: undefined\r\rdata: plain\nretry: 3\nid\nnonsense\n\nevent: cut\ndata: off";

    #[test]
    fn events_are_read_in_pieces_of_any_length() {
        let wanted = [
            event("update", "{\"a\":\n1}"),
            event("delete", "31"),
            ("filters_changed".to_owned(), None),
            event("message", "plain"),
        ];
        assert_eq!(all(&[STREAM]), wanted);
        for length in 1..STREAM.len() {
            let pieces: Vec<_> = STREAM.chunks(length).collect();
            assert_eq!(all(&pieces), wanted, "{length}");
        }
    }

    #[test]
    fn bytes_that_are_not_text_cost_themselves_alone() {
        assert_eq!(all(&[b"data: a\xffb\n\n"]), [event("message", "a\u{fffd}b")]);
    }

    #[test]
    fn what_does_not_end_is_refused() {
        for piece in ["data: x\n", "event: x", ":"] {
            let mut lines = ServerSentEvents::new(64);
            let refused = (0..100).any(|_| {
                lines.push(piece.as_bytes());
                lines.next_event() == Err(TooLong(64))
            });
            assert!(refused, "{piece:?}");
            assert!(lines.buffer.len() + lines.data.len() < 200);
        }
        // Many short ones are not.
        let mut lines = ServerSentEvents::new(64);
        for _ in 0..1000 {
            lines.push(b":thump\n\nevent: x\ndata: y\n\n");
            assert!(lines.next_event().expect("short").is_some());
            assert_eq!(lines.next_event(), Ok(None));
        }
    }
}
