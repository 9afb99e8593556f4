//! Request bodies.

use std::collections::VecDeque;
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Buf as _, Bytes};
use http_body::{Frame, SizeHint};

use crate::file::SharedPath;

/// The number of bytes read from a file at a time.
const CHUNK: usize = 64 * 1024;

/// A request body: pieces of known length, held without copies. A file on disk is opened when its turn comes and is never held whole.
///
/// To send a body twice, clone it before it is read; each clone opens its files anew.
#[derive(Default)]
pub struct Body {
    pieces: VecDeque<Piece>,
    reading: Option<Reading>,
    progress: Option<Progress>,
}

/// The function that is told how much of a body has been taken.
#[derive(Clone)]
struct Progress {
    told: Arc<Told>,
    taken: u64,
    whole: u64,
}

/// Is told how many bytes were taken, and of how many.
pub(super) type Told = dyn Fn(u64, u64) + Send + Sync;

#[derive(Clone)]
pub(super) enum Piece {
    Bytes(Bytes),
    /// A file and the number of bytes to send of it.
    File(SharedPath, u64),
}

/// An open file and the number of bytes still to send of it.
struct Reading {
    path: SharedPath,
    file: fs::File,
    left: u64,
}

impl Piece {
    fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(_, bytes) => *bytes,
        }
    }
}

impl Body {
    /// The length in bytes.
    pub fn len(&self) -> u64 {
        let left = self.reading.as_ref().map_or(0, |reading| reading.left);
        left + self.pieces.iter().map(Piece::len).sum::<u64>()
    }

    /// Whether the body is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The whole content in one piece.
    ///
    /// # Errors
    ///
    /// When a file on disk cannot be read, or has become shorter since the body was built.
    pub fn into_bytes(mut self) -> io::Result<Bytes> {
        if let (1, Some(Piece::Bytes(whole))) = (self.pieces.len(), self.pieces.front()) {
            return Ok(whole.clone());
        }
        let mut whole = Vec::with_capacity(usize::try_from(self.len()).unwrap_or_default());
        while let Some(piece) = self.read_piece() {
            whole.extend_from_slice(&piece?);
        }
        Ok(whole.into())
    }

    /// A blocking reader of the content. A file on disk is read in chunks.
    pub fn into_reader(self) -> impl Read + Send + Sync + 'static {
        Reader { body: self, piece: Bytes::new() }
    }

    /// Tells how much of the body has been taken, whenever a piece of it is. A clone that is sent again tells from the beginning.
    pub(super) fn tell(&mut self, told: Arc<Told>) {
        let whole = self.len();
        self.progress = Some(Progress { told, taken: 0, whole });
    }

    pub(super) fn push(&mut self, piece: impl Into<Bytes>) {
        self.push_piece(Piece::Bytes(piece.into()));
    }

    pub(super) fn push_piece(&mut self, piece: Piece) {
        if piece.len() > 0 {
            self.pieces.push_back(piece);
        }
    }

    /// Whether the body is empty or a single piece in memory.
    #[cfg(feature = "reqwest")]
    pub(super) fn is_whole(&self) -> bool {
        self.pieces.len() < 2 && !self.is_on_disk() && self.progress.is_none()
    }

    /// Whether the next piece is read from disk.
    #[cfg(feature = "reqwest")]
    pub(super) fn is_on_disk(&self) -> bool {
        self.reading.is_some() || matches!(self.pieces.front(), Some(Piece::File(..)))
    }

    /// Reads the next piece; a file comes in chunks, and so does all of a body whose progress is told.
    pub(super) fn read_piece(&mut self) -> Option<io::Result<Bytes>> {
        let mut piece = self.read()?;
        if let (Ok(bytes), Some(progress)) = (&mut piece, &mut self.progress) {
            if bytes.len() > CHUNK {
                let rest = bytes.split_off(CHUNK);
                self.pieces.push_front(Piece::Bytes(rest));
            }
            progress.taken += bytes.len() as u64;
            (progress.told)(progress.taken, progress.whole);
        }
        Some(piece)
    }

    fn read(&mut self) -> Option<io::Result<Bytes>> {
        if self.reading.is_none() {
            match self.pieces.pop_front()? {
                Piece::Bytes(bytes) => return Some(Ok(bytes)),
                Piece::File(path, left) => match fs::File::open(&*path) {
                    Ok(file) => self.reading = Some(Reading { path, file, left }),
                    Err(error) => return Some(Err(self.broken(&path, &error))),
                },
            }
        }
        let reading = self.reading.as_mut()?;
        let path = reading.path.clone();
        match reading.read() {
            Ok(part) => {
                if reading.left == 0 {
                    self.reading = None;
                }
                Some(Ok(part))
            }
            Err(error) => Some(Err(self.broken(&path, &error))),
        }
    }

    /// Turns an IO error into one that names the file, and drops the rest of the body.
    fn broken(&mut self, path: &std::path::Path, error: &io::Error) -> io::Error {
        (self.reading, self.pieces) = (None, VecDeque::new());
        io::Error::new(error.kind(), format!("{}: {error}", path.display()))
    }
}

