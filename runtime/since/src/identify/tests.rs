use super::*;

fn profiles() -> Profiles {
    let profile = |key: &str, based_on: Option<&str>, telling: &[&str], named: &[&str]| {
        let patterns =
            |texts: &[&str]| texts.iter().map(|text| text.parse().expect("a pattern")).collect();
        Profile {
            key: key.to_owned(),
            nodeinfo: vec![key.to_owned()],
            based_on: based_on.map(str::to_owned),
            versions: crate::profile::Versions {
                telling: patterns(telling),
                named: patterns(named),
                forks_are_named: Vec::new(),
            },
            ..Profile::default()
        }
    };
    let mut base = profile("base", None, &["{both:1-49}{rest}"], &["{both:0-49}{rest}"]);
    base.versions.forks_are_named.push("base".to_owned());
    Profiles {
        reference: "base".to_owned(),
        programs: vec![
            base,
            profile("fork", Some("base"), &["{both:1-49}{marks}fork{rest}"], &["{claim}"]),
            profile("twig", Some("fork"), &["{both:1-49}{marks}twig{rest}"], &[]),
            profile("other", None, &["{own:0-1} {commit}"], &[]),
        ],
    }
}

fn read(text: &str, software: Option<&str>) -> String {
    let Identified { program, version, claim, prerelease } = profiles().identify(text, software);
    let word = |word: Option<String>| word.unwrap_or_else(|| "-".to_owned());
    let mark = if prerelease { " !" } else { "" };
    format!("{} {} {}{mark}", word(program), word(version), word(claim.map(|one| one.to_string())))
}

#[test]
fn forks_are_tried_before_what_they_are_forks_of() {
    assert_eq!(read("4.3+fork.twig", None), "twig 4.3.0 4.3.0");
    assert_eq!(read("4.3.0+fork", Some("Base")), "fork 4.3.0 4.3.0");
    assert_eq!(read("4.3.0+fork", Some("other")), "other 4.3.0+fork -");
    assert_eq!(read("4.3.0", Some("fork")), "fork - 4.3.0");
    assert_eq!(read("4.3.0+x", Some("fork")), "fork 4.3.0+x -");
    assert_eq!(read("4.3.0", Some("mybase")), "mybase 4.3.0 4.3.0");
    assert!(profiles().is_fork("twig") && profiles().is_fork("mybase"));
    assert!(!profiles().is_fork("base") && !profiles().is_fork("other"));
}

#[test]
fn the_reference_program_is_tried_last() {
    assert_eq!(read("1.2.0 1a2b3c4", None), "other 1.2.0 -");
    assert_eq!(read("1.2.0", None), "base 1.2.0 1.2.0");
    assert_eq!(read("0.2.0", None), "- 0.2.0 -");
}

#[test]
fn a_program_without_a_profile_is_named_by_what_stands_in_brackets() {
    assert_eq!(read("2.7.2 (compatible; New 1.0.0)", None), "new 1.0.0 2.7.2");
    assert_eq!(read("2.7.2 (compatible; New 1.0.0)", Some("base")), "new 1.0.0 2.7.2");
    assert_eq!(read("0.9.0 (compatible; Base/4.2.0)", Some("new")), "new 0.9.0 4.2.0");
    assert_eq!(read("2026.1 (compatible; Base 99.0.0)", None), "- 2026.1 -");
}

#[test]
fn circles_end() {
    let mut profiles = profiles();
    profiles.programs[0].based_on = Some("twig".to_owned());
    assert_eq!(profiles.identify("4.3.0+fork", None).program.as_deref(), Some("fork"));
}
