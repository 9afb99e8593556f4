use proptest::prelude::*;

use super::*;

/// The identity in one line: program, version, claimed version, `!` for a pre-release.
fn read(text: &str, software: Option<&str>) -> String {
    let identity = Identity::read(text, software);
    let word = |word: Option<&str>| word.unwrap_or("-").to_owned();
    let claim = identity.claims_mastodon.map(|claim| claim.to_string());
    let (program, version) = (word(identity.program.as_deref()), word(identity.version.as_deref()));
    let mark = if identity.prerelease { " !" } else { "" };
    format!("{program} {version} {}{mark}", word(claim.as_deref()))
}

#[test]
fn reads_mastodon() {
    for (text, meaning) in [
        ("4.3.0", "mastodon 4.3.0 4.3.0"),
        ("v4.3.0", "mastodon 4.3.0 4.3.0"),
        (" 4.3.0\n", "mastodon 4.3.0 4.3.0"),
        ("4.5.10", "mastodon 4.5.10 4.5.10"),
        ("4.3", "mastodon 4.3.0 4.3.0"),
        ("4.0.0rc1", "mastodon 4.0.0-rc1 4.0.0-rc1 !"),
        ("4.0.0.rc1", "mastodon 4.0.0-rc1 4.0.0-rc1 !"),
        ("4.2.0-beta1", "mastodon 4.2.0-beta1 4.2.0-beta1 !"),
        (
            "4.4.0-nightly.2025-02-07",
            "mastodon 4.4.0-nightly.2025-02-07 4.4.0-nightly.2025-02-07 !",
        ),
        ("4.4.0-rc.1+pr-39999-68e5caf", "mastodon 4.4.0-rc.1 4.4.0-rc.1 !"),
        ("4.4.0-alpha.2-qoto", "mastodon 4.4.0-alpha.2 4.4.0-alpha.2 !"),
        ("4.2.0+nightly-2023-08-12", "mastodon 4.2.0 4.2.0 !"),
        ("4.5.9-kronk.1.7.0", "mastodon 4.5.9 4.5.9"),
        ("3.5.19-d77ccc1", "mastodon 3.5.19 3.5.19"),
        ("4.1.0-devout", "mastodon 4.1.0 4.1.0"),
        ("4.1.0-dev-20230101-1a2b3c4", "mastodon 4.1.0-dev 4.1.0-dev !"),
        ("4.3.22~wxw", "mastodon 4.3.22 4.3.22"),
        ("4.5.10+-zach (with modifications)", "mastodon 4.5.10 4.5.10"),
        ("Mastodon 4.2.1", "mastodon 4.2.1 4.2.1"),
    ] {
        assert_eq!(read(text, None), meaning, "{text:?}");
        assert_eq!(read(text, Some("Mastodon")), meaning, "{text:?} of mastodon");
    }
    assert_eq!(read("main", Some("mastodon")), "mastodon - -");
    assert_eq!(read("0.6.0", Some("mastodon")), "mastodon 0.6.0 0.6.0");
}

#[test]
fn reads_forks() {
    for (text, software, meaning) in [
        ("4.3.0+glitch", "mastodon", "glitch-soc 4.3.0 4.3.0"),
        ("4.3.0-alpha.3+glitch.th", "mastodon", "glitch-soc 4.3.0-alpha.3 4.3.0-alpha.3 !"),
        ("4.5.11-EXQ1.00+glitch", "", "glitch-soc 4.5.11 4.5.11"),
        ("4.4.0+glitch.chuckya", "mastodon", "chuckya 4.4.0 4.4.0"),
        ("4.2.0+kmyblue.5.15-LTS", "mastodon", "kmyblue 5.15 4.2.0"),
        ("4.5.10+hometown-1.2.1", "", "hometown 1.2.1 4.5.10"),
        ("1.0.7+3.5.5rc2", "", "hometown 1.0.7 3.5.5-rc2 !"),
        ("1.1.1+4.0.15", "hometown", "hometown 1.1.1 4.0.15"),
        ("4.0.2", "hometown", "hometown - 4.0.2"),
        ("3.4.1", "fedibird", "fedibird - 3.4.1"),
        ("4.1.2+cafe.41a1757", "glitchcafe", "glitchcafe 4.1.2 4.1.2"),
    ] {
        assert_eq!(read(text, Some(software)), meaning, "{text:?} of {software:?}");
    }
}

