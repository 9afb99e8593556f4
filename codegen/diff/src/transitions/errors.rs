//! The answers of an operation that are not a success.

use super::super::change::Cause;
use super::super::context::ProgramPair;
use super::super::gate;
use super::super::index::IndexedItem;
use super::super::pair::Pair;
use super::super::rules::RuleId;
use super::super::stretch::{stretch, versions};
use super::held::only;
use super::proof;
use fedispec_model::api::{ErrorAnswer, Evidence, Life, Since};
use fedispec_model::notation::type_text;
use fedispec_since::{ErrorText, StableVersion, Verdict};

pub(super) fn errors(pair: &mut Pair<'_, '_>, old: &[ErrorAnswer], new: &[ErrorAnswer]) {
    if !pair.keys.claim("errors") {
        return;
    }
    let from = pair.out.len();
    for before in old {
        if let Some(after) = with_status(new, before.status) {
            let from = pair.out.len();
            same_status(pair, before, after);
            pair.stand_at(from, &["errors", &before.status.to_string()]);
        }
    }
    let gone: Vec<_> =
        old.iter().filter(|error| with_status(new, error.status).is_none()).collect();
    let mut came: Vec<_> =
        new.iter().filter(|error| with_status(old, error.status).is_none()).collect();
    for before in gone {
        let from = pair.out.len();
        let was = alone(pair, pair.old, before, |program| program.old);
        // The same reason with another status is one change, and so is it where the same programs say that it is not there.
        let same = came.iter().position(|after| {
            before.when.is_some() && after.when == before.when
                || [before, after].iter().all(|error| matches!(error.status, 404 | 410))
                    && alone(pair, pair.new, after, |program| program.new).0 == was.0
        });
        if let Some(after) = same.map(|at| came.remove(at)) {
            let message = format!("answers {}, was {}", after.status, before.status);
            let (program, _) = alone(pair, pair.new, after, |program| program.new);
            pair.program = program.filter(|program| was.0.as_ref() == Some(program));
            pair.say(RuleId::ErrorStatusChanged, (before.status, after.status, message));
        } else {
            let message = format!("{} is no longer an answer", before.status);
            (pair.program, pair.versions) = was;
            pair.say(RuleId::ErrorStatusRemoved, (before.status, "not", message));
        }
        pair.stand_at(from, &["errors", &before.status.to_string()]);
        (pair.program, pair.versions) = (None, None);
    }
    for after in came {
        let from = pair.out.len();
        let when = after.when.as_ref().map(|when| format!(": {when}")).unwrap_or_default();
        let message = format!("may answer {}{}{when}", after.status, own_releases(pair, after));
        (pair.program, pair.versions) = alone(pair, pair.new, after, |program| program.new);
        pair.say_because(Cause::Coverage, RuleId::ErrorStatusAdded, ("not", after.status, message));
        pair.stand_at(from, &["errors", &after.status.to_string()]);
        (pair.program, pair.versions) = (None, None);
    }
    // The lives of its errors move with its own.
    let order = |errors: &[ErrorAnswer]| errors.iter().map(|one| one.status).collect::<Vec<_>>();
    if pair.out.len() == from && order(old) != order(new) {
        let message = "its errors stand in another order";
        pair.note(RuleId::OrderOnlyChanged, ("", "", message));
    }
}

