//! The two sides of a comparison: loading, and facts from outside the catalogue.

use std::fs;
use std::path::{Path, PathBuf};

use fedispec_diff::rules::Bump;
use fedispec_model::api::{Api, Layer};
use fedispec_model::resolved;
use fedispec_reader::load::{self, Catalogue};
use fedispec_reader::schema;
use fedispec_report::diff::accept::Now;
use fedispec_report::diff::render::counted;
use fedispec_report::diff::report::Side;

use super::git::Repository;
use crate::failure::Failure;
use crate::output;
use crate::place::Place;

/// The displayed length of a commit's id.
const SHORT: usize = 12;

/// A state of the catalogue.
pub(super) struct Loaded {
    pub(super) api: Api,
    /// The YAML sources; `None` if it was read from the resolved form.
    pub(super) catalogue: Option<Catalogue>,
    pub(super) side: Side,
}

/// Both states.
pub(super) struct Sides {
    pub(super) old: Loaded,
    pub(super) new: Loaded,
    /// The repository's web address, and the revision for links.
    web: Option<(String, String)>,
}

impl Sides {
    /// The bump of the crate's version.
    pub(super) fn declared(&self) -> Option<Bump> {
        let old = numbers(self.old.side.version.as_deref()?)?;
        let new = numbers(self.new.side.version.as_deref()?)?;
        Some(declared(&old, &new))
    }

    /// The context in which accepted changes are still valid.
    pub(super) fn now(&self) -> Now<'_> {
        let base = &self.old.side;
        Now {
            version: self.new.side.version.as_deref(),
            base: [Some(base.name.as_str()), base.rev.as_deref()],
        }
    }

    pub(super) fn link(&self) -> Option<String> {
        let (web, commit) = self.web.as_ref()?;
        Some(format!("{web}/blob/{commit}/{{file}}#L{{line}}"))
    }
}

/// The bump between two versions. In 0.y versions, y counts as major and z as minor.
fn declared(old: &[u64; 3], new: &[u64; 3]) -> Bump {
    match (old, new) {
        (old, new) if new <= old => Bump::None,
        ([0, a, _], [0, b, _]) if a == b => Bump::Minor,
        ([0, ..], _) => Bump::Major,
        ([a, ..], [b, ..]) if a != b => Bump::Major,
        ([_, a, _], [_, b, _]) if a != b => Bump::Minor,
        _ => Bump::Patch,
    }
}

fn numbers(version: &str) -> Option<[u64; 3]> {
    let mut parts = version.split(['.', '-', '+']).map(|part| part.parse().ok());
    Some([parts.next()??, parts.next()??, parts.next()??])
}

/// The version in the manifest of a package or workspace.
fn version(manifest: &str) -> Option<String> {
    let mut inside = false;
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = matches!(line, "[workspace.package]" | "[package]");
        } else if let (true, Some(value)) = (inside, line.strip_prefix("version")) {
            let value = value.trim_start().strip_prefix('=')?.trim();
            return value.strip_prefix('"')?.split('"').next().map(str::to_owned);
        }
    }
    None
}

/// Loads a revision, and another one or the files on disk.
pub(super) fn revisions(place: &Place, old: &str, new: Option<&str>) -> Result<Sides, Failure> {
    let repository = Repository::around(&place.spec)?;
    let folder = repository.relative(&place.spec)?;
    let before = revision(&repository, old, &folder, Role::Base)?;
    let (after, linked) = match new {
        Some(new) => {
            if repository.is_dirty(&folder) {
                output::stderr(&format!(
                    "note: uncommitted changes in {folder}/ are not compared; `cargo xtask diff {old}` shows them\n"
                ));
            }
            let after = revision(&repository, new, &folder, Role::Head)?;
            let commit = after.side.rev.clone();
            (after, commit)
        }
        None => (worktree(place, &repository, &folder)?, repository.commit("HEAD").ok()),
    };
    let web = repository.web().zip(linked);
    Ok(Sides { old: before, new: after, web })
}

