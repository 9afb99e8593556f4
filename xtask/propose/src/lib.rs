//! Proposes to the catalogue what a release of a server program brings, read from the program's own source.
//!
//! The source is read at two revisions of a git clone, straight from its objects. Each framework has a reader of its own, because what a
//! route, a parameter or a field is depends on it; the catalogue says which reads a program:
//!
//! - `go-with-gin`: the router attaches handlers; a handler and the functions that are given its request read the parameters; structs with
//!   tags are the fields.
//! - `ruby-on-rails`: `config/routes` names controllers; a controller, its callbacks and concerns read the parameters; serializers are the
//!   fields, and the streaming server's JavaScript has the streams.
//!
//! Both make a [`Surface`], which the rest works on. [`propose`] pairs the shapes and enumerations of the source with the entities and
//! enumerations of the catalogue, compares the two releases and what the catalogue says of each, and returns a list of
//! [`Row`](row::Row)s. A row that needs no decision is written into the supplement by [`write`](fn@write::write); the others are for a
//! person, and [`decided`] remembers what that person has decided.
//!
//! Nothing of the source is run. What the readers cannot follow is listed beside the rows; `calibration.md` has the measured rates, and
//! explains each class of disagreement.

use std::path::Path;

use fedispec_model::api::{Api, Layer, Program};
use fedispec_since::StableVersion;
use serde::Serialize;

mod as_of;
mod compare;
pub mod decided;
pub mod error;
pub mod git;
mod go_with_gin;
mod matching;
mod ours;
mod program;
pub mod render;
pub mod row;
mod ruby_on_rails;
pub mod surface;
mod syntax;
pub mod write;

use compare::{Compared, Side, compare};
use error::Error;
use git::Clone;
use ours::Ours;
use program::SourceReader;
use row::Proposal;
use surface::Surface;

/// A request for a proposal.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The program's key: `gotosocial`.
    pub program: &'a str,
    /// A clone of it.
    pub source: &'a Path,
    /// The revision to read.
    pub tag: &'a str,
    /// The older revision, or the version of a release; else the newest release that the catalogue was held against.
    pub from: Option<&'a str>,
    /// The version that the revision stands for, where its name does not say so.
    pub version: Option<&'a str>,
    /// Forget what the catalogue says of the program after the older release, to measure how much of it is proposed.
    pub unlearn: bool,
}

/// Opens the catalogue.
fn open(spec: &Path) -> Result<(fedispec_reader::load::Catalogue, Api), Error> {
    fedispec_reader::open(spec, Layer::Full).map_err(|failure| Error(failure.to_string()))
}

/// Reads a release, and proposes what it brings.
///
/// # Errors
///
/// When the catalogue is not sound, or the source cannot be read at both revisions. Nothing is written.
pub fn propose(spec: &Path, request: &Request<'_>) -> Result<Proposal, Error> {
    let (catalogue, mut api) = open(spec)?;
    let reader = SourceReader::of(&catalogue, request.program)?;
    let clone = Clone::open(request.source)?;
    let new = clone.at(request.tag)?;
    reader.check(&new)?;
    let version = version_of(request)?;
    let (old_version, names) = older(ours::program(&api, request.program)?.1, request, version)?;
    let old = clone.first_of(&names)?;
    let own = reader.version(&old)?.filter(|own| *own < version);
    let old_version = own.unwrap_or(old_version);
    if request.unlearn {
        as_of::forget_after(&mut api, request.program, old_version);
    }
    let ours = Ours::new(&catalogue, &api, request.program)?;
    let before = reader.read(&old)?;
    let after = reader.read(&new)?;
    let compared = Compared {
        ours: &ours,
        old: Side { surface: &before, version: old_version, tag: &old.revision },
        new: Side { surface: &after, version, tag: &new.revision },
    };
    let rows = compare(&compared);
    let mut unread: Vec<String> = Vec::new();
    if let Some(own) = reader.version(&new)?.filter(|own| *own != version) {
        unread.push(format!(
            "{} calls itself {own}, not {version}: a commit that raises the version may stand on another line than the release",
            new.revision
        ));
    }
    for (side, surface) in [(&old, &before), (&new, &after)] {
        unread.extend(surface.unread.iter().map(|text| format!("{text} ({})", side.revision)));
    }
    for (endpoint, operation) in &after.operations {
        let texts = operation.unfollowed.iter();
        unread.extend(texts.map(|text| {
            format!("{} {}: {text} could not be followed", endpoint.method, endpoint.path)
        }));
    }
    Ok(Proposal {
        schema: row::SCHEMA,
        program: request.program.to_owned(),
        version: version.to_string(),
        from: old_version.to_string(),
        date: new.date.clone(),
        api: after.api,
        rows,
        unread,
        unread_decided: Vec::new(),
    })
}

/// The API of a program at a revision, with the names that the catalogue has for its types.
#[derive(Debug, Serialize)]
pub struct Served {
    /// The API of the source.
    #[serde(flatten)]
    pub surface: Surface,
    /// Which shape is which entity, and which enumeration which.
    pairs: matching::Matching,
}

/// Reads what a program serves at a revision.
///
/// # Errors
///
/// When the catalogue is not sound, or the source cannot be read.
pub fn surface(spec: &Path, request: &Request<'_>) -> Result<Served, Error> {
    let (catalogue, api) = open(spec)?;
    let reader = SourceReader::of(&catalogue, request.program)?;
    let ours = Ours::new(&catalogue, &api, request.program)?;
    let clone = Clone::open(request.source)?;
    let surface = reader.read(&clone.at(request.tag)?)?;
    let pairs = matching::matching(&ours, &surface, version_of(request)?);
    Ok(Served { surface, pairs })
}

/// The version that a revision stands for.
fn version_of(request: &Request<'_>) -> Result<StableVersion, Error> {
    let stated = request.version.unwrap_or(request.tag.trim_start_matches('v'));
    stated.parse().map_err(|error| {
        let help = if request.version.is_some() {
            ""
        } else {
            "; say which release it stands for with --as VERSION"
        };
        Error(format!("`{stated}` is no version of a release: {error}{help}"))
    })
}

/// The older release, and the revisions that may be it.
fn older(
    program: &Program,
    request: &Request<'_>,
    version: StableVersion,
) -> Result<(StableVersion, Vec<String>), Error> {
    let before = |release: &StableVersion| *release < version;
    let looked_at = program.newest_looked_at().filter(before);
    let registered = program.releases.iter().rev().map(|release| release.version).find(before);
    let Some(from) = request.from else {
        let found = looked_at.or(registered).ok_or_else(|| {
            Error(format!(
                "no release of {} before {version} is registered; name one with --from",
                program.name
            ))
        })?;
        return Ok((found, vec![format!("v{found}"), found.to_string()]));
    };
    let stated: Option<StableVersion> = from.trim_start_matches('v').parse().ok();
    let found = stated.or(looked_at).or(registered).ok_or_else(|| {
        Error(format!(
            "`{from}` is no version, and no release of {} before {version} is registered",
            program.name
        ))
    })?;
    if found >= version {
        return Err(Error(format!(
            "{found} is not before {version}: name an older release with --from"
        )));
    }
    Ok((found, vec![from.to_owned(), format!("v{from}")]))
}
