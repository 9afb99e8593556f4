//! The history of an item after its Since, in words and as a table.

use std::fmt::Write as _;

use fedispec_model::api::{Api, Item, Life, Since};
use fedispec_model::reach::Reach;

/// Each program with the item's Since and what followed: `Mastodon 2.4.0, removed in 4.0.0 · GoToSocial never`.
pub(super) fn lives(api: &Api, reach: &Reach<'_>, item: &Item) -> String {
    let lives = item.life.iter().zip(reach.effective(item));
    let parts = api.programs.iter().zip(lives);
    let parts = parts.map(|(program, (life, effective))| {
        let mut part = format!("{} {}", program.name, life.since);
        for event in events(life, effective) {
            part += ", ";
            part += &event;
        }
        part
    });
    parts.collect::<Vec<_>>().join(" · ")
}

fn events(life: &Life, effective: Since) -> Vec<String> {
    let mut events = Vec::new();
    if effective != life.since {
        events.push(format!("effective {effective}"));
    }
    match life.works_since {
        Some(Since::Never) if life.stub.is_some() => events.push("always empty".into()),
        Some(since) if life.stub.is_some() => events.push(format!("empty before {since}")),
        Some(Since::Never) => events.push("never works".into()),
        Some(since) => events.push(format!("works since {since}")),
        None => {}
    }
    let absent = life.absent.iter();
    events.extend(absent.map(|(from, until)| format!("absent from {from} until {until}")));
    events.extend((life.deprecated.iter()).map(|release| format!("deprecated since {release}")));
    events.extend((life.removed.iter()).map(|release| format!("removed in {release}")));
    events
}

/// A row for each change in place: the release, the fact, and what it became.
pub(super) fn changes(api: &Api, item: &Item) -> Vec<[String; 3]> {
    let lives = api.programs.iter().zip(&item.life);
    let changes = lives.flat_map(|(program, life)| {
        life.changed.iter().map(|change| {
            let mut release = format!("{} {}", program.name, change.r#in);
            for (from, until) in &change.absent {
                let _ = write!(release, ", not from {from} until {until}");
            }
            let state = |text: Option<String>| text.unwrap_or_else(|| "none".into());
            let (from, to) = (state(change.from_text()), state(change.to_text()));
            [release, change.what.to_string(), format!("{from} -> {to}")]
        })
    });
    changes.collect()
}
