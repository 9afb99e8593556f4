//! Filters of version 2.

use fedispec::entities::{Filter, FilterStatus};
use fedispec::enums::FilterAction;
use fedispec::filters;

use super::prelude::*;
use super::support::{in_seconds, invalid};
use crate::store::filters::{Filter as Stored, Keyword, Marked};

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server.group(filters).group(keywords).group(statuses)
}

fn filters(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, _: filters::List, call| {
            let (state, me) = app.user(&call)?;
            let filters = state.filters_of(me);
            Ok(filters.map(|filter| state.view(me).filter(filter)).collect())
        })
        .on(async |app: App, request: filters::Get, call| {
            let (state, me) = app.user(&call)?;
            let filter = own(&state, me, &request.id)?;
            Ok(state.view(me).filter(filter))
        })
        .on(async |app: App, request: filters::Create, call| {
            let (mut state, me) = app.user(&call)?;
            has_title(&call, &request.title)?;
            if request.context.is_empty() {
                return Err(invalid(
                    &call,
                    "Context can't be blank",
                    "at least one filter context is required",
                ));
            }
            let id = state.next_key();
            let mut filter = Stored {
                id,
                owner: me,
                title: request.title,
                context: request.context,
                expires_at: request.expires_in.map(|seconds| in_seconds(&state, seconds)),
                action: request.filter_action.unwrap_or(FilterAction::Warn),
                keywords: Vec::new(),
                statuses: Vec::new(),
            };
            for given in request.keywords_attributes {
                if let Some(text) = given.keyword.filter(|_| given.destroy != Some(true)) {
                    filter.keywords.push(Keyword {
                        id: state.next_key(),
                        text,
                        whole_word: given.whole_word.unwrap_or(!does(&call, Habit::MatchesParts)),
                    });
                }
            }
            for status in request.statuses_attributes.into_iter().flat_map(|given| given.status_id)
            {
                mark(&mut state, &mut filter, &Id::new(status))?;
            }
            let view = state.view(me).filter(&filter);
            state.filters.insert(id, filter);
            state.filters_changed(me);
            Ok(view)
        })
}

fn keywords(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, request: filters::Update, call| {
            let (mut state, me) = app.user(&call)?;
            let mut filter = own(&state, me, &request.id)?.clone();
            if let Some(title) = request.title {
                has_title(&call, &title)?;
                filter.title = title;
            }
            if !request.context.is_empty() {
                filter.context = request.context;
            }
            if let Some(seconds) = request.expires_in {
                filter.expires_at = Some(in_seconds(&state, seconds));
            }
            filter.action = request.filter_action.unwrap_or(filter.action);
            for given in request.keywords_attributes {
                let place = match &given.id {
                    Some(id) => {
                        let key = state.key(id);
                        let place =
                            filter.keywords.iter().position(|keyword| Some(keyword.id) == key);
                        Some(place.ok_or_else(Error::not_found)?)
                    }
                    None => None,
                };
                match (place, given.destroy == Some(true)) {
                    (Some(place), true) => drop(filter.keywords.remove(place)),
                    (Some(place), false) => {
                        let keyword = &mut filter.keywords[place];
                        keyword.text = given.keyword.unwrap_or_else(|| keyword.text.clone());
                        keyword.whole_word = given.whole_word.unwrap_or(keyword.whole_word);
                    }
                    (None, true) => {}
                    (None, false) => filter.keywords.push(Keyword {
                        id: state.next_key(),
                        text: given.keyword.unwrap_or_default(),
                        whole_word: given.whole_word.unwrap_or(!does(&call, Habit::MatchesParts)),
                    }),
                }
            }
            for given in request.statuses_attributes {
                if given.destroy == Some(true) {
                    let key = given.id.and_then(|id| state.key(&Id::<FilterStatus>::new(id)));
                    filter.statuses.retain(|marked| Some(marked.id) != key);
                    continue;
                }
                for status in given.status_id {
                    mark(&mut state, &mut filter, &Id::new(status))?;
                }
            }
            let view = state.view(me).filter(&filter);
            state.filters.insert(filter.id, filter);
            state.filters_changed(me);
            Ok(view)
        })
        .on(async |app: App, request: filters::Delete, call| {
            let (mut state, me) = app.user(&call)?;
            let id = own(&state, me, &request.id)?.id;
            state.filters.remove(&id);
            state.filters_changed(me);
            Ok(Empty)
        })
        .on(async |app: App, request: filters::ListKeywords, call| {
            let (state, me) = app.user(&call)?;
            let filter = own(&state, me, &request.filter_id)?;
            let keywords = filter.keywords.iter();
            Ok(keywords.map(|keyword| state.view(me).keyword(keyword)).collect())
        })
        .on(async |app: App, request: filters::CreateKeyword, call| {
            let (mut state, me) = app.user(&call)?;
            let filter = own(&state, me, &request.filter_id)?.id;
            has_keyword(&call, &request.keyword)?;
            let keyword = Keyword {
                id: state.next_key(),
                text: request.keyword,
                whole_word: request.whole_word.unwrap_or(!does(&call, Habit::MatchesParts)),
            };
            let view = state.view(me).keyword(&keyword);
            if let Some(filter) = state.filters.get_mut(&filter) {
                filter.keywords.push(keyword);
            }
            state.filters_changed(me);
            Ok(view)
        })
        .on(async |app: App, request: filters::GetKeyword, call| {
            let (state, me) = app.user(&call)?;
            let (_, keyword) = own_keyword(&state, me, &request.id)?;
            Ok(state.view(me).keyword(keyword))
        })
}

