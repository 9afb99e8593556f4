//! The commands that are programs of their own, started through cargo: those that need the generated crate, so that `gen` can repair
//! that crate, and the one that compiles parsers and git from C, which no other command needs.

use std::env;
use std::ffi::OsString;
use std::process::Command;

use crate::failure::Failure;
use crate::place::{self, Place};

/// Runs `fedispec COMMAND ARGS` in the caller's folder and passes its exit code on.
pub(crate) fn run(command: &str, args: &[OsString]) -> Result<(), Failure> {
    let args = std::iter::once(command.into()).chain(args.iter().cloned());
    start("fedispec-cli", args)
}

/// Runs `propose` with this catalogue in the caller's folder and passes its exit code on.
pub(crate) fn propose(place: &Place, args: &[OsString]) -> Result<(), Failure> {
    let spec = ["--spec".into(), place.spec.clone().into_os_string()];
    start(
        "fedispec-propose",
        spec.into_iter().chain(args.iter().cloned()),
    )
}

fn start(package: &str, args: impl Iterator<Item = OsString>) -> Result<(), Failure> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--package", package, "--manifest-path"])
        .arg(place::root()?.join("Cargo.toml"))
        .arg("--")
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
