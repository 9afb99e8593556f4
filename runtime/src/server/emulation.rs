//! Emulation of a registered release: what it has, and how requests and answers are changed to fit it.

use std::collections::HashMap;
use std::sync::Arc;

use axum::http::StatusCode;
use fedispec_since::{At, FixedError, StableVersion, Stretch};

use super::Target;
use super::decoder::{ParamRules, RefusedParam, Rules};
use super::dialect::{self, Dialect, Replacement};
use super::ways::Ways;
use super::written::{self, KeyRow, KeyRule, Way, Written};
use crate::compatibility::Verdict;
use crate::known;
use crate::ser::{self, ToJson};
use crate::{Item, ItemTable, Kind, Method, Operation, Program, Version};

/// The size of a page that has no limit; a database takes it as one.
pub(super) const ALL: usize = u32::MAX as usize;

/// A registered release that a server emulates. It answers what the release has: `Server::emulation` is the server's own.
///
/// Clones share what it knows.
#[derive(Clone)]
pub struct Emulation {
    target: Arc<Target>,
    items: &'static ItemTable,
    /// The program's place in each row's lives.
    place: usize,
    at: At,
    release: StableVersion,
    dialect: Arc<Dialect>,
    /// The same for callers that are not users.
    dialect_for_others: Arc<Dialect>,
    /// The operations that answer nothing in the release.
    silent: Arc<[&'static str]>,
}

impl Emulation {
    /// Looks a release up, such as `mastodon@4.2.0`.
    ///
    /// # Errors
    ///
    /// Where no such release is registered: with the nearest one.
    #[doc(hidden)]
    pub fn new(
        items: &'static ItemTable,
        written: &'static [Written],
        release: &str,
    ) -> Result<Self, UnknownRelease> {
        let (place, program, version) = registered(items, release)?;
        let at = At::new(&version.version())
            .newest(program.newest_looked_at())
            .not_looked_at(program.first_not_looked_at());
        let mut own = Self {
            target: Arc::new(Target::new(program.key(), version.version())),
            items,
            place,
            at,
            release: version,
            dialect: Arc::default(),
            dialect_for_others: Arc::default(),
            silent: written::silent(written, program.key(), &version.version()).into(),
        };
        own.dialect = own.dialect(written, true);
        own.dialect_for_others = own.dialect(written, false);
        Ok(own)
    }

    /// The program and the release.
    pub fn target(&self) -> &Target {
        &self.target
    }

    pub(super) fn shared_target(&self) -> Arc<Target> {
        Arc::clone(&self.target)
    }

    pub(super) fn shared_dialect(&self) -> Arc<Dialect> {
        Arc::clone(&self.dialect)
    }

    pub(super) fn shared_dialect_for_others(&self) -> Arc<Dialect> {
        Arc::clone(&self.dialect_for_others)
    }

    /// Whether the release has an item, by its id: an operation (`accounts.lookup`), a parameter, a field (`Status.quote`), an enumeration or
    /// a value (`Visibility.direct`). It is unknown where the catalogue does not say or has no such item; what is unknown is served.
    pub fn has(&self, id: &str) -> Verdict {
        let item = self.items.get(id);
        item.map_or(Verdict::Unknown, |item| self.verdict(item))
    }

    /// The items that the release does not have. They are not served, and ignored in requests.
    pub fn lacking(&self) -> impl Iterator<Item = &'static Item> {
        let rows = self.items.rows().iter();
        rows.filter(|item| self.verdict(item) == Verdict::No)
    }

    /// The JSON of a value as the release writes it to a user; `None` where the release has no such value.
    pub fn encode(&self, value: &dyn ToJson) -> Option<Vec<u8>> {
        dialect::encode(value, Some(&self.dialect), Vec::with_capacity(128))
    }

    /// Whether an operation answers an empty object, where later releases answer an entity.
    pub(super) fn is_silent(&self, operation: &Operation) -> bool {
        self.silent.contains(&operation.id)
    }

    /// Whether an operation is served.
    pub(super) fn serves(&self, operation: &Operation) -> bool {
        self.has(operation.id) != Verdict::No
    }

    /// How the parameters of an operation are taken.
    pub(super) fn rules(&self, operation: &Operation) -> Rules {
        let params = 0..operation.params.len();
        Rules {
            params: params.map(|place| self.param_rules(operation, place)).collect(),
            errors: self.errors(operation),
            success: self.success(operation),
            pages: self.pages(operation),
            is_whole: self
                .items
                .get(operation.id)
                .is_some_and(|row| row.is_whole(self.place, self.release)),
            ..Rules::default()
        }
    }

