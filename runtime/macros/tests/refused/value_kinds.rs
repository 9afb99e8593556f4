use fedispec_runtime::Since;

#[derive(Since)]
#[since(mastodon = 3)]
struct Number;

#[derive(Since)]
#[since(mastodon = 3.4)]
struct Float;

#[derive(Since)]
#[since(mastodon = always)]
struct Word;

#[derive(Since)]
#[since(mastodon = "never")]
struct Quoted;

#[derive(Since)]
#[since(mastodon)]
struct Without;

#[derive(Since)]
#[since(mastodon("3.4.0"))]
struct Call;

#[derive(Since)]
#[since(mastodon = "3.4.0" gotosocial = never)]
struct Comma;

fn main() {}
