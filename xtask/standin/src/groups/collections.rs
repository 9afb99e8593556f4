//! Collections of accounts.

use fedispec::collections;
use fedispec::entities::CollectionItem;
use fedispec::enums::CollectionItemState;

use super::prelude::*;
use crate::store::collections::{Collection, Item};

/// The greatest number of accounts of a collection, and of characters of its name.
const MOST: usize = 25;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|mut state, me, request: collections::Create, call| {
            has_name(&call, &request.name)?;
            let mut collection = Collection {
                id: state.next_key(),
                owner: me,
                name: request.name,
                description: request.description,
                language: request.language,
                tag: request.tag_name.map(|tag| tag.trim_start_matches('#').to_lowercase()),
                sensitive: request.sensitive,
                discoverable: request.discoverable,
                updated_at: state.now(),
                items: Vec::new(),
            };
            for account in &request.account_ids {
                let account = state.account(account)?.id;
                add(&mut state, &mut collection, account, &call)?;
            }
            let view = state.view(me).collection(&collection);
            let added: Vec<_> = collection.items.iter().map(|item| item.account).collect();
            state.collections.insert(collection.id, collection);
            for account in added {
                state.notify(account, NotificationType::AddedToCollection, me, None);
            }
            Ok(current::WrappedCollection { collection: view }.into())
        }))
        .on(by_viewer(|state, viewer, request: collections::Get, _| {
            let key = state.key(&request.id);
            let one = key.and_then(|key| state.collections.get(&key));
            let one = one.ok_or_else(Error::not_found)?;
            let view = state.view(viewer);
            let accounts =
                std::iter::once(one.owner).chain(one.items.iter().map(|item| item.account));
            let answer = current::CollectionWithAccounts {
                accounts: view.accounts(accounts),
                collection: view.collection(one),
            };
            Ok(answer.into())
        }))
        .on(by_user(|mut state, me, request: collections::Update, call| {
            let mut one = own(&state, me, &request.id)?.clone();
            if let Some(name) = request.name {
                has_name(&call, &name)?;
                one.name = name;
            }
            one.description = request.description.or(one.description);
            one.language = request.language.or(one.language);
            one.tag =
                request.tag_name.map(|tag| tag.trim_start_matches('#').to_lowercase()).or(one.tag);
            one.sensitive = request.sensitive.unwrap_or(one.sensitive);
            one.discoverable = request.discoverable.unwrap_or(one.discoverable);
            one.updated_at = state.now();
            let view = state.view(me).collection(&one);
            state.collections.insert(one.id, one);
            Ok(current::WrappedCollection { collection: view }.into())
        }))
        .on(by_user(|mut state, me, request: collections::Delete, _| {
            let id = own(&state, me, &request.id)?.id;
            state.collections.remove(&id);
            Ok(Empty)
        }))
        .on(by_user(|mut state, me, request: collections::AddItem, call| {
            let mut one = own(&state, me, &request.collection_id)?.clone();
            let account = state.account(&request.account_id)?.id;
            add(&mut state, &mut one, account, &call)?;
            let item = one.items.last().map(|item| state.view(me).collection_item(item));
            state.collections.insert(one.id, one);
            state.notify(account, NotificationType::AddedToCollection, me, None);
            let collection_item = item.ok_or_else(Error::internal)?;
            Ok(current::WrappedCollectionItem { collection_item }.into())
        }))
        .on(by_user(|mut state, me, request: collections::RemoveItem, _| {
            let id = own(&state, me, &request.collection_id)?.id;
            let item = state.key(&request.id);
            let one = state.collections.get_mut(&id).ok_or_else(Error::not_found)?;
            let before = one.items.len();
            one.items.retain(|own| Some(own.id) != item);
            refuse_if!(one.items.len() == before, Error::not_found());
            Ok(Empty)
        }))
        .on(by_user(|mut state, me, request: collections::RevokeItem, _| {
            let (key, item) = (state.key(&request.collection_id), state.key(&request.id));
            let one = key.and_then(|key| state.collections.get_mut(&key));
            let mut items = one.into_iter().flat_map(|one| &mut one.items);
            // Only who is in it can take themselves out.
            let item = items.find(|own| Some(own.id) == item && own.account == me);
            item.ok_or_else(Error::not_found)?.state = CollectionItemState::Revoked;
            Ok(Empty)
        }))
}

/// A collection of the caller.
fn own<'s>(state: &'s State, me: Key, id: &Id<entities::Collection>) -> Result<&'s Collection> {
    let one = state.key(id).and_then(|key| state.collections.get(&key));
    let one = one.ok_or_else(Error::not_found)?;
    if one.owner == me { Ok(one) } else { Err(Error::forbidden()) }
}

fn add(state: &mut State, to: &mut Collection, account: Key, call: &Call) -> Result<()> {
    let full = "Collection items are too many (maximum is 25)";
    refuse_if!(to.items.len() >= MOST, invalid_alike(call, full));
    let is_taken = to.items.iter().any(|item| item.account == account);
    refuse_if!(is_taken, invalid_alike(call, "Account has already been taken"));
    to.items.push(Item { id: state.next_key(), account, state: CollectionItemState::Accepted });
    Ok(())
}

fn has_name(call: &Call, name: &str) -> Result<()> {
    not_blank(name, invalid_alike(call, "Name can't be blank"))
}

impl View<'_> {
    pub(crate) fn collection(&self, one: &Collection) -> entities::Collection {
        let owner = self.state.accounts.get(&one.owner);
        let origin = self.state.origin();
        let id = self.id::<entities::Collection>(one.id);
        let tag = one
            .tag
            .as_ref()
            .map(|name| current::ShallowTag { name: name.clone(), url: self.tag_url(name) }.into());
        let shown = one.items.iter().filter(|item| item.state == CollectionItemState::Accepted);
        let items: Vec<_> = shown.map(|item| self.collection_item(item)).collect();
        current::Collection {
            account_id: self.id(one.owner),
            uri: format!("{origin}/ap/collections/{id}"),
            url: Some(format!("{origin}/collections/{id}")),
            id,
            name: one.name.clone(),
            description: one.description.clone(),
            local: owner.is_none_or(|owner| owner.domain.is_none()),
            sensitive: one.sensitive,
            discoverable: one.discoverable,
            created_at: time(one.id.created_at()),
            updated_at: time(one.updated_at),
            item_count: count(items.len()),
            items,
            language: one.language.clone(),
            tag,
        }
        .into()
    }

    fn collection_item(&self, item: &Item) -> CollectionItem {
        CollectionItem {
            account_id: Some(self.id(item.account)),
            ..current::CollectionItem {
                id: self.id(item.id),
                state: item.state.clone(),
                created_at: time(item.id.created_at()),
            }
            .into()
        }
    }
}
