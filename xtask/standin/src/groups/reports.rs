//! Reports to moderators.

use fedispec::entities::Report;
use fedispec::enums::ReportCategory;
use fedispec::reports;

use super::prelude::*;
use crate::store::moderation::Report as Stored;

const REPORTS: Table<Stored, Report> =
    table!(moderated.reports, |report, me| report.from == me, |view, _, report| view
        .report(report));

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|mut state, me, request: reports::Create, call| {
            let account = &request.account_id;
            let missing =
                |error, told: String| told_or(&call, StatusCode::BAD_REQUEST, &told, error);
            let target = state.account(account).map_err(|error| {
                missing(error, format!("account with ID {account} does not exist"))
            })?;
            let target = target.id;
            let comment = request.comment.unwrap_or_default();
            let mut statuses = Vec::new();
            for id in &request.status_ids {
                let status = state.status(id, Some(me)).ok();
                let status = status.filter(|status| status.account == target);
                let told = || format!("status with ID {id} does not belong to account {account}");
                let status = status.ok_or_else(|| missing(Error::not_found(), told()))?;
                statuses.push(status.id);
            }
            let (id, at) = (state.next_key(), state.now());
            let rules: Vec<_> = request.rule_ids.iter().map(ToString::to_string).collect();
            // Rules make it a violation in Mastodon; GoToSocial has no categories.
            let category = match request.category {
                _ if does(&call, Habit::ReportsWithoutCategory) => ReportCategory::Other,
                Some(category) if rules.is_empty() => category,
                None if rules.is_empty() => ReportCategory::Other,
                _ => ReportCategory::Violation,
            };
            let report = Stored {
                id,
                from: me,
                target,
                category,
                comment,
                // Mastodon stores what was sent.
                forwarded: if state.is_local(target) { Some(false) } else { request.forward },
                statuses,
                rules,
                collections: request.collection_ids.iter().filter_map(|id| state.key(id)).collect(),
                at,
                updated_at: at,
                assigned_to: None,
                resolved: None,
            };
            let view = state.view(me).report(&report);
            state.moderated.reports.insert(id, report);
            state.notify_moderators(me, id);
            Ok(view)
        }))
        .on(async |app: App, request: reports::List, call| {
            REPORTS.page(&app, &call, |state, report| {
                request.resolved.is_none_or(|resolved| resolved == report.resolved.is_some())
                    && state.fits(request.target_account_id.as_ref(), report.target)
            })
        })
        .on(handler!(one REPORTS, reports::Get))
}
