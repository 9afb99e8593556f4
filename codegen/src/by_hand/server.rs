use ::core::future::Future;

/// A server made of groups of operations, and of handlers for single ones; all others answer 501. The handlers get an `S`, the
/// application that [`Server::of`] takes.
#[derive(Debug)]
#[must_use]
pub struct Server<S = ()> {
    app: S,
    routes: rt::codegen::Routes,
}

impl Server {
    /// A server that answers 501 to every operation.
    pub fn new() -> Self {
        Self::of(())
    }
}

impl<S: Clone + Send + Sync + 'static> Server<S> {
    /// Mounts the handler of one operation, an async closure or function of the application, the request and the call. The type of
    /// the request says which operation it is: `.on(async |app: App, request: accounts::Get, call| app.account(request.id))`. A
    /// later handler for the same operation replaces an earlier one. An async closure that captures is none: what handlers share is in
    /// the application, and errors of other libraries become a 500 by [`OrInternal`].
    pub fn on<R, F, A>(mut self, handler: F) -> Self
    where
        R: Handled,
        F: Fn(S, R, Call) -> A + Send + Sync + 'static,
        A: Future<Output = Result<R::Answered>> + Send + 'static,
    {
        self.routes.handle(self.app.clone(), handler);
        self
    }

    /// Mounts the handler of one operation that answers a stream of events.
    pub fn on_stream<R, E, F, A>(mut self, handler: F) -> Self
    where
        R: rt::Request<Answer = rt::EventStream<E>> + rt::codegen::Decode + Send + 'static,
        F: Fn(S, R, Call) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Events>> + Send + 'static,
    {
        self.routes.handle(self.app.clone(), handler);
        self
    }

    /// Mounts the handlers that a function mounts, such as those of one file: `.group(lists::handlers)`.
    pub fn group(self, handlers: impl FnOnce(Self) -> Self) -> Self {
        handlers(self)
    }
}

impl<S> Server<S> {
    /// A server that answers 501 to every operation, with an application for the handlers of [`Server::on`].
    pub fn of(app: S) -> Self {
        Self { app, routes: rt::codegen::Routes::new(super::items(), OPERATIONS, WRITTEN) }
    }

    /// Sets the greatest sizes of what requests may send.
    pub fn limits(mut self, limits: RequestLimits) -> Self {
        self.routes.limits(limits);
        self
    }

    /// Sets the limits for one operation, such as `media.upload`, in place of the others.
    ///
    /// # Panics
    ///
    /// Where no operation has this id.
    pub fn limits_for(mut self, operation: &str, limits: RequestLimits) -> Self {
        self.routes.limits_for(operation, limits);
        self
    }

    /// Sets the origin that clients see, such as `https://example.org`, which the links between pages are made with. Without one they are
    /// relative, except on this machine.
    pub fn public_origin(self, origin: &str) -> Self {
        self.public_origins([origin])
    }

