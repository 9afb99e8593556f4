//! Learning who answers: node info, the instance documents, and what else betrays a server.

use fedispec_since::StableVersion;
use fedispec_since::profile::{Betrayal, InstanceDocuments, OwnApi, Profile};
use serde_json::Value as Json;

use super::{InstanceLimits, RemoteServer};
use crate::known::profiles;
use crate::{Identity, Version};

/// Learns who answers, without IO: it tells what to ask next and takes in what came.
///
/// ```
/// use fedispec_runtime::compatibility::Discovery;
///
/// let mut discovery = Discovery::new();
/// assert_eq!(discovery.next(), Some("/.well-known/nodeinfo"));
/// discovery.answer(404, b"");
/// assert_eq!(discovery.next(), Some("/api/v2/instance"));
/// discovery.answer(200, br#"{"version": "4.3.0", "api_versions": {"mastodon": 2}}"#);
/// assert_eq!(discovery.next(), None);
/// assert_eq!(discovery.finish().api_version(), Some(2));
/// ```
///
/// Each request is a `GET` without a token. Whatever is answered is an answer: a 401 is that of a closed server, and a 404 that of one
/// without the document.
#[derive(Debug, Clone)]
pub struct Discovery {
    server: RemoteServer,
    step: Step,
    /// A document or an answer told who answers.
    learned: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    WellKnown,
    NodeInfo(String),
    InstanceV2,
    InstanceV1,
    Done,
}

impl Default for Discovery {
    fn default() -> Self {
        Self::new()
    }
}

impl Discovery {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self { server: RemoteServer::default(), step: Step::WellKnown, learned: false }
    }

    /// The path and query to ask next; `None` when it is done.
    pub fn next(&self) -> Option<&str> {
        Some(match &self.step {
            Step::WellKnown => "/.well-known/nodeinfo",
            Step::NodeInfo(path) => path,
            Step::InstanceV2 => "/api/v2/instance",
            Step::InstanceV1 => "/api/v1/instance",
            Step::Done => return None,
        })
    }

    /// Takes in the answer to what was asked.
    pub fn answer(&mut self, status: u16, body: &[u8]) {
        let document = (200..300)
            .contains(&status)
            .then(|| serde_json::from_slice::<Json>(body).ok())
            .flatten()
            .filter(Json::is_object);
        let refused = matches!(status, 401 | 403);
        match (std::mem::replace(&mut self.step, Step::Done), document) {
            (Step::WellKnown, document) => {
                let path = document.as_ref().and_then(path_of_node_info);
                self.step = path.map_or(Step::InstanceV2, Step::NodeInfo);
            }
            (Step::NodeInfo(_), document) => {
                if let Some(document) = document {
                    self.read_node_info(&document);
                }
                self.step = self.instance();
            }
            (Step::InstanceV2 | Step::InstanceV1, Some(document)) => self.read_instance(&document),
            (Step::InstanceV2, None) => {
                self.fingerprint(status, body);
                self.server.closed |= refused;
                // A server that closes one document closes the other.
                if !refused || self.server.identity.program.is_none() {
                    self.step = Step::InstanceV1;
                }
            }
            (Step::InstanceV1, None) => {
                self.fingerprint(status, body);
                self.server.closed |= refused;
            }
            (Step::Done, _) => {}
        }
    }

    /// Goes on without an answer: the request broke off.
    pub fn no_answer(&mut self) {
        self.answer(0, b"");
    }

    /// Whether anything was learned of who answers. Where nothing was and not all was answered with 404, the server may only be starting,
    /// or have enough of requests: that is worth asking again, and not what is to be known of it for long.
    pub fn has_learned(&self) -> bool {
        self.learned
    }

    /// Returns everything that was learned of the server.
    pub fn finish(self) -> RemoteServer {
        self.server
    }

    /// Which instance document tells most, where the releases of the program, or of the one that it is a fork of, are known.
    fn instance(&self) -> Step {
        let identity = &self.server.identity;
        let itself = identity.is_reference();
        let documents = profiles().reference().map(|profile| &profile.ways.instance);
        let is_before =
            |version: Version, since: fn(&InstanceDocuments) -> Option<StableVersion>| {
                let since = documents.and_then(since);
                since.is_some_and(|since| version.release() < since.version())
            };
        match identity.claims_mastodon.filter(|_| itself || identity.is_fork()) {
            Some(version) if itself && is_before(version, |known| known.limits) => Step::Done,
            Some(version) if is_before(version, |known| known.v2) => Step::InstanceV1,
            _ => Step::InstanceV2,
        }
    }

    fn read_node_info(&mut self, document: &Json) {
        let text = |path: &str| document.pointer(path).and_then(Json::as_str);
        let version = text("/software/version").unwrap_or_default();
        self.server.identity = Identity::read(version, text("/software/name"));
        self.learned |= self.server.identity.program.is_some();
    }

    fn read_instance(&mut self, document: &Json) {
        self.learned = true;
        let version = document.get("version").and_then(Json::as_str);
        let told = &self.server.identity;
        let named = told.program.as_deref().or_else(|| betrayed_by(document));
        let identity = Identity::read(version.unwrap_or_default(), named);
        self.merge(identity);
        self.server.closed = false;
        self.server.reported = InstanceLimits::read(document);
        let address = |path: &str| document.pointer(path).and_then(Json::as_str);
        let streaming = address("/configuration/urls/streaming").or(address("/urls/streaming_api"));
        let streaming = streaming.filter(|address| !address.is_empty());
        self.server.streaming = streaming.map(str::to_owned);
        let numbers = document.get("api_versions").and_then(Json::as_object);
        let number = |number: &Json| number.as_u64().and_then(|number| u32::try_from(number).ok());
        self.server.api_versions = numbers
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| Some((name.clone(), number(value)?)))
            .collect();
        self.betrayed_by_number();
    }

    /// Node info knows the program's own version better, and the instance document what it claims.
    fn merge(&mut self, told: Identity) {
        let known = &mut self.server.identity;
        if known.program.is_none() || (known.version.is_none() && known.claims_mastodon.is_none()) {
            *known = told;
            return;
        }
        known.claims_mastodon = known.claims_mastodon.or(told.claims_mastodon);
        known.version = known.version.take().or(told.version);
    }

    /// A fork that calls itself what it is a fork of, and publishes a number of its own.
    fn betrayed_by_number(&mut self) {
        let RemoteServer { identity, api_versions, .. } = &mut self.server;
        let of = identity.program.as_deref().and_then(|name| profiles().find(name));
        let Some(of) = of else { return };
        let fork = profiles().programs.iter().find(|fork| {
            let published = |api: &OwnApi| api_versions.contains_key(&api.name);
            fork.based_on.as_ref() == Some(&of.key) && fork.ways.api.as_ref().is_some_and(published)
        });
        if let Some(fork) = fork {
            identity.program = Some(fork.software().to_owned());
        }
    }

    /// Recognizes a program by an answer that is no document.
    fn fingerprint(&mut self, status: u16, body: &[u8]) {
        if self.server.identity.program.is_some() {
            return;
        }
        let betrayed = profiles().programs.iter().find(|profile| {
            let refusal = profile.ways.betrayed_by.refusal.as_ref();
            refusal.is_some_and(|refusal| {
                refusal.status == status && String::from_utf8_lossy(body).contains(&refusal.body)
            })
        });
        if let Some(profile) = betrayed {
            self.server.identity.program = Some(profile.software().to_owned());
            self.learned = true;
        }
    }
}

