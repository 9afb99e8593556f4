//! Objects: the one loop that reads them all.

use super::FromJson;
use super::fault::Fault;
use super::input::{Input, Opened};
use super::path::Step;
use crate::{Json, Key};

/// A field that waits for its value.
pub type Slot<'s> = Option<&'s mut dyn FromJson>;

/// Reads an object into the fields of a blank entity; each key has the slot of the same place.
pub fn object(input: &mut Input<'_>, keys: &[Key], slots: &mut [Slot<'_>]) -> Result<(), Fault> {
    if input.is_probe() {
        let known = |wire: &String| keys.iter().any(|key| key.wire == wire);
        let value = input.tree()?;
        let object = value.as_object();
        return Err(input
            .probed(object.map_or(0, |object| object.keys().filter(|wire| known(wire)).count())));
    }
    if !matches!(input.open_object()?, Opened::Inside) {
        return Err(input.unexpected("an object"));
    }
    let mut next = 0;
    let mut is_first = true;
    while let Some(key) = input.next_key(is_first)? {
        is_first = false;
        let place = find(keys, next, &key);
        let slot = place.and_then(|at| Some((keys.get(at)?, slots.get_mut(at)?.take()?)));
        // A key that comes again says nothing new.
        let Some((key, slot)) = slot else {
            input.unknown(&key)?;
            continue;
        };
        next = place.map_or(0, |at| at + 1);
        within(input, key.wire, |input| field(input, key.lenient, slot))?;
    }
    let missing = |(key, slot): (&Key, &Slot<'_>)| {
        slot.as_ref()
            .is_some_and(|slot| slot.is_required())
            .then_some(key.wire)
    };
    match keys.iter().zip(slots.iter()).find_map(missing) {
        Some(wire) => Err(Fault::new(format!("missing field `{wire}`"))),
        None => Ok(()),
    }
}

/// Where the key stands. Servers send the fields in an order of their own, which is the catalogue's more often than not: it is sought from behind
/// the one before.
fn find(keys: &[Key], next: usize, wanted: &str) -> Option<usize> {
    let (before, behind) = keys.split_at_checked(next)?;
    let tag = Key::tag(wanted);
    let is_it = |key: &Key| key.tag == tag && key.wire == wanted;
    let place = behind.iter().position(is_it).map(|at| at + next);
    place.or_else(|| before.iter().position(is_it))
}

fn field(input: &mut Input<'_>, lenient: bool, slot: &mut dyn FromJson) -> Result<(), Fault> {
    if !lenient {
        return slot.read(input);
    }
    let mark = input.mark();
    let Err(fault) = slot.read(input) else {
        return Ok(());
    };
    input.back(mark);
    let value = input.tree()?;
    let mut read = |text: &str| input.instead(text, |other| slot.read(other));
    if otherwise(&value).is_some_and(|other| read(&other.to_string()).is_ok()) {
        return Ok(());
    }
    if slot.is_required() {
        return Err(fault);
    }
    input
        .instead("null", |other| slot.read(other))
        .map_err(|_| fault)
}

/// The same as another kind of value.
fn otherwise(value: &Json) -> Option<Json> {
    match value {
        Json::Number(number) => Some(Json::String(number.to_string())),
        Json::Bool(value) => Some(Json::String(value.to_string())),
        Json::String(text) => match serde_json::from_str(text.trim()) {
            Ok(scalar @ (Json::Number(_) | Json::Bool(_))) => Some(scalar),
            _ => None,
        },
        _ => None,
    }
}

/// Reads what stands behind a step; faults and notes of it then tell the step.
pub(super) fn within<S: Into<Step> + Clone>(
    input: &mut Input<'_>,
    step: S,
    read: impl FnOnce(&mut Input<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let before = input.notes.len();
    match read(input) {
        Ok(()) => {
            input.came_through(before, &step);
            Ok(())
        }
        Err(fault) => Err(fault.within(step)),
    }
}