/// The candidates for the workspace's manifest: beside the catalogue, and at the top of the checkout.
fn manifests(folder: &str) -> [String; 2] {
    let beside = match folder.rsplit_once('/') {
        Some((above, _)) => format!("{above}/Cargo.toml"),
        None => "Cargo.toml".to_owned(),
    };
    [beside, "Cargo.toml".to_owned()]
}

fn worktree(place: &Place, repository: &Repository, folder: &str) -> Result<Loaded, Failure> {
    let opened = fedispec_reader::open(&place.spec, Layer::Full);
    let (catalogue, api) = opened.map_err(|failure| {
        invalid("the files on disk", &failure, (&place.spec, &place.spec_name))
    })?;
    let manifests = manifests(folder);
    let mut manifests =
        manifests.iter().filter_map(|path| fs::read_to_string(repository.top().join(path)).ok());
    let side = Side {
        name: "worktree".into(),
        rev: None,
        dirty: repository.is_dirty(folder),
        version: manifests.find_map(|text| version(&text)),
        folder: folder.to_owned(),
    };
    Ok(Loaded { api, catalogue: Some(catalogue), side })
}

/// The texts of two files that are documents of a server.
pub(super) fn documents(old: &Path, new: &Path) -> Result<Option<[String; 2]>, Failure> {
    if old.is_dir() || new.is_dir() {
        return Ok(None);
    }
    let read = |path: &Path| {
        let bytes = fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
        Ok::<_, Failure>(String::from_utf8_lossy(&bytes).into_owned())
    };
    let texts = [read(old)?, read(new)?];
    // Not every document begins with its version.
    let is_document = |text: &String| {
        !text.contains("\"fedispec-api/")
            && ["openapi", "swagger"].iter().any(|key| text.contains(key))
    };
    Ok(texts.iter().all(is_document).then_some(texts))
}

/// Which side a state is. A base was valid when it was made, so that a check which has become stricter since does not refuse
/// it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Base,
    Head,
}

fn revision(
    repository: &Repository,
    rev: &str,
    folder: &str,
    role: Role,
) -> Result<Loaded, Failure> {
    let commit = repository.commit(rev)?;
    let folder = repository.catalogue(rev, &commit, folder)?;
    let temporary = tempfile::tempdir();
    let temporary = temporary
        .map_err(|error| Failure::Other(format!("cannot make a temporary folder: {error}")))?;
    let into = temporary.path().join("spec");
    repository.extract(&commit, &folder, &into)?;
    let file = |name: &str| repository.file(&commit, &format!("{folder}/{name}"));
    let (catalogue, api) = match fedispec_reader::open(&into, Layer::Full) {
        Ok((catalogue, api)) => (Some(catalogue), api),
        Err(failure) => refused((rev, &format!("{rev}:{folder}")), &into, role, &file, &failure)?,
    };
    let manifests = manifests(&folder);
    let mut manifests = manifests.iter().filter_map(|path| repository.file(&commit, path));
    let side = Side {
        name: rev.to_owned(),
        rev: Some(commit.chars().take(SHORT).collect()),
        dirty: false,
        version: manifests.find_map(|text| version(&text)),
        folder,
    };
    Ok(Loaded { api, catalogue, side })
}

/// A state whose YAML today's tools refuse: its resolved form, or as much as can be read of it.
fn refused(
    (name, folder): (&str, &str),
    laid_out: &Path,
    role: Role,
    file: &dyn Fn(&str) -> Option<String>,
    failure: &load::Failure,
) -> Result<(Option<Catalogue>, Api), Failure> {
    let is_of_another_form = is_of_another_form(file);
    if role == Role::Base || is_of_another_form {
        let why = if is_of_another_form {
            "is of another form than these tools read"
        } else {
            "does not pass today's checks"
        };
        let resolved = file("api.json").and_then(|text| resolved::from_json(&text).ok());
        if let Some(api) = resolved {
            output::stderr(&format!(
                "note: the YAML of {name} {why}; its {}/api.json stands for it\n",
                folder.rsplit(':').next().unwrap_or(folder)
            ));
            return Ok((None, api));
        }
    }
    let leniently = || fedispec_reader::open_leniently(laid_out, Layer::Full);
    if let Some((catalogue, api)) = (role == Role::Base).then(leniently).flatten() {
        output::stderr(&format!(
            "note: {name} does not pass today's checks ({}); it is compared as it is\n",
            counted(failure.report.diagnostics().len(), "problem")
        ));
        return Ok((Some(catalogue), api));
    }
    Err(invalid(name, failure, (laid_out, folder)))
}

