//! A folder replaced as a whole: its new tree is made beside it, and the two change places in one step.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fmt, fs, io};

use super::{Error, Temporary, failed, place, remove_leftovers};

mod swap;

/// The outcome of [`replace`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Changed {
    /// The number of files that there are now.
    pub files: usize,
    /// The number of those that are new or different.
    pub written: usize,
    /// The number of files that were removed.
    pub removed: usize,
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { written: 0, removed: 0, files } => {
                write!(f, "nothing, all {files} files are up to date")
            }
            Self { written, removed: 0, files } => write!(f, "{written} of {files} files"),
            Self { written, removed, files } => {
                write!(f, "{written} of {files} files, {removed} removed")
            }
        }
    }
}

/// The paths below `folder` that are stale, missing or left over, sorted; `files` are what should be there.
pub fn check<T: AsRef<[u8]>>(folder: &Path, files: &[(String, T)]) -> Result<Vec<String>, Error> {
    let differences = Differences::find(folder, files)?;
    let mut paths: Vec<String> =
        differences.written.iter().map(|path| (*path).to_owned()).collect();
    paths.extend(differences.left_over);
    paths.sort();
    Ok(paths)
}

/// Makes `folder` hold exactly `files`. Where it does already, nothing is touched.
pub fn replace<T: AsRef<[u8]>>(folder: &Path, files: &[(String, T)]) -> Result<Changed, Error> {
    // A link to the folder stays one.
    let folder = &fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let (parent, name) = place(folder)?;
    fs::create_dir_all(parent).map_err(failed("make", parent))?;
    remove_leftovers(parent, &name);
    let Differences { written, left_over } = Differences::find(folder, files)?;
    let changed = Changed { files: files.len(), written: written.len(), removed: left_over.len() };
    if changed.written + changed.removed > 0 {
        let beside = Temporary::beside(parent, &name);
        fs::create_dir(&beside.path).map_err(failed("write the folder", folder))?;
        for (path, text) in files {
            let file = beside.path.join(path);
            let in_place = folder.join(path);
            let above = file.parent().unwrap_or(&beside.path);
            fs::create_dir_all(above)
                .and_then(|()| fs::write(&file, text))
                .map_err(failed("write", &in_place))?;
        }
        swap::swap(&beside.path, folder).map_err(failed("replace", folder))?;
    }
    Ok(changed)
}

/// The paths of every file below a folder, sorted; none where there is no folder.
pub fn files(folder: &Path) -> Result<Vec<String>, Error> {
    let mut there = BTreeSet::new();
    collect(folder, "", &mut there)?;
    Ok(there.into_iter().collect())
}

/// The files that a tree lacks, and those that it should not have.
struct Differences<'a> {
    /// New or different.
    written: Vec<&'a str>,
    left_over: Vec<String>,
}

impl<'a> Differences<'a> {
    fn find<T: AsRef<[u8]>>(folder: &Path, files: &'a [(String, T)]) -> Result<Self, Error> {
        let mut there = BTreeSet::new();
        collect(folder, "", &mut there)?;
        let mut written = Vec::new();
        for (path, text) in files {
            let same = there.remove(path)
                && fs::read(folder.join(path)).ok().as_deref() == Some(text.as_ref());
            if !same {
                written.push(path.as_str());
            }
        }
        Ok(Self { written, left_over: there.into_iter().collect() })
    }
}

/// Every file below a folder, by its path with `/`.
fn collect(folder: &Path, prefix: &str, paths: &mut BTreeSet<String>) -> Result<(), Error> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed("read", folder)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(failed("read", folder))?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().map_err(failed("read", &entry.path()))?.is_dir() {
            collect(&entry.path(), &format!("{path}/"), paths)?;
        } else {
            paths.insert(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Changed, check, replace};
    use std::fs;
    use std::time::{Duration, SystemTime};

    fn files(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn a_tree_is_made_and_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("deep/out");
        let first = files(&[("a.rs", "1"), ("b/c.rs", "2")]);
        assert_eq!(check(&out, &first).expect("readable"), ["a.rs", "b/c.rs"]);
        assert_eq!(
            replace(&out, &first).expect("writable"),
            Changed { files: 2, written: 2, removed: 0 }
        );
        assert_eq!(check(&out, &first).expect("readable"), [""; 0]);

        let second = files(&[("a.rs", "1"), ("d.rs", "3")]);
        assert_eq!(check(&out, &second).expect("readable"), ["b/c.rs", "d.rs"]);
        assert_eq!(
            replace(&out, &second).expect("writable"),
            Changed { files: 2, written: 1, removed: 1 }
        );
        assert!(!out.join("b").exists());
        assert_eq!(
            replace(&out, &second).expect("writable"),
            Changed { files: 2, written: 0, removed: 0 }
        );
        assert_eq!(fs::read_dir(folder.path().join("deep")).expect("readable").count(), 1);
    }

    #[test]
    fn what_a_killed_run_left_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let left = folder.path().join(format!(".out.new-{}", u32::MAX));
        fs::create_dir(&left).expect("writable");
        fs::write(left.join("half.rs"), "fn").expect("writable");
        replace(&folder.path().join("out"), &files(&[("a.rs", "1")])).expect("writable");
        assert!(!left.exists());
        // Of a process that lives: another run is at work, unless it has been for too long.
        let other = folder.path().join(".out.new-1");
        fs::create_dir(&other).expect("writable");
        replace(&folder.path().join("out"), &files(&[("a.rs", "2")])).expect("writable");
        assert!(other.exists());
        let an_hour_ago = SystemTime::now().checked_sub(Duration::from_secs(3600));
        let opened = fs::File::open(&other).expect("readable");
        opened.set_modified(an_hour_ago.expect("a time")).expect("writable");
        replace(&folder.path().join("out"), &files(&[("a.rs", "3")])).expect("writable");
        assert!(!other.exists());
    }

    #[test]
    fn an_error_names_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let blocked = folder.path().join("blocked");
        fs::write(&blocked, "a file").expect("writable");
        let error = replace(&blocked.join("out"), &files(&[("a.rs", "1")]))
            .expect_err("it is no folder")
            .to_string();
        assert!(error.starts_with("cannot make ") && error.contains("blocked"), "{error}");
    }
}
