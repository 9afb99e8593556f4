//! Where the token of a WebSocket stands.

use crate::Version;
use crate::compatibility::RemoteServer;

/// Where the token stands in the request that opens a WebSocket. A stream of server-sent events always has it in the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TokenPlace {
    /// In the header `Authorization`.
    Header,
    /// In the header `Sec-WebSocket-Protocol`, as programs in browsers have it.
    Protocol,
    /// In the query. Proxies may log it.
    Query,
}

/// A place that a program looks at from a release on.
struct Since {
    program: &'static str,
    place: TokenPlace,
    version: Version,
}

const fn since(program: &'static str, place: TokenPlace, version: (u32, u32, u32)) -> Since {
    Since { program, place, version: Version::new(version.0, version.1, version.2) }
}

/// The best place of a program comes first.
///
/// - Mastodon: `accountFromRequest` in streaming/index.js (commits 9a81be0d37 and d63c3c0cef).
/// - GoToSocial: internal/api/client/streaming/stream.go at v0.1.0, v0.7.0 and v0.8.0. A token outside of the header needs the whole scope
///   `read` there.
const PLACES: &[Since] = &[
    since("mastodon", TokenPlace::Header, (1, 4, 2)),
    since("mastodon", TokenPlace::Query, (1, 0, 0)),
    since("gotosocial", TokenPlace::Header, (0, 8, 0)),
    since("gotosocial", TokenPlace::Protocol, (0, 7, 0)),
    since("gotosocial", TokenPlace::Query, (0, 1, 0)),
];

impl TokenPlace {
    /// The places to try, one after another: the best one that a known release looks at, and for an unknown one those that no proxy logs.
    ///
    /// ```
    /// use fedispec_runtime::client::TokenPlace;
    /// use fedispec_runtime::compatibility::RemoteServer;
    ///
    /// let places = |program, version| TokenPlace::of(&RemoteServer::of(program, version));
    /// assert_eq!(places("gotosocial", "0.19.2"), [TokenPlace::Header]);
    /// assert_eq!(places("gotosocial", "0.7.1"), [TokenPlace::Protocol]);
    /// assert_eq!(places("pleroma", "2.7.0"), [TokenPlace::Header, TokenPlace::Protocol]);
    /// ```
    pub fn of(server: &RemoteServer) -> Vec<Self> {
        let identity = &server.identity;
        let (program, version) = if identity.is_mastodon_fork() {
            (Some("mastodon"), identity.claims_mastodon)
        } else {
            (identity.program.as_deref(), identity.release())
        };
        let known = version.and_then(|version| {
            let mut places = PLACES.iter();
            places.find(|place| Some(place.program) == program && place.version <= version)
        });
        known.map_or_else(|| vec![Self::Header, Self::Protocol], |known| vec![known.place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_release_gets_the_token_where_it_looks() {
        use TokenPlace::{Header, Protocol, Query};
        for (program, version, places) in [
            ("mastodon", "4.6.5", &[Header][..]),
            ("mastodon", "1.4.2", &[Header]),
            ("mastodon", "1.4.1", &[Query]),
            ("gotosocial", "0.20.0-rc1+git-8221628", &[Header]),
            ("gotosocial", "0.8.0", &[Header]),
            ("gotosocial", "0.7.0", &[Protocol]),
            ("gotosocial", "0.6.0", &[Query]),
            ("gotosocial", "", &[Header, Protocol]),
            ("hometown", "4.2.0+hometown-1.1.1", &[Header]),
            ("", "", &[Header, Protocol]),
        ] {
            let server = RemoteServer::of(program, version);
            assert_eq!(TokenPlace::of(&server), places, "{program} {version}");
        }
    }
}
