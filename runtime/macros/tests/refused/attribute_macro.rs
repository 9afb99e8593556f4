#[fedispec_runtime::since]
fn bare() {}

#[fedispec_runtime::since(mastodon = "3.4")]
fn function() {}

#[fedispec_runtime::since(mastodon = "3.4.0")]
struct Field {
    #[since(mastodon = 4)]
    field: u8,
}

trait Methods {
    #[fedispec_runtime::since(mastodon = "3.4.0", mastodon = never)]
    fn method(&self);
}

fn main() {
    // The item is kept, even if its attribute is wrong.
    bare();
    function();
}
