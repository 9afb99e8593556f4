//! Features: items, names, ids, and since when a program has one.

use fedispec_model::api::{Layer, Since};
use fedispec_model::features::{FeatureLife, Features};
use fedispec_since::{StableVersion, Verdict};

use super::support::Spec;

/// An operation, a list that is empty at first, and one that went again.
const ITEMS: &str = r#"operations:
  accounts.get: {summary: Gets., since: {mastodon: "1.0.0", gotosocial: "0.1.0"}}
  accounts.list: {summary: Lists., method: GET, path: /api/v1/things, returns: "string[]", since: {mastodon: "2.0.0", gotosocial: "0.1.0"}, stub: {gotosocial: "0.1.0"}, works_since: {gotosocial: "0.19.0"}, params: {many: {in: query, type: integer, since: {mastodon: "2.0.0", gotosocial: "0.1.0"}}}}
  accounts.gone: {summary: Goes., since: {mastodon: "2.0.0", gotosocial: never}, removed: {mastodon: "4.5.0"}}
  accounts.hole: {summary: Goes and comes., since: {mastodon: "1.0.0", gotosocial: never}, absent: {mastodon: [["2.0.0", "4.5.0"]]}}
  accounts.left: {summary: Goes too., since: {mastodon: "2.0.0", gotosocial: "0.1.0"}, removed: {mastodon: "4.5.0"}}
  accounts.came: {summary: Comes then., since: {mastodon: "4.5.0", gotosocial: "0.1.0"}}
  accounts.idle: {summary: Does nothing., since: {mastodon: "2.0.0", gotosocial: never}, works_since: {mastodon: never}}
  accounts.late: {summary: Is another's., since: {mastodon: never, gotosocial: "0.19.0"}}
  accounts.newer: {summary: Is new., since: {mastodon: "4.5.0", gotosocial: unknown}}
"#;

fn spec(features: &str) -> Spec<'static> {
    let documents = r#"operations:
  accounts.old: {since: {mastodon: "1.0.0"}}
"#;
    let mut spec = Spec::new(documents, ITEMS);
    spec.files.push(("features.yaml", format!("features:\n{features}")));
    spec
}

#[test]
fn since_is_computed_from_the_items() {
    let api = spec(
        "  both: {summary: Both., all: [accounts.get, accounts.list]}
  either: {summary: One of two., synonyms: [any of them], one_of: [accounts.gone, accounts.newer]}
  gone: {summary: It goes., all: [accounts.gone]}
  hole: {summary: It goes and comes., all: [accounts.get, accounts.hole]}
  mixed: {summary: One and another., all: [accounts.get], one_of: [accounts.gone, accounts.list]}
  never_both: {summary: One went as the other came., all: [accounts.left, accounts.came]}
",
    )
    .full();
    let features = Features::new(&api);
    let told = features.all().map(|(feature, lives)| {
        let lives = lives.iter().map(FeatureLife::text).collect::<Vec<_>>();
        format!("{}: {}", feature.id, lives.join(" · "))
    });
    let told: Vec<_> = told.collect();
    assert_eq!(
        told,
        [
            "both: 2.0.0 · 0.19.0",
            "either: 2.0.0 · unknown",
            "gone: 2.0.0, removed in 4.5.0 · never",
            "hole: 1.0.0, absent from 2.0.0 until 4.5.0 · never",
            "mixed: 2.0.0 · 0.19.0",
            "never_both: never · 0.1.0",
        ]
    );
    let both = &api.features[0];
    for (release, expected) in [((0, 1, 0), Verdict::Stub), ((0, 19, 0), Verdict::Yes)] {
        let release = StableVersion(release.0, release.1, release.2);
        assert_eq!(features.verdict(both, 1, release), expected, "{release}");
    }
    assert_eq!(features.life(both, 0).since, Since::Since(StableVersion(2, 0, 0)));
    assert!(api.features[1].is_called("Any-of them"));
}

#[test]
fn the_documents_have_no_features() {
    let spec = spec("  both: {summary: Both., all: [accounts.get, accounts.list]}\n");
    let documents = spec.resolve(Layer::Documents).expect("sound documents");
    assert!(documents.features.is_empty());
}

#[test]
fn a_catalogue_needs_no_features() {
    let mut spec = spec("");
    spec.files.pop();
    assert!(spec.full().features.is_empty());
}

