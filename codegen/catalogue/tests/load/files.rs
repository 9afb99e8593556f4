//! Mistakes in files and folders as a whole.

use std::fs;
use std::path::Path;

use fedispec_model::api::Layer;
use fedispec_reader::load::load_all;

use super::{Folder, REGISTRY, render};

const SOUND: &str = "area: A\n";

/// One problem that has no line.
fn problem(code: &str, message: &str, path: &str, help: &str) -> String {
    format!("error[{code}]: {message}\n--> {path}\n = help: {help}\n\n1 problem in 1 file\n")
}

#[test]
fn a_sound_folder_has_no_report() {
    let folder = Folder::new(&[("documents/a.yaml", SOUND)]);
    assert_eq!(folder.report(), "");
    assert!(folder.load().whole);
}

#[test]
fn no_folder() {
    let loaded = load_all(Path::new("/no/such/folder"), &[]);
    assert!(!loaded.whole);
    assert_eq!(
        render(&loaded),
        problem(
            "missing-file",
            "there is no such file or folder",
            "/no/such/folder",
            "name the folder of a catalogue: the one that holds implementations.yaml"
        )
    );
}

#[test]
fn a_file_where_the_folder_should_be() {
    let folder = Folder::empty().file("spec", "");
    let loaded = load_all(&folder.path().join("spec"), &[]);
    assert_eq!(
        render(&loaded).replace(&folder.path().display().to_string(), ".."),
        problem(
            "not-a-folder",
            "this is no folder",
            "../spec",
            "name the folder of a catalogue: the one that holds implementations.yaml"
        )
    );
}

#[test]
fn no_registry() {
    let folder = Folder::empty().file("documents/a.yaml", SOUND);
    assert_eq!(
        folder.report(),
        problem(
            "missing-file",
            "there is no such file or folder",
            "spec/implementations.yaml",
            "write it: it names the programs and the sources of facts"
        )
    );
}

#[test]
fn no_layer() {
    let folder = Folder::new(&[]);
    assert_eq!(
        folder.report(),
        problem(
            "no-layer",
            "the folder has no layer: neither `documents` nor `supplement`",
            "spec",
            "put the files of a layer into a folder `documents`"
        )
    );
    let folder = Folder::new(&[("documents/README.md", "")]);
    assert_eq!(
        folder.report(),
        problem(
            "no-layer",
            "no layer has a file",
            "spec",
            "write a file `documents/NAME.yaml` that begins with `area:`"
        )
    );
}

#[test]
fn the_documents_are_enough_and_the_supplement_is_not() {
    assert_eq!(Folder::new(&[("documents/a.yaml", SOUND)]).report(), "");
    // A layer over no layer would be wrong in every item.
    let supplement = "area: A\noperations:\n  accounts.lookup: {since: {gotosocial: never}}\n";
    let folder = Folder::new(&[("supplement/a.yaml", supplement)]);
    assert_eq!(
        opened(&folder),
        problem(
            "no-layer",
            "the layer `documents` is missing, over which `supplement` lies",
            "spec",
            "put its files back into a folder `documents`"
        )
    );
    let folder = Folder::new(&[("documents", ""), ("supplement/a.yaml", supplement)]);
    assert_eq!(
        opened(&folder),
        problem(
            "not-a-folder",
            "this is no folder",
            "spec/documents",
            "put the files of the layer into a folder of that name"
        )
    );
}

#[test]
fn a_registry_that_says_nothing() {
    let layer = r#"area: A
groups:
  accounts: {summary: Accounts.}
operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    method: unknown
    path: unknown
    auth: unknown
    returns: unknown
    success: unknown
    errors: unknown
    paging: unknown
    params:
      acct: {since: {mastodon: "1.0.0"}, older_because: It is., in: unknown, type: unknown, required: unknown, default: unknown}
"#;
    let folder = Folder::empty().file("documents/a.yaml", layer);
    assert_eq!(
        opened(&folder),
        problem(
            "missing-file",
            "there is no such file or folder",
            "spec/implementations.yaml",
            "write it: it names the programs and the sources of facts"
        )
    );
    assert_eq!(
        opened(&folder.file("implementations.yaml", "")),
        problem(
            "empty-file",
            "the file is empty",
            "spec/implementations.yaml",
            "write `programs:` and `sources:` into it: the programs, and the sources of facts"
        )
    );
}

