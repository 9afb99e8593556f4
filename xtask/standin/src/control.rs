//! The control of a stand-in: what a test does with it, in Rust and over HTTP.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fedispec::runtime::Timestamp;
use fedispec::server::{Id, OpenStreams};

use crate::app::App;
use crate::beginning::{Beginning, token_for};
use crate::calls::{Calls, LoggedCall};
use crate::error::ControlError;
use crate::faults::{Fault, Faults};
use crate::keep::{Keeper, save};
use crate::limits::{Limits, RateLimits};
use crate::post::{NewAccount, Post};
use crate::request_ids::RequestIds;
use crate::store::chance::Chance;
use crate::store::clock::{from_time, time};
use crate::store::file::{self, DataError};

mod asked;
pub(crate) mod http;
pub(crate) mod settings;

/// Control of a stand-in by a test: accounts, statuses, faults, the clock.
#[derive(Clone)]
pub struct Control(pub(crate) Arc<Parts>);

/// The parts of a stand-in that are shared by its routes and its tests.
pub(crate) struct Parts {
    pub(crate) url: String,
    pub(crate) token: String,
    /// The token of the control API.
    pub(crate) control: String,
    pub(crate) app: App,
    pub(crate) calls: Calls,
    pub(crate) faults: Faults,
    pub(crate) limits: Limits,
    pub(crate) rate_limits: RateLimits,
    pub(crate) request_ids: RequestIds,
    pub(crate) streams: OpenStreams,
    pub(crate) beginning: Beginning,
    pub(crate) data: Option<PathBuf>,
    pub(crate) unimplemented: Vec<&'static str>,
    pub(crate) keeper: Keeper,
}

/// An account that a test uses.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Login {
    /// The account's id.
    pub id: Id,
    /// A token with every scope that the account's role can have.
    pub token: String,
}

impl Control {
    /// Where it is: `http://127.0.0.1:49152`.
    pub fn url(&self) -> &str {
        &self.0.url
    }

    /// A token of the account [`OWNER`](crate::OWNER), with every scope.
    pub fn token(&self) -> &str {
        &self.0.token
    }

    /// The token of the control API below `/_standin/`.
    pub fn control_token(&self) -> &str {
        &self.0.control
    }

    /// The release that it presents: `mastodon@4.3.0`.
    pub fn presents(&self) -> String {
        self.0.app.release().name()
    }

    /// A note where the release was not looked at: `4.2.20: as 4.2.11, the newest looked at of 4.2`.
    pub fn stands_for(&self) -> Option<String> {
        self.0.app.release().stands_for()
    }

    /// The operations that it does not have, whatever it presents: it answers 501.
    pub fn unimplemented(&self) -> &[&'static str] {
        &self.0.unimplemented
    }

    /// Adds an account, which signs in with `NAME@example.org` and [`PASSWORD`](crate::PASSWORD), and a token for it.
    ///
    /// # Errors
    ///
    /// Where the name is none that an account can have, or the system has no random numbers.
    pub fn account(&self, account: impl Into<NewAccount>) -> Result<Login, ControlError> {
        let account = account.into();
        let mut state = self.0.app.state();
        let key = account.add(&mut state)?;
        let token = token_for(&mut state, key, account.own_token())?;
        Ok(Login { id: state.id(key), token })
    }

    /// Adds an account of another server: `bob@other.example`.
    pub fn remote_account(&self, address: &str) -> Id {
        let mut state = self.0.app.state();
        let address = address.trim_start_matches('@');
        let (name, domain) = address.split_once('@').unwrap_or((address, "example.com"));
        let known = state.lookup(address).map(|account| account.id);
        let key = known.unwrap_or_else(|| state.add_account(name, Some(domain), None));
        state.id(key)
    }

    /// Posts a status of an account: a public text, or a [`Post`] with more. None where there is no such account, or the post is of no use.
    pub fn post(&self, account: &Id, post: impl Into<Post>) -> Option<Id> {
        self.try_post(account, post.into()).ok()
    }

    /// Posts a status of an account.
    ///
    /// # Errors
    ///
    /// Where there is no such account, or something in the post is wrong.
    pub fn try_post(&self, account: &Id, post: Post) -> Result<Id, ControlError> {
        let mut state = self.0.app.state();
        let key = state.account(account).map(|account| account.id);
        let told = |_| ControlError::invalid(format!("there is no account {account}"));
        let key = key.map_err(told)?;
        let status = post.post(&mut state, key)?;
        Ok(state.id(status))
    }

    /// Publishes an announcement, which no operation can.
    pub fn announce(&self, text: &str) -> Id {
        let mut state = self.0.app.state();
        let key = state.announce(text);
        state.id(key)
    }

    /// Withdraws an announcement. Answers whether there was one.
    pub fn withdraw(&self, announcement: &Id) -> bool {
        let mut state = self.0.app.state();
        let key = state.key(announcement);
        key.is_some_and(|key| state.unannounce(key))
    }

