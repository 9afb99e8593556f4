//! Writes the rows that need no decision into the supplement, and registers the release.
//!
//! Nothing that the catalogue states is overwritten but `never` and `unknown`, which say that nobody saw it yet, and a fact that the older
//! source says too and the newer one otherwise. A file that the check would refuse is not left behind.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fedispec_model::api::{Layer, Release};
use fedispec_reader::layout::layout;
use fedispec_reader::load;
use fedispec_reader::registry::registered;
use fedispec_reader::source::FileId;
use fedispec_since::StableVersion;

use crate::error::Error;
use crate::row::{Edit, How, Proposal, scalar};

/// The result of writing.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The files that changed, relative to the catalogue's folder.
    pub files: Vec<String>,
    /// How many rows went in.
    pub rows: usize,
    /// Places that state something else already: they stay as they are.
    pub kept: Vec<String>,
    /// The release is new in the registry.
    pub registered: bool,
}

/// Writes what is ready into the catalogue.
///
/// # Errors
///
/// When a file cannot be read or written, or the catalogue would not be sound. Then it is as before.
pub fn write(spec: &Path, proposal: &Proposal) -> Result<Written, Error> {
    let mut written = Written::default();
    let mut texts: BTreeMap<String, Changed> = BTreeMap::new();
    for row in proposal.rows.iter().filter(|row| row.is_ready()) {
        let Some(file) = row.file.strip_prefix("spec/") else {
            continue;
        };
        let text = changed(spec, &mut texts, file)?;
        let (mut now, mut is_whole) = (text.now.clone(), true);
        for edit in &row.edits {
            if let Some(next) = applied(file, &now, edit) {
                now = next;
            } else {
                is_whole = false;
                written.kept.push(format!("{file}: {}", edit.path.join(" > ")));
            }
        }
        // The lines that a row replaces belong together with those that tell of the change.
        if is_whole || row.edits.iter().all(|edit| edit.how == How::Fill) {
            text.now = now;
            written.rows += 1;
        }
    }
    for (file, text) in &mut texts {
        text.now = layout(file, &text.now)
            .map_err(|_| Error(format!("{file} would be no YAML; nothing was written")))?;
    }
    if let Some(text) = registry(spec, proposal)? {
        written.registered = true;
        changed(spec, &mut texts, REGISTRY)?.now = text;
    }
    texts.retain(|_, text| text.now != text.before);
    written.kept.sort();
    written.kept.dedup();
    written.files = texts.keys().cloned().collect();
    store(spec, &texts)?;
    Ok(written)
}

const REGISTRY: &str = "implementations.yaml";

/// A file's text, before and now.
struct Changed {
    before: String,
    now: String,
}

fn changed<'t>(
    spec: &Path,
    texts: &'t mut BTreeMap<String, Changed>,
    file: &str,
) -> Result<&'t mut Changed, Error> {
    if !texts.contains_key(file) {
        let path = spec.join(file);
        let before = fs::read_to_string(&path);
        let before =
            before.map_err(|error| Error(format!("cannot read {}: {error}", path.display())))?;
        let now = before.clone();
        texts.insert(file.to_owned(), Changed { before, now });
    }
    texts.get_mut(file).ok_or_else(|| Error(format!("{file} was not read")))
}

/// Writes the files, and takes them back where the catalogue is not sound with them.
fn store(spec: &Path, texts: &BTreeMap<String, Changed>) -> Result<(), Error> {
    let back = || {
        for (file, text) in texts {
            // The first error is the one that is told.
            let _ = fs::write(spec.join(file), &text.before);
        }
    };
    for (file, text) in texts {
        let path = spec.join(file);
        if let Err(error) = fs::write(&path, &text.now) {
            back();
            return Err(Error(format!(
                "cannot write {}: {error}; nothing was changed",
                path.display()
            )));
        }
    }
    fedispec_reader::open(spec, Layer::Full).map(|_| ()).map_err(|failure| {
        back();
        Error(format!(
            "{failure}\nthe catalogue would not be sound with these rows; nothing was changed"
        ))
    })
}

