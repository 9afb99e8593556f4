//! The packages of `fedispec data`: Rust, JavaScript and Python give the same verdicts and read version strings alike.

use std::path::Path;
use std::process::Command;
use std::{fmt::Write as _, fs};

use fedispec::runtime::Identity;
use fedispec::runtime::compatibility::RemoteServer;
use fedispec_since::{Verdict, composed};
use fedispec_tests::commands::{self, finish};
use fedispec_tests::{node, python, root, shared, times};
use serde_json::{Value, json};

/// Writes a folder of data and gives its path.
fn written(folder: &Path, format: &str) -> String {
    let out = folder.join(format).display().to_string();
    commands::run(["data", "--format", format, "--out", &out]).succeeded();
    out
}

fn vectors(folder: &str) -> Vec<Value> {
    let text = fs::read_to_string(Path::new(folder).join("vectors.json")).expect("readable");
    let told: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(told["schema"], "fedispec-vectors/1");
    told["vectors"].as_array().expect("vectors").clone()
}

fn known(version: &str, software: Option<&str>) -> RemoteServer {
    let mut server = RemoteServer::default();
    server.identity = Identity::read(version, software);
    server
}

#[test]
fn rust_gives_the_verdicts_of_the_vectors() {
    let folder = tempfile::tempdir().expect("a folder");
    let vectors = vectors(&written(folder.path(), "json"));
    let api = fedispec_tests::catalogue::whole();
    let items = fedispec::items();
    let mut counts = std::collections::BTreeMap::new();
    for vector in &vectors {
        let text = |key: &str| vector[key].as_str();
        let (version, item) = (text("version").expect("a text"), text("item").expect("a text"));
        let server = known(version, text("software"));
        let of = |id: &String| server.supports(items, id).verdict;
        let found = match api.features.iter().find(|feature| feature.id == item) {
            Some(feature) => {
                let [all, one_of] = [&feature.all, &feature.one_of].map(|ids| ids.iter().map(of));
                composed(all, one_of, Ord::cmp).expect("an item")
            }
            None => server.supports(items, item).verdict,
        };
        let found = match found {
            Verdict::Yes => "yes",
            Verdict::Stub => "stub",
            Verdict::Unknown => "unknown",
            Verdict::No => "no",
        };
        assert_eq!(text("verdict"), Some(found), "{vector}");
        *counts.entry(found).or_insert(0) += 1;
    }
    // Every verdict is asked for, and often.
    assert!(counts["yes"] > 100 && counts["no"] > 100 && counts["unknown"] > 100, "{counts:?}");
    assert!(counts["stub"] > 5, "{counts:?}");
}

