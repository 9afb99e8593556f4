//! The user's lists of accounts as CSV, out and in.

use fedispec::enums::ListRepliesPolicy;
use fedispec::{exports, imports};

use super::prelude::*;
use crate::store::lists::List;
use crate::store::ties::Mute;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: exports::Blocks, _| {
            let blocked = state.tied_from(me, |tie| tie.block);
            Ok(csv(&[], blocked.map(|(_, account)| vec![address(&state, account)])))
        }))
        .on(by_user(|state, me, _: exports::Followers, _| {
            let rows = state.followers(me).map(|(_, account)| vec![address(&state, account)]);
            Ok(csv(&["Account address"], rows))
        }))
        .on(by_user(|state, me, _: exports::Following, _| {
            let rows = state.following(me).map(|(_, account)| {
                let follow = state.tie(me, account).and_then(|tie| tie.follow.as_ref());
                let reblogs = follow.is_some_and(|follow| follow.reblogs);
                vec![address(&state, account), reblogs.to_string()]
            });
            Ok(csv(&["Account address", "Show boosts"], rows))
        }))
        .on(by_user(|state, me, _: exports::Lists, _| {
            let rows = state.lists_of(me).flat_map(|list| {
                let members = list.members.keys();
                members.map(|account| vec![list.title.clone(), address(&state, *account)])
            });
            Ok(csv(&[], rows))
        }))
        .on(by_user(|state, me, _: exports::Mutes, _| {
            let muted = state.tied_from(me, |tie| Some(tie.mute.as_ref()?.id));
            let rows = muted.filter_map(|(_, account)| {
                let mute = state.mute(me, account)?;
                Some(vec![address(&state, account), mute.notifications.to_string()])
            });
            Ok(csv(&["Account address", "Hide notifications"], rows))
        }))
        .on(by_user(|state, me, _: exports::Stats, _| {
            let own = state.media.values().filter(|medium| medium.owner == me);
            let files = own.filter_map(|medium| state.files.get(&medium.file));
            let bytes: usize = files.map(|file| file.bytes.len()).sum();
            let statuses = state.statuses.of(me);
            let counts = current::AccountExportStats {
                blocks_count: count(state.tied_from(me, |tie| tie.block).count()),
                followers_count: count(state.followers(me).count()),
                following_count: count(state.following(me).count()),
                lists_count: count(state.lists_of(me).count()),
                media_storage: format!("{bytes}B"),
                mutes_count: count(state.tied_from(me, |tie| Some(tie.mute.as_ref()?.id)).count()),
                statuses_count: count(statuses.count()),
            };
            Ok(counts.into())
        }))
        .on(by_user(|mut state, me, request: imports::Create, call| {
            let content = request.data.content()?.into_owned();
            let text = String::from_utf8_lossy(&content).into_owned();
            let (mode, kind) = (request.mode.as_deref(), request.r#type.as_str());
            let is_wrong = !matches!(mode, None | Some("merge" | "overwrite"));
            refuse_if!(is_wrong, malformed_alike(&call, "mode must be one of merge, overwrite"));
            let is_wrong = !matches!(kind, "following" | "blocks" | "mutes" | "lists");
            let told = "type must be one of blocks, mutes, following, lists";
            refuse_if!(is_wrong, malformed_alike(&call, told));
            if mode == Some("overwrite") {
                forget(&mut state, me, kind);
            }
            for row in rows(&text) {
                let (address, option) = match (kind, row.as_slice()) {
                    ("lists", [title, address, ..]) => (address, Some(title)),
                    (_, [address, rest @ ..]) => (address, rest.first()),
                    _ => continue,
                };
                // Whom nobody here knows is left out, as this server asks no other. That includes the head.
                let found = state.lookup(address).map(|account| account.id);
                if let Some(account) = found.filter(|account| *account != me) {
                    take(&mut state, me, kind, account, option.map(String::as_str));
                }
            }
            Ok(member("status", "accepted"))
        }))
}

/// The address of an account with its domain.
fn address(state: &State, account: Key) -> String {
    let name = state.accounts.get(&account).map_or("", |account| account.username.as_str());
    format!("{name}@{}", state.domain_of(account).unwrap_or_else(|| state.domain()))
}

/// Rows as CSV (RFC 4180), below their heads where there are any.
fn csv(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Raw {
    let head: Vec<_> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let cell = |cell: String| {
        let is_quoted = cell.contains(['"', ',', '\n', '\r']);
        if is_quoted { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
    };
    let line = |row: Vec<String>| row.into_iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
    let rows = Some(head).filter(|head| !head.is_empty()).into_iter().chain(rows);
    Raw::new("text/csv; charset=utf-8", rows.map(line).collect::<String>())
}

/// The rows of CSV. A quoted cell may have commas; line breaks end a row.
fn rows(text: &str) -> impl Iterator<Item = Vec<String>> {
    text.lines().filter(|line| !line.trim().is_empty()).map(|line| {
        let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
        let mut signs = line.chars().peekable();
        while let Some(sign) = signs.next() {
            match sign {
                '"' if is_quoted && signs.peek() == Some(&'"') => {
                    cell.push('"');
                    signs.next();
                }
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => cells.push(std::mem::take(&mut cell).trim().to_owned()),
                sign => cell.push(sign),
            }
        }
        cells.push(cell.trim().to_owned());
        cells
    })
}

/// Undoes what an import replaces.
fn forget(state: &mut State, me: Key, kind: &str) {
    if kind == "lists" {
        state.lists.retain(|_, list| list.owner != me);
    }
    for tie in state.ties.entry(me).or_default().values_mut() {
        match kind {
            "following" => (tie.follow, tie.requested) = (None, None),
            "blocks" => tie.block = None,
            "mutes" => tie.mute = None,
            _ => {}
        }
    }
}

fn take(state: &mut State, me: Key, kind: &str, account: Key, option: Option<&str>) {
    let id = state.next_key();
    match kind {
        "following" => {
            state.follow(me, account);
            if let Some(follow) = &mut state.tie_mut(me, account).follow {
                follow.reblogs = option != Some("false");
            }
        }
        "blocks" => {
            state.tie_mut(me, account).block.get_or_insert(id);
        }
        "mutes" => {
            let notifications = option != Some("false");
            let until = None;
            state.tie_mut(me, account).mute.get_or_insert(Mute { id, notifications, until });
        }
        _ => {
            let title = option.unwrap_or_default();
            let known = state.lists_of(me).find(|list| list.title == title).map(|list| list.id);
            let list = known.unwrap_or(id);
            let list = state.lists.entry(list).or_insert_with(|| List {
                id,
                owner: me,
                title: title.to_owned(),
                replies_policy: ListRepliesPolicy::List,
                exclusive: false,
                members: [].into(),
            });
            list.members.insert(account, id);
        }
    }
}
