//! Measures of what happens on the server.

use fedispec::entities::{
    AdminCohort, AdminCohortData, AdminDimensionData, AdminMeasure, AdminMeasureData,
};
use fedispec::enums::{AdminCohortFrequency, AdminDimensionKey, AdminMeasureKey};
use fedispec::runtime::profile::Profile;
use fedispec::runtime::profiles;
use fedispec::server::Timestamp;
use fedispec::{admin_dimensions, admin_measures, admin_retention};
use std::collections::{BTreeMap, BTreeSet};

use super::prelude::*;
use crate::store::statuses::Status;

const DAY: Millis = 86_400_000;

/// The greatest number of days that are measured.
const DAYS: i64 = 366;

/// A span of days, the last of which is in it.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: Millis,
    days: i64,
}

impl Span {
    fn new(start: &Timestamp, end: &Timestamp) -> Result<Self> {
        let day = |at: &Timestamp| {
            let at = from_time(at).ok_or_else(|| Error::unprocessable("A date is not valid"))?;
            Ok::<_, Error>(at.div_euclid(DAY))
        };
        let (start, end) = (day(start)?, day(end)?);
        let days = (end - start + 1).clamp(0, DAYS);
        let start = start * DAY;
        Ok(Self { start, days })
    }

    fn days(self) -> impl Iterator<Item = Millis> {
        (0..self.days).map(move |day| self.start + day * DAY)
    }

    fn before(self) -> Self {
        Self { start: self.start - self.days * DAY, ..self }
    }
}

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server.group(measures).group(dimensions).group(retention)
}

fn measures(server: Server<App>) -> Server<App> {
    server.on(by_user(|state, _, request: admin_measures::Get, _| {
        // Without both times nothing is told day by day.
        let span = match (&request.start_at, &request.end_at) {
            (Some(start), Some(end)) => Span::new(start, end)?,
            _ => Span { start: 0, days: 0 },
        };
        let mut measures = Vec::new();
        for key in &request.keys {
            let tag = match key {
                AdminMeasureKey::TagAccounts => &request.tag_accounts_id,
                AdminMeasureKey::TagUses => &request.tag_uses_id,
                AdminMeasureKey::TagServers => &request.tag_servers_id,
                _ => &None,
            };
            let domain = match key {
                AdminMeasureKey::InstanceAccounts => &request.instance_accounts_domain,
                AdminMeasureKey::InstanceMediaAttachments => {
                    &request.instance_media_attachments_domain
                }
                AdminMeasureKey::InstanceReports => &request.instance_reports_domain,
                AdminMeasureKey::InstanceStatuses => &request.instance_statuses_domain,
                AdminMeasureKey::InstanceFollows => &request.instance_follows_domain,
                AdminMeasureKey::InstanceFollowers => &request.instance_followers_domain,
                _ => &None,
            };
            let of = match tag {
                Some(id) => state.key(id).and_then(|key| state.tag_name(key)),
                None => domain.as_deref(),
            };
            if of.is_none() && tag.is_some() {
                return Err(Error::not_found());
            }
            if of.is_none() && is_of_something(key.as_str()) {
                return Err(missing(key));
            }
            measures.push(measure(&state, key, of.unwrap_or_default(), span));
        }
        Ok(measures.into())
    }))
}

/// Whether what is measured is of a tag or of another server.
fn is_of_something(key: &str) -> bool {
    key.starts_with("tag_") || key.starts_with("instance_")
}

/// Refuses a measure of something that the request does not name.
fn missing(key: &impl std::fmt::Display) -> Error {
    let told = format!("param is missing or the value is empty: {key}");
    Error::new(StatusCode::BAD_REQUEST, told)
}

fn measure(state: &State, key: &AdminMeasureKey, what: &str, span: Span) -> AdminMeasure {
    let events = events(state, key, what);
    let within = |start: Millis, end: Millis| {
        let before = |at: Millis| events.partition_point(|(own, _)| *own < at);
        let events = &events[before(start)..before(end).max(before(start))];
        let who = events.iter().map(|(_, who)| *who);
        match key {
            AdminMeasureKey::ActiveUsers | AdminMeasureKey::TagAccounts => {
                who.collect::<BTreeSet<_>>().len()
            }
            AdminMeasureKey::TagServers => {
                who.map(|who| domain_of(state, who)).collect::<BTreeSet<_>>().len()
            }
            _ => events.len(),
        }
    };
    let of_day = |at: Millis| within(at, at + DAY);
    let days: Vec<_> = span.days().map(|at| (at, of_day(at))).collect();
    let data = days.iter().map(|(at, value)| {
        let value = value.to_string();
        AdminMeasureData::from(current::AdminMeasureData { date: time(*at), value })
    });
    let before = || span.before().days().map(of_day).sum::<usize>();
    // Of an instance there is one total, that of all time, and none before.
    let is_instance = key.as_str().starts_with("instance_");
    let total = if is_instance { events.len() } else { days.iter().map(|(_, value)| value).sum() };
    AdminMeasure {
        previous_total: (!is_instance).then(|| before().to_string()),
        ..current::AdminMeasure {
            data: data.collect(),
            key: key.clone(),
            total: total.to_string(),
            unit: None,
        }
        .into()
    }
}

