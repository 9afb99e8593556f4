//! Changes in place: a value is one that the fact can have, the changes of a fact follow each other, and the last one
//! ends at the present value.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Checker;
use super::params::{bounds_other, misfit};
use crate::problems::NodePath;
use crate::route::{ERRORS, METHODS, SUCCESSES, has_status, is_media_type, wrong_path};
use fedispec_model::api::{Field, Item, Life, Operation, Param, Program, State, Type};
use fedispec_model::auth;
use fedispec_model::change::{Change, ChangedFact, Subject};
use fedispec_model::notation::{Notation, Plain, is_name, type_text};
use fedispec_model::suggest::did_you_mean;
use fedispec_since::{Location, Presence};

use serde_json::{Value, json};

/// An item that changed.
#[derive(Clone, Copy)]
pub(super) enum Changed<'n> {
    Operation(&'n Operation),
    Param(&'n Param),
    Field(&'n Field),
    /// A value of an enumeration.
    Value,
}

impl<'a> Checker<'a, '_> {
    pub(super) fn changes(&mut self, item: &Item, changed: Changed<'_>) {
        if item.implied || item.life.iter().all(|life| life.changed.is_empty()) {
            return;
        }
        for (at, (program, life)) in self.api.programs.iter().zip(&item.life).enumerate() {
            let stated = self.merged.place_in(&item.id, "changed", &program.key, self.problems);
            // A change that a fork takes over is reported for the program that it is a fork of.
            if let Some(place) = stated {
                let key = program.key.as_str();
                self.program = Some(key);
                self.changed_life(&item.id, life, changed, at, &place);
                self.program = None;
                self.removed_before(&item.id, program, life, &place);
            }
        }
    }

    fn changed_life(
        &mut self,
        id: &str,
        life: &Life,
        changed: Changed<'_>,
        program: usize,
        place: &NodePath<'a>,
    ) {
        let mut facts = BTreeMap::new();
        for (index, change) in life.changed.iter().enumerate() {
            let place = place.then(index.to_string());
            self.gaps(change, &place);
            self.holds_then(life, change, &place);
            *facts.entry(change.what).or_insert(true) &= self.typed(change, changed, &place);
        }
        for (fact, _) in facts.into_iter().filter(|(_, typed)| *typed) {
            let chain: Vec<_> = { life.changed.iter().enumerate() }
                .filter(|(_, change)| change.what == fact)
                .collect();
            self.chain(&chain, place);
            if let Some((index, last)) = chain.last()
                && let Err(present) = changed.ends_at(last, program)
            {
                let message = format!(
                    "the last change of `{fact}`, in {}, ends at {}, but the present value is {}",
                    last.r#in,
                    quoted(last.to_text()),
                    quoted(Some(present))
                );
                let help = "mend one of the two, or add the change that came after";
                let place = place.then(index.to_string()).then("to");
                self.problems.value("broken-chain", &place, message, help);
                let keys: &[_] = match fact {
                    ChangedFact::Presence => &["presence", "nullable", "optional"],
                    fact => &[key_of(fact)],
                };
                let mut now = keys.iter().filter_map(|key| {
                    self.place(id, key).filter(|now| now.path.iter().any(|one| one == key))
                });
                if let Some(now) = now.next() {
                    self.problems.with_value(&now, "the present value");
                }
            }
        }
    }

    /// An item is not removed before its last change.
    fn removed_before(&mut self, id: &str, program: &Program, life: &Life, place: &NodePath<'a>) {
        let changes = life.changed.iter().enumerate();
        let last = changes.max_by_key(|(_, change)| change.r#in);
        if let (Some(removed), Some((at, last))) = (life.removed, last)
            && removed <= last.r#in
        {
            let name = &program.name;
            let message =
                format!("{name} removes `{id}` in {removed}, before it changes in {}", last.r#in);
            let stated = self.merged.place_in(id, "removed", &program.key, self.problems);
            let change = place.then(at.to_string()).then("in");
            let stated = stated.unwrap_or_else(|| place.clone());
            self.problems.value("out-of-order", &stated, message, "mend one of the two");
            self.problems.with_value(&change, "the change");
        }
    }

    /// Nothing changes in a release from which it is absent.
    fn holds_then(&mut self, life: &Life, change: &Change, place: &NodePath<'a>) {
        let release = change.r#in;
        if let Some((from, until)) = life.absent_at(release) {
            let message =
                format!("it changes in {release}, but is absent from {from} until {until}");
            self.problems.value("out-of-order", &place.then("in"), message, "mend one of the two");
        }
    }

    /// The gaps of a change lie after it, in order.
    fn gaps(&mut self, change: &Change, place: &NodePath<'a>) {
        let begin = change.r#in;
        let mut end = begin;
        for (index, &(from, until)) in change.absent.iter().enumerate() {
            if from <= end || until <= from {
                let place = place.then("absent").then(index.to_string());
                let message = format!("the change cannot be absent from {from} until {until}");
                let help = if index > 0 && from <= end && from < until {
                    "write the gaps in the order of their releases, each after the end of the one before it".to_owned()
                } else {
                    format!(
                        "a gap lies after {begin}, and ends after it begins: `[first release without it, first with it again]`"
                    )
                };
                self.problems.value("out-of-order", &place, message, help);
            }
            end = until;
        }
    }

    /// Whether the kind of item has the fact, and both values are ones that the fact can have.
    fn typed(&mut self, change: &Change, changed: Changed<'_>, place: &NodePath<'a>) -> bool {
        let (subject, name) = changed.subject();
        let what = change.what;
        let known: Vec<_> = ChangedFact::of(subject).collect();
        if !known.contains(&what) {
            let names: Vec<_> = known.iter().map(|fact| fact.name()).collect();
            let message = format!("{name} has no `{what}`");
            let help = format!("write one of {}", names.join(", "));
            self.problems.value("wrong-change", &place.then("what"), message, help);
            return false;
        }
        if let Changed::Param(param) = changed
            && let Some(wanted) = misfit(what, param)
        {
            let message = bounds_other(what, wanted, param);
            let help = "name the fact that changed";
            self.problems.value("wrong-change", &place.then("what"), message, help);
            return false;
        }
        let states = [("from", &change.from), ("to", &change.to)];
        let absent = states.iter().filter(|(_, value)| value.is_none() && !may_be_none(what));
        let absent: Vec<_> = absent.map(|(key, _)| format!("no `{key}`")).collect();
        let mut sound = absent.is_empty();
        if !sound {
            let message = format!("the change says {}", absent.join(" and "));
            let help = "say the state before it under `from`, and the one after it under `to`";
            self.problems.value("wrong-change", place, message, help);
        }
        let both: Vec<_> = states.iter().filter_map(|(_, value)| value.as_ref()).collect();
        let wanted: Vec<_> = both.iter().filter_map(|value| what.misfit(value)).collect();
        // Of two values that are of another fact the fact is wrong.
        if let [wanted, _] = &wanted[..] {
            let message = format!("neither `from` nor `to` is a value of `{what}`");
            let help = format!("name the fact that changed, or write {wanted} for each");
            self.problems.value("wrong-change", &place.then("what"), message, help);
            return false;
        }
        for (key, value) in states {
            let Some(value) = value else { continue };
            let place = place.then(key);
            let notation = value.as_str().filter(|_| what.is_type()).map(Notation::parse);
            if let Some(Err(malformed)) = notation {
                let help = malformed.help();
                self.problems.value("malformed-type", &place, malformed.to_string(), help);
                sound = false;
            }
            let misfit = what.misfit(value).map(|wanted| format!("write {wanted}"));
            if let Some(help) = misfit.or_else(|| self.refused(what, value, changed)) {
                let message = format!("`{}` is no value of `{what}`", what.text(value));
                self.problems.value("wrong-change", &place, message, help);
                sound = false;
            }
        }
        if change.from.is_some() && change.from == change.to {
            let message = "the change ends where it begins";
            let help = "mend `from` or `to`, or take the change out";
            self.problems.value("wrong-change", &place.then("to"), message, help);
            sound = false;
        }
        sound
    }

    /// The mend of a value of the right form that the fact can have in no release.
    fn refused(&self, what: ChangedFact, value: &Value, changed: Changed<'_>) -> Option<String> {
        use ChangedFact as F;
        let text = value.as_str().unwrap_or_default();
        let outside = |statuses: Range<u16>, value: &Value| {
            let status = value.as_u64().filter(|status| !has_status(&statuses, *status))?;
            Some(format!("{status} is none of {} to {}", statuses.start, statuses.end - 1))
        };
        match what {
            F::Method if !METHODS.contains(&text) => {
                Some(format!("a method is one of {}", METHODS.join(", ")))
            }
            F::Path => wrong_path(text).map(ToOwned::to_owned).or_else(|| changed.unfilled(text)),
            F::MediaType if !is_media_type(text) => {
                Some("write it without parameters, such as `application/jrd+json`".to_owned())
            }
            F::Success => value.as_array()?.iter().find_map(|one| outside(SUCCESSES, one)),
            F::Unauthenticated => outside(ERRORS, value),
            what if what.is_type() => {
                let is_none = |name: &&str| {
                    is_name(name)
                        && self.index.entity(name).is_none()
                        && self.index.enumeration(name).is_none()
                };
                let name = text.split(['|', '<', '>', '(', ')', '[', ']']).find(is_none)?;
                let known = self.merged.ids.keys().map(String::as_str).filter(|id| is_name(id));
                Some(did_you_mean(name, known, "name an entity or enumeration of the catalogue"))
            }
            _ => None,
        }
    }

    /// The changes of one fact.
    fn chain(&mut self, chain: &[(usize, &Change)], place: &NodePath<'a>) {
        for pair in chain.windows(2) {
            let [(_, before), (index, change)] = pair else {
                continue;
            };
            let place = place.then(index.to_string());
            let (earlier, later) = (before.r#in, change.r#in);
            // That it stands twice is told where lists are read.
            if before == change {
                continue;
            }
            if later <= earlier {
                let message = format!("{later} does not come after {earlier}");
                let help = "list the changes of a fact in the order of their releases";
                self.problems.value("out-of-order", &place.then("in"), message, help);
            }
            if !alike(before.to.as_ref(), change.from.as_ref()) {
                let message = format!(
                    "`{}` was {} before {later}, but the change in {earlier} ends at {}",
                    change.what,
                    quoted(change.from_text()),
                    quoted(before.to_text())
                );
                let help = "mend one of the two, or add the change between them";
                self.problems.value("broken-chain", &place.then("from"), message, help);
            }
        }
    }
}

/// Whether an item may be without the fact, so that a change can bring it or take it away.
fn may_be_none(fact: ChangedFact) -> bool {
    use ChangedFact as F;
    fact.is_limit() || matches!(fact, F::Format | F::Default | F::Only)
}

fn quoted(text: Option<String>) -> String {
    text.map_or_else(|| "none".into(), |text| format!("`{text}`"))
}

/// Whether two states are the same; lists are so in any order, and types if they name the same alternatives.
fn alike(one: Option<&Value>, other: Option<&Value>) -> bool {
    let set = |value: &Value| match value {
        Value::Array(list) => list.iter().map(Value::to_string).collect(),
        Value::Number(number) => BTreeSet::from([format!("{:?}", number.as_f64())]),
        other => BTreeSet::from([other.to_string()]),
    };
    one.map(set) == other.map(set)
}

impl Changed<'_> {
    fn subject(self) -> (Subject, &'static str) {
        match self {
            Self::Operation(_) => (Subject::Operation, "an operation"),
            Self::Param(_) => (Subject::Param, "a parameter"),
            Self::Field(_) => (Subject::Field, "a field"),
            Self::Value => (Subject::Value, "a value"),
        }
    }

    /// The mend of a path with a placeholder that no parameter fills.
    fn unfilled(self, path: &str) -> Option<String> {
        let Self::Operation(one) = self else { return None };
        let params = || one.params.iter().filter(|param| param.location == Location::Path);
        let mut placeholders = path.split('/').filter_map(|part| part.strip_prefix(':'));
        let name = placeholders.find(|name| params().all(|param| param.item.wire != *name))?;
        let names = params().map(|param| param.item.wire.as_str());
        Some(did_you_mean(name, names, "name each placeholder as the parameter that fills it"))
    }

    /// Whether the last change of a fact ends at the present value; else that value.
    ///
    /// The facts of an item stand for every release: a field's type and presence may be wider than in the newest one, and
    /// a parameter's type is what each of them takes.
    fn ends_at(self, change: &Change, program: usize) -> Result<(), String> {
        let (fact, to) = (change.what, change.to.as_ref());
        let word = to.and_then(Value::as_str);
        // A program's own answer is held by its text: the type is that of all programs together.
        if let (ChangedFact::Returns, Self::Operation(one)) = (fact, self)
            && let Some(State::Is(Value::String(own))) = one.item.held(program, fact, None)
        {
            let ends = word == Some(&*own) || own.split('|').any(|one| Some(one) == word);
            return if ends { Ok(()) } else { Err(own) };
        }
        match (fact, self) {
            (ChangedFact::Type | ChangedFact::Returns, _) => {
                match (self.ty(), word.map(Notation::parse)) {
                    (Some((ty, format)), Some(Ok(to))) if !self.is_now(ty, format, &to) => {
                        Err(type_text(ty))
                    }
                    _ => Ok(()),
                }
            }
            (ChangedFact::Presence, Self::Field(field)) => {
                let Some(to) = word.and_then(Presence::named) else {
                    return Ok(());
                };
                let common = field.common_presence();
                let (ends, present) = match field.own_presence(program) {
                    Some(own) => (own == to, own),
                    None => (!field.presence_known || common.or(to) == common, common),
                };
                if ends { Ok(()) } else { Err(present.name().into()) }
            }
            _ => match self.present(fact, program) {
                Some(Value::Null) if to.is_some() => Err("none".into()),
                Some(Value::Null) | None => Ok(()),
                Some(present) if alike(Some(&present), to) => Ok(()),
                Some(present) => Err(fact.text(&present)),
            },
        }
    }

    /// Whether a type is the present one. A parameter may take one of two types that a release took both of.
    fn is_now(self, ty: &Type, format: Option<&str>, written: &Notation<'_>) -> bool {
        let is_half = match (self, written) {
            (Self::Param(_), Notation::Either(pair)) => {
                pair.iter().any(|one| covers(ty, format, one))
            }
            _ => false,
        };
        is_half || covers(ty, format, written)
    }

    /// The type of the answer or item with the format of its text, where it is known.
    fn ty(&self) -> Option<(&Type, Option<&str>)> {
        match self {
            Self::Operation(one) => one.returns_known.then_some((&one.returns, None)),
            Self::Param(one) => one.type_known.then_some((&one.r#type, one.format.as_deref())),
            Self::Field(one) => one.type_known.then_some((&one.r#type, one.format.as_deref())),
            Self::Value => None,
        }
    }

    /// The present value of a fact in a program, null where the item is without it. None where nobody knows it, or it
    /// cannot be compared.
    fn present(self, fact: ChangedFact, program: usize) -> Option<Value> {
        use ChangedFact as F;
        let present = match self {
            Self::Operation(one) => {
                let auth = one.auth.as_ref().and_then(|auths| auths.of(program));
                let route = one.route.as_ref();
                match fact {
                    fact if auth::is_of(fact) => auth::get(fact, auth?)?,
                    F::Method => json!(route?.method),
                    F::Path => json!(route?.path),
                    F::Body => json!(one.body),
                    F::Success => match one.success_at(program, None) {
                        statuses if statuses.is_empty() => return None,
                        statuses => json!(statuses),
                    },
                    F::MediaType | F::Paging => match one.state(program, fact) {
                        State::Is(value) => value,
                        State::Unknown | State::None => return None,
                    },
                    _ => return None,
                }
            }
            Self::Param(one) => {
                one.fact(fact)?;
                match one.state(program, fact) {
                    State::Unknown => return None,
                    State::None => Value::Null,
                    State::Is(value) => value,
                }
            }
            Self::Field(one) if fact == F::Format => json!(one.format),
            Self::Field(_) | Self::Value => return None,
        };
        (present != "unknown").then_some(present)
    }
}

/// Whether a type is the one written or has it among its alternatives. An object is one whose members are listed.
fn covers(ty: &Type, format: Option<&str>, written: &Notation<'_>) -> bool {
    let is_day = format == Some("date");
    match (ty, written) {
        (Type::OneOf(types), Notation::Either(pair)) => {
            pair.iter().all(|one| types.iter().any(|ty| covers(ty, format, one)))
        }
        (Type::OneOf(types), _) => types.iter().any(|ty| covers(ty, format, written)),
        (Type::Timestamp, Notation::Plain(plain)) => {
            *plain == if is_day { Plain::Date } else { Plain::Datetime }
        }
        (Type::List(inner), Notation::List(element)) => covers(inner, format, element),
        (Type::Map(inner), Notation::Map(value)) => covers(inner, format, value),
        (Type::Entity(id), Notation::Object) => !is_name(id),
        (Type::Entity(id) | Type::Enum(id), Notation::Named(name))
        | (Type::Events(id), Notation::Events(name))
        | (Type::Id(Some(id)), Notation::Id(Some(name))) => id == name,
        (Type::Id(_), Notation::Id(None)) => true,
        (ty, Notation::Plain(_)) => Notation::parse(&type_text(ty)).as_ref() == Ok(written),
        _ => false,
    }
}

/// The key of an item under which a fact that changes stands.
fn key_of(fact: ChangedFact) -> &'static str {
    use ChangedFact as F;
    match fact {
        F::Token | F::Scopes | F::Permissions | F::Unauthenticated => "auth",
        other => other.name(),
    }
}
