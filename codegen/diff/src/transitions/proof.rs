//! The proof of facts: what it was, and whether it proves less.

use super::super::pair::Pair;
use super::super::rules::RuleId;
use fedispec_model::api::Evidence;

/// Compares the proof of one fact.
pub(super) fn compare(
    pair: &mut Pair<'_, '_>,
    what: &str,
    old: Option<&Evidence>,
    new: Option<&Evidence>,
) {
    if old != new {
        let rule = judge(old, new);
        pair.note(rule, (text(old), text(new), message(rule, what, old, new)));
    }
}

/// Whether proof got less, or only another.
pub(super) fn judge(old: Option<&Evidence>, new: Option<&Evidence>) -> RuleId {
    match (old, new) {
        (Some(_), None) => RuleId::ProvenanceWeakened,
        (Some(old), Some(new)) if new.class > old.class => RuleId::ProvenanceWeakened,
        _ => RuleId::ProvenanceOnlyChanged,
    }
}

pub(super) fn message(
    rule: RuleId,
    what: &str,
    old: Option<&Evidence>,
    new: Option<&Evidence>,
) -> String {
    let less = if rule == RuleId::ProvenanceWeakened { "proves less" } else { "is another" };
    format!("the evidence for its {what} {less}: {}, was {}", text(new), text(old))
}

pub(super) fn text(evidence: Option<&Evidence>) -> String {
    evidence.map_or_else(
        || "none".into(),
        |evidence| {
            let at = evidence.at.as_ref().map(|at| format!(" at {at}")).unwrap_or_default();
            let note = evidence.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
            format!("{:?} {}{at}{note}", evidence.class, evidence.source)
        },
    )
}
