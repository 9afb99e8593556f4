//! `coverage`: how much of the catalogue is known, and what is not.

use std::fmt::Write as _;

use indexmap::IndexMap;
use serde::Serialize;

use fedispec_model::api::{Api, Evidence, Item, Layer, Life, Origin, Since};
use fedispec_model::features::Features;
use fedispec_model::rows::{Row, RowSubject, rows};
use fedispec_since::{Class, Kind, Location, Required};

/// The version of the JSON form.
pub const SCHEMA: &str = "fedispec-coverage/1";

/// Coverage of the catalogue: for how many items each kind of fact is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The layers that were counted.
    pub layer: Layer,
    /// How many items there are, without the features, which are made up of them; what an entity takes over from another is not counted again.
    pub items: usize,
    /// The releases that were looked at, by program.
    pub looked_at: IndexMap<String, LookedAt>,
    /// By kind: `operation`, `param`, ..
    pub kinds: IndexMap<&'static str, Counts>,
    /// The features: they are made up of items, and no kind of their own.
    pub features: FeatureCounts,
    /// The items that lack something, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<Missing>>,
}

/// Up to which release a program's facts were looked up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LookedAt {
    /// Its name.
    #[serde(skip)]
    pub name: String,
    /// The newest release that was looked at.
    pub up_to: Option<String>,
    /// The registered releases after it, of which nothing is claimed.
    pub not_looked_at: Vec<String>,
    /// How many items the program never had up to that release: in later ones they are unknown.
    pub never: usize,
}

/// Coverage of the items of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// How many there are.
    pub items: usize,
    /// Where they come from: `documents`, `beyond`, `undocumented`, or `only gotosocial` for what the first program
    /// lacks.
    pub origins: IndexMap<String, usize>,
    /// For how many a fact is known: `method`, `path`, `type`, ..
    pub known: IndexMap<&'static str, usize>,
    /// How many items have a known Since, by program.
    pub since: IndexMap<String, SinceCounts>,
    /// The class of evidence: `shape`, and Since by program.
    pub evidence: IndexMap<String, Classes>,
}

/// Coverage of the features.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FeatureCounts {
    /// How many there are.
    pub items: usize,
    /// How many have a known Since, by program.
    pub since: IndexMap<String, SinceCounts>,
}

/// How many items have a version, and how many have none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SinceCounts {
    /// The first release is known.
    pub version: usize,
    /// No source says.
    pub unknown: usize,
    /// Known to be absent.
    pub never: usize,
}

/// How many items are proved by which class of evidence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "each is the class of that name")]
pub struct Classes {
    #[serde(rename = "A")]
    pub a: usize,
    #[serde(rename = "B")]
    pub b: usize,
    #[serde(rename = "C")]
    pub c: usize,
    #[serde(rename = "D")]
    pub d: usize,
    /// The fact and its evidence are inherited from the container.
    pub inherited: usize,
    /// The fact is unknown or has no evidence.
    pub none: usize,
}

/// An item that lacks something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: &'static str,
    /// The facts that nobody states: `method`, `type`, `since.gotosocial`, ..
    pub lacks: Vec<String>,
}

/// Counts what is known; `list` also names every item that lacks something.
pub fn coverage(api: &Api, list: bool) -> Coverage {
    let rows: Vec<_> = rows(api).into_iter().filter(|row| !row.inherited()).collect();
    let mut kinds: IndexMap<&'static str, Counts> =
        Kind::ALL.iter().map(|kind| (kind.name(), Counts::default())).collect();
    let mut missing = Vec::new();
    for row in &rows {
        let counts = kinds.entry(row.kind().name()).or_default();
        let lacks = counts.add(api, row);
        if list && !lacks.is_empty() {
            missing.push(Missing { id: row.item.id.clone(), kind: row.kind().name(), lacks });
        }
    }
    for counts in kinds.values_mut() {
        counts.origins.sort_keys();
    }
    let looked_at = api.programs.iter().map(|program| {
        let counts = kinds.values().filter_map(|kind| kind.since.get(&program.key));
        let releases = program.not_looked_at();
        let looked_at = LookedAt {
            name: program.name.clone(),
            up_to: program.newest_looked_at().map(|version| version.to_string()),
            not_looked_at: releases.map(|version| version.to_string()).collect(),
            never: counts.map(|since| since.never).sum(),
        };
        (program.key.clone(), looked_at)
    });
    Coverage {
        schema: SCHEMA,
        layer: api.layer,
        items: rows.len(),
        looked_at: looked_at.collect(),
        kinds,
        features: FeatureCounts::of(api),
        missing: list.then_some(missing),
    }
}