fn statuses(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, request: filters::UpdateKeyword, call| {
            let (mut state, me) = app.user(&call)?;
            let (filter, keyword) = own_keyword(&state, me, &request.id)?;
            let text = request.keyword.unwrap_or_else(|| keyword.text.clone());
            has_keyword(&call, &text)?;
            let changed = Keyword {
                id: keyword.id,
                text,
                whole_word: request
                    .whole_word
                    .unwrap_or(keyword.whole_word && !does(&call, Habit::MatchesParts)),
            };
            let filter = filter.id;
            replace(&mut state, filter, changed.clone());
            state.filters_changed(me);
            Ok(state.view(me).keyword(&changed))
        })
        .on(async |app: App, request: filters::DeleteKeyword, call| {
            let (mut state, me) = app.user(&call)?;
            let (filter, keyword) = own_keyword(&state, me, &request.id)?;
            let (filter, keyword) = (filter.id, keyword.id);
            if let Some(filter) = state.filters.get_mut(&filter) {
                filter.keywords.retain(|own| own.id != keyword);
            }
            state.filters_changed(me);
            Ok(Empty)
        })
        .on(async |app: App, request: filters::CreateStatus, call| {
            let (mut state, me) = app.user(&call)?;
            let mut filter = own(&state, me, &request.filter_id)?.clone();
            let marked = mark(&mut state, &mut filter, &request.status_id)?;
            state.filters.insert(filter.id, filter);
            state.filters_changed(me);
            Ok(state.view(me).marked(&marked))
        })
        .on(async |app: App, request: filters::GetStatus, call| {
            let (state, me) = app.user(&call)?;
            let (_, marked) = own_status(&state, me, &request.id)?;
            Ok(state.view(me).marked(marked))
        })
        .on(async |app: App, request: filters::DeleteStatus, call| {
            let (mut state, me) = app.user(&call)?;
            let (filter, marked) = own_status(&state, me, &request.id)?;
            let (filter, marked) = (filter.id, marked.id);
            if let Some(filter) = state.filters.get_mut(&filter) {
                filter.statuses.retain(|own| own.id != marked);
            }
            state.filters_changed(me);
            Ok(Empty)
        })
        .on(async |app: App, request: filters::ListStatuses, call| {
            let (state, me) = app.user(&call)?;
            let filter = own(&state, me, &request.filter_id)?;
            let statuses = filter.statuses.iter();
            Ok(statuses.map(|marked| state.view(me).marked(marked)).collect())
        })
}

/// A filter of the caller.
fn own<'s>(state: &'s State, me: Key, id: &Id<Filter>) -> Result<&'s Stored> {
    let filter = state.key(id).and_then(|key| state.filters.get(&key));
    filter.filter(|filter| filter.owner == me).ok_or_else(Error::not_found)
}

/// A keyword of the caller, with its filter.
pub(super) fn own_keyword<'s, T>(
    state: &'s State,
    me: Key,
    id: &Id<T>,
) -> Result<(&'s Stored, &'s Keyword)> {
    let key = state.key(id);
    let mut all = state
        .filters_of(me)
        .flat_map(|filter| filter.keywords.iter().map(move |keyword| (filter, keyword)));
    all.find(|(_, keyword)| Some(keyword.id) == key).ok_or_else(Error::not_found)
}

fn own_status<'s>(
    state: &'s State,
    me: Key,
    id: &Id<FilterStatus>,
) -> Result<(&'s Stored, &'s Marked)> {
    let key = state.key(id);
    let mut all = state
        .filters_of(me)
        .flat_map(|filter| filter.statuses.iter().map(move |marked| (filter, marked)));
    all.find(|(_, marked)| Some(marked.id) == key).ok_or_else(Error::not_found)
}

/// Puts a changed keyword in the place of the one with its id.
pub(super) fn replace(state: &mut State, filter: Key, changed: Keyword) {
    let filter = state.filters.get_mut(&filter);
    let own = filter
        .and_then(|filter| filter.keywords.iter_mut().find(|keyword| keyword.id == changed.id));
    if let Some(own) = own {
        *own = changed;
    }
}

/// Adds a status to a filter.
fn mark(state: &mut State, filter: &mut Stored, status: &Id<entities::Status>) -> Result<Marked> {
    let status = state.status(status, Some(filter.owner))?.id;
    let marked = Marked { id: state.next_key(), status };
    filter.statuses.push(marked.clone());
    Ok(marked)
}

fn has_title(call: &Call, title: &str) -> Result<()> {
    if title.trim().is_empty() {
        let told = "filter title must be provided, and must be no more than 200 chars";
        return Err(invalid(call, "Title can't be blank", told));
    }
    Ok(())
}

fn has_keyword(call: &Call, keyword: &str) -> Result<()> {
    if keyword.trim().is_empty() {
        let told = "filter keyword must be provided, and must be no more than 40 chars";
        return Err(invalid(call, "Keyword can't be blank", told));
    }
    Ok(())
}
