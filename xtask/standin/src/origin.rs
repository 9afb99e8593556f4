//! The origin of a stand-in: a scheme, a host and perhaps a port.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::Uri;

/// The error of a URL that is no origin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{url:?} is no origin: write a scheme and a host, like https://social.example or http://127.0.0.1:3000"
)]
pub struct BadOrigin {
    url: String,
}

/// Reads an origin; a slash at its end is let go.
pub(crate) fn parse(url: &str) -> Result<String, BadOrigin> {
    let bad = || BadOrigin { url: url.to_owned() };
    let origin = url.trim_end_matches('/').to_ascii_lowercase();
    let parsed: Uri = origin.parse().map_err(|_| bad())?;
    let is_http = matches!(parsed.scheme_str(), Some("http" | "https"));
    let is_bare =
        matches!(parsed.path(), "" | "/") && parsed.query().is_none() && !origin.contains('#');
    let authority = parsed.authority().filter(|authority| !authority.as_str().contains('@'));
    let has_host = authority.is_some_and(|authority| !authority.host().is_empty());
    if is_http && is_bare && has_host { Ok(origin) } else { Err(bad()) }
}

/// The origin of a server that listens on a host. All addresses of the machine are reached at its loopback.
pub(crate) fn of(scheme: &str, host: &str, address: SocketAddr) -> String {
    let port = address.port();
    let Ok(ip) = host.parse::<IpAddr>() else {
        return format!("{scheme}://{}:{port}", host.to_ascii_lowercase());
    };
    let ip = match ip {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    format!("{scheme}://{}", SocketAddr::new(ip, port))
}

/// The host of an origin, without brackets.
#[cfg(feature = "tls")]
pub(crate) fn host(origin: &str) -> &str {
    let (_, host) = origin.split_once("://").unwrap_or(("", origin));
    let end = match host.find(']') {
        Some(end) => end,
        None => host.find(':').unwrap_or(host.len()),
    };
    host[..end].trim_start_matches('[')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_a_scheme_and_a_host_alone() {
        assert_eq!(parse("https://Social.example/").as_deref(), Ok("https://social.example"));
        assert_eq!(parse("http://[::1]:3000").as_deref(), Ok("http://[::1]:3000"));
        for bad in [
            "",
            "social.example",
            "ftp://a.example",
            "https://",
            "https://a.example/b",
            "https://a.example?b",
            "https://a@b.example",
            "https://a.example#b",
            "https://a b",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        let address = |text: &str| text.parse().expect("an address");
        assert_eq!(of("http", "0.0.0.0", address("0.0.0.0:80")), "http://127.0.0.1:80");
        assert_eq!(of("https", "::", address("[::]:80")), "https://[::1]:80");
        assert_eq!(of("http", "localhost", address("127.0.0.1:80")), "http://localhost:80");
    }
}
