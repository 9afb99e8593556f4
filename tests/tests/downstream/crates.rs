//! Copies of the crates under `tests/`, which a test may change and build.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fedispec_tests::catalogue::{self, Tree};
use fedispec_tests::commands::{Ran, cargo, finish};
use fedispec_tests::root;

/// A copy of a crate.
pub(crate) struct Crate {
    place: PathBuf,
}

impl Crate {
    /// A copy of `tests/<from>`. Each copy has its own name, because cargo tells build scripts apart by the package's name only.
    pub(crate) fn copy(from: &str, name: &str) -> Self {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&place);
        for (path, text) in catalogue::tree(&root().join("tests").join(from)) {
            // A build by hand may have left a target folder there.
            if !path.starts_with("target") && path != "Cargo.lock" {
                catalogue::write(&place.join(path), &text);
            }
        }
        // The workspace's lock file, so that no network is needed.
        fs::copy(root().join("Cargo.lock"), place.join("Cargo.lock")).expect("the lock file");
        let outside = root().canonicalize().expect("the root");
        let outside = outside.display().to_string().replace('\\', "/");
        let copy = Self { place };
        let manifest = copy.read("Cargo.toml").replace("../../..", &outside);
        let named = manifest.lines().find(|line| line.starts_with("name = ")).expect("a name");
        let manifest = manifest.replace(named, &format!("name = \"{name}\""));
        copy.write("Cargo.toml", &manifest);
        copy
    }

    pub(crate) fn place(&self) -> &Path {
        &self.place
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.place.join(file)).expect("the file")
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        catalogue::write(&self.place.join(file), text.as_bytes());
    }

    /// Replaces a text in a file.
    pub(crate) fn replace(&self, file: &str, old: &str, new: &str) {
        let text = self.read(file);
        assert!(text.contains(old), "{file} has no `{old}`");
        self.write(file, &text.replace(old, new));
    }

    /// The sources, without the lock file that cargo keeps.
    pub(crate) fn tree(&self) -> Tree {
        let mut tree = catalogue::tree(&self.place);
        tree.remove("Cargo.lock");
        tree
    }

    /// cargo with those arguments, ready to be started.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
        let mut command = cargo();
        command
            .current_dir(&self.place)
            .env("CARGO_TARGET_DIR", target)
            .env_remove("FEDISPEC_LOCK")
            // Nobody debugs them, and without it their dependencies take half the time.
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .args(arguments)
            .arg("--offline")
            // Dependencies are compiled as in the workspace, so that they are compiled once.
            .args(["--config", "profile.dev.package.\"*\".debug-assertions=false"]);
        command
    }

    pub(crate) fn cargo(&self, arguments: &[&str]) -> Ran {
        finish(&mut self.command(arguments))
    }

    /// Runs it with those arguments of its own.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = self.command(&["run", "--quiet"]);
        finish(command.arg("--").args(arguments))
    }

    /// Checks it, and gives the warnings, those of build scripts among them (`--quiet` would hide them).
    pub(crate) fn warnings(&self) -> Vec<String> {
        warnings(&self.cargo(&["check"]).succeeded())
    }

    /// Fails the test unless it compiles without a warning.
    pub(crate) fn compiles(&self) {
        assert_eq!(self.warnings(), [""; 0]);
    }

    /// Fails the test unless the build fails with all of these texts in its output.
    pub(crate) fn fails_with(&self, parts: &[&str]) {
        let ran = self.cargo(&["check", "--quiet"]);
        assert_ne!(ran.code, Some(0), "it compiles");
        for part in parts {
            assert!(ran.stderr.contains(part), "no `{part}` in {}", ran.stderr);
        }
    }

    /// Checks the programs in `src/bin` in one call of cargo, and gives what the compiler says of each. None may compile, and
    /// a program's first lines tell its errors, all of them where it tells their places; the program of that name has none and no warning.
    pub(crate) fn refused_programs(&self, compiles: &str) -> BTreeMap<String, String> {
        let ran = self.cargo(&["check", "--quiet", "--keep-going", "--message-format=json"]);
        let mut told: BTreeMap<String, String> = BTreeMap::new();
        for line in ran.stdout.lines() {
            let message: serde_json::Value = serde_json::from_str(line).expect("JSON");
            if let Some(text) = message["message"]["rendered"].as_str() {
                let name = message["target"]["name"].as_str().expect("a name");
                *told.entry(name.to_owned()).or_default() += text;
            }
        }
        assert_eq!(told.get(compiles), None, "what is none");
        let programs = catalogue::tree(&self.place.join("src/bin")).into_iter();
        let named = programs.map(|(file, text)| {
            let text = String::from_utf8(text).expect("UTF-8");
            let errors = text.lines().map_while(|line| line.strip_prefix("// error: "));
            let told = told.remove(file.trim_end_matches(".rs")).unwrap_or_default();
            assert!(errors.clone().count() > 0, "{file} has no first line that tells the error");
            if errors.clone().any(|error| error.ends_with('^')) {
                assert_eq!(errors.collect::<Vec<_>>(), marked(&told), "{file}: {told}");
            } else {
                let missing = errors.clone().find(|error| !told.contains(error));
                assert_eq!(missing, None, "{file}: {told}");
            }
            (file, told)
        });
        named.collect()
    }

    /// Checks it, and returns the build script's output folder, from the messages that cargo gives an editor.
    pub(crate) fn out_dir(&self) -> PathBuf {
        let ran = self.cargo(&["check", "--quiet", "--message-format=json"]).succeeded();
        let place = self.place.display().to_string();
        ran.stdout
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter(|message| message["reason"] == "build-script-executed")
            .find(|message| message["package_id"].as_str().is_some_and(|id| id.contains(&place)))
            .and_then(|message| message["out_dir"].as_str().map(PathBuf::from))
            .expect("a build script")
    }
}

/// The message of each error, and its place with the marks below the code.
fn marked(told: &str) -> Vec<String> {
    let lines: Vec<&str> = told.lines().collect();
    let errors = lines.windows(5).filter(|lines| lines[0].starts_with("error"));
    errors
        .flat_map(|lines| {
            let after =
                |line: &str, mark| line.split_once(mark).map_or("", |(_, rest)| rest).to_owned();
            let marks = "^".repeat(lines[4].matches('^').count());
            [after(lines[0], ": "), format!("{} {marks}", after(lines[1], "--> "))]
        })
        .collect()
}

/// The lines with which a warning begins.
pub(crate) fn warnings(ran: &Ran) -> Vec<String> {
    let lines = ran.stderr.lines();
    let warnings = lines.filter(|line| line.starts_with("warning"));
    warnings.map(str::to_owned).collect()
}
