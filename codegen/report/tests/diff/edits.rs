//! Random edits of the real catalogue: each is reported as what it is, and nothing else is.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use fedispec_diff::change::Change as Found;
use fedispec_diff::rules::{Mirror, RuleId};
use fedispec_diff::{Options, compare};
use fedispec_model::api::{
    Api, Auth, Auths, Entity, EntityRole, Field, Item, Operation, Param, Route, Since, Type,
};
use fedispec_model::change::{Change, ChangedFact};
use fedispec_model::constructors::is_edit;
use fedispec_report::diff::surface::Surface;
use fedispec_since::{Class, Location, Paging, Required, StableVersion};
use proptest::prelude::*;

use super::measured::{held, surface};
use super::support::{cases, line, real};

/// The expected findings, as `rule item [program] cause`.
type Expected = Vec<String>;

/// An edit of an operation and its parameters, or of an entity and its fields, or of an enumeration and its values:
/// nothing where it does not apply there.
#[derive(Clone, Copy)]
enum Edit {
    Operation(fn(&mut Operation) -> Option<Expected>),
    Param(fn(&mut Operation, usize) -> Option<Expected>),
    Field(fn(&mut Entity, usize) -> Option<Expected>),
    Life(fn(&mut Item, &Clock) -> Option<Expected>),
    Value(fn(&mut fedispec_model::api::Enumeration, usize) -> Option<Expected>),
}

/// The releases of the first program.
struct Clock {
    program: String,
    releases: Vec<StableVersion>,
}

