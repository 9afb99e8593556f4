//! What befalls an item does so in releases that have what is around it.

use std::collections::BTreeMap;

use super::Checker;
use fedispec_model::api::{Item, Lack, Life, Since};
use fedispec_since::StableVersion;

/// Something that befalls an item, the keys that lead to it under a program, and its release.
type Event = (&'static str, Vec<String>, StableVersion);

/// What befalls an item in a program, and how the release lacks what is around it.
struct Outside<'i> {
    id: &'i str,
    event: Event,
    lack: Lack,
}

impl<'n> Checker<'_, 'n> {
    /// Reports what a program states of items in releases in which what is around them is gone or absent: once, as it is one of the two
    /// that is wrong.
    /// That an error ends follows from the end of its operation, and may be stated later.
    pub(super) fn befall_within<'i>(
        &mut self,
        all: impl Iterator<Item = (&'i str, &'i [Life], bool)>,
    ) {
        let mut outside: BTreeMap<_, (&'n Item, Vec<Outside<'i>>)> = BTreeMap::new();
        for (id, lives, is_item) in all {
            let around: Vec<_> = self.around(id).collect();
            for (program, life) in lives.iter().enumerate() {
                let events = events(life, is_item);
                let wrong = around.iter().find_map(|around| {
                    let outer = around.life.get(program)?;
                    let lacked = |event: &Event| Some((event.clone(), lack(event, outer)?));
                    Some((*around, events.iter().find_map(lacked)?))
                });
                if let Some((around, (event, lack))) = wrong {
                    let of_one = outside.entry((&*around.id, program));
                    let of_one = of_one.or_insert_with(|| (around, Vec::new()));
                    of_one.1.push(Outside { id, event, lack });
                }
            }
        }
        for ((_, program), (around, mut wrong)) in outside {
            wrong.sort_unstable_by_key(|one| one.id);
            self.is_outside(around, program, &wrong);
        }
    }

    fn is_outside(&mut self, around: &Item, program: usize, wrong: &[Outside<'_>]) {
        let (Some(program), Some(first)) = (self.api.programs.get(program), wrong.first()) else {
            return;
        };
        let Outside { id, event: (fact, inside, release), lack } = first;
        let key = program.key.as_str();
        let stated = |id: &str, fact| self.merged.place_in(id, fact, key, self.problems);
        let Some(own) = stated(id, fact) else { return };
        let own = inside.iter().fold(own, |at, key| at.then(key.clone()));
        let end = stated(&around.id, if let Lack::Since(_) = lack { "removed" } else { "absent" });
        let others = match wrong.len() {
            1 => String::new(),
            all => format!(", as one of {all} such facts"),
        };
        let message = format!(
            "`{id}` has its `{fact}` in {} {release}{others}, and `{}` around it {lack}",
            program.name, around.id
        );
        let of_several = end.clone().filter(|_| wrong.len() > 1);
        let (place, other, label) = match of_several {
            Some(end) => (end, Some(own), "it is stated here"),
            None => (own, end, "that is stated here"),
        };
        self.problems.value("out-of-order", &place, message, "mend one of the two");
        if let Some(other) = other {
            self.problems.with_value(&other, label);
        }
    }
}

/// How a release of an event lacks what is around the item.
fn lack((fact, _, release): &Event, outer: &Life) -> Option<Lack> {
    // What is removed before it comes is told as such.
    let is_sound = outer.removed.is_none_or(|removed| outer.since < Since::Since(removed));
    outer.lack_at(*release).filter(|lack| match lack {
        // Both may go in the same release, or be absent from it on.
        Lack::Since(gone) => is_sound && (*fact != "removed" || gone < release),
        Lack::Between(from, _) => !matches!(*fact, "absent" | "removed") || from < release,
        Lack::Never | Lack::Until(_) => false,
    })
}

/// What befalls an item from its first release to its last.
fn events(life: &Life, is_item: bool) -> Vec<Event> {
    let since = life.at.and(life.since.version());
    let works = life.works_since.and_then(Since::version);
    let of_one = [
        ("since", since),
        ("works_since", works),
        ("deprecated", life.deprecated),
        ("removed", life.removed.filter(|_| is_item)),
    ];
    let of_one = of_one.into_iter().filter_map(|(fact, at)| Some((fact, Vec::new(), at?)));
    let changed = life.changed.iter().enumerate();
    let changed =
        changed.map(|(at, change)| ("changed", vec![at.to_string(), "in".into()], change.r#in));
    let absent = life.absent.iter().enumerate();
    let absent = absent.map(|(at, (from, _))| ("absent", vec![at.to_string(), "0".into()], *from));
    // What comes after its own end is out of order as such.
    let is_before = |(fact, _, at): &Event| {
        life.removed
            .is_none_or(|end| *at < end || *at == end && matches!(*fact, "deprecated" | "removed"))
    };
    of_one.chain(changed).chain(absent).filter(is_before).collect()
}
