//! Filters of version 2.

use fedispec::entities::{Filter, FilterStatus};
use fedispec::enums::{FilterAction, FilterContext};
use fedispec::filters;

use super::prelude::*;
use crate::store::filters::{Filter as Stored, Keyword, Marked};

const FILTERS: Table<Stored, Filter> =
    table!(filters, |filter, me| filter.owner == me, |view, _, filter| view.filter(filter));

pub(super) fn filters(server: Server<App>) -> Server<App> {
    server
        .on(handler!(all FILTERS, filters::List))
        .on(handler!(one FILTERS, filters::Get))
        .on(by_user(|mut state, me, request: filters::Create, call| {
            has_title(&call, &request.title)?;
            has_context(&call, &request.context)?;
            let mut filter = Stored {
                id: state.next_key(),
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
                    filter.keywords.push(new_keyword(&mut state, text, given.whole_word));
                }
            }
            for status in request.statuses_attributes.into_iter().filter_map(|one| one.status_id) {
                mark(&mut state, &mut filter, &status)?;
            }
            let view = state.view(me).filter(&filter);
            state.put_filter(filter);
            Ok(view)
        }))
        .on(async |app: App, request: filters::Update, call| {
            app.change_filter(&call, &request.id, |filter, state| {
                if let Some(title) = request.title {
                    has_title(&call, &title)?;
                    filter.title = title;
                }
                set_list(&mut filter.context, request.context);
                let end = request.expires_in.map(|seconds| in_seconds(state, seconds));
                filter.expires_at = end.or(filter.expires_at);
                set(&mut filter.action, request.filter_action);
                for given in request.keywords_attributes {
                    let place = given.id.as_ref().map(|id| {
                        let key = state.key(id);
                        let place = filter.keywords.iter().position(|own| Some(own.id) == key);
                        place.ok_or_else(Error::not_found)
                    });
                    match (place.transpose()?, given.destroy == Some(true)) {
                        (Some(place), true) => drop(filter.keywords.remove(place)),
                        (Some(place), false) => {
                            let keyword = &mut filter.keywords[place];
                            set(&mut keyword.text, given.keyword);
                            set(&mut keyword.whole_word, given.whole_word);
                        }
                        (None, true) => {}
                        (None, false) => {
                            let text = given.keyword.unwrap_or_default();
                            filter.keywords.push(new_keyword(state, text, given.whole_word));
                        }
                    }
                }
                for given in request.statuses_attributes {
                    if given.destroy == Some(true) {
                        let key = given.id.and_then(|id| state.key(&id));
                        filter.statuses.retain(|marked| Some(marked.id) != key);
                        continue;
                    }
                    if let Some(status) = given.status_id {
                        mark(state, filter, &status)?;
                    }
                }
                Ok(state.view(filter.owner).filter(filter))
            })
        })
        .on(by_user(|mut state, me, request: filters::Delete, _| {
            FILTERS.take(&mut state, me, &request.id)?;
            state.filters_changed(me);
            Ok(Empty)
        }))
}

