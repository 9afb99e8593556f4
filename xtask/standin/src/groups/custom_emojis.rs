//! Custom emojis, and what moderators do with them.

use fedispec::entities::AdminEmoji;
use fedispec::{admin_custom_emojis, custom_emojis};

use super::prelude::*;
use crate::store::emojis::Emoji;

const EMOJIS: Table<Emoji, AdminEmoji> = table!(emojis, |view, _, emoji| view.admin_emoji(emoji));

pub(super) fn emojis(server: Server<App>) -> Server<App> {
    server
        .on(by_viewer(|state, viewer, _: custom_emojis::List, _| {
            let view = state.view(viewer);
            let shown = state.emojis.values().filter(|emoji| !emoji.disabled);
            Ok(shown.map(|emoji| view.emoji(emoji)).collect())
        }))
        .on(by_user(|state, me, request: admin_custom_emojis::List, call| {
            // `filter=domain:local,shortcode:blob`, of which several conditions hold together.
            let filter = request.filter.unwrap_or_default();
            let conditions: Vec<_> = filter.split(',').filter_map(|one| one.split_once(':')).collect();
            let fits = |emoji: &&Emoji| {
                let is_disabled = filter.split(',').any(|one| one == "disabled");
                let is_enabled = filter.split(',').any(|one| one == "enabled");
                (!is_disabled || emoji.disabled)
                    && (!is_enabled || !emoji.disabled)
                    && conditions.iter().all(|(name, value)| match *name {
                        "shortcode" => emoji.shortcode == *value,
                        "domain" => matches!(*value, "local" | "all" | ""),
                        _ => true,
                    })
            };
            let view = state.view(me);
            let mut found: Vec<_> = state.emojis.values().filter(fits).collect();
            found.sort_by(|one, other| one.shortcode.cmp(&other.shortcode));
            // Pages are cut by shortcode and domain, and the domain of this server is empty.
            let place = |emoji: &Emoji| format!("{}@", emoji.shortcode);
            found.retain(|emoji| {
                let place = place(emoji);
                request.max_shortcode_domain.as_ref().is_none_or(|most| place > *most)
                    && request.min_shortcode_domain.as_ref().is_none_or(|least| place < *least)
            });
            let query = call.paging();
            let all = query.limit == 0;
            let more = !all && found.len() > query.limit;
            if !all {
                found.truncate(query.limit);
            }
            let page = Page::new(found.iter().map(|emoji| view.admin_emoji(emoji)));
            Ok(match (found.first(), found.last()) {
                (Some(first), Some(last)) => {
                    let page = page.with_prev([("min_shortcode_domain", place(first))]);
                    if more { page.with_next([("max_shortcode_domain", place(last))]) } else { page }
                }
                _ => page,
            })
        }))
        .on(by_user(|mut state, me, request: admin_custom_emojis::Create, call| {
            let content = request.image.content()?.into_owned();
            let name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
            if request.shortcode.len() < 2 || !request.shortcode.chars().all(name) {
                let told = format!(
                    "shortcode {} did not pass validation, must be between 1 and 30 characters, letters, numbers, and underscores only",
                    request.shortcode
                );
                return Err(malformed(&call, "Shortcode is invalid", &told));
            }
            let mut known = state.emojis.values();
            let is_known = known.any(|emoji| emoji.shortcode == request.shortcode);
            refuse_if!(is_known, conflict("emoji with shortcode already exists"));
            let file = keep(&mut state, &request.image, content);
            let emoji = Emoji {
                id: state.next_key(),
                shortcode: request.shortcode,
                category: request.category.filter(|category| !category.is_empty()),
                file,
                disabled: false,
                updated_at: state.now(),
            };
            let view = state.view(me).emoji(&emoji);
            state.emojis.insert(emoji.id, emoji);
            Ok(view)
        }))
        .on(by_user(|state, _, _: admin_custom_emojis::Categories, _| {
            let mut names: Vec<_> = state
                .emojis
                .values()
                .filter_map(|emoji| Some((emoji.category.clone()?, emoji.id)))
                .collect();
            names.sort();
            names.dedup_by(|one, other| one.0 == other.0);
            let category = |(name, first): (String, Key)| {
                let id = state.id(first);
                current::EmojiCategory { id, name }.into()
            };
            Ok(names.into_iter().map(category).collect())
        }))
        .on(handler!(remove EMOJIS, admin_custom_emojis::Delete))
        .on(handler!(one EMOJIS, admin_custom_emojis::Get))
}

pub(super) fn changed(server: Server<App>) -> Server<App> {
    server.on(by_user(|mut state, me, request: admin_custom_emojis::Update, call| {
        let content = |image: File| Ok::<_, Error>((image.content()?.into_owned(), image));
        let image = request.image.map(content).transpose()?;
        let mut emoji = EMOJIS.find(&state, me, &request.id)?.clone();
        let bad = |told: &str| Err(malformed(&call, told, told));
        match request.r#type.as_str() {
            "disable" => {
                let why = "is not a remote emoji, cannot disable it via this endpoint";
                return bad(&format!("emoji {} {why}", request.id));
            }
            "copy" => return bad("target emoji is not remote; cannot copy to local"),
            "modify" => {
                if image.is_none() && request.category.is_none() {
                    return bad(
                        "emoji action type was 'modify' but no image or category name was provided",
                    );
                }
                emoji.category = request.category.or(emoji.category);
                if let Some((content, image)) = image {
                    emoji.file = keep(&mut state, &image, content);
                }
            }
            _ => return bad("emoji action type must be one of 'disable', 'copy', 'modify'"),
        }
        emoji.updated_at = state.now();
        let view = state.view(me).admin_emoji(&emoji);
        state.emojis.insert(emoji.id, emoji);
        Ok(view)
    }))
}

fn keep(state: &mut State, image: &File, content: Vec<u8>) -> Key {
    let content_type = image.content_type().unwrap_or("image/png").to_owned();
    state.keep(&content_type, content)
}
