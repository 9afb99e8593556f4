//! Addresses of clients behind proxies.
//!
//! `axum-client-ip` believes a header whoever sends it; here only the word of trusted networks counts.

use std::net::{IpAddr, SocketAddr};
use std::sync::Once;

use axum::http::HeaderMap;
use axum::http::uri::Authority;
use ipnet::IpNet;

use super::answer::{ForwardedOrigin, is_loopback, warn};
use super::client_key::network;

/// Networks whose word is believed about whom they speak for.
#[derive(Debug, Clone, Default)]
pub(super) struct Proxies(Vec<IpNet>);

/// The header in which a proxy tells the address that a request came from.
const FORWARDED: &str = "x-forwarded-for";

impl Proxies {
    /// Each is a network such as `10.0.0.0/8`, or one address.
    pub(super) fn new(texts: impl IntoIterator<Item: AsRef<str>>) -> Result<Self, String> {
        let network = |text: &str| {
            let found = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
            let told =
                |_| format!("`{text}` is neither an address nor a network such as 10.0.0.0/8");
            found.map_err(told)
        };
        texts.into_iter().map(|text| network(text.as_ref())).collect::<Result<_, _>>().map(Self)
    }

    /// The address of the client: the last one that was forwarded by somebody trusted. A peer without an address is a program on this machine,
    /// over a Unix socket, and trusted.
    pub(super) fn client(
        &self,
        peer: Option<SocketAddr>,
        headers: &HeaderMap,
    ) -> Option<SocketAddr> {
        let mut client = peer;
        let forwarded = headers.get_all(FORWARDED).iter().rev();
        let forwarded = forwarded.flat_map(|value| value.to_str().unwrap_or_default().rsplit(','));
        for before in forwarded {
            if let Some(untrusted) = client.filter(|client| !self.trusts(client.ip())) {
                if client == peer && self.counted(peer).is_none() {
                    Self::warn_of(untrusted.ip());
                }
                break;
            }
            match parse(before.trim()) {
                Some(address) => client = Some(address),
                None => break,
            }
        }
        client
    }

    /// The origin that the client asked, where a trusted peer tells it: by `X-Forwarded-Proto`, and `X-Forwarded-Host` or else `Host`. Who does
    /// not tell the scheme speaks for https, except of this machine.
    pub(super) fn origin(
        &self,
        peer: Option<SocketAddr>,
        headers: &HeaderMap,
    ) -> Option<ForwardedOrigin> {
        if peer.is_some_and(|peer| !self.trusts(peer.ip())) {
            return None;
        }
        // The last is the word of the peer itself.
        let last = |name: &str| {
            let value = headers.get_all(name).iter().next_back()?.to_str().ok()?;
            value.rsplit(',').next().map(str::trim)
        };
        let host = last("x-forwarded-host").or_else(|| last("host"))?;
        let is_host = host.parse::<Authority>().is_ok_and(|host| !host.as_str().contains('@'));
        let scheme = match last("x-forwarded-proto") {
            Some(scheme @ ("http" | "https")) => scheme,
            Some(_) => return None,
            None if is_loopback(host) => "http",
            None => "https",
        };
        is_host.then(|| ForwardedOrigin(format!("{scheme}://{host}").into()))
    }

    /// The address that a peer's connections are counted for: none of a proxy that is trusted, or that may be one of this network, through which
    /// many come.
    pub(super) fn counted(&self, peer: Option<SocketAddr>) -> Option<IpAddr> {
        let address = peer?.ip().to_canonical();
        let is_near = match address {
            IpAddr::V4(address) => address.is_loopback() || address.is_private(),
            IpAddr::V6(address) => address.is_loopback() || address.is_unique_local(),
        };
        (!is_near && !self.trusts(address)).then(|| network(address))
    }

    /// Tells once in a process that a proxy nobody trusts forwards requests: limits take all who come through it for one client.
    fn warn_of(peer: IpAddr) {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            let told = format!(
                "{peer} forwards requests and is not trusted, so that limits count all who come through it as one client: name it in \
                Listen::trusted_proxies"
            );
            warn(&told);
        });
    }

    fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// An address with or without a port, which is 0 then.
