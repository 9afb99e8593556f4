//! Applications.

use fedispec::enums::OauthScope;
use fedispec::server::Secret;

use super::prelude::*;
use crate::store::oauth::Application;

impl View<'_> {
    /// An application, without its secret.
    pub(crate) fn application(&self, app: &Application) -> entities::Application {
        entities::Application {
            created_at: Some(time(app.created_at)),
            ..current::Application {
                name: app.name.clone(),
                website: app.website.clone(),
                redirect_uris: app.redirect_uris.clone(),
                redirect_uri: app.redirect_uris.join("\n"),
                scopes: scopes(app),
                id: self.id(app.id),
                vapid_key: Some(SERVER_KEY.to_owned()),
            }
            .into()
        }
    }

    /// An application as GoToSocial shows it to whoever has registered it.
    pub(crate) fn own_application(&self, app: &Application) -> entities::Application {
        entities::Application {
            client_id: Some(app.client_id.as_str().into()),
            client_secret: Some(Secret::from(app.client_secret.as_str())),
            ..self.application(app)
        }
    }

    /// An application with its secret, as it is told once.
    pub(crate) fn credential_application(
        &self,
        app: &Application,
    ) -> entities::CredentialApplication {
        entities::CredentialApplication {
            created_at: Some(time(app.created_at)),
            ..current::CredentialApplication {
                client_id: app.client_id.clone(),
                client_secret: Secret::from(app.client_secret.as_str()),
                name: app.name.clone(),
                id: self.id(app.id),
                redirect_uri: app.redirect_uris.join("\n"),
                website: app.website.clone(),
                redirect_uris: app.redirect_uris.clone(),
                scopes: scopes(app),
                client_secret_expires_at: 0,
                vapid_key: Some(SERVER_KEY.to_owned()),
            }
            .into()
        }
    }
}

fn scopes(app: &Application) -> Vec<OauthScope> {
    app.scopes.iter().map(OauthScope::custom).collect()
}
