//! The programs whose sources can be read.

use fedispec_model::suggest::one_of;
use fedispec_since::StableVersion;

use crate::Router;
use crate::error::Error;
use crate::git::Snapshot;
use crate::gotosocial;
use crate::mastodon;
use crate::surface::Surface;

/// A reader of one program's source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SourceReader {
    key: &'static str,
    name: &'static str,
    /// A file or folder that every release has, and no other program.
    mark: &'static str,
    read: fn(&Snapshot<'_>, Router) -> Result<Surface, Error>,
    version: fn(&Snapshot<'_>) -> Result<Option<String>, Error>,
}

const READERS: [SourceReader; 2] = [
    SourceReader {
        key: "gotosocial",
        name: "GoToSocial",
        mark: "internal/api/client",
        read: gotosocial::surface,
        version: gotosocial::version,
    },
    SourceReader {
        key: "mastodon",
        name: "Mastodon",
        mark: "app/serializers/rest",
        read: mastodon::surface,
        version: mastodon::version,
    },
];

impl SourceReader {
    /// The reader of a program, by its key.
    pub(crate) fn of(key: &str) -> Result<Self, Error> {
        READERS.into_iter().find(|reader| reader.key == key).ok_or_else(|| {
            let keys = READERS.map(|reader| reader.key);
            let help = one_of(key, &keys, "those that can be read are");
            Error(format!("there is no reader for the source of `{key}`; {help}"))
        })
    }

    /// The release that a source calls itself, where it does.
    pub(crate) fn version(self, snapshot: &Snapshot<'_>) -> Result<Option<StableVersion>, Error> {
        let text = (self.version)(snapshot)?;
        Ok(text.and_then(|text| text.parse().ok()))
    }

    /// Refuses the source of another program.
    pub(crate) fn check(self, snapshot: &Snapshot<'_>) -> Result<(), Error> {
        if !snapshot.has(self.mark) {
            let other = READERS.iter().find(|other| snapshot.has(other.mark));
            let seems =
                other.map_or_else(String::new, |other| format!("; it seems to be {}", other.name));
            let (revision, name, lacks) = (&snapshot.revision, self.name, self.mark);
            return Err(Error(format!(
                "{revision} is no source of {name}: it has no {lacks}{seems}"
            )));
        }
        Ok(())
    }

    /// Reads what the program serves at a revision.
    pub(crate) fn read(self, snapshot: &Snapshot<'_>, router: Router) -> Result<Surface, Error> {
        self.check(snapshot)?;
        (self.read)(snapshot, router)
    }
}
