//! The server's settings, blocks and trends, which a test may change.

use fedispec::enums::AdminDomainBlockSeverity;
use fedispec::server::Id;
use serde::{Deserialize, Serialize};

use super::Control;
use crate::collect::push_new;
use crate::error::ControlError;
use crate::limits::RateLimits;
use crate::store::accounts::Role;
use crate::store::moderation::Permission;
use crate::text::{is_domain, is_link, is_tag};

/// Names, texts and limits of the server. What is missing stays as it is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    title: Option<String>,
    description: Option<String>,
    email: Option<String>,
    terms: Option<String>,
    rate_limits: Option<RateLimits>,
}

/// Something that is to trend.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Trend {
    /// The name of a tag.
    Tag(String),
    /// The id of a status.
    Status(Id),
    /// A URL.
    Link(String),
}

impl Control {
    /// The settings as they are.
    pub(crate) fn settings(&self) -> Settings {
        let described = self.0.app.state().described.clone();
        Settings {
            title: Some(described.title),
            description: Some(described.description),
            email: Some(described.email),
            terms: Some(described.terms),
            rate_limits: Some(self.0.limits.settings()),
        }
    }

    /// Changes settings.
    pub(crate) fn set(&self, settings: Settings) -> Result<(), ControlError> {
        if let Some(limits) = settings.rate_limits {
            self.set_rate_limits(limits)?;
        }
        let mut state = self.0.app.state();
        let described = &mut state.described;
        if let Some(description) = settings.description {
            described.short_description.clone_from(&description);
            described.description = description;
        }
        for (own, given) in [
            (&mut described.title, settings.title),
            (&mut described.email, settings.email),
            (&mut described.terms, settings.terms),
        ] {
            if let Some(given) = given {
                *own = given;
            }
        }
        Ok(())
    }

    /// Blocks a domain for the whole server, in the name of the owner. Answers the block's id.
    ///
    /// # Errors
    ///
    /// Where the text is no domain, there is no such severity, or there is no owner.
    pub fn block_domain(
        &self,
        domain: &str,
        severity: AdminDomainBlockSeverity,
    ) -> Result<Id, ControlError> {
        let domain = domain.to_lowercase();
        refuse_if!(!is_domain(&domain), ControlError::invalid(format!("{domain:?} is no domain")));
        if let AdminDomainBlockSeverity::Unrecognized(_) = severity {
            return Err(ControlError::invalid(format!("there is no severity {severity}")));
        }
        let mut state = self.0.app.state();
        let owner = state.users().find(|user| user.role() == Role::Owner).map(|user| user.id);
        let by = owner.ok_or_else(|| ControlError::invalid("there is no owner"))?;
        let (id, at) = (state.next_key(), state.now());
        let severity = Some(severity);
        let block = Permission { id, at, by, domain, severity, ..Permission::default() };
        state.moderated.domain_blocks.insert(id, block);
        Ok(state.id(id))
    }

    /// Lets something trend before all that people have made trend.
    ///
    /// # Errors
    ///
    /// Where there is no such status, or the text is no tag or no link.
    pub(crate) fn promote(&self, trend: Trend) -> Result<(), ControlError> {
        let mut state = self.0.app.state();
        match trend {
            Trend::Tag(name) => {
                let name = name.trim_start_matches('#');
                refuse_if!(!is_tag(name), ControlError::invalid(format!("{name:?} is no tag")));
                state.tag_mut(name);
                push_new(&mut state.promoted.tags, name.to_lowercase());
            }
            Trend::Status(id) => {
                let key = state.key(&id).filter(|key| state.statuses.contains_key(key));
                let told = || ControlError::invalid(format!("there is no status {id}"));
                push_new(&mut state.promoted.statuses, key.ok_or_else(told)?);
            }
            Trend::Link(url) => {
                refuse_if!(!is_link(&url), ControlError::invalid(format!("{url:?} is no link")));
                push_new(&mut state.promoted.links, url);
            }
        }
        Ok(())
    }

    /// Lets a tag trend before those that people use.
    ///
    /// # Errors
    ///
    /// Where the text is no tag.
    pub fn promote_tag(&self, name: &str) -> Result<(), ControlError> {
        self.promote(Trend::Tag(name.to_owned()))
    }

    /// Lets a status trend before those that people like.
    ///
    /// # Errors
    ///
    /// Where there is no such status.
    pub fn promote_status(&self, status: &Id) -> Result<(), ControlError> {
        self.promote(Trend::Status(status.clone()))
    }

    /// Lets a link trend before those that people post.
    ///
    /// # Errors
    ///
    /// Where the text is no link.
    pub fn promote_link(&self, url: &str) -> Result<(), ControlError> {
        self.promote(Trend::Link(url.to_owned()))
    }
}
