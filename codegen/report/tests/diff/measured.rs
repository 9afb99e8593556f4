//! The rules are held against what the emitters write: whatever a pair of states changes in the public items, some rule
//! claims as much.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;
use std::thread;

use fedispec_codegen::emit;
use fedispec_diff::rules::Bump;
use fedispec_diff::{Options, compare};
use fedispec_model::api::Api;
use fedispec_report::diff::assemble::{self, Known};
use fedispec_report::diff::report::Report;
use fedispec_report::diff::surface::{Measured, Surface};

use super::fixtures::{Fixture, fixtures, side};
use super::support::{edited, line};

pub(super) fn surface(api: &Api) -> Surface {
    Surface::read(&emit::files(api, &emit::Options::default()).expect("it is generated"))
}

/// Compares the claims of the rules with the measured differences.
pub(super) fn held(old: &Api, new: &Api, measured: &Measured) -> Report {
    let known = Known { measured: Some(measured), ..Known::default() };
    assemble::report(compare(old, new, &Options::default()), &known)
}

/// What is wrong with the claims about the fixtures: what none explains, and those of which the generated code knows nothing.
#[derive(Default)]
struct Claims {
    less: String,
    more: BTreeSet<String>,
}

impl Claims {
    fn of(fixtures: &[Fixture], (base, of_base): (&Api, &Surface)) -> Self {
        let mut all = Self::default();
        for fixture in fixtures {
            let (old, new) = (side(&fixture.old), side(&fixture.new));
            let before = if old == *base { of_base.clone() } else { surface(&old) };
            let after = surface(&new);
            for (way, [a, b], [x, y]) in
                [(">", [&old, &new], [&before, &after]), ("<", [&new, &old], [&after, &before])]
            {
                let report = held(a, b, &x.measure(y));
                if !report.bump.unclaimed.is_empty() {
                    let _ = writeln!(
                        all.less,
                        "line {} {way}: {:?}: {:#?}",
                        fixture.line, report.bump.implied, report.bump.unclaimed
                    );
                }
                for change in compare(a, b, &Options::default()).changes {
                    let mut decided = report.changes.iter().map(|entry| &entry.change);
                    if !decided.any(|one| *one == change) {
                        all.more.insert(line(&change));
                    }
                }
            }
        }
        all
    }
}

/// Both halves at once: the code of each state is generated.
static CLAIMS: LazyLock<Claims> = LazyLock::new(|| {
    let (fixtures, base) = (fixtures(), edited(&[]));
    let base = (&base, &surface(&base));
    let (first, rest) = fixtures.split_at(fixtures.len() / 2);
    let [mut all, rest] = thread::scope(|scope| {
        let halves = [first, rest].map(|half| scope.spawn(move || Claims::of(half, base)));
        halves.map(|half| half.join().expect("no panic"))
    });
    all.less += &rest.less;
    all.more.extend(rest.more);
    all
});

#[test]
fn no_rule_claims_less_than_is_measured() {
    assert!(CLAIMS.less.is_empty(), "{}", CLAIMS.less);
}

/// Findings that claim that code breaks although none does, as far as nothing is generated to tell.
const CLAIM_MORE: &[&str] = &[
    // Whether code names a program, only the code tells.
    "implementation-removed third third correction",
    // The base has nothing of a buried id; older code may.
    "item-key-reused Book.ghost correction",
    "item-key-reused Book.rating correction",
];

/// A comparison without generated code, such as in the warnings of build scripts, claims no more than the generated
/// code confirms.
#[test]
fn no_finding_claims_more_than_is_measured() {
    assert_eq!(CLAIMS.more.iter().map(String::as_str).collect::<Vec<_>>(), CLAIM_MORE);
}

#[test]
fn what_breaks_shows_the_rust_before_and_after() {
    let (old, new) =
        (edited(&[]), edited(&[("mood: {in: form, type: Mood", "mood: {in: form, type: integer")]));
    let report = held(&old, &new, &surface(&old).measure(&surface(&new)));
    assert_eq!(report.bump.measured, Some(Bump::Major));
    let rust =
        report.changes.iter().find_map(|entry| entry.rust.as_ref()).expect("Rust before and after");
    let has = |lines: &[String], text: &str| {
        lines.iter().any(|line| line.contains("mood") && line.contains(text))
    };
    assert!(has(&rust.before, "Mood") && has(&rust.after, "i64"), "{rust:#?}");
}

/// A rule that claims too little is told by name of what it missed.
#[test]
fn what_nobody_claims_fails() {
    let (old, new) =
        (edited(&[]), edited(&[("mood: {in: form, type: Mood", "mood: {in: form, type: integer")]));
    let report = held(&old, &old, &surface(&old).measure(&surface(&new)));
    assert!(!report.bump.ok);
    assert!(
        report.bump.unclaimed.iter().any(|line| line.contains("mood")),
        "{:?}",
        report.bump.unclaimed
    );
}
