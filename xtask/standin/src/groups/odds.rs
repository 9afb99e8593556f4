//! Small groups: embedding, proofs, refreshes, health, mail, node info and preferences.

use fedispec::entities::OEmbed;
use fedispec::enums::ExpandMedia;
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
        .on(by_user(|_, _, _: async_refreshes::Get, _| Err(Error::not_found())))
        .on(async |_: App, _: health::Live, _| Ok(Raw::new("text/plain; charset=utf-8", "")))
        .on(async |_: App, _: health::Ready, _| Ok(Raw::new("text/plain; charset=utf-8", "")))
        .on(by_user(|mut state, me, request: emails::ResendConfirmation, call| {
            let app = state.token(&call).map(|token| token.app);
            let user = state.account_mut(me)?.user.as_mut().ok_or_else(Error::forbidden)?;
            let told = if user.made_by != app {
                "This method is only available to the application the user originally signed-up with"
            } else if user.confirmed {
                "This method is only available while the e-mail is awaiting confirmation"
            } else {
                set(&mut user.email, request.email);
                return Ok(Empty);
            };
            Err(Error::new(StatusCode::FORBIDDEN, told))
        }))
        // No mail is sent: who asks whether an address is confirmed is taken for somebody who has just confirmed it.
        .on(by_user(|mut state, me, _: emails::CheckConfirmation, _| {
            let user = state.account_mut(me)?.user.as_mut();
            user.ok_or_else(Error::forbidden)?.confirmed = true;
            Ok(true)
        }))
        .on(async |app: App, _: nodeinfo::Get, _| Ok(app.state().view(None).nodeinfo("2.0")))
        .on(async |app: App, _: nodeinfo::Get21, _| Ok(app.state().view(None).nodeinfo("2.1")))
        .on(by_user(|state, me, _: preferences::Get, call| {
            let user = state.accounts.get(&me).and_then(|account| account.user.as_ref());
            let defaults = user.map(|user| user.defaults.clone()).unwrap_or_default();
            let mut language = user.and_then(|user| state.view(me).language(user));
            if does(&call, Habit::AnswersInterfaceLanguage) {
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
