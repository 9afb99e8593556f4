//! The stored data as the API's entities.

use fedispec::current;
use fedispec::entities::{
    AppliedFilter, CredentialAccount, FeaturedTag, FilterResult, Notification, Tag,
};

use super::prelude::*;

impl Store {
    pub fn account(&self, key: Key) -> Account {
        let posts = self.posts.values().filter(|post| post.author == key);
        Account {
            followers_count: count(self.tied_to(key, |tie| tie.following).len()),
            following_count: count(self.tied(key, |tie| tie.following).len()),
            statuses_count: count(posts.count()),
            ..self.users[&key].account.clone()
        }
    }

    /// A page of accounts, which are sorted by their keys.
    pub fn people(&self, call: &Call, keys: Vec<Key>) -> Page<Account> {
        let page = call.page(keys.into_iter().map(|key| (key, key)));
        page.map(|key| self.account(key))
    }

    /// An account, as its own user sees it.
    pub fn credentials(&self, me: Key) -> CredentialAccount {
        let requests = self.tied_to(me, |tie| tie.requested);
        let mut source = self.users[&me].source.clone();
        source.follow_requests_count = Some(count(requests.len()));
        CredentialAccount::from_account(self.account(me), source, blank::role())
    }

    pub fn relationship(&self, me: Key, other: Key) -> Relationship {
        let back = self.tie(other, me);
        Relationship {
            followed_by: back.following,
            requested_by: Some(back.requested),
            blocked_by: Some(back.blocking),
            ..self.tie(me, other)
        }
    }

    /// A status, as somebody sees it who may.
    pub fn status(&self, me: impl Into<Option<Key>>, key: Key) -> Status {
        let (me, post) = (me.into(), &self.posts[&key]);
        // A boost shows the actions and counts of the status that is boosted.
        let of = post.boost_of.unwrap_or(key);
        let proper = &self.posts[&of];
        let mine = |who: &BTreeSet<Key>| me.is_some_and(|me| who.contains(&me));
        let mut poll = post.status.poll.clone();
        if let Some(poll) = &mut poll {
            let own = me.and_then(|me| post.votes.get(&me));
            poll.own_votes = own.cloned().unwrap_or_default();
            poll.voted = own.is_some();
            poll.expired = poll.expires_at.as_ref().is_some_and(Timestamp::is_past);
        }
        Status {
            account: self.account(post.author),
            reblog: post.boost_of.map(|of| Box::new(self.status(me, of))),
            replies_count: Some(count(proper.replies.len())),
            reblogs_count: count(proper.boosts.len()),
            favourites_count: count(proper.favourites.len()),
            reblogged: me.is_some_and(|me| proper.boosts.contains_key(&me)),
            favourited: mine(&proper.favourites),
            bookmarked: mine(&proper.bookmarks),
            poll,
            filtered: me.map_or_else(Vec::new, |me| self.filtered(me, proper)),
            ..post.status.clone()
        }
    }

    pub fn statuses(&self, me: Option<Key>, keys: impl IntoIterator<Item = Key>) -> Vec<Status> {
        keys.into_iter().map(|key| self.status(me, key)).collect()
    }

    /// A page of the statuses that are shown, of those that the viewer may see.
    pub fn page(
        &self,
        me: impl Into<Option<Key>>,
        call: &Call,
        shows: impl Fn(&Post) -> bool,
    ) -> Page<Status> {
        let (me, posts) = (me.into(), self.posts.iter().rev());
        let posts = posts.filter(|(_, post)| shows(post) && self.sees(me, post));
        let page = call.page(posts.map(|(key, _)| (*key, *key)));
        page.map(|key| self.status(me, key))
    }

    /// The matches of the viewer's filters in a status.
    fn filtered(&self, me: Key, post: &Post) -> Vec<FilterResult> {
        let text = format!("{} {}", post.status.spoiler_text, post.text).to_lowercase();
        let is_over = |end: &Option<Timestamp>| end.as_ref().is_some_and(Timestamp::is_past);
        let filters = all(&self.filters, me).map(|(_, filter)| filter);
        let hits = filters.filter(|one| !is_over(&one.expires_at)).map(|filter| {
            let words = filter.keywords.iter();
            let words = words.filter(|one| text::has(&text, &one.keyword, one.whole_word));
            FilterResult::from(current::FilterResult {
                filter: AppliedFilter::from_filter(filter.clone()),
                keyword_matches: Some(words.map(|one| one.keyword.clone()).collect()),
                status_matches: None,
            })
        });
        let hits = hits.filter(|one| one.keyword_matches != Some(Vec::new()));
        hits.collect()
    }

    pub fn notification(&self, me: Key, key: Key, notice: &Notice) -> Notification {
        let (from, kind, post, at) = notice;
        Notification {
            status: post.map(|post| self.status(me, post)),
            ..current::Notification {
                account: self.account(*from),
                created_at: at.clone(),
                group_key: format!("ungrouped-{key}"),
                id: key.into(),
                r#type: kind.clone(),
            }
            .into()
        }
    }

    pub fn tag(&self, me: Option<Key>, name: &str) -> Tag {
        let (name, url) = (name.to_lowercase(), self.url(&format!("tags/{name}")));
        Tag {
            following: me.map(|me| self.users[&me].followed_tags.contains(&name)),
            ..current::Tag { id: name.as_str().into(), name, url, history: Vec::new() }.into()
        }
    }

    pub fn featured_tag(&self, me: Key, key: Key, name: &str) -> FeaturedTag {
        let posts = self.posts.values();
        let uses = posts.filter(|post| post.author == me && is_tagged(post, name));
        current::FeaturedTag {
            id: key.into(),
            last_status_at: None,
            name: name.to_owned(),
            statuses_count: uses.count().to_string(),
            url: self.url(&format!("tags/{name}")),
        }
        .into()
    }
}
