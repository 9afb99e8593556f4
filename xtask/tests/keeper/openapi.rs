//! `openapi`: the documents are sound, say what real servers answer, and are the same from each command.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use fedispec_tests::commands::{self, Ran};
use serde_json::Value;

fn openapi(args: &[&str]) -> Ran {
    commands::run(["openapi"].iter().chain(args))
}

/// A document, with the shared parameters and answers put where they are used. Several tests look at the same one.
fn parsed(args: &[&str]) -> Arc<Value> {
    static KNOWN: Mutex<BTreeMap<String, Arc<Value>>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().expect("no panic");
    let key = args.join(" ");
    if let Some(document) = known().get(&key) {
        return Arc::clone(document);
    }
    let document = Arc::new(written(args));
    known().insert(key, Arc::clone(&document));
    document
}

fn written(args: &[&str]) -> Value {
    let mut document: Value =
        serde_json::from_str(&openapi(args).succeeded().stdout).expect("JSON");
    let whole = document.clone();
    let paths = document["paths"].as_object_mut().expect("paths").values_mut();
    for operation in paths.flat_map(|path| path.as_object_mut().expect("methods").values_mut()) {
        let operation = operation.as_object_mut().expect("an operation");
        let parts = operation.iter_mut().flat_map(|(key, part)| match part {
            Value::Array(parts) if key == "parameters" => parts.iter_mut().collect(),
            Value::Object(parts) if key == "responses" => parts.values_mut().collect(),
            _ => Vec::new(),
        });
        for part in parts {
            if let Some(path) = part["$ref"].as_str() {
                *part = whole.pointer(&path[1..]).expect("a component").clone();
            }
        }
    }
    document
}

#[test]
fn a_release_has_what_it_had_and_no_more() {
    let new = parsed(&["--as", "mastodon@4.3.0"]);
    let old = parsed(&["--as", "mastodon@2.9.1"]);
    let lookup = "/api/v1/accounts/lookup";
    assert_eq!(new["paths"][lookup]["get"]["operationId"], "accounts.lookup");
    assert_eq!(old["paths"][lookup], Value::Null);
    // Older documents have the older forms: a status was answered whole before 2.9.0, and deleted without an answer.
    let deleted = |document: &Value| {
        document["paths"]["/api/v1/statuses/{id}"]["delete"]["responses"]["200"]["content"].clone()
    };
    assert_eq!(deleted(&parsed(&["--as", "mastodon@2.8.0"])), Value::Null);
    assert_ne!(deleted(&old), Value::Null);
    // A required field is one of that release.
    let required = |document: &Value| {
        let required = &document["components"]["schemas"]["Account"]["required"];
        required.as_array().expect("a list").contains(&"noindex".into())
    };
    assert!(!required(&old));
    assert_eq!(new["info"]["version"], "4.3.0");
}

#[test]
fn all_releases_have_their_since() {
    let all = parsed(&[]);
    let lookup = &all["paths"]["/api/v1/accounts/lookup"]["get"];
    assert_eq!(lookup["x-since"]["mastodon"], "3.4.0");
    assert_eq!(lookup["parameters"][0]["x-since"]["mastodon"], "3.4.0");
    let values = &all["components"]["schemas"]["NotificationType"]["x-values"];
    assert_eq!(values["severed_relationships"]["x-since"]["mastodon"], "4.3.0");
}

