//! The limits that the instance documents tell, and that statuses, profiles and media are held against: the defaults of each release.

use std::borrow::Cow;

use fedispec::runtime::{KnownLimit, Version, profile, profiles};

use super::State;
use crate::family::Habit;
use crate::release::Release;

/// The limits of a release.
#[derive(Debug, Clone)]
pub(crate) struct Bounds {
    /// Characters of a status.
    pub(crate) characters: i64,
    /// Characters of a content warning, where they do not count among those of the status.
    pub(crate) warning: Option<i64>,
    /// Characters that a URL counts as.
    pub(crate) url_characters: i64,
    /// Attachments of a status.
    pub(crate) media: i64,
    /// Media types of a status's text; none where there is no choice.
    pub(crate) text_types: &'static [&'static str],
    /// Options of a poll, and characters of each.
    pub(crate) options: i64,
    pub(crate) option_characters: i64,
    /// Characters of the name of an account, and of its note.
    pub(crate) name: i64,
    pub(crate) note: i64,
    /// Fields of a profile.
    pub(crate) fields: i64,
    /// Whether a field with a value and no name is refused, and not left out.
    pub(crate) refuses_nameless_fields: bool,
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
    pub(crate) media_types: Cow<'static, [&'static str]>,
    /// Whether accounts may have styles of their own.
    pub(crate) custom_css: bool,
    /// Whether somebody has to approve new accounts.
    pub(crate) approval: bool,
}

/// As Mastodon 4.6 has them.
const USUAL: Bounds = Bounds {
    characters: 500,
    warning: None,
    url_characters: 23,
    media: 4,
    text_types: &[],
    options: 4,
    option_characters: 50,
    name: 40,
    note: 500,
    fields: 4,
    refuses_nameless_fields: true,
    image_bytes: 16_777_216,
    video_bytes: 103_809_024,
    image_pixels: 33_177_600,
    video_pixels: 8_294_400,
    frame_rate: 120,
    description: 10_000,
    media_types: Cow::Borrowed(&[
        "image/jpeg",
        "image/png",
        "image/gif",
        "image/heic",
        "image/heif",
        "image/webp",
        "image/avif",
        "video/webm",
        "video/mp4",
        "video/quicktime",
        "video/ogg",
        "audio/wave",
        "audio/wav",
        "audio/x-wav",
        "audio/x-pn-wave",
        "audio/vnd.wave",
        "audio/ogg",
        "audio/vorbis",
        "audio/mpeg",
        "audio/mp3",
        "audio/webm",
        "audio/flac",
        "audio/aac",
        "audio/m4a",
        "audio/x-m4a",
        "audio/mp4",
        "audio/3gpp",
        "video/x-ms-asf",
    ]),
    custom_css: false,
    approval: false,
};

/// As GoToSocial 0.19 has them where nobody has configured others. Names and notes have no limit.
const MORE: Bounds = Bounds {
    characters: 5000,
    warning: None,
    url_characters: 25,
    media: 6,
    text_types: &["text/plain", "text/markdown"],
    options: 6,
    option_characters: 50,
    name: i64::MAX,
    note: i64::MAX,
    fields: 6,
    refuses_nameless_fields: false,
    image_bytes: 41_943_040,
    video_bytes: 41_943_040,
    image_pixels: 2_147_483_647,
    video_pixels: 2_147_483_647,
    frame_rate: 2_147_483_647,
    description: 1500,
    media_types: Cow::Borrowed(&[
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
    ]),
    custom_css: true,
    approval: true,
};

/// The pictures and videos that GoToSocial took before it had another program look at them.
const FEW_TYPES: &[&str] = &["image/jpeg", "image/gif", "image/png", "image/webp", "video/mp4"];

impl Bounds {
    /// The limits of a release.
    pub(crate) fn of(release: &Release) -> Self {
        let before = |major, minor, patch| *release.version() < Version::new(major, minor, patch);
        let own = if release.family().has(Habit::AllowsMore) {
            Self::of_more(before)
        } else {
            Self::of_usual(before)
        };
        own.known(release)
    }

    /// The limits that the catalogue has of the program, or of the one that it is a fork of, take precedence over those written here.
    fn known(mut self, release: &Release) -> Self {
        let own = profiles().find(release.program());
        let base = own.and_then(|own| profiles().find(own.based_on.as_deref()?));
        let mut known = [own, base].into_iter().flatten().map(|one| &one.ways.limits.values);
        for (limit, states) in known.find(|values| !values.is_empty()).into_iter().flatten() {
            let place = match limit {
                KnownLimit::Characters => &mut self.characters,
                KnownLimit::CharactersPerLink => &mut self.url_characters,
                KnownLimit::Attachments => &mut self.media,
                KnownLimit::Description => &mut self.description,
                KnownLimit::ImageBytes => &mut self.image_bytes,
                KnownLimit::ImagePixels => &mut self.image_pixels,
                KnownLimit::VideoBytes => &mut self.video_bytes,
                KnownLimit::VideoPixels => &mut self.video_pixels,
                KnownLimit::VideoFrameRate => &mut self.frame_rate,
                KnownLimit::PollOptions => &mut self.options,
                KnownLimit::PollOptionCharacters => &mut self.option_characters,
                KnownLimit::ProfileFields => &mut self.fields,
                KnownLimit::PollShortest
                | KnownLimit::PollLongest
                | KnownLimit::Pinned
                | KnownLimit::FeaturedTags => continue,
            };
            let value = profile::at(states, release.version());
            *place = value.and_then(|value| i64::try_from(*value).ok()).unwrap_or(*place);
        }
        self
    }

    fn of_usual(before: impl Fn(u32, u32, u32) -> bool) -> Self {
        let mut bounds = USUAL;
        if before(4, 6, 0) {
            bounds.name = 30;
        }
        // app/validators/empty_profile_field_names_validator.rb
        bounds.refuses_nameless_fields = !before(4, 3, 0);
        // app/models/media_attachment.rb, commits df27953f96, 379a7a7ca7, ae07cfb868 and 0f5e6dd02b
        if before(4, 0, 0) {
            let later = ["image/heic", "image/heif", "image/webp", "image/avif", "audio/vnd.wave"];
            bounds.media_types.to_mut().retain(|kind| !later.contains(kind));
        }
        if before(2, 9, 0) {
            bounds.note = 160;
        }
        bounds
    }

    fn of_more(before: impl Fn(u32, u32, u32) -> bool) -> Self {
        let mut bounds = MORE;
        // `SupportedMIMETypes` in internal/media/manager.go at v0.16.0, v0.17.1, v0.17.2 and v0.18.0, and internal/config/defaults.go
        if before(0, 18, 0) {
            bounds.media_types.to_mut().retain(|kind| *kind != "audio/mpeg");
        }
        if before(0, 17, 2) {
            for kind in bounds.media_types.to_mut().iter_mut().filter(|kind| **kind == "audio/mp4")
            {
                *kind = "audio/x-m4a";
            }
        }
        if before(0, 17, 0) {
            (bounds.image_bytes, bounds.media_types) = (10_485_760, Cow::Borrowed(FEW_TYPES));
        }
        if before(0, 14, 0) {
            (bounds.warning, bounds.description) = (Some(100), 500);
        }
        if before(0, 9, 0) {
            bounds.fields = 4;
        }
        bounds
    }
}

impl State {
    /// The limits of the release that is presented.
    pub(crate) fn bounds(&self) -> &Bounds {
        &self.place.bounds
    }
}
