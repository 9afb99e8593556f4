//! Differences in an item that both programs have.

use super::super::at_release::AtRelease;
use super::super::in_place;
use super::super::index::IndexedItem;
use super::super::rules::RuleId;
use super::super::transitions::common;
use super::relation::Relation;
use fedispec_model::api::{Enumeration, Field, Item, Operation, Quirk, Since, State};
use fedispec_model::auth;
use fedispec_model::change::{Change, ChangedFact};
use fedispec_model::sentences::held_words;
use fedispec_since::{Presence, StableVersion, Verdict};

/// The relation, the text about the first program, and the text about the second.
type Apart = (Relation, String, String);

/// Returns how an item differs between the two releases. The catalogue states an item as the newest release has it, so the
/// programs differ only by changes in place that one of the releases does not have yet, and by facts of one program alone.
pub(super) fn shape<'a>(a: &AtRelease<'a>, b: &AtRelease<'a>, node: IndexedItem<'a>) -> Vec<Apart> {
    let mut out = in_place(a, b, node);
    let (mine, theirs) = (works(a, node), works(b, node));
    if mine != theirs {
        out.push((relation_of(RuleId::WorksSinceChanged, node), mine, theirs));
    }
    out.extend(facts(a, b, node));
    match node {
        IndexedItem::Operation(operation) => out.extend(auth(a, b, operation)),
        IndexedItem::Field(_, field) => {
            out.extend(presence(a, b, field));
            out.extend(quirks(a, b, &field.quirks));
        }
        IndexedItem::Enum(enumeration) => out.extend(values(a, b, enumeration)),
        _ => {}
    }
    out
}

fn in_place<'a>(a: &AtRelease<'a>, b: &AtRelease<'a>, node: IndexedItem<'a>) -> Vec<Apart> {
    let mut out = Vec::new();
    let (mine, theirs) = (pending(a, node), pending(b, node));
    for (here, other, first, release) in
        [(&mine, &theirs, true, a.release), (&theirs, &mine, false, b.release)]
    {
        for change in here {
            let same = |other: &&Change| other.what == change.what && other.from == change.from;
            // Told once where both wait for the same.
            if other.iter().any(same) {
                continue;
            }
            let (from, to) = (change.from_text(), change.to_text());
            let (from, to) = (from.as_deref(), to.as_deref());
            let now = format!(
                "{} {} until {}",
                change.what,
                from.unwrap_or("otherwise"),
                next(change, release)
            );
            let then = format!("{} {}", change.what, to.unwrap_or("as listed"));
            let relation = relation_of(in_place::rule(node, change), node);
            out.push(if first { (relation, now, then) } else { (relation, then, now) });
        }
    }
    out
}

/// The first release after one without a change that has it.
fn next(change: &Change, after: StableVersion) -> StableVersion {
    let ends = change.absent.iter().map(|&(_, until)| until);
    let mut starts = std::iter::once(change.r#in).chain(ends);
    starts.find(|start| *start > after).unwrap_or(change.r#in)
}

/// Compares the callers that the two releases admit.
fn auth(a: &AtRelease<'_>, b: &AtRelease<'_>, operation: &Operation) -> Option<Apart> {
    let admitted = |here: &AtRelease<'_>| {
        auth::at(operation, here.at, here.release).map(|auth| auth::callers(&auth))
    };
    let (mine, theirs) = (admitted(a)?, admitted(b)?);
    (mine != theirs).then_some((Relation::DiffersAuth, mine, theirs))
}

/// The facts that are stated by program and known in both releases, in the words of the documentation.
fn facts<'a>(
    a: &AtRelease<'a>,
    b: &AtRelease<'a>,
    node: IndexedItem<'a>,
) -> impl Iterator<Item = Apart> {
    let words = move |here: &AtRelease<'a>, what| {
        let own = node.item().held(here.at, what, Some(here.release));
        match (what, own.or_else(|| common(node, what))?) {
            (ChangedFact::LeftOut, State::Is(value)) => {
                Some(format!("left out: {}", what.text(&value)))
            }
            (what, state) => held_words(what, &state),
        }
    };
    let relation = match node {
        IndexedItem::Param(..) => Relation::DiffersRequest,
        _ => Relation::DiffersResponse,
    };
    ChangedFact::BY_PROGRAM.into_iter().filter_map(move |what| {
        let (mine, theirs) = words(a, what).zip(words(b, what))?;
        (mine != theirs).then_some((relation, mine, theirs))
    })
}

