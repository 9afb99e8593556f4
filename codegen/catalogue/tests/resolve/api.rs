//! The API that a valid catalogue resolves to.

use fedispec_model::api::{
    Api, Entity, EntityRole, Enumeration, Field, Life, Operation, Origin, Param, Since, Type,
};
use fedispec_since::{BodyEncoding, Location, Required, StableVersion};

use fedispec_model::api::{Layer, State};
use fedispec_model::change::ChangedFact;
use fedispec_reader::load::load_all;
use fedispec_reader::resolve::resolve;

use crate::support::{IMPLEMENTATIONS, Spec};

fn operation<'a>(api: &'a Api, id: &str) -> &'a Operation {
    api.operations.iter().find(|one| one.item.id == id).unwrap()
}

fn param<'a>(operation: &'a Operation, id: &str) -> &'a Param {
    operation.params.iter().find(|one| one.item.id == id).unwrap()
}

fn entity<'a>(api: &'a Api, id: &str) -> &'a Entity {
    api.entities.iter().find(|one| one.item.id == id).unwrap()
}

fn field<'a>(entity: &'a Entity, wire: &str) -> &'a Field {
    entity.fields.iter().find(|one| one.item.wire == wire).unwrap()
}

fn enumeration<'a>(api: &'a Api, id: &str) -> &'a Enumeration {
    api.enums.iter().find(|one| one.item.id == id).unwrap()
}

/// Own and effective Since of the first program, and of the second.
fn since(life: &[Life]) -> [(String, String); 2] {
    let pair = |life: &Life| (life.since.to_string(), life.effective.to_string());
    [pair(&life[0]), pair(&life[1])]
}

fn pairs(a: &str, b: &str, c: &str, d: &str) -> [(String, String); 2] {
    [(a.into(), b.into()), (c.into(), d.into())]
}

fn list(inner: Type) -> Type {
    Type::List(Box::new(inner))
}

fn named(id: &str) -> Type {
    Type::Entity(id.into())
}

#[test]
fn a_parameter_inherits_its_operations_since_and_says_so() {
    let api = Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
      resolve: {since: {mastodon: "4.5.0"}}
"#,
        "",
    )
    .documents();
    let lookup = operation(&api, "accounts.lookup");
    let inherited = param(lookup, "accounts.lookup.acct");
    assert_eq!(since(&inherited.item.life), pairs("2.0.0", "2.0.0", "unknown", "unknown"));
    assert_eq!(inherited.item.life[0].at, None);
    assert_eq!(inherited.item.life[1].at.unwrap().1, 3, "the file's default states the other one");
    let stated = param(lookup, "accounts.lookup.resolve");
    assert_eq!(since(&stated.item.life)[0].0, "4.5.0");
    assert_eq!(stated.item.life[0].at.unwrap().1, 14);
    assert_eq!(api.files.0, ["documents/a.yaml"]);
}

#[test]
fn a_file_that_inherits_says_nothing_twice() {
    let spec = |inherits: &str, since: &str| {
        let below = r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#;
        let above = format!(
            r#"operations:
  accounts.lookup:
    since: {{gotosocial: "0.1.0"}}
    params:
      acct: {{summary: The address of the account.{since}}}
"#
        );
        let mut spec = Spec::new(below, &above);
        for (_, text) in &mut spec.files[1..] {
            *text = text.replacen("inherits: true, ", inherits, 1);
        }
        let api = spec.full();
        param(operation(&api, "accounts.lookup"), "accounts.lookup.acct").item.life.clone()
    };
    let unsaid = spec("", "");
    assert_eq!(since(&unsaid)[1].0, "unknown", "the documents' default");
    let inherited = spec("inherits: true, ", "");
    assert_eq!(since(&inherited), pairs("2.0.0", "2.0.0", "0.1.0", "0.1.0"));
    assert_eq!(inherited[1].at, None, "nothing states it");
    let stated = spec("inherits: true, ", ", since: {gotosocial: \"0.19.0\"}");
    assert_eq!(since(&stated)[1].0, "0.19.0");
}

