//! Lists of accounts and statuses that the user has made by what they did.

use fedispec::entities::{Account, MutedAccount, Relationship};
use fedispec::enums::DirectoryOrder;
use fedispec::{
    blocks, bookmarks, directory, endorsements, favourites, follow_requests, follows, mutes,
};

use super::prelude::*;
use crate::store::ties::Tie;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, _: blocks::List, call| app.tied(&call, |tie| tie.block))
        .on(async |app: App, _: endorsements::List, call| app.tied(&call, |tie| tie.endorsed))
        .on(by_user(|state, me, _: mutes::List, call| {
            let muted = state.tied_from(me, |tie| Some(tie.mute.as_ref()?.id));
            let muted = muted.filter(|(_, account)| state.mute(me, *account).is_some());
            let page = state.page_of(&call, muted);
            Ok(page.map(|account| {
                let until = state.mute(me, account).and_then(|mute| mute.until);
                let account = state.view(me).account(account);
                Some(MutedAccount::from_account(account, until.map(time)))
            }))
        }))
        .on(async |app: App, _: bookmarks::List, call| app.kept(&call, |status| &status.bookmarks))
        .on(async |app: App, _: favourites::List, call| {
            app.kept(&call, |status| &status.favourites)
        })
        .on(by_user(|state, me, _: follow_requests::List, call| {
            let asking = state.tied_to(me, |tie| Some(tie.requested.as_ref()?.id));
            Ok(state.view(me).account_page(&call, asking))
        }))
        .on(by_user(|state, me, request: follow_requests::Authorize, _| {
            answer(state, me, &request.account_id, true)
        }))
        .on(by_user(|state, me, request: follow_requests::Reject, _| {
            answer(state, me, &request.account_id, false)
        }))
        .on(by_user(|mut state, me, request: follows::Create, _| {
            let account = state.lookup(&request.uri).ok_or_else(Error::not_found)?.id;
            state.follow(me, account);
            Ok(state.view(me).account(account))
        }))
        .on(by_viewer(|state, viewer, request: directory::List, call| {
            let is_local = request.local.unwrap_or(false);
            let shown = state.accounts.values().filter(|account| {
                account.profile.discoverable.unwrap_or_default()
                    && !account.moderation.suspended
                    && (!is_local || account.domain.is_none())
            });
            let shown = ranked(shown, |account| {
                let posted = state.statuses.of(account.id).next_back();
                let at = match request.order {
                    Some(DirectoryOrder::New) => account.created_at,
                    _ => posted.map_or(0, |status| status.at),
                };
                (at, account.id)
            });
            Ok(offset(&call, shown, |account| state.view(viewer).account(account.id)))
        }))
}

impl App {
    /// The statuses that the caller has done something with.
    fn kept(
        &self,
        call: &Call,
        by: fn(&Status) -> &BTreeMap<Key, Key>,
    ) -> Result<Page<entities::Status>> {
        let (state, me) = self.user(call)?;
        let own = state.statuses.with(Label::KeptBy(me));
        let own = own.filter_map(|status| Some((*by(status).get(&me)?, status.id)));
        Ok(state.view(me).status_page(call, own))
    }

    /// The accounts that the caller has a certain tie to.
    fn tied(&self, call: &Call, id: impl Fn(&Tie) -> Option<Key>) -> Result<Page<Account>> {
        let (state, me) = self.user(call)?;
        Ok(state.view(me).account_page(call, state.tied_from(me, id)))
    }
}

/// Answers who asks to follow the user.
fn answer(
    mut state: Locked<'_>,
    me: Key,
    id: &Id<Account>,
    is_welcome: bool,
) -> Result<Either<Relationship, Empty>> {
    let account = state.account(id)?.id;
    let tie = state.tie_mut(account, me);
    let wanted = tie.requested.take().ok_or_else(Error::not_found)?;
    if is_welcome {
        tie.follow = Some(wanted);
    }
    forget(&mut state, me, account);
    if is_welcome {
        state.notify(me, NotificationType::Follow, account, None);
    }
    Ok(Either::First(state.view(me).relationship(account)))
}

/// Removes the notification of a request that is answered.
fn forget(state: &mut State, to: Key, from: Key) {
    state.notifications.retain(|_, one| {
        (one.to, one.from) != (to, from) || one.kind != NotificationType::FollowRequest
    });
}
