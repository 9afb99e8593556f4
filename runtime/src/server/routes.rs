//! axum routes.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::future::{Future, ready};
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::routing::{MethodFilter, MethodRouter, any, on};

use super::answer::IntoAnswer;
use super::auth::DynAuthenticator;
use super::bound::{Bound, Function};
use super::decoder::{Decode, ParamRules, Rules};
use super::dialect::Dialect;
use super::discovery::Discovery;
use super::emulation::Emulation;
use super::hooks::Served;
use super::method::GroupMethod;
use super::missing::NotImplemented;
use super::open_streams::OpenStreams;
use super::openapi::{self, Describe};
use super::replays::{AnswerStore, Replays};
use super::route::{Route, Run};
use super::serve::serve;
use super::site::Site;
#[cfg(feature = "websocket")]
use super::socket::{Endpoint, connect};
use super::spool::sweep;
use super::unknown_route::UnknownRoute;
use super::unread::unread;
use super::writing::Writing;
use super::written::{self, Written};
use super::{
    Authenticator, Call, Caller, Error, HandlerFuture, RateLimit, RequestLimits, Result, Target,
};
use crate::known;
use crate::{ItemTable, Method, Operation, Param, Secret};

/// The operations of an API and the handlers mounted for them.
pub struct Routes {
    operations: &'static [&'static Operation],
    /// How releases write what they answer.
    written: &'static [Written],
    mounted: Vec<(&'static Operation, Run)>,
    /// The operations that are left to other routers.
    left: BTreeSet<&'static str>,
    only_mounted: bool,
    /// The operations and parameters that take values which the catalogue does not list.
    open: BTreeSet<String>,
    lenient: BTreeSet<&'static str>,
    /// The limits of operations that have their own.
    own_limits: BTreeMap<&'static str, Arc<RequestLimits>>,
    /// The function that describes the mounted operations as OpenAPI.
    describe: Option<Describe>,
    pub(super) site: Site,
}