/// The program that an instance document betrays by what only it has there. Others name themselves in their version.
fn betrayed_by(document: &Json) -> Option<&'static str> {
    let source = document.get("source_url").and_then(Json::as_str).unwrap_or_default();
    let betrayed = profiles().programs.iter().find(|profile| {
        let Betrayal { source_url, fields, .. } = &profile.ways.betrayed_by;
        let has_all = || fields.iter().all(|field| document.get(field).is_some());
        source_url.as_ref().is_some_and(|word| source.contains(word))
            || (!fields.is_empty() && has_all())
    });
    betrayed.map(Profile::software)
}

/// The path of the newest node info. It is asked from the same host, whatever host it names: a server behind another name answers too, and
/// nobody else is asked.
fn path_of_node_info(document: &Json) -> Option<String> {
    let links = document.get("links")?.as_array()?;
    let text = |link: &Json, key: &str| link.get(key).and_then(Json::as_str).map(str::to_owned);
    let known = |link: &Json| {
        let rel = text(link, "rel")?;
        let version = rel.strip_prefix("http://nodeinfo.diaspora.software/ns/schema/")?.to_owned();
        matches!(&*version, "1.0" | "1.1" | "2.0" | "2.1" | "2.2")
            .then_some((version, path(&text(link, "href")?)?))
    };
    let (_, path) = links.iter().filter_map(known).max()?;
    Some(path)
}

fn path(href: &str) -> Option<String> {
    let path = match href.split_once("://") {
        Some((_, rest)) => rest.get(rest.find('/')?..)?,
        None => href,
    };
    let path = path.split('#').next().unwrap_or_default();
    let plain = path.bytes().all(|byte| byte.is_ascii_graphic());
    (plain && path.starts_with('/') && !path.starts_with("//")).then(|| path.to_owned())
}
