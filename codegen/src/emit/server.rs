//! The server half: a trait for each group, and its routes.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::{Context, EmittedGroup};
use super::docs::Docs;
use super::file::{File, Mod};
use super::{names, route, written};
use crate::by_hand;
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
            by_hand::server(),
            context.oauth().unwrap_or_default(),
            mounts(context),
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
    quote! {
        /// The groups.
        impl<S> Server<S> { #(#mounts)* }
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
    let told = format!("`{{Self}}` does not implement the group `{name}`");
    let method = &node.group.id;
    let mounts = format!(
        "`Server::{method}` mounts an application that implements `{name}`; `Server::on` mounts the handler of one operation"
    );
    let hides = format!(
        "it hides a method `{method}` of a trait of your own, which can be called as `YourTrait::{method}(server, ..)`"
    );
    quote! {
        #docs
        #[diagnostic::on_unimplemented(message = #told, note = #mounts, note = #hides)]
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