/// The report of loading and resolving together.
fn opened(folder: &Folder) -> String {
    let failure = fedispec_reader::open(folder.path(), Layer::Full)
        .expect_err("a catalogue that is not sound");
    failure.to_string().replace(&folder.path().display().to_string(), "spec")
}

#[test]
fn a_file_where_a_layer_should_be() {
    let folder = Folder::new(&[("documents", ""), ("supplement/a.yaml", SOUND)]);
    assert_eq!(
        folder.report(),
        problem(
            "not-a-folder",
            "this is no folder",
            "spec/documents",
            "put the files of the layer into a folder of that name"
        )
    );
}

#[test]
fn an_empty_file() {
    let help = "begin it with `area:` and what it is about, or remove it";
    let folder = Folder::new(&[("documents/a.yaml", "")]);
    assert_eq!(
        folder.report(),
        problem("empty-file", "the file is empty", "spec/documents/a.yaml", help)
    );
    let folder = Folder::new(&[("documents/a.yaml", "# nothing yet\n")]);
    assert_eq!(
        folder.report(),
        "error[empty-file]: the file is empty\n --> spec/documents/a.yaml:1:1\n  |\n1 | # nothing yet\n  | ^\n  |\n  = help: begin it with `area:` and what it is about, or remove it\n\n1 problem in 1 file\n"
    );
}

#[test]
fn a_huge_file() {
    let text = format!("area: A\n{}", "# 345678\n".repeat(500_000));
    let folder = Folder::new(&[("documents/a.yaml", &text)]);
    assert_eq!(
        folder.report(),
        problem(
            "huge-file",
            "the file is larger than 4 MiB",
            "spec/documents/a.yaml",
            "cut it by area into smaller ones"
        )
    );
}

#[test]
fn a_huge_catalogue() {
    let text = format!("area: A\n{}", " ".repeat(4_000_000));
    let mut folder = Folder::new(&[]);
    for number in 10..27 {
        folder = folder.file(&format!("documents/{number}.yaml"), &text);
    }
    assert_eq!(
        folder.report(),
        problem(
            "huge-catalogue",
            "the files are together larger than 64 MiB",
            "spec/documents/26.yaml",
            "remove what is not part of the catalogue"
        )
    );
}

#[test]
fn not_utf8() {
    let folder = Folder::new(&[]).file("documents/a.yaml", b"area: \"\xc3\xa5\xff\"\nfoo: 1\n");
    assert_eq!(
        folder.report(),
        r#"error[not-utf8]: the file is not UTF-8
 --> spec/documents/a.yaml:1:9
  |
1 | area: "å�"
  |         ^
  |
  = help: save it as UTF-8

1 problem in 1 file
"#
    );
}

#[test]
fn a_byte_order_mark() {
    let folder = Folder::new(&[("documents/a.yaml", "\u{feff}area: A\n")]);
    assert_eq!(
        folder.report(),
        r"error[byte-order-mark]: the file begins with a byte order mark
 --> spec/documents/a.yaml:1:1
  |
1 | area: A
  | ^
  |
  = help: save it as UTF-8 without the mark

1 problem in 1 file
"
    );
}

#[test]
fn other_names() {
    let folder = Folder::new(&[
        ("documents/a.yaml", SOUND),
        ("documents/README.md", ""),
        ("documents/.a.yaml", "["),
        ("documents/a.yaml.orig", "["),
        ("documents/b.yml", SOUND),
        ("documents/c.YAML", SOUND),
        ("documents/more/d.yaml", SOUND),
        ("e.yaml", SOUND),
        ("Cargo.toml", ""),
    ]);
    assert_eq!(
        folder.report(),
        "error[file-name]: nobody reads a file here
--> spec/e.yaml
 = help: move it into `documents` or `supplement`

error[file-name]: only files that end in `.yaml` are read
--> spec/documents/b.yml
 = help: rename it so that it ends in `.yaml`

error[file-name]: only files that end in `.yaml` are read
--> spec/documents/c.YAML
 = help: rename it so that it ends in `.yaml`

error[nested-folder]: folders inside a layer are not read
--> spec/documents/more
 = help: move its files one folder up

4 problems in 4 files
"
    );
}

