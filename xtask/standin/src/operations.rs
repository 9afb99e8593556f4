//! Operations by the method and path of a request.

use std::sync::LazyLock;

use axum::http::Method;
use fedispec::runtime::Operation;
use fedispec::server::Server;

static ALL: LazyLock<Vec<&'static Operation>> =
    LazyLock::new(|| Server::new().unimplemented().collect());

/// Returns the operation that a request means, whatever the release. A literal segment takes precedence over a parameter.
pub(crate) fn find(method: &Method, path: &str) -> Option<&'static Operation> {
    let method = if method == Method::HEAD { &Method::GET } else { method };
    let has = |operation: &Operation| {
        operation.method.as_str() == method.as_str()
            || operation.also.iter().any(|(_, also)| also.as_str() == method.as_str())
    };
    let fitting = ALL.iter().filter(|operation| has(operation));
    let fitting =
        fitting.filter_map(|operation| Some((literals(operation.path, path)?, *operation)));
    fitting.max_by(|(a, _), (b, _)| a.cmp(b)).map(|(_, operation)| operation)
}

/// Whether there is an operation of this id; else the ids that are nearest to it.
pub(crate) fn known(id: &str) -> Result<(), Vec<&'static str>> {
    if ALL.iter().any(|operation| operation.id == id) {
        return Ok(());
    }
    let mut near: Vec<_> = ALL
        .iter()
        .map(|operation| (strsim::jaro_winkler(operation.id, id), operation.id))
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    Err(near.into_iter().take(3).map(|(_, id)| id).collect())
}

/// Whether a path is that of a pattern: a segment that begins with `:` stands for any, and `*` at the end for all that follows.
pub(crate) fn fits(pattern: &str, path: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => path.starts_with(start),
        None => literals(pattern, path).is_some(),
    }
}

/// The segments of a path that the pattern names itself; none where the path is another.
fn literals(pattern: &str, path: &str) -> Option<Vec<bool>> {
    let [mut own, mut asked] = [pattern, path].map(|path| path.trim_matches('/').split('/'));
    let mut literals = Vec::new();
    loop {
        let (own, asked) = match (own.next(), asked.next()) {
            (Some(own), Some(asked)) => (own, asked),
            (None, None) => return Some(literals),
            _ => return None,
        };
        let is_literal = !own.starts_with(':');
        let fits = if is_literal { own == asked } else { !asked.is_empty() };
        if !fits {
            return None;
        }
        literals.push(is_literal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_that_of_an_operation() {
        let id = |method: Method, path: &str| find(&method, path).map(|operation| operation.id);
        assert_eq!(id(Method::GET, "/api/v1/accounts/lookup"), Some("accounts.lookup"));
        assert_eq!(id(Method::HEAD, "/api/v1/accounts/12"), Some("accounts.get"));
        assert_eq!(id(Method::POST, "/api/v1/statuses"), Some("statuses.create"));
        assert_eq!(id(Method::GET, "/api/v1/nothing"), None);
        assert_eq!(known("timelines.home"), Ok(()));
        assert!(known("timelines.hom").is_err_and(|near| near[0] == "timelines.home"));
        assert!(fits("/api/v1/statuses/:id", "/api/v1/statuses/7"));
        assert!(!fits("/api/v1/statuses/:id", "/api/v1/statuses/7/context"));
        assert!(fits("/api/*", "/api/v1/statuses/7/context"));
    }
}
