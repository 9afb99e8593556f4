use fedispec_runtime::Since;

#[derive(Since)]
#[since(mastodon = "3.4.0")]
#[since(gotosocial = never)]
struct Twice;

fn main() {}