impl Routes {
    /// Creates routes for operations, without any handlers.
    pub fn new(
        items: &'static ItemTable,
        operations: &'static [&'static Operation],
        written: &'static [Written],
    ) -> Self {
        Self {
            operations,
            written,
            mounted: Vec::new(),
            left: BTreeSet::new(),
            only_mounted: false,
            open: BTreeSet::new(),
            lenient: BTreeSet::new(),
            own_limits: BTreeMap::new(),
            describe: None,
            site: Site::new(items),
        }
    }

    /// Begins to mount the methods of a group's trait.
    pub fn group<T>(&mut self, app: T) -> Group<'_, T> {
        Group { routes: self, app }
    }

    /// Mounts a handler for one operation, which its request names.
    pub fn handle<S, R, T, F, A>(&mut self, app: S, handler: F)
    where
        S: Clone + Send + Sync + 'static,
        R: crate::Request + Decode + Send + 'static,
        T: IntoAnswer + 'static,
        F: Fn(S, R, Call) -> A + Send + Sync + 'static,
        A: Future<Output = Result<T>> + Send + 'static,
    {
        self.mount(R::OPERATION, Arc::new(Function { app, handler, takes: PhantomData }));
    }

    fn mount(&mut self, operation: &'static Operation, run: Run) {
        self.mounted.retain(|(other, _)| other.id != operation.id);
        self.mounted.push((operation, run));
    }

    /// Sets the limits on requests.
    pub fn limits(&mut self, limits: RequestLimits) {
        self.site.limit(limits);
    }

    /// Sets the limits for one operation, given by its id, in place of the others.
    ///
    /// # Panics
    ///
    /// Where no operation has this id.
    pub fn limits_for(&mut self, operation: &str, limits: RequestLimits) {
        let operation = self.operation(operation);
        self.own_limits.insert(operation.id, Arc::new(limits));
    }

    /// Remembers the answers to requests with an `Idempotency-Key` for a time, at most so many of them. A user who repeats a request gets the
    /// answer of the first one that succeeded, and one that is repeated at once waits for it.
    ///
    /// Such a call runs as a task of its own: neither a client that hangs up nor the time limit of its answer ends it.
    pub fn idempotency(&mut self, keep: Duration, most: usize) {
        self.site.replays = Some(Arc::new(Replays::new(keep, most)));
    }

    /// The same with a store that outlives the process, or that several share.
    pub fn idempotency_in(&mut self, store: impl AnswerStore, keep: Duration, most: usize) {
        let replays = Replays::new(keep, most).with_store(store);
        self.site.replays = Some(Arc::new(replays));
    }

    /// The event streams that are open.
    pub fn streams(&self) -> &OpenStreams {
        &self.site.streams
    }

    /// Lets all calls that write run as tasks of their own, and not only those with a key.
    pub fn detached(&mut self) {
        self.site.detaches = true;
    }

    /// Leaves an operation, given by its id, to another router that this one is merged with.
    ///
    /// # Panics
    ///
    /// Where no operation has this id.
    pub fn without(&mut self, operation: &str) {
        self.left.insert(self.operation(operation).id);
    }

    /// Makes routes for the operations that have a handler only. All other paths are left to other routers.
    pub fn only_mounted(&mut self) {
        self.only_mounted = true;
    }

    /// Lets values of enumerations through that the catalogue does not list: `*` for all, or the id of an operation or a parameter.
    ///
    /// # Panics
    ///
    /// Where there is no such operation or parameter.
    pub fn accept_unlisted(&mut self, id: &str) {
        let of = |operation: &&Operation| {
            let params = operation.params.iter();
            operation.id == id || params.into_iter().any(|param| param_id(operation, param) == id)
        };
        assert!(
            id == "*" || self.operations.iter().any(of),
            "no operation and no parameter has the id `{id}`"
        );
        self.open.insert(id.to_owned());
    }

    /// Lets calls of an operation, given by its id, through that lack required parameters: the handler is given empty texts and `false`, and has to look
    /// at them.
    ///
    /// # Panics
    ///
    /// Where no operation has this id.
    pub fn accept_missing(&mut self, operation: &str) {
        self.lenient.insert(self.operation(operation).id);
    }

    fn operation(&self, id: &str) -> &'static Operation {
        let mut operations = self.operations.iter();
        match operations.find(|operation| operation.id == id) {
            Some(operation) => operation,
            #[expect(
                clippy::panic,
                reason = "a mistake of the program, found at its start, as axum finds those of a path"
            )]
            None => panic!("no operation has the id `{id}`"),
        }
    }

    /// Sets whether pages of other origins, such as clients in a browser, may call the API. The default is that they may.
    pub fn cors(&mut self, allowed: bool) {
        self.site.cors = allowed;
    }

    /// Sets the folder to which large uploads are written, for example one on the file system where they are going to be stored. The default
    /// is the system's folder for temporary files, which on some systems is in memory. What a killed server has left there is removed when the
    /// router is built; on Windows it stays.
    pub fn uploads_in(&mut self, folder: impl Into<PathBuf>) {
        self.site.uploads = Some(folder.into().into());
    }

    /// Sets the authenticator. Without one no operation is authenticated, and handlers are called for every request.
    pub fn authenticator(&mut self, authenticator: impl Authenticator) {
        self.site.authenticator = Some(DynAuthenticator::new(authenticator));
    }

    /// Sets the authenticator to a function of some state, such as a store of tokens, and a token.
    pub fn authenticator_with<S, F, A>(&mut self, state: S, authenticate: F)
    where
        S: Clone + Send + Sync + 'static,
        F: Fn(S, Secret) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Caller>> + Send + 'static,
    {
        self.authenticator(move |token| authenticate(state.clone(), token));
    }

    /// Asks before each handler, of every operation. An error is answered in its place.
    pub fn before(&mut self, ask: impl Fn(&Call) -> Result<()> + Send + Sync + 'static) {
        self.site.before.push(Arc::new(ask));
    }

    /// Counts the calls of each client.
    pub fn rate_limit(&mut self, limit: RateLimit) {
        let limit = Arc::new(limit);
        self.site.rate_limit = Some(Arc::clone(&limit));
        self.before(move |call| limit.check(call));
    }

    /// Tells after each answer, of every operation: for metrics and audits.
    pub fn after(&mut self, tell: impl Fn(&Served) + Send + Sync + 'static) {
        self.site.after.push(Arc::new(tell));
    }

    /// Sets the program and release that the server emulates; handlers find it in [`Call::target`](super::CallParts::target).
    pub fn target(&mut self, target: Target) {
        self.site.target = Some(Arc::new(target));
        self.site.emulation = None;
    }

    /// Emulates a release: what it does not have is not served.
    pub fn emulate(&mut self, emulation: Emulation) {
        self.site.target = Some(emulation.shared_target());
        self.site.emulation = Some(emulation);
    }

    /// The release that is emulated.
    pub fn emulation(&self) -> Option<&Emulation> {
        self.site.emulation.as_ref()
    }

    /// Sets the origins of links to other pages, like `https://example.org`. A request is answered with that of its `Host`, or else with the
    /// first. Without any, links are relative, except on this machine.
    pub fn public_origins<O: AsRef<str>>(&mut self, origins: impl IntoIterator<Item = O>) {
        let origin = |origin: O| origin.as_ref().trim_end_matches('/').into();
        self.site.origins = origins.into_iter().map(origin).collect();
    }

    /// The operations without a handler: those of groups that are not mounted and of methods that are not implemented. They answer 501, or what
    /// the server knows by itself. The WebSocket is not among them: it has no method of its own and serves the event streams.
    pub fn unimplemented(&self) -> impl Iterator<Item = &'static Operation> {
        let served: BTreeSet<_> =
            { self.mounted.iter() }.map(|(operation, _)| operation.id).collect();
        self.operations.iter().copied().filter(move |operation| {
            self.exists(operation) && !served.contains(operation.id) && !is_socket(operation)
        })
    }

    /// The operations that the server answers: those with a handler, what it knows by itself, and the WebSocket of its event streams.
    pub fn mounted(&self) -> impl Iterator<Item = &'static Operation> {
        let of_streams = |operation: &Operation| {
            let mut mounted = self.mounted.iter();
            cfg!(feature = "websocket")
                && is_socket(operation)
                && mounted.any(|(one, _)| is_below(operation, one))
        };
        let rest = self.without_handler().into_iter();
        let rest = rest.filter(move |(operation, run)| run.is_some() || of_streams(operation));
        let all = self.mounted.iter().map(|(operation, _)| *operation);
        let all = all.chain(rest.map(|(operation, _)| operation));
        all.filter(|operation| self.exists(operation))
    }

    /// Whether the release has an operation that is not left to another router.
    fn exists(&self, operation: &Operation) -> bool {
        self.site.serves(operation) && !self.left.contains(operation.id)
    }

    /// Answers `GET /api/openapi.json` with a document that a function makes, once, of the ids of the operations that the server answers and of
    /// the release that it emulates.
    pub fn openapi<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        &mut self,
        describe: impl FnOnce(&[&str], Option<&str>) -> std::result::Result<String, E> + Send + 'static,
    ) {
        self.describe = Some(Box::new(|operations, release| {
            let told = |error: E| Error::internal().with_source(error);
            describe(operations, release).map_err(told)
        }));
    }

    /// How answers to callers that are not users are written, where that is not by their types.
    fn dialect_for_others(&self) -> Option<Arc<Dialect>> {
        if let Some(emulation) = &self.site.emulation {
            return Some(emulation.shared_dialect_for_others());
        }
        self.site.authenticator.as_ref()?;
        let target = self.site.target.as_deref();
        let (program, release) = match target {
            Some(target) => (&*target.program, Some(&target.version)),
            None => (known::reference(), None),
        };
        let keys = written::for_users(self.written, program, release);
        (!keys.is_empty()).then(|| Dialect::new(keys, []))
    }

    /// The operations without a handler, and how the server answers them by itself.
    fn without_handler(&self) -> Vec<(&'static Operation, Option<Run>)> {
        let served: BTreeSet<_> =
            { self.mounted.iter() }.map(|(operation, _)| operation.id).collect();
        let mut sockets = self.operations.iter().filter(|operation| is_socket(operation));
        let is_streaming =
            sockets.any(|socket| self.mounted.iter().any(|(one, _)| is_below(socket, one)));
        let discovery = Discovery {
            origin: self.site.origins.first().map(|origin| &**origin),
            is_mounted: &|id| {
                let mut operations = self.operations.iter();
                served.contains(id) && operations.any(|one| one.id == id && self.exists(one))
            },
            has_streams: is_streaming,
        };
        let answered = |operation| (!self.only_mounted).then(|| discovery.run(operation)).flatten();
        self.operations
            .iter()
            .filter(|operation| !served.contains(operation.id))
            .map(|operation| (*operation, answered(operation)))
            .collect()
    }

    /// Builds the router. Operations without a handler answer 501 or what the server knows by itself, and other paths below `/api` 404.
    pub fn into_router(self) -> Router {
        let served: BTreeSet<_> = self.mounted().map(|operation| operation.id).collect();
        let rest = self.without_handler();
        let uploads = self.site.uploads.as_deref();
        sweep(uploads.unwrap_or(&std::env::temp_dir()));
        let others = self.dialect_for_others();
        let site = Arc::new(self.site);
        let emulation = site.emulation.clone();
        let own = Arc::clone(&site);
        let exists = |operation: &Operation| own.serves(operation);
        let is_stream = |operation: &Operation| is_stream(self.operations, exists, operation);
        let mounted = self.mounted.into_iter().map(|(operation, run)| (operation, Some(run)));
        let all: Vec<_> = mounted
            .chain(rest)
            .filter(|(operation, _)| exists(operation) || is_stream(operation))
            .map(|(operation, run)| {
                let site = Arc::clone(&site);
                let own = self.own_limits.get(operation.id);
                let limits = Arc::clone(own.unwrap_or(&site.limits));
                let dialect = emulation.as_ref().map(Emulation::shared_dialect);
                // The parameters of a stream without an address are the socket's.
                let release = emulation.as_ref().filter(|_| exists(operation));
                let is_silent = release.is_some_and(|release| release.is_silent(operation));
                let mut rules = Rules {
                    dialect: dialect.clone(),
                    target: site.target.clone(),
                    ..release.map_or_else(Rules::default, |release| release.rules(operation))
                };
                rules.params.resize_with(operation.params.len(), ParamRules::default);
                for (place, param) in rules.params.iter_mut().enumerate() {
                    param.open = is_open(&self.open, operation, place);
                    if self.lenient.contains(operation.id) {
                        param.demanded = Some(false);
                    }
                }
                let writing = Writing::new(dialect, others.clone(), site.target.clone());
                Arc::new(Route {
                    operation,
                    run,
                    auth: site.auth(operation),
                    site,
                    limits,
                    is_stream: self
                        .operations
                        .iter()
                        .any(|socket| is_socket(socket) && is_below(socket, operation)),
                    rules: Arc::new(rules),
                    writing: writing.silent(is_silent),
                })
            })
            .collect();
        let target = site.target.as_deref();
        let has = |program: &str| target.is_none_or(|target| *target.program == *program);
        let own = all.iter().map(|route| (route, route.operation.method));
        let twins = all.iter().flat_map(|route| {
            let twins = route.operation.also.iter();
            let methods = twins.filter(|(program, _)| has(program));
            methods.map(move |(_, method)| (route, *method))
        });
        let mut taken = BTreeSet::new();
        let mut router = Router::new();
        // An operation's own method goes before what is another's twin.
        for (route, method) in own.chain(twins) {
            let operation = route.operation;
            let is_left = self.left.contains(operation.id);
            let is_served = served.contains(operation.id);
            if is_left || !exists(operation) || (self.only_mounted && !is_served) {
                continue;
            }
            let path = shape(operation.path);
            if !taken.insert((path.clone(), method.as_str())) {
                continue;
            }
            let answers = answers(route, method, &all);
            // Some clients add a slash to the path.
            router = router.route(&format!("{path}/"), answers.clone());
            router = router.route(&path, answers);
        }
        if let Some(describe) = self.describe {
            let release = target.map(ToString::to_string);
            let document = openapi::answers(describe, served, release, site.cors);
            router = router.route(openapi::PATH, document);
        }
        let left = |operation: &&&Operation| self.left.contains(operation.id);
        let lacking: Vec<_> = { self.operations.iter() }
            .filter(|operation| !exists(operation) && !left(operation))
            .copied()
            .collect();
        let linger = site.limits.linger;
        let unknown_route = Arc::new(UnknownRoute::new(site, lacking));
        if !self.only_mounted {
            router = with_nothing(router, &unknown_route, linger, &taken);
        }
        let router = router.method_not_allowed_fallback(move |request| {
            ready(unread(request, linger, |request| unknown_route.method(request)))
        });
        // Sets the state once instead of on each request.
        router.with_state(())
    }
}

