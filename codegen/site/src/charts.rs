//! Charts: how much each program has by release and date, and how long each took to have what another had.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fedispec_diff::parity::Parity;
use fedispec_model::api::{Life, Program, Release};
use fedispec_model::rows::rows;
use fedispec_since::{Kind, Verdict};
use maud::{Markup, html};

use crate::File;
use crate::page::{Page, Site, breakable, link};

/// How many items of each kind a release has.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) operations: usize,
    pub(crate) params: usize,
    pub(crate) fields: usize,
    pub(crate) values: usize,
}

impl Counts {
    /// The counts of every release of every program, in their order.
    pub(crate) fn all(site: &Site<'_>) -> Vec<Vec<Self>> {
        let programs = &site.api.programs;
        let places: Vec<Vec<_>> = { programs.iter() }
            .map(|one| one.releases.iter().map(|release| one.place(release.version)).collect())
            .collect();
        let mut all: Vec<Vec<Self>> =
            places.iter().map(|releases| vec![Self::default(); releases.len()]).collect();
        for row in rows(site.api).iter().filter(|row| !row.inherited()) {
            let since = site.reach.effective(row.item);
            for (place, (life, since)) in row.item.life.iter().zip(since).enumerate() {
                let life = Life::whole(life, since);
                for (at, counts) in places[place].iter().zip(&mut all[place]) {
                    if life.present(at).verdict != Verdict::Yes {
                        continue;
                    }
                    match row.kind() {
                        Kind::Operation => counts.operations += 1,
                        Kind::Param => counts.params += 1,
                        Kind::Field | Kind::Response => counts.fields += 1,
                        Kind::Value => counts.values += 1,
                        Kind::Enum => {}
                    }
                }
            }
        }
        all
    }
}

pub(crate) fn pages(
    site: &Site<'_>,
    counts: &[Vec<Counts>],
    pairs: &[Parity],
    files: &mut Vec<File>,
) {
    let here = "charts/";
    files.push((format!("{here}releases.csv"), releases(site, counts).into_bytes()));
    files.push((format!("{here}lag.csv"), lags(site, pairs).into_bytes()));
    let about = "How much of the API each program has by release, and how long it took to have what another had.";
    let main = html! {
        p.lead { (about) }
        h2 { "Operations by date" }
        p { "Of what the catalogue knows. Each step is a release. " a href=(link(here, "charts/releases.csv")) { "The figures as CSV" } ", with parameters, fields and values." }
        div.wide tabindex="0" role="region" aria-label="Operations by date" { (by_date(site, counts)) }
        (newest(site, counts))
        h2 { "How long it took" }
        p { "For what both have and another program had first: half of the operations took no longer than the days named, and how many they are. "
            a href=(link(here, "charts/lag.csv")) { "Each operation as CSV" } "." }
        @for program in &site.api.programs { (behind(site, program, pairs)) }
    };
    site.write(&Page::new(here, "Charts", about), &main, files);
}

/// Days since a fixed day, near enough for a line.
fn day(date: &str) -> Option<f64> {
    let mut parts = date.split('-').map(str::parse::<f64>);
    let mut next = || parts.next()?.ok();
    Some(next()? * 365.25 + (next()? - 1.0) * 30.44 + next()?)
}

/// The releases with a date, each with its counts; one of an older line that came out later is left out, so that a line only goes on.
fn dated<'s>(program: &'s Program, counts: &'s [Counts]) -> Vec<(&'s Release, f64, Counts)> {
    let looked_at = program.newest_looked_at();
    let mut dated: Vec<(&Release, f64, Counts)> = Vec::new();
    for (release, counts) in program.releases.iter().zip(counts) {
        let Some(day) = release.date.as_deref().and_then(day) else {
            continue;
        };
        if Some(release.version) > looked_at {
            break;
        }
        while dated.last().is_some_and(|(_, last, _)| *last > day) {
            dated.pop();
        }
        dated.push((release, day, *counts));
    }
    dated
}

/// The picture's width and height, and the room for words on its sides.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 40.0;
const RIGHT: f64 = 150.0;

