//! Trending tags, statuses and links.

use fedispec::entities::{Tag, TrendsLink, TrendsLinkHistory};
use fedispec::trends;

use super::prelude::*;
use crate::views::card::card;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, _: trends::Tags, call| Ok(app.trending_tags(&call)))
        .on(by_viewer(|state, me, _: trends::Statuses, call| {
            let seen = state.trending_statuses();
            let seen = seen.into_iter().filter(|key| !state.untrended.statuses.contains(key));
            let seen = seen.filter_map(|key| state.statuses.get(&key));
            Ok(offset(&call, seen, |status| state.view(me).status_of(status)))
        }))
        .on(by_viewer(|state, me, _: trends::Links, call| {
            let view = state.view(me);
            let links = state.trending_links().into_iter();
            let links = links.filter(|link| !state.untrended.links.contains(&link.url));
            Ok(offset(&call, links, |link| view.trends_link(&link)))
        }))
        .on(async |app: App, _: trends::TagsV1, call| Ok(app.trending_tags(&call)))
}

impl App {
    fn trending_tags(&self, call: &Call) -> Page<Tag> {
        let (state, me) = self.viewer(call);
        let view = state.view(me);
        let tags = state.trending_tags().into_iter();
        let tags = tags.filter(|name| {
            let tag = state.tags.get(name);
            tag.is_none_or(|tag| tag.trendable != Some(false) && tag.listable)
        });
        offset(call, tags, |name| view.tag(&name))
    }
}

/// A link of public statuses.
#[derive(Debug)]
pub(super) struct Trending {
    pub(super) url: String,
    /// The accounts that have posted it, each with the time.
    pub(super) posts: Vec<(Key, i64)>,
}

impl State {
    /// The tags of public statuses of a week, those that most accounts have used first.
    pub(super) fn trending_tags(&self) -> Vec<String> {
        let now = self.now();
        let used = self.tags.keys().map(|name| (self.uses(name, now - WEEK, now + 1), name));
        let used = used.filter(|(uses, _)| uses.uses > 0);
        let used = ranked(used, |(uses, _)| (uses.accounts, uses.uses)).into_iter();
        first(&self.promoted.tags, used.map(|(_, name)| name.clone()))
    }

    /// The public statuses of a week that were favourited or boosted, those with the most first.
    pub(super) fn trending_statuses(&self) -> Vec<Key> {
        let now = self.now();
        let liked = self.statuses.with(Label::Noticed).filter_map(|status| {
            let likes = status.favourites.len() + status.boosts.len();
            let is_public = status.draft.visibility == Visibility::Public;
            let is_open = is_public && status.reblog_of.is_none() && self.can_see(None, status);
            (likes > 0 && is_open && status.at > now - WEEK).then_some((likes, status.id))
        });
        let promoted: Vec<_> = { self.promoted.statuses.iter().copied() }
            .filter(|key| self.statuses.contains_key(key))
            .collect();
        first(&promoted, ranked(liked, |found| *found).into_iter().map(|(_, key)| key))
    }

    /// The links in public statuses of a week, those that were posted most first.
    pub(super) fn trending_links(&self) -> Vec<Trending> {
        let now = self.now();
        let mut links: Vec<Trending> = Vec::new();
        let public = self.statuses.with(Label::Link).filter(|status| {
            status.draft.visibility == Visibility::Public && status.at > now - WEEK
        });
        for status in public {
            for piece in pieces(&status.draft.text) {
                let Piece::Link(url) = piece else {
                    continue;
                };
                let post = (status.account, status.at);
                match links.iter_mut().find(|link| link.url == url) {
                    Some(link) => link.posts.push(post),
                    None => links.push(Trending { url: url.to_owned(), posts: vec![post] }),
                }
            }
        }
        let mut links = ranked(links, |link| link.posts.len());
        for url in self.promoted.links.iter().rev() {
            let found = links.iter().position(|link| link.url == *url);
            let link = found.map(|place| links.remove(place));
            let none = || Trending { url: url.clone(), posts: Vec::new() };
            links.insert(0, link.unwrap_or_else(none));
        }
        links
    }
}

/// Promoted trends, and then the others.
fn first<T: Clone + PartialEq>(promoted: &[T], rest: impl Iterator<Item = T>) -> Vec<T> {
    let rest = rest.filter(|one| !promoted.contains(one));
    promoted.iter().cloned().chain(rest).collect()
}

impl View<'_> {
    /// A link with what is known of it without looking there: its address.
    pub(super) fn trends_link(&self, link: &Trending) -> TrendsLink {
        TrendsLink::from_preview_card(card(&link.url), self.link_history(link))
    }

    pub(super) fn link_history(&self, link: &Trending) -> Vec<TrendsLinkHistory> {
        let day = |day: i64| {
            let posts = link.posts.iter().filter(|(_, at)| (day..day + DAY).contains(at));
            let accounts: BTreeSet<_> = posts.clone().map(|(account, _)| account).collect();
            current::TrendsLinkHistory {
                accounts: accounts.len().to_string(),
                day: (day / 1000).to_string(),
                uses: posts.count().to_string(),
            }
            .into()
        };
        self.last_days().map(day).collect()
    }
}
