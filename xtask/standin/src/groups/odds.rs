//! Small groups: embedding, proofs, refreshes, health, mail.

use fedispec::entities::{AsyncRefreshResponse, IdentityProofLookup, OEmbed};
use fedispec::enums::Visibility;
use fedispec::runtime::Raw;
use fedispec::server::{
    AsyncRefreshes, Call, Emails, Empty, Error, Health, Id, Oembed, Proofs, Result, escape_html,
};
use fedispec::{async_refreshes, current, emails, health, oembed, proofs};

use crate::app::App;

impl Oembed for App {
    async fn get(&self, request: oembed::Get, _: Call) -> Result<OEmbed> {
        let state = self.state();
        let view = state.view(None);
        let id = request.url.rsplit('/').next().map(Id::<()>::new);
        let named = id.and_then(|id| state.statuses.get(&state.key(&id)?));
        let public = named.filter(|status| {
            matches!(status.draft.visibility, Visibility::Public | Visibility::Unlisted)
                && status.reblog_of.is_none()
        });
        let shown = public.map(|status| view.status_of(status));
        let shown = shown.filter(|status| status.url.as_ref() == Some(&request.url));
        let status = shown.ok_or_else(Error::not_found)?;
        let width = request.maxwidth.unwrap_or(400);
        let url = escape_html(&request.url);
        let answer = current::OEmbed {
            r#type: "rich".to_owned(),
            version: "1.0".to_owned(),
            author_name: status.account.display_name.clone(),
            author_url: status.account.url.unwrap_or_default(),
            provider_name: state.domain().to_owned(),
            provider_url: format!("{}/", state.origin()),
            cache_age: 86_400,
            html: format!(
                "<iframe src=\"{url}/embed\" width=\"{width}\" allowfullscreen=\"allowfullscreen\"></iframe>"
            ),
            width,
            height: None,
        };
        Ok(OEmbed { height: request.maxheight, ..answer.into() })
    }
}

/// Nobody has proved an identity here.
impl Proofs for App {
    async fn get(&self, _: proofs::Get, _: Call) -> Result<IdentityProofLookup> {
        Err(Error::not_found())
    }
}

/// Nothing is refreshed in the background.
impl AsyncRefreshes for App {
    async fn get(&self, _: async_refreshes::Get, call: Call) -> Result<AsyncRefreshResponse> {
        self.user(&call)?;
        Err(Error::not_found())
    }
}

impl Health for App {
    async fn get(&self, _: health::Get, _: Call) -> Result<Raw> {
        Ok(Raw::new("text/plain; charset=utf-8", "OK"))
    }

    async fn live(&self, _: health::Live, _: Call) -> Result<Raw> {
        Ok(Raw::new("text/plain; charset=utf-8", ""))
    }

    async fn ready(&self, _: health::Ready, _: Call) -> Result<Raw> {
        Ok(Raw::new("text/plain; charset=utf-8", ""))
    }
}

/// Users are confirmed when they sign up, so that there is nothing to confirm.
impl Emails for App {
    async fn resend_confirmation(
        &self,
        _: emails::ResendConfirmation,
        call: Call,
    ) -> Result<Empty> {
        let (state, me) = self.user(&call)?;
        let user = state.accounts.get(&me).and_then(|account| account.user.as_ref());
        if user.is_some_and(|user| user.confirmed) {
            return Err(Error::forbidden());
        }
        Ok(Empty)
    }

    async fn check_confirmation(&self, _: emails::CheckConfirmation, call: Call) -> Result<bool> {
        let (state, me) = self.user(&call)?;
        let user = state.accounts.get(&me).and_then(|account| account.user.as_ref());
        Ok(user.is_some_and(|user| user.confirmed))
    }
}
