//! The decision on a request: sent, adapted or refused.

use std::borrow::Cow;

use super::judge::{Judge, Presumed};
use super::{
    Evidence, Fallback, Finding, Gate, Missing, Outcome, Plan, Policy, Reason, Refusal, Setting,
    Support, Unsure, Verdict,
};
use crate::{Effect, Item, LeftOut, Location, Method, Operation};

/// Plans a request: an operation and the parameters that are set. The place of a list may occur more than once.
///
/// Only what a server is known to lack is refused, left out or replaced; what nobody knows is sent, and told.
pub fn plan<'a>(
    gate: &Gate,
    policy: Policy,
    operation: &Operation,
    set: impl IntoIterator<Item = Setting<'a>>,
) -> Plan {
    let judge = Judge::new(gate.server(), gate.items());
    let set = once_each(set, operation, gate, &judge);
    let items = gate.items();
    let whole = items.operation(operation).map(|item| Finding {
        item: item.id(),
        name: "",
        place: None,
        support: judge.item(item),
    });
    let params = set.iter().filter_map(|one| {
        let row = one.row?;
        Some(Finding {
            item: row.id(),
            name: one.name,
            place: Some(one.place),
            support: judge.item(row),
        })
    });
    let mut plan = Plan {
        server: gate.server().to_string(),
        findings: whole.into_iter().chain(params).collect(),
        notes: gate.server().notes(items, operation),
        auth: judge.auth(gate.items(), operation),
        dropped: Vec::new(),
        unsure: Vec::new(),
        missing: Vec::new(),
        resets: Vec::new(),
        replacement: None,
        refused: None,
    };
    let weighing = Weighing { gate, judge: &judge, policy, operation, set: &set };
    weighing.weigh(&mut plan);
    plan
}

/// A parameter that is set, with all its values.
struct Set<'a> {
    place: usize,
    name: &'static str,
    /// Its row of the item table.
    row: Option<&'static Item>,
    /// The effect of leaving it out.
    left_out: Option<&'static LeftOut>,
    is_repeated: bool,
    required: bool,
    allowed: bool,
    /// The values; `None` where one is not a scalar.
    values: Option<Vec<Cow<'a, str>>>,
    /// The operators that the caller has written into a text.
    operators: Vec<Cow<'a, str>>,
}

fn once_each<'a>(
    set: impl IntoIterator<Item = Setting<'a>>,
    operation: &Operation,
    gate: &Gate,
    judge: &Judge<'_>,
) -> Vec<Set<'a>> {
    let mut sets: Vec<Set<'a>> = Vec::new();
    for setting in set {
        let known = sets.iter().position(|one| one.place == setting.place);
        let at = known.unwrap_or_else(|| {
            let row = gate.param_item(operation, setting.place);
            let param = operation.params.get(setting.place);
            sets.push(Set {
                place: setting.place,
                name: param.map_or("", |param| param.wire),
                row,
                left_out: row.and_then(|row| judge.left_out(row)),
                is_repeated: false,
                required: false,
                allowed: false,
                values: Some(Vec::new()),
                operators: Vec::new(),
            });
            sets.len() - 1
        });
        let one = &mut sets[at];
        one.is_repeated |= known.is_some();
        one.required |= setting.required;
        one.allowed |= setting.allowed;
        one.operators.extend(setting.operators);
        match (setting.value, &mut one.values) {
            (Some(value), Some(values)) => values.push(value),
            _ => one.values = None,
        }
    }
    sets
}

