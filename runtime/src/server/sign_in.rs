//! Signing in by OAuth: registration, the authorization page, codes, tokens and their revocation.
//!
//! A server gives a store ([`OauthStore`]) and a page ([`OauthPage`]) to `Server::oauth_with`; what is checked in between is here. `oxide-auth` has
//! a trait for each endpoint and each store, and neither registration nor the programs' words.

pub(crate) mod flow;
pub(crate) mod memory;
pub(crate) mod page;
pub(crate) mod store;
