//! Tables for research: what each release of each program has.

use std::fmt::Write as _;

use fedispec_model::api::{Api, Program, Release};
use fedispec_since::{StableVersion, Verdict};
use serde_json::{Value, json};

use crate::lives::{Life, Lives};
use crate::package::{Text, map, profiles};

/// Releases of a program in a row that have the same verdict.
struct Stretch<'a> {
    first: &'a Release,
    last: &'a Release,
    verdict: Verdict,
}

/// The stretches of an item in a program. A release that nobody has looked at may be unknown where older ones are not.
fn stretches<'a>(program: &'a Program, life: &Life) -> Vec<Stretch<'a>> {
    let mut stretches: Vec<Stretch<'_>> = Vec::new();
    for release in &program.releases {
        let verdict = life.verdict(&program.place(release.version));
        match stretches.last_mut() {
            Some(stretch) if stretch.verdict == verdict => stretch.last = release,
            _ => stretches.push(Stretch { first: release, last: release, verdict }),
        }
    }
    stretches
}

/// Tables with a row for each item, program and stretch, and for each release.
pub(crate) fn csv(api: &Api, lives: &Lives<'_>) -> Vec<Text> {
    let mut items =
        String::from("item,kind,program,verdict,first_release,first_date,last_release,last_date\n");
    for (id, item) in &lives.0 {
        for (program, life) in api.programs.iter().zip(&item.lives) {
            for Stretch { first, last, verdict } in stretches(program, life) {
                let [first_version, last_version] =
                    [first, last].map(|one| one.version.to_string());
                let row = [
                    id,
                    item.kind.name(),
                    &program.key,
                    verdict.name(),
                    &first_version,
                    date(first),
                    &last_version,
                    date(last),
                ];
                push(&mut items, row);
            }
        }
    }
    let mut releases = String::from("program,release,date,looked_at\n");
    for program in &api.programs {
        for release in &program.releases {
            let version = release.version.to_string();
            let is_looked_at = is_looked_at(program, release.version);
            push(&mut releases, [&program.key, &version, date(release), is_looked_at]);
        }
    }
    let mut features = String::from("feature,summary,part,item\n");
    for feature in &api.features {
        for (part, ids) in [("all", &feature.all), ("one_of", &feature.one_of)] {
            for id in ids {
                push(&mut features, [&feature.id, &feature.summary, part, id]);
            }
        }
    }
    let tables = [("items.csv", items), ("releases.csv", releases), ("features.csv", features)];
    described(api, tables.map(|(path, text)| (path.to_owned(), text)).into())
}

/// The same as one object.
pub(crate) fn json(api: &Api, lives: &Lives<'_>) -> Vec<Text> {
    let programs = api.programs.iter().map(|program| {
        let releases = program.releases.iter().map(|release| {
            let is_looked_at = is_looked_at(program, release.version) == "true";
            json!({"version": release.version.to_string(), "date": release.date, "looked_at": is_looked_at})
        });
        let releases: Vec<Value> = releases.collect();
        (program.key.clone(), json!({"name": program.name, "releases": releases}))
    });
    let features = api.features.iter().map(|feature| {
        let facts =
            json!({"summary": feature.summary, "all": feature.all, "one_of": feature.one_of});
        (feature.id.clone(), facts)
    });
    let items = lives.0.iter().map(|(id, item)| {
        let programs = api.programs.iter().zip(&item.lives).map(|(program, life)| {
            let stretches = stretches(program, life).into_iter().map(|stretch| {
                json!([
                    stretch.first.version.to_string(),
                    stretch.last.version.to_string(),
                    stretch.verdict.name()
                ])
            });
            (program.key.clone(), Value::Array(stretches.collect()))
        });
        (id.to_string(), json!({"kind": item.kind.name(), "programs": map(programs)}))
    });
    let all = json!({
        "schema": "fedispec-data/1",
        "reference": api.profiles.reference,
        "profiles": profiles(api),
        "programs": map(programs),
        "features": map(features),
        "items": map(items),
    });
    described(api, vec![("data.json".to_owned(), format!("{all}\n"))])
}

/// The tables with what they mean, and how to cite them.
fn described(api: &Api, mut files: Vec<Text>) -> Vec<Text> {
    let citation = format!(
        "cff-version: 1.2.0\nmessage: If you use this data, please cite it as below.\ntitle: \"Fedispec: the {} by program and release\"\n\
         type: dataset\nversion: {}\nlicense: [MIT, Apache-2.0]\nrepository-code: \"{}\"\nauthors:\n  - name: The authors of Fedispec\n",
        api.title(),
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_REPOSITORY"),
    );
    let readme = format!("{}\n{}", include_str!("tables.md"), include_str!("../rules.md"));
    files.push(("CITATION.cff".to_owned(), citation));
    files.push(("README.md".to_owned(), readme));
    files
}

fn date(release: &Release) -> &str {
    release.date.as_deref().unwrap_or_default()
}

fn is_looked_at(program: &Program, release: StableVersion) -> &'static str {
    if Some(release) <= program.newest_looked_at() { "true" } else { "false" }
}

/// A row as RFC 4180 has it.
fn push<const N: usize>(table: &mut String, row: [&str; N]) {
    for (place, cell) in row.into_iter().enumerate() {
        let comma = if place == 0 { "" } else { "," };
        if cell.contains(['"', ',', '\n', '\r']) {
            let _ = write!(table, "{comma}\"{}\"", cell.replace('"', "\"\""));
        } else {
            let _ = write!(table, "{comma}{cell}");
        }
    }
    table.push('\n');
}

#[cfg(test)]
mod tests {
    use super::push;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let mut table = String::new();
        push(&mut table, ["a", "b, c", "say \"d\"", ""]);
        assert_eq!(table, "a,\"b, c\",\"say \"\"d\"\"\",\n");
    }
}
