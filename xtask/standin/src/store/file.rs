//! The state as a file: a line of JSON with all of it, and lines with what has changed since. It is replaced in one step by a line alone when the
//! changes are longer than that.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File, OpenOptions};
use std::hash::{Hash as _, Hasher as _};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::posted::Statuses;
use super::prelude::*;
use super::statuses::Status;

/// The form of the file. One that a later form has is not read.
const FORM: u32 = 4;
/// The least size of changes for which the file is replaced.
const CHANGES: usize = 1 << 20;

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
    /// The file holds no state that this program can read.
    #[error("cannot use the data file {}: {why}; move it away, or name another file", file.display())]
    Unusable {
        /// The file.
        file: PathBuf,
        /// Why.
        why: Undecoded,
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

/// The first line of a file, and a snapshot.
#[derive(Serialize)]
struct Whole<'s> {
    #[serde(rename = "fedispec-standin")]
    form: u32,
    state: &'s State,
    statuses: &'s Statuses,
}

/// A line that follows: parts of the state that are others now, and statuses, those that are gone as null.
#[derive(Serialize)]
struct Changes<'s> {
    state: Map<String, Value>,
    statuses: BTreeMap<Key, Option<&'s Status>>,
}

/// A line as it is read.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    state: Map<String, Value>,
    #[serde(default)]
    statuses: BTreeMap<Key, Option<Status>>,
}

/// The first key of the file.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "fedispec-standin")]
    form: u32,
}

/// Reads a state; none where there is no file.
pub(crate) fn load(file: &Path) -> Result<Option<State>, DataError> {
    match fs::read(file) {
        Ok(bytes) => {
            let state = decode(&bytes);
            state.map(Some).map_err(|why| DataError::Unusable { file: file.to_owned(), why })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(DataError::Unreadable { file: file.to_owned(), source }),
    }
}

/// Why bytes are no state.
#[derive(Debug, thiserror::Error)]
pub enum Undecoded {
    /// A newer program has written them in a form of this number.
    #[error(
        "a newer stand-in server wrote it (form {0}, this one reads {FORM}), so that fedispec needs an update"
    )]
    Newer(u32),
    /// An older program has written them in a form of this number, with records that are others now.
    #[error(
        "an older stand-in server wrote it (form {0}, this one writes {FORM}), and some of its records are others now: {1}"
    )]
    Older(u32, serde_json::Error),
    /// They are none of this program's, or were changed.
    #[error("it is not the data of a stand-in server: {0}")]
    Malformed(#[from] serde_json::Error),
}

/// Reads the bytes of a file. A last line that somebody was killed over is left out.
pub(crate) fn decode(bytes: &[u8]) -> Result<State, Undecoded> {
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let first = lines.next().unwrap_or_default();
    // A file of the first form has no line ends, or was laid out by somebody.
    let whole = match serde_json::from_slice::<Head>(first) {
        Ok(Head { form: 2.. }) => first,
        _ => bytes,
    };
    let Head { form } = serde_json::from_slice(whole)?;
    refuse_if!(form > FORM, Undecoded::Newer(form));
    let mut all: Line = serde_json::from_slice(whole)?;
    for line in lines.filter(|line| whole.len() < bytes.len() && line.ends_with(b"\n")) {
        let Line { state, statuses } = serde_json::from_slice(line)?;
        all.state.extend(state);
        all.statuses.extend(statuses);
    }
    let state = serde_json::from_value(Value::Object(all.state));
    let mut state: State =
        state.map_err(|why| if form < FORM { Undecoded::Older(form, why) } else { why.into() })?;
    for (key, status) in all.statuses {
        if let Some(status) = status {
            state.statuses.insert(key, status);
        }
    }
    Ok(state)
}

/// The state as one line.
pub(crate) fn encode(state: &State) -> io::Result<Vec<u8>> {
    let whole = Whole { form: FORM, state, statuses: &state.statuses };
    let mut line = serde_json::to_vec(&whole).map_err(io::Error::other)?;
    line.push(b'\n');
    Ok(line)
}

/// The content of a file as far as it is saved.
#[derive(Debug, Default)]
pub(crate) struct Saved {
    /// The size of its first line; 0 where nobody knows what the file has.
    whole: usize,
    changes: usize,
    /// Marks of the parts of the state.
    marks: HashMap<String, u64>,
}

