//! Routes for axum.

use std::collections::BTreeSet;
use std::fmt;
use std::future::ready;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::routing::{MethodFilter, MethodRouter, on};

use super::auth::Door;
use super::serve::{Input, serve};
use super::site::Site;
#[cfg(feature = "websocket")]
use super::socket::{Hub, connect};
use super::{Authenticator, BoxFuture, Limits, Target, cors};
use crate::{Method, Operation};

/// A method of an application, as [`mount!`](crate::mount) makes it.
pub type Handler<T> = fn(T, Input) -> BoxFuture;

/// A method of a group: its operation, whether nobody implements it, and how it is called.
pub type Mounted<T> = (&'static Operation, bool, Handler<T>);

/// A method and its application.
pub(super) type Run = Arc<dyn Fn(Input) -> BoxFuture + Send + Sync>;

/// An operation that a router serves.
pub(super) struct Route {
    pub(super) operation: &'static Operation,
    pub(super) run: Option<Run>,
    pub(super) site: Arc<Site>,
}

/// The operations of an API, and who serves them.
pub struct Routes {
    operations: &'static [&'static Operation],
    mounted: Vec<(&'static Operation, Run)>,
    pub(super) site: Site,
}

impl Routes {
    /// The routes of these operations, which nobody serves yet.
    pub fn new(operations: &'static [&'static Operation]) -> Self {
        Self {
            operations,
            mounted: Vec::new(),
            site: Site::default(),
        }
    }

    /// Lets an application serve a group, but for the methods that it does not implement; called by [`mount!`](crate::mount). Of two that
    /// serve the same operation the later does.
    pub fn mount<T>(&mut self, app: T, methods: Vec<Mounted<T>>)
    where
        T: Clone + Send + Sync + 'static,
    {
        for (operation, missing, handler) in methods {
            if missing {
                continue;
            }
            let app = app.clone();
            self.insert(
                operation,
                Arc::new(move |input| handler(app.clone(), input)),
            );
        }
    }

    fn insert(&mut self, operation: &'static Operation, run: Run) {
        self.mounted.retain(|(other, _)| other.id != operation.id);
        self.mounted.push((operation, run));
    }

    /// What a request may be at most.
    pub fn limits(&mut self, limits: Limits) {
        self.site.limits = limits;
    }

    /// Whether pages of other origins, which clients in a browser are, may call. They may unless told otherwise.
    pub fn cors(&mut self, allowed: bool) {
        self.site.cors = allowed;
    }

    /// The folder where large files are written while they come in, for example one on the file system where they are going to stay.
    /// Otherwise it is the system's own for temporary files, which on some systems is memory.
    pub fn uploads_in(&mut self, folder: impl Into<PathBuf>) {
        self.site.uploads = Some(folder.into().into());
    }

    /// Who tells whose a token is. Without one nothing is checked, and every handler is called by everybody.
    pub fn authenticator(&mut self, authenticator: impl Authenticator) {
        self.site.door = Some(Door::new(authenticator));
    }

    /// The release that answers are meant to be of; handlers are told.
    pub fn target(&mut self, target: Target) {
        self.site.target = Some(Arc::new(target));
    }

    /// Where the server is for its callers, like `https://example.org`: links to other pages start so. Otherwise they start as the request
    /// did.
    pub fn public_origin(&mut self, origin: &str) {
        self.site.public = Some(origin.trim_end_matches('/').into());
    }

    /// The operations that nobody implements: of groups that are not mounted, and of methods that an application left out. They answer 501.
    /// The WebSocket is not among them: it has no method, and serves the event streams that are implemented.
    pub fn unimplemented(&self) -> impl Iterator<Item = &'static Operation> {
        let served: BTreeSet<_> = self
            .mounted
            .iter()
            .map(|(operation, _)| operation.id)
            .collect();
        self.operations
            .iter()
            .copied()
            .filter(move |operation| !served.contains(operation.id) && !is_socket(operation))
    }

    /// The router. What nobody serves answers 501.
    pub fn into_router(self) -> Router {
        let served: BTreeSet<_> = self
            .mounted
            .iter()
            .map(|(operation, _)| operation.id)
            .collect();
        let rest: Vec<_> = self
            .operations
            .iter()
            .filter(|operation| !served.contains(operation.id))
            .map(|operation| (*operation, None))
            .collect();
        let site = Arc::new(self.site);
        let served = self
            .mounted
            .into_iter()
            .map(|(operation, run)| (operation, Some(run)));
        let all: Vec<_> = served
            .chain(rest)
            .map(|(operation, run)| {
                let site = Arc::clone(&site);
                Arc::new(Route {
                    operation,
                    run,
                    site,
                })
            })
            .collect();
        let mut taken = BTreeSet::new();
        let mut router = Router::new();
        for route in &all {
            let operation = route.operation;
            let path = shape(operation.path);
            if !taken.insert((path.clone(), operation.method.as_str())) {
                continue;
            }
            let answers = method(route, &all);
            // A slash at the end, which some clients send, changes nothing.
            router = router.route(&format!("{path}/"), answers.clone());
            router = router.route(&path, answers);
        }
        let is_open = site.cors;
        let router = router.method_not_allowed_fallback(move |request: Request| {
            ready(cors::other_method(&request, is_open))
        });
        // Done here once, or else for every request.
        router.with_state(())
    }
}

/// What answers a method of a path.
fn method(route: &Arc<Route>, routes: &[Arc<Route>]) -> MethodRouter {
    let method = filter(route.operation.method);
    #[cfg(feature = "websocket")]
    if is_socket(route.operation) && route.run.is_none() {
        let below = |other: &&Arc<Route>| {
            let rest = other.operation.path.strip_prefix(route.operation.path);
            other.run.is_some() && rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let hub = Arc::new(Hub {
            operation: route.operation,
            streams: routes.iter().filter(below).map(Arc::clone).collect(),
            site: Arc::clone(&route.site),
        });
        if !hub.streams.is_empty() {
            return on(method, move |request: Request| {
                connect(Arc::clone(&hub), request)
            });
        }
    }
    #[cfg(not(feature = "websocket"))]
    let _ = routes;
    let route = Arc::clone(route);
    on(method, move |request: Request| {
        serve(Arc::clone(&route), request)
    })
}

/// Whether success is another protocol. No handler serves that: the event streams below its path do.
fn is_socket(operation: &Operation) -> bool {
    operation.success == [101]
}

impl fmt::Debug for Routes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Routes")
            .field("operations", &self.operations.len())
            .field("mounted", &self.mounted.len())
            .field("limits", &self.site.limits)
            .field("public", &self.site.public)
            .field("authenticator", &self.site.door.is_some())
            .field("target", &self.site.target)
            .finish()
    }
}

/// A path as axum has it. Parameters are named by their place, so that operations may name them as they like.
fn shape(path: &str) -> String {
    let segment = |(place, segment): (usize, &str)| {
        if segment.starts_with(':') {
            format!("/{{p{place}}}")
        } else {
            format!("/{}", segment.replace('{', "{{").replace('}', "}}"))
        }
    };
    path.trim_start_matches('/')
        .split('/')
        .enumerate()
        .map(segment)
        .collect()
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
