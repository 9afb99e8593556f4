//! The actions for GitHub and the release workflow: their steps in shell, run as the runner does, with scripts in the place of what publishes.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use fedispec_tests::catalogue::Scratch;
use fedispec_tests::commands::{self, Ran};
use fedispec_tests::root;
use serde_yaml::Value;
use tempfile::TempDir;

/// A runner's machine: a folder, in which `bin` is on the path.
struct Runner(TempDir);

impl Runner {
    fn new() -> Self {
        let runner = Self(tempfile::tempdir().expect("a folder"));
        fs::create_dir_all(runner.path("bin")).expect("made");
        std::os::unix::fs::symlink(commands::program(), runner.path("bin/fedispec"))
            .expect("a link");
        runner
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// A program that notes how it was called.
    fn fake(&self, name: &str) {
        let script = format!("#!/bin/sh\necho \"{name} $*\" >> \"$RUNNER_TEMP/log\"\n");
        let path = self.path("bin").join(name);
        fs::write(&path, script).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("allowed");
    }

    /// Runs the steps in shell until one fails; `given` fills in what stands for `${{ .. }}`, and sets variables.
    fn run(&self, steps: &Value, given: &[(&str, &str)]) -> Ran {
        let filled = |text: &str| {
            given.iter().fold(text.to_owned(), |text, (name, value)| {
                text.replace(&format!("${{{{ {name} }}}}"), value)
            })
        };
        let mut last = None;
        for step in steps.as_sequence().expect("steps") {
            let Some(script) = step["run"].as_str() else { continue };
            let mut bash = Command::new("bash");
            bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &filled(script)]);
            let path = std::env::var("PATH").unwrap_or_default();
            bash.current_dir(self.0.path())
                .env_remove("CARGO_MANIFEST_DIR")
                .env("PATH", format!("{}:{path}", self.path("bin").display()))
                .env("RUNNER_TEMP", self.0.path());
            for file in ["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"] {
                bash.env(file, self.path(file));
            }
            bash.envs(given.iter().filter(|(name, _)| name.starts_with("GITHUB_")).copied());
            for (name, value) in step["env"].as_mapping().into_iter().flatten() {
                let value = filled(value.as_str().expect("a text"));
                assert!(!value.contains("${{"), "{value}");
                bash.env(name.as_str().expect("a name"), value);
            }
            let ran = commands::finish(&mut bash);
            let is_over = ran.code != Some(0);
            last = Some(ran);
            if is_over {
                break;
            }
        }
        last.expect("a step in shell")
    }
}

fn yaml(path: &str) -> Value {
    let text = fs::read_to_string(root().join(path)).expect(path);
    serde_yaml::from_str(&text).expect("YAML")
}

fn steps(action: &str) -> Value {
    yaml(&format!(".github/actions/{action}/action.yml"))["runs"]["steps"].clone()
}

#[test]
fn the_action_for_changes_annotates_and_fails_as_it_is_told() {
    let runner = Runner::new();
    let scratch = Scratch::small();
    let git = |args: &[&str]| {
        let own = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let mut git = Command::new("git");
        commands::finish(git.args(own).args(args).current_dir(scratch.path())).succeeded();
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message=first"]);
    let file = scratch.spec().join("supplement/all.yaml");
    let text = fs::read_to_string(&file).expect("a file");
    let required = text.replacen("required: false", "required: true", 1);
    assert_ne!(text, required);
    fs::write(&file, required).expect("written");
    let spec = scratch.spec().display().to_string();
    let given =
        [("inputs.catalogue", spec.as_str()), ("inputs.base", "HEAD"), ("inputs.openapi", "")];
    let told = runner.run(&steps("diff"), &[&given[..], &[("inputs.fail-on", "none")]].concat());
    assert_eq!(told.code, Some(0), "{}{}", told.stdout, told.stderr);
    assert!(told.stdout.contains("all.yaml,line="), "{}", told.stdout);
    let outputs = runner.read("GITHUB_OUTPUT");
    assert!(outputs.contains("bump=major\n") && outputs.contains("page="), "{outputs}");
    assert_ne!(runner.read("GITHUB_STEP_SUMMARY"), "");
    assert!(runner.read("catalogue-diff.html").starts_with("<!DOCTYPE html>"));
    let told =
        runner.run(&steps("diff"), &[&given[..], &[("inputs.fail-on", "breaking")]].concat());
    assert_eq!(told.code, Some(1), "{}{}", told.stdout, told.stderr);
}

#[test]
fn the_action_for_changes_reads_a_servers_document() {
    let runner = Runner::new();
    let git = |args: &[&str]| {
        let own = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let mut git = Command::new("git");
        commands::finish(git.args(own).args(args).current_dir(runner.0.path())).succeeded();
    };
    let document = |release: &str| {
        let mut program = Command::new(commands::program());
        commands::finish(program.args(["openapi", "--as", release])).succeeded().stdout
    };
    let file = runner.path("server.json");
    fs::write(&file, document("gotosocial@0.17.0")).expect("written");
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["add", "server.json"]);
    git(&["commit", "--quiet", "--message=first"]);
    let given =
        [("inputs.openapi", "server.json"), ("inputs.base", "HEAD"), ("inputs.catalogue", "spec")];
    let run = |fail_on: &str| {
        runner.run(&steps("diff"), &[&given[..], &[("inputs.fail-on", fail_on)]].concat())
    };
    let told = run("any");
    assert_eq!(told.code, Some(0), "{}{}", told.stdout, told.stderr);
    // As it was before, it lacks what came since.
    fs::write(&file, document("gotosocial@0.16.0")).expect("written");
    let told = run("none");
    assert_eq!(told.code, Some(0), "{}{}", told.stdout, told.stderr);
    assert!(told.stdout.contains("::warning"), "{}", told.stdout);
    let summary = runner.read("GITHUB_STEP_SUMMARY");
    assert!(summary.contains("## Gone") && summary.contains("`tags.follow`"), "{summary}");
    assert!(runner.read("GITHUB_OUTPUT").contains("breaking="));
    assert!(runner.read("catalogue-diff.html").contains("tags.follow"));
    let told = run("breaking");
    assert_eq!(told.code, Some(1), "{}{}", told.stdout, told.stderr);
    assert!(told.stderr.contains("there is a breaking change"), "{}", told.stderr);
}