#[test]
fn reads_gotosocial() {
    for (text, meaning) in [
        ("0.2.1 1a2b3c4", "gotosocial 0.2.1 -"),
        ("0.3.0 1a2b3c4 2022-04-16T10:00:00Z [go1.18.1]", "gotosocial 0.3.0 -"),
        ("0.6.0 git-1a2b3c4", "gotosocial 0.6.0 -"),
        ("0.19.2+git-1a2b3c4", "gotosocial 0.19.2 -"),
        ("v0.19.2+git-1a2b3c4", "gotosocial 0.19.2 -"),
        ("0.18.0-rc3+git-1a2b3c4", "gotosocial 0.18.0-rc3 - !"),
        ("0.19.3-SNAPSHOT+git-1a2b3c4", "gotosocial 0.19.3-SNAPSHOT - !"),
        ("3.5.3+0.13.0-git-1a2b3c4", "gotosocial 0.13.0 3.5.3"),
        ("3.5.3+0.19.2+git-1a2b3c4", "gotosocial 0.19.2 3.5.3"),
        ("3.5.3+0.20.0-rc1+git-1a2b3c4", "gotosocial 0.20.0-rc1 3.5.3 !"),
        ("3.5.3+git-1a2b3c4", "gotosocial - 3.5.3"),
        ("git-1a2b3c4", "gotosocial - -"),
    ] {
        assert_eq!(read(text, Some("gotosocial")), meaning, "{text:?}");
        assert_eq!(read(text, None), meaning, "{text:?} alone");
    }
    assert_eq!(read("", Some("gotosocial")), "gotosocial - -");
    assert_eq!(read("0.0.0-testrig", Some("gotosocial")), "gotosocial 0.0.0-testrig - !");
    assert_eq!(read("0.19.2", Some("gotosocial")), "gotosocial 0.19.2 -");
    assert_eq!(read("0.10.0_2", Some("gotosocial")), "gotosocial 0.10.0 -");
}

#[test]
fn reads_other_programs() {
    for (text, software, meaning) in [
        ("2.7.2 (compatible; Akkoma 3.10.4-0-gebfb617)", None, "akkoma 3.10.4-0-gebfb617 2.7.2"),
        ("2.7.2 (Compatible: Akkoma/3.10.4", None, "akkoma 3.10.4 2.7.2"),
        (
            "3.0.0 (compatible; Sharkey 2024.1.0.beta1)",
            Some("sharkey"),
            "sharkey 2024.1.0.beta1 3.0.0 !",
        ),
        (
            "4.2.1 (compatible; Iceshrimp.NET/2024.1-beta2.security)",
            None,
            "iceshrimp.net 2024.1-beta2.security 4.2.1 !",
        ),
        ("4.0.0 (compatible; Two Words)", None, "two words - 4.0.0"),
        (
            "0.9.0+2457aeaa (compatible; Mastodon/4.2.0)",
            Some("bizzfed"),
            "bizzfed 0.9.0+2457aeaa 4.2.0",
        ),
        ("2.10.2+debian.1", Some("pleroma"), "pleroma 2.10.2+debian.1 -"),
        ("2026.01-4-1586", Some("friendica"), "friendica 2026.01-4 -"),
        ("2022.05-dev-1450", Some("friendica"), "friendica 2022.05-dev - !"),
        ("2.93-MADA", Some("snac"), "snac 2.93-MADA -"),
        ("takahe/0.11.0", None, "takahe 0.11.0 -"),
        ("0.10.0-dev.545", Some("hollo"), "hollo 0.10.0-dev.545 - !"),
        ("1.42.0-8a7dc23", Some("vernissage"), "vernissage 1.42.0-8a7dc23 -"),
        ("0.16.3.1-ea8faeb-20260705200825", Some("neodb"), "neodb 0.16.3.1 -"),
        ("20241205.fork", Some("firefish"), "firefish 20241205.fork -"),
        ("2023.12.1", None, "- 2023.12.1 -"),
        ("0.4.0", None, "- 0.4.0 -"),
        ("yay yay", None, "- - -"),
        ("", None, "- - -"),
        ("99999999999999999999.1.1", Some("mastodon"), "mastodon 99999999999999999999.1.1 -"),
        ("(compatible;", None, "- - -"),
    ] {
        assert_eq!(read(text, software), meaning, "{text:?} of {software:?}");
    }
}

