//! Runs `cargo xtask diff` in real git repositories, as a keeper, CI or a careless user would.

mod accepts;
mod exits;
mod outputs;
mod programs;
mod sides;

use fedispec_tests::repository::Repository;

/// An edit that breaks calls only.
const AUTH: (&str, &str) = ("auth: {token: none}", "auth: {token: user}");
/// An edit that breaks code.
const TYPE: (&str, &str) = (
    "pages: {since: {mastodon: \"4.0.0\", gotosocial: \"0.16.0\"}, type: integer",
    "pages: {since: {mastodon: \"4.0.0\", gotosocial: \"0.16.0\"}, type: string",
);
/// An edit that is risky.
const SINCE: (&str, &str) = (
    "since: {mastodon: \"4.1.0\", gotosocial: \"0.17.0\"}\n    method: DELETE",
    "since: {mastodon: \"4.1.0\", gotosocial: \"0.16.0\"}\n    method: DELETE",
);
/// The same with evidence.
const PROVEN: (&str, &str) = (
    SINCE.0,
    "evidence: {gotosocial: {source: source, at: books.go}}\n    since: {mastodon: \"4.1.0\", gotosocial: \"0.16.0\"}\n    method: DELETE",
);
/// An edit that adds a release that brings a parameter.
const RELEASE: (&str, &str) = (
    "\"0.18.0\": {date: \"2025-02-17\"}",
    "\"0.18.0\": {date: \"2025-02-17\"}\n      \"0.19.0\": {date: \"2025-05-01\"}",
);
/// An edit that changes documentation only.
const TEXT: (&str, &str) = ("summary: Lists books.", "summary: Lists all books.");

const BOOKS: &str = "supplement/books.yaml";

fn edited(edits: &[(&str, &str)]) -> Repository {
    let repository = Repository::new();
    for (from, to) in edits {
        let file = if from.contains("date:") { "implementations.yaml" } else { BOOKS };
        repository.edit(file, from, to);
    }
    repository
}
