//! The judge, life by life: what each kind of evidence is good for.

use super::{ITEMS, PROGRAMS};
use crate::compatibility::judge::Judge;
use crate::compatibility::{Evidence, Need, RemoteServer, Support, Verdict};
use crate::{Availability, ItemTable, Life, Program, Release};
use Verdict::{No, Unknown, Yes};

fn judged(server: &RemoteServer, table: &ItemTable, lives: &[&str]) -> Support {
    let lives: Vec<Life> = lives.iter().map(|life| life.parse().expect(life)).collect();
    Judge::new(server, table).lives(|column| lives.get(column))
}

/// The verdict of a life in Mastodon, in the table of these tests.
fn mastodon(server: &RemoteServer, life: &str) -> Verdict {
    judged(server, &ITEMS, &[life, "never"]).verdict
}

fn publishing(mut server: RemoteServer, number: u32) -> RemoteServer {
    server.api_versions.insert("mastodon".into(), number);
    server
}

#[test]
fn a_published_number_does_not_prove_an_absence() {
    // The program implements Mastodon's API and adds to it what no release of Mastodon has.
    let other = publishing(RemoteServer::of("other", "1.0.0"), 7);
    let support = judged(&other, &ITEMS, &["never", "never"]);
    assert_eq!((support.verdict, support.evidence), (Unknown, Evidence::NoProgram));
    let newer = publishing(RemoteServer::of("mastodon", "main"), 99);
    assert_eq!(mastodon(&newer, "never"), Unknown);
    // An item that is too new for the number is absent all the same.
    let older = publishing(RemoteServer::of("other", "1.0.0"), 2);
    assert_eq!(mastodon(&older, "4.5.0"), No);
}

#[test]
fn the_first_number_counts_from_its_release_on() {
    static FIRST: &[Program] = &[Program::new("mastodon", "Mastodon").releases(&[
        Release::new(4, 2, 0),
        Release::new(4, 3, 0).api(1),
        Release::new(4, 4, 0),
        Release::new(4, 5, 0).api(2),
    ])];
    let table = ItemTable::empty(FIRST);
    let at = |number| publishing(RemoteServer::of("other", ""), number);
    let verdict = |number, life: &str| judged(&at(number), &table, &[life]).verdict;
    for (number, life, expected) in [
        // Without a numbered release before it, any number is more than what there was.
        (1, "4.3.0", Yes),
        (1, "4.2.0", Yes),
        (0, "4.3.0", Unknown),
        // The next numbered release is what tells.
        (2, "4.4.0", Yes),
        (1, "4.4.0", Unknown),
        (0, "4.4.0", No),
        (2, "4.6.0", Unknown),
    ] {
        let told = verdict(number, life);
        assert_eq!(told, expected, "{number}: {life}");
    }
}

#[test]
fn a_number_says_nothing_where_no_release_has_one() {
    static UNRELEASED: &[Program] = &[Program::new("mastodon", "Mastodon")];
    let server = publishing(RemoteServer::of("other", "1.0.0"), 7);
    for programs in [UNRELEASED, &PROGRAMS[1..]] {
        let table = ItemTable::empty(programs);
        let support = judged(&server, &table, &["4.3.0"]);
        assert_eq!(support.verdict, Unknown);
        assert!(!matches!(support.evidence, Evidence::ApiVersion { .. }));
    }
}

#[test]
fn a_program_goes_by_its_key_and_by_its_names_in_node_info() {
    static NAMED: &[Program] = &[
        Program::new("mastodon", "Mastodon").releases(&[Release::new(4, 5, 0)]),
        Program::new("third", "Third")
            .nodeinfo(&["third-server", "third-fork"])
            .releases(&[Release::new(2, 0, 0)]),
    ];
    let table = ItemTable::empty(NAMED);
    let lives = ["never", "1.0.0"];
    for name in ["third", "third-server", "third-fork"] {
        let support = judged(&RemoteServer::of(name, "1.5.0"), &table, &lives);
        assert_eq!(support.verdict, Yes, "{name}");
    }
    let stranger = judged(&RemoteServer::of("fourth", "1.5.0"), &table, &lives);
    assert_eq!(stranger.evidence, Evidence::NoProgram);
}

#[test]
fn a_fork_has_what_the_release_has_that_it_is_made_of() {
    let glitch = |version| RemoteServer::of("glitch", version);
    let release = "4.3.0";
    for (version, life, expected) in [
        ("4.3.0+glitch", release, Yes),
        // Its pre-release may lack what the release brings, and a fork may have what Mastodon brings later.
        ("4.3.0-beta.1+glitch", release, Unknown),
        ("4.3.1-beta.1+glitch", release, Yes),
        ("4.2.0+glitch", release, Unknown),
        ("4.2.0+glitch", "never", Unknown),
        ("4.3.0-beta.1+glitch", "4.2.0", Yes),
    ] {
        assert!(glitch(version).identity.is_fork(), "{version}");
        assert_eq!(mastodon(&glitch(version), life), expected, "{version}: {life}");
    }
}

#[test]
fn the_claim_of_another_program_decides_nothing() {
    // Its own pre-release is none of the release that it claims.
    let other = RemoteServer::of("pleroma", "4.3.0 (compatible; Pleroma 2.7.0-rc.1)");
    assert!(other.identity.prerelease && !other.identity.is_fork());
    let life = "4.3.0 works unknown";
    for (life, need) in [
        (life, Need::WorksSince(Availability::Unknown)),
        ("4.2.0", Need::Since(Availability::since(4, 2, 0))),
        ("4.4.0", Need::Since(Availability::since(4, 4, 0))),
    ] {
        let support = judged(&other, &ITEMS, &[life, "never"]);
        assert_eq!(support.verdict, Unknown, "{life}");
        let Evidence::Claim { fork: false, need: told, .. } = support.evidence else {
            panic!("{:?}", support.evidence)
        };
        assert_eq!(told, need, "{life}");
    }
}
