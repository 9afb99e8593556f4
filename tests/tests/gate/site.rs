//! The pages of the whole catalogue.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;
use std::sync::OnceLock;

use fedispec_tests::catalogue::{Tree, tree};
use fedispec_tests::commands;
use flate2::Compression;
use flate2::write::GzEncoder;

fn written() -> Tree {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("site");
    commands::run(["site", "--out", &out.display().to_string()]).succeeded();
    tree(&out)
}

/// The files of the site, made once.
fn files() -> &'static Tree {
    static FILES: OnceLock<Tree> = OnceLock::new();
    FILES.get_or_init(written)
}

#[test]
fn two_sites_are_equal() {
    assert!(*files() == written(), "the runs differ");
}

fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    let pages = files()
        .iter()
        .filter(|(path, _)| Path::new(path).extension().is_some_and(|kind| kind == "html"));
    pages.map(|(path, bytes)| (path.as_str(), std::str::from_utf8(bytes).expect("UTF-8")))
}

/// The values of an attribute in a page.
fn values<'t>(text: &'t str, attribute: &'t str) -> impl Iterator<Item = &'t str> {
    let parts = text.split(attribute).skip(1);
    parts.filter_map(|part| part.split('"').next())
}

#[test]
fn every_kind_of_page_has_its_address() {
    for path in [
        "index.html",
        "operations/accounts.lookup/index.html",
        "entities/Account/index.html",
        "enums/NotificationType/index.html",
        "groups/accounts/index.html",
        "releases/mastodon/4.3.0/index.html",
        "releases/gotosocial/0.19.2/index.html",
        "baseline/index.html",
        "compare/mastodon-gotosocial/index.html",
        "disputes/index.html",
        "sources/index.html",
        "data/catalogue.json.gz",
        "openapi/index.json",
        "openapi/all.json",
        "openapi/mastodon-4.2.0.json",
        "openapi/gotosocial-0.19.2-3.0.json",
        "icon.svg",
        "404.html",
        "charts/index.html",
        "charts/releases.csv",
        "charts/lag.csv",
        "upgrades/mastodon-4.2-4.6/index.html",
        "upgrades/gotosocial-0.17-0.18/index.html",
        "upgrades/pleroma-2.4-2.5/index.html",
        "features/index.html",
        "features/edit_history/index.html",
        "badges/edit_history.svg",
        "badges/statuses.history.svg",
        "badges/Preferences.posting-default-visibility.svg",
    ] {
        assert!(files().contains_key(path), "{path}");
    }
    let operation = pages().find(|(path, _)| *path == "operations/accounts.lookup/index.html");
    let (_, text) = operation.expect("a page");
    for told in [
        "/api/v1/accounts/lookup",
        "releases/mastodon/3.4.0/",
        "<title>GET /api/v1/accounts/lookup · accounts.lookup · Fedispec</title>",
        "client.send(accounts::Lookup::new(acct))",
        "async fn lookup(",
        "https://social.example/api/v1/accounts/lookup?acct=text",
        ".yaml#L",
    ] {
        assert!(text.contains(told), "{told}");
    }
}

