//! The common parts of pages: frame, links, and facts that many of them show.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

use fedispec_model::api::{Api, At, Evidence, Group, Item, Life, Program, Since};
use fedispec_model::index::Index;
use fedispec_model::reach::Reach;
use fedispec_openapi::Examples;
use fedispec_since::{StableVersion, Verdict};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::places::{self, Users};
use crate::{File, Options};

/// The catalogue and what is worked out of it once.
pub(crate) struct Site<'a> {
    pub(crate) api: &'a Api,
    pub(crate) options: &'a Options,
    pub(crate) index: Index<'a>,
    pub(crate) reach: Reach<'a>,
    /// The place of each item: a page, and an anchor on it.
    pub(crate) places: HashMap<String, String>,
    /// The users of each entity and enumeration.
    pub(crate) users: Users<'a>,
    pub(crate) examples: Examples<'a>,
}

impl<'a> Site<'a> {
    pub(crate) fn new(api: &'a Api, options: &'a Options) -> Self {
        let index = Index::new(api);
        Self {
            api,
            options,
            places: places::places(api, &index),
            users: Users::new(api, &index),
            examples: Examples::new(api),
            reach: Reach::new(api),
            index,
        }
    }

    /// Whether the newest release of a program has an item.
    pub(crate) fn newest_has(&self, item: &Item, program: usize) -> Verdict {
        let known = &self.api.programs[program];
        let newest = known.newest_looked_at().unwrap_or(StableVersion(0, 0, 0));
        let life = item.life.get(program).map(Life::presence);
        life.map_or(Verdict::Unknown, |life| life.present(&known.place(newest)).verdict)
    }

    /// Writes a page.
    pub(crate) fn write(&self, page: &Page<'_>, main: &Markup, files: &mut Vec<File>) {
        let path = format!("{}index.html", page.path);
        let text = self.frame(page, main).into_string();
        files.push((path, text.into_bytes()));
    }