/// The keywords and statuses of filters.
pub(super) fn parts(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, request: filters::ListKeywords, _| {
            let keywords = FILTERS.find(&state, me, &request.filter_id)?.keywords.iter();
            Ok(keywords.map(|keyword| state.view(me).keyword(keyword)).collect())
        }))
        .on(async |app: App, request: filters::CreateKeyword, call| {
            app.change_filter(&call, &request.filter_id, |filter, state| {
                has_keyword(&call, "keyword", &request.keyword)?;
                let keyword = new_keyword(state, request.keyword, request.whole_word);
                let view = state.view(filter.owner).keyword(&keyword);
                filter.keywords.push(keyword);
                Ok(view)
            })
        })
        .on(by_user(|state, me, request: filters::GetKeyword, _| {
            let (_, keyword) = own_keyword(&state, me, &request.id)?;
            Ok(state.view(me).keyword(keyword))
        }))
        .on(by_user(|mut state, me, request: filters::UpdateKeyword, call| {
            let (filter, keyword) = own_keyword(&state, me, &request.id)?;
            let changed = changed_keyword(&state, keyword, request.keyword, request.whole_word);
            has_keyword(&call, "keyword", &changed.text)?;
            let filter = filter.clone();
            let view = state.view(me).keyword(&changed);
            state.put_filter(filter.with(changed));
            Ok(view)
        }))
        .on(by_user(|mut state, me, request: filters::DeleteKeyword, _| {
            let (filter, keyword) = own_keyword(&state, me, &request.id)?;
            let (mut filter, keyword) = (filter.clone(), keyword.id);
            filter.keywords.retain(|own| own.id != keyword);
            state.put_filter(filter);
            Ok(Empty)
        }))
        .on(async |app: App, request: filters::CreateStatus, call| {
            app.change_filter(&call, &request.filter_id, |filter, state| {
                let marked = mark(state, filter, &request.status_id)?;
                Ok(state.view(filter.owner).marked(&marked))
            })
        })
        .on(by_user(|state, me, request: filters::GetStatus, _| {
            let (_, marked) = own_status(&state, me, &request.id)?;
            Ok(state.view(me).marked(marked))
        }))
        .on(by_user(|mut state, me, request: filters::DeleteStatus, _| {
            let (filter, marked) = own_status(&state, me, &request.id)?;
            let (mut filter, marked) = (filter.clone(), marked.id);
            filter.statuses.retain(|own| own.id != marked);
            state.put_filter(filter);
            Ok(Empty)
        }))
        .on(by_user(|state, me, request: filters::ListStatuses, _| {
            let statuses = FILTERS.find(&state, me, &request.filter_id)?.statuses.iter();
            Ok(statuses.map(|marked| state.view(me).marked(marked)).collect())
        }))
}

impl App {
    /// Changes a filter of the caller. Where that is refused, nothing has changed.
    fn change_filter<T>(
        &self,
        call: &Call,
        id: &Id<Filter>,
        change: impl FnOnce(&mut Stored, &mut State) -> Result<T>,
    ) -> Result<T> {
        let (mut state, me) = self.user(call)?;
        let mut filter = FILTERS.find(&state, me, id)?.clone();
        let answer = change(&mut filter, &mut state)?;
        state.put_filter(filter);
        Ok(answer)
    }
}

/// A new keyword; whether it matches whole words alone is the program's where the request does not say.
pub(super) fn new_keyword(state: &mut State, text: String, whole_word: Option<bool>) -> Keyword {
    let whole_word = whole_word.unwrap_or(!state.does(Habit::MatchesParts));
    Keyword { id: state.next_key(), text, whole_word }
}

/// A keyword as a request changes it.
pub(super) fn changed_keyword(
    state: &State,
    own: &Keyword,
    text: Option<String>,
    whole_word: Option<bool>,
) -> Keyword {
    Keyword {
        id: own.id,
        text: text.unwrap_or_else(|| own.text.clone()),
        whole_word: whole_word.unwrap_or(own.whole_word && !state.does(Habit::MatchesParts)),
    }
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

/// Adds a status to a filter.
fn mark(state: &mut State, filter: &mut Stored, status: &Id<entities::Status>) -> Result<Marked> {
    // GoToSocial does not look whether there is such a status.
    let status = if state.does(Habit::MarksAnyStatus) {
        state.bound(status.as_str())
    } else {
        state.status(status, Some(filter.owner))?.id
    };
    let marked = Marked { id: state.next_key(), status };
    filter.statuses.push(marked.clone());
    Ok(marked)
}

fn has_title(call: &Call, title: &str) -> Result<()> {
    let told = "filter title must be provided, and must be no more than 200 chars";
    not_blank(title, invalid(call, "Title can't be blank", told))
}

/// Refuses a blank keyword, which a filter of version 1 calls a phrase.
pub(super) fn has_keyword(call: &Call, name: &str, keyword: &str) -> Result<()> {
    let told = format!("filter {name} must be provided, and must be no more than 40 chars");
    not_blank(keyword, invalid(call, "Keyword can't be blank", &told))
}

/// Refuses a filter of no context.
pub(super) fn has_context(call: &Call, context: &[FilterContext]) -> Result<()> {
    let told = "at least one filter context is required";
    refuse_if!(context.is_empty(), invalid(call, "Context can't be blank", told));
    Ok(())
}
