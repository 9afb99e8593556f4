//! The client half: the gate, what stands in for what older servers lack, and the readers of answers.

use quote::quote;

use super::context::Context;
use super::docs::Docs;
use super::file::File;
use super::options::Form;
use super::{fallbacks, names};
use fedispec_model::api::{Operation, Type};

/// `client.rs`
pub(super) fn index(context: &Context<'_>) -> File {
    let root = names::path(&context.root(1));
    let ends = |(_, operation): &(&str, &Operation)| {
        operation.success != [101] && !matches!(operation.returns, Type::Events(_))
    };
    let readers = context.routed().filter(ends).map(|(module, operation)| {
        let module = names::ident(module);
        // The first request may get any of the answers.
        let deciding = operation.requests.first().map(|request| &request.rust);
        let name = names::ident(deciding.unwrap_or(&operation.item.rust));
        quote!(Reader::of::<#root::#module::#name>())
    });
    // A crate that includes the text need not have the transport.
    let connect = (context.options.form == Form::Crate).then(|| {
        quote! {
            /// A client of the server at an origin (`https://example.org`, or `example.org` alone) that has asked what the server is, and
            /// refuses what would mean something else to it.
            ///
            /// It asks again where the server is starting or has enough of requests: [`Client::connected`] says how long, and takes a
            /// client with settings of its own. What it learned holds for a day. [`Client::remote`] tells it, and it serialises:
            /// `Client::new(origin)?.knowing(gate(cached), Policy::Advise).connected(gate).await?` asks only where it is older.
            ///
            /// # Errors
            ///
            /// When the text is not an origin or is `http` on another machine, TLS cannot be set up, or nothing can be learned of the server.
            #[cfg(feature = "client")]
            pub async fn connect<O>(origin: O) -> Result<Client, NewClientError>
            where
                O: TryInto<Origin>,
                NewClientError: From<O::Error>,
            {
                Ok(Client::new(origin)?.connected(gate).await?)
            }
        }
    });
    File {
        module: vec!["client".into()],
        docs: Docs::default()
            .markdown("The client's half: requests are values, and [`Client::send`] sends them.")
            .lines_of(MAP),
        items: vec![
            quote!(
                pub use rt::client::*;
                pub use rt::compatibility::*;
            ),
            quote!(#connect),
            quote! {
                /// The verdicts of a server on every item of this API, for [`Client::knowing`].
                pub fn gate(server: RemoteServer) -> Gate {
                    Gate::new(server, #root::items()).with_fallbacks(FALLBACKS)
                }
            },
            quote! {
                /// The least scopes with which a token may call these operations on a server; see
                /// [`RemoteServer::scopes_for`].
                pub fn scopes_for(
                    operations: impl IntoIterator<Item = &'static rt::Operation>,
                    server: &RemoteServer,
                ) -> rt::Scopes {
                    server.scopes_for(#root::items(), operations)
                }
            },
            fallbacks::table(context),
            quote! {
                /// The readers of answers, one for each operation that has a route and an answer that ends, in the order of the operations.
                // Generic, so that it is compiled only where it is called: it pulls in the readers of all answers.
                #[inline]
                pub fn readers() -> &'static [Reader] {
                    READERS
                }
            },
            quote!(const READERS: &[Reader] = &[#(#readers),*];),
        ],
        ..File::default()
    }
}

/// Where things are, from the first call to what few need. What needs a feature is no link: the documentation may be built without it.
const MAP: &str = "\
- **Sending**: a [`Client`] of an [`Origin`] with a [`Token`] (`connect` makes one that knows its server) sends requests and uploads media
  ([`Upload`]); what it gets is an [`Answer`] or an [`Error`], whose [`ErrorKind`] tells the rest.
- **Lists**: [`Pages`] and [`Elements`] are streams, and a [`Walk`] keeps its place ([`PageCursor`]).
- **Streams** (feature `streaming`): `Client::stream` follows events, those of the module `events` at the root.
- **Signing in** (feature `oauth`): the module `login`, from registration to a `Session`; [`scopes_for`] has the least scopes.
- **The server**: [`Client::discover`] learns a [`RemoteServer`], [`gate`] makes of it what [`Client::knowing`] takes with a
  [`Policy`], and a [`Plan`] says what becomes of a request; [`InstanceLimits`] check a [`Draft`].
- **Pacing**: [`RateLimits`], [`Retries`] and the [`Timer`] by which a client waits.
- **Transports**: `Reqwest` (feature `client`) and [`Tower`]; your own by [`Transport`]; [`Recorder`] and [`Replay`] for tests.
- **Without a client**: [`request`] and [`response`] build and read plain `http` types.

It is made of two modules of the runtime, [`client`](rt::client) and [`compatibility`](rt::compatibility).";
