//! Floors: the oldest supported releases, and the items that every supported release has.

use std::collections::BTreeMap;

use fedispec_since::{Availability, Presence, StableVersion};

use crate::api::{Api, Entity, Field, Item, Life, Quirk};

/// The oldest supported release per program, in the order of the programs; `None` where a program does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Floors(Vec<Floor>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Floor {
    /// The key of the program.
    key: String,
    oldest: Option<StableVersion>,
}

impl Floors {
    /// The floors that are named, and the catalogue's own of every other program.
    pub fn new(api: &Api, named: &BTreeMap<String, StableVersion>) -> Self {
        let programs = api.programs.iter().zip(api.floors());
        let floors = programs.map(|(program, own)| Floor {
            key: program.key.clone(),
            oldest: named.get(&program.key).copied().or(own),
        });
        Self(floors.collect())
    }

    /// The floors that are named; no other program counts.
    pub fn only(api: &Api, named: &BTreeMap<String, StableVersion>) -> Self {
        let programs = api.programs.iter();
        let floors = programs.map(|program| Floor {
            key: program.key.clone(),
            oldest: named.get(&program.key).copied(),
        });
        Self(floors.collect())
    }

    /// The key of each program that counts, with its floor.
    pub fn by_program<'a>(&self, api: &'a Api) -> impl Iterator<Item = (&'a str, StableVersion)> {
        let programs = api.programs.iter().zip(&self.0);
        programs.filter_map(|(program, floor)| Some((program.key.as_str(), floor.oldest?)))
    }

    /// The floor of each program that counts, by its position.
    fn iter(&self) -> impl Iterator<Item = (usize, StableVersion)> {
        let floors = self.0.iter().enumerate();
        floors.filter_map(|(program, floor)| Some((program, floor.oldest?)))
    }

    /// The floor of the program at a position, where it counts.
    pub fn of(&self, program: usize) -> Option<StableVersion> {
        self.0.get(program)?.oldest
    }

    /// The floor of a program, where it counts.
    pub fn of_program(&self, key: &str) -> Option<StableVersion> {
        self.0.iter().find(|floor| floor.key == key)?.oldest
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
        self.iter().all(|(program, floor)| guaranteed(item.life.get(program), None, floor))
    }

    /// Whether every supported release that has the entity sends the field, and never null.
    pub fn is_sent(&self, entity: &Entity, field: &Field) -> bool {
        field.type_known
            && field.presence_known
            && self.presence(field) == Presence::ALWAYS
            && !field.quirks.iter().any(|quirk| self.makes_it_miss(quirk))
            && self.guarantee(&field.item, &entity.item)
    }

    /// Whether a field is generated as a plain `T`: it is always sent, or its absence means a value.
    pub fn is_plain(&self, entity: &Entity, field: &Field) -> bool {
        field.absent_means.is_some() || self.is_sent(entity, field)
    }

    /// The presence over all supported releases that have a field, apart from quirks; where no program that counts has it, what is
    /// said for all.
    fn presence(&self, field: &Field) -> Presence {
        let never = |program: usize| {
            let life = field.item.life.get(program);
            life.is_some_and(|life| life.effective == Availability::Never)
        };
        let counted = self.iter().filter(|(program, _)| !never(*program));
        let presences = counted.map(|(program, floor)| field.presence_from(program, floor));
        let presence = presences.reduce(Presence::or);
        presence.unwrap_or_else(|| field.common_presence())
    }

    /// Whether a supported release, or a program that is not registered, sends nothing or null.
    fn makes_it_miss(&self, quirk: &Quirk) -> bool {
        let program = self.0.iter().find(|floor| floor.key == quirk.program);
        let counts = program.is_none_or(|floor| {
            floor.oldest.is_some_and(|oldest| quirk.until.is_none_or(|until| until > oldest))
        });
        counts && quirk.presence() != Presence::ALWAYS
    }
}

