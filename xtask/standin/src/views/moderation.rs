//! Reports, blocks and accounts as moderators see them.

use fedispec::enums::AdminDomainBlockSeverity;

use super::account::role;
use super::prelude::*;
use crate::store::accounts::Role;
use crate::store::moderation::{Permission, Report, sha256};

impl View<'_> {
    /// A report as its author sees it.
    pub(crate) fn report(&self, report: &Report) -> entities::Report {
        let rules: Vec<_> = report.rules.iter().map(|id| id.as_str().into()).collect();
        let resolved = report.resolved.as_ref();
        entities::Report {
            action_taken_comment: resolved.and_then(|resolved| resolved.comment.clone()),
            ..current::Report {
                action_taken: resolved.is_some(),
                id: self.id(report.id),
                action_taken_at: resolved.map(|resolved| time(resolved.at)),
                category: report.category.clone(),
                comment: report.comment.clone(),
                created_at: time(report.at),
                forwarded: self.answered(report.forwarded, false),
                rule_ids: Some(rules).filter(|rules| !rules.is_empty()),
                status_ids: report.statuses.iter().map(|key| self.id(*key)).collect(),
                target_account: self.account(report.target),
                collection_ids: report.collections.iter().map(|key| self.id(*key)).collect(),
            }
            .into()
        }
    }

    /// A report as moderators see it.
    pub(crate) fn admin_report(&self, report: &Report) -> entities::AdminReport {
        let resolved = report.resolved.as_ref();
        let rules = self.state.rules.0.iter();
        let rules =
            rules.filter(|(key, _)| report.rules.contains(&self.id::<()>(**key).to_string()));
        entities::AdminReport {
            action_taken_comment: resolved.and_then(|resolved| resolved.comment.clone()),
            ..current::AdminReport {
                id: self.id(report.id),
                action_taken: resolved.is_some(),
                comment: report.comment.clone(),
                created_at: time(report.at),
                updated_at: time(report.updated_at),
                account: self.admin_account(report.from),
                target_account: self.admin_account(report.target),
                statuses: self.statuses(report.statuses.iter().copied()),
                action_taken_at: resolved.map(|resolved| time(resolved.at)),
                forwarded: self.answered(report.forwarded, false),
                assigned_account: report.assigned_to.map(|key| self.admin_account(key)),
                action_taken_by_account: resolved.map(|resolved| self.admin_account(resolved.by)),
                category: report.category.clone(),
                rules: rules.map(|(key, rule)| self.rule(*key, rule)).collect(),
            }
            .into()
        }
    }

    /// A value that Mastodon answers null in place of, where there is none, and GoToSocial another value.
    fn answered<T>(&self, value: Option<T>, other: T) -> Option<T> {
        value.or_else(|| self.state.does(Habit::AnswersDefaults).then_some(other))
    }

    /// An account as moderators see it.
    pub(crate) fn admin_account(&self, key: Key) -> entities::AdminAccount {
        let account = self.state.accounts.get(&key);
        let user = account.and_then(|account| account.user.as_ref());
        let done = account.map(|account| account.moderation.clone()).unwrap_or_default();
        let view = self.account(key);
        let used_at = time(account.map_or(0, |account| account.created_at));
        let ip = || current::AdminIp { ip: "127.0.0.1".to_owned(), used_at }.into();
        entities::AdminAccount {
            created_by_application_id: user.and_then(|user| user.made_by).map(|app| self.id(app)),
            ..current::AdminAccount {
                confirmed: self.answered(user.map(|user| user.confirmed), false),
                created_at: time(account.map_or(0, |account| account.created_at)),
                disabled: self.answered(user.map(|_| done.disabled), done.disabled),
                email: self.answered(user.map(|user| user.email.clone()), String::new()),
                id: self.id(key),
                silenced: done.silenced,
                suspended: done.suspended,
                username: view.username.clone(),
                account: view,
                approved: self.answered(user.map(|user| user.approved), false),
                domain: account.and_then(|account| account.domain.clone()),
                invite_request: user.and_then(|user| user.reason.clone()),
                ip: user.map(|_| "127.0.0.1".to_owned()),
                locale: user.map(|user| user.locale.clone()),
                role: self.answered(user.map(|user| role(user.role)), role(Role::User)),
                sensitized: done.sensitized,
                ips: self.answered(user.map(|_| vec![ip()]), Vec::new()),
            }
            .into()
        }
    }

    pub(crate) fn domain_block(&self, block: &Permission) -> entities::AdminDomainBlock {
        let at = time(block.at);
        // GoToSocial has but one way of blocking, and tells every comment.
        let has_severity = !self.state.does(Habit::BlocksInOneWay);
        let is = |severity| (block.severity == Some(severity) && has_severity).then(|| at.clone());
        let comment = |comment: &Option<String>| {
            let none = || self.state.does(Habit::AnswersDefaults).then(String::new);
            comment.clone().or_else(none)
        };
        entities::AdminDomainBlock {
            created_by: Some(self.id::<()>(block.by).to_string()),
            silenced_at: is(AdminDomainBlockSeverity::Silence),
            suspended_at: is(AdminDomainBlockSeverity::Suspend),
            ..current::AdminDomainBlock {
                domain: block.domain.clone(),
                id: self.id(block.id),
                obfuscate: block.obfuscate.unwrap_or(false),
                private_comment: comment(&block.private_comment),
                public_comment: comment(&block.public_comment),
                reject_media: block.reject_media,
                reject_reports: block.reject_reports,
                severity: block.severity.clone(),
                digest: sha256(&block.domain),
                created_at: at.clone(),
            }
            .into()
        }
    }

    pub(crate) fn domain_allow(&self, allow: &Permission) -> entities::AdminDomainAllow {
        entities::AdminDomainAllow {
            created_by: Some(self.id::<()>(allow.by).to_string()),
            obfuscate: allow.obfuscate.unwrap_or(false),
            public_comment: allow.public_comment.clone().unwrap_or_default(),
            private_comment: allow.private_comment.clone().unwrap_or_default(),
            ..current::AdminDomainAllow {
                domain: allow.domain.clone(),
                id: self.id(allow.id),
                created_at: time(allow.at),
            }
            .into()
        }
    }

    /// The beginnings of the last seven days, today first.
    pub(crate) fn last_days(&self) -> impl Iterator<Item = Millis> + use<> {
        let today = day_of(self.state.now());
        (0..7).map(move |back| today - back * DAY)
    }

    pub(crate) fn permission(&self, permission: &Permission) -> entities::DomainPermission {
        entities::DomainPermission {
            obfuscate: permission.obfuscate.or(Some(false)),
            private_comment: Some(permission.private_comment.clone().unwrap_or_default()),
            public_comment: Some(permission.public_comment.clone().unwrap_or_default()),
            permission_type: permission.kind.clone(),
            ..current::DomainPermission {
                created_at: time(permission.at),
                created_by: self.id::<()>(permission.by).to_string(),
                domain: permission.domain.clone(),
                id: self.id(permission.id),
            }
            .into()
        }
    }
}
