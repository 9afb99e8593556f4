//! The locked state, which handlers share.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard};

use fedispec::server::{Authenticator, Call, Caller, Error, Result, Secret};
use tokio::sync::Notify;

use crate::lock::lock;
use crate::release::Release;
use crate::store::file::Saved;
use crate::store::{Key, State};

/// The application: every group of operations is implemented on it, in a file of [`groups`](crate::groups) each.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Notify,
    saving: Mutex<Saved>,
    release: Release,
}

/// The locked state. It must not be held across an `await`, which the compiler refuses.
pub(crate) struct Locked<'a> {
    state: MutexGuard<'a, State>,
    changed: &'a Notify,
    is_changed: bool,
}

impl App {
    pub(crate) fn new(state: State, release: Release) -> Self {
        Self(Arc::new(Shared {
            state: Mutex::new(state),
            changed: Notify::new(),
            saving: Mutex::default(),
            release,
        }))
    }

    /// The state, in which what was due until now has happened.
    pub(crate) fn state(&self) -> Locked<'_> {
        let state = lock(&self.0.state);
        let mut locked = Locked { state, changed: &self.0.changed, is_changed: false };
        if locked.is_behind() {
            locked.catch_up();
        }
        locked
    }

    /// The state and the account of the calling user.
    ///
    /// # Errors
    ///
    /// Where the caller is not a user: as the release refuses it.
    pub(crate) fn user(&self, call: &Call) -> Result<(Locked<'_>, Key)> {
        let state = self.state();
        let key = state.key(call.account()?);
        let account = key.filter(|key| state.accounts.contains_key(key));
        Ok((state, account.ok_or_else(Error::unauthorized)?))
    }

    /// The state and who looks at it, if anybody in particular.
    pub(crate) fn viewer(&self, call: &Call) -> (Locked<'_>, Option<Key>) {
        let state = self.state();
        let caller = call.caller.as_ref().and_then(|caller| caller.account.as_ref());
        let key = caller.and_then(|id| state.key(id));
        (state, key)
    }

    /// The release that is presented.
    pub(crate) fn release(&self) -> &Release {
        &self.0.release
    }

    /// The part of the state that the data file has already; locked while the state is saved.
    pub(crate) fn saving(&self) -> MutexGuard<'_, Saved> {
        lock(&self.0.saving)
    }

    /// Waits until the state has changed.
    pub(crate) async fn changed(&self) {
        self.0.changed.notified().await;
    }
}

/// Resolves a bearer token to its `Caller`.
impl Authenticator for App {
    async fn authenticate(&self, token: Secret) -> Result<Caller> {
        let mut state = self.state();
        let now = state.now();
        let text = token;
        let token = state.oauth.tokens.get(text.expose()).cloned();
        let token = token.ok_or_else(Error::unauthorized)?;
        // To the hour, as GoToSocial tells it: a file that is saved for each request helps nobody.
        let is_old = |used: i64| now.saturating_sub(used) > 3_600_000;
        if token.last_used.is_none_or(is_old)
            && let Some(token) = state.oauth.tokens.get_mut(text.expose())
        {
            token.last_used = Some(now);
        }
        refuse_if!(token.revoked, Error::token_revoked());
        let Some(account) = token.account else {
            return Ok(Caller::app(token.scopes));
        };
        let record = state.accounts.get(&account).ok_or_else(Error::unauthorized)?;
        let user = record.user.as_ref().ok_or_else(Error::unauthorized)?;
        if record.moderation.disabled {
            return Err(Error::new(
                fedispec::server::StatusCode::FORBIDDEN,
                "Your login is currently disabled",
            ));
        }
        if !user.approved {
            // Nobody signs in who is not let in yet, though there is a token.
            return Ok(Caller::app(token.scopes));
        }
        let permissions = user.role.permissions().iter().copied();
        Ok(Caller::user(state.id::<()>(account), token.scopes).with_permissions(permissions))
    }
}

impl Deref for Locked<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut State {
        self.is_changed = true;
        &mut self.state
    }
}

/// Tells the saving task that the state has changed.
impl Drop for Locked<'_> {
    fn drop(&mut self) {
        if self.is_changed {
            self.changed.notify_one();
        }
    }
}