    /// Makes one account follow another, or ask to where that one is locked. Answers whether both exist.
    pub fn follow(&self, from: &Id, to: &Id) -> bool {
        let mut state = self.0.app.state();
        let keys = [from, to].map(|id| state.account(id).ok().map(|account| account.id));
        let [Some(from), Some(to)] = keys else {
            return false;
        };
        state.follow(from, to);
        true
    }

    /// Lets calls fail. Answers the fault's number, by which it is removed.
    ///
    /// # Errors
    ///
    /// Where the fault is of no use; the error says why, and the nearest operations where there is none of that id.
    pub fn fault(&self, fault: Fault) -> Result<u64, ControlError> {
        self.put_fault(fault).map(|added| added.id)
    }

    fn put_fault(&self, fault: Fault) -> Result<crate::faults::InForce, ControlError> {
        let drawn = self.0.request_ids.draw();
        let added = self.0.faults.add(fault, Chance::seeded(u64::from_le_bytes(drawn)))?;
        if added.drops_streams() {
            self.0.streams.close_all();
        }
        Ok(added)
    }

    /// Removes a fault. Answers whether it was there.
    pub fn remove_fault(&self, number: u64) -> bool {
        self.0.faults.remove(number)
    }

    /// Removes all faults.
    pub fn clear_faults(&self) {
        self.0.faults.clear();
    }

    /// The last thousand calls, the oldest first, without secrets. Those of the control API are not among them.
    pub fn calls(&self) -> Vec<LoggedCall> {
        self.0.calls.all()
    }

    /// Sets the rate limits, and forgets the calls that were counted.
    ///
    /// # Errors
    ///
    /// Where a limit has a name that none has.
    pub fn set_rate_limits(&self, limits: RateLimits) -> Result<(), ControlError> {
        if let Some(unknown) = limits.unknown() {
            return Err(ControlError::Invalid(unknown));
        }
        self.0.limits.set(limits);
        Ok(())
    }

    /// Returns to the state from which it began: the owner and the token, the clock, no faults, no calls. Event streams go on.
    ///
    /// # Errors
    ///
    /// Where the system has no random numbers.
    pub fn reset(&self) -> Result<(), ControlError> {
        let parts = &*self.0;
        parts.faults.clear();
        parts.limits.set(parts.rate_limits.clone());
        let mut state = parts.app.state();
        state.replace(parts.beginning.state());
        let given = parts.beginning.settle(&mut state)?;
        if given != parts.token
            && let Some(token) = state.oauth.tokens.remove(&given)
        {
            state.oauth.tokens.insert(parts.token.clone(), token);
        }
        parts.request_ids.restart();
        parts.calls.clear();
        Ok(())
    }

    /// The state as JSON, for [`restore`](Self::restore). It holds tokens and passwords.
    ///
    /// # Errors
    ///
    /// Where it cannot be written as JSON.
    pub fn snapshot(&self) -> Result<Vec<u8>, ControlError> {
        let bytes = file::encode(&self.0.app.state());
        bytes.map_err(|error| ControlError::invalid(error.to_string()))
    }

    /// Takes over the state of a snapshot, of this or another stand-in. The token of the owner stays valid.
    ///
    /// # Errors
    ///
    /// Where it is no snapshot, or one of a newer program. Nothing has changed then.
    pub fn restore(&self, snapshot: &[u8]) -> Result<(), ControlError> {
        let restored = file::decode(snapshot);
        let restored = restored.map_err(|why| ControlError::invalid(why.to_string()))?;
        let mut state = self.0.app.state();
        state.replace(restored);
        let token = Some(self.0.token.clone());
        Beginning { token, ..self.0.beginning.clone() }.settle(&mut state)?;
        Ok(())
    }

    /// Stops the server's clock at a time. Answers false for a text that is no time.
    pub fn set_time(&self, time: &Timestamp) -> bool {
        let Some(time) = from_time(time) else {
            return false;
        };
        self.0.app.state().clock.set(time);
        // Everything due happens when the state is next locked.
        drop(self.0.app.state());
        true
    }

    /// Moves the server's clock forward: scheduled statuses are posted, polls and mutes end.
    pub fn advance(&self, by: Duration) {
        self.0.app.state().clock.advance(by);
        drop(self.0.app.state());
    }

    /// Lets the server's clock stand still, or go on from the time at which it stands.
    pub fn freeze(&self, frozen: bool) {
        self.0.app.state().clock.freeze(frozen);
    }

    /// The server's time.
    pub fn now(&self) -> Timestamp {
        time(self.0.app.state().now())
    }

    /// Saves the state to the data file now, if there is one.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written. What was saved before is still there.
    pub async fn save(&self) -> Result<(), DataError> {
        match &self.0.data {
            Some(file) => save(&self.0.app, file.clone()).await,
            None => Ok(()),
        }
    }
}

/// Without tokens.
impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control").field("url", &self.0.url).finish_non_exhaustive()
    }
}