impl Reading {
    fn read(&mut self) -> io::Result<Bytes> {
        let mut part = vec![0; CHUNK.min(usize::try_from(self.left).unwrap_or(CHUNK))];
        let length = match self.file.read(&mut part)? {
            0 => {
                let what = "the file has become shorter since the request was built";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, what));
            }
            length => length,
        };
        part.truncate(length);
        self.left = self.left.saturating_sub(length as u64);
        Ok(part.into())
    }
}

/// Clones the pieces, not an open file: a body is cloned before it is read.
impl Clone for Body {
    fn clone(&self) -> Self {
        Self { pieces: self.pieces.clone(), reading: None, progress: self.progress.clone() }
    }
}

impl<T: Into<Bytes>> From<T> for Body {
    fn from(bytes: T) -> Self {
        let mut body = Self::default();
        body.push(bytes);
        body
    }
}

/// Hides the content, which may hold a password.
impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({} bytes)", self.len())
    }
}

/// Polling reads files on the polling thread; the reqwest transport therefore reads them with `spawn_blocking`.
impl http_body::Body for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        Poll::Ready(self.read_piece().map(|piece| piece.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.len())
    }
}

struct Reader {
    body: Body,
    piece: Bytes,
}

impl Read for Reader {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.piece.is_empty() {
            self.piece = self.body.read_piece().transpose()?.unwrap_or_default();
        }
        let length = to.len().min(self.piece.len());
        to[..length].copy_from_slice(&self.piece[..length]);
        self.piece.advance(length);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn body(path: &Path, length: u64) -> Body {
        let mut body = Body::from("<");
        body.push_piece(Piece::File(path.into(), length));
        body.push(">");
        body
    }

    #[test]
    fn progress_is_told_piece_by_piece_and_again_for_a_clone() {
        let told = Arc::new(std::sync::Mutex::new(Vec::new()));
        let mut sent = Body::from(vec![7; 2 * CHUNK + 5]);
        let here = Arc::clone(&told);
        sent.tell(Arc::new(move |taken, whole| {
            here.lock().expect("no panic").push((taken, whole));
        }));
        let whole = 2 * CHUNK as u64 + 5;
        let once = [(CHUNK as u64, whole), (2 * CHUNK as u64, whole), (whole, whole)];
        for body in [sent.clone(), sent] {
            let mut read = Vec::new();
            body.into_reader().read_to_end(&mut read).expect("content");
            assert_eq!(read.len() as u64, whole);
            assert_eq!(*told.lock().expect("no panic"), once);
            told.lock().expect("no panic").clear();
        }
    }

    #[test]
    fn a_file_on_disk_is_read_when_it_is_sent() {
        let path = std::env::temp_dir().join(format!("fedispec-body-{}", std::process::id()));
        let content = vec![7; CHUNK + 3];
        fs::write(&path, &content).expect("a file");
        let sent = body(&path, content.len() as u64);
        assert_eq!(sent.len(), content.len() as u64 + 2);
        assert!(!sent.is_empty() && Body::default().is_empty());
        // A transport reads it apart from what is in memory, since a disk may be slow.
        #[cfg(feature = "reqwest")]
        {
            let mut begun = sent.clone();
            assert!(!begun.is_on_disk() && begun.read_piece().is_some_and(|piece| piece.is_ok()));
            assert!(begun.is_on_disk());
        }
        let again = sent.clone();
        let mut read = Vec::new();
        sent.into_reader().read_to_end(&mut read).expect("content");
        assert_eq!((read[0], read.len(), read[read.len() - 1]), (b'<', content.len() + 2, b'>'));
        assert_eq!(again.into_bytes().expect("content"), read);
        // Bytes appended after the length was taken are not sent.
        let longer = body(&path, 2).into_bytes().expect("content");
        assert_eq!(&longer[..], b"<\x07\x07>");
        let shorter = body(&path, content.len() as u64 + 1).into_bytes().expect_err("too short");
        assert_eq!(shorter.kind(), io::ErrorKind::UnexpectedEof);
        fs::remove_file(&path).expect("it is there");
        let gone = body(&path, 2).into_bytes().expect_err("no file");
        assert_eq!(gone.kind(), io::ErrorKind::NotFound);
        assert!(gone.to_string().contains("fedispec-body-"), "{gone}");
    }
}