impl Set<'_> {
    /// The severity of leaving it out.
    fn effect(&self) -> Option<Effect> {
        Some(self.left_out?.effect)
    }

    /// The effect of leaving it out.
    fn so(&self) -> &'static str {
        self.left_out.and_then(|left_out| left_out.so.as_deref()).unwrap_or_default()
    }

    /// The value, where there is one.
    fn value(&self) -> Option<&str> {
        match self.values.as_deref() {
            Some([value]) => Some(value),
            _ => None,
        }
    }

    /// Whether each value means the same as none to a server.
    fn is_safe(&self, judge: &Judge<'_>) -> bool {
        let (Some(left_out), Some(values), Some(_)) = (self.left_out, &self.values, judge.column())
        else {
            return false;
        };
        !values.is_empty() && values.iter().all(|value| left_out.safe.has(value))
    }

    /// Whether each value means the same as none to every program that was looked at.
    fn has_safe_values(&self) -> bool {
        let safe = self.row.and_then(Item::left_out).map(|left_out| &left_out.safe);
        let has = |value: &Cow<'_, str>| safe.is_some_and(|safe| safe.has(value));
        self.values.as_ref().is_some_and(|values| !values.is_empty() && values.iter().all(has))
    }

    /// Whether nothing that matters is lost without it.
    fn may_go(&self, judge: &Judge<'_>) -> bool {
        self.allowed || self.effect() == Some(Effect::Harmless) || self.is_safe(judge)
    }
}

/// The fate of a parameter.
enum Fate {
    Sent,
    /// Sent, and told.
    Unsure(Outcome),
    /// The server lacks it, and the call is the same without it.
    Idle,
    Refused(Reason),
    /// The server lacks the value, or the catalogue does not list it.
    Value(String, Evidence),
}

struct Weighing<'w, 'a> {
    gate: &'w Gate,
    judge: &'w Judge<'w>,
    policy: Policy,
    operation: &'w Operation,
    set: &'w [Set<'a>],
}

impl Weighing<'_, '_> {
    fn weigh(&self, plan: &mut Plan) {
        if self.gate.operation(self.operation) == Verdict::No {
            match self.policy {
                Policy::Advise => {}
                Policy::Strict => plan.refused = refusal(plan, None, Reason::Lacking),
                Policy::Adapt => self.stand_in(plan),
            }
            return;
        }
        let mut idle = Vec::new();
        for one in self.set {
            match self.fate(one) {
                Fate::Sent => {}
                Fate::Unsure(outcome) => plan.unsure.push(Unsure { place: one.place, outcome }),
                Fate::Idle => idle.push(one),
                Fate::Refused(reason) => {
                    plan.refused = refusal(plan, Some(one.place), reason);
                    return;
                }
                Fate::Value(value, evidence) => {
                    let refused = refusal(plan, Some(one.place), Reason::Value { value });
                    plan.refused = refused.map(|refused| Refusal { evidence, ..refused });
                    return;
                }
            }
        }
        let reset = self.unset().filter(|row| self.judge.resets(row));
        plan.resets = reset.map(Item::name).collect();
        self.missing(plan);
        if plan.refused.is_some() {
            return;
        }
        if let Some(first) = self.nothing_left(&idle) {
            plan.refused = refusal(plan, Some(first.place), Reason::NothingLeft);
        } else if self.policy == Policy::Adapt {
            plan.dropped = idle.iter().map(|one| one.place).collect();
        }
    }