/// The members of a body, which stands among the components where it is sent in several ways.
fn members<'d>(document: &'d Value, operation: &'d Value, kind: &str) -> &'d Value {
    let schema = &operation["requestBody"]["content"][kind]["schema"];
    let path = schema["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    let schema = path.map_or(schema, |path| document.pointer(path).expect("a component"));
    &schema["properties"]
}

#[test]
fn a_body_of_several_kinds_is_described_once() {
    let document = parsed(&["--as", "mastodon@4.3.0"]);
    let body = |path: &str, method: &str, kind: &str| {
        document["paths"][path][method]["requestBody"]["content"][kind]["schema"]["$ref"].clone()
    };
    let request = "#/components/schemas/lists.update.request";
    for (method, kind) in [
        ("put", "application/json"),
        ("put", "application/x-www-form-urlencoded"),
        ("put", "multipart/form-data"),
        ("patch", "application/json"),
    ] {
        assert_eq!(body("/api/v1/lists/{id}", method, kind), request, "{method} {kind}");
    }
    // A file that must be sent stands in one kind alone.
    let upload = &document["paths"]["/api/v2/media"]["post"]["requestBody"]["content"];
    assert_eq!(
        upload.as_object().expect("kinds").keys().collect::<Vec<_>>(),
        ["multipart/form-data"]
    );
    // Names nest in JSON and stand in brackets in forms.
    assert_eq!(body("/api/v1/polls/{id}/votes", "post", "application/json"), Value::Null);
    let form = "#/components/schemas/polls.vote.form";
    assert_eq!(body("/api/v1/polls/{id}/votes", "post", "multipart/form-data"), form);
}

#[test]
fn a_request_has_its_bodies_and_names() {
    let create = |args: &[&str]| parsed(args)["paths"]["/api/v1/statuses"]["post"].clone();
    let document = parsed(&[]);
    let all = create(&[]);
    let json = members(&document, &all, "application/json");
    assert_eq!(json["poll"]["properties"]["options"]["type"], "array");
    assert_eq!(json["media_attributes"]["items"]["properties"]["id"]["type"], "string");
    let form = members(&document, &all, "application/x-www-form-urlencoded");
    assert_eq!(form["poll[options][]"]["type"], "array");
    assert_eq!(form["media_ids[]"]["type"], "array");
    assert_eq!(form["media_attributes[][thumbnail]"], Value::Null);
    let multipart = members(&document, &all, "multipart/form-data");
    assert_ne!(multipart["media_attributes[][thumbnail]"], Value::Null);
    assert_eq!(all["parameters"][0]["in"], "header");
    let one = create(&["--bodies", "one"]);
    let kinds = one["requestBody"]["content"].as_object().expect("kinds");
    assert_eq!(kinds.keys().collect::<Vec<_>>(), ["application/json"]);
    assert_eq!(one["x-left-out"][0], "statuses.create.media_attributes.thumbnail");
    let whole = parsed(&["--bodies", "one"]);
    let left_out = whole["info"]["x-left-out"].as_array().expect("a list");
    assert!(left_out.contains(&"media.upload".into()), "{left_out:?}");
}

#[test]
fn another_method_is_an_operation_of_its_own() {
    let of = |args: &[&str]| parsed(args)["paths"]["/api/v1/lists/{id}"].clone();
    let all = of(&[]);
    assert_eq!(all["put"]["operationId"], "lists.update");
    assert_eq!(all["put"]["x-twin-of"], Value::Null);
    assert_eq!(all["patch"]["operationId"], "lists.update.patch");
    assert_eq!(all["patch"]["x-twin-of"], "lists.update");
    assert_eq!(all["patch"]["requestBody"], all["put"]["requestBody"]);
    // It is told of the programs that have it, alone.
    let since = |method: &str| all[method]["x-since"].as_object().expect("programs").clone();
    assert!(since("put").contains_key("gotosocial"));
    assert_eq!(since("patch").keys().collect::<Vec<_>>(), ["mastodon"]);
    assert_ne!(of(&["--as", "mastodon@4.3.0"])["patch"], Value::Null);
    assert_eq!(of(&["--as", "gotosocial@0.19.2"])["patch"], Value::Null);
}

#[test]
fn an_answer_is_as_its_release_gives_it() {
    let statuses = |release: &str| {
        let create = &parsed(&["--as", release])["paths"]["/api/v1/statuses"]["post"];
        create["responses"]["501"]["description"].clone()
    };
    assert_eq!(statuses("gotosocial@0.16.0"), Value::Null);
    assert_eq!(statuses("gotosocial@0.17.0"), "`scheduled_at` is set.");
    assert_eq!(statuses("mastodon@4.6.5"), Value::Null);
    let document = parsed(&["--as", "mastodon@4.6.5"]);
    let responses = |path: &str| document["paths"][path]["get"]["responses"].clone();
    let campaign = responses("/api/v1/donation_campaigns");
    assert_ne!(campaign["200"]["content"], Value::Null);
    assert_ne!(campaign["204"], Value::Null);
    assert_eq!(campaign["204"]["content"], Value::Null);
    // How the pages of a program that stands apart are found is its own matter, and here no source says it.
    let pleroma = parsed(&["--as", "pleroma@2.9.1"]);
    for (document, paging) in [(&document, Value::from("link")), (&pleroma, Value::Null)] {
        assert_eq!(document["paths"]["/api/v1/bookmarks"]["get"]["x-paging"], paging);
    }
    // Generators take one type of answer.
    let one = parsed(&["--as", "mastodon@4.6.5", "--bodies", "one"]);
    let one = &one["paths"]["/api/v1/donation_campaigns"]["get"]["responses"];
    assert_eq!(one["204"], Value::Null);
    let sent = |path: &str| responses(path)["200"]["content"].as_object().expect("kinds").clone();
    let resource = sent("/.well-known/webfinger");
    assert_eq!(
        resource["application/jrd+json"]["schema"]["$ref"],
        "#/components/schemas/Webfinger"
    );
    let page = sent("/oauth/authorize");
    assert_eq!(page["text/html"]["schema"]["type"], "string");
    // The staff may have named no address.
    let email = &document["components"]["schemas"]["V1Instance"]["properties"]["email"];
    assert_eq!(email["format"], Value::Null);
    assert_eq!(email["x-format"], "email");
}

/// The texts of a document: summaries and descriptions.
fn texts(value: &Value, to: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            let of =
                ["summary", "description"].iter().filter_map(|key| members.get(*key)?.as_str());
            to.extend(of.map(str::to_owned));
            members.values().for_each(|value| texts(value, to));
        }
        Value::Array(elements) => elements.iter().for_each(|value| texts(value, to)),
        _ => {}
    }
}

