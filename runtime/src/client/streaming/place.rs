//! Where the token of a WebSocket stands.

use fedispec_since::TokenPlace;

use crate::compatibility::RemoteServer;
use crate::known;

impl RemoteServer {
    /// The places of a WebSocket's token to try, one after another: the best one that a known release looks at, and for an unknown one those
    /// that no proxy logs.
    ///
    /// ```
    /// use fedispec_runtime::client::TokenPlace;
    /// use fedispec_runtime::compatibility::RemoteServer;
    ///
    /// let places = |program, version| RemoteServer::of(program, version).token_places();
    /// assert_eq!(places("gotosocial", "0.19.2"), [TokenPlace::Header]);
    /// assert_eq!(places("gotosocial", "0.7.1"), [TokenPlace::Protocol]);
    /// assert_eq!(places("pleroma", "2.7.0"), [TokenPlace::Header, TokenPlace::Protocol]);
    /// ```
    pub fn token_places(&self) -> Vec<TokenPlace> {
        let identity = &self.identity;
        let (program, version) = if identity.is_fork() {
            (Some(known::reference()), identity.claims_mastodon)
        } else {
            (identity.program.as_deref(), identity.release())
        };
        let best = known::profile(program).zip(version).and_then(|(profile, version)| {
            let mut places = profile.ways.streaming.token.iter();
            places.find(|(_, since)| since.version() <= version)
        });
        best.map_or_else(|| vec![TokenPlace::Header, TokenPlace::Protocol], |(best, _)| vec![*best])
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
            assert_eq!(server.token_places(), places, "{program} {version}");
        }
    }
}
