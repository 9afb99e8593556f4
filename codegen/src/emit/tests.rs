//! Tests of the emitters on the small catalogue in tests/golden.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::cycles::Cycles;
use super::stamp::{Role, Stamp};
use super::{Form, Options, Selection, files};
use fedispec_model::api::{Api, Feature, Item, Layer, Param, Since, Type};
use fedispec_model::change::{Change, ChangedFact};
use fedispec_model::condition::Condition;
use fedispec_since::{Required, StableVersion};

fn api() -> Api {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/spec");
    fedispec_reader::open(&spec, Layer::Full).expect("the golden catalogue").1
}

fn made(options: &Options) -> BTreeMap<String, String> {
    files(&api(), options).expect("Rust").into_iter().collect()
}

fn floors(versions: &[(&str, &str)]) -> BTreeMap<String, StableVersion> {
    versions
        .iter()
        .map(|(program, version)| ((*program).to_owned(), version.parse().expect(version)))
        .collect()
}

fn effective(item: &Item) -> Vec<Since> {
    item.life.iter().map(|life| life.effective).collect()
}

#[test]
fn attribute_line_and_row_agree() {
    let api = api();
    for row in fedispec_model::rows::rows(&api) {
        let stamp = Stamp::new(&api.programs, row.item, effective(row.item));
        let attribute = stamp.attribute().to_string();
        let line = stamp.line().unwrap_or_default();
        assert_eq!(attribute.is_empty(), line.is_empty(), "{}", row.item.id);
        for (place, (program, life)) in api.programs.iter().zip(&row.item.life).enumerate() {
            assert_eq!(stamp.life(place).own(), life.since.into(), "{}", row.item.id);
            let Since::Since(version) = life.since else {
                continue;
            };
            assert!(attribute.contains(&format!("{} = \"{version}\"", program.key)), "{attribute}");
            assert!(line.contains(&format!("{} {version}", program.name)), "{line}");
        }
    }
}

#[test]
fn lives_tell_everything() {
    let mut api = api();
    let item = &mut api.operations[0].item;
    let life = &mut item.life[0];
    life.effective = Since::Unknown;
    life.works_since = Some(Since::Never);
    life.deprecated = Some(StableVersion(4, 0, 0));
    life.removed = Some(StableVersion(4, 3, 0));
    life.absent = vec![(StableVersion(2, 4, 0), StableVersion(3, 3, 0))];
    let item = &api.operations[0].item;
    let stamp = Stamp::new(&api.programs, item, effective(item));
    assert_eq!(
        [0, 1, 2].map(|place| stamp.life(place).to_string()),
        [
            "3.3.0 effective unknown works never deprecated 4.0.0 removed 4.3.0 absent 2.4.0..3.3.0",
            "0.11.0",
            "unknown",
        ]
    );
    assert_eq!(
        stamp.history(Role::Param),
        [
            "Has no effect in Mastodon.",
            "Deprecated since Mastodon 4.0.0.",
            "Absent from Mastodon 2.4.0 on, and there again since 3.3.0.",
            "Removed in Mastodon 4.3.0.",
        ]
    );
}

#[test]
fn what_no_operation_answers_before_its_own_since_is_dated_so_in_docs_and_table() {
    let mut api = api();
    for operation in &mut api.operations {
        operation.item.life[0].effective = Since::Since(StableVersion(4, 4, 0));
        operation.item.life[1].effective = Since::Never;
    }
    let selection = Selection::Only {
        groups: BTreeSet::from(["accounts".into()]),
        operations: BTreeSet::new(),
    };
    let part = Options { selection, ..Options::default() };
    for options in [Options::default(), part] {
        let made = files(&api, &options).expect("Rust");
        let made: BTreeMap<_, _> = made.into_iter().collect();
        let entity = &made["src/entities/account.rs"];
        let line = "/// No operation of the catalogue answers it in Mastodon before 4.4.0.";
        assert!(entity.contains(line), "{entity}");
        let rows = made["src/items.rs"].lines();
        let rows: Vec<_> = rows.filter(|row| row.starts_with("\"Account.id\": ")).collect();
        let [_, mastodon, gotosocial] = rows[..] else { panic!("three rows: {rows:?}") };
        assert!(mastodon.contains("effective 4.4.0"), "{mastodon}");
        assert!(gotosocial.contains("effective never"), "{gotosocial}");
    }
}

