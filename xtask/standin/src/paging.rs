//! Pages of lists that are sorted by key.

use fedispec::server::{Call, Page};

use crate::store::{Key, State};

/// A page of keys, each with what it stands for.
pub(crate) struct Keys<T> {
    page: Page<(String, T)>,
}

impl State {
    /// The page that a call asks for of keys in any order: the default and the greatest number of items are given.
    pub(crate) fn page(
        &self,
        call: &Call,
        (default, most): (usize, usize),
        keys: impl IntoIterator<Item = Key>,
    ) -> Keys<Key> {
        self.page_of(call, (default, most), keys.into_iter().map(|key| (key, key)))
    }

    /// The page that a call asks for of a list whose elements have a key of their own, such as that of a favourite.
    pub(crate) fn page_of<T: Clone>(
        &self,
        call: &Call,
        (default, most): (usize, usize),
        elements: impl IntoIterator<Item = (Key, T)>,
    ) -> Keys<T> {
        let mut elements: Vec<_> = elements.into_iter().collect();
        elements.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
        let newest_first: Vec<_> = elements
            .into_iter()
            .map(|(key, element)| (self.id::<()>(key).to_string(), element))
            .collect();
        let query = call.page_query(default, most);
        Keys { page: query.slice(&newest_first, |(id, _)| id) }
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
