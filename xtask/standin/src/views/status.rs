//! Statuses.

use super::account::PLAIN;
use super::prelude::*;
use crate::store::interactions::told_to;
use crate::store::statuses::{Draft, Status};
use crate::text::{self, Form};

impl View<'_> {
    /// The status of a key.
    pub(crate) fn status(&self, key: Key) -> Option<entities::Status> {
        self.state.statuses.get(&key).map(|status| self.status_of(status))
    }

    /// Statuses by their keys.
    pub(crate) fn statuses(&self, keys: impl IntoIterator<Item = Key>) -> Vec<entities::Status> {
        keys.into_iter().filter_map(|key| self.status(key)).collect()
    }

    /// A text as HTML.
    pub(crate) fn html(&self, draft: &Draft) -> String {
        let markdown = draft.content_type.as_deref() == Some("text/markdown");
        let mut types = self.state.bounds().text_types.iter();
        let markdown = markdown && types.any(|one| one == "text/markdown");
        let form = Form { markdown, ..self.state.form() };
        text::html(&draft.text, form, |address| self.mentioned(address))
    }

    /// A status.
    pub(crate) fn status_of(&self, status: &Status) -> entities::Status {
        entities::Status { quote: self.quote(status), ..self.status_but_quote(status) }
    }

    /// A status without that which it quotes.
    pub(super) fn status_but_quote(&self, status: &Status) -> entities::Status {
        let (state, draft) = (self.state, &status.draft);
        let boosted = status.reblog_of.and_then(|key| state.statuses.get(&key));
        // A boost has the counts and the viewer's own actions of the boosted status.
        let proper = boosted.unwrap_or(status);
        let mine = |did: &dyn Fn(Key) -> bool| self.me.is_some_and(did);
        let author = state.accounts.get(&status.account);
        let (name, local) = match author {
            Some(author) => (author.username.as_str(), author.domain.as_deref()),
            None => ("", None),
        };
        let origin = match local {
            Some(domain) => format!("https://{domain}"),
            None => state.origin().to_owned(),
        };
        let id = self.id::<entities::Status>(status.id);
        let parent = draft.in_reply_to.and_then(|key| state.statuses.get(&key));
        entities::Status {
            favourited: mine(&|me| proper.favourites.contains_key(&me)),
            reblogged: mine(&|me| proper.boosts.contains_key(&me)),
            bookmarked: mine(&|me| proper.bookmarks.contains_key(&me)),
            muted: mine(&|me| state.is_thread_muted(me, proper.id)),
            pinned: status.pinned.is_some(),
            application: draft.app.and_then(|app| self.application_of(app)),
            local_only: draft.local_only,
            filtered: self.filtered(proper),
            content_type: (local.is_none() && boosted.is_none()).then(|| {
                let own = draft.content_type.clone();
                own.unwrap_or_else(|| PLAIN.to_owned())
            }),
            // Mastodon tells the text of what is deleted alone.
            text: (state.does(Habit::TellsTexts) && local.is_none() && boosted.is_none())
                .then(|| draft.text.clone()),
            interaction_policy: Some(self.interaction_policy(proper)),
            ..current::Status {
                account: self.account(status.account),
                content: self.html(draft),
                created_at: time(status.at),
                favourites_count: count(proper.favourites.len()),
                reblogs_count: count(proper.boosts.len()),
                uri: format!("{origin}/users/{name}/statuses/{id}"),
                url: Some(format!("{origin}/@{name}/{id}")),
                id,
                media_attachments: draft.media.iter().filter_map(|key| self.media(*key)).collect(),
                mentions: status.mentions.iter().filter_map(|key| self.mention(*key)).collect(),
                tags: status.tags.iter().map(|name| self.status_tag(name)).collect(),
                // Moderators mark an account, and its owner does not see that.
                sensitive: draft.sensitive
                    || (self.me != Some(status.account)
                        && author.is_some_and(|author| author.moderation.sensitized)),
                visibility: draft.visibility.clone(),
                spoiler_text: draft.spoiler_text.clone(),
                emojis: self.emojis(&format!("{} {}", draft.text, draft.spoiler_text)),
                in_reply_to_id: parent.map(|parent| self.id(parent.id)),
                in_reply_to_account_id: parent.map(|parent| self.id(parent.account)),
                reblog: boosted.map(|boosted| Box::new(self.status_of(boosted))),
                language: draft.language.clone(),
                replies_count: count(proper.replies.len()),
                poll: status.poll.and_then(|poll| self.poll(poll)),
                edited_at: status.edited_at.map(time),
                quotes_count: count(proper.quotes.len()),
                quote_approval: self.quote_approval(proper),
                card: self.card(draft),
                quote: None,
                tagged_collections: Vec::new(),
            }
            .into()
        }
    }

    /// Returns the interaction policy of a status, as the viewer reads it.
    fn interaction_policy(&self, status: &Status) -> entities::InteractionPolicy {
        let (author, visibility) = (status.account, status.draft.visibility.as_str());
        let policy = self.state.interaction_policy(author, visibility);
        if self.me.is_some() { told_to(policy, self.me == Some(author)) } else { policy }
    }

    fn application_of(&self, app: Key) -> Option<entities::StatusApplication> {
        let app = self.state.oauth.apps.get(&app)?;
        Some(
            current::StatusApplication { name: app.name.clone(), website: app.website.clone() }
                .into(),
        )
    }

    fn mention(&self, key: Key) -> Option<entities::Mention> {
        let account = self.state.accounts.get(&key)?;
        let mention = current::Mention {
            id: self.id(key),
            username: account.username.clone(),
            url: Some(self.profile_url(account)),
            acct: account.acct(),
        };
        Some(mention.into())
    }

    pub(crate) fn status_tag(&self, name: &str) -> entities::StatusTag {
        current::StatusTag { name: name.to_owned(), url: self.tag_url(name) }.into()
    }
}
