//! Trends and tags as moderators see them.

use fedispec::entities::{
    AdminPreviewCardProvider, AdminTag, AdminTrendsLink, AdminTrendsStatus, Status, Tag,
};
use fedispec::{admin_tags, admin_trends};

use super::prelude::*;
use super::trends::Trending;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: admin_trends::Links, call| {
            let view = state.view(me);
            Ok(offset(&call, state.trending_links(), |link| view.admin_link(&link)))
        }))
        .on(by_user(|state, me, _: admin_trends::Statuses, call| {
            let view = state.view(me);
            let statuses = state.trending_statuses().into_iter();
            let statuses = statuses.filter_map(|key| view.admin_status(key));
            Ok(offset(&call, statuses, |status| status))
        }))
        .on(by_user(|state, me, _: admin_trends::Tags, call| {
            let view = state.view(me);
            let names = state.trending_tags();
            let tags = names.iter().filter_map(|name| state.tags.get_key_value(name));
            Ok(offset(&call, tags, |(name, tag)| view.admin_tag(name, tag)))
        }))
        .on(by_user(|state, me, _: admin_trends::Publishers, _| {
            let view = state.view(me);
            let publishers = state.publishers();
            let publishers = publishers.iter().map(|(id, domain)| view.publisher(*id, domain));
            Ok(publishers.collect())
        }))
        .on(act!(publisher, admin_trends::ApprovePublisher, true))
        .on(act!(publisher, admin_trends::RejectPublisher, false))
        .on(act!(link, admin_trends::ApproveLink, true))
        .on(act!(link, admin_trends::RejectLink, false))
        .on(act!(status, admin_trends::ApproveStatus, true))
        .on(act!(status, admin_trends::RejectStatus, false))
        .on(act!(tag, admin_trends::ApproveTag, true))
        .on(act!(tag, admin_trends::RejectTag, false))
        .on(by_user(|state, me, _: admin_tags::List, call| {
            let tags = state.tags.iter().map(|(name, tag)| (tag.id, (name, tag)));
            let page = state.page_of(&call, tags);
            Ok(page.map(|(name, tag)| Some(state.view(me).admin_tag(name, tag))))
        }))
        .on(by_user(|state, me, request: admin_tags::Get, _| {
            shown(&state, me, &known(&state, &request.id)?)
        }))
        .on(by_user(|mut state, me, request: admin_tags::Update, call| {
            let name = known(&state, &request.id)?;
            let is_other =
                request.display_name.as_ref().is_some_and(|own| own.to_lowercase() != name);
            refuse_if!(is_other, invalid_alike(&call, "Display name is invalid"));
            let tag = state.tag_mut(&name);
            set(&mut tag.display_name, request.display_name);
            set(&mut tag.listable, request.listable);
            set(&mut tag.usable, request.usable);
            tag.trendable = request.trendable.or(tag.trendable);
            shown(&state, me, &name)
        }))
}

fn publisher(
    state: &mut Locked<'_>,
    me: Key,
    id: &Id<AdminPreviewCardProvider>,
    trends: bool,
) -> Result<AdminPreviewCardProvider> {
    let mut publishers = state.publishers().into_iter();
    let found = publishers.find(|(own, _)| own.to_string() == id.as_str());
    let (id, domain) = found.ok_or_else(Error::not_found)?;
    judge(&mut state.untrended.publishers, &domain, trends);
    Ok(state.view(me).publisher(id, &domain))
}

fn link(
    state: &mut Locked<'_>,
    me: Key,
    id: &Id<AdminTrendsLink>,
    trends: bool,
) -> Result<AdminTrendsLink> {
    let links = state.trending_links();
    let link = links.iter().find(|link| link.id().to_string() == id.as_str());
    let link = link.ok_or_else(Error::not_found)?;
    judge(&mut state.untrended.links, &link.url, trends);
    Ok(state.view(me).admin_link(link))
}

fn status(
    state: &mut Locked<'_>,
    me: Key,
    id: &Id<Status>,
    trends: bool,
) -> Result<AdminTrendsStatus> {
    let key = state.status(id, None)?.id;
    judge(&mut state.untrended.statuses, &key, trends);
    state.view(me).admin_status(key).ok_or_else(Error::not_found)
}

fn tag(state: &mut Locked<'_>, me: Key, id: &Id<Tag>, trends: bool) -> Result<AdminTag> {
    let name = known(state, id)?;
    state.tag_mut(&name).trendable = Some(trends);
    shown(state, me, &name)
}

/// Notes whether something may trend.
fn judge<T: Ord + Clone>(untrended: &mut BTreeSet<T>, one: &T, trends: bool) {
    if trends {
        untrended.remove(one);
    } else {
        untrended.insert(one.clone());
    }
}

fn known(state: &State, id: &Id<Tag>) -> Result<String> {
    let name = state.key(id).and_then(|key| state.tag_name(key));
    name.map(str::to_owned).ok_or_else(Error::not_found)
}

fn shown(state: &State, me: Key, name: &str) -> Result<AdminTag> {
    let tag = state.tags.get(name).ok_or_else(Error::not_found)?;
    Ok(state.view(me).admin_tag(name, tag))
}

impl State {
    /// The domains of links, with their ids.
    fn publishers(&self) -> Vec<(i64, String)> {
        let links = self.trending_links();
        let domains: BTreeSet<_> = links.iter().map(|link| link.host().to_owned()).collect();
        domains.into_iter().map(|domain| (number(&domain), domain)).collect()
    }
}

/// A number that stands for a text, as links have no record.
fn number(text: &str) -> i64 {
    let digest = crate::store::moderation::sha256(text);
    let digits = digest.get(..12).unwrap_or_default();
    i64::from_str_radix(digits, 16).unwrap_or_default()
}

impl Trending {
    fn id(&self) -> i64 {
        number(&self.url)
    }

    fn host(&self) -> &str {
        crate::views::card::parts(&self.url).1
    }
}

impl View<'_> {
    fn admin_link(&self, link: &Trending) -> AdminTrendsLink {
        AdminTrendsLink {
            id: Some(link.id().into()),
            requires_review: Some(false),
            ..AdminTrendsLink::from_trends_link(self.trends_link(link))
        }
    }

    fn admin_status(&self, key: Key) -> Option<AdminTrendsStatus> {
        let status = self.status(key)?;
        let replies = status.replies_count.unwrap_or_default();
        Some(AdminTrendsStatus {
            requires_review: Some(false),
            ..AdminTrendsStatus::from_status(status, replies)
        })
    }

    fn publisher(&self, id: i64, domain: &str) -> AdminPreviewCardProvider {
        current::AdminPreviewCardProvider {
            id,
            domain: domain.to_owned(),
            trendable: Some(!self.state.untrended.publishers.contains(domain)),
            requires_review: false,
            reviewed_at: None,
            requested_review_at: None,
        }
        .into()
    }
}
