//! Reports as moderators see them.

use fedispec::admin_reports;
use fedispec::entities::{AdminReport, Report};

use super::prelude::*;
use crate::store::moderation::{Report as Stored, Resolved};

const REPORTS: Table<Stored, AdminReport> =
    table!(moderated.reports, |view, _, report| view.admin_report(report));

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, request: admin_reports::List, call| {
            // Open reports are answered, unless the resolved ones are asked for.
            let resolved = request.resolved.unwrap_or(false) && request.unresolved != Some(true);
            REPORTS.page(&app, &call, |state, report| {
                report.resolved.is_some() == resolved
                    && state.fits(request.account_id.as_ref(), report.from)
                    && state.fits(request.target_account_id.as_ref(), report.target)
            })
        })
        .on(handler!(one REPORTS, admin_reports::Get))
        .on(by_user(|mut state, me, request: admin_reports::Update, _| {
            let rules = request.rule_ids.iter().map(ToString::to_string).collect();
            change(&mut state, me, &request.id, |report, _| {
                set(&mut report.category, request.category);
                set_list(&mut report.rules, rules);
            })
        }))
        .on(act!(change, admin_reports::AssignToSelf, |report, me| report.assigned_to = Some(me)))
        .on(act!(change, admin_reports::Unassign, |report, _| report.assigned_to = None))
        .on(by_user(|mut state, me, request: admin_reports::Resolve, _| {
            let key = REPORTS.key(&state, me, &request.id)?;
            state.resolve_report(key, me, request.action_taken_comment);
            REPORTS.shown(&state, me, key)
        }))
        .on(act!(change, admin_reports::Reopen, |report, _| report.resolved = None))
}

fn change(
    state: &mut State,
    me: Key,
    id: &Id<Report>,
    change: impl FnOnce(&mut Stored, Key),
) -> Result<AdminReport> {
    let now = state.now();
    let report = REPORTS.find_mut(state, me, id)?;
    change(report, me);
    report.updated_at = now;
    let key = report.id;
    REPORTS.shown(state, me, key)
}

impl State {
    /// Ends a report, if there is such a one.
    pub(super) fn resolve_report(&mut self, key: Key, by: Key, comment: Option<String>) {
        let at = self.now();
        if let Some(report) = self.moderated.reports.get_mut(&key) {
            report.resolved = Some(Resolved { by, at, comment });
            report.updated_at = at;
        }
    }
}
