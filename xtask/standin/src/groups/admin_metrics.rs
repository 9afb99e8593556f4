//! Measures of what happens on the server.

use fedispec::entities::{
    AdminCohort, AdminCohortData, AdminDimensionData, AdminMeasure, AdminMeasureData,
};
use fedispec::enums::{AdminCohortFrequency, AdminDimensionKey, AdminMeasureKey};
use fedispec::runtime::profile::Profile;
use fedispec::runtime::profiles;
use fedispec::server::Timestamp;
use fedispec::{admin_dimensions, admin_measures, admin_retention};
use std::ops::Range;

use super::prelude::*;
use crate::store::accounts::Account;
use crate::store::posted::Posted;

/// All time.
const ALWAYS: Range<Millis> = Millis::MIN..Millis::MAX;

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
            Ok::<_, Error>(day_of(at))
        };
        let (start, end) = (day(start)?, day(end)?);
        let days = ((end - start) / DAY + 1).clamp(0, DAYS);
        Ok(Self { start, days })
    }

    fn days(self) -> impl Iterator<Item = Millis> {
        (0..self.days).map(move |day| self.start + day * DAY)
    }

    fn before(self) -> Self {
        Self { start: self.start - self.days * DAY, ..self }
    }
}

/// The tag or other server whose records are counted, where it is not this server.
#[derive(Clone, Copy)]
enum Of<'s> {
    All,
    /// None where there is no such tag.
    Tag(Option<&'s str>),
    Server(&'s str),
}

impl<'s> Of<'s> {
    /// Finds what a key counts the records of, as far as the request names it.
    fn named(
        state: &'s State,
        key: &str,
        tag: Option<&Id<entities::Tag>>,
        server: Option<&'s str>,
    ) -> Result<Self> {
        let of_tag = tag.map(|id| Self::Tag(state.key(id).and_then(|key| state.tag_name(key))));
        let is_of_all = !key.starts_with("tag_") && !key.starts_with("instance_");
        let of = of_tag.or(server.map(Self::Server)).or(is_of_all.then_some(Self::All));
        let told = || format!("param is missing or the value is empty: {key}");
        of.ok_or_else(|| Error::new(StatusCode::BAD_REQUEST, told()))
    }

    /// The accounts of the server.
    fn accounts(self, state: &'s State) -> impl Iterator<Item = &'s Account> {
        state.accounts.values().filter(move |account| self.has(state, account.id))
    }

    fn has(self, state: &State, account: Key) -> bool {
        !matches!(self, Self::Server(domain) if state.domain_of(account) != Some(domain))
    }

    /// Counts what was posted with the tag or by the server, or all.
    fn posted(self, state: &'s State, time: Range<Millis>) -> impl Iterator<Item = Posted<'s>> {
        let tag = if let Self::Tag(tag) = self { Some(tag.unwrap_or_default()) } else { None };
        state.statuses.posted(tag, time).filter(move |posted| self.has(state, posted.author))
    }
}

pub(super) fn measures(server: Server<App>) -> Server<App> {
    use AdminMeasureKey as Key;
    server.on(by_user(|state, _, request: admin_measures::Get, _| {
        // Without both times nothing is told day by day.
        let span = match (&request.start_at, &request.end_at) {
            (Some(start), Some(end)) => Span::new(start, end)?,
            _ => Span { start: 0, days: 0 },
        };
        let measured = |key: &Key| {
            let (tag, server) = match key {
                Key::TagAccounts => (&request.tag_accounts_id, &None),
                Key::TagUses => (&request.tag_uses_id, &None),
                Key::TagServers => (&request.tag_servers_id, &None),
                Key::InstanceAccounts => (&None, &request.instance_accounts_domain),
                Key::InstanceMediaAttachments => {
                    (&None, &request.instance_media_attachments_domain)
                }
                Key::InstanceReports => (&None, &request.instance_reports_domain),
                Key::InstanceStatuses => (&None, &request.instance_statuses_domain),
                Key::InstanceFollows => (&None, &request.instance_follows_domain),
                Key::InstanceFollowers => (&None, &request.instance_followers_domain),
                _ => (&None, &None),
            };
            match Of::named(&state, key.as_str(), tag.as_ref(), server.as_deref())? {
                Of::Tag(None) => Err(Error::not_found()),
                of => Ok(measure(&state, key, of, span)),
            }
        };
        request.keys.iter().map(measured).collect()
    }))
}

fn measure(state: &State, key: &AdminMeasureKey, of: Of<'_>, span: Span) -> AdminMeasure {
    let mut by_day: BTreeMap<Millis, BTreeMap<Key, usize>> = BTreeMap::new();
    for (at, who, count) in events(state, key, of, span) {
        let day = by_day.entry(day_of(at)).or_default();
        *day.entry(who).or_default() += count;
    }
    let of_day = |day: Millis| {
        let events = by_day.get(&day).into_iter().flatten();
        let servers = events.clone().map(|(who, _)| state.domain_of(*who));
        match key {
            AdminMeasureKey::ActiveUsers => servers.filter(Option::is_none).count(),
            AdminMeasureKey::TagAccounts => events.count(),
            AdminMeasureKey::TagServers => servers.collect::<BTreeSet<_>>().len(),
            _ => events.map(|(_, count)| count).sum(),
        }
    };
    let days: Vec<_> = span.days().map(|at| (at, of_day(at))).collect();
    let data = days.iter().map(|(at, value)| {
        let value = value.to_string();
        AdminMeasureData::from(current::AdminMeasureData { date: time(*at), value })
    });
    let before = || span.before().days().map(of_day).sum::<usize>();
    // Of an instance there is one total, that of all time, and none before.
    let is_instance = matches!(of, Of::Server(_));
    let in_all = || by_day.values().flat_map(BTreeMap::values).sum::<usize>();
    let total = if is_instance { in_all() } else { days.iter().map(|(_, value)| value).sum() };
    let is_size = *key == AdminMeasureKey::InstanceMediaAttachments;
    AdminMeasure {
        human_value: is_size.then(|| human_size(total)),
        previous_total: (!is_instance).then(|| before().to_string()),
        ..current::AdminMeasure {
            data: data.collect(),
            key: key.clone(),
            total: total.to_string(),
            unit: is_size.then(|| "bytes".to_owned()),
        }
        .into()
    }
}

/// The times of what a measure counts, each with the account that it is of and how often; where there is no total of all time, those of the span and
/// the one before.
fn events<'s>(
    state: &'s State,
    key: &AdminMeasureKey,
    of: Of<'s>,
    span: Span,
) -> Box<dyn Iterator<Item = (Millis, Key, usize)> + 's> {
    let times = span.before().start..span.start + span.days * DAY;
    let reports = move || {
        let all = state.moderated.reports.values();
        all.filter(move |report| of.has(state, report.target))
    };
    match key {
        AdminMeasureKey::NewUsers => {
            Box::new(state.users().map(|user| (user.created_at, user.id, 1)))
        }
        AdminMeasureKey::Interactions => {
            let acts = state.statuses.with(Label::Noticed).flat_map(|status| {
                status.favourites.values().chain(status.boosts.values()).chain(&status.replies)
            });
            Box::new(acts.map(|act| (act.created_at(), *act, 1)))
        }
        AdminMeasureKey::OpenedReports | AdminMeasureKey::InstanceReports => {
            Box::new(reports().map(|report| (report.at, report.target, 1)))
        }
        AdminMeasureKey::ResolvedReports => {
            Box::new(reports().filter_map(|one| Some((one.resolved.as_ref()?.at, one.target, 1))))
        }
        AdminMeasureKey::InstanceAccounts => {
            Box::new(of.accounts(state).map(|account| (account.created_at, account.id, 1)))
        }
        AdminMeasureKey::InstanceMediaAttachments => {
            let size = |file: &Key| state.files.get(file).map_or(0, |file| file.bytes.len());
            let media = state.media.values().filter(move |medium| of.has(state, medium.owner));
            Box::new(media.map(move |medium| {
                let bytes = size(&medium.file) + medium.thumbnail.as_ref().map_or(0, size);
                (medium.id.created_at(), medium.owner, bytes)
            }))
        }
        AdminMeasureKey::InstanceFollows => Box::new(of.accounts(state).flat_map(|one| {
            state.following(one.id).map(|(follow, of)| (follow.created_at(), of, 1))
        })),
        AdminMeasureKey::InstanceFollowers => Box::new(of.accounts(state).flat_map(|one| {
            state.followers(one.id).map(|(follow, of)| (follow.created_at(), of, 1))
        })),
        AdminMeasureKey::Unrecognized(_) => Box::new(std::iter::empty()),
        _ => {
            let times = if matches!(of, Of::Server(_)) { ALWAYS } else { times };
            Box::new(of.posted(state, times).map(|one| (one.day, one.author, one.count)))
        }
    }
}

pub(super) fn dimensions(server: Server<App>) -> Server<App> {
    use AdminDimensionKey as Key;
    server.on(by_user(|state, _, request: admin_dimensions::Get, _| {
        let limit = usize::try_from(request.limit.unwrap_or(10)).unwrap_or_default();
        let end = request.end_at.as_ref().and_then(from_time).unwrap_or_else(|| state.now());
        let start = request.start_at.as_ref().and_then(from_time).unwrap_or(end - 30 * DAY);
        let within = day_of(start)..day_of(end) + DAY;
        let shown = |key: &Key| {
            let (tag, server) = match key {
                Key::TagServers => (&request.tag_servers_id, &None),
                Key::TagLanguages => (&request.tag_languages_id, &None),
                Key::InstanceAccounts => (&None, &request.instance_accounts_domain),
                Key::InstanceLanguages => (&None, &request.instance_languages_domain),
                _ => (&None, &None),
            };
            let of = Of::named(&state, key.as_str(), tag.as_ref(), server.as_deref())?;
            let mut data = dimension(&state, key, of, &within);
            data.truncate(limit);
            Ok(current::AdminDimension { key: key.clone(), data }.into())
        };
        request.keys.iter().map(shown).collect()
    }))
}

fn dimension(
    state: &State,
    key: &AdminDimensionKey,
    of: Of<'_>,
    within: &Range<Millis>,
) -> Vec<AdminDimensionData> {
    let is_within = |at: Option<Millis>| at.is_some_and(|at| within.contains(&at));
    match key {
        // Of the interface, by those who have signed in.
        AdminDimensionKey::Languages => {
            let signed_in = state.oauth.tokens.values().filter(|token| is_within(token.last_used));
            let users: BTreeSet<Key> = signed_in.filter_map(|token| token.account).collect();
            let users = users.iter().filter_map(|key| state.accounts.get(key)?.user.as_ref());
            counted(users.map(|user| (user.locale.as_str(), 1)))
        }
        AdminDimensionKey::TagLanguages | AdminDimensionKey::InstanceLanguages => {
            let posted = of.posted(state, within.clone());
            counted(posted.filter_map(|one| Some((one.language?, one.count))))
        }
        AdminDimensionKey::Servers | AdminDimensionKey::TagServers => {
            let server = |of: Key| state.domain_of(of).unwrap_or_else(|| state.domain());
            let posted = of.posted(state, within.clone());
            counted(posted.map(|one| (server(one.author), one.count)))
        }
        AdminDimensionKey::InstanceAccounts => {
            counted(of.accounts(state).map(|one| (&*one.username, state.followers(one.id).count())))
        }
        AdminDimensionKey::Sources => {
            let came = state.users().filter(|user| is_within(Some(user.created_at)));
            let apps = came.map(|user| {
                let app = user.user.as_ref().and_then(|user| state.oauth.apps.get(&user.made_by?));
                (app.map_or("web", |app| app.name.as_str()), 1)
            });
            counted(apps)
        }
        AdminDimensionKey::SpaceUsage => {
            let bytes: usize = state.files.values().map(|file| file.bytes.len()).sum();
            vec![AdminDimensionData {
                unit: Some("bytes".to_owned()),
                human_value: Some(human_size(bytes)),
                ..row("media", "Media storage", bytes.to_string())
            }]
        }
        AdminDimensionKey::SoftwareVersions => {
            let version = state.release().version_string();
            let row = |program: &Profile| AdminDimensionData {
                human_value: Some(version.clone()),
                ..row(&program.key, program.name(), version.clone())
            };
            profiles().reference().into_iter().map(row).collect()
        }
        _ => Vec::new(),
    }
}

/// A number of bytes to three digits, as Rails writes it for people: `1.18 MB`.
fn human_size(bytes: usize) -> String {
    let mut size = number(bytes);
    let mut unit = if bytes == 1 { "Byte" } else { "Bytes" };
    for larger in ["KB", "MB", "GB", "TB"] {
        if size >= 1024.0 {
            (size, unit) = (size / 1024.0, larger);
        }
    }
    let decimals = [10.0, 100.0].iter().filter(|bound| size < **bound).count();
    let text = format!("{size:.decimals$}");
    let zeros: &[char] = if decimals > 0 { &['0'] } else { &[] };
    format!("{} {unit}", text.trim_end_matches(zeros).trim_end_matches('.'))
}

/// Adds up how often each is there, the most frequent first.
fn counted<'s>(values: impl Iterator<Item = (&'s str, usize)>) -> Vec<AdminDimensionData> {
    let counts = ranked(tally(values), |(_, count)| *count);
    counts.into_iter().map(|(key, count)| row(key, key, count.to_string())).collect()
}

fn row(key: &str, human: &str, value: String) -> AdminDimensionData {
    current::AdminDimensionData { key: key.to_owned(), human_key: human.to_owned(), value }.into()
}

pub(super) fn retention(server: Server<App>) -> Server<App> {
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
            let posted = state.statuses.posted(None, within(place));
            posted.map(|posted| posted.author).collect::<BTreeSet<_>>()
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

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

fn rate(part: usize, whole: usize) -> f64 {
    number(part) / number(whole).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_three_digits() {
        let sizes = [0, 1, 500, 1024, 1536, 20_000, 1_023_999, 1_234_567].map(human_size);
        let told =
            ["0 Bytes", "1 Byte", "500 Bytes", "1 KB", "1.5 KB", "19.5 KB", "1000 KB", "1.18 MB"];
        assert_eq!(sizes, told);
    }
}
