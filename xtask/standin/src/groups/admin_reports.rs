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
            app.page_of(&REPORTS, &call, |state, report| {
                report.resolved.is_some() == resolved
                    && state.fits(request.account_id.as_ref(), report.from)
                    && state.fits(request.target_account_id.as_ref(), report.target)
            })
        })
        .on(async |app: App, request: admin_reports::Get, call| {
            app.change_report(&request.id, &call, |_, _, _| {})
        })
        .on(async |app: App, request: admin_reports::Update, call| {
            app.change_report(&request.id, &call, |report, _, _| {
                set(&mut report.category, request.category);
                let rules = request.rule_ids.iter().map(ToString::to_string);
                set_list(&mut report.rules, rules.collect());
            })
        })
        .on(async |app: App, request: admin_reports::AssignToSelf, call| {
            app.change_report(&request.id, &call, |report, me, _| {
                report.assigned_to = Some(me);
            })
        })
        .on(async |app: App, request: admin_reports::Unassign, call| {
            app.change_report(&request.id, &call, |report, _, _| report.assigned_to = None)
        })
        .on(async |app: App, request: admin_reports::Resolve, call| {
            app.change_report(&request.id, &call, |report, by, at| {
                let comment = request.action_taken_comment;
                report.resolved = Some(Resolved { by, at, comment });
            })
        })
        .on(async |app: App, request: admin_reports::Reopen, call| {
            app.change_report(&request.id, &call, |report, _, _| report.resolved = None)
        })
}

impl App {
    fn change_report(
        &self,
        id: &Id<Report>,
        call: &Call,
        change: impl FnOnce(&mut Stored, Key, i64),
    ) -> Result<AdminReport> {
        let (mut state, me) = self.user(call)?;
        let now = state.now();
        let report = REPORTS.find_mut(&mut state, me, id)?;
        change(report, me, now);
        report.updated_at = now;
        let key = report.id;
        REPORTS.shown(&state, me, key)
    }
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
