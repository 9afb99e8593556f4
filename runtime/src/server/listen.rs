//! A listener that bounds what its clients can hold on to.
//!
//! hyper-util serves each connection. Its `GracefulShutdown` does not wait for connections that were upgraded, and neither it nor `axum::serve`
//! bounds the number of connections or closes idle ones for new ones.

use std::convert::Infallible;
use std::future::{Future, Pending, pending};
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Bytes, HttpBody};
use axum::extract::ConnectInfo;
use axum::http::header::HOST;
use axum::http::request::Parts;
use axum::http::{Request, Response, StatusCode, Version};
use axum::response::IntoResponse as _;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
#[cfg(unix)]
use tokio::net::UnixListener;
use tokio::net::{TcpListener, ToSocketAddrs};
use tokio::time::{sleep, timeout};
use tower_service::Service as _;

use super::connection::{Behind, Connection, Ending, Phase};
use super::connections::{Connections, Member};
use super::limits::one_host;
use super::proxies::Proxies;
use super::routes::Routes;
use super::unread::Lingering;
use super::watched::{Socket, Watched};
use super::{Error, RequestLimits};

/// The read buffer: the greatest length of a head, and of the part of a body that is read ahead.
const BUFFER: usize = 64 * 1024;
/// The part of the connections that is closed at a time where there are too many.
const SHARE: usize = 64;
/// The greatest default of [`Listen::max_connections`].
const MOST: usize = 10_000;

/// Serves a server at an address until the process ends: `serve("127.0.0.1:3000", server)`. [`Listen`] takes any router, and can be stopped.
///
/// # Errors
///
/// When the address cannot be bound.
pub async fn serve(address: impl ToSocketAddrs, server: impl Into<Routes>) -> io::Result<()> {
    let routes = server.into();
    let listener = TcpListener::bind(address).await?;
    let limits = &routes.site.limits;
    let listen = Listen::new(listener).patience(limits.patience).linger(limits.linger);
    let nothing = async || Error::new(StatusCode::NOT_FOUND, "There is nothing at this path");
    listen.serve(routes.into_router().fallback(nothing)).await
}

/// The source of connections of a [`Listen`]: a TCP or Unix listener of tokio, or one of the standard library, as it is inherited from a
/// supervisor.
#[derive(Debug)]
pub struct Listener(Inherited);