#[allow(clippy::cast_precision_loss, reason = "counts are small")]
fn by_date(site: &Site<'_>, counts: &[Vec<Counts>]) -> Markup {
    let lines: Vec<_> = { site.api.programs.iter().zip(counts) }
        .map(|(program, counts)| (program, dated(program, counts)))
        .filter(|(_, dated)| !dated.is_empty())
        .collect();
    let days = || lines.iter().flat_map(|(_, dated)| dated.iter().map(|(_, day, _)| *day));
    let (first, last) = (days().fold(f64::MAX, f64::min), days().fold(f64::MIN, f64::max));
    let all =
        lines.iter().flat_map(|(_, dated)| dated.iter().map(|(.., counts)| counts.operations));
    let most = all.max().unwrap_or_default().next_multiple_of(50).max(50);
    let x = |day: f64| LEFT + (day - first) / (last - first).max(1.0) * (WIDTH - LEFT - RIGHT);
    let y = |count: usize| HEIGHT - 30.0 - count as f64 / most as f64 * (HEIGHT - 50.0);
    let mut labels: Vec<(f64, usize)> = Vec::new();
    let ends = lines.iter().enumerate();
    let ends = ends.filter_map(|(i, (_, dated))| Some((y(dated.last()?.2.operations), i)));
    let mut ends: Vec<_> = ends.collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (at, i) in ends {
        let above = labels.last().map_or(f64::MIN, |(above, _)| above + 16.0);
        labels.push((at.max(above), i));
    }
    let years = (first / 365.25).ceil()..=(last / 365.25).floor();
    let (from, to) = (*years.start(), *years.end());
    let years =
        std::iter::successors(Some(from), |year| Some(year + 1.0)).take_while(|year| *year <= to);
    html! {
        svg.chart viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label="The number of operations of each program by date; the table below has the figures" {
            @for count in (0..=most).step_by(50) {
                line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(y(count).round()) y2=(y(count).round()) {}
                text x=(LEFT - 6.0) y=(y(count).round() + 4.0) text-anchor="end" { (count) }
            }
            @for year in years { text x=(x(year * 365.25).round()) y=(HEIGHT - 8.0) text-anchor="middle" { (year) } }
            @for (i, (_, dated)) in lines.iter().enumerate() {
                path class={ "p" (i % 7) } d=(steps(&dated.iter().map(|(_, day, counts)| (x(*day), y(counts.operations))).collect::<Vec<_>>(), WIDTH - RIGHT)) {}
            }
            @for (at, i) in labels { text class={ "p" (i % 7) } x=(WIDTH - RIGHT + 6.0) y=(at.round() + 4.0) { (lines[i].0.name) } }
        }
    }
}

/// A line in steps through points, up to the right end.
fn steps(points: &[(f64, f64)], end: f64) -> String {
    let mut path = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        let _ =
            if i == 0 { write!(path, "M{x:.0} {y:.0}") } else { write!(path, "H{x:.0}V{y:.0}") };
    }
    let _ = write!(path, "H{end:.0}");
    path
}

/// The newest release of each line, with its date and how much it has.
fn newest(site: &Site<'_>, counts: &[Vec<Counts>]) -> Markup {
    html! {
        @for (program, counts) in site.api.programs.iter().zip(counts) {
            details {
                summary { (program.name) ": " (counts.iter().map(|one| one.operations).next_back().unwrap_or_default()) " operations" }
                div.wide tabindex="0" role="region" aria-label={ "Figures of " (program.name) } { table.matrix {
                    thead { tr { @for head in ["Release", "Date", "Operations", "Parameters", "Fields", "Values"] { th scope="col" { (head) } } } }
                    tbody { @for (release, counts) in lines(program, counts) { tr {
                        th scope="row" { a href=(link("charts/", &format!("releases/{}/{}/", program.key, release.version))) { (release.version.to_string()) } }
                        td { @if let Some(date) = &release.date { time datetime=(date) { (date) } } }
                        @for count in [counts.operations, counts.params, counts.fields, counts.values] { td { (count) } }
                    } } }
                } }
            }
        }
    }
}

/// The last release of each line, the newest first.
fn lines<'s>(program: &'s Program, counts: &'s [Counts]) -> Vec<(&'s Release, &'s Counts)> {
    let mut newest = BTreeMap::new();
    for (release, counts) in program.releases.iter().zip(counts) {
        newest.insert((release.version.0, release.version.1), (release, counts));
    }
    newest.into_values().rev().collect()
}

