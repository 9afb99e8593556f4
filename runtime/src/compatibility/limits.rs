//! The limits of a server: those in its instance documents, and the known ones of releases that publish none.

use fedispec_since::{Counting, KnownLimit};
use serde::{Deserialize, Serialize};

use super::measure;
use crate::known::{self, profiles};
use crate::{Identity, Json};

macro_rules! limits {
    ($($(#[$doc:meta])+ $name:ident, $limit:ident: $($path:literal)|+,)+) => {
        /// Limits of a server. `None` where neither the server nor its release tells the limit.
        ///
        /// The instance documents of both versions of the API are read alike.
        #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
        #[serde(default)]
        #[non_exhaustive]
        pub struct InstanceLimits {
            $($(#[$doc])+ #[serde(skip_serializing_if = "Option::is_none")] pub $name: Option<u64>,)+
            /// The media types of attachments; empty where it does not say.
            #[serde(skip_serializing_if = "Vec::is_empty")]
            pub media_types: Vec<String>,
            /// How the server counts characters.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub counting: Option<Counting>,
        }

        impl InstanceLimits {
            /// Reads an instance document, of version 1 or 2.
            pub(super) fn read(document: &Json) -> Self {
                let configuration = document.get("configuration");
                let number = |path: &str| {
                    let found = configuration.and_then(|tree| tree.pointer(path));
                    found.or_else(|| document.pointer(path)).and_then(number)
                };
                Self {
                    media_types: media_types(configuration),
                    ..Self::each(|limit| match limit {
                        $(KnownLimit::$limit => None$(.or_else(|| number($path)))+,)+
                    }
                    .or_else(|| told_at(limit, document)))
                }
            }

            /// Each limit by its kind.
            fn each(value: impl Fn(KnownLimit) -> Option<u64>) -> Self {
                Self {
                    $($name: value(KnownLimit::$limit),)+
                    media_types: Vec::new(),
                    counting: None,
                }
            }

            /// The limits of another where this one has none.
            #[must_use]
            pub fn or(self, other: Self) -> Self {
                Self {
                    $($name: self.$name.or(other.$name),)+
                    media_types: if self.media_types.is_empty() { other.media_types } else { self.media_types },
                    counting: self.counting.or(other.counting),
                }
            }
        }
    };
}

limits! {
    /// Characters of a post, its content warning among them.
    characters, Characters: "/statuses/max_characters" | "/max_toot_chars" | "/max_characters",
    /// The number of characters that a link counts for, whatever its length.
    characters_per_link, CharactersPerLink: "/statuses/characters_reserved_per_url",
    /// Attachments of a post.
    attachments, Attachments: "/statuses/max_media_attachments" | "/max_media_attachments",
    /// Characters of an attachment's description.
    description, Description: "/media_attachments/description_limit" | "/description_limit",
    /// Bytes of an image.
    image_bytes, ImageBytes: "/media_attachments/image_size_limit" | "/upload_limit",
    /// Pixels of an image, width by height.
    image_pixels, ImagePixels: "/media_attachments/image_matrix_limit",
    /// Bytes of a video or of sound.
    video_bytes, VideoBytes: "/media_attachments/video_size_limit" | "/upload_limit",
    /// Pixels of a video, width by height.
    video_pixels, VideoPixels: "/media_attachments/video_matrix_limit",
    /// Frames of a video in a second.
    video_frame_rate, VideoFrameRate: "/media_attachments/video_frame_rate_limit",
    /// Options of a poll.
    poll_options, PollOptions: "/polls/max_options" | "/poll_limits/max_options",
    /// Characters of a poll's option.
    poll_option_characters, PollOptionCharacters: "/polls/max_characters_per_option" | "/poll_limits/max_option_chars",
    /// The shortest life of a poll, in seconds.
    poll_shortest, PollShortest: "/polls/min_expiration" | "/poll_limits/min_expiration",
    /// The longest life of a poll, in seconds.
    poll_longest, PollLongest: "/polls/max_expiration" | "/poll_limits/max_expiration",
    /// Posts that an account may pin.
    pinned, Pinned: "/accounts/max_pinned_statuses",
    /// Hashtags that an account may feature.
    featured_tags, FeaturedTags: "/accounts/max_featured_tags",
    /// Fields of a profile.
    profile_fields, ProfileFields: "/accounts/max_profile_fields",
}

/// Some servers send numbers as texts, and a limit that is none as a negative number or null.
fn number(value: &Json) -> Option<u64> {
    match value {
        Json::Number(number) => number.as_u64(),
        Json::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn media_types(configuration: Option<&Json>) -> Vec<String> {
    let types =
        configuration.and_then(|tree| tree.pointer("/media_attachments/supported_mime_types"));
    let types = types.and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    types.iter().filter_map(Json::as_str).map(str::to_owned).collect()
}

impl InstanceLimits {
    /// The limits that releases are known to have, whatever their owner has set. A fork has those of its base that forks keep.
    pub(super) fn known(identity: &Identity) -> Self {
        let of = |program: Option<&str>| known::profile(program).map(|one| &one.ways.limits);
        let own = of(identity.program.as_deref());
        let counting = own.and_then(|own| own.counting);
        let (steps, version) = if identity.is_fork() {
            (of(Some(known::reference())), identity.claims_mastodon)
        } else {
            (
                own,
                if identity.is_reference() { identity.claims_mastodon } else { identity.release() },
            )
        };
        let Some((limits, version)) = steps.zip(version) else {
            return Self { counting, ..Self::default() };
        };
        let is_told = |limit| !identity.is_fork() || limits.forks_keep.contains(&limit);
        let value = |limit: KnownLimit| {
            let steps = limits.values.get(&limit).filter(|_| is_told(limit))?;
            let reached = steps.iter().rfind(|(since, _)| since.version() <= version);
            reached.map(|(_, value)| *value)
        };
        Self { counting, ..Self::each(value) }
    }
}

/// Where the instance documents of some programs tell a limit, and no other does.
fn told_at(limit: KnownLimit, document: &Json) -> Option<u64> {
    let paths = profiles().programs.iter();
    let paths = paths.filter_map(|profile| profile.ways.limits.told_at.get(&limit));
    paths.filter_map(|path| document.pointer(path)).find_map(number)
}

/// A post before it is sent.
#[derive(Debug, Clone, Default)]
pub struct Draft<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its content warning.
    pub spoiler_text: &'a str,
    /// Its attachments.
    pub attachments: &'a [Attachment<'a>],
    /// Its poll.
    pub poll: Option<PollDraft<'a>>,
}

impl<'a> Draft<'a> {
    /// A post that is text alone.
    pub fn text(text: &'a str) -> Self {
        Self { text, ..Self::default() }
    }
}

/// An attachment before it is sent. What is left at its default is not checked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Attachment<'a> {
    /// Its media type: `image/png`.
    pub media_type: &'a str,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its width and height.
    pub size: Option<(u32, u32)>,
    /// Its frames in a second.
    pub frame_rate: Option<u32>,
    /// Its description.
    pub description: &'a str,
}

/// A poll before it is sent.
#[derive(Debug, Clone, Copy)]
pub struct PollDraft<'a> {
    /// Its options.
    pub options: &'a [&'a str],
    /// Its life in seconds.
    pub expires_in: u64,
}

/// The quantity that a limit bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each is the field of that name")]
pub enum Limit {
    Characters,
    Attachments,
    Description,
    ImageBytes,
    ImagePixels,
    VideoBytes,
    VideoPixels,
    VideoFrameRate,
    MediaType,
    PollOptions,
    PollOptionCharacters,
    PollShortest,
    PollLongest,
}

/// A limit that a post does not keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excess {
    /// The limit.
    pub limit: Limit,
    /// Which attachment or which option, from 0.
    pub place: Option<usize>,
    /// The limit: a maximum, but a minimum for [`Limit::PollShortest`]; 0 for a media type.
    pub allowed: u64,
    /// The value in the post.
    pub found: u64,
}

