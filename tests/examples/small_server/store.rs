//! The store: everything is in memory, and this says who may see what of it.

use fedispec::entities::CredentialAccountSource;
use fedispec::events::StreamEvent;
use fedispec::server::{Hub, OauthMemory, Publication};

use super::prelude::*;

/// An id, as a number: later ones are greater.
pub type Key = u64;

/// Rows by their owner and their key.
pub type Table<T> = BTreeMap<(Key, Key), T>;

#[derive(Default)]
pub struct Store {
    pub origin: String,
    last: Key,
    pub oauth: OauthMemory,
    pub users: BTreeMap<Key, User>,
    /// The relationships of the first account to the second.
    ties: Table<Relationship>,
    pub posts: BTreeMap<Key, Post>,
    pub media: Table<MediaAttachment>,
    /// Media types and contents.
    pub files: BTreeMap<Key, (String, Vec<u8>)>,
    pub notifications: Table<Notice>,
    /// Lists, and who is on them.
    pub lists: Table<(entities::List, BTreeSet<Key>)>,
    pub filters: Table<entities::Filter>,
    pub featured_tags: Table<String>,
    pub announcements: Vec<entities::Announcement>,
    pub hub: Hub,
    /// Events to publish once the store is no longer locked.
    pub outbox: Vec<Publication>,
}

pub struct User {
    /// The profile; what is counted is added by [`Store::account`].
    pub account: Account,
    pub source: CredentialAccountSource,
    pub email: String,
    /// A sample keeps it as it is: keep a slow hash.
    pub password: String,
    pub markers: Map<entities::Marker>,
    pub followed_tags: BTreeSet<String>,
}

pub struct Post {
    /// The part that is the same for all viewers; the rest is added by [`Store::status`].
    pub status: Status,
    pub author: Key,
    pub text: String,
    pub boost_of: Option<Key>,
    pub parent: Option<Key>,
    pub replies: BTreeSet<Key>,
    /// Boosts by the account that has boosted.
    pub boosts: BTreeMap<Key, Key>,
    pub favourites: BTreeSet<Key>,
    pub bookmarks: BTreeSet<Key>,
    /// The voters with their choices; the poll itself is in the status.
    pub votes: BTreeMap<Key, Vec<i64>>,
}

/// From whom, what, about which status, and when.
pub type Notice = (Key, NotificationType, Option<Key>, Timestamp);

/// The key of an id, which is unknown where it is no number.
pub fn key<T>(id: &Id<T>) -> Result<Key> {
    Ok(Key::try_from(id)?)
}

/// A row of an owner; nobody finds those of others.
pub fn own<'t, T, E>(rows: &'t mut Table<T>, owner: Key, id: &Id<E>) -> Result<&'t mut T> {
    let row = rows.get_mut(&(owner, key(id)?));
    row.ok_or_else(Error::not_found)
}

pub fn drop_own<T, E>(rows: &mut Table<T>, owner: Key, id: &Id<E>) -> Result<Empty> {
    let row = rows.remove(&(owner, key(id)?));
    row.map(|_| Empty).ok_or_else(Error::not_found)
}

/// All rows of an owner, the newest first.
pub fn all<T>(rows: &Table<T>, owner: Key) -> impl DoubleEndedIterator<Item = (Key, &T)> {
    let rows = rows.range((owner, 0)..=(owner, Key::MAX)).rev();
    rows.map(|((_, key), row)| (*key, row))
}

pub fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub fn invalid(why: &str) -> Error {
    Error::unprocessable(format!("Validation failed: {why}"))
}

/// Changes what was sent, and leaves the rest.
pub fn set<T>(field: &mut T, sent: Option<T>) {
    if let Some(sent) = sent {
        *field = sent;
    }
}

/// Whether a timeline shows a status that is asked for media perhaps.
pub fn is_shown(post: &Post, only_media: Option<bool>) -> bool {
    only_media != Some(true) || !post.status.media_attachments.is_empty()
}

pub fn is_tagged(post: &Post, name: &str) -> bool {
    let name = name.trim_start_matches('#').to_lowercase();
    post.status.tags.iter().any(|tag| tag.name == name)
}

