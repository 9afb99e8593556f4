//! The content of the lock file.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::config::releases::Releases;
use crate::config::{Config, Error};
use crate::emit::{Options, Selection};
use fedispec_model::api::{Api, Item, Life, Since, State};
use fedispec_model::change::ChangedFact;
use fedispec_model::resolved;
use fedispec_since::StableVersion;
use serde_json::Value;

/// The facts behind the generated code.
pub(in crate::config) struct Facts {
    /// The text of the file.
    pub(in crate::config) text: String,
    /// The settings in it.
    pub(in crate::config) settings: String,
    /// The facts in it.
    pub(in crate::config) api: Api,
    /// Which releases they are looked at for.
    pub(in crate::config) floors: Releases,
}

/// Gathers them.
pub(in crate::config) fn facts(
    config: &Config,
    projected: &Api,
    options: &Options,
) -> Result<Facts, Error> {
    let api = bare(projected, options);
    let facts = resolved::to_json(&api).map_err(|error| Error::of(&error))?;
    let settings = settings(config, options);
    let written = serde_json::to_string(&settings).map_err(|error| Error::of(&error))?;
    let facts = facts.trim_end();
    Ok(Facts {
        text: format!("{{\"settings\":{written},\n\"facts\":{facts}}}\n"),
        settings,
        api,
        floors: options.floors.clone(),
    })
}

/// The settings that decide which facts count, so that another choice is not taken for a change of the catalogue.
fn settings(config: &Config, options: &Options) -> String {
    let mut text = format!("layer {:?}", config.layer).to_lowercase();
    for (word, releases) in [("floor", &options.floors), ("ceiling", &options.ceilings)] {
        for (program, version) in releases {
            _ = write!(text, " {word} {program} {version}");
        }
    }
    if options.guaranteed_only {
        text += " guaranteed only";
    }
    if let Selection::Only { groups, operations } = &options.selection {
        for (word, names) in [("group", groups), ("operation", operations)] {
            text.extend(names.iter().map(|name| format!(" {word} {name}")));
        }
    }
    text
}

/// The facts alone: neither where they stand nor what proves them, no words about them, and only the releases that
/// occur.
fn bare(projected: &Api, options: &Options) -> Api {
    let mut api = projected.clone();
    api.disputes.clear();
    for feature in &mut api.features {
        feature.summary.clear();
        feature.synonyms.clear();
    }
    let params = api.operations.iter_mut().flat_map(|one| &mut one.params);
    for param in params {
        param.left_out_evidence = None;
        if let Some(left_out) = &mut param.left_out {
            left_out.so = None;
        }
    }
    for error in api.operations.iter_mut().flat_map(|one| &mut one.errors) {
        error.when = None;
        (error.own_when, error.text) = (Vec::new(), Vec::new());
        error.life.iter_mut().for_each(unproven);
    }
    let fields = api.entities.iter_mut().flat_map(|one| &mut one.fields);
    for means in fields.filter_map(|field| field.absent_means.as_mut()) {
        means.evidence = None;
    }
    let operations = api.operations.iter_mut().flat_map(|operation| {
        let params = operation.params.iter_mut().map(|param| &mut param.item);
        std::iter::once(&mut operation.item).chain(params)
    });
    let entities = api.entities.iter_mut().flat_map(|entity| {
        let fields = entity.fields.iter_mut().map(|field| &mut field.item);
        std::iter::once(&mut entity.item).chain(fields)
    });
    let enums = api.enums.iter_mut().flat_map(|enumeration| {
        std::iter::once(&mut enumeration.item).chain(enumeration.values.iter_mut())
    });
    let mut mentioned = vec![BTreeSet::new(); api.programs.len()];
    for item in operations.chain(entities).chain(enums) {
        strip(item);
        for (life, versions) in item.life.iter().zip(&mut mentioned) {
            versions.extend(versions_of(life));
        }
    }
    for error in api.operations.iter().flat_map(|one| &one.errors) {
        for (life, versions) in error.life.iter().zip(&mut mentioned) {
            versions.extend(versions_of(life));
        }
    }
    for (program, mentioned) in api.programs.iter_mut().zip(mentioned) {
        let set = [options.floors.get(&program.key), options.ceilings.get(&program.key)];
        program.releases.retain(|release| {
            mentioned.contains(&release.version) || set.contains(&Some(&release.version))
        });
    }
    let groups: BTreeSet<&str> = api.operations.iter().map(|o| o.group.as_str()).collect();
    api.groups.retain(|group| groups.contains(group.id.as_str()));
    api
}

fn strip(item: &mut Item) {
    item.evidence = None;
    item.summary = None;
    item.notes.clear();
    item.life.iter_mut().for_each(unproven);
}

fn unproven(life: &mut Life) {
    (life.at, life.evidence) = (None, None);
    for (what, held) in &mut life.facts {
        held.evidence = None;
        if *what == ChangedFact::LeftOut
            && let State::Is(Value::Object(left_out)) = &mut held.state
        {
            left_out.remove("so");
        }
    }
}

/// The releases that a life names.
fn versions_of(life: &Life) -> impl Iterator<Item = StableVersion> {
    let points = [Some(life.since), Some(life.effective), life.works_since];
    let versions = points.into_iter().flatten().filter_map(Since::version);
    let holes = life.absent.iter().flat_map(|&(from, until)| [from, until]);
    let changes = life.changed.iter().flat_map(|change| {
        let gaps = change.absent.iter();
        std::iter::once(change.r#in).chain(gaps.flat_map(|&(from, until)| [from, until]))
    });
    let ends = life.deprecated.into_iter().chain(life.removed).chain(life.stub);
    versions.chain(ends).chain(holes).chain(changes)
}
