//! Notifications, the policy that holds some of them back, and the requests that those become.

use fedispec::enums::NotificationPolicyValue;

use super::prelude::*;

const HOUR: Millis = 3_600_000;

/// A notification.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Notification {
    pub(crate) id: Key,
    /// Whom it is for.
    pub(crate) to: Key,
    pub(crate) kind: NotificationType,
    /// The account that caused it.
    pub(crate) from: Key,
    pub(crate) status: Option<Key>,
    #[serde(default)]
    pub(crate) report: Option<Key>,
    pub(crate) at: Millis,
    /// Whether the policy holds it back.
    #[serde(default)]
    pub(crate) filtered: bool,
}

impl Notification {
    /// The kind, the status and the hour that those of a group share; none of a kind that is not grouped.
    pub(crate) fn alike(&self) -> Option<(&str, Option<Key>, Millis)> {
        let status = match &self.kind {
            NotificationType::Favourite | NotificationType::Reblog => Some(self.status?),
            NotificationType::Follow | NotificationType::AdminSignUp => None,
            _ => return None,
        };
        Some((self.kind.as_str(), status, self.at.div_euclid(HOUR)))
    }

    /// The key of its group.
    pub(crate) fn group_key(&self, state: &State) -> String {
        match self.alike() {
            Some((kind, Some(status), hour)) => {
                format!("{kind}-{}-{hour}", state.id::<()>(status))
            }
            Some((kind, None, hour)) => format!("{kind}-{hour}"),
            None => self.own_key(state),
        }
    }

    /// The key of a group that has nothing else.
    pub(crate) fn own_key(&self, state: &State) -> String {
        format!("ungrouped-{}", state.id::<()>(self.id))
    }
}

/// A notification policy: each value says what is done with notifications of one kind of sender.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Policy {
    pub(crate) not_following: NotificationPolicyValue,
    pub(crate) not_followers: NotificationPolicyValue,
    pub(crate) new_accounts: NotificationPolicyValue,
    pub(crate) private_mentions: NotificationPolicyValue,
    pub(crate) limited_accounts: NotificationPolicyValue,
    pub(crate) bots: NotificationPolicyValue,
    /// Senders whose requests were accepted.
    #[serde(default)]
    pub(crate) accepted: BTreeSet<Key>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            not_following: NotificationPolicyValue::Accept,
            not_followers: NotificationPolicyValue::Accept,
            new_accounts: NotificationPolicyValue::Accept,
            private_mentions: NotificationPolicyValue::Filter,
            limited_accounts: NotificationPolicyValue::Filter,
            bots: NotificationPolicyValue::Accept,
            accepted: BTreeSet::new(),
        }
    }
}

/// The notifications of a sender that were held back.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) id: Key,
    pub(crate) to: Key,
    pub(crate) from: Key,
    pub(crate) updated_at: Millis,
}

impl State {
    /// Notifies an account of what another has done, unless it is the same, not a user's, or does not want to hear of it.
    pub(crate) fn notify(
        &mut self,
        to: Key,
        kind: NotificationType,
        from: Key,
        status: Option<Key>,
    ) {
        self.notify_of(to, kind, from, status, None);
    }

    /// Notifies the moderators of a report.
    pub(crate) fn notify_moderators(&mut self, from: Key, report: Key) {
        let may = |account: &&super::accounts::Account| account.role().may("manage_reports");
        let moderators: Vec<_> = self.users().filter(may).map(|account| account.id).collect();
        for to in moderators {
            self.notify_of(to, NotificationType::AdminReport, from, None, Some(report));
        }
    }

