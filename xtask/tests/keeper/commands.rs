//! The commands of the contract: exit codes, streams, help.

use std::io::Read as _;
use std::process::Stdio;

use fedispec_tests::catalogue::Scratch;
use fedispec_tests::commands;
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("not JSON: {error}: {text:.200}"))
}

#[test]
fn help_teaches_with_examples() {
    for command in [
        vec!["--help"],
        vec!["gen", "--help"],
        vec!["export", "--help"],
        vec!["coverage", "--help"],
        vec!["show", "--help"],
    ] {
        let told = commands::run(&command).succeeded();
        assert!(told.stdout.contains("  cargo xtask "), "{command:?}: {}", told.stdout);
        assert!(!told.stdout.contains('\x1b'), "{command:?} prints colours into a pipe");
    }
}

#[test]
fn export_prints_the_form_of_the_contract() {
    let export = json(&commands::run(["export", "--layer", "documents"]).succeeded().stdout);
    assert_eq!(export["schema"], "fedispec-export/1");
    assert_eq!(export["layer"], "documents");
    let items = export["items"].as_array().expect("items");
    let find = |kind: &str, owner: &str, name: &str| {
        items
            .iter()
            .find(|item| item["kind"] == kind && item["owner"] == owner && item["name"] == name)
            .unwrap_or_else(|| panic!("no {kind} {owner} {name}"))
    };
    let lookup = find("operation", "U24", "");
    assert_eq!(lookup["id"], "accounts.lookup");
    assert_eq!(lookup["since"], serde_json::json!({"mastodon": "3.4.0", "gotosocial": "unknown"}));
    assert_eq!(
        (&lookup["method"], &lookup["path"], &lookup["returns"]),
        (&Value::Null, &Value::Null, &Value::from("Account"))
    );
    assert_eq!(find("param", "U24", "acct")["since"]["mastodon"], "3.4.0");
    assert_eq!(find("field", "Status", "rebogged")["since"]["mastodon"], "0.1.0");
    assert_eq!(
        find("response", "GET /api/v1/notifications/unread_count", "count")["since"]["mastodon"],
        "4.3.0"
    );
    for (owner, name) in [
        ("Instance", "configuration[polls][max_options]"),
        ("Instance", "api_versions[<software_key>]"),
        ("V1 Instance", "uri"),
        ("Server Metadata", "issuer"),
    ] {
        find("field", owner, name);
    }
    find("response", "U01", "details[][:key][error]");
    assert!(items.iter().all(|item| item.get("wire").is_none() && item.get("at").is_none()));
}

#[test]
fn the_full_layer_tells_wire_and_place() {
    let export = json(&commands::run(["export"]).succeeded().stdout);
    assert_eq!(export["layer"], "full");
    let items = export["items"].as_array().expect("items");
    let status =
        items.iter().find(|item| item["id"] == "Status.reblogged").expect("Status.reblogged");
    assert_eq!(
        (&status["name"], &status["wire"]),
        (&Value::from("rebogged"), &Value::from("reblogged"))
    );
    let at = items.iter().find_map(|item| item["at"].as_array()).expect("a place");
    let file = at[0].as_str().expect("a file");
    let text =
        std::fs::read_to_string(fedispec_tests::root().join(file)).expect("the file is there");
    let line = usize::try_from(at[1].as_u64().expect("a line")).expect("small");
    assert!(
        text.lines().nth(line - 1).expect("the line is there").contains("mastodon"),
        "{at:?} states no Since"
    );
}

