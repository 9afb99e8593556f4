//! `diff`: a report of changes in the catalogue and their consequences.

mod args;
mod git;
mod judge;
mod outputs;
mod programs;
mod side;
mod used;

use std::collections::BTreeMap;
use std::path::Path;

use fedispec_codegen::emit;
use fedispec_diff::rules::{IMPOSSIBLE, RULES, find};
use fedispec_diff::used_by::Usage;
use fedispec_diff::{Options, compare};
use fedispec_model::api::Api;
use fedispec_model::suggest::nearest;
use fedispec_report::diff::accept::{End, Subject};
use fedispec_report::diff::assemble::{self, Known};
use fedispec_report::diff::locate::State;
use fedispec_report::diff::render::{Explained, View, json, rules};
use fedispec_report::diff::surface::{Measured, Surface};
use fedispec_since::StableVersion;

use crate::accept::{CHANGES, File};
use crate::failure::Failure;
use crate::output;
use crate::place::Source;
pub(crate) use args::DiffArgs;
use args::{Format, Question};
use outputs::Printed;
use side::{Loaded, Sides};

const HEAD: &str = "\
# Changes of the catalogue that were looked at and accepted; `cargo xtask diff --accept FP --reason TEXT` adds one.
# An entry ends with the crate's next release (`until`), or counts only against one base (`base`).
";

/// Runs the command. Only comparisons of revisions need a checkout, so the source is looked up lazily.
pub(crate) fn run(
    source: impl Fn() -> Result<Source, Failure>,
    args: &DiffArgs,
) -> Result<(), Failure> {
    if let Some(rule) = &args.explain {
        return output::stdout(&explain(rule)?);
    }
    if args.formats.contains(&Format::JsonSchema) {
        let schema = json::schema().map_err(Failure::other)?;
        return outputs::write(&outputs::targets(args)?, |_, _| Ok(schema.clone()));
    }
    match args.question()? {
        Question::Program(program, from, to) => {
            programs::releases(&source()?, args, &program, (&from, &to))
        }
        Question::Programs(a, b) => programs::parity(&source()?, args, &a, &b),
        Question::Files(old, new) => match side::documents(&old, &new)? {
            Some([before, after]) => programs::documents(&source()?, args, [&before, &after]),
            None => states(&side::folder(&new), args, &side::files(&old, &new)?),
        },
        Question::Revisions(old, new) => {
            let place = source()?.place()?;
            states(&place.spec, args, &side::revisions(&place, &old, new.as_deref())?)
        }
    }
}

fn explain(rule: &str) -> Result<String, Failure> {
    if rule == "all" {
        return Ok(rules());
    }
    if let Some(rule) = find(rule) {
        return Ok(Explained(rule).to_string());
    }
    if let Some((id, why)) = IMPOSSIBLE.iter().find(|(id, _)| *id == rule) {
        return Ok(format!("{id}: never reported\n  {why}\n"));
    }
    let known = || RULES.iter().map(|rule| rule.id);
    let alike = |known: &&str| known.contains(rule) || rule.contains(known);
    let mut near: Vec<_> = known().filter(alike).take(5).collect();
    near.extend(nearest(rule, known()).filter(|_| near.is_empty()));
    if near.is_empty() {
        near = like_words(rule);
    }
    let near =
        if near.is_empty() { String::new() } else { format!("; there is {}", near.join(", ")) };
    Err(Failure::Other(format!("there is no rule `{rule}`{near}; `--explain all` lists them")))
}

/// The rules that share the most words with a name: `nullable-field` means `field-became-nullable`.
fn like_words(name: &str) -> Vec<&'static str> {
    let words: Vec<&str> = name.split(['-', '_', ' ']).filter(|word| word.len() > 2).collect();
    let shared = |id: &str| id.split('-').filter(|part| words.contains(part)).count();
    let most = RULES.iter().map(|rule| shared(rule.id)).max().unwrap_or(0);
    let best = RULES.iter().filter(|rule| most > 0 && shared(rule.id) == most);
    best.map(|rule| rule.id).take(5).collect()
}

/// Compares two states. Accepted changes are read from the newer one's folder.
fn states(folder: &Path, args: &DiffArgs, sides: &Sides) -> Result<(), Failure> {
    let targets = outputs::targets(args)?;
    let accepted = File::read(folder, CHANGES)?;
    let (old, new) = (&sides.old.api, &sides.new.api);
    let floors = args.floors(&[old, new])?;
    let options = Options {
        old_floors: floors.clone(),
        new_floors: floors,
        freeze: accepted.accepts.freeze.clone(),
    };
    let found = compare(old, new, &options);
    let measured = args.measures(&found).then(|| measured(old, new, &options)).transpose()?;
    let states = [state(&sides.old), state(&sides.new)];
    let known = Known {
        states: Some(states.each_ref()),
        measured: measured.as_ref(),
        declared: sides.declared(),
        ..Known::default()
    };
    if !args.accept.is_empty() {
        let report = assemble::report(found, &known);
        let reason = args.reason.as_deref().unwrap_or_default();
        let subjects: Vec<_> = report.changes.iter().map(Subject::from).collect();
        let end = End::Release(report.head.version.clone());
        let told = accepted.add(HEAD, &subjects, &args.accepted(), reason, &end)?;
        return output::stdout(&told);
    }
    let sources = args.used_by.as_deref().map(used::rust_sources).transpose()?;
    let usage = sources.as_deref().map(|sources| Usage::of(old, new, sources));
    let name = args.used_by.as_deref().map(|folder| folder.display().to_string());
    let report = assemble::report(
        found,
        &Known {
            accepted: Some((&accepted.accepts, sides.now())),
            usage: name.as_deref().zip(usage.as_ref()),
            ..known
        },
    );
    let view = View {
        docs: args.shows_docs(),
        color: args.color(),
        only: args.only.clone(),
        skip: args.skip.clone(),
        link: sides.link(),
        more: outputs::run_address(),
    };
    outputs::print(&targets, &Printed { report: &report, view: &view })?;
    judge::judge(&report, &args.fail_on)
}

fn state(loaded: &Loaded) -> State<'_> {
    State { api: &loaded.api, catalogue: loaded.catalogue.as_ref(), side: &loaded.side }
}

/// Generates the crate from both states and compares their public items.
fn measured(old: &Api, new: &Api, options: &Options) -> Result<Measured, Failure> {
    let surface = |api: &Api, floors: &BTreeMap<String, StableVersion>| {
        let options = emit::Options { floors: floors.clone(), ..emit::Options::default() };
        let files = emit::files(api, &options).map_err(Failure::other)?;
        Ok::<_, Failure>(Surface::read(&files))
    };
    let before = surface(old, &options.old_floors)?;
    let after = surface(new, &options.new_floors)?;
    Ok(before.measure(&after))
}
