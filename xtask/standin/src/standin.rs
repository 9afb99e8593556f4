//! Starting a stand-in, and what a test does with it.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use fedispec::runtime::Timestamp;
use fedispec::server::{Id, Listen, Scopes};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::app::App;
use crate::files;
use crate::groups;
use crate::page::{Page, Requests};
use crate::release::{Release, UnknownRelease};
use crate::sign_in::OUT_OF_BAND;
use crate::store::accounts::{Role, User};
use crate::store::clock::from_time;
use crate::store::file::{self, DataError};
use crate::store::statuses::Draft;
use crate::store::{Notation, State};

/// The name of the account that is there from the start.
pub const OWNER: &str = "owner";
/// The address with which it signs in; the password is [`PASSWORD`].
pub const OWNER_EMAIL: &str = "owner@example.org";
/// The password of every account that nobody gave another.
pub const PASSWORD: &str = "password";
/// Every scope of both programs.
const ALL_SCOPES: &str = "read write follow push profile admin:read admin:write admin";

/// A stand-in server that is to be started.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct StandIn {
    release: Release,
    port: u16,
    data: Option<PathBuf>,
}

/// Why a stand-in did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The port is another's, or is not free for this user.
    #[error(
        "cannot listen on 127.0.0.1:{port}: {source}; choose another port, or 0 for any that is free"
    )]
    Listen {
        /// The port.
        port: u16,
        /// Why.
        source: io::Error,
    },
    /// The data file cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The release cannot be emulated.
    #[error(transparent)]
    Release(#[from] fedispec::server::UnknownRelease),
    /// The system has no random numbers for tokens.
    #[error("cannot make a token: {0}")]
    Token(String),
}

impl StandIn {
    /// A stand-in for the newest Mastodon, on a free port of this machine, in memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the release that it presents: `mastodon@4.3.0`, `gotosocial@0.17.0`, or `gotosocial` for the newest.
    ///
    /// # Errors
    ///
    /// Where the catalogue does not list it; the error tells the nearest.
    pub fn emulate(mut self, release: &str) -> Result<Self, UnknownRelease> {
        self.release = release.parse()?;
        Ok(self)
    }

    /// Sets the port; 0, as it is without, for any that is free.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Sets the file that the state is loaded from, where there is one, and saved to after each change.
    pub fn data(mut self, file: impl Into<PathBuf>) -> Self {
        self.data = Some(file.into());
        self
    }

    /// Starts the server. It runs until the [`Running`] is stopped or dropped.
    ///
    /// # Errors
    ///
    /// Where the port is not free, or the data file can be neither read nor written.
    pub async fn start(self) -> Result<Running, StartError> {
        let Self { release, port, data } = self;
        let loaded = match &data {
            Some(file) => file::load(file)?,
            None => None,
        };
        let refused = |source| StartError::Listen { port, source };
        let listener = TcpListener::bind(("127.0.0.1", port)).await.map_err(refused)?;
        let url = format!("http://{}", listener.local_addr().map_err(refused)?);
        let notation = if release.has_ulids() { Notation::Ulid } else { Notation::Number };
        let mut state = loaded.unwrap_or_default();
        state.place(notation, release.family(), url.clone());
        let token = own_token(&mut state).map_err(|error| StartError::Token(error.to_string()))?;
        let app = App::new(state, release);
        let requests = Requests::default();
        let noted = requests.clone();
        let stubs = groups::server(&app)
            .emulate(&app.release().name())?
            .public_origin(&url)
            .after(move |served| noted.note(served));
        let page = Page {
            app: app.clone(),
            url: url.clone(),
            password: PASSWORD,
            requests: requests.clone(),
        };
        let unimplemented = stubs.unimplemented().map(|operation| operation.id).collect();
        let page = page.router(&stubs);
        let router = stubs.into_router().merge(page);
        if let Some(file) = &data {
            // A file that cannot be written is reported before there is something to lose.
            save(&app, file.clone()).await?;
        }
        let router = router.merge(files::router(app.clone()));
        let (stop, stopped) = oneshot::channel();
        let until = async {
            // A sender that is dropped stops it too.
            let _ = stopped.await;
        };
        let listen = Listen::new(listener).until(until);
        let served = tokio::spawn(listen.serve(router));
        let kept = tokio::spawn(keep(app.clone(), data.clone()));
        Ok(Running { url, token, app, requests, data, stop, served, kept, unimplemented })
    }
}