/// Whether a state's YAML follows another schema than today's. `gen` writes the schema beside the YAML, so a
/// schema that is today's means that the YAML itself is wrong.
fn is_of_another_form(file: &dyn Fn(&str) -> Option<String>) -> bool {
    let is_another = |(name, today): &(String, String)| {
        file(&format!("schema/{name}")).is_some_and(|text| text != *today)
    };
    schema::schemas().is_ok_and(|schemas| schemas.iter().any(is_another))
}

/// Reports an invalid side. Paths in the messages are those of the user, not of the temporary copy.
fn invalid(what: &str, failure: &load::Failure, (laid_out, told): (&Path, &str)) -> Failure {
    let problems = failure.report.render(&failure.sources, output::colour_on_stderr());
    let laid_out = laid_out.display().to_string();
    output::stderr(&problems.replace(&laid_out, told));
    Failure::Other(format!(
        "the catalogue of {what} is invalid, or in a format that these tools cannot read"
    ))
}

/// Loads two folders or two resolved files.
pub(super) fn files(old: &Path, new: &Path) -> Result<Sides, Failure> {
    Ok(Sides { old: file(old, Role::Base)?, new: file(new, Role::Head)?, web: None })
}

/// The folder of a catalogue or of its resolved form.
pub(super) fn folder(path: &Path) -> PathBuf {
    let folder = if path.is_dir() { Some(path) } else { path.parent() };
    folder.map(Path::to_owned).unwrap_or_default()
}

fn file(path: &Path, role: Role) -> Result<Loaded, Failure> {
    let name = path.display().to_string();
    // Normalised: without `.` and a trailing slash.
    let folder: PathBuf = folder(path).components().collect();
    let side = Side { name: name.clone(), folder: folder.display().to_string(), ..Side::default() };
    if path.is_dir() {
        let beside = |file: &str| fs::read_to_string(path.join(file)).ok();
        let (catalogue, api) = match fedispec_reader::open(path, Layer::Full) {
            Ok((catalogue, api)) => (Some(catalogue), api),
            Err(failure) => refused((&name, &name), path, role, &beside, &failure)?,
        };
        return Ok(Loaded { api, catalogue, side });
    }
    let bytes = fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
    let text = String::from_utf8_lossy(&bytes);
    let api = resolved::from_json(&text).map_err(|error| {
        Failure::Other(format!(
            "{name} is not a resolved catalogue ({error}); name a catalogue's folder, or an api.json written by `cargo xtask gen`"
        ))
    })?;
    Ok(Loaded { api, catalogue: None, side })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bumps_of_versions() {
        for (old, new, expected) in [
            ("0.1.0", "0.1.0", Bump::None),
            ("0.1.0", "0.1.1", Bump::Minor),
            ("0.1.0", "0.2.0", Bump::Major),
            ("0.9.0", "1.0.0", Bump::Major),
            ("1.2.3", "1.2.4", Bump::Patch),
            ("1.2.3", "1.3.0", Bump::Minor),
            ("1.2.3", "2.0.0-rc.1", Bump::Major),
            ("1.2.3", "1.2.2", Bump::None),
        ] {
            let (old, new) = (numbers(old).expect("a version"), numbers(new).expect("a version"));
            assert_eq!(declared(&old, &new), expected, "{old:?} to {new:?}");
        }
    }

    #[test]
    fn the_version_is_read_from_the_right_table() {
        let manifest = "[workspace]\nresolver = \"3\"\n[workspace.dependencies]\nversion = \"9\"\n[workspace.package]\nversion = \"0.4.0\"\n";
        assert_eq!(version(manifest).as_deref(), Some("0.4.0"));
        assert_eq!(version("[dependencies]\nversion = \"1\"\n"), None);
    }
}