fn parse(text: &str) -> Option<SocketAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match bare.unwrap_or(text).parse() {
        Ok(address) => Some(SocketAddr::new(address, 0)),
        Err(_) => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(trusted: &[&str], peer: Option<&str>, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED, value.parse().expect("a value"));
        }
        let peer = peer.map(|peer| parse(peer).expect(peer));
        let client = Proxies::new(trusted).expect("networks").client(peer, &headers);
        client.map(|client| client.ip().to_string()).unwrap_or_default()
    }

    #[test]
    fn only_those_who_are_trusted_tell_for_whom_they_speak() {
        let (proxy, other) = (Some("10.1.2.3:70"), Some("192.0.2.1:70"));
        let trusted = &["10.0.0.0/8", "fd00::/8", "127.0.0.1"];
        assert_eq!(client(trusted, proxy, &[]), "10.1.2.3");
        assert_eq!(client(trusted, proxy, &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(client(&[], proxy, &["198.51.100.7"]), "10.1.2.3");
        assert_eq!(client(trusted, other, &["198.51.100.7"]), "192.0.2.1");
        // The client's own claim stands before the address that the proxy saw.
        let claims = &["127.0.0.1, 203.0.113.9", "198.51.100.7, 10.0.0.1"];
        assert_eq!(client(trusted, proxy, claims), "198.51.100.7");
        assert_eq!(client(trusted, proxy, &["nonsense"]), "10.1.2.3");
        assert_eq!(
            client(trusted, Some("[::ffff:127.0.0.1]:1"), &["[2001:db8::1]:443"]),
            "2001:db8::1"
        );
        assert_eq!(client(trusted, Some("fd00::1"), &["[2001:db8::1]"]), "2001:db8::1");
        // Over a Unix socket.
        assert_eq!(client(&[], None, &["198.51.100.7:80"]), "198.51.100.7");
        assert_eq!(client(&[], None, &[]), "");
    }

    #[test]
    fn only_those_who_are_trusted_tell_what_was_asked() {
        let origin = |peer: Option<&str>, sent: &[(&'static str, &str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in sent {
                headers.append(*name, value.parse().expect("a value"));
            }
            let proxies = Proxies::new(["10.0.0.0/8"]).expect("a network");
            let told = proxies.origin(peer.map(|peer| parse(peer).expect(peer)), &headers);
            told.map(|ForwardedOrigin(origin)| origin.to_string()).unwrap_or_default()
        };
        let proxy = Some("10.1.2.3");
        let (host, plain) = (("host", "a.example"), ("x-forwarded-proto", "http"));
        assert_eq!(origin(proxy, &[host]), "https://a.example");
        assert_eq!(origin(None, &[host]), "https://a.example");
        assert_eq!(origin(Some("192.0.2.1"), &[host]), "");
        assert_eq!(origin(proxy, &[host, plain]), "http://a.example");
        assert_eq!(origin(None, &[("host", "localhost:3000")]), "http://localhost:3000");
        // The client's own claims stand before the address that the proxy has added.
        let claims = [host, ("x-forwarded-host", "evil.example, b.example:8443")];
        assert_eq!(origin(proxy, &claims), "https://b.example:8443");
        for wrong in ["", "a b", "a>; rel=next", "a@b", "a/b"] {
            assert_eq!(origin(proxy, &[("host", wrong)]), "", "{wrong}");
        }
        assert_eq!(origin(proxy, &[host, ("x-forwarded-proto", "gopher")]), "");
    }

    #[test]
    fn proxies_are_not_counted_as_clients() {
        let counted = |peer: &str| {
            let proxies = Proxies::new(["203.0.113.0/24"]).expect("a network");
            let address = proxies.counted(Some(parse(peer).expect(peer)));
            address.map(|address| address.to_string()).unwrap_or_default()
        };
        for (peer, address) in [
            ("198.51.100.7", "198.51.100.7"),
            ("2001:db8:0:1:2::3", "2001:db8:0:1::"),
            ("::ffff:198.51.100.7", "198.51.100.7"),
            ("203.0.113.9", ""),
            ("127.0.0.1", ""),
            ("::1", ""),
            ("10.1.2.3", ""),
            ("fd00::1", ""),
        ] {
            assert_eq!(counted(peer), address, "{peer}");
        }
    }

    #[test]
    fn networks_are_read() {
        let within = |network: &str, address: &str| {
            let proxies = Proxies::new([network]).expect(network);
            proxies.trusts(address.parse().expect(address))
        };
        assert!(within("0.0.0.0/0", "203.0.113.9") && !within("0.0.0.0/0", "::1"));
        assert!(within("10.64.0.0/10", "10.127.255.255") && !within("10.64.0.0/10", "10.128.0.0"));
        assert!(within("::1", "::1") && !within("::1/128", "::2") && within("::/0", "::2"));
        for wrong in ["", "10.0.0.0/33", "10.0.0.0/-1", "a/8", "::/129", "10.0.0.0/8/8"] {
            let told = Proxies::new([wrong]).expect_err(wrong);
            assert!(told.contains(&format!("`{wrong}`")), "{told}");
        }
    }
}
