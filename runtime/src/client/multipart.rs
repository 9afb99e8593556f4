//! Bodies of `multipart/form-data` ([RFC 7578](https://www.rfc-editor.org/rfc/rfc7578)).

use std::collections::hash_map::RandomState;
use std::fmt::Write as _;
use std::hash::BuildHasher as _;

use bytes::Bytes;

use super::Body;
use super::body::Piece;
use crate::File;

#[derive(Default)]
pub(super) struct Multipart {
    parts: Vec<(String, Piece)>,
}

impl Multipart {
    pub(super) fn text(&mut self, name: &str, value: &str) {
        let head = format!("Content-Disposition: form-data; name=\"{}\"\r\n\r\n", quoted(name));
        let content = Bytes::copy_from_slice(value.as_bytes());
        self.parts.push((head, Piece::Bytes(content)));
    }

    pub(super) fn file(&mut self, name: &str, file: &File) {
        // Most servers read a part without a file name as text.
        let file_name = quoted(file.name().unwrap_or("file"));
        let content_type = file
            .content_type()
            .filter(|text| text.bytes().all(|byte| (0x20..0x7f).contains(&byte)))
            .unwrap_or("application/octet-stream");
        let head = format!(
            "Content-Disposition: form-data; name=\"{}\"; filename=\"{file_name}\"\r\nContent-Type: {content_type}\r\n\r\n",
            quoted(name)
        );
        let content = match file.shared() {
            Ok(content) => Piece::Bytes(Bytes::from_owner(content)),
            Err((path, bytes)) => Piece::File(path, bytes),
        };
        self.parts.push((head, content));
    }

    /// Returns the content type and the body.
    pub(super) fn finish(self) -> (String, Body) {
        let boundary = self.boundary();
        let mut body = Body::default();
        for (head, content) in self.parts {
            body.push(format!("--{boundary}\r\n{head}"));
            body.push_piece(content);
            body.push("\r\n");
        }
        body.push(format!("--{boundary}--\r\n"));
        (format!("multipart/form-data; boundary={boundary}"), body)
    }

    /// A boundary that no part contains. Parts in memory are searched; with a file on disk, which is not read yet, the boundary is random.
    fn boundary(&self) -> String {
        let mut number = 0_u64;
        loop {
            let mut boundary = format!("fedispec-5f1c9d2e7ab84306-{number}");
            if self.parts.iter().any(|(_, piece)| matches!(piece, Piece::File(..))) {
                let state = RandomState::new();
                _ = write!(boundary, "-{:016x}{:016x}", state.hash_one(0), state.hash_one(1));
            }
            let taken = |(_, piece): &(_, Piece)| match piece {
                Piece::Bytes(content) => contains(content, boundary.as_bytes()),
                Piece::File(..) => false,
            };
            if !self.parts.iter().any(taken) {
                return boundary;
            }
            number += 1;
        }
    }
}

fn contains(content: &[u8], needle: &[u8]) -> bool {
    content.windows(needle.len()).any(|window| window == needle)
}

/// Escapes a name in `Content-Disposition` as the WHATWG's [multipart encoding](https://html.spec.whatwg.org/#multipart-form-data) says.
fn quoted(text: &str) -> String {
    text.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_contains_the_boundary() {
        let finished = |text: &str| {
            let mut parts = Multipart::default();
            parts.text("a", text);
            let (content_type, body) = parts.finish();
            let boundary = content_type.rsplit('=').next().expect("a boundary").to_owned();
            let body = body.into_bytes().expect("in memory");
            let body = String::from_utf8(body.to_vec()).expect("UTF-8");
            (body.matches(&boundary).count(), boundary)
        };
        let (count, usual) = finished("b");
        assert_eq!(count, 2);
        let (count, other) = finished(&usual);
        assert!(count == 2 && other != usual, "{other}");
    }
}