    pub(crate) fn frame(&self, page: &Page<'_>, main: &Markup) -> Markup {
        let here = page.path;
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    @if let Some(base) = page.base {
                        base href={ (base.trim_end_matches('/')) "/" };
                        @if self.options.base.is_none() { script { (PreEscaped(ROOT)) } }
                        style { (PreEscaped(include_str!("style.css"))) }
                    } @else { link rel="stylesheet" href=(link(here, "style.css")); }
                    @if page.base.or(page.leads_to).is_some() { meta name="robots" content="noindex"; }
                    @if let Some(to) = page.leads_to { meta http-equiv="refresh" content={ "0; url=" (link(here, to)) }; }
                    meta name="viewport" content="width=device-width";
                    meta name="description" property="og:description" content=(page.about);
                    title { (page.title) " · Fedispec" }
                    link rel="icon" href=(link(here, "icon.svg"));
                    meta property="og:type" content="website";
                    meta property="og:title" content=(page.title);
                    @if let Some(base) = self.options.base.as_ref().filter(|_| page.base.is_none()) {
                        link rel="alternate" type="application/atom+xml" title="What releases changed" href=(link(here, "feed.xml"));
                        link rel="canonical" href={ (base.trim_end_matches('/')) "/" (page.leads_to.unwrap_or(here)) };
                        meta property="og:url" content={ (base.trim_end_matches('/')) "/" (here) };
                        meta property="og:image" content={ (base.trim_end_matches('/')) "/card.png" };
                    }
                    @for script in page.scripts {
                        script src=(link(here, script)) defer {}
                    }
                    script src=(link(here, "script.js")) defer {}
                }
                body {
                    @if page.base.is_none() { a.skip href="#main" { "To the content" } }
                    header {
                        nav aria-label="Site" {
                            a.home href=(link(here, "")) { "Fedispec" }
                            @for (path, name) in MENU {
                                a href=(link(here, path)) aria-current=[(path == here).then_some("page")] { (name) }
                            }
                        }
                        @if !here.is_empty() {
                            form.find role="search" action=(link(here, "")) {
                                input name="q" type="search" aria-label="Search" placeholder="Search ( / )" autocomplete="off";
                                button type="submit" { "Go" }
                            }
                        }
                    }
                    main id="main" { h1 { (page.heading) } (main) }
                    footer {
                        p {
                            "Made from the "
                            @match &self.options.lines {
                                Some(lines) => a href={ (lines.trim_end_matches('/')) } { "Fedispec catalogue" },
                                None => "Fedispec catalogue",
                            }
                            ", MIT or Apache-2.0. "
                            a href=(link(here, "sources/")) { "Sources, and up to which releases" }
                        }
                    }
                }
            }
        }
    }

    /// A link to an item; its text alone where it has no page.
    pub(crate) fn item(&self, here: &str, id: &str, text: &str) -> Markup {
        html! {
            @match self.places.get(id) {
                // The style shows links to items as code.
                Some(place) => a href=(link(here, place)) { (breakable(text)) },
                None => (name(text)),
            }
        }
    }

    /// Words of the catalogue: what stands between backticks is code, and a link where it names an item.
    pub(crate) fn words(&self, here: &str, text: &str) -> Markup {
        let pieces: Vec<&str> = text.split('`').collect();
        let is_balanced = pieces.len() % 2 == 1;
        html! {
            @for (i, piece) in pieces.iter().enumerate() {
                @if is_balanced && i % 2 == 1 { (self.item(here, piece, piece)) }
                @else { (piece) }
            }
        }
    }

    /// A link to the line of YAML behind an item.
    pub(crate) fn line(&self, at: At) -> Markup {
        let file = self.api.files.get(at.0 as usize).filter(|_| at.1 > 0);
        html! { @if let Some(file) = file { (self.yaml(file, at.1)) } }
    }

    /// A link to the line of YAML behind a page that is of no item.
    pub(crate) fn page_line(&self, folder: &str) -> Markup {
        html! { @if let Some((file, line)) = self.options.pages.get(folder) { (self.yaml(file, line)) } }
    }

    fn yaml(&self, file: &str, line: impl Display) -> Markup {
        html! {
            @if let Some(lines) = &self.options.lines {
                a.yaml href={ (lines.trim_end_matches('/')) "/" (file) "#L" (line) } { "YAML" }
            }
        }
    }

    /// Renders the evidence for a fact: its class, its source with a link, and the place in it.
    pub(crate) fn evidence(&self, evidence: &Evidence) -> Markup {
        let mut sources = self.options.sources.iter();
        let source = sources.find(|source| source.title == evidence.source);
        let url = source.and_then(|source| source.url.as_deref());
        let place = { evidence.at.as_ref() }.and_then(|at| blob(url?, at));
        html! {
            @match url.filter(|_| place.is_none()) {
                Some(url) => a href=(url) { (evidence.source) },
                None => (evidence.source),
            }
            @if let Some(at) = &evidence.at {
                ", "
                @match place {
                    Some(url) => a href=(url) { (name(at)) },
                    None => (name(at)),
                }
            }
            @if let Some(note) = &evidence.note { " (" (note) ")" }
            " " i { "class " (format!("{:?}", evidence.class)) }
        }
    }

    /// Since when each program has an item, one cell a program. Tables have no links to releases: the many would stand in the way of others.
    pub(crate) fn since_cells(&self, item: &Item) -> Markup {
        let effective = self.reach.effective(item);
        html! {
            @for ((program, life), since) in self.api.programs.iter().zip(&item.life).zip(effective) {
                td data-program=(program.name) { (since_word(since))
                    @if let Some(removed) = life.removed { small { " until " (removed.to_string()) } }
                }
            }
        }
    }

    /// The same in one cell, for tables whose words need the room.
    pub(crate) fn since_cell(&self, item: &Item) -> Markup {
        let lives = self.api.programs.iter().zip(&item.life).zip(self.reach.effective(item));
        let (never, others): (Vec<_>, Vec<_>) =
            lives.partition(|(_, since)| *since == Since::Never);
        let never: Vec<&str> =
            never.iter().map(|((program, _), _)| program.name.as_str()).collect();
        html! {
            td.sinces {
                @for ((program, life), since) in others {
                    span { (program.name) " " (since_word(since))
                        @if let Some(removed) = life.removed { " until " (removed.to_string()) }
                    } " "
                }
                @if !never.is_empty() { small { "never in " (never.join(", ")) } }
            }
        }
    }

    /// The heading of the columns of [`Self::since_cells`].
    pub(crate) fn since_heads(&self) -> Markup {
        html! { @for program in &self.api.programs { th scope="col" { (program.name) } } }
    }

    /// The groups: first those that programs share, then those that nearly every index puts aside, with what they are.
    pub(crate) fn sorted_groups(&self) -> [(&'static str, Vec<&'a Group>); 3] {
        let is_alone = |group: &&Group| {
            let mut keys = self.api.programs.iter().map(|program| program.key.as_str());
            keys.any(|key| group.id.strip_prefix(key).is_some_and(|rest| rest.starts_with('_')))
        };
        let (admin, others) =
            self.api.groups.iter().partition::<Vec<_>, _>(|group| group.id.starts_with("admin"));
        let (alone, shared) = others.into_iter().partition(is_alone);
        [("", shared), ("of one program alone", alone), ("for administrators", admin)]
    }

    /// The operations of a group in the catalogue's order.
    pub(crate) fn groups(&self) -> BTreeMap<&'a str, Vec<&'a fedispec_model::api::Operation>> {
        let mut groups: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for operation in &self.api.operations {
            groups.entry(&operation.group).or_default().push(operation);
        }
        groups
    }
}

