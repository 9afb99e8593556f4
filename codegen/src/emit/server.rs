//! The server half: a trait for each group, and its routes.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::{Context, EmittedGroup};
use super::docs::Docs;
use super::file::{File, Mod};
use super::{names, route, written};
use fedispec_model::api::{Operation, Type};

/// `server.rs`
pub(super) fn index(context: &Context<'_>) -> File {
    let root = names::path(&context.root(1));
    let operations = context.routed().map(|(module, operation)| {
        let module = names::ident(module);
        let name = names::ident(&operation.item.rust);
        quote!(<#root::#module::#name as rt::Request>::OPERATION)
    });
    let exports = groups(context).map(|node| {
        let module = names::ident(&node.module);
        let name = names::ident(&node.group.rust);
        quote!(pub use self::#module::#name;)
    });
    File {
        module: vec!["server".into()],
        docs: Docs::default().markdown(
            "The server's half: implement a group's trait, mount it on a [`Server`], and serve the router.",
        ).markdown("Each group of operations is a trait here. What all of them share is in the runtime's module [`server`](rt::server): \
             [`Call`], [`Caller`] and [`Error`] for handlers, [`Authenticator`], [`RequestLimits`] and [`Target`] for the builder.",
        ),
        mods: groups(context)
            .map(|node| Mod::private(&node.module))
            .collect(),
        items: vec![
            exports
                .chain([quote!(
                    pub use rt::server::*;
                )])
                .collect(),
            quote! {
                /// The operations, which answer 501 until their group is mounted.
                static OPERATIONS: &[&rt::Operation] = &[#(#operations),*];
            },
            builder(context),
            quote! {
                /// A registered release, such as `mastodon@4.2.0`, as [`Server::emulate`] emulates it: what it has, and how it writes answers.
                ///
                /// # Errors
                ///
                /// Where no such release is registered: with the nearest one.
                pub fn emulation(release: &str) -> std::result::Result<Emulation, UnknownRelease> {
                    Emulation::new(#root::items(), WRITTEN, release)
                }
            },
        ],
        tail: written::table(context),
        ..File::default()
    }
}

/// The groups that have a route.
fn groups<'a>(context: &'a Context<'a>) -> impl Iterator<Item = &'a EmittedGroup<'a>> {
    context
        .groups
        .iter()
        .filter(|node| node.operations.iter().any(|operation| operation.route.is_some()))
}

fn builder(context: &Context<'_>) -> TokenStream {
    let mounts = mounts(context);
    let captures = context.captures(&quote!(S));
    let hooks = hooks(context);
    let releases = releases();
    let handlers = handlers(context);
    quote! {
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

        #handlers

        impl<S> Server<S> {
            /// A server that answers 501 to every operation, with an application for the handlers of [`Server::on`].
            pub fn of(app: S) -> Self {
                Self { app, routes: rt::codegen::Routes::new(OPERATIONS, WRITTEN) }
            }
            #mounts
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
            /// Sets what resolves a token to its caller. Without one no token is checked, and anybody may call every operation.
            pub fn authenticator(mut self, authenticator: impl Authenticator) -> Self {
                self.routes.authenticator(authenticator);
                self
            }
            #hooks
            #releases
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
            /// Remembers the answers to requests with an `Idempotency-Key` for a time, at most so many of them. A user who repeats a request gets the
            /// answer of the first one that succeeded.
            pub fn idempotency(mut self, keep: std::time::Duration, most: usize) -> Self {
                self.routes.idempotency(keep, most);
                self
            }
            /// Remembers them in a store too, which outlives the process, or which several share.
            pub fn idempotency_in(mut self, store: impl AnswerStore, keep: std::time::Duration, most: usize) -> Self {
                self.routes.idempotency_in(store, keep, most);
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
            /// Lists the operations that answer 501: those of groups that are not mounted, and methods that are not implemented.
            pub fn unimplemented(&self) -> impl Iterator<Item = &'static rt::Operation> #captures {
                self.routes.unimplemented()
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
    }
}

/// The builder's methods that mount a group.
fn mounts(context: &Context<'_>) -> TokenStream {
    let mounts = groups(context).map(|node| {
        let module = names::ident(&node.module);
        let method = names::ident(&node.group.id);
        let name = names::ident(&node.group.rust);
        let docs = Docs::default()
            .words(&node.group.summary)
            .markdown(format!("Mounts [`{name}`]."))
            .outer();
        quote! {
            #docs
            pub fn #method<T: #name>(mut self, app: T) -> Self {
                #module::mount(&mut self.routes, app);
                self
            }
        }
    });
    quote!(#(#mounts)*)
}

/// The builder's methods that take handlers of single operations.
fn handlers(context: &Context<'_>) -> TokenStream {
    let future = context.future();
    quote! {
        impl<S: Clone + Send + Sync + 'static> Server<S> {
            /// Mounts the handler of one operation, an async closure or function of the application, the request and the call. The type of
            /// the request says which operation it is: `.on(async |app: App, request: accounts::Get, call| app.account(request.id))`. A
            /// later handler for the same operation replaces an earlier one.
            pub fn on<R, F, A>(mut self, handler: F) -> Self
            where
                R: Handled,
                F: Fn(S, R, Call) -> A + Send + Sync + 'static,
                A: #future<Output = Result<R::Answer>> + Send + 'static,
            {
                self.routes.handle(self.app.clone(), handler);
                self
            }
            /// Mounts the handler of one operation that answers a stream of events.
            pub fn on_stream<R, E, F, A>(mut self, handler: F) -> Self
            where
                R: rt::Request<Answer = rt::EventStream<E>> + rt::codegen::Decode + Send + 'static,
                F: Fn(S, R, Call) -> A + Send + Sync + 'static,
                A: #future<Output = Result<Events>> + Send + 'static,
            {
                self.routes.handle(self.app.clone(), handler);
                self
            }
            /// Mounts the handlers that a function mounts, such as those of one file: `.group(lists::handlers)`.
            pub fn group(self, handlers: impl FnOnce(Self) -> Self) -> Self {
                handlers(self)
            }
        }
    }
}

/// The builder's methods that set a release.
fn releases() -> TokenStream {
    quote! {
        /// Emulates a registered release, such as `mastodon@4.2.0`: operations that it does not have are answered as it answers unknown routes,
        /// parameters that it does not have are ignored, and answers and events have only the fields and values that it has. Handlers are the
        /// same for every release, and find it in [`Call::target`].
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
    }
}

/// The builder's methods that take functions.
fn hooks(context: &Context<'_>) -> TokenStream {
    let future = context.future();
    quote! {
        /// Sets what resolves a token to its caller: an `async fn` of some state, such as a store of tokens, and a token.
        pub fn authenticator_with<T, F, A>(mut self, state: T, authenticate: F) -> Self
        where
            T: Clone + Send + Sync + 'static,
            F: Fn(T, Secret) -> A + Send + Sync + 'static,
            A: #future<Output = Result<Caller>> + Send + 'static,
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
        pub fn rate_limit(self, limit: RateLimit) -> Self {
            self.before(move |call| limit.check(call))
        }
    }
}

/// A group's trait, with what reads its requests.
pub(super) fn module(context: &Context<'_>, node: &EmittedGroup<'_>) -> File {
    let routed: Vec<&Operation> =
        node.operations.iter().copied().filter(|o| o.route.is_some()).collect();
    File {
        module: vec!["server".into(), node.module.clone()],
        items: vec![group_trait(context, node, &routed), mount(node, &routed)],
        ..File::default()
    }
}

fn group_trait(
    context: &Context<'_>,
    node: &EmittedGroup<'_>,
    operations: &[&Operation],
) -> TokenStream {
    let name = names::ident(&node.group.rust);
    let docs = Docs::default()
        .words(&node.group.summary)
        .markdown("Implement the operations of your server as `async fn`; all others answer 501.")
        .outer();
    let module = names::ident(&node.module);
    let methods = handled(operations).map(|operation| method(context, &module, operation));
    quote! {
        #docs
        #[allow(unused_variables, reason = "what answers 501 looks at nothing")]
        pub trait #name: Clone + Send + Sync + 'static {
            #(#methods)*
        }
    }
}

fn method(context: &Context<'_>, module: &Ident, operation: &Operation) -> TokenStream {
    let docs = route::short_docs(context, operation).outer();
    let attribute = context.stamp(&operation.item).macro_attribute();
    let method = names::ident(&operation.rust_fn);
    let request = names::ident(&operation.item.rust);
    let answer = match operation.returns {
        Type::Events(_) => quote!(rt::server::Events),
        _ => context.answer(operation),
    };
    let future = context.future();
    quote! {
        #docs
        #attribute
        fn #method(
            &self,
            request: #module::#request,
            call: rt::server::Call,
        ) -> impl #future<Output = rt::server::Result<#answer>> + Send {
            rt::codegen::not_implemented::<#module::#request, _>()
        }
    }
}

fn mount(node: &EmittedGroup<'_>, operations: &[&Operation]) -> TokenStream {
    let name = names::ident(&node.group.rust);
    let methods = handled(operations).map(|operation| {
        let method = names::ident(&operation.rust_fn);
        quote!(group.mount(T::#method);)
    });
    quote! {
        pub(super) fn mount<T: #name>(routes: &mut rt::codegen::Routes, app: T) {
            let mut group = routes.group(app);
            #(#methods)*
        }
    }
}

/// Lists the operations that have a method. A change of protocol has none: the runtime handles it.
fn handled<'a>(operations: &[&'a Operation]) -> impl Iterator<Item = &'a Operation> {
    operations.iter().copied().filter(|operation| operation.success != [101])
}
