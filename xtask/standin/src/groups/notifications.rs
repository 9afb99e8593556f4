//! Notifications, one by one.

use fedispec::entities::{Account, Notification};
use fedispec::notifications;

use super::prelude::*;
use crate::store::notifications::Notification as Stored;

/// Which notifications a request asks for.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    pub(super) types: Vec<NotificationType>,
    pub(super) exclude_types: Vec<NotificationType>,
    pub(super) account: Option<Id<Account>>,
    pub(super) include_filtered: bool,
}

/// The parameters of a request for notifications, which four requests share.
macro_rules! wanted {
    ($request:ident) => {
        Wanted {
            types: $request.types,
            exclude_types: $request.exclude_types,
            account: $request.account_id,
            include_filtered: $request.include_filtered.unwrap_or(false),
        }
    };
}
pub(super) use wanted;

impl Wanted {
    /// Returns the notifications of an account that are asked for, the oldest first.
    pub(super) fn of<'s>(&'s self, state: &'s State, me: Key) -> impl Iterator<Item = &'s Stored> {
        let account = self.account.as_ref();
        state.notifications.values().filter(move |one| {
            one.to == me
                // Notifications that are held back are shown too where their sender is named.
                && (!one.filtered || self.include_filtered || account.is_some())
                && (self.types.is_empty() || self.types.contains(&one.kind))
                && !self.exclude_types.contains(&one.kind)
                && state.fits(account, one.from)
        })
    }

    /// The number of those that are newer than the last that was read, up to a limit.
    pub(super) fn unread<'s>(
        &'s self,
        state: &'s State,
        me: Key,
    ) -> impl Iterator<Item = &'s Stored> {
        let read = state.last_read_notification(me);
        self.of(state, me).filter(move |one| read.is_none_or(|read| one.id > read))
    }
}

/// How far unread notifications are counted: 100, and at most 1,000.
pub(super) fn unread_limit(limit: Option<i64>) -> usize {
    usize::try_from(limit.unwrap_or(100).clamp(1, 1000)).unwrap_or(100)
}

pub(super) const NOTIFICATIONS: Table<Stored, Notification> =
    table!(notifications, |one, me| one.to == me, |view, _, one| view.notification(one));

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, request: notifications::List, call| {
            let wanted = wanted!(request);
            let found = wanted.of(&state, me).map(|one| (one.id, one));
            Ok(state.page_of(&call, found).map(|one| Some(state.view(me).notification(one))))
        }))
        .on(handler!(one NOTIFICATIONS, notifications::Get))
        .on(by_user(|mut state, me, _: notifications::Clear, _| {
            state.notifications.retain(|_, one| one.to != me);
            Ok(Empty)
        }))
        .on(handler!(end NOTIFICATIONS, notifications::Dismiss))
        .on(handler!(end NOTIFICATIONS, notifications::DismissByBody))
        .on(by_user(|state, me, request: notifications::UnreadCount, _| {
            let wanted = wanted!(request);
            let count = count(wanted.unread(&state, me).take(unread_limit(request.limit)).count());
            Ok(current::NotificationsUnreadCountResponse { count }.into())
        }))
}
