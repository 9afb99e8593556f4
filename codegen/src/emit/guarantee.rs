//! Guarantees: the items that every supported release has.

use super::Options;
use super::version::{Numbers, numbers};
use fedispec_model::api::{Api, Entity, Field, Item, Life};
use fedispec_model::release;
use fedispec_since::StableVersion;

/// The oldest supported release per program, in the order of the programs; `None` where a program does not count.
pub(super) struct Floors(Vec<Option<Numbers>>);

impl Floors {
    pub(super) fn new(api: &Api, options: &Options) -> Self {
        let floor = |program: &fedispec_model::api::Program| match options.floors.get(&program.key)
        {
            Some(version) => Some(numbers(version)),
            None if options.only_named_floors => None,
            None => Some(
                program
                    .releases
                    .first()
                    .map_or((0, 0, 0), |release| numbers(&release.version)),
            ),
        };
        Self(api.programs.iter().map(floor).collect())
    }

    /// Whether every supported release that has the container has the item too.
    pub(super) fn guarantee(&self, item: &Item, container: &Item) -> bool {
        self.0.iter().enumerate().all(|(program, floor)| {
            floor.is_none_or(|floor| {
                guaranteed(item.life.get(program), container.life.get(program), floor)
            })
        })
    }

    /// Whether every supported release has the item.
    pub(super) fn have(&self, item: &Item) -> bool {
        let lives = self.0.iter().enumerate();
        lives
            .filter_map(|(program, floor)| Some((program, (*floor)?)))
            .all(|(program, floor)| guaranteed(item.life.get(program), None, floor))
    }

    /// Whether a field is always there, and never null.
    pub(super) fn is_plain(&self, entity: &Entity, field: &Field) -> bool {
        field.is_always_there() && self.guarantee(&field.item, &entity.item)
    }
}

fn guaranteed(item: Option<&Life>, container: Option<&Life>, floor: Numbers) -> bool {
    let (major, minor, patch) = floor;
    release::guarantees(item, container, StableVersion(major, minor, patch))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fedispec_model::api::Since;

    fn life(text: &str) -> Life {
        let since = Since::from(text.to_owned());
        Life {
            effective: since.clone(),
            since,
            at: None,
            evidence: None,
            works_since: None,
            deprecated: None,
            removed: None,
            absent: Vec::new(),
            changed: Vec::new(),
        }
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
        item.absent = vec![("2.4.0".into(), "3.3.0".into())];
        assert!(!guaranteed(Some(&item), Some(&container), (1, 0, 0)));
        assert!(guaranteed(Some(&item), Some(&container), (3, 3, 0)));
        item.removed = Some("4.0.0".into());
        assert!(!guaranteed(Some(&item), Some(&container), (3, 3, 0)));
    }
}
