//! Corner cases of gates and plans: tables that do not fit the operations, and stand-ins whose verdict is unknown.

use crate::compatibility::{Fallback, Gate, Plan, Policy, RemoteServer, Setting, Verdict, plan};
use crate::{ItemTable, Method, Operation, Param, Program, Release};
use Verdict::{No, Stub, Unknown, Yes};
use serde_json::json;

static PROGRAMS: &[Program] = &[Program::new("mastodon", "Mastodon")
    .nodeinfo(&["mastodon"])
    .releases(&[Release::new(4, 5, 0)])];

/// The life of an item of which the server's verdict is known.
fn life(verdict: Verdict) -> &'static str {
    match verdict {
        Yes => "1.0.0",
        Stub => "1.0.0 works never",
        No => "never",
        Unknown => "unknown",
    }
}

/// A gate of a table that lists an operation and parameters, each with the server's verdict.
fn gate(operations: &[(&str, Verdict)], params: &[(&str, &str, Verdict)]) -> Gate {
    let operations = operations.iter();
    let operations = operations.map(|&(id, verdict)| (id.to_owned(), ("operation", verdict)));
    let params = params.iter();
    let params = params.map(|(of, name, verdict)| (format!("{of}.{name}"), ("param", *verdict)));
    let (mut items, mut lives) = (json!({}), json!({}));
    for (id, (kind, verdict)) in operations.chain(params) {
        items[&id] = json!({"kind": kind, "left_out": "harmless"});
        lives[&id] = life(verdict).into();
    }
    let items = json!({"form": 3, "items": items}).to_string();
    let lives: &str = json!({"otherwise": "never", "items": lives}).to_string().leak();
    Gate::new(
        RemoteServer::of("mastodon", "4.5.0"),
        Box::leak(Box::new(ItemTable::new(PROGRAMS, items.leak(), vec![lives].leak()))),
    )
}

static A_B_C: Operation = Operation::new("x", Method::Get, "/x").params(&[
    Param::query("b"),
    Param::query("c"),
    Param::query("a"),
]);

#[track_caller]
fn says(gate: &Gate, operation: &Operation, expected: &[Verdict]) {
    for (place, verdict) in expected.iter().enumerate() {
        let name = operation.params[place].wire;
        assert_eq!(gate.param(operation, place), *verdict, "{name}");
        assert_eq!(gate.request(operation, [place]), *verdict, "{name}");
    }
}

#[test]
fn a_parameter_that_the_table_does_not_list_is_unknown_and_shifts_no_other() {
    let same = gate(&[("x", Yes)], &[("x", "a", Yes), ("x", "b", No), ("x", "c", Yes)]);
    says(&same, &A_B_C, &[No, Yes, Yes]);
    let fewer = gate(&[("x", Yes)], &[("x", "b", Yes), ("x", "c", No)]);
    says(&fewer, &A_B_C, &[Yes, No, Unknown]);
    let others = gate(&[("x", Yes)], &[("x", "0", Yes), ("x", "a", No), ("x", "c", Yes)]);
    says(&others, &A_B_C, &[Unknown, Yes, No]);
}

#[test]
fn a_place_that_the_operation_does_not_have_is_unknown() {
    let gate = gate(&[("x", Yes)], &[("x", "a", Yes), ("x", "b", Yes), ("x", "c", Yes)]);
    assert_eq!(gate.request(&A_B_C, [0, 1, 2]), Yes);
    assert_eq!(gate.param(&A_B_C, 3), Unknown);
    assert_eq!(gate.request(&A_B_C, [0, 64]), Unknown);
}

#[test]
fn an_operation_may_have_any_number_of_parameters() {
    let names: Vec<String> = (0..100).map(|at| format!("{at:03}")).collect();
    let verdict = |at: usize| if at.is_multiple_of(3) { No } else { Yes };
    let listed = names.iter().enumerate().map(|(at, name)| ("x", name.as_str(), verdict(at)));
    let gate = gate(&[("x", Yes)], &listed.collect::<Vec<_>>());
    let params: Vec<Param> = names.iter().map(|name| Param::query(name.clone().leak())).collect();
    let operation = Operation::new("x", Method::Get, "/x").params(params.leak());
    let expected: Vec<_> = (0..100).map(verdict).collect();
    says(&gate, &operation, &expected);
    assert_eq!(gate.request(&operation, [1, 2, 4]), Yes);
    assert_eq!(gate.request(&operation, 0..100), No);
}

