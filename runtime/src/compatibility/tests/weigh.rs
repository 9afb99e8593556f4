//! The fate of parameters that the server lacks, by the effect of leaving them out.

use super::*;
use crate::compatibility::{Gate, Outcome, Plan, Policy, Reason, RemoteServer, Setting, plan};

static ITEMS: ItemTable = ItemTable::new(
    PROGRAMS,
    r#"{"form": 3, "items": {
    "Mood": "enum",
    "Mood.good": "value",
    "Mood.new": "value",
    "s.post": "operation",
    "s.post.fresh": {"kind": "param", "left_out": {"effect": "changes_meaning", "so": "nothing is quoted", "safe": ["0"]}},
    "s.post.moods": {"kind": "param", "values": "Mood"},
    "s.post.level": {"kind": "param", "left_out": {"effect": "changes_meaning", "so": "all is blocked", "safe": ["all"]}},
    "s.post.mood": {"kind": "param", "left_out": "harmless"},
    "s.post.needed": {"kind": "param", "left_out": {"effect": "fails", "so": "the server answers 422"}},
    "s.post.odd": "param",
    "s.post.q": {"kind": "param", "words": "Mood"},
    "s.post.refused": {"kind": "param", "left_out": {"effect": "changes_meaning", "so": "the status is posted at once"}},
    "s.post.when": {"kind": "param", "left_out": {"effect": "changes_meaning", "so": "the status is posted at once"}},
    "s.put": "operation",
    "s.put.id": "param",
    "s.put.locked": {"kind": "param", "left_out": {"effect": "changes_meaning", "so": "anybody can follow", "safe": ["false"]}, "unset": "keep"},
    "s.put.mood": {"kind": "param", "left_out": "harmless", "unset": "keep"},
    "s.put.text": {"kind": "param", "left_out": "harmless", "unset": "reset"}
}}"#,
    &[
        r#"{"otherwise": "never", "items": {
    "s.post": "1.0.0",
    "Mood": "1.0.0",
    "Mood.good": "1.0.0",
    "Mood.new": "4.4.0",
    "s.post.moods": "1.0.0",
    "s.post.level": "4.4.0",
    "s.post.mood": "4.4.0",
    "s.post.needed": "4.4.0",
    "s.post.odd": "4.4.0",
    "s.post.q": "1.0.0",
    "s.post.refused": "4.4.0",
    "s.post.when": "4.4.0",
    "s.put": "1.0.0",
    "s.put.id": "1.0.0",
    "s.put.locked": "4.4.0",
    "s.put.mood": "4.4.0",
    "s.put.text": "1.0.0"
}}"#,
        r#"{"otherwise": "never", "items": {
    "s.post": "0.1.0",
    "Mood": "0.1.0",
    "Mood.good": "0.1.0",
    "s.post.moods": "0.1.0",
    "s.post.level": {"life": "0.17.0", "left_out": [{"is": {"effect": "changes_meaning", "so": "all is blocked", "safe": "any"}}]},
    "s.post.mood": "0.17.0",
    "s.post.needed": "0.17.0",
    "s.post.odd": "0.17.0",
    "s.post.q": "0.1.0",
    "s.post.refused": {"life": "never", "refused": {"since": "0.17.0", "status": 501}},
    "s.post.when": "0.17.0",
    "s.put": "0.1.0",
    "s.put.id": "0.1.0",
    "s.put.locked": "0.17.0",
    "s.put.mood": "0.17.0",
    "s.put.text": "0.1.0"
}}"#,
    ],
);

static POST: Operation = Operation::new("s.post", Method::Post, "/s").params(&[
    Param::form("fresh"),
    Param::form("moods"),
    Param::form("level"),
    Param::form("mood"),
    Param::form("needed"),
    Param::form("odd"),
    Param::form("refused"),
    Param::form("when"),
    Param::form("q"),
]);
static PUT: Operation = Operation::new("s.put", Method::Put, "/s/:id").params(&[
    Param::path("id"),
    Param::form("locked"),
    Param::form("mood"),
    Param::form("text"),
]);

const POLICIES: [Policy; 3] = [Policy::Advise, Policy::Strict, Policy::Adapt];

