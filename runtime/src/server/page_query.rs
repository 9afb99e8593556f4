//! The page that a request asks for.

use std::cmp::Ordering;
use std::fmt::Display;
use std::str::FromStr;

use super::emulation::ALL;
use super::ways::Ways;
use super::{Call, text};
use crate::Page;
use crate::param::leading_integer;

/// The page that a request asks for: [`Call::page_query`]. It tells what to ask a database for, and makes the page of its rows.
///
/// ```
/// # use fedispec_runtime::{Page, server::Call};
/// # struct Status { id: String }
/// # fn select(before: Option<&str>, after: Option<&str>, oldest_first: bool, rows: usize) -> Vec<Status> { Vec::new() }
/// fn timeline(call: &Call) -> Page<Status> {
///     let query = call.page_query(20, 40);
///     let rows = select(query.before(), query.after(), query.is_oldest_first(), query.rows());
///     query.page(rows, |status| &status.id)
/// }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageQuery {
    /// Only what is older than this.
    pub max_id: Option<String>,
    /// Only what is newer than this, and of that the newest.
    pub since_id: Option<String>,
    /// Only what is newer than this, and of that the oldest.
    pub min_id: Option<String>,
    /// The greatest number of items.
    pub limit: usize,
    /// The number of items to skip.
    pub offset: usize,
}

impl Call {
    /// The page that the request asks for. `default` is the number of its items where the request does not say, `most` the greatest number. A
    /// negative number is taken without its sign, as in Mastodon, or as 1 where the server emulates GoToSocial.
    pub fn page_query(&self, default: usize, most: usize) -> PageQuery {
        let mut query = PageQuery { limit: default, ..PageQuery::default() };
        let ways = Ways(self.target.as_deref());
        let sent = self.uri.query().unwrap_or_default();
        for (name, value) in text::pairs(sent.as_bytes()).flatten() {
            let number = || leading_integer(&value);
            let size = |number: i64| usize::try_from(number.unsigned_abs()).unwrap_or(usize::MAX);
            match &*name {
                "max_id" => query.max_id = Some(value).filter(|id| !id.is_empty()),
                "since_id" => query.since_id = Some(value).filter(|id| !id.is_empty()),
                "min_id" => query.min_id = Some(value).filter(|id| !id.is_empty()),
                "limit" if value.is_empty() => {}
                "limit" if ways.takes_limits_without_sign() => query.limit = size(number()),
                // No limit, where there is no greatest one.
                "limit" if most >= ALL && number() < 1 => query.limit = most,
                "limit" => query.limit = size(number().max(1)),
                "offset" => query.offset = size(number().max(0)),
                _ => {}
            }
        }
        query.limit = query.limit.min(most);
        query
    }
}

/// The sizes of pages where the catalogue does not tell them.
const USUAL: (u16, u16) = (40, 80);

impl Call {
    /// The page that the request asks for, with the default and the greatest number of items that the catalogue lists for the operation in the
    /// emulated release, or else in all programs; see [`page_query`](Self::page_query) for others.
    pub fn paging(&self) -> PageQuery {
        let (default, most) = self.rules.pages.unwrap_or_else(|| {
            let (default, most) = self.operation.page_limits.unwrap_or(USUAL);
            (default.into(), most.into())
        });
        self.page_query(default, most)
    }

    /// The page that the request asks for, of a whole list whose items come with their ids, the newest first.
    ///
    /// ```
    /// # use fedispec_runtime::{Page, server::Call};
    /// use std::collections::BTreeMap;
    ///
    /// fn bookmarks(call: &Call, titles: &BTreeMap<u64, String>) -> Page<String> {
    ///     let page = call.page(titles.iter().rev().map(|(id, title)| (*id, title)));
    ///     page.map(|title| title.to_uppercase())
    /// }
    /// # let _ = bookmarks;
    /// ```
    pub fn page<K, T, I>(&self, newest_first: I) -> Page<T>
    where
        K: Ord + FromStr + Display,
        I: IntoIterator<Item = (K, T), IntoIter: DoubleEndedIterator>,
    {
        self.paging().page_of(newest_first)
    }
}

impl PageQuery {
    /// Only what is older than this.
    pub fn before(&self) -> Option<&str> {
        self.max_id.as_deref()
    }

    /// Only what is newer than this.
    pub fn after(&self) -> Option<&str> {
        self.min_id.as_deref().or(self.since_id.as_deref())
    }

    /// Whether the oldest come first in what is asked for, and the page is the other way round.
    pub fn is_oldest_first(&self) -> bool {
        self.min_id.is_some()
    }

    /// The number of rows to ask for, one more than the page has: it tells whether there is another page.
    pub fn rows(&self) -> usize {
        self.limit.saturating_add(1)
    }

    /// The page of the rows that were asked for, in the order asked for, with the links to its neighbours.
    pub fn page<T, I: AsRef<str> + ?Sized>(
        &self,
        mut rows: Vec<T>,
        id: impl Fn(&T) -> &I,
    ) -> Page<T> {
        let more = rows.len() > self.limit;
        rows.truncate(self.limit);
        if self.is_oldest_first() {
            rows.reverse();
        }
        let of = |row: Option<&T>| row.map(|row| id(row).as_ref().to_owned());
        let (first, last) = (of(rows.first()), of(rows.last()));
        let mut page = Page::from(rows);
        if let Some(last) = last.filter(|_| more || self.is_oldest_first()) {
            page = page.with_next([("max_id", last)]);
        }
        if let Some(first) = first {
            page = page.with_prev([("min_id", first)]);
        }
        page
    }

