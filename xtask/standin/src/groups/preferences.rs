//! The user's preferences.

use fedispec::enums::ExpandMedia;
use fedispec::preferences;

use super::prelude::*;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server.on(by_user(|state, me, _: preferences::Get, _| {
        let user = state.accounts.get(&me).and_then(|account| account.user.as_ref());
        let defaults = user.map(|user| user.defaults.clone()).unwrap_or_default();
        let language = user.and_then(|user| state.view(me).language(user));
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