/// Version strings of all shapes: those of the vectors, real ones, and what their parts make together.
fn strings(folder: &str) -> Vec<(String, Option<String>)> {
    let own = vectors(folder).into_iter().map(|vector| {
        let text = |key: &str| vector[key].as_str().map(str::to_owned);
        (text("version").expect("a text"), text("software"))
    });
    let mut strings: Vec<_> = own.collect();
    strings.dedup();
    let real = fs::read_to_string(shared().join("corpus/version-strings.yaml")).unwrap_or_default();
    let real = real.lines().filter_map(|line| line.strip_prefix("- string: "));
    strings.extend(real.map(|text| (text.trim_matches(['"', '\'']).to_owned(), None)));
    // Languages differ in the characters that they take for white space and letters, and in the case of letters.
    for odd in [
        "\u{85}", "\u{a0}", "\u{feff}", "\u{1c}", "\u{212a}", "\u{3000}", "é", "ß", "İ", "Ⅷ", "٣",
        "😀", "\0",
    ] {
        for text in [
            "ONE4.3.0",
            "4.3.0ONE",
            "4.3.0rcONE",
            "4.3.0 ONE31935ee",
            "4.3.0+glitchONE",
            "1.0 (compatible; XONE 2.0)",
            "tONE/4.3.0",
            "3.5.3+0.19.2ONE+git-1",
        ] {
            strings.push((text.replace("ONE", odd), None));
            strings.push((text.replace("ONE", odd), Some(format!("{odd}Mastodon{odd}"))));
        }
    }
    let starts =
        ["", "v", "V4", "mastodon/", "takahe/", "Two Words ", "3.5.3+", "1.0.5+", "git-", "-"];
    let numbers = ["0.19.2", "4.3", "2024.12", "4", "4.3.0.1", "99.1.2", "4294967296.1.0", "1.0.0"];
    let pres = [
        "",
        "-rc1",
        "rc2",
        ".beta.3",
        "-beta-security",
        "-alpha.2025-02-07",
        "-dev-1234",
        "-nightly.2024-09-12",
        "-devout",
        "-pre",
        "-develop.6ef0cbd",
        "-RC.1",
        "--rc1",
        "-snapshot-77",
    ];
    let ends = [
        "",
        "+glitch",
        "+hometown-1.1.1",
        "-hometown.2",
        "+cafe.41a1757",
        " git-f9e5ec9",
        "+git-90851fc",
        " 31935ee",
        "-0-g8b1a9b8",
        "_2",
        "~deb12",
        "-1571",
        "+nightly",
        " (compatible; Pleroma 2.7.0-70-g36d469cf)",
        " (Compatible: Mastodon/4.2.0-rc1)",
        " (compatible; GoToSocial 0.18.1; x)",
        " (compatible)",
    ];
    let mut made = Vec::new();
    for start in starts {
        for number in numbers {
            for pre in pres {
                made.extend(ends.map(|end| (format!("{start}{number}{pre}{end}"), None)));
            }
        }
    }
    // Every third one still has each two parts beside each other.
    strings.extend(made.into_iter().step_by(if times() == 1 { 3 } else { 1 }));
    let names = [
        "mastodon",
        " GoToSocial ",
        "Glitch",
        "hometown",
        "friendica",
        "pixelfed",
        "kmyblue",
        "x-mastodon-x",
        "",
    ];
    let few: Vec<String> = strings.iter().step_by(17).map(|(text, _)| text.clone()).collect();
    for (place, text) in few.into_iter().enumerate() {
        strings.push((text, Some(names[place % names.len()].to_owned())));
    }
    strings
}

/// Holds what a script says of the vectors and of strings against the library.
fn agrees(told: &str, strings: &[(String, Option<String>)]) {
    let mut lines = told.lines();
    let figures: Value = serde_json::from_str(lines.next().expect("figures")).expect("JSON");
    assert!(figures["vectors"].as_u64() > Some(500) && figures["wrong"] == 0, "{figures}");
    let mut wrong = Vec::new();
    for ((version, software), line) in strings.iter().zip(lines.by_ref()) {
        let found: Value = serde_json::from_str(line).expect("JSON");
        let expected = json!(Identity::read(version, software.as_deref()));
        if found != expected {
            wrong.push(format!("{version:?} {software:?}: {found}, not {expected}"));
        }
    }
    assert_eq!(lines.next(), None);
    assert!(
        wrong.is_empty(),
        "{} of {}: {:#?}",
        wrong.len(),
        strings.len(),
        &wrong[..wrong.len().min(20)]
    );
    let least = if times() == 1 { 5_000 } else { 15_000 };
    assert!(strings.len() > least, "{}", strings.len());
}

fn asked(strings: &[(String, Option<String>)]) -> String {
    let mut text = String::new();
    for (version, software) in strings {
        let _ = writeln!(text, "{}", json!([version, software]));
    }
    text
}

#[test]
fn python_agrees() {
    let Some(python) = python::python("python_agrees") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let package = written(folder.path(), "python");
    let strings = strings(&package);
    let script = root().join("tests/python/vectors.py");
    let told = python::run(python, &script, &[&package], &asked(&strings)).succeeded();
    agrees(&told.stdout, &strings);
    // A file of another form is refused with a sentence.
    let file = Path::new(&package).join("vectors.json");
    let text = fs::read_to_string(&file).expect("readable");
    fs::write(&file, text.replace("vectors/1", "vectors/9")).expect("writable");
    let told = python::run(python, &script, &[&package], "");
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.contains("is of the form fedispec-vectors/9"), "{}", told.stderr);
}

