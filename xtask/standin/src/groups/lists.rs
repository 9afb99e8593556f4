//! Lists of accounts.

use fedispec::entities::List;
use fedispec::enums::ListRepliesPolicy;
use fedispec::lists;

use super::prelude::*;
use crate::store::lists::List as Stored;

/// The greatest number of lists of an account.
const MOST: usize = 50;

pub(super) const LISTS: Table<Stored, List> =
    table!(lists, |list, me| list.owner == me, |view, _, list| view.list(list));

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(handler!(all LISTS, lists::List))
        .on(handler!(one LISTS, lists::Get))
        .on(by_user(|mut state, me, request: lists::Create, call| {
            has_title(&call, &request.title)?;
            let by_title = does(&call, Habit::ListsByTitle);
            let is_full = state.lists_of(me).count() >= MOST && !by_title;
            let full = "You have reached the maximum amount of lists";
            refuse_if!(is_full, invalid_alike(&call, full));
            let is_known = state.lists_of(me).any(|list| list.title == request.title);
            let known = "you already have a list with this title";
            refuse_if!(is_known && by_title, conflict(known));
            let [followed, list] = [ListRepliesPolicy::Followed, ListRepliesPolicy::List];
            let replies = if by_title { followed } else { list };
            Ok(LISTS.add(&mut state, me, |id, _| Stored {
                id,
                owner: me,
                title: request.title,
                replies_policy: request.replies_policy.unwrap_or(replies),
                exclusive: request.exclusive.unwrap_or(false),
                members: [].into(),
            }))
        }))
        .on(by_user(|mut state, me, request: lists::Update, call| {
            let is_nothing = request.title.is_none()
                && request.replies_policy.is_none()
                && request.exclusive.is_none();
            let told = "neither title nor replies_policy nor exclusive was set; nothing to update";
            refuse_if!(is_nothing && does(&call, Habit::TellsWhy), bad_request(told));
            let list = LISTS.find_mut(&mut state, me, &request.id)?;
            if let Some(title) = &request.title {
                has_title(&call, title)?;
            }
            set(&mut list.title, request.title);
            set(&mut list.replies_policy, request.replies_policy);
            set(&mut list.exclusive, request.exclusive);
            let key = list.id;
            LISTS.shown(&state, me, key)
        }))
        .on(handler!(end LISTS, lists::Delete))
        .on(by_user(|state, me, request: lists::Accounts, call| {
            let list = LISTS.find(&state, me, &request.id)?;
            let members = list.members.iter().map(|(account, key)| (*key, *account));
            let view = state.view(me);
            // Mastodon answers all of them where the limit is 0.
            if request.limit == Some(0) {
                return Ok(members.map(|(_, account)| view.account(account)).collect());
            }
            Ok(view.account_page(&call, members))
        }))
        .on(by_user(|mut state, me, request: lists::AddAccounts, call| {
            let list = LISTS.find(&state, me, &request.id);
            let members = list.map_err(|_| state.missing("list not found"))?.members.clone();
            let mut added = Vec::new();
            for id in &request.account_ids {
                let is_followed = |account: &Key| *account == me || state.follows(me, *account);
                let account = state.account(id).ok().map(|account| account.id).filter(is_followed);
                let missing = || state.missing(&format!("account {id} not currently followed"));
                let account = account.ok_or_else(missing)?;
                let is_taken = members.contains_key(&account) || added.contains(&account);
                refuse_if!(is_taken, invalid_alike(&call, "Account has already been taken"));
                added.push(account);
            }
            for account in added {
                let key = state.next_key();
                LISTS.find_mut(&mut state, me, &request.id)?.members.insert(account, key);
            }
            Ok(Empty)
        }))
        .on(by_user(|mut state, me, request: lists::RemoveAccounts, _| {
            let removed: Vec<_> =
                request.account_ids.iter().filter_map(|id| state.key(id)).collect();
            let list = LISTS.find_mut(&mut state, me, &request.id)?;
            list.members.retain(|account, _| !removed.contains(account));
            Ok(Empty)
        }))
}

impl View<'_> {
    pub(super) fn list(&self, list: &Stored) -> List {
        current::List {
            id: self.id(list.id),
            title: list.title.clone(),
            replies_policy: list.replies_policy.clone(),
            exclusive: list.exclusive,
        }
        .into()
    }
}

fn has_title(call: &Call, title: &str) -> Result<()> {
    let told = "list title must be provided, and must be no more than 200 chars";
    not_blank(title, malformed(call, "Title can't be blank", told))
}
