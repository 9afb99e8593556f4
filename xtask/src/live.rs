//! The commands that need the generated crate; they are a separate program, started through cargo, so that `gen` can repair that crate.

use std::env;
use std::ffi::OsString;
use std::process::Command;

use crate::failure::Failure;
use crate::place;

/// Runs `fedispec COMMAND ARGS` in the caller's folder and passes its exit code on.
pub(crate) fn run(command: &str, args: &[OsString]) -> Result<(), Failure> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args([
            "run",
            "--quiet",
            "--package",
            "fedispec-cli",
            "--manifest-path",
        ])
        .arg(place::root()?.join("Cargo.toml"))
        .args(["--", command])
        .args(args)
        .status()
        .map_err(|error| Failure::Other(format!("cannot start cargo: {error}")))?;
    match status.code() {
        Some(0) => Ok(()),
        code => Err(Failure::Reported(
            code.and_then(|code| u8::try_from(code).ok()).unwrap_or(2),
        )),
    }
}