#[test]
fn the_effective_since_is_the_latest_of_all_containers() {
    let api = Spec::new(
        r#"entities:
  CredentialAccount:
    fields:
      id: {since: {mastodon: "1.0.0"}}
      source: {since: {mastodon: "2.0.0"}}
      source[note]: {since: {mastodon: "1.0.0"}, older_because: The source says so.}
"#,
        r#"entities:
  CredentialAccount:
    fields:
      source: {since: {gotosocial: never}}
"#,
    )
    .full();
    let source = entity(&api, "CredentialAccount.source");
    let note = field(source, "note");
    assert_eq!(since(&note.item.life), pairs("1.0.0", "2.0.0", "never", "never"));
    assert_eq!(note.item.life[1].at, None, "what is unknown inside what never was is inherited");
}

#[test]
fn an_entity_is_there_with_its_first_field() {
    let api = Spec::new(
        r#"entities:
  Account:
    fields:
      id: {since: {mastodon: "2.0.0"}}
      acct: {since: {mastodon: "1.0.0", gotosocial: "0.1.0"}}
  Role: {since: {mastodon: unknown}, fields: unknown}
"#,
        r#"entities:
  Role: {fields: {id: {since: {mastodon: "4.5.0", gotosocial: never}}}}
"#,
    )
    .full();
    assert_eq!(
        since(&entity(&api, "Account").item.life),
        pairs("1.0.0", "1.0.0", "0.1.0", "0.1.0")
    );
    assert_eq!(since(&entity(&api, "Role").item.life), pairs("4.5.0", "4.5.0", "never", "never"));
    assert!(entity(&api, "Role").fields_known);
}

#[test]
fn the_supplement_fills_what_is_unknown_and_makes_the_first_precise() {
    let api = Spec::new(
        r#"operations:
  accounts.get:
    since: {mastodon: "0.0.0"}
    params: {id: {}}
"#,
        r#"operations:
  accounts.get:
    since: {mastodon: "1.0.0", gotosocial: "0.1.0"}
    method: GET
    path: /api/v1/accounts/:id
    returns: string
    params: {id: {since: {gotosocial: "0.1.0"}, in: path, type: string, required: true}}
"#,
    )
    .full();
    let get = operation(&api, "accounts.get");
    assert_eq!(since(&get.item.life), pairs("1.0.0", "1.0.0", "0.1.0", "0.1.0"));
    let evidence = get.item.life[1].evidence.as_ref().unwrap();
    assert_eq!(evidence.source, "The server's source (v4.5.0)");
    assert_eq!(get.route.as_ref().unwrap().path, "/api/v1/accounts/:id");
    let id = param(get, "accounts.get.id");
    assert_eq!((id.location, id.required, id.type_known), (Location::Path, Required::Always, true));
    assert_eq!(get.returns, Type::String);
}

#[test]
fn a_dispute_decides() {
    let documents = r#"operations:
  accounts.get:
    since: {mastodon: "2.0.0"}
    params: {id: {}, q: {}}
entities:
  Status:
    fields:
      reblogged: {documented_as: rebogged, since: {mastodon: "1.0.0"}}
"#;
    let supplement = r#"disputes:
  - {item: accounts.get, fact: since.mastodon, documents: "2.0.0", supplement: "1.0.0", verdict: supplement, evidence: server}
  - {item: accounts.get.q, fact: since.mastodon, documents: "2.0.0", supplement: "4.5.0", verdict: supplement, evidence: server}
  - {item: Status.reblogged, fact: wire, documents: rebogged, supplement: reblogged, verdict: supplement, evidence: recordings, why: It does.}
"#;
    let spec = Spec::new(documents, supplement);
    let api = spec.full();
    let get = operation(&api, "accounts.get");
    assert_eq!(since(&get.item.life)[0].0, "1.0.0");
    assert_eq!(
        since(&param(get, "accounts.get.id").item.life)[0].0,
        "1.0.0",
        "it inherits what was decided"
    );
    assert_eq!(
        since(&param(get, "accounts.get.q").item.life)[0].0,
        "4.5.0",
        "what is inherited can be disputed"
    );
    let reblogged = field(entity(&api, "Status"), "reblogged");
    assert_eq!(reblogged.item.documented_as.as_deref(), Some("rebogged"));
    assert_eq!(api.disputes.len(), 3);
    assert!(api.disputes.iter().all(|one| one.supplement_holds));
    let alone = spec.documents();
    assert_eq!(field(entity(&alone, "Status"), "rebogged").item.id, "Status.reblogged");
    assert_eq!(alone.disputes, []);
}

