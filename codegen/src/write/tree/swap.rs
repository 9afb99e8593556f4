//! Swapping of two folders.

use std::path::Path;
use std::{fs, io};

/// Swaps the folders `new` and `old`, in one step where the system can.
pub(super) fn swap(new: &Path, old: &Path) -> io::Result<()> {
    if !old.exists() {
        return fs::rename(new, old);
    }
    exchange(new, old).or_else(|_| in_two_steps(new, old))
}

#[cfg(target_os = "linux")]
fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE).map_err(io::Error::from)
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// For systems and disks without an exchange: only between two renames is the place empty.
fn in_two_steps(new: &Path, old: &Path) -> io::Result<()> {
    let aside = new.with_extension("old");
    fs::rename(old, &aside)?;
    if let Err(error) = fs::rename(new, old) {
        fs::rename(&aside, old)?;
        return Err(error);
    }
    fs::rename(&aside, new)
}

#[cfg(test)]
mod tests {
    use super::{in_two_steps, swap};
    use std::fs;

    #[test]
    fn both_ways_exchange() {
        for way in [swap, in_two_steps] {
            let folder = tempfile::tempdir().expect("a folder");
            let (new, old) = (folder.path().join(".x.new-1"), folder.path().join("x"));
            for (path, text) in [(&new, "new"), (&old, "old")] {
                fs::create_dir(path).expect("writable");
                fs::write(path.join("file"), text).expect("writable");
            }
            way(&new, &old).expect("the same disk");
            assert_eq!(fs::read_to_string(old.join("file")).expect("readable"), "new");
            assert_eq!(fs::read_to_string(new.join("file")).expect("readable"), "old");
        }
    }
}
