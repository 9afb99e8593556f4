//! Tables of records under their ids, and the handlers that all of them share.

use std::collections::BTreeMap;

use fedispec::server::{Call, Error, Id, Page, Result};

use crate::app::App;
use crate::store::clock::Millis;
use crate::store::{Key, State};
use crate::views::View;

/// A table of the state, the callers who may see a record of it, and the entity that shows one.
pub(super) struct Table<R, E> {
    pub(super) all: fn(&State) -> &BTreeMap<Key, R>,
    pub(super) all_mut: fn(&mut State) -> &mut BTreeMap<Key, R>,
    /// Whether a record is the caller's. To others it is not found.
    pub(super) is_of: fn(&R, Key) -> bool,
    pub(super) show: fn(View<'_>, Key, &R) -> E,
}

impl<R: 'static, E> Table<R, E> {
    /// The caller's records, the oldest first.
    pub(super) fn of<'s>(
        &self,
        state: &'s State,
        me: Key,
    ) -> impl Iterator<Item = (Key, &'s R)> + use<'s, R, E> {
        let is_of = self.is_of;
        let all = (self.all)(state).iter();
        all.filter(move |(_, one)| is_of(one, me)).map(|(key, one)| (*key, one))
    }

    /// The key of the caller's record that a client has named.
    pub(super) fn key(&self, state: &State, me: Key, id: &Id<impl Sized>) -> Result<Key> {
        let one = state.key(id).and_then(|key| (self.all)(state).get_key_value(&key));
        let one = one.filter(|(_, one)| (self.is_of)(one, me));
        one.map(|(key, _)| *key).ok_or_else(Error::not_found)
    }

    /// The caller's record that a client has named.
    pub(super) fn find<'s>(&self, state: &'s State, me: Key, id: &Id<impl Sized>) -> Result<&'s R> {
        let key = self.key(state, me, id)?;
        (self.all)(state).get(&key).ok_or_else(Error::not_found)
    }

    /// The caller's record that a client has named, to be changed.
    pub(super) fn find_mut<'s>(
        &self,
        state: &'s mut State,
        me: Key,
        id: &Id<impl Sized>,
    ) -> Result<&'s mut R> {
        let key = self.key(state, me, id)?;
        (self.all_mut)(state).get_mut(&key).ok_or_else(Error::not_found)
    }

    /// Removes the caller's record that a client has named.
    pub(super) fn take(&self, state: &mut State, me: Key, id: &Id<impl Sized>) -> Result<R> {
        let key = self.key(state, me, id)?;
        (self.all_mut)(state).remove(&key).ok_or_else(Error::not_found)
    }

    /// Shows the record of a key.
    pub(super) fn shown(&self, state: &State, me: Key, key: Key) -> Result<E> {
        let one = (self.all)(state).get(&key).ok_or_else(Error::not_found)?;
        Ok((self.show)(state.view(me), key, one))
    }

    /// Adds a record, which is made of its key and the time.
    pub(super) fn add(&self, state: &mut State, me: Key, make: impl FnOnce(Key, Millis) -> R) -> E {
        let key = state.next_key();
        let one = make(key, state.now());
        let view = (self.show)(state.view(me), key, &one);
        (self.all_mut)(state).insert(key, one);
        view
    }

    /// Answers a page of the caller's records that fit.
    pub(super) fn page(
        &self,
        app: &App,
        call: &Call,
        fits: impl Fn(&State, &R) -> bool,
    ) -> Result<Page<E>> {
        let (state, me) = app.user(call)?;
        let own = self.of(&state, me).filter(|(_, one)| fits(&state, one));
        let page = state.page_of(call, own.map(|(key, one)| (key, (key, one))));
        Ok(page.map(|(key, one)| Some((self.show)(state.view(me), key, one))))
    }

    /// Answers all records of the caller, the oldest first.
    pub(super) fn every<L: FromIterator<E>>(&self, app: &App, call: &Call) -> Result<L> {
        let (state, me) = app.user(call)?;
        let own = self.of(&state, me);
        Ok(own.map(|(key, one)| (self.show)(state.view(me), key, one)).collect())
    }

    /// Answers the caller's record that a client has named.
    pub(super) fn one(&self, app: &App, id: &Id<impl Sized>, call: &Call) -> Result<E> {
        let (state, me) = app.user(call)?;
        self.shown(&state, me, self.key(&state, me, id)?)
    }

    /// Changes the caller's record that a client has named, and answers it.
    pub(super) fn change(
        &self,
        app: &App,
        id: &Id<impl Sized>,
        call: &Call,
        change: impl FnOnce(&mut R),
    ) -> Result<E> {
        let (mut state, me) = app.user(call)?;
        change(self.find_mut(&mut state, me, id)?);
        self.shown(&state, me, self.key(&state, me, id)?)
    }

    /// Removes the caller's record that a client has named, and answers it as it was.
    pub(super) fn remove(&self, app: &App, id: &Id<impl Sized>, call: &Call) -> Result<E> {
        let (mut state, me) = app.user(call)?;
        let key = self.key(&state, me, id)?;
        let view = self.shown(&state, me, key)?;
        (self.all_mut)(&mut state).remove(&key);
        Ok(view)
    }
}

/// The table of a field of the state. Where nothing says whose a record is, every caller who may ask sees all.
macro_rules! table {
    ($($field:tt).+, $show:expr) => {
        table!($($field).+, |_, _| true, $show)
    };
    ($($field:tt).+, $is_of:expr, $show:expr) => {
        Table {
            all: |state| &state.$($field).+,
            all_mut: |state| &mut state.$($field).+,
            is_of: $is_of,
            show: $show,
        }
    };
}

/// The handler that answers all records of a table, a page of them, or one; or removes one and answers it, or nothing in the `end`.
macro_rules! handler {
    (all $table:expr, $request:ty) => {
        async |app: App, _: $request, call| $table.every(&app, &call)
    };
    (page $table:expr, $request:ty) => {
        async |app: App, _: $request, call| $table.page(&app, &call, |_, _| true)
    };
    (one $table:expr, $request:ty) => {
        async |app: App, request: $request, call| $table.one(&app, &request.id, &call)
    };
    (remove $table:expr, $request:ty) => {
        async |app: App, request: $request, call| $table.remove(&app, &request.id, &call)
    };
    (end $table:expr, $request:ty) => {
        async |app: App, request: $request, call| {
            $table.remove(&app, &request.id, &call).map(|_| Empty)
        }
    };
}

/// The handler that hands the id of a request to a function, with what to do, and with the call where it is asked for.
macro_rules! act {
    ($function:ident, $request:ty, call, $act:expr) => {
        by_user(|state, me, asked: $request, call| $function(state, me, &asked.id, &call, $act))
    };
    ($function:ident, $request:ty, $act:expr) => {
        by_user(|mut state, me, asked: $request, _| $function(&mut state, me, &asked.id, $act))
    };
}

pub(super) use {act, handler, table};
