//! Files for programs: the index that the scripts search, everything as JSON, OpenAPI, the feed and the sitemap.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;

use fedispec_diff::releases::Releases;
use fedispec_model::api::{Auth, EntityRole, Item, Life, Program, Since, plain_name};
use fedispec_model::rows::{RowSubject, rows};
use fedispec_since::{Kind, StableVersion};
use flate2::Compression;
use flate2::write::GzEncoder;
use maud::html;
use serde_json::{Value, json};

use crate::File;
use crate::features;
use crate::openapi::{Documents, OLD, path};
use crate::page::{Page, Site, link, newest_of_lines};
use crate::release::{Done, counts};
use crate::turns::index;
use crate::upgrade;

pub(crate) fn files(
    site: &Site<'_>,
    documents: &Documents,
    files: &mut Vec<File>,
) -> Result<(), String> {
    let (items, about) = index_of(site);
    files.push(("programs.js".to_owned(), programs(site).into_bytes()));
    files.push(("items.js".to_owned(), items.into_bytes()));
    files.push(("found.js".to_owned(), found(site, &about).into_bytes()));
    let export =
        fedispec_report::export::export(site.api, "spec").map_err(|error| error.to_string())?;
    files.push(("data/catalogue.json.gz".to_owned(), packed(export.as_bytes())?));
    let releases: Vec<_> =
        site.api.programs.iter().map(|program| (program, newest_of_lines(program))).collect();
    page(site, &releases, documents, files);
    if let Some(base) = &site.options.base {
        files.push(sitemap(base, files));
        let robots = format!(
            "User-agent: *\nAllow: /\nSitemap: {}/sitemap.xml\n",
            base.trim_end_matches('/')
        );
        files.push(("robots.txt".to_owned(), robots.into_bytes()));
    }
    Ok(())
}

/// The text compressed with gzip, without a date, so that the same text makes the same bytes.
fn packed(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).map_err(|error| error.to_string())?;
    encoder.finish().map_err(|error| error.to_string())
}

/// Everyday names of things, with the words of the catalogue for them.
const WORDS: &str = include_str!("words.txt");

/// The index as a script, since a page in a folder may not fetch anything: kind, id, place, other names, and the life in each program as
/// places among its releases. Besides, the words of each item by which it is found too.
fn index_of(site: &Site<'_>) -> (String, Vec<String>) {
    let (mut list, mut abouts): (Vec<Value>, Vec<String>) = (Vec::new(), Vec::new());
    let mut add = |kind: &str, item: &Item, place: &str, names: &[String], about: String| {
        let (place, names) = (link("", place), names.join(" "));
        list.push(json!([kind, item.id, place, names, lives(site, item)]));
        abouts.push(about);
    };
    let others = |item: &Item| -> Vec<String> {
        item.documented_as.iter().chain(&item.renamed_from).cloned().collect()
    };
    for row in rows(site.api).iter().filter(|row| !row.inherited()) {
        let item = row.item;
        let Some(place) = site.places.get(&item.id) else {
            continue;
        };
        let mut names = others(item);
        let mut about = item.summary.clone().unwrap_or_default();
        if let RowSubject::Operation(operation) = row.subject {
            names.extend(
                operation.route.as_ref().map(|route| format!("{} {}", route.method, route.path)),
            );
            let programs = 0..site.api.programs.len();
            let auths = programs.filter_map(|program| operation.auth.as_ref()?.of(program));
            let errors = operation.errors.iter().flat_map(|error| {
                let texts = error.text.iter().flatten().map(|own| own.text.clone());
                texts.chain([error.status.to_string()])
            });
            let scopes = auths.flat_map(Auth::scope_names).map(str::to_owned);
            for word in scopes.chain(errors).collect::<BTreeSet<_>>() {
                about.push(' ');
                about.push_str(&word);
            }
        } else if !item.id.ends_with(&item.wire) {
            names.push(item.wire.clone());
        }
        add(kind(row.kind()), item, place, &names, about);
    }
    for entity in site.api.entities.iter().filter(|one| one.role == EntityRole::Named) {
        let item = &entity.item;
        let about = item.summary.clone().unwrap_or_default();
        add("entity", item, &format!("entities/{}/", item.id), &others(item), about);
    }
    (format!("window.fedispec.items={};\n", Value::Array(list)), abouts)
}