impl std::fmt::Display for Excess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { allowed, found, .. } = self;
        let number = self.place.map_or(0, |place| place + 1);
        let (subject, unit) = match self.limit {
            Limit::Characters => ("the post".to_owned(), "characters"),
            Limit::Attachments => ("the post".to_owned(), "attachments"),
            Limit::Description => (format!("the description of attachment {number}"), "characters"),
            Limit::ImageBytes | Limit::VideoBytes => (format!("attachment {number}"), "bytes"),
            Limit::ImagePixels | Limit::VideoPixels => (format!("attachment {number}"), "pixels"),
            Limit::VideoFrameRate => (format!("attachment {number}"), "frames a second"),
            Limit::PollOptions => ("the poll".to_owned(), "options"),
            Limit::PollOptionCharacters => (format!("option {number} of the poll"), "characters"),
            Limit::MediaType => {
                return write!(f, "the server does not take the media type of attachment {number}");
            }
            Limit::PollShortest | Limit::PollLongest => {
                let wants =
                    if self.limit == Limit::PollLongest { "allows" } else { "wants at least" };
                return write!(
                    f,
                    "the poll ends after {found} seconds and the server {wants} {allowed}"
                );
            }
        };
        write!(f, "{subject} has {found} {unit} and the server allows {allowed}")
    }
}

