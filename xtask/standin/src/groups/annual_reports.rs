//! A look back at a user's year, made of the user's statuses.

use fedispec::annual_reports;
use fedispec::entities::{AnnualReport, AnnualReportData, WrappedAnnualReports};
use fedispec::enums::{AnnualReportArchetype, AnnualReportState};

use super::prelude::*;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: annual_reports::List, _| {
            let years = state.annual_reports.get(&me).into_iter().flatten();
            let unread = years.filter(|(_, is_read)| !**is_read).map(|(year, _)| *year);
            Ok(wrapped(&state, me, unread))
        }))
        .on(by_user(|state, me, request: annual_reports::Get, _| {
            refuse_if!(!is_made(&state, me, request.year), Error::not_found());
            Ok(wrapped(&state, me, [request.year]))
        }))
        .on(by_user(|state, me, request: annual_reports::State, _| {
            let found = if is_made(&state, me, request.year) {
                AnnualReportState::Available
            } else if posted(&state, me, request.year).next().is_some() {
                AnnualReportState::Eligible
            } else {
                AnnualReportState::Ineligible
            };
            Ok(current::AnnualReportStateResponse { state: found }.into())
        }))
        .on(by_user(|mut state, me, request: annual_reports::MarkRead, _| {
            let years = state.annual_reports.get_mut(&me);
            let read = years.and_then(|years| years.get_mut(&request.year));
            *read.ok_or_else(Error::not_found)? = true;
            Ok(Empty)
        }))
        .on(by_user(|mut state, me, request: annual_reports::Generate, call| {
            refuse_if!(posted(&state, me, request.year).next().is_none(), Error::not_found());
            if !is_made(&state, me, request.year) {
                state.annual_reports.entry(me).or_default().insert(request.year, false);
                call.set_status(StatusCode::ACCEPTED)?;
            }
            Ok(Empty)
        }))
}

/// Whether there is an account's report of a year.
fn is_made(state: &State, me: Key, year: i64) -> bool {
    state.annual_reports.get(&me).is_some_and(|years| years.contains_key(&year))
}

/// Returns the statuses that an account has posted in a year.
fn posted(state: &State, me: Key, year: i64) -> impl Iterator<Item = &Status> {
    let own = state.statuses.of(me);
    own.filter(move |status| {
        time(status.at).date().is_some_and(|(own, _, _)| i64::from(own) == year)
    })
}

fn wrapped(state: &State, me: Key, years: impl IntoIterator<Item = i64>) -> WrappedAnnualReports {
    let view = state.view(me);
    let reports: Vec<_> = years.into_iter().map(|year| report(state, me, year)).collect();
    let tops = reports.iter().flat_map(|report| {
        let top = &report.data.top_statuses;
        [&top.by_reblogs, &top.by_replies, &top.by_favourites]
    });
    let keys: BTreeSet<_> = tops.flatten().filter_map(|id| state.key(id)).collect();
    current::WrappedAnnualReports {
        annual_reports: reports,
        accounts: vec![view.account(me)],
        statuses: view.statuses(keys),
    }
    .into()
}

fn report(state: &State, me: Key, year: i64) -> AnnualReport {
    let own: Vec<_> = posted(state, me, year).collect();
    let mut months = [0_i64; 12];
    let (mut boosts, mut replies, mut polls) = (0_usize, 0_usize, 0_usize);
    for status in &own {
        if let Some((_, month, _)) = time(status.at).date()
            && let Some(count) = months.get_mut(usize::from(month).saturating_sub(1))
        {
            *count += 1;
        }
        boosts += usize::from(status.reblog_of.is_some());
        replies += usize::from(status.draft.in_reply_to.is_some());
        polls += usize::from(status.poll.is_some());
    }
    let top = |rank: fn(&Status) -> usize| {
        let best = own.iter().copied().max_by_key(|status| rank(status));
        best.filter(|best| rank(best) > 0).map(|best| state.id::<entities::Status>(best.id))
    };
    let half = own.len() / 2;
    let archetypes = [
        (boosts > half, AnnualReportArchetype::Booster),
        (replies > half, AnnualReportArchetype::Replier),
        (polls > half, AnnualReportArchetype::Pollster),
        (own.len() < 10, AnnualReportArchetype::Lurker),
    ];
    let archetype = archetypes.into_iter().find(|(is, _)| *is).map(|(_, one)| one);
    let in_month = |(month, statuses)| {
        current::AnnualReportDataTimeSeries { month, statuses, followers: 0 }.into()
    };
    let tags = own.iter().flat_map(|status| &status.tags).map(|name| (name, 1));
    let tags = ranked(tally(tags), |(_, uses)| *uses);
    let used = |(name, uses): (&String, usize)| {
        current::AnnualReportDataTopHashtags { name: name.clone(), count: count(uses) }.into()
    };
    let data = current::AnnualReportData {
        archetype: archetype.unwrap_or(AnnualReportArchetype::Oracle),
        top_statuses: current::AnnualReportDataTopStatuses {
            by_reblogs: top(|status| status.boosts.len()),
            by_replies: top(|status| status.replies.len()),
            by_favourites: top(|status| status.favourites.len()),
        }
        .into(),
        time_series: (1..).zip(months).map(in_month).collect(),
        top_hashtags: tags.into_iter().take(5).map(used).collect(),
    };
    current::AnnualReport {
        year,
        data: AnnualReportData::from(data),
        schema_version: 2,
        account_id: state.id(me),
        share_url: None,
    }
    .into()
}
