//! Routes for axum.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::routing::{MethodFilter, on};

use super::BoxFuture;
use super::serve::{Input, serve};
use crate::{Method, Operation};

/// A method of an application, as [`mount!`](crate::mount) makes it.
pub type Handler<T> = fn(T, Input) -> BoxFuture;

/// A method and its application.
pub(super) type Run = Arc<dyn Fn(Input) -> BoxFuture + Send + Sync>;

/// What a request may be at most.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The bytes of a form or JSON, and of the texts in multipart/form-data: 1 MiB.
    pub body: u64,
    /// The bytes of multipart/form-data: 100 MiB.
    pub upload: u64,
    /// The parameters of a query or a body: 2048.
    pub params: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 1024 * 1024,
            upload: 100 * 1024 * 1024,
            params: 2048,
        }
    }
}

impl Limits {
    /// The bytes of a form or JSON.
    #[must_use]
    pub fn body(mut self, bytes: u64) -> Self {
        self.body = bytes;
        self
    }

    /// The bytes of multipart/form-data.
    #[must_use]
    pub fn upload(mut self, bytes: u64) -> Self {
        self.upload = bytes;
        self
    }

    /// The parameters of a query or a body.
    #[must_use]
    pub fn params(mut self, count: usize) -> Self {
        self.params = count;
        self
    }
}

/// An operation that a router serves.
pub(super) struct Route {
    pub(super) operation: &'static Operation,
    pub(super) run: Option<Run>,
    pub(super) limits: Limits,
    pub(super) public: Option<Arc<str>>,
}

/// The operations of an API, and who serves them.
pub struct Routes {
    operations: &'static [&'static Operation],
    mounted: Vec<(&'static Operation, Run)>,
    limits: Limits,
    public: Option<Arc<str>>,
}

impl Routes {
    /// The routes of these operations, which nobody serves yet.
    pub fn new(operations: &'static [&'static Operation]) -> Self {
        Self {
            operations,
            mounted: Vec::new(),
            limits: Limits::default(),
            public: None,
        }
    }

    /// Lets an application serve a group; called by [`mount!`](crate::mount). Of two that serve the same operation the later does.
    pub fn mount<T>(&mut self, app: T, handlers: Vec<(&'static Operation, Handler<T>)>)
    where
        T: Clone + Send + Sync + 'static,
    {
        for (operation, handler) in handlers {
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
        self.limits = limits;
    }

    /// Where the server is for its callers, like `https://example.org`: links to other pages start so. Otherwise they start as the request
    /// did.
    pub fn public_origin(&mut self, origin: &str) {
        self.public = Some(origin.trim_end_matches('/').into());
    }

    /// The operations that no application serves.
    pub fn unmounted(&self) -> impl Iterator<Item = &'static Operation> {
        self.operations.iter().copied().filter(|operation| {
            !self
                .mounted
                .iter()
                .any(|(mounted, _)| mounted.id == operation.id)
        })
    }

    /// The router. What nobody serves answers 501.
    pub fn into_router(self) -> Router {
        let unmounted: Vec<_> = self
            .unmounted()
            .map(|operation| (operation, None))
            .collect();
        let mounted = self
            .mounted
            .into_iter()
            .map(|(operation, run)| (operation, Some(run)));
        let mut taken = BTreeSet::new();
        let mut router = Router::new();
        for (operation, run) in mounted.chain(unmounted) {
            let path = shape(operation.path);
            if !taken.insert((path.clone(), operation.method.as_str())) {
                continue;
            }
            let route = Arc::new(Route {
                operation,
                run,
                limits: self.limits.clone(),
                public: self.public.clone(),
            });
            let handler = move |request: Request| serve(Arc::clone(&route), request);
            router = router.route(&path, on(filter(operation.method), handler));
        }
        router
    }
}

impl fmt::Debug for Routes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Routes")
            .field("operations", &self.operations.len())
            .field("mounted", &self.mounted.len())
            .field("limits", &self.limits)
            .field("public", &self.public)
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
