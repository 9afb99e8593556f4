//! The comparison of two programs as text or markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::notes::{Style, when};
use super::paint::Paint;
use super::words::{self, counted};
use fedispec_diff::parity::{Difference, Lag, Parity, ProgramAt, Relation};
use fedispec_since::StableVersion;

/// How many operations with the longest lag are named.
const LAGGING: usize = 10;

/// The comparison as text or markdown.
pub fn parity(parity: &Parity, style: Style) -> String {
    let mut out = Side {
        text: String::new(),
        a: named(&parity.a),
        b: named(&parity.b),
        style,
        paint: Paint(style.color && !style.markdown),
    };
    let at = |side: &ProgramAt| format!("{} {}", side.name, when(&side.at));
    out.title(1, &format!("A {}   B {}", at(&parity.a), at(&parity.b)));
    out.counts(parity);
    out.groups(parity);
    let mut relations: BTreeMap<Relation, Vec<&Difference>> = BTreeMap::new();
    for difference in &parity.differences {
        relations.entry(difference.relation).or_default().push(difference);
    }
    for (relation, differences) in relations {
        out.relation(relation, &differences);
    }
    out.lag(parity);
    out.text
}

/// `Mastodon 4.3.0`
fn named(side: &ProgramAt) -> String {
    format!("{} {}", side.name, side.at.version)
}

struct Side {
    text: String,
    a: String,
    b: String,
    style: Style,
    paint: Paint,
}

impl Side {
    fn title(&mut self, level: usize, title: &str) {
        let line = if self.style.markdown {
            format!("{} {title}\n", "#".repeat(level))
        } else {
            self.paint.bold(title)
        };
        let before = if level == 1 { "" } else { "\n" };
        let _ = writeln!(self.text, "{before}{line}");
    }

    fn counts(&mut self, parity: &Parity) {
        let count = |key: &str| parity.counts.get(key).copied().unwrap_or(0);
        let (a, b) = (&self.a, &self.b);
        let mut line = format!(
            "{} in both; {} only in {a}, {} only in {b}",
            counted(count("both"), "item"),
            count("only_a"),
            count("only_b")
        );
        for (key, has, lacks) in [("unknown_in_b", a, b), ("unknown_in_a", b, a)] {
            if count(key) > 0 {
                let _ = write!(line, "; {} in {has} of which nobody knows in {lacks}", count(key));
            }
        }
        let _ = writeln!(self.text, "{line}");
    }

    /// A line a group of operations in which the two are not alike.
    fn groups(&mut self, parity: &Parity) {
        let columns = ["both", "differ", "only_a", "only_b", "unknown_in_a", "unknown_in_b"];
        let count =
            |counts: &BTreeMap<String, usize>, key: &str| counts.get(key).copied().unwrap_or(0);
        let is_apart = |counts: &BTreeMap<String, usize>| {
            columns[1..].iter().any(|column| count(counts, column) > 0)
        };
        let (apart, alike): (Vec<_>, Vec<_>) =
            parity.groups.iter().partition(|(_, counts)| is_apart(counts));
        if apart.is_empty() {
            return;
        }
        self.title(2, "Operations by group");
        let width = apart.iter().map(|(group, _)| group.len()).max().unwrap_or(0);
        let titles = ["both", "of these differ", "only A", "only B", "A unknown", "B unknown"];
        let _ = if self.style.markdown {
            let rules = "|--".repeat(columns.len() + 1);
            writeln!(self.text, "| group | {} |\n{rules}|", titles.join(" | "))
        } else {
            let titles = titles.map(|title| format!("{title:>16}")).concat();
            writeln!(self.text, " {:width$}{}", "", self.paint.dim(&titles))
        };
        for (group, counts) in apart {
            let cells = columns.map(|column| count(counts, column));
            let _ = if self.style.markdown {
                let cells = cells.map(|cell| cell.to_string()).join(" | ");
                writeln!(self.text, "| `{group}` | {cells} |")
            } else {
                let cells = cells.map(|cell| match cell {
                    0 => format!("{:>16}", "-"),
                    cell => format!("{cell:>16}"),
                });
                writeln!(self.text, " {group:<width$}{}", cells.concat())
            };
        }
        if !alike.is_empty() {
            let alike = counted(alike.len(), "group");
            let _ = writeln!(self.text, "\n {alike} more in which they are alike");
        }
    }

    fn relation(&mut self, relation: Relation, differences: &[&Difference]) {
        let words = relation.says(&self.a, &self.b);
        self.title(2, &format!("{words}: {} ({})", relation.name(), differences.len()));
        let unknown = matches!(relation, Relation::UnknownInA | Relation::UnknownInB);
        if unknown && !self.style.unknown {
            let _ = writeln!(self.text, " unknown is not unsupported; --show unknown lists them");
            return;
        }
        let (wholes, parts): (Vec<&Difference>, Vec<&Difference>) =
            differences.iter().partition(|difference| owner(difference).is_none());
        let place = |difference: &&Difference| match difference.item.kind.as_str() {
            "feature" => 0,
            "operation" => 1,
            _ => 2,
        };
        let mut wholes = wholes;
        wholes.sort_by_key(place);
        for difference in wholes {
            self.whole(difference);
        }
        self.parts(&parts);
    }

