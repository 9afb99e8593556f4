//! Conversations.

use fedispec::entities::Conversation;
use fedispec::server::{Call, Conversations, Empty, Id, Page, Result};
use fedispec::{conversations, current};

use super::table::Table;
use crate::app::App;
use crate::store::conversations::Conversation as Stored;
use crate::store::hub::Happening;
use crate::views::View;

const CONVERSATIONS: Table<Stored, Conversation> = Table {
    all: |state| &state.conversations,
    all_mut: |state| &mut state.conversations,
    is_of: |one, me| one.owner == me,
    show: |view, _, one| view.conversation(one),
};

impl Conversations for App {
    async fn list(&self, _: conversations::List, call: Call) -> Result<Page<Conversation>> {
        let (state, me) = self.user(&call)?;
        // The one with the newest status comes first, and pages are cut by statuses.
        let own = CONVERSATIONS.of(&state, me);
        let own = own.filter_map(|(_, one)| Some((*one.statuses.last()?, one)));
        let page = state.page_of(&call, own);
        Ok(page.map(|one| Some(state.view(me).conversation(one))))
    }

    async fn delete(&self, request: conversations::Delete, call: Call) -> Result<Empty> {
        self.remove(&CONVERSATIONS, &request.id, &call).map(|_| Empty)
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
        let one = CONVERSATIONS.find_mut(&mut state, me, id)?;
        one.unread = unread;
        let conversation = one.id;
        state.publish(&Happening::ConversationChanged { account: me, conversation });
        CONVERSATIONS.shown(&state, me, conversation)
    }
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
