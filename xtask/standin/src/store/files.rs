//! Files that were uploaded, which are served below `/files/`.

use super::prelude::*;

/// A file and its media type.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Stored {
    pub(crate) content_type: String,
    #[serde(with = "as_base64")]
    pub(crate) bytes: Vec<u8>,
}

impl State {
    /// Keeps a file.
    pub(crate) fn keep(&mut self, content_type: &str, bytes: Vec<u8>) -> Key {
        let key = self.next_key();
        let content_type = content_type.to_owned();
        self.files.insert(key, Stored { content_type, bytes });
        key
    }

    /// The address of a file.
    pub(crate) fn file_url(&self, file: Key) -> String {
        let kind = self.files.get(&file).map_or("", |stored| &stored.content_type);
        let extension = extension(kind).map(|extension| format!(".{extension}"));
        format!("{}/files/{file}{}", self.origin(), extension.unwrap_or_default())
    }
}

/// How the name of a file of a media type ends; clients look at it.
fn extension(media_type: &str) -> Option<&str> {
    Some(match media_type {
        "image/jpeg" => "jpg",
        "audio/mpeg" => "mp3",
        "video/quicktime" => "mov",
        "image/svg+xml" => "svg",
        _ => media_type.split_once('/')?.1,
    })
    .filter(|extension| extension.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

mod as_base64 {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        STANDARD.decode(text).map_err(D::Error::custom)
    }
}