macro_rules! listeners {
    ($($(#[$only:meta])? $kind:ident($listener:ty),)+) => {
        #[derive(Debug)]
        enum Inherited {
            $($(#[$only])? $kind($listener),)+
        }

        $($(#[$only])? impl From<$listener> for Listener {
            fn from(listener: $listener) -> Self {
                Self(Inherited::$kind(listener))
            }
        })+
    };
}

listeners! {
    Tcp(TcpListener),
    StdTcp(std::net::TcpListener),
    #[cfg(unix)] Unix(UnixListener),
    #[cfg(unix)] StdUnix(std::os::unix::net::UnixListener),
}

impl Listener {
    /// Registers a listener of the standard library with the runtime.
    fn register(self) -> io::Result<Self> {
        Ok(Self(match self.0 {
            Inherited::StdTcp(listener) => {
                listener.set_nonblocking(true)?;
                Inherited::Tcp(TcpListener::from_std(listener)?)
            }
            #[cfg(unix)]
            Inherited::StdUnix(listener) => {
                listener.set_nonblocking(true)?;
                Inherited::Unix(UnixListener::from_std(listener)?)
            }
            Inherited::Tcp(listener) => {
                listener.local_addr()?;
                Inherited::Tcp(listener)
            }
            #[cfg(unix)]
            unix @ Inherited::Unix(_) => unix,
        }))
    }

    async fn accept(&self) -> io::Result<(Socket, Option<SocketAddr>)> {
        match &self.0 {
            Inherited::Tcp(listener) => {
                let (socket, peer) = listener.accept().await?;
                Ok((Socket::Tcp(socket), Some(peer)))
            }
            #[cfg(unix)]
            Inherited::Unix(listener) => Ok((Socket::Unix(listener.accept().await?.0), None)),
            // Nobody accepts before it is registered.
            _ => pending().await,
        }
    }
}

/// Serves a router over HTTP/1.1 with limits that `axum::serve` lacks: the head of a request has 64 KiB and 30 seconds, an idle connection is
/// closed after as long, and so is one whose client does not read the response. Where there are too many connections, the one that has been
/// idle for longest makes room.
///
/// A request has the address of its client as [`ConnectInfo`]`<SocketAddr>`, for layers and extractors, and as
/// [`Call::peer`](super::Call::peer). TLS is for a proxy in front; name it in [`trusted_proxies`](Self::trusted_proxies).
///
/// ```no_run
/// # async fn run(router: fedispec_runtime::server::Router, end: impl Future<Output = ()>) -> std::io::Result<()> {
/// use fedispec_runtime::server::Listen;
///
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
/// Listen::new(listener).trusted_proxies(["127.0.0.1"])?.until(end).serve(router).await
/// # }
/// ```
///
/// A listener that a supervisor has opened is given as one of the standard library. systemd passes it as standard input with
/// `StandardInput=socket` in a service without `Accept=`:
///
/// ```no_run
/// # #[cfg(unix)]
/// # async fn run(router: fedispec_runtime::server::Router) -> std::io::Result<()> {
/// use std::os::fd::AsFd as _;
///
/// let inherited = std::io::stdin().as_fd().try_clone_to_owned()?;
/// let listener = std::net::TcpListener::from(inherited);
/// fedispec_runtime::server::Listen::new(listener).serve(router).await
/// # }
/// ```
#[must_use]
pub struct Listen<E = Pending<()>> {
    listener: Listener,
    settings: Settings,
    end: E,
}

#[derive(Debug, Clone)]
struct Settings {
    max_connections: usize,
    max_per_address: usize,
    head_timeout: Duration,
    patience: Duration,
    shutdown_timeout: Duration,
    accept_retry: Duration,
    linger: Duration,
    proxies: Arc<Proxies>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_connections: max_connections(),
            max_per_address: (max_connections() / 4).max(1),
            head_timeout: Duration::from_secs(30),
            patience: RequestLimits::default().patience,
            shutdown_timeout: Duration::from_secs(30),
            accept_retry: Duration::from_millis(100),
            linger: RequestLimits::default().linger,
            proxies: Arc::default(),
        }
    }
}

/// Three quarters of the file descriptors that the process may have; the rest is for files and databases.
fn max_connections() -> usize {
    #[cfg(unix)]
    {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
        let descriptors = limit.current.and_then(|count| usize::try_from(count).ok());
        descriptors.map_or(MOST, |count| (count / 4 * 3).clamp(1, MOST))
    }
    #[cfg(not(unix))]
    MOST
}

impl Listen {
    /// Creates a server for a listener's connections.
    pub fn new(listener: impl Into<Listener>) -> Self {
        Self { listener: listener.into(), settings: Settings::default(), end: pending() }
    }
}

impl<E: Future<Output = ()>> Listen<E> {
    setters! {
        /// Sets the greatest number of connections; three quarters of the file descriptors that the process may have, and at most 10,000. Beyond it a
        /// new connection takes the place of one that is idle, or else of one that has sent a body for longest, users last.
        max_connections(count: usize) => settings.max_connections = count.max(1);

        /// Sets the greatest number of connections of one address, or in IPv6 of a network of 64 bits; a quarter of the default of
        /// [`max_connections`](Self::max_connections). A new one takes the place of that address's one that is the least worth keeping. Trusted
        /// proxies, this machine and private networks are not bounded.
        max_per_address(count: usize) => settings.max_per_address = count.max(1);

        /// Sets the time that the head of a request may take, and after which an idle connection is closed; 30 seconds.
        head_timeout(time: Duration) => settings.head_timeout = time;

        /// Sets the time that a client may take to accept more of a response; 30 seconds. A response or event stream that waits longer is dropped
        /// with its connection. On Linux this is also the TCP user timeout, after which unacknowledged data closes the connection.
        patience(time: Duration) => settings.patience = time;

        /// Sets the time that running requests get at shutdown; 30 seconds. Event streams and `WebSocket`s end at once.
        shutdown_timeout(time: Duration) => settings.shutdown_timeout = time;

        /// Sets the pause after a connection could not be accepted, which usually means that the process is out of file descriptors; 0.1 seconds.
        accept_retry(time: Duration) => settings.accept_retry = time;

        /// Sets the time for which what no handler reads of a body is taken and discarded, so that the client reads the answer; 10 seconds. After up
        /// to 64 KiB of known length the connection can be used again; otherwise the answer says `Connection: close`.
        linger(time: Duration) => settings.linger = time;
    }

    /// Sets the proxies whose `X-Forwarded-For` tells the client's address, as addresses or networks: `["127.0.0.1", "10.0.0.0/8"]`. There are
    /// none by default. A program that connects to a Unix socket is always trusted. Their `X-Forwarded-Proto` and `X-Forwarded-Host`, or else
    /// `Host`, are the origin of links where the server has none of its own.
    ///
    /// # Errors
    ///
    /// When one is neither an address nor a network.
    pub fn trusted_proxies<N: AsRef<str>>(
        mut self,
        networks: impl IntoIterator<Item = N>,
    ) -> io::Result<Self> {
        let wrong = |told: String| io::Error::new(io::ErrorKind::InvalidInput, told);
        self.settings.proxies = Arc::new(Proxies::new(networks).map_err(wrong)?);
        Ok(self)
    }

    /// Serves until a future completes. Then no more connections are accepted, event streams end, `WebSocket`s are closed with 1001, and running
    /// requests get the [`shutdown_timeout`](Self::shutdown_timeout).
    pub fn until<F: Future<Output = ()>>(self, end: F) -> Listen<F> {
        Listen { listener: self.listener, settings: self.settings, end }
    }

    /// Serves the router.
    ///
    /// # Errors
    ///
    /// When the listener cannot be used.
    pub async fn serve(self, router: Router) -> io::Result<()> {
        let settings = self.settings;
        let listener = self.listener.register()?;
        let (sender, ending) = Ending::channel();
        let connections = Connections::new();
        let accept = accept(&listener, &settings, &connections, &router, &ending);
        tokio::select! {
            () = accept => {}
            () = self.end => {}
        }
        drop(listener);
        drop(ending);
        let _ = sender.send(());
        let _ = timeout(settings.shutdown_timeout, sender.closed()).await;
        Ok(())
    }
}

/// Accepts connections without end.
async fn accept(
    listener: &Listener,
    settings: &Settings,
    connections: &Arc<Connections>,
    router: &Router,
    ending: &Ending,
) {
    let share = (settings.max_connections / SHARE).max(1);
    let wait_for_room = async || {
        connections.close_some(share);
        tokio::select! {
            () = connections.freed() => {}
            () = sleep(settings.accept_retry) => {}
        }
    };
    loop {
        match listener.accept().await {
            Ok((socket, peer)) => {
                while connections.len() >= settings.max_connections {
                    wait_for_room().await;
                }
                let address = settings.proxies.counted(peer);
                if let Some(address) = address
                    && connections.of(address) >= settings.max_per_address
                {
                    connections.close_one_of(address);
                }
                let entry = connections.enter(address);
                let client = Client {
                    peer,
                    proxies: Arc::clone(&settings.proxies),
                    linger: settings.linger,
                    behind: Behind {
                        connection: Arc::clone(&entry.connection),
                        ending: ending.clone(),
                    },
                };
                let served = serve_connection(socket, entry, settings, client, router.clone());
                tokio::spawn(served);
            }
            Err(error) if is_of_the_client(&error) => {}
            Err(_) => wait_for_room().await,
        }
    }
}

/// Whether the connection was lost, and nothing is wrong with the listener.
fn is_of_the_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    )
}

