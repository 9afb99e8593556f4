//! Trends and tags as moderators see them.

use std::collections::BTreeSet;

use fedispec::entities::{
    AdminPreviewCardProvider, AdminTag, AdminTrendsLink, AdminTrendsStatus, Status, Tag,
};
use fedispec::server::{AdminTags, AdminTrends, Call, Error, Id, Page, Result};
use fedispec::{admin_tags, admin_trends, current};

use super::support::{invalid, offset, set};
use super::trends::Trending;
use crate::app::App;
use crate::store::{Key, State};
use crate::views::View;

impl AdminTrends for App {
    async fn links(&self, _: admin_trends::Links, call: Call) -> Result<Page<AdminTrendsLink>> {
        let (state, me) = self.user(&call)?;
        let view = state.view(me);
        let links = state.trending_links();
        let links = links.iter().map(|link| view.admin_link(link)).collect();
        Ok(offset(&call, links))
    }

    async fn statuses(
        &self,
        _: admin_trends::Statuses,
        call: Call,
    ) -> Result<Page<AdminTrendsStatus>> {
        let (state, me) = self.user(&call)?;
        let view = state.view(me);
        let statuses = state.trending_statuses();
        let statuses = statuses.into_iter().filter_map(|key| view.admin_status(key)).collect();
        Ok(offset(&call, statuses))
    }

    async fn tags(&self, _: admin_trends::Tags, call: Call) -> Result<Page<AdminTag>> {
        let (state, me) = self.user(&call)?;
        let view = state.view(me);
        let names = state.trending_tags();
        let tags =
            names.iter().filter_map(|name| Some(view.admin_tag(name, state.tags.get(name)?)));
        Ok(offset(&call, tags.collect()))
    }

    async fn publishers(
        &self,
        _: admin_trends::Publishers,
        call: Call,
    ) -> Result<Page<AdminPreviewCardProvider>> {
        let (state, me) = self.user(&call)?;
        let view = state.view(me);
        let publishers = state.publishers();
        let publishers = publishers.iter().map(|(id, domain)| view.publisher(*id, domain));
        Ok(publishers.collect())
    }

    async fn approve_publisher(
        &self,
        request: admin_trends::ApprovePublisher,
        call: Call,
    ) -> Result<AdminPreviewCardProvider> {
        self.judge_publisher(&request.id, true, &call)
    }

    async fn reject_publisher(
        &self,
        request: admin_trends::RejectPublisher,
        call: Call,
    ) -> Result<AdminPreviewCardProvider> {
        self.judge_publisher(&request.id, false, &call)
    }

    async fn approve_link(
        &self,
        request: admin_trends::ApproveLink,
        call: Call,
    ) -> Result<AdminTrendsLink> {
        self.judge_link(&request.id, true, &call)
    }

    async fn reject_link(
        &self,
        request: admin_trends::RejectLink,
        call: Call,
    ) -> Result<AdminTrendsLink> {
        self.judge_link(&request.id, false, &call)
    }

    async fn approve_status(
        &self,
        request: admin_trends::ApproveStatus,
        call: Call,
    ) -> Result<AdminTrendsStatus> {
        self.judge_status(&request.id, true, &call)
    }

    async fn reject_status(
        &self,
        request: admin_trends::RejectStatus,
        call: Call,
    ) -> Result<AdminTrendsStatus> {
        self.judge_status(&request.id, false, &call)
    }

    async fn approve_tag(&self, request: admin_trends::ApproveTag, call: Call) -> Result<AdminTag> {
        self.judge_tag(&request.id, true, &call)
    }

    async fn reject_tag(&self, request: admin_trends::RejectTag, call: Call) -> Result<AdminTag> {
        self.judge_tag(&request.id, false, &call)
    }
}

impl App {
    fn judge_publisher(
        &self,
        id: &Id<AdminPreviewCardProvider>,
        trends: bool,
        call: &Call,
    ) -> Result<AdminPreviewCardProvider> {
        let (mut state, me) = self.user(call)?;
        let mut publishers = state.publishers().into_iter();
        let found = publishers.find(|(own, _)| own.to_string() == id.as_str());
        let (id, domain) = found.ok_or_else(Error::not_found)?;
        judge(&mut state.untrended.publishers, &domain, trends);
        Ok(state.view(me).publisher(id, &domain))
    }

