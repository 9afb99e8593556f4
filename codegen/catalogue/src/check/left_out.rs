//! The statements about leaving a parameter out: they fit the parameter, and say what a caller has to know.

use super::Checker;
use crate::route::ERRORS;
use fedispec_model::api::{Life, Operation, Param, Since, State};
use fedispec_model::change::ChangedFact;
use fedispec_since::text::OneOrMore;
use fedispec_since::{Effect, FixedError, LeftOut, Required, StableVersion};
use serde_json::json;

/// The kind of every problem with what leaving a parameter out does.
const CODE: &str = "wrong-left-out";

impl Checker<'_, '_> {
    pub(super) fn left_out(&mut self, operation: &Operation, param: &Param) {
        let id = &param.item.id;
        for left_out in stated(param) {
            self.effect(param, &left_out);
            self.safe_values(param, &left_out);
        }
        self.each_program(&param.item, |checker, place, life| {
            // Where it lacks the parameter, a program does what it does without any.
            if matches!(life.effective, Since::Since(_)) {
                checker.left_out_there(param, place);
            }
        });
        // Only what a request changes can be kept or reset.
        let method = operation.route.as_ref().map(|route| route.method.as_str());
        if param.unset.is_some() && matches!(method, Some("GET" | "HEAD")) {
            let message = format!("`{id}` belongs to a request that changes nothing");
            self.key(CODE, id, "unset", message, "remove `unset`");
        }
        self.each_program(&param.item, |checker, place, life| {
            let Some(OneOrMore(missing)) = own(&param.missing, place) else { return };
            // A program that never has the parameter is told with all facts of that program.
            if life.since == Since::Never {
                return;
            }
            let newest = param.state(place, ChangedFact::Required);
            let states = param.item.states(place, ChangedFact::Required, newest);
            let never = |(_, state): &(_, State)| *state == State::Is(json!(Required::Never));
            if states.iter().all(never) {
                let message = format!("`{id}` is never required there, and nothing is refused");
                let help = "mend `required`, or remove the program from `missing`";
                checker.key(CODE, id, "missing", message, help);
                checker.with_fact(id, "required", "whether it is required");
                return;
            }
            for (number, one) in missing.iter().enumerate() {
                if !checker.refuses(operation, id, "missing", one.status) {
                    continue;
                }
                let number = (missing.len() > 1).then_some(number);
                checker.stretch(id, ("missing", number), (one.since, one.until), life);
            }
            let overlaps =
                |pair: &[FixedError]| pair[0].until.is_none_or(|until| Some(until) > pair[1].since);
            let clash = missing.windows(2).position(overlaps).or(missing.is_empty().then_some(0));
            if let Some((clash, place)) = clash.zip(checker.place(id, "missing")) {
                let message =
                    format!("several answers to a request without `{id}` hold in one release");
                let help = "order them by release, each with `until` at the `since` of the next";
                let place = place.then(clash.to_string());
                checker.problems.value(CODE, &place, message, help);
            }
            checker.refused_too_early(id, life, missing, &states);
            if let (Some(last), Some(ended)) =
                (missing.last(), states.last().filter(|one| never(one)))
                && let Some(until) = ended.0
                && last.until.is_none_or(|end| until < end)
            {
                let message =
                    format!("`{id}` is required until {until}, and refused without it later too");
                let help = format!("write `until: \"{until}\"` in the last answer");
                checker.value(CODE, id, "missing", message, help);
            }
        });
        self.each_program(&param.item, |checker, place, _| {
            if matches!(param.state(place, ChangedFact::Unset), State::Is(_))
                && param.state(place, ChangedFact::Required) == State::Is(json!(Required::Always))
            {
                let message = format!("`{id}` is always required, and never unset");
                let help = "remove `unset` of the program, or mend `required`";
                checker.key(CODE, id, "unset", message, help);
                checker.with_fact(id, "required", "whether it is required");
            }
        });
        self.each_program(&param.item, |checker, place, life| {
            let Some(refused) = own(&param.refused, place) else { return };
            checker.refuses(operation, id, "refused", refused.status);
            checker.stretch(id, ("refused", None), (Some(refused.since), refused.until), life);
            // What is refused from the beginning, without an end, never works.
            let begin = life.effective.version();
            let begin = begin.filter(|at| *at == refused.since && refused.until.is_none());
            let works = life.works_since.map_or(begin, Since::version);
            if let Some(works) = works.filter(|works| *works <= refused.since) {
                let since = refused.since;
                let message = format!("`{id}` works since {works}, and is refused since {since}");
                let help = if life.works_since.is_some() {
                    "mend one of the two"
                } else {
                    "write under `works_since` when it is heeded, or that it never is"
                };
                let word = ("since", &*since.to_string());
                checker.at_word(CODE, id, "refused", word, message, help);
            } else if let Some((works, until)) =
                works.zip(refused.until).filter(|(at, end)| at < end)
            {
                let message = format!("`{id}` works since {works}, and is refused until {until}");
                let help = "leave `until` out, or mend `works_since`";
                checker.at_word(CODE, id, "refused", ("until", &until.to_string()), message, help);
            }
        });
    }

