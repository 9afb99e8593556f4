//! Reports as moderators see them.

use fedispec::admin_reports;
use fedispec::entities::{AdminReport, Report};
use fedispec::server::{AdminReports, Call, Error, Id, Page, Result};

use crate::app::App;
use crate::store::moderation::{Report as Stored, Resolved};
use crate::store::{Key, State};

impl AdminReports for App {
    async fn list(&self, request: admin_reports::List, call: Call) -> Result<Page<AdminReport>> {
        let (state, me) = self.user(&call)?;
        let from = request.account_id.as_ref().map(|id| state.key(id));
        let target = request.target_account_id.as_ref().map(|id| state.key(id));
        // Those that are open, unless those that are resolved are asked for.
        let resolved = request.resolved.unwrap_or(false) && request.unresolved != Some(true);
        let found = state.moderated.reports.values().filter(|report| {
            report.resolved.is_some() == resolved
                && from.is_none_or(|from| from == Some(report.from))
                && target.is_none_or(|target| target == Some(report.target))
        });
        let page = state.page_of(&call, (100, 200), found.map(|report| (report.id, report)));
        Ok(page.map(|report| Some(state.view(me).admin_report(report))))
    }

    async fn get(&self, request: admin_reports::Get, call: Call) -> Result<AdminReport> {
        self.change_report(&request.id, &call, |_, _, _| {})
    }

    async fn update(&self, request: admin_reports::Update, call: Call) -> Result<AdminReport> {
        self.change_report(&request.id, &call, |report, _, _| {
            if let Some(category) = request.category {
                report.category = category;
            }
            if !request.rule_ids.is_empty() {
                report.rules = request.rule_ids.iter().map(ToString::to_string).collect();
            }
        })
    }

    async fn assign_to_self(
        &self,
        request: admin_reports::AssignToSelf,
        call: Call,
    ) -> Result<AdminReport> {
        self.change_report(&request.id, &call, |report, me, _| {
            report.assigned_to = Some(me);
        })
    }

    async fn unassign(&self, request: admin_reports::Unassign, call: Call) -> Result<AdminReport> {
        self.change_report(&request.id, &call, |report, _, _| report.assigned_to = None)
    }

    async fn resolve(&self, request: admin_reports::Resolve, call: Call) -> Result<AdminReport> {
        self.change_report(&request.id, &call, |report, by, at| {
            let comment = request.action_taken_comment;
            report.resolved = Some(Resolved { by, at, comment });
        })
    }

    async fn reopen(&self, request: admin_reports::Reopen, call: Call) -> Result<AdminReport> {
        self.change_report(&request.id, &call, |report, _, _| report.resolved = None)
    }
}

impl App {
    fn change_report(
        &self,
        id: &Id<Report>,
        call: &Call,
        change: impl FnOnce(&mut Stored, Key, i64),
    ) -> Result<AdminReport> {
        let (mut state, me) = self.user(call)?;
        let (key, now) = (state.key(id), state.now());
        let report = key.and_then(|key| state.moderated.reports.get_mut(&key));
        let report = report.ok_or_else(Error::not_found)?;
        change(report, me, now);
        report.updated_at = now;
        let report = report.clone();
        Ok(state.view(me).admin_report(&report))
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