const EDITS: &[Edit] = &[
    Edit::Operation(|one| {
        one.item.summary = Some("Something else.".into());
        Some(vec![format!("docs-only-changed {} editorial", one.item.id)])
    }),
    Edit::Operation(|one| {
        one.route.as_mut()?.path.push_str("/elsewhere");
        Some(vec![format!("path-changed {} correction", one.item.id)])
    }),
    Edit::Operation(|one| {
        // Whether a request is an edit, and so how it is made, follows from its method.
        let is_edit = is_edit(one);
        let Route { method, .. } = one.route.as_mut().filter(|_| !is_edit)?;
        *method = if method == "GET" { "POST".into() } else { "GET".into() };
        Some(vec![format!("method-changed {} correction", one.item.id)])
    }),
    Edit::Operation(|one| {
        // A connection that is handed over has no other answer.
        let is_own = is_own(&one.item, ChangedFact::Success);
        one.success.first().filter(|status| !is_own && **status != 101)?;
        one.success.push(299);
        Some(vec![format!("success-status-changed {} correction", one.item.id)])
    }),
    Edit::Operation(|one| {
        let evidence = one.item.evidence.as_mut().filter(|evidence| evidence.class < Class::D)?;
        evidence.class = Class::D;
        Some(vec![format!("provenance-weakened {} editorial", one.item.id)])
    }),
    Edit::Operation(|one| {
        let Auths::Same(Auth { scopes, all: false, .. }) = one.auth.as_mut()? else {
            return None;
        };
        let [scope] = scopes.as_mut_slice() else {
            return None;
        };
        *scope = scope.split_once(':')?.0.to_owned();
        Some(vec![format!("scope-tightened {} correction", one.item.id)])
    }),
    Edit::Operation(|one| {
        let Type::Entity(_) = &one.returns else {
            return None;
        };
        one.returns = Type::List(Box::new(one.returns.clone()));
        Some(vec![format!("response-cardinality-changed {} correction", one.item.id)])
    }),
    Edit::Operation(|one| {
        if one.paging != Paging::Link {
            return None;
        }
        one.paging = Paging::None;
        Some(vec![format!("pagination-removed {} correction", one.item.id)])
    }),
    Edit::Operation(|one| {
        let error = one.errors.pop()?;
        one.errors.iter().all(|other| other.status != error.status).then_some(())?;
        let had = one.item.life.iter().map(|life| life.effective != Since::Never);
        let had: Vec<_> = had.collect();
        let answers =
            |at: usize| had[at] && error.life.get(at).is_none_or(|one| one.since != Since::Never);
        let answering: Vec<_> = (0..had.len()).filter(|at| answers(*at)).collect();
        let program = match answering[..] {
            [one] if had.iter().filter(|had| **had).count() > 1 => {
                format!(" {}", real().programs[one].key)
            }
            _ => String::new(),
        };
        Some(vec![format!("error-status-removed {}{program} correction", one.item.id)])
    }),
    Edit::Param(|one, at| {
        let param = &mut one.params[at];
        let max = param.limits.max?;
        param.limits.max = Some(max + 1.0);
        Some(vec![format!("param-limit-loosened {} correction", param.item.id)])
    }),
    Edit::Param(|one, at| {
        let param = &mut one.params[at];
        let is_needed = param.required == Required::Always && matches!(param.r#type, Type::List(_));
        (is_needed && param.limits.min_items.is_none()).then_some(())?;
        param.limits.min_items = Some(0);
        Some(vec![format!("param-limit-loosened {} correction", param.item.id)])
    }),
    Edit::Param(|one, at| {
        let param = &mut one.params[at];
        (!is_own(&param.item, ChangedFact::Default)).then_some(())?;
        param.default = Some(serde_json::json!("something else"));
        let cause = if one_had(param) { "correction" } else { "coverage" };
        Some(vec![format!("param-default-changed {} {cause}", param.item.id)])
    }),
    Edit::Param(|one, at| {
        let param = &mut one.params[at];
        if param.location != Location::Query || param.required != Required::Never {
            return None;
        }
        param.location = Location::Form;
        Some(vec![format!("param-location-changed {} correction", param.item.id)])
    }),
    Edit::Param(|one, at| {
        let plain =
            one.alternatives.is_empty() && one.params.iter().all(|param| param.parent.is_none());
        let param = &one.params[at];
        if !plain
            || param.item.implied
            || param.location == Location::Path
            || param.required != Required::Never
        {
            return None;
        }
        let param = one.params.remove(at);
        Some(vec![format!("item-deleted {} correction", param.item.id)])
    }),
    Edit::Field(|entity, at| {
        let field = &mut entity.fields[at];
        if field.r#type != Type::String || field.format.is_some() {
            return None;
        }
        field.r#type = Type::Boolean;
        Some(vec![format!("field-type-changed {} correction", field.item.id)])
    }),
    Edit::Field(|entity, at| {
        let field = &mut entity.fields[at];
        // A change of presence leads to what the field says today.
        let mut changed = field.item.life.iter().flat_map(|life| &life.changed);
        let is_recorded = changed.any(|change| change.what == ChangedFact::Presence);
        if !field.presence_known || !field.quirks.is_empty() || field.optional || is_recorded {
            return None;
        }
        field.nullable = !field.nullable;
        let rule =
            if field.nullable { "field-became-nullable" } else { "field-became-not-nullable" };
        Some(vec![format!("{rule} {} correction", field.item.id)])
    }),
    Edit::Field(|entity, at| {
        let field = &entity.fields[at];
        let leaf =
            matches!(field.r#type, Type::String | Type::Boolean | Type::Integer | Type::Timestamp);
        let more = entity.fields.iter().filter(|field| field.inherited_from.is_none()).count() > 1;
        if !leaf || !more || field.item.implied || field.entry.is_some() {
            return None;
        }
        let field = entity.fields.remove(at);
        Some(vec![format!("item-deleted {} correction", field.item.id)])
    }),
    Edit::Life(|item, clock| {
        let life = item.life.first_mut()?;
        life.at?;
        let Since::Since(since) = life.since else {
            return None;
        };
        if life.effective != life.since || life.removed.is_some() || !life.absent.is_empty() {
            return None;
        }
        let next = clock.releases.iter().skip_while(|release| **release != since).nth(1)?;
        life.since = Since::Since(*next);
        life.effective = life.since;
        let of = |rule: &str| format!("{rule} {} {} correction", item.id, clock.program);
        Some(vec![of("since-moved-later"), of("since-rewritten-unproven")])
    }),
    Edit::Life(|item, clock| {
        let life = item.life.first_mut()?;
        if life.deprecated.is_some() || life.removed.is_some() {
            return None;
        }
        life.deprecated = clock.releases.last().copied();
        Some(vec![format!("deprecated-added {} {} coverage", item.id, clock.program)])
    }),
    Edit::Life(|item, clock| {
        let life = item.life.first_mut()?;
        let change = Change {
            r#in: *clock.releases.last()?,
            absent: Vec::new(),
            what: ChangedFact::Meaning,
            from: None,
            to: None,
            all: false,
        };
        life.changed.push(change);
        Some(vec![format!("change-recorded {} {} coverage", item.id, clock.program)])
    }),
    Edit::Value(|one, at| {
        let mut value = one.values[at].clone();
        value.id.push_str("_of_late");
        value.wire.push_str("_of_late");
        value.rust.push_str("OfLate");
        value.life.iter_mut().for_each(|life| {
            life.since = Since::Since(StableVersion(1, 0, 0));
            life.effective = life.since;
        });
        value.renamed_from = None;
        let proven = value
            .life
            .iter()
            .any(|life| life.evidence.as_ref().is_some_and(|evidence| evidence.class < Class::D));
        let mut expected = Vec::new();
        for (goes, way) in [(one.sent, "request"), (one.received, "response")] {
            if goes {
                expected.push(format!("enum-value-added-{way} {} coverage", value.id));
            }
        }
        one.values.push(value);
        (proven && !expected.is_empty()).then_some(expected)
    }),
];

/// Whether programs say it themselves, so that it is not said of all.
fn is_own(item: &Item, fact: ChangedFact) -> bool {
    item.life.iter().any(|life| life.facts.contains_key(&fact))
}

/// The edit above has just overwritten what it was.
fn one_had(param: &Param) -> bool {
    real()
        .operations
        .iter()
        .flat_map(|one| &one.params)
        .any(|one| one.item.id == param.item.id && one.default.is_some())
}

/// Picks by number, so that proptest can make it smaller.
fn pick(count: usize, seed: u32) -> Option<usize> {
    (count > 0).then(|| usize::try_from(seed).unwrap_or_default() % count)
}

/// Makes an edit at a place that nothing was edited at before.
fn make(
    api: &mut Api,
    edit: Edit,
    (owner, part): (u32, u32),
    taken: &mut BTreeSet<String>,
) -> Option<Expected> {
    let clock = Clock {
        program: api.programs.first()?.key.clone(),
        releases: api.programs.first()?.releases.iter().map(|release| release.version).collect(),
    };
    match edit {
        Edit::Operation(edit) => on_operation(api, owner, taken, edit),
        Edit::Param(edit) => on_operation(api, owner, taken, |one| {
            let at = pick(one.params.len(), part)?;
            edit(one, at)
        }),
        Edit::Life(edit) => on_operation(api, owner, taken, |one| {
            // A part that others inherit from would move them too.
            let rows = one
                .params
                .iter()
                .filter(|param| !param.item.implied && param.parent.is_none())
                .count();
            let at = pick(rows, part)?;
            edit(&mut one.params[at].item, &clock)
        }),
        Edit::Field(edit) => on_entity(api, (owner, part), taken, edit),
        Edit::Value(edit) => {
            let at = pick(api.enums.len(), owner)?;
            let mut one = api.enums[at].clone();
            let value = pick(one.values.len(), part)?;
            let expected = edit(&mut one, value)?;
            taken.insert(one.item.id.clone()).then_some(())?;
            api.enums[at] = one;
            Some(expected)
        }
    }
}

fn on_operation(
    api: &mut Api,
    owner: u32,
    taken: &mut BTreeSet<String>,
    edit: impl FnOnce(&mut Operation) -> Option<Expected>,
) -> Option<Expected> {
    let at = pick(api.operations.len(), owner)?;
    let mut one = api.operations[at].clone();
    let expected = edit(&mut one)?;
    taken.insert(one.item.id.clone()).then_some(())?;
    api.operations[at] = one;
    Some(expected)
}

/// Fields that others take over would be edited there too.
fn on_entity(
    api: &mut Api,
    (owner, part): (u32, u32),
    taken: &mut BTreeSet<String>,
    edit: fn(&mut Entity, usize) -> Option<Expected>,
) -> Option<Expected> {
    let at = pick(api.entities.len(), owner)?;
    let mut one = api.entities[at].clone();
    let alone = one.includes.is_none()
        && !api.entities.iter().any(|other| other.includes.as_ref() == Some(&one.item.id));
    if one.role != EntityRole::Named || !alone {
        return None;
    }
    let field = pick(one.fields.len(), part)?;
    let expected = edit(&mut one, field)?;
    taken.insert(one.item.id.clone()).then_some(())?;
    api.entities[at] = one;
    Some(expected)
}

fn edited(seeds: &[(usize, u32, u32)]) -> (Api, Expected) {
    let mut api = real().clone();
    let (mut expected, mut taken) = (Vec::new(), BTreeSet::new());
    for (kind, owner, part) in seeds {
        let edit = EDITS[kind % EDITS.len()];
        expected.extend(make(&mut api, edit, (*owner, *part), &mut taken).into_iter().flatten());
    }
    expected.sort();
    (api, expected)
}

/// `rule item [program] cause`: what the generated code looks like decides how much it weighs.
fn unweighed(change: &Found) -> String {
    let line = line(change);
    match line.rsplit_once(' ') {
        Some((rest, weight)) if weight.contains('/') => rest.to_owned(),
        _ => line,
    }
}

/// The public items of the code generated from the real catalogue.
static SURFACE: LazyLock<Surface> = LazyLock::new(|| surface(real()));

fn seeds() -> impl Strategy<Value = Vec<(usize, u32, u32)>> {
    prop::collection::vec((0..EDITS.len(), any::<u32>(), any::<u32>()), 1..12)
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn every_edit_is_found_and_nothing_else(seeds in seeds()) {
        let (api, expected) = edited(&seeds);
        let report = compare(real(), &api, &Options::default());
        // The arguments of an entity's constructor follow from its fields.
        // Since when a program has a feature follows from its items.
        let follows = |change: &&Found| match change.rule {
            RuleId::ConstructorChanged => change.item.kind == "entity",
            RuleId::FeatureSinceChanged => true,
            _ => false,
        };
        let changes = report.changes.iter().filter(|change| !follows(change));
        let mut found: Vec<_> = changes.map(unweighed).collect();
        found.sort();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn backwards_is_the_mirror(seeds in seeds()) {
        let (api, _) = edited(&seeds);
        let there = compare(real(), &api, &Options::default());
        let back = compare(&api, real(), &Options::default());
        for change in &there.changes {
            let mirror = match change.rule.rule().mirror {
                Mirror::Is(mirror) => mirror,
                Mirror::Itself => change.rule,
                Mirror::None(_) => continue,
            };
            let found = back.changes.iter().any(|other| {
                other.item.id == change.item.id && other.implementation == change.implementation && other.rule == mirror
            });
            prop_assert!(found, "{} backwards: {:?}", line(change), back.changes.iter().map(line).collect::<Vec<_>>());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..cases(1) })]

    #[test]
    fn the_rules_claim_what_is_measured(seeds in seeds()) {
        let (api, expected) = edited(&seeds);
        let report = held(real(), &api, &SURFACE.measure(&surface(&api)));
        prop_assert!(report.bump.ok, "{:?}\n{:#?}", expected, report.bump.unclaimed);
    }
}

/// Code written by hand for an entity goes with the shape that it is written for, and is told of the entity.
#[test]
fn code_written_by_hand_is_told_once() {
    let mut api = real().clone();
    let fields = api.entities.iter_mut().flat_map(|one| &mut one.fields);
    for field in fields.filter(|field| field.item.id == "MediaAttachment.meta.original") {
        field.optional = false;
        field.when = None;
        field.presence.clear();
    }
    let report = held(real(), &api, &SURFACE.measure(&surface(&api)));
    let rust = report.changes.iter().filter(|one| one.change.rule == RuleId::RustChanged);
    assert_eq!(
        rust.map(|one| one.change.item.id.as_str()).collect::<Vec<_>>(),
        ["MediaAttachment"]
    );
    assert!(report.bump.ok, "{:#?}", report.bump.unclaimed);
}

/// An entity is made of another while that one has what it has; signing in answers what the newest release sends.
#[test]
fn code_that_goes_with_another_entity_is_told() {
    let optional: fn(&mut Field) = |field| field.optional = true;
    let removed: fn(&mut Field) = |field| field.item.life[0].removed = Some(StableVersion(4, 6, 0));
    let edits = [
        (
            "Status",
            "reblogs_count",
            optional,
            &["AdminTrendsStatus", "DeletedStatus", "ShallowStatus"][..],
        ),
        ("Application", "vapid_key", removed, &["Application.vapid_key"][..]),
    ];
    for (entity, wire, edit, expected) in edits {
        let mut api = real().clone();
        let one = api.entities.iter_mut().find(|one| one.item.id == entity);
        let fields = one.into_iter().flat_map(|one| &mut one.fields);
        fields.filter(|field| field.item.wire == wire).for_each(edit);
        let report = held(real(), &api, &SURFACE.measure(&surface(&api)));
        let rust = report.changes.iter().filter(|one| one.change.rule == RuleId::RustChanged);
        let told: Vec<_> = rust.map(|one| one.change.item.id.as_str()).collect();
        assert_eq!(told, expected, "{entity}.{wire}");
        assert!(report.bump.ok, "{:#?}", report.bump.unclaimed);
    }
}

/// Each kind of edit applies somewhere, so that none of them is idle.
#[test]
fn every_edit_applies() {
    let mut api = real().clone();
    for (kind, edit) in EDITS.iter().enumerate() {
        let applies = (0..4000u32)
            .any(|seed| make(&mut api, *edit, (seed, seed / 7), &mut BTreeSet::new()).is_some());
        assert!(applies, "edit {kind} applies nowhere");
    }
}