    fn whole(&mut self, difference: &Difference) {
        let item = &difference.item;
        let route = match (&item.method, &item.path) {
            (Some(method), Some(path)) => format!("  {method} {path}"),
            _ => String::new(),
        };
        let route = if item.kind == "feature" { "  feature".to_owned() } else { route };
        let with = match difference.with {
            0 => String::new(),
            count => format!("  (with {})", counted(count, "part")),
        };
        self.entry(&item.id, &format!("{route}  {}{with}", said(difference)));
    }

    /// Parts of the same whole stand together.
    fn parts(&mut self, differences: &[&Difference]) {
        let mut owners: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for difference in differences {
            let Some((owner, name)) = owner(difference) else {
                continue;
            };
            owners.entry(owner).or_default().push(format!("{name} ({})", said(difference)));
        }
        for (owner, names) in owners {
            self.entry(owner, &format!("  {}", names.join(", ")));
        }
    }

    fn entry(&mut self, name: &str, rest: &str) {
        let _ = if self.style.markdown {
            writeln!(self.text, "- `{name}`{rest}")
        } else {
            writeln!(self.text, " {}{rest}", self.paint.bold(name))
        };
    }

    fn lag(&mut self, parity: &Parity) {
        if parity.lag.is_empty() {
            return;
        }
        self.title(2, &format!("Lag: {} that both have", counted(parity.lag.len(), "operation")));
        let (dated, undated): (Vec<&Lag>, Vec<&Lag>) =
            parity.lag.iter().partition(|lag| lag.days.is_some());
        let sign = if self.style.markdown { "-" } else { " " };
        let (mut later, mut earlier): (Vec<&Lag>, Vec<&Lag>) =
            dated.into_iter().partition(|lag| lag.days >= Some(0));
        if !later.is_empty() || !earlier.is_empty() {
            let _ = writeln!(
                self.text,
                "{sign} B came later in {}, earlier in {}; half of the later ones came within {}",
                later.len(),
                earlier.len(),
                counted(median(&later), "day")
            );
        }
        later.truncate(LAGGING);
        earlier.reverse();
        earlier.truncate(LAGGING);
        let (a, b) = (&parity.a.name, &parity.b.name);
        for lag in later.into_iter().chain(earlier) {
            let days = lag.days.unwrap_or_default();
            let (first, second, early, late) =
                if days >= 0 { (b, a, &lag.b, &lag.a) } else { (a, b, &lag.a, &lag.b) };
            let days = counted(usize::try_from(days.unsigned_abs()).unwrap_or_default(), "day");
            let _ = writeln!(
                self.text,
                "{sign} {first} {} reached {second} {} `{}` after {days}",
                early.version, late.version, lag.item
            );
        }
        self.undated(&undated, (a, b));
    }

    /// Operations that came with the same two releases stand together.
    fn undated(&mut self, lags: &[&Lag], (a, b): (&str, &str)) {
        let mut releases: BTreeMap<(StableVersion, StableVersion), Vec<&str>> = BTreeMap::new();
        for lag in lags {
            let items = releases.entry((lag.b.version, lag.a.version)).or_default();
            items.push(&lag.item);
        }
        let sign = if self.style.markdown { "-" } else { " " };
        for ((of_b, of_a), items) in releases {
            let _ =
                writeln!(self.text, "{sign} {b} {of_b} reached {a} {of_a}: {}", items.join(", "));
        }
    }
}

/// Returns a part's owner and its name there; `None` for operations and for items without an owner.
fn owner(difference: &Difference) -> Option<(&str, &str)> {
    let is_part = difference.item.kind != "operation";
    words::owner(&difference.item).filter(|_| is_part)
}

/// Describes both programs in short: only the release that brought the item, if only one of them has it.
fn said(difference: &Difference) -> String {
    let short = |text: &str| text.strip_prefix("since ").unwrap_or(text).to_owned();
    match (difference.a.as_str(), difference.b.as_str()) {
        (has, "never" | "unknown") if difference.relation != Relation::DiffersEnum => short(has),
        ("never" | "unknown", has) if difference.relation != Relation::DiffersEnum => short(has),
        (a, b) => format!("A {a}; B {b}"),
    }
}

fn median(lags: &[&Lag]) -> usize {
    let mut days: Vec<u64> =
        lags.iter().filter_map(|lag| lag.days).map(i64::unsigned_abs).collect();
    days.sort_unstable();
    days.get(days.len() / 2).and_then(|days| usize::try_from(*days).ok()).unwrap_or(0)
}
