//! The proof of facts: what it was, and whether it proves less.

use super::super::pair::{Pair, Words};
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
        let (rule, words) = differing(what, old, new);
        pair.note(rule, words);
    }
}

/// The rule for proof that differs, which got less or is only another, and the words for it.
pub(super) fn differing(
    what: &str,
    old: Option<&Evidence>,
    new: Option<&Evidence>,
) -> (RuleId, Words) {
    let is_less = old.is_some_and(|old| new.is_none_or(|new| new.class > old.class));
    let (rule, less) = if is_less {
        (RuleId::ProvenanceWeakened, "proves less")
    } else {
        (RuleId::ProvenanceOnlyChanged, "is another")
    };
    let (was, is) = (text(old), text(new));
    let message = format!("the evidence for its {what} {less}: {is}, was {was}");
    (rule, (was, is, message).into())
}

/// Puts evidence into words.
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
