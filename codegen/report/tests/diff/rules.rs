//! The rules as data: their ids and rows are frozen, and what the model makes impossible is named with the reason.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use fedispec_diff::rules::{IMPOSSIBLE, Mirror, RULES, Rule, RuleId, find};

/// A row of the golden list. Users write ids into accept files and pipelines: a row that goes breaks them.
fn row(rule: &Rule) -> String {
    let breaks: String = rule.breaks.iter().map(|audience| audience.letter()).collect();
    let mut row = format!("{} [{breaks}] {} {}", rule.id, rule.severity.name(), rule.bump.name());
    if let Some((severity, bump)) = rule.proven {
        let _ = write!(row, " proven {} {}", severity.name(), bump.name());
    }
    let mirror = match rule.mirror {
        Mirror::Is(other) => other.rule().id,
        Mirror::Itself => "itself",
        Mirror::None(_) => "none",
    };
    let _ = write!(row, " mirror {mirror}");
    row
}

#[test]
fn the_rules_are_frozen() {
    let mut list: Vec<String> = RULES.iter().map(row).collect();
    list.extend(IMPOSSIBLE.iter().map(|(id, why)| format!("impossible {id}: {why}")));
    let list = list.join("\n") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diff/rules.txt");
    if std::env::var_os("FEDISPEC_BLESS").is_some() {
        std::fs::write(&path, &list).expect("the golden list can be written");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        golden, list,
        "FEDISPEC_BLESS=1 writes the list anew; an id that goes breaks those who wrote it down"
    );
}

#[test]
fn ids_are_apart_and_every_rule_says_why() {
    let mut seen = BTreeSet::new();
    for id in RULES.iter().map(|rule| rule.id).chain(IMPOSSIBLE.iter().map(|(id, _)| *id)) {
        assert!(seen.insert(id), "{id} is there twice");
        assert!(id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{id}");
    }
    for rule in RULES {
        assert!(rule.why.ends_with('.') && rule.why.len() > 15, "{} does not say why", rule.id);
        assert_eq!(find(rule.id), Some(rule));
        assert_eq!(rule.rule.rule(), rule);
    }
    assert!(IMPOSSIBLE.iter().all(|(id, why)| find(id).is_none() && why.len() > 15));
}

/// Mirrors that do not point back.
const ONE_WAY: [(RuleId, &str); 2] = [
    (RuleId::ResponseEntitySupersetted, "backwards fields are missing: any other entity"),
    (RuleId::ProvenanceWeakened, "backwards proof gets stronger, which nobody has to look at"),
];

#[test]
fn a_mirror_points_back_or_tells_why_not() {
    for rule in RULES {
        if let Mirror::None(why) = rule.mirror {
            assert!(why.len() > 15, "{} has no mirror and no reason", rule.id);
        }
        let Mirror::Is(other) = rule.mirror else {
            continue;
        };
        let back = match other.rule().mirror {
            Mirror::Is(back) => back == rule.rule || back.rule().mirror == Mirror::Is(other),
            Mirror::Itself => false,
            Mirror::None(_) => true,
        };
        let waived = ONE_WAY.iter().any(|(waived, _)| *waived == rule.rule);
        assert!(
            back != waived,
            "{}: the mirror of {} is not it{}",
            rule.id,
            other.rule().id,
            if waived { ", and the waiver is stale" } else { "" }
        );
    }
}
