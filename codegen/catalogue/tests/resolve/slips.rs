//! One slip of the hand anywhere in a sound catalogue is told once, and close to where it is.

use std::fs;
use std::path::{Path, PathBuf};

use fedispec_model::api::Layer;
use fedispec_reader::open;

/// The lines of a file, of which one is written otherwise.
struct Slip<'t> {
    lines: &'t [&'t str],
    at: usize,
    kind: &'static str,
    written: String,
}

impl Slip<'_> {
    fn text(&self) -> String {
        let lines = self.lines.iter().enumerate();
        let lines = lines.map(|(at, line)| if at == self.at { &self.written } else { *line });
        lines.fold(String::new(), |text, line| text + line + "\n")
    }
}

/// The line without one of the characters, at each place where one stands.
fn without(line: &str, signs: &str) -> Vec<String> {
    let places = line.char_indices().filter(|(_, sign)| signs.contains(*sign));
    places.map(|(at, sign)| line[..at].to_owned() + &line[at + sign.len_utf8()..]).collect()
}

/// The line with each of its keys misspelt.
fn misspelt(line: &str) -> Vec<String> {
    let ends = line.match_indices(": ").map(|(at, _)| at);
    let keys = ends.filter_map(|end| {
        let start = line[..end].rfind([' ', '{', '.']).map_or(0, |at| at + 1);
        let key = &line[start..end];
        // That the name of an item is another one is known where the catalogue was generated before.
        let is_item = line[end..].starts_with(": {") && line[..start].trim().is_empty();
        let is_fact = !is_item
            && key.len() > 3
            && key.bytes().all(|one| one.is_ascii_lowercase() || one == b'_');
        is_fact.then(|| line[..=start].to_owned() + &line[start + 2..])
    });
    keys.collect()
}

/// The line with each of its values that are one word misspelt.
fn miswritten(line: &str) -> Vec<String> {
    let starts = line.match_indices([' ', '|']).map(|(at, _)| at + 1);
    let words = starts.filter_map(|start| {
        let rest = &line[start..];
        let length =
            rest.bytes().take_while(|one| one.is_ascii_lowercase() || *one == b'_').count();
        let ends = rest[length..].chars().next().is_none_or(|end| ",]}".contains(end));
        let is_word = length > 3
            && ends
            && !["summary:", "when:", "text:", "so:", "notes:"]
                .iter()
                .any(|key| line[..start].contains(key));
        is_word.then(|| line[..=start].to_owned() + &line[start + 2..])
    });
    words.collect()
}

/// The line with each of its releases as one that is not registered, and without quotes.
fn other_releases(line: &str) -> Vec<String> {
    // The release of a key is registered there.
    let ends = line.match_indices(".0\"").map(|(at, _)| at);
    let ends = ends.filter(|end| !line[end + 3..].starts_with(':'));
    let pairs = ends.filter_map(|end| {
        let start = line[..end].rfind('"')?;
        let (before, version, behind) = (&line[..start], &line[start + 1..end], &line[end + 3..]);
        Some([format!("{before}\"{version}.7\"{behind}"), format!("{before}{version}.0{behind}")])
    });
    pairs.flatten().collect()
}

fn slips<'t>(lines: &'t [&'t str], at: usize) -> Vec<Slip<'t>> {
    let line = lines[at];
    let mut all = vec![
        ("deeper", format!("  {line}")),
        ("with a tab", line.replacen("  ", "\t", 1)),
        ("twice", format!("{line}\n{line}")),
    ];
    all.extend(line.strip_prefix("  ").map(|line| ("less deep", line.to_owned())));
    for (kind, signs) in
        [("without a quote", "\"'"), ("without a bracket", "{}[]"), ("without a sign", ":,")]
    {
        all.extend(without(line, signs).into_iter().map(|line| (kind, line)));
    }
    for (kind, written) in [
        ("with a misspelt key", misspelt(line)),
        ("with a misspelt word", miswritten(line)),
        ("with another release", other_releases(line)),
    ] {
        all.extend(written.into_iter().map(|line| (kind, line)));
    }
    all.retain(|(_, written)| written != line);
    all.into_iter().map(|(kind, written)| Slip { lines, at, kind, written }).collect()
}

#[test]
fn one_slip_is_one_problem() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/spec");
    let folder = tempfile::tempdir().unwrap();
    let files = ["implementations.yaml", "documents/all.yaml", "supplement/all.yaml"];
    let place = |name: &str| -> PathBuf { folder.path().join(name) };
    for name in files {
        fs::create_dir_all(place(name).parent().unwrap()).unwrap();
        fs::copy(golden.join(name), place(name)).unwrap();
    }
    let mut wrong = Vec::new();
    let mut count = 0;
    for name in files {
        let sound = fs::read_to_string(golden.join(name)).unwrap();
        let lines: Vec<_> = sound.lines().collect();
        let written = (0..lines.len())
            .filter(|at| !lines[*at].trim_start().is_empty() && !lines[*at].starts_with('#'));
        for slip in written.flat_map(|at| slips(&lines, at)) {
            fs::write(place(name), slip.text()).unwrap();
            count += 1;
            let Err(failure) = open(folder.path(), Layer::Full) else { continue };
            let found = failure.report.diagnostics();
            let lines_off = |file, start: usize| {
                let text = failure.sources.text(file).get(..start).unwrap_or_default();
                let is_here = failure.sources.path(file).ends_with(name);
                is_here.then(|| text.matches('\n').count().abs_diff(slip.at))
            };
            let is_near = found.iter().any(|one| {
                let related = one.related.iter().map(|one| (one.file, one.span.start));
                let mut places = related.chain([(one.file, one.span.start)]);
                places.any(|(file, start)| lines_off(file, start).is_some_and(|off| off <= 3))
            });
            if found.len() > 1 || !is_near {
                let told = found.iter().map(|one| format!("    {}", one.short(&failure.sources)));
                let told = told.collect::<Vec<_>>().join("\n");
                wrong.push(format!(
                    "{name}:{} {}: {}\n{told}",
                    slip.at + 1,
                    slip.kind,
                    slip.written
                ));
            }
        }
        fs::write(place(name), sound).unwrap();
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
