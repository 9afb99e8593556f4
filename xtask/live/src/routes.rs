//! Lookup of operations by method and path.

use fedispec_model::api::{Api, Operation, Route, literals};

/// The operations that have a route.
pub(crate) fn routes(api: &Api) -> impl Iterator<Item = (&Route, &Operation)> {
    api.operations.iter().filter_map(|operation| Some((operation.route.as_ref()?, operation)))
}

/// Finds what a request means by its route. A literal segment takes precedence over a placeholder, as in the servers' routers.
pub(crate) fn find<'a, T>(
    routes: impl Iterator<Item = (&'a Route, T)>,
    method: &str,
    path: &str,
) -> Option<T> {
    let routes = routes.filter(|(route, _)| route.method == method);
    let found = routes.filter_map(|(route, of)| Some((literals(&route.path, path)?, of)));
    found.max_by(|(a, _), (b, _)| a.cmp(b)).map(|(_, of)| of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_segments_take_precedence_and_methods_matter() {
        let routes = [
            ("GET", "/api/v1/accounts/:id"),
            ("GET", "/api/v1/accounts/lookup"),
            ("POST", "/api/v1/accounts/:id/follow"),
        ];
        let routes =
            routes.map(|(method, path)| Route { method: method.into(), path: path.into() });
        let find = |method, path| find(routes.iter().zip(0..), method, path);
        assert_eq!(find("GET", "/api/v1/accounts/lookup"), Some(1));
        assert_eq!(find("GET", "/api/v1/accounts/12"), Some(0));
        assert_eq!(find("POST", "/api/v1/accounts/lookup/follow"), Some(2));
        assert_eq!(find("POST", "/api/v1/accounts/12"), None);
        assert_eq!(find("GET", "/api/v1/accounts"), None);
    }
}
