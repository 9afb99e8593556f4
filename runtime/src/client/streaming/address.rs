//! Where a server's streams are.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use http::Uri;

use crate::client::Origin;
use crate::compatibility::RemoteServer;
use crate::known;
use crate::loopback::is_loopback;

/// The address of a server's streams: `wss://streaming.example.org`. The token of a stream is sent there.
///
/// ```
/// use fedispec_runtime::client::StreamAddress;
///
/// let instance = "https://example.org".parse()?;
/// let told = StreamAddress::told(&instance, "wss://streaming.example.org")?;
/// assert_eq!(told.to_string(), "https://streaming.example.org");
/// assert!(StreamAddress::told(&instance, "ws://streaming.example.org").is_err(), "not encrypted");
/// assert!(StreamAddress::told(&instance, "wss://192.168.0.1").is_err(), "inside the user's own network");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamAddress {
    origin: Origin,
    /// A path before that of the API, without a slash at its end.
    prefix: String,
}

impl StreamAddress {
    /// The instance's own origin.
    pub fn own(instance: &Origin) -> Self {
        Self { origin: instance.clone(), prefix: String::new() }
    }

    /// The address that an instance document names: `configuration.urls.streaming` of version 2, `urls.streaming_api` of version 1.
    ///
    /// # Errors
    ///
    /// When a token must not be sent there: the scheme is not `wss` or `https` (the plain ones are taken where the instance itself is
    /// plain, and the host is the same), or the host is private and not the instance's own.
    pub fn told(instance: &Origin, address: &str) -> Result<Self, BadStreamAddress> {
        let fault = |why| BadStreamAddress { told: address.chars().take(200).collect(), why };
        let parsed = Parsed::read(address).ok_or_else(|| fault(Why::NotAnAddress))?;
        let is_here = parsed.is_host_of(instance);
        if is_here && parsed.has_port_of(instance) && !instance.is_secure() {
            // GoToSocial names `wss` also where it is reached without TLS.
            return Ok(Self { origin: instance.clone(), prefix: parsed.prefix });
        }
        match parsed.scheme {
            Scheme::Secure => {}
            Scheme::Plain if is_here && !instance.is_secure() => {}
            Scheme::Plain => return Err(fault(Why::Insecure)),
            Scheme::Other => return Err(fault(Why::Scheme)),
        }
        if !is_here && let Some(why) = private(&parsed.host) {
            return Err(fault(why));
        }
        parsed.address().ok_or_else(|| fault(Why::NotAnAddress))
    }

    /// The address of a known server's streams.
    ///
    /// # Errors
    ///
    /// As for [`told`](Self::told).
    pub fn of(instance: &Origin, server: &RemoteServer) -> Result<Self, BadStreamAddress> {
        let Some(told) = &server.streaming else {
            return Ok(Self::own(instance));
        };
        let told = Self::told(instance, told);
        // A program that serves its streams itself names the host of its configuration, which may be another than the one that it is
        // reached at, and a name of the local network.
        let profile = known::profile(server.identity.program.as_deref());
        let is_own = profile.is_some_and(|profile| profile.ways.streaming.at_own_host);
        match told {
            Ok(_) if is_own => Ok(Self::own(instance)),
            Err(bad) if is_own && bad.why == Why::LocalName => Ok(Self::own(instance)),
            told => told,
        }
    }

    /// The origin.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(super) fn url(&self, target: &str) -> Result<Uri, http::Error> {
        self.origin.url(&format!("{}{target}", self.prefix))
    }
}

impl fmt::Display for StreamAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin, self.prefix)
    }
}

impl FromStr for StreamAddress {
    type Err = BadStreamAddress;

    /// Reads an address that the program itself names. Plain `ws` and `http` are accepted for loopback only.
    fn from_str(text: &str) -> Result<Self, BadStreamAddress> {
        let fault = |why| BadStreamAddress { told: text.chars().take(200).collect(), why };
        let parsed = Parsed::read(text).ok_or_else(|| fault(Why::NotAnAddress))?;
        let is_loopback = is_loopback(&parsed.host);
        match parsed.scheme {
            Scheme::Secure => {}
            Scheme::Plain if is_loopback => {}
            Scheme::Plain => return Err(fault(Why::Insecure)),
            Scheme::Other => return Err(fault(Why::Scheme)),
        }
        parsed.address().ok_or_else(|| fault(Why::NotAnAddress))
    }
}

#[derive(PartialEq, Clone, Copy)]
enum Scheme {
    Secure,
    Plain,
    Other,
}

struct Parsed {
    scheme: Scheme,
    /// In lower case, without the dot of a complete name.
    host: String,
    port: Option<u16>,
    prefix: String,
}