/// The days that a program took for what another had first, by the other's place and by area.
fn taken<'p>(
    site: &'p Site<'_>,
    program: &Program,
    pairs: &'p [Parity],
) -> BTreeMap<usize, BTreeMap<&'p str, Vec<i64>>> {
    let mut taken: BTreeMap<usize, BTreeMap<&str, Vec<i64>>> = BTreeMap::new();
    for pair in pairs {
        // The days are counted from the first of the pair to the second.
        let (other, sign) = if pair.b.program == program.key {
            (&pair.a.program, 1)
        } else if pair.a.program == program.key {
            (&pair.b.program, -1)
        } else {
            continue;
        };
        let Some(other) = site.api.column(other) else {
            continue;
        };
        for lag in &pair.lag {
            let (Some(days), Some(area)) =
                (lag.days.map(|days| days * sign), area(site, &lag.item))
            else {
                continue;
            };
            if days > 0 {
                taken.entry(other).or_default().entry(area).or_default().push(days);
            }
        }
    }
    taken
}

/// The group of an operation.
fn area<'s>(site: &'s Site<'_>, id: &str) -> Option<&'s str> {
    site.index.operation(id).map(|operation| operation.group.as_str())
}

fn median(days: &mut [i64]) -> i64 {
    days.sort_unstable();
    days.get(days.len() / 2).copied().unwrap_or_default()
}

fn behind(site: &Site<'_>, program: &Program, pairs: &[Parity]) -> Markup {
    let taken = taken(site, program, pairs);
    let all = taken.iter().map(|(other, areas)| {
        let mut days: Vec<i64> = areas.values().flatten().copied().collect();
        (*other, median(&mut days), days.len())
    });
    let all: Vec<(usize, i64, usize)> = all.collect();
    let longest = all.iter().map(|(_, days, _)| *days).max().unwrap_or(1).max(1);
    let mut areas: Vec<&str> = taken.values().flat_map(BTreeMap::keys).copied().collect();
    areas.sort_by_key(|area| (area.starts_with("admin"), *area));
    areas.dedup();
    html! {
        @if !all.is_empty() {
            h3 { (program.name) " after .." }
            div.bars { @for (other, days, count) in &all {
                p { (site.api.programs[*other].name) ": " (days) " days (" (count) ")"
                    svg.bar viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" { rect.yes width=(days * 100 / longest) height="8" {} }
                }
            } }
            details {
                summary { "By area" }
                div.wide tabindex="0" role="region" aria-label={ "Days of " (program.name) " by area" } { table.matrix {
                    thead { tr { th scope="col" { "Area" } @for (other, ..) in &all { th scope="col" { "After " (site.api.programs[*other].name) } } } }
                    tbody { @for area in areas { tr {
                        th scope="row" { a href=(link("charts/", &format!("groups/{area}/"))) { (breakable(area)) } }
                        @for (other, ..) in &all { td {
                            @if let Some(days) = taken[other].get(area) { (median(&mut days.clone())) " days (" (days.len()) ")" }
                        } }
                    } } }
                } }
            }
        }
    }
}

fn releases(site: &Site<'_>, counts: &[Vec<Counts>]) -> String {
    let mut text = "program,version,date,operations,parameters,fields,values\n".to_owned();
    for (program, counts) in site.api.programs.iter().zip(counts) {
        for (release, counts) in program.releases.iter().zip(counts) {
            let Counts { operations, params, fields, values } = counts;
            let (key, date) = (&program.key, release.date.as_deref().unwrap_or_default());
            let _ = writeln!(
                text,
                "{key},{},{date},{operations},{params},{fields},{values}",
                release.version
            );
        }
    }
    text
}

fn lags(site: &Site<'_>, pairs: &[Parity]) -> String {
    let mut text = "operation,area,first,version,then,version,days\n".to_owned();
    for pair in pairs {
        for lag in &pair.lag {
            let Some(days) = lag.days else { continue };
            let (a, b) = ((&pair.a.program, lag.a.version), (&pair.b.program, lag.b.version));
            let (first, then) = if days < 0 { (b, a) } else { (a, b) };
            let (area, days) = (area(site, &lag.item).unwrap_or_default(), days.abs());
            let _ = writeln!(
                text,
                "{},{area},{},{},{},{},{days}",
                lag.item, first.0, first.1, then.0, then.1
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{day, median, steps};

    #[test]
    fn a_line_goes_in_steps_to_the_end() {
        assert_eq!(steps(&[(0.0, 9.0), (4.0, 5.0)], 10.0), "M0 9H4V5H10");
    }

    #[test]
    fn days_follow_each_other() {
        let days: Vec<_> =
            ["2023-12-31", "2024-01-01", "2024-02-01"].into_iter().map(day).collect();
        assert!(days.windows(2).all(|pair| pair[0].is_some() && pair[0] < pair[1]), "{days:?}");
        assert_eq!(day("soon"), None);
        assert_eq!(median(&mut [9, 1, 5]), 5);
        assert_eq!(median(&mut []), 0);
    }
}
