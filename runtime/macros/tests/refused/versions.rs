use fedispec_runtime::Since;

#[derive(Since)]
struct Versions {
    #[since(mastodon = "3.4")]
    short: u8,
}

#[derive(Since)]
struct Letters {
    #[since(mastodon = "3.ff.1")]
    letters: u8,
}

#[derive(Since)]
struct Zero {
    #[since(mastodon = "3.04.1")]
    zero: u8,
}

#[derive(Since)]
enum Variant {
    #[since(mastodon = "3.4.0-")]
    Pre,
}

fn main() {}
