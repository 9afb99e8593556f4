//! Applications.

use fedispec::server::{Apps, Call, Error, Page, Result};
use fedispec::{apps, entities};

use super::table::Table;
use crate::app::App;
use crate::family::{Habit, does};
use crate::sign_in::OUT_OF_BAND;
use crate::store::oauth::Application;

/// The scopes of an application that names none.
const DEFAULT_SCOPES: &str = "read";

/// The applications that the caller has registered.
const APPS: Table<Application, entities::Application> = Table {
    all: |state| &state.oauth.apps,
    all_mut: |state| &mut state.oauth.apps,
    is_of: |app, me| app.owner == Some(me),
    show: |view, _, app| view.own_application(app),
};

impl Apps for App {
    async fn create(
        &self,
        request: apps::Create,
        call: Call,
    ) -> Result<entities::CredentialApplication> {
        let redirect_uris = request.redirect_uris.iter().flatten();
        let mut redirect_uris: Vec<String> =
            redirect_uris.flat_map(|uri| uri.split_whitespace()).map(str::to_owned).collect();
        if request.client_name.trim().is_empty() {
            return Err(Error::unprocessable("Validation failed: Application name can't be blank"));
        }
        if redirect_uris.is_empty() && does(&call, Habit::RegistersAnyRedirect) {
            redirect_uris.push(OUT_OF_BAND.to_owned());
        }
        if redirect_uris.is_empty() {
            return Err(Error::unprocessable("Validation failed: Redirect URI can't be blank"));
        }
        let (mut state, owner) = self.viewer(&call);
        // GoToSocial registers them, against RFC 6749, 3.1.2.
        if !state.does(Habit::RegistersAnyRedirect)
            && redirect_uris.iter().any(|uri| uri.contains('#'))
        {
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
        self.page_of(&APPS, &call, |_, _| true)
    }

    async fn delete(&self, request: apps::Delete, call: Call) -> Result<entities::Application> {
        let (mut state, me) = self.user(&call)?;
        let app = APPS.take(&mut state, me, &request.id)?;
        // Its tokens go with it.
        state.oauth.tokens.retain(|_, token| token.app != app.id);
        Ok(state.view(me).own_application(&app))
    }

    async fn get(&self, request: apps::Get, call: Call) -> Result<entities::Application> {
        self.one_of(&APPS, &request.id, &call)
    }
}
