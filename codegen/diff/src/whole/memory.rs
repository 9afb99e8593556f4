//! What the catalogue remembers besides: tombstones, and declared contradictions.

use std::collections::BTreeMap;

use super::super::change::Change;
use super::super::context::{Context, proof};
use super::super::rules::{Fact, RuleId};
use super::said;
use fedispec_model::api::{Api, At, Dispute};

pub(super) fn tombstones(context: &Context<'_>, out: &mut Vec<Change>) {
    let (old, new) = (&context.old.api.tombstones, &context.new.api.tombstones);
    for tombstone in new {
        let before = old.iter().find(|before| before.id == tombstone.id);
        // Where the item went with it, that is told.
        let told = out.iter().any(|change| change.item.id == tombstone.id);
        if before != Some(tombstone) && !told {
            let text = |why: &str, never: bool| {
                format!("{why}{}", if never { " (never existed)" } else { "" })
            };
            let earlier = before.map(|before| text(&before.why, before.never_existed));
            let later = text(&tombstone.why, tombstone.never_existed);
            let message = format!("laid to rest: {later}");
            let rule = if before.is_some() {
                RuleId::DocsOnlyChanged
            } else {
                RuleId::ProvenanceOnlyChanged
            };
            out.push(said(
                rule,
                "tombstone",
                &tombstone.id,
                earlier,
                Some(later),
                message,
            ));
        }
    }
    for tombstone in old
        .iter()
        .filter(|before| !new.iter().any(|after| after.id == before.id))
    {
        if !out
            .iter()
            .any(|change| change.rule == RuleId::ItemKeyReused && change.item.id == tombstone.id)
        {
            let why = Some(tombstone.why.clone());
            out.push(said(
                RuleId::ProvenanceWeakened,
                "tombstone",
                &tombstone.id,
                why,
                None,
                "nobody remembers it any more".into(),
            ));
        }
    }
}

pub(super) fn disputes(context: &Context<'_>, out: &mut Vec<Change>) {
    let (old, new) = (by_key(context.old.api), by_key(context.new.api));
    let placeless = |dispute: &Dispute| Dispute {
        at: At(0, 0),
        ..dispute.clone()
    };
    let mut found = Vec::new();
    for (key, dispute) in &new {
        let before = old.get(key);
        if before.is_some_and(|before| placeless(before) == placeless(dispute))
            || is_told(dispute, out)
        {
            continue;
        }
        let how = if before.is_some() { "otherwise" } else { "now" };
        let message = format!(
            "the contradiction about its {} is declared {how}",
            dispute.fact
        );
        let (was, is) = (before.map(|before| text(before)), Some(text(dispute)));
        let mut change = said(
            RuleId::ProvenanceOnlyChanged,
            "dispute",
            &dispute.item,
            was,
            is,
            message,
        );
        change.head_at = context.new_place(Some(dispute.at));
        change.evidence = vec![proof(&dispute.evidence)];
        found.push(change);
    }
    for (_, dispute) in old
        .iter()
        .filter(|(key, dispute)| !new.contains_key(*key) && !is_told(dispute, out))
    {
        let message = format!("nothing contradicts its {} any more", dispute.fact);
        let mut change = said(
            RuleId::ProvenanceOnlyChanged,
            "dispute",
            &dispute.item,
            Some(text(dispute)),
            None,
            message,
        );
        change.base_at = context.old_place(Some(dispute.at));
        found.push(change);
    }
    out.extend(found);
}

fn by_key(api: &Api) -> BTreeMap<String, &Dispute> {
    let key = |dispute: &Dispute| format!("{} {}", dispute.item, dispute.fact);
    api.disputes
        .iter()
        .map(|dispute| (key(dispute), dispute))
        .collect()
}

fn text(dispute: &Dispute) -> String {
    format!(
        "documents {} supplement {}",
        dispute.documents, dispute.supplement
    )
}

/// The fact itself, or its proof, is told; or its item, or what that hangs on, came or went.
fn is_told(dispute: &Dispute, out: &[Change]) -> bool {
    let program = dispute.fact.split_once('.').map(|(_, program)| program);
    out.iter().any(|change| {
        let id = &change.item.id;
        let fact = *id == dispute.item
            && !matches!(
                change.rule,
                RuleId::DocsOnlyChanged | RuleId::OrderOnlyChanged
            )
            && (change.implementation.as_deref() == program || change.versions.is_some());
        let whole = change.rule.fact() == Fact::Existence
            && dispute
                .item
                .strip_prefix(id.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        fact || whole
    })
}