/// The token of the owner with every scope, who is made where there is none.
fn own_token(state: &mut State) -> fedispec::server::Result<String> {
    let scopes = Scopes::from(ALL_SCOPES);
    let owner = state.users().find(|user| user.role() == Role::Owner);
    let owner = match owner.map(|owner| owner.id) {
        Some(owner) => owner,
        None => add_user(state, OWNER, Role::Owner),
    };
    let known = state.oauth.tokens.iter().find(|(_, token)| {
        token.account == Some(owner) && token.scopes == scopes && !token.revoked
    });
    match known {
        Some((text, _)) => Ok(text.clone()),
        None => token_for(state, owner, scopes),
    }
}

fn token_for(
    state: &mut State,
    account: crate::store::Key,
    scopes: Scopes,
) -> fedispec::server::Result<String> {
    let apps = &mut state.oauth.apps.values();
    let app = if let Some(app) = apps.find(|app| app.name == env!("CARGO_PKG_NAME")) {
        app.id
    } else {
        let redirect = vec![OUT_OF_BAND.to_owned()];
        let website = state.origin().to_owned();
        let app = state.add_app(env!("CARGO_PKG_NAME"), redirect, ALL_SCOPES.into())?;
        app.website = Some(website);
        app.id
    };
    state.add_token(app, Some(account), scopes)
}

fn add_user(state: &mut State, name: &str, role: Role) -> crate::store::Key {
    let user = User {
        email: format!("{name}@example.org"),
        password: PASSWORD.to_owned(),
        role,
        approved: true,
        confirmed: true,
        locale: "en".to_owned(),
        reason: None,
        defaults: crate::store::accounts::Defaults::default(),
        made_by: None,
    };
    state.add_account(name, None, Some(user))
}

/// Lets happen what is due, and saves what has changed.
async fn keep(app: App, data: Option<PathBuf>) {
    loop {
        let changed = tokio::time::timeout(Duration::from_secs(1), app.changed()).await;
        if changed.is_err() {
            // A stream must hear of what is due, although it sends no requests.
            drop(app.state());
            continue;
        }
        if let Some(file) = &data
            && let Err(error) = save(&app, file.clone()).await
        {
            eprintln!("{error}");
        }
    }
}

/// Saves the state as it is when those who save already have done so: a later save has the later state.
async fn save(app: &App, file: PathBuf) -> Result<(), DataError> {
    let app = app.clone();
    let saved = tokio::task::spawn_blocking(move || {
        let _saving = app.saving();
        let bytes = file::encode(&app.state());
        file::save(&file, bytes)
    });
    // It is not cancelled; a panic goes on here.
    saved.await.unwrap_or_else(|error| match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => Ok(()),
    })
}

/// A stand-in that runs. It stops when this is dropped, and at once with [`stop`](Self::stop).
#[must_use = "the server stops when it is dropped"]
pub struct Running {
    url: String,
    token: String,
    app: App,
    requests: Requests,
    data: Option<PathBuf>,
    stop: oneshot::Sender<()>,
    served: JoinHandle<io::Result<()>>,
    kept: JoinHandle<()>,
    unimplemented: Vec<&'static str>,
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

impl Running {
    /// Where it is: `http://127.0.0.1:49152`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A token of the account [`OWNER`], with every scope.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The release that it presents: `mastodon@4.3.0`.
    pub fn presents(&self) -> String {
        self.app.release().name()
    }

    /// What there is to say of a release that nobody has looked at: `4.2.20: as 4.2.11, the newest looked at of 4.2`.
    pub fn stands_for(&self) -> Option<String> {
        self.app.release().stands_for()
    }

