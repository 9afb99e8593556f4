use fedispec_runtime::Since;

#[derive(Since)]
#[since(mastodon = "3.4.0", gotosocial = never, mastodon = "3.5.0")]
struct Twice;

#[derive(Since)]
#[since("mastodon" = "3.4.0")]
struct Quoted;

#[derive(Since)]
#[since(Mastodon = "3.4.0")]
struct UpperCase;

#[derive(Since)]
#[since(crate = fedispec_runtime)]
struct None;

fn main() {}
