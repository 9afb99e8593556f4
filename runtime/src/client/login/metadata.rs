//! The authorization server's metadata ([RFC 8414](https://www.rfc-editor.org/rfc/rfc8414)).

use super::wire::{Metadata, ServerMetadata};
use crate::Scopes;
use crate::client::{Client, Error};

impl ServerMetadata {
    /// Whether it checks proof keys by S256. A server that names no methods has none (RFC 8414, 2).
    pub fn has_pkce(&self) -> bool {
        has(self.code_challenge_methods_supported.as_deref(), "S256")
    }

    /// Whether it issues tokens for a grant, such as `refresh_token`.
    pub fn has_grant(&self, grant: &str) -> bool {
        has(self.grant_types_supported.as_deref(), grant)
    }

    /// The scopes that it knows.
    pub fn scopes(&self) -> Scopes {
        self.scopes_supported.iter().flatten().collect()
    }
}

fn has(list: Option<&[String]>, name: &str) -> bool {
    list.is_some_and(|list| list.iter().any(|one| one == name))
}

impl Client {
    /// The server's OAuth metadata; `None` where it publishes none, as GoToSocial and Mastodon before 4.3.0.
    ///
    /// A login does not need it: the addresses are the same on every server of this API, and a server without proof keys ignores them.
    ///
    /// # Errors
    ///
    /// When the request fails otherwise than with 404, or what is answered is no metadata.
    pub async fn oauth_metadata(&self) -> Result<Option<ServerMetadata>, Error> {
        match self.without_token().send(Metadata {}).await {
            Ok(metadata) => Ok(Some(metadata.into_value())),
            Err(error) if error.is_not_found() || error.is_unsupported() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
