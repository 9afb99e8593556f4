//! Filters of version 1, each of which is a keyword of a filter.

use fedispec::enums::FilterAction;
use fedispec::filters_v1;

use super::filters::{changed_keyword, has_context, has_keyword, new_keyword, own_keyword};
use super::prelude::*;
use crate::store::filters::Filter;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: filters_v1::List, _| {
            let filters = state.filters_of(me);
            let keywords = filters.flat_map(|filter| {
                let keywords = filter.keywords.iter();
                keywords.map(|keyword| state.view(me).filter_v1(filter, keyword))
            });
            Ok(keywords.collect())
        }))
        .on(by_user(|state, me, request: filters_v1::Get, _| {
            let (filter, keyword) = own_keyword(&state, me, &request.id)?;
            Ok(state.view(me).filter_v1(filter, keyword))
        }))
        .on(by_user(|mut state, me, request: filters_v1::Create, call| {
            has_context(&call, &request.context)?;
            has_keyword(&call, "phrase", &request.phrase)?;
            let keyword = new_keyword(&mut state, request.phrase.clone(), request.whole_word);
            let filter = Filter {
                id: state.next_key(),
                owner: me,
                title: request.phrase,
                context: request.context,
                expires_at: request.expires_in.map(|seconds| in_seconds(&state, seconds)),
                action: action(request.irreversible.unwrap_or(false)),
                keywords: vec![keyword.clone()],
                statuses: Vec::new(),
            };
            let view = state.view(me).filter_v1(&filter, &keyword);
            state.put_filter(filter);
            Ok(view)
        }))
        .on(by_user(|mut state, me, request: filters_v1::Update, _| {
            let (filter, keyword) = own_keyword(&state, me, &request.id)?;
            let keyword = changed_keyword(&state, keyword, request.phrase, request.whole_word);
            let mut filter = filter.clone().with(keyword.clone());
            // Mastodon refuses what would change the other keywords of the filter too.
            let context = Some(request.context).filter(|context| !context.is_empty());
            let touches_all = context.as_ref().is_some_and(|context| *context != filter.context)
                || request.irreversible.is_some_and(|hides| action(hides) != filter.action);
            let told = "This filter has several keywords: change it by version 2 of the API";
            refuse_if!(touches_all && filter.keywords.len() > 1, Error::unprocessable(told));
            filter.context = context.unwrap_or(filter.context);
            set(&mut filter.action, request.irreversible.map(action));
            let end = request.expires_in.map(|seconds| in_seconds(&state, seconds));
            filter.expires_at = end.or(filter.expires_at);
            let view = state.view(me).filter_v1(&filter, &keyword);
            state.put_filter(filter);
            Ok(view)
        }))
        .on(by_user(|mut state, me, request: filters_v1::Delete, _| {
            let (filter, keyword) = own_keyword(&state, me, &request.id)?;
            let (filter, keyword) = (filter.id, keyword.id);
            if let Some(own) = state.filters.get_mut(&filter) {
                own.keywords.retain(|own| own.id != keyword);
                if own.keywords.is_empty() && own.statuses.is_empty() {
                    state.filters.remove(&filter);
                }
            }
            state.filters_changed(me);
            Ok(Empty)
        }))
}

fn action(hides: bool) -> FilterAction {
    if hides { FilterAction::Hide } else { FilterAction::Warn }
}
