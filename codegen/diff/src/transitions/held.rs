//! Facts that a program says otherwise than the catalogue says of all together.

use fedispec_model::api::{Life, Since, State};
use fedispec_model::change::{Change, ChangedFact};
use fedispec_since::{LeftOut, Required, StableVersion};
use serde_json::{Value, json};

use super::super::change::{Cause, Change as Told};
use super::super::context;
use super::super::in_place;
use super::super::index::IndexedItem;
use super::super::pair::{Pair, knowledge, made_by, since};
use super::super::rules::RuleId;
use super::life::Lifetime;
use super::proof;

impl Lifetime<'_, '_, '_> {
    /// Compares what holds in the program of each fact, unless all programs together are told to differ in it. Hands out the facts that are
    /// told to differ.
    pub(super) fn held(&mut self) -> Vec<ChangedFact> {
        let differs_itself = self.claim("facts");
        let (old, new) = (self.pair.old, self.pair.new);
        let own = [self.old, self.new].into_iter().filter(|_| differs_itself);
        let mut facts: Vec<_> = own.flat_map(|life| life.facts.keys().copied()).collect();
        // A fact of all programs moves with one of them; a fork without a fact of its own moves with its base.
        let is_fork = self.program.base().is_some();
        let is_one = !is_fork && is_one_of_all(self.old, self.new);
        let each = ChangedFact::BY_PROGRAM.into_iter();
        facts.extend(each.filter(|what| is_one && differs(self.pair, *what)));
        facts.sort_unstable();
        facts.dedup();
        // A parameter that is always sent is never left out or unset; the change of `required` says so.
        let always = State::Is(json!(Required::Always));
        let is_always_sent = self.states(ChangedFact::Required).contains(&always);
        facts.retain(|what| {
            !is_always_sent || !matches!(what, ChangedFact::LeftOut | ChangedFact::Unset)
        });
        let mut told = Vec::new();
        for what in facts {
            if common(old, what) != common(new, what) && !differs(self.pair, what) {
                continue;
            }
            let states = self.states(what);
            match states {
                [was, is] if was == is => self.proof(what),
                [State::Unknown, is] => self.known(what, None, Some(text(what, &is, false))),
                [was, State::Unknown] => self.known(what, Some(text(what, &was, false)), None),
                states => {
                    self.differs(what, states, None);
                    told.push(what);
                }
            }
        }
        told
    }

    /// The fact in both states: the program's own, else that of its base, else that of all programs that do not stand apart.
    pub(super) fn states(&self, what: ChangedFact) -> [State; 2] {
        let (old, new) = (self.pair.old, self.pair.new);
        let bases = self.bases();
        [state(old, [Some(self.old), bases[0]], what), state(new, [Some(self.new), bases[1]], what)]
    }

    fn proof(&mut self, what: ChangedFact) {
        // A fact that the program has alone in one state only has the proof of all in the other.
        let [Some(old), Some(new)] = [self.old, self.new].map(|life| life.facts.get(&what)) else {
            return;
        };
        let [old, new] = [old, new].map(|held| held.evidence.as_ref());
        if old != new {
            let what = format!("{what} in {}", self.program.key);
            let (rule, words) = proof::differing(&what, old, new);
            self.say(rule, Cause::Editorial, words);
        }
    }

    fn known(&mut self, what: ChangedFact, was: Option<String>, is: Option<String>) {
        let what = format!("its {what} in {}", self.program.key);
        if let Some((rule, words)) = knowledge(&what, was, is) {
            let is_known = rule == RuleId::FactBecameKnown;
            self.say(rule, if is_known { Cause::Coverage } else { Cause::Correction }, words);
        }
    }

    /// Tells what differs in the program, today or in the releases that are given.
    pub(super) fn differs(
        &mut self,
        what: ChangedFact,
        states: [State; 2],
        when: Option<&str>,
    ) -> &mut [Told] {
        let all = self.all_needed();
        let [old, new] = texts(what, &states, all);
        let same_effect = what == ChangedFact::LeftOut && {
            let [was, is] = states.each_ref().map(|state| effect(state.clone().read()));
            was == is
        };
        let [from, to] =
            states.map(|state| if let State::Is(value) = state { Some(value) } else { None });
        let is_new = when.is_some() && self.old.changed.iter().all(|one| one.what != what);
        let made = self.pair.last_recorded(self.program.key, |change| change.what == what);
        let made = made.filter(|_| when.is_none());
        let when = when.map(|when| format!(" {when}")).unwrap_or_default();
        let are_many = matches!(what, ChangedFact::Scopes | ChangedFact::Permissions);
        let [is, was] = if are_many { ["are", "were"] } else { ["is", "was"] };
        let message = format!("{what} in {}{when} {is} {new}, {was} {old}", self.program.key);
        let (rule, cause) = if same_effect {
            (RuleId::DocsOnlyChanged, Cause::Editorial)
        } else {
            let change = Change {
                r#in: StableVersion::FIRST,
                absent: Vec::new(),
                what,
                from,
                to,
                all: false,
            };
            // The first statement about the past makes it known.
            (self.rule(&change, all), if is_new { Cause::Coverage } else { made_by(made) })
        };
        let proof = self.new.facts.get(&what).and_then(|held| held.evidence.as_ref());
        let proof: Vec<_> = proof.map(context::proof).into_iter().collect();
        let said = self.say(rule, cause, (old, new, message));
        for one in &mut *said {
            one.evidence.clone_from(&proof);
            one.versions = made.map(since);
        }
        said
    }

    /// Whether an operation asks for all of its scopes in the program, in both states.
    fn all_needed(&self) -> [bool; 2] {
        let sides = [(self.pair.old, self.program.old), (self.pair.new, self.program.new)];
        sides.map(|(node, place)| {
            let IndexedItem::Operation(operation) = node else { return false };
            let auth = operation.auth.as_ref().zip(place).and_then(|(auths, at)| auths.of(at));
            auth.is_some_and(|auth| auth.all)
        })
    }

    /// The rule for a difference in one program, or in some of its releases.
    fn rule(&self, change: &Change, all: [bool; 2]) -> RuleId {
        match change.what {
            ChangedFact::Scopes => in_place::scope(change, all),
            // The type in Rust is that of all programs together.
            ChangedFact::Returns => match in_place::relation(change) {
                [false, true] => RuleId::AnswerInProgramWidened,
                [true, false] => RuleId::AnswerInProgramNarrowed,
                _ => RuleId::AnswerInProgramChanged,
            },
            // The constructors take what every program demands, so that one alone changes no code.
            _ => match in_place::rule(self.pair.new, change) {
                RuleId::ParamBecameRequired => RuleId::ParamCombinationTightened,
                RuleId::ParamBecameOptional => RuleId::ParamCombinationLoosened,
                rule => rule,
            },
        }
    }
}

