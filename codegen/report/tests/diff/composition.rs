//! Differences compose: the span from one release to a third equals the span to the second joined with the span from
//! there, for every program and any three of its releases.

use fedispec_diff::releases::{Deltas, Happened, releases};
use fedispec_since::StableVersion;
use proptest::prelude::*;

use super::support::{cases, real};

/// Three releases in order, by number.
fn three(count: usize, seeds: [u32; 3]) -> [usize; 3] {
    let mut three = seeds.map(|seed| usize::try_from(seed).unwrap_or_default() % count);
    three.sort_unstable();
    three
}

proptest! {
    #![proptest_config(cases(4))]

    #[test]
    fn two_steps_are_one(program in 0..2usize, seeds in any::<[u32; 3]>()) {
        let known = &real().programs[program];
        let [a, b, c] = three(known.releases.len(), seeds).map(|at| known.releases[at].version);
        let first = Deltas::between(real(), program, a, b);
        let second = Deltas::between(real(), program, b, c);
        prop_assert!(first.meets(&second), "{a}..{b} ends otherwise than {b}..{c} begins");
        prop_assert_eq!(first.then(&second), Deltas::between(real(), program, a, c), "{}..{}..{}", a, b, c);
    }

    /// The same, of what a person reads: what came and did not go again came in one of the two steps.
    #[test]
    fn what_comes_in_two_steps_comes_in_one(program in 0..2usize, seeds in any::<[u32; 3]>()) {
        let known = &real().programs[program];
        let [a, b, c] = three(known.releases.len(), seeds).map(|at| known.releases[at].version);
        let operations = |from: StableVersion, to: StableVersion, what: Happened| {
            let events = releases(real(), &known.key, from, to).expect("a registered program").events;
            let of = |event: &fedispec_diff::releases::Event| event.happened == what && event.item.kind == "operation";
            events.into_iter().filter(of).map(|event| event.item.id).collect::<std::collections::BTreeSet<_>>()
        };
        for (what, undone) in [(Happened::Added, Happened::Removed), (Happened::Removed, Happened::Added)] {
            let (early, late) = (operations(a, b, what), operations(b, c, what));
            let back = operations(b, c, undone);
            let early: std::collections::BTreeSet<_> = early.difference(&back).cloned().collect();
            let before = operations(a, b, undone);
            let late = late.difference(&before).cloned().collect();
            let strung: std::collections::BTreeSet<_> = early.union(&late).cloned().collect();
            prop_assert_eq!(strung, operations(a, c, what), "{}..{}..{}", a, b, c);
        }
    }
}

#[test]
fn nothing_happens_in_no_time() {
    for program in &real().programs {
        for release in [&program.releases[0], program.releases.last().expect("a release")] {
            let found = releases(real(), &program.key, release.version, release.version)
                .expect("a registered program");
            assert_eq!(found.events, Vec::new());
        }
    }
}

/// Items with an unknown Since are listed as unknown, and never as events.
#[test]
fn what_nobody_knows_did_not_happen() {
    for program in &real().programs {
        let last = program.releases.last().expect("a release").version;
        let found = releases(real(), &program.key, program.releases[0].version, last)
            .expect("a registered program");
        for event in found.events.iter().filter(|event| event.happened == Happened::Added) {
            assert!(event.version.is_some(), "{} was added in no release", event.item.id);
            assert!(!found.unknown.contains(&event.item.id), "{}", event.item.id);
        }
    }
}
