//! The answers of an operation that are not a success.

use super::super::change::Cause;
use super::super::context::ProgramPair;
use super::super::gate;
use super::super::index::IndexedItem;
use super::super::pair::Pair;
use super::super::rules::RuleId;
use super::super::stretch::{stretch, versions};
use fedispec_model::api::{ErrorAnswer, Life, Since};
use fedispec_model::notation::type_text;
use fedispec_since::ErrorText;

pub(super) fn errors(pair: &mut Pair<'_, '_>, old: &[ErrorAnswer], new: &[ErrorAnswer]) {
    if !pair.keys.claim("errors") {
        return;
    }
    let from = pair.out.len();
    for before in old {
        if let Some(after) = with_status(new, before.status) {
            same_status(pair, before, after);
        }
    }
    let gone: Vec<_> =
        old.iter().filter(|error| with_status(new, error.status).is_none()).collect();
    let mut came: Vec<_> =
        new.iter().filter(|error| with_status(old, error.status).is_none()).collect();
    for before in gone {
        // The same reason with another status is one change.
        let same = came.iter().position(|after| before.when.is_some() && after.when == before.when);
        if let Some(after) = same.map(|at| came.remove(at)) {
            let message = format!("answers {}, was {}", after.status, before.status);
            pair.say(RuleId::ErrorStatusChanged, (before.status, after.status, message));
        } else {
            let message = format!("{} is no longer an answer", before.status);
            (pair.program, pair.versions) = alone(pair, pair.old, before, |program| program.old);
            pair.say(RuleId::ErrorStatusRemoved, (before.status, "not", message));
        }
        (pair.program, pair.versions) = (None, None);
    }
    for after in came {
        let when = after.when.as_ref().map(|when| format!(": {when}")).unwrap_or_default();
        let message = format!("may answer {}{when}", after.status);
        (pair.program, pair.versions) = alone(pair, pair.new, after, |program| program.new);
        pair.say_because(Cause::Coverage, RuleId::ErrorStatusAdded, ("not", after.status, message));
        (pair.program, pair.versions) = (None, None);
    }
    // The lives of its errors move with its own.
    let order = |errors: &[ErrorAnswer]| errors.iter().map(|one| one.status).collect::<Vec<_>>();
    if pair.out.len() == from && order(old) != order(new) {
        let message = "its errors stand in another order";
        pair.note(RuleId::OrderOnlyChanged, ("", "", message));
    }
}

/// The program that alone answers an error of an operation that others have too, and in which releases.
fn alone(
    pair: &Pair<'_, '_>,
    operation: IndexedItem<'_>,
    error: &ErrorAnswer,
    column: fn(&ProgramPair<'_>) -> Option<usize>,
) -> (Option<String>, Option<String>) {
    // A fork answers what its program does.
    let programs = pair.context.programs.iter().filter(|program| program.base().is_none());
    let having = programs.filter_map(|program| {
        let place = column(program)?;
        let whole = operation.item().life.get(place)?;
        let life = own(&error.life, whole, place);
        // Of one that stands apart only what is said of it is known.
        let is_known = !whole.apart || life.is_some();
        (is_known && whole.effective != Since::Never).then_some((program.key, life))
    });
    let having: Vec<_> = having.collect();
    let answers = |life: &Option<Life>| life.as_ref().is_none_or(|own| own.since != Since::Never);
    let mut answering = having.iter().filter(|(_, life)| answers(life));
    match (answering.next(), answering.next()) {
        (Some((program, life)), None) if having.len() > 1 => {
            let stretch = life.as_ref().map(|life| (life.since.version(), life.removed));
            (Some((*program).to_owned()), versions(None, stretch))
        }
        _ => (None, None),
    }
}

/// Whether the evidence of a program that both states know is another.
fn is_proven_otherwise(pair: &Pair<'_, '_>, old: &ErrorAnswer, new: &ErrorAnswer) -> bool {
    let of = |error: &'_ ErrorAnswer, at: usize| {
        error.life.get(at).and_then(|life| life.evidence.clone())
    };
    pair.context.both().any(|(_, was, is)| of(old, was) != of(new, is))
}

fn with_status(errors: &[ErrorAnswer], status: u16) -> Option<&ErrorAnswer> {
    errors.iter().find(|error| error.status == status)
}

