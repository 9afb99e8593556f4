//! A wrapper of rustc that logs the resources it used.

use std::env;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::meter;

/// The variable by which cargo finds the wrapper.
pub(super) const WRAPPER: &str = "RUSTC_WRAPPER";
/// The variable with the path of the log.
pub(super) const LOG: &str = "FEDISPEC_BENCH_LOG";

/// The resources that one run of rustc used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Compiled {
    /// The crate's name: `fedispec`, `build_script_build`.
    pub(super) name: String,
    pub(super) cpu_ms: u64,
    pub(super) peak_kib: u64,
    /// The path of the crate's root file.
    pub(super) root: String,
}

impl Compiled {
    fn line(&self) -> String {
        let Self { name, cpu_ms, peak_kib, root } = self;
        format!("{name}\t{cpu_ms}\t{peak_kib}\t{root}\n")
    }

    pub(super) fn parse(line: &str) -> Option<Self> {
        let mut parts = line.split('\t');
        Some(Self {
            name: parts.next()?.to_owned(),
            cpu_ms: parts.next()?.parse().ok()?,
            peak_kib: parts.next()?.parse().ok()?,
            root: parts.next()?.to_owned(),
        })
    }
}

/// Acts as rustc if cargo has started this program as its wrapper.
pub(crate) fn instead_of_rustc() -> Option<ExitCode> {
    let log = env::var_os(LOG)?;
    let mut arguments = env::args_os().skip(1);
    let mut rustc = Command::new(arguments.next()?);
    let arguments: Vec<OsString> = arguments.collect();
    let status = match rustc.args(&arguments).status() {
        Ok(status) => status,
        Err(error) => {
            eprintln!("error: cannot start rustc: {error}");
            return Some(ExitCode::FAILURE);
        }
    };
    if let Some(compiled) = compiled(&arguments) {
        // A single write of a short line, so that lines of parallel processes do not mix.
        let file = OpenOptions::new().append(true).create(true).open(log);
        if let Err(error) = file.and_then(|mut file| file.write_all(compiled.line().as_bytes())) {
            eprintln!("error: cannot log the usage of rustc: {error}");
        }
    }
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Some(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The usage of a compilation; `None` for queries such as `--print`.
fn compiled(arguments: &[OsString]) -> Option<Compiled> {
    let texts: Vec<&str> = arguments.iter().filter_map(|text| text.to_str()).collect();
    let name = texts.iter().position(|text| *text == "--crate-name")?;
    let root = texts.iter().find(|text| {
        Path::new(text).extension().is_some_and(|end| end == "rs") && !text.starts_with('-')
    })?;
    let used = meter::children();
    Some(Compiled {
        name: (*texts.get(name + 1)?).to_owned(),
        cpu_ms: u64::try_from(used.cpu.as_millis()).unwrap_or(u64::MAX),
        peak_kib: used.peak_kib,
        root: (*root).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let one = Compiled {
            name: "fedispec".into(),
            cpu_ms: 2_900,
            peak_kib: 300_000,
            root: "generated/src/lib.rs".into(),
        };
        assert_eq!(Compiled::parse(one.line().trim_end()), Some(one));
        assert_eq!(Compiled::parse("half\t1"), None);
    }

    #[test]
    fn a_query_is_not_a_compilation() {
        let question: Vec<OsString> =
            ["-", "--crate-name", "___", "--print=cfg"].map(Into::into).into();
        assert_eq!(compiled(&question), None);
    }
}