/// The registry with the release in it; `None` where it is there already.
fn registry(spec: &Path, proposal: &Proposal) -> Result<Option<String>, Error> {
    let (catalogue, api) = crate::open(spec)?;
    let (_, program) = crate::ours::program(&api, &proposal.program)?;
    let version = proposal.version.parse();
    let version = version.map_err(|error| Error(format!("`{}`: {error}", proposal.version)))?;
    if program.releases.iter().any(|release| release.version == version) {
        return Ok(None);
    }
    let release = Release { version, date: Some(proposal.date.clone()), api: proposal.api };
    let text = registered(&catalogue, program, &release).ok_or_else(|| {
        Error(format!("{REGISTRY} lists no release of {} to write {version} beside", program.name))
    })?;
    let source = format!("{}-source", program.key);
    Ok(Some(read_up_to(&text, &source, version).unwrap_or(text)))
}

/// The registry with a source of facts that was read up to a release: `v0.1.0 to v0.19.2`. `None` where it says nothing of the kind, or
/// a newer one.
fn read_up_to(text: &str, source: &str, version: StableVersion) -> Option<String> {
    let (sources, _, _) = load::parse(REGISTRY, text);
    let value = sources.span(FileId(0), &["sources", source, "revision"])?.value;
    let stated = text.get(value.clone())?;
    let (from, to) = stated.rsplit_once(" to v")?;
    let to: StableVersion = to.trim_matches(['"', '\'']).parse().ok()?;
    let quote = if stated.ends_with(['"', '\'']) { &stated[stated.len() - 1..] } else { "" };
    (to < version).then(|| spliced(text, value, &format!("{from} to v{version}{quote}")))
}

/// The text with an edit; `None` where something else stands in its place.
fn applied(file: &str, text: &str, edit: &Edit) -> Option<String> {
    let (sources, _, _) = load::parse(file, text);
    let path: Vec<&str> = edit.path.iter().map(String::as_str).collect();
    let there = (0..=path.len())
        .rev()
        .find_map(|depth| Some((depth, sources.span(FileId(0), &path[..depth])?)));
    let (depth, span) = there?;
    let value = span.value;
    let stated = text.get(value.clone())?;
    if depth == path.len() {
        return match stated.trim() {
            "never" | "unknown" if edit.how != How::Append => {
                Some(spliced(text, value, &edit.value))
            }
            _ if edit.how == How::Replace => Some(spliced(text, value, &edit.value)),
            _ if edit.how == How::Append && stated.contains(&edit.value) => Some(text.to_owned()),
            list if edit.how == How::Append && list.starts_with('-') => {
                let line_start = text[..value.start].rfind('\n').map_or(0, |end| end + 1);
                let indent = " ".repeat(value.start - line_start);
                let end = value.start + stated.trim_end().len();
                Some(spliced(text, end..end, &format!("\n{indent}- {}", edit.value)))
            }
            _ if edit.how == How::Append => {
                let end = value.start + stated.trim_end().strip_suffix(']')?.len();
                let separator = if stated.trim_end().ends_with("[]") { "" } else { ", " };
                Some(spliced(text, end..end, &format!("{separator}{}", edit.value)))
            }
            same if same == edit.value => Some(text.to_owned()),
            _ => None,
        };
    }
    let (first, rest) = path[depth..].split_first()?;
    let value_text =
        if edit.how == How::Append { format!("[{}]", edit.value) } else { edit.value.clone() };
    let inner =
        rest.iter().rev().fold(value_text, |inner, name| format!("{{{}: {inner}}}", scalar(name)));
    let entry = format!("{}: {inner}", scalar(first));
    let trimmed = stated.trim_end();
    if let Some(open) = trimmed.strip_suffix('}').filter(|_| trimmed.starts_with('{')) {
        let separator = if open.trim_end() == "{" { "" } else { ", " };
        let at = value.start + open.trim_end().len();
        return Some(spliced(text, at..at, &format!("{separator}{entry}")));
    }
    // A map in block style begins with its first key; what is no map has no keys.
    let first_line = trimmed.lines().next()?;
    if !first_line.contains(':') || trimmed.starts_with(['"', '\'', '[']) {
        return None;
    }
    let line_start = text[..value.start].rfind('\n').map_or(0, |end| end + 1);
    let indent = " ".repeat(value.start - line_start);
    let end = value.start + trimmed.len();
    let end = text[end..].find('\n').map_or(text.len(), |line| end + line);
    Some(spliced(text, end..end, &format!("\n{indent}{entry}")))
}

