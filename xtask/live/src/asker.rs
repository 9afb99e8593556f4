//! Polite, bounded GETs: one at a time, with a pause between them, heeding the server's rate limits.

use std::error::Error as _;
use std::fmt;
use std::time::{Duration, Instant, SystemTime};

use fedispec::client::bytes::Bytes;
use fedispec::client::{BadOrigin, Exchange, Origin, Rate, Token, Transport, TransportError, http};
use fedispec::runtime::compatibility::{Discovery, RemoteServer};
use http::header::{ACCEPT, AUTHORIZATION, LOCATION, USER_AGENT};
use http::{HeaderMap, HeaderValue, StatusCode};

/// The name that servers see in their logs.
const NAME: &str =
    concat!("fedispec/", env!("CARGO_PKG_VERSION"), " (", env!("CARGO_PKG_REPOSITORY"), ")");
/// The longest answer to one request.
const ANSWER: u64 = 8 * 1024 * 1024;
/// The time limit of one request.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a server that refuses without saying for how long is left alone.
const UNTOLD: Duration = Duration::from_secs(30);
/// The longest wait that is looked at; a server may ask for any.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);
/// How often the same request is sent again after a 429.
const REPETITIONS: u32 = 3;
/// So many requests in a row without an answer: the server is gone.
const LOST: u32 = 3;

/// The most that is asked of a server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// The number of requests.
    pub(crate) calls: u32,
    /// The bytes of all answers.
    pub(crate) bytes: u64,
    /// The time, with all waiting.
    pub(crate) time: Duration,
    /// The pause between two requests.
    pub(crate) pause: Duration,
}

/// Why asking ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The budget is used up: what was learned so far holds.
    Spent(String),
    /// The server no longer answers.
    Lost(String),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spent(why) | Self::Lost(why) => f.write_str(why),
        }
    }
}

/// An answer.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    /// The status.
    pub(crate) status: u16,
    /// The body.
    pub(crate) body: Bytes,
    /// Where a redirect leads that was not followed, as it leads to another server.
    leads_to: Option<String>,
}

impl Reply {
    /// An answer of a test.
    #[cfg(test)]
    pub(crate) fn new(status: u16, body: String) -> Self {
        let body = body.into();
        Self { status, body, leads_to: None }
    }