/// Whether a fact changes no code where all programs together move. It is told of each program where one differs from the others: what holds
/// of all together moves with a single one.
fn is_of_each(what: ChangedFact) -> bool {
    use ChangedFact as F;
    what.is_limit() || matches!(what, F::Default | F::LeftOut | F::Success)
}

/// Whether such a fact is told of each program: one says otherwise than all together in one of the two states.
pub(in super::super) fn differs(pair: &Pair<'_, '_>, what: ChangedFact) -> bool {
    let says = |life: &Life| life.facts.contains_key(&what);
    is_of_each(what) && ones_of_all(pair).any(|(_, was, is)| says(was) || says(is))
}

/// The only program that has the item and a fact otherwise than before; none where all move alike.
pub(super) fn only_program(pair: &Pair<'_, '_>, what: ChangedFact) -> Option<String> {
    let (old, new) = (pair.old, pair.new);
    let mut moved = Vec::new();
    let mut still = false;
    for (program, was, is) in ones_of_all(pair) {
        if is.effective.version().is_none() {
            continue;
        }
        if state(old, [Some(was), None], what) == state(new, [Some(is), None], what) {
            still = true;
        } else {
            moved.push(program.key);
        }
    }
    match *moved {
        [program] if still => Some(program.to_owned()),
        _ => None,
    }
}

