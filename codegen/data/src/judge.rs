//! Verdicts on a server that is known by its version string, by the rules of `rules.md`.

use fedispec_model::api::{Api, Program};
use fedispec_runtime::{Identity, Version};
use fedispec_since::{At, Verdict};

use crate::lives::{Item, Lives};

/// Judges items and features.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub(crate) api: &'a Api,
    pub(crate) lives: &'a Lives<'a>,
}

/// A server's place among the releases of a program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    column: usize,
    at: At,
    /// It only claims the release, as a fork does, which may have what the program has not yet.
    is_claim: bool,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(api: &'a Api, lives: &'a Lives<'a>) -> Self {
        Self { api, lives }
    }

    /// The standing of a server; `None` where nothing is known of its releases.
    pub(crate) fn standing(&self, identity: &Identity) -> Option<Standing> {
        let name = identity.program.as_deref();
        let is_own = |program: &Program| name.is_some_and(|name| program.is_named(name));
        if let Some(column) = self.api.programs.iter().position(is_own) {
            let at = self.place(column, &identity.release()?, identity.prerelease)?;
            return Some(Standing { column, at, is_claim: false });
        }
        let claimed = identity.claims_mastodon.filter(|_| identity.is_fork())?;
        let column = self.api.column(&self.api.profiles.reference)?;
        let at = self.place(column, &claimed, identity.prerelease)?;
        Some(Standing { column, at, is_claim: true })
    }

    fn place(&self, column: usize, version: &Version, pre_release: bool) -> Option<At> {
        let at = self.api.programs.get(column)?.place_of(version);
        Some(if pre_release { at.pre_release() } else { at })
    }

    /// Whether a server has an item or a feature, by its id.
    pub(crate) fn verdict(&self, standing: Option<Standing>, id: &str) -> Verdict {
        let Some(feature) = self.api.features.iter().find(|feature| feature.id == id) else {
            return item(standing, self.lives.get(id));
        };
        let verdict = feature.composed(|id| item(standing, self.lives.get(id)));
        verdict.unwrap_or(Verdict::Unknown)
    }
}

fn item(standing: Option<Standing>, item: Option<&Item>) -> Verdict {
    let Some((standing, life)) =
        standing.and_then(|standing| Some((standing, item?.lives.get(standing.column)?)))
    else {
        return Verdict::Unknown;
    };
    match life.verdict(&standing.at) {
        Verdict::Yes => Verdict::Yes,
        _ if standing.is_claim => Verdict::Unknown,
        verdict => verdict,
    }
}