    /// The rows that are asked for, of those within the bounds.
    fn rows_of<T>(&self, newest_first: impl DoubleEndedIterator<Item = T>) -> Vec<T> {
        if self.is_oldest_first() {
            newest_first.rev().take(self.rows()).collect()
        } else {
            newest_first.skip(self.offset).take(self.rows()).collect()
        }
    }

    /// The page of a list that is sorted by id, the newest first. Of two ids the longer is the newer, or else the greater text, as both
    /// programs make them.
    pub fn slice<T: Clone, I: AsRef<str> + ?Sized>(
        &self,
        newest_first: &[T],
        id: impl Fn(&T) -> &I,
    ) -> Page<T> {
        let inside = |item: &&T| {
            let own = id(item).as_ref();
            let is_below = |bound: &str| order(own, bound) == Ordering::Less;
            let is_above = |bound: &str| order(own, bound) == Ordering::Greater;
            self.before().is_none_or(is_below) && self.after().is_none_or(is_above)
        };
        let found = newest_first.iter().filter(inside);
        self.page(self.rows_of(found.cloned()), id)
    }

    /// The page of a whole list whose items come with their ids, the newest first; the order is that of the ids' type. It is empty where the
    /// request's bounds are no such ids.
    pub fn page_of<K, T, I>(&self, newest_first: I) -> Page<T>
    where
        K: Ord + FromStr + Display,
        I: IntoIterator<Item = (K, T), IntoIter: DoubleEndedIterator>,
    {
        let bound = |text: Option<&str>| text.map(str::parse::<K>).transpose();
        let (Ok(before), Ok(after)) = (bound(self.before()), bound(self.after())) else {
            return Page::default();
        };
        let inside = |(id, _): &(K, T)| {
            before.as_ref().is_none_or(|before| id < before)
                && after.as_ref().is_none_or(|after| id > after)
        };
        let rows = self.rows_of(newest_first.into_iter().filter(inside)).into_iter();
        let rows = rows.map(|(id, item)| (id.to_string(), item));
        self.page(rows.collect(), |(id, _)| id).map(|(_, item)| item)
    }
}

fn order(one: &str, other: &str) -> Ordering {
    one.len().cmp(&other.len()).then_with(|| one.cmp(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ids of a page of 1 to 12, with the links.
    fn page(query: &PageQuery) -> (Vec<u32>, String) {
        let all: Vec<String> = (1..=12).rev().map(|id| id.to_string()).collect();
        let page = query.slice(&all, |id| id);
        let link = |link: &Option<crate::Link>| {
            let params = link.as_ref().and_then(|link| link.as_params());
            params.map(|params| format!("{}={} ", params[0].0, params[0].1))
        };
        let links = [link(&page.next), link(&page.prev)];
        let ids = page.iter().map(|id| id.parse().expect("a number"));
        (ids.collect(), links.into_iter().flatten().collect())
    }

    #[test]
    fn a_list_with_ids_has_the_same_pages() {
        let numbers = || (1..=12_u32).rev().map(|id| (id, id));
        let of = |query: &PageQuery| {
            let page = query.page_of(numbers());
            let links = [&page.next, &page.prev].map(Clone::clone);
            (page.items, links)
        };
        let id = |id: &str| Some(id.to_owned());
        let bounds = [(None, None), (id("10"), None), (None, id("7")), (id("3"), None)];
        for (max_id, min_id) in bounds {
            let query = PageQuery { limit: 3, max_id, min_id, ..PageQuery::default() };
            let all: Vec<String> = numbers().map(|(id, _)| id.to_string()).collect();
            let page = query.slice(&all, |id| id);
            let ids = page.iter().map(|id| id.parse().expect("a number"));
            assert_eq!(of(&query), (ids.collect(), [page.next.clone(), page.prev.clone()]));
        }
        let unknown_route = PageQuery { max_id: id("x"), limit: 3, ..PageQuery::default() };
        assert_eq!(of(&unknown_route), (vec![], [None, None]));
    }

    #[test]
    fn pages_lie_beside_each_other() {
        let id = |id: &str| Some(id.to_owned());
        let query = PageQuery { limit: 3, ..PageQuery::default() };
        assert_eq!(page(&query), (vec![12, 11, 10], "max_id=10 min_id=12 ".into()));
        let next = PageQuery { max_id: id("10"), ..query.clone() };
        assert_eq!(page(&next), (vec![9, 8, 7], "max_id=7 min_id=9 ".into()));
        let last = PageQuery { max_id: id("3"), ..query.clone() };
        assert_eq!(page(&last), (vec![2, 1], "min_id=2 ".into()));
        let back = PageQuery { min_id: id("7"), ..query.clone() };
        assert_eq!(page(&back), (vec![10, 9, 8], "max_id=8 min_id=10 ".into()));
        let newest = PageQuery { since_id: id("7"), ..query.clone() };
        assert_eq!(page(&newest), (vec![12, 11, 10], "max_id=10 min_id=12 ".into()));
        let skipped = PageQuery { offset: 11, ..query.clone() };
        assert_eq!(page(&skipped), (vec![1], "min_id=1 ".into()));
        let none = PageQuery { limit: 0, ..query };
        assert_eq!(page(&none), (vec![], String::new()));
    }
}