    fn judge_link(
        &self,
        id: &Id<AdminTrendsLink>,
        trends: bool,
        call: &Call,
    ) -> Result<AdminTrendsLink> {
        let (mut state, me) = self.user(call)?;
        let links = state.trending_links();
        let link = links.iter().find(|link| link.id().to_string() == id.as_str());
        let link = link.ok_or_else(Error::not_found)?;
        judge(&mut state.untrended.links, &link.url, trends);
        Ok(state.view(me).admin_link(link))
    }

    fn judge_status(
        &self,
        id: &Id<Status>,
        trends: bool,
        call: &Call,
    ) -> Result<AdminTrendsStatus> {
        let (mut state, me) = self.user(call)?;
        let key = state.status(id, None)?.id;
        judge(&mut state.untrended.statuses, &key, trends);
        state.view(me).admin_status(key).ok_or_else(Error::not_found)
    }

    fn judge_tag(&self, id: &Id<Tag>, trends: bool, call: &Call) -> Result<AdminTag> {
        let (mut state, me) = self.user(call)?;
        let name = known(&state, id)?;
        state.tag_mut(&name).trendable = Some(trends);
        shown(&state, me, &name)
    }
}

/// Notes whether something may trend.
fn judge<T: Ord + Clone>(untrended: &mut BTreeSet<T>, one: &T, trends: bool) {
    if trends {
        untrended.remove(one);
    } else {
        untrended.insert(one.clone());
    }
}

impl AdminTags for App {
    async fn list(&self, _: admin_tags::List, call: Call) -> Result<Page<AdminTag>> {
        let (state, me) = self.user(&call)?;
        let tags = state.tags.iter().map(|(name, tag)| (tag.id, (name, tag)));
        let page = state.page_of(&call, tags);
        Ok(page.map(|(name, tag)| Some(state.view(me).admin_tag(name, tag))))
    }

    async fn get(&self, request: admin_tags::Get, call: Call) -> Result<AdminTag> {
        let (state, me) = self.user(&call)?;
        shown(&state, me, &known(&state, &request.id)?)
    }

    async fn update(&self, request: admin_tags::Update, call: Call) -> Result<AdminTag> {
        let (mut state, me) = self.user(&call)?;
        let name = known(&state, &request.id)?;
        if let Some(shown) = &request.display_name
            && shown.to_lowercase() != name
        {
            let told = "Display name is invalid";
            return Err(invalid(&call, told, told));
        }
        let tag = state.tag_mut(&name);
        set(&mut tag.display_name, request.display_name);
        set(&mut tag.listable, request.listable);
        set(&mut tag.usable, request.usable);
        tag.trendable = request.trendable.or(tag.trendable);
        shown(&state, me, &name)
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
        let mut domains: Vec<_> =
            self.trending_links().iter().map(|link| link.host().to_owned()).collect();
        domains.sort();
        domains.dedup();
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
        let (_, rest) = self.url.split_once("://").unwrap_or_default();
        rest.split(['/', '?', '#']).next().unwrap_or_default()
    }
}

impl View<'_> {
    fn admin_link(&self, link: &Trending) -> AdminTrendsLink {
        let shown = self.trends_link(link);
        current::AdminTrendsLink {
            id: link.id().to_string().into(),
            requires_review: false,
            url: shown.url,
            title: shown.title,
            description: shown.description,
            r#type: shown.r#type,
            author_name: shown.author_name,
            author_url: shown.author_url,
            provider_name: shown.provider_name,
            provider_url: shown.provider_url,
            html: shown.html,
            width: shown.width,
            height: shown.height,
            embed_url: shown.embed_url,
            history: self.link_history(link),
            authors: Vec::new(),
            image: None,
            blurhash: None,
            published_at: None,
            language: None,
            image_description: String::new(),
        }
        .into()
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
