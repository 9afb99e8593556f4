//! Facts that the catalogue states once: `defaults` of the registry, and errors by status alone.

use fedispec_model::api::{Api, Layer};
use fedispec_since::Paging;

use crate::support::{DOCUMENTS, IMPLEMENTATIONS, Spec};

const DEFAULTS: &str = "defaults:
  success: [200]
  paging: none
  nullable: false
  optional: false
  errors: {\"401\": The token is missing or not valid., \"404\": There is none.}
";

/// The defaults of every file over the documents: its sources, and no unknown facts.
const HEAD: &str = "area: test
defaults:
  since: {mastodon: \"2.0.0\", gotosocial: never}
  evidence: {mastodon: server, gotosocial: server, shape: server}
";

fn registry() -> String {
    format!("{IMPLEMENTATIONS}{DEFAULTS}")
}

/// A catalogue of two files, one for each layer.
fn spec<'t>(implementations: &'t str, documents: &str, supplement: &str) -> Spec<'t> {
    let mut spec = Spec::new("", "");
    spec.implementations = implementations;
    spec.files = vec![
        ("documents/a.yaml", format!("{DOCUMENTS}{documents}")),
        ("supplement/a.yaml", format!("{HEAD}{supplement}")),
    ];
    spec
}

const LONG: &str = r#"operations:
  accounts.get:
    method: GET
    path: /a/:id
    auth: {token: none}
    returns: A
    success: [200]
    paging: none
    errors: {"401": {when: The token is missing or not valid.}, "404": {when: There is none.}}
    params:
      id: {type: string}
entities:
  A:
    fields:
      a: {type: string, nullable: false, optional: false}
      b: {type: string, nullable: true, optional: false}
"#;

const SHORT: &str = "operations:
  accounts.get:
    method: GET
    path: /a/:id
    auth: {token: none}
    returns: A
    errors: [401, 404]
    params:
      id: {type: string}
entities:
  A:
    fields:
      a: {type: string}
      b: {type: string, nullable: true}
";

fn without_places(api: &Api) -> String {
    fedispec_model::resolved::to_json(api).unwrap()
}

#[test]
fn the_short_form_says_what_the_long_one_says() {
    let registry = registry();
    let long = spec(&registry, "", LONG).full();
    assert_eq!(long.operations[0].errors.len(), 2);
    assert_eq!(long.operations[0].paging, Paging::None);
    let short = spec(&registry, "", SHORT).full();
    assert_eq!(without_places(&short), without_places(&long));
}

#[test]
fn the_documents_say_nothing_by_it() {
    let documents = "operations:
  accounts.list: {since: {mastodon: \"2.0.0\"}}
entities:
  A: {fields: {a: {since: {mastodon: \"2.0.0\"}}}}
  B: {fields: {a: {since: {mastodon: \"2.0.0\"}}}}
";
    let registry = registry();
    let supplement = SHORT.replace(
        "    fields:\n      a: {type: string}",
        "    fields:\n      a: {type: string, nullable: unknown}",
    );
    let spec = spec(&registry, documents, &supplement);
    let documented = spec.resolve(Layer::Documents).unwrap();
    assert!(documented.operations[0].success.is_empty());
    let full = spec.full();
    let operation = |id: &str| full.operations.iter().find(|one| one.item.id == id).unwrap();
    assert_eq!(operation("accounts.get").success, [200]);
    assert_eq!(operation("accounts.list").paging, Paging::Unknown);
    let known = |id: &str| {
        let entity = full.entities.iter().find(|one| one.item.id == id).unwrap();
        entity.fields[0].presence_known
    };
    assert!(!known("A") && !known("B"));
}

#[test]
fn a_file_may_leave_it_open() {
    let registry = registry();
    let mut spec = spec(&registry, "", SHORT);
    spec.files[1].1 = spec.files[1]
        .1
        .replace("defaults:\n", "defaults:\n  unknown: [success, optional, errors]\n");
    let api = spec.full();
    let operation = &api.operations[0];
    assert!(operation.success.is_empty());
    assert_eq!(operation.errors[0].when, None);
    assert!(!api.entities[0].fields[0].presence_known);
}

#[test]
fn without_defaults_it_has_to_be_said() {
    spec(IMPLEMENTATIONS, "", SHORT).says(r"
spec/supplement/a.yaml:6:3: `accounts.get` neither states `success`, `paging` nor says that it is unknown (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)
spec/supplement/a.yaml:17:7: `A.a` neither states `nullable`, `optional` nor says that it is unknown (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)
spec/supplement/a.yaml:18:7: `A.b` neither states `optional` nor says that it is unknown (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)
");
}

#[test]
fn statuses_are_numbers_and_stand_once() {
    let registry = registry().replace("\"404\": There", "\"44\": It is none., \"404\": There");
    let line = registry.lines().count();
    let wrong = SHORT.replace("[401, 404]", "[401, \"404\", 401, 200, {}]");
    spec(&registry, "", &wrong).says(&format!(r"
spec/implementations.yaml:{line}:55: `44` is not a status of an error (errors have a status from 400 to 599; others belong to `success`)
spec/supplement/a.yaml:11:5: `200` is not a status of an error (errors have a status from 400 to 599; others belong to `success`)
spec/supplement/a.yaml:11:19: an element of `errors` is text, not a whole number up to 599 (write digits without quotes)
spec/supplement/a.yaml:11:26: `401` stands twice in the list (remove one of the two)
spec/supplement/a.yaml:11:36: an element of `errors` is a map, not a whole number up to 599 (write a whole number up to 599)
"));
}