/// Reads the version strings of real servers, where that corpus is checked out beside this repository.
#[test]
fn reads_the_strings_of_real_servers() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus/version-strings.yaml");
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("skipped: no ../shared/corpus/version-strings.yaml beside the repository");
        return;
    };
    let strings = corpus(&text);
    assert!(strings.len() > 60, "{} strings were found", strings.len());
    let wrong: Vec<_> = strings.iter().filter_map(Case::fault).collect();
    assert!(
        wrong.is_empty(),
        "{} of {} are read wrongly:\n{}",
        wrong.len(),
        strings.len(),
        wrong.join("\n")
    );
}

#[derive(Debug, Default)]
struct Case {
    string: String,
    software: Option<String>,
    program: Option<String>,
    claim: Option<String>,
    own: Option<String>,
}

impl Case {
    fn fault(&self) -> Option<String> {
        let identity = Identity::read(&self.string, self.software.as_deref());
        let claim = identity.claims_mastodon.map(|claim| claim.to_string());
        let told = (identity.program, identity.version, claim);
        let right = (self.program.clone(), self.own.clone(), self.claim.clone());
        (told != right).then(|| {
            format!("{:?} of {:?}: {told:?} instead of {right:?}", self.string, self.software)
        })
    }
}

/// Reads the corpus line by line; its format is regular enough.
fn corpus(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if line.starts_with("- ") {
            cases.push(Case::default());
        }
        let Some(((key, value), case)) =
            line.trim_start_matches(['-', ' ']).split_once(": ").zip(cases.last_mut())
        else {
            continue;
        };
        let value = value.trim_matches('\'');
        let given = Some(value.to_owned()).filter(|value| value != "null");
        match (key, line.starts_with("    ")) {
            ("string", _) => value.clone_into(&mut case.string),
            ("software", false) => case.software = given,
            ("software", true) => case.program = given.filter(|name| name != "unknown"),
            ("compatible_with_mastodon", true) => case.claim = given,
            ("own_version", true) => case.own = given,
            _ => {}
        }
    }
    cases
}

#[test]
fn is_cached_as_it_is() {
    for text in ["4.3.0-rc.1+glitch", "yay", "2.7.2 (compatible; Pleroma 2.7.0)"] {
        let identity = Identity::read(text, None);
        let cached = serde_json::to_string(&identity).expect("JSON");
        assert_eq!(serde_json::from_str::<Identity>(&cached).expect(&cached), identity);
    }
}

proptest! {
    #[test]
    fn never_panics(text in "\\PC*", software in proptest::option::of("\\PC{0,12}")) {
        let _ = Identity::read(&text, software.as_deref()).release();
    }

    #[test]
    fn never_panics_at_what_looks_like_versions(
        text in "[v(]?([0-9.+~ _()/;-]|alpha|beta|rc|nightly|git-|glitch|hometown|kmyblue|compatible;|Mastodon|[a-f0-9]{7}|é){0,14}",
        software in proptest::option::of("mastodon|gotosocial|hometown|friendica|pleroma"),
    ) {
        let identity = Identity::read(&text, software.as_deref());
        if let Some(software) = software.filter(|software| software == "gotosocial") {
            prop_assert_eq!(identity.program, Some(software));
        }
    }

    #[test]
    fn releases_of_mastodon_are_read_whatever_follows(
        numbers in (1_u32..40, 0_u32..100, 0_u32..100),
        mark in "([+~][a-z]{3,8}([.-][a-z0-9]{1,8})?)?( [ -~]{0,12})?",
    ) {
        prop_assume!(!mark.contains("nightly") && !mark.contains('('));
        let version = Version::new(numbers.0, numbers.1, numbers.2);
        let identity = Identity::read(&format!("{version}{mark}"), Some("mastodon"));
        prop_assert_eq!(identity.claims_mastodon, Some(version));
        prop_assert!(!identity.prerelease);
    }

    #[test]
    fn gotosocial_is_known_by_its_commit(numbers in (0_u32..1, 0_u32..100, 0_u32..100), commit in "[0-9a-f]{7}", mark in "\\+git-| git-") {
        let version = Version::new(numbers.0, numbers.1, numbers.2);
        let identity = Identity::read(&format!("{version}{mark}{commit}"), None);
        prop_assert_eq!(identity.program.as_deref(), Some("gotosocial"));
        prop_assert_eq!(identity.version, Some(version.to_string()));
    }
}
