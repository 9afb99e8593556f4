//! The resolved forms before this one are still read: files and lock files of them lie about.

use fedispec_model::api::{Api, SCHEMA};
use fedispec_model::resolved::{from_json, to_json};

/// A small catalogue as the version wrote it that had positions in the file.
const FORMER: &str = include_str!("fedispec-api-1.json");

/// A few items as the version wrote them in which every value of a change in place was a text.
const WITH_TEXTS: &str = include_str!("fedispec-api-2.json");

fn former() -> Api {
    from_json(FORMER).expect("the former schema")
}

#[test]
fn the_former_schema_is_read() {
    let api = former();
    assert_eq!(api.schema, SCHEMA);
    let lookup = &api.operations[0].item;
    assert_eq!(lookup.id, "accounts.lookup");
    assert!(lookup.life.iter().all(|life| life.at.is_some()), "stated");
    let mut entities = api.entities.iter();
    assert!(entities.any(|entity| entity.item.life.iter().any(|life| life.at.is_none())));
}

#[test]
fn what_is_written_now_has_no_positions_and_says_the_same() {
    let text = to_json(&former()).expect("JSON");
    assert!(!text.contains("\"at\":[") && !text.contains("\"files\""));
    assert_eq!(from_json(&text).expect("the schema of today"), former());
    assert!(text.len() < FORMER.len(), "{} of {}", text.len(), FORMER.len());
}

#[test]
fn texts_of_changes_become_values() {
    let api = from_json(WITH_TEXTS).expect("the former schema");
    assert_eq!(api.schema, SCHEMA);
    let changes = |id: &str| -> Vec<String> {
        let mut items = api.operations.iter().map(|one| &one.item).chain(
            { api.entities.iter() }.flat_map(|one| one.fields.iter().map(|field| &field.item)),
        );
        let item = items.find(|item| item.id == id).expect(id);
        let changed = item.life[0].changed.iter();
        changed
            .map(|change| {
                let value = |value: &Option<_>| serde_json::to_string(value).expect("JSON");
                let (from, to) = (value(&change.from), value(&change.to));
                format!("{} {}: {from} {to}", change.what, change.r#in)
            })
            .collect()
    };
    assert_eq!(
        changes("streaming.public"),
        [
            r#"token 2.1.0: "user" "optional""#,
            r#"token 4.2.0: "optional" "user""#,
            r#"scopes 4.3.14: [] ["read:statuses"]"#,
        ]
    );
    assert_eq!(
        changes("admin_accounts.reject"),
        [
            "unauthenticated 3.5.0: 401 403",
            r#"permissions 4.0.0: ["staff"] ["manage_users"]"#,
            r#"returns 4.0.0: "AdminAccount" "empty""#,
        ]
    );
    assert_eq!(changes("InstanceActivity.statuses"), [r#"type 2.1.2: "StringInteger" "string""#]);
    let text = to_json(&api).expect("JSON");
    assert_eq!(from_json(&text).expect("the schema of today"), api);
}

#[test]
fn any_other_schema_is_refused() {
    let text = FORMER.replacen("fedispec-api/1", "fedispec-api/0", 1);
    let error = from_json(&text).expect_err("no schema of ours").to_string();
    assert!(error.contains("fedispec-api/0") && error.contains(SCHEMA), "{error}");
}

#[test]
fn a_bad_version_is_told_with_its_place() {
    for (good, bad, told) in [
        (
            r#"{"version":"4.3.0""#,
            r#"{"version":"4.3""#,
            r#"invalid value: string "4.3", expected a version of three numbers in quotes, like "4.3.0" at line 9 column 20"#,
        ),
        (
            r#""since":"3.3.0""#,
            r#""since":"Never""#,
            r#"invalid value: string "Never", expected a version of three numbers in quotes, `unknown` or `never` at line 17"#,
        ),
        (
            r#""since":"3.3.0""#,
            r#""since":4.3"#,
            "invalid type: floating point `4.3`, expected a version of three numbers in quotes, `unknown` or `never`",
        ),
        (
            r#""effective":"3.3.0""#,
            r#""effective":"3.3.0","removed":"4.3.0-rc.1""#,
            r#"invalid value: string "4.3.0-rc.1", expected a version of three numbers"#,
        ),
        (
            r#""effective":"3.3.0""#,
            r#""effective":"3.3.0","absent":[["4.0.0","x"]]"#,
            r#"invalid value: string "x", expected a version of three numbers"#,
        ),
    ] {
        assert!(FORMER.contains(good), "{good}");
        let error = from_json(&FORMER.replacen(good, bad, 1)).expect_err(bad);
        assert!(error.to_string().contains(told), "{error}");
    }
}