impl InstanceLimits {
    /// Holds a post against the limits: every one that it does not keep. What the server does not tell is not checked.
    ///
    /// ```
    /// use fedispec_runtime::compatibility::{Draft, Limit, RemoteServer};
    ///
    /// let limits = RemoteServer::of("mastodon", "2.9.1").limits();
    /// let text = "a".repeat(501);
    /// let draft = Draft::text(&text);
    /// assert_eq!(limits.check(&draft)[0].limit, Limit::Characters);
    /// ```
    pub fn check(&self, draft: &Draft<'_>) -> Vec<Excess> {
        let mut check = Check::default();
        let characters = self.characters_of(draft.text, draft.spoiler_text);
        check.most(Limit::Characters, None, self.characters, characters);
        check.most(Limit::Attachments, None, self.attachments, draft.attachments.len() as u64);
        for (place, attachment) in draft.attachments.iter().enumerate() {
            self.check_attachment(attachment, place, &mut check);
        }
        if let Some(poll) = &draft.poll {
            self.check_poll(poll, &mut check);
        }
        check.found
    }

    /// How many characters the server counts in a post.
    pub fn characters_of(&self, text: &str, spoiler_text: &str) -> u64 {
        match self.counting.unwrap_or(Counting::Seen) {
            Counting::CodePoints => (text.chars().count() + spoiler_text.chars().count()) as u64,
            Counting::Seen => {
                measure::seen(text, self.characters_per_link) + measure::seen(spoiler_text, None)
            }
        }
    }

    fn check_attachment(&self, attachment: &Attachment<'_>, place: usize, check: &mut Check) {
        let place = Some(place);
        let kind = attachment.media_type.split('/').next().unwrap_or_default();
        // A moving GIF is a video to some servers and an image to others.
        let image = kind.eq_ignore_ascii_case("image");
        let video = kind.eq_ignore_ascii_case("video") || kind.eq_ignore_ascii_case("audio");
        let pixels =
            attachment.size.map_or(0, |(width, height)| u64::from(width) * u64::from(height));
        let description = self.characters_of(attachment.description, "");
        check.most(Limit::Description, place, self.description, description);
        if image {
            check.most(Limit::ImageBytes, place, self.image_bytes, attachment.bytes);
            check.most(Limit::ImagePixels, place, self.image_pixels, pixels);
        }
        if video {
            check.most(Limit::VideoBytes, place, self.video_bytes, attachment.bytes);
            check.most(Limit::VideoPixels, place, self.video_pixels, pixels);
            let rate = attachment.frame_rate.map_or(0, u64::from);
            check.most(Limit::VideoFrameRate, place, self.video_frame_rate, rate);
        }
        let essence = attachment.media_type.split(';').next().unwrap_or_default().trim();
        let taken = self.media_types.iter().any(|taken| taken.eq_ignore_ascii_case(essence));
        if !essence.is_empty() && !self.media_types.is_empty() && !taken {
            check.add(Limit::MediaType, place, 0, 0);
        }
    }

    fn check_poll(&self, poll: &PollDraft<'_>, check: &mut Check) {
        check.most(Limit::PollOptions, None, self.poll_options, poll.options.len() as u64);
        for (place, option) in poll.options.iter().enumerate() {
            let characters = self.characters_of(option, "");
            check.most(
                Limit::PollOptionCharacters,
                Some(place),
                self.poll_option_characters,
                characters,
            );
        }
        check.most(Limit::PollLongest, None, self.poll_longest, poll.expires_in);
        if let Some(shortest) = self.poll_shortest.filter(|shortest| poll.expires_in < *shortest) {
            check.add(Limit::PollShortest, None, shortest, poll.expires_in);
        }
    }
}

#[derive(Debug, Default)]
struct Check {
    found: Vec<Excess>,
}

impl Check {
    fn most(&mut self, limit: Limit, place: Option<usize>, allowed: Option<u64>, found: u64) {
        if let Some(allowed) = allowed.filter(|allowed| found > *allowed) {
            self.add(limit, place, allowed, found);
        }
    }

    fn add(&mut self, limit: Limit, place: Option<usize>, allowed: u64, found: u64) {
        self.found.push(Excess { limit, place, allowed, found });
    }
}
