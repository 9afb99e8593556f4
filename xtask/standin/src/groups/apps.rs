//! Applications.

use fedispec::server::{Apps, Call, Error, Id, Page, Result};
use fedispec::{apps, entities};

use crate::app::App;
use crate::store::oauth::Application;
use crate::store::{Key, State};

/// What an application may ask for that names no scopes.
const DEFAULT_SCOPES: &str = "read";

impl Apps for App {
    async fn create(
        &self,
        request: apps::Create,
        call: Call,
    ) -> Result<entities::CredentialApplication> {
        let redirect_uris = request.redirect_uris.iter();
        let redirect_uris: Vec<String> =
            redirect_uris.flat_map(|uri| uri.split_whitespace()).map(str::to_owned).collect();
        if request.client_name.trim().is_empty() {
            return Err(Error::unprocessable("Validation failed: Application name can't be blank"));
        }
        if redirect_uris.is_empty() {
            return Err(Error::unprocessable("Validation failed: Redirect URI can't be blank"));
        }
        let (mut state, owner) = self.viewer(&call);
        // GoToSocial registers them, against RFC 6749, 3.1.2.
        if !state.is_gotosocial() && redirect_uris.iter().any(|uri| uri.contains('#')) {
            return Err(Error::unprocessable(
                "Validation failed: Redirect URI cannot contain a fragment.",
            ));
        }
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
    async fn list(&self, _: apps::List, call: Call) -> Result<Page<entities::Application>> {
        let (state, me) = self.user(&call)?;
        let own = state.oauth.apps.values().filter(|app| app.owner == Some(me));
        let page = state.page_of(&call, (20, 80), own.map(|app| (app.id, app)));
        Ok(page.map(|app| Some(state.view(me).own_application(app))))
    }

    async fn delete(&self, request: apps::Delete, call: Call) -> Result<entities::Application> {
        let (mut state, me) = self.user(&call)?;
        let app = own(&state, me, &request.id)?;
        let view = state.view(me).own_application(&app);
        state.oauth.apps.remove(&app.id);
        // Its tokens go with it.
        state.oauth.tokens.retain(|_, token| token.app != app.id);
        Ok(view)
    }

    async fn get(&self, request: apps::Get, call: Call) -> Result<entities::Application> {
        let (state, me) = self.user(&call)?;
        Ok(state.view(me).own_application(&own(&state, me, &request.id)?))
    }
}

/// An application that the caller has registered.
fn own(state: &State, me: Key, id: &Id<entities::Application>) -> Result<Application> {
    let app = state.key(id).and_then(|key| state.oauth.apps.get(&key));
    let app = app.filter(|app| app.owner == Some(me));
    app.cloned().ok_or_else(Error::not_found)
}
