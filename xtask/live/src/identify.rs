//! `identify`: the program and versions in a version string.

use std::io::{self, Write};

use fedispec::runtime::{Identity, profiles};
use fedispec_commands::output;
use fedispec_model::api::Api;
use fedispec_model::registered;

/// Parses a version string, with the program's name in `NodeInfo` if there is one.
pub(crate) fn identify(string: &str, software: Option<&str>) -> Identity {
    Identity::read(string, software)
}

/// Tells for which release that of a server stands, where it is not registered.
pub(crate) fn stands_for(api: &Api, program: Option<&str>, version: Option<&str>) {
    let release = program.zip(version);
    if let Some(Ok(found)) =
        release.map(|(program, version)| registered::release(api, program, version))
    {
        output::stands_for(&found);
    }
}

/// Prints an identity for people.
pub(crate) fn print(identity: &Identity, out: &mut impl Write) -> io::Result<()> {
    let or_unknown = |text: Option<&str>| text.unwrap_or("unknown").to_owned();
    let claim = identity.claims_mastodon.map(|claim| claim.to_string());
    let pre = if identity.prerelease { " (before its release)" } else { "" };
    writeln!(out, "program  {}", or_unknown(identity.program.as_deref()))?;
    writeln!(out, "version  {}{pre}", or_unknown(identity.version.as_deref()))?;
    writeln!(out, "{} {}", profiles().reference, claim.as_deref().unwrap_or("no claim"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_is_what_tools_rely_on() {
        let json =
            |string, software| serde_json::to_string(&identify(string, software)).expect("JSON");
        assert_eq!(
            json("3.5.3+0.17.3-git-1a2b3c4", Some("gotosocial")),
            r#"{"program":"gotosocial","version":"0.17.3","claims_mastodon":"3.5.3","prerelease":false}"#
        );
        assert_eq!(
            json("yay yay", None),
            r#"{"program":null,"version":null,"claims_mastodon":null,"prerelease":false}"#
        );
    }

    #[test]
    fn a_person_reads_what_is_unknown() {
        let mut out = Vec::new();
        print(&identify("4.3.0-rc.1", Some("mastodon")), &mut out).expect("written");
        print(&identify("", None), &mut out).expect("written");
        assert_eq!(
            String::from_utf8_lossy(&out),
            "program  mastodon\nversion  4.3.0-rc.1 (before its release)\nmastodon 4.3.0-rc.1\n\
             program  unknown\nversion  unknown\nmastodon no claim\n"
        );
    }
}