/// The releases of each program that answers a new error in others than those of its operation.
fn own_releases(pair: &Pair<'_, '_>, error: &ErrorAnswer) -> String {
    let lives = &pair.new.item().life;
    let programs = pair.context.programs.iter().filter(|program| program.base().is_none());
    let own = programs.filter_map(|program| {
        let place = program.new?;
        let life = own(&error.life, lives.get(place)?, place)?;
        Some(format!(", {} {}", program.key, in_words(Some(&life))))
    });
    own.collect()
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
        (is_said(error, whole, place) && whole.effective != Since::Never)
            .then_some((program.key, life))
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

/// Tells that the evidence for an error is another, where it is not the operation's, in the programs in which it is.
fn proofs(pair: &mut Pair<'_, '_>, old: &ErrorAnswer, new: &ErrorAnswer) {
    // What proves an operation proves its errors, where nothing else does.
    let proof = |error: &ErrorAnswer, operation: IndexedItem<'_>, at: usize| {
        let of_all = operation.item().life.get(at)?.evidence.clone();
        let own = error.life.get(at).and_then(|life| life.evidence.clone());
        Some((own.is_some() && own != of_all, own.or(of_all)))
    };
    let both = pair.both().filter_map(|(program, was, is)| {
        let (was, is) = proof(old, pair.old, was).zip(proof(new, pair.new, is))?;
        (was.0 || is.0).then_some((program, [was.1, is.1]))
    });
    // One proof of all programs is told once.
    let mut differing: Vec<([Option<Evidence>; 2], Vec<&str>)> = Vec::new();
    for (program, proofs) in both.filter(|(_, [was, is])| was != is) {
        match differing.iter_mut().find(|(known, _)| *known == proofs) {
            Some((_, programs)) => programs.push(program.key),
            None => differing.push((proofs, vec![program.key])),
        }
    }
    for ([was, is], programs) in differing {
        pair.program = only(programs.into_iter());
        let of = pair.program.as_ref().map(|program| format!(" in {program}"));
        let what = format!("{}{}", old.status, of.unwrap_or_default());
        let (rule, words) = proof::differing(&what, was.as_ref(), is.as_ref());
        pair.note(rule, words);
    }
    pair.program = None;
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
    texts(pair, old, new);
    let from = pair.out.len();
    for (program, before, after) in pair.both() {
        let from = pair.out.len();
        releases(pair, program, (old, before), (new, after));
        let context = pair.context;
        let at = |error: &ErrorAnswer, place: usize| error.life.get(place)?.at;
        let [was, is] = [context.old_place(at(old, before)), context.new_place(at(new, after))];
        for said in &mut pair.out[from..] {
            said.base_at = was.clone().or(said.base_at.take());
            said.head_at = is.clone().or(said.head_at.take());
        }
    }
    pair.program = None;
    let is_told = pair.out.len() > from;
    let is_part = is_told && reason_comes_or_goes(pair, old, new);
    let is_read_otherwise = old.when != new.when
        || pair.both().any(|(_, was, is)| old.own_when.get(was) != new.own_when.get(is));
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
    if !is_told {
        proofs(pair, old, new);
    }
}

/// Compares the texts that programs say with an error, as far as both states have the operation.
fn texts(pair: &mut Pair<'_, '_>, old: &ErrorAnswer, new: &ErrorAnswer) {
    let lives = [pair.old, pair.new].map(|node| &node.item().life);
    for (program, before, after) in pair.both() {
        let [was, is] = [(lives[0], before), (lives[1], after)].map(|(life, at)| life.get(at));
        let Some((was, is)) = was.zip(is) else { continue };
        // A text comes and goes with the answer, and with what is known of it.
        if is_said(old, was, before) != is_said(new, is, after)
            || is_never(old, was, before) != is_never(new, is, after)
        {
            continue;
        }
        let begin = was.effective.max(is.effective).version();
        let text = |error: &ErrorAnswer, place: usize| {
            let ErrorText { text, since } = error.text.get(place)?.as_ref()?;
            let since = since.filter(|since| Some(*since) > begin);
            Some(format!("{text:?}{}", stretch(since, None)))
        };
        let (before, after) = (text(old, before), text(new, after));
        if before != after {
            let said = |text: Option<String>| text.unwrap_or_else(|| "no one text".into());
            let (before, after) = (said(before), said(after));
            let message = format!("{} says {after} with {}, was {before}", program.key, old.status);
            pair.program = Some(program.key.to_owned());
            pair.say(RuleId::EmulationChanged, (before, after, message));
        }
    }
    pair.program = None;
}

/// Whether the reason for an error is there or not as the error is: in all states and programs in which it is another.
fn reason_comes_or_goes(pair: &Pair<'_, '_>, old: &ErrorAnswer, new: &ErrorAnswer) -> bool {
    let gives = |operation: IndexedItem<'_>, error: &ErrorAnswer, at: usize| {
        operation.item().life.get(at).is_some_and(|whole| !is_never(error, whole, at))
    };
    let moved = differing_reasons(pair, old, new);
    let is_unsaid = [old, new].iter().any(|error| error.reasons().next().is_none());
    let comes_or_goes =
        |(_, was, is): &(_, usize, usize)| gives(pair.old, old, *was) != gives(pair.new, new, *is);
    is_unsaid || !moved.is_empty() && moved.iter().all(comes_or_goes)
}