/// The programs with their releases, which every other script reads.
fn programs(site: &Site<'_>) -> String {
    let programs = site.api.programs.iter().enumerate().map(|(place, program)| {
        let releases: Vec<String> =
            program.releases.iter().map(|release| release.version.to_string()).collect();
        let newest = program.newest_looked_at().map(|version| index(program, version));
        json!({"key": program.key, "name": program.name, "releases": releases, "looked_at": newest, "upgrades": upgrades(site, place)})
    });
    format!("window.fedispec={{\"programs\":{}}};\n", Value::Array(programs.collect()))
}

/// The lines between which there is a report: `4.2-4.6`.
fn upgrades(site: &Site<'_>, place: usize) -> Vec<String> {
    let pairs = upgrade::pairs(site, place).into_iter();
    pairs.map(|(from, to)| format!("{}-{}", upgrade::line(from), upgrade::line(to))).collect()
}

/// The data of the search alone: summaries of items, other pages, and the words that people use.
fn found(site: &Site<'_>, about: &[String]) -> String {
    let found = json!({"about": about, "pages": pages(site), "words": words(site)});
    format!("Object.assign(window.fedispec,{found});\n")
}

/// Features, releases and groups, which are found as items are.
fn pages(site: &Site<'_>) -> Value {
    let releases = site.api.programs.iter().flat_map(|program| {
        program.releases.iter().map(move |release| {
            let (key, version) = (&program.key, release.version);
            let place = link("", &format!("releases/{key}/{version}/"));
            json!([
                "release",
                format!("{} {version}", program.name),
                place,
                format!("{key}@{version} v{version}")
            ])
        })
    });
    let groups = site.api.groups.iter().map(|group| {
        let place = link("", &format!("groups/{}/", group.id));
        json!(["group", group.id, place, "", null, group.summary])
    });
    let features = site.api.features.iter().map(|feature| {
        let place = link("", &features::place(&feature.id));
        json!(["feature", feature.id, place, feature.synonyms.join(", "), null, feature.summary])
    });
    Value::Array(features.chain(releases).chain(groups).collect())
}

/// The words of the list, and the names of features, which stand for the features and for their items. The longest first, so that a
/// part of one does not stand for it.
fn words(site: &Site<'_>) -> Value {
    let names = site.api.features.iter().flat_map(|feature| {
        let meant = std::iter::once(feature.id.as_str()).chain(feature.items());
        let meant: Vec<String> = meant.map(str::to_lowercase).collect();
        let names = std::iter::once(&feature.id).chain(&feature.synonyms);
        names.map(move |name| (singular(&plain_name(name)), meant.clone()))
    });
    let lines = WORDS.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.filter_map(|line| line.split_once(": ")).map(|(called, meant)| {
        (called.to_owned(), meant.split(", ").map(str::to_lowercase).collect())
    });
    let mut words: Vec<(String, Vec<String>)> = lines.chain(names).collect();
    words.sort_by(|(a, _), (b, _)| (Reverse(a.len()), a).cmp(&(Reverse(b.len()), b)));
    words.dedup_by(|(a, _), (b, _)| a == b);
    json!(words)
}

/// A name without the `s` of a plural: the search takes one with it too.
fn singular(name: &str) -> String {
    let is_plural = name.len() > 3 && name.ends_with('s') && !name.ends_with("ss");
    name.strip_suffix('s').filter(|_| is_plural).unwrap_or(name).to_owned()
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Response => "field",
        other => other.name(),
    }
}

/// The life in each program.
fn lives(site: &Site<'_>, item: &Item) -> Vec<Value> {
    let effective = site.reach.effective(item).into_iter();
    let programs = site.api.programs.iter().zip(&item.life).zip(effective);
    programs.map(|((program, life), since)| life_of(program, life, since)).collect()
}

/// `-1` never, `null` unknown, the first release, or that with the releases that lack it later.
fn life_of(program: &Program, life: &Life, since: Since) -> Value {
    let Since::Since(since) = since else {
        return if since == Since::Never { json!(-1) } else { Value::Null };
    };
    let since = index(program, since);
    let end = program.releases.len();
    let removed = life.removed.map(|version| [index(program, version), end]);
    let holes =
        life.absent.iter().map(|&(from, until)| [index(program, from), index(program, until)]);
    let gone: Vec<[usize; 2]> = holes.chain(removed).collect();
    if gone.is_empty() { json!(since) } else { json!([since, gone]) }
}