impl FeatureCounts {
    fn of(api: &Api) -> Self {
        let mut counts = Self { items: api.features.len(), since: IndexMap::new() };
        for (_, lives) in Features::new(api).all() {
            for (program, life) in api.programs.iter().zip(&lives) {
                counts.since.entry(program.key.clone()).or_default().add(life.since);
            }
        }
        counts
    }
}

impl SinceCounts {
    fn add(&mut self, since: Since) {
        match since {
            Since::Since(_) => self.version += 1,
            Since::Unknown => self.unknown += 1,
            Since::Never => self.never += 1,
        }
    }
}

impl Counts {
    /// Counts an item and tells what it lacks.
    fn add(&mut self, api: &Api, row: &Row<'_>) -> Vec<String> {
        let mut lacks = Vec::new();
        self.items += 1;
        *self.origins.entry(origin(api, row.item)).or_default() += 1;
        for (fact, known) in facts(row) {
            *self.known.entry(fact).or_default() += usize::from(known);
            if !known {
                lacks.push(fact.to_owned());
            }
        }
        self.evidence.entry("shape".to_owned()).or_default().add(row.item.evidence.as_ref());
        for (program, life) in api.programs.iter().zip(&row.item.life) {
            self.since.entry(program.key.clone()).or_default().add(life.since);
            if life.since == Since::Unknown {
                lacks.push(format!("since.{}", program.key));
            }
            let classes = self.evidence.entry(format!("since.{}", program.key)).or_default();
            match &life.evidence {
                _ if life.since == Since::Unknown => classes.none += 1,
                None if life.at.is_none() => classes.inherited += 1,
                evidence => classes.add(evidence.as_ref()),
            }
        }
        lacks
    }
}

impl Classes {
    fn add(&mut self, evidence: Option<&Evidence>) {
        let count = match evidence.map(|evidence| evidence.class) {
            Some(Class::A) => &mut self.a,
            Some(Class::B) => &mut self.b,
            Some(Class::C) => &mut self.c,
            Some(Class::D) => &mut self.d,
            None => &mut self.none,
        };
        *count += 1;
    }
}

/// Where an item comes from, and whether it is another program's own.
fn origin(api: &Api, item: &Item) -> String {
    let has = |life: &Life| matches!(life.since, Since::Since(_));
    let lives = || api.programs.iter().zip(&item.life);
    match item.origin {
        Origin::Documents => "documents".to_owned(),
        _ if item.life.first().is_some_and(|life| life.since == Since::Never) => {
            let programs = lives().filter(|(_, life)| has(life));
            let names: Vec<_> = programs.map(|(program, _)| program.key.as_str()).collect();
            match names.as_slice() {
                [] => "in no program".to_owned(),
                names => format!("only {}", names.join(", ")),
            }
        }
        Origin::Beyond | Origin::Program => "beyond".to_owned(),
        Origin::Undocumented => "undocumented".to_owned(),
    }
}

/// The facts that an item of this kind should have, and whether it has them.
fn facts(row: &Row<'_>) -> Vec<(&'static str, bool)> {
    match row.subject {
        RowSubject::Operation(operation) => vec![
            ("method", operation.route.is_some()),
            ("path", operation.route.is_some()),
            ("auth", operation.auth.is_some()),
            ("returns", operation.returns_known),
        ],
        RowSubject::Param(_, param) => vec![
            ("in", param.location != Location::Unknown),
            ("type", param.type_known),
            ("required", param.required != Required::Unknown),
        ],
        RowSubject::Field(_, field) | RowSubject::Response(_, _, field) => {
            vec![("type", field.type_known), ("presence", field.presence_known)]
        }
        RowSubject::Enum(enumeration) => vec![("values", enumeration.values_known)],
        RowSubject::Value(..) => Vec::new(),
    }
}

impl Coverage {
    /// The same for a person, as tables.
    pub fn text(&self) -> String {
        let mut text = format!("{} items in the layer {}\n", self.items, layer_name(self.layer));
        self.write_looked_at(&mut text);
        self.write_origins(&mut text);
        self.write_since(&mut text);
        self.write_facts(&mut text);
        self.write_evidence(&mut text);
        self.write_missing(&mut text);
        text
    }

