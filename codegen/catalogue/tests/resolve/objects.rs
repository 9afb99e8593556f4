//! Parameters that are objects, and children whose Since nobody states.

use fedispec_model::api::{Api, Layer, Type};

use crate::support::{IMPLEMENTATIONS, Spec};

const GROUP: &str = "groups:\n  policies: {summary: Policies.}\n";

fn spec(text: &str) -> Spec<'static> {
    Spec::new("", "").and("supplement/a.yaml", &format!("{GROUP}{text}"))
}

/// The parameters of the catalogue's operation: ids, types, and lines.
fn params(api: &Api) -> Vec<(&str, &Type, u32)> {
    let params = api.operations[0].params.iter();
    params.map(|param| (param.item.name.as_str(), &param.r#type, param.item.at.1)).collect()
}

const WRITTEN_OUT: &str = r#"operations:
  policies.update:
    since: {mastodon: "1.0.0", gotosocial: never}
    method: PATCH
    path: /p
    params:
      public[like][always][:index]:
        summary: At once.
        since: {mastodon: "2.0.0", gotosocial: "0.19.0"}
        older_because: It was there before.
        in: form
        type: "string[]"
        required: false
        left_out: {effect: changes_meaning, so: anybody can, safe: "public"}
      public[like][later][:index]:
        summary: Later.
        since: {mastodon: "3.0.0", gotosocial: "0.19.0"}
        older_because: It was there before.
        in: form
        type: "string[]"
        required: false
        left_out: {effect: changes_meaning, so: anybody can}
      note: {in: form, type: string, required: false, left_out: harmless}
      private[like][always][:index]: {summary: At once., in: form, type: "string[]", required: false, left_out: harmless}
      private[like][later][:index]: {summary: Later., since: {mastodon: "3.0.0"}, in: form, type: "string[]", required: false, left_out: harmless}
      rules[][like]: {in: form, type: boolean, required: false, left_out: harmless}
"#;

const AS_OBJECTS: &str = r#"objects:
  Acts:
    like: {type: Rules}
  Rules:
    always[:index]: {summary: At once., type: "string[]"}
    later[:index]: {summary: Later., since: {mastodon: "3.0.0"}, type: "string[]"}
operations:
  policies.update:
    since: {mastodon: "1.0.0", gotosocial: never}
    method: PATCH
    path: /p
    params:
      public[like]:
        since: {mastodon: "2.0.0", gotosocial: "0.19.0"}
        older_because: It was there before.
        in: form
        type: Rules
        required: false
        left_out: {effect: changes_meaning, so: anybody can}
        members:
          always[:index]: {left_out: {safe: "public"}}
      note: {in: form, type: string, required: false, left_out: harmless}
      private: {in: form, type: Acts, required: false, left_out: harmless}
      rules:
        in: form
        type: object[]
        required: false
        left_out: harmless
        members: {like: {type: boolean}}
"#;

#[test]
fn an_object_is_its_members_written_out() {
    let written = spec(WRITTEN_OUT).full();
    let objects = spec(AS_OBJECTS).full();
    assert_eq!(objects, written);
    // A parameter stands where its member does, and a Since where it is stated.
    let line = |api: &Api, of: &str| {
        let text = AS_OBJECTS.lines().position(|line| line.contains(of)).unwrap();
        let head = spec("").files[0].1.lines().count();
        let line = u32::try_from(head + text + 1).unwrap();
        assert!(params(api).iter().any(|(_, _, at)| *at == line), "{of}");
        line
    };
    line(&objects, "      always[:index]: {left_out");
    line(&objects, "    later[:index]: {summary");
    let since = |name: &str| {
        let params = &objects.operations[0].params;
        let param = params.iter().find(|param| param.item.name == name).unwrap();
        param.item.life[0].at.unwrap().1
    };
    let stated = line(&objects, "    later[:index]: {summary");
    assert_eq!(since("private[like][later][:index]"), stated);
}

#[test]
fn what_is_wrong_with_an_object_is_told_where_it_stands() {
    let says = |objects: &str, params: &str, expected: &str| {
        let head = "operations:\n  policies.update:\n    since: {mastodon: \"1.0.0\", gotosocial: never}\n    method: PATCH\n    path: /p\n";
        let objects =
            if objects.is_empty() { String::new() } else { format!("objects:\n{objects}") };
        spec(&format!("{objects}{head}    params:\n{params}")).says(expected);
    };
    let rules = "  Rules:\n    always: {type: boolean}\n";
    says(
        rules,
        "      a: {type: Rule, in: form, required: false}\n",
        "spec/supplement/a.yaml:15:17: there is no object `Rule` in this file (did you mean `Rules`?)",
    );
    // What several parameters are called is right.
    says(
        rules,
        "      a: {type: Rule, in: form, required: false}\n      b: {type: Rule, in: form, required: false}\n",
        "spec/supplement/a.yaml:7:3: no parameter of this file has the type `Rules` (did you mean `Rule`?)",
    );
    says(
        "",
        "      a: {type: string, in: form, required: false, members: {b: {type: string}}}\n",
        "spec/supplement/a.yaml:12:17: `a` has members, and there is no object `string` in this file (write `type: object`, or the name of an object under \
         `objects` of this file)",
    );
    says(
        "  One:\n    two: {type: Two}\n  Two:\n    one: {type: One}\n",
        "      a: {type: One, in: form, required: false}\n",
        "spec/supplement/a.yaml:10:17: the object `One` contains itself (give one of its members another type)",
    );
    says(
        rules,
        "      a[always]: {type: string, in: form, required: false}\n      a: {type: Rules, in: form, required: false}\n",
        "spec/supplement/a.yaml:8:5: `a[always]` is there already (keep one of the two)",
    );
    // A mistake in a member is one mistake, however many parameters have it.
    says(
        "  Rules:\n    always: {type: boolean, requird: true}\n",
        "      a: {type: Rules, in: form, required: false}\n      b: {type: Rules, in: form, required: false}\n",
        "spec/supplement/a.yaml:8:29: unknown key `requird` (did you mean `required`?)",
    );
    says(
        "  Rules: 3\n",
        "      a: {type: string, in: form, required: false}\n",
        "spec/supplement/a.yaml:7:10: `Rules` is `3`, not a map (write a map: lines of `key: value`, indented)",
    );
}

#[test]
fn objects_in_objects_do_not_multiply_without_end() {
    let level = |level: u32| {
        let members = (0..8).map(|member| {
            let kind = if level == 8 { "string".into() } else { format!("L{}", level + 1) };
            format!("    m{member}: {{type: {kind}}}\n")
        });
        format!("  L{level}:\n{}", members.collect::<String>())
    };
    let objects: String = (0..9).map(level).collect();
    let text = format!(
        "objects:\n{objects}operations:\n  policies.update:\n    since: {{mastodon: \"1.0.0\", gotosocial: never}}\n    params:\n      a: \
         {{type: L0, in: form, required: false}}\n"
    );
    let told = spec(&text).resolve(Layer::Full).unwrap_err();
    assert!(told.contains("the objects of the file make more than 4096 parameters"), "{told}");
}

#[test]
fn a_new_child_states_its_since_unless_its_file_inherits() {
    let text = r#"operations:
  policies.get:
    since: {mastodon: "1.0.0", gotosocial: never}
    params:
      a: {since: {mastodon: "2.0.0"}}
      b: {since: {mastodon: "2.0.0", gotosocial: never}}
  accounts.get:
    params:
      known: {summary: The documents have it.}
      new: {since: {mastodon: "2.0.0"}}
entities:
  E:
    since: {mastodon: "1.0.0", gotosocial: never}
    fields:
      c: {since: {gotosocial: never}}
enums:
  V:
    since: {mastodon: "1.0.0", gotosocial: never}
    values:
      d: {since: {mastodon: "1.0.0"}}
"#;
    let inherits = |yes: bool| {
        let documents =
            "operations:\n  accounts.get: {since: {mastodon: \"1.0.0\"}, params: {known: {}}}\n";
        let mut spec = Spec::new(documents, "").and("supplement/a.yaml", &format!("{GROUP}{text}"));
        if !yes {
            let (_, text) = &mut spec.files[1];
            *text = text.replacen("inherits: true, ", "", 1);
        }
        spec
    };
    inherits(true).full();
    let told = |line: u32, program: &str, item: &str| {
        let key = program.to_lowercase();
        format!(
            "spec/supplement/a.yaml:{line}:7: nobody says since when {program} has `{item}` (state it, `since: {{{key}: ..}}`, or write \
             `inherits: true` under the file's `defaults`: then an item that says nothing has the Since of what contains it)\n"
        )
    };
    let of_mastodon = told(20, "Mastodon", "E.c");
    inherits(false).says(
        &[
            told(10, "GoToSocial", "policies.get.a"),
            told(15, "GoToSocial", "accounts.get.new"),
            of_mastodon.clone(),
            told(25, "GoToSocial", "V.d"),
        ]
        .concat(),
    );
    // A program whose items need not be listed is none that somebody forgot.
    let unlisted =
        IMPLEMENTATIONS.replacen("    letter: B\n", "    letter: B\n    unlisted: unknown\n", 1);
    let mut spec = inherits(false);
    spec.implementations = &unlisted;
    spec.says(&of_mastodon);
}
