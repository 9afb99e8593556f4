//! Origins of servers.

use std::fmt;
use std::str::FromStr;

use http::Uri;
use http::uri::{Authority, Scheme};

use crate::loopback::is_loopback;

/// The origin of a server: a scheme and an authority, `https://example.org`.
///
/// Plain `http` is accepted for loopback addresses, and for others by [`Origin::insecure`].
///
/// ```
/// use fedispec_runtime::client::{BadOrigin, Origin};
///
/// let origin: Origin = "Social.Example".parse()?;
/// assert_eq!(origin.to_string(), "https://social.example");
/// assert!(origin.holds(&"https://social.example/api/v1/instance".parse().unwrap()));
/// assert_eq!("http://social.example".parse::<Origin>(), Err(BadOrigin::Insecure));
/// # Ok::<(), BadOrigin>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    scheme: Scheme,
    authority: Authority,
}

impl Origin {
    /// Parses an origin and accepts `http` for any host. Tokens and answers then travel unencrypted.
    pub fn insecure(text: &str) -> Result<Self, BadOrigin> {
        let text = text.trim();
        let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
        let parts = whole.parse::<Uri>().map_err(|_| BadOrigin::NotAUrl)?.into_parts();
        let scheme = match parts.scheme {
            Some(scheme) if scheme == Scheme::HTTP || scheme == Scheme::HTTPS => scheme,
            _ => return Err(BadOrigin::Scheme),
        };
        let authority = parts
            .authority
            .filter(|authority| !authority.host().is_empty())
            .ok_or(BadOrigin::NotAUrl)?;
        if authority.as_str().contains('@') {
            return Err(BadOrigin::Credentials);
        }
        // The parser takes any digits for a port.
        let has_port = authority.as_str().len() > authority.host().len();
        if has_port && authority.port_u16().is_none_or(|port| port == 0) {
            return Err(BadOrigin::Port);
        }
        if parts.path_and_query.is_some_and(|rest| rest != "/") {
            return Err(BadOrigin::Path);
        }
        // Hosts are case-insensitive (RFC 9110, 4.2.3); lower case makes origins comparable.
        let authority =
            authority.as_str().to_ascii_lowercase().parse().map_err(|_| BadOrigin::NotAUrl)?;
        Ok(Self { scheme, authority })
    }

    /// The host, without port.
    pub fn host(&self) -> &str {
        self.authority.host()
    }

    /// Whether the host is this machine.
    pub fn is_loopback(&self) -> bool {
        is_loopback(self.host())
    }

    /// Whether a URL has this origin.
    pub fn holds(&self, url: &Uri) -> bool {
        match (url.scheme(), url.authority()) {
            (Some(scheme), Some(authority)) => {
                *scheme == self.scheme
                    && !authority.as_str().contains('@')
                    && authority.host().eq_ignore_ascii_case(self.host())
                    && port(scheme, authority) == self.port()
            }
            _ => false,
        }
    }

    /// The path and query of a URL of this origin. A server on loopback may use another of the loopback names in its links.
    pub(super) fn path_of<'a>(&self, url: &'a Uri) -> Option<&'a str> {
        let other = || {
            let other = Self { scheme: url.scheme()?.clone(), authority: url.authority()?.clone() };
            let here = Self {
                scheme: self.scheme.clone(),
                authority: format!("{}:{}", other.host(), self.port()).parse().ok()?,
            };
            (self.is_loopback() && other.is_loopback() && here.holds(url)).then_some(())
        };
        let own = self.holds(url) || other().is_some();
        own.then(|| url.path_and_query().map_or("/", |target| target.as_str()))
    }

    fn port(&self) -> u16 {
        port(&self.scheme, &self.authority)
    }

    /// Whether the connection is encrypted.
    pub(super) fn is_secure(&self) -> bool {
        self.scheme == Scheme::HTTPS
    }

    /// The port, where it is written.
    pub(super) fn explicit_port(&self) -> Option<u16> {
        self.authority.port_u16()
    }

    /// The URL of a path and query.
    pub(super) fn url(&self, path_and_query: &str) -> Result<Uri, http::Error> {
        Uri::builder()
            .scheme(self.scheme.clone())
            .authority(self.authority.clone())
            .path_and_query(path_and_query)
            .build()
    }
}

fn port(scheme: &Scheme, authority: &Authority) -> u16 {
    authority.port_u16().unwrap_or(if *scheme == Scheme::HTTPS { 443 } else { 80 })
}