#[test]
fn a_floor_makes_fields_plain() {
    let account =
        |floors| made(&Options { floors, ..Options::default() })["src/entities/account.rs"].clone();
    assert!(account(BTreeMap::new()).contains("pub thumbnail: Option<AccountThumbnail>"));
    let options = |versions| Options {
        floors: floors(versions),
        only_named_floors: true,
        ..Options::default()
    };
    let reblogged = |versions| {
        made(&options(versions))["src/entities/account.rs"].contains("pub reblogged: bool")
    };
    assert!(!reblogged(&[("mastodon", "2.3.9")]));
    assert!(reblogged(&[("mastodon", "2.4.0")]));
    assert!(!reblogged(&[("mastodon", "2.4.0"), ("gotosocial", "0.11.0")]));
}

#[test]
fn a_selection_brings_what_it_needs_and_nothing_else() {
    let selection = Selection::Only {
        groups: BTreeSet::new(),
        operations: BTreeSet::from(["accounts.update".to_owned()]),
    };
    let made = made(&Options { selection, server: false, ..Options::default() });
    let accounts = &made["src/accounts.rs"];
    assert!(accounts.contains("pub struct Update ") && !accounts.contains("pub struct Lookup"));
    assert!(
        made.contains_key("src/enums/visibility.rs")
            && made.contains_key("src/entities/accounts_update.rs")
    );
    assert!(!made.contains_key("src/entities/account.rs") && !made.contains_key("src/oauth.rs"));
    assert!(!made.keys().any(|path| path.contains("server") || path.contains("required")));
}

#[test]
fn nothing_is_newer_than_the_ceiling_or_the_guaranteed_floor() {
    let ceilings = floors(&[("mastodon", "3.3.0")]);
    let old = made(&Options { ceilings, ..Options::default() });
    assert!(!old["src/accounts.rs"].contains("pub struct Later"));
    assert!(!old["src/accounts.rs"].contains("pub visibility"));
    assert!(old["src/entities/account.rs"].contains("pub thumbnail"));
    let floors = floors(&[("mastodon", "2.4.0")]);
    let guaranteed = made(&Options {
        floors,
        guaranteed_only: true,
        only_named_floors: true,
        ..Options::default()
    });
    assert!(guaranteed["src/entities/account.rs"].contains("pub reblogged: bool"));
    assert!(!guaranteed["src/entities/account.rs"].contains("thumbnail"));
}

#[test]
fn parameters_tell_when_they_are_required_and_their_format_once() {
    let told = |summary: &str, format: &str| {
        let mut api = api();
        let param = api
            .operations
            .iter_mut()
            .find(|operation| operation.item.id == "accounts.lookup")
            .and_then(|operation| operation.params.first_mut())
            .expect("a parameter");
        param.item.summary = Some(summary.to_owned());
        param.required_when = Some(Condition::words("grant_type is password"));
        param.format = Some(format.to_owned());
        let made = files(&api, &Options::default()).expect("Rust");
        let made: BTreeMap<_, _> = made.into_iter().collect();
        made["src/accounts.rs"].clone()
    };
    let text = told("The point, as `x,y`.", "x,y");
    assert!(text.contains("/// Required when grant\\_type is password."));
    assert!(!text.contains("/// Format:"));
    assert!(told("The point.", "x,y").contains("/// Format: x,y."));
    assert!(told("The date.", "date").contains("/// Format: date."));
}

#[test]
fn a_release_that_demands_later_is_told_from_that_release_on() {
    let mut api = api();
    let demands = |release, from: &str, to: &str| Change {
        r#in: release,
        absent: Vec::new(),
        what: ChangedFact::Required,
        from: Some(from.into()),
        to: Some(to.into()),
        all: false,
    };
    let params = api.operations.iter_mut().flat_map(|operation| &mut operation.params);
    let is_plain = |param: &&mut Param| {
        param.parent.is_none()
            && param.required == Required::Never
            && matches!(param.item.life[0].effective, Since::Since(since) if since < StableVersion(4, 0, 0))
    };
    let mut params = params.filter(is_plain);
    let param = params.next().expect("a parameter that nobody demands");
    param.item.life[0].changed = vec![
        demands(StableVersion(4, 0, 0), "never", "always"),
        demands(StableVersion(4, 3, 0), "always", "never"),
    ];
    let id = param.item.id.clone();
    let made: BTreeMap<_, _> =
        files(&api, &Options::default()).expect("Rust").into_iter().collect();
    let row = format!("\"{id}\": {{\"life\":");
    let row = made["src/items.rs"].lines().find(|line| line.starts_with(&row)).expect("its row");
    assert!(row.contains("\"demanded\":[{\"since\":\"4.0.0\",\"until\":\"4.3.0\"}]"), "{row}");
}

