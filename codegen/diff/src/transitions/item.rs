//! The names, texts and proof of an item of any kind.

use super::super::index::{Index, IndexedItem};
use super::super::pair::Pair;
use super::super::rules::RuleId;
use fedispec_model::api::Evidence;
use fedispec_model::notation::type_text;
use fedispec_since::Location;

/// Keys that only people read.
const TEXT: [&str; 8] = [
    "item.summary",
    "item.notes",
    "item.documented_as",
    "item.origin",
    "item.name",
    "item.implied",
    "refers_to",
    "returns_documented",
];

pub(super) fn item(pair: &mut Pair<'_, '_>) {
    names(pair);
    if pair.keys.claim("item.replacement") {
        let text = |node: IndexedItem<'_>| {
            node.item().replacement.clone().unwrap_or_else(|| "nothing".into())
        };
        let (old, new) = (text(pair.old), text(pair.new));
        let message = format!("use {new} instead, was {old}");
        pair.note(RuleId::ReplacementChanged, old, new, message);
    }
    stands_in(pair);
    payload(pair);
    if pair.keys.claim("item.on_older") {
        let text = |node: IndexedItem<'_>| {
            node.item().on_older.clone().unwrap_or_else(|| "nothing said".into())
        };
        let (old, new) = (text(pair.old), text(pair.new));
        let stated = pair.old.item().on_older.is_some();
        let message = format!("older releases show {new}, was {old}");
        pair.say_stated(RuleId::OnOlderChanged, stated, old, new, message);
    }
    evidence(pair);
    // The rename itself is found where items are matched.
    pair.keys.claim("item.id");
    let mut text = pair.keys.claim_all(&TEXT);
    if pair.keys.claim("item.renamed_from") && pair.old.item().id == pair.new.item().id {
        text.push("item.renamed_from");
    }
    if !text.is_empty() {
        let keys: Vec<_> = text.iter().map(|key| key.trim_start_matches("item.")).collect();
        let (old, new) = (texts(pair.old, &text), texts(pair.new, &text));
        let message = format!("{} differs", keys.join(", "));
        pair.note(RuleId::DocsOnlyChanged, old, new, message);
    }
}

/// Claims a change of how it becomes what replaced it: a client that adapts sends something else.
fn stands_in(pair: &mut Pair<'_, '_>) {
    if !pair.keys.claim("stands_in") {
        return;
    }
    let text = |node: IndexedItem<'_>| match node {
        IndexedItem::Operation(operation) => made_of(&operation.stands_in),
        IndexedItem::Entity(entity) => entity.stands_in.as_ref().map_or_else(
            || "nothing".into(),
            |other| format!("{} by {}", other.r#for, made_of(&other.fields)),
        ),
        _ => String::new(),
    };
    let (old, new) = (text(pair.old), text(pair.new));
    let message = format!("stands in for its replacement by {new}, was {old}");
    let stated = match pair.old {
        IndexedItem::Operation(operation) => !operation.stands_in.is_empty(),
        IndexedItem::Entity(entity) => entity.stands_in.is_some(),
        _ => false,
    };
    pair.say_stated(RuleId::StandsInChanged, stated, old, new, message);
}

fn made_of(parts: &[(String, String)]) -> String {
    if parts.is_empty() {
        return "nothing".into();
    }
    let parts = parts.iter().map(|(to, from)| format!("{to}: {from}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// Claims a change of an event's payload.
fn payload(pair: &mut Pair<'_, '_>) {
    if !pair.keys.claim("item.payload") {
        return;
    }
    let text = |node: IndexedItem<'_>| {
        node.item().payload.as_ref().map_or_else(|| "nothing".into(), type_text)
    };
    let (old, new) = (text(pair.old), text(pair.new));
    let stated = pair.old.item().payload.is_some();
    let message = format!("brings {new}, was {old}");
    pair.say_stated(RuleId::ResponseEntityChanged, stated, old, new, message);
}

/// The texts, so that two different edits have two fingerprints.
fn texts(node: IndexedItem<'_>, keys: &[&str]) -> String {
    let item = node.item();
    let parts = keys.iter().map(|key| match *key {
        "item.summary" => item.summary.clone().unwrap_or_default(),
        "item.notes" => item.notes.join(" "),
        "item.documented_as" => item.documented_as.clone().unwrap_or_default(),
        "item.name" => item.name.clone(),
        _ => String::new(),
    });
    parts.collect::<Vec<_>>().join(" ").trim().to_owned()
}

fn names(pair: &mut Pair<'_, '_>) {
    let (old, new) = (pair.old, pair.new);
    let renamed = old.item().id != new.item().id;
    let wire = pair.keys.claim("item.wire");
    let mut identifiers = Vec::new();
    if pair.keys.claim("item.rust") {
        identifiers.push((pair.context.old.rust_path(old), pair.context.new.rust_path(new)));
    }
    if pair.keys.claim("rust_fn")
        && let (IndexedItem::Operation(old), IndexedItem::Operation(new)) = (old, new)
    {
        identifiers.push((old.rust_fn.clone(), new.rust_fn.clone()));
    }
    // Operations and entities have no name on the wire; a path argument goes by its position.
    if wire
        && !matches!(new, IndexedItem::Operation(_) | IndexedItem::Entity(_) | IndexedItem::Enum(_))
        && !in_path(new)
    {
        let (before, after) = (&old.item().wire, &new.item().wire);
        let message = format!("is `{after}` on the wire, was `{before}`");
        if identifiers.is_empty() {
            pair.say(RuleId::WireNameChanged, before, after, message);
        } else {
            pair.say_with_identifier(RuleId::WireNameChanged, before, after, message);
        }
    } else if let (Some((before, after)), true) = (identifiers.first(), !renamed || in_path(new)) {
        let message = format!("is `{after}` in Rust, was `{before}`");
        pair.say(RuleId::RustNameChanged, before, after, message);
    }
    if renamed {
        pair.keys.claim("item.name");
    }
}

fn in_path(node: IndexedItem<'_>) -> bool {
    matches!(node, IndexedItem::Param(_, param) if param.location == Location::Path)
}

fn evidence(pair: &mut Pair<'_, '_>) {
    if !pair.keys.claim("item.evidence") {
        return;
    }
    let (old, new) = (pair.old.item().evidence.as_ref(), pair.new.item().evidence.as_ref());
    let rule = judge(old, new);
    // A changed shape already shows its new evidence.
    if (rule == RuleId::ProvenanceOnlyChanged && pair.shape) || inherited(pair) {
        return;
    }
    let message = message(rule, "shape", old, new);
    pair.note(rule, text(old), text(new), message);
}

/// Whether the evidence is the owner's in both states, so that its change is reported there.
fn inherited(pair: &Pair<'_, '_>) -> bool {
    is_of_owner(&pair.context.old, pair.old) && is_of_owner(&pair.context.new, pair.new)
}

fn is_of_owner<'a>(index: &Index<'a>, node: IndexedItem<'a>) -> bool {
    index.above(node).is_some_and(|above| above.item().evidence == node.item().evidence)
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