/// Whether each release always sends a field.
fn presence(a: &AtRelease<'_>, b: &AtRelease<'_>, field: &Field) -> Option<Apart> {
    let at = |here: &AtRelease<'_>| field.presence_at(here.at, here.release);
    let (mine, theirs) = (at(a), at(b));
    let text = |presence: Presence| presence.phrase().to_owned();
    (field.presence_known && mine != theirs)
        .then(|| (Relation::DiffersResponse, text(mine), text(theirs)))
}

/// Whether the release has the item as it is described.
fn works<'a>(here: &AtRelease<'a>, node: IndexedItem<'a>) -> String {
    match here.life(node).and_then(|life| life.works_since) {
        Some(Since::Since(version)) if version > here.release => {
            format!("does nothing until {version}")
        }
        Some(Since::Never) => "does nothing".into(),
        _ => "works".into(),
    }
}

/// Finds the values that only one has. A value that is unknown in the other program is no difference.
fn values<'a>(a: &AtRelease<'a>, b: &AtRelease<'a>, enumeration: &'a Enumeration) -> Option<Apart> {
    let only = |here: &AtRelease<'a>, other: &AtRelease<'a>| {
        let value = |item: &'a Item| IndexedItem::Value(enumeration, item);
        let alone = |item: &&'a Item| {
            here.has(value(item)) == Verdict::Yes && other.has(value(item)) == Verdict::No
        };
        let alone = enumeration.values.iter().filter(alone);
        alone.map(|item| item.wire.as_str()).collect::<Vec<_>>()
    };
    let (mine, theirs) = (only(a, b), only(b, a));
    let text = |only: &[&str]| {
        if only.is_empty() { "nothing more".into() } else { format!("also {}", only.join(", ")) }
    };
    let differ = !mine.is_empty() || !theirs.is_empty();
    differ.then(|| (Relation::DiffersEnum, text(&mine), text(&theirs)))
}

/// Changes in place that the release does not have yet.
fn pending<'a>(here: &AtRelease<'a>, node: IndexedItem<'a>) -> Vec<&'a Change> {
    let changes = here.life(node).into_iter().flat_map(|life| &life.changed);
    // Requirements on callers, the presence of fields and what is stated by program are compared as a whole.
    let changes = changes.filter(|change| {
        let what = change.what;
        !auth::is_of(what)
            && what != ChangedFact::Presence
            && !ChangedFact::BY_PROGRAM.contains(&what)
    });
    let mut pending: Vec<&Change> = Vec::new();
    for change in changes.filter(|change| !change.holds(here.release)) {
        if !pending.iter().any(|known| known.what == change.what) {
            pending.push(change);
        }
    }
    pending
}

fn relation_of(rule: RuleId, node: IndexedItem<'_>) -> Relation {
    match rule {
        _ if matches!(node, IndexedItem::Param(..)) => Relation::DiffersRequest,
        RuleId::MethodChanged
        | RuleId::PathChanged
        | RuleId::RequestEncodingChanged
        | RuleId::ParamLocationChanged => Relation::DiffersRequest,
        _ => Relation::DiffersResponse,
    }
}

fn quirks(a: &AtRelease<'_>, b: &AtRelease<'_>, quirks: &[Quirk]) -> Option<Apart> {
    let sends = |here: &AtRelease<'_>| {
        let now = quirks.iter().filter(|quirk| quirk.is_of(&here.program.key, here.release));
        now.map(|quirk| quirk.sends.clone()).collect::<Vec<_>>()
    };
    let (mine, theirs) = (sends(a), sends(b));
    let text = |sends: &[String]| {
        if sends.is_empty() { "as promised".into() } else { format!("sends {}", sends.join(", ")) }
    };
    (mine != theirs).then(|| (Relation::DiffersResponse, text(&mine), text(&theirs)))
}