    fn notify_of(
        &mut self,
        to: Key,
        kind: NotificationType,
        from: Key,
        status: Option<Key>,
        report: Option<Key>,
    ) {
        let is_user = self.accounts.get(&to).is_some_and(|to| to.user.is_some());
        let is_muted = self.mute(to, from).is_some_and(|mute| mute.notifications);
        let tells_of_own = matches!(kind, NotificationType::Poll | NotificationType::AdminReport);
        if to == from && !tells_of_own {
            return;
        }
        if !is_user || is_muted || self.blocks(to, from) || self.blocks_domain_of(to, from) {
            return;
        }
        let judged = self.judge(to, &kind, from, status);
        if judged == NotificationPolicyValue::Drop {
            return;
        }
        let filtered = judged == NotificationPolicyValue::Filter;
        let (id, at) = (self.next_key(), self.now());
        let notification = Notification { id, to, kind, from, status, report, at, filtered };
        self.notifications.insert(id, notification);
        if filtered {
            self.request(to, from, at);
        } else {
            self.publish(&Happening::Notified(id));
        }
    }

    /// The strictest of what an account's policy says of a sender.
    fn judge(
        &self,
        to: Key,
        kind: &NotificationType,
        from: Key,
        status: Option<Key>,
    ) -> NotificationPolicyValue {
        let Some(sender) = self.accounts.get(&from) else {
            return NotificationPolicyValue::Drop;
        };
        let is_filterable = matches!(
            kind,
            NotificationType::Favourite
                | NotificationType::Follow
                | NotificationType::FollowRequest
                | NotificationType::Mention
                | NotificationType::Reblog
                | NotificationType::Quote
        );
        let default = Policy::default();
        let policy = self.policies.get(&to).unwrap_or(&default);
        if !is_filterable || to == from || policy.accepted.contains(&from) {
            return NotificationPolicyValue::Accept;
        }
        let is_followed = self.follows(to, from);
        let status = status.and_then(|key| self.statuses.get(&key));
        let is_private = status.is_some_and(|status| {
            status.draft.visibility == Visibility::Direct && self.answered(status) != Some(to)
        });
        let is_mention = *kind == NotificationType::Mention;
        let rules = [
            (!is_followed, &policy.not_following),
            (!self.follows(from, to), &policy.not_followers),
            (!is_followed && self.now() - sender.created_at < 30 * DAY, &policy.new_accounts),
            (!is_followed && is_mention && is_private, &policy.private_mentions),
            (!is_followed && sender.moderation.silenced, &policy.limited_accounts),
            (!is_followed && sender.profile.bot, &policy.bots),
        ];
        let says = |value: &NotificationPolicyValue| {
            rules.iter().any(|(applies, own)| *applies && *own == value)
        };
        let strictest = [NotificationPolicyValue::Drop, NotificationPolicyValue::Filter];
        let found = strictest.into_iter().find(says);
        found.unwrap_or(NotificationPolicyValue::Accept)
    }

    /// Adds to the request of a sender.
    fn request(&mut self, to: Key, from: Key, at: Millis) {
        let mut own = self.requests.values_mut();
        if let Some(request) = own.find(|one| (one.to, one.from) == (to, from)) {
            request.updated_at = at;
            return;
        }
        let id = self.next_key();
        let request = Request { id, to, from, updated_at: at };
        self.requests.insert(id, request);
    }

    /// The notifications that a request stands for.
    pub(crate) fn held_back(&self, to: Key, from: Key) -> impl Iterator<Item = &Notification> {
        let all = self.notifications.values();
        all.filter(move |one| one.filtered && (one.to, one.from) == (to, from))
    }

    /// Lets the notifications of a request through, and all that come from its sender.
    pub(crate) fn accept_request(&mut self, request: &Request) {
        let (to, from) = (request.to, request.from);
        self.policies.entry(to).or_default().accepted.insert(from);
        for one in self.notifications.values_mut() {
            if (one.to, one.from) == (to, from) {
                one.filtered = false;
            }
        }
        self.requests.remove(&request.id);
        self.publish(&Happening::Merged(to));
    }

    /// Removes a request with its notifications.
    pub(crate) fn dismiss_request(&mut self, request: &Request) {
        let (to, from) = (request.to, request.from);
        self.notifications.retain(|_, one| !(one.filtered && (one.to, one.from) == (to, from)));
        self.requests.remove(&request.id);
    }
}