/// A name as code.
pub(crate) fn name(text: &str) -> Markup {
    html! { code { (breakable(text)) } }
}

/// A name that may break between its words, since a column may be narrower than the name.
pub(crate) fn breakable(name: &str) -> Markup {
    // A shorter one has room everywhere.
    const LONG: usize = 10;
    // The point in the name of a file is none between words.
    let signs = if name.contains('/') { "_/:@" } else { "._/:@" };
    let is_sign = |byte: u8| signs.as_bytes().contains(&byte);
    let bytes = name.as_bytes();
    // After a sign that stands alone and begins no version, and before brackets with something in them.
    let breaks = |at: &usize| match (&bytes[..*at], &bytes[*at..]) {
        (_, [b'[', next, ..]) => *next != b']',
        ([.., before, sign], [next, ..]) => {
            is_sign(*sign) && !is_sign(*before) && next.is_ascii_alphabetic()
        }
        _ => false,
    };
    let mut parts = Vec::new();
    let mut from = 0;
    if name.len() > LONG {
        for at in (1..name.len()).filter(breaks) {
            parts.push(&name[from..at]);
            from = at;
        }
    }
    html! {
        @for part in parts { (part) wbr; }
        (&name[from..])
    }
}

/// The place in a source on GitHub: `path@4.3.0` is a file at a tag.
fn blob(url: &str, at: &str) -> Option<String> {
    let (path, tag) = at.rsplit_once('@')?;
    let is_repository = url.starts_with("https://github.com/") && url.matches('/').count() == 4;
    let is_plain = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-".contains(&b))
    };
    let tag = tag.trim_start_matches('v');
    (is_repository && is_plain(path) && is_plain(tag)).then(|| format!("{url}/blob/v{tag}/{path}"))
}

/// `with 3 parts`, of what comes and goes with an item.
pub(crate) fn parts(count: usize) -> String {
    let noun = if count == 1 { "part" } else { "parts" };
    format!("with {count} {noun}")
}

/// A kind of item, by its name in the catalogue, as people say it.
pub(crate) fn kind_word(kind: &str) -> &str {
    match kind {
        "param" => "parameter",
        "enum" => "enumeration",
        "response" => "field",
        other => other,
    }
}

/// A Since, as a link to the page of its release where that has one: a fork has items from before its own first release.
pub(crate) fn since_text(here: &str, program: &Program, since: Since) -> Markup {
    let known = |version| program.releases.iter().any(|release| release.version == version);
    match since {
        Since::Since(version) if known(version) => html! {
            a href=(link(here, &format!("releases/{}/{version}/", program.key))) { (version.to_string()) }
        },
        since => since_word(since),
    }
}

/// A Since as a word.
fn since_word(since: Since) -> Markup {
    html! {
        @match since {
            Since::Since(version) => (version.to_string()),
            Since::Never => span.no { "never" },
            Since::Unknown => span.unsure { "unknown" },
        }
    }
}

/// A page.
pub(crate) struct Page<'p> {
    /// Its folder: empty, or with a slash at its end.
    pub(crate) path: &'p str,
    /// The title of the window.
    pub(crate) title: &'p str,
    /// The heading.
    pub(crate) heading: Markup,
    /// One sentence for search engines.
    pub(crate) about: &'p str,
    /// The address that its links start from, where that is not the page's own.
    pub(crate) base: Option<&'p str>,
    /// The place to which a reader is sent at once.
    pub(crate) leads_to: Option<&'p str>,
    /// Its scripts, besides the one that all have.
    pub(crate) scripts: &'p [&'p str],
}

