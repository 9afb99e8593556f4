//! The user's preferences.

use fedispec::enums::ExpandMedia;
use fedispec::preferences;
use fedispec::runtime::Version;
use fedispec::server::Target;

use super::prelude::*;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server.on(by_user(|state, me, _: preferences::Get, call| {
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
