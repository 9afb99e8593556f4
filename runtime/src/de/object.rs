//! Reader of objects: one loop that reads any entity, driven by its table of keys.

use super::FromJson;
use super::fault::Fault;
use super::input::Input;
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
    input.open_object()?;
    *as_read = NonExhaustive::default();
    let mut order = input.take_order(keys);
    let mut next = 0;
    let mut is_first = true;
    loop {
        let guess = order.get(next).copied().unwrap_or(next);
        let key = keys.get(guess).filter(|key| input.key_is(key.quoted, is_first));
        let (at, key) = if let Some(key) = key {
            (guess, key)
        } else {
            let Some(sent) = input.next_key(is_first)? else {
                break;
            };
            is_first = false;
            let Some(found) = find(keys, next, &sent) else {
                input.skip_unknown(&sent)?;
                continue;
            };
            if let Some(guess) = order.get_mut(next) {
                *guess = found.0;
            }
            found
        };
        is_first = false;
        // Of a repeated key the first value counts.
        let Some(slot) = slots.get_mut(at).and_then(Option::take) else {
            input.skip_unknown(key.wire())?;
            continue;
        };
        next = at + 1;
        // The key was sent although it is left out where it is empty.
        if key.optional && (key.absent.is_some() || input.is_null()) {
            as_read.set_odd(at);
        }
        let before = input.notes.len();
        let read = match key.absent {
            Some(value) if input.null() => slot.read(&mut Input::new(value)),
            _ => read_field(input, key, slot),
        };
        read.map_err(|fault| fault.within(key.wire()))?;
        input.add_step(before, || key.wire().into());
    }
    input.keep_order(keys, order);
    let has_none = slots.iter().all(Option::is_some);
    for (at, (key, slot)) in keys.iter().zip(slots).enumerate() {
        if let Some(slot) = slot {
            missing(input, key, *slot, has_none)?;
            if !key.optional {
                as_read.set_odd(at);
            }
        }
    }
    Ok(())
}

/// Gives the field of a key that the object lacks the value that its absence means. A lenient one that must be there stays blank, unless the object
/// has none of its keys, and so is something else.
fn missing(
    input: &mut Input<'_>,
    key: &Key,
    slot: &mut dyn FromJson,
    has_none: bool,
) -> Result<(), Fault> {
    input.note_absent(key.wire());
    match key.absent {
        Some(value) => slot.read(&mut Input::new(value)),
        None if slot.is_required() => {
            let message = format!("missing field `{}`", key.wire());
            if has_none || !key.lenient {
                return Err(Fault::new(message));
            }
            input.refuse(vec![key.wire().into()], message, Json::Null);
            Ok(())
        }
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

/// A key and its index. The search starts at `next`, behind the key that was found before, because most servers send most fields in the order of
/// the catalogue.
fn find<'k>(keys: &'k [Key], next: usize, wanted: &str) -> Option<(usize, &'k Key)> {
    let tag = Key::tag(wanted);
    let is_wanted = |(_, key): &(usize, &Key)| key.tag == tag && key.is(wanted);
    let mut behind = keys.iter().enumerate().skip(next);
    behind.find(is_wanted).or_else(|| keys.iter().enumerate().take(next).find(is_wanted))
}

/// Reads a field. A lenient one also takes the same value of another kind, and counts as missing where nothing fits or the text is empty; one
/// that must be there stays blank where null or `{}` stands for it, and that is told. Of another field that may be without a value, a value that
/// does not fit is set aside.
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
        None if slot.is_required() && is_nothing(&value) => return input.set_aside(mark, fault),
        None if slot.is_required() => return Err(fault),
        None => "null",
    };
    slot.read(&mut Input::new(missing)).map_err(|_| fault)
}

/// Whether it is sent in place of an entity that the user may not see.
fn is_nothing(value: &Json) -> bool {
    value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty)
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
