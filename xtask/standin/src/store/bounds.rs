//! The limits that the instance documents tell, and that statuses, profiles and media are held against: the defaults of each release.

use std::sync::LazyLock;

use fedispec::runtime::{StableVersion, profile, profiles};
use serde_json::{Map, Value};

use super::prelude::*;
use crate::release::Release;

/// The limits of a release, by the names that the catalogue has for them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Bounds {
    /// Characters of a status.
    pub(crate) characters: i64,
    /// Characters of a content warning, where they do not count among those of the status.
    pub(crate) warning: Option<i64>,
    pub(crate) characters_per_link: i64,
    pub(crate) attachments: i64,
    /// Media types of a status's text; none where there is no choice.
    pub(crate) text_types: Vec<String>,
    pub(crate) poll_options: i64,
    pub(crate) poll_option_characters: i64,
    /// Seconds that a poll is open.
    pub(crate) poll_shortest: i64,
    pub(crate) poll_longest: i64,
    /// Characters of the name of an account, and of its note.
    pub(crate) name: i64,
    pub(crate) note: i64,
    pub(crate) profile_fields: i64,
    pub(crate) featured_tags: i64,
    /// Statuses that a profile pins.
    pub(crate) pinned: i64,
    /// Whether a field with a value and no name is refused, and not left out.
    pub(crate) refuses_nameless_fields: bool,
    pub(crate) image_bytes: i64,
    pub(crate) video_bytes: i64,
    pub(crate) image_pixels: i64,
    pub(crate) video_pixels: i64,
    pub(crate) video_frame_rate: i64,
    /// Characters of the description of an attachment.
    pub(crate) description: i64,
    /// The media types that are taken.
    pub(crate) media_types: Vec<String>,
    /// Whether accounts may have styles of their own.
    pub(crate) custom_css: bool,
    /// Whether somebody has to approve new accounts.
    pub(crate) approval: bool,
}

/// Limits by name, each by the release since which it is such.
type Limits = BTreeMap<String, BTreeMap<StableVersion, Value>>;

/// The limits of each family of programs. Their sources are `app/models/media_attachment.rb`, `app/models/account.rb` and
/// `app/validators/empty_profile_field_names_validator.rb` of Mastodon, and `internal/media/manager.go`, `internal/config/defaults.go` and
/// `internal/processing/status/pin.go` of `GoToSocial`.
static OWN: LazyLock<BTreeMap<String, Limits>> =
    LazyLock::new(|| serde_json::from_str(include_str!("bounds.json")).unwrap_or_default());

impl Bounds {
    /// The limits of a release. Those that the catalogue has of the program, or of the one that it is a fork of, take precedence.
    pub(crate) fn of(release: &Release) -> Self {
        let family = if release.does(Habit::AllowsMore) { "gin" } else { "rails" };
        let mut limits = Map::new();
        for (name, states) in OWN.get(family).into_iter().flatten() {
            let value = profile::at(states, release.version()).cloned();
            limits.insert(name.clone(), value.unwrap_or_default());
        }
        let own = profiles().find(release.program());
        let base = own.and_then(|own| profiles().find(own.based_on.as_deref()?));
        let mut known = [own, base].into_iter().flatten().map(|one| &one.ways.limits.values);
        for (limit, states) in known.find(|values| !values.is_empty()).into_iter().flatten() {
            let value = profile::at(states, release.version()).copied();
            limits.insert(limit.name().to_owned(), value.into());
        }
        serde_json::from_value(limits.into()).unwrap_or_default()
    }
}

impl State {
    /// The limits of the release that is presented.
    pub(crate) fn bounds(&self) -> &Bounds {
        &self.place.bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_release_has_its_limits() {
        let of = |release: &str| Bounds::of(&release.parse().expect("a release"));
        let told = |bounds: &Bounds| {
            (bounds.characters, bounds.name, bounds.description, bounds.media_types.len())
        };
        assert_eq!(told(&of("mastodon@4.6.4")), (500, 40, 10_000, 28));
        assert_eq!(told(&of("mastodon@3.5.3")), (500, 30, 1500, 23));
        assert_eq!(told(&of("gotosocial@0.19.2")), (5000, i64::MAX, 1500, 21));
        assert_eq!(told(&of("gotosocial@0.13.0")), (5000, i64::MAX, 500, 5));
        assert_eq!(of("gotosocial@0.13.0").warning, Some(100));
        assert_eq!(of("gotosocial@0.19.2").warning, None);
        assert_eq!(of("mastodon@2.8.0").poll_option_characters, 25);
    }
}
