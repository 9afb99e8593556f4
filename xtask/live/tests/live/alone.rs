//! The program as a stranger installs it: without a checkout of the project.

use std::process::{Command, Stdio};

use fedispec_tests::commands::{self, Ran};

/// Runs the program in a folder where nothing is.
fn run(args: &[&str]) -> Ran {
    let nowhere = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(commands::program());
    command.current_dir(nowhere.path()).env_remove("CARGO_MANIFEST_DIR").args(args);
    commands::finish(&mut command)
}

#[test]
fn the_catalogue_that_is_built_in_answers() {
    let shown = run(&["show", "accounts.lookup.acct"]).succeeded().stdout;
    assert!(shown.contains(" spec/supplement/accounts.yaml:"), "{shown}");
    let notes = run(&["diff", "--program", "mastodon", "4.2.0..4.3.0"]).succeeded().stdout;
    assert!(notes.contains("timelines.public  scopes: read:statuses"), "{notes:.400}");
    let parity = run(&["diff", "mastodon@4.3.0", "gotosocial@0.19.2"]).succeeded().stdout;
    assert!(parity.contains("only in GoToSocial 0.19.2"), "{parity:.400}");
    let document = run(&["openapi", "--as", "gotosocial@0.19.2"]).succeeded().stdout;
    assert!(document.contains("/api/v1/accounts/lookup"), "{document:.400}");
    assert!(run(&["show", "--help"]).stdout.contains("\n  fedispec show accounts.lookup "));
}

#[test]
fn what_needs_a_checkout_says_so() {
    let revisions = run(&["diff", "v0.1.0"]);
    assert_eq!(revisions.code, Some(2));
    assert!(revisions.stderr.contains("not a checkout"), "{}", revisions.stderr);
    let other = run(&["identify", "4.3.0", "--spec", "spec"]);
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("built with"), "{}", other.stderr);
}

#[test]
fn an_address_is_no_version_string() {
    let told = run(&["identify", "https://social.example"]).succeeded();
    assert!(told.stderr.contains("`probe URL` asks a server"), "{}", told.stderr);
    assert_eq!(run(&["identify", "4.3.0"]).succeeded().stderr, "");
}

#[test]
fn shells_and_man_read_what_describes_it() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&["completions", shell]).succeeded().stdout;
        assert!(script.contains("verify") && script.contains("fedispec"), "{script:.400}");
        if shell == "bash" {
            let asked = format!(
                "{script}\nCOMP_WORDS=(fedispec sho) COMP_CWORD=1\n_fedispec fedispec sho fedispec\necho \"${{COMPREPLY[*]}}\""
            );
            let mut bash = Command::new("bash");
            let told = commands::finish(bash.args(["-c", &asked]).stdin(Stdio::null()));
            assert_eq!(told.succeeded().stdout.trim(), "show");
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    run(&["man", &folder.path().display().to_string()]).succeeded();
    let page = std::fs::read_to_string(folder.path().join("fedispec-has.1")).expect("a page");
    assert!(page.contains(".TH fedispec-has 1") && page.contains("edit history"), "{page}");
    assert!(folder.path().join("fedispec.1").is_file());
}

#[test]
fn a_mistyped_command_is_told_from_a_missing_one() {
    let told = run(&["hsa", "4.3.0", "edit history"]);
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.contains("'has'"), "{}", told.stderr);
}
