//! Lookup of the item that a query names.

use std::fmt;

use fedispec_model::api::{Api, Operation, plain_name};
use fedispec_model::suggest::best;

use super::request::Request;
use super::subject::{Subject, subjects};

/// The result of a query.
pub(super) enum Found<'a> {
    /// Items to show.
    Items(Vec<Subject<'a>>),
    /// Operations to choose from: a group's, or all methods of a path.
    Operations(Vec<&'a Operation>),
}

impl Found<'_> {
    /// Whether a query is the very id or name of what was found, or a group.
    pub(super) fn is_named(&self, query: &str) -> bool {
        let query = query.trim();
        let is_named = |subject: &Subject<'_>| {
            subject.item.id == query || subject.bare_names().contains(&query)
        };
        match self {
            Self::Items(subjects) => subjects.iter().any(is_named),
            Self::Operations(_) => true,
        }
    }
}

/// Why a query names no item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Miss {
    /// No item has the name.
    Unknown {
        /// The query.
        query: String,
        /// The most similar names, best first.
        nearest: Vec<String>,
    },
    /// Several items have the name.
    Several {
        /// The query.
        query: String,
        /// Their ids.
        ids: Vec<String>,
    },
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Several { query, ids } => write!(
                f,
                "{} items are called `{query}`; name one of them:\n  {}",
                ids.len(),
                ids.join("\n  ")
            ),
            Self::Unknown { query, nearest } => {
                write!(f, "no item is called `{query}`")?;
                match nearest.as_slice() {
                    [] => Ok(()),
                    [name] => write!(f, "; did you mean `{name}`?"),
                    [names @ .., last] => {
                        write!(f, "; did you mean `{}` or `{last}`?", names.join("`, `"))
                    }
                }
            }
        }
    }
}

impl std::error::Error for Miss {}

/// Finds what `query` names: an id, a request, a group, another full name whatever the case, or a name without its owner.
pub(super) fn find<'a>(api: &'a Api, query: &str) -> Result<Found<'a>, Miss> {
    let query = query.trim();
    let (exact, mut rest): (Vec<_>, Vec<_>) =
        subjects(api).into_iter().partition(|subject| subject.item.id == query);
    if !exact.is_empty() {
        return Ok(Found::Items(exact));
    }
    let request = Request::parse(query);
    if let Some(request) = &request {
        return requested(rest, request).ok_or_else(|| Miss::Unknown {
            query: query.to_owned(),
            nearest: request.nearest(api),
        });
    }
    let group: Vec<_> = api.operations.iter().filter(|o| o.group == query).collect();
    if !group.is_empty() {
        return Ok(Found::Operations(group));
    }
    let wanted = plain(query);
    let named = |subject: &Subject<'_>| subject.names().iter().any(|name| plain(name) == wanted);
    if rest.iter().any(named) {
        rest.retain(named);
        return Ok(Found::Items(rest));
    }
    rest.retain(|subject| subject.bare_names().iter().any(|name| plain(name) == wanted));
    match rest.len() {
        0 => Err(Miss::Unknown { query: query.to_owned(), nearest: nearest(api, query) }),
        1 => Ok(Found::Items(rest)),
        _ => Err(Miss::Several {
            query: query.to_owned(),
            ids: rest.iter().map(|subject| subject.item.id.clone()).collect(),
        }),
    }
}

fn requested<'a>(subjects: Vec<Subject<'a>>, request: &Request) -> Option<Found<'a>> {
    let routed = |subject: &Subject<'_>| {
        let route = subject.operation()?.route.as_ref()?;
        request.fit(route)
    };
    let best = subjects.iter().filter_map(routed).max()?;
    let fitting: Vec<_> =
        subjects.into_iter().filter(|subject| routed(subject).as_ref() == Some(&best)).collect();
    Some(if fitting.len() == 1 || request.has_method() {
        Found::Items(fitting)
    } else {
        Found::Operations(fitting.iter().filter_map(Subject::operation).collect())
    })
}

/// Normalizes a name: lower case, `:id` for `{id}`, no slash at the end, no array marks.
fn plain(name: &str) -> String {
    let name = name.trim_end_matches('/').to_lowercase();
    name.replace("[]", "").replace('{', ":").replace('}', "")
}

/// The three names that are most similar to the query: ids, operations' keys, entities' names, names alone, features' names.
fn nearest(api: &Api, query: &str) -> Vec<String> {
    let wanted = plain(query);
    let part = wanted.rsplit_once('.').map(|(_, part)| part);
    let mut scored = Vec::new();
    for subject in subjects(api) {
        let bare = subject.bare_names();
        let full = if bare.is_empty() { 2 } else { 1 };
        let id_fits = part.is_some_and(|part| bare.iter().any(|name| plain(name) == part));
        let names = subject.names().into_iter().take(full);
        for name in names.chain(bare.into_iter().map(str::to_owned)) {
            if name.contains(' ') && !query.contains(' ') {
                continue;
            }
            // A right name under a wrong owner says more than letters in common.
            let bonus = if id_fits && name == subject.item.id { 0.6 } else { 0.0 };
            let score = bonus + strsim::normalized_damerau_levenshtein(&wanted, &plain(&name));
            scored.push((score, name));
        }
    }
    for feature in &api.features {
        for name in std::iter::once(&feature.id).chain(&feature.synonyms) {
            let score =
                strsim::normalized_damerau_levenshtein(&plain_name(query), &plain_name(name));
            scored.push((score, name.clone()));
        }
    }
    best(scored)
}

#[cfg(test)]
mod tests {
    use super::{Miss, plain};

    #[test]
    fn a_path_is_found_however_it_is_written() {
        assert_eq!(plain("GET /api/v1/Accounts/{id}/"), plain("get /api/v1/accounts/:id"));
        assert_eq!(plain("notifications.list.types[]"), plain("notifications.list.types"));
    }

    #[test]
    fn a_miss_names_what_is_near() {
        let near = |nearest: &[&str]| {
            Miss::Unknown {
                query: "x".into(),
                nearest: nearest.iter().map(|n| (*n).to_owned()).collect(),
            }
            .to_string()
        };
        let several = Miss::Several { query: "x".into(), ids: vec!["A.x".into(), "B.x".into()] };
        assert_eq!(several.to_string(), "2 items are called `x`; name one of them:\n  A.x\n  B.x");
        assert_eq!(near(&[]), "no item is called `x`");
        assert_eq!(near(&["a", "b", "c"]), "no item is called `x`; did you mean `a`, `b` or `c`?");
    }
}
