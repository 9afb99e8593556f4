//! Statuses: posting, editing, deleting, and what accounts do with them.

use fedispec::server::{Error, Id, Result};

use super::polls::{Choice, Poll};
use super::prelude::*;
use crate::collect::push_new;
use crate::text;

/// A status that is to be posted, now or later.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Draft {
    pub(crate) text: String,
    pub(crate) spoiler_text: String,
    pub(crate) visibility: Visibility,
    pub(crate) sensitive: bool,
    pub(crate) language: Option<String>,
    pub(crate) in_reply_to: Option<Key>,
    pub(crate) media: Vec<Key>,
    pub(crate) poll: Option<DraftPoll>,
    pub(crate) quote: Option<Key>,
    pub(crate) quote_policy: QuotePolicy,
    pub(crate) content_type: Option<String>,
    pub(crate) local_only: bool,
    /// The application that posts it.
    pub(crate) app: Option<Key>,
}

/// The poll of a draft.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct DraftPoll {
    pub(crate) options: Vec<String>,
    pub(crate) seconds: i64,
    pub(crate) multiple: bool,
    pub(crate) hide_totals: bool,
}

impl Draft {
    /// A public text.
    pub(crate) fn text(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }
}

/// A public draft of nothing.
impl Default for Draft {
    fn default() -> Self {
        Self {
            text: String::new(),
            spoiler_text: String::new(),
            visibility: Visibility::Public,
            sensitive: false,
            language: None,
            in_reply_to: None,
            media: Vec::new(),
            poll: None,
            quote: None,
            quote_policy: QuotePolicy::Public,
            content_type: None,
            local_only: false,
            app: None,
        }
    }
}

/// A status.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Status {
    pub(crate) id: Key,
    pub(crate) account: Key,
    pub(crate) at: Millis,
    /// As it was posted or last edited; of a boost all but the visibility is empty.
    pub(crate) draft: Draft,
    pub(crate) poll: Option<Key>,
    pub(crate) mentions: Vec<Key>,
    /// Names in lower case.
    pub(crate) tags: Vec<String>,
    pub(crate) reblog_of: Option<Key>,
    /// The versions before the last, oldest first.
    pub(crate) edits: Vec<Edit>,
    pub(crate) edited_at: Option<Millis>,
    /// The accounts that favourited it, each with the key by which their list is cut into pages.
    pub(crate) favourites: BTreeMap<Key, Key>,
    pub(crate) bookmarks: BTreeMap<Key, Key>,
    /// The boosts by their accounts.
    pub(crate) boosts: BTreeMap<Key, Key>,
    pub(crate) replies: BTreeSet<Key>,
    pub(crate) quotes: BTreeSet<Key>,
    /// Whether the author of the quoted status has revoked the quote.
    #[serde(default)]
    pub(crate) quote_revoked: bool,
    /// The accounts that have silenced notifications from the thread.
    pub(crate) muted_by: BTreeSet<Key>,
    pub(crate) pinned: Option<Key>,
}

impl Status {
    /// A status that nobody has done anything with, and that names nobody.
    pub(super) fn new(id: Key, account: Key, at: Millis, draft: Draft) -> Self {
        let tags = text::tags(&draft.text);
        Self { id, account, at, draft, tags, ..Self::default() }
    }
}

/// An earlier version of a status.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Edit {
    pub(crate) at: Millis,
    pub(crate) draft: Draft,
}

impl State {
    /// The status of an id that a client sent, where the viewer may see it.
    pub(crate) fn status(&self, id: &Id<impl Sized>, viewer: Option<Key>) -> Result<&Status> {
        let status = self.key(id).and_then(|key| self.statuses.get(&key));
        let status = status.filter(|status| self.can_see(viewer, status));
        status.ok_or_else(|| self.missing("target status not found"))
    }

    /// The same, but of a boost that which is boosted.
    pub(crate) fn proper(&self, id: &Id<impl Sized>, viewer: Option<Key>) -> Result<&Status> {
        let status = self.status(id, viewer)?;
        let boosted = status.reblog_of.and_then(|key| self.statuses.get(&key));
        Ok(boosted.unwrap_or(status))
    }

