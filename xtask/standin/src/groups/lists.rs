//! Lists of accounts.

use fedispec::entities::{Account, List};
use fedispec::enums::ListRepliesPolicy;
use fedispec::runtime::{self, Empty, Page};
use fedispec::server::{self, Call, Error, Id, Result, StatusCode};
use fedispec::{lists, required};

use super::support::{invalid, is_gotosocial, malformed};
use crate::app::App;
use crate::store::lists::List as Stored;
use crate::store::{Key, State};
use crate::views::View;

/// The greatest number of lists of an account.
const MOST: usize = 50;

impl server::Lists for App {
    async fn list(&self, _: lists::List, call: Call) -> Result<runtime::List<List>> {
        let (state, me) = self.user(&call)?;
        let lists = state.lists_of(me);
        Ok(lists.map(|list| state.view(me).list(list)).collect())
    }

    async fn get(&self, request: lists::Get, call: Call) -> Result<List> {
        let (state, me) = self.user(&call)?;
        let list = own(&state, me, &request.id)?;
        Ok(state.view(me).list(list))
    }

    async fn create(&self, request: lists::Create, call: Call) -> Result<List> {
        let (mut state, me) = self.user(&call)?;
        has_title(&call, &request.title)?;
        if state.lists_of(me).count() >= MOST && !is_gotosocial(&call) {
            let told = "You have reached the maximum amount of lists";
            return Err(invalid(&call, told, told));
        }
        let list = Stored {
            id: state.next_key(),
            owner: me,
            title: request.title,
            replies_policy: request.replies_policy.unwrap_or(ListRepliesPolicy::List),
            exclusive: request.exclusive.unwrap_or(false),
            members: [].into(),
        };
        let view = state.view(me).list(&list);
        state.lists.insert(list.id, list);
        Ok(view)
    }

    async fn update(&self, request: lists::Update, call: Call) -> Result<List> {
        let (mut state, me) = self.user(&call)?;
        let mut list = own(&state, me, &request.id)?.clone();
        has_title(&call, &request.title)?;
        list.title = request.title;
        list.replies_policy = request.replies_policy.unwrap_or(list.replies_policy);
        list.exclusive = request.exclusive.unwrap_or(list.exclusive);
        let view = state.view(me).list(&list);
        state.lists.insert(list.id, list);
        Ok(view)
    }

    async fn delete(&self, request: lists::Delete, call: Call) -> Result<Empty> {
        let (mut state, me) = self.user(&call)?;
        let id = own(&state, me, &request.id)?.id;
        state.lists.remove(&id);
        Ok(Empty)
    }

    async fn accounts(&self, request: lists::Accounts, call: Call) -> Result<Page<Account>> {
        let (state, me) = self.user(&call)?;
        let list = own(&state, me, &request.id)?;
        let members = list.members.iter().map(|(account, key)| (*key, *account));
        let view = state.view(me);
        // Mastodon answers all of them where the limit is 0.
        if request.limit == Some(0) {
            return Ok(members.map(|(_, account)| view.account(account)).collect());
        }
        let page = state.page_of(&call, (40, 80), members);
        Ok(page.map(|account| Some(view.account(account))))
    }

    async fn add_accounts(&self, request: lists::AddAccounts, call: Call) -> Result<Empty> {
        let (mut state, me) = self.user(&call)?;
        let id = own(&state, me, &request.id)?.id;
        let mut added = Vec::new();
        for account in &request.account_ids {
            let account = state.account(account)?.id;
            if account != me && !state.follows(me, account) {
                return Err(if is_gotosocial(&call) {
                    let told =
                        format!("Not Found: you do not follow account {}", state.id::<()>(account));
                    Error::new(StatusCode::NOT_FOUND, told)
                } else {
                    Error::not_found()
                });
            }
            let list = state.lists.get(&id);
            let is_member = list.is_some_and(|list| list.members.contains_key(&account));
            if is_member || added.contains(&account) {
                let told = "Account has already been taken";
                return Err(invalid(&call, told, told));
            }
            added.push(account);
        }
        for account in added {
            let key = state.next_key();
            if let Some(list) = state.lists.get_mut(&id) {
                list.members.insert(account, key);
            }
        }
        Ok(Empty)
    }

    async fn remove_accounts(&self, request: lists::RemoveAccounts, call: Call) -> Result<Empty> {
        let (mut state, me) = self.user(&call)?;
        let id = own(&state, me, &request.id)?.id;
        let removed: Vec<_> = request.account_ids.iter().filter_map(|id| state.key(id)).collect();
        if let Some(list) = state.lists.get_mut(&id) {
            list.members.retain(|account, _| !removed.contains(account));
        }
        Ok(Empty)
    }
}

impl View<'_> {
    pub(super) fn list(&self, list: &Stored) -> List {
        List {
            replies_policy: list.replies_policy.clone(),
            exclusive: list.exclusive,
            ..required::List { id: self.id(list.id), title: list.title.clone() }.into()
        }
    }
}

/// A list of the caller.
fn own<'s>(state: &'s State, me: Key, id: &Id<List>) -> Result<&'s Stored> {
    let list = state.key(id).and_then(|key| state.lists.get(&key));
    list.filter(|list| list.owner == me).ok_or_else(Error::not_found)
}

fn has_title(call: &Call, title: &str) -> Result<()> {
    if title.trim().is_empty() {
        let told = "list title must be provided, and must be no more than 200 chars";
        return Err(malformed(call, "Title can't be blank", told));
    }
    Ok(())
}