fn spliced(text: &str, at: std::ops::Range<usize>, with: &str) -> String {
    let mut text = text.to_owned();
    text.replace_range(at, with);
    text
}

#[cfg(test)]
mod tests {
    use super::applied;
    use crate::row::Edit;

    const TEXT: &str = "area: lists\noperations:\n  lists.get:\n    since: {mastodon: \"2.1.0\", gotosocial: never}\n    params:\n      id: {in: path}\n      # kept\n      limit:\n        in: query\n\n  lists.all:\n    since: {}\n    changed: {gotosocial: [{in: \"0.1.0\"}]}\n";

    fn with(path: &[&str], value: &str) -> Option<String> {
        applied("a.yaml", TEXT, &Edit::new(path.iter().copied(), value))
    }

    #[test]
    fn never_gives_way_and_nothing_else_does() {
        let now = with(&["operations", "lists.get", "since", "gotosocial"], "\"0.20.0\"")
            .expect("written");
        assert!(now.contains("{mastodon: \"2.1.0\", gotosocial: \"0.20.0\"}"), "{now}");
        assert_eq!(with(&["operations", "lists.get", "since", "mastodon"], "\"9.9.9\""), None);
        assert_eq!(with(&["operations", "lists.get", "params", "id", "in", "x"], "1"), None);
    }

    #[test]
    fn an_entry_goes_where_its_map_ends() {
        let now =
            with(&["operations", "lists.get", "params", "limit", "since", "gotosocial"], "never")
                .expect("written");
        assert!(
            now.contains("        in: query\n        since: {gotosocial: never}\n\n  lists.all"),
            "{now}"
        );
        let now = with(&["operations", "lists.all", "since", "gotosocial"], "\"0.20.0\"")
            .expect("written");
        assert!(now.contains("since: {gotosocial: \"0.20.0\"}\n"), "{now}");
        let now =
            with(&["operations", "lists.get", "evidence", "gotosocial"], "x").expect("written");
        assert!(
            now.contains("        in: query\n    evidence: {gotosocial: x}\n\n  lists.all"),
            "{now}"
        );
        let now = with(&["entities", "List", "since"], "x").expect("written");
        assert!(now.ends_with("[{in: \"0.1.0\"}]}\nentities: {List: {since: x}}\n"), "{now}");
    }

    #[test]
    fn a_change_goes_behind_the_others() {
        let edit =
            Edit::append(["operations", "lists.all", "changed", "gotosocial"], "{in: \"0.20.0\"}");
        let now = applied("a.yaml", TEXT, &edit).expect("written");
        assert!(now.contains("[{in: \"0.1.0\"}, {in: \"0.20.0\"}]"), "{now}");
        assert_eq!(applied("a.yaml", &now, &edit).as_ref(), Some(&now));
        let block = TEXT.replace("[{in: \"0.1.0\"}]}", "\n        - {in: \"0.1.0\"}");
        let block = block.replace("changed: {gotosocial: \n", "changed:\n      gotosocial:\n");
        let now = applied("a.yaml", &block, &edit).expect("written");
        assert!(now.ends_with("        - {in: \"0.1.0\"}\n        - {in: \"0.20.0\"}\n"), "{now}");
    }

    #[test]
    fn what_the_older_source_says_too_gives_way() {
        let edit = Edit::replace(["operations", "lists.get", "since", "mastodon"], "\"9.9.9\"");
        let now = applied("a.yaml", TEXT, &edit).expect("written");
        assert!(now.contains("since: {mastodon: \"9.9.9\", gotosocial: never}"), "{now}");
    }
}