fn page(
    site: &Site<'_>,
    releases: &[(&Program, Vec<StableVersion>)],
    documents: &Documents,
    files: &mut Vec<File>,
) {
    let here = "data/";
    let kibibytes = |path: &str| {
        let file = files.iter().find(|(known, _)| known == path);
        file.map_or(0, |(_, bytes)| bytes.len().div_ceil(1024))
    };
    let is_there = |path: &str| files.iter().any(|(known, _)| known == path);
    let file = |path: &str, name: &str| html! { a href=(link(here, path)) { (name) } " " small { (kibibytes(path)) " KiB" } };
    let main = html! {
        ul {
            li { (file("data/catalogue.json.gz", "Everything as flat JSON")) ", one line an item, in the form fedispec-export/1, compressed with gzip" }
            li { (file("openapi/all.json", "OpenAPI 3.1 of all releases")) " and " (file("openapi/all-3.0.json", "OpenAPI 3.0")) ", with x-since on each item" }
            li { (file("openapi/index.json", "The index of OpenAPI documents")) ", with the file that describes each release" }
            @if site.options.base.is_some() { li { a href=(link(here, "feed.xml")) { "A feed" } " of what releases changed" } }
        }
        h2 { "OpenAPI of the newest release of each minor version" }
        @for (program, versions) in releases {
            h3 { (program.name) }
            ul.columns {
                @for version in versions.iter().rev() {
                    @let old = path(program, *version, OLD);
                    @if let Some(new) = documents.get(&(program.key.clone(), *version)) {
                        li {
                            (file(new, &version.to_string()))
                            @if is_there(&old) { ", " (file(&old, "as 3.0")) }
                        }
                    }
                }
            }
        }
        p { "YAML, and documents of some groups alone: " code { "cargo xtask openapi --as PROGRAM@VERSION" } "." }
    };
    let page =
        Page::new(here, "Data", "The whole catalogue as JSON, and OpenAPI of each minor release.");
    site.write(&page, &main, files);
}

/// The greatest number of entries of the feed.
const ENTRIES: usize = 50;

/// The feed of the releases that changed something, the newest first. Its links are read far from the site, and need the site's address.
pub(crate) fn feed(base: &str, done: &[Done<'_>], files: &mut Vec<File>) {
    let mut entries: Vec<(&str, &Program, &Releases)> = { done.iter() }
        .flat_map(|(program, done)| done.values().map(move |one| (*program, one)))
        .filter(|(_, one)| !one.events.is_empty())
        .filter_map(|(program, one)| Some((one.to.date.as_deref()?, program, one)))
        .collect();
    entries.sort_by(|a, b| (b.0, &a.1.key, b.2.to.version).cmp(&(a.0, &b.1.key, a.2.to.version)));
    entries.truncate(ENTRIES);
    let newest = entries.first().map_or("1970-01-01", |entry| entry.0);
    let base = escaped(base.trim_end_matches('/'));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<title>What releases changed in the client API</title>\n<id>urn:fedispec:feed</id>\n<updated>{newest}T00:00:00Z</updated>\n<author><name>Fedispec</name></author>\n"
    );
    for (date, program, one) in entries {
        let version = one.to.version;
        let _ = writeln!(
            text,
            "<entry><title>{} {version}: {}</title><id>urn:fedispec:release:{}:{version}</id><updated>{date}T00:00:00Z</updated><link href=\"{base}/releases/{}/{version}/index.html\"/><summary>{}</summary></entry>",
            escaped(&program.name),
            counts(one),
            program.key,
            program.key,
            escaped(&names(one)),
        );
    }
    text.push_str("</feed>\n");
    files.push(("feed.xml".to_owned(), text.into_bytes()));
}

/// The first items that a release changed.
fn names(done: &Releases) -> String {
    let names: Vec<&str> =
        done.events.iter().take(12).map(|event| event.item.id.as_str()).collect();
    let more = if done.events.len() > names.len() { ", .." } else { "" };
    format!("{}{more}", names.join(", "))
}

fn escaped(text: &str) -> String {
    html! { (text) }.into_string()
}

fn sitemap(base: &str, files: &[File]) -> File {
    let base = base.trim_end_matches('/');
    let pages = files.iter().filter(|(path, _)| path.ends_with("index.html"));
    let mut paths: Vec<&str> = pages.map(|(path, _)| path.trim_end_matches("index.html")).collect();
    paths.sort_unstable();
    let base = escaped(base);
    let mut urls = String::new();
    for path in paths {
        let _ = writeln!(urls, "<url><loc>{base}/{path}</loc></url>");
    }
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n"
    );
    ("sitemap.xml".to_owned(), text.into_bytes())
}
