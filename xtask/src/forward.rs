//! The commands that are programs of their own, started through cargo: those that need the generated crate, so that `gen` can repair
//! that crate, the one that compiles parsers from C, and the measurements.

use std::env;
use std::ffi::OsString;
use std::process::Command;

use fedispec_commands::failure::Failure;
use fedispec_commands::place;

/// Runs a package of the workspace in the caller's folder and passes its exit code on.
pub(crate) fn run(package: &str, flags: &[&str], args: &[OsString]) -> Result<(), Failure> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["run", "--quiet", "--package", package])
        .args(flags)
        .arg("--manifest-path")
        .arg(place::root()?.join("Cargo.toml"))
        .arg("--")
        .args(args);
    become_it(&mut command)
}

/// Becomes the program, as cargo does: whoever stops this process means a server that runs in its place.
#[cfg(unix)]
fn become_it(command: &mut Command) -> Result<(), Failure> {
    use std::os::unix::process::CommandExt as _;
    let error = command.exec();
    Err(Failure::Other(format!("cannot start cargo: {error}")))
}

#[cfg(not(unix))]
fn become_it(command: &mut Command) -> Result<(), Failure> {
    let status =
        command.status().map_err(|error| Failure::Other(format!("cannot start cargo: {error}")))?;
    match status.code() {
        Some(0) => Ok(()),
        code => Err(Failure::Reported(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(2))),
    }
}
