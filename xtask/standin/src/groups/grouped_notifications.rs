//! Notifications, those alike grouped.

use fedispec::entities::GroupedNotificationsResults;
use fedispec::enums::ExpandAccounts;
use fedispec::grouped_notifications;

use super::notifications::{NOTIFICATIONS, Wanted, unread_limit, wanted};
use super::prelude::*;
use crate::store::notifications::Notification as Stored;
use crate::views::reshaped;

/// The notifications of a group, the newest first, and whether others could join them.
type Group<'s> = (bool, Vec<&'s Stored>);

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, request: grouped_notifications::List, call| {
            let wanted = wanted!(request);
            let newest_first = wanted.of(&state, me).collect::<Vec<_>>();
            let groups = groups(newest_first.into_iter().rev(), &request.grouped_types);
            let keyed = groups.iter().filter_map(|group| Some((group.1.first()?.id, group)));
            let shown = state.page_of(&call, keyed).map(Some);
            let expand = request.expand_accounts.as_ref();
            let results = results(&state, me, shown.iter().copied(), expand)?;
            // The answer is no list, so that the links are set by hand.
            call.set_links(&shown);
            Ok(results)
        }))
        .on(by_user(|state, me, request: grouped_notifications::Get, _| {
            let group = group(&state, me, &request.group_key)?;
            let mut results = results(&state, me, [&group], None)?;
            for group in &mut results.notification_groups {
                // These are of a page, which this is not.
                group.page_min_id = None;
                group.page_max_id = None;
                group.latest_page_notification_at = None;
            }
            Ok(results)
        }))
        .on(by_user(|mut state, me, request: grouped_notifications::Dismiss, _| {
            // As in Mastodon a group that is not there is no error.
            let members: Vec<Key> = match group(&state, me, &request.group_key) {
                Ok((_, members)) => members.iter().map(|one| one.id).collect(),
                Err(_) => Vec::new(),
            };
            state.notifications.retain(|id, _| !members.contains(id));
            Ok(Empty)
        }))
        .on(by_user(|state, me, request: grouped_notifications::Accounts, call| {
            let (_, members) = group(&state, me, &request.group_key)?;
            let mut senders = BTreeSet::new();
            let members = members.iter().filter(|one| senders.insert(one.from));
            Ok(state.view(me).account_page(&call, members.map(|one| (one.id, one.from))))
        }))
        .on(by_user(|state, me, request: grouped_notifications::UnreadCount, _| {
            let wanted = wanted!(request);
            let unread = wanted.unread(&state, me);
            let groups = groups(unread, &request.grouped_types);
            let count = count(groups.len().min(unread_limit(request.limit)));
            Ok(current::GroupedNotificationsUnreadCountResponse { count }.into())
        }))
        .on(by_user(|mut state, me, _: grouped_notifications::Clear, _| {
            state.notifications.retain(|_, one| one.to != me);
            Ok(Empty)
        }))
}

/// The groups of notifications, in the order of their first ones. Only what `grouped` has is grouped, or what can be where that is empty.
fn groups<'s>(
    notifications: impl Iterator<Item = &'s Stored>,
    grouped: &[NotificationType],
) -> Vec<Group<'s>> {
    let mut groups: Vec<Group<'s>> = Vec::new();
    let mut places = BTreeMap::new();
    for one in notifications {
        let alike = one.alike().filter(|_| grouped.is_empty() || grouped.contains(&one.kind));
        let last = groups.len();
        let place = alike.map_or(last, |alike| *places.entry(alike).or_insert(last));
        match groups.get_mut(place) {
            Some((_, members)) => members.push(one),
            None => groups.push((alike.is_some(), vec![one])),
        }
    }
    groups
}

/// The group of a key, with all its notifications.
fn group<'s>(state: &'s State, me: Key, key: &str) -> Result<Group<'s>> {
    if let Some(id) = key.strip_prefix("ungrouped-") {
        let one = NOTIFICATIONS.find(state, me, &Id::<()>::new(id))?;
        return Ok((false, vec![one]));
    }
    let all = state.notifications.values().rev().filter(|one| one.to == me);
    let alike = all.filter(|one| one.alike().is_some() && one.group_key(state) == key);
    let members: Vec<_> = alike.collect();
    refuse_if!(members.is_empty(), Error::not_found());
    Ok((true, members))
}

/// Groups with the accounts and statuses that they name, each once.
fn results<'g>(
    state: &State,
    me: Key,
    groups: impl IntoIterator<Item = &'g Group<'g>>,
    expand: Option<&ExpandAccounts>,
) -> Result<GroupedNotificationsResults> {
    let is_partial = expand == Some(&ExpandAccounts::PartialAvatars);
    let mut views = Vec::new();
    let (mut whole, mut partial) = (Vec::new(), Vec::new());
    let mut statuses: Vec<Key> = Vec::new();
    for (is_open, members) in groups {
        let Some(view) = state.view(me).group(*is_open, members) else {
            continue;
        };
        let mut shown = BTreeSet::new();
        for (place, id) in view.sample_account_ids.iter().enumerate() {
            let Some(sender) = state.key(id).filter(|sender| shown.insert(*sender)) else {
                continue;
            };
            let to = if is_partial && place > 0 { &mut partial } else { &mut whole };
            push_new(to, sender);
        }
        for status in members.iter().filter_map(|one| one.status) {
            push_new(&mut statuses, status);
        }
        views.push(view);
    }
    partial.retain(|sender| !whole.contains(sender));
    let statuses = statuses.iter().filter_map(|key| state.statuses.get(key));
    let partial = partial.into_iter().map(|sender| reshaped(state.view(me).account(sender)));
    Ok(GroupedNotificationsResults {
        partial_accounts: partial.collect::<Result<_>>()?,
        ..current::GroupedNotificationsResults {
            accounts: whole.into_iter().map(|sender| state.view(me).account(sender)).collect(),
            statuses: statuses.map(|status| state.view(me).status_of(status)).collect(),
            notification_groups: views,
        }
        .into()
    })
}
