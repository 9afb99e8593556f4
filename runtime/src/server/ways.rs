//! How the program that a server emulates takes requests and refuses them, as its profile says.

use axum::http::StatusCode;
use fedispec_since::profile::{ServerWays, at};
use fedispec_since::{Clock, CountedBy, ListsCount, NegativeLimit};

use super::family::{Errors, Family, Nothing, Unreadable};
use super::refusal::{Answer, Refusal};
use super::{Caller, Target};
use crate::{Auth, known};

/// The ways of a target's program; without a target, and where its profile says nothing, those of the reference program.
#[derive(Clone, Copy)]
pub(super) struct Ways<'t>(pub(super) Option<&'t Target>);

impl Ways<'_> {
    fn own(self) -> Option<&'static ServerWays> {
        let profile = known::profile(Some(&self.0?.program))?;
        Some(&profile.ways.server)
    }

    fn stated<T>(self, get: impl Fn(&'static ServerWays) -> Option<T>) -> Option<T> {
        let reference = || Some(&known::profiles().reference()?.ways.server);
        self.own().and_then(&get).or_else(|| get(reference()?))
    }

    fn family(self) -> &'static dyn Family {
        super::family::of(self.stated(|ways| ways.family))
    }

    fn errors(&self) -> Errors<'_> {
        let releases = self.own().map(|ways| &ways.errors);
        Errors { release: self.0.map(|target| &target.version), releases }
    }

    /// Whether of `id[]=7&id=8` the list counts, and not what is sent later.
    pub(super) fn lists_count_first(self) -> bool {
        self.stated(|ways| ways.lists_count) == Some(ListsCount::First)
    }

    /// Whether a negative `limit` is taken without its sign, and not as 1.
    pub(super) fn takes_limits_without_sign(self) -> bool {
        self.stated(|ways| ways.negative_limit) != Some(NegativeLimit::One)
    }

    pub(super) fn counted_by(self) -> CountedBy {
        self.stated(|ways| ways.counted_by).unwrap_or(CountedBy::Account)
    }

    pub(super) fn clock(self) -> Clock {
        self.stated(|ways| ways.clock).unwrap_or(Clock::Microseconds)
    }

    /// The words of a 429.
    pub(super) fn too_many_requests(self) -> &'static str {
        self.stated(|ways| ways.too_many_requests.as_deref()).unwrap_or("Too many requests")
    }

    /// The address of the API's documentation.
    pub(super) fn documentation(self) -> &'static str {
        self.stated(|ways| ways.documentation.as_deref()).unwrap_or_default()
    }

    /// The version string of the release that is emulated.
    pub(super) fn version_string(self) -> Option<String> {
        let release = &self.0?.version;
        let form = self.own().and_then(|own| at(&own.version_string, release));
        let version = release.to_string();
        Some(form.map_or_else(|| version.clone(), |form| form.replace("{version}", &version)))
    }

    /// The version in node info, where one that says what it is compatible with stands alone.
    pub(super) fn node_info_version(self) -> Option<String> {
        let shown = self.version_string()?;
        let release = self.0?.version.to_string();
        Some(if shown.contains("(compatible;") { release } else { shown })
    }

    /// The address of the source of the release that is emulated, where it is known.
    pub(super) fn source(self) -> Option<&'static str> {
        at(&self.own()?.source, &self.0?.version).map(String::as_str)
    }

    /// The words of a 400 for a number that is none and for a switch that is neither on nor off; without them the program is lenient.
    pub(super) fn unreadable(self, text: &Unreadable<'_>) -> Option<String> {
        self.family().unreadable(text, &self.errors())
    }

    /// The answer of the emulated program to a text in place of a time.
    pub(super) fn no_time(self, param: &str) -> Option<(StatusCode, &'static str)> {
        self.0.and_then(|_| self.family().no_time(param))
    }

    /// Whether the emulated program takes what it can.
    pub(super) fn is_lenient(self) -> bool {
        self.0.is_some() && self.family().manners().is_lenient
    }

    /// Whether the emulated program binds bodies to types.
    pub(super) fn binds_types(self) -> bool {
        self.0.is_some() && self.family().manners().binds_types
    }

    /// The answer of the emulated program to a value that is not listed.
    pub(super) fn unlisted(
        self,
        name: &str,
        sent: &str,
        is_read: bool,
        listed: &str,
    ) -> Option<(StatusCode, String)> {
        self.0.and_then(|_| self.family().unlisted(key(name), sent, is_read, listed))
    }

    /// The words of a 400 for a body that is no JSON, where the program has its own.
    pub(super) fn malformed(self, error: &serde_json::Error, body: &[u8]) -> Option<String> {
        self.family().malformed(error, body)
    }

    /// Whether a body is read for operations too that take nothing from it.
    pub(super) fn reads_bodies_for_all(self) -> bool {
        !self.family().manners().reads_few_bodies
    }

    /// The answer of the emulated program to a path in which a parameter is empty.
    pub(super) fn empty_in_path(self) -> Option<(StatusCode, String)> {
        let answer = self.0.and_then(|_| self.family().empty_in_path(&self.errors()));
        answer.map(|(status, told)| (status, told.to_owned()))
    }

    /// The answer of the emulated program to a request without a parameter, where the catalogue has no words for it.
    pub(super) fn missing(self, name: &str, is_read: bool) -> Option<(StatusCode, String)> {
        self.0.and_then(|_| self.family().missing(key(name), is_read, &self.errors()))
    }

    /// The answer of a path that has no route, by the header `Accept`.
    pub(super) fn nothing(self, accept: &str) -> Nothing {
        self.family().nothing(accept, &self.errors())
    }

    /// The answer to a method that a path does not have, by the header `Accept`.
    pub(super) fn other_method(self, accept: &str) -> Nothing {
        self.family().other_method(accept, &self.errors())
    }

    /// Whether a token that is worth nothing counts as none.
    pub(super) fn ignores_bad_tokens(self, auth: &Auth) -> bool {
        self.family().ignores_bad_tokens(auth)
    }

    /// Whether scopes are looked at before the kind of token.
    pub(super) fn asks_scopes_first(self) -> bool {
        self.family().manners().asks_scopes_first
    }

    /// The answer of an error that says no more than its status, where the program has its own.
    pub(super) fn plain(self, status: StatusCode) -> Option<(StatusCode, &'static str)> {
        self.family().plain(status, &self.errors())
    }

    /// The answer to a value that is longer than the program takes.
    pub(super) fn too_long(self, name: &str, count: u64, most: u64) -> (StatusCode, String) {
        self.family().too_long(key(name), count, most, &self.errors())
    }

    /// Chooses the answer to a caller whom an operation refuses.
    pub(super) fn answer(self, refusal: Refusal, auth: &Auth, caller: Option<&Caller>) -> Answer {
        let (status, message) = self.family().refuse(refusal, auth, caller, &self.errors());
        Answer { status, message, challenge: refusal.challenge(auth, status) }
    }
}

/// The last key of a name: `auth` of `subscription[keys][auth]`.
fn key(name: &str) -> &str {
    let key = name.rsplit('[').find(|key| !matches!(*key, "" | "]")).unwrap_or(name);
    key.trim_end_matches(']')
}
