//! The registry of programs: how a release is added to its text.

use std::ops::Range;

use fedispec_model::api::{Program, Release};
use fedispec_since::StableVersion;

use crate::load::Catalogue;

/// The text of implementations.yaml with the release in its place, and with a statement of what was looked at where there was none.
/// Comments and layout stay. Nothing where no release is listed, whose layout could be followed.
pub fn registered(catalogue: &Catalogue, program: &Program, release: &Release) -> Option<String> {
    let version = release.version;
    let date = release.date.as_ref().map(|date| format!("date: \"{date}\""));
    let number = release.api.map(|api| format!("api: {api}"));
    let facts: Vec<_> = date.into_iter().chain(number).collect();
    let entry = format!("\"{version}\": {{{}}}", facts.join(", "));
    let registered = catalogue.implementations.programs.get(&program.key)?;
    let (sources, file) = (&catalogue.sources, catalogue.registry(registered.file));
    let text = sources.text(file);
    let line = |byte: usize| sources.line_col(file, byte).0;
    let list = sources.span(file, &["programs", &program.key, "releases"])?;
    let listed = |version: StableVersion| {
        let version = version.to_string();
        sources.span(file, &["programs", &program.key, "releases", &version])
    };
    let mut versions = program.releases.iter().map(|release| release.version);
    let older = versions.clone().rev().find(|known| *known < version);
    let is_block = |inner: &Range<usize>| line(inner.start) != line(list.name().start);
    let (at, added) = if let Some(older) = older {
        let older = listed(older)?;
        if is_block(&older.name()) {
            let end = text[older.value.end..].find('\n');
            let end = end.map_or(text.len(), |end| older.value.end + end);
            (end, format!("\n{}{entry}", indent(text, &older.name())))
        } else {
            (older.value.end, format!(", {entry}"))
        }
    } else {
        let newer = listed(versions.next()?)?;
        if is_block(&newer.name()) {
            let indent = indent(text, &newer.name());
            (newer.name().start, format!("{entry}\n{indent}"))
        } else {
            (newer.name().start, format!("{entry}, "))
        }
    };
    let mut text_now = text.to_owned();
    text_now.insert_str(at, &added);
    if program.looked_at.is_none()
        && let Some(looked_at) = program.newest_looked_at()
    {
        let name = list.name();
        let around = sources.span(file, &["programs", &program.key])?;
        let separator = if line(around.name().start) == line(name.start) {
            ", ".to_owned()
        } else {
            format!("\n{}", indent(text, &name))
        };
        let stated = format!("looked_at: \"{looked_at}\"{separator}");
        text_now.insert_str(name.start, &stated);
    }
    Some(text_now)
}

/// Returns the text before a node on its line.
fn indent<'t>(text: &'t str, node: &Range<usize>) -> &'t str {
    let line = text[..node.start].rfind('\n').map_or(0, |end| end + 1);
    &text[line..node.start]
}