#[test]
fn each_of_many_operations_has_its_verdict() {
    let ids: Vec<String> = (0..96).map(|at| format!("g.o{at}")).collect();
    let verdict = |at: usize| [Yes, No, Unknown][at % 3];
    let operations = ids.iter().enumerate();
    let operations: Vec<_> = operations.map(|(at, id)| (id.as_str(), verdict(at))).collect();
    let gate = gate(&operations, &[]);
    for (id, verdict) in operations {
        let operation = Operation::new(id.to_owned().leak(), Method::Get, "/");
        assert_eq!(gate.operation(&operation), verdict, "{id}");
    }
    let absent = Operation::new("g.absent", Method::Get, "/");
    assert_eq!(gate.operation(&absent), Unknown);
}

static NEW: Operation = Operation::new("new", Method::Get, "/new")
    .params(&[Param::query("id[]"), Param::query("plain")]);
static OLD: Operation =
    Operation::new("old", Method::Get, "/old").params(&[Param::query("id"), Param::query("plain")]);
static STAND_INS: &[Fallback] = &[Fallback::new("new", &OLD).renames(&[("id[]", "id")])];

/// Returns the fate of a call of `new` where the server lacks it, with the verdicts of the operation that stands in.
fn adapted(old: Verdict, id: Verdict, set: &[Setting<'_>]) -> Plan {
    let gate = gate(
        &[("new", No), ("old", old)],
        &[("new", "id[]", No), ("new", "plain", No), ("old", "id", id), ("old", "plain", Yes)],
    );
    let gate = gate.with_fallbacks(STAND_INS);
    plan(&gate, Policy::Adapt, &NEW, set.iter().cloned())
}

#[test]
fn several_values_are_not_sent_where_there_is_room_for_one() {
    let is_replaced = |set: &[Setting<'_>]| {
        let plan = adapted(Yes, Yes, set);
        assert_ne!(plan.replacement.is_some(), plan.refused.is_some());
        plan.replacement.is_some()
    };
    let (id, plain) = (|| Setting::optional(0), || Setting::optional(1));
    assert!(is_replaced(&[]));
    assert!(is_replaced(&[id(), plain()]));
    assert!(!is_replaced(&[id(), id()]));
    assert!(!is_replaced(&[plain(), id(), id()]));
    // `plain` is no list in either of them, so that there is nothing to narrow.
    assert!(is_replaced(&[plain(), plain()]));
}

#[test]
fn a_stand_in_that_nobody_knows_of_is_tried() {
    let required = [Setting::required(0)];
    let plan = adapted(Unknown, Unknown, &required);
    assert_eq!(plan.replacement.map(|fallback| fallback.by.id), Some("old"));
    assert_eq!(plan.refused, None);
    assert_eq!(plan.dropped, [] as [usize; 0]);
}

#[test]
fn a_stand_in_that_the_server_lacks_is_not_called() {
    let required = [Setting::required(0)];
    for (old, id) in [(No, Yes), (Yes, No)] {
        let plan = adapted(old, id, &required);
        assert!(plan.replacement.is_none());
        assert_eq!(plan.refused.map(|refusal| refusal.item), Some("new"));
    }
    // An optional one that the stand-in lacks is left out.
    let plan = adapted(Yes, No, &[Setting::optional(0), Setting::optional(1)]);
    assert_eq!(plan.replacement.map(|fallback| fallback.by.id), Some("old"));
    assert_eq!(plan.dropped, [0]);
}

#[test]
fn nothing_is_claimed_of_a_release_that_nobody_looked_at() {
    static LOOKED_AT: &[Program] = &[Program::new("mastodon", "Mastodon")
        .nodeinfo(&["mastodon"])
        .releases(&[Release::new(4, 6, 5), Release::new(4, 6, 6), Release::new(4, 7, 0)])
        .looked_at(4, 6, 5)];
    static ITEMS: ItemTable = ItemTable::new(
        LOOKED_AT,
        r#"{"form": 3, "items": {
    "E.has": "field",
    "E.never": "field"
}}"#,
        &[r#"{"otherwise": "never", "items": {
    "E.has": "1.0.0"
}}"#],
    );
    for (version, never) in
        [("4.6.5", No), ("4.6.6", Unknown), ("4.6.7", Unknown), ("4.7.0", Unknown)]
    {
        let server = RemoteServer::of("mastodon", version);
        assert_eq!(server.supports(&ITEMS, "E.has").verdict, Yes, "{version}");
        assert_eq!(server.supports(&ITEMS, "E.never").verdict, never, "{version}");
    }
    assert_eq!(
        LOOKED_AT[0].newest_looked_at().map(|release| release.to_string()),
        Some("4.6.5".into())
    );
}
