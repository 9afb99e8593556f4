//! Signing in by OAuth 2.0: from nothing to a [`Session`].
//!
//! 1. [`Client::register`](super::Client::register) registers an application at the server, once: an [`App`], to be kept.
//! 2. [`Login::new`] makes the address of the page on which the user consents, with PKCE (S256) and a state.
//! 3. The user comes back to a redirect address, where the `Loopback` catches the code (feature `loopback`), or
//!    reads a code to type in ([`OUT_OF_BAND`]).
//! 4. [`Login::finish`] checks the state and exchanges the code for a [`Session`], to be kept.
//! 5. [`Client::signed_in`](super::Client::signed_in) gives a client with the session's token.
//!
//! Applications and sessions go into a file and out of it with serde. `Debug` shows no secret of theirs, the serialised form does.
//!
//! ```no_run
//! use fedispec_runtime::client::Client;
//! use fedispec_runtime::client::login::{Login, LoginError, OUT_OF_BAND, Random, Registration};
//!
//! # async fn sign_in(client: Client, read_line: fn() -> String) -> Result<(), LoginError> {
//! let registration = Registration::new("elephant", [OUT_OF_BAND]).scopes(["read", "write:statuses"]);
//! let app = client.register(registration).await?;
//!
//! let login = Login::new(&client, &app, OUT_OF_BAND, Random::from_os()?)?;
//! println!("Open {}, and type in the code that it shows.", login.url());
//! let session = login.finish_with_code(&client, read_line()).await?;
//!
//! let client = client.signed_in(&session)?; // it can send what the user may do
//! # Ok(())
//! # }
//! ```
//!
//! No request of a login has the client's own token. What needs chance takes [`Random`] as an argument, so that all of it works in a
//! browser too.

mod app;
mod authorize;
mod error;
#[cfg(feature = "loopback")]
mod loopback;
mod metadata;
mod pkce;
mod session;
mod wire;

pub use app::{App, OUT_OF_BAND, Registration};
pub use authorize::Login;
pub use error::LoginError;
#[cfg(feature = "loopback")]
pub use loopback::Loopback;
pub use pkce::Random;
pub use session::Session;
#[doc(hidden)]
pub use wire::OPERATIONS;
pub use wire::ServerMetadata;