impl Store {
    pub fn next(&mut self) -> Key {
        self.last += 1;
        self.last
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.origin)
    }

    pub fn domain(&self) -> &str {
        self.origin.split_once("://").unwrap_or_default().1
    }

    /// Registers a user.
    pub fn sign_up(&mut self, name: &str, email: &str, password: &str) -> Result<Key> {
        let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(is_of_word) || self.named(name).is_some() {
            return Err(invalid("Username is invalid or has already been taken"));
        }
        let (key, url) = (self.next(), self.url(&format!("@{name}")));
        let user = User {
            account: blank::account(key, name, url),
            source: blank::source(),
            email: email.to_owned(),
            password: password.to_owned(),
            markers: Map::new(),
            followed_tags: BTreeSet::new(),
        };
        self.users.insert(key, user);
        Ok(key)
    }

    /// The account of a name, with or without `@` before it and the domain behind it.
    pub fn named(&self, name: &str) -> Option<Key> {
        let name = name.trim_start_matches('@');
        let (name, domain) = name.split_once('@').unwrap_or((name, self.domain()));
        let is = |user: &User| user.account.username.eq_ignore_ascii_case(name);
        let (key, _) = self.users.iter().find(|(_, user)| is(user))?;
        (domain == self.domain()).then_some(*key)
    }

    /// The key of an account that exists.
    pub fn known(&self, id: &Id<Account>) -> Result<Key> {
        let key = key(id)?;
        let user = self.users.get(&key);
        user.map(|_| key).ok_or_else(Error::not_found)
    }

    pub fn user_mut(&mut self, key: Key) -> Result<&mut User> {
        self.users.get_mut(&key).ok_or_else(Error::unauthorized)
    }

    pub fn post_mut(&mut self, key: Key) -> Result<&mut Post> {
        self.posts.get_mut(&key).ok_or_else(Error::not_found)
    }

    /// The relationship of an account to another.
    pub fn tie(&self, from: Key, to: Key) -> Relationship {
        let tie = self.ties.get(&(from, to)).cloned();
        tie.unwrap_or_else(|| blank::relationship(to))
    }

    pub fn tie_mut(&mut self, from: Key, to: Key) -> &mut Relationship {
        let tie = self.ties.entry((from, to));
        tie.or_insert_with(|| blank::relationship(to))
    }

    /// The accounts that one is tied to.
    pub fn tied(&self, from: Key, is: fn(&Relationship) -> bool) -> Vec<Key> {
        let ties = all(&self.ties, from).filter(|(_, tie)| is(tie));
        ties.map(|(to, _)| to).collect()
    }

    /// The accounts that are tied to one.
    pub fn tied_to(&self, to: Key, is: fn(&Relationship) -> bool) -> Vec<Key> {
        let users = self.users.keys().rev().copied();
        users.filter(|from| is(&self.tie(*from, to))).collect()
    }

    /// Whether somebody may see a status at all.
    pub fn sees(&self, me: impl Into<Option<Key>>, post: &Post) -> bool {
        let (me, status) = (me.into(), &post.status);
        let is_open = status.visibility >= Visibility::Unlisted;
        let boosted = post.boost_of.and_then(|of| self.posts.get(&of));
        let allowed = me.map_or(is_open, |me| {
            let is_named = status.mentions.iter().any(|one| one.id == me.into());
            let is_follower = || self.tie(me, post.author).following;
            let for_me = is_named || status.visibility == Visibility::Private && is_follower();
            me == post.author || !self.tie(post.author, me).blocking && (is_open || for_me)
        });
        allowed && boosted.is_none_or(|boosted| self.sees(me, boosted))
    }

    /// The key of a status that somebody may see.
    pub fn seen(&self, me: impl Into<Option<Key>>, id: &Id<Status>) -> Result<Key> {
        let key = key(id)?;
        let post = self.posts.get(&key).filter(|post| self.sees(me, post));
        post.map(|_| key).ok_or_else(Error::not_found)
    }

    /// The same, and of a boost that which is boosted.
    pub fn proper(&self, me: impl Into<Option<Key>>, id: &Id<Status>) -> Result<Key> {
        let key = self.seen(me, id)?;
        Ok(self.posts[&key].boost_of.unwrap_or(key))
    }

    /// The statuses above one in its thread, the nearest first.
    pub fn above(&self, key: Key) -> impl Iterator<Item = Key> {
        let parent = |key: &Key| self.posts.get(key)?.parent;
        std::iter::successors(parent(&key), parent)
    }

    /// Whether timelines leave out what an account has written.
    pub fn avoids(&self, me: Key, author: Key) -> bool {
        let tie = self.tie(me, author);
        tie.blocking || tie.muting
    }

    fn is_unwanted(&self, me: Key, post: &Post) -> bool {
        let boosted = post.boost_of.and_then(|of| self.posts.get(&of));
        self.avoids(me, post.author) || boosted.is_some_and(|one| self.is_unwanted(me, one))
    }

    /// Whether a status is in the home timeline.
    pub fn is_home(&self, me: Key, post: &Post) -> bool {
        let follows = |key: Key| key == me || self.tie(me, key).following;
        let parent = post.parent.and_then(|key| self.posts.get(&key));
        let is_followed = follows(post.author)
            && (post.boost_of.is_none() || self.tie(me, post.author).showing_reblogs == Some(true))
            && parent.is_none_or(|parent| follows(parent.author));
        let tags = &self.users[&me].followed_tags;
        let is_tagged = post.status.tags.iter().any(|tag| tags.contains(&tag.name));
        let is_wanted = post.author == me || is_followed || is_tagged && self.is_public(me, post);
        is_wanted && self.sees(me, post) && !self.is_unwanted(me, post)
    }

    /// Whether a status is in public timelines.
    pub fn is_public(&self, me: impl Into<Option<Key>>, post: &Post) -> bool {
        let me = me.into();
        let is_listed = post.status.visibility == Visibility::Public && post.boost_of.is_none();
        is_listed && self.sees(me, post) && me.is_none_or(|me| !self.is_unwanted(me, post))
    }

    /// Tells an account what another did, unless it does not want to know.
    pub fn notify(&mut self, to: Key, from: Key, kind: NotificationType, post: Option<Key>) {
        let tie = self.tie(to, from);
        let is_quiet = tie.blocking || tie.muting && tie.muting_notifications != Some(false);
        if to != from && !is_quiet {
            let (key, notice) = (self.next(), (from, kind, post, Timestamp::now()));
            self.notifications.insert((to, key), notice);
            self.tell_notified(to, key);
        }
    }

    /// Removes a status, and everything that stands on it.
    pub fn remove(&mut self, key: Key) {
        self.tell(key, |_, _| StreamEvent::Delete(key.into()));
        let removed = self.posts.remove(&key);
        let boosts = removed.map_or_else(BTreeMap::new, |post| post.boosts);
        for boost in boosts.into_values() {
            self.remove(boost);
        }
        for post in self.posts.values_mut() {
            post.replies.remove(&key);
            post.boosts.retain(|_, boost| *boost != key);
        }
        self.notifications.retain(|_, one| one.2 != Some(key));
    }
}
