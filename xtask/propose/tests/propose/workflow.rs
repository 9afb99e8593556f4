//! The steps of the workflow that opens pull requests, run as they are written, with a bare repository as the remote and with scripts in
//! the place of `cargo` and `gh`.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_yaml::Value;
use tempfile::TempDir;

/// `cargo xtask ..`: writes what the real commands would change, and says what it was asked.
const CARGO: &str = "#!/bin/sh
echo \"cargo $*\" >> \"$LOG\"
case \"$2\" in
  propose) echo 'lists: more' >> spec/lists.yaml; echo '## what the release brings' ;;
  gen) echo '// more' >> generated/lists.rs ;;
  diff) echo 'one change' ;;
esac
";

const GH: &str = "#!/bin/sh
echo \"gh $*\" >> \"$LOG\"
[ -n \"$GH_TOKEN\" ] && [ ! -e \"$RUNNER_TEMP/refuse\" ]
";

const REGISTRY: &str = "programs:
  mastodon:
    name: Mastodon
    looked_at: \"4.6.5\"
    releases:
      \"4.6.5\": {date: \"2026-08-01\"}
  gotosocial:
    name: GoToSocial
    looked_at: \"0.9.0\"
    releases:
      \"0.9.0\": {date: \"2025-01-01\"}
";

struct Runner {
    folder: TempDir,
    steps: Vec<Value>,
    outputs: BTreeMap<String, String>,
}

fn git(at: &Path, args: &[&str]) -> String {
    let own = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
    let output =
        Command::new("git").args(own).args(args).current_dir(at).output().expect("git runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {args:?}: {told}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

impl Runner {
    /// A checkout of a repository, and a clone of a program with these tags.
    fn new(tags: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = fs::read_to_string(root.join(".github/workflows/releases.yml"));
        let workflow: Value = serde_yaml::from_str(&text.expect("the workflow")).expect("YAML");
        let steps = workflow["jobs"]["propose"]["steps"].as_sequence();
        let runner =
            Self { steps: steps.expect("steps").clone(), folder, outputs: BTreeMap::new() };
        let first = runner.path("first");
        for (path, text) in [
            ("spec/implementations.yaml", REGISTRY),
            ("spec/lists.yaml", "lists: some\n"),
            ("generated/lists.rs", "// some\n"),
        ] {
            let path = first.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        }
        git(&first, &["init", "--quiet", "--initial-branch=main"]);
        git(&first, &["add", "--all"]);
        git(&first, &["commit", "--quiet", "--message=first"]);
        let here = runner.folder.path();
        git(here, &["clone", "--quiet", "--bare", "first", "remote.git"]);
        git(here, &["clone", "--quiet", "remote.git", "work"]);
        for tag in tags {
            git(&first, &["tag", tag]);
        }
        for (name, script) in [("cargo", CARGO), ("gh", GH)] {
            let path = runner.path("bin").join(name);
            fs::create_dir_all(runner.path("bin")).expect("made");
            fs::write(&path, script).expect("written");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("allowed");
        }
        fs::create_dir_all(runner.path("temp")).expect("made");
        runner
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    /// The text with what stands for `${{ .. }}`.
    fn filled(&self, text: &str) -> String {
        let mut text = text
            .replace("${{ matrix.program }}", "gotosocial")
            .replace("${{ matrix.source }}", &self.path("first").display().to_string())
            .replace("${{ github.token }}", "token");
        for (name, value) in &self.outputs {
            text = text.replace(&format!("${{{{ {name} }}}}"), value);
        }
        assert!(!text.contains("${{"), "{text}");
        text
    }

    /// Whether `steps.next.outputs.tag != ''` holds.
    fn holds(&self, condition: &str) -> bool {
        let (name, operator, word) = ["!=", "=="]
            .into_iter()
            .find_map(|one| condition.split_once(one).map(|(name, word)| (name.trim(), one, word)))
            .expect("a comparison");
        let value = self.outputs.get(name).map_or("", String::as_str);
        (value == word.trim().trim_matches('\'')) == (operator == "==")
    }

    /// Runs the steps one after another, as a runner does, up to the first that fails.
    fn run(&mut self) -> Result<(), String> {
        self.outputs.clear();
        for step in self.steps.clone() {
            let Some(script) = step["run"].as_str() else {
                continue;
            };
            if !step["if"].as_str().is_none_or(|condition| self.holds(condition)) {
                continue;
            }
            let output = self.step(&self.filled(script), step["env"]["GH_TOKEN"].as_str());
            if !output.status.success() {
                return Err(format!(
                    "{}: {}",
                    step["name"].as_str().unwrap_or_default(),
                    String::from_utf8_lossy(&output.stderr)
                ));
            }
            let id = step["id"].as_str().unwrap_or_default();
            let told = fs::read_to_string(self.path("outputs")).unwrap_or_default();
            fs::write(self.path("outputs"), "").expect("emptied");
            for (key, value) in told.lines().filter_map(|line| line.split_once('=')) {
                self.outputs.insert(format!("steps.{id}.outputs.{key}"), value.to_owned());
            }
        }
        Ok(())
    }

    fn step(&self, script: &str, token: Option<&str>) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("bash");
        command
            .args(["-e", "-c", script])
            .current_dir(self.path("work"))
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("RUNNER_TEMP", self.path("temp"))
            .env("GITHUB_OUTPUT", self.path("outputs"))
            .env("LOG", self.path("log"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
        if let Some(token) = token {
            command.env("GH_TOKEN", self.filled(token));
        }
        command.output().expect("bash runs")
    }

    /// The checkout and the folder of the next day's run.
    fn anew(&self) {
        for name in ["work", "temp"] {
            fs::remove_dir_all(self.path(name)).expect("removed");
        }
        fs::create_dir_all(self.path("temp")).expect("made");
        let here = self.folder.path();
        git(here, &["clone", "--quiet", "remote.git", "work"]);
    }

    fn branches(&self) -> String {
        let format = "--format=%(refname:short)";
        git(&self.path("remote.git"), &["for-each-ref", format, "refs/heads"])
    }
}

#[test]
fn a_new_tag_becomes_a_pull_request_once() {
    let mut runner = Runner::new(&["v0.8.0", "v0.9.0", "v0.10.0-rc1", "v0.10.0", "v0.11.0"]);
    runner.run().expect("the steps");
    assert_eq!(runner.branches(), "main\nrelease-gotosocial-v0.10.0");
    let remote = runner.path("remote.git");
    let branch = "release-gotosocial-v0.10.0";
    let told = git(&remote, &["log", "--format=%an: %s", &format!("main..{branch}")]);
    assert_eq!(told, "github-actions[bot]: spec: gotosocial 0.10.0 as its source shows it");
    let files = git(&remote, &["diff", "--name-only", "main", branch]);
    assert_eq!(files, "generated/lists.rs\nspec/lists.yaml");
    let body = fs::read_to_string(runner.path("temp/body.md")).expect("a text");
    assert_eq!(body, "## what the release brings\n\n## Consequences\n\none change\n");
    let log = runner.log();
    let asked: Vec<&str> = log.lines().collect();
    let temp = runner.path("temp").display().to_string();
    let expected = [
        format!(
            "cargo xtask propose gotosocial --source {temp}/source --tag v0.10.0 --write --format markdown"
        ),
        "cargo xtask check".to_owned(),
        "cargo xtask gen".to_owned(),
        "cargo xtask diff --format markdown".to_owned(),
        format!(
            "gh pr create --head {branch} --title gotosocial 0.10.0 --body-file {temp}/body.md"
        ),
    ];
    assert_eq!(asked, expected);
    // The next day it is known.
    runner.anew();
    runner.run().expect("the steps");
    assert_eq!(runner.log(), log);
}

#[test]
fn a_request_that_is_refused_leaves_no_branch() {
    let mut runner = Runner::new(&["v0.9.0", "v0.10.0"]);
    fs::write(runner.path("temp/refuse"), "").expect("written");
    let error = runner.run().expect_err("a failing step");
    assert!(error.starts_with("open a pull request"), "{error}");
    assert_eq!(runner.branches(), "main");
    runner.anew();
    runner.run().expect("the steps");
    assert_eq!(runner.branches(), "main\nrelease-gotosocial-v0.10.0");
}

#[test]
fn without_a_new_tag_nothing_is_done() {
    let mut runner = Runner::new(&["v0.9.0", "v0.10.0-rc1"]);
    runner.run().expect("the steps");
    assert_eq!(runner.branches(), "main");
    assert_eq!(runner.log(), "");
}
