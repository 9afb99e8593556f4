//! The instance documents.

use fedispec::server::Result;
use serde_json::json;

use super::prelude::*;
use crate::files::THUMBNAIL;
use crate::store::accounts::Role;
use crate::store::rules::Rule;

/// The greatest size of a custom emoji.
const MAX_EMOJI: i64 = 204_800;

impl View<'_> {
    /// The address of the streaming API.
    pub(crate) fn streaming_url(&self) -> String {
        // ws beside http, wss beside https.
        let origin = self.state.origin();
        origin.strip_prefix("http").map_or_else(|| origin.to_owned(), |rest| format!("ws{rest}"))
    }

    /// Returns the contact account: the owner's, unless the server names another.
    fn contact(&self) -> Option<entities::Account> {
        let owner = self.state.users().find(|user| user.role() == Role::Owner);
        let named = self.state.described.contact;
        let named = named.and_then(|key| self.state.accounts.get(&key));
        named.or(owner).map(|contact| self.account_of(contact))
    }

    fn thumbnail(&self) -> String {
        match self.state.described.thumbnail {
            Some(file) => self.state.file_url(file),
            None => format!("{}{THUMBNAIL}", self.state.origin()),
        }
    }

    /// The instance document.
    pub(crate) fn instance(&self) -> Result<entities::Instance> {
        let release = self.state.release();
        let api = release.api_number().map(|number| (release.program().to_owned(), number.into()));
        let said = self.state.described.clone();
        Ok(entities::Instance {
            account_domain: Some(self.state.domain().to_owned()),
            description_text: Some(said.description.clone()),
            terms_text: Some(said.terms.clone()).filter(|terms| !terms.is_empty()),
            terms: said.terms,
            custom_css: said.custom_css,
            ..current::Instance {
                configuration: self.configuration()?,
                contact: current::InstanceContact { email: said.email, account: self.contact() }
                    .into(),
                description: said.description.clone(),
                domain: self.state.domain().to_owned(),
                languages: vec!["en".to_owned()],
                source_url: release.source_url().to_owned(),
                title: said.title,
                version: release.version_string(),
                registrations: current::InstanceRegistrations {
                    approval_required: self.state.bounds().approval,
                    enabled: true,
                    min_age: None,
                    reason_required: false,
                    message: None,
                    url: None,
                }
                .into(),
                rules: self.rules(),
                thumbnail: current::InstanceThumbnail {
                    url: self.thumbnail(),
                    description: said.thumbnail_description,
                }
                .into(),
                usage: entities::InstanceUsage::new(entities::InstanceUsageUsers::new(count(
                    self.state.users().count(),
                ))),
                api_versions: api.into_iter().collect(),
                icon: Vec::new(),
                wrapstodon: None,
            }
            .into()
        })
    }

    fn configuration(&self) -> Result<entities::InstanceConfiguration> {
        let bounds = self.state.bounds();
        let mut accounts: entities::InstanceConfigurationAccounts =
            current::InstanceConfigurationAccounts {
                max_featured_tags: bounds.featured_tags,
                max_pinned_statuses: bounds.pinned,
                max_display_name_length: bounds.name,
                max_note_length: bounds.note,
                max_avatar_description_length: 150,
                max_header_description_length: 150,
                max_profile_fields: bounds.profile_fields,
                profile_field_name_limit: 255,
                profile_field_value_limit: 255,
            }
            .into();
        accounts.allow_custom_css = bounds.custom_css;
        let mut statuses: entities::InstanceConfigurationStatuses =
            current::InstanceConfigurationStatuses {
                characters_reserved_per_url: bounds.characters_per_link,
                max_characters: bounds.characters,
                max_media_attachments: bounds.attachments,
            }
            .into();
        statuses.supported_mime_types.clone_from(&bounds.text_types);
        let always = current::InstanceConfiguration {
            accounts,
            media_attachments: current::InstanceConfigurationMediaAttachments {
                image_matrix_limit: bounds.image_pixels,
                image_size_limit: bounds.image_bytes,
                supported_mime_types: bounds.media_types.clone(),
                video_frame_rate_limit: bounds.video_frame_rate,
                video_matrix_limit: bounds.video_pixels,
                video_size_limit: bounds.video_bytes,
                description_limit: bounds.description,
            }
            .into(),
            polls: current::InstanceConfigurationPolls {
                max_characters_per_option: bounds.poll_option_characters,
                max_expiration: bounds.poll_longest,
                max_options: bounds.poll_options,
                min_expiration: bounds.poll_shortest,
            }
            .into(),
            statuses,
            translation: entities::InstanceConfigurationTranslation::new(false),
            urls: current::InstanceConfigurationUrls {
                streaming: self.streaming_url(),
                about: format!("{}/about", self.state.origin()),
                privacy_policy: format!("{}/privacy-policy", self.state.origin()),
                status: None,
                terms_of_service: None,
            }
            .into(),
            vapid: entities::InstanceConfigurationVapid::new(Some(SERVER_KEY.to_owned())),
            // Everybody may read every timeline.
            timelines_access: reshaped(json!({
                "live_feeds": {"local": "public", "remote": "public"},
                "hashtag_feeds": {"local": "public", "remote": "public"},
                "trending_link_feeds": {"local": "public", "remote": "public"},
            }))?,
            limited_federation: false,
        };
        Ok(entities::InstanceConfiguration {
            emojis: Some(entities::InstanceConfigurationEmojis::new(MAX_EMOJI)),
            ..always.into()
        })
    }

    /// The instance document of the first version, whose limits are those of the other.
    pub(crate) fn instance_v1(&self) -> Result<entities::V1Instance> {
        let mut configuration: entities::V1InstanceConfiguration = reshaped(self.configuration()?)?;
        if self.state.does(Habit::TellsLimitsInV2) {
            // GoToSocial has this one in the other document alone.
            configuration.media_attachments.description_limit = None;
        }
        let said = self.state.described.clone();
        Ok(entities::V1Instance {
            short_description_text: said.short_description.clone(),
            description_text: said.description.clone(),
            terms_text: said.terms.clone(),
            terms: said.terms,
            custom_css: said.custom_css,
            thumbnail_description: said.thumbnail_description,
            max_toot_chars: Some(self.state.bounds().characters),
            account_domain: Some(self.state.domain().to_owned()),
            ..current::V1Instance {
                description: said.description,
                email: said.email,
                uri: self.state.domain().to_owned(),
                version: self.state.release().version_string(),
                urls: entities::V1InstanceUrls::new(self.streaming_url()),
                stats: current::V1InstanceStats {
                    domain_count: count(self.state.peers().len()),
                    status_count: count(self.state.statuses.len()),
                    user_count: count(self.state.users().count()),
                }
                .into(),
                title: said.title,
                short_description: said.short_description,
                thumbnail: self.thumbnail(),
                languages: vec!["en".to_owned()],
                contact_account: self.contact(),
                registrations: true,
                approval_required: self.state.bounds().approval,
                invites_enabled: !self.state.bounds().approval,
                rules: self.rules(),
                configuration,
            }
            .into()
        })
    }

    /// The rules.
    pub(crate) fn rules(&self) -> Vec<entities::Rule> {
        let rules = self.state.rules.0.iter();
        rules.map(|(key, rule)| self.rule(*key, rule)).collect()
    }

    /// A rule.
    pub(crate) fn rule(&self, key: Key, rule: &Rule) -> entities::Rule {
        current::Rule {
            id: self.id(key),
            text: rule.text.clone(),
            hint: String::new(),
            translations: fedispec::runtime::Map::new(),
        }
        .into()
    }

    /// A rule as the staff sees it.
    pub(crate) fn admin_rule(&self, key: Key, rule: &Rule) -> entities::AdminRule {
        let entities::Rule { id, text, .. } = self.rule(key, rule);
        let at = time(rule.at);
        current::AdminRule { id, text, created_at: at.clone(), updated_at: at }.into()
    }
}
