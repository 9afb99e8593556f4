//! The client: an origin, a token and a transport.

use std::sync::Arc;
use std::time::Duration;

use http::header::USER_AGENT;
use http::{HeaderValue, Uri};

use super::answer::Undecoded;
use super::delivery::{Delivery, Flight, Response};
use super::knowledge::{DAY, Knowledge};
use super::redact::is_secret;
use super::request::{DEFAULT_USER_AGENT, build, follow};
use super::walk::same_origin;
use super::{
    Accept as _, Answer, Body, BoxFuture, Encode, Encoder, Error, ErrorKind, Exchange, FromAnswer,
    Origin, RateLimits, Retries, Timer, Token, Transport, answer,
};
#[cfg(feature = "streaming")]
use super::{Opened, TransportError};
use crate::compatibility::{
    DiscoveryError, Gate, Plan, Policy, RemoteServer, Setting, TIMEOUT, Verdict, discover,
    names_param, plan, rewrite,
};
use crate::{Link, Location, Operation, Request, de};

/// A client of one server. Clones are cheap and share their connections.
///
/// Requests are generated types, which a client [sends](Self::send) or [pages through](Self::pages). The token is sent only to the
/// client's origin, and no request is sent twice unless [`retries`](Self::retries) says so.
///
/// ```
/// # use fedispec_runtime as rt;
/// use rt::client::{Client, Tower};
/// # #[derive(rt::Entity)]
/// # struct Rule { text: String }
/// # struct Rules;
/// # impl rt::Request for Rules {
/// #     type Answer = rt::List<Rule>;
/// #     const OPERATION: &'static rt::Operation = &rt::Operation::new("instance.rules", rt::Method::Get, "/api/v1/instance/rules");
/// # }
/// # impl rt::client::Encode for Rules {
/// #     fn encode<'a>(&'a self, _: &mut rt::codegen::Encoder<'a>) {}
/// # }
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let router = axum::Router::new().fallback(|| async { r#"[{"text": "Be kind."}]"# });
/// let client = Client::with_transport("social.example".parse()?, Tower::new(router)).token("..");
/// let rules = client.send(Rules).await?;
/// assert_eq!(rules[0].text, "Be kind.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Client {
    origin: Origin,
    token: Option<Token>,
    /// `None` where the given name cannot be a header's value.
    user_agent: Option<HeaderValue>,
    timeout: Duration,
    answer_timeout: Option<Duration>,
    max_bytes: u64,
    delivery: Delivery,
    knowledge: Option<Arc<Knowledge>>,
    policy: Policy,
    /// The names of parameters that a call may lose.
    allowed: Arc<[String]>,
}

impl Client {
    /// Creates a client over a transport. It knows nothing of its server, until [`connected`](Self::connected) or
    /// [`knowing`](Self::knowing) tell it: a parameter that the server lacks is then sent and ignored. A domain block with the severity
    /// `silence` suspends the domain on a server that has no severities, and a quote is posted without what it quotes.
    pub fn with_transport(origin: Origin, transport: impl Transport + 'static) -> Self {
        Self {
            origin,
            token: None,
            user_agent: Some(HeaderValue::from_static(DEFAULT_USER_AGENT)),
            timeout: Duration::from_secs(60),
            answer_timeout: None,
            max_bytes: 32 * 1024 * 1024,
            delivery: Delivery::new(transport),
            knowledge: None,
            policy: Policy::Advise,
            allowed: Arc::default(),
        }
    }

    /// Sends a bearer token with each request.
    #[must_use]
    pub fn token(mut self, token: impl Into<Token>) -> Self {
        self.token = Some(token.into());
        // Servers count the requests of each user.
        self.delivery.limiter = Arc::default();
        self
    }

    /// Learns who the server is, and checks each request against that, by the client's [`policy`](Self::policy). The generated crate's
    /// `client::connect` does it for the transport that ships with it.
    ///
    /// Verdicts hold for a day. After it, or an hour after an answer has contradicted a verdict, [`send`](Self::send) asks anew before
    /// the next request; where nothing can be learned then, the former verdicts go on to hold, and it asks again after an hour. A client that
    /// [knows](Self::knowing) its server already, from a cache, asks only where that is older than a day.
    ///
    /// Where nothing can be learned for now, it asks three times more, as the server says or after half a second and twice as long each
    /// time. It needs a [timer](Self::timer) for that, and does not wait for more than half a minute.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # use rt::client::Client;
    /// # use rt::compatibility::{DiscoveryError, Gate};
    /// # async fn known(client: Client, items: &'static rt::ItemTable) -> Result<Client, DiscoveryError> {
    /// client.connected(|server| Gate::new(server, items)).await // or the generated crate's own `client::gate`
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`discover`](Self::discover).
    pub async fn connected(
        self,
        gate: impl Fn(RemoteServer) -> Gate + Send + Sync + 'static,
    ) -> Result<Self, DiscoveryError> {
        let cached = self.remote().filter(|server| {
            let age = { self.waits_by() }.zip(server.learned_at());
            age.is_some_and(|(timer, at)| timer.now() < at + DAY)
        });
        let server = match cached {
            Some(server) => server,
            None => self.learned().await?,
        };
        let knowledge = Some(Arc::new(Knowledge::learned(server, gate)));
        Ok(Self { knowledge, ..self })
    }

    /// Sends a request and decodes its answer.
    ///
    /// # Errors
    ///
    /// When the request cannot be sent or is not answered, the server answers with an error, or the answer cannot be decoded. Nothing is
    /// retried unless the client was told to ([`retries`](Self::retries), [`rate_limits`](Self::rate_limits)); [`Error::is_sent`] tells what
    /// is safe to repeat.
    pub async fn send<R>(&self, request: R) -> Result<Answer<R::Answer>, Error>
    where
        R: Request + Encode,
        R::Answer: FromAnswer,
    {
        if let Some(learning) = self.asks_again() {
            learning.await;
        }
        let (response, sent) = self.dispatched(R::OPERATION, R::Answer::accept(), &request)?;
        drop(request);
        self.read(sent, response.await)
    }

    /// A client whose calls may lose these parameters, although the server then does something else than was asked for.
    ///
    /// Without it such a call is refused, and the error says what would happen. A parameter goes by its name in Rust (`scheduled_at`), on
    /// the wire (`poll[options][]`), or by its id (`statuses.create.scheduled_at`).
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # async fn now<R>(client: &rt::client::Client, request: R) -> Result<(), rt::client::Error>
    /// # where R: rt::Request + rt::client::Encode, R::Answer: rt::client::FromAnswer {
    /// // At once, where the server cannot schedule it.
    /// let answer = client.allowing(["scheduled_at"]).send(request).await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn allowing(&self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let known = self.allowed.iter().cloned();
        let allowed = known.chain(names.into_iter().map(Into::into)).collect();
        Self { allowed, ..self.clone() }
    }

    /// Sets what to do where the server lacks something, of a client that knows its server; [`Policy::Advise`] by default.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// The server as far as it is known. It serialises, with the time at which it was learned, so that another client need not ask.
    pub fn remote(&self) -> Option<RemoteServer> {
        self.gate().map(|gate| gate.server().clone())
    }

    /// Finds out which program and release the server runs, in at most four requests without the token.
    ///
    /// # Errors
    ///
    /// When nothing is learned and asking again may help: see [`RemoteServer::discover`]. Nothing is repeated here.
    pub async fn discover(&self) -> Result<RemoteServer, DiscoveryError> {
        let exchange = |request| Exchange {
            request,
            timeout: self.timeout.min(TIMEOUT),
            answer_timeout: self.answer_timeout,
            max_bytes: self.max_bytes,
            is_repeatable: true,
        };
        let name = self.user_agent.as_ref();
        let discovered = discover(&*self.delivery.transport, &self.origin, name, exchange).await;
        discovered.map(|server| RemoteServer {
            learned: self.delivery.timer.as_ref().map(|timer| timer.now().into()),
            ..server
        })
    }

    /// Checks each request against what is known about the server, and applies a policy to what the server lacks.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # use rt::client::Client;
    /// # use rt::compatibility::{DiscoveryError, Policy};
    /// # async fn known(client: Client, items: &'static rt::ItemTable) -> Result<Client, DiscoveryError> {
    /// let server = client.discover().await?;
    /// println!("it is {server}, and allows posts of {:?} characters", server.limits().characters);
    /// let gate = rt::compatibility::Gate::new(server, items); // or the generated crate's own `client::gate(server)`
    /// Ok(client.knowing(gate, Policy::Adapt))
    /// # }
    /// ```
    #[must_use]
    pub fn knowing(mut self, gate: Gate, policy: Policy) -> Self {
        self.knowledge = Some(Arc::new(Knowledge::fixed(gate)));
        self.policy(policy)
    }

    /// The plan for a request, without sending it; `None` where nothing is known about the server.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # fn told<R: rt::Request + rt::client::Encode>(client: &rt::client::Client, request: &R) {
    /// if let Some(plan) = client.plan(request) {
    ///     for doubt in plan.doubts() {
    ///         println!("{}: {}", doubt.item, doubt.support.evidence);
    ///     }
    /// }
    /// # }
    /// ```
    pub fn plan<R: Request + Encode>(&self, request: &R) -> Option<Plan> {
        self.planned(&Encoder::collect(R::OPERATION, request))
    }

    /// The origin of the server.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Sets the `User-Agent`, like `elephant/1.2`. The default names this library, because some servers refuse requests without one. A name
    /// that is not a valid header value makes every request fail.
    #[must_use]
    pub fn user_agent(mut self, name: &str) -> Self {
        if !name.trim().is_empty() {
            self.user_agent = HeaderValue::from_str(name).ok();
        }
        self
    }

    setters! {
        /// Sets how often to repeat a request that has failed and may be repeated; by default none is. It needs a [timer](Self::timer).
        retries(retries: Retries) => delivery.pacing.retries = retries;

        /// Sets what to do where the server's rate limit is used up; by default its 429 is returned as an error. Clones share what they know of
        /// the limit. It needs a [timer](Self::timer).
        ///
        /// ```
        /// # use fedispec_runtime::client::{Client, RateLimits, Retries};
        /// # fn patient(client: Client) -> Client {
        /// client.rate_limits(RateLimits::Wait).retries(Retries::of(3))
        /// # }
        /// ```
        rate_limits(limits: RateLimits) => delivery.pacing.limits = limits;

        /// Sets the longest time to wait for a rate limit, instead of which a request fails without being sent; the default is some five minutes.
        longest_wait(wait: Duration) => delivery.pacing.longest_wait = wait;

        /// Sets the time limit of a request and its answer, including uploads; the default is a minute. For a single longer request use a clone,
        /// which is cheap: `client.clone().timeout(..).send(..)`.
        timeout(timeout: Duration) => timeout = timeout;

        /// Sets the time limit for the head of an answer, from when the request has been sent whole; there is none by default but that of
        /// [`timeout`](Self::timeout). How long a connection may take is set by the transport (`Reqwest::connecting_within`).
        answer_timeout(timeout: Duration) => answer_timeout = Some(timeout);

        /// Sets the longest body of an answer; the default is 32 MiB. What is decoded of it takes at most eight times as much memory and one MiB, and is an
        /// error beyond.
        max_bytes(bytes: u64) => max_bytes = bytes;

        /// Sets the time by which the client waits. The transport that ships with it brings one; a client over another transport does not wait
        /// without it.
        timer(timer: impl Timer + 'static) => delivery.timer = Some(Arc::new(timer));
    }

    /// Asks what the server is, and again where it cannot tell for now.
    async fn learned(&self) -> Result<RemoteServer, DiscoveryError> {
        const TRIES: Retries = Retries::of(3);
        const LONGEST: Duration = Duration::from_secs(30);
        let mut repetition = 0;
        loop {
            let error = match self.discover().await {
                Ok(server) => return Ok(server),
                Err(error) => error,
            };
            let Some(timer) = self.waits_by().filter(|_| error.may_pass()) else {
                return Err(error);
            };
            let pause = TRIES.pause(repetition, timer.jitter());
            let pause =
                pause.map(|pause| error.retry_after().map_or(pause, |told| told.max(pause)));
            let Some(pause) = pause.filter(|pause| *pause <= LONGEST) else {
                return Err(error);
            };
            repetition += 1;
            timer.sleep(pause).await;
        }
    }

    /// Asks what the server is by now, where what is known is old or proved wrong.
    fn asks_again(&self) -> Option<BoxFuture<'_, ()>> {
        let known = self.knowledge.as_ref()?;
        let timer = self.delivery.timer.as_ref()?;
        known.is_due(timer.now()).then(|| -> BoxFuture<'_, ()> {
            Box::pin(async move {
                if let Ok(server) = self.discover().await {
                    known.learn(server);
                }
            })
        })
    }

    /// Decodes a response. It is compiled for each type of answer, so what does not depend on the type is elsewhere.
    pub(super) fn read<A: FromAnswer>(
        &self,
        sent: Sent,
        response: Response,
    ) -> Result<Answer<A>, Error> {
        let undecoded = self.undecoded(&sent, response)?;
        let decoded =
            de::bounded(self.max_bytes, || A::from_answer(&undecoded.headers, undecoded.content()));
        match decoded {
            Ok(decoded) => Ok(undecoded.answer(decoded, sent.adapted())),
            Err(error) => Err(self.unread(&sent, undecoded, error)),
        }
    }

    fn undecoded(&self, sent: &Sent, response: Response) -> Result<Undecoded, Error> {
        let token = self.token.as_ref();
        let undecoded = match response {
            Ok(response) => {
                let replaced = sent.plan.as_ref().is_some_and(|plan| plan.replacement.is_some());
                if let Some(known) = self.knowledge.as_ref().filter(|_| !replaced) {
                    known.hold(sent.operation, response.status());
                }
                let moves = sent.plan.as_ref().map_or(&[][..], Plan::moves);
                let response = response.map(|body| rewrite(moves, body));
                answer::open(sent.operation, response, token)
            }
            Err(error) => Err(answer::unanswered(sent.operation, error, token)),
        };
        undecoded.map_err(|error| self.explained(sent, error))
    }

    fn unread(&self, sent: &Sent, undecoded: Undecoded, error: de::Error) -> Error {
        self.explained(sent, undecoded.unread(error, self.token.as_ref()))
    }

    /// Adds the origin and the plan to an error, and removes the secrets of the request from it.
    fn explained(&self, sent: &Sent, error: Error) -> Error {
        let gate = self.gate();
        let error = error.with_doubts(sent.plan.as_ref()).at(&self.origin);
        error.with_floor(gate.as_deref()).without(&sent.secrets)
    }

    /// Passes a request to the transport. The future does not borrow the client.
    pub(super) fn dispatch(&self, operation: &'static Operation, exchange: Exchange) -> Flight {
        self.delivery.send(operation.id, exchange)
    }

    /// Encodes a request and passes it to the transport: what [`send`](Self::send) does that is the same for all requests.
    fn dispatched(
        &self,
        operation: &'static Operation,
        accept: &'static str,
        request: &dyn Encode,
    ) -> Result<(Flight, Sent), Error> {
        let (exchange, sent) = self.exchange(operation, accept, request)?;
        Ok((self.dispatch(operation, exchange), sent))
    }

    pub(super) fn exchange(
        &self,
        operation: &'static Operation,
        accept: &'static str,
        request: &dyn Encode,
    ) -> Result<(Exchange, Sent), Error> {
        let mut encoder = Encoder::collect(operation, request);
        encoder.accept = accept;
        let secrets = secrets(&encoder);
        let plan = self.planned(&encoder);
        if let Some(plan) = &plan {
            if let Some(refusal) = &plan.refused {
                let refused = ErrorKind::Unsupported(refusal.clone());
                return Err(Error::new(operation, refused).at(&self.origin));
            }
            self.has_token(operation, plan)?;
            encoder.follow(plan);
        }
        let gate = self.gate();
        let settled = encoder.settle(gate.as_deref().map(Gate::server));
        settled.map_err(|error| error.at(&self.origin))?;
        let request = build(&encoder, &self.origin, self.token.as_ref());
        let exchange = request.and_then(|request| self.named(operation, request));
        let mut exchange = exchange.map_err(|error| error.at(&self.origin))?;
        exchange.is_repeatable |= self.is_keyed(&encoder);
        Ok((exchange, Sent { operation, plan, secrets }))
    }

    /// Whether a request has a key by which the server is known to know it again.
    fn is_keyed(&self, encoder: &Encoder<'_>) -> bool {
        const KEY: &str = "Idempotency-Key";
        let mut set = encoder.at(Location::Header);
        set.any(|entry| entry.param.wire == KEY)
            && self.has_param(encoder.operation(), KEY) == Verdict::Yes
    }

    /// A strict client does not send what its server certainly refuses for lack of a token.
    fn has_token(&self, operation: &Operation, plan: &Plan) -> Result<(), Error> {
        let strict = self.policy == Policy::Strict;
        match plan.auth {
            Some(auth) if strict && self.token.is_none() && auth.token.is_required() => {
                let error = Error::new(operation, ErrorKind::TokenRequired { auth });
                Err(error.at(&self.origin))
            }
            _ => Ok(()),
        }
    }

    /// Builds the request for the URL of a link.
    pub(super) fn behind(
        &self,
        operation: &'static Operation,
        link: &Link,
    ) -> Result<Exchange, Error> {
        let fault = |message: &str| {
            let message = message.to_owned();
            Error::new(operation, ErrorKind::Paging { message }).at(&self.origin)
        };
        let url = link.as_url().ok_or_else(|| fault("the link is not a URL"))?;
        let url = same_origin(&self.origin, &Uri::default(), url).map_err(fault)?;
        let request = follow(operation, url, self.token.as_ref());
        let exchange = request.and_then(|request| self.named(operation, request));
        exchange.map_err(|error| error.at(&self.origin))
    }

    /// Adds the `User-Agent` and the limits of the answer to a request.
    pub(super) fn named(
        &self,
        operation: &Operation,
        mut request: http::Request<Body>,
    ) -> Result<Exchange, Error> {
        let what = "the application's name has characters that are not allowed in a header";
        let name = self.user_agent.clone();
        let name = name.ok_or_else(|| Error::request(operation, "", what))?;
        request.headers_mut().insert(USER_AGENT, name);
        Ok(Exchange {
            is_repeatable: request.method().is_safe(),
            request,
            timeout: self.timeout,
            answer_timeout: self.answer_timeout,
            max_bytes: self.max_bytes,
        })
    }

    /// The same client without its token.
    #[cfg(feature = "oauth")]
    pub(super) fn without_token(&self) -> Self {
        let mut client = self.clone();
        client.token = None;
        client.delivery.limiter = Arc::default();
        client
    }

    /// The time by which it waits.
    pub(super) fn waits_by(&self) -> Option<Arc<dyn Timer>> {
        self.delivery.timer.clone()
    }

    /// Opens a connection that stays open. The future does not borrow the client.
    #[cfg(feature = "streaming")]
    pub(super) fn open(
        &self,
        exchange: Exchange,
    ) -> BoxFuture<'static, Result<Opened, TransportError>> {
        let transport = Arc::clone(&self.delivery.transport);
        Box::pin(async move { transport.open(exchange).await })
    }

    /// The verdicts on the server, where it is known.
    pub(super) fn gate(&self) -> Option<Arc<Gate>> {
        self.knowledge.as_ref().map(|known| known.gate())
    }

    pub(super) fn bearer(&self) -> Option<&Token> {
        self.token.as_ref()
    }

    /// Whether the server supports a parameter of an operation.
    pub(super) fn has_param(&self, operation: &Operation, wire: &str) -> Verdict {
        let mut params = operation.params.iter();
        let place = params.position(|param| param.wire == wire);
        match (self.gate(), place) {
            (Some(gate), Some(place)) => gate.param(operation, place),
            _ => Verdict::Unknown,
        }
    }

    fn planned(&self, encoder: &Encoder<'_>) -> Option<Plan> {
        let gate = self.gate()?;
        let operation = encoder.operation();
        let is_allowed = |setting: &Setting<'_>| {
            let wire = operation.params.get(setting.place).map(|param| param.wire);
            let mut allowed = self.allowed.iter();
            wire.is_some_and(|wire| allowed.any(|name| names_param(name, operation.id, wire)))
        };
        let set = encoder
            .settings()
            .map(|setting| if is_allowed(&setting) { setting.allowed() } else { setting });
        Some(plan(&gate, self.policy, operation, set))
    }
}

/// The parts of a call that are needed when its answer comes.
#[derive(Clone)]
pub(super) struct Sent {
    operation: &'static Operation,
    plan: Option<Plan>,
    secrets: Vec<String>,
}

impl Sent {
    /// A call without parameters of its own, such as the next page of a list.
    pub(super) const fn bare(operation: &'static Operation) -> Self {
        Self { operation, plan: None, secrets: Vec::new() }
    }

    /// The plan, where the answer tells it.
    fn adapted(self) -> Option<Plan> {
        self.plan.filter(Plan::is_worth_telling)
    }
}

/// The values of the secret parameters of a request.
fn secrets(encoder: &Encoder<'_>) -> Vec<String> {
    let set = encoder.entries.iter();
    let secret = set.filter(|entry| is_secret(entry.param.wire));
    let texts = secret.filter_map(|entry| Some(entry.value.scalar()?.into_owned()));
    texts.collect()
}

shown!(Client, own => origin, token, user_agent);
