//! Streams of events as they happen.

use fedispec::entities::AnnouncementReactionEvent;
use fedispec::events::StreamEvent;
use fedispec::server::Events;
use fedispec::streaming;

use std::future::{Ready, ready};

use super::lists::LISTS;
use super::prelude::*;

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
        .on_stream(stream(|_, _, _: streaming::User| Ok(Stream::User)))
        .on_stream(stream(|_, _, _: streaming::UserNotification| Ok(Stream::Notifications)))
        .on_stream(stream(|_, _, asked: streaming::Public| {
            Ok(Stream::public(asked.only_media, None))
        }))
        .on_stream(stream(|_, _, asked: streaming::PublicLocal| {
            Ok(Stream::public(asked.only_media, Some(true)))
        }))
        .on_stream(stream(|_, _, asked: streaming::PublicRemote| {
            Ok(Stream::public(asked.only_media, Some(false)))
        }))
        .on_stream(stream(|_, _, asked: streaming::Hashtag| Stream::tag(&asked.tag, false)))
        .on_stream(stream(|_, _, asked: streaming::HashtagLocal| Stream::tag(&asked.tag, true)))
        .on_stream(stream(|state, me, asked: streaming::List| {
            Ok(Stream::List(LISTS.key(state, me, &asked.list)?))
        }))
        .on_stream(stream(|_, _, _: streaming::Direct| Ok(Stream::Direct)))
}

/// The handler that opens a stream of what happens from now on.
fn stream<R>(
    which: impl Fn(&State, Key, R) -> Result<Stream> + Send + Sync + 'static,
) -> impl Fn(App, R, Call) -> Ready<Result<Events>> + Send + Sync + 'static {
    move |app, request, call| {
        let opened = app.user(&call).and_then(|(mut state, me)| {
            let stream = which(&state, me, request)?;
            let (sender, events) = Events::channel(WAITING);
            state.listen(Box::new(move |state, happening| {
                match stream.event(state, me, happening) {
                    Some(event) => sender.try_send(event.into()).is_ok(),
                    None => !sender.is_closed(),
                }
            }));
            Ok(events)
        });
        ready(opened)
    }
}

impl Stream {
    fn public(only_media: Option<bool>, local: Option<bool>) -> Self {
        Self::Public { only_media: only_media.unwrap_or(false), local }
    }

    fn tag(tag: &str, local: bool) -> Result<Self> {
        let name = tag.trim_start_matches('#').to_lowercase();
        let told = "Missing tag name parameter";
        refuse_if!(name.is_empty(), Error::new(StatusCode::BAD_REQUEST, told));
        Ok(Self::Tag { name, local })
    }

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
                    count: count(who.map_or(0, BTreeSet::len)),
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
        let is_local = state.is_local(status.account);
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
