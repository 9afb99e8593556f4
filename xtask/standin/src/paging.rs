//! Pages of lists that are sorted by key.

use std::ops::Range;

use fedispec::entities::{Account, Status};
use fedispec::server::{Call, Page, PageQuery};

use crate::family::Habit;
use crate::store::posted::Label;
use crate::store::{Key, State, statuses};
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
        let inside = self.inside(&call.paging());
        let mut elements: Vec<_> =
            elements.into_iter().filter(|(key, _)| inside.contains(key)).collect();
        elements.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
        self.cut(call, elements.into_iter())
    }

    /// The keys between the bounds of a page. A bound that is no id of this server stands where it would be among those that are.
    pub(crate) fn inside(&self, query: &PageQuery) -> Range<Key> {
        let bound = |id: Option<&str>| id.map(|id| self.bound(id));
        let after = bound(query.after()).map_or(Key(0), |after| Key(after.0.saturating_add(1)));
        let before = bound(query.before()).unwrap_or(Key(u64::MAX)).max(after);
        after..before
    }

    /// The page of elements within its bounds, the newest first. It links to a next one as the release does, which does not look for more: where it
    /// is full, and of timelines and notifications, or of all lists in other programs, where it is not empty.
    fn cut<T>(
        &self,
        call: &Call,
        newest_first: impl DoubleEndedIterator<Item = (Key, T)>,
    ) -> Keys<T> {
        let query = call.paging();
        let named = |(key, element)| (self.id::<()>(key).to_string(), element);
        let rows: Vec<_> = if query.is_oldest_first() {
            newest_first.rev().take(query.limit).map(named).collect()
        } else {
            newest_first.skip(query.offset).take(query.limit).map(named).collect()
        };
        let is_full = rows.len() == query.limit;
        let mut page = query.page(rows, |(id, _)| id);
        let links_on = is_full || self.does(Habit::LinksOn) || is_stream(call.operation.id);
        if let Some((last, _)) = page.items.last().filter(|_| links_on) {
            let last = last.clone();
            page = page.with_next([("max_id", last)]);
        }
        Keys { page }
    }
}

/// Whether an operation lists what goes on arriving.
fn is_stream(id: &str) -> bool {
    id.starts_with("timelines.") || id.ends_with("notifications.list")
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

    /// The page that a call asks for of the wanted statuses that the viewer may see, all of which have these labels. No more of them are looked at
    /// than it takes.
    pub(crate) fn newest(
        &self,
        call: &Call,
        labels: &[Label],
        is_wanted: impl Fn(&statuses::Status) -> bool,
    ) -> Page<Status> {
        let statuses = self.state.statuses.among(labels, self.state.inside(&call.paging()));
        let wanted =
            statuses.rev().filter(|one| is_wanted(one) && self.state.can_see(self.me, one));
        self.state.cut(call, wanted.map(|one| (one.id, one))).map(|one| Some(self.status_of(one)))
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