    /// The operations that it does not have, whatever it presents: it answers 501.
    pub fn unimplemented(&self) -> &[&'static str] {
        &self.unimplemented
    }

    /// Adds an account, which signs in with `NAME@example.org` and [`PASSWORD`], and a token for it.
    ///
    /// # Errors
    ///
    /// Where the system has no random numbers.
    pub fn account(&self, name: &str) -> Result<Login, StartError> {
        let mut state = self.app.state();
        let known = state.lookup(name).map(|account| account.id);
        let key = known.unwrap_or_else(|| add_user(&mut state, name, Role::User));
        let token = token_for(&mut state, key, ALL_SCOPES.into());
        let token = token.map_err(|error| StartError::Token(error.to_string()))?;
        Ok(Login { id: state.id(key), token })
    }

    /// Adds an account of another server: `bob@other.example`.
    pub fn remote_account(&self, address: &str) -> Id {
        let mut state = self.app.state();
        let (name, domain) = address.split_once('@').unwrap_or((address, "example.com"));
        let known = state.lookup(address).map(|account| account.id);
        let key = known.unwrap_or_else(|| state.add_account(name, Some(domain), None));
        state.id(key)
    }

    /// Posts a public status of an account; none where there is no such account.
    pub fn post(&self, account: &Id, text: &str) -> Option<Id> {
        let mut state = self.app.state();
        let key = state.account(account).ok()?.id;
        let status = state.post(key, Draft::text(text));
        Some(state.id(status))
    }

    /// Publishes an announcement, which no operation can.
    pub fn announce(&self, text: &str) -> Id {
        let mut state = self.app.state();
        let key = state.announce(text);
        state.id(key)
    }

    /// Withdraws an announcement. Answers whether there was one.
    pub fn withdraw(&self, announcement: &Id) -> bool {
        let mut state = self.app.state();
        let key = state.key(announcement);
        key.is_some_and(|key| state.unannounce(key))
    }

    /// Makes one account follow another, or ask to where that one is locked. Answers whether both exist.
    pub fn follow(&self, from: &Id, to: &Id) -> bool {
        let mut state = self.app.state();
        let keys = [from, to].map(|id| state.account(id).ok().map(|account| account.id));
        let [Some(from), Some(to)] = keys else {
            return false;
        };
        state.follow(from, to);
        true
    }

    /// Forgets everything, the last requests on the page too, but the owner and the token, which stay as they are. Streams go on.
    ///
    /// # Errors
    ///
    /// Where the system has no random numbers.
    pub fn reset(&self) -> Result<(), StartError> {
        self.requests.clear();
        let mut state = self.app.state();
        state.replace(State::default());
        let owner = add_user(&mut state, OWNER, Role::Owner);
        let given = token_for(&mut state, owner, ALL_SCOPES.into());
        let given = given.map_err(|error| StartError::Token(error.to_string()))?;
        if let Some(token) = state.oauth.tokens.remove(&given) {
            state.oauth.tokens.insert(self.token.clone(), token);
        }
        Ok(())
    }

    /// Stops the server's clock at a time. Answers false for a text that is no time.
    pub fn set_time(&self, time: &Timestamp) -> bool {
        let Some(time) = from_time(time) else {
            return false;
        };
        self.app.state().clock.set(time);
        // Everything due happens when the state is next locked.
        drop(self.app.state());
        true
    }

    /// Moves the server's clock forward: scheduled statuses are posted, polls and mutes end.
    pub fn advance(&self, by: Duration) {
        self.app.state().clock.advance(by);
        drop(self.app.state());
    }

    /// Saves the state to the data file now, if there is one.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written. What was saved before is still there.
    pub async fn save(&self) -> Result<(), DataError> {
        match &self.data {
            Some(file) => save(&self.app, file.clone()).await,
            None => Ok(()),
        }
    }

    /// Stops the server and saves the state to the data file, if there is one.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written.
    pub async fn stop(self) -> Result<(), DataError> {
        self.kept.abort();
        let saved = self.save().await;
        let Self { stop, served, .. } = self;
        let _ = stop.send(());
        let _ = served.await;
        saved
    }
}