#[test]
fn a_tombstone_takes_an_item_away() {
    let spec = Spec::new(
        r#"operations:
  accounts.get: {since: {mastodon: "2.0.0"}, params: {id: {}, nothing: {}}}
"#,
        r#"tombstones:
  accounts.get.nothing: {why: No server ever read it., never_existed: true}
"#,
    );
    assert_eq!(operation(&spec.full(), "accounts.get").params.len(), 1);
    assert_eq!(operation(&spec.documents(), "accounts.get").params.len(), 2);
    assert!(spec.full().tombstones[0].never_existed);
}

#[test]
fn objects_become_entities() {
    let api = Spec::new(
        r#"entities:
  Instance:
    fields:
      api_versions: {since: {mastodon: "4.5.0"}}
      api_versions[<software_key>]: {since: {mastodon: "4.5.0"}}
      configuration[polls][max_options]: {since: {mastodon: "2.0.0"}}
      history[][day]: {since: {mastodon: "2.0.0"}}
      details[:key][][error]: {since: {mastodon: "2.0.0"}}
      thumbnail[versions][@1x]: {since: {mastodon: "2.0.0"}}
"#,
        r#"entities:
  Instance:
    fields:
      api_versions: {type: map<integer>, nullable: false, optional: false}
      api_versions[<software_key>]: {type: integer}
      configuration[polls][max_options]: {type: integer}
"#,
    )
    .full();
    let instance = entity(&api, "Instance");
    let wires: Vec<_> = instance.fields.iter().map(|field| field.item.wire.as_str()).collect();
    assert_eq!(wires, ["api_versions", "configuration", "history", "details", "thumbnail"]);
    let versions = field(instance, "api_versions");
    assert_eq!(versions.r#type, Type::Map(Box::new(Type::Integer)));
    assert!(!versions.optional && versions.presence_known);
    let entry = versions.entry.as_ref().unwrap();
    assert_eq!(
        (entry.item.id.as_str(), &entry.r#type),
        ("Instance.api_versions.*", &Type::Integer)
    );
    let configuration = field(instance, "configuration");
    assert!(configuration.item.implied && configuration.optional);
    assert_eq!(configuration.r#type, named("Instance.configuration"));
    assert_eq!(since(&configuration.item.life)[0].0, "2.0.0", "it is there with its first member");
    let polls = entity(&api, "Instance.configuration.polls");
    assert_eq!(polls.role, EntityRole::Nested("Instance.configuration".into()));
    assert_eq!(polls.item.rust, "InstanceConfigurationPolls");
    let options = field(polls, "max_options");
    assert_eq!(options.item.id, "Instance.configuration.polls.max_options");
    assert_eq!(options.item.name, "configuration[polls][max_options]");
    assert_eq!(field(instance, "history").item.name, "history[]");
    assert_eq!(field(instance, "history").r#type, list(named("Instance.history")));
    let details = Type::Map(Box::new(list(named("Instance.details.*"))));
    assert_eq!(field(instance, "details").r#type, details);
    assert_eq!(field(entity(&api, "Instance.thumbnail.versions"), "@1x").item.rust, "at_1x");
    let mut ids: Vec<_> = api.entities.iter().map(|one| one.item.id.clone()).collect();
    ids.sort();
    assert_eq!(ids, api.entities.iter().map(|one| one.item.id.clone()).collect::<Vec<_>>());
}

#[test]
fn included_fields_come_first_and_are_marked() {
    let api = Spec::new(
        r#"entities:
  MutedAccount:
    includes: CredentialAccount
    fields: {mute_expires_at: {since: {mastodon: "4.5.0"}}}
  Account:
    fields:
      id: {since: {mastodon: "1.0.0"}}
      role: {since: {mastodon: "1.0.0"}}
  CredentialAccount:
    includes: Account
    fields: {role: {since: {mastodon: "2.0.0"}}}
"#,
        "",
    )
    .full();
    let muted = entity(&api, "MutedAccount");
    let fields: Vec<_> = muted
        .fields
        .iter()
        .map(|one| (one.item.id.as_str(), one.inherited_from.as_deref()))
        .collect();
    assert_eq!(
        fields,
        [
            ("MutedAccount.id", Some("Account")),
            ("MutedAccount.role", Some("CredentialAccount")),
            ("MutedAccount.mute_expires_at", None),
        ]
    );
    assert_eq!(muted.includes.as_deref(), Some("CredentialAccount"));
    assert_eq!(since(&muted.item.life)[0].0, "1.0.0");
    assert_eq!(since(&muted.fields[1].item.life)[0].0, "2.0.0");
    assert_eq!(muted.fields[0].item.life[0].at, None);
}

#[test]
fn parameters_in_brackets_are_flattened_and_lists_of_objects_get_a_struct() {
    let api = Spec::new(
        r#"operations:
  accounts.update_credentials:
    since: {mastodon: "2.0.0"}
    params:
      avatar: {in: form, type: file, required: false}
      source[privacy]: {in: form}
      fields_attributes: {in: form}
      fields_attributes[:index][name]: {in: form, type: string}
      keywords_attributes[][keyword]: {in: form, type: string, required: true}
      keywords_attributes[][_destroy]: {in: form, type: boolean}
      type: {in: form}
"#,
        "",
    )
    .full();
    let update = operation(&api, "accounts.update_credentials");
    assert_eq!(
        (update.item.rust.as_str(), update.rust_fn.as_str()),
        ("UpdateCredentials", "update_credentials")
    );
    assert_eq!(update.body, BodyEncoding::Multipart);
    let rows: Vec<_> =
        update.params.iter().map(|one| (one.item.wire.as_str(), one.item.rust.as_str())).collect();
    assert_eq!(
        rows,
        [
            ("avatar", "avatar"),
            ("source[privacy]", "source_privacy"),
            ("fields_attributes", "fields_attributes"),
            ("fields_attributes[:index][name]", "name"),
            ("keywords_attributes[][keyword]", "keyword"),
            ("keywords_attributes[][_destroy]", "destroy"),
            ("type", "type"),
            ("keywords_attributes[]", "keywords_attributes"),
        ]
    );
    let fields = param(update, "accounts.update_credentials.fields_attributes");
    assert_eq!(fields.r#type, list(named("accounts.update_credentials.fields_attributes.*")));
    let implied = update.params.last().unwrap();
    let keywords = "accounts.update_credentials.keywords_attributes";
    assert!(implied.item.implied);
    assert_eq!((implied.item.id.as_str(), implied.location), (keywords, Location::Form));
    assert_eq!(implied.r#type, list(named(keywords)));
    assert_eq!(update.params[4].parent.as_deref(), Some(keywords));
    let argument = entity(&api, keywords);
    assert_eq!(argument.role, EntityRole::Argument("accounts.update_credentials".into()));
    assert_eq!(argument.item.rust, "AccountsUpdateCredentialsKeywordsAttributes");
    assert_eq!(argument.item.name, "keywords_attributes[]");
    let wires: Vec<_> =
        argument.fields.iter().map(|one| (one.item.wire.as_str(), one.optional)).collect();
    assert_eq!(wires, [("keyword", false), ("_destroy", true)]);
}

#[test]
fn answers_without_a_name_and_errors() {
    let api = Spec::new(
        r#"operations:
  accounts.create:
    documented_as: U01
    since: {mastodon: "2.0.0"}
    response:
      count: {}
    errors:
      "422":
        fields:
          error: {}
          details[:key][][error]: {since: {mastodon: "4.5.0"}}
      "410": {since: {mastodon: "2.0.0"}, removed: {mastodon: "4.5.0"}}
"#,
        "",
    )
    .full();
    let create = operation(&api, "accounts.create");
    assert_eq!(create.returns, named("accounts.create.response"));
    assert!(create.returns_known && create.returns_documented.is_none());
    let response = entity(&api, "accounts.create.response");
    assert_eq!(response.item.rust, "AccountsCreateResponse");
    assert_eq!(response.fields[0].item.id, "accounts.create.response.count");
    let [gone, invalid] = create.errors.as_slice() else { panic!("{:?}", create.errors) };
    assert_eq!((gone.status, gone.life[0].removed), (410, Some(StableVersion(4, 5, 0))));
    assert_eq!(invalid.returns, Some(named("accounts.create.422")));
    assert!(invalid.life.is_empty());
    let error = entity(&api, "accounts.create.422");
    assert_eq!(error.role, EntityRole::Error("accounts.create".into(), 422));
    assert_eq!(error.fields[1].item.life[0].effective, Since::Since(StableVersion(4, 5, 0)));
    assert_eq!(
        entity(&api, "accounts.create.422.details.*").item.rust,
        "AccountsCreateError422Details"
    );
    let inner = &entity(&api, "accounts.create.422.details.*").fields[0];
    assert_eq!(inner.item.id, "accounts.create.422.details.*.error");
}

#[test]
fn what_the_documents_name() {
    let documents = r#"operations:
  accounts.a: {since: {mastodon: "2.0.0"}, returns: "FeaturedTag[]", params: {scope: {refers_to: OauthScope}}}
  accounts.b: {since: {mastodon: "2.0.0"}, returns: "json[]"}
  accounts.c: {since: {mastodon: "2.0.0"}}
entities:
  FeaturedTag: {documented_as: Featured Tag, fields: {kind: {since: {mastodon: "1.0.0"}}}}
enums:
  OauthScope: {documented_as: Oauth Scope, since: {mastodon: unknown}, values: unknown}
"#;
    let supplement = r#"operations:
  accounts.a: {params: {scope: {type: string}}}
  accounts.b: {returns: "string[]"}
entities:
  FeaturedTag: {fields: {kind: {type: "OauthScope[]"}}}
"#;
    let api = Spec::new(documents, supplement).full();
    let told = |id| operation(&api, id).returns_documented.as_deref();
    assert_eq!(told("accounts.a"), Some("Featured Tag[]"));
    assert_eq!(told("accounts.b"), Some("[]"));
    assert_eq!(told("accounts.c"), None);
    assert_eq!(operation(&api, "accounts.a").params[0].refers_to.as_deref(), Some("Oauth Scope"));
    assert_eq!(entity(&api, "FeaturedTag").fields[0].refers_to.as_deref(), Some("Oauth Scope"));
    assert!(enumeration(&api, "OauthScope").received && !enumeration(&api, "OauthScope").sent);
    let alone = Spec::new(documents, supplement).documents();
    assert_eq!(entity(&alone, "FeaturedTag").fields[0].refers_to, None);
}

#[test]
fn in_the_documents_alone_an_unknown_type_is_any_json() {
    let api = Spec::new(
        r#"entities:
  Status:
    fields:
      id: {since: {mastodon: "1.0.0"}}
      emojis[]: {since: {mastodon: "1.0.0"}}
"#,
        "",
    )
    .documents();
    let status = entity(&api, "Status");
    let id = field(status, "id");
    assert_eq!(
        (&id.r#type, id.type_known, id.optional, id.presence_known),
        (&Type::Json, false, true, false)
    );
    assert_eq!(field(status, "emojis").r#type, list(Type::Json));
    assert_eq!(field(status, "emojis").item.name, "emojis[]");
}

#[test]
fn values_of_an_enumeration() {
    let api = Spec::new(
        r#"enums:
  NotificationType: {documented_as: Notification Type, since: {mastodon: unknown}, values: unknown}
"#,
        r#"enums:
  NotificationType:
    values:
      mention: {since: {mastodon: "1.0.0", gotosocial: "0.1.0"}}
      admin.sign_up: {since: {mastodon: "4.5.0"}}
"#,
    )
    .full();
    let types = enumeration(&api, "NotificationType");
    assert_eq!(since(&types.item.life), pairs("1.0.0", "1.0.0", "0.1.0", "0.1.0"));
    let values: Vec<_> =
        types.values.iter().map(|one| (one.wire.as_str(), one.rust.as_str())).collect();
    assert_eq!(values, [("mention", "Mention"), ("admin.sign_up", "AdminSignUp")]);
    assert_eq!(since(&types.values[1].life), pairs("4.5.0", "4.5.0", "unknown", "unknown"));
    assert_eq!(types.values[1].origin, Origin::Beyond);
    assert_eq!(types.item.origin, Origin::Documents);
}

#[test]
fn order_and_origin() {
    let spec = Spec::new(
        r#"operations:
  accounts.b: {since: {mastodon: "2.0.0"}}
  accounts.a: {since: {mastodon: "2.0.0"}}
"#,
        r#"groups:
  aaa: {summary: First.}
operations:
  accounts.z: {since: {mastodon: never, gotosocial: "0.1.0"}, undocumented: true}
  aaa.x: {since: {mastodon: never, gotosocial: "0.1.0"}}
"#,
    )
    .and(
        "documents/b.yaml",
        r#"operations:
  accounts.c: {since: {mastodon: "2.0.0"}}
"#,
    );
    let api = spec.full();
    let ids: Vec<_> = api.operations.iter().map(|one| one.item.id.as_str()).collect();
    assert_eq!(ids, ["aaa.x", "accounts.b", "accounts.a", "accounts.c", "accounts.z"]);
    let groups: Vec<_> =
        api.groups.iter().map(|one| (one.id.as_str(), one.rust.as_str())).collect();
    assert_eq!(groups, [("aaa", "Aaa"), ("accounts", "Accounts")]);
    let origins: Vec<_> = api.operations.iter().map(|one| one.item.origin).collect();
    assert_eq!(origins[0], Origin::Beyond);
    assert_eq!(origins[1], Origin::Documents);
    assert_eq!(origins[4], Origin::Undocumented);
    assert_eq!(spec.documents().groups.len(), 1);
}

#[test]
fn unions_and_alternatives() {
    let api = Spec::new(
        r#"operations:
  accounts.token:
    since: {mastodon: "2.0.0"}
    returns: A|B
    params: {grant_type: {required: true}, code: {required: sometimes}, at: {required: false}}
    alternatives:
      authorization_code: {sets: {grant_type: authorization_code}, requires: [code]}
    requests: {later: {summary: Later., sends: at, returns: A}}
entities:
  A: {fields: unknown}
  B: {fields: unknown}
"#,
        "",
    )
    .full();
    let token = operation(&api, "accounts.token");
    assert_eq!(token.returns, Type::OneOf(vec![named("A"), named("B")]));
    let one = &token.alternatives[0];
    assert_eq!(
        (one.rust.as_str(), one.requires.as_slice()),
        ("authorization_code", &["code".to_owned()][..])
    );
    assert_eq!((token.requests[0].rust.as_str(), token.plain_returns()), ("Later", named("B")));
}

#[test]
fn who_confirms_with_better_proof_is_the_evidence() {
    let documents = r#"operations:
  accounts.get: {since: {mastodon: "2.0.0"}, method: GET, path: /a, params: {q: {}}}
"#;
    let better = r#"operations:
  accounts.get: {since: {mastodon: "2.0.0"}, params: {q: {since: {mastodon: "2.0.0"}}}}
"#;
    let api = Spec::new(documents, better).full();
    let get = operation(&api, "accounts.get");
    let life = &get.item.life[0];
    assert_eq!(life.evidence.as_ref().unwrap().source, "The server's source (v4.5.0)");
    assert_eq!(api.files[life.at.unwrap().0 as usize], "supplement/a.yaml");
    assert!(get.params[0].item.life[0].at.is_some(), "stated now");
    let worse = r#"operations:
  accounts.get: {since: {mastodon: "2.0.0"}, evidence: {mastodon: guess}}
"#;
    let api = Spec::new(documents, worse).full();
    let life = &operation(&api, "accounts.get").item.life[0];
    assert_eq!(life.evidence.as_ref().unwrap().source, "The documents");
}

#[test]
fn what_older_releases_show() {
    let api = Spec::new(
        "",
        r#"enums:
  Visibility:
    values:
      public: {since: {mastodon: "1.0.0", gotosocial: never}}
      unlisted: {since: {mastodon: "2.0.0", gotosocial: never}, on_older: public}
      odd: {since: {mastodon: "4.5.0", gotosocial: never}, on_older: "null"}
"#,
    )
    .full();
    let values = &enumeration(&api, "Visibility").values;
    let older: Vec<_> = values.iter().map(|one| one.on_older.as_deref()).collect();
    assert_eq!(older, [None, Some("public"), Some("null")]);
}

#[test]
fn a_verdict_has_the_evidence_of_the_side_that_holds() {
    let documents = "operations:\n  accounts.get: {since: {mastodon: \"2.0.0\"}}\n";
    let source = |verdict: &str| {
        let supplement = format!(
            "disputes:\n  - {{item: accounts.get, fact: since.mastodon, documents: \"2.0.0\", supplement: \"1.0.0\", verdict: {verdict}, evidence: recordings}}\n"
        );
        let api = Spec::new(documents, &supplement).full();
        let life = &operation(&api, "accounts.get").item.life[0];
        life.evidence.as_ref().unwrap().source.clone()
    };
    assert_eq!(source("supplement"), "Recordings");
    assert_eq!(source("documents"), "The documents");
}

/// The documents do not speak of the program, so that nothing of it is in dispute.
#[test]
fn a_dispute_leaves_what_another_program_has_stated() {
    let documents = "operations:\n  accounts.get: {since: {mastodon: \"2.0.0\"}, method: GET, path: /a, returns: string}\n";
    let supplement = "operations:\n  accounts.get: {since: {gotosocial: \"0.19.0\"}, returns: {mastodon: string|empty, gotosocial: string}}\ndisputes:\n  - {item: accounts.get, fact: returns, documents: string, supplement: string|empty, verdict: supplement, evidence: recordings}\n";
    let of_one = "title: The documents, programs: [mastodon]}";
    let registry = IMPLEMENTATIONS.replace("title: The documents}", of_one);
    let mut spec = Spec::new(documents, supplement);
    spec.implementations = &registry;
    let api = spec.full();
    let life = &operation(&api, "accounts.get").item.life;
    let held = |at: usize| life[at].facts.get(&ChangedFact::Returns).map(|held| &held.state);
    assert_eq!([held(0), held(1)], [None, Some(&State::Is("string".into()))]);
}

/// A Since that is derived from values is stated nowhere, and has no evidence.
#[test]
fn an_enumeration_states_its_since_or_has_its_values() {
    let api = Spec::new(
        "",
        r#"enums:
  Stated: {since: {mastodon: "2.0.0", gotosocial: never}, values: {a: {}}}
  Derived: {since: {mastodon: unknown, gotosocial: never}, values: {a: {since: {mastodon: "2.0.0"}}}}
"#,
    )
    .full();
    let life = |id| {
        let life = &enumeration(&api, id).item.life[0];
        let is_proven = life.at.is_some() && life.evidence.is_some();
        (life.since.to_string(), is_proven)
    };
    assert_eq!(life("Stated"), ("2.0.0".to_owned(), true));
    assert_eq!(life("Derived"), ("2.0.0".to_owned(), false));
}

#[test]
fn what_an_event_brings() {
    let api = Spec::new(
        "",
        r#"enums:
  Event:
    since: {mastodon: "1.0.0", gotosocial: never}
    values:
      update: {payload: Account}
      delete: {payload: "id<Account>"}
      filters_changed: {}
entities:
  Account: {fields: {id: {since: {mastodon: "1.0.0", gotosocial: never}}}}
"#,
    )
    .full();
    let values = &enumeration(&api, "Event").values;
    let payloads: Vec<_> = values.iter().map(|one| one.payload.clone()).collect();
    let id = Type::Id(Some("Account".into()));
    assert_eq!(payloads, [Some(named("Account")), Some(id), None]);
}

#[test]
fn an_overlay_lies_on_top() {
    let dir = tempfile::tempdir().unwrap();
    let documents = r#"operations:
  accounts.get: {since: {mastodon: "2.0.0"}, method: GET, path: /a}
"#;
    let supplement = "operations:\n  accounts.get: {returns: string}\n";
    Spec::new(documents, supplement).write(dir.path());
    let overlay = tempfile::tempdir().unwrap();
    let text = r#"area: ours
defaults: {evidence: {shape: recordings}}
disputes:
  - {item: accounts.get, fact: returns, documents: string, supplement: integer, verdict: supplement, evidence: recordings}
"#;
    std::fs::write(overlay.path().join("ours.yaml"), text).unwrap();
    let loaded = load_all(dir.path(), &[overlay.path()]);
    assert_eq!(loaded.diagnostics, []);
    let api = resolve(&loaded.catalogue, Layer::Full).unwrap();
    assert_eq!(operation(&api, "accounts.get").returns, Type::Integer);
    let alone = resolve(&loaded.catalogue, Layer::Documents).unwrap();
    assert!(!operation(&alone, "accounts.get").returns_known);
}