/// The domain of another server's account.
fn domain_of(state: &State, account: Key) -> Option<&str> {
    state.accounts.get(&account)?.domain.as_deref()
}

/// The times of what a measure counts, in their order, each with the account that it is of.
fn events(state: &State, key: &AdminMeasureKey, what: &str) -> Vec<(Millis, Key)> {
    let posted = || state.statuses.values().map(|status| (status.at, status.account));
    let reports = || state.moderated.reports.values();
    let follows = || {
        state.ties.iter().flat_map(|(from, ties)| {
            let follows = ties.iter().filter_map(|(to, tie)| Some((tie.follow.as_ref()?.id, *to)));
            follows.map(move |(id, to)| (id.created_at(), *from, to))
        })
    };
    let mut events: Vec<(Millis, Key)> = match key {
        AdminMeasureKey::ActiveUsers => {
            posted().filter(|(_, who)| domain_of(state, *who).is_none()).collect()
        }
        AdminMeasureKey::NewUsers => state.users().map(|user| (user.created_at, user.id)).collect(),
        AdminMeasureKey::Interactions => {
            let acts = state.statuses.values().flat_map(|status| {
                status.favourites.values().chain(status.boosts.values()).chain(&status.replies)
            });
            acts.map(|act| (act.created_at(), *act)).collect()
        }
        AdminMeasureKey::OpenedReports | AdminMeasureKey::InstanceReports => {
            reports().map(|report| (report.at, report.target)).collect()
        }
        AdminMeasureKey::ResolvedReports => {
            reports().filter_map(|one| Some((one.resolved.as_ref()?.at, one.target))).collect()
        }
        AdminMeasureKey::TagAccounts | AdminMeasureKey::TagUses | AdminMeasureKey::TagServers => {
            let used = state.statuses.tagged(what);
            used.map(|status| (status.at, status.account)).collect()
        }
        AdminMeasureKey::InstanceAccounts => {
            state.accounts.values().map(|account| (account.created_at, account.id)).collect()
        }
        AdminMeasureKey::InstanceMediaAttachments => {
            let attached = state
                .statuses
                .values()
                .flat_map(|status| status.draft.media.iter().map(|_| (status.at, status.account)));
            attached.collect()
        }
        AdminMeasureKey::InstanceStatuses => posted().collect(),
        AdminMeasureKey::InstanceFollows => follows().map(|(at, from, _)| (at, from)).collect(),
        AdminMeasureKey::InstanceFollowers => follows().map(|(at, _, to)| (at, to)).collect(),
        _ => Vec::new(),
    };
    if key.as_str().starts_with("instance_") {
        events.retain(|(_, who)| domain_of(state, *who) == Some(what));
    }
    events.sort_unstable();
    events
}

fn dimensions(server: Server<App>) -> Server<App> {
    server.on(async |app: App, request: admin_dimensions::Get, call| {
        let (state, _) = app.user(&call)?;
        let limit = usize::try_from(request.limit.unwrap_or(10)).unwrap_or_default();
        let end = request.end_at.as_ref().and_then(from_time).unwrap_or_else(|| state.now());
        let start = request.start_at.as_ref().and_then(from_time).unwrap_or(end - 30 * DAY);
        let within = start.div_euclid(DAY) * DAY..(end.div_euclid(DAY) + 1) * DAY;
        let version = app.release().version_string();
        let mut dimensions = Vec::new();
        for key in request.keys {
            let tag = match key {
                AdminDimensionKey::TagServers => request.tag_servers_id.as_ref(),
                AdminDimensionKey::TagLanguages => request.tag_languages_id.as_ref(),
                _ => None,
            };
            let tag = tag.and_then(|id| state.tag_name(state.key(id)?));
            let domain = match key {
                AdminDimensionKey::InstanceAccounts => request.instance_accounts_domain.as_deref(),
                AdminDimensionKey::InstanceLanguages => {
                    request.instance_languages_domain.as_deref()
                }
                _ => None,
            };
            let of = tag.or(domain);
            if of.is_none() && is_of_something(key.as_str()) {
                return Err(missing(&key));
            }
            let mut data = dimension(&state, &key, of, within.clone(), &version);
            data.truncate(limit);
            dimensions.push(current::AdminDimension { key, data }.into());
        }
        Ok(dimensions.into())
    })
}

