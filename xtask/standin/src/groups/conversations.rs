//! Conversations.

use fedispec::conversations;
use fedispec::entities::Conversation;

use super::prelude::*;
use crate::store::conversations::Conversation as Stored;

const CONVERSATIONS: Table<Stored, Conversation> =
    table!(conversations, |one, me| one.owner == me, |view, _, one| view.conversation(one));

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: conversations::List, call| {
            // The one with the newest status comes first, and pages are cut by statuses.
            let own = CONVERSATIONS.of(&state, me);
            let own = own.filter_map(|(_, one)| Some((*one.statuses.last()?, one)));
            let page = state.page_of(&call, own);
            Ok(page.map(|one| Some(state.view(me).conversation(one))))
        }))
        .on(handler!(end CONVERSATIONS, conversations::Delete))
        .on(act!(set_unread, conversations::MarkRead, false))
        .on(act!(set_unread, conversations::MarkUnread, true))
}

fn set_unread(
    state: &mut State,
    me: Key,
    id: &Id<Conversation>,
    unread: bool,
) -> Result<Conversation> {
    let one = CONVERSATIONS.find_mut(state, me, id)?;
    one.unread = unread;
    let conversation = one.id;
    state.publish(&Happening::ConversationChanged { account: me, conversation });
    CONVERSATIONS.shown(state, me, conversation)
}

impl View<'_> {
    pub(crate) fn conversation(&self, one: &Stored) -> Conversation {
        // A direct status without mentions belongs to a conversation of its author alone.
        let alone = [one.owner].into();
        let others = if one.others.is_empty() { &alone } else { &one.others };
        current::Conversation {
            id: self.id(one.id),
            unread: one.unread,
            accounts: self.accounts(others.iter().copied()),
            last_status: one.statuses.last().and_then(|key| self.status(*key)),
        }
        .into()
    }
}
