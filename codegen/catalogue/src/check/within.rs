//! What befalls an item does so in releases that have what is around it.

use super::Checker;
use fedispec_model::api::{Lack, Life, Since};
use fedispec_since::StableVersion;

/// Something that befalls an item, the keys that lead to it under a program, and its release.
type Event = (&'static str, Vec<String>, StableVersion);

impl Checker<'_, '_> {
    /// Reports what a program states of an item in a release in which what is around it is gone or absent.
    pub(super) fn befalls_within(&mut self, id: &str, lives: &[Life]) {
        let around = id.rsplit_once('.').and_then(|(around, _)| self.item(around));
        let Some(around) = around else { return };
        for (program, (life, outer)) in self.api.programs.iter().zip(lives.iter().zip(&around.life))
        {
            let key = program.key.as_str();
            let wrong = events(life).into_iter().find_map(|event| {
                let lack = lack(&event, outer)?;
                Some((event, lack))
            });
            let Some(((fact, inside, release), lack)) = wrong else { continue };
            let stated = self.merged.place_in(id, fact, key, self.problems);
            let Some(place) = stated else { continue };
            let place = inside.iter().fold(place, |at, key| at.then(key.clone()));
            let name = &program.name;
            let message = format!(
                "`{id}` has its `{fact}` in {name} {release}, and `{}` around it {lack}",
                around.id
            );
            self.problems.value("out-of-order", &place, message, "mend one of the two");
        }
    }
}

/// How a release of an event lacks what is around the item.
fn lack((fact, _, release): &Event, outer: &Life) -> Option<Lack> {
    outer.lack_at(*release).filter(|lack| match lack {
        // That an item comes when what is around it is gone is told at that.
        Lack::Since(_) => *fact != "since",
        // Both may be absent from the same release on.
        Lack::Between(from, _) => *fact != "absent" || from < release,
        Lack::Never | Lack::Until(_) => false,
    })
}

/// What befalls an item between its first and its last release.
fn events(life: &Life) -> Vec<Event> {
    let since = life.at.and(life.since.version());
    let works = life.works_since.and_then(Since::version);
    let of_one = [("since", since), ("works_since", works), ("deprecated", life.deprecated)];
    let of_one = of_one.into_iter().filter_map(|(fact, at)| Some((fact, Vec::new(), at?)));
    let changed = life.changed.iter().enumerate();
    let changed =
        changed.map(|(at, change)| ("changed", vec![at.to_string(), "in".into()], change.r#in));
    let absent = life.absent.iter().enumerate();
    let absent = absent.map(|(at, (from, _))| ("absent", vec![at.to_string(), "0".into()], *from));
    of_one.chain(changed).chain(absent).collect()
}
