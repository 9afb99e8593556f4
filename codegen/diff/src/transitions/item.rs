//! The names, texts and proof of an item of any kind.

use super::super::change::Change;
use super::super::index::{Index, IndexedItem};
use super::super::pair::Pair;
use super::super::rules::{Audience, Bump, RuleId, Severity};
use super::super::types::is_same_on_wire;
use super::fact::{Fact, Judge::Always, Unstated::Is, compare};
use super::{field, operation, proof};
use fedispec_model::api::{Item, Origin};
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

/// The facts that are reported alike, whatever their values.
const FACTS: &[Fact<Item>] = &[
    Fact::new(
        "item.replacement",
        |item: &Item| item.replacement.clone(),
        Is("nothing"),
        Always(RuleId::ReplacementChanged),
        "its replacement is {new}, was {old}",
    )
    .unless(|pair, old, new| {
        let is_named_otherwise =
            old.replacement.as_ref().map(|id| pair.context.now(id)) == new.replacement;
        is_named_otherwise || matches!(pair.new, IndexedItem::Operation(_))
    }),
    // The payload of an event.
    Fact::new(
        "item.payload",
        |item: &Item| item.payload.as_ref().map(type_text),
        Is("nothing"),
        Always(RuleId::PayloadChanged),
        "brings {new}, was {old}",
    )
    .unless(|pair, old, new| {
        old.payload.as_ref().map(|payload| pair.context.translated(payload)) == new.payload
    }),
    Fact::new(
        "item.on_older",
        |item| {
            let shown = item.on_older.as_ref()?;
            let leaves_out = shown == "drop_element";
            Some(if leaves_out { "nothing in its place".into() } else { shown.clone() })
        },
        Is("what nobody says"),
        Always(RuleId::OnOlderChanged),
        "emulated older releases show {new}, was {old}",
    ),
];

pub(super) fn item(pair: &mut Pair<'_, '_>) {
    names(pair);
    match (pair.old, pair.new) {
        (IndexedItem::Operation(old), IndexedItem::Operation(new)) => {
            if old.item.replacement != new.item.replacement {
                operation::FALLBACK.compare(pair, old, new);
            }
            operation::STANDS_IN.compare(pair, old, new);
        }
        (IndexedItem::Entity(old), IndexedItem::Entity(new)) => {
            field::STANDS_IN.compare(pair, old, new);
        }
        _ => {}
    }
    let (old, new) = (pair.old.item(), pair.new.item());
    let translated = old.payload.as_ref().map(|payload| pair.context.translated(payload));
    if let (Some(was), Some(is)) = (&translated, &new.payload)
        && was != is
        && is_same_on_wire(was, is)
        && pair.keys.claim("item.payload")
    {
        let [was, is] = [was, is].map(type_text);
        let message = format!("brings {is}, was {was}; on the wire it is the same");
        pair.say_code(RuleId::PayloadChanged, (was, is, message));
    }
    compare(pair, FACTS, old, new);
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
        let message = match *text {
            ["item.origin"] => format!("comes from {new}, came from {old}"),
            _ => format!("{} changed", keys.join(", ")),
        };
        pair.note(RuleId::DocsOnlyChanged, (old, new, message));
    }
}

/// The texts, so that two different edits have two fingerprints.
fn texts(node: IndexedItem<'_>, keys: &[&str]) -> String {
    let item = node.item();
    let parts = keys.iter().map(|key| match *key {
        "item.summary" => item.summary.clone().unwrap_or_default(),
        "item.notes" => item.notes.join(" "),
        "item.documented_as" => item.documented_as.clone().unwrap_or_default(),
        "item.name" => item.name.clone(),
        "item.origin" => origin(item.origin).to_owned(),
        _ => String::new(),
    });
    parts.collect::<Vec<_>>().join(" ").trim().to_owned()
}

const fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Documents => "the two documents",
        Origin::Beyond => "documentation beyond the two documents",
        Origin::Program => "the folder of a program",
        Origin::Undocumented => "no documentation",
    }
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
            pair.say(RuleId::WireNameChanged, (before, after, message));
        } else {
            // The identifier in Rust follows the name on the wire, whichever spellings servers took.
            let rule = RuleId::WireNameChanged;
            let change = pair.shaped(rule, pair.cause(rule), (before, after, message).into());
            let source = std::iter::once(Audience::Source);
            pair.out.push(Change {
                breaks: source.chain(change.breaks.iter().copied()).collect(),
                severity: Severity::Breaking,
                bump: Bump::Major,
                ..change
            });
        }
    } else if let Some((before, after)) = identifiers.first()
        && (!renamed || in_path(new) && new.item().renamed_from.is_none())
    {
        let message = format!("is `{after}` in Rust, was `{before}`");
        pair.say(RuleId::RustNameChanged, (before, after, message));
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
    let (rule, words) = proof::differing("shape", old, new);
    // A changed shape already shows its new evidence.
    if (rule == RuleId::ProvenanceOnlyChanged && pair.shape) || inherited(pair) {
        return;
    }
    pair.note(rule, words);
}

/// Whether the evidence is the owner's in both states, so that its change is reported there.
fn inherited(pair: &Pair<'_, '_>) -> bool {
    is_of_owner(&pair.context.old, pair.old) && is_of_owner(&pair.context.new, pair.new)
}

fn is_of_owner<'a>(index: &Index<'a>, node: IndexedItem<'a>) -> bool {
    index.above(node).is_some_and(|above| above.item().evidence == node.item().evidence)
}
