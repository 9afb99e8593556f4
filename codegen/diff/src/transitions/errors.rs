//! The answers of an operation that are not a success.

use super::super::change::Cause;
use super::super::pair::Pair;
use super::super::rules::RuleId;
use super::fact::stretch;
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
            pair.say(RuleId::ErrorStatusRemoved, (before.status, "not", message));
        }
    }
    for after in came {
        let when = after.when.as_ref().map(|when| format!(": {when}")).unwrap_or_default();
        let message = format!("may answer {}{when}", after.status);
        pair.say_because(Cause::Coverage, RuleId::ErrorStatusAdded, ("not", after.status, message));
    }
    // The lives of its errors move with its own.
    let order = |errors: &[ErrorAnswer]| errors.iter().map(|one| one.status).collect::<Vec<_>>();
    if pair.out.len() == from && order(old) != order(new) {
        let message = "its errors stand in another order";
        pair.note(RuleId::OrderOnlyChanged, ("", "", message));
    }
}

/// Whether the evidence of a program that both states know is another.
fn is_proven_otherwise(pair: &Pair<'_, '_>, old: &ErrorAnswer, new: &ErrorAnswer) -> bool {
    let of = |error: &'_ ErrorAnswer, at: usize| {
        error.life.get(at).and_then(|life| life.evidence.clone())
    };
    let mut both = pair.context.programs.iter().filter_map(|one| Some((one.old?, one.new?)));
    both.any(|(was, is)| of(old, was) != of(new, is))
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
    if (&old.when, &old.own_when) != (&new.when, &new.own_when) {
        let text = |error: &ErrorAnswer| {
            let reasons: Vec<_> = error.reasons().map(|(_, when)| when).collect();
            reasons.join(" ")
        };
        let message = format!("when {status} is given reads otherwise");
        pair.note(RuleId::DocsOnlyChanged, (text(old), text(new), message));
    }
    let context = pair.context;
    let both = context.programs.iter().filter_map(|one| Some((one.key, one.old?, one.new?)));
    for (program, before, after) in both {
        let text = |error: &ErrorAnswer, place: usize| {
            let ErrorText { text, since } = error.text.get(place)?.as_ref()?;
            let since = since.map(|since| format!(" since {since}")).unwrap_or_default();
            Some(format!("{text}{since}"))
        };
        let (before, after) = (text(old, before), text(new, after));
        if before != after {
            let said = |text: Option<String>| text.unwrap_or_else(|| "no one text".into());
            let (before, after) = (said(before), said(after));
            let message = format!("{program} says {after} with {status}, was {before}");
            pair.say(RuleId::EmulationChanged, (before, after, message));
        }
    }
    let (before, after) = (&pair.old.item().life, &pair.new.item().life);
    let both = context.programs.iter().filter_map(|one| Some((one.key, one.old?, one.new?)));
    // Where the operation came or went, its errors did so with it.
    let there =
        |life: &[Life], at: usize| life.get(at).is_some_and(|life| life.effective != Since::Never);
    let both = both.filter(|(_, was, is)| there(before, *was) == there(after, *is));
    let from = pair.out.len();
    for (program, was, is) in both {
        let [was, is] = [own(&old.life, before, was), own(&new.life, after, is)];
        if was == is {
            continue;
        }
        // A status that a program begins to answer, or never did, is one more or one less to it.
        let rule = match [&was, &is].map(|life| life.as_ref().map(|life| life.effective)) {
            [Some(Since::Never | Since::Unknown), None | Some(Since::Since(_))] => {
                RuleId::ErrorStatusAdded
            }
            [_, Some(Since::Never)] => RuleId::ErrorStatusRemoved,
            _ => RuleId::ErrorStatusChanged,
        };
        let [was, is] = [was, is].map(|life| format!("{status} {}", in_words(life)));
        let message = format!("{program} answers {is}, was {was}");
        pair.program = Some(program.to_owned());
        pair.say(rule, (was, is, message));
    }
    pair.program = None;
    if pair.out.len() == from && is_proven_otherwise(pair, old, new) {
        let message = format!("the evidence for {status} is another");
        pair.note(RuleId::ProvenanceOnlyChanged, (status, status, message));
    }
}

/// When a program answers an error.
fn in_words(life: Option<Life>) -> String {
    let Some(life) = life else {
        return "as its operation".to_owned();
    };
    let parts = [("works since", life.works_since), ("up to", life.removed.map(Since::Since))];
    let parts = parts.into_iter().filter_map(|(word, when)| Some(format!(" {word} {}", when?)));
    let gaps = life.absent.iter();
    let gaps = gaps.map(|(from, until)| format!(", not{}", stretch(Some(*from), Some(*until))));
    parts.chain(gaps).fold(life.since.to_string(), |text, part| text + &part)
}

/// The life in a program where it is not the operation's own: all but where it stands and what proves it.
fn own(lives: &[Life], whole: &[Life], place: usize) -> Option<Life> {
    let (life, whole) = (lives.get(place)?, whole.get(place)?);
    let inherited = Life { apart: whole.apart, ..Life::new(whole.since, whole.effective) };
    let life = Life { at: None, evidence: None, ..life.clone() };
    // Where facts stand apart, an answer that nothing is said of is as unknown as one without lives.
    let is_unsaid = life.apart && life.since == Since::Unknown;
    (life != inherited && !is_unsaid).then_some(life)
}
