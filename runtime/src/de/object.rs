//! Reader of objects: one loop that reads any entity, driven by its table of keys.

use super::FromJson;
use super::fault::Fault;
use super::input::{Input, Opened};
use super::path::Step;
use crate::{Json, Key, NonExhaustive};

/// A field of an entity that has not been read yet.
pub type Slot<'s> = Option<&'s mut dyn FromJson>;

/// Reads an object into the fields of a blank entity. The slot at each index belongs to the key at that index.
///
/// `as_read` keeps which keys were read in another way than they are usually written.
pub fn object(
    input: &mut Input<'_>,
    keys: &[Key],
    slots: &mut [Slot<'_>],
    as_read: &mut NonExhaustive,
) -> Result<(), Fault> {
    if input.is_scored() {
        return Err(score(input, keys)?);
    }
    if !matches!(input.open_object()?, Opened::Inside) {
        return Err(input.unexpected("an object"));
    }
    *as_read = NonExhaustive::default();
    let mut next_index = 0;
    let mut is_first = true;
    while let Some(key) = input.next_key(is_first)? {
        is_first = false;
        let index = find(keys, next_index, &key);
        let slot = index.and_then(|at| Some((at, keys.get(at)?, slots.get_mut(at)?.take()?)));
        // Of a repeated key the first value counts.
        let Some((at, key, slot)) = slot else {
            input.skip_unknown(&key)?;
            continue;
        };
        next_index = at + 1;
        // The key was sent although it is left out where it is empty.
        if key.optional && (key.absent.is_some() || input.is_null()) {
            as_read.set_odd(at);
        }
        within(input, key.wire(), |input| match key.absent {
            Some(value) if input.null() => slot.read(&mut Input::new(value)),
            _ => read_field(input, key, slot),
        })?;
    }
    for (at, (key, slot)) in keys.iter().zip(slots).enumerate() {
        if let Some(slot) = slot {
            missing(input, key, *slot)?;
            if !key.optional {
                as_read.set_odd(at);
            }
        }
    }
    Ok(())
}

/// Gives the field of a key that the object lacks the value that its absence means.
fn missing(input: &mut Input<'_>, key: &Key, slot: &mut dyn FromJson) -> Result<(), Fault> {
    input.note_absent(key.wire());
    match key.absent {
        Some(value) => slot.read(&mut Input::new(value)),
        None if slot.is_required() => Err(Fault::new(format!("missing field `{}`", key.wire()))),
        None => Ok(()),
    }
}

/// How many keys of the next object the entity has.
fn score(input: &mut Input<'_>, keys: &[Key]) -> Result<Fault, Fault> {
    let value = input.tree()?;
    let is_known = |wire: &&String| keys.iter().any(|key| key.wire() == *wire);
    let known = value.as_object().map_or(0, |object| object.keys().filter(is_known).count());
    Ok(input.end_score(known))
}

/// The index of a key. The search starts at `next`, behind the key that was found before, because most servers send most fields in the order of the
/// catalogue.
fn find(keys: &[Key], next: usize, wanted: &str) -> Option<usize> {
    let (before, behind) = keys.split_at_checked(next)?;
    let tag = Key::tag(wanted);
    let is_wanted = |key: &Key| key.tag == tag && key.is(wanted);
    let index = behind.iter().position(is_wanted).map(|at| at + next);
    index.or_else(|| before.iter().position(is_wanted))
}

/// Reads a field. A lenient one also takes the same value of another kind, and counts as missing where nothing fits or the text is empty. Of
/// another one that may be without a value, a value that does not fit is set aside.
fn read_field(input: &mut Input<'_>, key: &Key, slot: &mut dyn FromJson) -> Result<(), Fault> {
    let mark = input.mark();
    if !key.lenient {
        let read = slot.read(input);
        return match read {
            Err(fault) if slot.is_optional() => {
                input.set_aside(mark, fault)?;
                slot.read(&mut Input::new("null"))
            }
            read => read,
        };
    }
    if !slot.is_required() && input.empty_string() {
        return slot.read(&mut Input::new("null"));
    }
    let Err(fault) = slot.read(input) else {
        return Ok(());
    };
    input.rewind(mark);
    let value = input.tree()?;
    let mut read = |scalar: &str| slot.read(&mut Input::new(scalar));
    if as_other_kind(&value).is_some_and(|other| read(&other.to_string()).is_ok()) {
        return Ok(());
    }
    let missing = match key.absent {
        Some(value) => value,
        None if slot.is_required() => return Err(fault),
        None => "null",
    };
    slot.read(&mut Input::new(missing)).map_err(|_| fault)
}

/// A number or boolean as text, and text that holds a number or boolean as that.
fn as_other_kind(value: &Json) -> Option<Json> {
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

/// Reads the value that a step leads to, and adds the step to the paths of its fault and its notes.
pub(super) fn within<S: Into<Step> + Clone>(
    input: &mut Input<'_>,
    step: S,
    read: impl FnOnce(&mut Input<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let before = input.notes.len();
    match read(input) {
        Ok(()) => {
            input.add_step(before, &step);
            Ok(())
        }
        Err(fault) => Err(fault.within(step)),
    }
}
