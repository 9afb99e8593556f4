//! QR codes as pictures.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use qrcode::{Color, QrCode};

/// A text as a QR code: a PNG of 256 pixels in each direction, in two shades of grey.
pub(crate) fn qr_code(text: &str) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    const SIZE: usize = 256;
    const MARGIN: usize = 4;
    let code = QrCode::new(text)?;
    let width = code.width();
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::default());
    let place = |pixel: usize| (pixel * (width + 2 * MARGIN) / SIZE).checked_sub(MARGIN);
    let is_dark = |x: usize, y: usize| {
        let (x, y) = (place(x)?, place(y)?);
        (x < width && y < width && code[(x, y)] == Color::Dark).then_some(())
    };
    for y in 0..SIZE {
        let pixels = (0..SIZE).map(|x| is_dark(x, y).map_or(u8::MAX, |()| 0));
        // Each row begins with its filter, which is none.
        rows.write_all(&[0].into_iter().chain(pixels).collect::<Vec<_>>())?;
    }
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    // 8 bits a pixel.
    let head = b"\0\0\x01\0\0\0\x01\0\x08\0\0\0\0";
    for (name, data) in [(b"IHDR", &head[..]), (b"IDAT", &rows.finish()?), (b"IEND", &[])] {
        let mut sum = Crc::new();
        sum.update(name);
        sum.update(data);
        png.extend(u32::try_from(data.len())?.to_be_bytes());
        png.extend([name, data, &sum.sum().to_be_bytes()[..]].concat());
    }
    Ok(png)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qr_code_is_a_picture() {
        let picture = qr_code("otpauth://totp/a:b?secret=ABC").expect("a picture");
        let size = imagesize::blob_size(&picture).expect("a size");
        assert_eq!((size.width, size.height), (256, 256));
        assert!(qr_code(&"a".repeat(5000)).is_err());
    }
}
