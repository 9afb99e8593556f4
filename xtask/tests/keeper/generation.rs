//! Runs `gen` and `gen --check` as a keeper and CI do.

use std::fs;
use std::process::Command;

use fedispec_model::api::{Operation, Type};
use fedispec_tests::catalogue::{Scratch, tree, write};
use fedispec_tests::{commands, root};

#[test]
fn the_repository_is_fresh() {
    let told = commands::run(["gen", "--check"]);
    assert_eq!(told.code, Some(0), "{}{}", told.stdout, told.stderr);
}

/// The documentation of each request tells how to send it.
#[test]
fn each_request_says_how_it_is_sent() {
    let api = fedispec_tests::catalogue::typed();
    let is_sent = |operation: &&Operation| operation.route.is_some() && operation.success != [101];
    let operations: Vec<_> = api.operations.iter().filter(is_sent).collect();
    assert!(operations.len() > 300, "{}", operations.len());
    for operation in operations {
        let path = root().join(format!("generated/src/{}.rs", operation.group));
        let module = fs::read_to_string(&path).expect("the group's module");
        let name = &operation.item.rust;
        let (before, _) =
            module.split_once(&format!("\npub struct {name} ")).expect("the request's struct");
        let docs = before.rsplit("\n}\n").next().unwrap_or_default();
        let call = match operation.returns {
            Type::Events(_) => "stream",
            _ => "send",
        };
        let call = format!("client.{call}({}::{name}::", operation.group);
        assert!(docs.contains(&call), "{}: {docs}", operation.item.id);
    }
}

/// `gen` in another language, with other threads and in another folder.
fn elsewhere(scratch: &Scratch, (locale, threads, folder): (&str, &str, &str)) -> Command {
    let mut command = commands::command(scratch.gen_args(&[]));
    command
        .env("LC_ALL", locale)
        .env("LANG", locale)
        .env("RAYON_NUM_THREADS", threads)
        .env("TZ", "Asia/Kathmandu");
    command.current_dir(root().join(folder));
    command
}

#[test]
fn a_copy_generates_what_the_repository_has_elsewhere() {
    let scratch = Scratch::new();
    commands::finish(&mut elsewhere(&scratch, ("tr_TR.UTF-8", "7", "/"))).succeeded();
    assert!(tree(&scratch.out()) == tree(&root().join("generated")), "the trees differ");
    let api =
        |spec: std::path::PathBuf| fs::read(spec.join("api.json")).expect("api.json is there");
    assert!(api(scratch.spec()) == api(root().join("spec")), "the resolved JSON differs");
}

#[test]
fn equal_input_gives_equal_bytes() {
    let scratch = Scratch::small();
    let mut made = Vec::new();
    for place in [("C", "1", "."), ("de_DE.UTF-8", "7", "spec"), ("tr_TR.UTF-8", "2", "/")] {
        let _ = fs::remove_dir_all(scratch.out());
        commands::finish(&mut elsewhere(&scratch, place)).succeeded();
        made.push((
            tree(&scratch.out()),
            fs::read(scratch.spec().join("api.json")).expect("api.json is there"),
        ));
    }
    assert!(!made[0].0.is_empty());
    assert!(made[0] == made[1], "the second run differs");
    assert!(made[0] == made[2], "the third run differs");
}

#[test]
fn what_is_equal_is_not_touched() {
    let scratch = Scratch::small();
    commands::run(scratch.gen_args(&[])).succeeded();
    let modified = |name: &str| {
        fs::metadata(scratch.out().join(name)).and_then(|data| data.modified()).expect("a time")
    };
    let before = modified("src/lib.rs");
    commands::run(scratch.gen_args(&[])).succeeded();
    assert_eq!(before, modified("src/lib.rs"));
}

#[test]
fn stale_files_are_named_and_mended() {
    let scratch = Scratch::small();
    commands::run(scratch.gen_args(&[])).succeeded();
    let fresh = tree(&scratch.out());
    write(&scratch.out().join("src/lib.rs"), b"<<<<<<< ours\n");
    write(&scratch.out().join("src/left_over.rs"), b"// nobody makes this\n");
    fs::remove_file(scratch.out().join("src/items.rs")).expect("it was there");
    write(&scratch.spec().join("api.json"), b"=======\n");

    let told = commands::run(scratch.gen_args(&["--check"]));
    assert_eq!(told.code, Some(1), "{}", told.stderr);
    for file in ["src/lib.rs", "src/left_over.rs", "src/items.rs", "api.json"] {
        assert_eq!(
            told.stdout.lines().filter(|line| line.ends_with(&format!("/{file}"))).count(),
            1,
            "{file}: {}",
            told.stdout
        );
    }
    assert_eq!(told.stdout.lines().count(), 4, "{}", told.stdout);
    assert!(scratch.out().join("src/left_over.rs").is_file(), "--check wrote something");

    commands::run(scratch.gen_args(&[])).succeeded();
    assert!(tree(&scratch.out()) == fresh, "gen did not mend the tree");
    commands::run(scratch.gen_args(&["--check"])).succeeded();
}

#[test]
fn an_invalid_catalogue_writes_nothing() {
    let scratch = Scratch::generated();
    let before = tree(scratch.path());
    scratch.edit("documents/notifications.yaml", "\"4.3.0\"", "4.3");
    scratch.edit("documents/accounts.yaml", "since:", "sinec:");
    let edited = tree(scratch.path());
    for more in [&[][..], &["--check"]] {
        let told = commands::run(scratch.gen_args(more));
        assert_eq!(told.code, Some(2), "{}{}", told.stdout, told.stderr);
        assert_eq!(told.stdout, "");
        for place in ["documents/notifications.yaml:", "documents/accounts.yaml:"] {
            assert!(told.stderr.contains(place), "all problems in one run: {}", told.stderr);
        }
        assert!(told.stderr.contains("did you mean"), "{}", told.stderr);
    }
    assert!(tree(scratch.path()) == edited, "something was written");
    assert_ne!(before, edited);
}

#[test]
fn gen_says_what_changed() {
    let scratch = Scratch::generated();
    let quiet = commands::run(scratch.gen_args(&[])).succeeded();
    assert!(quiet.stdout.contains("changed  no item"), "{}", quiet.stdout);
    let since = "since: {mastodon: \"2.6.0\", gotosocial: ";
    scratch.edit(
        "supplement/notifications.yaml",
        &format!("{since}\"0.9.0\""),
        &format!("{since}\"0.10.0\""),
    );
    let told = commands::run(scratch.gen_args(&[])).succeeded();
    assert!(told.stdout.contains("1 changed: notifications.list.min_id"), "{}", told.stdout);
    assert!(told.stdout.contains("unknown: "), "{}", told.stdout);
    assert!(told.stdout.contains(" s ("), "no time: {}", told.stdout);
}

#[test]
fn a_folder_with_other_things_is_spared() {
    let scratch = Scratch::new();
    write(&scratch.out().join("thesis.txt"), b"years of work");
    let told = commands::run(scratch.gen_args(&[]));
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.contains("holds files other than"), "{}", told.stderr);
    assert_eq!(tree(&scratch.out()).len(), 1);
}