/// The bytes to write.
pub(crate) enum Writing {
    Whole(Vec<u8>),
    Changes(Vec<u8>),
}

impl Saved {
    /// The bytes that bring the file up to the state.
    pub(crate) fn next(&mut self, state: &State) -> io::Result<Writing> {
        let statuses = state.statuses.take_changes();
        let Value::Object(mut parts) = serde_json::to_value(state).map_err(io::Error::other)?
        else {
            return Err(io::Error::other("the state is an object"));
        };
        parts.retain(|name, value| {
            let mut hasher = DefaultHasher::new();
            value.to_string().hash(&mut hasher);
            let mark = hasher.finish();
            self.marks.insert(name.clone(), mark) != Some(mark)
        });
        match statuses {
            Some(statuses) if self.whole > 0 && self.changes <= self.whole.max(CHANGES) => {
                let changes = Changes { state: parts, statuses };
                let mut line = serde_json::to_vec(&changes).map_err(io::Error::other)?;
                line.push(b'\n');
                Ok(Writing::Changes(line))
            }
            _ => encode(state).map(Writing::Whole),
        }
    }

    /// Writes to the file. Whoever is killed meanwhile leaves what was there before, or the new state.
    pub(crate) fn write(
        &mut self,
        file: &Path,
        writing: io::Result<Writing>,
    ) -> Result<(), DataError> {
        let written = writing.and_then(|writing| match writing {
            Writing::Whole(bytes) => {
                replace(file, &bytes)?;
                (self.whole, self.changes) = (bytes.len(), 0);
                Ok(())
            }
            Writing::Changes(bytes) => {
                append(file, &bytes)?;
                self.changes += bytes.len();
                Ok(())
            }
        });
        if written.is_err() {
            // The content of the file is unknown now, so that the next save replaces it.
            self.whole = 0;
        }
        written.map_err(|source| DataError::Unwritable { file: file.to_owned(), source })
    }
}

fn append(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(file)?;
    file.write_all(bytes)?;
    file.sync_data()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::statuses::Draft;

    fn written(saved: &mut Saved, state: &State, file: &Path) -> bool {
        let writing = saved.next(state);
        let is_whole = matches!(writing, Ok(Writing::Whole(_)));
        saved.write(file, writing).expect("written");
        is_whole
    }

    #[test]
    fn what_changes_is_appended() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("data");
        let (mut saved, mut state) = (Saved::default(), State::seeded(7));
        let mona = state.add_account("mona", None, None);
        let [first, second] = ["one", "two"].map(|text| state.post(mona, Draft::text(text)));
        assert!(written(&mut saved, &state, &file));
        state.delete_status(first);
        let third = state.post(mona, Draft::text("three"));
        assert!(!written(&mut saved, &state, &file));
        let bytes = fs::read(&file).expect("the file");
        assert_eq!(String::from_utf8_lossy(&bytes).lines().count(), 2);
        let last = bytes.split_inclusive(|byte| *byte == b'\n').next_back().expect("a line");
        assert!(!String::from_utf8_lossy(last).contains("two"), "it has not changed");
        let keys = |bytes: &[u8]| {
            let state = decode(bytes).expect("a state");
            state.statuses.keys().copied().collect::<Vec<_>>()
        };
        assert_eq!(keys(&bytes), [second, third]);
        // Killed while it was appended.
        assert_eq!(keys(&bytes[..bytes.len() - 9]), [first, second]);
        state.replace(State::seeded(8));
        assert!(written(&mut saved, &state, &file));
        assert_eq!(keys(&fs::read(&file).expect("the file")), []);
    }

    #[test]
    fn a_file_of_the_first_form_is_read() {
        let mut state = State::seeded(7);
        let mona = state.add_account("mona", None, None);
        let key = state.post(mona, Draft::text("one"));
        let mut whole: Value =
            serde_json::from_slice(&encode(&state).expect("a line")).expect("JSON");
        whole["state"]["statuses"] = whole["statuses"].take();
        whole["fedispec-standin"] = 1.into();
        whole.as_object_mut().expect("an object").remove("statuses");
        let text = serde_json::to_string_pretty(&whole).expect("JSON");
        let read = decode(text.as_bytes()).expect("a state");
        assert_eq!(read.statuses.keys().copied().collect::<Vec<_>>(), [key]);
    }
}
