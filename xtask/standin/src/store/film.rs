//! Films: what `WebM`, a container made of EBML (RFC 8794), tells of them.

use serde::{Deserialize, Serialize};

/// The length, size and rate of a film.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Film {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// In seconds.
    pub(crate) length: f64,
    /// How long a frame is shown, in nanoseconds.
    frame: Option<u32>,
    pub(crate) has_sound: bool,
}

impl Film {
    /// Reads a film; none where the bytes are none, or tell no size.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (mut film, mut scale) = (Self::default(), 1_000_000);
        let mut rest = Some(bytes).filter(|bytes| bytes.starts_with(b"\x1a\x45\xdf\xa3"))?;
        while let Some((id, start, length)) = element(rest) {
            let content = rest.get(start..)?;
            if HAS_OTHERS.contains(&id) {
                rest = content;
                continue;
            }
            let (content, next) = content.split_at(length.min(content.len()));
            rest = next;
            match id {
                0x2A_D7B1 => scale = number(content),
                0x4489 => film.length = decimal(content),
                0xB0 => film.width = short(number(content)),
                0xBA => film.height = short(number(content)),
                0x83 => film.has_sound |= number(content) == 2,
                0x23_E383 => film.frame = film.frame.or(Some(short(number(content)))),
                _ => {}
            }
        }
        film.length *= f64::from(short(scale)) / 1e9;
        let is_known = film.width > 0 && film.height > 0 && film.length.is_finite();
        Some(film).filter(|_| is_known)
    }

    /// Bits per second of a file of so many bytes.
    pub(crate) fn bitrate(&self, bytes: usize) -> Option<i64> {
        let milliseconds = std::time::Duration::try_from_secs_f64(self.length).ok()?.as_millis();
        let bits = u128::try_from(bytes).ok()? * 8000;
        i64::try_from(bits.checked_div(milliseconds)?).ok()
    }

    /// Frames per second as a fraction, where it is a whole number.
    pub(crate) fn rate(&self) -> Option<String> {
        let frame = self.frame.filter(|frame| *frame > 0)?;
        let rate = 1e9 / f64::from(frame);
        let is_whole = (rate - rate.round()).abs() < 0.001;
        is_whole.then(|| format!("{}/1", rate.round()))
    }
}

/// The elements of which the others are read: Segment, Info, Tracks, `TrackEntry` and Video.
const HAS_OTHERS: [u32; 5] = [0x1853_8067, 0x1549_A966, 0x1654_AE6B, 0xAE, 0xE0];

/// The id of an element, where its content begins, and how long that is.
fn element(bytes: &[u8]) -> Option<(u32, usize, usize)> {
    let length_of = |first: u8| first.leading_zeros() as usize + 1;
    let id = bytes.get(..length_of(*bytes.first()?))?;
    let first = *bytes.get(id.len())?;
    let start = id.len() + length_of(first);
    let size = number(bytes.get(id.len()..start)?);
    // The first bit that is set tells how many bytes there are.
    let marker = 1_u64.checked_shl(7 * u32::try_from(length_of(first)).ok()?)?;
    Some((short(number(id)), start, usize::try_from(size & (marker - 1)).ok()?))
}

/// The number of these bytes; the last eight count.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |all, byte| all << 8 | u64::from(*byte))
}

fn short(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn decimal(bytes: &[u8]) -> f64 {
    match bytes.len() {
        4 => f64::from(f32::from_bits(short(number(bytes)))),
        _ => f64::from_bits(number(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An element with a size of two bytes.
    fn put(id: &[u8], content: &[u8]) -> Vec<u8> {
        let size = u16::try_from(content.len()).expect("short") | 0x4000;
        [id, &size.to_be_bytes(), content].concat()
    }

    #[test]
    fn a_film_is_read_from_its_container() {
        let info = put(b"\x15\x49\xa9\x66", &put(b"\x44\x89", &5000_f32.to_be_bytes()));
        let video = put(b"\xe0", &[put(b"\xb0", &[2, 0x30]), put(b"\xba", &[64])].concat());
        let frame = put(b"\x23\xe3\x83", &33_333_333_u32.to_be_bytes());
        let tracks = [frame, video, put(b"\x83", &[2])].map(|one| put(b"\xae", &one)).concat();
        let segment = [info, put(b"\x16\x54\xae\x6b", &tracks)].concat();
        let webm = [put(b"\x1a\x45\xdf\xa3", b""), put(b"\x18\x53\x80\x67", &segment)].concat();
        let film = Film::read(&webm).expect("a film");
        assert_eq!((film.width, film.height, film.has_sound), (560, 64, true));
        assert_eq!((film.length, film.rate().as_deref()), (5.0, Some("30/1")));
        for cut in 0..webm.len() {
            Film::read(&webm[..cut]);
            let spoilt = webm
                .iter()
                .zip(0..)
                .map(|(byte, place)| byte ^ if place == cut { 0xff } else { 0 });
            Film::read(&spoilt.collect::<Vec<_>>());
        }
        assert_eq!(Film::read(b"\x1a\x45\xdf\xa3"), None);
    }
}
