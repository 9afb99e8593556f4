//! Test vectors: version strings, items, and the verdicts that every implementation must give.

use std::collections::BTreeMap;

use fedispec_runtime::Identity;
use fedispec_since::Verdict;
use serde_json::json;

use crate::judge::Judge;

/// The version of the form.
const SCHEMA: &str = "fedispec-vectors/1";

/// Version strings of servers, each with the name in `NodeInfo` after a tab where one is told.
const STRINGS: &str = include_str!("strings.txt");

/// The number of items asked of each server for each verdict.
const OF_EACH: usize = 3;

/// So far apart are the first items asked of two servers, which are thus others each time.
const STEP: usize = 89;

/// The vectors as JSON, one a line, under the version of their form.
pub(crate) fn vectors(judge: &Judge<'_>) -> String {
    let features = judge.api.features.iter().map(|feature| feature.id.as_str());
    let kinds: [Vec<&str>; 2] = [judge.lives.0.keys().copied().collect(), features.collect()];
    let mut lines = Vec::new();
    for (turn, (version, software)) in strings().enumerate() {
        let standing = judge.standing(&Identity::read(version, software));
        for ids in kinds.iter().filter(|ids| !ids.is_empty()) {
            let mut asked: BTreeMap<_, usize> = BTreeMap::new();
            for id in ids.iter().cycle().skip(turn * STEP % ids.len()).take(ids.len()) {
                let verdict = judge.verdict(standing, id);
                let count = asked.entry(verdict).or_default();
                *count += 1;
                if *count <= OF_EACH {
                    lines.push(line(version, software, id, verdict));
                }
            }
        }
    }
    lines.push(line("1.0.0", None, "nothing.at_all", Verdict::Unknown));
    format!("{{\"schema\":\"{SCHEMA}\",\"vectors\":[\n{}\n]}}\n", lines.join(",\n"))
}

fn line(version: &str, software: Option<&str>, item: &str, verdict: Verdict) -> String {
    format!(
        "{{\"version\":{},\"software\":{},\"item\":{},\"verdict\":\"{}\"}}",
        json!(version),
        json!(software),
        json!(item),
        verdict.name()
    )
}

fn strings() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    let lines = STRINGS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| match line.split_once('\t') {
        Some((version, software)) => (version, Some(software)),
        None => (line, None),
    })
}