    /// Whether a viewer may see a status.
    pub(crate) fn can_see(&self, viewer: Option<Key>, status: &Status) -> bool {
        let author = status.account;
        if let Some(boosted) = status.reblog_of {
            let boosted = self.statuses.get(&boosted);
            if !boosted.is_some_and(|boosted| self.can_see(viewer, boosted)) {
                return false;
            }
        }
        if viewer == Some(author) {
            return true;
        }
        let Some(account) = self.accounts.get(&author) else {
            return false;
        };
        let is_blocked = viewer.is_some_and(|viewer| self.blocks(author, viewer));
        if is_blocked || account.moderation.suspended {
            return false;
        }
        let is_mentioned = viewer.is_some_and(|viewer| status.mentions.contains(&viewer));
        match status.draft.visibility {
            Visibility::Public | Visibility::Unlisted => {
                !status.draft.local_only || viewer.is_some()
            }
            Visibility::Direct => is_mentioned,
            _ => is_mentioned || viewer.is_some_and(|viewer| self.follows(viewer, author)),
        }
    }

    /// Whether a status is hidden from the timelines of a viewer, who blocks or mutes those it comes from.
    pub(crate) fn is_unwanted(&self, viewer: Key, status: &Status) -> bool {
        let boosted = status.reblog_of.and_then(|key| self.statuses.get(&key));
        let authors = [Some(status.account), boosted.map(|boosted| boosted.account)];
        let mut unwanted = authors.into_iter().flatten().filter(|author| {
            *author != viewer
                && (self.blocks(viewer, *author)
                    || self.mute(viewer, *author).is_some()
                    || self.blocks_domain_of(viewer, *author))
        });
        unwanted.next().is_some()
    }

    /// Posts a status.
    pub(crate) fn post(&mut self, account: Key, draft: Draft) -> Key {
        let (id, at) = (self.next_key(), self.now());
        let mentions = self.mentioned(&draft, account);
        let poll = draft.poll.as_ref().map(|poll| {
            let key = self.next_key();
            let options = poll
                .options
                .iter()
                .map(|title| Choice { title: title.clone(), voters: BTreeSet::new() });
            let poll = Poll {
                id: key,
                status: id,
                options: options.collect(),
                multiple: poll.multiple,
                hide_totals: poll.hide_totals,
                expires_at: Some(at.saturating_add(poll.seconds.saturating_mul(1000))),
                closed: false,
                votes: Vec::new(),
            };
            self.polls.insert(key, poll);
            key
        });
        self.attach(id, &draft.media);
        let (parent, quoted) = (draft.in_reply_to, draft.quote);
        let status =
            Status { poll, mentions: mentions.clone(), ..Status::new(id, account, at, draft) };
        self.statuses.insert(id, status);
        if let Some(parent) = parent {
            self.statuses.change(parent, |parent| parent.replies.insert(id));
        }
        let quoted = quoted.and_then(|quoted| {
            self.statuses.change(quoted, |quoted| {
                quoted.quotes.insert(id);
                quoted.account
            })
        });
        if let Some(author) = quoted {
            self.notify(author, NotificationType::Quote, account, Some(id));
        }
        self.note_tags(id);
        self.publish(&Happening::Posted(id));
        self.converse(id);
        for mentioned in mentions {
            if !self.is_thread_muted(mentioned, id) {
                self.notify(mentioned, NotificationType::Mention, account, Some(id));
            }
        }
        let bells: Vec<_> = self
            .tied_to(account, |tie| Some(tie.follow.as_ref().filter(|follow| follow.notify)?.id))
            .map(|(_, follower)| follower)
            .collect();
        for follower in bells {
            let is_seen = |status| self.can_see(Some(follower), status);
            if self.statuses.get(&id).is_some_and(is_seen) {
                self.notify(follower, NotificationType::Status, account, Some(id));
            }
        }
        id
    }

    /// The accounts that a text names, and the author of what it answers.
    pub(crate) fn mentioned(&self, draft: &Draft, author: Key) -> Vec<Key> {
        let mut mentioned = Vec::new();
        for address in text::mentions(&draft.text) {
            if let Some(account) = self.lookup(&address) {
                push_new(&mut mentioned, account.id);
            }
        }
        mentioned.retain(|account| *account != author);
        mentioned
    }

