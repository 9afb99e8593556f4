//! The programs whose sources can be read, and how each is: by a key of the catalogue.

use fedispec_model::suggest::one_of;
use fedispec_reader::load::Catalogue;
use fedispec_since::{SourceReader as Framework, StableVersion};

use crate::error::Error;
use crate::git::Snapshot;
use crate::surface::Surface;
use crate::{go_with_gin, ruby_on_rails};

/// The reader of a program's source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SourceReader<'c> {
    catalogue: &'c Catalogue,
    /// The program's name.
    name: &'c str,
    framework: Framework,
}

/// A file or folder that every program on a framework has, and no other.
const fn mark(framework: Framework) -> &'static str {
    match framework {
        Framework::GoWithGin => "internal/api/client",
        Framework::RubyOnRails => "app/serializers/rest",
    }
}

impl<'c> SourceReader<'c> {
    /// The reader of a program, by its key.
    pub(crate) fn of(catalogue: &'c Catalogue, key: &str) -> Result<Self, Error> {
        let programs = &catalogue.implementations.programs;
        let program = programs.get(key);
        let of_program = program.and_then(|program| Some((&*program.name, program.reader?)));
        let (name, framework) = of_program.ok_or_else(|| {
            let readable = programs.iter().filter(|(_, program)| program.reader.is_some());
            let keys: Vec<_> = readable.map(|(key, _)| key.as_str()).collect();
            let help = one_of(key, &keys, "those that can be read are");
            Error(format!("there is no reader for the source of `{key}`; {help}"))
        })?;
        Ok(Self { catalogue, name, framework })
    }

    /// The release that a source calls itself, where it does.
    pub(crate) fn version(self, snapshot: &Snapshot<'_>) -> Result<Option<StableVersion>, Error> {
        let text = match self.framework {
            Framework::GoWithGin => None,
            Framework::RubyOnRails => ruby_on_rails::version(snapshot)?,
        };
        Ok(text.and_then(|text| text.parse().ok()))
    }

    /// Refuses the source of another program.
    pub(crate) fn check(self, snapshot: &Snapshot<'_>) -> Result<(), Error> {
        let lacks = mark(self.framework);
        if snapshot.has(lacks) {
            return Ok(());
        }
        let mut programs = self.catalogue.implementations.programs.values();
        let other = programs.find(|one| one.reader.is_some_and(|other| snapshot.has(mark(other))));
        let seems =
            other.map_or_else(String::new, |other| format!("; it seems to be {}", other.name));
        let (revision, name) = (&snapshot.revision, self.name);
        Err(Error(format!("{revision} is no source of {name}: it has no {lacks}{seems}")))
    }

    /// Reads what the program serves at a revision.
    pub(crate) fn read(self, snapshot: &Snapshot<'_>) -> Result<Surface, Error> {
        self.check(snapshot)?;
        match self.framework {
            Framework::GoWithGin => go_with_gin::surface(snapshot),
            Framework::RubyOnRails => {
                let api = self.catalogue.implementations.reference_key().unwrap_or_default();
                ruby_on_rails::surface(snapshot, api)
            }
        }
    }
}