    /// One line for `gen`: what part of the catalogue nobody knows.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        for (kind, fact, label) in [
            ("operation", "path", "routes"),
            ("param", "type", "parameter types"),
            ("field", "type", "field types"),
        ] {
            if let Some(counts) = self.kinds.get(kind) {
                let known = counts.known.get(fact).copied().unwrap_or(0);
                parts.push(format!("{} of {} {label}", counts.items - known, counts.items));
            }
        }
        for (program, counts) in self.since_by_program() {
            parts.push(format!("{} of {} versions of {program}", counts.unknown, self.items));
        }
        format!("unknown: {}", parts.join(", "))
    }

    fn since_by_program(&self) -> IndexMap<&str, SinceCounts> {
        let mut programs: IndexMap<&str, SinceCounts> = IndexMap::new();
        for (program, counts) in self.kinds.values().flat_map(|kind| &kind.since) {
            let sum = programs.entry(program).or_default();
            sum.version += counts.version;
            sum.unknown += counts.unknown;
            sum.never += counts.never;
        }
        programs
    }

    fn write_looked_at(&self, text: &mut String) {
        for looked_at in self.looked_at.values() {
            let LookedAt { name, never, .. } = looked_at;
            let up_to = looked_at.up_to.as_deref().unwrap_or("no release");
            let _ = writeln!(text, "{name} was looked at up to {up_to}");
            if !looked_at.not_looked_at.is_empty() {
                let releases = looked_at.not_looked_at.join(", ");
                let _ = writeln!(
                    text,
                    "  not yet looked at: {releases}; the {never} items that are never in {name} are unknown there"
                );
            }
        }
    }

    fn write_origins(&self, text: &mut String) {
        let _ = writeln!(text, "\n{:<12}{:>7}  origin", "kind", "items");
        self.write_rows(
            text,
            |counts| &counts.origins,
            |_, _, origin, items| format!("{items:>7}  {origin}"),
        );
    }

    fn write_since(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "\n{:<12}{:>7}  {:<12}{:>9}{:>9}{:>9}",
            "kind", "items", "program", "version", "unknown", "never"
        );
        let row = |items: usize, is_first: bool, program: &str, since: &SinceCounts| {
            let SinceCounts { version, unknown, never } = since;
            let items = if is_first { items.to_string() } else { String::new() };
            format!("{items:>7}  {program:<12}{version:>9}{unknown:>9}{never:>9}")
        };
        self.write_rows(
            text,
            |counts| &counts.since,
            |counts, is_first, program, since| row(counts.items, is_first, program, since),
        );
        for (number, (program, since)) in self.features.since.iter().enumerate() {
            let kind = if number == 0 { "feature" } else { "" };
            let row = row(self.features.items, number == 0, program, since);
            let _ = writeln!(text, "{kind:<12}{row}");
        }
    }

    fn write_facts(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "\n{:<12}{:<12}{:>7}{:>9}{:>10}",
            "kind", "fact", "known", "unknown", "known"
        );
        self.write_rows(
            text,
            |counts| &counts.known,
            |counts, _, fact, known| {
                let share = percent(*known, counts.items);
                format!("{fact:<12}{known:>7}{:>9}{share:>10}", counts.items - known)
            },
        );
    }

    fn write_evidence(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "\n{:<12}{:<18}{:>7}{:>7}{:>7}{:>7}{:>11}{:>7}",
            "kind", "evidence of", "A", "B", "C", "D", "inherited", "none"
        );
        self.write_rows(
            text,
            |counts| &counts.evidence,
            |_, _, of, classes| {
                let Classes { a, b, c, d, inherited, none } = classes;
                format!("{of:<18}{a:>7}{b:>7}{c:>7}{d:>7}{inherited:>11}{none:>7}")
            },
        );
    }

    /// Writes the rows of a table. The kind stands in the first row of each kind, which the writer of a row is told of.
    fn write_rows<K, V>(
        &self,
        text: &mut String,
        rows: impl Fn(&Counts) -> &IndexMap<K, V>,
        row: impl Fn(&Counts, bool, &K, &V) -> String,
    ) {
        for (kind, counts) in &self.kinds {
            for (number, (key, value)) in rows(counts).iter().enumerate() {
                let kind = if number == 0 { kind } else { "" };
                let _ = writeln!(text, "{kind:<12}{}", row(counts, number == 0, key, value));
            }
        }
    }

    fn write_missing(&self, text: &mut String) {
        let Some(missing) = &self.missing else { return };
        let _ = writeln!(text, "\n{} items lack something:", missing.len());
        for item in missing {
            let _ = writeln!(text, "{:<10} {}: {}", item.kind, item.id, item.lacks.join(", "));
        }
    }
}

/// The name of a layer on the command line.
pub fn layer_name(layer: Layer) -> &'static str {
    match layer {
        Layer::Documents => "documents",
        Layer::Full => "full",
    }
}

/// Tenths of a percent in whole numbers, so that the text is the same everywhere.
fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    let tenths = part * 1000 / whole;
    format!("{}.{} %", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn a_share_is_rounded_down() {
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(percent(999, 1000), "99.9 %");
        assert_eq!(percent(9999, 10000), "99.9 %");
        assert_eq!(percent(0, 0), "-");
    }
}