impl Parsed {
    fn read(address: &str) -> Option<Self> {
        let (scheme, rest) = address.trim().split_once("://")?;
        // The scheme is read apart, so that any is.
        let url: Uri = format!("https://{rest}").parse().ok()?;
        let authority = url.authority()?;
        if authority.as_str().contains('@') || url.query().is_some() || rest.contains('#') {
            return None;
        }
        let host = authority.host().to_ascii_lowercase();
        let host = host.strip_suffix('.').unwrap_or(&host).to_owned();
        let has_port = authority.as_str().len() > authority.host().len();
        let port = authority.port_u16().filter(|port| *port != 0);
        if host.is_empty() || (has_port && port.is_none()) {
            return None;
        }
        Some(Self {
            scheme: match scheme.to_ascii_lowercase().as_str() {
                "wss" | "https" => Scheme::Secure,
                "ws" | "http" => Scheme::Plain,
                _ => Scheme::Other,
            },
            host,
            port,
            prefix: url.path().trim_end_matches('/').to_owned(),
        })
    }

    /// Whether the host is the instance's, or both are this machine.
    fn is_host_of(&self, instance: &Origin) -> bool {
        self.host == instance.host() || (is_loopback(&self.host) && instance.is_loopback())
    }

    fn has_port_of(&self, instance: &Origin) -> bool {
        self.port == instance.explicit_port()
    }

    fn address(self) -> Option<StreamAddress> {
        let scheme = if self.scheme == Scheme::Plain { "http" } else { "https" };
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        let origin = Origin::insecure(&format!("{scheme}://{}{port}", self.host)).ok()?;
        Some(StreamAddress { origin, prefix: self.prefix })
    }
}

fn ip(host: &str) -> Option<IpAddr> {
    let inside = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let ip: IpAddr = inside.unwrap_or(host).parse().ok()?;
    Some(match ip {
        IpAddr::V6(v6) => v6.to_ipv4_mapped().map_or(ip, IpAddr::V4),
        IpAddr::V4(_) => ip,
    })
}

/// Why a host is not one of the public internet, as far as its name tells.
fn private(host: &str) -> Option<Why> {
    match ip(host) {
        Some(IpAddr::V4(ip)) => is_private_v4(ip).then_some(Why::Private),
        Some(IpAddr::V6(ip)) => is_private_v6(ip).then_some(Why::Private),
        None if ends_in_number(host) => Some(Why::Private),
        None => is_local_name(host).then_some(Why::LocalName),
    }
}

fn is_private_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_multicast()
        || ip.is_broadcast()
        || a == 0
        || a >= 240
        // Shared by carriers (RFC 6598), and for benchmarks (RFC 2544).
        || (a == 100 && (64..128).contains(&b))
        || (a == 198 && (b == 18 || b == 19))
        || (a == 192 && b == 0 && c == 0)
}

fn is_private_v6(ip: Ipv6Addr) -> bool {
    let first = ip.segments()[0];
    // Of the addresses that are given out, all begin with the bits 001.
    first & 0xe000 != 0x2000
}

/// A host that ends in a number is an address in [another spelling](https://url.spec.whatwg.org/#ends-in-a-number-checker).
fn ends_in_number(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or(host);
    last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x")
}

/// Whether a name is one of the local network: a single word, or below a domain that is kept for it.
fn is_local_name(host: &str) -> bool {
    let last = host.rsplit_once('.').map(|(_, last)| last);
    last.is_none_or(|last| {
        matches!(last, "localhost" | "local" | "internal" | "lan" | "home" | "arpa")
    })
}

/// An address of streams to which no token is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadStreamAddress {
    /// The address, truncated.
    pub told: String,
    why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    NotAnAddress,
    Scheme,
    Insecure,
    Private,
    LocalName,
}

impl fmt::Display for BadStreamAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.why {
            Why::NotAnAddress => "is not one: it is like wss://streaming.example.org",
            Why::Scheme => "has another scheme than wss or https",
            Why::Insecure => "is not encrypted",
            Why::Private | Why::LocalName => {
                "is in a private network, and not the instance's own host"
            }
        };
        write!(
            f,
            "the address of streams `{}` {why}; no token is sent there. `Live::at` takes another address",
            self.told.escape_debug()
        )
    }
}