impl FromStr for Origin {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Self, BadOrigin> {
        let origin = Self::insecure(text)?;
        if origin.scheme == Scheme::HTTPS || origin.is_loopback() {
            Ok(origin)
        } else {
            Err(BadOrigin::Insecure)
        }
    }
}

impl TryFrom<&str> for Origin {
    type Error = BadOrigin;

    fn try_from(text: &str) -> Result<Self, BadOrigin> {
        text.parse()
    }
}

impl TryFrom<String> for Origin {
    type Error = BadOrigin;

    fn try_from(text: String) -> Result<Self, BadOrigin> {
        text.parse()
    }
}

impl TryFrom<&String> for Origin {
    type Error = BadOrigin;

    fn try_from(text: &String) -> Result<Self, BadOrigin> {
        text.parse()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.authority)
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Origin({self})")
    }
}

/// Why a text is not an [`Origin`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadOrigin {
    /// The text is not a URL, or has no host.
    NotAUrl,
    /// The scheme is neither `https` nor `http`.
    Scheme,
    /// The scheme is `http` and the host is not loopback.
    Insecure,
    /// A user name or a password precedes the host.
    Credentials,
    /// The port is not a number from 1 to 65535.
    Port,
    /// A path or a query follows the host.
    Path,
}

impl fmt::Display for BadOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAUrl => "a server's origin is a URL like https://example.org (international names in their ASCII form)",
            Self::Scheme => "a server's origin starts with https:// or http://",
            Self::Insecure => "http:// is accepted for loopback only; Origin::insecure accepts it for any host",
            Self::Credentials => "a server's origin must not have a user name or a password",
            Self::Port => "a server's port is a number from 1 to 65535",
            Self::Path => "a server's origin must end after its host and port",
        })
    }
}

impl std::error::Error for BadOrigin {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_origins() {
        for (text, shown) in [
            ("example.org", "https://example.org"),
            ("https://Example.ORG/", "https://example.org"),
            ("https://example.org:8443", "https://example.org:8443"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("http://127.0.0.1:3000", "http://127.0.0.1:3000"),
            ("http://[::1]:3000", "http://[::1]:3000"),
        ] {
            assert_eq!(text.parse::<Origin>().expect(text).to_string(), shown);
        }
        for (text, error) in [
            ("", BadOrigin::NotAUrl),
            ("https://", BadOrigin::NotAUrl),
            ("http://example.org", BadOrigin::Insecure),
            ("http://127.0.0.1.example.org", BadOrigin::Insecure),
            ("ftp://example.org", BadOrigin::Scheme),
            ("https://user:pw@example.org", BadOrigin::Credentials),
            ("https://example.org:99999", BadOrigin::Port),
            ("https://example.org:65536/", BadOrigin::Port),
            ("https://[::1]:0", BadOrigin::Port),
            ("https://example.org/api", BadOrigin::Path),
            ("https://example.org/?x", BadOrigin::Path),
        ] {
            assert_eq!(text.parse::<Origin>(), Err(error), "{text}");
        }
        assert!(Origin::insecure("http://example.org").is_ok());
    }

    #[test]
    fn holds_only_its_own_urls() {
        let origin: Origin = "https://example.org".parse().expect("an origin");
        let holds = |url: &str| origin.holds(&url.parse().expect(url));
        assert!(holds("https://example.org/api?max_id=1"));
        assert!(holds("https://EXAMPLE.org:443/"));
        assert!(!holds("http://example.org/"));
        assert!(!holds("https://example.org:8443/"));
        assert!(!holds("https://example.org.evil.test/"));
        assert!(!holds("https://example.org@evil.test/"));
        assert!(!holds("/api"));
    }

    #[test]
    fn loopback_names_are_interchangeable() {
        let place = |origin: &str, url: &str| {
            let origin: Origin = origin.parse().expect(origin);
            origin.path_of(&url.parse().expect(url)).map(str::to_owned)
        };
        let here = "http://127.0.0.1:8080";
        let api = Some("/api?max_id=1".to_owned());
        assert_eq!(place(here, "http://localhost:8080/api?max_id=1"), api);
        assert_eq!(place("http://[::1]:8080", "http://127.0.0.1:8080/api?max_id=1"), api);
        assert_eq!(place("https://example.org", "https://example.org/api?max_id=1"), api);
        for other in [
            "http://localhost:8081/",
            "https://localhost:8080/",
            "http://example.org:8080/",
            "http://a@localhost:8080/",
        ] {
            assert_eq!(place(here, other), None, "{other}");
        }
        assert_eq!(place("https://example.org", "https://localhost/"), None);
    }
}
