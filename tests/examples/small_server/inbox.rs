//! The data of one user: notifications, markers, lists and filters.

use fedispec::entities::{Filter, Marker};
use fedispec::enums::{FilterAction, ListRepliesPolicy};
use fedispec::{current, filters as api, lists, markers, notifications};

use super::prelude::*;

pub fn handlers(mount: Mount) -> Mount {
    mount
        .user(|db, me, req: notifications::List, call| {
            let (types, others) = (&req.types, &req.exclude_types);
            let is_wanted = |kind| types.is_empty() || types.contains(kind);
            let own = all(&db.notifications, me);
            let own = own.filter(|(_, one)| is_wanted(&one.1) && !others.contains(&one.1));
            let page = call.page(own.map(|(key, one)| (key, (key, one))));
            Ok(page.map(|(key, one)| db.notification(me, key, one)))
        })
        .user(|db, me, req: notifications::Dismiss, _| drop_own(&mut db.notifications, me, &req.id))
        .user(|db, me, _: notifications::Clear, _| {
            db.notifications.retain(|(owner, _), _| *owner != me);
            Ok(Empty)
        })
        .user(|db, me, req: markers::Get, _| {
            let mut markers = db.users[&me].markers.clone();
            markers.retain(|name, _| req.timeline.iter().any(|one| one.as_str() == name));
            Ok(markers)
        })
        .user(|db, me, req: markers::Save, _| {
            let markers = &mut db.user_mut(me)?.markers;
            let home = req.home_last_read_id.map(|id| ("home", id.cast()));
            let other = req.notifications_last_read_id;
            let other = other.map(|id| ("notifications", id.cast()));
            for (name, id) in home.into_iter().chain(other) {
                let version = markers.get(name).map_or(0, |old| old.version + 1);
                let marker = Marker::new(id, version, Timestamp::now());
                markers.insert(name.to_owned(), marker);
            }
            Ok(markers.clone())
        })
}

pub fn lists(mount: Mount) -> Mount {
    mount
        .user(|db, me, _: lists::List, _| {
            let lists = all(&db.lists, me).map(|(_, (list, _))| list);
            Ok(lists.cloned().collect())
        })
        .user(|db, me, req: lists::Get, _| Ok(own(&mut db.lists, me, &req.id)?.0.clone()))
        .user(|db, me, req: lists::Create, _| {
            let key = db.next();
            let list = entities::List::from(current::List {
                id: key.into(),
                title: req.title,
                replies_policy: req.replies_policy.unwrap_or(ListRepliesPolicy::List),
                exclusive: req.exclusive.unwrap_or_default(),
            });
            let row = (list.clone(), BTreeSet::new());
            db.lists.insert((me, key), row);
            Ok(list)
        })
        .user(|db, me, req: lists::Update, _| {
            let (list, _) = own(&mut db.lists, me, &req.id)?;
            set(&mut list.title, req.title);
            list.replies_policy = req.replies_policy.or(list.replies_policy.take());
            Ok(list.clone())
        })
        .user(|db, me, req: lists::Delete, _| drop_own(&mut db.lists, me, &req.id))
        .user(|db, me, req: lists::Accounts, call| {
            let (_, members) = own(&mut db.lists, me, &req.id)?.clone();
            Ok(db.people(call, members.into_iter().rev().collect()))
        })
        .user(|db, me, req: lists::AddAccounts, _| {
            let keys = req.account_ids.iter().map(|id| db.known(id));
            let keys = keys.collect::<Result<Vec<_>>>()?;
            if !keys.iter().all(|key| db.tie(me, *key).following) {
                return Err(Error::not_found());
            }
            own(&mut db.lists, me, &req.id)?.1.extend(keys);
            Ok(Empty)
        })
        .user(|db, me, req: lists::RemoveAccounts, _| {
            let (_, members) = own(&mut db.lists, me, &req.id)?;
            let keys: BTreeSet<_> = req.account_ids.iter().flat_map(key).collect();
            members.retain(|member| !keys.contains(member));
            Ok(Empty)
        })
}

pub fn filters(mount: Mount) -> Mount {
    mount
        .user(|db, me, _: api::List, _| {
            let filters = all(&db.filters, me).map(|(_, filter)| filter);
            Ok(filters.cloned().collect())
        })
        .user(|db, me, req: api::Get, _| own(&mut db.filters, me, &req.id).cloned())
        .user(|db, me, req: api::Create, _| {
            let (key, action) = (db.next(), req.filter_action.unwrap_or(FilterAction::Warn));
            let words = req.keywords_attributes.into_iter();
            let words = words.filter_map(|one| {
                let is_whole = one.whole_word.unwrap_or(true);
                let (id, keyword) = (db.next().into(), one.keyword?);
                Some(current::FilterKeyword { id, keyword, whole_word: is_whole }.into())
            });
            let filter = Filter::from(current::Filter {
                id: key.into(),
                title: req.title,
                context: req.context,
                expires_at: req.expires_in.map(Timestamp::in_seconds),
                filter_action: action,
                keywords: words.collect(),
                statuses: Vec::new(),
            });
            db.filters.insert((me, key), filter.clone());
            Ok(filter)
        })
        .user(|db, me, req: api::Update, _| {
            let filter = own(&mut db.filters, me, &req.id)?;
            set(&mut filter.title, req.title);
            set(&mut filter.filter_action, req.filter_action);
            let context = Some(req.context).filter(|places| !places.is_empty());
            set(&mut filter.context, context);
            let end = req.expires_in.map(Timestamp::in_seconds);
            filter.expires_at = end.or(filter.expires_at.take());
            Ok(filter.clone())
        })
        .user(|db, me, req: api::Delete, _| drop_own(&mut db.filters, me, &req.id))
}
