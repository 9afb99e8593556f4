//! Comparison of two versions of a program, of two programs, and of two states of a server's document.

use fedispec_diff::parity::parity as compare_programs;
use fedispec_diff::releases::{Releases, releases as compare_releases};
use fedispec_diff::rules::Severity;
use fedispec_model::api::Layer;
use fedispec_openapi::read;
use fedispec_report::diff::render::json::Document;
use fedispec_report::diff::render::notes::{Style, notes};
use fedispec_report::diff::render::parity::parity as parity_text;
use fedispec_report::diff::render::{View, github, html};

use super::args::{DiffArgs, Format, Show, release};
use super::{judge, outputs};
use crate::failure::Failure;
use crate::place::Source;

pub(super) fn releases(
    source: &Source,
    args: &DiffArgs,
    program: &str,
    (from, to): (&str, &str),
) -> Result<(), Failure> {
    args.only_about_states(&[])?;
    let api = source.api(Layer::Full)?;
    let (older, newer) = (release(&api, program, from)?, release(&api, program, to)?);
    if older > newer {
        return Err(Failure::Other(format!("{from} is newer than {to}; write `{to}..{from}`")));
    }
    let Some(mut found) = compare_releases(&api, program, older, newer) else {
        return Err(Failure::Other(format!("the catalogue does not know the program `{program}`")));
    };
    told(args, &mut found).map(drop)
}

/// Compares two states of a server's OpenAPI document, as two releases of that server.
pub(super) fn documents(source: &Source, args: &DiffArgs, texts: [&str; 2]) -> Result<(), Failure> {
    args.only_about_states(&["--fail-on"])?;
    let api = source.api(Layer::Full)?;
    let (server, versions) = read::releases(&api, texts).map_err(Failure::Other)?;
    let [before, after] = read::RELEASES;
    let Some(mut found) = compare_releases(&server, read::PROGRAM, before, after) else {
        return Err(Failure::Other("the documents describe no server".into()));
    };
    [found.from.version, found.to.version] = versions;
    found.events.iter_mut().for_each(|event| event.version = None);
    let count = |severity| found.events.iter().filter(|one| one.severity == severity).count();
    let worst = found.events.iter().map(|event| event.severity).max();
    let counts = [Severity::Breaking, Severity::Risky, Severity::Compatible].map(count);
    if told(args, &mut found)? {
        let [breaking, risky, compatible] = counts;
        let counts = format!("breaking={breaking}\nrisky={risky}\ncompatible={compatible}\n");
        outputs::append("GITHUB_OUTPUT", &counts)?;
    }
    judge::document(worst, &args.fail_on)
}

/// Prints the events that are asked for. Returns whether that is for a job on GitHub.
fn told(args: &DiffArgs, found: &mut Releases) -> Result<bool, Failure> {
    let view = globs(args);
    found.events.retain(|event| view.admits(event.rule.rule().id, &event.item.id));
    found.unknown.retain(|id| view.admits("unknown", id));
    print(args, &Document::Program(found), |style| notes(found, style))?;
    let is_asked = args.formats.contains(&Format::Github);
    if is_asked {
        outputs::summary(&notes(found, MARKDOWN))?;
    }
    Ok(is_asked)
}

pub(super) fn parity(
    source: &Source,
    args: &DiffArgs,
    a: &(String, String),
    b: &(String, String),
) -> Result<(), Failure> {
    args.only_about_states(&[])?;
    if a.0 == b.0 {
        return Err(Failure::Other(format!(
            "both sides are {}; write `--program {} {}..{}`",
            a.0, a.0, a.1, b.1
        )));
    }
    let api = source.api(Layer::Full)?;
    let (of_a, of_b) = (release(&api, &a.0, &a.1)?, release(&api, &b.0, &b.1)?);
    let Some(mut found) = compare_programs(&api, (&a.0, of_a), (&b.0, of_b)) else {
        return Err(Failure::Other("the catalogue does not know both programs".into()));
    };
    let view = globs(args);
    found
        .differences
        .retain(|difference| view.admits(difference.relation.name(), &difference.item.id));
    found.lag.retain(|lag| view.admits("lag", &lag.item));
    print(args, &Document::Parity(&found), |style| parity_text(&found, style))
}

/// Notes as a page or a job summary.
const MARKDOWN: Style = Style { color: false, markdown: true, unknown: false };

fn globs(args: &DiffArgs) -> View {
    View { only: args.only.clone(), skip: args.skip.clone(), ..View::default() }
}

fn print(
    args: &DiffArgs,
    document: &Document<'_>,
    text: impl Fn(Style) -> String,
) -> Result<(), Failure> {
    let unknown = args.show.contains(&Show::Unknown);
    outputs::write(&outputs::targets(args)?, |format, to_stdout| {
        let style = |color, markdown| Style { color, markdown, unknown };
        Ok(match format {
            Format::Text => text(style(args.color() && to_stdout, false)),
            Format::Markdown => text(style(false, true)),
            Format::Html => html::page(&text(style(false, true))),
            Format::Json => document.json().map_err(Failure::other)?,
            Format::Github if let Document::Program(found) = document => github::releases(found),
            _ => {
                return Err(Failure::Other(
                    "programs can be compared as text, markdown, html and json only, and releases of one as github too"
                        .into(),
                ));
            }
        })
    })
}
