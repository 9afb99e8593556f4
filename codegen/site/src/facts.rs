//! Facts about items by release, beyond whether a release has them, as a script for the pages that compare any two
//! releases.

use std::collections::BTreeSet;

use fedispec_model::api::{Field, Item, Operation, Program, Since};
use fedispec_model::auth::states;
use fedispec_model::change::{ChangedFact, state_at};
use fedispec_model::rows::{RowSubject, rows};
use fedispec_since::StableVersion;
use serde_json::{Map, Value, json};

use crate::File;
use crate::page::Site;
use crate::turns::index;

/// A fact in one program: its texts, each with the index of the first release that it holds for.
type Runs = Vec<(usize, String)>;

/// `facts.js`: by item and fact, the runs of each program. What reads the same everywhere is left out.
pub(crate) fn script(site: &Site<'_>, files: &mut Vec<File>) {
    let mut all = Map::new();
    for row in rows(site.api).iter().filter(|row| !row.inherited()) {
        let mut facts = Vec::new();
        match row.subject {
            RowSubject::Operation(operation) => {
                facts.push(("callers", callers(site, operation)));
            }
            RowSubject::Field(_, field) | RowSubject::Response(_, _, field) => {
                facts.extend(presence(site, field));
                facts.push(("sent", quirks(site, field)));
            }
            RowSubject::Param(_, param) => {
                let text = |program: usize, release| {
                    let refused = param.refused.get(program).and_then(Option::as_ref);
                    let refused = refused.filter(|refused| {
                        refused.since <= release
                            && refused.until.is_none_or(|until| release < until)
                    });
                    Some(refused.map_or_else(
                        || "taken".to_owned(),
                        |refused| format!("refused with {}", refused.status),
                    ))
                };
                facts.push(("request", by_release(site, text)));
            }
            _ => {}
        }
        facts.extend(in_place(site, row.item));
        facts.extend(use_of(site, row.item));
        let told = facts.into_iter().filter(|(_, programs)| differs(programs));
        let told: Map<_, _> =
            told.map(|(name, programs)| (name.replace('_', " "), json!(programs))).collect();
        if !told.is_empty() {
            all.insert(row.item.id.clone(), Value::Object(told));
        }
    }
    let text = format!("window.fedispec.facts={};\n", Value::Object(all));
    files.push(("facts.js".to_owned(), text.into_bytes()));
}

/// Whether any two releases may read differently. A program of which nothing is said differs from none.
fn differs(programs: &[Runs]) -> bool {
    let texts = programs.iter().flatten().map(|(_, text)| text);
    texts.collect::<BTreeSet<_>>().len() > 1
}

fn callers(site: &Site<'_>, operation: &Operation) -> Vec<Runs> {
    let programs = site.api.programs.iter().enumerate();
    let runs = programs.map(|(place, program)| {
        let states = states(operation, place).into_iter();
        let runs =
            states.map(|state| (at(program, state.since), crate::phrases::callers(&state.auth)));
        runs.collect()
    });
    runs.collect()
}

fn presence(site: &Site<'_>, field: &Field) -> Option<(&'static str, Vec<Runs>)> {
    let programs = site.api.programs.iter().enumerate();
    let runs = programs.map(|(place, program)| {
        let states = field.presence_states(place).into_iter();
        let runs =
            states.map(|state| (at(program, state.since), state.presence.phrase().to_owned()));
        runs.collect()
    });
    field.presence_known.then(|| ("presence", runs.collect()))
}

fn quirks(site: &Site<'_>, field: &Field) -> Vec<Runs> {
    if field.quirks.is_empty() {
        return Vec::new();
    }
    by_release(site, |program, release| {
        let key = &site.api.programs[program].key;
        let reached = |version: StableVersion| version <= release;
        let own = field.quirks.iter().filter(|quirk| quirk.program == *key);
        let now = own
            .filter(|quirk| quirk.since.is_none_or(reached) && !quirk.until.is_some_and(reached));
        let sent: Vec<String> = now.map(|quirk| quirk.sends.replace('_', " ")).collect();
        Some(if sent.is_empty() { "as listed".to_owned() } else { sent.join(", ") })
    })
}

/// The facts that some program changed. Where a program changed nothing about one, it reads as it does today.
fn in_place(site: &Site<'_>, item: &Item) -> Vec<(&'static str, Vec<Runs>)> {
    let changes = item.life.iter().flat_map(|life| &life.changed);
    let changes = changes.filter(|change| {
        change.what != ChangedFact::Presence && !fedispec_model::auth::is_of(change.what)
    });
    let mut today = Vec::new();
    for change in changes {
        today.retain(|(what, _)| *what != change.what);
        today.push((change.what, change.to_text()));
    }
    let facts = today.into_iter().map(|(what, today)| {
        let runs = by_release(site, |program, release| {
            let own = item.life.get(program).map_or(&[][..], |life| &life.changed);
            if own.iter().any(|change| change.what == what) {
                state_at(own, what, release).map(|value| what.text(value))
            } else {
                today.clone()
            }
        });
        (what.name(), runs)
    });
    facts.collect()
}

/// Whether a release heeds what it accepts, and whether it discourages it.
fn use_of(site: &Site<'_>, item: &Item) -> Option<(&'static str, Vec<Runs>)> {
    let has_some =
        |life: &fedispec_model::api::Life| life.works_since.is_some() || life.deprecated.is_some();
    let text = |program: usize, release| {
        let life = item.life.get(program)?;
        let is_heeded = life.works_since == Some(Since::Unknown) || life.works_at(release);
        let is_discouraged = life.deprecated.is_some_and(|version| version <= release);
        Some(match (is_heeded, is_discouraged) {
            (false, _) if life.is_stub_at(release) => "always empty".to_owned(),
            (false, _) => "accepted and ignored".to_owned(),
            (true, true) => "discouraged".to_owned(),
            (true, false) => "works".to_owned(),
        })
    };
    let is_told = item.life.iter().any(has_some);
    is_told.then(|| ("use", by_release(site, text)))
}

/// The place of a state's first release.
fn at(program: &Program, since: Option<StableVersion>) -> usize {
    since.map_or(0, |since| index(program, since))
}

/// The runs of a text that is worked out for every release. What has no text reads as nothing.
fn by_release(site: &Site<'_>, text: impl Fn(usize, StableVersion) -> Option<String>) -> Vec<Runs> {
    let programs = site.api.programs.iter().enumerate();
    let runs = programs.map(|(place, program)| {
        let mut runs: Runs = Vec::new();
        for (i, release) in program.releases.iter().enumerate() {
            let text = text(place, release.version).unwrap_or_default();
            if runs.last().is_none_or(|(_, last)| *last != text) {
                runs.push((i, text));
            }
        }
        runs
    });
    runs.collect()
}
