//! Applications.

use fedispec::server::{Apps, Call, Error, Result};
use fedispec::{apps, entities};

use crate::app::App;

/// What an application may ask for that names no scopes.
const DEFAULT_SCOPES: &str = "read";

impl Apps for App {
    async fn create(
        &self,
        request: apps::Create,
        call: Call,
    ) -> Result<entities::CredentialApplication> {
        let redirect_uris: Vec<String> = request
            .redirect_uris
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        if request.client_name.trim().is_empty() {
            return Err(Error::unprocessable(
                "Validation failed: Application name can't be blank",
            ));
        }
        if redirect_uris.is_empty() {
            return Err(Error::unprocessable(
                "Validation failed: Redirect URI can't be blank",
            ));
        }
        let (mut state, owner) = self.viewer(&call);
        let scopes = request.scopes.unwrap_or_else(|| DEFAULT_SCOPES.to_owned());
        let app = state.add_app(&request.client_name, redirect_uris, scopes.into())?;
        app.website = request.website.filter(|website| !website.is_empty());
        app.owner = owner;
        let app = app.clone();
        Ok(state.view(None).credential_application(&app))
    }

    async fn verify_credentials(
        &self,
        _: apps::VerifyCredentials,
        call: Call,
    ) -> Result<entities::Application> {
        let state = self.state();
        let app = state.app(&call).ok_or_else(Error::unauthorized)?;
        Ok(state.view(None).application(app))
    }
}
