//! Parsing of a request as people write it: a path or a URL, with or without its method.

use fedispec_model::api::{Api, Route, literals, path_of};
use fedispec_model::suggest::best;

/// The method, where one is given, and the path.
pub(super) struct Request {
    method: Option<String>,
    path: String,
}

impl Request {
    /// `GET /api/v1/accounts/lookup?acct=x`, `https://social.example/api/v1/accounts/109`
    pub(super) fn parse(query: &str) -> Option<Self> {
        let mut words = query.split_whitespace();
        let (method, target) = match (words.next()?, words.next(), words.next()) {
            (target, None, None) => (None, target),
            (method, Some(target), None) if method.chars().all(|c| c.is_ascii_alphabetic()) => {
                (Some(method.to_ascii_uppercase()), target)
            }
            _ => return None,
        };
        let path = path_of(target);
        path.starts_with('/')
            .then(|| Self { method, path: path.trim_end_matches('/').to_lowercase() })
    }

    pub(super) fn has_method(&self) -> bool {
        self.method.is_some()
    }

    /// How well the route matches, if it does: a fixed segment beats a placeholder, and the first segment that differs decides.
    pub(super) fn fit(&self, route: &Route) -> Option<Vec<bool>> {
        let is_method = self.method.as_ref().is_none_or(|method| *method == route.method);
        is_method.then(|| literals(&route.path.to_lowercase(), &self.path))?
    }

    /// The most similar routes.
    pub(super) fn nearest(&self, api: &Api) -> Vec<String> {
        let routes = api.operations.iter().filter_map(|o| o.route.as_ref());
        let scored = routes.map(|route| {
            let score = strsim::normalized_damerau_levenshtein(&self.path, &route.path);
            (score, format!("{} {}", route.method, route.path))
        });
        best(scored.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Request;
    use fedispec_model::api::Route;

    fn fit(query: &str, path: &str) -> Option<Vec<bool>> {
        Request::parse(query)?.fit(&Route { method: "GET".into(), path: path.into() })
    }

    #[test]
    fn host_query_and_ids_do_not_matter() {
        for query in [
            "/api/v1/accounts/109",
            "get /api/v1/Accounts/{id}/",
            "GET /api/v1/accounts/:id?x=/y",
            "https://x.example/api/v1/accounts/109#top",
        ] {
            assert!(fit(query, "/api/v1/accounts/:id").is_some(), "{query}");
        }
        for query in [
            "POST /api/v1/accounts/109",
            "/api/v1/accounts",
            "/api/v1/accounts/",
            "/api/v2/accounts/109",
            "https://x.example",
        ] {
            assert!(fit(query, "/api/v1/accounts/:id").is_none(), "{query}");
        }
    }

    #[test]
    fn a_fixed_segment_fits_better() {
        let query = "/api/v1/accounts/lookup";
        assert!(fit(query, query) > fit(query, "/api/v1/accounts/:id"));
    }

    #[test]
    fn names_are_no_requests() {
        for query in ["", "U24", "Credential Account", "accounts.lookup", "a b /c"] {
            assert!(Request::parse(query).is_none(), "{query}");
        }
    }
}