/// The client of a connection.
struct Client {
    peer: Option<SocketAddr>,
    proxies: Arc<Proxies>,
    linger: Duration,
    behind: Behind,
}

/// Serves one connection to its end.
fn serve_connection(
    socket: Socket,
    entry: Member,
    settings: &Settings,
    client: Client,
    router: Router,
) -> impl Future<Output = ()> + Send + use<> {
    let socket = Watched::new(socket, settings.patience, entry);
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(settings.head_timeout)
        .max_buf_size(BUFFER);
    let Behind { connection, ending } = client.behind.clone();
    let service = service_fn(move |request| client.answer(request, router.clone()));
    async move {
        let served = builder.serve_connection(TokioIo::new(socket), service);
        let mut served = pin!(served.with_upgrades());
        let mut closed = pin!(connection.closed());
        tokio::select! {
            // The error of a closing connection is of no use to the server.
            _ = served.as_mut() => return,
            () = closed.as_mut() => return,
            () = ending.wait() => served.as_mut().graceful_shutdown(),
        }
        tokio::select! {
            _ = served => {}
            () = closed => {}
        }
    }
}

impl Client {
    /// Lets the router answer a request.
    fn answer(
        &self,
        request: Request<Incoming>,
        mut router: Router,
    ) -> impl Future<
        Output = Result<
            Response<impl HttpBody<Data = Bytes, Error = axum::Error> + use<>>,
            Infallible,
        >,
    > + Send
    + use<> {
        let connection = Arc::clone(&self.behind.connection);
        let arrived = request.body().is_end_stream();
        connection.enter(if arrived { Phase::Serves } else { Phase::Receives });
        let (mut parts, body) = request.into_parts();
        if let Some(client) = self.proxies.client(self.peer, &parts.headers) {
            parts.extensions.insert(ConnectInfo(client));
        }
        if let Some(origin) = self.proxies.origin(self.peer, &parts.headers) {
            parts.extensions.insert(origin);
        }
        parts.extensions.insert(self.behind.clone());
        let refused = names_host(&parts).err();
        let told = Some(Arc::clone(&connection));
        let (body, unread) = Lingering::new(body, &parts, Some(self.linger), told);
        let request = Request::from_parts(parts, body);
        async move {
            let mut response = if let Some(error) = refused {
                drop(request);
                error.into_response()
            } else {
                match router.call(request).await {
                    Ok(response) => response,
                    Err(never) => match never {},
                }
            };
            unread.announce(&mut response);
            let is_upgrade = response.status() == StatusCode::SWITCHING_PROTOCOLS;
            let busy = (!is_upgrade).then(|| Busy(connection));
            Ok(response.map(|body| {
                // Of the combinators, this one alone keeps the length of the body.
                body.map_err(move |error| {
                    let _ = &busy;
                    error
                })
            }))
        }
    }
}

/// Refuses a request that names two hosts, or none in HTTP/1.1 ([RFC 9112, 3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2)).
fn names_host(head: &Parts) -> Result<(), Error> {
    if head.version == Version::HTTP_11 && !head.headers.contains_key(HOST) {
        let message = "a request has a Host header";
        return Err(Error::new(StatusCode::BAD_REQUEST, message));
    }
    one_host(&head.headers)
}

/// A connection that is busy until this is dropped with the body of its response. One that is upgraded is never idle.
struct Busy(Arc<Connection>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.enter(Phase::Idle);
    }
}

shown!(Listen<E>, own => listener, settings);