#[test]
fn files_are_read_in_the_order_of_their_bytes() {
    let names = [
        "documents/b.yaml",
        "documents/B.yaml",
        "documents/a.yaml",
        "documents/å.yaml",
        "documents/a-b.yaml",
    ];
    let folder = names.iter().fold(Folder::new(&[]), |folder, name| folder.file(name, SOUND));
    let catalogue = folder.load().catalogue;
    let read: Vec<_> =
        catalogue.layers[0].files.iter().map(|file| catalogue.sources.path(file.file)).collect();
    let expected = [
        "documents/B.yaml",
        "documents/a-b.yaml",
        "documents/a.yaml",
        "documents/b.yaml",
        "documents/å.yaml",
    ];
    assert_eq!(read, expected);
}

#[test]
fn a_registry_with_problems() {
    let registry = r#"programs:
  mastodon:
    name: Mastodon
    nodeinfo: []
    releases:
      "4.3.0": {date: "2024-10-08", api: x}
      4.4.0: {}
      4.5: {}
      "4.6": {}
sources:
  doc: {class: E, title: x}
"#;
    let folder =
        Folder::empty().file("implementations.yaml", registry).file("documents/a.yaml", SOUND);
    assert_eq!(
        folder.report(),
        r#"error[wrong-type]: `api` is text, not a whole number
 --> spec/implementations.yaml:6:42
  |
6 |       "4.3.0": {date: "2024-10-08", api: x}
  |                                          ^
  |
  = help: write digits without quotes

error[unquoted-version]: the version 4.4.0 is not quoted
 --> spec/implementations.yaml:7:7
  |
7 |       4.4.0: {}
  |       ^^^^^
  |
  = help: write "4.4.0"

error[unquoted-version]: the version 4.5 is not quoted
 --> spec/implementations.yaml:8:7
  |
8 |       4.5: {}
  |       ^^^
  |
  = help: write "4.5.0"

error[malformed-version]: `4.6` is not a version
 --> spec/implementations.yaml:9:7
  |
9 |       "4.6": {}
  |       ^^^^^
  |
  = help: write "4.6.0"

error[unknown-value]: unknown value `E` of `class`
  --> spec/implementations.yaml:11:16
   |
11 |   doc: {class: E, title: x}
   |                ^
   |
   = help: write one of `A`, `B`, `C`, `D`

5 problems in 1 file
"#
    );
}

#[test]
fn one_line_a_problem() {
    let folder =
        Folder::new(&[("documents/a.yaml", "area: A\nfoo: 4.3.0\n"), ("documents/b.yml", "")]);
    let loaded = folder.load();
    let mut lines: Vec<_> =
        loaded.diagnostics.iter().map(|one| one.short(&loaded.catalogue.sources)).collect();
    lines.sort();
    let spec = folder.path().display();
    assert_eq!(
        lines[0],
        format!(
            "{spec}/documents/a.yaml:2:1: unknown key `foo` (known here are `area`, `defaults`, `groups`, `objects`, `has`, `operations`, `entities`, `enums`, `disputes`, `tombstones`)"
        )
    );
    assert_eq!(
        lines[1],
        format!("{spec}/documents/a.yaml:2:6: the version 4.3.0 is not quoted (write \"4.3.0\")")
    );
    assert_eq!(
        lines[2],
        format!(
            "{spec}/documents/b.yml: only files that end in `.yaml` are read (rename it so that it ends in `.yaml`)"
        )
    );
}

#[test]
fn colour_only_when_asked() {
    let loaded = Folder::new(&[("documents/a.yaml", "area: 1\n")]).load();
    let report = fedispec_reader::diagnostic::Report::new(loaded.diagnostics);
    assert!(!report.render(&loaded.catalogue.sources, false).contains('\u{1b}'));
    assert!(report.render(&loaded.catalogue.sources, true).contains("\u{1b}["));
}