    /// Checks that the releases of an answer begin no earlier than the parameter, and end later than they begin.
    pub(super) fn stretch(
        &mut self,
        id: &str,
        (key, number): (&'static str, Option<usize>),
        (since, until): (Option<StableVersion>, Option<StableVersion>),
        life: &Life,
    ) {
        let Some(place) = self.place(id, key) else { return };
        let place = number.iter().fold(place, |place, number| place.then(number.to_string()));
        if since.zip(until).is_some_and(|(since, until)| until <= since) {
            let message = format!("what is `{key}` of `{id}` ends before it begins");
            let help = "`until` is the first release that does not answer so";
            self.problems.value(CODE, &place.then("until"), message, help);
        } else if let (Some(since), Some(there)) = (since, life.effective.version())
            && since < there
        {
            let message = format!("`{key}` of `{id}` begins in {since}, before it is there");
            let help = format!("write {there} or a later release");
            self.problems.value(CODE, &place.then("since"), message, help);
        } else if let (Some(until), Some(there)) = (until, life.effective.version())
            && until <= there
        {
            let message = format!("`{key}` of `{id}` ends in {until}, before it is there");
            let help = format!("write a release after {there}");
            self.problems.value(CODE, &place.then("until"), message, help);
        } else if let (Some(since), Some(removed)) = (since, life.removed)
            && removed <= since
        {
            let message =
                format!("`{key}` of `{id}` begins in {since}, after it is removed in {removed}");
            self.problems.value(CODE, &place.then("since"), message, "mend one of the two");
        } else if let Some(since) = since
            && let Some((from, until)) = life.absent_at(since)
        {
            let message = format!(
                "`{key}` of `{id}` begins in {since}, where the answer is absent from {from} until {until}"
            );
            self.problems.value(CODE, &place.then("since"), message, "mend one of the two");
        }
    }

    /// Whether the status of a refusal is that of an error which the operation is said to have; else that is reported.
    fn refuses(&mut self, operation: &Operation, id: &str, key: &'static str, status: u16) -> bool {
        let (message, help) = if !ERRORS.contains(&status) {
            let message = format!("{status} refuses nothing");
            (message, "write the status of an error: 400 to 599")
        } else if self.is_whole && operation.errors.iter().all(|error| error.status != status) {
            let message = format!("`{}` is not said to answer {status}", operation.item.id);
            (message, "mend it, or add it to the `errors` of the operation")
        } else {
            return true;
        };
        self.at_word(CODE, id, key, ("status", &status.to_string()), message, help);
        self.with_fact(&operation.item.id, "errors", "the errors that it has");
        false
    }

    /// Checks that the effect is described, and only of a parameter that can be left out.
    fn effect(&mut self, param: &Param, left_out: &LeftOut) {
        let id = &param.item.id;
        if param.required == Required::Always {
            let message = format!("`{id}` is always required and is never left out");
            let help = "remove `left_out`, or say when it may be left out under `required`";
            self.key(CODE, id, "left_out", message, help);
            self.with_fact(id, "required", "whether it is required");
        }
        let so = left_out.so.as_deref().unwrap_or_default();
        if left_out.effect == Effect::Harmless {
            if left_out.so.is_some() {
                let message = format!("leaving `{id}` out is harmless, and `so` says what happens");
                let help = "remove `so`, or write another `effect`";
                self.key(CODE, id, "left_out", message, help);
            } else if !left_out.safe.is_empty() {
                let message =
                    format!("leaving out `{id}` is harmless, so that every value is safe");
                let help = "remove `safe`, or write another `effect`";
                self.key(CODE, id, "left_out", message, help);
            }
        } else if so.trim().is_empty() {
            let message = format!("nobody says what happens without `{id}`");
            let help = format!(
                "say it in a clause: `left_out: {{effect: {}, so: the status is posted at once}}`",
                left_out.effect.name()
            );
            self.key("missing-words", id, "left_out", message, help);
        } else if so.ends_with('.') {
            let message = format!("what happens without `{id}` is a clause of a longer sentence");
            self.key(CODE, id, "left_out", message, "remove the full stop");
        }
    }

    /// Reports an answer to a request without the parameter in a release that does not require it yet.
    fn refused_too_early(
        &mut self,
        id: &str,
        life: &Life,
        missing: &[FixedError],
        states: &[(Option<StableVersion>, State)],
    ) {
        let there = life.effective.version().unwrap_or_default();
        for one in missing {
            let begin = one.since.unwrap_or_default().max(there);
            let number = states.partition_point(|(since, _)| since.is_none_or(|it| it <= begin));
            let (reached, later) = states.split_at(number);
            let is_free = |(_, state): &(_, State)| *state == State::Is(json!(Required::Never));
            if let (Some((Some(since), _)), true) =
                (later.first(), reached.last().is_some_and(is_free))
            {
                let message = format!(
                    "`{id}` is not required before {since}, and refused without it in {begin}"
                );
                let help = "mend `since` of the answer, or what it changes from";
                self.value(CODE, id, "missing", message, help);
                self.with_fact(id, "changed", "how that changes");
                return;
            }
        }
    }

    /// Checks that the effect in a program fits what the program does with the parameter.
    fn left_out_there(&mut self, param: &Param, place: usize) {
        let id = &param.item.id;
        let state = |what| param.state(place, what);
        let Some(left_out) = state(ChangedFact::LeftOut).read::<LeftOut>() else { return };
        let is_required = state(ChangedFact::Required) == State::Is(json!(Required::Always));
        // What is said of all programs holds where it may be left out.
        let key = &self.api.programs[place].key;
        let own = self.merged.place_in(id, "left_out", key, self.problems);
        let is_own = own.is_some_and(|own| own.path.last().is_some_and(|last| **last == **key));
        if is_own && is_required && left_out.effect != Effect::Fails {
            let message = format!("`{id}` is required there, so that leaving it out fails");
            let help = "write `effect: fails`, or mend `required`";
            self.key(CODE, id, "left_out", message, help);
            self.with_fact(id, "required", "whether it is required");
        }
    }

    /// Checks that safe values are values that the parameter can have.
    fn safe_values(&mut self, param: &Param, left_out: &LeftOut) {
        for value in left_out.safe.listed() {
            let Err(help) = self.fits_as_text(value, &param.into()) else { continue };
            let message = format!("`{value}` is no value of `{}`", param.item.id);
            self.at_word(CODE, &param.item.id, "left_out", ("safe", value), message, help);
        }
    }
}

/// The effects of leaving a parameter out in all programs and releases, each once.
fn stated(param: &Param) -> Vec<LeftOut> {
    let common = State::from(param.left_out.as_ref().map(|left_out| json!(left_out)));
    let own = param.item.life.iter().enumerate().flat_map(|(place, _)| {
        let newest = param.state(place, ChangedFact::LeftOut);
        param.item.states(place, ChangedFact::LeftOut, newest).into_iter().map(|(_, state)| state)
    });
    let mut all: Vec<LeftOut> = Vec::new();
    for left_out in std::iter::once(common).chain(own).filter_map(State::read) {
        if !all.contains(&left_out) {
            all.push(left_out);
        }
    }
    all
}

/// The fact of a program, unless an earlier program has the same one, as a fork has that of its base.
fn own<T: PartialEq>(of_all: &[Option<T>], place: usize) -> Option<&T> {
    let own = of_all.get(place)?;
    own.as_ref().filter(|_| !of_all[..place].contains(own))
}