#[test]
fn the_full_layer_tells_what_really_holds() {
    let export = json(&commands::run(["export"]).succeeded().stdout);
    let items = export["items"].as_array().expect("items");
    let kinds = [
        ("operation", &["success", "paging", "changed"][..]),
        ("param", &["in", "type", "required"]),
        ("field", &["type"]),
        ("response", &["type"]),
        ("enum", &[]),
        ("value", &[]),
        ("feature", &["summary", "synonyms", "items"]),
    ];
    for item in items {
        let kind = item["kind"].as_str().expect("a kind");
        let (_, keys) = kinds.iter().find(|(name, _)| *name == kind).expect(kind);
        for key in *keys {
            assert!(item.get(key).is_some(), "{} has no {key}", item["id"]);
        }
        if kind == "feature" {
            continue;
        }
        let effective = item["effective"].as_object().expect("by program");
        assert!(effective.keys().eq(item["since"].as_object().expect("by program").keys()));
    }
    let item = |id: &str| items.iter().find(|item| item["id"] == id).expect(id);
    // GoToSocial's source has the fields from the first on, and operations that answer them later, or none.
    assert_eq!(item("Account.emojis")["effective"]["gotosocial"], "0.1.0");
    for (id, effective) in [("Application.name", "0.19.0"), ("Application.client_id", "0.19.0")] {
        let field = item(id);
        assert_eq!(field["since"]["gotosocial"], "0.1.0", "{field}");
        assert_eq!(field["effective"]["gotosocial"], effective, "{field}");
    }
    let public = item("streaming.public");
    let backport = &public["changed"][2];
    assert_eq!(backport["absent"], serde_json::json!([["4.4.0", "4.4.6"]]));
    assert_eq!(backport["to"], serde_json::json!(["read:statuses"]));
    let id = item("statuses.get.id");
    assert_eq!(
        (&id["in"], &id["type"], &id["required"]),
        (&"path".into(), &"id<Status>".into(), &true.into())
    );
    assert_eq!(item("Instance.configuration")["type"], "object");
    assert_eq!(item("Account.last_status_at")["type"], "date");
}

#[test]
fn ids_and_keys_are_unique() {
    for layer in ["documents", "full"] {
        let export = json(&commands::run(["export", "--layer", layer]).succeeded().stdout);
        let mut ids = std::collections::BTreeSet::new();
        let mut keys = std::collections::BTreeSet::new();
        for item in export["items"].as_array().expect("items") {
            assert!(ids.insert(item["id"].to_string()), "{layer}: twice: {}", item["id"]);
            if item["kind"] == "feature" {
                continue;
            }
            let key = format!("{} {} {}", item["kind"], item["owner"], item["name"]);
            assert!(keys.insert(key.clone()), "{layer}: twice: {key}");
        }
        assert!(ids.len() >= 822, "{layer}: {} items", ids.len());
    }
}

#[test]
fn coverage_adds_up() {
    let coverage =
        json(&commands::run(["coverage", "--format", "json", "--missing"]).succeeded().stdout);
    let kinds = coverage["kinds"].as_object().expect("kinds");
    let sum = |of: &Value| {
        of.as_object().expect("counts").values().filter_map(Value::as_u64).sum::<u64>()
    };
    let mut items = 0;
    for (kind, counts) in kinds {
        let all = counts["items"].as_u64().expect("a number");
        items += all;
        for (of, counts) in counts["since"]
            .as_object()
            .expect("since")
            .iter()
            .chain(counts["evidence"].as_object().expect("evidence"))
        {
            assert_eq!(sum(counts), all, "{kind} {of}");
        }
        assert!(
            counts["known"]
                .as_object()
                .expect("known")
                .values()
                .all(|known| known.as_u64() <= Some(all)),
            "{kind}"
        );
    }
    assert_eq!(coverage["items"].as_u64(), Some(items));
    let lacking = coverage["missing"]
        .as_array()
        .expect("missing")
        .iter()
        .filter(|item| item["kind"] == "operation");
    let without_path = lacking
        .filter(|item| item["lacks"].as_array().expect("facts").contains(&"path".into()))
        .count() as u64;
    let operations = &kinds["operation"];
    assert_eq!(
        operations["known"]["path"].as_u64(),
        operations["items"].as_u64().map(|all| all - without_path)
    );
    let text = commands::run(["coverage"]).succeeded().stdout;
    assert!(text.starts_with(&format!("{items} items in the layer full\n")), "{text}");
}

#[test]
fn show_takes_a_method_and_a_path() {
    let told = commands::run(["show", "GET", "/api/v2/instance"]).succeeded();
    let line = told
        .stdout
        .lines()
        .find(|line| line.trim_start().starts_with("since.mastodon"))
        .expect("a Since");
    let stated = ["spec/documents/instance.yaml:", "spec/supplement/instance.yaml:"]
        .iter()
        .any(|file| line.contains(file));
    let proved = [" A ", " B ", " C "].iter().any(|class| line.contains(class));
    assert!(line.contains("4.0.0") && stated && proved, "{line}");
}

