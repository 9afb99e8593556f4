/// The kind of a media attachment, with the metadata of that kind; returned by [`MediaAttachment::kind`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MediaKind {
    /// A picture.
    #[non_exhaustive]
    Image {
        /// Width and height in pixels.
        size: Option<(i64, i64)>,
        /// The point to keep in view when it is cut: from -1 to 1, left to right and bottom to top.
        focus: Option<(f64, f64)>,
    },
    /// A film.
    #[non_exhaustive]
    Video {
        /// Width and height in pixels.
        size: Option<(i64, i64)>,
        /// How long it is, in seconds.
        duration: Option<f64>,
        /// Pictures per second.
        frame_rate: Option<f64>,
    },
    /// A film without sound that is to be repeated.
    #[non_exhaustive]
    Gifv {
        /// Width and height in pixels.
        size: Option<(i64, i64)>,
        /// How long it is, in seconds.
        duration: Option<f64>,
        /// Pictures per second.
        frame_rate: Option<f64>,
    },
    /// A sound.
    #[non_exhaustive]
    Audio {
        /// How long it is, in seconds.
        duration: Option<f64>,
        /// Bits per second.
        bitrate: Option<i64>,
    },
    /// The server does not know what it is, or this release of the types does not.
    Other,
}

impl MediaAttachment {
    /// The kind of the file, with the metadata of that kind.
    #[inline]
    pub fn kind(&self) -> MediaKind {
        let meta = self.meta.as_ref();
        let original = meta.and_then(|meta| meta.original.as_ref());
        let size = original.and_then(|original| original.width.zip(original.height));
        let duration = original.and_then(|original| original.duration);
        let frame_rate = original.and_then(|original| {
            // A ratio, as `30000/1001`.
            let text = original.frame_rate.as_deref()?;
            let (pictures, seconds) = text.split_once('/').unwrap_or((text, "1"));
            let rate = pictures.parse::<f64>().ok()? / seconds.parse::<f64>().ok()?;
            rate.is_finite().then_some(rate)
        });
        match self.r#type.as_str() {
            "image" => MediaKind::Image {
                size,
                focus: { meta.and_then(|meta| meta.focus.as_ref()) }
                    .and_then(|focus| focus.x.zip(focus.y)),
            },
            "video" => MediaKind::Video { size, duration, frame_rate },
            "gifv" => MediaKind::Gifv { size, duration, frame_rate },
            "audio" => MediaKind::Audio {
                duration,
                bitrate: original.and_then(|original| original.bitrate),
            },
            _ => MediaKind::Other,
        }
    }
}
