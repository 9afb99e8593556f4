use super::*;
use crate::compatibility::{Fallback, Gate, Plan, Policy, RemoteServer, Setting, Verdict, plan};

static OLD_FOR_NEW: &[Fallback] =
    &[Fallback::new("d.new", &B_GONE), Fallback::new("d.new", &A_GET).renames(&[("more", "new")])];

fn gate(software: &str, version: &str) -> Gate {
    Gate::new(RemoteServer::of(software, version), &ITEMS).with_fallbacks(OLD_FOR_NEW)
}

fn planned(gate: &Gate, policy: Policy, operation: &Operation, optional: &[usize]) -> Plan {
    let optional = optional.iter().copied().map(Setting::optional);
    plan(gate, policy, operation, std::iter::once(Setting::required(0)).chain(optional))
}

#[test]
fn advice_sends_everything() {
    let plan = planned(&gate("mastodon", "4.3.0"), Policy::Advise, &A_GET, &[1, 1, 2]);
    assert!(plan.is_as_written());
    assert_eq!(plan.verdict(), Verdict::No);
    let doubts: Vec<_> = plan.doubts().map(|finding| finding.item).collect();
    assert_eq!(doubts, ["a.get.new", "a.get.open"]);
}

#[test]
fn strictness_refuses_what_is_lacking() {
    let gate = gate("mastodon", "4.3.0");
    let refused = planned(&gate, Policy::Strict, &A_GET, &[1]).refused.expect("a refusal");
    assert_eq!(
        refused.to_string(),
        "mastodon 4.3.0 does not have a.get.new (mastodon: there since 4.4.0; the server is 4.3.0)"
    );
    // An unknown item is sent.
    assert!(planned(&gate, Policy::Strict, &A_GET, &[2]).is_as_written());
}

#[test]
fn adaptation_leaves_out_what_may_be_left_out() {
    let gate = gate("mastodon", "4.3.0");
    let plan = planned(&gate, Policy::Adapt, &A_GET, &[1, 2]);
    assert_eq!(plan.dropped, [1]);
    assert_eq!(plan.refused, None);
    let needed = super::super::plan(&gate, Policy::Adapt, &A_GET, [Setting::required(1)]);
    assert_eq!(needed.refused.map(|refusal| refusal.item), Some("a.get.new"));
}

#[test]
fn adaptation_calls_what_stands_in() {
    let replaced = planned(&gate("mastodon", "3.5.0"), Policy::Adapt, &D_NEW, &[1]);
    assert_eq!(replaced.replacement.map(|fallback| fallback.by.id), Some("a.get"));
    assert_eq!(replaced.dropped, [1], "the stand-in's parameter came later");
    assert_eq!(replaced.refused, None);
    // Nothing stands in for it.
    let refused = planned(&gate("mastodon", "4.0.0"), Policy::Adapt, &B_GONE, &[]);
    assert_eq!(refused.refused.map(|refusal| refusal.item), Some("b.gone"));
    assert!(planned(&gate("pleroma", "2.5.0"), Policy::Adapt, &D_NEW, &[1]).is_as_written());
}

#[test]
fn a_stand_in_knows_parameters_by_name() {
    let fallback = Fallback::new("d.new", &A_GET).renames(&[("more", "new")]);
    let place = |wire| fallback.place(wire);
    assert_eq!((place("id"), place("more")), (Some(0), Some(1)));
    assert_eq!(place("new"), None, "the name is taken by another parameter");
    assert_eq!(place("other"), None);
}
