//! Edits of the real catalogue, and the verdict of each as the design of the rules has it, severity and bump included.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fedispec_model::api::{Api, Layer};

use super::measured::{held, surface};
use super::support::real;

/// An edit of one file, and what is found.
struct Verdict {
    line: usize,
    file: String,
    item: String,
    from: String,
    to: String,
    found: Vec<String>,
}

fn verdicts() -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = Vec::new();
    for (number, line) in include_str!("verdicts.txt").lines().enumerate() {
        if let Some(found) = line.strip_prefix("  ") {
            let verdict = verdicts.last_mut().expect("an edit before it");
            verdict.found.push(found.to_owned());
        } else if !line.is_empty() && !line.starts_with('#') {
            let (place, edit) = line.split_once(": ").expect("FILE ITEM: OLD => NEW");
            let (file, item) = place.split_once(' ').expect("FILE ITEM");
            let (from, to) = edit.split_once(" =>").expect("OLD => NEW");
            verdicts.push(Verdict {
                line: number + 1,
                file: format!("supplement/{file}.yaml"),
                item: item.to_owned(),
                from: from.replace("\\n", "\n"),
                to: to.strip_prefix(' ').unwrap_or(to).replace("\\n", "\n"),
                found: Vec::new(),
            });
        }
    }
    verdicts
}

/// The real catalogue with all edits at once: each is of another item.
fn edited(verdicts: &[Verdict]) -> Api {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
    let copy = tempfile::tempdir().expect("a temporary folder");
    for file in fedispec_reader::load::files(&spec).expect("the catalogue") {
        let to = copy.path().join(&file);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::copy(spec.join(file), to).expect("copies");
    }
    for verdict in verdicts {
        let path = copy.path().join(&verdict.file);
        let text = fs::read_to_string(&path).expect("the file");
        let Verdict { line, item, from, to, .. } = verdict;
        let at = text.find(&format!("\n  {item}:\n"));
        let at = at.unwrap_or_else(|| panic!("line {line}: no {item}"));
        let (before, behind) = text.split_at(at + 1);
        let end = behind[3..].find("\n\n").map_or(behind.len(), |end| end + 3);
        assert!(behind[..end].contains(from), "line {line}: {item} has no {from}");
        fs::write(path, format!("{before}{}", behind.replacen(from, to, 1))).expect("writes");
    }
    match fedispec_reader::open(copy.path(), Layer::Full) {
        Ok((_, api)) => Api { features: Vec::new(), ..api.typed() },
        Err(failure) => panic!("{failure}"),
    }
}

#[test]
fn each_edit_is_judged_as_it_was_fixed_beforehand() {
    let verdicts = verdicts();
    assert!(verdicts.len() >= 100, "{} edits", verdicts.len());
    let new = edited(&verdicts);
    // The edits are of items, and some take away what features need.
    let old = Api { features: Vec::new(), ..real().clone() };
    let report = held(&old, &new, &surface(&old).measure(&surface(&new)));
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for entry in &report.changes {
        let change = &entry.change;
        let program = change.implementation.as_ref().map(|program| format!(" {program}"));
        let line = format!(
            "{} {}{} {} {}",
            change.rule.rule().id,
            change.item.id,
            program.unwrap_or_default(),
            change.severity.name(),
            change.bump.name(),
        );
        *found.entry(line).or_default() += 1;
    }
    let mut wrong = Vec::new();
    for verdict in &verdicts {
        for expected in &verdict.found {
            match found.get_mut(expected) {
                Some(count) if *count > 0 => *count -= 1,
                _ => wrong.push(format!("line {}: missing: {expected}", verdict.line)),
            }
        }
    }
    let more = found.into_iter().filter(|(_, count)| *count > 0);
    wrong.extend(more.map(|(line, _)| format!("found besides: {line}")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