#[test]
fn a_release_names_itself_alone() {
    for (release, others) in [
        ("mastodon@4.3.0", "GoToSocial"),
        ("mastodon@2.9.1", "GoToSocial"),
        ("gotosocial@0.17.0", "Mastodon"),
    ] {
        let mut told = Vec::new();
        texts(&parsed(&["--as", release]), &mut told);
        assert!(told.len() > 500, "{release}: {}", told.len());
        let named: Vec<_> = told.iter().filter(|text| text.contains(others)).collect();
        assert!(named.is_empty(), "{release}: {named:?}");
        let newer: Vec<_> = told.iter().filter(|text| text.contains("quoted_status_id")).collect();
        assert!(newer.is_empty(), "{release}: {newer:?}");
    }
    // All releases together are told with all programs.
    let mut told = Vec::new();
    texts(&parsed(&[]), &mut told);
    assert!(told.iter().any(|text| text.contains("GoToSocial")));
}

#[test]
fn an_answer_has_no_alternative_that_the_release_lacks() {
    let created = |release: &str| {
        let create = &parsed(&["--as", release])["paths"]["/api/v1/statuses"]["post"];
        create["responses"]["200"]["content"]["application/json"]["schema"].to_string()
    };
    assert!(created("mastodon@4.3.0").contains("ScheduledStatus"));
    assert_eq!(created("gotosocial@0.19.2"), r##"{"$ref":"#/components/schemas/Status"}"##);
}

#[test]
fn errors_are_single_statuses_and_names_do_not_collide() {
    let document = parsed(&["--as", "mastodon@4.6.5"]);
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for operation in methods.as_object().expect("methods").values() {
            let statuses = operation["responses"].as_object().expect("responses");
            assert!(statuses.keys().all(|status| status.parse::<u16>().is_ok()), "{path}");
            assert!(statuses.contains_key("429"), "{path}");
        }
    }
    let shared = &document["components"]["responses"];
    assert_ne!(shared["Invalid"]["content"]["application/json"], Value::Null);
    // Generators join the parts of a name and make an own one of the names of a property and its entity.
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let joined = |name: &str| name.replace(['.', '_', '-'], "").to_lowercase();
    let mut names = std::collections::BTreeSet::new();
    for (name, schema) in schemas {
        assert!(names.insert(joined(name)), "{name}");
        let maps = schema["properties"].as_object().into_iter().flatten();
        for (key, _) in maps.filter(|(_, value)| value["additionalProperties"].is_object()) {
            assert!(names.insert(joined(&format!("{name}{key}"))), "{name}.{key}");
        }
    }
    assert!(schemas.contains_key("Rule.translations.value"));
}

#[test]
fn what_is_refused_empty_must_not_be_empty() {
    let document = parsed(&["--as", "mastodon@4.6.5"]);
    let member = |path: &str, name: &str| {
        members(&document, &document["paths"][path]["post"], "application/json")[name].clone()
    };
    assert_eq!(member("/api/v1/lists", "title")["minLength"], 1);
    assert_eq!(member("/api/v1/statuses", "spoiler_text")["minLength"], Value::Null);
    assert_eq!(member("/api/v2/filters", "context")["minItems"], 1);
    assert_eq!(member("/api/v2/filters", "keywords_attributes")["minItems"], Value::Null);
}

#[test]
fn who_may_call_is_told() {
    let document = parsed(&["--as", "mastodon@4.3.0"]);
    let security =
        |path: &str, method: &str| document["paths"][path][method]["security"].to_string();
    assert_eq!(security("/api/v2/instance", "get"), "[]");
    assert_eq!(security("/api/v1/lists", "get"), r#"[{"user":["read:lists"]}]"#);
    let flows = &document["components"]["securitySchemes"]["user"]["flows"];
    let scopes = &flows["authorizationCode"]["scopes"];
    assert!(scopes["read:lists"].is_string(), "{scopes}");
}

#[test]
fn what_nobody_knows_is_named() {
    for (args, told) in [
        (["--as", "mastodon@4.9.4"], "the nearest before it is 4.7"),
        (["--as", "mastodn@4.6.4"], "did you mean `mastodon`?"),
        (["--as", "mastodon"], "write PROGRAM@VERSION"),
        (["--groups", "acounts"], "did you mean `accounts`?"),
    ] {
        let ran = openapi(&args);
        assert_eq!(ran.code, Some(2), "{args:?}");
        assert!(ran.stderr.contains(told), "{args:?}: {}", ran.stderr);
        assert_eq!(ran.stdout, "");
    }
}
