//! The rules as data: their ids are frozen, and what the model makes impossible is named with the reason.

use std::collections::BTreeSet;

use fedispec_diff::rules::{IMPOSSIBLE, Mirror, RULES, RuleId, find};

/// Accept files and pipelines name rules by their ids, so that an id stays once it has been published. A new one is added to the list.
#[test]
fn a_published_id_stays() {
    let is_known = |id: &str| find(id).is_some() || IMPOSSIBLE.iter().any(|(name, _)| *name == id);
    let published: BTreeSet<&str> = include_str!("rules.txt").lines().collect();
    assert!(!published.is_empty());
    for id in &published {
        assert!(is_known(id), "{id} breaks those who wrote it down");
    }
    for rule in RULES {
        assert!(published.contains(rule.id), "{} is not in rules.txt", rule.id);
    }
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
