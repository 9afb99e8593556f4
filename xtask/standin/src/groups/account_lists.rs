//! Lists of accounts and statuses that the user has made by what they did.

use fedispec::entities::{Account, MutedAccount, Relationship, Status};
use fedispec::enums::{DirectoryOrder, NotificationType};
use fedispec::server::{
    Blocks, Bookmarks, Call, Directory, Either, Empty, Endorsements, Error, Favourites,
    FollowRequests, Follows, Id, Mutes, Page, Result,
};
use fedispec::{
    blocks, bookmarks, directory, endorsements, favourites, follow_requests, follows, mutes,
};

use super::support::offset;
use crate::app::App;
use crate::store::clock::time;
use crate::store::ties::Tie;
use crate::store::{Key, State};

impl Blocks for App {
    async fn list(&self, _: blocks::List, call: Call) -> Result<Page<Account>> {
        self.tied(&call, |tie| tie.block)
    }
}

impl Endorsements for App {
    async fn list(&self, _: endorsements::List, call: Call) -> Result<Page<Account>> {
        self.tied(&call, |tie| tie.endorsed)
    }
}

impl Mutes for App {
    async fn list(&self, _: mutes::List, call: Call) -> Result<Page<MutedAccount>> {
        let (state, me) = self.user(&call)?;
        let muted = state.tied_from(me, |tie| Some(tie.mute.as_ref()?.id));
        let muted = muted.filter(|(_, account)| state.mute(me, *account).is_some());
        let page = state.page_of(&call, muted);
        Ok(page.map(|account| {
            let until = state.mute(me, account).and_then(|mute| mute.until);
            let account = state.view(me).account(account);
            Some(MutedAccount::from_account(account, until.map(time)))
        }))
    }
}

impl Bookmarks for App {
    async fn list(&self, _: bookmarks::List, call: Call) -> Result<Page<Status>> {
        let (state, me) = self.user(&call)?;
        let own = state.statuses.values();
        let own = own.filter_map(|status| Some((*status.bookmarks.get(&me)?, status.id)));
        Ok(state.view(me).status_page(&call, own))
    }
}

impl Favourites for App {
    async fn list(&self, _: favourites::List, call: Call) -> Result<Page<Status>> {
        let (state, me) = self.user(&call)?;
        let own = state.statuses.values();
        let own = own.filter_map(|status| Some((*status.favourites.get(&me)?, status.id)));
        Ok(state.view(me).status_page(&call, own))
    }
}

impl FollowRequests for App {
    async fn list(&self, _: follow_requests::List, call: Call) -> Result<Page<Account>> {
        let (state, me) = self.user(&call)?;
        let asking = state.tied_to(me, |tie| Some(tie.requested.as_ref()?.id));
        Ok(state.view(me).account_page(&call, asking))
    }

    async fn authorize(
        &self,
        request: follow_requests::Authorize,
        call: Call,
    ) -> Result<Either<Relationship, Empty>> {
        self.answer_request(&request.account_id, true, &call)
    }

    async fn reject(
        &self,
        request: follow_requests::Reject,
        call: Call,
    ) -> Result<Either<Relationship, Empty>> {
        self.answer_request(&request.account_id, false, &call)
    }
}

impl Follows for App {
    async fn create(&self, request: follows::Create, call: Call) -> Result<Account> {
        let (mut state, me) = self.user(&call)?;
        let account = state.lookup(&request.uri).ok_or_else(Error::not_found)?.id;
        state.follow(me, account);
        Ok(state.view(me).account(account))
    }
}

impl Directory for App {
    async fn list(&self, request: directory::List, call: Call) -> Result<Page<Account>> {
        let (state, viewer) = self.viewer(&call);
        let is_local = request.local.unwrap_or(false);
        let shown = state.accounts.values().filter(|account| {
            account.profile.discoverable.unwrap_or_default()
                && !account.moderation.suspended
                && (!is_local || account.domain.is_none())
        });
        let mut shown: Vec<(i64, Key)> = shown
            .map(|account| {
                let posted = state.statuses.of(account.id).next_back();
                let rank = match request.order {
                    Some(DirectoryOrder::New) => account.created_at,
                    _ => posted.map_or(0, |status| status.at),
                };
                (rank, account.id)
            })
            .collect();
        shown.sort_unstable_by_key(|ranked| std::cmp::Reverse(*ranked));
        let accounts = state.view(viewer).accounts(shown.into_iter().map(|(_, key)| key));
        Ok(offset(&call, accounts))
    }
}

impl App {
    /// The accounts that the caller has a certain tie to.
    fn tied(&self, call: &Call, id: impl Fn(&Tie) -> Option<Key>) -> Result<Page<Account>> {
        let (state, me) = self.user(call)?;
        Ok(state.view(me).account_page(call, state.tied_from(me, id)))
    }

    fn answer_request(
        &self,
        id: &Id<Account>,
        is_welcome: bool,
        call: &Call,
    ) -> Result<Either<Relationship, Empty>> {
        let (mut state, me) = self.user(call)?;
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
}

/// Removes the notification of a request that is answered.
fn forget(state: &mut State, to: Key, from: Key) {
    state.notifications.retain(|_, one| {
        (one.to, one.from) != (to, from) || one.kind != NotificationType::FollowRequest
    });
}
