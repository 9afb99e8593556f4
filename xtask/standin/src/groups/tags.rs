//! Tags by name, those that the user follows, and those that the user features.

use fedispec::{featured_tags, followed_tags, tags};

use super::prelude::*;

/// The greatest number of tags that are suggested.
const MOST: usize = 10;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_viewer(|state, viewer, request: tags::Get, _| {
            Ok(state.view(viewer).tag(&name(&request.name)?))
        }))
        .on(by_user(|mut state, me, request: tags::Follow, _| {
            let name = name(&request.name)?;
            let key = state.next_key();
            state.tag_mut(&request.name).followers.entry(me).or_insert(key);
            Ok(state.view(me).tag(&name))
        }))
        .on(by_user(|mut state, me, request: tags::Unfollow, _| {
            let name = name(&request.name)?;
            state.tag_mut(&request.name).followers.remove(&me);
            Ok(state.view(me).tag(&name))
        }))
        .on(by_user(|mut state, me, request: tags::Feature, call| {
            let name = name(&request.id)?;
            feature(&mut state, me, &request.id, &call)?;
            Ok(state.view(me).tag(&name))
        }))
        .on(by_user(|mut state, me, request: tags::Unfeature, _| {
            let name = name(&request.id)?;
            state.tag_mut(&request.id).featured_by.remove(&me);
            Ok(state.view(me).tag(&name))
        }))
        .on(by_user(|state, me, _: followed_tags::List, call| {
            let followed = state.tags.iter().filter_map(|(name, tag)| {
                let key = tag.followers.get(&me)?;
                Some((*key, name.as_str()))
            });
            let page = state.page_of(&call, followed);
            Ok(page.map(|name| Some(state.view(me).tag(name))))
        }))
        .on(by_user(|state, me, _: featured_tags::List, _| {
            Ok(state.view(me).featured_tags(me).into())
        }))
        .on(by_user(|mut state, me, request: featured_tags::Create, call| {
            let name = name(&request.name).map_err(|_| invalid_alike(&call, "Name is invalid"))?;
            feature(&mut state, me, &request.name, &call)?;
            state.view(me).featured_tag(me, &name).ok_or_else(Error::internal)
        }))
        .on(by_user(|mut state, me, request: featured_tags::Delete, _| {
            let key = state.key(&request.id).ok_or_else(Error::not_found)?;
            let mut tags = state.tags.values_mut();
            let tag = tags.find(|tag| tag.featured_by.get(&me) == Some(&key));
            tag.ok_or_else(Error::not_found)?.featured_by.remove(&me);
            Ok(Empty)
        }))
        .on(by_user(|state, me, _: featured_tags::Suggestions, _| {
            let used = state.statuses.of(me).flat_map(|status| &status.tags);
            let used = tally(used.map(|name| (name, 1))).into_iter().filter(|(name, _)| {
                let tag = state.tags.get(*name);
                tag.is_some_and(|tag| !tag.featured_by.contains_key(&me))
            });
            let used = ranked(used, |(_, uses)| *uses).into_iter().take(MOST);
            Ok(used.map(|(name, _)| state.view(me).tag(name)).collect())
        }))
}

fn feature(state: &mut State, me: Key, name: &str, call: &Call) -> Result<()> {
    let featured = state.tags.values().filter(|tag| tag.featured_by.contains_key(&me));
    let is_full = count(featured.count()) >= state.bounds().featured_tags;
    let key = state.next_key();
    let tag = state.tag_mut(name);
    let is_new = !tag.featured_by.contains_key(&me);
    let full = "You have already featured the maximum number of hashtags";
    refuse_if!(is_full && is_new, invalid_alike(call, full));
    tag.featured_by.entry(me).or_insert(key);
    Ok(())
}

/// The name in lower case. What can be no tag is not found.
fn name(given: &str) -> Result<String> {
    let name = given.trim_start_matches('#');
    let fits = |sign: char| sign.is_alphanumeric() || "_·・".contains(sign);
    let has_letter = name.chars().any(|sign| !sign.is_numeric());
    refuse_if!(name.is_empty() || !name.chars().all(fits) || !has_letter, Error::not_found());
    Ok(name.to_lowercase())
}