/// The program whose reason for an error differs, where those of the others stay.
fn only_reason(pair: &Pair<'_, '_>, old: &ErrorAnswer, new: &ErrorAnswer) -> Option<String> {
    let programs = differing_reasons(pair, old, new).into_iter().map(|(program, ..)| program.key);
    only(programs)
}

/// The programs whose reason for an error differs, with their places in both states.
fn differing_reasons<'p>(
    pair: &'p Pair<'_, '_>,
    old: &ErrorAnswer,
    new: &ErrorAnswer,
) -> Vec<(&'p ProgramPair<'p>, usize, usize)> {
    pair.both().filter(|(_, was, is)| old.when_in(*was) != new.when_in(*is)).collect()
}

/// Whether a program never gives an error.
fn is_never(error: &ErrorAnswer, whole: &Life, place: usize) -> bool {
    own(&error.life, whole, place).is_some_and(|life| life.since == Since::Never)
}

/// Compares the releases of a program that answer an error. More of them are one more answer to those, and fewer one less.
fn releases(
    pair: &mut Pair<'_, '_>,
    program: &ProgramPair<'_>,
    (old, before): (&ErrorAnswer, usize),
    (new, after): (&ErrorAnswer, usize),
) {
    let wholes = [(&pair.old.item().life, before), (&pair.new.item().life, after)];
    let [Some(was), Some(is)] = wholes.map(|(life, at)| life.get(at)) else { return };
    let [own_was, own_is] = [own(&old.life, was, before), own(&new.life, is, after)];
    let [words_was, words_is] = [&own_was, &own_is].map(|own| in_words(own.as_ref()));
    let known = [is_said(old, was, before), is_said(new, is, after)];
    if known[0] != known[1] {
        let what = format!("whether {} answers {}", program.key, old.status);
        pair.program = Some(program.key.to_owned());
        return pair.knowledge(&what, known[0].then_some(words_was), known[1].then_some(words_is));
    }
    let lives = [own_was.as_ref().unwrap_or(was), own_is.as_ref().unwrap_or(is)];
    let at = |lives: [&Life; 2], release: &StableVersion| {
        let [before, after] = program.places(*release);
        [gate::has(Some(lives[0]), &before), gate::has(Some(lives[1]), &after)]
    };
    // The errors of a release come and go with the operation.
    let stays = |release: &StableVersion| at([was, is], release) == [Verdict::Yes; 2];
    let is_alike = |release: &StableVersion| {
        let [before, after] = at(lives, release);
        before == after
    };
    let follows = (was.effective, &was.absent, was.removed)
        != (is.effective, &is.absent, is.removed)
        && program.releases.iter().filter(|release| stays(release)).all(is_alike);
    if words_was == words_is || follows {
        return;
    }
    let mut gate = gate::moved(program, Some(lives[0]), Some(lives[1])).unwrap_or_default();
    gate.opens.retain(stays);
    gate.closes.retain(stays);
    let (rule, moved) = match (&*gate.opens, &*gate.closes) {
        (opens, []) => (RuleId::ErrorStatusAdded, opens),
        ([], closes) => (RuleId::ErrorStatusRemoved, closes),
        _ => (RuleId::ErrorStatusChanged, &[][..]),
    };
    let (rule, versions) = match gate::span(program, moved) {
        Some(versions) => (rule, Some(versions)),
        None => (RuleId::ErrorStatusChanged, None),
    };
    let message =
        format!("{} is answered by {} {words_is}, was {words_was}", old.status, program.key);
    let [was, is] = [words_was, words_is].map(|when| format!("{} {when}", old.status));
    pair.program = Some(program.key.to_owned());
    pair.versions = versions;
    pair.say(rule, (was, is, message));
    pair.versions = None;
}

/// Whether it is known of a program that it answers an error; of one that stands apart, only what is said of it is.
fn is_said(error: &ErrorAnswer, whole: &Life, place: usize) -> bool {
    let own = error.life.get(place);
    !whole.apart || own.is_some_and(|life| life.since != Since::Unknown)
}

/// When a program answers an error.
fn in_words(life: Option<&Life>) -> String {
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
    let gaps = gaps.map(|(from, until)| format!(" (not{})", stretch(Some(*from), Some(*until))));
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