fn setting(operation: &Operation, name: &str, value: &'static str) -> Setting<'static> {
    let place = operation.params.iter().position(|param| param.wire == name);
    Setting::optional(place.expect(name)).value(value)
}

fn planned(
    server: (&str, &str),
    policy: Policy,
    operation: &Operation,
    set: &[Setting<'_>],
) -> Plan {
    let gate = Gate::new(RemoteServer::of(server.0, server.1), &ITEMS);
    plan(&gate, policy, operation, set.iter().cloned())
}

/// Returns the fate of one parameter of a post, in a word.
fn fate(server: (&str, &str), policy: Policy, name: &str, value: &'static str) -> &'static str {
    told(&planned(server, policy, &POST, &[setting(&POST, name, value)]))
}

/// Returns what becomes of the one parameter of a plan, in a word.
fn told(plan: &Plan) -> &'static str {
    match (&plan.refused, plan.dropped.as_slice(), plan.unsure.as_slice()) {
        (Some(refusal), ..) => match refusal.reason {
            Reason::Lacking => "lacking",
            Reason::ChangesMeaning { .. } => "refused",
            Reason::MayChangeMeaning { .. } => "may change",
            Reason::AnswersError { .. } => "an error",
            Reason::NotLookedAt { .. } => "not looked at",
            Reason::Value { .. } => "value",
            ref other => unreachable!("{other:?}"),
        },
        (None, [_], _) => "dropped",
        (None, _, [unsure]) => match unsure.outcome {
            Outcome::Error(_) => "sent for an error",
            Outcome::Instead(_) => "sent, unsure",
            Outcome::Unclassed => "sent, unclassed",
            Outcome::Value(_) => "sent, odd",
        },
        _ => "sent",
    }
}

#[test]
fn each_parameter_has_its_fate() {
    let old = ("mastodon", "4.3.0");
    let other = ("pleroma", "2.5.0");
    let newer = ("mastodon", "4.6.0-rc.1");
    let fork = ("hometown", "1.1.1+4.0.15");
    let like = ("iceshrimp", "4.0.0 (compatible; Iceshrimp 1.0.0)");
    // Advise, Strict, Adapt
    for (server, name, value, fates) in [
        (old, "when", "x", ["refused", "refused", "refused"]),
        (other, "when", "x", ["sent, unsure", "may change", "sent, unsure"]),
        (("mastodon", "4.4.0"), "when", "x", ["sent", "sent", "sent"]),
        (("mastodon", "nightly"), "when", "x", ["sent, unsure", "may change", "sent, unsure"]),
        // Where nobody has looked, the newest release looked at counts, then what is claimed, then what all have.
        (newer, "fresh", "x", ["not looked at"; 3]),
        (newer, "fresh", "0", ["sent", "sent", "sent"]),
        (newer, "when", "x", ["sent", "sent", "sent"]),
        (("gotosocial", "0.20.0-rc1"), "fresh", "x", ["not looked at"; 3]),
        (("mastodon", "nightly"), "fresh", "x", ["not looked at"; 3]),
        (fork, "when", "x", ["not looked at"; 3]),
        (("hometown", "1.1.1+4.4.0"), "when", "x", ["sent", "sent", "sent"]),
        (like, "when", "x", ["not looked at"; 3]),
        (like, "level", "all", ["sent", "sent", "sent"]),
        (
            ("iceshrimp", "4.5.0 (compatible; Iceshrimp 1.0.0)"),
            "when",
            "x",
            ["sent", "sent", "sent"],
        ),
        (("iceshrimp", "4.8.0 (compatible; Iceshrimp 1.0.0)"), "fresh", "x", ["not looked at"; 3]),
        (other, "fresh", "x", ["not looked at"; 3]),
        (other, "fresh", "0", ["sent, unsure", "may change", "sent, unsure"]),
        (other, "level", "some", ["sent, unsure", "may change", "sent, unsure"]),
        (old, "moods", "good", ["sent", "sent", "sent"]),
        (old, "moods", "new", ["sent, odd", "value", "value"]),
        (old, "moods", "odd", ["sent, odd", "value", "value"]),
        (old, "moods", "", ["sent", "sent", "sent"]),
        (("mastodon", "4.4.0"), "moods", "new", ["sent", "sent", "sent"]),
        (("gotosocial", "0.20.0"), "moods", "new", ["sent, odd", "value", "value"]),
        (other, "moods", "new", ["sent", "sent", "sent"]),
        (other, "moods", "odd", ["sent, odd", "value", "value"]),
        (old, "mood", "x", ["sent", "lacking", "dropped"]),
        (other, "mood", "x", ["sent", "sent", "sent"]),
        (old, "level", "all", ["sent", "lacking", "dropped"]),
        (old, "level", "some", ["refused", "refused", "refused"]),
        (other, "level", "all", ["sent, unsure", "may change", "sent, unsure"]),
        (old, "needed", "x", ["sent, unsure", "lacking", "sent, unsure"]),
        (old, "odd", "x", ["sent, unclassed", "lacking", "sent, unclassed"]),
        (
            ("gotosocial", "0.17.0"),
            "refused",
            "x",
            ["sent for an error", "an error", "sent for an error"],
        ),
        (("gotosocial", "0.16.0"), "refused", "x", ["refused", "refused", "refused"]),
        (("gotosocial", "0.16.0"), "level", "some", ["sent", "lacking", "dropped"]),
    ] {
        let found = POLICIES.map(|policy| fate(server, policy, name, value));
        assert_eq!(found, fates, "{name} on {server:?}");
    }
}

/// Of a text only the operators count that were written into it, whatever it says.
#[test]
fn an_operator_is_held_to_what_the_server_has() {
    let old = ("mastodon", "4.3.0");
    for (server, operators, fates) in [
        (old, &["good"][..], ["sent", "sent", "sent"]),
        (old, &[], ["sent", "sent", "sent"]),
        (old, &["good", "new"], ["sent, odd", "value", "value"]),
        (old, &["odd"], ["sent, odd", "value", "value"]),
        (("mastodon", "4.4.0"), &["new"], ["sent", "sent", "sent"]),
        (("gotosocial", "0.20.0"), &["new"], ["sent, odd", "value", "value"]),
        (("pleroma", "2.5.0"), &["new"], ["sent", "sent", "sent"]),
    ] {
        let found = POLICIES.map(|policy| {
            let set = setting(&POST, "q", "a new: odd text").operators(operators.iter().copied());
            told(&planned(server, policy, &POST, &[set]))
        });
        assert_eq!(found, fates, "{operators:?} on {server:?}");
    }
    let set = setting(&POST, "q", "cats new").operators(["new"]);
    let refused = planned(old, Policy::Strict, &POST, std::slice::from_ref(&set)).refused;
    let refused = refused.expect("a refusal").to_string();
    assert!(refused.contains("\"new\" as `q`"), "{refused}");
    assert!(planned(old, Policy::Strict, &POST, &[set.allowed()]).refused.is_none());
}

#[test]
fn a_call_may_lose_what_it_allows() {
    for (policy, dropped) in [(Policy::Advise, 0), (Policy::Strict, 0), (Policy::Adapt, 1)] {
        let set = [setting(&POST, "when", "x").allowed()];
        let plan = planned(("mastodon", "4.3.0"), policy, &POST, &set);
        assert_eq!((plan.refused, plan.dropped.len()), (None, dropped), "{policy:?}");
    }
}

#[test]
fn a_value_of_a_list_that_is_not_safe_keeps_the_list() {
    let set = ["all", "some"].map(|value| setting(&POST, "level", value));
    let plan = planned(("mastodon", "4.3.0"), Policy::Adapt, &POST, &set);
    assert!(plan.refused.is_some());
    // A value that is no scalar is not safe either.
    let place = POST.params.iter().position(|param| param.wire == "level");
    let set = [Setting::optional(place.expect("level"))];
    assert!(planned(("mastodon", "4.3.0"), Policy::Adapt, &POST, &set).refused.is_some());
}

#[test]
fn an_update_of_nothing_is_refused() {
    let old = ("mastodon", "4.3.0");
    let id = || Setting::required(0).value("1");
    let is_refused = |policy, set: &[Setting<'_>]| {
        let refused = planned(old, policy, &PUT, set).refused;
        refused.is_some_and(|refusal| refusal.reason == Reason::NothingLeft)
    };
    for policy in [Policy::Advise, Policy::Adapt] {
        assert!(is_refused(policy, &[id(), setting(&PUT, "mood", "x")]));
        assert!(!is_refused(
            policy,
            &[id(), setting(&PUT, "mood", "x"), setting(&PUT, "text", "y")]
        ));
        assert!(!is_refused(policy, &[id(), setting(&PUT, "mood", "x").allowed()]));
        assert!(!is_refused(policy, &[id()]), "the caller set nothing");
    }
    // A value that means the same as none is what the server does anyway; adapted, nothing would be asked.
    assert!(!is_refused(Policy::Advise, &[id(), setting(&PUT, "locked", "false")]));
    assert!(is_refused(Policy::Adapt, &[id(), setting(&PUT, "locked", "false")]));
}

#[test]
fn plans_and_refusals_are_sentences() {
    let old = ("mastodon", "4.3.0");
    let refusal = |server, policy, set: &[Setting<'_>]| {
        let refused = planned(server, policy, &POST, set).refused.expect("a refusal");
        refused.to_string()
    };
    assert_eq!(
        refusal(old, Policy::Advise, &[setting(&POST, "when", "x")]),
        "mastodon 4.3.0 does not have s.post.when (mastodon: there since 4.4.0; the server is 4.3.0), and without it the status is \
         posted at once. Leave `when` unset, or allow this with `allowing([\"when\"])`"
    );
    let level = refusal(old, Policy::Advise, &[setting(&POST, "level", "some")]);
    assert!(level.contains("Leave `level` unset, set it to \"all\", or allow"), "{level}");
    let plan = planned(
        old,
        Policy::Adapt,
        &POST,
        &[setting(&POST, "mood", "x"), setting(&POST, "odd", "x")],
    );
    assert_eq!(
        plan.to_string(),
        "left out: mood (mastodon: there since 4.4.0; the server is 4.3.0)\n\
         sent all the same: odd (nobody says what happens without it; mastodon: there since 4.4.0; the server is 4.3.0)"
    );
    let plan =
        planned(("gotosocial", "0.17.0"), Policy::Adapt, &POST, &[setting(&POST, "refused", "x")]);
    assert_eq!(
        plan.to_string(),
        "sent all the same: refused (gotosocial 0.17.0 refuses it with 501)"
    );
    assert!(plan.is_as_written() && plan.is_worth_telling());
    let plan = planned(("mastodon", "4.4.0"), Policy::Adapt, &POST, &[setting(&POST, "when", "x")]);
    assert_eq!(plan.to_string(), "sent as written");
    let fresh = |server| refusal(server, Policy::Advise, &[setting(&POST, "fresh", "x")]);
    assert_eq!(
        fresh(("gotosocial", "0.20.0-rc1")),
        "nobody has looked at gotosocial 0.20.0-rc1, and GoToSocial 0.19.2, the newest release looked at, does not have s.post.fresh, \
         without which nothing is quoted. Leave `fresh` unset, or allow this with `allowing([\"fresh\"])`"
    );
    let told = fresh(("hometown", "1.1.1+4.0.15"));
    assert!(
        told.contains("Mastodon 4.0.15, which it claims to be like, does not have s.post.fresh"),
        "{told}"
    );
    let told = fresh(("pleroma", "2.5.0"));
    assert!(told.contains("no program that was looked at has"), "{told}");
    let odd = setting(&POST, "moods", "odd");
    assert_eq!(
        refusal(old, Policy::Adapt, std::slice::from_ref(&odd)),
        "mastodon 4.3.0 is not known to take \"odd\" as `moods` of s.post.moods (the catalogue does not list it). Set another value, \
         allow this with `allowing([\"moods\"])`, or choose a policy that advises"
    );
    let plan = planned(old, Policy::Strict, &POST, &[odd.allowed()]);
    assert_eq!(
        plan.to_string(),
        "sent all the same: moods (mastodon 4.3.0 may not take its value; the catalogue does not list it)"
    );
}
