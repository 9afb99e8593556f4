use fedispec_runtime::Since;

#[derive(Since)]
#[since]
struct Bare;

#[derive(Since)]
#[since()]
struct Empty;

#[derive(Since)]
#[since = "3.4.0"]
struct Value;

fn main() {}
