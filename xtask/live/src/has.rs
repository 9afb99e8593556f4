//! `has`: whether a server, or a release by its version string, has an item or a feature.

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;
use fedispec::client::Reqwest;
use fedispec::features;
use fedispec::runtime::compatibility::{RemoteServer, Support, Verdict};
use fedispec_model::api::{Api, Feature, Item};
use fedispec_model::features::Features;
use fedispec_model::reach::Reach;
use fedispec_model::rows::rows;
use fedispec_model::suggest::did_you_mean;
use serde::Serialize;

use crate::asker::origin;
use crate::{identify, live};

/// The time in which a server has to tell what it is.
const PATIENCE: Duration = Duration::from_secs(10);

/// The question.
#[derive(Debug, Args)]
pub(crate) struct Question {
    /// The server: its URL, or a version string such as `4.3.0+glitch` or `gotosocial@0.19.2`.
    server: String,
    /// The item or feature: an id, or a feature's name or synonym.
    #[arg(required = true, num_args = 1..)]
    item: Vec<String>,
    /// The program's name in `NodeInfo`, beside a version string.
    #[arg(long, value_name = "NAME")]
    software: Option<String>,
}

/// The answer.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    program: Option<String>,
    version: Option<String>,
    /// The id of the item or feature.
    item: String,
    pub(crate) verdict: Verdict,
    /// The first release of the program that has it; absent where the catalogue does not know the program.
    since: Option<String>,
    evidence: String,
}

/// The meaning of a name.
enum Named<'a> {
    Item(&'a Item),
    Feature(&'a Feature),
}

/// Answers the question.
///
/// # Errors
///
/// When the server cannot be asked, or nothing has the name.
pub(crate) fn has(api: &Api, question: &Question) -> Result<Report, String> {
    let name = question.item.join(" ");
    let rows = rows(api);
    let items: Vec<_> = rows.iter().map(|row| row.item).collect();
    let named = find(api, &items, name.trim())?;
    let server = server(question)?;
    let identity = &server.identity;
    identify::stands_for(api, identity.program.as_deref(), identity.version.as_deref());
    let support = match &named {
        Named::Item(item) => server.supports(fedispec::items(), &item.id),
        Named::Feature(feature) => of_feature(&server, feature),
    };
    Ok(Report {
        since: since(api, &server, &named),
        item: match named {
            Named::Item(item) => item.id.clone(),
            Named::Feature(feature) => feature.id.clone(),
        },
        verdict: support.verdict,
        evidence: support.evidence.to_string(),
        program: server.identity.program,
        version: server.identity.version,
    })
}

/// An item's id goes before a feature's name.
fn find<'a>(api: &'a Api, items: &[&'a Item], name: &str) -> Result<Named<'a>, String> {
    if let Some(item) = items.iter().find(|item| item.id == name) {
        return Ok(Named::Item(item));
    }
    if let Some(feature) = api.features.iter().find(|feature| feature.is_called(name)) {
        return Ok(Named::Feature(feature));
    }
    let names = api.features.iter();
    let names = names.flat_map(|feature| std::iter::once(&feature.id).chain(&feature.synonyms));
    let known = items.iter().map(|item| &item.id).chain(names).map(String::as_str);
    let or_else = "`fedispec show` and the site find items by what people call them";
    let help = did_you_mean(name, known, or_else);
    Err(format!("no item or feature is called `{name}`; {help}"))
}

fn of_feature(server: &RemoteServer, feature: &Feature) -> Support {
    let mut known = features::ALL.iter();
    let known = known.find(|known| known.id() == feature.id);
    known
        .map_or_else(|| server.supports(fedispec::items(), &feature.id), |known| server.has(*known))
}

/// Since when the server's program has it.
fn since(api: &Api, server: &RemoteServer, named: &Named<'_>) -> Option<String> {
    let name = server.identity.program.as_deref()?;
    let place = api.programs.iter().position(|program| program.is_named(name))?;
    match named {
        Named::Feature(feature) => Some(Features::new(api).life(feature, place).since.to_string()),
        Named::Item(item) => {
            let effective = Reach::new(api).effective(item).get(place).copied()?;
            Some(item.life.get(place)?.heeded_since(effective).to_string())
        }
    }
}

/// The server of the question: asked, or by its version string.
fn server(question: &Question) -> Result<RemoteServer, String> {
    let text = question.server.trim();
    if question.software.is_none() && is_address(text) {
        return ask(text);
    }
    let (software, version) = match (&question.software, text.split_once('@')) {
        (Some(software), _) => (Some(software.as_str()), text),
        (None, Some((software, version))) => (Some(software), version),
        (None, None) => (None, text),
    };
    let mut server = RemoteServer::default();
    server.identity = identify::identify(version, software);
    Ok(server)
}

/// Whether a text is an address rather than a version string: it has a scheme, or ends like a host name does.
pub(crate) fn is_address(text: &str) -> bool {
    let host = text.split(['/', ':']).next().unwrap_or_default();
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let is_named = host.starts_with(|c: char| c.is_ascii_alphabetic()) && host.chars().all(is_host);
    let top = host.rsplit_once('.').map(|(_, top)| top);
    let has_top = top.is_some_and(|top| top.starts_with(|c: char| c.is_ascii_alphabetic()));
    text.contains("://") || (is_named && has_top)
}

/// Learns what a running server is.
fn ask(url: &str) -> Result<RemoteServer, String> {
    let origin = origin(url)?;
    let transport = Reqwest::new().map_err(|error| error.to_string())?;
    let server = live::wait(async {
        let discovered = RemoteServer::discover(&transport, &origin);
        match tokio::time::timeout(PATIENCE, discovered).await {
            Ok(Ok(server)) => Ok(server),
            Ok(Err(error)) => Err(format!("{url} does not tell what it is: {error}")),
            Err(_) => {
                let seconds = PATIENCE.as_secs();
                Err(format!("{url} did not tell what it is within {seconds} seconds"))
            }
        }
    })?;
    if server.identity.program.is_none() && server.identity.version.is_none() {
        return Err(format!(
            "{url} answers, and tells neither its program nor a version: is it a server of this API?"
        ));
    }
    Ok(server)
}

/// Prints the answer for people.
pub(crate) fn print(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let Report { program, version, item, verdict, since, evidence } = report;
    let server = program.as_deref().unwrap_or("a server of an unknown program");
    let version = version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    writeln!(out, "{}: {item} in {server}{version}", verdict.name())?;
    if let Some(since) = since {
        writeln!(out, "since     {since}")?;
    }
    writeln!(out, "evidence  {evidence}")
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn an_address_is_told_from_a_version() {
        for address in [
            "https://social.example",
            "http://localhost:3000",
            "social.example",
            "social.example:8443",
            "x.example/about",
        ] {
            assert!(is_address(address), "{address}");
        }
        for version in [
            "4.3.0",
            "v0.17.4 git-aebb846",
            "4.3.0-beta.1+glitch",
            "gotosocial@0.19.2",
            "2.7.2 (compatible; Pleroma 2.7.0)",
            "kalaclista git-212fecf",
            "main",
            "",
            "0.1.0-rc.x",
        ] {
            assert!(!is_address(version), "{version}");
        }
    }
}
