//! Small groups: embedding, proofs, refreshes, health, mail, node info and preferences.

use fedispec::entities::OEmbed;
use fedispec::enums::{ExpandMedia, Visibility};
use fedispec::runtime::Version;
use fedispec::server::Target;
use fedispec::server::escape_html;
use fedispec::{async_refreshes, emails, health, nodeinfo, oembed, preferences, proofs};

use super::prelude::*;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, request: oembed::Get, _| {
            let state = app.state();
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
        })
        // Nobody has proved an identity here.
        .on(async |_: App, _: proofs::Get, _| Err(Error::not_found()))
        // Nothing is refreshed in the background.
        .on(async |app: App, _: async_refreshes::Get, call| {
            app.user(&call)?;
            Err(Error::not_found())
        })
        .on(async |_: App, _: health::Live, _| {
            Ok(Raw::new("text/plain; charset=utf-8", ""))
        })
        .on(async |_: App, _: health::Ready, _| {
            Ok(Raw::new("text/plain; charset=utf-8", ""))
        })
        // Users are confirmed when they sign up, so that there is nothing to confirm.
        .on(by_user(|state, me, _: emails::ResendConfirmation, _| {
            let user = state.accounts.get(&me).and_then(|account| account.user.as_ref());
            if user.is_some_and(|user| user.confirmed) {
                return Err(Error::forbidden());
            }
            Ok(Empty)
        }))
        .on(by_user(|state, me, _: emails::CheckConfirmation, _| {
            let user = state.accounts.get(&me).and_then(|account| account.user.as_ref());
            Ok(user.is_some_and(|user| user.confirmed))
        }))
        .on(async |app: App, _: nodeinfo::Get, _| {
            Ok(app.state().view(None).nodeinfo(app.release(), "2.0"))
        })
        .on(async |app: App, _: nodeinfo::Get21, _| {
            Ok(app.state().view(None).nodeinfo(app.release(), "2.1"))
        })
        .on(by_user(|state, me, _: preferences::Get, call| {
            let user = state.accounts.get(&me).and_then(|account| account.user.as_ref());
            let defaults = user.map(|user| user.defaults.clone()).unwrap_or_default();
            let mut language = user.and_then(|user| state.view(me).language(user));
            // Since 4.0.0 Mastodon answers the language of the interface where none is set.
            let falls_back = |target: &Target| target.version >= Version::new(4, 0, 0);
            if call.target.as_deref().is_some_and(falls_back) {
                let set = [language, user.map(|user| user.locale.clone()), Some("en".to_owned())];
                language = set.into_iter().flatten().find(|language| !language.is_empty());
            }
            let shown: entities::Preferences = current::Preferences {
                posting_default_sensitive: defaults.sensitive,
                posting_default_visibility: defaults.visibility,
                reading_expand_media: ExpandMedia::Default,
                reading_expand_spoilers: false,
                posting_default_language: language.clone().unwrap_or_default(),
                posting_default_quote_policy: defaults.quote_policy,
                reading_autoplay_gifs: false,
            }
            .into();
            Ok(entities::Preferences { posting_default_language: language, ..shown })
        }))
}
