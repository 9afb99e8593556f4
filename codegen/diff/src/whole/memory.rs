//! Tombstones of former items, and contradictions that are declared.

use std::collections::BTreeMap;

use super::super::change::{Cause, Change};
use super::super::context::{Context, proof};
use super::super::rules::{Fact, RuleId};
use fedispec_model::api::{Api, Dispute};

pub(super) fn tombstones(context: &Context<'_>, said: &[Change]) -> Vec<Change> {
    let mut out = Vec::new();
    let say = |rule, id: &str, old, new, message| Change {
        old,
        new,
        ..context.other(rule, Cause::Editorial, message, ("tombstone", id))
    };
    let (old, new) = (&context.old.api.tombstones, &context.new.api.tombstones);
    for tombstone in new {
        let before = old.iter().find(|before| before.id == tombstone.id);
        // Where the item was removed with it, that is reported.
        let told = said.iter().any(|change| change.item.id == tombstone.id);
        if before != Some(tombstone) && !told {
            let text = |why: &str, never: bool| {
                format!("{why}{}", if never { " (never existed)" } else { "" })
            };
            let earlier = before.map(|before| text(&before.why, before.never_existed));
            let later = text(&tombstone.why, tombstone.never_existed);
            let message = format!("retired by a tombstone: {later}");
            let rule = if before.is_some() {
                RuleId::DocsOnlyChanged
            } else {
                RuleId::ProvenanceOnlyChanged
            };
            out.push(say(rule, &tombstone.id, earlier, Some(later), message));
        }
    }
    for tombstone in old.iter().filter(|before| !new.iter().any(|after| after.id == before.id)) {
        let reused = |change: &Change| {
            change.rule == RuleId::ItemKeyReused && change.item.id == tombstone.id
        };
        if !said.iter().any(reused) {
            let why = Some(tombstone.why.clone());
            let message = "nobody remembers it any more".into();
            let rule = RuleId::ProvenanceWeakened;
            out.push(say(rule, &tombstone.id, why, None, message));
        }
    }
    out
}

pub(super) fn disputes(context: &Context<'_>, said: &[Change]) -> Vec<Change> {
    let (old, new) = (by_key(context.old.api), by_key(context.new.api));
    let (rule, cause) = (RuleId::ProvenanceOnlyChanged, Cause::Editorial);
    let mut found = Vec::new();
    for (key, dispute) in &new {
        let before = old.get(key);
        if before == Some(dispute) || is_told(dispute, said) {
            continue;
        }
        let how = if before.is_some() { "otherwise" } else { "now" };
        // Where the sides are the same, the words or the proof are others.
        let is_same = before.is_some_and(|before| text(before) == text(dispute));
        let text = |one: &Dispute| {
            if is_same { one.why.clone().unwrap_or_default() } else { text(one) }
        };
        let is_reason = is_same && before.is_some_and(|before| before.evidence == dispute.evidence);
        let message = if is_reason {
            format!("the reason for the verdict about its {} reads otherwise", dispute.fact)
        } else {
            format!("the contradiction about its {} is declared {how}", dispute.fact)
        };
        found.push(Change {
            old: before.map(|before| text(before)),
            new: Some(text(dispute)),
            evidence: vec![proof(&dispute.evidence)],
            head_at: context.new_place(Some(dispute.at)),
            ..context.other(rule, cause, message, ("dispute", &dispute.item))
        });
    }
    for (_, dispute) in
        old.iter().filter(|(key, dispute)| !new.contains_key(*key) && !is_told(dispute, said))
    {
        let message = format!("nothing contradicts its {} any more", dispute.fact);
        found.push(Change {
            old: Some(text(dispute)),
            base_at: context.old_place(Some(dispute.at)),
            ..context.other(rule, cause, message, ("dispute", &dispute.item))
        });
    }
    found
}

fn by_key(api: &Api) -> BTreeMap<String, &Dispute> {
    let key = |dispute: &Dispute| format!("{} {}", dispute.item, dispute.fact);
    api.disputes.iter().map(|dispute| (key(dispute), dispute)).collect()
}

fn text(dispute: &Dispute) -> String {
    format!("documents {} supplement {}", dispute.documents, dispute.supplement)
}

/// Whether the fact or its evidence is reported, or its item or the item's owner was added or removed.
fn is_told(dispute: &Dispute, said: &[Change]) -> bool {
    let program = dispute.fact.split_once('.').map(|(_, program)| program);
    said.iter().any(|change| {
        let id = &change.item.id;
        let fact = *id == dispute.item
            && !matches!(change.rule, RuleId::DocsOnlyChanged | RuleId::OrderOnlyChanged)
            && (change.implementation.as_deref() == program || change.versions.is_some());
        let whole = change.rule.fact() == Fact::Existence
            && dispute
                .item
                .strip_prefix(id.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        fact || whole
    })
}
