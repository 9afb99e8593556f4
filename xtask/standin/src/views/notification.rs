//! Notifications, one by one and in groups.

use super::prelude::*;
use crate::collect::push_new;
use crate::store::notifications::{Notification, Policy, Request};

impl View<'_> {
    pub(crate) fn notification(&self, one: &Notification) -> entities::Notification {
        let report = one.report.and_then(|key| self.state.moderated.reports.get(&key));
        let status = one.status.and_then(|key| self.state.statuses.get(&key));
        entities::Notification {
            status: status.map(|status| self.state.view(one.to).status_of(status)),
            report: report.map(|report| self.report(report)),
            filtered: one.filtered,
            ..current::Notification {
                account: self.account(one.from),
                created_at: time(one.at),
                id: self.id(one.id),
                r#type: one.kind.clone(),
                group_key: one.group_key(self.state),
            }
            .into()
        }
    }

    /// A group of notifications, the newest first; all of one kind. A group that is not open has the key of its only notification.
    pub(crate) fn group(
        &self,
        is_open: bool,
        members: &[&Notification],
    ) -> Option<entities::NotificationGroup> {
        let (newest, oldest) = (members.first()?, members.last()?);
        let key = if is_open { newest.group_key(self.state) } else { newest.own_key(self.state) };
        let mut senders: Vec<Key> = Vec::new();
        for member in members {
            push_new(&mut senders, member.from);
        }
        senders.truncate(SAMPLE);
        let report = newest.report.and_then(|key| self.state.moderated.reports.get(&key));
        Some(entities::NotificationGroup {
            page_min_id: Some(self.id(oldest.id)),
            page_max_id: Some(self.id(newest.id)),
            latest_page_notification_at: Some(time(newest.at)),
            status_id: newest.status.map(|key| self.id(key)),
            report: report.map(|report| self.report(report)),
            ..current::NotificationGroup {
                group_key: key,
                notifications_count: count(members.len()),
                r#type: newest.kind.clone(),
                most_recent_notification_id: self.id(newest.id),
                sample_account_ids: senders.into_iter().map(|key| self.id(key)).collect(),
            }
            .into()
        })
    }

    pub(crate) fn policy(&self, of: Key) -> entities::NotificationPolicy {
        let default = Policy::default();
        let policy = self.state.policies.get(&of).unwrap_or(&default);
        let (notifications, requests) = self.pending(of);
        current::NotificationPolicy {
            for_limited_accounts: policy.limited_accounts.clone(),
            for_not_followers: policy.not_followers.clone(),
            for_not_following: policy.not_following.clone(),
            for_private_mentions: policy.private_mentions.clone(),
            summary: current::NotificationPolicySummary {
                pending_notifications_count: notifications,
                pending_requests_count: requests,
            }
            .into(),
            for_new_accounts: policy.new_accounts.clone(),
            for_bots: policy.bots.clone(),
        }
        .into()
    }

    /// The numbers of notifications that are held back, and of requests that they make.
    pub(crate) fn pending(&self, of: Key) -> (i64, i64) {
        let held = self.state.notifications.values();
        let held = held.filter(|one| one.filtered && one.to == of).count();
        let requests = self.state.requests.values().filter(|one| one.to == of).count();
        (count(held), count(requests))
    }

    pub(crate) fn request(&self, request: &Request) -> entities::NotificationRequest {
        let held: Vec<_> = self.state.held_back(request.to, request.from).collect();
        let mut statuses =
            held.iter().rev().filter_map(|one| self.state.statuses.get(&one.status?));
        let last = statuses.next();
        current::NotificationRequest {
            account: self.account(request.from),
            id: self.id(request.id),
            notifications_count: held.len().to_string(),
            updated_at: time(request.updated_at),
            created_at: time(request.id.created_at()),
            last_status: last.map(|status| self.state.view(request.to).status_of(status)),
        }
        .into()
    }
}

/// The greatest number of accounts that a group names.
const SAMPLE: usize = 8;
