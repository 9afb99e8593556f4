//! The catalogue as it was when a release was the newest, to hold what the reading proposes against what is known by now.

use fedispec_model::api::{Api, Item, Life, Since};
use fedispec_since::StableVersion;

/// Removes what the catalogue says of a program's releases after `last`. What changed in place stays as it is now.
pub(crate) fn forget_after(api: &mut Api, program: &str, last: StableVersion) {
    let Some(column) = api.column(program) else {
        return;
    };
    let registered = &mut api.programs[column];
    registered.releases.retain(|release| release.version <= last);
    registered.looked_at = Some(last);
    let mut forget = |item: &mut Item| {
        if let Some(life) = item.life.get_mut(column) {
            shorten(life, last);
        }
    };
    for operation in &mut api.operations {
        forget(&mut operation.item);
        operation.params.iter_mut().for_each(|param| forget(&mut param.item));
    }
    for entity in &mut api.entities {
        forget(&mut entity.item);
        entity.fields.iter_mut().for_each(|field| forget(&mut field.item));
    }
    for enumeration in &mut api.enums {
        forget(&mut enumeration.item);
        enumeration.values.iter_mut().for_each(&mut forget);
    }
}

fn shorten(life: &mut Life, last: StableVersion) {
    let shortened = |since: Since| match since {
        Since::Since(version) if version > last => Since::Never,
        other => other,
    };
    life.since = shortened(life.since);
    life.effective = shortened(life.effective);
    life.works_since = life.works_since.map(shortened);
    life.removed = life.removed.filter(|removed| *removed <= last);
    life.deprecated = life.deprecated.filter(|deprecated| *deprecated <= last);
    // A hole that has not ended yet is an end.
    if let Some((from, _)) = life.absent.iter().find(|(from, to)| *from <= last && *to > last) {
        life.removed = Some(*from);
    }
    life.absent.retain(|(_, to)| *to <= last);
}

#[cfg(test)]
mod tests {
    use fedispec_model::api::{Life, Since};

    use super::shorten;

    #[test]
    fn a_life_is_cut_where_the_release_is() {
        let version = |text: &str| text.parse().expect("a version");
        let mut life = Life {
            removed: Some(version("4.5.0")),
            absent: vec![
                (version("3.1.0"), version("3.2.0")),
                (version("4.1.0"), version("4.3.0")),
            ],
            works_since: Some(Since::Since(version("4.4.0"))),
            ..Life::new(Since::Since(version("3.0.0")), Since::Since(version("4.3.0")))
        };
        shorten(&mut life, version("4.2.0"));
        assert_eq!(life.since, Since::Since(version("3.0.0")));
        assert_eq!(life.effective, Since::Never);
        assert_eq!(life.works_since, Some(Since::Never));
        assert_eq!(life.removed, Some(version("4.1.0")));
        assert_eq!(life.absent, [(version("3.1.0"), version("3.2.0"))]);
    }
}
