//! Bodies of multipart/form-data.

use bytes::Bytes;

use super::Body;
use crate::File;

#[derive(Default)]
pub(super) struct Multipart {
    parts: Vec<(String, Bytes)>,
}

impl Multipart {
    pub(super) fn text(&mut self, name: &str, value: &str) {
        let head = format!(
            "Content-Disposition: form-data; name=\"{}\"\r\n\r\n",
            quoted(name)
        );
        self.parts
            .push((head, Bytes::copy_from_slice(value.as_bytes())));
    }

    pub(super) fn file(&mut self, name: &str, file: &File) {
        // A part without a file name is a text for most servers.
        let file_name = quoted(file.name().unwrap_or("file"));
        let content_type = file
            .content_type()
            .filter(|text| text.bytes().all(|byte| (0x20..0x7f).contains(&byte)))
            .unwrap_or("application/octet-stream");
        let head = format!(
            "Content-Disposition: form-data; name=\"{}\"; filename=\"{file_name}\"\r\nContent-Type: {content_type}\r\n\r\n",
            quoted(name)
        );
        self.parts.push((head, Bytes::from_owner(file.shared())));
    }

    /// The content type and the body.
    pub(super) fn finish(self) -> (String, Body) {
        let boundary = self.boundary();
        let mut body = Body::default();
        for (head, content) in self.parts {
            body.push(format!("--{boundary}\r\n{head}"));
            body.push(content);
            body.push("\r\n");
        }
        body.push(format!("--{boundary}--\r\n"));
        (format!("multipart/form-data; boundary={boundary}"), body)
    }

    /// A line that no part contains.
    fn boundary(&self) -> String {
        let mut number = 0_u32;
        loop {
            let boundary = format!("fedispec-5f1c9d2e7ab84306-{number}");
            if !self
                .parts
                .iter()
                .any(|(_, content)| contains(content, boundary.as_bytes()))
            {
                return boundary;
            }
            number += 1;
        }
    }
}

fn contains(content: &[u8], needle: &[u8]) -> bool {
    content.windows(needle.len()).any(|window| window == needle)
}

/// As browsers do.
fn quoted(text: &str) -> String {
    text.replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}
