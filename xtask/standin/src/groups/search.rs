//! Searching accounts, statuses and tags.

use fedispec::enums::{MediaAttachmentType, SearchType};
use fedispec::runtime::Item;
use fedispec::{items, search};

use std::ops::Range;

use super::prelude::*;
use crate::store::accounts::Account;
use crate::store::posted::ALL;

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
    /// The account of which the value is the address.
    author: Option<Key>,
    /// The time that the value names.
    time: Range<Millis>,
}

/// The results of a search.
#[derive(Debug, Default)]
struct Found {
    accounts: Vec<Key>,
    statuses: Vec<Key>,
    tags: Vec<String>,
}

/// The query of a request of either version.
macro_rules! asked {
    ($request:ident, $text:expr) => {
        SearchQuery {
            text: $text.into_string(),
            operators: Vec::new(),
            kind: $request.r#type,
            following: $request.following == Some(true),
            author: $request.account_id,
        }
    };
}

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_viewer(|state, me, request: search::All, call| {
            let found = find(&state, me, asked!(request, request.q), &call)?;
            let view = state.view(me);
            let answer = current::Search {
                accounts: view.accounts(found.accounts),
                statuses: view.statuses(found.statuses),
                hashtags: found.tags.iter().map(|name| view.tag(name)).collect(),
                collections: Vec::new(),
            };
            Ok(answer.into())
        }))
        .on(by_viewer(|state, me, request: search::AllV1, call| {
            let q = request.q.unwrap_or_default();
            let found = find(&state, me, asked!(request, q), &call)?;
            let view = state.view(me);
            let answer = current::V1Search {
                hashtags: found.tags,
                accounts: view.accounts(found.accounts),
                statuses: view.statuses(found.statuses),
            };
            Ok(answer.into())
        }))
}

fn find(state: &State, me: Option<Key>, mut asked: SearchQuery, call: &Call) -> Result<Found> {
    asked.take_operators(state, me);
    let text = asked.text.trim();
    // Nothing at all is refused before, where the release does so.
    if asked.text.is_empty() && asked.operators.is_empty() {
        return Ok(Found::default());
    }
    let is_blank = text.is_empty() && asked.operators.is_empty();
    if is_blank && call.operation.id != "search.all_v1" {
        let told = "param is missing or the value is empty: q";
        return Err(Error::new(StatusCode::BAD_REQUEST, told));
    }
    let query = call.paging();
    // Each kind is cut by itself; an offset makes sense with one kind only.
    let inside = state.inside(&query);
    let cut = |keys: &mut dyn Iterator<Item = Key>| -> Vec<Key> {
        let kept = keys.filter(|key| inside.contains(key));
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
            let has_words = || {
                let texts = [&status.draft.text, &status.draft.spoiler_text];
                let texts = texts.map(|text| text.to_lowercase());
                words.split_whitespace().all(|word| texts.iter().any(|text| text.contains(word)))
            };
            status.reblog_of.is_none()
                && author.is_none_or(|author| author == Some(status.account))
                && is_indexed()
                && asked.operators.iter().all(|one| one.is_negated != fits(one, state, me, status))
                && has_words()
                && state.can_see(Some(me), status)
        };
        let may_be = match &*asked.labels() {
            [] => state.statuses.may_have(&words, asked.time()),
            labels => state.statuses.among(labels, ALL),
        };
        let newest_first = may_be.rev().filter(is_found);
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
    fn take_operators(&mut self, state: &State, me: Option<Key>) {
        let known = items().below("SearchOperator").filter(|one| state.release().has(one.id()));
        let known: Vec<_> = known.map(Item::name).collect();
        let mut rest = Vec::new();
        for word in self.text.split_whitespace() {
            match Operator::read(word, &known, state, me) {
                Some(operator) => self.operators.push(operator),
                None => rest.push(word),
            }
        }
        if !self.operators.is_empty() {
            self.text = rest.join(" ");
        }
    }

    /// Labels that what is sought has.
    fn labels(&self) -> Vec<Label> {
        let wanted = self.operators.iter().filter(|one| !one.is_negated);
        let labels = wanted.filter_map(|one| match one.name {
            "from" => Some(Label::By(one.author.unwrap_or_default())),
            "has:media" | "has:image" | "has:video" | "has:audio" => Some(Label::Media),
            "has:link" => Some(Label::Link),
            _ => None,
        });
        labels.collect()
    }

    /// The time that what is sought is of.
    fn time(&self) -> Range<Millis> {
        let wanted = self.operators.iter().filter(|one| !one.is_negated);
        wanted.fold(Millis::MIN..Millis::MAX, |all, one| match one.name {
            "before" => all.start..all.end.min(one.time.start),
            "after" => all.start.max(one.time.end)..all.end,
            "during" => all.start.max(one.time.start)..all.end.min(one.time.end),
            _ => all,
        })
    }
}

impl Operator {
    fn read(word: &str, known: &[&'static str], state: &State, me: Option<Key>) -> Option<Self> {
        let negated = word.strip_prefix('-').filter(|_| known.contains(&"-"));
        let (is_negated, word) = negated.map_or((false, word), |word| (true, word));
        known.iter().find_map(|name| {
            let value = word.strip_prefix(name)?;
            let value = match value.strip_prefix(':') {
                Some(value) if !value.is_empty() => value.trim_matches('"').to_owned(),
                None if value.is_empty() && name.contains(':') => String::new(),
                _ => return None,
            };
            let author = match value.as_str() {
                "me" => me,
                name => state.lookup(name.trim_start_matches('@')).map(|author| author.id),
            };
            let start = from_time(&value.as_str().into()).unwrap_or(Millis::MAX);
            // A date is that day, and a time of a day that moment.
            let lasts = if value.contains('T') { 1 } else { DAY };
            let time = start..start.saturating_add(lasts);
            Some(Self { is_negated, name, value, author, time })
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
    match operator.name {
        "from" => operator.author == Some(status.account),
        "language" => draft.language.as_deref() == Some(value),
        "before" => !operator.time.is_empty() && status.at < operator.time.start,
        "after" => status.at >= operator.time.end,
        "during" => operator.time.contains(&status.at),
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
