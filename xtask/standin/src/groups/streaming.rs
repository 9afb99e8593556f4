//! Streams of events as they happen.

use fedispec::entities::AnnouncementReactionEvent;
use fedispec::enums::Visibility;
use fedispec::events::StreamEvent;
use fedispec::server::Events;
use fedispec::streaming;

use super::lists::LISTS;
use super::prelude::*;
use crate::store::hub::Happening;
use crate::store::statuses::Status;

/// The greatest number of events that wait for a slow client, which is let go when there are more.
const WAITING: usize = 256;

/// A stream.
#[derive(Debug, Clone)]
enum Stream {
    User,
    Notifications,
    Public { only_media: bool, local: Option<bool> },
    Tag { name: String, local: bool },
    List(Key),
    Direct,
}

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on_stream(async |app: App, _: streaming::User, call| {
            app.stream(&call, |_, _| Ok(Stream::User))
        })
        .on_stream(async |app: App, _: streaming::UserNotification, call| {
            app.stream(&call, |_, _| Ok(Stream::Notifications))
        })
        .on_stream(async |app: App, request: streaming::Public, call| {
            app.public_stream(request.only_media, None, &call)
        })
        .on_stream(async |app: App, request: streaming::PublicLocal, call| {
            app.public_stream(request.only_media, Some(true), &call)
        })
        .on_stream(async |app: App, request: streaming::PublicRemote, call| {
            app.public_stream(request.only_media, Some(false), &call)
        })
        .on_stream(async |app: App, request: streaming::Hashtag, call| {
            app.tag_stream(&request.tag, false, &call)
        })
        .on_stream(async |app: App, request: streaming::HashtagLocal, call| {
            app.tag_stream(&request.tag, true, &call)
        })
        .on_stream(async |app: App, request: streaming::List, call| {
            app.stream(&call, |state, me| Ok(Stream::List(LISTS.key(state, me, &request.list)?)))
        })
        .on_stream(async |app: App, _: streaming::Direct, call| {
            app.stream(&call, |_, _| Ok(Stream::Direct))
        })
}

impl App {
    fn public_stream(
        &self,
        media: Option<bool>,
        local: Option<bool>,
        call: &Call,
    ) -> Result<Events> {
        let only_media = media.unwrap_or(false);
        self.stream(call, |_, _| Ok(Stream::Public { only_media, local }))
    }

    fn tag_stream(&self, tag: &str, local: bool, call: &Call) -> Result<Events> {
        let name = tag.trim_start_matches('#').to_lowercase();
        if name.is_empty() {
            let told = "Missing tag name parameter";
            return Err(Error::new(StatusCode::BAD_REQUEST, told));
        }
        self.stream(call, |_, _| Ok(Stream::Tag { name, local }))
    }

    /// Opens a stream of what happens from now on.
    fn stream(
        &self,
        call: &Call,
        which: impl FnOnce(&State, Key) -> Result<Stream>,
    ) -> Result<Events> {
        let (mut state, me) = self.user(call)?;
        let stream = which(&state, me)?;
        let (sender, events) = Events::channel(WAITING);
        state.listen(Box::new(move |state, happening| match stream.event(state, me, happening) {
            Some(event) => sender.try_send(event.into()).is_ok(),
            None => !sender.is_closed(),
        }));
        Ok(events)
    }
}

impl Stream {
    /// Returns the event that a listener gets of a happening.
    fn event(&self, state: &State, me: Key, happening: &Happening) -> Option<StreamEvent> {
        let view = state.view(me);
        let shown =
            |key: &Key| state.statuses.get(key).filter(|status| self.shows(state, me, status));
        match (self, happening) {
            (Self::User | Self::Notifications, Happening::Notified(key)) => {
                let one = state.notifications.get(key).filter(|one| one.to == me)?;
                Some(StreamEvent::Notification(Box::new(view.notification(one))))
            }
            (Self::User, Happening::FiltersChanged(of)) => {
                (*of == me).then_some(StreamEvent::FiltersChanged)
            }
            (Self::User | Self::Notifications, Happening::Merged(of)) => {
                (*of == me).then_some(StreamEvent::NotificationsMerged)
            }
            (Self::User, Happening::Announced(key)) => {
                let one = state.announcements.get(key)?;
                Some(StreamEvent::Announcement(Box::new(view.announcement(one))))
            }
            (Self::User, Happening::Reacted { announcement, name }) => {
                let one = state.announcements.get(announcement)?;
                let who = one.reactions.get(name);
                let event: AnnouncementReactionEvent = current::AnnouncementReactionEvent {
                    name: name.clone(),
                    count: count(who.map_or(0, std::collections::BTreeSet::len)),
                    announcement_id: state.id(*announcement),
                }
                .into();
                Some(StreamEvent::AnnouncementReaction(Box::new(event)))
            }
            (Self::User, Happening::AnnouncementDeleting(key)) => {
                Some(StreamEvent::AnnouncementDelete(state.id(*key)))
            }
            (Self::Direct, Happening::ConversationChanged { account, conversation }) => {
                let one = state.conversations.get(conversation);
                let one = one.filter(|_| *account == me)?;
                Some(StreamEvent::Conversation(Box::new(view.conversation(one))))
            }
            (_, Happening::Posted(key)) => {
                let status = view.status_of(shown(key)?);
                Some(StreamEvent::Update(Box::new(status)))
            }
            (_, Happening::Edited(key)) => {
                let status = view.status_of(shown(key)?);
                Some(StreamEvent::StatusUpdate(Box::new(status)))
            }
            (_, Happening::Deleting(key)) => Some(StreamEvent::Delete(state.id(shown(key)?.id))),
            _ => None,
        }
    }

    /// Whether statuses such as this come in the stream.
    fn shows(&self, state: &State, me: Key, status: &Status) -> bool {
        let is_public = status.draft.visibility == Visibility::Public
            && status.reblog_of.is_none()
            && state.can_see(Some(me), status)
            && !state.is_unwanted(me, status);
        let author = state.accounts.get(&status.account);
        let is_local = author.is_some_and(|author| author.domain.is_none());
        match self {
            Self::User => state.is_home(me, status),
            Self::Public { only_media, local } => {
                is_public
                    && (!only_media || !status.draft.media.is_empty())
                    && local.is_none_or(|local| local == is_local)
            }
            Self::Tag { name, local } => {
                is_public && (!local || is_local) && status.tags.iter().any(|tag| tag == name)
            }
            Self::List(key) => {
                let list = state.lists.get(key);
                state.can_see(Some(me), status)
                    && list.is_some_and(|list| state.is_on_list(list, status))
            }
            Self::Notifications | Self::Direct => false,
        }
    }
}
