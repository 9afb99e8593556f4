//! Floors: the oldest supported releases, and the items that every supported release has.

use std::collections::BTreeMap;

use fedispec_since::{Availability, StableVersion};

use crate::api::{Api, Entity, Field, Item, Life};

/// The oldest supported release per program, in the order of the programs; `None` where a program does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Floors(Vec<Option<StableVersion>>);

impl Floors {
    /// The floors that are named, and the catalogue's own of every other program.
    pub fn new(api: &Api, named: &BTreeMap<String, StableVersion>) -> Self {
        let programs = api.programs.iter().zip(api.floors());
        let floors = programs.map(|(program, own)| named.get(&program.key).copied().or(own));
        Self(floors.collect())
    }

    /// The floors that are named; no other program counts.
    pub fn only(api: &Api, named: &BTreeMap<String, StableVersion>) -> Self {
        let programs = api.programs.iter();
        Self(
            programs
                .map(|program| named.get(&program.key).copied())
                .collect(),
        )
    }

    /// The key of each program that counts, with its floor.
    pub fn by_program<'a>(&self, api: &'a Api) -> impl Iterator<Item = (&'a str, StableVersion)> {
        let programs = api.programs.iter().zip(&self.0);
        programs.filter_map(|(program, floor)| Some((program.key.as_str(), (*floor)?)))
    }

    /// The floor of each program that counts, by its position.
    fn iter(&self) -> impl Iterator<Item = (usize, StableVersion)> {
        let floors = self.0.iter().enumerate();
        floors.filter_map(|(program, floor)| Some((program, (*floor)?)))
    }

    /// The floor of the program at a position, where it counts.
    pub fn of(&self, program: usize) -> Option<StableVersion> {
        self.0.get(program).copied().flatten()
    }

    /// Whether every supported release that has the container has the item too.
    pub fn guarantee(&self, item: &Item, container: &Item) -> bool {
        self.iter().all(|(program, floor)| {
            guaranteed(item.life.get(program), container.life.get(program), floor)
        })
    }

    /// Whether every supported release of one program that has the container has the item too.
    pub fn guarantee_in(&self, program: usize, item: &Item, container: &Item) -> bool {
        self.of(program).is_none_or(|floor| {
            guaranteed(item.life.get(program), container.life.get(program), floor)
        })
    }

    /// Whether every supported release has the item.
    pub fn have(&self, item: &Item) -> bool {
        self.iter()
            .all(|(program, floor)| guaranteed(item.life.get(program), None, floor))
    }

    /// Whether a field is always there and never null, so that it is generated as a plain `T`.
    pub fn is_plain(&self, entity: &Entity, field: &Field) -> bool {
        field.is_always_there() && self.guarantee(&field.item, &entity.item)
    }
}

/// Whether every release from a floor on that has the container has the item too.
fn guaranteed(item: Option<&Life>, container: Option<&Life>, floor: StableVersion) -> bool {
    match item {
        Some(item) => {
            let container = container.map(Life::presence);
            item.presence().guaranteed(container.as_ref(), floor)
        }
        None => container.is_some_and(|life| life.effective == Availability::Never),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(text: &str) -> Life {
        let since = text.parse().expect(text);
        Life::new(since, since)
    }

    #[test]
    fn relative_to_the_container_and_the_floor() {
        for (item, container, floor, holds) in [
            ("1.0.0", "1.0.0", (0, 1, 0), true),
            ("1.1.0", "1.0.0", (0, 1, 0), false),
            ("1.1.0", "1.0.0", (1, 1, 0), true),
            ("4.10.0", "1.0.0", (4, 9, 0), false),
            ("unknown", "1.0.0", (9, 0, 0), false),
            ("never", "1.0.0", (9, 0, 0), false),
            ("never", "never", (0, 1, 0), true),
            ("1.0.0", "unknown", (0, 1, 0), false),
        ] {
            let (major, minor, patch) = floor;
            let floor = StableVersion(major, minor, patch);
            assert_eq!(
                guaranteed(Some(&life(item)), Some(&life(container)), floor),
                holds,
                "{item} in {container}"
            );
        }
    }

    #[test]
    fn what_went_is_not_guaranteed() {
        let container = life("1.0.0");
        let mut item = life("1.0.0");
        item.absent = vec![(StableVersion(2, 4, 0), StableVersion(3, 3, 0))];
        let guaranteed = |item: &Life, floor| guaranteed(Some(item), Some(&container), floor);
        assert!(!guaranteed(&item, StableVersion(1, 0, 0)));
        assert!(guaranteed(&item, StableVersion(3, 3, 0)));
        item.removed = Some(StableVersion(4, 0, 0));
        assert!(!guaranteed(&item, StableVersion(3, 3, 0)));
    }
}
