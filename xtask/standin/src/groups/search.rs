//! Searching accounts, statuses and tags.

use fedispec::enums::{MediaAttachmentType, SearchType, Visibility};
use fedispec::runtime::Item;
use fedispec::{items, search};

use super::prelude::*;
use crate::store::accounts::Account;
use crate::store::statuses::Status;
use crate::text::{Piece, pieces};

/// The parameters that both versions of a search have.
#[derive(Debug)]
struct SearchQuery {
    text: String,
    operators: Vec<Operator>,
    kind: Option<SearchType>,
    following: bool,
    author: Option<Id<entities::Account>>,
}

/// A word of a search that narrows it, such as `from:mona` or `-has:media`.
#[derive(Debug)]
struct Operator {
    /// Whether statuses are wanted that it does not fit.
    is_negated: bool,
    /// The prefix, or the whole word where the catalogue lists it with its value.
    name: &'static str,
    value: String,
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
            let q = request.q.into_string();
            let asked =
                SearchQuery::new(&app, q, request.r#type, request.following, request.account_id);
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
            let q = request.q.unwrap_or_default().into_string();
            let asked =
                SearchQuery::new(&app, q, request.r#type, request.following, request.account_id);
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

fn find(state: &State, me: Option<Key>, asked: &SearchQuery, call: &Call) -> Result<Found> {
    let text = asked.text.trim();
    // Nothing at all is refused before, where the release does so.
    if asked.text.is_empty() && asked.operators.is_empty() {
        return Ok(Found::default());
    }
    if text.is_empty() && asked.operators.is_empty() && call.operation.id != "search.all_v1" {
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
    // Operators alone are of statuses.
    let wants = |kind: SearchType| {
        asked.kind.as_ref().is_none_or(|own| *own == kind)
            && (!text.is_empty() || kind == SearchType::Statuses)
    };
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
            let is_indexed = || is_in_library(me, status) || is_open(state, status);
            let has = |word: &&str| {
                let texts = [&status.draft.text, &status.draft.spoiler_text];
                texts.iter().any(|text| text.to_lowercase().contains(*word))
            };
            status.reblog_of.is_none()
                && author.is_none_or(|author| author == Some(status.account))
                && asked.operators.iter().all(|one| one.is_negated != fits(one, state, me, status))
                && words.split_whitespace().all(|word| has(&word))
                && is_indexed()
                && state.can_see(Some(me), status)
        };
        let newest_first = state.statuses.may_have(&words).rev().filter(is_found);
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

impl SearchQuery {
    /// Takes the operators that the release has out of the text.
    fn new(
        app: &App,
        text: String,
        kind: Option<SearchType>,
        following: Option<bool>,
        author: Option<Id<entities::Account>>,
    ) -> Self {
        let known = items().below("SearchOperator").filter(|one| app.release().has(one.id()));
        let known: Vec<_> = known.map(Item::name).collect();
        let mut operators = Vec::new();
        let words = text.split_whitespace().filter(|word| {
            let operator = Operator::read(word, &known);
            let is_word = operator.is_none();
            operators.extend(operator);
            is_word
        });
        let words: Vec<_> = words.collect();
        let rest = words.join(" ");
        let text = if operators.is_empty() { text } else { rest };
        Self { text, operators, kind, following: following.unwrap_or(false), author }
    }
}

impl Operator {
    fn read(word: &str, known: &[&'static str]) -> Option<Self> {
        let negated = word.strip_prefix('-').filter(|_| known.contains(&"-"));
        let (is_negated, word) = negated.map_or((false, word), |word| (true, word));
        known.iter().find_map(|name| {
            let value = word.strip_prefix(name)?;
            let value = match value.strip_prefix(':') {
                Some(value) if !value.is_empty() => value.trim_matches('"').to_owned(),
                None if value.is_empty() && name.contains(':') => String::new(),
                _ => return None,
            };
            Some(Self { is_negated, name, value })
        })
    }
}

/// Whether an operator fits a status.
fn fits(operator: &Operator, state: &State, me: Key, status: &Status) -> bool {
    let (draft, value) = (&status.draft, operator.value.as_str());
    let has = |kind: MediaAttachmentType| {
        let mut media = draft.media.iter().filter_map(|key| state.media.get(key));
        media.any(|medium| medium.kind == kind)
    };
    // Times are in the order of their texts; a day is compared with days.
    let at = || {
        let mut at = time(status.at).to_string();
        at.truncate(value.len());
        at
    };
    match operator.name {
        "from" if value == "me" => status.account == me,
        "from" => {
            let author = state.lookup(value.trim_start_matches('@'));
            author.is_some_and(|author| author.id == status.account)
        }
        "language" => draft.language.as_deref() == Some(value),
        "before" => *at() < *value,
        "after" => *at() > *value,
        "during" => at() == value,
        "has:media" => !draft.media.is_empty(),
        "has:image" => has(MediaAttachmentType::Image),
        "has:video" => has(MediaAttachmentType::Video),
        "has:audio" => has(MediaAttachmentType::Audio),
        "has:poll" => status.poll.is_some(),
        "has:link" => pieces(&draft.text).iter().any(|piece| matches!(piece, Piece::Link(_))),
        "is:reply" => draft.in_reply_to.is_some(),
        "is:sensitive" => draft.sensitive,
        "is:quote" => draft.quote.is_some(),
        "in:library" => is_in_library(me, status),
        "in:public" => is_open(state, status),
        // No page is fetched, and so none has a preview.
        _ => false,
    }
}

/// Whether a user has something to do with a status.
fn is_in_library(me: Key, status: &Status) -> bool {
    status.account == me
        || status.mentions.contains(&me)
        || status.favourites.contains_key(&me)
        || status.boosts.contains_key(&me)
        || status.bookmarks.contains_key(&me)
}

/// Whether everybody may find a status.
fn is_open(state: &State, status: &Status) -> bool {
    let author = state.accounts.get(&status.account);
    status.draft.visibility == Visibility::Public
        && author.is_some_and(|author| author.profile.indexable)
}