    /// How a parameter of an operation is taken, by its place.
    fn param_rules(&self, operation: &Operation, place: usize) -> ParamRules {
        let Some(row) = self.items.param(operation, place) else {
            return ParamRules::default();
        };
        let life = row.life(self.place);
        let ignored = life.is_some_and(|life| life.has(&self.at).verdict == Verdict::No);
        let is_within = |ranges: &[Stretch]| ranges.iter().any(|range| range.has(&self.at));
        let spared = is_within(row.spared(self.place)).then_some(false);
        // Where a parameter is heeded with some values, the handler knows which it refuses.
        let refused = row.refused(self.place).filter(|_| ignored);
        let status = refused.and_then(|refused| refused.at(&self.at));
        let status = status.and_then(|status| StatusCode::from_u16(status).ok());
        // A bound is that of a value that is stored. One that a request only reads by may be of any length.
        let is_stored = operation.method != Method::Get;
        ParamRules {
            open: false,
            ignored,
            demanded: is_within(row.demanded(self.place)).then_some(true).or(spared),
            refused: status
                .map(|status| RefusedParam { status, safe: row.safe_values(self.place) }),
            missing: row.missing(self.place).iter().find_map(|error| self.answered(error)),
            bounds: row.bounds(self.place, self.release).filter(|_| is_stored),
        }
    }

    /// The words of the release for an operation's errors, by their statuses.
    fn errors(&self, operation: &Operation) -> HashMap<StatusCode, &'static str> {
        let row = self.items.get(operation.id);
        let errors = row.map_or(&[][..], |row| row.errors(self.place));
        errors.iter().filter_map(|error| self.answered(error)).collect()
    }

    /// An error of the program, where the release answers it.
    fn answered(&self, error: &'static FixedError) -> Option<(StatusCode, &'static str)> {
        let status = StatusCode::from_u16(error.status).ok()?;
        error.is_of(&self.at).then_some((status, &error.text))
    }

    /// The statuses of success of the release, where the operation has others too.
    fn success(&self, operation: &Operation) -> Option<Vec<StatusCode>> {
        let statuses = self.items.get(operation.id)?.success(self.place, self.release)?.iter();
        Some(statuses.filter_map(|status| StatusCode::from_u16(*status).ok()).collect())
    }

    /// The size of an operation's pages in the release, and the greatest size.
    fn pages(&self, operation: &Operation) -> Option<(usize, usize)> {
        let place = operation.params.iter().position(|param| param.wire == "limit")?;
        let size = self.items.param(operation, place)?.page_size(self.place, self.release)?;
        let or_all =
            |size: Option<u32>| size.and_then(|size| usize::try_from(size).ok()).unwrap_or(ALL);
        Some((or_all(size.default), or_all(size.most)))
    }

    fn verdict(&self, item: &Item) -> Verdict {
        let life = item.life(self.place);
        life.map_or(Verdict::Unknown, |life| life.present(&self.at).verdict)
    }

    /// Collects what the release leaves out of answers, or writes otherwise.
    fn dialect(&self, written: &'static [Written], is_user: bool) -> Arc<Dialect> {
        let rows = || self.items.rows().iter();
        let lacking = rows().filter(|row| self.verdict(row) == Verdict::No);
        let mut keys = Vec::new();
        let mut values = Vec::new();
        for row in lacking {
            // A key may have a dot in it, so that its entity is what stands before the whole of it.
            let owner = row.id().strip_suffix(row.name());
            let Some(owner) = owner.and_then(|owner| owner.strip_suffix('.')) else {
                continue;
            };
            match row.kind() {
                Kind::Field | Kind::Response => keys.push((owner, row.name(), KeyRule::Out)),
                Kind::Value => values.push((owner, row.name(), self.replacement(written, row))),
                _ => {}
            }
        }
        keys.extend(self.constants());
        let Target { program, version } = &*self.target;
        keys.extend(written::keys(written, program, version, is_user));
        Dialect::new(keys, values)
    }

    /// The values by which a server names its release. A key that the release lacks stays out.
    fn constants(&self) -> impl Iterator<Item = KeyRow> {
        let text = |text: String| Some(ser::text(&text));
        let Target { program, version } = &*self.target;
        let known = self.items.program(program).map(|(_, program)| program);
        let name = known.and_then(|program| program.nodeinfo_names().first());
        let ways = Ways(Some(&self.target));
        let shown = ways.version_string().unwrap_or_default();
        let releases = known.map(Program::known_releases).unwrap_or_default();
        let release = { releases.iter() }.find(|release| release.version() == *version);
        let number = release.and_then(crate::Release::api_number);
        let api_versions = number.map(|number| format!("{{\"{}\":{number}}}", known::reference()));
        let told = [
            ("Instance", "version", text(shown.clone())),
            ("V1Instance", "version", text(shown)),
            ("NodeInfo.software", "version", ways.node_info_version().and_then(text)),
            ("NodeInfo.software", "name", name.and_then(|name| text((*name).to_owned()))),
            ("Instance", "source_url", ways.source().and_then(|source| text(source.to_owned()))),
            ("Instance", "api_versions", api_versions),
        ];
        let told = told.into_iter();
        told.filter_map(|(entity, key, json)| Some((entity, key, KeyRule::Constant(json?.into()))))
    }

    /// Finds the release's replacement for a value of an enumeration that it lacks.
    fn replacement(&self, written: &'static [Written], value: &Item) -> Replacement {
        let mut value = value.id();
        // Each step goes to another row; a circle would be a mistake of the catalogue.
        for _ in 0..written.len() {
            let found = written.iter().find(|one| one.item == value);
            match found.map(|one| one.way) {
                Some(Way::Null) => return Replacement::Json("null".to_owned()),
                Some(Way::Instead { id, wire }) if self.has(id) != Verdict::No => {
                    return Replacement::Json(format!("\"{wire}\""));
                }
                Some(Way::Instead { id, .. }) => value = id,
                _ => return Replacement::Nothing,
            }
        }
        Replacement::Nothing
    }
}

