use std::future::Future;

use fedispec_runtime as rt;
use rt::Request as _;

use super::{accounts, entities, oauth};

static OPERATIONS: &[&rt::Operation] = &[
    accounts::Lookup::OPERATION,
    accounts::Followers::OPERATION,
    accounts::Update::OPERATION,
    accounts::Filter::OPERATION,
    oauth::Token::OPERATION,
    oauth::Revoke::OPERATION,
];

pub trait Accounts: Clone + Send + Sync + 'static {
    #[rt::since(mastodon = "3.4.0", gotosocial = "0.11.0")]
    fn lookup(
        &self,
        request: accounts::Lookup,
        call: rt::server::Call,
    ) -> impl Future<Output = rt::server::Result<entities::Account>> + Send {
        let _ = (request, call);
        rt::codegen::not_implemented::<accounts::Lookup, _>()
    }
    #[rt::since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    fn followers(
        &self,
        request: accounts::Followers,
        call: rt::server::Call,
    ) -> impl Future<Output = rt::server::Result<rt::Page<entities::Account>>> + Send {
        let _ = (request, call);
        rt::codegen::not_implemented::<accounts::Followers, _>()
    }
    #[rt::since(mastodon = "1.1.1", gotosocial = "0.1.0")]
    fn update(
        &self,
        request: accounts::Update,
        call: rt::server::Call,
    ) -> impl Future<Output = rt::server::Result<entities::Account>> + Send {
        let _ = (request, call);
        rt::codegen::not_implemented::<accounts::Update, _>()
    }
    #[rt::since(mastodon = "4.0.0", gotosocial = "0.16.0")]
    fn filter(
        &self,
        request: accounts::Filter,
        call: rt::server::Call,
    ) -> impl Future<Output = rt::server::Result<rt::Json>> + Send {
        let _ = (request, call);
        rt::codegen::not_implemented::<accounts::Filter, _>()
    }
}

pub trait Oauth: Clone + Send + Sync + 'static {
    #[rt::since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    fn token(
        &self,
        request: oauth::Token,
        call: rt::server::Call,
    ) -> impl Future<Output = rt::server::Result<entities::Token>> + Send {
        let _ = (request, call);
        rt::codegen::not_implemented::<oauth::Token, _>()
    }
    #[rt::since(mastodon = "0.1.0", gotosocial = unknown)]
    fn revoke(
        &self,
        request: oauth::Revoke,
        call: rt::server::Call,
    ) -> impl Future<Output = rt::server::Result<rt::Empty>> + Send {
        let _ = (request, call);
        rt::codegen::not_implemented::<oauth::Revoke, _>()
    }
}

pub struct Server {
    routes: rt::codegen::Routes,
}

impl Server {
    pub fn new() -> Self {
        Self { routes: rt::codegen::Routes::new(super::items::items(), OPERATIONS, &[]) }
    }
    #[must_use]
    pub fn accounts<T: Accounts>(mut self, app: T) -> Self {
        let mut group = self.routes.group(app);
        group.mount(T::lookup);
        group.mount(T::followers);
        group.mount(T::update);
        group.mount(T::filter);
        self
    }
    #[must_use]
    pub fn oauth<T: Oauth>(mut self, app: T) -> Self {
        let mut group = self.routes.group(app);
        group.mount(T::token);
        group.mount(T::revoke);
        self
    }
    #[must_use]
    pub fn limits(mut self, limits: rt::server::RequestLimits) -> Self {
        self.routes.limits(limits);
        self
    }
    pub fn unimplemented(&self) -> Vec<&'static str> {
        self.routes.unimplemented().map(|operation| operation.id).collect()
    }
    pub fn into_router(self) -> rt::server::Router {
        self.routes.into_router()
    }
}
