//! A pair of states for each rule, and exactly what is found, both ways.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use fedispec_diff::rules::{Mirror, RULES, RuleId};

use super::support::{edited, found};

/// A pair of states.
#[derive(Default)]
pub(super) struct Fixture {
    pub(super) line: usize,
    pub(super) old: Vec<(String, String)>,
    pub(super) new: Vec<(String, String)>,
    forward: Vec<String>,
    backward: Vec<String>,
}

pub(super) fn fixtures() -> Vec<Fixture> {
    let mut fixtures = vec![Fixture::default()];
    for (number, line) in include_str!("fixtures.txt").lines().enumerate() {
        let Some(last) = fixtures.last_mut() else {
            break;
        };
        let edit = |line: &str| {
            let (from, to) = line.split_once(" =>").expect("an edit");
            (from.replace("\\n", "\n"), to.strip_prefix(' ').unwrap_or(to).replace("\\n", "\n"))
        };
        match line.split_once(' ') {
            _ if line.is_empty() => {
                fixtures.push(Fixture { line: number + 2, ..Fixture::default() });
            }
            Some(("old", text)) => last.old.push(edit(text)),
            Some(("new", text)) => last.new.push(edit(text)),
            Some((">", text)) => last.forward.push(text.to_owned()),
            Some(("<", text)) => last.backward.push(text.to_owned()),
            Some(("#", _)) => {}
            _ => panic!("line {}: {line}", number + 1),
        }
    }
    fixtures.retain(|fixture| !fixture.old.is_empty() || !fixture.new.is_empty());
    fixtures
}

pub(super) fn side(edits: &[(String, String)]) -> fedispec_model::api::Api {
    edited(&edits.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect::<Vec<_>>())
}

#[test]
fn each_pair_has_exactly_these_findings() {
    let mut wrong = String::new();
    for fixture in fixtures() {
        let (old, new) = (side(&fixture.old), side(&fixture.new));
        let (forward, backward) = (found(&old, &new), found(&new, &old));
        if forward != fixture.forward || backward != fixture.backward {
            let list = |sign: &str, lines: &[String]| {
                let lines = lines.iter().map(|line| format!("{sign} {line}\n"));
                lines.collect::<Vec<_>>().concat()
            };
            let _ = write!(
                wrong,
                "line {}: {:?}\n{}{}\n",
                fixture.line,
                fixture.new,
                list(">", &forward),
                list("<", &backward)
            );
        }
    }
    assert!(wrong.is_empty(), "found instead:\n{wrong}");
}

/// Rules that need more than two catalogues; each has a test of its own.
const ELSEWHERE: [RuleId; 5] = [
    RuleId::FrozenFactChanged,
    RuleId::UnclassifiedChange,
    RuleId::RustChanged,
    RuleId::RustNew,
    RuleId::StatementChanged,
];

#[test]
fn each_rule_has_a_pair() {
    let seen: BTreeSet<String> = fixtures()
        .iter()
        .flat_map(|fixture| {
            fixture.forward.iter().chain(&fixture.backward).cloned().collect::<Vec<_>>()
        })
        .filter_map(|line| line.split(' ').next().map(str::to_owned))
        .collect();
    let bare: Vec<_> = RULES
        .iter()
        .filter(|rule| !seen.contains(rule.id) && !ELSEWHERE.contains(&rule.rule))
        .map(|rule| rule.id)
        .collect();
    assert!(bare.is_empty(), "no pair for {bare:?}");
}

/// Where a pair has one finding each way, the second is what the table of mirrors says.
#[test]
fn backwards_is_the_mirror() {
    let rule = |line: &str| {
        let id = line.split(' ').next().unwrap_or_default();
        fedispec_diff::rules::find(id).unwrap_or_else(|| panic!("no rule {id}"))
    };
    for fixture in fixtures() {
        let ([forward], [backward]) = (fixture.forward.as_slice(), fixture.backward.as_slice())
        else {
            continue;
        };
        let (forward, backward) = (rule(forward), rule(backward));
        let mirrors = |of: &fedispec_diff::rules::Rule, other: RuleId| match of.mirror {
            Mirror::Is(mirror) => mirror == other,
            Mirror::Itself => of.rule == other,
            // A reason stands instead of a rule.
            Mirror::None(_) => true,
        };
        assert!(
            mirrors(forward, backward.rule) || mirrors(backward, forward.rule),
            "line {}: {} backwards is {}",
            fixture.line,
            forward.id,
            backward.id
        );
    }
}
