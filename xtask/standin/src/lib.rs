//! A stand-in for Mastodon and GoToSocial servers, of any release, for the tests of client authors.
//!
//! It is a server with a memory: what is posted is in the timelines, who is followed is told so, and whoever signs in gets a token. It
//! forgets all of it when it ends, unless it has a data file. Each test can have its own:
//!
//! ```
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use fedispec_standin::{Fault, StandIn};
//!
//! let server = StandIn::new().emulate("mastodon@4.3.0")?.start().await?;
//! let mona = server.account("mona")?;
//! server.post(&mona.id, "Hello.");
//! println!("{}/api/v1/accounts/verify_credentials with {}", server.url(), mona.token);
//! server.fault(Fault::operation("timelines.home").times(2).status(503))?;
//! server.reset()?;
//! server.stop().await?;
//! # Ok(())
//! # }
//! ```
//!
//! # What it does not do
//!
//! | what | instead |
//! |---|---|
//! | talking to other servers | accounts of others are added by a test; subscriptions to lists of domains are kept, and fetch nothing |
//! | converting media | a file is served as it came, also as its preview and where Mastodon makes an MP4 of it, and has no blurhash |
//! | fetching pages | cards of links have what the address tells |
//! | asking before an interaction | policies are kept, every interaction is let through, and the list of requests is empty |
//! | verifying links and identities | no field is verified, and nobody has proved an identity |
//! | work in the background | there is no asynchronous refresh |
//! | Web Push and mail | subscriptions are kept, and nothing is sent |
//! | limits of moderators | blocks of domains, mail addresses, networks and headers are kept, and let everything through |
//! | outside identity providers | users sign in with a password, and with a one-time code where they have turned that on |
//! | subscriptions by mail, donation campaigns, translations | answered as by a server that offers none |
//! | confirming a mail address | it counts at once, and as confirmed when a client asks whether it is |
//! | counts of sign-up attempts | blocks of mail domains show none |
//!
//! # How it is built
//!
//! | place | what |
//! |---|---|
//! | `release` | the release that is presented |
//! | `store` | the state: plain records, in a file for each idea; keys, the clock, and the hub that tells what happens |
//! | `views` | entities, made of records as a viewer sees them |
//! | `groups` | the operations, in a file for each group |
//! | `paging` | pages of lists |
//! | `page` | the page at `/`, which says what is presented and what was asked last |
//! | `watch` | the layer around all routes, which logs calls, lets them fail and sets headers; with `calls`, `faults` and `limits` |
//! | `control` | what a test does with a server, in Rust and over HTTP |
//! | `standin` | building and starting |
//!
//! Time and chance come from the state: its clock and its generator, which a seed decides.
//!
//! Each file of `groups` mounts its handlers on one `App`; the type of the request says which operation a handler serves, and what it answers.
//! A handler gets the locked state and the key of the caller, changes records, and answers with a view:
//!
//! ```ignore
//! .on(by_user(|mut state, me, request: statuses::Favourite, _| { // locked; `by_viewer` where no token is needed
//!     let status = state.proper(&request.id, Some(me))?.id; // a key, or the answer 404
//!     state.favourite(me, status)?;                         // which notifies, and tells streams
//!     Ok(state.view(me).status(status)?)
//! }))
//! ```
//!
//! The lock notices each change of the state, and the state is saved. Records that cause others tell it: `state.notify(..)`
//! makes a notification, `state.publish(..)` tells those who `listen`, such as streams. What happens when its time comes
//! (`State::catch_up`) happens before the state is next looked at, and once a second.

#![forbid(unsafe_code)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[macro_use]
mod error;

mod app;
mod beginning;
mod calls;
mod collect;
mod control;
mod family;
mod faults;
mod files;
mod groups;
mod keep;
mod languages;
mod limits;
mod lock;
mod operations;
mod origin;
mod page;
mod paging;
mod passwords;
mod post;
mod qr_code;
mod release;
mod request_ids;
mod running;
mod setters;
mod sign_in;
mod standin;
mod store;
mod text;
#[cfg(feature = "tls")]
mod tls;
mod views;
mod watch;

pub use fedispec::server::UnknownRelease;

pub use beginning::{OWNER, OWNER_EMAIL};
pub use calls::LoggedCall;
pub use control::{Control, Login};
pub use error::ControlError;
pub use faults::Fault;
pub use limits::RateLimits;
pub use origin::BadOrigin;
pub use post::{NewAccount, PASSWORD, Post};
pub use running::Running;
pub use standin::{StandIn, StartError};
pub use store::file::{DataError, Undecoded};
#[cfg(feature = "tls")]
pub use tls::TlsError;