    /// Ties attachments to their status.
    fn attach(&mut self, status: Key, media: &[Key]) {
        for key in media {
            if let Some(medium) = self.media.get_mut(key) {
                medium.status = Some(status);
            }
        }
    }

    /// Whether an account has silenced the thread of a status.
    pub(crate) fn is_thread_muted(&self, account: Key, status: Key) -> bool {
        let mut next = Some(status);
        while let Some(status) = next.and_then(|key| self.statuses.get(&key)) {
            if status.muted_by.contains(&account) {
                return true;
            }
            next = status.draft.in_reply_to;
        }
        false
    }

    /// Edits a status.
    pub(crate) fn edit(&mut self, id: Key, draft: Draft) -> Result<()> {
        let now = self.now();
        let (media, tags) = (draft.media.clone(), text::tags(&draft.text));
        let account = self.statuses.get(&id).ok_or_else(Error::not_found)?.account;
        let mentions = self.mentioned(&draft, account);
        self.attach(id, &media);
        let told = self.statuses.change(id, |status| {
            let draft = std::mem::replace(&mut status.draft, draft);
            let at = status.edited_at.unwrap_or(status.at);
            status.edits.push(Edit { at, draft });
            status.edited_at = Some(now);
            (status.mentions, status.tags) = (mentions, tags);
            (status.boosts.clone(), status.quotes.clone())
        });
        let (boosts, quotes) = told.ok_or_else(Error::not_found)?;
        self.note_tags(id);
        self.publish(&Happening::Edited(id));
        for booster in boosts.into_keys() {
            self.notify(booster, NotificationType::Update, account, Some(id));
        }
        for quote in quotes {
            if let Some(quoter) = self.statuses.get(&quote).map(|quote| quote.account) {
                self.notify(quoter, NotificationType::QuotedUpdate, account, Some(quote));
            }
        }
        Ok(())
    }

    /// Deletes a status, its boosts, and what was notified of them.
    pub(crate) fn delete_status(&mut self, id: Key) {
        let Some(status) = self.statuses.get(&id) else {
            return;
        };
        let boosts: Vec<_> = status.boosts.values().copied().collect();
        let boosted = status.reblog_of;
        let (parent, quoted) = (status.draft.in_reply_to, status.draft.quote);
        for boost in boosts {
            self.delete_status(boost);
        }
        self.publish(&Happening::Deleting(id));
        self.forget_in_conversations(id);
        self.notifications.retain(|_, one| one.status != Some(id));
        for other in [boosted, parent, quoted].into_iter().flatten() {
            self.statuses.change(other, |other| {
                other.boosts.retain(|_, boost| *boost != id);
                other.replies.remove(&id);
                other.quotes.remove(&id);
            });
        }
        if let Some(poll) = self.statuses.remove(id).and_then(|status| status.poll) {
            self.polls.remove(&poll);
        }
    }

    /// Boosts a status; the boost that is there already stays.
    pub(crate) fn boost(
        &mut self,
        account: Key,
        id: Key,
        visibility: Visibility,
        app: Option<Key>,
    ) -> Result<Key> {
        let status = self.statuses.get(&id).ok_or_else(Error::not_found)?;
        if let Some(boost) = status.boosts.get(&account) {
            return Ok(*boost);
        }
        let author = status.account;
        let draft = Draft {
            visibility,
            // Mastodon forgets it.
            app: app.filter(|_| self.does(Habit::KeepsAppOfBoosts)),
            ..Draft::text("")
        };
        let boost = self.add_boost(account, id, draft);
        self.notify(author, NotificationType::Reblog, account, Some(id));
        Ok(boost)
    }

    fn add_boost(&mut self, account: Key, of: Key, draft: Draft) -> Key {
        let (id, at) = (self.next_key(), self.now());
        let boost = Status { reblog_of: Some(of), ..Status::new(id, account, at, draft) };
        self.statuses.insert(id, boost);
        self.statuses.change(of, |boosted| boosted.boosts.insert(account, id));
        self.publish(&Happening::Posted(id));
        id
    }
}
