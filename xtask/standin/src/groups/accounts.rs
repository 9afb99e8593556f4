//! Accounts: one's own and others', and what ties them.

use fedispec::server::{Accounts, Call, Error, List, Result};
use fedispec::{accounts, entities};

use crate::app::App;

impl Accounts for App {
    async fn verify_credentials(
        &self,
        _: accounts::VerifyCredentials,
        call: Call,
    ) -> Result<entities::CredentialAccount> {
        let (state, me) = self.user(&call)?;
        let account = state.accounts.get(&me).ok_or_else(Error::not_found)?;
        Ok(state.view(me).credentials(account))
    }

    async fn get(&self, request: accounts::Get, call: Call) -> Result<entities::Account> {
        let (state, viewer) = self.viewer(&call);
        Ok(state.view(viewer).account_of(state.account(&request.id)?))
    }

    async fn lookup(&self, request: accounts::Lookup, call: Call) -> Result<entities::Account> {
        let (state, viewer) = self.viewer(&call);
        let account = state.lookup(&request.acct).ok_or_else(Error::not_found)?;
        Ok(state.view(viewer).account_of(account))
    }

    async fn relationships(
        &self,
        request: accounts::Relationships,
        call: Call,
    ) -> Result<List<entities::Relationship>> {
        let (state, me) = self.user(&call)?;
        let known = request.id.iter().filter_map(|id| state.account(id).ok());
        Ok(known
            .map(|account| state.view(me).relationship(account.id))
            .collect())
    }

    async fn follow(
        &self,
        request: accounts::Follow,
        call: Call,
    ) -> Result<entities::Relationship> {
        let (mut state, me) = self.user(&call)?;
        let them = state.account(&request.id)?.id;
        if them == me || state.blocks(them, me) || state.blocks(me, them) {
            return Err(Error::forbidden());
        }
        state.follow(me, them);
        let tie = state.tie_mut(me, them);
        if let Some(follow) = tie.follow.as_mut().or(tie.requested.as_mut()) {
            follow.reblogs = request.reblogs.unwrap_or(follow.reblogs);
            follow.notify = request.notify.unwrap_or(follow.notify);
            if !request.languages.is_empty() {
                follow.languages = request.languages;
            }
        }
        Ok(state.view(me).relationship(them))
    }

    async fn unfollow(
        &self,
        request: accounts::Unfollow,
        call: Call,
    ) -> Result<entities::Relationship> {
        let (mut state, me) = self.user(&call)?;
        let them = state.account(&request.id)?.id;
        let tie = state.tie_mut(me, them);
        (tie.follow, tie.requested) = (None, None);
        Ok(state.view(me).relationship(them))
    }
}
