//! The state as a file, which is replaced in one step.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::State;

/// The form of the file. One that another form has is not read.
const FORM: u32 = 1;

/// Why a data file was not read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file cannot be read.
    #[error("cannot read the data file {}: {source}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is none of this program's, or was changed.
    #[error("{} is not the data of a stand-in server: {why}; move it away, or name another file", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// The mistake and its place.
        why: String,
    },
    /// A newer program has written the file.
    #[error("{} was written by a newer stand-in server (form {form}, this one reads {FORM}); update fedispec, or name another file", file.display())]
    Newer {
        /// The file.
        file: PathBuf,
        /// The form of the file.
        form: u32,
    },
    /// The file cannot be written. What was saved before is still there.
    #[error("cannot save to the data file {}: {source}", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The first keys of the file.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "fedispec-standin")]
    form: u32,
}

/// The whole file.
#[derive(Serialize, Deserialize)]
struct Whole<S> {
    #[serde(rename = "fedispec-standin")]
    form: u32,
    state: S,
}

/// Reads a state; none where there is no file.
pub(crate) fn load(file: &Path) -> Result<Option<State>, DataError> {
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            let file = file.to_owned();
            return Err(DataError::Unreadable { file, source });
        }
    };
    let state = decode(&bytes).map_err(|why| match why {
        Undecoded::Newer(form) => DataError::Newer { file: file.to_owned(), form },
        Undecoded::Malformed(why) => {
            DataError::Malformed { file: file.to_owned(), why: why.to_string() }
        }
    })?;
    Ok(Some(state))
}

/// Why bytes are no state.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Undecoded {
    #[error("it was written by a newer stand-in server (form {0}, this one reads {FORM})")]
    Newer(u32),
    #[error("it is not the data of a stand-in server: {0}")]
    Malformed(#[from] serde_json::Error),
}

/// Reads the bytes of a file.
pub(crate) fn decode(bytes: &[u8]) -> Result<State, Undecoded> {
    let Head { form } = serde_json::from_slice(bytes)?;
    if form > FORM {
        return Err(Undecoded::Newer(form));
    }
    let whole: Whole<State> = serde_json::from_slice(bytes)?;
    Ok(whole.state)
}

/// The bytes of the file.
pub(crate) fn encode(state: &State) -> io::Result<Vec<u8>> {
    let whole = Whole { form: FORM, state };
    serde_json::to_vec(&whole).map_err(io::Error::other)
}

/// Replaces the file. Whoever is killed meanwhile leaves the former, or the new one.
pub(crate) fn save(file: &Path, bytes: io::Result<Vec<u8>>) -> Result<(), DataError> {
    let saved = bytes.and_then(|bytes| replace(file, &bytes));
    saved.map_err(|source| DataError::Unwritable { file: file.to_owned(), source })
}

fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    let mut writer = BufWriter::new(File::create(&beside)?);
    writer.write_all(bytes)?;
    writer.flush()?;
    // The name must not point to it before its content has reached the disk.
    writer.get_ref().sync_all()?;
    fs::rename(&beside, file)?;
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // Nor must the name get lost. Windows has no handle of a folder.
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