#[test]
fn javascript_agrees_and_its_features_are_small() {
    let Some(packages) = node::packages("javascript_agrees_and_its_features_are_small") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let package = written(folder.path(), "npm");
    let strings = strings(&package);
    let input = folder.path().join("strings");
    fs::write(&input, asked(&strings)).expect("writable");
    let mut node = Command::new("node");
    node.arg(root().join("tests/node/vectors.mjs")).arg(&package);
    let told = finish(node.stdin(fs::File::open(&input).expect("readable"))).succeeded();
    agrees(&told.stdout, &strings);

    // A bundler keeps what is used, and the types fit.
    let used = "import { has, identify, type Verdict } from \"./npm/index.js\";\n\
                const told: Verdict = has(identify(\"4.3.0\"), \"edit history\");\n\
                if (told !== \"yes\") throw new Error(told);\n";
    fs::write(folder.path().join("used.ts"), used).expect("writable");
    let program = |name: &str| {
        let mut program = Command::new(packages.join("node_modules/.bin").join(name));
        program.current_dir(folder.path());
        program
    };
    let types = ["--strict", "--noEmit", "--module", "nodenext", "used.ts"];
    finish(program("tsc").args(types)).succeeded();
    let bundle = ["used.ts", "--bundle", "--minify", "--format=esm", "--outfile=used.mjs"];
    finish(program("esbuild").args(bundle).arg("--log-level=error")).succeeded();
    finish(Command::new("node").arg(folder.path().join("used.mjs"))).succeeded();
    let text = fs::read_to_string(folder.path().join("used.mjs")).expect("readable");
    assert!(!text.contains("Account.avatar_static"), "the table of all items is in the bundle");
    let gzip = "process.stdout.write(String(require('zlib').gzipSync(require('fs').readFileSync('used.mjs')).length))";
    let size =
        finish(Command::new("node").current_dir(folder.path()).args(["-e", gzip])).succeeded();
    let size: usize = size.stdout.parse().expect("a number");
    println!("{size} bytes");
    assert!(size < 30_000, "{size} bytes");
}

#[test]
fn a_folder_with_anything_else_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = written(folder.path(), "csv");
    // A second run, also of another format, replaces the first one's files.
    let again = commands::run(["data", "--format", "json", "--out", &out]).succeeded();
    assert!(again.stdout.starts_with("wrote"), "{}", again.stdout);
    assert!(!Path::new(&out).join("items.csv").exists());
    fs::write(Path::new(&out).join("mine.txt"), "mine").expect("writable");
    let refused = commands::run(["data", "--format", "csv", "--out", &out]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("mine.txt"), "{}", refused.stderr);
    assert!(Path::new(&out).join("data.json").exists());
}

#[test]
fn the_tables_say_what_the_vectors_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = written(folder.path(), "csv");
    let read = |name: &str| fs::read_to_string(Path::new(&out).join(name)).expect("readable");
    let items = read("items.csv");
    let rows: Vec<Vec<&str>> = items.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows.len() > 5_000 && rows.iter().all(|row| row.len() == rows[0].len()));
    let of = |item: &str, program: &str| -> Vec<String> {
        let rows = rows.iter().filter(|row| row[0] == item && row[2] == program);
        rows.map(|row| format!("{} {}..{}", row[3], row[4], row[6])).collect()
    };
    let lookup = of("accounts.lookup", "mastodon");
    assert!(
        lookup[0].starts_with("no 0.1.0..3.3.") && lookup[1].starts_with("yes 3.4.0.."),
        "{lookup:?}"
    );
    assert!(read("CITATION.cff").starts_with("cff-version: 1.2.0\n"));
    let json: Value = serde_json::from_str(
        &fs::read_to_string(Path::new(&written(folder.path(), "json")).join("data.json"))
            .expect("readable"),
    )
    .expect("JSON");
    assert_eq!(json["items"]["accounts.lookup"]["programs"]["mastodon"][1][0], "3.4.0");
}