#[test]
fn the_action_for_servers_tells_whether_one_conforms() {
    let runner = Runner::new();
    let mut serve = Command::new(commands::program());
    let serve = serve.args(["serve", "--as", "mastodon@4.3.0"]).stdout(Stdio::piped());
    let mut serve = serve.spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(serve.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let started: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    let url = started["url"].as_str().expect("a URL");
    let token = started["token"].as_str().expect("a token");
    let given = [("inputs.badge", "badge.svg"), ("inputs.pause", "0")];
    let server = [("inputs.server", url), ("inputs.token", token)];
    let told = runner.run(&steps("probe"), &[&given[..], &server].concat());
    serve.kill().expect("it runs");
    serve.wait().expect("it ends");
    assert_eq!(told.code, Some(0), "{}{}", told.stdout, told.stderr);
    assert_eq!(runner.read("GITHUB_OUTPUT"), "conforms=true\n");
    assert!(runner.read("badge.svg").contains("<title>client API: as mastodon 4.3.0</title>"));
    assert!(runner.read("GITHUB_STEP_SUMMARY").contains("as expected"));
    // Now nobody answers there.
    let told = runner.run(&steps("probe"), &[&given[..], &server].concat());
    assert_eq!(told.code, Some(2), "{}{}", told.stdout, told.stderr);
    assert!(runner.read("GITHUB_OUTPUT").ends_with("conforms=false\n"));
}

#[test]
fn a_release_is_made_of_its_tag() {
    let runner = Runner::new();
    let jobs = yaml(".github/workflows/release.yml")["jobs"].clone();
    let only = |job: &str, name: &str| {
        let steps = jobs[job]["steps"].as_sequence().expect("steps").iter();
        let of_it = steps.filter(|step| step["name"].as_str() == Some(name));
        Value::Sequence(of_it.cloned().collect())
    };
    let manifest = "[workspace]\n\n[workspace.package]\nversion = \"1.2.3\"\n";
    fs::write(runner.path("Cargo.toml"), manifest).expect("written");
    let changes = "# Changelog\n\n## 1.2.3\n\n- More.\n\n## 1.2.2\n\n- Less.\n";
    fs::write(runner.path("CHANGELOG.md"), changes).expect("written");
    let check = only("check", "The tag is the version, and the changelog has it");
    for (tag, code) in [("v1.2.3", 0), ("v1.2.4", 1)] {
        let told = runner.run(&check, &[("GITHUB_REF_NAME", tag)]);
        assert_eq!(told.code, Some(code), "{}{}", told.stdout, told.stderr);
    }
    let of_target = runner.path("target/some-target/release");
    fs::create_dir_all(&of_target).expect("made");
    fs::create_dir_all(runner.path("xtask/live")).expect("made");
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "xtask/live/README.md"] {
        fs::write(runner.path(file), "text\n").expect("written");
    }
    fs::write(of_target.join("fedispec"), "a program\n").expect("written");
    let pack = only("binaries", "Pack the program");
    runner.run(&pack, &[("matrix.target", "some-target")]).succeeded();
    let list = ["-tzf", "dist/fedispec-some-target.tar.gz"];
    let listed = commands::finish(Command::new("tar").args(list).current_dir(runner.0.path()));
    assert!(listed.succeeded().stdout.contains("fedispec-some-target/fedispec\n"));
    runner.fake("docker");
    runner.fake("gh");
    let tag = [("GITHUB_REF_NAME", "v1.2.3"), ("github.token", "t")];
    let owner = [("GITHUB_REPOSITORY_OWNER", "Fedispec"), ("GITHUB_ACTOR", "a")];
    let push = only("container", "Push it");
    runner.run(&push, &[&tag[..], &owner].concat()).succeeded();
    let release = only("publish", "The release, with what the changelog says of it");
    runner.run(&release, &tag).succeeded();
    assert_eq!(runner.read("notes.md"), "\n- More.\n\n");
    assert!(runner.read("dist/SHA256SUMS").contains("fedispec-some-target.tar.gz"));
    let log = runner.read("log");
    for line in [
        "docker push ghcr.io/fedispec/fedispec-standin:1.2.3\n",
        "docker push ghcr.io/fedispec/fedispec-standin:latest\n",
        "gh release create v1.2.3 --verify-tag --title 1.2.3 --notes-file notes.md dist/fedispec-some-target.tar.gz",
    ] {
        assert!(log.contains(line), "{line}: {log}");
    }
}
