//! Accounts that the user may want to follow.

use fedispec::enums::{SuggestionSource, SuggestionSourceLegacy};
use fedispec::suggestions;

use super::prelude::*;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: suggestions::List, call| {
            let view = state.view(me);
            Ok(offset(&call, suggested(&state, me), |key| {
                current::Suggestion {
                    source: Some(SuggestionSourceLegacy::Global),
                    account: view.account(key),
                    sources: vec![SuggestionSource::MostFollowed],
                }
                .into()
            }))
        }))
        .on(by_user(|mut state, me, request: suggestions::Delete, _| {
            if let Some(key) = state.key(&request.account_id) {
                state.unsuggested.entry(me).or_default().insert(key);
            }
            Ok(Empty)
        }))
        .on(by_user(|state, me, _: suggestions::ListV1, call| {
            Ok(offset(&call, suggested(&state, me), |key| state.view(me).account(key)))
        }))
}

/// Returns discoverable accounts that the user neither follows nor has dismissed, the most followed first.
pub(super) fn suggested(state: &State, me: Key) -> Vec<Key> {
    let dismissed = state.unsuggested.get(&me);
    let accounts = state.accounts.values().filter(|account| {
        let key = account.id;
        let tied = state.tie(me, key);
        let is_known = tied.is_some_and(|tie| {
            tie.follow.is_some()
                || tie.requested.is_some()
                || tie.block.is_some()
                || tie.mute.is_some()
        });
        let hides = account.moderation.suspended || account.moderation.silenced;
        key != me
            && account.profile.discoverable.unwrap_or_default()
            && !is_known
            && !hides
            && !state.blocks(key, me)
            && !dismissed.is_some_and(|dismissed| dismissed.contains(&key))
    });
    let accounts = ranked(accounts, |one| (state.followers(one.id).count(), one.id));
    accounts.into_iter().map(|account| account.id).collect()
}
