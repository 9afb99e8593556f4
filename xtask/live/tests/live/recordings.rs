//! `cargo xtask verify`: recorded responses of real servers decode, and agree with the catalogue.
use fedispec_tests::{commands, shared, skip};
use serde_json::{Value, json};

fn verify(files: &[String]) -> (Option<i32>, Value) {
    let args = ["verify", "--format", "json"].map(str::to_owned);
    let ran = commands::run(args.iter().chain(files));
    let report = serde_json::from_str(&ran.stdout);
    (ran.code, report.unwrap_or_else(|error| panic!("{error}: {}", ran.stderr)))
}

/// Writes a recording with these lines.
fn recorded(lines: &[Value]) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let text: Vec<_> = lines.iter().map(Value::to_string).collect();
    std::fs::write(file.path(), text.join("\n")).expect("written");
    file
}

fn name(file: &tempfile::NamedTempFile) -> String {
    file.path().display().to_string()
}

#[test]
fn recordings_of_real_servers_decode_and_agree() {
    let Ok(folder) = std::fs::read_dir(shared().join("corpus")) else {
        return skip::skipped(
            "recordings_of_real_servers_decode_and_agree",
            "no recordings are beside this checkout",
        );
    };
    let paths = folder.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<String> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .map(|path| path.display().to_string())
        .collect();
    files.sort();
    let (code, report) = verify(&files);
    assert_eq!(code, Some(0), "{}", report["failed"]);
    assert!(report["decoded"].as_u64() > Some(1000), "{}", report["decoded"]);
    for list in [
        "failed",
        "too_early",
        "promised_but_absent",
        "promised_but_null",
        "unknown_fields",
        "unknown_values",
    ] {
        assert_eq!(report[list], json!([]), "{list}");
    }
    let unmatched = report["unmatched"].as_object().expect("a map");
    assert!(unmatched.keys().all(|request| !request.contains("/api/")), "{unmatched:?}");
}

#[test]
fn what_does_not_agree_is_told_with_its_place() {
    let rule = |id: Value| json!({"id": id, "text": "Be kind.", "hint": "", "translations": {}});
    let line = |path: &str, body: Value| json!({"method": "GET", "path": path, "status": 200, "body": body, "software": "mastodon", "version": "4.6.4"});
    // Its type is an `Option`, because older releases do not send it.
    let without_hint = json!({"id": "2", "text": "Be brief.", "hint": null, "translations": {}});
    let file = recorded(&[
        line("/api/v1/instance/rules", json!([rule("1".into()), rule(json!({})), without_hint])),
        line("/api/v1/announcements", json!({"not": "a list"})),
        line("/api/v1/nothing/17", json!({})),
        json!({"method": "GET", "path": "/api/v1/instance/rules", "status": 200, "body": [{"id": "1", "text": "x", "odd": 1}],
               "software": "Mastodon", "version": "3.3.0"}),
    ]);
    let (code, report) = verify(&[name(&file)]);
    assert_eq!(code, Some(1));
    assert_eq!(
        (&report["total"], &report["matched"], &report["decoded"]),
        (&json!(4), &json!(3), &json!(1))
    );
    let failed: Vec<_> = report["failed"].as_array().expect("a list").iter().collect();
    let places: Vec<_> =
        failed.iter().map(|row| (&row["line"], &row["operation"], &row["json_path"])).collect();
    assert_eq!(places[0], (&json!(1), &json!("instance.rules"), &json!("$[1].id")));
    assert_eq!(places[1], (&json!(2), &json!("announcements.list"), &json!("$")));
    assert_eq!(report["unmatched"], json!({"GET /api/v1/nothing/:id": 1}));
    let ids = |list: &str| -> Vec<String> {
        let rows = report[list].as_array().expect("a list");
        rows.iter().map(|row| row["id"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert!(ids("too_early").contains(&"instance.rules".to_owned()), "{:?}", ids("too_early"));
    assert_eq!(ids("unknown_fields"), ["Rule.odd"]);
    assert_eq!(ids("promised_but_null"), ["Rule.hint"]);
}

#[test]
fn what_bindings_for_the_answering_release_would_refuse_is_told() {
    // Mastodon 4.6.4 tells every account's address; bindings that are made for it and later releases have no `Option` there. What is
    // missing and has a meaning, such as `locked`, is read.
    let account = json!({"id": "1", "uri": null});
    let line = |version: &str| json!({"method": "GET", "path": "/api/v1/accounts/1", "status": 200, "body": account, "software": "mastodon", "version": version});
    let asked = |version: &str| {
        let file = recorded(&[line(version)]);
        let path = name(&file);
        let told = commands::run(["verify", "--own-floor", "--format", "json", path.as_str()]);
        let report: Value = serde_json::from_str(&told.stdout).expect("a report");
        let rows = report["fails_with_floor"].as_array().expect("rows").clone();
        let ids = rows.into_iter().map(|row| row["id"].to_string());
        (told.code, ids.collect::<Vec<_>>())
    };
    let (code, ids) = asked("4.6.4");
    assert_eq!(code, Some(1));
    assert!(ids.contains(&r#""Account.uri""#.to_owned()), "{ids:?}");
    assert!(!ids.contains(&r#""Account.locked""#.to_owned()), "{ids:?}");
    // It came later than this release.
    let (_, ids) = asked("3.4.0");
    assert!(!ids.contains(&r#""Account.uri""#.to_owned()), "{ids:?}");
    let (_, plain) = verify(&[name(&recorded(&[line("4.6.4")]))]);
    assert!(plain.get("fails_with_floor").is_none());
}

#[test]
fn what_is_no_recording_is_told_and_nothing_is_lost() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "{\"method\": 1}\n\nnot JSON\n").expect("written");
    let (code, report) = verify(&[name(&file)]);
    assert_eq!((code, &report["total"]), (Some(1), &json!(2)));
    assert_eq!(report["failed"][1]["line"], json!(3));
    let missing = commands::run(["verify", "/nowhere/at/all.jsonl"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("/nowhere/at/all.jsonl"), "{}", missing.stderr);
}
