//! A listener on loopback that catches the redirect of a login ([RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3)).

use std::future::poll_fn;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::task::Poll;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::{Login, LoginError};
use crate::Secret;

/// The longest head of a request. Codes and states are short.
const LONGEST: usize = 16 * 1024;
/// How long a connection may take to send its request, and to take its answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The greatest number of connections at once.
const CONNECTIONS: usize = 16;

/// A listener on this machine that the browser is sent back to, and that takes the code from there.
///
/// Bind it first, and register the application with its address: servers compare addresses as a whole. For an application that is kept,
/// bind the port that it was registered with.
///
/// ```no_run
/// use fedispec_runtime::client::Client;
/// use fedispec_runtime::client::login::{Login, LoginError, Loopback, Random, Registration};
/// use std::time::Duration;
///
/// # async fn sign_in(client: Client, open: fn(String)) -> Result<(), LoginError> {
/// let loopback = Loopback::bind(0).await?;
/// let app = client.register(Registration::new("elephant", [loopback.redirect_uri()])).await?;
/// let login = Login::new(&client, &app, loopback.redirect_uri(), Random::from_os()?)?;
/// open(login.url());
/// let code = loopback.catch(&login, Duration::from_secs(300)).await?;
/// let session = login.finish_with_code(&client, code).await?;
/// # Ok(())
/// # }
/// ```
///
/// It listens on 127.0.0.1 alone. What does not carry the login's state is answered and not heeded, and one connection that is slow or sends
/// too much does not hold up the others.
#[derive(Debug)]
pub struct Loopback {
    listener: TcpListener,
    address: SocketAddr,
}

/// The outcome of a connection: the stream, and the target of its request where it is one.
type Arrival = (TcpStream, Result<String, Fault>);

/// A request that is no redirect.
#[derive(Debug, Clone, Copy)]
enum Fault {
    TooLong,
    Method,
    Malformed,
}

impl Loopback {
    /// Listens at a port, or with 0 at one that is free.
    ///
    /// # Errors
    ///
    /// When the port is taken.
    pub async fn bind(port: u16) -> Result<Self, LoginError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let listener = listener.map_err(LoginError::Io)?;
        let address = listener.local_addr().map_err(LoginError::Io)?;
        Ok(Self { listener, address })
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The address to register the application with and to begin the login with: `http://127.0.0.1:49152/`.
    pub fn redirect_uri(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Waits for the redirect of a login and takes its code. Afterwards nothing listens any more.
    ///
    /// # Errors
    ///
    /// When the user refuses, nobody comes back in time, or the listener fails.
    pub async fn catch(self, login: &Login, within: Duration) -> Result<Secret, LoginError> {
        let caught = timeout(within, self.wait(login)).await;
        caught.unwrap_or(Err(LoginError::TimedOut))
    }

    async fn wait(self, login: &Login) -> Result<Secret, LoginError> {
        let mut reading = JoinSet::new();
        let mut answering = JoinSet::new();
        loop {
            let (stream, target) = self.next(&mut reading).await?;
            while answering.try_join_next().is_some() {}
            let refused = |status| (status, "This is not the address of a sign-in.");
            let (status, text) = match target.as_deref().map(|target| judge(login, target)) {
                Ok(Some(Ok(code))) => {
                    answer(stream, "200 OK", "You are signed in. You can close this page.").await;
                    return Ok(code);
                }
                Ok(Some(Err(error @ (LoginError::Denied { .. } | LoginError::NoCode)))) => {
                    answer(stream, "200 OK", "You are not signed in. You can close this page.")
                        .await;
                    return Err(error);
                }
                Ok(Some(Err(_))) => {
                    ("400 Bad Request", "This does not belong to the sign-in that is under way.")
                }
                Ok(None) => refused("404 Not Found"),
                Err(Fault::TooLong) => refused("431 Request Header Fields Too Large"),
                Err(Fault::Method) => refused("405 Method Not Allowed"),
                Err(Fault::Malformed) => refused("400 Bad Request"),
            };
            // In a task of its own: a browser that does not read must not hold up the one that comes back.
            answering.spawn(answer(stream, status, text));
        }
    }

    /// The next request, of several connections at once.
    async fn next(&self, reading: &mut JoinSet<Option<Arrival>>) -> Result<Arrival, LoginError> {
        loop {
            let asked = poll_fn(|context| {
                while let Poll::Ready(Some(read)) = reading.poll_join_next(context) {
                    if let Ok(Some(asked)) = read {
                        return Poll::Ready(Ok(Some(asked)));
                    }
                }
                if reading.len() >= CONNECTIONS {
                    return Poll::Pending;
                }
                match self.listener.poll_accept(context) {
                    Poll::Pending => Poll::Pending,
                    Poll::Ready(Ok((stream, _))) => {
                        reading.spawn(async move { timeout(PATIENCE, read(stream)).await.ok() });
                        Poll::Ready(Ok(None))
                    }
                    // The connection is gone already; the listener is not.
                    Poll::Ready(Err(error)) if is_of_connection(&error) => Poll::Ready(Ok(None)),
                    Poll::Ready(Err(error)) => Poll::Ready(Err(LoginError::Io(error))),
                }
            });
            if let Some(asked) = asked.await? {
                return Ok(asked);
            }
        }
    }
}

fn is_of_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// The code of a target; `None` where the target is not the redirect's path.
fn judge(login: &Login, target: &str) -> Option<Result<Secret, LoginError>> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    (path == "/").then(|| login.code(query))
}

/// Reads the head of a request.
async fn read(mut stream: TcpStream) -> Arrival {
    let mut head = Vec::new();
    loop {
        if head.windows(4).any(|end| end == b"\r\n\r\n") {
            let target = target(&head);
            return (stream, target);
        }
        if head.len() >= LONGEST {
            return (stream, Err(Fault::TooLong));
        }
        let mut piece = [0; 2048];
        match stream.read(&mut piece).await {
            Ok(length) if length > 0 => head.extend_from_slice(&piece[..length]),
            _ => return (stream, Err(Fault::Malformed)),
        }
    }
}

/// The target of the first line, `GET /?code=.. HTTP/1.1`.
fn target(head: &[u8]) -> Result<String, Fault> {
    let head = std::str::from_utf8(head).map_err(|_| Fault::Malformed)?;
    let line = head.lines().next().unwrap_or_default();
    let mut words = line.split(' ');
    match (words.next(), words.next(), words.next(), words.next()) {
        (Some("GET"), Some(target), Some(version), None) if version.starts_with("HTTP/1.") => {
            Ok(target.to_owned())
        }
        (Some(_), Some(_), Some(version), None) if version.starts_with("HTTP/1.") => {
            Err(Fault::Method)
        }
        _ => Err(Fault::Malformed),
    }
}

/// Answers with a page. A browser that does not take it is left alone.
async fn answer(mut stream: TcpStream, status: &'static str, text: &'static str) {
    let page = format!(
        "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>Sign-in</title><p>{text}</p></html>\n"
    );
    // The address has the code, so nothing may keep it or pass it on.
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\n\
         cache-control: no-store\r\nreferrer-policy: no-referrer\r\nconnection: close\r\n\r\n",
        page.len()
    );
    let written = async {
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(page.as_bytes()).await?;
        stream.shutdown().await
    };
    drop(timeout(PATIENCE, written).await);
}
