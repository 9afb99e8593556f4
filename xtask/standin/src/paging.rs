//! Pages of lists that are sorted by key.

use fedispec::entities::{Account, Status};
use fedispec::server::{Call, Page};

use crate::store::{Key, State};
use crate::views::View;

/// A page of keys, each with what it stands for.
pub(crate) struct Keys<T> {
    page: Page<(String, T)>,
}

impl State {
    /// The page that a call asks for of elements in any order, each with the key by which the list is cut.
    pub(crate) fn page_of<T: Clone>(
        &self,
        call: &Call,
        elements: impl IntoIterator<Item = (Key, T)>,
    ) -> Keys<T> {
        let mut elements: Vec<_> = elements.into_iter().collect();
        elements.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
        let newest_first: Vec<_> = elements
            .into_iter()
            .map(|(key, element)| (self.id::<()>(key).to_string(), element))
            .collect();
        let query = call.paging();
        Keys { page: query.slice(&newest_first, |(id, _)| id) }
    }
}

impl View<'_> {
    /// The page that a call asks for of accounts, each with the key by which the list is cut.
    pub(crate) fn account_page(
        &self,
        call: &Call,
        accounts: impl IntoIterator<Item = (Key, Key)>,
    ) -> Page<Account> {
        self.state.page_of(call, accounts).map(|key| Some(self.account(key)))
    }

    /// The page that a call asks for of statuses, each with the key by which the list is cut.
    pub(crate) fn status_page(
        &self,
        call: &Call,
        statuses: impl IntoIterator<Item = (Key, Key)>,
    ) -> Page<Status> {
        self.state.page_of(call, statuses).map(|key| self.status(key))
    }
}

impl<T> Keys<T> {
    /// The page of what the elements stand for. What is none is left out, and the links stay.
    pub(crate) fn map<E>(self, entity: impl Fn(T) -> Option<E>) -> Page<E> {
        let Page { items, next, prev, .. } = self.page;
        let entities = items.into_iter().filter_map(|(_, element)| entity(element));
        let mut page = Page::new(entities);
        (page.next, page.prev) = (next, prev);
        page
    }
}