    /// Whether the status is a success.
    pub(crate) fn succeeded(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Asks one server.
pub(crate) struct Asker<T> {
    transport: T,
    origin: Origin,
    /// The value of the `Authorization` header.
    token: Option<HeaderValue>,
    budget: Budget,
    began: Instant,
    /// When the next request may be sent.
    next: Instant,
    calls: u32,
    bytes: u64,
    unanswered: u32,
}

impl<T: Transport> Asker<T> {
    /// Asks a server, with a token where there is one.
    ///
    /// # Errors
    ///
    /// When the token cannot be sent in a header.
    pub(crate) fn new(
        transport: T,
        origin: Origin,
        token: Option<&Token>,
        budget: Budget,
    ) -> Result<Self, String> {
        let header = |token: &Token| {
            let mut value = HeaderValue::try_from(format!("Bearer {}", token.expose()))
                .map_err(|_| "the token has characters that no token has; was a line cut?")?;
            value.set_sensitive(true);
            Ok::<_, String>(value)
        };
        let now = Instant::now();
        Ok(Self {
            transport,
            origin,
            token: token.map(header).transpose()?,
            budget,
            began: now,
            next: now,
            calls: 0,
            bytes: 0,
            unanswered: 0,
        })
    }

    /// The number of requests so far.
    pub(crate) fn calls(&self) -> u32 {
        self.calls
    }

    /// Whether it has a token.
    pub(crate) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Learns who answers, and whether the server takes the token.
    ///
    /// # Errors
    ///
    /// When nobody answers, the answers are not those of a server of this API, or the token is refused.
    pub(crate) async fn introduce(&mut self) -> Result<RemoteServer, String> {
        let mut discovery = Discovery::new();
        let mut leads_to = None;
        while let Some(target) = discovery.next().map(str::to_owned) {
            match self.send(&target, false).await.map_err(|stop| stop.to_string())? {
                Ok(reply) => {
                    discovery.answer(reply.status, &reply.body);
                    leads_to = leads_to.or(reply.leads_to);
                }
                // A server that does not answer the first question is not asked a second.
                Err(error) if self.calls == 1 => {
                    return Err(format!("{} cannot be reached: {}", self.origin, told(&error)));
                }
                Err(_) => discovery.no_answer(),
            }
        }
        let has_learned = discovery.has_learned();
        let server = discovery.finish();
        if !has_learned && !server.closed && server.identity.program.is_none() {
            let redirect = leads_to.map(|to| format!(" (it leads to {to}: name that server)"));
            return Err(format!(
                "{} is no server of this API: it answers, but has neither node info nor an instance document{}",
                self.origin,
                redirect.unwrap_or_default()
            ));
        }
        if self.has_token() {
            self.check_token().await?;
        }
        Ok(server)
    }

    /// A token that no user has may still be an application's.
    async fn check_token(&mut self) -> Result<(), String> {
        let mut asked = self.get("/api/v1/accounts/verify_credentials", true).await;
        let is_refused = |status: u16| status == StatusCode::UNAUTHORIZED;
        if matches!(&asked, Ok(Ok(reply)) if is_refused(reply.status)) {
            asked = self.get("/api/v1/apps/verify_credentials", true).await;
            if matches!(&asked, Ok(Ok(reply)) if !reply.succeeded()) {
                return Err(format!(
                    "{} refuses the token: it has expired, was revoked, or is another server's",
                    self.origin
                ));
            }
        }
        asked.map(drop).map_err(|stop| stop.to_string())
    }

    /// Sends a GET and waits for its answer; the inner error is that of this request alone.
    ///
    /// # Errors
    ///
    /// When the budget is used up, or the server no longer answers.
    pub(crate) async fn get(
        &mut self,
        target: &str,
        with_token: bool,
    ) -> Result<Result<Reply, String>, Stop> {
        let answered = self.send(target, with_token).await?;
        Ok(answered.map_err(|error| told(&error)))
    }

    async fn send(
        &mut self,
        target: &str,
        with_token: bool,
    ) -> Result<Result<Reply, TransportError>, Stop> {
        let mut repetition = 0;
        loop {
            self.turn().await?;
            let exchange = match self.exchange(target, with_token) {
                Ok(exchange) => exchange,
                Err(error) => return Ok(Err(TransportError::Broken(error.into()))),
            };
            self.calls += 1;
            let answer = self.transport.call(exchange).await;
            self.next = Instant::now() + self.budget.pause;
            let response = match answer {
                Ok(response) => response,
                Err(error) => {
                    self.unanswered += 1;
                    if self.unanswered >= LOST {
                        let why = told(&error);
                        return Err(Stop::Lost(format!(
                            "{} no longer answers ({LOST} requests in a row, the last to {target}): {why}",
                            self.origin
                        )));
                    }
                    return Ok(Err(error));
                }
            };
            self.unanswered = 0;
            self.bytes += response.body().len() as u64;
            let (head, body) = response.into_parts();
            if let Some(wait) = wait(head.status, &head.headers) {
                self.next = self.next.max(Instant::now() + wait.min(LONGEST_WAIT));
                if head.status == StatusCode::TOO_MANY_REQUESTS && repetition < REPETITIONS {
                    repetition += 1;
                    continue;
                }
            }
            let status = head.status.as_u16();
            return Ok(Ok(Reply {
                status,
                leads_to: head
                    .headers
                    .get(LOCATION)
                    .and_then(|to| to.to_str().ok().map(str::to_owned)),
                body,
            }));
        }
    }

    fn exchange(&self, target: &str, with_token: bool) -> Result<Exchange, http::Error> {
        let mut request = http::Request::get(format!("{}{target}", self.origin))
            .header(USER_AGENT, NAME)
            .header(ACCEPT, "application/json, */*;q=0.5");
        if let Some(token) = self.token.as_ref().filter(|_| with_token) {
            request = request.header(AUTHORIZATION, token);
        }
        let left = self.budget.bytes.saturating_sub(self.bytes);
        let limit = self.left().min(PATIENCE);
        Ok(Exchange::new(request.body(fedispec::client::Body::default())?, limit, left.min(ANSWER)))
    }

    /// The time that is left.
    fn left(&self) -> Duration {
        self.budget.time.saturating_sub(self.began.elapsed())
    }

    /// Waits until the next request may be sent.
    async fn turn(&mut self) -> Result<(), Stop> {
        let Budget { calls, bytes, time, .. } = self.budget;
        if self.calls >= calls {
            return Err(Stop::Spent(format!(
                "{calls} requests were sent, which is the limit (--calls)"
            )));
        }
        if self.bytes >= bytes {
            let limit = bytes / (1024 * 1024);
            return Err(Stop::Spent(format!(
                "the answers had {limit} MiB, which is the limit (--megabytes)"
            )));
        }
        let wait = self.next.saturating_duration_since(Instant::now());
        if wait >= self.left() {
            let (minutes, wait) = (time.as_secs() / 60, wait.as_secs());
            let for_limit = if wait > 1 {
                format!("; the server's rate limit asks for {wait} seconds more")
            } else {
                String::new()
            };
            return Err(Stop::Spent(format!(
                "the {minutes} minutes of --minutes are over{for_limit}"
            )));
        }
        tokio::time::sleep(wait).await;
        Ok(())
    }
}

/// How long to leave a server alone after an answer. The last tenth of what a rate limit allows is left to the user's other programs.
fn wait(status: StatusCode, headers: &HeaderMap) -> Option<Duration> {
    let rate = Rate::read(headers).unwrap_or_default();
    let until_reset = rate.until_reset(SystemTime::now());
    if status == StatusCode::TOO_MANY_REQUESTS {
        let wait = rate.retry_after.or(until_reset).unwrap_or(UNTOLD);
        return Some(wait.max(Duration::from_secs(1)));
    }
    let is_used_up = rate.remaining? <= rate.limit.unwrap_or_default() / 10;
    let wait = rate.retry_after.or(until_reset);
    if is_used_up { wait } else { rate.retry_after }
}

/// An error with its causes, which never repeat each other.
fn told(error: &TransportError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

/// The origin that a person names.
///
/// # Errors
///
/// When it is none, or would be asked without encryption.
pub(crate) fn origin(url: &str) -> Result<Origin, String> {
    url.parse().map_err(|error| match error {
        BadOrigin::Insecure => format!(
            "{url} would be asked without encryption; write https://, or http:// for a server on this machine alone"
        ),
        // The text may hold a password.
        BadOrigin::Credentials => error.to_string(),
        error => format!("{url} is no address of a server: {error}"),
    })
}