#[test]
fn show_suggests_what_was_meant() {
    let told = commands::run(["show", "rebloged"]);
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.contains("`reblogged`"), "{}", told.stderr);
    let told = commands::run(["show", "error.details"]);
    assert_eq!(told.code, Some(2));
    assert!(
        told.stderr.contains("`accounts.create.422.details`") && !told.stderr.contains("`U01"),
        "{}",
        told.stderr
    );
    let told = commands::run(["show", "accounts.lokup"]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    assert!(told.stderr.contains("did you mean `accounts.lookup`"), "{}", told.stderr);
    // One name of several items is refused too.
    let told = commands::run(["show", "types"]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    assert!(told.stderr.contains("\n  notifications.list.types\n"), "{}", told.stderr);
}

#[test]
fn check_prints_problems_to_stderr_without_colours() {
    let told = commands::run(["check"]).succeeded();
    assert_eq!(told.stderr, "");
    let scratch = Scratch::new();
    scratch.edit("documents/notifications.yaml", "method: GET", "metod: GET");
    let spec = scratch.spec().display().to_string();
    let told = commands::run(["check", "--spec", spec.as_str()]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    assert!(
        told.stderr.contains("documents/notifications.yaml:")
            && told.stderr.contains("did you mean"),
        "{}",
        told.stderr
    );
    assert!(!told.stderr.contains('\x1b'), "colours in a pipe");
    let scratch = Scratch::new();
    let entry = "[[accept]]\nfp = \"5c0e91ab22d7\"\nresaon = \"seen\"\n";
    std::fs::write(scratch.spec().join("propose-accept.toml"), entry).expect("a file");
    let told = commands::run(["check", "--spec", &scratch.spec().display().to_string()]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    assert!(
        told.stderr.contains("propose-accept.toml: TOML parse error at line 3"),
        "{}",
        told.stderr
    );
}

#[test]
fn a_catalogue_that_is_named_needs_no_checkout() {
    let scratch = Scratch::new();
    let spec = scratch.spec().display().to_string();
    let elsewhere = tempfile::tempdir().expect("a folder");
    let outside = |args: &[&str]| {
        commands::finish(
            commands::command(args).env_remove("CARGO_MANIFEST_DIR").current_dir(elsewhere.path()),
        )
    };
    for command in ["check", "export", "coverage"] {
        outside(&[command, "--spec", &spec]).succeeded();
    }
    for args in [vec!["check"], vec!["gen", "--spec", &spec]] {
        let told = outside(&args);
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(told.stderr.contains("not a checkout"), "{}", told.stderr);
    }
}

#[test]
fn the_crate_of_another_catalogue_needs_a_folder_of_its_own() {
    let scratch = Scratch::new();
    let spec = scratch.spec().display().to_string();
    for more in [&[][..], &["--check"]] {
        let told = commands::run(["gen", "--spec", &spec].iter().chain(more));
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{more:?}");
        assert!(told.stderr.contains(&spec) && told.stderr.contains("--out"), "{}", told.stderr);
    }
}

#[test]
fn a_folder_that_is_no_catalogue_is_a_clear_error() {
    let empty = tempfile::tempdir().expect("a folder");
    for folder in [empty.path().to_owned(), empty.path().join("nowhere")] {
        for command in ["check", "gen", "export", "coverage"] {
            let told = commands::run([command, "--spec", &folder.display().to_string()]);
            assert_eq!(told.code, Some(2), "{command}: {}{}", told.stdout, told.stderr);
            assert!(
                told.stderr.contains("implementations.yaml") || told.stderr.contains("nowhere"),
                "{command}: {}",
                told.stderr
            );
        }
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = commands::command(["export"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut first = [0; 16];
    child.stdout.take().expect("a pipe").read_exact(&mut first).expect("it prints");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_mistyped_command_is_told_what_was_meant() {
    let told = commands::run(["gne"]);
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.contains("'gen'"), "{}", told.stderr);
}

#[test]
fn a_new_operation_lacks_only_what_it_asks_for() {
    let scratch = Scratch::small();
    let spec = scratch.spec().display().to_string();
    let new = |args: &[&str]| {
        let common = ["new", "operation"].iter().chain(args).copied();
        commands::run(common.chain(["--spec", &spec]))
    };
    let path = ["--method", "post", "--path", "/api/v1/accounts/:id/wave"];
    let args = [&["accounts.wave"], &path[..], &["--params", "hand,times[]"]].concat();
    let told = new(&args).succeeded();
    let file = "supplement/all.yaml";
    assert!(told.stdout.contains(file), "{}", told.stdout);
    let text = std::fs::read_to_string(scratch.spec().join(file)).expect("a file");
    let line = |key: &str| 1 + text.lines().position(|line| line.contains(key)).expect(key);
    let checked = commands::run(["check", "--spec", &spec]);
    assert_eq!(checked.code, Some(2));
    let operation = line("accounts.wave:");
    let mut expected: Vec<(String, usize)> = [("summary", 1), ("auth", 5), ("returns", 6)]
        .map(|(key, below)| (key.to_owned(), operation + below))
        .to_vec();
    expected[1].0 = "token".to_owned();
    expected.push(("scopes".to_owned(), operation + 5));
    for program in ["mastodon", "gotosocial"] {
        expected.push((program.to_owned(), operation + 2));
    }
    expected.push(("type".to_owned(), operation + 8));
    for line in [operation + 9, operation + 10] {
        for key in ["summary", "type", "required", "left_out"] {
            expected.push((key.to_owned(), line));
        }
    }
    let mut found: Vec<(String, usize)> = Vec::new();
    let mut lines = checked.stderr.lines();
    while let Some(line) = lines.next() {
        let Some(key) = line.strip_prefix("error[wrong-type]: `") else {
            assert!(!line.starts_with("error["), "{}", checked.stderr);
            continue;
        };
        let key = key.strip_suffix("` is empty").expect("an empty key").to_owned();
        let at = lines.next().and_then(|at| at.rsplit(':').nth(1)).expect("a place");
        found.push((key, at.parse().expect("a line")));
    }
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "{}", checked.stderr);
    // It is in the catalogue's layout.
    let laid_out = commands::run(["fmt", "--check", "--spec", &spec]).stdout;
    assert!(!laid_out.contains(file), "{laid_out}");
    // Twice is once too many; a group that is nowhere gets a file of its own.
    let twice = new(&["accounts.wave"]);
    assert_eq!(twice.code, Some(2));
    assert!(twice.stderr.contains(&format!("all.yaml:{operation}")), "{}", twice.stderr);
    new(&["waves.list", "--method", "GET", "--path", "/api/v1/waves"]).succeeded();
    let text = std::fs::read_to_string(scratch.spec().join("supplement/waves.yaml"));
    assert!(text.expect("a file").contains("area: waves\n"));
    assert_eq!(new(&["Waves"]).code, Some(2));
}

#[test]
fn check_looks_again_when_a_file_changes() {
    use std::io::{BufRead as _, BufReader};
    let scratch = Scratch::small();
    let spec = scratch.spec().display().to_string();
    let mut command = commands::command(["check", "--watch", "--spec", &spec]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut next = || lines.next().expect("a line").expect("text");
    assert!(next().ends_with("no problems"));
    assert_eq!(next(), "-- waiting for a change");
    let file = scratch.spec().join("supplement/all.yaml");
    let text = std::fs::read_to_string(&file).expect("a file");
    std::fs::write(&file, text.clone() + "oh: no\n").expect("written");
    assert_eq!(next(), "-- waiting for a change");
    std::fs::write(&file, text).expect("written");
    assert!(next().ends_with("no problems"));
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

#[test]
fn wrong_usage_exits_2() {
    for args in [vec!["shwo"], vec!["export", "--layer", "both"], vec!["show"], vec![]] {
        let told = commands::run(&args);
        assert_eq!(told.code, Some(2), "{args:?}");
        assert_ne!(told.stderr, "", "{args:?}");
    }
}

/// The generated crate may be broken, so `cargo xtask` does not link it: cargo builds and runs the program that does.
#[cfg(unix)]
#[test]
fn live_commands_are_started_through_cargo() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().expect("a folder");
    let cargo = folder.path().join("cargo");
    std::fs::write(&cargo, "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 3\n").expect("a script");
    std::fs::set_permissions(&cargo, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let manifest = fedispec_tests::root().join("Cargo.toml").canonicalize().expect("a manifest");
    for live in commands::LIVE {
        let mut command = commands::command([live, "--format", "json"]);
        let told = commands::finish(command.env("CARGO", &cargo));
        assert_eq!(told.code, Some(3), "{live}: {}", told.stderr);
        let words: Vec<_> = told.stdout.lines().collect();
        assert_eq!(words[..5], ["run", "--quiet", "--package", "fedispec-cli", "--manifest-path"]);
        assert_eq!(std::path::Path::new(words[5]).canonicalize().ok().as_ref(), Some(&manifest));
        assert_eq!(words[6..], ["--", live, "--format", "json"]);
    }
}
