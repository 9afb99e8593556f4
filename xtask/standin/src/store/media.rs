//! Pictures, videos and sounds.

use fedispec::enums::MediaAttachmentType;

use super::film::Film;
use super::prelude::*;

/// How long a video or a sound is processed.
const PROCESSING: Millis = 400;

/// The area of a preview, as Mastodon makes it.
const PREVIEW_AREA: f64 = 640.0 * 360.0;

/// An attachment, before and after it is posted.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Medium {
    pub(crate) id: Key,
    pub(crate) owner: Key,
    pub(crate) kind: MediaAttachmentType,
    pub(crate) file: Key,
    /// The file of a preview that was uploaded with it.
    #[serde(default)]
    pub(crate) thumbnail: Option<Key>,
    /// Width and height of a picture.
    #[serde(default)]
    pub(crate) size: Option<(u32, u32)>,
    #[serde(default)]
    pub(crate) film: Option<Film>,
    pub(crate) description: Option<String>,
    pub(crate) focus: Option<(f64, f64)>,
    /// When it is processed.
    #[serde(default)]
    pub(crate) ready_at: Millis,
    /// The status that has it.
    pub(crate) status: Option<Key>,
}

impl State {
    /// Keeps an attachment, which is ready at once. None where its type is neither a picture's nor a video's nor a sound's.
    pub(crate) fn add_medium(
        &mut self,
        owner: Key,
        media_type: &str,
        bytes: Vec<u8>,
    ) -> Option<&mut Medium> {
        let keeps = self.does(Habit::KeepsFilms);
        let film = Film::read(&bytes);
        // Mastodon takes a film without sound for an animation.
        let is_silent = film.as_ref().is_some_and(|film| !film.has_sound && !keeps);
        let kind = match kind_of(media_type)? {
            MediaAttachmentType::Video if is_silent => MediaAttachmentType::Gifv,
            MediaAttachmentType::Gifv if keeps => MediaAttachmentType::Image,
            kind => kind,
        };
        let size = film.map_or_else(|| size(&bytes), |film| Some((film.width, film.height)));
        let (stored, id) = (self.keep(media_type, bytes), self.next_key());
        let medium = Medium {
            id,
            owner,
            kind,
            file: stored,
            thumbnail: None,
            size,
            film,
            description: None,
            focus: None,
            ready_at: self.now(),
            status: None,
        };
        Some(self.media.entry(id).or_insert(medium))
    }
}

/// The media type that the first bytes tell, or else the one that was sent with them.
pub(crate) fn media_type(bytes: &[u8], told: Option<&str>) -> String {
    let told = told.unwrap_or("application/octet-stream");
    sniff(bytes).unwrap_or(told).to_owned()
}

/// `None` where it is neither a picture nor a video nor a sound.
fn kind_of(media_type: &str) -> Option<MediaAttachmentType> {
    match media_type.split_once('/')? {
        ("image", "gif") => Some(MediaAttachmentType::Gifv),
        ("image", _) => Some(MediaAttachmentType::Image),
        ("video", _) => Some(MediaAttachmentType::Video),
        ("audio", _) => Some(MediaAttachmentType::Audio),
        _ => None,
    }
}

/// When what is uploaded now will be processed: a picture at once.
pub(crate) fn ready_at(kind: &MediaAttachmentType, now: Millis) -> Millis {
    match kind {
        MediaAttachmentType::Image => now,
        _ => now.saturating_add(PROCESSING),
    }
}

/// Width and height of a picture, where its file tells.
pub(crate) fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let size = imagesize::blob_size(bytes).ok()?;
    let size = (u32::try_from(size.width).ok()?, u32::try_from(size.height).ok()?);
    (size.0 > 0 && size.1 > 0).then_some(size)
}

fn sniff(bytes: &[u8]) -> Option<&'static str> {
    const HEADS: [(usize, &[u8], &str); 10] = [
        (0, b"\x89PNG\r\n\x1a\n", "image/png"),
        (0, b"\xff\xd8\xff", "image/jpeg"),
        (0, b"GIF8", "image/gif"),
        (8, b"WEBP", "image/webp"),
        (4, b"ftyp", "video/mp4"),
        (0, b"\x1a\x45\xdf\xa3", "video/webm"),
        (0, b"ID3", "audio/mpeg"),
        (0, b"OggS", "audio/ogg"),
        (0, b"fLaC", "audio/flac"),
        (8, b"WAVE", "audio/wav"),
    ];
    let found = HEADS
        .iter()
        .find(|(at, head, _)| bytes.get(*at..).is_some_and(|rest| rest.starts_with(head)));
    found.map(|(_, _, kind)| *kind)
}

/// A point such as `-0.5,0.3`, each within -1 to 1.
pub(crate) fn focus(text: &str) -> Option<(f64, f64)> {
    let (x, y) = text.split_once(',')?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|one| one.is_finite());
    Some((number(x)?.clamp(-1.0, 1.0), number(y)?.clamp(-1.0, 1.0)))
}

/// The size of a picture's preview.
pub(crate) fn preview((width, height): (u32, u32)) -> (u32, u32) {
    let (across, down) = (f64::from(width), f64::from(height));
    let scale = (PREVIEW_AREA / (across * down)).sqrt().min(1.0);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not greater than the number that it is made of, and at least 1"
    )]
    let scaled = |length: f64| (length * scale).round().max(1.0) as u32;
    (scaled(across), scaled(down))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(bytes: &[u8]) -> (String, Option<(u32, u32)>) {
        let seen = media_type(bytes, None);
        let size = size(bytes);
        (seen, size)
    }

    #[test]
    fn the_size_is_read_from_the_file() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x58\0\0\x01\x2c\x08\x02";
        assert_eq!(picture(png), ("image/png".to_owned(), Some((600, 300))));
        let gif = b"GIF89a\x0a\x00\x14\x00\0\0";
        assert_eq!(picture(gif), ("image/gif".to_owned(), Some((10, 20))));
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x0a\0\x14\x03";
        assert_eq!(picture(jpeg), ("image/jpeg".to_owned(), Some((20, 10))));
        for cut in 0..jpeg.len() {
            size(&jpeg[..cut]);
            size(&png[..cut]);
        }
        assert_eq!(preview((600, 600)), (480, 480));
        assert_eq!(preview((2, 1)), (2, 1));
    }

    #[test]
    fn a_focus_lies_within_the_picture() {
        assert_eq!(focus("-0.5, 0.3"), Some((-0.5, 0.3)));
        assert_eq!(focus("7,-7"), Some((1.0, -1.0)));
        assert_eq!((focus("1"), focus("a,b"), focus("NaN,0")), (None, None, None));
    }
}