shown!(Emulation, own => target);

/// No such release is registered. It says which one is the nearest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownRelease {
    told: String,
}

sentence!(UnknownRelease, own => "{}", own.told);

fn registered(
    items: &ItemTable,
    release: &str,
) -> Result<(usize, &'static Program, StableVersion), UnknownRelease> {
    let unknown = |told: String| UnknownRelease { told };
    let Some((key, version)) = release.split_once('@') else {
        let newest = items.programs().iter().find_map(newest);
        let such_as = newest.map_or(String::new(), |newest| format!(", such as `{newest}`"));
        return Err(unknown(format!(
            "`{release}` is not a release: write PROGRAM@VERSION{such_as}"
        )));
    };
    let Some((place, program)) = items.program(key) else {
        let keys: Vec<_> = items.programs().iter().map(Program::key).collect();
        let near = keys.iter().max_by_key(|known| alike(known, key));
        let near = near.filter(|known| alike(known, key) > 0);
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        return Err(unknown(format!(
            "no program has the key `{key}`; {near}There are: {}",
            keys.join(", ")
        )));
    };
    let asked = version.parse::<StableVersion>().ok();
    match asked.filter(|asked| program.counts_as(*asked).is_some()) {
        Some(asked) => Ok((place, program, asked)),
        None => Err(unknown(format!(
            "{} {version} is not registered; {}",
            program.name(),
            nearest(program, version)
        ))),
    }
}

/// The number of letters that two names begin with alike.
fn alike(a: &str, b: &str) -> usize {
    let pairs = a.chars().zip(b.chars());
    pairs.take_while(|(a, b)| a == b).count()
}

fn newest(program: &Program) -> Option<Target> {
    let newest = program.known_releases().last()?;
    Some(Target::new(program.key(), newest.version()))
}

/// The newest release of the same series, or the releases before and after.
fn nearest(program: &Program, version: &str) -> String {
    let releases = || {
        let releases = program.known_releases().iter();
        releases.map(crate::Release::version)
    };
    let series = format!("{}.", version.trim_end_matches('.'));
    let of_series = |release: &Version| release.to_string().starts_with(&series);
    if let Some(newest) = releases().rfind(of_series) {
        return format!("the newest of that series is {newest}");
    }
    let (first, last) = (releases().next(), releases().next_back());
    let Ok(asked) = version.parse::<Version>() else {
        return match (first, last) {
            (Some(first), Some(last)) => format!("its releases are {first} to {last}"),
            _ => "it has no releases".to_owned(),
        };
    };
    let before = releases().rfind(|release| *release < asked);
    let after = releases().find(|release| *release > asked);
    match (before, after) {
        (Some(before), Some(after)) => format!("the nearest are {before} and {after}"),
        (Some(nearest), None) | (None, Some(nearest)) => format!("the nearest is {nearest}"),
        (None, None) => "it has no releases".to_owned(),
    }
}