    /// Sets the origins that clients see, where there are several. Links have the one that the request's `Host` names, or else the first.
    pub fn public_origins<O: AsRef<str>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        self.routes.public_origins(origins);
        self
    }

    /// Sets what resolves a token to its caller. Without one no token is checked, and anybody may call every operation. A closure that needs a
    /// store of tokens has it from [`authenticator_with`](Self::authenticator_with).
    pub fn authenticator(mut self, authenticator: impl Authenticator) -> Self {
        self.routes.authenticator(authenticator);
        self
    }

    /// Sets what resolves a token to its caller: an `async fn` of some state, such as a store of tokens, and a token. A closure is one that
    /// captures nothing.
    pub fn authenticator_with<T, F, A>(mut self, state: T, authenticate: F) -> Self
    where
        T: Clone + Send + Sync + 'static,
        F: Fn(T, Secret) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Caller>> + Send + 'static,
    {
        self.routes.authenticator_with(state, authenticate);
        self
    }

    /// Asks before each handler, of every operation: for limits and rules of your own, by operation, group and caller. An error is
    /// answered in its place.
    pub fn before(mut self, ask: impl Fn(&Call) -> Result<()> + Send + Sync + 'static) -> Self {
        self.routes.before(ask);
        self
    }

    /// Tells after each answer, of every operation: for metrics and audits.
    pub fn after(mut self, tell: impl Fn(&Served) + Send + Sync + 'static) -> Self {
        self.routes.after(tell);
        self
    }

    /// Limits the calls of each client, and tells it how many it has left.
    pub fn rate_limit(mut self, limit: RateLimit) -> Self {
        self.routes.rate_limit(limit);
        self
    }

    /// Emulates a registered release, such as `mastodon@4.2.0`: operations that it does not have are answered as it answers unknown routes,
    /// parameters that it does not have are ignored, and answers and events have only the fields and values that it has. Handlers are the
    /// same for every release, and find it in [`Call::target`](rt::server::CallParts::target).
    ///
    /// | what | in the emulated release |
    /// |---|---|
    /// | operations and methods that it lacks | answered as it answers unknown routes |
    /// | parameters | ignored where it lacks them, refused where it answers an error to them |
    /// | fields, values and entities of answers and events | cut at every depth, and written as it writes them |
    /// | tokens, scopes and refusals | as it asks for them, in its words |
    /// | version, API number, node info | its own |
    /// | bodies of [`Reply`] and [`Event::raw`] | as they are: [`Call::encode`] and [`Event::json`] are cut |
    /// | statuses of success, pages, limits | as the handler answers; see [`Call::set_status`] |
    ///
    /// [`Server::emulation`] tells what is cut, and [`Server::unimplemented`] what the release has and the server does not.
    ///
    /// # Errors
    ///
    /// Where no such release is registered: with the nearest one.
    pub fn emulate(mut self, release: &str) -> std::result::Result<Self, UnknownRelease> {
        self.routes.emulate(emulation(release)?);
        Ok(self)
    }

    /// The release that the server emulates, which tells what is cut.
    pub fn emulation(&self) -> Option<&Emulation> {
        self.routes.emulation()
    }

    /// Sets the release that handlers and refusals go by, without cutting what it does not have; see [`Server::emulate`].
    pub fn target(mut self, target: Target) -> Self {
        self.routes.target(target);
        self
    }

    /// Sets whether pages of other origins may call, as clients in a browser do. They may by default.
    pub fn cors(mut self, allowed: bool) -> Self {
        self.routes.cors(allowed);
        self
    }

    /// Sets the folder that large uploads are written to while they arrive; the default is the system's folder for temporary files.
    pub fn uploads_in(mut self, folder: impl Into<std::path::PathBuf>) -> Self {
        self.routes.uploads_in(folder);
        self
    }

    /// Lets values of enumerations through that the catalogue does not list: `*` for all, or the id of an operation or of a parameter, such
    /// as `statuses.create.visibility`. Otherwise an operation that may store such a value answers 422, and one that reads ignores it.
    ///
    /// # Panics
    ///
    /// Where there is no such operation or parameter.
    pub fn accept_unlisted(mut self, id: &str) -> Self {
        self.routes.accept_unlisted(id);
        self
    }

    /// Lets calls of an operation, given by its id, through that lack required parameters: the handler is given empty texts and `false`, and has to look
    /// at them. Otherwise the first that is missing is refused.
    ///
    /// # Panics
    ///
    /// Where there is no such operation.
    pub fn accept_missing(mut self, operation: &str) -> Self {
        self.routes.accept_missing(operation);
        self
    }

    /// Remembers the answers to requests with an `Idempotency-Key` for a time, at most so many of them. A user who repeats a request gets the
    /// answer of the first one that succeeded, and one that is repeated at once waits for it.
    ///
    /// A handler is dropped where its client hangs up or has waited too long. Calls with a key are not: they run as tasks of their own, as many
    /// and as long as [`RequestLimits::detached`](RequestLimits::detached) says, and a server that stops waits for them. A server that is killed may have
    /// acted and not answered: a repetition acts again then, with a store too, unless handlers compare the key in the transaction in which they act.
    pub fn idempotency(mut self, keep: std::time::Duration, most: usize) -> Self {
        self.routes.idempotency(keep, most);
        self
    }

    /// Remembers them in a store too, which outlives the process, or which several share.
    pub fn idempotency_in(
        mut self,
        store: impl AnswerStore,
        keep: std::time::Duration,
        most: usize,
    ) -> Self {
        self.routes.idempotency_in(store, keep, most);
        self
    }

    /// The event streams that are open, to end those of a token that is revoked, or of an account. Handlers have them as
    /// [`Call::streams`].
    pub fn streams(&self) -> OpenStreams {
        self.routes.streams().clone()
    }

    /// Lets all calls that write run to their end, as those with an `Idempotency-Key` do, though their clients hang up.
    pub fn detached(mut self) -> Self {
        self.routes.detached();
        self
    }

    /// Leaves an operation, such as `oauth.authorize`, to a router of your own that the server's is merged with.
    ///
    /// # Panics
    ///
    /// Where no operation has this id.
    pub fn without(mut self, operation: &str) -> Self {
        self.routes.without(operation);
        self
    }

    /// Makes routes for the implemented operations only. All other paths are left to your own router.
    pub fn only_mounted(mut self) -> Self {
        self.routes.only_mounted();
        self
    }

    /// Lists the operations without a handler: those of groups that are not mounted, and methods that are not implemented. They answer 501, but
    /// for what the server knows by itself: that it runs (`/health`, `/livez`), that it has streams (`/api/v1/streaming/health`), and, with
    /// a public origin, where the mounted node info and `WebFinger` are found.
    pub fn unimplemented(&self) -> impl Iterator<Item = &'static rt::Operation> + use<'_, S> {
        self.routes.unimplemented()
    }

    /// Lists the operations that the server answers: those with a handler, what it knows by itself, and the WebSocket of its event streams.
    pub fn mounted(&self) -> impl Iterator<Item = &'static rt::Operation> + use<'_, S> {
        self.routes.mounted()
    }

    /// Answers `GET /api/openapi.json` with an OpenAPI document of the operations that are [`mounted`](Self::mounted), in the release that the
    /// server emulates. A function makes it of their ids and of the release, such as `mastodon@4.2.0`, once, when it is first asked for. The crate
    /// `fedispec-openapi` has one in its feature `served`: `.openapi(fedispec_openapi::served)`. `fedispec probe` holds the server against it.
    pub fn openapi<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        mut self,
        describe: impl FnOnce(&[&str], Option<&str>) -> std::result::Result<String, E> + Send + 'static,
    ) -> Self {
        self.routes.openapi(describe);
        self
    }

    /// Makes the router, to be served or nested in another.
    pub fn into_router(self) -> Router {
        self.routes.into_router()
    }
}

impl Default for Server {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> From<Server<S>> for rt::codegen::Routes {
    fn from(server: Server<S>) -> Self {
        server.routes
    }
}

/// A registered release, such as `mastodon@4.2.0`, as [`Server::emulate`] emulates it: what it has, and how it writes answers.
///
/// # Errors
///
/// Where no such release is registered: with the nearest one.
pub fn emulation(release: &str) -> std::result::Result<Emulation, UnknownRelease> {
    Emulation::new(super::items(), WRITTEN, release)
}