#[test]
fn nothing_is_written() {
    let folder = Folder::new(&[("documents/a.yaml", "foo")]);
    let list = || {
        let mut names: Vec<_> = fs::read_dir(folder.path())
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        names.sort();
        (names, fs::read_to_string(folder.path().join("documents/a.yaml")).expect("a file"))
    };
    let before = list();
    folder.load();
    assert_eq!(list(), before);
    assert_eq!(
        fs::read_to_string(folder.path().join("implementations.yaml")).expect("a file"),
        REGISTRY
    );
}

#[cfg(unix)]
mod unix {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn links_may_not_leave_the_folder() {
        let elsewhere = Folder::empty().file("secret.yaml", "area: secret\n");
        let folder = Folder::new(&[("documents/a.yaml", SOUND)]);
        let link = |target: &Path, name: &str| {
            symlink(target, folder.path().join("documents").join(name)).expect("a link");
        };
        link(&elsewhere.path().join("secret.yaml"), "b.yaml");
        link(Path::new("nothing"), "c.yaml");
        link(Path::new("a.yaml"), "d.yaml");
        symlink(elsewhere.path(), folder.path().join("supplement")).expect("a link");
        assert_eq!(
            folder.report(),
            "error[link]: the link leaves the folder
--> spec/documents/b.yaml
 = help: put the file itself here, or give its folder as an overlay

error[link]: the link leads to nothing
--> spec/documents/c.yaml
 = help: mend or remove the link

error[link]: the link leaves the folder
--> spec/supplement
 = help: put the file itself here, or give its folder as an overlay

3 problems in 3 files
"
        );
        assert_eq!(folder.load().catalogue.layers[0].files.len(), 2);
    }

    #[test]
    fn the_folder_itself_may_be_a_link() {
        let folder = Folder::new(&[("documents/a.yaml", SOUND)]);
        let other = Folder::empty();
        let link = other.path().join("spec");
        symlink(folder.path(), &link).expect("a link");
        assert!(load_all(&link, &[]).diagnostics.is_empty());
    }

    #[test]
    fn what_is_no_file_is_not_opened() {
        let folder = Folder::new(&[("documents/a.yaml", SOUND)]);
        let _socket = UnixListener::bind(folder.path().join("documents/b.yaml")).expect("a socket");
        assert_eq!(
            folder.report(),
            problem(
                "not-a-file",
                "this is no file",
                "spec/documents/b.yaml",
                "remove it, or rename it"
            )
        );
    }

    #[test]
    fn what_may_not_be_read() {
        let folder = Folder::new(&[
            ("documents/a.yaml", SOUND),
            ("documents/b.yaml", SOUND),
            ("supplement/c.yaml", SOUND),
        ]);
        let forbid = |path: &str| {
            fs::set_permissions(folder.path().join(path), fs::Permissions::from_mode(0o000))
                .expect("permissions");
        };
        forbid("documents/b.yaml");
        forbid("supplement");
        let report = folder.report();
        let allow = fs::Permissions::from_mode(0o700);
        fs::set_permissions(folder.path().join("supplement"), allow).expect("permissions");
        // The administrator reads everything.
        if fs::read(folder.path().join("documents/b.yaml")).is_ok() {
            assert_eq!(report, "");
            return;
        }
        assert_eq!(
            report,
            "error[unreadable]: it cannot be read: permission denied
--> spec/documents/b.yaml
 = help: let your user read it

error[unreadable]: it cannot be read: permission denied
--> spec/supplement
 = help: let your user read it

2 problems in 2 files
"
        );
    }

    #[test]
    fn a_name_that_is_not_utf8() {
        let folder = Folder::new(&[("documents/a.yaml", SOUND)]);
        let name = std::ffi::OsStr::from_bytes(b"\x1b[31m\xff.yaml");
        if fs::write(folder.path().join("documents").join(name), SOUND).is_err() {
            return; // Not every file system takes such a name.
        }
        assert_eq!(
            folder.report(),
            problem(
                "file-name",
                "the name of the file is not UTF-8",
                "spec/documents/\u{fffd}[31m\u{fffd}.yaml",
                "rename it"
            )
        );
    }
}
