//! Verdicts on a server that is known by its version string, by the rules of `rules.md`.

use fedispec_model::api::{Api, Program};
use fedispec_runtime::{Identity, Version};
use fedispec_since::{At, Verdict, composed};

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
        let is_own = |program: &Program| {
            name.is_some_and(|name| {
                program.key == name || program.nodeinfo.iter().any(|known| known == name)
            })
        };
        if let Some(column) = self.api.programs.iter().position(is_own) {
            let at = self.place(column, &identity.release()?, identity.prerelease)?;
            return Some(Standing { column, at, is_claim: false });
        }
        let claimed = identity.claims_mastodon.filter(|_| identity.is_fork())?;
        let column = self
            .api
            .programs
            .iter()
            .position(|program| program.key == *self.api.profiles.reference)?;
        let at = self.place(column, &claimed, identity.prerelease)?;
        Some(Standing { column, at, is_claim: true })
    }

    fn place(&self, column: usize, version: &Version, pre_release: bool) -> Option<At> {
        let program = self.api.programs.get(column)?;
        let at = At::new(version)
            .oldest(program.releases.first().map(|first| first.version))
            .newest(program.newest_looked_at())
            .not_looked_at(program.not_looked_at().next());
        Some(if pre_release { at.pre_release() } else { at })
    }

    /// Whether a server has an item or a feature, by its id.
    pub(crate) fn verdict(&self, standing: Option<Standing>, id: &str) -> Verdict {
        let Some(feature) = self.api.features.iter().find(|feature| feature.id == id) else {
            return item(standing, self.lives.get(id));
        };
        let [all, one_of] = [&feature.all, &feature.one_of]
            .map(|ids| ids.iter().map(|id| item(standing, self.lives.get(id))));
        composed(all, one_of, Ord::cmp).unwrap_or(Verdict::Unknown)
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
