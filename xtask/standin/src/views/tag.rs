//! Tags.

use super::prelude::*;
use crate::store::posted::{ALL, Label};
use crate::store::tags::Tag;
use crate::text::path_part;

impl View<'_> {
    /// The address of a tag's page.
    pub(crate) fn tag_url(&self, name: &str) -> String {
        format!("{}/tags/{}", self.state.origin(), path_part(name))
    }

    /// A tag by its name in lower case, whether anybody has used it or not.
    pub(crate) fn tag(&self, name: &str) -> entities::Tag {
        let tag = self.state.tags.get(name);
        let mine = |own: fn(&Tag) -> &std::collections::BTreeMap<Key, Key>| {
            Some(own(tag?).contains_key(&self.me?))
        };
        entities::Tag {
            following: self.me.map(|_| mine(|tag| &tag.followers).unwrap_or_default()),
            featuring: mine(|tag| &tag.featured_by).unwrap_or_default(),
            ..current::Tag {
                name: tag.map_or(name, |tag| &tag.display_name).to_owned(),
                url: self.tag_url(name),
                // Mastodon makes a record of a tag when it is first used.
                id: tag.map_or_else(|| "".into(), |tag| self.id(tag.id)),
                history: self.tag_history(name),
            }
            .into()
        }
    }

    /// How a tag was used on each of the last seven days, today first.
    pub(crate) fn tag_history(&self, name: &str) -> Vec<entities::TagHistory> {
        let day = |day: i64| {
            let used = self.state.uses(name, day, day + DAY);
            current::TagHistory {
                day: (day / 1000).to_string(),
                uses: used.uses.to_string(),
                accounts: used.accounts.to_string(),
            }
            .into()
        };
        self.last_days().map(day).collect()
    }

    /// A tag that an account features.
    pub(crate) fn featured_tag(&self, of: Key, name: &str) -> Option<entities::FeaturedTag> {
        let tag = self.state.tags.get(name)?;
        let id = tag.featured_by.get(&of)?;
        let labels = [Label::Tag(name.to_owned()), Label::By(of)];
        let own = self.state.statuses.among(&labels, ALL);
        let own = own.filter(|one| one.account == of && one.tags.iter().any(|tag| tag == name));
        let own: Vec<_> = own.map(|status| status.at).collect();
        let author = self.state.accounts.get(&of)?;
        Some(
            current::FeaturedTag {
                id: self.id(*id),
                name: tag.display_name.clone(),
                statuses_count: count(own.len()).to_string(),
                last_status_at: own.last().map(|at| super::account::day(*at)),
                url: format!("{}/tagged/{name}", self.profile_url(author)),
            }
            .into(),
        )
    }

    /// The tags that an account features.
    pub(crate) fn featured_tags(&self, of: Key) -> Vec<entities::FeaturedTag> {
        let names = self.state.tags.keys();
        names.filter_map(|name| self.featured_tag(of, name)).collect()
    }

    /// A tag as moderators see it.
    pub(crate) fn admin_tag(&self, name: &str, tag: &Tag) -> entities::AdminTag {
        entities::AdminTag {
            following: self.me.map(|me| tag.followers.contains_key(&me)),
            featuring: self.me.is_some_and(|me| tag.featured_by.contains_key(&me)),
            id: Some(self.id(tag.id)),
            requires_review: Some(tag.trendable.is_none()),
            trendable: Some(tag.trendable.unwrap_or(true)),
            usable: Some(tag.usable),
            listable: Some(tag.listable),
            ..current::AdminTag {
                name: tag.display_name.clone(),
                url: self.tag_url(name),
                history: self.tag_history(name),
            }
            .into()
        }
    }
}
