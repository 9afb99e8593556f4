//! Timelines.

use fedispec::timelines;

use super::lists::LISTS;
use super::prelude::*;

/// The parameters that narrow a public timeline.
#[derive(Clone, Copy)]
struct Narrow {
    local: bool,
    remote: bool,
    only_media: bool,
}

/// A timeline of all statuses.
const ANY: &[Label] = &[];

impl Narrow {
    fn new(local: Option<bool>, remote: Option<bool>, only_media: Option<bool>) -> Self {
        let [local, remote, only_media] = [local, remote, only_media].map(|one| one == Some(true));
        Self { local, remote, only_media }
    }

    fn labels(self) -> Vec<Label> {
        if self.only_media { vec![Label::Media] } else { Vec::new() }
    }
}

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, request: timelines::Home, call| {
            let only_local = request.local == Some(true);
            // Before filters were told to clients, the server dropped what they hide for good.
            let drops = !state.does(Habit::LeavesFilteringToClients)
                && !state.release().has("filters.list");
            Ok(state.view(me).newest(&call, ANY, |status| {
                state.is_home(me, status)
                    && (!only_local || state.is_local(status.account))
                    && !(drops && state.view(me).is_dropped(status))
            }))
        }))
        .on(by_viewer(|state, viewer, request: timelines::Public, call| {
            let narrow = Narrow::new(request.local, request.remote, request.only_media);
            Ok(state.view(viewer).newest(&call, &narrow.labels(), |status| {
                is_public(&state, viewer, narrow, status) && !state.answers_others(status)
            }))
        }))
        .on(by_viewer(|state, viewer, request: timelines::Tag, call| {
            let narrow = Narrow::new(request.local, request.remote, request.only_media);
            let lower = |names: Vec<String>| -> Vec<String> {
                let names = names.iter().map(|name| name.trim_start_matches('#').to_lowercase());
                names.collect()
            };
            let mut any = lower(request.any);
            any.push(request.hashtag.to_lowercase());
            let (all, none) = (lower(request.all), lower(request.none));
            let fits = |status: &Status| {
                let has = |name: &String| status.tags.contains(name);
                any.iter().any(has)
                    && all.iter().all(has)
                    && !none.iter().any(has)
                    && is_public(&state, viewer, narrow, status)
            };
            let mut labels = narrow.labels();
            labels.extend(all.iter().cloned().map(Label::Tag));
            if let [name] = &*any {
                labels.push(Label::Tag(name.clone()));
            }
            Ok(state.view(viewer).newest(&call, &labels, fits))
        }))
        .on(by_viewer(|state, viewer, request: timelines::Link, call| {
            let narrow = Narrow::new(request.local, request.remote, None);
            Ok(state.view(viewer).newest(&call, &[Label::Link], |status| {
                is_public(&state, viewer, narrow, status)
                    && status.draft.text.contains(&request.url)
            }))
        }))
        .on(by_user(|state, me, request: timelines::List, call| {
            let list = LISTS.find(&state, me, &request.list_id)?;
            Ok(state.view(me).newest(&call, ANY, |status| {
                state.is_on_list(list, status) && !state.is_unwanted(me, status)
            }))
        }))
        .on(by_user(|state, me, _: timelines::Direct, call| {
            Ok(state.view(me).newest(&call, ANY, |status| {
                status.draft.visibility == Visibility::Direct && !state.is_unwanted(me, status)
            }))
        }))
        .on(by_user(|state, me, _: timelines::Mentions, call| {
            Ok(state.view(me).newest(&call, ANY, |status| {
                status.mentions.contains(&me) && !state.is_unwanted(me, status)
            }))
        }))
}

/// Whether a status is in the public timelines.
fn is_public(state: &Locked<'_>, viewer: Option<Key>, narrow: Narrow, status: &Status) -> bool {
    let is_local = state.is_local(status.account);
    let author = state.accounts.get(&status.account);
    status.reblog_of.is_none()
        && status.draft.visibility == Visibility::Public
        && (is_local || !narrow.local)
        && !(is_local && narrow.remote)
        && (!narrow.only_media || !status.draft.media.is_empty())
        && author.is_some_and(|author| !author.moderation.silenced)
        && viewer.is_none_or(|viewer| !state.is_unwanted(viewer, status))
}
