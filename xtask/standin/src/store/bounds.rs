//! The limits that the instance documents tell, and that statuses and media are held against: the defaults of each program.

use super::State;
use crate::family::Habit;

/// The limits of a program.
#[derive(Debug)]
pub(crate) struct Bounds {
    /// Characters of a status.
    pub(crate) characters: i64,
    /// Characters that a URL counts as.
    pub(crate) url_characters: i64,
    /// Attachments of a status.
    pub(crate) media: i64,
    /// Media types of a status's text; none where there is no choice.
    pub(crate) text_types: &'static [&'static str],
    /// Options of a poll.
    pub(crate) options: i64,
    /// Fields of a profile.
    pub(crate) fields: i64,
    /// Bytes of a picture, and of a video.
    pub(crate) image_bytes: i64,
    pub(crate) video_bytes: i64,
    /// Pixels of a picture, and of a frame of a video.
    pub(crate) image_pixels: i64,
    pub(crate) video_pixels: i64,
    /// Frames of a video in a second.
    pub(crate) frame_rate: i64,
    /// Characters of the description of an attachment.
    pub(crate) description: i64,
    /// The media types that are taken.
    pub(crate) media_types: &'static [&'static str],
    /// Whether accounts may have styles of their own.
    pub(crate) custom_css: bool,
    /// Whether somebody has to approve new accounts.
    pub(crate) approval: bool,
}

/// As Mastodon 4.6 has them.
static USUAL: Bounds = Bounds {
    characters: 500,
    url_characters: 23,
    media: 4,
    text_types: &[],
    options: 4,
    fields: 4,
    image_bytes: 16_777_216,
    video_bytes: 103_809_024,
    image_pixels: 33_177_600,
    video_pixels: 8_294_400,
    frame_rate: 120,
    description: 1500,
    media_types: &[
        "image/jpeg",
        "image/png",
        "image/gif",
        "image/webp",
        "video/webm",
        "video/mp4",
        "video/quicktime",
        "audio/mpeg",
        "audio/ogg",
        "audio/wav",
        "audio/flac",
        "audio/aac",
        "audio/mp4",
    ],
    custom_css: false,
    approval: false,
};

/// As GoToSocial 0.19 has them where nobody has configured others.
static MORE: Bounds = Bounds {
    characters: 5000,
    url_characters: 25,
    media: 6,
    text_types: &["text/plain", "text/markdown"],
    options: 6,
    fields: 6,
    image_bytes: 41_943_040,
    video_bytes: 41_943_040,
    image_pixels: 2_147_483_647,
    video_pixels: 2_147_483_647,
    frame_rate: 2_147_483_647,
    description: 1500,
    media_types: &[
        "image/jpeg",
        "image/gif",
        "image/webp",
        "audio/mp2",
        "audio/mp3",
        "audio/mpeg",
        "video/x-msvideo",
        "audio/flac",
        "audio/x-flac",
        "image/png",
        "image/apng",
        "audio/ogg",
        "video/ogg",
        "audio/mp4",
        "video/mp4",
        "video/quicktime",
        "audio/x-ms-wma",
        "video/x-ms-wmv",
        "video/webm",
        "audio/x-matroska",
        "video/x-matroska",
    ],
    custom_css: true,
    approval: true,
};

impl State {
    /// The limits of the program that is presented.
    pub(crate) fn bounds(&self) -> &'static Bounds {
        if self.does(Habit::AllowsMore) { &MORE } else { &USUAL }
    }
}
