//! Profiles, and what ties accounts to each other.

use fedispec::entities::{MutedAccount, Preferences};
use fedispec::enums::{ExpandMedia, QuotePolicy};
use fedispec::{accounts, blocks, current, follow_requests, mutes, preferences};

use super::prelude::*;

pub fn handlers(mount: Mount) -> Mount {
    mount
        .user(|db, me, _: accounts::VerifyCredentials, _| Ok(db.credentials(me)))
        .user(|db, me, req: accounts::UpdateCredentials, _| {
            let avatar = req.avatar.map(|file| db.keep(&file)).transpose()?;
            let note = req.note.as_ref().map(|note| db.html(note));
            let user = db.user_mut(me)?;
            let (account, source) = (&mut user.account, &mut user.source);
            set(&mut account.display_name, req.display_name);
            set(&mut account.avatar, avatar.clone());
            set(&mut account.avatar_static, avatar);
            set(&mut account.note, note);
            set(&mut source.note, req.note);
            set(&mut account.locked, req.locked);
            set(&mut account.bot, req.bot);
            set(&mut source.privacy, req.source_privacy);
            source.language = req.source_language.or(source.language.take());
            Ok(db.credentials(me))
        })
        .anybody(|db, _, req: accounts::Get, _| Ok(db.account(db.known(&req.id)?)))
        .anybody(|db, _, req: accounts::Lookup, _| {
            let key = db.named(&req.acct).ok_or_else(Error::not_found)?;
            Ok(db.account(key))
        })
        .user(|db, _, req: accounts::Search, call| {
            Ok(db.people(call, db.find_accounts(req.q.as_deref().unwrap_or_default())))
        })
        .anybody(|db, me, req: accounts::Statuses, call| {
            let author = db.known(&req.id)?;
            Ok(db.page(me, call, |post| {
                post.author == author
                    && (req.exclude_reblogs != Some(true) || post.boost_of.is_none())
                    && (req.exclude_replies != Some(true) || post.parent.is_none())
                    && (req.pinned != Some(true) || post.status.pinned)
                    && is_shown(post, req.only_media)
            }))
        })
        .user(|db, me, _: preferences::Get, _| {
            let source = &db.users[&me].source;
            Ok(Preferences::from(current::Preferences {
                posting_default_language: source
                    .language
                    .clone()
                    .unwrap_or_else(|| "en".to_owned()),
                posting_default_quote_policy: QuotePolicy::Nobody,
                posting_default_sensitive: false,
                posting_default_visibility: source.privacy.clone(),
                reading_autoplay_gifs: false,
                reading_expand_media: ExpandMedia::Default,
                reading_expand_spoilers: false,
            }))
        })
}

/// The relationships of accounts, in which every action changes a flag or two.
pub fn ties(mount: Mount) -> Mount {
    mount
        .user(|db, me, req: accounts::Relationships, _| {
            let known = req.id.iter().flat_map(|id| db.known(id));
            Ok(known.map(|other| db.relationship(me, other)).collect())
        })
        .user(|db, me, req: accounts::Follow, _| {
            let other = db.known(&req.id)?;
            let before = db.tie(me, other);
            if db.tie(other, me).blocking || other == me {
                return Err(Error::forbidden());
            }
            let asks = db.users[&other].account.locked && !before.following;
            let tie = db.tie_mut(me, other);
            (tie.following, tie.requested) = (!asks, asks);
            tie.showing_reblogs = req.reblogs.or(Some(true));
            let kinds = [NotificationType::Follow, NotificationType::FollowRequest];
            if !before.following && !before.requested {
                db.notify(other, me, kinds[usize::from(asks)].clone(), None);
            }
            Ok(db.relationship(me, other))
        })
        .user(|db, me, req: accounts::Unfollow, _| {
            db.change(me, &req.id, |to, _| {
                (to.following, to.requested) = (false, false);
            })
        })
        .user(|db, me, req: accounts::Block, _| {
            db.change(me, &req.id, |to, back| {
                (to.blocking, to.following, back.following) = (true, false, false);
            })
        })
        .user(|db, me, req: accounts::Unblock, _| {
            db.change(me, &req.id, |to, _| to.blocking = false)
        })
        .user(|db, me, req: accounts::Mute, _| {
            db.change(me, &req.id, |to, _| {
                to.muting = true;
                to.muting_notifications = req.notifications.or(Some(true));
            })
        })
        .user(|db, me, req: accounts::Unmute, _| db.change(me, &req.id, |to, _| to.muting = false))
        .user(|db, me, req: follow_requests::Authorize, _| {
            db.change(me, &req.account_id, |_, back| {
                back.following |= std::mem::take(&mut back.requested);
            })
            .map(Either::First)
        })
        .user(|db, me, req: follow_requests::Reject, _| {
            let tie = db.change(me, &req.account_id, |_, back| back.requested = false);
            tie.map(Either::First)
        })
        .anybody(|db, _, req: accounts::Followers, call| {
            let keys = db.tied_to(db.known(&req.id)?, |tie| tie.following);
            Ok(db.people(call, keys))
        })
        .anybody(|db, _, req: accounts::Following, call| {
            let keys = db.tied(db.known(&req.id)?, |tie| tie.following);
            Ok(db.people(call, keys))
        })
        .user(|db, me, _: follow_requests::List, call| {
            Ok(db.people(call, db.tied_to(me, |tie| tie.requested)))
        })
        .user(|db, me, _: blocks::List, call| Ok(db.people(call, db.tied(me, |tie| tie.blocking))))
        .user(|db, me, _: mutes::List, call| {
            let page = db.people(call, db.tied(me, |tie| tie.muting));
            Ok(page.map(|account| MutedAccount::from_account(account, None)))
        })
}

impl Store {
    /// Changes what ties the user to an account, and the account to the user.
    fn change(
        &mut self,
        me: Key,
        id: &Id<Account>,
        change: impl FnOnce(&mut Relationship, &mut Relationship),
    ) -> Result<Relationship> {
        let other = self.known(id)?;
        let (mut to, mut back) = (self.tie(me, other), self.tie(other, me));
        change(&mut to, &mut back);
        (*self.tie_mut(me, other), *self.tie_mut(other, me)) = (to, back);
        Ok(self.relationship(me, other))
    }

    /// The accounts whose name has a text, the newest first.
    pub fn find_accounts(&self, text: &str) -> Vec<Key> {
        let text = text.trim_start_matches('@').to_lowercase();
        let has = |name: &str| name.to_lowercase().contains(&text);
        let is = |one: &Account| has(&one.username) || has(&one.display_name);
        let users = self.users.iter().rev();
        let found = users.filter(|(_, user)| is(&user.account));
        found.map(|(key, _)| *key).collect()
    }

    /// Keeps a file, and answers its address.
    pub fn keep(&mut self, file: &File) -> Result<String> {
        let kind = file.content_type().unwrap_or_default();
        let (key, content) = (self.next(), file.content()?.into_owned());
        self.files.insert(key, (kind.to_owned(), content));
        Ok(self.url(&format!("files/{key}")))
    }
}