fn same_status(pair: &mut Pair<'_, '_>, old: &ErrorAnswer, new: &ErrorAnswer) {
    let status = old.status;
    if old.returns.as_ref().map(|returns| pair.context.translated(returns)) != new.returns {
        let text = |error: &ErrorAnswer| {
            error.returns.as_ref().map_or_else(|| "the plain error".into(), type_text)
        };
        let (old, new) = (text(old), text(new));
        pair.say(
            RuleId::ErrorEntityChanged,
            (
                format!("{status} {old}"),
                format!("{status} {new}"),
                format!("{status} has the body {new}, was {old}"),
            ),
        );
    }
    let context = pair.context;
    for (program, before, after) in context.both() {
        let text = |error: &ErrorAnswer, place: usize| {
            let ErrorText { text, since } = error.text.get(place)?.as_ref()?;
            Some(format!("{text}{}", stretch(*since, None)))
        };
        let (before, after) = (text(old, before), text(new, after));
        if before != after {
            let said = |text: Option<String>| text.unwrap_or_else(|| "no one text".into());
            let (before, after) = (said(before), said(after));
            let message = format!("{program} says {after} with {status}, was {before}");
            pair.program = Some(program.to_owned());
            pair.say(RuleId::EmulationChanged, (before, after, message));
        }
    }
    pair.program = None;
    let from = pair.out.len();
    context.programs.iter().for_each(|program| releases(pair, program, old, new));
    pair.program = None;
    let is_told = pair.out.len() > from;
    // A reason comes and goes with its answer.
    let is_part = is_told && [old, new].iter().any(|error| error.reasons().next().is_none());
    let is_read_otherwise = old.when != new.when
        || context.both().any(|(_, was, is)| old.own_when.get(was) != new.own_when.get(is));
    if is_read_otherwise && !is_part {
        let [was, is] = [old, new].map(|error| {
            let reasons: Vec<_> = error.reasons().map(|(_, when)| when).collect();
            reasons.join(" ")
        });
        let message = format!("when {status} is given reads otherwise");
        pair.program = only_reason(pair, old, new);
        pair.note(RuleId::DocsOnlyChanged, (was, is, message));
        pair.program = None;
    }
    if !is_told && is_proven_otherwise(pair, old, new) {
        let message = format!("the evidence for {status} is another");
        pair.note(RuleId::ProvenanceOnlyChanged, (status, status, message));
    }
}

/// The program whose reason for an error differs, where those of the others stay.
fn only_reason(pair: &Pair<'_, '_>, old: &ErrorAnswer, new: &ErrorAnswer) -> Option<String> {
    let mut differing =
        pair.context.both().filter(|(_, was, is)| old.when_in(*was) != new.when_in(*is));
    let (program, ..) = differing.next().filter(|_| old.when == new.when)?;
    differing.next().is_none().then(|| program.to_owned())
}

/// Compares the releases of a program that answer an error. More of them are one more answer to those, and fewer one less.
fn releases(
    pair: &mut Pair<'_, '_>,
    program: &ProgramPair<'_>,
    old: &ErrorAnswer,
    new: &ErrorAnswer,
) {
    let (Some(before), Some(after)) = (program.old, program.new) else { return };
    let wholes = [(&pair.old.item().life, before), (&pair.new.item().life, after)];
    let [Some(was), Some(is)] = wholes.map(|(life, at)| life.get(at)) else { return };
    // Where the operation came or went, its errors did so with it.
    if (was.effective == Since::Never) != (is.effective == Since::Never) {
        return;
    }
    let [own_was, own_is] = [own(&old.life, was, before), own(&new.life, is, after)];
    if own_was == own_is {
        return;
    }
    let lives = [own_was.as_ref().unwrap_or(was), own_is.as_ref().unwrap_or(is)];
    let gate = gate::moved(program, Some(lives[0]), Some(lives[1])).unwrap_or_default();
    let (rule, moved) = match (&*gate.opens, &*gate.closes) {
        (opens, []) => (RuleId::ErrorStatusAdded, opens),
        ([], closes) => (RuleId::ErrorStatusRemoved, closes),
        _ => (RuleId::ErrorStatusChanged, &[][..]),
    };
    let (rule, versions) = match gate::span(program, moved) {
        Some(versions) => (rule, Some(versions)),
        None => (RuleId::ErrorStatusChanged, None),
    };
    let [was, is] = [own_was, own_is].map(in_words);
    let message = format!("{} is answered by {} {is}, was {was}", old.status, program.key);
    let [was, is] = [was, is].map(|when| format!("{} {when}", old.status));
    pair.program = Some(program.key.to_owned());
    pair.versions = versions;
    pair.say(rule, (was, is, message));
    pair.versions = None;
}

/// When a program answers an error.
fn in_words(life: Option<Life>) -> String {
    let Some(life) = life else {
        return "wherever it has the operation".to_owned();
    };
    let since = match life.since {
        Since::Since(release) => format!("since {release}"),
        Since::Never => "never".to_owned(),
        Since::Unknown => "at times that nobody knows".to_owned(),
    };
    let parts = [("works since", life.works_since), ("until", life.removed.map(Since::Since))];
    let parts = parts.into_iter().filter_map(|(word, when)| Some(format!(" {word} {}", when?)));
    let gaps = life.absent.iter();
    let gaps = gaps.map(|(from, until)| format!(", not{}", stretch(Some(*from), Some(*until))));
    parts.chain(gaps).fold(since, |text, part| text + &part)
}

/// The life in a program where it is not the operation's own: all but where it stands and what proves it.
fn own(lives: &[Life], whole: &Life, place: usize) -> Option<Life> {
    let life = lives.get(place)?;
    let inherited = Life { apart: whole.apart, ..Life::new(whole.since, whole.effective) };
    let life = Life { at: None, evidence: None, ..life.clone() };
    // Where facts stand apart, an answer that nothing is said of is as unknown as one without lives.
    let is_unsaid = life.apart && life.since == Since::Unknown;
    (life != inherited && !is_unsaid).then_some(life)
}
