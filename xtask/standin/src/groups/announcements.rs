//! Announcements.

use fedispec::announcements;
use fedispec::entities::{Announcement, AnnouncementAccount, Reaction};

use super::prelude::*;
use crate::store::announcements::Announcement as Stored;
use crate::text;

/// The greatest number of different reactions.
const MOST: usize = 8;

const ANNOUNCEMENTS: Table<Stored, Announcement> =
    table!(announcements, |view, _, one| view.announcement(one));

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: announcements::List, _| {
            let view = state.view(me);
            let now = state.now();
            let current = state.announcements.values().filter(|one| {
                one.starts_at.is_none_or(|start| start <= now)
                    && one.ends_at.is_none_or(|end| end > now)
            });
            Ok(current.map(|one| view.announcement(one)).collect())
        }))
        .on(by_user(|mut state, me, request: announcements::Dismiss, _| {
            ANNOUNCEMENTS.find_mut(&mut state, me, &request.id)?.read_by.insert(me);
            Ok(Empty)
        }))
        .on(by_user(|mut state, me, request: announcements::AddReaction, call| {
            let name = request.name;
            let is_custom = state.emojis.values().any(|emoji| emoji.shortcode == name);
            let is_emoji = name.chars().all(|sign| !sign.is_ascii()) && !name.is_empty();
            let one = ANNOUNCEMENTS.find_mut(&mut state, me, &request.id)?;
            let is_known = is_custom || is_emoji;
            refuse_if!(!is_known, invalid_alike(&call, "Name is not a recognized emoji"));
            let is_full = !one.reactions.contains_key(&name) && one.reactions.len() >= MOST;
            refuse_if!(is_full, invalid_alike(&call, "Limit of different reactions reached"));
            one.reactions.entry(name.clone()).or_default().insert(me);
            let announcement = one.id;
            state.publish(&Happening::Reacted { announcement, name });
            Ok(Empty)
        }))
        .on(by_user(|mut state, me, request: announcements::RemoveReaction, _| {
            let one = ANNOUNCEMENTS.find_mut(&mut state, me, &request.id)?;
            let reacted = one.reactions.get_mut(&request.name);
            refuse_if!(!reacted.is_some_and(|reacted| reacted.remove(&me)), Error::not_found());
            one.reactions.retain(|_, who| !who.is_empty());
            let announcement = one.id;
            state.publish(&Happening::Reacted { announcement, name: request.name });
            Ok(Empty)
        }))
}

impl View<'_> {
    pub(crate) fn announcement(&self, one: &Stored) -> Announcement {
        let state = self.state;
        let mentions = text::mentions(&one.text);
        let mentioned = mentions.iter().filter_map(|address| {
            let account = state.lookup(address)?;
            let mention = current::AnnouncementAccount {
                id: self.id(account.id),
                username: account.username.clone(),
                url: Some(self.profile_url(account)),
                acct: account.acct(),
            };
            Some(AnnouncementAccount::from(mention))
        });
        let reaction = |(name, who): (&String, &BTreeSet<Key>)| {
            let custom = state.emojis.values().find(|emoji| emoji.shortcode == *name);
            let url = custom.map(|emoji| state.file_url(emoji.file));
            Reaction {
                me: self.me.is_some_and(|me| who.contains(&me)),
                static_url: url.clone(),
                url,
                ..current::Reaction { name: name.clone(), count: count(who.len()) }.into()
            }
        };
        Announcement {
            read: self.me.is_some_and(|me| one.read_by.contains(&me)),
            published: true,
            ..current::Announcement {
                id: self.id(one.id),
                content: text::html(&one.text, state.form(), |address| self.mentioned(address)),
                all_day: one.all_day,
                updated_at: time(one.at),
                mentions: mentioned.collect(),
                tags: text::tags(&one.text).iter().map(|name| self.status_tag(name)).collect(),
                reactions: one.reactions.iter().map(reaction).collect(),
                starts_at: one.starts_at.map(time),
                ends_at: one.ends_at.map(time),
                published_at: time(one.at),
                emojis: self.emojis(&one.text),
                statuses: Either::First(Vec::new()),
            }
            .into()
        }
    }
}
