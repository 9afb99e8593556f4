//! The user's profile in the form in which it is edited.

use fedispec::profile;

use super::accounts::{check_profile, keep_picture, profile_fields, set_profile};
use super::prelude::*;
use crate::text;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: profile::Get, _| {
            state.view(me).profile(me).ok_or_else(Error::not_found)
        }))
        .on(by_user(|mut state, me, request: profile::Update, _| {
            set_profile!(state, me, request);
            state.view(me).profile(me).ok_or_else(Error::not_found)
        }))
        .on(by_user(|mut state, me, _: profile::DeleteAvatar, _| {
            let own = &mut state.account_mut(me)?.profile;
            (own.avatar, own.avatar_description) = (None, String::new());
            Ok(state.view(me).credentials(state.known_account(me)?))
        }))
        .on(by_user(|mut state, me, _: profile::DeleteHeader, _| {
            let own = &mut state.account_mut(me)?.profile;
            (own.header, own.header_description) = (None, String::new());
            Ok(state.view(me).credentials(state.known_account(me)?))
        }))
}

impl View<'_> {
    fn profile(&self, key: Key) -> Option<entities::Profile> {
        let state = self.state;
        let own = &state.accounts.get(&key)?.profile;
        let image = |file: Option<Key>| file.map(|file| state.file_url(file));
        let fields = own.fields.iter().map(|(name, value)| {
            let (name, value) = (name.clone(), value.clone());
            current::ProfileField { name, value, verified_at: None }.into()
        });
        Some(
            current::Profile {
                id: self.id(key),
                display_name: own.display_name.clone(),
                note: own.note.clone(),
                fields: fields.collect(),
                avatar_description: own.avatar_description.clone(),
                header_description: own.header_description.clone(),
                locked: own.locked,
                bot: own.bot,
                indexable: own.indexable,
                show_media: true,
                show_media_replies: true,
                show_featured: true,
                featured_tags: self.featured_tags(key),
                formatted_note: text::html(&own.note, state.form(), |address| {
                    self.mentioned(address)
                }),
                // Nothing is ever verified, and only what is has a time.
                formatted_fields: Vec::new(),
                avatar: image(own.avatar),
                avatar_static: image(own.avatar),
                header: image(own.header),
                header_static: image(own.header),
                hide_collections: own.hide_collections,
                discoverable: own.discoverable,
                attribution_domains: own.attribution_domains.clone(),
            }
            .into(),
        )
    }
}
