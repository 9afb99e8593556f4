//! Readers of lists and maps, driven by `dyn` traits and so compiled once for all types of elements.

use super::FromJson;
use super::budget::GROWTH;
use super::fault::Fault;
use super::input::Input;
use super::path::Step;
use crate::Map;

/// A list to append elements to.
trait Elements {
    /// The size of one.
    fn size(&self) -> usize;
    fn push_blank(&mut self) -> Result<&mut dyn FromJson, Fault>;
    fn drop_last(&mut self);
}

impl<T: FromJson> Elements for Vec<T> {
    fn size(&self) -> usize {
        size_of::<T>()
    }

    fn push_blank(&mut self) -> Result<&mut dyn FromJson, Fault> {
        self.push(T::blank());
        let added = self.last_mut().ok_or(Fault::SYNTAX)?;
        Ok(added)
    }

    fn drop_last(&mut self) {
        self.pop();
    }
}

/// null reads as an empty list, and an element that does not fit is set aside.
impl<T: FromJson> FromJson for Vec<T> {
    fn blank() -> Self {
        Self::new()
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        self.clear();
        list(input, self)
    }

    fn is_required(&self) -> bool {
        false
    }
}

fn list(input: &mut Input<'_>, elements: &mut dyn Elements) -> Result<(), Fault> {
    if !input.open_list()? {
        return Ok(());
    }
    if input.is_scored() {
        return score(input, elements);
    }
    let mut index = 0;
    let size = GROWTH * elements.size();
    while input.next_element(index == 0)? {
        let mark = input.mark();
        input.take(size)?;
        if let Err(fault) = elements.push_blank()?.read(input) {
            elements.drop_last();
            input.set_aside(mark, fault)?;
        }
        input.add_step(mark.notes, || index.into());
        index += 1;
    }
    Ok(())
}

/// A list fits as well as its first element does, and an empty one fits any type.
fn score(input: &mut Input<'_>, elements: &mut dyn Elements) -> Result<(), Fault> {
    if !input.next_element(true)? {
        return Err(input.end_score(1));
    }
    elements.push_blank()?.read(input)
}

/// A map to insert entries into.
trait Entries {
    /// The size of one.
    fn size(&self) -> usize;
    fn insert_blank(&mut self, key: &str) -> Result<&mut dyn FromJson, Fault>;
}

impl<T: FromJson> Entries for Map<T> {
    fn size(&self) -> usize {
        size_of::<(String, T)>()
    }

    fn insert_blank(&mut self, key: &str) -> Result<&mut dyn FromJson, Fault> {
        self.insert(key.to_owned(), T::blank());
        let added = self.get_mut(key).ok_or(Fault::SYNTAX)?;
        Ok(added)
    }
}

impl<T: FromJson> FromJson for Map<T> {
    fn blank() -> Self {
        Self::new()
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        self.clear();
        map(input, self)
    }
}

fn map(input: &mut Input<'_>, entries: &mut dyn Entries) -> Result<(), Fault> {
    input.open_object()?;
    let mut is_first = true;
    while let Some(key) = input.next_key(is_first)? {
        is_first = false;
        input.take(GROWTH * entries.size() + key.len())?;
        let slot = entries.insert_blank(&key)?;
        let before = input.notes.len();
        let step = || Step::from(key.clone().into_owned());
        slot.read(input).map_err(|fault| fault.within(step()))?;
        input.add_step(before, step);
    }
    Ok(())
}
