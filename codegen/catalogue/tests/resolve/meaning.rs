//! Statements that are well-formed and cannot be so: each problem on a line, with its place and its mend.

use crate::support::{IMPLEMENTATIONS, Spec};

/// An operation with everything stated, and what else is said of it.
fn operation(more: &str) -> String {
    format!(
        "groups:\n  accounts: {{summary: Accounts.}}\noperations:\n  accounts.list:\n    since: {{mastodon: \"2.0.0\", \
         gotosocial: \"0.1.0\"}}\n    method: GET\n    path: /a\n    returns: json\n{more}"
    )
}

/// The supplement over documents that say nothing.
fn supplement(text: &str) -> Spec<'_> {
    Spec::new("", text).and("documents/b.yaml", "")
}

macro_rules! said {
    ($($(#[$meta:meta])* $name:ident: $text:expr => $expected:expr;)*) => {
        $(
            $(#[$meta])*
            #[test]
            fn $name() {
                supplement(&$text).says($expected);
            }
        )*
    };
}

/// Scopes and permissions are listed by enumerations of the catalogue.
const LISTS: &str = "enums:
  OauthScope: {since: {mastodon: \"1.0.0\", gotosocial: never}, values: {\"read:lists\": {}, \"write:lists\": {}}}
  RolePermission: {since: {mastodon: \"1.0.0\", gotosocial: \"0.1.0\"}, values: {manage_users: {}}}
";

/// An enumeration that parameters take.
const KIND: &str = "enums:
  Kind: {since: {mastodon: \"1.0.0\", gotosocial: \"0.1.0\"}, values: {hide: {}, warn: {}}}
";

fn param(text: &str) -> String {
    operation(&format!("    params:\n      one: {{{text}}}\n{KIND}"))
}

said! {
    a_scope_that_does_not_exist: operation(&format!("    auth: {{token: user, scopes: [\"read:list\"]}}\n{LISTS}")) => r#"
spec/supplement/a.yaml:12:34: `OauthScope` has no value `read:list` (did you mean `read:lists`?)
"#;
    a_permission_that_does_not_exist: operation(&format!("    auth: {{token: user, permissions: [mange_users]}}\n{LISTS}")) => r#"
spec/supplement/a.yaml:12:39: `RolePermission` has no value `mange_users` (did you mean `manage_users`?)
"#;
    a_format_that_does_not_exist: param("in: query, type: string, format: htlm") => r#"
spec/supplement/a.yaml:13:46: unknown value `htlm` of `format` (did you mean `html`?)
"#;
    a_condition_that_says_when_twice: param("in: query, type: string, required: sometimes, required_when: {if: when it rains}") => r#"
spec/supplement/a.yaml:13:79: the condition begins with a word that it completes (complete "when ..")
"#;
    a_change_of_nothing: operation("    changed: {mastodon: [{in: \"3.0.0\", what: scope, from: a, to: b}]}\n") => r#"
spec/supplement/a.yaml:12:46: unknown value `scope` of `what` (did you mean `scopes`?)
"#;
    a_scope_that_a_program_never_has: operation(&format!("    auth: {{token: user, scopes: [\"read:lists\"]}}\n{LISTS}")) => r#"
spec/supplement/a.yaml:12:34: GoToSocial 0.1.0 has `accounts.list`, whose `auth` names `OauthScope.read:lists`; that is never there (mend one of the two)
"#;
    a_fact_by_program_without_one_that_has_the_item: operation("    auth: {gotosocial: {token: app}}\n") => r#"
spec/supplement/a.yaml:12:5: this says nothing of Mastodon, which has `accounts.list` (state it under `mastodon`, or that it is `unknown`)
"#;
    a_type_that_is_gone: param("in: query, type: Kind").replace("enums:\n  Kind: {", "enums:\n  Kind: {removed: {mastodon: \"3.0.0\"}, ") => r#"
spec/supplement/a.yaml:15:30: Mastodon 3.0.0 has `accounts.list.one`, whose `type` names `Kind`; that is gone in 3.0.0 (mend one of the two)
"#;
    a_value_that_comes_later_than_the_default: param("in: query, type: Kind, default: warn").replace("warn: {}", "warn: {since: {mastodon: \"3.0.0\"}}") => r#"
spec/supplement/a.yaml:13:45: Mastodon 2.0.0 has `accounts.list.one`, whose `default` names `Kind.warn`; that comes in 3.0.0 (mend one of the two)
"#;
    a_type_of_earlier_releases_that_came_later: param("in: query, type: string, changed: {mastodon: [{in: \"3.0.0\", what: type, from: Kind, to: string}]}").replace("enums:\n  Kind: {since: {mastodon: \"1.0.0\"", "enums:\n  Kind: {since: {mastodon: \"4.5.0\"") => r#"
spec/supplement/a.yaml:13:91: Mastodon 2.0.0 has `accounts.list.one`, whose `type` names `Kind`; that comes in 4.5.0 (mend one of the two)
"#;
    an_error_that_is_gone: operation("    errors: {\"422\": {when: Wrong., removed: {mastodon: \"4.5.0\"}}}\n    params:\n      one: {in: query, type: string, required: true, missing: {mastodon: {status: 422, text: \"No.\"}}}\n") => r#"
spec/supplement/a.yaml:12:56: Mastodon 4.5.0 has `accounts.list.one`, whose `missing` names `accounts.list.422`; that is gone in 4.5.0 (mend one of the two)
"#;
    a_condition_of_what_is_never_there_with_it: operation("    params:\n      one: {in: query, type: string, required: sometimes, required_when: {sent: two}}\n      two: {since: {mastodon: never, gotosocial: never}, in: query, type: string, required: false}\n") => r#"
spec/supplement/a.yaml:13:74: no release of any program has both `accounts.list.one` and `accounts.list.two` (name what is there together with it, or mend a Since)
"#;
    conditions_of_what_is_never_there_with_any_of_them: operation("    params:\n      one: {in: query, type: string, required: sometimes, required_when: {sent: two}}\n      three: {in: query, type: string, required: sometimes, required_when: {sent: two}}\n      two: {since: {mastodon: never, gotosocial: never}, in: query, type: string, required: false}\n") => r#"
spec/supplement/a.yaml:13:74: no release of any program has `accounts.list.two` and any of the 2 that name it, as `accounts.list.one` (name what is there together with it, or mend a Since)
"#;
    a_scope_that_comes_later_than_its_operation_and_nothing_wider: operation(&format!("    auth: {{mastodon: {{token: user, scopes: [push]}}, gotosocial: unknown}}\n{LISTS}").replace("\"read:lists\": {}", "push: {since: {mastodon: \"3.0.0\"}}")) => r#"
spec/supplement/a.yaml:12:45: Mastodon 2.0.0 has `accounts.list`, whose `auth` names `OauthScope.push`; that comes in 3.0.0 (mend one of the two)
"#;
    a_list_of_an_object_whose_members_are_named_in_one: "entities:\n  A:\n    since: {mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}\n    fields:\n      a: {type: \"object[]\"}\n      a[b]: {type: string}\n" => r#"
spec/supplement/a.yaml:8:17: the names of the members make `A.a` one object, but its type is `object[]` (write the members of a list as `name[][member]` and those of a map as `name[:key][member]`)
"#;
    what_happens_without_what_is_harmless: operation("    params:\n      one: {in: query, type: string, required: false, left_out: {effect: harmless, so: nothing happens}}\n") => r#"
spec/supplement/a.yaml:13:55: leaving `accounts.list.one` out is harmless, and `so` says what happens (remove `so`, or write another `effect`)
"#;
    events_of_what_changed_something: operation("    changed: {mastodon: [{in: \"3.0.0\", what: method, from: POST, to: GET}]}\n    paging: link\n    params:\n      max_id: {in: query, type: cursor}\n") => r#"
spec/supplement/a.yaml:12:60: before 3.0.0: `accounts.list` changes something, and has no pages to read (mend what it was then, or what stands beside it)
"#;
    a_body_that_a_method_had_not: operation("    changed: {mastodon: [{in: \"3.0.0\", what: method, from: GET, to: POST}]}\n    params:\n      one: {in: form, type: string}\n").replace("method: GET", "method: POST") => r#"
spec/supplement/a.yaml:12:60: before 3.0.0: `accounts.list.one` stands in the body, which GET has not (mend what it was then, or what stands beside it)
"#;
    a_change_after_the_operation_is_gone: operation("    removed: {mastodon: \"3.0.0\"}\n    params:\n      one: {in: query, type: string, changed: {mastodon: [{in: \"4.5.0\", what: format, from: html, to: uri}]}, format: uri}\n") => r#"
spec/supplement/a.yaml:14:64: `accounts.list.one` has its `changed` in Mastodon 4.5.0, and `accounts.list` around it is gone in 3.0.0 (mend one of the two)
"#;
    a_parameter_that_comes_where_the_operation_is_absent: operation("    absent: {mastodon: [[\"3.0.0\", \"4.5.0\"]]}\n    params:\n      one: {since: {mastodon: \"3.0.0\"}, in: query, type: string}\n") => r#"
spec/supplement/a.yaml:14:31: `accounts.list.one` has its `since` in Mastodon 3.0.0, and `accounts.list` around it is absent from 3.0.0 until 4.5.0 (mend one of the two)
"#;
    null_in_the_path: operation("    params:\n      id: {in: path, type: id, nullable: true, required: true}\n").replace("path: /a", "path: \"/a/:id\"") => r#"
spec/supplement/a.yaml:13:42: `accounts.list.id` stands in the path or a header, which holds no null (remove `nullable`, or mend `in`)
"#;
    a_number_that_a_way_sets_to_a_word: operation("    alternatives: {now: {sets: {one: soon}}}\n    params:\n      one: {in: query, type: integer}\n") => r#"
spec/supplement/a.yaml:12:38: `accounts.list.one` has no value `soon` (write a whole number in quotes)
"#;
    a_default_that_a_program_never_has: param("in: query, type: Kind, default: hide").replace("hide: {}", "hide: {since: {gotosocial: never}}") => r#"
spec/supplement/a.yaml:13:45: GoToSocial 0.1.0 has `accounts.list.one`, whose `default` names `Kind.hide`; that is never there (mend one of the two)
"#;
    harmless_where_it_is_required: param("in: query, type: string, required: {mastodon: false, gotosocial: true}, left_out: {mastodon: harmless, gotosocial: harmless}") => r#"
spec/supplement/a.yaml:13:116: `accounts.list.one` is required there, so that leaving it out fails (write `effect: fails`, or mend `required`)
"#;
    a_value_of_an_object: field("type: string, optional: true, when: {field: own, is: image}").replace("created_at: {type: datetime}", "own: {type: B}").replace("enums:", "  B: {since: {mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}, fields: {b: {type: string}}}\nenums:") => r#"
spec/supplement/a.yaml:8:64: `A.own` has no value `image` (no text stands for an object)
"#;
    a_default_outside_the_bounds_of_an_earlier_release: param("in: query, type: integer, default: 20, max: 40, changed: {mastodon: [{in: \"3.0.0\", what: max, from: 10, to: 40}]}") => r#"
spec/supplement/a.yaml:13:113: before 3.0.0: `20` is outside the bounds of `accounts.list.one` (mend what it was then, or what stands beside it)
"#;
    a_list_after_the_type_takes_one: param("in: query, type: \"string|string[]\", several: {mastodon: {list: \"4.5.0\"}, gotosocial: {}}, changed: {mastodon: [{in: \"3.0.0\", what: type, from: string, to: \"string|string[]\"}]}") => r#"
spec/supplement/a.yaml:13:58: `accounts.list.one` takes several values in 4.5.0, and its type is a list in 3.0.0 already (mend one of the two)
"#;
    a_refusal_before_its_error: operation("    errors: {\"422\": {when: It rains., since: {mastodon: \"3.0.0\"}}}\n    params:\n      one: {in: query, type: string, required: false, works_since: {mastodon: never}, refused: {mastodon: {since: \"2.0.0\", status: 422}}}\n") => r#"
spec/supplement/a.yaml:14:107: Mastodon 2.0.0 has `accounts.list.one`, whose `refused` names `accounts.list.422`; that comes in 3.0.0 (mend one of the two)
"#;
    a_refusal_of_what_works: operation("    errors: {\"422\": {when: It rains.}}\n    params:\n      one: {in: query, type: string, required: false, works_since: {mastodon: \"3.0.0\"}, refused: {mastodon: {since: \"2.0.0\", until: \"4.5.0\", status: 422}}}\n") => r#"
spec/supplement/a.yaml:14:133: `accounts.list.one` works since 3.0.0, and is refused until 4.5.0 (leave `until` out, or mend `works_since`)
"#;
    a_refusal_that_begins_when_it_works: operation("    errors: {\"422\": {when: It rains.}}\n    params:\n      one: {in: query, type: string, required: false, works_since: {mastodon: \"3.0.0\"}, refused: {mastodon: {since: \"3.0.0\", status: 422}}}\n") => r#"
spec/supplement/a.yaml:14:117: `accounts.list.one` works since 3.0.0, and is refused since 3.0.0 (mend one of the two)
"#;
    a_scope_that_comes_after_it_is_asked_for: operation(&format!("    auth: {{token: user, scopes: [\"read:lists\"]}}\n    changed: {{mastodon: [{{in: \"3.0.0\", what: scopes, from: [], to: [\"read:lists\"]}}]}}\n{}", LISTS.replace("OauthScope: {since: {mastodon: \"1.0.0\"", "OauthScope: {since: {mastodon: \"4.5.0\""))) => r#"
spec/supplement/a.yaml:12:34: Mastodon 3.0.0 has `accounts.list`, whose `auth` names `OauthScope.read:lists`; that comes in 4.5.0 (mend one of the two)
"#;
    a_proof_of_an_error_where_the_operation_never_is: operation("    errors: {\"422\": {when: It rains., evidence: {gotosocial: server}}}\n").replace("gotosocial: \"0.1.0\"", "gotosocial: never") => r#"
spec/supplement/a.yaml:12:50: GoToSocial never has `accounts.list`, of which this is a proof (remove it, or mend the Since)
"#;
    a_list_before_the_type_takes_one: param("in: query, type: \"string|string[]\", several: {mastodon: {list: \"2.0.0\"}, gotosocial: {}}, changed: {mastodon: [{in: \"3.0.0\", what: type, from: string, to: \"string|string[]\"}]}") => r#"
spec/supplement/a.yaml:13:76: `accounts.list.one` takes a list in 2.0.0, where its type is `string` (mend one of the two)
"#;
    a_change_where_it_is_absent: param("since: {mastodon: \"2.0.0\", gotosocial: never}, absent: {mastodon: [[\"3.0.0\", \"4.5.0\"]]}, in: query, type: integer, max: 40, changed: {mastodon: [{in: \"3.0.0\", what: max, from: 10, to: 40}]}") => r#"
spec/supplement/a.yaml:13:163: it changes in 3.0.0, but is absent from 3.0.0 until 4.5.0 (mend one of the two)
"#;
    a_safe_value_that_is_not_taken: param("in: query, type: Kind, only: [hide], required: false, left_out: {effect: changes_meaning, so: nothing is hidden, safe: warn}") => r#"
spec/supplement/a.yaml:13:132: `warn` is no value of `accounts.list.one` (write one of `hide`)
"#;
    an_answer_without_it_where_it_is_not_required: param("in: query, type: string, required: true, changed: {mastodon: [{in: \"3.0.0\", what: required, from: never, to: always}]}, missing: {mastodon: {status: 422, text: \"No.\", since: \"2.0.0\"}}") => r#"
spec/supplement/a.yaml:13:153: `accounts.list.one` is not required before 3.0.0, and refused without it in 2.0.0 (mend `since` of the answer, or what it changes from)
"#;
    a_permission_of_an_application: operation("    auth: {token: app, permissions: [manage_users]}\n") + LISTS => r#"
spec/supplement/a.yaml:12:24: an application's token is taken, whose owner has no role (mend `token`, or remove `permissions`)
"#;
    a_default_of_another_type_before: param("in: query, type: integer, default: 20, changed: {mastodon: [{in: \"3.0.0\", what: default, from: many, to: 20}]}") => r#"
spec/supplement/a.yaml:13:108: before 3.0.0: `many` is no value of `accounts.list.one` (mend what it was then, or what stands beside it)
"#;
    a_scope_of_no_token: operation(&format!("    auth: {{token: none, scopes: [\"read:lists\"]}}\n{LISTS}")) => r#"
spec/supplement/a.yaml:12:33: `scopes` goes with a token, and none is asked for (remove `scopes`, or say which `token` is asked for)
"#;
    no_status_where_no_token_is_needed: operation("    auth: {token: optional, unauthenticated: 403}\n") => r#"
spec/supplement/a.yaml:12:29: a request without a token is not refused where none is needed (remove `unauthenticated`, or say which `token` is asked for)
"#;
    no_status_of_no_token: operation("    auth: {token: none, unauthenticated: 403}\n") => r#"
spec/supplement/a.yaml:12:42: `unauthenticated` goes with a token, and none is asked for (remove `unauthenticated`, or say which `token` is asked for)
"#;
    a_fact_of_a_program_that_never_has_it: operation("    params:\n      one: {since: {gotosocial: never}, in: query, type: string, required: {mastodon: false, gotosocial: true}}\n") => r#"
spec/supplement/a.yaml:13:94: GoToSocial never has `accounts.list.one`, of which this is said (remove `gotosocial` here, or mend its `since`)
"#;
    two_values_that_are_the_same_on_the_wire: param("in: query, type: Kind").replace("warn: {}", "warn: {}, other: {wire: hide}") => r#"
spec/supplement/a.yaml:15:88: `Kind.other` and `Kind.hide` are the same on the wire, `hide` (mend one of the two, or make them one)
"#;
    white_space_on_the_wire: param("in: query, type: Kind").replace("warn: {}", "warn: {wire: \"warn \"}") => r#"
spec/supplement/a.yaml:15:91: `warn ` has white space around it (write `warn`)
"#;
    a_format_of_another_type: param("in: query, type: integer, format: html") => r#"
spec/supplement/a.yaml:13:47: the format of `accounts.list.one` is one of text, which it is not (mend `format` or `type`)
"#;
    seconds_of_a_text: param("in: query, type: string, format: seconds") => r#"
spec/supplement/a.yaml:13:46: the format of `accounts.list.one` is one of a number, which it is not (mend `format` or `type`)
"#;
    a_condition_of_itself: param("in: query, type: string, required: sometimes, required_when: {not_sent: one}") => r#"
spec/supplement/a.yaml:13:85: the condition of `accounts.list.one` asks for itself (mend the condition, or take this part of it away)
"#;
    sent_and_not_sent: operation("    params:\n      one: {in: query, type: string, required: sometimes, required_when: {sent: two, not_sent: two}}\n      two: {in: query, type: string, required: false}\n") => r#"
spec/supplement/a.yaml:13:96: `two` cannot be sent and not sent (mend the condition, or take this part of it away)
"#;
    an_answer_of_no_content: operation("    success: [204]\n") => r#"
spec/supplement/a.yaml:12:14: `accounts.list` answers something, and has no status with a body (mend the status, or write `returns: empty`)
"#;
    a_path_before_its_parameter: operation("    params:\n      id: {since: {mastodon: \"3.0.0\"}, in: path, type: id, required: true}\n").replace("path: /a", "path: \"/a/:id\"") => r#"
spec/supplement/a.yaml:13:30: `accounts.list.id` stands in the path that Mastodon has since 2.0.0, and is there since 3.0.0 (take its `since` away: it has that of the operation; a path that changed is a `changed` of it)
"#;
    a_refusal_from_the_beginning_of_what_works: param("since: {mastodon: \"3.0.0\"}, in: query, type: string, required: false, refused: {mastodon: {status: 422, since: \"3.0.0\"}}") => r#"
spec/supplement/a.yaml:13:124: `accounts.list.one` works since 3.0.0, and is refused since 3.0.0 (write under `works_since` when it is heeded, or that it never is)
"#;
    a_refusal_before_the_parameter: param("since: {mastodon: \"3.0.0\"}, in: query, type: string, required: false, refused: {mastodon: {status: 422, since: \"2.0.0\"}}") => r#"
spec/supplement/a.yaml:13:124: `refused` of `accounts.list.one` begins in 2.0.0, before it is there (write 3.0.0 or a later release)
"#;
    an_answer_without_it_that_ends_before_it_begins: param("in: query, type: string, required: true, missing: {mastodon: {status: 422, text: \"No.\", since: \"4.5.0\", until: \"3.0.0\"}}") => r#"
spec/supplement/a.yaml:13:124: what is `missing` of `accounts.list.one` ends before it begins (`until` is the first release that does not answer so)
"#;
    works_after_it_is_removed: operation("    removed: {mastodon: \"3.0.0\"}\n    works_since: {mastodon: \"4.5.0\"}\n") => r#"
spec/supplement/a.yaml:13:29: in Mastodon, `accounts.list` works since 4.5.0, and is removed in 3.0.0 (mend it, or the Since of the item)
"#;
    a_letter_that_only_looks_right: param("in: query, type: \"K\u{456}nd\"") => r#"
spec/supplement/a.yaml:13:30: `Kіnd` is no type (did you mean `Kind`? its `і` (U+0456) is a Cyrillic character)
"#;
    a_release_that_never_was_and_is_too_early: param("since: {mastodon: \"1.5.0\"}, in: query, type: string") => r#"
spec/supplement/a.yaml:13:31: Mastodon has no registered release 1.5.0 (the registered releases beside it are 1.0.0 and 2.0.0; else register 1.5.0 under `programs.mastodon.releases` in implementations.yaml first)
"#;
    quotes_of_a_text: operation("    works_since: {mastodon: \u{201c}3.0.0\u{201d}}\n") => r#"
spec/supplement/a.yaml:12:29: `“3.0.0”` is not a version (these are no quotes of YAML; write "3.0.0")
"#;
    a_field_that_is_sent: field("type: cursor, nullable: false, optional: false") => r#"
spec/supplement/a.yaml:8:17: `A.a` is answered, and cannot be `cursor` (write `string`, or `id`)
"#;
    a_condition_of_what_is_always_there: field("type: string, nullable: false, optional: false, when: {if: it is Monday}") => r#"
spec/supplement/a.yaml:8:59: `A.a` is never left out, and asks for no condition (mend `optional` or `presence`, or take `when` away)
"#;
    an_element_of_no_list: field("type: boolean, nullable: false, optional: false, quirks: [{program: mastodon, sends: unwrapped}]") => r#"
spec/supplement/a.yaml:8:68: `A.a` holds nothing that would be sent without it (write what is sent in its place, or mend the type)
"#;
    a_programs_own_answer_that_its_changes_do_not_end_at: operation("    changed: {gotosocial: [{in: \"0.19.0\", what: returns, from: integer, to: boolean}]}\n").replace("returns: json", "returns: {mastodon: string, gotosocial: integer}") => r#"
spec/supplement/a.yaml:12:77: the last change of `returns`, in 0.19.0, ends at `boolean`, but the present value is `integer` (mend one of the two, or add the change that came after)
"#;
    a_whole_number_with_a_fraction: param("in: query, type: integer, max: 80.5") => r#"
spec/supplement/a.yaml:13:44: `accounts.list.one` is a whole number, and `max` is 80.5 (mend its type, or the bound)
"#;
    a_quirk_that_ends_before_it_begins: "entities:\n  A:\n    since: {mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}\n    fields:\n      a: {type: string, quirks: [{program: mastodon, sends: \"null\", since: \"3.0.0\", until: \"2.5.0\"}]}\n" => r#"
spec/supplement/a.yaml:8:92: the quirk ends before it begins (`until` is the first release that is without it)
"#;
    a_value_of_no_path: operation("    errors: {\"404\": {when: Gone., text: {mastodon: \"No {id}\"}}}\n") => r#"
spec/supplement/a.yaml:12:52: nothing stands for `{id}` (name a parameter of the path)
"#;
    a_quirk_of_no_release: "entities:\n  A:\n    since: {mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}\n    fields:\n      a: {type: string, quirks: [{program: mastodon, sends: \"null\", until: \"2.5.0\"}]}\n" => r#"
spec/supplement/a.yaml:8:76: Mastodon has no registered release 2.5.0 (the registered releases beside it are 2.0.0 and 3.0.0; else register 2.5.0 under `programs.mastodon.releases` in implementations.yaml first)
"#;
    a_method_that_has_no_body: operation(&format!("    params:\n      one: {{in: form, type: string}}\n      two: {{in: form, type: string}}\n  accounts.get:\n    since: {{mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}}\n    method: GET\n    path: /a\n    returns: json\n{KIND}")) => r#"
spec/supplement/a.yaml:9:13: GET has no body, in which 2 parameters of `accounts.list` stand (mend the method, or write `in: query` for each)
"#;
    a_quirk_that_does_not_exist: "entities:\n  A:\n    since: {mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}\n    fields:\n      a: {type: string, quirks: [{program: mastodn, sends: nul}]}\n" => r#"
spec/supplement/a.yaml:8:44: there is no program `mastodn` (did you mean `mastodon`?)
spec/supplement/a.yaml:8:60: unknown value `nul` of `sends` (did you mean `null`?)
"#;
    bounds_the_wrong_way_round: param("in: query, type: integer, min: 3, max: 2") => r#"
spec/supplement/a.yaml:13:44: the least value of `accounts.list.one`, 3, is above the greatest, 2 (mend `min` or `max`)
"#;
    bounds_of_another_type: param("in: query, type: boolean, max: 2, max_length: 3, max_items: 4") => r#"
spec/supplement/a.yaml:13:44: `max` bounds a number, which `accounts.list.one` is not (mend its type, or remove the bound)
spec/supplement/a.yaml:13:59: `max_length` bounds text, which `accounts.list.one` is not (mend its type, or remove the bound)
spec/supplement/a.yaml:13:73: `max_items` bounds a list, which `accounts.list.one` is not (mend its type, or remove the bound)
"#;
    bounds_of_a_list_that_none_keeps: param("in: query, type: \"string[]\", min_items: 3, max_items: 2") => r#"
spec/supplement/a.yaml:13:53: `accounts.list.one` has at least 3 elements and at most 2 (mend `min_items` or `max_items`)
"#;
    nothing_fits: param("in: query, type: string, max_length: 0") => r#"
spec/supplement/a.yaml:13:50: `max_length` of `accounts.list.one` leaves nothing to send (write a greater number, or remove it)
"#;
    a_default_of_another_type: param("in: query, type: integer, default: \"4\"") => r#"
spec/supplement/a.yaml:13:48: `4` is no value of `accounts.list.one` (write a whole number without quotes, or mend its type)
"#;
    a_default_outside_its_bounds: param("in: query, type: integer, max: 3, default: 4") => r#"
spec/supplement/a.yaml:13:56: `4` is outside the bounds of `accounts.list.one` (mend it, or the bound: `max` is 3)
"#;
    a_default_that_is_too_long: param("in: query, type: string, max_length: 3, default: long") => r#"
spec/supplement/a.yaml:13:62: `long` is outside the bounds of `accounts.list.one` (mend it, or the bound: `max_length` is 3)
"#;
    a_default_that_the_enumeration_lacks: param("in: query, type: Kind, default: hid") => r#"
spec/supplement/a.yaml:13:45: `hid` is no value of `accounts.list.one` (did you mean `hide`?)
"#;
    a_default_of_a_list: param("in: query, type: 'Kind[]', default: [hide, shown]") => r#"
spec/supplement/a.yaml:13:49: `["hide","shown"]` is no value of `accounts.list.one` (write one of `hide`, `warn`)
"#;
    a_default_that_only_others_take: param("in: query, type: Kind, only: [warn], default: hide") => r#"
spec/supplement/a.yaml:13:59: `hide` is no value of `accounts.list.one` (write one of `warn`)
"#;
    a_body_of_get: param("in: form, type: string") => r#"
spec/supplement/a.yaml:13:17: `accounts.list.one` stands in the body, which GET has not (write `in: query`, or mend the method)
"#;
    a_file_in_the_query: param("in: query, type: file") => r#"
spec/supplement/a.yaml:13:17: `accounts.list.one` is a file, which only a body in parts can hold (write `in: form`, and `body: multipart` where the operation states a body)
"#;
    a_parameter_of_nothing: param("in: query, type: empty") => r#"
spec/supplement/a.yaml:13:30: `accounts.list.one` is a parameter, and cannot be `empty` (say what is sent)
"#;
    a_list_that_a_program_does_not_explain: param("in: query, type: 'string|string[]', several: {mastodon: {list: \"2.0.0\"}}") => r#"
spec/supplement/a.yaml:13:30: nobody says how GoToSocial takes several values of `accounts.list.one` (write the first releases, as `several: {gotosocial: {lines: "1.0.0", list: "2.0.0"}}`, or `{}` where it takes one value)
"#;
    several_of_one: param("in: query, type: string, several: {mastodon: {list: \"2.0.0\"}}") => r#"
spec/supplement/a.yaml:13:47: `accounts.list.one` takes no list beside one value (write such a type, as `string|string[]`, or remove `several`)
"#;
    two_things_that_no_request_tells_apart: param("in: query, type: 'string|integer[]'") => r#"
spec/supplement/a.yaml:13:30: `accounts.list.one` can be two things that no request tells apart (write a plain type and its list, as `string|string[]`, or two plain types)
"#;
    a_release_of_several_that_does_not_exist: param("in: query, type: 'string|string[]', several: {mastodon: {list: \"2.0.99\"}, gotosocial: {}}") => r#"
spec/supplement/a.yaml:13:76: Mastodon has no registered release 2.0.99 (the registered releases beside it are 2.0.0 and 3.0.0; else register 2.0.99 under `programs.mastodon.releases` in implementations.yaml first)
"#;
    unlisted_values_where_none_are_listed: param("in: query, type: 'string[]', unlisted_values: {mastodon: refused}") => r#"
spec/supplement/a.yaml:13:59: `accounts.list.one` takes any value, as its type is no enumeration (give it an enumeration as its type, or remove `unlisted_values`)
"#;
    a_limit_that_is_no_field: param("in: query, type: string, limit_from: accounts.list") => r#"
spec/supplement/a.yaml:13:50: `accounts.list` is no field with a number, and tells no limit (name a field of an entity, as `Instance.configuration.statuses.max_characters`)
"#;
    words_of_what_is_no_text: param("in: query, type: integer, words: Kind") => r#"
spec/supplement/a.yaml:13:46: `accounts.list.one` is no text, and has no words (write `type: string`, or remove `words`)
"#;
    words_that_are_no_enumeration: param("in: query, type: string, words: accounts.list") => r#"
spec/supplement/a.yaml:13:45: `accounts.list` is no enumeration (name one, or remove `words`)
"#;
    words_of_nowhere: param("in: query, type: string, words: Kinds") => r#"
spec/supplement/a.yaml:13:45: there is no item `Kinds` (did you mean `Kind`?)
"#;
    pages_without_a_cursor: operation("    paging: link\n") => r#"
spec/supplement/a.yaml:12:13: `accounts.list` has pages, and no parameter that leads to the next (add its `max_id`, `since_id` or `min_id`, or write `paging: none`)
"#;
    a_twin_that_is_the_operation_itself: operation("    also: {mastodon: [PATCH, GET], gotosozial: [PUT]}\n") => r#"
spec/supplement/a.yaml:12:30: `GET` is the operation's own method (write each method once, and not the operation's own)
spec/supplement/a.yaml:12:36: there is no program `gotosozial` (did you mean `gotosocial`?)
"#;
    a_secret_in_no_parameter: operation("    oauth: {basic: [client_id, one]}\n    params:\n      one: {in: query, type: string}\n") => r#"
spec/supplement/a.yaml:12:21: `accounts.list` has no parameter `client_id` (name the parameters of the client's id and its secret)
"#;
    half_a_media_type: operation("    media_type: jrd+json\n") => r#"
spec/supplement/a.yaml:12:17: `jrd+json` is not a media type (write it without parameters, such as `application/jrd+json`)
"#;
    a_body_with_nothing_in_it: operation("    body: json\n") => r#"
spec/supplement/a.yaml:12:11: `accounts.list` has a body, and no parameter that is sent in it (add a parameter `in: form`, or remove `body`)
"#;
    an_alternative_sets_what_the_enumeration_lacks: operation(&format!("    alternatives: {{hidden: {{sets: {{one: hid}}}}}}\n    params:\n      one: {{in: query, type: Kind}}\n{KIND}")) => r#"
spec/supplement/a.yaml:12:41: `accounts.list.one` has no value `hid` (did you mean `hide`?)
"#;
    requests_of_their_own_that_decide_nothing: operation("    requests:\n      new: {summary: A., sends: one, returns: json}\n      later: {summary: A., sends: two, returns: json}\n      other: {summary: A., sends: one, returns: A}\n      all: {summary: A., sends: one, returns: json}\n    params:\n      one: {in: query, type: string}\n") => r#"
spec/supplement/a.yaml:13:7: `new` cannot be the name of a request (write it like `schedule`)
spec/supplement/a.yaml:14:35: `accounts.list` has no parameter `two` (name the parameter that decides)
spec/supplement/a.yaml:15:49: `A` is not one of what `accounts.list` answers (name one of the types in `returns`)
spec/supplement/a.yaml:16:7: `all` leaves nothing for the plain request of `accounts.list` (an optional parameter decides, and one type in `returns` is answered without it)
"#;
    the_same_way_of_calling_twice: operation("    alternatives:\n      one: {requires: [a], excludes: [b]}\n      two: {excludes: [b], requires: [a]}\n    params:\n      a: {in: query, type: string, required: sometimes}\n      b: {in: query, type: string}\n") => r#"
spec/supplement/a.yaml:14:7: `one` and `two` ask for the same (mend one of the two, or remove it)
"#;
    a_quirk_that_is_none: "entities:\n  A: {since: {mastodon: \"2.0.0\", gotosocial: never}, fields: {a: {type: integer, optional: true, quirks: [{program: mastodon, sends: integer}]}}}\n" => r#"
spec/supplement/a.yaml:5:106: `A.a` holds that anyway: it is no quirk (write what is sent in its place, or remove the quirk)
"#;
    two_quirks_in_one_release: "entities:\n  A: {since: {mastodon: \"2.0.0\", gotosocial: never}, fields: {a: {type: string, optional: true, quirks: [{program: mastodon, sends: absent, until: \"4.5.0\"}, {program: mastodon, sends: integer, since: \"3.0.0\"}]}}}\n" => r#"
spec/supplement/a.yaml:5:105: two quirks of `A.a` hold in one release of Mastodon (end the earlier one by `until` where the later one begins, or keep one)
"#;
    a_bound_of_other_values_changed: param("in: query, type: string, changed: {mastodon: [{in: \"3.0.0\", what: max_items, to: 4}]}") => r#"
spec/supplement/a.yaml:13:79: `max_items` bounds a list, which `accounts.list.one` is not (name the fact that changed)
"#;
    a_past_path_that_nothing_fills: operation("    changed: {mastodon: [{in: \"3.0.0\", what: path, from: /b/:id, to: /a}]}\n") => r#"
spec/supplement/a.yaml:12:58: `/b/:id` is no value of `path` (name each placeholder as the parameter that fills it)
"#;
    a_replacement_that_is_not_there: "entities:\n  A: {since: {mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}, fields: {a: {deprecated: {mastodon: \"3.0.0\"}, replacement: A.b}, b: {since: {mastodon: never}}}}\n" => r#"
spec/supplement/a.yaml:5:115: Mastodon discourages `A.a` and never has `A.b`, its replacement (name what came after it, or mend one of the two)
"#;
    pages_of_what_is_not_read: operation("    paging: link\n    params:\n      max_id: {in: query, type: string, required: false}\n").replace("GET", "PUT") => r#"
spec/supplement/a.yaml:12:13: `accounts.list` changes something, and has no pages to read (mend one of the two)
"#;
    events_of_what_is_not_read: format!("{}enums:\n  E: {{since: {{mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}}, values: {{a: {{payload: id}}}}}}\n", operation("").replace("GET", "PUT").replace("json", "events<E>")) => r#"
spec/supplement/a.yaml:11:14: `accounts.list` changes something, and has no events to read (mend one of the two)
"#;
    an_answer_that_no_program_has: format!("{}entities:\n  A: {{since: {{mastodon: never, gotosocial: never}}, fields: {{a: {{type: string}}}}}}\n", operation("").replace("json", "A")) => r#"
spec/supplement/a.yaml:11:14: Mastodon has `accounts.list`, which answers what it never has; likewise GoToSocial (mend one of the two; where it only ever is empty, write `works_since: {mastodon: never}`)
"#;
    a_payload_that_is_a_list: format!("{}enums:\n  E: {{since: {{mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}}, values: {{a: {{payload: \"id[]\"}}}}}}\n", operation("").replace("json", "events<E>")) => r#"
spec/supplement/a.yaml:13:78: `E.a` brings no entity, id or text (name an entity, or the id of one, as `id<Status>`)
"#;
    a_way_of_calling_that_sets_no_truth: operation("    params:\n      one: {in: query, type: boolean, required: false}\n    alternatives: {way: {sets: {one: \"yes\"}}}\n") => r#"
spec/supplement/a.yaml:14:38: `accounts.list.one` has no value `yes` (write "true" or "false" in quotes)
"#;
    a_way_of_calling_without_what_it_demands: operation("    params:\n      one: {in: query, type: string, required: false}\n      two: {in: query, type: string, required: sometimes, required_when: {sent: one, is: x}}\n    alternatives: {way: {sets: {one: x}}}\n") => r#"
spec/supplement/a.yaml:15:20: the alternative `way` of `accounts.list` sets `one` to `x`, and lacks `two`, which is required then (add `two` to its `requires`)
"#;
    the_body_of_an_error_that_is_a_text: operation("    errors: {\"422\": {returns: string}}\n") => r#"
spec/supplement/a.yaml:12:31: the body of 422 is no object (name the entity of its body)
"#;
    a_stand_in_for_itself: "entities:\n  A: {since: {mastodon: \"2.0.0\", gotosocial: never}, stands_in: {for: A, fields: {a: a}}, fields: {a: {type: string}}}\n" => r#"
spec/supplement/a.yaml:5:71: `A` cannot stand in for itself (name the entity that came after it)
"#;
    a_stand_in_of_another_type: "entities:\n  A: {since: {mastodon: \"2.0.0\", gotosocial: never}, stands_in: {for: B, fields: {b: a, c: x if d else y}}, fields: {a: {type: boolean}, d: {type: string}, e: {type: string}}}\n  B: {since: {mastodon: \"2.0.0\", gotosocial: never}, fields: {b: {type: string}, c: {type: string}, e: {type: \"string[]\"}}}\n" => r#"
spec/supplement/a.yaml:5:86: `b` cannot be made of `a`, which is of another type (name one of its type)
spec/supplement/a.yaml:5:92: `d` is not true or false, by which a value is chosen (name one of that type)
spec/supplement/a.yaml:5:167: `B.e` cannot be made of `A.e`, which is of another type (mend one of the two, or name another field under `stands_in`)
"#;
    a_replacement_that_comes_later_and_goes: "entities:\n  A: {since: {mastodon: \"1.0.0\", gotosocial: \"0.1.0\"}, fields: {a: {deprecated: {mastodon: \"2.0.0\"}, replacement: A.b}, b: {since: {mastodon: \"3.0.0\"}, removed: {mastodon: \"4.5.0\"}}}}\n" => r#"
spec/supplement/a.yaml:5:92: Mastodon discourages `A.a` since 2.0.0, before `A.b`, its replacement, comes in 3.0.0 (mend one of the two)
"#;
    a_replacement_that_is_gone: "entities:\n  A: {since: {mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}, fields: {a: {deprecated: {mastodon: \"4.5.0\"}, replacement: A.b}, b: {removed: {mastodon: \"3.0.0\"}}}}\n" => r#"
spec/supplement/a.yaml:5:115: Mastodon discourages `A.a` since 4.5.0, and `A.b`, its replacement, is gone in 3.0.0 (name what came after it, or mend one of the two)
"#;
    a_replacement_that_comes_later: "entities:\n  A: {since: {mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}, fields: {a: {deprecated: {mastodon: \"3.0.0\"}, replacement: A.b}, b: {since: {mastodon: \"4.5.0\"}}}}\n" => r#"
spec/supplement/a.yaml:5:92: Mastodon discourages `A.a` since 3.0.0, before `A.b`, its replacement, comes in 4.5.0 (mend one of the two)
"#;
    a_quirk_that_outlives_its_change: "entities:\n  A: {since: {mastodon: \"2.0.0\", gotosocial: never}, fields: {a: {presence: {mastodon: always}, changed: {mastodon: [{in: \"3.0.0\", what: presence, from: optional, to: always}]}, quirks: [{program: mastodon, sends: absent, until: \"4.5.0\"}]}}}\n" => r#"
spec/supplement/a.yaml:5:187: Mastodon sends `absent` in place of `A.a`, whose `presence` says otherwise (mend `presence`, or write under `until` when the quirk ended)
"#;
    a_place_that_the_condition_excludes: "entities:\n  A: {since: {mastodon: \"2.0.0\", gotosocial: never}, fields: {a: {optional: true, when: {in: B, not_in: [B]}}, b: {type: B}}}\n  B: {since: {mastodon: \"2.0.0\", gotosocial: never}, fields: {a: {type: string}}}\n" => r#"
spec/supplement/a.yaml:5:97: `A.a` is in no place that the condition leaves (mend `in` or `not_in`)
"#;
    kept_where_it_is_always_sent: operation("    params:\n      one: {in: query, type: string, required: true, unset: keep}\n").replace("GET", "PATCH") => r#"
spec/supplement/a.yaml:13:54: `accounts.list.one` is always required, and never unset (remove `unset` of the program, or mend `required`)
"#;
    several_values_before_it_is_there: operation("    params:\n      one: {in: query, type: 'string|string[]', several: {mastodon: {list: \"2.0.0\"}, gotosocial: {}}, since: {mastodon: \"3.0.0\"}}\n") => r#"
spec/supplement/a.yaml:13:76: `accounts.list.one` takes several values in 2.0.0, before Mastodon has it (write 3.0.0 or a later release)
"#;
    an_id_of_an_enumeration: param("in: query, type: id<Kind>") => r#"
spec/supplement/a.yaml:13:30: `Kind` is an enumeration, whose values have no ids (write `Kind` for a value of it, or name an entity)
"#;
    the_same_alternative_twice: param("in: query, type: string|string") => r#"
spec/supplement/a.yaml:13:30: both alternatives of `accounts.list.one` are the same (write the type once)
"#;
    an_enumeration_without_values: "enums:\n  Kind: {since: {mastodon: unknown, gotosocial: unknown}, values: {}}\n" => r#"
spec/supplement/a.yaml:5:59: `Kind` has no value (list its values, or write `values: unknown`)
"#;
    letters_that_look_alike: "entities:\n  A: {since: {mastodon: unknown, gotosocial: unknown}, fields: {n\u{430}me: {type: string}}}\n" => r#"
spec/supplement/a.yaml:5:65: `nаme` holds `а`, which looks like another letter or is none (names on the wire are ASCII: write it with the keyboard's own letters)
"#;
    blanks_around_a_value: "enums:\n  Kind: {since: {mastodon: unknown, gotosocial: unknown}, values: {\"a \": {}}}\n" => r#"
spec/supplement/a.yaml:5:68: `a ` begins or ends with white space, or is empty (write the key as it stands on the wire, without white space)
"#;
    its_own_replacement: operation("    replacement: accounts.list\n") => r#"
spec/supplement/a.yaml:12:18: `accounts.list` cannot be its own replacement (name what came after it, or remove `replacement`)
"#;
    two_that_replace_each_other: "entities:\n  A: {since: {mastodon: \"2.0.0\", gotosocial: never}, fields: {a: {replacement: A.b}, b: {replacement: A.a}}}\n" => r#"
spec/supplement/a.yaml:5:103: `A.b` and `A.a` replace each other (name what came after it, or remove `replacement`)
"#;
    a_name_where_an_id_belongs: "entities:\n  A: {since: {mastodon: \"2.0.0\", gotosocial: never}, fields: {a: {replacement: 'b[c]'}, \"b[c]\": {}}}\n" => r#"
spec/supplement/a.yaml:5:80: there is no item `b[c]` (write `A.b.c`: an id is whole, with dots for brackets)
"#;
    renamed_from_another_kind: operation("    renamed_from: Account\n") => r#"
spec/supplement/a.yaml:12:19: `accounts.list` cannot have been `Account`, which is no id of its kind (write the id that it had)
"#;
    a_release_that_is_not_registered: operation("    removed: {mastodon: \"2.5.0\"}\n    absent: {mastodon: [[\"2.1.0\", \"2.2.0\"]]}\n") => r#"
spec/supplement/a.yaml:12:25: Mastodon has no registered release 2.5.0 (the registered releases beside it are 2.0.0 and 3.0.0; else register 2.5.0 under `programs.mastodon.releases` in implementations.yaml first)
spec/supplement/a.yaml:13:26: Mastodon has no registered release 2.1.0 (the registered releases beside it are 2.0.0 and 3.0.0; else register 2.1.0 under `programs.mastodon.releases` in implementations.yaml first)
spec/supplement/a.yaml:13:35: Mastodon has no registered release 2.2.0 (the registered releases beside it are 2.0.0 and 3.0.0; else register 2.2.0 under `programs.mastodon.releases` in implementations.yaml first)
"#;
    always_is_what_the_documents_say_alone: "entities:\n  A: {since: {mastodon: \"0.0.0\", gotosocial: never}, fields: {a: {}}}\n" => r#"
spec/supplement/a.yaml:5:25: Mastodon has no registered release 0.0.0 (the first registered release is 1.0.0; else register 0.0.0 under `programs.mastodon.releases` in implementations.yaml first)
"#;
}

const NEVER: &str = "entities:
  Tag: {since: {mastodon: \"2.0.0\", gotosocial: never}, fields: {name: {type: string}}}
enums:
  Kind: {since: {mastodon: \"2.0.0\", gotosocial: never}, values: {a: {}}}
";

#[test]
fn an_answer_that_a_program_never_has() {
    let text = operation(&format!("    params: {{kind: {{in: query, type: Kind}}}}\n{NEVER}"));
    supplement(&text.replace("json", "Tag[]")).says(r#"
spec/supplement/a.yaml:11:14: GoToSocial has `accounts.list`, which answers what it never has (mend one of the two; where it only ever is empty, write `works_since: {gotosocial: never}`)
spec/supplement/a.yaml:12:38: GoToSocial has `accounts.list.kind`, which takes what it never has (mend one of the two; where it only ever is empty, write `works_since: {gotosocial: never}`)
"#);
    let stub = "    works_since: {gotosocial: never}\n";
    let text = operation(&format!("{stub}{NEVER}"));
    supplement(&text.replace("json", "Tag[]")).full();
    supplement(&text.replace("json", "Tag")).full();
    let either = operation(NEVER);
    supplement(&either.replace("json", "string[]|Tag[]")).full();
}

/// An operation that reads a list, and what else is said of it.
fn list(more: &str) -> String {
    operation(more).replace("json", "json[]")
}

said! {
    a_stub_of_which_nobody_says_when_it_works: list("    stub: {gotosocial: \"0.1.0\"}\n") => r#"
spec/supplement/a.yaml:12:24: nobody says until when `accounts.list` answers an empty list in GoToSocial (write the release under `works_since`, as `works_since: {gotosocial: never}`)
"#;
    a_stub_that_works_at_once: list("    works_since: {gotosocial: \"0.1.0\"}\n    stub: {gotosocial: \"0.1.0\"}\n") => r#"
spec/supplement/a.yaml:12:31: in GoToSocial, `accounts.list` works since 0.1.0, which is no later than its Since, 0.1.0 (mend it, or the Since of the item)
"#;
    a_stub_before_it_is_there: list("    works_since: {mastodon: \"3.0.0\"}\n    stub: {mastodon: \"1.0.0\"}\n") => r#"
spec/supplement/a.yaml:13:22: `accounts.list` answers before Mastodon has it (write 2.0.0 or a later release)
"#;
    a_stub_of_what_is_no_list: operation("    works_since: {gotosocial: never}\n    stub: {gotosocial: \"0.1.0\"}\n") => r#"
spec/supplement/a.yaml:13:24: `accounts.list` reads no list, so that it cannot answer an empty one (remove `stub`; `works_since` says since when it does something)
"#;
    a_stub_in_a_program_and_a_release_that_nobody_registered: list("    works_since: {gotosocial: never}\n    stub: {gotosocial: \"0.2.7\", gotsocial: \"0.1.0\"}\n") => r#"
spec/supplement/a.yaml:13:24: GoToSocial has no registered release 0.2.7 (the registered releases beside it are 0.1.0 and 0.19.0; else register 0.2.7 under `programs.gotosocial.releases` in implementations.yaml first)
spec/supplement/a.yaml:13:33: there is no program `gotsocial` (did you mean `gotosocial`?)
"#;
}

#[test]
fn a_stub_is_a_list_until_it_works() {
    supplement(&list("    works_since: {gotosocial: never}\n    stub: {gotosocial: \"0.1.0\"}\n"))
        .full();
}

#[test]
fn facts_that_nobody_states_over_the_documents() {
    let mut spec = supplement("");
    spec.files.push((
        "supplement/c.yaml",
        "area: test
defaults:
  since: {mastodon: \"2.0.0\", gotosocial: never}
  evidence: {mastodon: server, gotosocial: server, shape: server}
groups:
  accounts: {summary: Accounts.}
operations:
  accounts.get:
    path: /a/:id
    success: unknown
    params:
      id: {type: id}
      other: {default: 1}
entities:
  A: {fields: {a: {}}}
  B: {}
enums:
  C: {}
"
        .to_owned(),
    ));
    spec.says(r#"
spec/supplement/c.yaml:8:3: `accounts.get` neither states `method`, `auth`, `returns`, `paging` nor says that it is unknown (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)
spec/supplement/c.yaml:12:7: `accounts.get.id` neither states `in`, `required` nor says that it is unknown (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)
spec/supplement/c.yaml:13:7: `accounts.get.other` neither states `in`, `type`, `required` nor says that it is unknown (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)
spec/supplement/c.yaml:15:16: `A.a` neither states `type`, `nullable`, `optional` nor says that it is unknown (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)
spec/supplement/c.yaml:16:3: `B` neither states `fields` nor says that it is unknown (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)
spec/supplement/c.yaml:18:3: `C` neither states `values` nor says that it is unknown (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)
"#);
}

#[test]
fn what_the_documents_leave_open_is_stated_over_them() {
    let documents = "operations:\n  accounts.get: {since: {mastodon: \"2.0.0\"}, params: {a: {}}}\n  accounts.list: {since: {mastodon: \"2.0.0\"}}\n";
    let mut spec = Spec::new(documents, "");
    spec.files.push((
        "supplement/c.yaml",
        "area: test
defaults:
  evidence: {shape: server}
operations:
  accounts.get: {method: GET, path: /a, auth: unknown, success: [200], errors: {}, paging: none}
"
        .to_owned(),
    ));
    spec.says(r#"
spec/supplement/c.yaml:5:3: `accounts.get.a` neither states `in`, `type`, `required` nor says that it is unknown (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)
spec/supplement/c.yaml:5:3: `accounts.get` neither states `returns` nor says that it is unknown (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)
"#);
}

#[test]
fn evidence_that_ends_before_what_it_proves() {
    let old = IMPLEMENTATIONS.replace("v4.5.0", "v0.1.0 to v2.0.0");
    let text = operation("    removed: {mastodon: \"4.5.0\"}\n").replace("2.0.0", "3.0.0");
    Spec {
        implementations: &old,
        ..supplement(&text)
    }
    .says(r#"
spec/supplement/a.yaml:8:23: `server` was read up to 2.0.0 and cannot prove what Mastodon 3.0.0 has (name a source that shows 3.0.0, or look at it and raise `revision` of `server` in implementations.yaml)
spec/supplement/a.yaml:12:25: `server` was read up to 2.0.0 and cannot prove what Mastodon 4.5.0 has (name a source that shows 4.5.0, or look at it and raise `revision` of `server` in implementations.yaml)
"#);
}

#[test]
fn a_stand_in_with_a_value_that_the_enumeration_lacks() {
    let text = operation(&format!(
        "    replacement: accounts.find
    stands_in: {{one: kind is hid}}
    params: {{one: {{in: query, type: boolean}}}}
  accounts.find:
    since: {{mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}}
    params: {{kind: {{in: query, type: Kind}}}}
entities:
  A:
    since: {{mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}}
    stands_in: {{for: B, fields: {{kind: hide if old else wran}}}}
    fields: {{old: {{type: boolean}}}}
  B: {{since: {{mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}}, fields: {{kind: {{type: Kind}}}}}}
{KIND}"
    ));
    supplement(&text).says(
        r#"
spec/supplement/a.yaml:13:22: `accounts.find.kind` has no value `hid` (did you mean `hide`?)
spec/supplement/a.yaml:21:40: `B.kind` has no value `wran` (did you mean `warn`?)
"#,
    );
}

/// A catalogue that was generated with another id.
fn generated(text: &str) -> Spec<'_> {
    let mut spec = supplement(text);
    // It is larger than what people write, and read all the same.
    let ids = "{\"id\":\"a.b\"},\n".repeat(400_000);
    spec.files.push(("api.json", format!("{{\"items\": [{ids}{{\"id\": \"accounts.lists\"}}]}}")));
    spec
}

#[test]
fn renamed_from_what_never_was() {
    let text = operation("    renamed_from: accounts.lst\n");
    let spec = supplement(&text);
    spec.full();
    generated(&text).says(r#"
spec/supplement/a.yaml:12:19: there never was an item `accounts.lst` (did you mean `accounts.lists`?)
"#);
    generated(&text.replace("lst", "lists")).full();
    let stone = format!("{text}tombstones:\n  accounts.lst: {{why: Renamed.}}\n");
    generated(&stone).full();
    let twice = "    renamed_from: accounts.lists\n  accounts.other:\n    since: {mastodon: unknown, gotosocial: unknown}\n    renamed_from: accounts.lists\n";
    generated(&operation(twice)).says(r#"
spec/supplement/a.yaml:15:19: both `accounts.list` and `accounts.other` are renamed from `accounts.lists` (one item has one name after another; keep one of the two)
"#);
}

#[test]
fn programs_that_cannot_be_so() {
    let wrong = r#"programs:
  mastodon:
    name: Mastodon
    letter: A
    nodeinfo: [mastodon]
    releases:
      "1.0.0": {date: "2019-02-29"}
      "1.0.1": {date: "2019-03-02", api: 3}
      "1.0.2": {date: "2019-03-01", api: 2}
      "0.9.0": {}
  gotosocial:
    name: GoToSocial
    letter: A
    nodeinfo: [mastodon]
    releases: {"0.1.0": {date: "2021-05-01"}, "0.2.0": {date: "2021-04-01"}}
    ways: {api: {name: other, numbers: {"0.3.0": 1}}, server: {errors: {words: {nothing: {"0.1.0": {text: "{\"e\":\"{pth}\"}"}, "0.2.0": {status: 200, text: "{\"e\": \"\""}}}}}, limits: {told_at: {poll_options: polls/max}}}
  glitch-soc: {name: Other, nodeinfo: [], releases: {}}
sources:
  documents: {class: C, title: The documents, url: example.org}
"#;
    Spec {
        implementations: wrong,
        ..Spec::new("", "").and("documents/b.yaml", "")
    }
    .says(r#"
spec/implementations.yaml:7:23: `2019-02-29` is no day (write a day that the calendar has, as "2024-10-07")
spec/implementations.yaml:9:23: 1.0.2 came out on 2019-03-01, before 1.0.1 on 2019-03-02 (mend one of the two dates)
spec/implementations.yaml:9:42: 1.0.2 of Mastodon publishes the number 2, and 1.0.1 before it 3 (a later release publishes at least the number of the one before)
spec/implementations.yaml:10:7: 0.9.0 of Mastodon does not come after 1.0.2 (list the releases in the order of their versions)
spec/implementations.yaml:13:13: another program has the letter `A` (give it to one of the two)
spec/implementations.yaml:14:16: another program has the nodeinfo `mastodon` (give it to one of the two)
spec/implementations.yaml:15:63: 0.2.0 came out on 2021-04-01, before 0.1.0 on 2021-05-01 (mend one of the two dates)
spec/implementations.yaml:16:41: GoToSocial has no registered release 0.3.0 (name a release that is listed below, or list it there)
spec/implementations.yaml:16:107: nothing stands for `{pth}` (did you mean `path`?)
spec/implementations.yaml:16:147: `200` is not a status of an error (write the status of an error: 400 to 599)
spec/implementations.yaml:16:158: `{"e": ""` is no JSON (close its brackets and quotes, or begin it otherwise)
spec/implementations.yaml:16:212: `polls/max` leads to no place in an answer (begin it with `/`, as `/configuration/statuses/max_characters`)
spec/implementations.yaml:17:3: the key `glitch-soc` of a program is no identifier (write it in small letters, digits and `_`)
spec/implementations.yaml:17:39: nothing tells that a server runs Other (name its software as node info does, in lower case)
spec/implementations.yaml:19:52: `example.org` is no address (write it whole, with `https://`)
"#);
}

/// The order of the arguments names what constructors take: each once, the path's first.
#[test]
fn arguments_in_an_order() {
    let params = "    params:
      id: {in: path, type: string}
      name: {in: form, type: string, required: true}
      secret: {in: form, type: string, required: true}
      note: {in: form, type: string, required: false}
";
    let stated = |order: &str| {
        let text = operation(&format!("    arguments: [{order}]\n{params}"));
        text.replace("path: /a", "path: /a/:id").replace("method: GET", "method: POST")
    };
    let arguments = |order: &str| {
        let text = stated(order);
        let api = supplement(&text).full();
        let signatures = fedispec_model::constructors::signatures(&api.operations[0]);
        signatures[0].1.join(" ").replace("accounts.list.", "")
    };
    assert_eq!(arguments("id, secret, name"), "id secret name");
    assert_eq!(arguments("id, name, secret"), "id name secret");
    for (order, problem) in [
        (
            "id, name",
            ":16: `accounts.list` requires `secret`, which its `arguments` leave out (put `secret` in its place)",
        ),
        (
            "id, name, sceret, secret",
            ":27: `accounts.list` has no parameter `sceret` (did you mean `secret`?)",
        ),
        (
            "id, name, secret, note",
            ":35: no constructor of `accounts.list` takes `note`, which is not required (leave it out: it has a setter)",
        ),
        ("id, name, name, secret", ":27: `name` stands twice in the list (remove one of the two)"),
        (
            "name, id, secret",
            ":16: `id` is part of the path and does not stand first (list the parameters of the path before the others)",
        ),
    ] {
        supplement(&stated(order)).says(&format!("\nspec/supplement/a.yaml:12{problem}\n"));
    }
}

/// A field of an entity, at line 8.
fn field(text: &str) -> String {
    format!(
        "entities:\n  A:\n    since: {{mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}}\n    fields:\n      a: {{{text}}}\n      created_at: {{type: datetime}}\n{KIND}"
    )
}

/// A field with a value for its absence, which something proves.
fn absent(text: &str) -> String {
    field(&format!("{text}, evidence: {{absent_means: server}}"))
}

said! {
    nothing_proves_what_absence_means: field("type: boolean, absent_means: false") => r#"
spec/supplement/a.yaml:8:40: nothing proves what the absence of `A.a` means (name a source under `evidence.absent_means` of the field or of the file's `defaults`)
"#;
    a_proof_of_what_absence_means_alone: field("type: boolean, evidence: {absent_means: server}") => r#"
spec/supplement/a.yaml:8:37: nobody says what the absence of `A.a` means (write `absent_means`, or remove its evidence)
"#;
    an_absence_of_another_type: absent("type: boolean, absent_means: \"no\"") => r#"
spec/supplement/a.yaml:8:40: `"no"` is no value of `A.a` (write `true` or `false`, without quotes, or mend its type)
"#;
    an_absence_that_no_enumeration_lists: absent("type: Kind, absent_means: hid") => r#"
spec/supplement/a.yaml:8:37: `"hid"` is no value of `A.a` (did you mean `hide`?)
"#;
    an_absence_that_makes_up_a_date: absent("type: datetime, absent_means: \"2020-01-01\"") => r#"
spec/supplement/a.yaml:8:41: the absence of `A.a` cannot mean a date (remove `absent_means`: the field is an `Option` where it may be absent)
"#;
    an_absence_that_makes_up_an_id: absent("type: id<A>, absent_means: \"1\"") => r#"
spec/supplement/a.yaml:8:38: the absence of `A.a` cannot mean an id (remove `absent_means`: the field is an `Option` where it may be absent)
"#;
    an_absence_that_makes_up_an_object: absent("type: A, absent_means: {}") => r#"
spec/supplement/a.yaml:8:34: the absence of `A.a` cannot mean an object (remove `absent_means`: the field is an `Option` where it may be absent)
"#;
    an_absence_that_makes_up_elements: absent("type: \"A[]\", absent_means: [{}]") => r#"
spec/supplement/a.yaml:8:38: the absence of `A.a` cannot mean the elements of a list (remove `absent_means`: the field is an `Option` where it may be absent)
"#;
    absence_and_null: absent("type: boolean, nullable: true, absent_means: false") => r#"
spec/supplement/a.yaml:8:56: `A.a` may be null, and its absence means `false` (write `absent_means: {value: .., or_null: true}` if null means the same; else remove `absent_means`, and the field is an `Option`)
"#;
    null_in_one_release_of_a_program: absent("type: string, presence: {gotosocial: always}, changed: {gotosocial: [{in: \"0.19.0\", what: presence, from: nullable, to: always}]}, absent_means: \"\"") => r#"
spec/supplement/a.yaml:8:156: `A.a` may be null, and its absence means `""` (write `absent_means: {value: .., or_null: true}` if null means the same; else remove `absent_means`, and the field is an `Option`)
"#;
    null_that_is_never_sent: absent("type: boolean, absent_means: {value: false, or_null: true}") => r#"
spec/supplement/a.yaml:8:40: `A.a` is never null (remove `or_null: true`, or write `nullable: true`)
"#;
    left_out_and_never_absent: absent("type: boolean, nullable: false, optional: false, absent_means: {value: false, omitted: true}") => r#"
spec/supplement/a.yaml:8:74: `A.a` is never left out (remove `omitted: true`, or write `optional: true`)
"#;
    the_presence_of_no_program: field("type: boolean, presence: {gotosociel: always}") => r#"
spec/supplement/a.yaml:8:37: there is no program `gotosociel` (did you mean `gotosocial`?)
"#;
    a_presence_that_does_not_exist: field("type: boolean, presence: {gotosocial: sometimes}") => r#"
spec/supplement/a.yaml:8:49: unknown value `sometimes` of `gotosocial` (write one of `always`, `optional`, `nullable`, `optional nullable`)
"#;
    a_presence_whose_changes_end_elsewhere: field("type: boolean, presence: {gotosocial: optional}, changed: {gotosocial: [{in: \"0.19.0\", what: presence, from: optional, to: always}]}") => r#"
spec/supplement/a.yaml:8:134: the last change of `presence`, in 0.19.0, ends at `always`, but the present value is `optional` (mend one of the two, or add the change that came after)
"#;
}

#[test]
fn a_count_has_no_value_for_its_absence() {
    let text = "entities:\n  A:\n    since: {mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}\n    fields:\n      likes_count: {type: integer, absent_means: 0, evidence: {absent_means: server}}\n";
    supplement(text).says(
        r#"
spec/supplement/a.yaml:8:50: the absence of `A.likes_count` cannot mean a count (remove `absent_means`: the field is an `Option` where it may be absent)
"#,
    );
}

#[test]
fn presence_and_the_meaning_of_absence_are_resolved() {
    let text = absent(
        "type: boolean, optional: true, nullable: true, presence: {gotosocial: always}, \
         changed: {gotosocial: [{in: \"0.19.0\", what: presence, from: optional, to: always}]}, \
         absent_means: {value: false, omitted: true, or_null: true}",
    );
    let api = supplement(&text).full();
    let field = &api.entities[0].fields[0];
    let means = field.absent_means.as_ref().expect("a value");
    assert_eq!(
        (&means.value, means.omitted, means.or_null),
        (&serde_json::json!(false), true, true)
    );
    let proof = means.evidence.as_ref().map(|one| one.source.as_str());
    assert_eq!(proof, Some("The server's source (v4.5.0)"));
    let names = |program| {
        let states = field.presence_states(program).into_iter();
        let states = states.map(|state| state.presence.name());
        states.collect::<Vec<_>>()
    };
    assert_eq!(names(0), ["optional nullable"]);
    assert_eq!(names(1), ["optional", "always"]);
}

/// An entity with a field that a guess tells of, and what else is said of the field.
fn guessed(more: &str) -> String {
    format!(
        "entities:\n  Note:\n    since: {{mastodon: \"2.0.0\", gotosocial: never}}\n    fields:\n      text: {{since: {{mastodon: \"2.0.0\", gotosocial: never}}, type: string, \
         nullable: false, optional: false, evidence: {{{more}}}}}\n"
    )
}

said! {
    what_is_always_there_has_been_seen: guessed("shape: guess") => r#"
spec/supplement/a.yaml:8:7: nobody has seen that Mastodon always sends `Note.text`, and never as null (name the recording or the place in the source, as `evidence: {presence.mastodon: {source: recordings, at: ".."}}`, or say that it is `nullable` or `optional`)
"#;
    a_guess_is_no_better_under_a_key_of_its_own: guessed("shape: server, presence.mastodon: guess") => r#"
spec/supplement/a.yaml:8:135: this is no proof that Mastodon always sends `Note.text`, and never as null (name the recording or the place in the source, as `evidence: {presence.mastodon: {source: recordings, at: ".."}}`, or say that it is `nullable` or `optional`)
"#;
}

#[test]
fn what_has_been_seen_or_may_be_absent_needs_no_more() {
    supplement(&guessed("shape: guess, presence.mastodon: recordings")).full();
    supplement(&guessed("shape: server")).full();
    for key in ["nullable", "optional"] {
        let maybe =
            guessed("shape: guess").replace(&format!("{key}: false"), &format!("{key}: true"));
        supplement(&maybe).full();
    }
}

#[test]
fn one_cause_is_one_message() {
    let removed = "    removed: {mastodon: \"1.0.0\"}\n    changed: {mastodon: [{in: \"3.0.0\", what: method, from: PUT, to: GET}]}\n";
    let of_path = operation("    params:\n      one: {in: path, type: string}\n");
    for (text, told) in [
        (param("in: query, tpye: string, required: false"), "13:24: unknown key `tpye`"),
        (of_path.replace("path: /a", "path: /a/:two"), "10:11: the path has `:two`, and no `:one`"),
        (operation(removed), "12:25: "),
        (
            param("in: query, type: integer, required: false, default: 40, min: 90, max: 80"),
            "13:74: the least value of `accounts.list.one`, 90, is above the greatest, 80",
        ),
        (
            operation(
                "    auth: {token: user, unauthenticated: 203}\n    changed: {mastodon: [{in: \"3.0.0\", what: unauthenticated, from: 401, to: 403}]}\n",
            ),
            "12:42: `203` does not refuse a request without a token",
        ),
        (
            operation("    works_since: {mastadon: \"9.0.0\"}\n"),
            "12:19: there is no program `mastadon`",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        supplement(&text).write(folder.path());
        let opened = fedispec_reader::open(folder.path(), fedispec_model::api::Layer::Full);
        let failure = opened.expect_err("a mistake");
        let all = failure.report.diagnostics().iter();
        let all: Vec<_> = all.map(|one| one.short(&failure.sources)).collect();
        assert!(all.len() == 1 && all[0].contains(told), "{told}: {all:#?}");
    }
}

#[test]
fn what_the_documents_have_is_no_undocumented_item() {
    let documents = "entities:\n  A: {since: {mastodon: \"2.0.0\"}, fields: {a: {}}}\n";
    let text = "entities:\n  A: {since: {gotosocial: never}, fields: {a: {type: string, undocumented: true}}}\n";
    Spec::new(documents, text).says(
        "
spec/supplement/a.yaml:5:62: the documents have `A.a` (remove `undocumented`)
",
    );
}

/// What was required sometimes has a condition that is still worth telling.
#[test]
fn a_condition_of_earlier_releases_is_none_of_this_one() {
    supplement(&param(
        "in: query, type: string, required: false, required_when: {if: it rains}, changed: {mastodon: [{in: \"3.0.0\", what: required, from: sometimes, to: never}]}",
    ))
    .full();
}

said! {
    a_default_of_too_many_elements: param("in: query, type: \"string[]\", default: [a, b, c], max_items: 2") => r#"
spec/supplement/a.yaml:13:51: `["a","b","c"]` is outside the bounds of `accounts.list.one` (mend it, or the bound: `max_items` is 2)
"#;
    an_element_of_a_default_that_is_too_long: param("in: query, type: \"string[]\", default: [long], max_length: 3") => r#"
spec/supplement/a.yaml:13:51: `["long"]` is outside the bounds of `accounts.list.one` (mend it, or the bound: `max_length` is 3)
"#;
    a_safe_value_that_is_no_time: param("in: query, type: datetime, required: false, left_out: {effect: changes_meaning, so: it begins now, safe: soon}") => r#"
spec/supplement/a.yaml:13:118: `soon` is no value of `accounts.list.one` (write a time, in quotes, or mend its type)
"#;
    a_safe_value_that_is_too_long: param("in: query, type: string, max_length: 3, required: false, left_out: {effect: changes_meaning, so: all is shown, safe: long}") => r#"
spec/supplement/a.yaml:13:130: `long` is no value of `accounts.list.one` (mend it, or the bound: `max_length` is 3)
"#;
    a_value_that_a_way_sets_and_nothing_takes: operation(&format!("    alternatives: {{now: {{sets: {{one: warn}}}}}}\n    params:\n      one: {{in: query, type: Kind, only: [hide]}}\n{KIND}")) => r#"
spec/supplement/a.yaml:12:38: `only` of `accounts.list.one` leaves out what is named here (write one of `hide`)
"#;
    a_condition_that_what_is_always_sent_decides: operation("    params:\n      one: {in: query, type: string, required: sometimes, required_when: {not_sent: two}}\n      two: {in: query, type: string, required: true}\n") => r#"
spec/supplement/a.yaml:13:85: `accounts.list.two` is always sent, and decides nothing (mend the condition, or take this part of it away)
"#;
    a_condition_in_a_wider_one: operation("    params:\n      one: {in: query, type: string, required: sometimes, required_when: [{sent: two}, {sent: two, if: it rains}]}\n      two: {in: query, type: string, required: false}\n") => r#"
spec/supplement/a.yaml:13:88: one of two conditions holds wherever the other one does (mend it, or take one of the two away)
"#;
    conditions_of_which_one_always_holds: operation("    params:\n      one: {in: query, type: string, required: sometimes, required_when: [{sent: two}, {not_sent: two}]}\n      two: {in: query, type: string, required: false}\n") => r#"
spec/supplement/a.yaml:13:88: one of the two conditions always holds (mend it, or take one of the two away)
"#;
    pages_of_nothing: operation("    paging: link\n    params:\n      max_id: {in: query, type: cursor}\n").replace("returns: json", "returns: empty") => r#"
spec/supplement/a.yaml:12:13: `accounts.list` answers `empty`, of which there are no pages (mend `paging` or `returns`)
"#;
    items_that_replace_each_other_in_a_circle: operation("    params:\n      one: {in: query, type: string, replacement: accounts.list.two}\n      two: {in: query, type: string, replacement: accounts.list.three}\n      three: {in: query, type: string, replacement: accounts.list.one}\n") => r#"
spec/supplement/a.yaml:14:51: `accounts.list.two`, `accounts.list.three` and `accounts.list.one` replace each other (name what came after it, or remove `replacement`)
"#;
    an_entity_of_which_nothing_is_left: "entities:\n  A: {since: {mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}, fields: {a: {type: string, removed: {mastodon: \"3.0.0\"}}}}\n" => r#"
spec/supplement/a.yaml:5:103: Mastodon 3.0.0 has `A`, and none of its fields: `A.a` is gone in 3.0.0 (mend one of the two)
"#;
    an_enumeration_without_a_value_at_first: param("in: query, type: string").replace("hide: {}, warn: {}", "hide: {since: {mastodon: \"3.0.0\"}}") => r#"
spec/supplement/a.yaml:15:67: Mastodon 1.0.0 has `Kind`, and none of its values: `Kind.hide` comes in 3.0.0 (mend one of the two)
"#;
    values_of_which_a_program_takes_none_any_more: param("in: query, type: Kind, only: [hide]").replace("hide: {}", "hide: {removed: {mastodon: \"3.0.0\"}}") => r#"
spec/supplement/a.yaml:15:95: Mastodon 3.0.0 has `accounts.list.one`, and none of its values under `only`: `Kind.hide` is gone in 3.0.0 (mend one of the two)
"#;
    what_comes_after_its_own_end_and_that_of_what_is_around_it: operation("    removed: {mastodon: \"3.0.0\"}\n    params:\n      one: {in: query, type: string, removed: {mastodon: \"3.0.0\"}, deprecated: {mastodon: \"4.5.0\"}}\n") => r#"
spec/supplement/a.yaml:14:58: in Mastodon, `accounts.list.one` is removed in 3.0.0, before it is deprecated in 4.5.0 (an item is added, then deprecated, then removed)
"#;
    several_facts_after_the_end: operation("    removed: {mastodon: \"3.0.0\"}\n    params:\n      one: {in: query, type: string, deprecated: {mastodon: \"4.5.0\"}}\n      two: {in: query, type: string, removed: {mastodon: \"4.5.0\"}}\n") => r#"
spec/supplement/a.yaml:12:25: `accounts.list.one` has its `deprecated` in Mastodon 4.5.0, as one of 2 such facts, and `accounts.list` around it is gone in 3.0.0 (mend one of the two)
"#;
    an_end_where_what_is_around_it_is_absent: operation("    absent: {mastodon: [[\"2.0.0\", \"4.5.0\"]]}\n    params:\n      one: {in: query, type: string, removed: {mastodon: \"3.0.0\"}}\n").replace("mastodon: \"2.0.0\", gotosocial", "mastodon: \"1.0.0\", gotosocial") => r#"
spec/supplement/a.yaml:14:58: `accounts.list.one` has its `removed` in Mastodon 3.0.0, and `accounts.list` around it is absent from 2.0.0 until 4.5.0 (mend one of the two)
"#;
    a_quirk_after_the_end: field("type: string, format: uri, removed: {mastodon: \"3.0.0\"}, quirks: [{program: mastodon, sends: empty_string, since: \"3.0.0\"}]") => r#"
spec/supplement/a.yaml:8:76: the quirk outlives `A.a` in Mastodon, which removes it (mend one of the two, or remove the quirk)
"#;
    a_value_in_a_condition_of_the_same: operation("    params:\n      one: {in: query, type: string, required: sometimes, required_when: [{sent: two}, {sent: two, is: a}]}\n      two: {in: query, type: string, required: false}\n") => r#"
spec/supplement/a.yaml:13:88: one of two conditions holds wherever the other one does (mend it, or take one of the two away)
"#;
}

#[test]
fn the_ways_of_a_program_are_about_what_it_has() {
    let text = operation("").replace("accounts.list", "statuses.pin");
    let text = text.replace("  accounts: {summary: Accounts.}", "  statuses: {summary: Posts.}");
    for (since, expected) in [
        (
            "\"2.0.0\"",
            "spec/implementations.yaml:5:48: Mastodon has no `statuses.pin` before 2.0.0 (write 2.0.0 or a later release)",
        ),
        (
            "never",
            "spec/implementations.yaml:5:30: Mastodon never has `statuses.pin` (remove it, or mend the id)",
        ),
    ] {
        let ways = "    letter: A\n    ways: {limits: {values: {pinned: {\"1.0.0\": 5}}}}";
        let registry = IMPLEMENTATIONS.replacen("    letter: A", ways, 1);
        let text = text.replace("mastodon: \"2.0.0\"", &format!("mastodon: {since}"));
        let mut spec = supplement(&text);
        spec.implementations = &registry;
        spec.says(expected);
    }
}

#[test]
fn a_quirk_may_end_with_its_field() {
    supplement(&field(
        "type: string, format: uri, nullable: false, optional: false, removed: {mastodon: \"3.0.0\"}, quirks: [{program: mastodon, sends: empty_string, until: \"3.0.0\"}]",
    ))
    .full();
}

/// A wider scope does for one that comes later, and not for one that a program never has.
#[test]
fn a_scope_that_the_only_program_never_has() {
    let scopes = "enums:\n  OauthScope: {since: {mastodon: \"1.0.0\", gotosocial: \"0.1.0\"}, values: {read: {}, \"read:lists\": {since: {gotosocial: never}}}}\n";
    let text = operation(&format!("    auth: {{token: user, scopes: [\"read:lists\"]}}\n{scopes}"));
    supplement(&text.replace("mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}\n    method", "mastodon: never, gotosocial: \"0.1.0\"}\n    method")).says(
        "spec/supplement/a.yaml:12:34: GoToSocial 0.1.0 has `accounts.list`, whose `auth` names `OauthScope.read:lists`; that is never there (mend one of the two)",
    );
}

/// What comes with a value is no older than it.
#[test]
fn a_value_shown_instead_that_comes_in_the_same_release() {
    let values = "enums:\n  Kind: {since: {mastodon: \"1.0.0\", gotosocial: never}, values: {all: {}, hide: {since: {mastodon: \"2.0.0\"}, on_older: warn}, warn: {since: {mastodon: \"2.0.0\"}}}}\n";
    supplement(values).says(
        "spec/supplement/a.yaml:5:120: no release that lacks `hide` has `warn` (name a value that was there before, or write `drop_element`)",
    );
}
