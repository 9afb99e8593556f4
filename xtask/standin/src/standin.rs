//! Building and starting a stand-in.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use fedispec::server::{Listen, UnknownRelease};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::app::App;
use crate::beginning::Beginning;
use crate::calls::{self, Calls};
use crate::control::{Control, Parts, http};
use crate::error::ControlError;
use crate::faults::Faults;
use crate::files;
use crate::groups;
use crate::keep::{Keeper, save};
use crate::limits::{Limits, RateLimits};
use crate::origin::{self, BadOrigin};
use crate::page;
use crate::release::Release;
use crate::request_ids::RequestIds;
use crate::running::Running;
use crate::setters::setters;
use crate::store::chance::Chance;
use crate::store::file::{self, DataError};
use crate::store::oauth::secret;
#[cfg(feature = "tls")]
use crate::tls;
use crate::watch::watch;

/// Makes the token of the control API another than those of users, though both come from one seed.
const CONTROL: u64 = 0xC0;

/// A stand-in server that is to be started.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct StandIn {
    release: Release,
    host: Option<String>,
    port: u16,
    public_url: Option<String>,
    data: Option<PathBuf>,
    seed: Option<u64>,
    token: Option<String>,
    control_token: Option<String>,
    rate_limits: RateLimits,
    /// The folder of the certificate; none without the feature.
    tls: Option<PathBuf>,
}

/// Why a stand-in did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The port is another's, or is not free for this user; or the host is none of this machine.
    #[error(
        "cannot listen on {host}:{port}: {source}; choose another port, or 0 for any that is free"
    )]
    Listen {
        /// The host.
        host: String,
        /// The port.
        port: u16,
        /// Why.
        source: io::Error,
    },
    /// The public URL is none.
    #[error(transparent)]
    Origin(#[from] BadOrigin),
    /// The data file cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The release cannot be emulated.
    #[error(transparent)]
    Release(#[from] UnknownRelease),
    /// The system has no random numbers for tokens, or a setting is wrong.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// The certificate cannot be used.
    #[cfg(feature = "tls")]
    #[error(transparent)]
    Tls(#[from] tls::TlsError),
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

    setters! {
        /// Sets the address or name to listen on; without it, 127.0.0.1, which only this machine reaches. Whoever reaches it may sign in.
        host(host: impl Into<String>) => host = Some(host.into());

        /// Sets the port; 0, as it is without, for any that is free.
        port(port: u16) => port = port;

        /// Sets the origin that links and documents name: `https://social.example`, where a proxy is in front.
        public_url(url: impl Into<String>) => public_url = Some(url.into());

        /// Sets the folder of the certificate for TLS: `cert.pem` and `key.pem`. Where both are missing they are made, with the `ca.pem` that
        /// clients have to trust.
        #[cfg(feature = "tls")]
        tls(folder: impl Into<PathBuf>) => tls = Some(folder.into());

        /// Sets the file that the state is loaded from, where there is one, and saved to after each change.
        data(file: impl Into<PathBuf>) => data = Some(file.into());

        /// Makes ids, tokens and times the same at every run with this seed. The clock stands still at 2026-01-01 until a test moves it. Tokens can be
        /// guessed by all who know the seed.
        seed(seed: u64) => seed = Some(seed);

        /// Sets the token of the owner; without it, one is drawn.
        token(token: impl Into<String>) => token = Some(token.into());

        /// Sets the token of the control API; without it, one is drawn.
        control_token(token: impl Into<String>) => control_token = Some(token.into());

        /// Sets the rate limits; without, those of the release are told and not enforced.
        rate_limits(limits: RateLimits) => rate_limits = limits;
    }

    /// Starts the server. It runs until the [`Running`] is stopped or dropped.
    ///
    /// # Errors
    ///
    /// Where the port is not free, or the data file can be neither read nor written.
    pub async fn start(self) -> Result<Running, StartError> {
        let host = self.host.clone().unwrap_or_else(|| "127.0.0.1".to_owned());
        let port = self.port;
        let refused = |source| StartError::Listen { host: host.clone(), port, source };
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let listener = TcpListener::bind((bare, port)).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let origin = match &self.public_url {
            Some(url) => origin::parse(url)?,
            None => origin::of(scheme, bare, address),
        };
        #[cfg(feature = "tls")]
        let acceptor = match &self.tls {
            Some(folder) => Some(tls::acceptor(folder, &[bare, origin::host(&origin)])?),
            None => None,
        };
        let (router, control) = self.mount(&origin).await?;
        #[cfg(feature = "tls")]
        let (listener, front) = match acceptor {
            Some(acceptor) => tls::front(listener, acceptor).await.map_err(refused)?,
            None => (listener, None),
        };
        #[cfg(not(feature = "tls"))]
        let front = None;
        let (stop, stopped) = oneshot::channel();
        let until = async {
            // A sender that is dropped stops it too.
            let _ = stopped.await;
        };
        let served = tokio::spawn(Listen::new(listener).until(until).serve(router));
        Ok(Running { control, address, stop, served, front })
    }

    /// Builds the routes for a server of your own, which is reached at an origin such as `https://social.example`. Work in the background runs until
    /// the router and the control are dropped.
    ///
    /// # Errors
    ///
    /// Where the origin is none, or the data file can be neither read nor written.
    pub async fn mount(self, origin: &str) -> Result<(Router, Control), StartError> {
        let url = origin::parse(origin)?;
        if let Some(unknown) = self.rate_limits.unknown() {
            return Err(ControlError::Invalid(unknown).into());
        }
        let loaded = match &self.data {
            Some(file) => file::load(file)?,
            None => None,
        };
        let mut beginning = Beginning { seed: self.seed, token: self.token };
        let mut state = loaded.unwrap_or_else(|| beginning.state());
        state.place(&self.release, url.clone());
        let token = beginning.settle(&mut state).map_err(ControlError::from)?;
        if self.seed.is_none() {
            // With a seed the same token is drawn again.
            beginning.token = Some(token.clone());
        }
        let mut chance =
            self.seed.map_or_else(Chance::default, |seed| Chance::seeded(seed ^ CONTROL));
        let control = match self.control_token {
            Some(token) => token,
            None => secret(&mut chance).map_err(ControlError::from)?,
        };
        let limits = Limits::new(&self.release, self.rate_limits.clone());
        let app = App::new(state, self.release);
        if let Some(file) = &self.data {
            // A file that cannot be written is reported before there is something to lose.
            save(&app, file.clone()).await?;
        }
        let stubs = groups::server(&app)
            .emulate(&app.release().name())?
            .public_origin(&url)
            .after(calls::hear);
        let mounted: Vec<_> = stubs.mounted().map(|operation| operation.id).collect();
        let unimplemented = stubs.unimplemented().map(|operation| operation.id);
        let control = Control(Arc::new(Parts {
            url,
            token,
            control,
            app: app.clone(),
            calls: Calls::default(),
            faults: Faults::default(),
            limits,
            rate_limits: self.rate_limits,
            request_ids: RequestIds::new(chance),
            streams: stubs.streams(),
            beginning,
            keeper: Keeper::start(app.clone(), self.data.clone()),
            data: self.data,
            unimplemented: unimplemented.filter(|id| !mounted.contains(id)).collect(),
        }));
        let page = page::router(&control, &stubs);
        let router = stubs.into_router().merge(page).merge(files::router(app));
        let router = router.layer(from_fn_with_state(control.clone(), watch));
        Ok((router.layer(from_fn_with_state(control.clone(), http::gate)), control))
    }
}
