//! Changes in place: a value is one that the fact can have, the changes of a fact follow each other, and the last one
//! ends at the present value.

use std::collections::BTreeSet;

use crate::merge::Merged;
use crate::problems::{NodePath, Problems};
use fedispec_model::api::{Api, Auth, Field, Item, Life, Operation, Param, Route, Type};
use fedispec_model::change::{Change, ChangedFact, Subject};
use fedispec_model::notation::{Notation, Plain, is_name, type_text};
use fedispec_model::presence::Presence;
use serde_json::{Value, json};

pub(super) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let mut changes = Changes { api, merged, problems };
    for operation in &api.operations {
        changes.item(&operation.item, Changed::Operation(operation, 0));
        for param in &operation.params {
            changes.item(&param.item, Changed::Param(param));
        }
    }
    for entity in &api.entities {
        for field in &entity.fields {
            changes.field(field);
        }
    }
}

/// An item that changed.
#[derive(Clone, Copy)]
enum Changed<'n> {
    /// An operation, in the program at that place.
    Operation(&'n Operation, usize),
    Param(&'n Param),
    /// A field, in the program at that place.
    Field(&'n Field, usize),
}

struct Changes<'n, 'a, 'm, 'p> {
    api: &'n Api,
    merged: &'m Merged<'a>,
    problems: &'p mut Problems<'a>,
}

impl<'a> Changes<'_, 'a, '_, '_> {
    fn field(&mut self, field: &Field) {
        if field.inherited_from.is_none() {
            self.item(&field.item, Changed::Field(field, 0));
        }
        if let Some(entry) = &field.entry {
            self.field(entry);
        }
    }

    fn item(&mut self, item: &Item, changed: Changed<'_>) {
        if item.implied || item.life.iter().all(|life| life.changed.is_empty()) {
            return;
        }
        let Some(place) = self.merged.place_of(&item.id, &["changed"], self.problems) else {
            return;
        };
        for (at, (program, life)) in self.api.programs.iter().zip(&item.life).enumerate() {
            let place = place.then(program.key.clone());
            let changed = match changed {
                Changed::Operation(operation, _) => Changed::Operation(operation, at),
                Changed::Field(field, _) => Changed::Field(field, at),
                Changed::Param(param) => Changed::Param(param),
            };
            self.life(life, changed, &place);
        }
    }

    fn life(&mut self, life: &Life, changed: Changed<'_>, place: &NodePath<'a>) {
        let mut facts = BTreeSet::new();
        for (index, change) in life.changed.iter().enumerate() {
            let place = place.then(index.to_string());
            self.gaps(change, life, &place);
            if self.typed(change, changed, &place) {
                facts.insert(change.what);
            }
        }
        for fact in facts {
            let chain: Vec<_> = { life.changed.iter().enumerate() }
                .filter(|(_, change)| change.what == fact)
                .collect();
            self.chain(&chain, changed, place);
        }
    }

    /// The gaps of a change lie after it, in order, and before the item's removal.
    fn gaps(&mut self, change: &Change, life: &Life, place: &NodePath<'a>) {
        let mut end = change.r#in;
        if life.removed.is_some_and(|removed| end >= removed) {
            let message = format!("the item is removed before it changes in {}", change.r#in);
            self.push("out-of-order", &place.then("in"), message, "mend one of the two");
        }
        for (index, &(from, until)) in change.absent.iter().enumerate() {
            if from <= end || until <= from {
                let place = place.then("absent").then(index.to_string());
                let message = format!("the change cannot be absent from {from} until {until}");
                let help = format!(
                    "a gap lies after {}, and ends after it begins: `[first release without it, first with it again]`",
                    change.r#in
                );
                self.push("out-of-order", &place, message, &help);
            }
            end = until;
        }
    }

    /// Whether the kind of item has the fact, and both values are ones that the fact can have.
    fn typed(&mut self, change: &Change, changed: Changed<'_>, place: &NodePath<'a>) -> bool {
        let (subject, name) = changed.subject();
        let known: Vec<_> = ChangedFact::of(subject).collect();
        if !known.contains(&change.what) {
            let names: Vec<_> = known.iter().map(|fact| fact.name()).collect();
            let message = format!("{name} has no `{}`", change.what);
            let help = format!("write one of {}", names.join(", "));
            self.push("wrong-change", &place.then("what"), message, &help);
            return false;
        }
        let mut sound = true;
        for (key, value) in [("from", &change.from), ("to", &change.to)] {
            let wanted = match value {
                Some(value) => change.what.misfit(value),
                None if may_be_none(change.what) => None,
                None => {
                    let message = format!("the change says no `{key}`");
                    let help =
                        "say the state before it under `from`, and the one after it under `to`";
                    self.push("wrong-change", &place.then("what"), message, help);
                    sound = false;
                    None
                }
            };
            let text = value.as_ref().and_then(Value::as_str);
            let notation = text.filter(|_| change.what.is_type()).map(Notation::parse);
            if let Some(Err(malformed)) = notation {
                let help = malformed.help();
                self.push("malformed-type", &place.then(key), malformed.to_string(), &help);
                sound = false;
            }
            if let Some(wanted) = wanted {
                let text = value.as_ref().map(|value| change.what.text(value));
                let message =
                    format!("`{}` is no value of `{}`", text.unwrap_or_default(), change.what);
                let help = format!("write {wanted}");
                self.push("wrong-change", &place.then(key), message, &help);
                sound = false;
            }
        }
        sound
    }

    /// The changes of one fact.
    fn chain(&mut self, chain: &[(usize, &Change)], changed: Changed<'_>, place: &NodePath<'a>) {
        for pair in chain.windows(2) {
            let [(_, before), (index, change)] = pair else {
                continue;
            };
            let place = place.then(index.to_string());
            if change.r#in <= before.r#in {
                let message = format!("{} does not come after {}", change.r#in, before.r#in);
                let help = "list the changes of a fact in the order of their releases";
                self.push("out-of-order", &place.then("in"), message, help);
            }
            if !alike(before.to.as_ref(), change.from.as_ref()) {
                let message = format!(
                    "`{}` was {} before {}, but the change in {} ends at {}",
                    change.what,
                    quoted(change.from_text()),
                    change.r#in,
                    before.r#in,
                    quoted(before.to_text())
                );
                let help = "mend one of the two, or add the change between them";
                self.push("broken-chain", &place.then("from"), message, help);
            }
        }
        let Some((index, last)) = chain.last() else {
            return;
        };
        if let Err(present) = changed.ends_at(last) {
            let message = format!(
                "the last change of `{}`, in {}, ends at {}, but the present value is {}",
                last.what,
                last.r#in,
                quoted(last.to_text()),
                quoted(Some(present))
            );
            let help = "mend one of the two, or add the change that came after";
            let place = place.then(index.to_string()).then("to");
            self.push("broken-chain", &place, message, help);
        }
    }

    fn push(&mut self, code: &'static str, place: &NodePath<'a>, message: String, help: &str) {
        let problem = self.problems.value(code, place, message);
        self.problems.push(problem.help(help));
    }
}

/// Whether an item may be without the fact, so that a change can bring it or take it away.
fn may_be_none(fact: ChangedFact) -> bool {
    use ChangedFact as F;
    matches!(fact, F::Format | F::Default | F::Min | F::Max | F::MaxLength | F::MaxItems | F::Only)
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
            Self::Operation(..) => (Subject::Operation, "an operation"),
            Self::Param(_) => (Subject::Param, "a parameter"),
            Self::Field(..) => (Subject::Field, "a field"),
        }
    }

    /// Whether the last change of a fact ends at the present value; else that value.
    ///
    /// What is said of an item stands for every release: a field's type and presence may be wider than in the newest one, and
    /// a parameter's type is what each of them takes.
    fn ends_at(self, change: &Change) -> Result<(), String> {
        let (fact, to) = (change.what, change.to.as_ref());
        let text = |value: &Value| fact.text(value);
        match (fact, self) {
            (ChangedFact::Type | ChangedFact::Returns, _) => {
                let Some((ty, format)) = self.ty() else {
                    return Ok(());
                };
                let notation = to.and_then(Value::as_str).map(Notation::parse);
                return match notation {
                    Some(Ok(notation)) => {
                        let narrower = match (self, &notation) {
                            (Self::Param(_), Notation::Either(pair)) => {
                                pair.iter().any(|one| covers(ty, format, one))
                            }
                            _ => false,
                        };
                        let ends = narrower || covers(ty, format, &notation);
                        if ends { Ok(()) } else { Err(type_text(ty)) }
                    }
                    _ => Ok(()),
                };
            }
            (ChangedFact::Presence, Self::Field(field, program)) => {
                let Some(to) = to.and_then(Value::as_str).and_then(Presence::named) else {
                    return Ok(());
                };
                let common = field.common_presence();
                let (ends, present) = match field.own_presence(program) {
                    Some(own) => (own == to, own),
                    None => (!field.presence_known || common.or(to) == common, common),
                };
                return if ends { Ok(()) } else { Err(present.name().into()) };
            }
            _ => {}
        }
        match self.present(fact) {
            Present::Is(present) if !alike(present.as_ref(), to) => {
                Err(present.as_ref().map_or_else(|| "none".into(), text))
            }
            _ => Ok(()),
        }
    }

    /// The type of the answer or item with the format of its text, where it is known.
    fn ty(&self) -> Option<(&Type, Option<&str>)> {
        match self {
            Self::Operation(one, _) => one.returns_known.then_some((&one.returns, None)),
            Self::Param(one) => one.type_known.then_some((&one.r#type, one.format.as_deref())),
            Self::Field(one, _) => one.type_known.then_some((&one.r#type, one.format.as_deref())),
        }
    }

    /// The present value of a fact other than a type.
    fn present(self, fact: ChangedFact) -> Present {
        match self {
            Self::Operation(one, program) => one.present(program, fact),
            Self::Param(one) => one.present(fact),
            Self::Field(one, _) if fact == ChangedFact::Format => {
                Present::Is(one.format.as_ref().map(|format| json!(format)))
            }
            Self::Field(..) => Present::Unknown,
        }
    }
}

/// The present value of a fact.
enum Present {
    /// Nobody knows it, or it cannot be compared.
    Unknown,
    /// What it is; nothing where the item is without it.
    Is(Option<Value>),
}

impl Present {
    fn known(value: Value) -> Self {
        if value == "unknown" { Self::Unknown } else { Self::Is(Some(value)) }
    }
}

/// The present value of a fact of an operation, in the program at that place.
trait OfOperation {
    fn present(&self, program: usize, fact: ChangedFact) -> Present;
}

impl OfOperation for Operation {
    fn present(&self, program: usize, fact: ChangedFact) -> Present {
        use ChangedFact as F;
        let auths = || self.auth.as_ref()?.of(program);
        let auth = |of: fn(&Auth) -> Value| auths().map(of);
        let route = |of: fn(&Route) -> Value| { self.route.as_ref() }.map(of);
        let value = match fact {
            F::Token => auth(|auth| json!(auth.token)),
            F::Scopes => auth(|auth| json!(auth.scopes)),
            F::Permissions => auth(|auth| json!(auth.permissions)),
            F::Unauthenticated => auth(|auth| json!(auth.unauthenticated)),
            F::Method => route(|route| json!(route.method)),
            F::Path => route(|route| json!(route.path)),
            F::Body => Some(json!(self.body)),
            F::Success => (!self.success.is_empty()).then(|| json!(self.success)),
            F::Paging => Some(json!(self.paging)),
            _ => None,
        };
        value.map_or(Present::Unknown, Present::known)
    }
}

/// The present value of a fact of a parameter.
trait OfParam {
    fn present(&self, fact: ChangedFact) -> Present;
}

impl OfParam for Param {
    fn present(&self, fact: ChangedFact) -> Present {
        use ChangedFact as F;
        let limits = &self.limits;
        Present::Is(match fact {
            F::In => return Present::known(json!(self.location)),
            F::Required => return Present::known(json!(self.required)),
            F::Nullable => return Present::known(json!(self.nullable)),
            F::Format => self.format.as_ref().map(|format| json!(format)),
            F::Default => self.default.clone(),
            F::Min => limits.min.map(Value::from),
            F::Max => limits.max.map(Value::from),
            F::MaxLength => limits.max_length.map(Value::from),
            F::MaxItems => limits.max_items.map(Value::from),
            F::Only => (!self.only.is_empty()).then(|| json!(self.only)),
            _ => return Present::Unknown,
        })
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