fn dimension(
    state: &State,
    key: &AdminDimensionKey,
    of: Option<&str>,
    within: std::ops::Range<Millis>,
    version: &str,
) -> Vec<AdminDimensionData> {
    let posted = || state.statuses.within(within.clone());
    let server = |account: Key| domain_of(state, account).unwrap_or_else(|| state.domain());
    let has_tag = |status: &&Status| of.is_none_or(|tag| status.tags.iter().any(|own| own == tag));
    match key {
        AdminDimensionKey::Languages | AdminDimensionKey::TagLanguages => {
            counted(posted().filter(has_tag).map(language))
        }
        AdminDimensionKey::Servers | AdminDimensionKey::TagServers => {
            counted(posted().filter(has_tag).map(|status| server(status.account)))
        }
        AdminDimensionKey::InstanceLanguages => {
            let own = posted().filter(|status| Some(server(status.account)) == of);
            counted(own.map(language))
        }
        AdminDimensionKey::InstanceAccounts => {
            let own = state.accounts.values().filter(|one| one.domain.as_deref() == of);
            own.map(|account| {
                let followers = state.followers(account.id).count();
                row(&account.username, &account.username, followers.to_string())
            })
            .collect()
        }
        AdminDimensionKey::Sources => {
            let apps = state.oauth.tokens.values().filter_map(|token| {
                token.account?;
                state.oauth.apps.get(&token.app).map(|app| app.name.as_str())
            });
            counted(apps)
        }
        AdminDimensionKey::SpaceUsage => {
            let bytes: usize = state.files.values().map(|file| file.bytes.len()).sum();
            vec![AdminDimensionData {
                unit: Some("bytes".to_owned()),
                human_value: Some(format!("{bytes} Bytes")),
                ..row("media", "Media storage", bytes.to_string())
            }]
        }
        AdminDimensionKey::SoftwareVersions => {
            let programs = profiles().reference().into_iter();
            let row = |program: &Profile| AdminDimensionData {
                human_value: Some(version.to_owned()),
                ..row(&program.key, program.name(), version.to_owned())
            };
            programs.map(row).collect()
        }
        _ => Vec::new(),
    }
}

fn language(status: &Status) -> &str {
    status.draft.language.as_deref().unwrap_or("und")
}

/// How often each is there, the most frequent first.
fn counted<'s>(values: impl Iterator<Item = &'s str>) -> Vec<AdminDimensionData> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().map(|(key, count)| row(key, key, count.to_string())).collect()
}

fn row(key: &str, human: &str, value: String) -> AdminDimensionData {
    current::AdminDimensionData { key: key.to_owned(), human_key: human.to_owned(), value }.into()
}

fn retention(server: Server<App>) -> Server<App> {
    server.on(by_user(|state, _, request: admin_retention::Get, _| {
        let span = Span::new(&request.start_at, &request.end_at)?;
        let frequency = request.frequency.unwrap_or(AdminCohortFrequency::Day);
        let by_month = frequency == AdminCohortFrequency::Month;
        let mut periods: Vec<Millis> = span.days().collect();
        if by_month {
            periods.retain(|at| {
                *at == span.start || time(*at).date().is_some_and(|(_, _, day)| day == 1)
            });
        }
        let end = span.start + span.days * DAY;
        let within = |place: usize| {
            let start = periods.get(place).copied().unwrap_or(end);
            start..periods.get(place + 1).copied().unwrap_or(end)
        };
        let authors = |place| {
            let posted = state.statuses.within(within(place));
            posted.map(|status| status.account).collect::<BTreeSet<_>>()
        };
        let authors: Vec<_> = (0..periods.len()).map(authors).collect();
        // Of those who came in a period, how many have posted in it and in each that followed.
        let cohort = |place: usize| {
            let came = within(place);
            let users = state.users().filter(|user| came.contains(&user.created_at));
            let users: BTreeSet<Key> = users.map(|user| user.id).collect();
            let data = (place..periods.len()).map(|later| {
                let active = || users.intersection(&authors[later]).count();
                let count = if later == place { users.len() } else { active() };
                AdminCohortData::from(current::AdminCohortData {
                    date: time(within(later).start),
                    rate: rate(count, users.len()),
                    value: count.to_string(),
                })
            });
            AdminCohort::from(current::AdminCohort {
                period: time(came.start),
                frequency: frequency.clone(),
                data: data.collect(),
            })
        };
        Ok((0..periods.len()).map(cohort).collect())
    }))
}

fn rate(part: usize, whole: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    number(part) / number(whole).max(1.0)
}
