use fedispec_runtime as rt;

#[derive(rt::Entity)]
enum Visibility {
    Public,
}

#[derive(rt::Entity)]
struct Pair(String, String);

#[derive(rt::Entity)]
struct Generic<T> {
    value: T,
}

#[derive(rt::Entity)]
#[entity(id = "Account.source")]
struct Source {
    note: String,
}

#[derive(rt::Entity)]
struct Account {
    #[entity(rename = "@1x")]
    at_1x: String,
}

fn main() {}