#[test]
fn items_exist_and_are_listed_once() {
    spec(
        "  nothing: {summary: Nothing.}
  slip: {summary: A slip., all: [accounts.gett, accounts]}
  twice: {summary: Twice., all: [accounts.get], one_of: [accounts.get, accounts.newer]}
  single: {summary: No choice., one_of: [accounts.get]}
  blank: {summary: \" \", all: [accounts.get]}
",
    )
    .says(
        "spec/features.yaml:2:3: the feature has no items, so that nobody can tell who has it (list the ids of items under `all`, or those of which one is enough under `one_of`)
spec/features.yaml:3:34: there is no item `accounts.gett` (did you mean `accounts.get`?)
spec/features.yaml:3:49: there is no item `accounts` (write the id of an item as `show` prints it: an operation, a parameter, a field or a value)
spec/features.yaml:4:58: `accounts.get` is needed anyway: it stands under `all` (remove it from one of the two lists)
spec/features.yaml:5:33: one of a single item is that item (write `accounts.get` under `all`)
spec/features.yaml:6:20: the summary is blank (write a sentence about the feature)",
    );
}

#[test]
fn some_release_of_some_program_has_a_feature() {
    spec(
        "  never_both: {summary: One went as the other came., all: [accounts.gone, accounts.newer]}
  inside: {summary: One stands in the other., all: [accounts.list.many, accounts.list]}
  enough: {summary: One is enough., one_of: [accounts.list, accounts.list.many]}
  idle: {summary: One does nothing., one_of: [accounts.get, accounts.idle]}
  other: {summary: One is another program's., all: [accounts.gone], one_of: [accounts.hole, accounts.late]}
",
    )
    .says(
        "spec/features.yaml:2:59: no release of any program has all of these (leave one out, or list them under `one_of`)
spec/features.yaml:3:53: whoever has `accounts.list.many` has `accounts.list` (remove `accounts.list`)
spec/features.yaml:4:61: whoever has `accounts.list.many` has `accounts.list`, which is enough (remove `accounts.list.many`)
spec/features.yaml:5:61: no program has `accounts.idle` and does anything with it (name an item that some program heeds)
spec/features.yaml:6:77: one of these is in no release that has the rest (leave one out: it is there without what stands under `all`)",
    );
}

#[test]
fn names_belong_to_one_feature() {
    spec(
        "  editHistory: {summary: A., all: [accounts.get]}
  2fa: {summary: B., all: [accounts.get]}
  all: {summary: C., all: [accounts.get]}
  edits: {summary: D., synonyms: [Revisions, edits, \"!\"], all: [accounts.get]}
  old_edits: {summary: E., synonyms: [revisions, edits], all: [accounts.get]}
  old__edits: {summary: F., all: [accounts.get]}
",
    )
    .says(
        "spec/features.yaml:2:3: the id `editHistory` of a feature is not in snake_case (write it in small letters, digits and single `_`, as `edit_history`)
spec/features.yaml:3:3: the id `2fa` of a feature is not in snake_case (write it in small letters, digits and single `_`, as `edit_history`)
spec/features.yaml:4:3: the constant `ALL` is the list of all features (choose another id)
spec/features.yaml:5:46: `edits` names a feature already (choose another name, or remove one of the two: a name belongs to one feature)
spec/features.yaml:5:53: the synonym has no letter (write a name, or remove it)
spec/features.yaml:6:39: `revisions` names a feature already (choose another name, or remove one of the two: a name belongs to one feature)
spec/features.yaml:6:50: `edits` names a feature already (choose another name, or remove one of the two: a name belongs to one feature)
spec/features.yaml:7:3: `old__edits` names a feature already (choose another name, or remove one of the two: a name belongs to one feature)
spec/features.yaml:7:3: the id `old__edits` of a feature is not in snake_case (write it in small letters, digits and single `_`, as `edit_history`)",
    );
}

#[test]
fn the_file_is_read_strictly() {
    spec("  edits: {summary: D., any: [accounts.get], since: {mastodon: \"1.0.0\"}}\n").says(
        "spec/features.yaml:2:3: the feature has no items, so that nobody can tell who has it (list the ids of items under `all`, or those of which one is enough under `one_of`)
spec/features.yaml:2:24: unknown key `any` (known here are `summary`, `synonyms`, `all`, `one_of`)
spec/features.yaml:2:45: unknown key `since` (known here are `summary`, `synonyms`, `all`, `one_of`)",
    );
    spec("  edits: [accounts.get]\n").says("spec/features.yaml:2:10: `edits` is a list, not a map (write a map: lines of `key: value`, indented)");
    let mut empty = spec("");
    empty.files.last_mut().expect("features").1.clear();
    empty.says("spec/features.yaml: the file is empty (write `features:` into it, or remove it)");
}
