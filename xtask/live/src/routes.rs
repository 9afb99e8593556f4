//! Lookup of operations by method and path.

use std::collections::BTreeMap;

/// The routes as a tree of path segments.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    root: Node,
}

#[derive(Debug, Default)]
struct Node {
    fixed: BTreeMap<String, Node>,
    placeholder: Option<Box<Node>>,
    /// The operation's index, by method.
    operations: BTreeMap<String, usize>,
}

impl Routes {
    /// Adds an operation's route.
    pub(crate) fn add(&mut self, method: &str, path: &str, operation: usize) {
        let mut node = &mut self.root;
        for segment in segments(path) {
            node = if segment.starts_with(':') {
                node.placeholder.get_or_insert_default()
            } else {
                node.fixed.entry(segment.to_owned()).or_default()
            };
        }
        node.operations.insert(method.to_owned(), operation);
    }

    /// Finds the operation of a request. A literal segment takes precedence over a placeholder, as in the servers' routers.
    pub(crate) fn find(&self, method: &str, path: &str) -> Option<usize> {
        let segments: Vec<&str> = segments(path).collect();
        self.root.find(method, &segments)
    }
}

impl Node {
    fn find(&self, method: &str, path: &[&str]) -> Option<usize> {
        let Some((first, rest)) = path.split_first() else {
            return self.operations.get(method).copied();
        };
        let fixed = self.fixed.get(*first).and_then(|node| node.find(method, rest));
        fixed.or_else(|| self.placeholder.as_ref()?.find(method, rest))
    }
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_segments_take_precedence_and_methods_matter() {
        let mut routes = Routes::default();
        routes.add("GET", "/api/v1/accounts/:id", 0);
        routes.add("GET", "/api/v1/accounts/lookup", 1);
        routes.add("POST", "/api/v1/accounts/:id/follow", 2);
        assert_eq!(routes.find("GET", "/api/v1/accounts/lookup"), Some(1));
        assert_eq!(routes.find("GET", "/api/v1/accounts/12"), Some(0));
        assert_eq!(routes.find("POST", "/api/v1/accounts/lookup/follow"), Some(2));
        assert_eq!(routes.find("POST", "/api/v1/accounts/12"), None);
        assert_eq!(routes.find("GET", "/api/v1/accounts"), None);
    }
}
