//! Programs with a folder of their own: what they say of the catalogue's items, and what is theirs alone.

use fedispec_model::api::{Api, Item, Layer, Origin, Since};
use fedispec_model::resolved::{from_json, to_json};
use fedispec_since::{Presence, Required};

use super::support::Spec;

const DOCUMENTS: &str = "
operations:
  accounts.get: {since: {mastodon: \"1.0.0\"}, params: {id: {}, with: {}}}
  accounts.list: {since: {mastodon: \"2.0.0\"}}
entities:
  Account: {fields: {id: {since: {mastodon: \"1.0.0\"}}, bot: {since: {mastodon: \"2.0.0\"}}}}
";
const SUPPLEMENT: &str = "
operations:
  accounts.get:
    {since: {gotosocial: never}, method: GET, path: \"/a/:id\", auth: {token: user}, returns: Account, success: [200], errors: {\"404\": {when: Gone.}},
     params: {id: {in: path, type: id, required: true}, with: {in: query, type: boolean, required: false}}}
  accounts.list: {since: {gotosocial: never}, method: GET, path: /a, auth: {token: none}, returns: \"Account[]\"}
entities:
  Account: {fields: {id: {since: {gotosocial: \"0.1.0\"}, type: id}, bot: {since: {gotosocial: never}, type: boolean}}}
";
const REGISTRY: &str = "programs:
  pleroma: {name: Pleroma, nodeinfo: [pleroma], releases: {\"1.0.0\": {}, \"2.0.0\": {}}}
sources:
  pleroma-source: {class: B, title: Pleroma's source, programs: [pleroma]}
";
const FACTS: &str = "area: Pleroma
defaults: {unknown: [auth, returns, success, errors, paging, default, nullable, optional], evidence: {pleroma: pleroma-source, shape: pleroma-source}}
";

/// The catalogue with the folder of Pleroma.
fn with(registry: &'static str, facts: &str) -> Spec<'static> {
    let mut spec = Spec::new(DOCUMENTS, SUPPLEMENT);
    spec.files.push(("programs/pleroma/implementations.yaml", registry.to_owned()));
    spec.files.push(("programs/pleroma/a.yaml", format!("{FACTS}{facts}")));
    spec
}

fn item<'a>(api: &'a Api, id: &str) -> &'a Item {
    let operations = api.operations.iter().flat_map(|one| {
        std::iter::once(&one.item).chain(one.params.iter().map(|param| &param.item))
    });
    let fields = api.entities.iter().flat_map(|one| one.fields.iter().map(|field| &field.item));
    operations.chain(fields).find(|item| item.id == id).unwrap_or_else(|| panic!("no {id}"))
}

fn since(api: &Api, id: &str) -> Vec<String> {
    item(api, id).life.iter().map(|life| life.effective.to_string()).collect()
}

#[test]
fn what_a_folder_does_not_name_is_unknown_and_nothing_of_others_holds() {
    let api = with(REGISTRY, "operations:\n  accounts.get: {since: {pleroma: \"2.0.0\"}}\n").full();
    assert_eq!(since(&api, "accounts.get"), ["1.0.0", "never", "2.0.0"]);
    assert_eq!(since(&api, "accounts.get.with"), ["1.0.0", "never", "unknown"]);
    assert_eq!(since(&api, "accounts.list"), ["2.0.0", "never", "unknown"]);
    // The path of an operation that is there names its parameters.
    let id = &item(&api, "accounts.get.id").life[2];
    assert_eq!(id.effective.to_string(), "2.0.0");
    assert_eq!(id.evidence.as_ref().unwrap().source, "Pleroma's source");
    let get = &api.operations[0];
    assert!(get.auth.as_ref().unwrap().of(0).is_some());
    assert_eq!(get.auth.as_ref().unwrap().of(2), None);
    assert_eq!(get.params[0].at(0, None).required, Required::Always);
    assert_eq!(get.params[0].at(2, None).required, Required::Unknown);
    assert!(get.success_at(0, None) == [200] && get.success_at(2, None).is_empty());
}

#[test]
fn one_line_speaks_of_many_and_the_closest_holds() {
    let api = with(
        REGISTRY,
        "has:
  - {since: {pleroma: \"1.0.0\"}, of: [accounts], but: [accounts.get.with]}
  - {since: {pleroma: never}, of: [accounts.list, Account.bot]}
operations:
  accounts.get: {params: {own: {since: {pleroma: \"2.0.0\"}}}}
",
    )
    .full();
    assert_eq!(since(&api, "accounts.get")[2], "1.0.0");
    assert_eq!(since(&api, "accounts.get.own")[2], "2.0.0");
    assert_eq!(since(&api, "accounts.get.with")[2], "unknown");
    assert_eq!(since(&api, "accounts.list")[2], "never");
    assert_eq!(since(&api, "Account.bot")[2], "never");
    let life = &item(&api, "accounts.get").life[2];
    assert_eq!(life.evidence.as_ref().unwrap().source, "Pleroma's source");
}

/// A line that a program has an operation says nothing of its errors, and nothing of what others have added to it.
#[test]
fn a_line_for_all_is_the_farthest_and_claims_nothing_of_others() {
    let facts = "has:
  - {since: {takahe: \"1.0.0\"}, of: [accounts.get]}
  - {since: {takahe: never}, of: [operations]}
";
    let added = "operations:
  accounts.get:
    {since: {pleroma: \"1.0.0\"}, params: {own: {in: query, type: boolean, required: false, since: {pleroma: \"1.0.0\"}}}}
";
    let mut spec = with(REGISTRY, added);
    let other = |text: &str| text.replace("pleroma", "takahe").replace("Pleroma", "Takahe");
    spec.files.push(("programs/takahe/implementations.yaml", other(REGISTRY)));
    spec.files.push(("programs/takahe/a.yaml", other(FACTS) + facts));
    let api = spec.full();
    assert_eq!(since(&api, "accounts.get")[3], "1.0.0");
    assert_eq!(since(&api, "accounts.get.with")[3], "1.0.0");
    assert_eq!(since(&api, "accounts.get.own")[2..], ["1.0.0", "unknown"]);
    assert_eq!(since(&api, "accounts.list")[3], "never");
    assert_eq!(since(&api, "Account.bot")[3], "unknown");
    let errors = &api.operations[0].errors;
    assert!(errors[0].life.get(3).is_none_or(|life| life.effective.to_string() == "unknown"));
}

const OWN: &str = "operations:
  accounts.react:
    {summary: Reacts., method: PUT, path: \"/a/:id/b\", since: {pleroma: \"1.0.0\"}, params: {id: {in: path, type: id, required: true, since: {pleroma: \"1.0.0\"}}}}
  accounts.list: {params: {muted: {in: query, type: boolean, required: false, since: {pleroma: \"2.0.0\"}}}}
has: [{since: {pleroma: \"1.0.0\"}, of: [accounts.list]}]
entities:
  Account: {fields: {tags: {type: \"string[]\", since: {pleroma: \"1.0.0\"}}}}
";

#[test]
fn a_folder_says_what_its_program_does_with_a_field_that_an_entity_takes_over() {
    let taker = "  MutedAccount: {includes: Account, since: {mastodon: \"2.0.0\", gotosocial: never}, fields: {}}\n";
    let mut spec = with(
        REGISTRY,
        "entities:
  Account: {fields: {bot: {since: {pleroma: \"1.0.0\"}, presence: {pleroma: optional}, evidence: {presence.pleroma: pleroma-source}}}}
  MutedAccount: {fields: {bot: {since: {pleroma: \"1.0.0\"}, removed: {pleroma: \"2.0.0\"}, presence: {pleroma: always}, evidence: {presence.pleroma: pleroma-source}, type: unknown}}}
",
    );
    let (_, supplement) =
        spec.files.iter_mut().find(|(path, _)| path.contains("supplement")).expect("it");
    supplement.push_str(taker);
    let api = spec.full();
    let field = |entity: &str| {
        let entity = api.entities.iter().find(|one| one.item.id == entity).expect(entity);
        let field = entity.fields.iter().find(|field| field.item.wire == "bot").expect("a field");
        let said = (field.item.life[2].removed.is_some(), field.own_presence(2));
        (
            field.r#type.clone(),
            field.inherited_from.clone(),
            said,
            field.item.life[0].since.to_string(),
        )
    };
    let boolean = fedispec_model::api::Type::Boolean;
    let since = "2.0.0".to_owned();
    let optional = Presence { optional: true, nullable: false };
    assert_eq!(field("Account"), (boolean.clone(), None, (false, Some(optional)), since.clone()));
    let always = (true, Some(Presence::ALWAYS));
    assert_eq!(field("MutedAccount"), (boolean, Some("Account".to_owned()), always, since));
}

#[test]
fn what_is_in_a_folder_alone_is_never_in_others_and_changes_no_type() {
    let api = with(REGISTRY, OWN).full();
    for id in ["accounts.react", "accounts.react.id", "accounts.list.muted", "Account.tags"] {
        assert_eq!(&since(&api, id)[..2], ["never", "never"], "{id}");
        assert_eq!(item(&api, id).origin, Origin::Program);
    }
    // It is recognized all the same.
    let without = Api { profiles: api.profiles.clone(), ..Spec::new(DOCUMENTS, SUPPLEMENT).full() };
    let mut typed = api.without_apart(|_| false).expect("the others");
    for field in typed.entities.iter_mut().flat_map(|entity| &mut entity.fields) {
        // The folder states none of these fields.
        assert!(std::mem::take(&mut field.missed_apart), "{}", field.item.id);
    }
    assert_eq!(typed, without);
    assert_eq!(api.without_apart(|program| program.key == "pleroma"), None);
}

const FORK: &str = "programs:
  glitch: {name: Glitch, based_on: mastodon, releases: {\"2.0.0\": {}, \"3.0.0\": {}}}
sources:
  pleroma-source: {class: B, title: Glitch's source, programs: [glitch]}
";

/// A fork of Mastodon with facts of its own.
fn fork<'t>(supplement: &'t str, facts: &str) -> Spec<'t> {
    let mut spec = Spec::new(DOCUMENTS, supplement);
    spec.files.push(("programs/glitch/implementations.yaml", FORK.replace("pleroma", "glitch")));
    spec.files.push(("programs/glitch/a.yaml", FACTS.replace("pleroma", "glitch") + facts));
    spec
}

#[test]
fn a_fork_has_what_it_is_based_on_and_what_it_says_itself() {
    let facts = "operations:\n  accounts.get: {works_since: {glitch: never}}\n  accounts.list: {since: {glitch: \"3.0.0\"}}\n";
    let spec = fork(SUPPLEMENT, facts);
    let api = spec.full();
    assert_eq!(since(&api, "accounts.get"), ["1.0.0", "never", "1.0.0"]);
    assert_eq!(since(&api, "accounts.list"), ["2.0.0", "never", "3.0.0"]);
    let works = api.operations[0].item.life.iter().map(|life| life.works_since);
    assert_eq!(works.collect::<Vec<_>>(), [None, None, Some(Since::Never)]);
    assert_eq!(
        api.operations[0].auth.as_ref().unwrap().of(2).map(|auth| auth.token.name()),
        Some("user")
    );
    assert_eq!(api.operations[0].params[0].at(2, None).required, Required::Always);
    let text = to_json(&api).unwrap();
    assert_eq!(from_json(&text).unwrap(), api);
    let get = text.lines().find(|line| line.contains("\"id\":\"accounts.get.id\"")).unwrap();
    assert_eq!(
        get.matches("1.0.0").count(),
        1,
        "it says of the fork what it says of the base: {get}"
    );
}

/// What follows the Since of its base is its own where it says so, and fits that Since.
#[test]
fn a_fork_says_what_became_of_an_item() {
    let with = |facts: &str| {
        let facts = format!(
            "operations:\n  accounts.list: {{{facts}, evidence: {{glitch: glitch-source}}}}\n"
        );
        fork(SUPPLEMENT, &facts)
    };
    let api = with("removed: {glitch: \"3.0.0\"}").full();
    let removed = api.operations[1].item.life.iter().map(|life| life.removed.is_some());
    assert_eq!(removed.collect::<Vec<_>>(), [false, false, true]);
    assert_eq!(from_json(&to_json(&api).unwrap()).unwrap(), api);
    with("removed: {glitch: \"2.0.0\"}").says("spec/programs/glitch/a.yaml:4:37: in Glitch, `accounts.list` is removed in 2.0.0, which is no later than its Since, 2.0.0 (an item is added, then deprecated, then removed)");
}

/// A folder adds to what all programs share nothing that would hold of the others.
#[test]
fn a_folder_speaks_of_its_program_alone() {
    let facts = "operations:\n  accounts.list: {replacement: accounts.get}\ndisputes: [{item: accounts.list, fact: since.mastodon, documents: \"1.0.0\", supplement: \"2.0.0\", verdict: documents, why: It is so., evidence: glitch-source}]\ntombstones: {accounts.gone: {why: It is gone., evidence: glitch-source}}\n";
    let spec = fork(SUPPLEMENT, facts);
    spec.says(
        "spec/programs/glitch/a.yaml:4:19: `replacement` would hold of all programs here (state it where the item is described)
spec/programs/glitch/a.yaml:5:40: `since.mastodon` is not of this folder's program alone (dispute it in `supplement`, or name a fact of the program, as `since.` with its key)
spec/programs/glitch/a.yaml:5:67: the layer below no longer has this value of `since.mastodon` of `accounts.list` (look at the dispute again: correct it or remove it)
spec/programs/glitch/a.yaml:6:14: this takes `accounts.gone` away in all programs (write `since` or `removed` of the program, or move it to `supplement`)",
    );
}

/// What is said of all programs already is no more said of this one.
#[test]
fn a_folder_names_its_program() {
    let of = |required: &str| {
        format!("operations:\n  accounts.get: {{params: {{with: {{required: {required}}}}}}}\n")
    };
    for required in ["false", "true"] {
        fork(SUPPLEMENT, &of(required)).says(
            "spec/programs/glitch/a.yaml:4:34: `required` would hold of all programs here (say what its program does: `required: {glitch: ..}`)",
        );
    }
}

/// What is wrong in a folder is told there, once, and nothing of what follows.
#[test]
fn a_slip_in_a_folder_is_told_there() {
    let with_param =
        |fact: &str| format!("operations:\n  accounts.get: {{params: {{with: {{{fact}}}}}}}\n");
    for (facts, expected) in [
        (
            "entities:\n  Account: {fields: {bot: {since: {pleroma: \"1.0.0\"}, removed: \"2.0.0\"}}}\n".to_owned(),
            "spec/programs/pleroma/a.yaml:4:64: `removed` is text, not a map (put it under the program that it is true of, `removed: {PROGRAM: \"2.0.0\"}`)",
        ),
        (with_param("unlisted_values: {pleroma: refused}"), "spec/programs/pleroma/a.yaml:4:51: `accounts.get.with` takes any value, as its type is no enumeration (give it an enumeration as its type, or remove `unlisted_values`)"),
        (with_param("evidence: {pleroma: pleroma-source, removed: {pleroma: \"2.0.0\"}}"), "spec/programs/pleroma/a.yaml:4:70: `removed` stands among the evidence (indent it less, as a fact of the item)"),
        (with_param("evidence: {shape: {source: pleroma-source, at: \"a.ex:1@1.0.0\"}}, since: {pleroma: \"2.0.0\"}"), "spec/programs/pleroma/a.yaml:4:81: 1.0.0 was read, which has no `accounts.get.with`: it comes in 2.0.0 (write the release that was read, or mend the Since)"),
    ] {
        with(REGISTRY, &facts).tells(expected);
    }
}

/// Nobody knows which of the two holds, of that item alone.
#[test]
fn a_fact_that_stands_twice_hides_no_mistake_elsewhere() {
    let supplement = SUPPLEMENT.replace("/a/:id", "/a/:ids");
    let twice = "operations:\n  accounts.list: {since: {pleroma: \"1.0.0\"}, since: {pleroma: \"2.0.1\"}}\n";
    let mut spec = Spec::new(DOCUMENTS, &supplement);
    spec.files.push(("programs/pleroma/implementations.yaml", REGISTRY.to_owned()));
    spec.files.push(("programs/pleroma/a.yaml", format!("{FACTS}{twice}")));
    spec.tells("spec/supplement/a.yaml:7:53: the path has `:ids`, and no `:id` (name the two alike)\nspec/programs/pleroma/a.yaml:4:46: the key `since` stands twice (remove one of the two, or make them one)");
}

/// A line is lost above several items.
#[test]
fn items_that_have_lost_the_line_above_them_are_told_once() {
    with(REGISTRY, "operations:\n  accounts.get:\n    with: {since: {pleroma: \"1.0.0\"}}\n    id: {since: {pleroma: \"1.0.0\"}}\n").tells("spec/programs/pleroma/a.yaml:5:5: unknown key `with` (known here are `documented_as`, `summary`, `since`, `works_since`, `deprecated`, `removed`, `absent`, `changed`, `replacement`, `renamed_from`, `rust`, `wire`, `undocumented`, `older_because`, `evidence`, `notes`, `method`, `path`, `also`, `stub`, `oauth`, `auth`, `body`, `params`, `alternatives`, `requests`, `arguments`, `returns`, `response`, `media_type`, `success`, `paging`, `errors`, `stands_in`)");
}

#[test]
fn a_folder_proves_what_it_states() {
    let facts = "operations:\n  accounts.get: {params: {with: {evidence: {facts.glitch: glitch-source}}}}\n";
    fork(SUPPLEMENT, facts).says(
        "spec/programs/glitch/a.yaml:4:27: evidence proves `facts.glitch`, and nobody states it (state `required: {glitch: ..}` or another fact, or remove `facts.glitch`)",
    );
}

/// An owner of such a server sets what the base has fixed.
#[test]
fn a_fork_can_leave_open_what_its_base_has_fixed() {
    let supplement = SUPPLEMENT.replace(
        "with: {in: query, type: boolean, required: false}",
        "with: {in: query, type: integer, required: false, max: {mastodon: 40}, changed: {mastodon: [{in: \"2.0.0\", what: max, from: 20, to: 40}]}}",
    );
    let facts = "operations:\n  accounts.get:\n    params: {with: {max: {glitch: unknown}, evidence: {facts.glitch: glitch-source}}}\n";
    let spec = fork(&supplement, facts);
    let api = spec.full();
    let max = |program, release| api.operations[0].params[1].at(program, release).limits.max;
    let old = Some(fedispec_since::StableVersion(1, 0, 0));
    assert_eq!(
        [max(0, None), max(0, old), max(2, None), max(2, old)],
        [Some(40.0), Some(20.0), None, None]
    );
    assert_eq!(from_json(&to_json(&api).unwrap()).unwrap(), api);
}

#[test]
fn a_mistake_about_the_base_is_not_told_of_its_fork() {
    let missing = "type: boolean, required: true, missing: {mastodon: {status: 200, text: No}}";
    let supplement = SUPPLEMENT.replace("type: boolean, required: false", missing);
    let spec = fork(&supplement, "has: []\n");
    let text = spec.resolve(Layer::Full).unwrap_err();
    assert_eq!(text.matches("200 refuses nothing").count(), 1, "{text}");
}

/// A Since or a fact whose line is lost leaves its evidence behind; nobody else would miss it, as what a folder does not say is unknown.
#[test]
fn a_folder_states_what_it_proves_and_describes() {
    let proof = "{source: pleroma-source, at: \"a.ex:1@2.0.0\"}";
    let own = "  accounts.extra: {summary: Reads more., method: GET, path: /extra, auth: {token: none}, success: [200], paging: none, errors: []";
    let facts = format!(
        "operations:\n  accounts.get: {{evidence: {{pleroma: {proof}, auth.pleroma: {proof}}}}}\n{own}}}\n"
    );
    with(REGISTRY, &facts).says(
        "spec/programs/pleroma/a.yaml:4:3: evidence proves `auth.pleroma`, and nobody states it (state `auth: {pleroma: ..}`, or remove \
         `auth.pleroma`)\n\
         spec/programs/pleroma/a.yaml:4:3: evidence proves `pleroma`, and nobody states it (state `since: {pleroma: ..}`, or remove `pleroma`)\n\
         spec/programs/pleroma/a.yaml:5:3: nobody says since when Pleroma has `accounts.extra` (state it under `since`, or that it is unknown: \
         `since: {pleroma: unknown}`)",
    );
}

#[test]
fn a_mistake_in_a_folder_has_its_place() {
    with(
        REGISTRY,
        "has:
  - {since: {pleroma: \"1.5.0\"}, of: [accounts.gte]}
  - {since: {mastodon: \"1.0.0\"}, of: [accounts]}
operations:
  accounts.get: {since: {pleroma: \"2.0.1\"}}
",
    )
    .says(
        r#"
spec/programs/pleroma/a.yaml:4:23: Pleroma has no registered release 1.5.0 (the registered releases beside it are 1.0.0 and 2.0.0; else register 1.5.0 under `programs.pleroma.releases` in implementations.yaml first)
spec/programs/pleroma/a.yaml:4:38: there is neither a group nor an item `accounts.gte` (did you mean `accounts.get`?)
spec/programs/pleroma/a.yaml:5:14: this file does not speak of Mastodon (state it in `supplement`, or name another program)
spec/programs/pleroma/a.yaml:7:35: Pleroma has not released 2.0.1: the newest registered release is 2.0.0 (register 2.0.1 under `programs.pleroma.releases` in implementations.yaml first)
"#,
    );
}

#[test]
fn a_fact_is_stated_once_and_where_its_program_is() {
    let facts = "has:
  - {since: {pleroma: \"1.0.0\"}, of: [accounts.list, accounts.get.with]}
  - {since: {pleroma: never}, of: [accounts.list, accounts.get], but: [Account.bot]}
  - {since: {}, of: []}
operations:
  accounts.get: {since: {pleroma: \"2.0.0\"}, params: {with: {since: {pleroma: \"2.0.0\"}}}}
entities:
  Account: {fields: {bot: {quirks: [{program: takahe, sends: \"null\"}], since: {takahe: unknown}}}}
";
    let mut spec = with(REGISTRY, facts);
    let other = |text: &str| text.replace("pleroma", "takahe").replace("Pleroma", "Takahe");
    let registry = other(REGISTRY).replace("programs: [takahe]", "programs: [takahe, takahi]");
    spec.files.push(("programs/takahe/implementations.yaml", registry));
    spec.files.push(("programs/takahe/a.yaml", other(FACTS) + "has: []\n"));
    spec.says(
        r#"
spec/documents/a.yaml:11:59: `accounts.get.id` stands in the path that Pleroma has since 2.0.0, and is there since never (take its `since` away: it has that of the operation; a path that changed is a `changed` of it)
spec/programs/pleroma/a.yaml:4:53: since when Pleroma has `accounts.get.with` is stated twice (keep the one that holds, and take the name away here or there)
spec/programs/pleroma/a.yaml:5:36: since when Pleroma has `accounts.list` is stated twice (keep the one that holds, and take the name away here or there)
spec/programs/pleroma/a.yaml:5:51: since when Pleroma has `accounts.get` is stated twice (keep the one that holds, and take the name away here or there)
spec/programs/pleroma/a.yaml:5:72: the line does not cover `Account.bot`, and excepts it (take the name away, or name what it stands in under `of`)
spec/programs/pleroma/a.yaml:6:13: the line says nothing: `since` is empty (name a program with a release, and the items that it has)
spec/programs/pleroma/a.yaml:6:21: the line says nothing: `of` is empty (name a program with a release, and the items that it has)
spec/programs/pleroma/a.yaml:10:47: this file does not speak of Takahe (state it in `programs/takahe`, or name another program)
spec/programs/pleroma/a.yaml:10:80: this file does not speak of Takahe (state it in `programs/takahe`, or name another program)
spec/programs/takahe/implementations.yaml:4:72: there is no program `takahi` (did you mean `takahe`?)
"#,
    );
}

#[test]
fn a_fork_is_based_on_a_program_that_is_there() {
    for (base, release, said) in [
        ("mastadon", "2.0.0", "there is no program `mastadon` (did you mean `mastodon`?)"),
        ("glitch", "2.0.0", "`glitch` is based on itself"),
        ("mastodon", "2.0.9", "Mastodon has no registered release 2.0.9"),
    ] {
        let registry = FORK.replace("based_on: mastodon", &format!("based_on: {base}"));
        let registry = registry.replace("2.0.0", release);
        let mut spec = Spec::new(DOCUMENTS, SUPPLEMENT);
        spec.files.push(("programs/glitch/implementations.yaml", registry));
        let text = spec.resolve(Layer::Full).unwrap_err();
        assert!(text.contains(said.split(" (").next().unwrap()), "{text}");
        assert!(text.contains("spec/programs/glitch/implementations.yaml:2:"), "{text}");
    }
}

#[test]
fn a_folder_registers_its_program() {
    let mut spec = Spec::new(DOCUMENTS, SUPPLEMENT);
    spec.files.push(("programs/pleroma/a.yaml", format!("{FACTS}has: []\n")));
    let text = spec.resolve(Layer::Full).unwrap_err();
    assert!(text.contains("there is no such file or folder"), "{text}");
    assert!(text.contains("spec/programs/pleroma/implementations.yaml"), "{text}");
}
