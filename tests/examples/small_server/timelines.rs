//! Timelines, tags, and searching.

use fedispec::entities::Search;
use fedispec::enums::SearchType;
use fedispec::{featured_tags, followed_tags, search, tags, timelines};

use super::prelude::*;

pub fn handlers(mount: Mount) -> Mount {
    mount
        .user(|db, me, _: timelines::Home, call| Ok(db.page(me, call, |post| db.is_home(me, post))))
        .anybody(|db, me, req: timelines::Public, call| {
            // There is nobody but our own users.
            let shows = |post: &Post| req.remote != Some(true) && is_shown(post, req.only_media);
            Ok(db.page(me, call, |post| shows(post) && db.is_public(me, post)))
        })
        .anybody(|db, me, req: timelines::Tag, call| {
            let shows = |post: &Post| is_shown(post, req.only_media) && db.is_public(me, post);
            Ok(db.page(me, call, |post| shows(post) && is_tagged(post, &req.hashtag)))
        })
        .user(|db, me, req: timelines::List, call| {
            let (_, members) = own(&mut db.lists, me, &req.list_id)?.clone();
            let is_on = |post: &Post| members.contains(&post.author);
            Ok(db.page(me, call, |post| is_on(post) && db.is_home(me, post)))
        })
        .anybody(|db, me, req: tags::Get, _| Ok(db.tag(me, &req.name)))
        .user(|db, me, req: tags::Follow, _| {
            let tag = db.tag(Some(me), &req.name);
            db.user_mut(me)?.followed_tags.insert(tag.name);
            Ok(db.tag(Some(me), &req.name))
        })
        .user(|db, me, req: tags::Unfollow, _| {
            let tag = db.tag(Some(me), &req.name);
            db.user_mut(me)?.followed_tags.remove(&tag.name);
            Ok(db.tag(Some(me), &req.name))
        })
        .user(|db, me, _: followed_tags::List, call| {
            let tags = db.users[&me].followed_tags.iter().rev();
            let page = call.page(tags.map(|name| (name.clone(), name)));
            Ok(page.map(|name| db.tag(Some(me), name)))
        })
        .user(|db, me, req: featured_tags::Create, _| {
            let (key, name) = (db.next(), req.name.to_lowercase());
            db.featured_tags.insert((me, key), name.clone());
            Ok(db.featured_tag(me, key, &name))
        })
        .user(|db, me, _: featured_tags::List, _| {
            let tags = all(&db.featured_tags, me);
            let tags = tags.map(|(key, name)| db.featured_tag(me, key, name));
            Ok(tags.collect())
        })
        .user(|db, me, req: featured_tags::Delete, _| drop_own(&mut db.featured_tags, me, &req.id))
        .anybody(|db, me, req: search::All, call| {
            let text = req.q.trim().to_lowercase();
            let wants = |kind| req.r#type.as_ref().is_none_or(|own| *own == kind);
            let mut found = Search::new(Vec::new(), Vec::new(), Vec::new(), Vec::new());
            if wants(SearchType::Accounts) {
                found.accounts = db.people(call, db.find_accounts(&text)).items;
            }
            if wants(SearchType::Statuses) {
                let has = |post: &Post| post.text.to_lowercase().contains(&text);
                found.statuses = db.page(me, call, has).items;
            }
            if wants(SearchType::Hashtags) {
                let posts = db.posts.values().filter(|post| db.is_public(me, post));
                let tags = posts.flat_map(|post| &post.status.tags);
                let names = tags.map(|tag| tag.name.clone());
                let is = |name: &String| name.starts_with(text.trim_start_matches('#'));
                let names: BTreeSet<String> = names.filter(is).collect();
                let page = call.page(names.iter().map(|name| (name.clone(), name)));
                found.hashtags = page.map(|name| db.tag(me, name)).items;
            }
            Ok(found)
        })
}
