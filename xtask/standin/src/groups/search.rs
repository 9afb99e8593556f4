//! Searching accounts, statuses and tags.

use fedispec::entities::{self};
use fedispec::enums::{SearchType, Visibility};
use fedispec::search;

use super::prelude::*;
use crate::store::accounts::Account;
use crate::store::statuses::Status;

/// The parameters that both versions of a search have.
#[derive(Debug)]
struct Asked {
    text: String,
    kind: Option<SearchType>,
    following: bool,
    author: Option<Id<entities::Account>>,
}

/// The results of a search.
#[derive(Debug, Default)]
struct Found {
    accounts: Vec<Key>,
    statuses: Vec<Key>,
    tags: Vec<String>,
}

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, request: search::All, call| {
            let (state, me) = app.viewer(&call);
            let asked = Asked {
                text: request.q.into_string(),
                kind: request.r#type,
                following: request.following.unwrap_or(false),
                author: request.account_id,
            };
            let found = find(&state, me, &asked, &call)?;
            let view = state.view(me);
            let answer = current::Search {
                accounts: view.accounts(found.accounts),
                statuses: view.statuses(found.statuses),
                hashtags: found.tags.iter().map(|name| view.tag(name)).collect(),
                collections: Vec::new(),
            };
            Ok(answer.into())
        })
        .on(async |app: App, request: search::AllV1, call| {
            let (state, me) = app.viewer(&call);
            let asked = Asked {
                text: request.q.unwrap_or_default().into_string(),
                kind: request.r#type,
                following: request.following.unwrap_or(false),
                author: request.account_id,
            };
            let found = find(&state, me, &asked, &call)?;
            let view = state.view(me);
            let answer = current::V1Search {
                hashtags: found.tags,
                accounts: view.accounts(found.accounts),
                statuses: view.statuses(found.statuses),
            };
            Ok(answer.into())
        })
}

fn find(state: &State, me: Option<Key>, asked: &Asked, call: &Call) -> Result<Found> {
    let text = asked.text.trim();
    // Nothing at all is refused before, where the release does so.
    if asked.text.is_empty() {
        return Ok(Found::default());
    }
    if text.is_empty() && call.operation.id != "search.all_v1" {
        return Err(Error::new(
            StatusCode::BAD_REQUEST,
            "param is missing or the value is empty: q",
        ));
    }
    let query = call.paging();
    // Each kind is cut by itself; an offset makes sense with one kind only.
    let cut = |keys: &mut dyn Iterator<Item = Key>| -> Vec<Key> {
        let inside = |key: &Key| {
            let bound = |id: Option<&str>| id.and_then(|id| state.key(&Id::<()>::new(id)));
            bound(query.before()).is_none_or(|before| *key < before)
                && bound(query.after()).is_none_or(|after| *key > after)
        };
        let kept = keys.filter(inside);
        kept.skip(query.offset).take(query.limit).collect()
    };
    let wants = |kind: SearchType| asked.kind.as_ref().is_none_or(|own| *own == kind);
    let mut found = Found::default();
    // The address of something is that thing alone.
    if text.starts_with("https://") || text.starts_with("http://") {
        let view = state.view(me);
        let is_account = |account: &&Account| {
            view.profile_url(account) == text || view.account_uri(account) == text
        };
        if wants(SearchType::Accounts) {
            let accounts = state.accounts.values().filter(is_account);
            found.accounts = accounts.map(|account| account.id).collect();
        }
        if wants(SearchType::Statuses) && me.is_some() {
            let id = text.rsplit('/').next().map(Id::<()>::new);
            let named = id.and_then(|id| state.statuses.get(&state.key(&id)?));
            let is_status = |status: &&Status| {
                let status = view.status_of(status);
                status.uri == text || status.url.as_deref() == Some(text)
            };
            let named = named.filter(|status| state.can_see(me, status)).filter(is_status);
            found.statuses = named.map(|status| status.id).into_iter().collect();
        }
        return Ok(found);
    }
    let words = text.to_lowercase();
    if wants(SearchType::Accounts) {
        let name = words.trim_start_matches('@');
        let is_named = |account: &&Account| {
            let followed = me.is_some_and(|me| state.follows(me, account.id));
            !account.moderation.suspended
                && (!asked.following || followed)
                && (account.acct().to_lowercase().contains(name)
                    || format!("{}@{}", account.username, state.domain()).to_lowercase() == name
                    || account.profile.display_name.to_lowercase().contains(name))
        };
        let accounts = state.accounts.values().filter(is_named);
        found.accounts = cut(&mut accounts.map(|account| account.id));
    }
    // A caller who is not signed in finds no statuses, as in Mastodon.
    if let Some(me) = me.filter(|_| wants(SearchType::Statuses)) {
        let author = asked.author.as_ref().map(|id| state.key(id));
        let is_found = |status: &&Status| {
            let account = state.accounts.get(&status.account);
            let is_indexed = || {
                status.account == me
                    || status.mentions.contains(&me)
                    || status.favourites.contains_key(&me)
                    || status.bookmarks.contains_key(&me)
                    || account.is_some_and(|account| account.profile.indexable)
                        && status.draft.visibility == Visibility::Public
            };
            let has = |word: &&str| {
                let texts = [&status.draft.text, &status.draft.spoiler_text];
                texts.iter().any(|text| contains(text, word))
            };
            status.reblog_of.is_none()
                && author.is_none_or(|author| author == Some(status.account))
                && words.split_whitespace().all(|word| has(&word))
                && is_indexed()
                && state.can_see(Some(me), status)
        };
        let newest_first = state.statuses.values().rev().filter(is_found);
        found.statuses = cut(&mut newest_first.map(|status| status.id));
    }
    if wants(SearchType::Hashtags) {
        let name = words.trim_start_matches('#');
        let tags = state.tags.iter().filter(|(own, tag)| tag.listable && own.starts_with(name));
        let tags = tags.map(|(name, _)| name.clone());
        found.tags = tags.skip(query.offset).take(query.limit).collect();
    }
    Ok(found)
}

/// Whether a text has a word, which is in lower case.
fn contains(text: &str, word: &str) -> bool {
    if !text.is_ascii() {
        return text.to_lowercase().contains(word);
    }
    let Some(first) = word.as_bytes().first() else {
        return true;
    };
    let (upper, length) = (first.to_ascii_uppercase(), word.len());
    let mut starts = text.as_bytes().windows(length);
    starts.any(|part| {
        (part[0] == *first || part[0] == upper) && part.eq_ignore_ascii_case(word.as_bytes())
    })
}
