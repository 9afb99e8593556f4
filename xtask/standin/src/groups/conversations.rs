//! Conversations.

use fedispec::entities::Conversation;
use fedispec::server::{Call, Conversations, Empty, Error, Id, Page, Result};
use fedispec::{conversations, required};

use crate::app::App;
use crate::store::conversations::Conversation as Stored;
use crate::store::hub::Happening;
use crate::store::{Key, State};
use crate::views::View;

impl Conversations for App {
    async fn list(&self, _: conversations::List, call: Call) -> Result<Page<Conversation>> {
        let (state, me) = self.user(&call)?;
        let own = state.conversations.values().filter(|one| one.owner == me);
        // The one with the newest status comes first, and pages are cut by statuses.
        let own = own.filter_map(|one| Some((*one.statuses.last()?, one)));
        let page = state.page_of(&call, (20, 40), own);
        Ok(page.map(|one| Some(state.view(me).conversation(one))))
    }

    async fn delete(&self, request: conversations::Delete, call: Call) -> Result<Empty> {
        let (mut state, me) = self.user(&call)?;
        let id = own(&state, me, &request.id)?.id;
        state.conversations.remove(&id);
        Ok(Empty)
    }

    async fn mark_read(
        &self,
        request: conversations::MarkRead,
        call: Call,
    ) -> Result<Conversation> {
        self.set_unread(&request.id, &call, false)
    }

    async fn mark_unread(
        &self,
        request: conversations::MarkUnread,
        call: Call,
    ) -> Result<Conversation> {
        self.set_unread(&request.id, &call, true)
    }
}

impl App {
    fn set_unread(&self, id: &Id<Conversation>, call: &Call, unread: bool) -> Result<Conversation> {
        let (mut state, me) = self.user(call)?;
        let id = own(&state, me, id)?.id;
        if let Some(one) = state.conversations.get_mut(&id) {
            one.unread = unread;
        }
        state.publish(&Happening::ConversationChanged { account: me, conversation: id });
        let one = state.conversations.get(&id).ok_or_else(Error::not_found)?;
        Ok(state.view(me).conversation(one))
    }
}

/// A conversation of the caller.
fn own<'s>(state: &'s State, me: Key, id: &Id<Conversation>) -> Result<&'s Stored> {
    let one = state.key(id).and_then(|key| state.conversations.get(&key));
    one.filter(|one| one.owner == me).ok_or_else(Error::not_found)
}

impl View<'_> {
    pub(crate) fn conversation(&self, one: &Stored) -> Conversation {
        // Whoever writes to nobody converses with themselves.
        let alone = [one.owner].into();
        let others = if one.others.is_empty() { &alone } else { &one.others };
        Conversation {
            last_status: one.statuses.last().and_then(|key| self.status(*key)),
            ..required::Conversation {
                id: self.id(one.id),
                unread: one.unread,
                accounts: self.accounts(others.iter().copied()),
            }
            .into()
        }
    }
}