    /// The parameters that the caller has not set.
    fn unset(&self) -> impl Iterator<Item = &'static Item> {
        let is_set = |place: &usize| self.set.iter().any(|one| one.place == *place);
        let places = (0..self.operation.params.len()).filter(move |place| !is_set(place));
        places.filter_map(|place| self.gate.param_item(self.operation, place))
    }

    /// Tells what the server demands and the caller has not set.
    fn missing(&self, plan: &mut Plan) {
        for row in self.unset().filter(|row| self.judge.demands(row)) {
            let answer = self.judge.answer_without(row);
            let missing = Missing { item: row.id(), name: row.name(), answer };
            plan.missing.push(missing);
            if self.policy == Policy::Strict {
                let support = self.judge.item(row);
                plan.refused = Some(Refusal {
                    item: missing.item,
                    name: missing.name,
                    evidence: support.evidence,
                    server: plan.server.clone(),
                    reason: Reason::Missing,
                });
                return;
            }
        }
    }

    fn fate(&self, one: &Set<'_>) -> Fate {
        let is_strict = self.policy == Policy::Strict && !one.allowed;
        let is_safe = one.is_safe(self.judge);
        if let Some(status) = one.row.and_then(|row| self.judge.refuses(row)).filter(|_| !is_safe) {
            return if is_strict {
                Fate::Refused(Reason::AnswersError { status })
            } else {
                Fate::Unsure(Outcome::Error(status))
            };
        }
        let fate = match self.gate.param(self.operation, one.place) {
            Verdict::Yes | Verdict::Stub => Fate::Sent,
            Verdict::Unknown => self.unknown(one, is_strict),
            Verdict::No => self.lacking(one, is_strict),
        };
        match (fate, self.odd_value(one)) {
            (Fate::Sent | Fate::Unsure(_), Some((_, support)))
                if one.allowed || self.policy == Policy::Advise =>
            {
                Fate::Unsure(Outcome::Value(support.evidence))
            }
            (Fate::Sent | Fate::Unsure(_), Some((value, support))) => {
                Fate::Value(value.to_owned(), support.evidence)
            }
            (fate, _) => fate,
        }
    }

    /// The first value or operator that the server lacks or the catalogue does not list.
    fn odd_value<'s>(&self, one: &'s Set<'_>) -> Option<(&'s str, Support)> {
        let row = one.row?;
        let values = one.values.iter().flatten().map(|value| &**value);
        // An empty value clears the parameter.
        let values = values.filter(|value| !value.is_empty());
        let values = values.filter_map(|value| Some((row.values()?, value)));
        let operators = one.operators.iter();
        let operators = operators.filter_map(|operator| Some((row.words()?, &**operator)));
        let mut all = values.chain(operators);
        all.find_map(|(list, value)| Some((value, self.judge.odd_value(list, value)?)))
    }

    /// It is unknown whether the server supports the parameter.
    fn unknown(&self, one: &Set<'_>, is_strict: bool) -> Fate {
        let so = one.so();
        if one.effect() != Some(Effect::ChangesMeaning) || one.is_safe(self.judge) {
            return Fate::Sent;
        }
        match self.presumed(self.operation, one.row) {
            Presumed::Lacking(basis) if !one.allowed && !one.has_safe_values() => {
                return Fate::Refused(Reason::NotLookedAt { basis, so });
            }
            Presumed::There => return Fate::Sent,
            Presumed::Lacking(_) | Presumed::Unknown => {}
        }
        if is_strict {
            Fate::Refused(Reason::MayChangeMeaning { so })
        } else {
            Fate::Unsure(Outcome::Instead(so))
        }
    }

    /// The assumption about a parameter where nobody has looked. A server that has an operation which the releases looked at lack has its
    /// parameters too, and one that does not answers 404 and does nothing else.
    fn presumed(&self, operation: &Operation, param: Option<&Item>) -> Presumed {
        let whole = self.gate.items().operation(operation);
        if whole.is_some_and(|whole| self.judge.presume(whole).is_lacking()) {
            return Presumed::Unknown;
        }
        param.map_or(Presumed::Unknown, |param| self.judge.presume(param))
    }

    /// The server does not heed it.
    fn lacking(&self, one: &Set<'_>, is_strict: bool) -> Fate {
        let so = one.so();
        // Nothing is missing from an answer that is always empty.
        let is_stub = self.gate.operation(self.operation) == Verdict::Stub;
        let may_go = one.may_go(self.judge) || is_stub;
        if one.effect() == Some(Effect::ChangesMeaning) && !may_go {
            let safe = one.left_out.filter(|_| self.judge.column().is_some());
            let safe = safe.map_or(&[][..], |left_out| left_out.safe.listed());
            return Fate::Refused(Reason::ChangesMeaning { so, safe });
        }
        let is_needed = one.required && self.policy == Policy::Adapt;
        match one.effect() {
            _ if is_strict || is_needed => Fate::Refused(Reason::Lacking),
            _ if one.required => Fate::Sent,
            _ if may_go => Fate::Idle,
            Some(_) => Fate::Unsure(Outcome::Instead(so)),
            None => Fate::Unsure(Outcome::Unclassed),
        }
    }

    /// The first of the parameters of an update of which nothing would be left.
    fn nothing_left<'i>(&self, idle: &[&'i Set<'i>]) -> Option<&'i Set<'i>> {
        let is_update = matches!(self.operation.method, Method::Put | Method::Patch);
        let in_path = |one: &Set<'_>| {
            let param = self.operation.params.get(one.place);
            param.is_some_and(|param| param.location == Location::Path)
        };
        let changes = self.set.iter().filter(|one| !in_path(one)).count();
        let is_meant = idle.iter().any(|one| one.allowed);
        // A value that means the same as none needs no parameter.
        let is_done =
            self.policy != Policy::Adapt && idle.iter().all(|one| one.is_safe(self.judge));
        let first = idle.first().copied()?;
        (is_update && idle.len() == changes && !is_meant && !is_done).then_some(first)
    }

    /// Puts another operation in place of the one that the server lacks, or refuses the request.
    fn stand_in(&self, plan: &mut Plan) {
        let candidates = self.gate.fallbacks().iter();
        let mut culprit = None;
        for fallback in candidates.filter(|fallback| fallback.of == self.operation.id) {
            match self.lost_by(fallback) {
                Ok(dropped) => {
                    plan.dropped = dropped;
                    plan.replacement = Some(*fallback);
                    plan.auth = self.gate.auth(fallback.by);
                    return;
                }
                Err(None) => {}
                Err(Some((place, so))) => {
                    let by = fallback.by.id;
                    culprit.get_or_insert((place, Reason::StandIn { by, so }));
                }
            }
        }
        plan.refused = match culprit {
            Some((place, reason)) => refusal(plan, Some(place), reason),
            None => refusal(plan, None, Reason::Lacking),
        };
    }

    /// The parameters that a stand-in does without. An error names the one that it cannot lose, where that is what keeps it from standing
    /// in, and what would happen.
    fn lost_by(&self, fallback: &Fallback) -> Result<Vec<usize>, Option<(usize, &'static str)>> {
        let has = |needed: &&str| self.set.iter().any(|one| one.name == *needed);
        // Several cannot go where there is room for one.
        let fits = |one: &Set<'_>| !one.is_repeated || !fallback.narrows(one.name);
        if self.gate.operation(fallback.by) == Verdict::No
            || !fallback.needs.iter().all(has)
            || !self.set.iter().all(fits)
        {
            return Err(None);
        }
        let mut lost = Vec::new();
        for one in self.set {
            if fallback.loses.contains(&one.name) {
                lost.push(one.place);
            } else if !self.carries(fallback, one) {
                if one.required {
                    return Err(None);
                } else if !one.may_go(self.judge) {
                    return Err(Some((one.place, one.so())));
                }
                lost.push(one.place);
            }
        }
        Ok(lost)
    }

    /// Whether a stand-in has a place for a parameter and its value, and the server heeds it there or says that it does not.
    fn carries(&self, fallback: &Fallback, one: &Set<'_>) -> bool {
        let Some((place, flag)) = fallback.target(one.name, one.value()) else {
            return false;
        };
        // A switch that is off stands for the value that means the same as none.
        if flag == Some(false) && !one.may_go(self.judge) {
            return false;
        }
        let row = self.gate.param_item(fallback.by, place);
        let is_refused = row.is_some_and(|row| self.judge.refuses(row).is_some());
        let lacks = || self.presumed(fallback.by, row).is_lacking();
        is_refused
            || match self.gate.param(fallback.by, place) {
                Verdict::Yes | Verdict::Stub => true,
                Verdict::Unknown => one.may_go(self.judge) || !lacks(),
                Verdict::No => false,
            }
    }
}

/// The refusal of a request for what the server says to a parameter, or to the operation.
fn refusal(plan: &Plan, place: Option<usize>, reason: Reason) -> Option<Refusal> {
    let finding = plan.findings.iter().find(|finding| finding.place == place)?;
    Some(Refusal {
        item: finding.item,
        name: finding.name,
        evidence: finding.support.evidence,
        server: plan.server.clone(),
        reason,
    })
}