impl<'p> Page<'p> {
    /// A page under its title, without scripts of its own.
    pub(crate) fn new(path: &'p str, title: &'p str, about: &'p str) -> Self {
        Self {
            path,
            title,
            heading: html! { (title) },
            about,
            base: None,
            leads_to: None,
            scripts: &[],
        }
    }
}

/// The newest release of each line that was looked at.
pub(crate) fn newest_of_lines(program: &Program) -> Vec<StableVersion> {
    let looked_at = program.newest_looked_at();
    let releases = program.releases.iter().map(|release| release.version);
    let releases = releases.filter(|version| Some(*version) <= looked_at);
    let mut newest = BTreeMap::new();
    for version in releases {
        newest.insert((version.0, version.1), version);
    }
    newest.into_values().collect()
}

/// The releases of a program for a choice, those of a line together; the newest stand first.
pub(crate) fn options(
    program: &Program,
    option: impl Fn(StableVersion) -> (String, String),
) -> Markup {
    let line = |version: StableVersion| (version.0, version.1);
    let lines = program.releases.chunk_by(|a, b| line(a.version) == line(b.version)).rev();
    html! {
        @for releases in lines {
            optgroup label={ (program.name) " " (releases[0].version.0) "." (releases[0].version.1) } {
                @for release in releases.iter().rev() {
                    @let (value, text) = option(release.version);
                    option value=(value) { (text) }
                }
            }
        }
    }
}

/// The pages that every page links to.
const MENU: [(&str, &str); 10] = [
    ("features/", "Features"),
    ("groups/", "Operations"),
    ("entities/", "Entities"),
    ("enums/", "Enumerations"),
    ("releases/", "Releases"),
    ("upgrades/", "Upgrades"),
    ("compare/", "Side by side"),
    ("baseline/", "Baseline"),
    ("charts/", "Charts"),
    ("data/", "Data"),
];

/// Finds the top of a site whose address is not known: above the folder of a kind of page, or else the folder of the page itself.
const ROOT: &str = r#"{
  const [top] = /^.*?\/(?=(badges|baseline|charts|compare|data|disputes|entities|enums|features|groups|openapi|operations|releases|sources|upgrades)(\/|$))/.exec(location.pathname) ?? /^.*\//.exec(location.pathname);
  document.querySelector("base").href = top;
}"#;

/// A link from the page of one folder to a folder, a file or an anchor, all from the top.
pub(crate) fn link(here: &str, to: &str) -> String {
    let up = "../".repeat(here.matches('/').count());
    let (path, anchor) = match to.split_once('#') {
        Some((path, anchor)) => (path, format!("#{anchor}")),
        None => (to, String::new()),
    };
    let file = if path.is_empty() || path.ends_with('/') { "index.html" } else { "" };
    format!("{up}{path}{file}{anchor}")
}

#[cfg(test)]
mod tests {
    use super::{blob, breakable, link};

    #[test]
    fn long_names_break_between_words() {
        let shown = |name: &str| breakable(name).into_string();
        assert_eq!(shown("lists.list"), "lists.list");
        assert_eq!(shown("poll[options][]_of_all"), "poll<wbr>[options][]_<wbr>of_<wbr>all");
        assert_eq!(shown("api/scopes.go@0.19.0"), "api/<wbr>scopes.go@0.19.0");
        assert_eq!(shown("/api/v1/accounts/:id"), "/api/<wbr>v1/<wbr>accounts/:id");
    }

    #[test]
    fn links_are_relative_and_name_the_file() {
        assert_eq!(link("", ""), "index.html");
        assert_eq!(link("operations/a.b/", ""), "../../index.html");
        assert_eq!(link("operations/a.b/", "entities/A/#A.id"), "../../entities/A/index.html#A.id");
        assert_eq!(link("data/", "style.css"), "../style.css");
    }

    #[test]
    fn a_place_in_a_source_is_a_file_at_a_tag() {
        let url = "https://github.com/mastodon/mastodon";
        assert_eq!(
            blob(url, "app/a.rb@4.3.0").as_deref(),
            Some("https://github.com/mastodon/mastodon/blob/v4.3.0/app/a.rb")
        );
        assert_eq!(blob(url, "pages 3 to 4"), None);
        assert_eq!(blob("https://x.example/a", "app/a.rb@4.3.0"), None);
    }
}