impl Field {
    /// Whether a release of a program, supported or not, is known to send the entity without the field, or with null or `{}` in it.
    pub fn is_known_to_miss(&self, entity: &Item) -> bool {
        let oldest = StableVersion(0, 0, 0);
        let misses = |program: usize| {
            let container = entity.life.get(program);
            container.is_some_and(|life| life.effective != Availability::Never)
                && (!guaranteed(self.item.life.get(program), container, oldest)
                    || self.stated_presence(program) != Presence::ALWAYS)
        };
        let is_empty =
            |quirk: &Quirk| quirk.sends == "empty_object" || quirk.presence() != Presence::ALWAYS;
        self.missed_apart || self.quirks.iter().any(is_empty) || (0..entity.life.len()).any(misses)
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
    use crate::api::AbsentMeans;

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

    fn entity() -> Entity {
        serde_json::from_value(serde_json::json!({
            "item": {"id": "A", "name": "A", "wire": "A", "rust": "A", "origin": "beyond",
                "life": [{"since": "1.0.0", "effective": "1.0.0"}, {"since": "0.1.0", "effective": "0.1.0"}]},
            "role": "named", "fields_known": true,
            "fields": [{"item": {"id": "A.a", "name": "a", "wire": "a", "rust": "a", "origin": "beyond",
                "life": [{"since": "1.0.0", "effective": "1.0.0"}, {"since": "0.1.0", "effective": "0.1.0",
                    "changed": [{"in": "0.7.0", "what": "presence", "from": "optional", "to": "always"}]}]},
                "type": "string", "type_known": true, "nullable": true, "optional": false, "presence_known": true,
                "presence": [null, "always"]}]
        }))
        .expect("an entity")
    }

    /// Floors of Mastodon and GoToSocial.
    fn floors(mastodon: Option<&str>, gotosocial: Option<&str>) -> Floors {
        let floor = |key: &str, oldest: Option<&str>| Floor {
            key: key.into(),
            oldest: oldest.map(|text| text.parse().expect(text)),
        };
        Floors(vec![floor("mastodon", mastodon), floor("gotosocial", gotosocial)])
    }

    #[test]
    fn a_field_is_plain_where_every_supported_program_proves_it() {
        let entity = entity();
        for (mastodon, gotosocial, plain) in [
            (None, Some("0.7.0"), true),
            (None, Some("0.6.9"), false),
            (Some("4.0.0"), Some("0.7.0"), false),
            (Some("4.0.0"), None, false),
            (None, None, false),
        ] {
            assert_eq!(
                floors(mastodon, gotosocial).is_plain(&entity, &entity.fields[0]),
                plain,
                "{mastodon:?} and {gotosocial:?}"
            );
        }
    }

    #[test]
    fn a_program_that_never_has_a_field_has_no_say() {
        let mut entity = entity();
        for life in [&mut entity.item.life[0], &mut entity.fields[0].item.life[0]] {
            *life = Life::new(Availability::Never, Availability::Never);
        }
        assert!(floors(Some("4.0.0"), Some("0.7.0")).is_sent(&entity, &entity.fields[0]));
    }

    #[test]
    fn a_quirk_counts_for_the_releases_that_have_it() {
        let mut entity = entity();
        let field = &mut entity.fields[0];
        field.nullable = false;
        field.quirks = vec![Quirk {
            program: "gotosocial".into(),
            sends: "absent".into(),
            since: None,
            until: Some(StableVersion(0, 18, 0)),
        }];
        let sent = |floors: Floors, entity: &Entity| floors.is_sent(entity, &entity.fields[0]);
        assert!(sent(floors(Some("4.0.0"), Some("0.18.0")), &entity));
        assert!(!sent(floors(Some("4.0.0"), Some("0.17.0")), &entity));
        assert!(sent(floors(Some("4.0.0"), None), &entity));
        entity.fields[0].quirks[0].program = "sharkey".into();
        assert!(!sent(floors(Some("4.0.0"), Some("0.18.0")), &entity));
    }

    #[test]
    fn what_absence_means_makes_a_field_plain_and_not_required() {
        let mut entity = entity();
        entity.fields[0].absent_means =
            Some(AbsentMeans { value: "".into(), omitted: false, or_null: true, evidence: None });
        let floors = floors(Some("4.0.0"), Some("0.1.0"));
        assert!(floors.is_plain(&entity, &entity.fields[0]));
        assert!(!floors.is_sent(&entity, &entity.fields[0]));
    }

    #[test]
    fn what_goes_together_with_its_container_is_never_missed() {
        let mut container = life("1.0.0");
        let mut item = life("1.0.0");
        item.removed = Some(StableVersion(4, 0, 0));
        let guaranteed = |item: &Life, container: &Life| {
            guaranteed(Some(item), Some(container), StableVersion(1, 0, 0))
        };
        assert!(!guaranteed(&item, &container));
        container.removed = Some(StableVersion(4, 0, 0));
        assert!(guaranteed(&item, &container));
        container.removed = Some(StableVersion(4, 1, 0));
        assert!(!guaranteed(&item, &container));
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