#[test]
fn a_half_has_no_files_of_the_other() {
    let paths = |options: &Options| made(options).into_keys().collect::<Vec<_>>();
    let client = paths(&Options { server: false, ..Options::default() });
    let server = paths(&Options { client: false, ..Options::default() });
    let is_of = |half: &str, path: &String| path.starts_with(&format!("src/{half}"));
    assert!(client.iter().any(|path| is_of("client", path)), "{client:?}");
    assert!(
        server.iter().any(|path| is_of("server", path) || is_of("current", path)),
        "{server:?}"
    );
    assert!(
        !client.iter().any(|path| is_of("server", path) || is_of("current", path)),
        "{client:?}"
    );
    assert!(!server.iter().any(|path| is_of("client", path)), "{server:?}");
}

#[test]
fn secrets_have_their_own_type() {
    let oauth = &made(&Options::default())["src/oauth.rs"];
    assert!(oauth.contains("pub client_secret: rt::Secret"));
    assert!(oauth.contains("pub code: Option<rt::Secret>"));
    assert!(oauth.contains("pub client_id: String"));

    // So has the value that the absence of one means.
    let mut api = api();
    let mut fields = api.entities.iter_mut().flat_map(|entity| &mut entity.fields);
    let field = fields.find(|field| field.item.id == "Account.suspended").expect("a field");
    (field.r#type, field.format) = (Type::String, Some("secret".into()));
    field.absent_means.as_mut().expect("a meaning").value = "none".into();
    let made = files(&api, &Options::default()).expect("Rust");
    assert!(made.iter().any(|(_, text)| text.contains("rt::Secret::from(\"none\")")));
}

#[test]
fn one_text_has_no_inner_attributes() {
    let made = made(&Options { form: Form::Single, ..Options::default() });
    let (path, text) = made.first_key_value().expect("a file");
    assert_eq!((made.len(), path.as_str()), (1, "fedispec.rs"));
    assert!(!text.contains("#!") && !text.contains("# !") && !text.contains("//!"));
    syn::parse_file(text).expect("Rust");
    // A compiler shows whole lines.
    let longest = text.lines().max_by_key(|line| line.len()).expect("a line");
    assert!(longest.len() < 500, "{longest}");
}

#[test]
fn an_object_of_another_entity_is_boxed() {
    let mut api = api();
    let position =
        |name: &str| api.entities.iter().position(|one| one.item.rust == name).expect(name);
    let (owner, other) = (position("Account"), position("AccountsUpdateResponse"));
    api.entities[other].fields[0].r#type = Type::Entity("Account.source".into());
    api.entities[owner].fields[0].r#type = Type::Entity("Account.source".into());
    let cycles = Cycles::new(&api);
    let is_boxed = |number: usize| {
        let entity = &api.entities[number];
        cycles.needs_box(entity, &entity.fields[0])
    };
    assert!(is_boxed(other), "another entity lists its members");
    assert!(!is_boxed(owner), "it lists the members itself");
}

#[test]
fn a_feature_is_there_where_all_its_items_are() {
    let mut api = api();
    let feature = |id: &str, all: &[&str], one_of: &[&str]| Feature {
        id: id.to_owned(),
        summary: "What somebody asks for.".to_owned(),
        synonyms: Vec::new(),
        all: all.iter().map(|id| (*id).to_owned()).collect(),
        one_of: one_of.iter().map(|id| (*id).to_owned()).collect(),
    };
    api.features = vec![
        feature("lookup", &["accounts.lookup"], &[]),
        feature("updates", &["accounts.update"], &["Visibility.public", "accounts.lookup.acct"]),
    ];
    let features = |options: &Options| {
        let files: BTreeMap<_, _> = files(&api, options).expect("Rust").into_iter().collect();
        files.get("src/features.rs").cloned().unwrap_or_default()
    };
    let whole = features(&Options::default());
    for told in [
        "/// What somebody asks for.\n///\n/// Since Mastodon 3.3.0 · GoToSocial 0.11.0",
        "/// Needs `accounts.update`, and one of `Visibility.public`, `accounts.lookup.acct`.",
        "pub const ALL: &[Feature] = &[LOOKUP, UPDATES];",
    ] {
        assert!(whole.contains(told), "{told}: {whole}");
    }
    let one = |id: &str| {
        let operations = BTreeSet::from([id.to_owned()]);
        let selection = Selection::Only { groups: BTreeSet::new(), operations };
        features(&Options { selection, ..Options::default() })
    };
    assert!(one("accounts.lookup").contains("&[LOOKUP]"));
    assert_eq!(one("accounts.update"), "");
}