/// The only program in which a fact is such in either state, where what is said of all together holds in it. A fork goes with its program.
pub(super) fn only_program_where(
    pair: &Pair<'_, '_>,
    what: ChangedFact,
    value: &Value,
) -> Option<String> {
    let such = ones_of_all(pair).filter(|(program, was, is)| {
        let both =
            [state(pair.old, [Some(was), None], what), state(pair.new, [Some(is), None], what)];
        program.base().is_none() && both.contains(&State::Is(value.clone()))
    });
    only(such.map(|(program, ..)| program.key))
}

/// The key of a program that has no other beside it.
pub(super) fn only<'p>(mut programs: impl Iterator<Item = &'p str>) -> Option<String> {
    let first = programs.next()?;
    programs.next().is_none().then(|| first.to_owned())
}

/// The programs in which what is said of all together holds, and which have the item, with its lives there.
fn ones_of_all<'p>(
    pair: &'p Pair<'_, '_>,
) -> impl Iterator<Item = (&'p context::ProgramPair<'p>, &'p Life, &'p Life)> {
    pair.context.programs.iter().filter_map(|program| {
        let was = program.old_life(&pair.old.item().life)?;
        let is = program.new_life(&pair.new.item().life)?;
        is_one_of_all(was, is).then_some((program, was, is))
    })
}

/// The only program that has the item, where another says a fact of itself nevertheless.
pub(super) fn beside_others(pair: &Pair<'_, '_>, what: ChangedFact) -> Option<String> {
    let says = |life: &Life| life.facts.contains_key(&what);
    let having = ones_of_all(pair).filter(|(program, ..)| program.base().is_none());
    let is_said = pair.new.item().life.iter().any(says);
    is_said.then(|| only(having.map(|(program, ..)| program.key)))?
}

/// Whether what is said of all programs together holds in one, and it has the item.
pub(super) fn is_one_of_all(was: &Life, is: &Life) -> bool {
    [was, is].iter().all(|life| !life.apart && life.effective != Since::Never)
}

/// The state of a fact over all programs together.
pub(in super::super) fn common(node: IndexedItem<'_>, what: ChangedFact) -> Option<State> {
    match node {
        IndexedItem::Param(_, param) => param.fact(what),
        IndexedItem::Operation(operation) => operation.fact(what),
        _ => None,
    }
}

fn state(node: IndexedItem<'_>, lives: [Option<&Life>; 2], what: ChangedFact) -> State {
    let lives = || lives.into_iter().flatten();
    let own = lives().find_map(|life| life.facts.get(&what)).map(|held| held.state.clone());
    // The fact of all programs does not hold for one that stands apart.
    let of_all = || common(node, what).filter(|_| !lives().any(|life| life.apart));
    own.or_else(of_all).unwrap_or(State::Unknown)
}

/// The part of what leaving a parameter out does that a client decides by: all but the words.
pub(super) fn effect(left_out: Option<LeftOut>) -> Option<LeftOut> {
    Some(LeftOut { so: None, ..left_out? })
}

/// Both states in words. A sentence that both have about leaving a parameter out is not said twice.
pub(super) fn texts(what: ChangedFact, states: &[State; 2], all: [bool; 2]) -> [String; 2] {
    let texts = |states: &[State; 2]| [0, 1].map(|at| text(what, &states[at], all[at]));
    if what == ChangedFact::LeftOut
        && let [Some(old), Some(new)] = states.each_ref().map(|one| one.clone().read::<LeftOut>())
        && old.so == new.so
        && effect(Some(old.clone())) != effect(Some(new.clone()))
    {
        return texts(&[old, new].map(|one| State::Is(json!(LeftOut { so: None, ..one }))));
    }
    texts(states)
}

fn text(what: ChangedFact, state: &State, all: bool) -> String {
    if let State::Is(value) = state { what.text_of(value, all) } else { "none".to_owned() }
}