#[test]
fn a_feature_has_a_page_a_badge_and_names_by_which_it_is_found() {
    let read = |path: &str| std::str::from_utf8(&files()[path]).expect("UTF-8");
    let page = read("features/edit_history/index.html");
    for told in [
        "<h1>Edit history</h1>",
        "Also called status history",
        "operations/statuses.history/index.html",
        "releases/mastodon/3.5.0/",
        "releases/gotosocial/0.18.0/",
        "features.yaml#L",
        "server.has(fedispec::features::EDIT_HISTORY)",
        "alt=\"edit history: since Mastodon 3.5 | GoToSocial 0.18\"",
    ] {
        assert!(page.contains(told), "{told}");
    }
    let badge = read("badges/edit_history.svg");
    assert!(badge.contains(">since Mastodon 3.5 | GoToSocial 0.18<"), "{badge}");
    // A hole and an item of one program alone.
    let page = read("features/instance_timeline/index.html");
    assert!(page.contains(" not from 2.1.0 until 2.3.0"), "{page}");
    assert!(read("badges/local_only_posts.svg").contains(">since GoToSocial 0.1<"));
    assert!(read("releases/mastodon/4.4.0/index.html").contains("features/blur_filters/"));
    let found = read("found.js");
    for (name, meant) in [
        ("edit history", r#"["edit_history","statuses.history"]"#),
        ("previous version", r#"["edit_history","statuses.history"]"#),
        ("boost", r#"["boosts","statuses.reblog","statuses.unreblog"]"#),
    ] {
        assert!(found.contains(&format!("[\"{name}\",{meant}]")), "{name}");
    }
}

#[test]
fn a_page_shows_its_items_as_the_newest_release_has_them_and_holds_all_others() {
    let (_, page) =
        pages().find(|(path, _)| *path == "entities/Status/index.html").expect("a page");
    let newest = values(page, "<td class=\"as\" data-side=\"").next().expect("a cell");
    assert!(newest.starts_with("Mastodon 4."), "{newest}");
    assert!(page.contains(&format!("<h2 id=\"as-title\">As {newest} has it</h2>")));
    let part = page.split("<dt>may be null (").nth(1).expect("fields that may be null");
    let part = part.split("<dt>").next().expect("a part");
    assert!(part.contains("#Status.poll") && !part.contains("#Status.account\""), "{part}");
    let data = page.split("id=\"stages\">").nth(1).expect("stages");
    let data = data.split("</script>").next().expect("an end");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    let programs = data["rows"][""].as_array().expect("programs").len();
    assert_eq!(programs, 7);
    for (row, stages) in data["rows"].as_object().expect("rows") {
        assert!(row.is_empty() || page.contains(&format!("<tr id=\"{row}\"")), "{row}");
        let stages = stages.as_array().expect("programs");
        let words = stages.iter().map(|runs| {
            data["words"].as_array().expect("words")
                [runs[1].to_string().parse::<usize>().expect("a place")][0]
                .is_string()
        });
        assert!(stages.len() == programs && words.into_iter().all(|is_told| is_told), "{row}");
    }
    let words = data["words"].to_string();
    assert!(words.contains("may be null") && words.contains("not there"), "{words}");
}

#[test]
fn a_report_tells_what_breaks_between_two_lines() {
    let read = |path: &str| std::str::from_utf8(&files()[path]).expect("UTF-8");
    let report = read("upgrades/mastodon-4.2-4.6/index.html");
    let breaks = report.split("<h2>Breaks (").nth(1).expect("what breaks");
    assert!(
        breaks.contains("A kind of token that was enough is refused.")
            && breaks.contains("oauth.token.password")
    );
    // Changes that cost nobody anything stand apart.
    assert!(report.contains("mastodon-4.3-4.4/index.html"));
    assert!(read("upgrades/mastodon-4.2-4.3/index.html").contains("<h2>Added ("));
    assert!(read("programs.js").contains("\"4.2-4.6\""));
}

#[test]
fn an_index_tells_since_and_summary_and_puts_aside_what_few_need() {
    let read = |path: &str| std::str::from_utf8(&files()[path]).expect("UTF-8");
    let index = read("groups/index.html");
    let fold = |of| format!("<summary>Operations {of} (");
    let (people, admin) = index.split_once(&fold("for administrators")).expect("a fold");
    let (people, alone) = people.split_once(&fold("of one program alone")).expect("a fold");
    assert!(alone.contains("operations/akkoma_") && !people.contains("operations/akkoma_"));
    assert!(people.contains("accounts.lookup") && !people.contains("operations/admin_"));
    assert!(admin.contains("operations/admin_"));
    let lookup = people.split("accounts.lookup/index.html").nth(1).expect("a row");
    let row = lookup.split("</tr>").next().expect("its end");
    assert!(row.contains("Mastodon 3.4.0") && row.contains("GoToSocial"), "{row}");
    let choice = read("compare/index.html");
    assert!(choice.contains("<optgroup label=\"Mastodon 4.2\">"));
    let release = read("releases/mastodon/4.5.15/index.html");
    assert!(release.contains("openapi/mastodon-4.5.14.json\">OpenAPI of it"), "{release}");
    // Of what is never required some, and of several ways the first.
    let call = read("operations/accounts.update_credentials/index.html");
    assert!(call.contains("avatar=@picture.png"), "{call}");
    let call = read("operations/statuses.create/index.html");
    assert!(call.contains("--json '{&quot;status&quot;:&quot;text&quot;}'"), "{call}");
}

#[test]
fn no_link_is_dead_and_none_asks_for_anything_elsewhere() {
    let ids: BTreeMap<&str, BTreeSet<&str>> =
        pages().map(|(path, text)| (path, values(text, " id=\"").collect())).collect();
    let mut wrong = BTreeSet::new();
    for (path, text) in pages() {
        let mut own = BTreeSet::new();
        for id in values(text, " id=\"") {
            if !own.insert(id) {
                wrong.insert(format!("{path} has {id} twice"));
            }
        }
        for to in values(text, " src=\"") {
            if to.contains(':') {
                wrong.insert(format!("{path} loads {to}"));
            }
        }
        // The base of the page for lost addresses is no link.
        let links = values(text, " href=\"").filter(|to| !to.starts_with("https://") && *to != "/");
        for to in links {
            let (file, anchor) = to.split_once('#').unwrap_or((to, ""));
            let mut target: Vec<&str> = path.split('/').collect();
            target.pop();
            if file.is_empty() {
                target.extend(path.rsplit('/').next());
            }
            for part in file.split('/').filter(|part| !part.is_empty()) {
                if part == ".." {
                    target.pop();
                } else {
                    target.push(part);
                }
            }
            let target = target.join("/");
            let is_there = files().contains_key(&target)
                // Scripts read what is chosen: `left=..&right=..`.
                && (anchor.is_empty()
                    || anchor.contains('=')
                    || ids.get(target.as_str()).is_some_and(|ids| ids.contains(anchor)));
            if !is_there {
                wrong.insert(format!("{path} links to {to}"));
            }
        }
    }
    let wrong: Vec<_> = wrong.into_iter().take(20).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_index_leads_to_what_is_there() {
    let text = std::str::from_utf8(&files()["items.js"]).expect("UTF-8");
    let json = text.trim_start_matches("window.fedispec.items=").trim_end_matches(";\n");
    let index: serde_json::Value = serde_json::from_str(json).expect("JSON");
    let items = index.as_array().expect("a list");
    assert!(items.len() > 3000, "{}", items.len());
    for item in items {
        let place = item[2].as_str().expect("a place");
        let (file, anchor) = place.split_once('#').unwrap_or((place, ""));
        let page = files().get(file).unwrap_or_else(|| panic!("{place}"));
        let page = std::str::from_utf8(page).expect("UTF-8");
        assert!(anchor.is_empty() || page.contains(&format!(" id=\"{anchor}\"")), "{place}");
    }
}

#[test]
fn pages_are_small() {
    // A page that is small unpacked is small packed. The index of the front page comes with the first question.
    let packed = |bytes: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory").len()
    };
    let large = pages().filter(|(_, text)| text.len() > 60_000 && packed(text.as_bytes()) > 60_000);
    assert_eq!(large.map(|(path, _)| path).collect::<Vec<_>>(), [""; 0]);
    let sum = |paths: &[&str]| -> usize { paths.iter().map(|path| packed(&files()[*path])).sum() };
    let front = sum(&["index.html", "style.css", "script.js"]);
    assert!(front < 20_000, "{front}");
    let index = sum(&["programs.js", "items.js", "found.js", "search.js"]);
    assert!(index < 125_000, "{index}");
    let is_page = |path: &str| !path.starts_with("openapi/");
    let all: usize =
        files().iter().filter(|(path, _)| is_page(path)).map(|(_, bytes)| bytes.len()).sum();
    assert!(all < 30_000_000, "{all}");
}

#[test]
fn the_index_names_a_document_for_every_release() {
    let read =
        |path: &str| -> serde_json::Value { serde_json::from_slice(&files()[path]).expect("JSON") };
    let index = read("openapi/index.json");
    let releases = index["releases"].as_array().expect("releases");
    assert!(releases.len() > 250, "{}", releases.len());
    let mut named =
        BTreeSet::from(["openapi/all.json".to_owned(), "openapi/all-3.0.json".to_owned()]);
    for release in releases {
        for (openapi, file) in release["files"].as_object().expect("files") {
            let path = format!("openapi/{}", file.as_str().expect("a name"));
            assert!(files().contains_key(&path), "{path}");
            assert_eq!(path.ends_with("-3.0.json"), openapi == "3.0", "{path}");
            named.insert(path);
        }
    }
    let written =
        files().keys().filter(|path| path.starts_with("openapi/") && *path != "openapi/index.json");
    assert_eq!(written.cloned().collect::<BTreeSet<_>>(), named);
    // A release between two others has the document of the one before, where nothing differs but their names.
    let others: Vec<_> = { releases.iter() }
        .filter_map(|release| {
            let [program, version, file] =
                [&release["program"], &release["version"], &release["files"]["3.1"]]
                    .map(|text| text.as_str().expect("a text"));
            (file != format!("{program}-{version}.json"))
                .then(|| (format!("{program}@{version}"), format!("openapi/{file}")))
        })
        .collect();
    assert!(others.len() > 50);
    for (release, path) in others.into_iter().skip(7).step_by(29) {
        let mut shared = read(&path);
        let own = commands::run(["openapi", "--as", &release]).succeeded();
        let own: serde_json::Value = serde_json::from_str(&own.stdout).expect("JSON");
        shared["info"] = own["info"].clone();
        assert!(own == shared, "{release}");
    }
    let document = read("openapi/mastodon-4.2.0.json");
    assert_eq!(document["info"]["version"], "4.2.0");
    assert_eq!(document["openapi"], "3.1.1");
    assert!(
        read("openapi/gotosocial-0.19.2-3.0.json")["openapi"]
            .as_str()
            .expect("a text")
            .starts_with("3.0")
    );
    // Documents are most of the site.
    let bytes: usize = files().values().map(Vec::len).sum();
    assert!(bytes < 58_000_000, "{bytes}");
}