impl std::error::Error for BadStreamAddress {}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(instance: &str, address: &str) -> Result<String, Why> {
        let instance = Origin::insecure(instance).expect(instance);
        let told = StreamAddress::told(&instance, address);
        told.map(|told| told.to_string()).map_err(|bad| bad.why)
    }

    #[test]
    fn addresses_of_instance_documents_are_taken() {
        for (instance, address, taken) in [
            ("example.org", "wss://example.org", "https://example.org"),
            ("example.org", "wss://Streaming.Example.ORG./", "https://streaming.example.org"),
            ("example.org", "https://s.example.org:4000/x/", "https://s.example.org:4000/x"),
            ("example.org", "wss://8.8.8.8", "https://8.8.8.8"),
            ("example.org", "wss://[2606:4700::1]", "https://[2606:4700::1]"),
            // GoToSocial without TLS.
            ("http://127.0.0.1:8080", "wss://localhost:8080", "http://127.0.0.1:8080"),
            ("http://127.0.0.1:8080", "wss://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://10.0.0.3:8080", "wss://10.0.0.3:8080", "http://10.0.0.3:8080"),
            // A streaming server beside it.
            ("http://localhost:3000", "ws://localhost:4000", "http://localhost:4000"),
            ("http://localhost:3000", "wss://[::1]:4000", "https://[::1]:4000"),
            ("https://localhost:3000", "wss://localhost:4000", "https://localhost:4000"),
            ("https://192.168.1.5", "wss://192.168.1.5:4000", "https://192.168.1.5:4000"),
            ("http://127.0.0.1:8080", "wss://example.org", "https://example.org"),
        ] {
            assert_eq!(told(instance, address).as_deref(), Ok(taken), "{address}");
        }
    }

    #[test]
    fn addresses_that_must_not_get_a_token_are_refused() {
        for (address, why) in [
            ("", Why::NotAnAddress),
            ("streaming.example.org", Why::NotAnAddress),
            ("wss://", Why::NotAnAddress),
            ("wss://example.org@evil.test", Why::NotAnAddress),
            ("wss://evil.test/?token=", Why::NotAnAddress),
            ("wss://evil.test/#x", Why::NotAnAddress),
            ("wss://evil.test:99999", Why::NotAnAddress),
            ("wss://evil.test:0", Why::NotAnAddress),
            ("file:///etc/passwd", Why::NotAnAddress),
            ("ftp://example.org", Why::Scheme),
            ("gopher://127.0.0.1", Why::Scheme),
            ("ws://example.org", Why::Insecure),
            ("http://streaming.example.org", Why::Insecure),
            ("wss://localhost", Why::LocalName),
            ("wss://a.localhost", Why::LocalName),
            ("wss://127.0.0.1", Why::Private),
            ("wss://127.1", Why::Private),
            ("wss://2130706433", Why::Private),
            ("wss://0x7f.0.0.0x1", Why::Private),
            ("wss://10.1.2.3", Why::Private),
            ("wss://172.16.0.1", Why::Private),
            ("wss://192.168.0.1:443", Why::Private),
            ("wss://169.254.169.254", Why::Private),
            ("wss://100.64.0.1", Why::Private),
            ("wss://0.0.0.0", Why::Private),
            ("wss://[::1]", Why::Private),
            ("wss://[::]", Why::Private),
            ("wss://[fd00::1]", Why::Private),
            ("wss://[fe80::1]", Why::Private),
            ("wss://[::ffff:10.0.0.1]", Why::Private),
            ("wss://[64:ff9b::a00:1]", Why::Private),
            ("wss://router", Why::LocalName),
            ("wss://printer.local", Why::LocalName),
        ] {
            assert_eq!(told("https://example.org", address), Err(why), "{address}");
        }
        for (instance, address, why) in [
            // Loopback is no leave for the network around it, nor without TLS for another host.
            ("http://127.0.0.1:8080", "wss://10.0.0.1", Why::Private),
            ("http://127.0.0.1:8080", "ws://example.org", Why::Insecure),
            ("http://10.0.0.3:8080", "wss://10.0.0.4", Why::Private),
            ("https://10.0.0.3", "wss://localhost", Why::LocalName),
            ("https://localhost:3000", "ws://localhost:4000", Why::Insecure),
        ] {
            assert_eq!(told(instance, address), Err(why), "{instance} {address}");
        }
    }

    #[test]
    fn gotosocial_has_its_streams_itself() {
        let instance: Origin = "http://127.0.0.1:8080".parse().expect("an origin");
        let mut server = RemoteServer::of("gotosocial", "0.19.2");
        server.streaming = Some("wss://gts.example.org".to_owned());
        let address = StreamAddress::of(&instance, &server).map(|address| address.to_string());
        assert_eq!(address.as_deref(), Ok("http://127.0.0.1:8080"));
        // A name of the network that it runs in is not asked, and so does no harm.
        server.streaming = Some("wss://gts".to_owned());
        assert_eq!(StreamAddress::of(&instance, &server), Ok(StreamAddress::own(&instance)));
        for told in ["wss://10.0.0.1", "ws://gts.example.org", "ftp://gts"] {
            server.streaming = Some(told.to_owned());
            assert!(StreamAddress::of(&instance, &server).is_err(), "{told}");
        }
    }

    #[test]
    fn a_program_may_name_any_host() {
        let read = |text: &str| text.parse().map(|address: StreamAddress| address.to_string());
        assert_eq!(read("wss://10.0.0.1:4000").as_deref(), Ok("https://10.0.0.1:4000"));
        assert_eq!(read("ws://localhost:4000").as_deref(), Ok("http://localhost:4000"));
        assert!(read("ws://10.0.0.1:4000").is_err());
        assert!(read("example.org").is_err());
    }
}