/// The routes that a group's methods are mounted on, and the application that has them.
#[derive(Debug)]
pub struct Group<'r, T> {
    routes: &'r mut Routes,
    app: T,
}

impl<T: Clone + Send + Sync + 'static> Group<'_, T> {
    /// Mounts a method, unless it has its default body. Its request names the operation; a later handler for the same operation replaces an
    /// earlier one.
    pub fn mount<R, A, M>(&mut self, method: M)
    where
        R: crate::Request + Decode + Send + 'static,
        A: IntoAnswer + 'static,
        M: for<'a> GroupMethod<'a, T, R, A>,
    {
        let own = TypeId::of::<<M as GroupMethod<'static, T, R, A>>::Future>();
        if own == TypeId::of::<NotImplemented<R, A>>() {
            return;
        }
        let bound = Bound { app: self.app.clone(), method, takes: PhantomData };
        self.routes.mount(R::OPERATION, Arc::new(bound));
    }
}

/// Adds the paths where there is nothing.
fn with_nothing(
    mut router: Router,
    unknown_route: &Arc<UnknownRoute>,
    linger: Duration,
    taken: &BTreeSet<(String, &'static str)>,
) -> Router {
    let nothing = {
        let unknown_route = Arc::clone(unknown_route);
        any(move |request| ready(unread(request, linger, |request| unknown_route.nothing(request))))
    };
    for path in lacking_paths(unknown_route, taken) {
        router = router.route(&path, nothing.clone());
    }
    // Not a fallback, of which merged routers may have one alone.
    router.route("/api/{*rest}", nothing)
}

/// The paths outside `/api` that only operations have which the emulated release lacks.
fn lacking_paths(
    unknown_route: &UnknownRoute,
    taken: &BTreeSet<(String, &'static str)>,
) -> impl Iterator<Item = String> {
    let paths: BTreeSet<_> = { unknown_route.lacking() }
        .map(|operation| shape(operation.path))
        .filter(|path| !path.starts_with("/api/"))
        .filter(|path| !taken.iter().any(|(other, _)| other == path))
        .collect();
    paths.into_iter()
}

/// A parameter's id: `accounts.update_credentials.source.privacy`.
fn param_id(operation: &Operation, param: &Param) -> String {
    let name = param.wire.replace("[]", "").replace("[:index]", ".*");
    let name = name.replace('[', ".").replace(']', "");
    format!("{}.{name}", operation.id)
}

/// Whether a parameter takes unlisted values: by what was set for all, for its operation or for itself.
fn is_open(open: &BTreeSet<String>, operation: &Operation, place: usize) -> bool {
    let is_set = |param: &Param| open.contains(&param_id(operation, param));
    // The combinations of parameters say themselves what such a parameter may be.
    let mut sets = operation.alternatives.iter().flat_map(|way| way.sets);
    open.contains("*")
        || open.contains(operation.id)
        || sets.any(|(index, _)| usize::from(*index) == place)
        || operation.params.get(place).is_some_and(is_set)
}

/// The axum handler of a route for one of its methods.
fn answers(route: &Arc<Route>, method: Method, routes: &[Arc<Route>]) -> MethodRouter {
    let method = filter(method);
    #[cfg(feature = "websocket")]
    if is_socket(route.operation) && route.run.is_none() {
        let below =
            |other: &&Arc<Route>| other.run.is_some() && is_below(route.operation, other.operation);
        let endpoint = Arc::new(Endpoint {
            operation: route.operation,
            streams: routes.iter().filter(below).map(Arc::clone).collect(),
            site: Arc::clone(&route.site),
        });
        if !endpoint.streams.is_empty() {
            return on(method, move |request: Request| connect(Arc::clone(&endpoint), request));
        }
    }
    #[cfg(not(feature = "websocket"))]
    let _ = routes;
    let route = Arc::clone(route);
    on(method, Serving(route))
}

/// Answers a route's requests. A closure would be wrapped in one more future, which moves the request and the one within it twice.
#[derive(Clone)]
struct Serving(Arc<Route>);

impl<S> axum::handler::Handler<(), S> for Serving {
    type Future = HandlerFuture;

    fn call(self, request: Request, _: S) -> HandlerFuture {
        Box::pin(serve(self.0, request))
    }
}

/// Whether it is a stream of a socket that exists. GoToSocial has the socket, and no address for each of its streams.
fn is_stream(
    operations: &[&Operation],
    exists: impl Fn(&Operation) -> bool,
    operation: &Operation,
) -> bool {
    let mut operations = operations.iter().filter(|other| is_socket(other));
    operations.any(|socket| exists(socket) && is_below(socket, operation))
}

/// Whether an operation's path is below that of a socket.
fn is_below(socket: &Operation, operation: &Operation) -> bool {
    let rest = operation.path.strip_prefix(socket.path);
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Whether the operation's success is 101, a switch to WebSocket. No handler serves it; the event streams below its path do.
fn is_socket(operation: &Operation) -> bool {
    operation.success == [101]
}

shown!(Routes, own =>
    operations = own.operations.len(),
    mounted = own.mounted.len(),
    limits = own.site.limits,
    origins = own.site.origins,
    authenticator = own.site.authenticator.is_some(),
    target = own.site.target
);

/// The path in axum's syntax. Parameters are named by position, so that routes may share a prefix and name its parameters differently.
fn shape(path: &str) -> String {
    let segment = |(place, segment): (usize, &str)| {
        if segment.starts_with(':') {
            format!("/{{p{place}}}")
        } else {
            format!("/{}", segment.replace('{', "{{").replace('}', "}}"))
        }
    };
    path.trim_start_matches('/').split('/').enumerate().map(segment).collect()
}

fn filter(method: Method) -> MethodFilter {
    match method {
        Method::Get => MethodFilter::GET,
        Method::Head => MethodFilter::HEAD,
        Method::Post => MethodFilter::POST,
        Method::Put => MethodFilter::PUT,
        Method::Patch => MethodFilter::PATCH,
        Method::Delete => MethodFilter::DELETE,
        Method::Options => MethodFilter::OPTIONS,
    }
}
