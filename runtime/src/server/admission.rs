//! Authentication of a request before its handler is called, with the limit on guesses of tokens.

use axum::http::Extensions;

use super::auth::Door;
use super::client_key::ClientKey;
use super::refusal::Refusal;
use super::site::Site;
use super::{Caller, Result};
use crate::{Auth, Operation, Secret};

/// The caller of an operation; `None` where there is no authenticator. The tokens of an address that has sent too many wrong ones are not looked up.
pub(super) async fn admit(
    site: &Site,
    (operation, auth): (&Operation, Auth),
    token: Option<&Secret>,
    extensions: &Extensions,
) -> Result<Option<Caller>> {
    let Some(authenticator) = &site.authenticator else {
        return Ok(None);
    };
    let target = site.target.as_deref();
    let limit = site.rate_limit.as_ref().filter(|_| token.is_some());
    let limit = limit.and_then(|limit| Some((limit, ClientKey::address(extensions)?)));
    if let Some((limit, client)) = &limit {
        limit.admit(client, target)?;
    }
    let admitted = authenticator.admit(&Door::new(operation, auth, target), token).await;
    if let Err(error) = &admitted
        && error.refusal().is_some_and(Refusal::is_of_token)
        && let Some((limit, client)) = limit
    {
        limit.refused(client);
    }
    admitted
}
