//! The catalogue as a static site: pages for people, and files for programs.
//!
//! [`files`] makes every file from the resolved API and the comparisons of `fedispec-diff`, always the same from the same input. All links
//! are relative and name `index.html`, so that the site works from a folder and below any path. Addresses are ids, which never change.

use std::collections::BTreeMap;

use fedispec_diff::Compared;
use fedispec_model::api::Api;
use fedispec_since::Class;

mod badges;
mod baseline;
mod charts;
mod code;
mod compare;
mod data;
mod entity;
mod features;
mod front;
mod knowledge;
mod life;
mod moved;
mod openapi;
mod operation;
mod page;
mod params;
mod phrases;
mod places;
mod release;
mod stages;
mod table;
mod turns;
mod upgrade;

pub use badges::badge;
use page::Site;

/// Settings of the pages that are not in the catalogue.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The address that the site is published at, for canonical links, the feed and the sitemap.
    pub base: Option<String>,
    /// The address of the catalogue's files, for links to their lines: `https://github.com/fedispec/fedispec/blob/main/spec`.
    pub lines: Option<String>,
    /// The file and the line behind pages that are of no item, by folder: `releases/mastodon/4.3.0/`. The folder of an item is not asked for.
    pub pages: BTreeMap<String, (String, usize)>,
    /// The sources of evidence.
    pub sources: Vec<Source>,
}

/// A source of evidence.
#[derive(Debug, Clone)]
pub struct Source {
    /// How much it proves.
    pub class: Class,
    /// Its title with its revision, as evidence names it.
    pub title: String,
    /// Where it is found.
    pub url: Option<String>,
}

/// A file of the site: its path with `/`, and what it holds.
pub type File = (String, Vec<u8>);

/// The name of the file that lists all others. A folder with it was made by this crate.
pub const LIST: &str = "files.txt";

/// Every file of the site, sorted by path; the last of them is [`LIST`].
///
/// # Errors
/// Where a file cannot be made from the catalogue.
pub fn files(api: &Api, options: &Options) -> Result<Vec<File>, String> {
    let site = Site::new(api, options);
    let mut files: Vec<File> = vec![
        ("style.css".to_owned(), include_bytes!("style.css").to_vec()),
        ("script.js".to_owned(), include_bytes!("script.js").to_vec()),
        ("as.js".to_owned(), include_bytes!("as.js").to_vec()),
        ("search.js".to_owned(), include_bytes!("search.js").to_vec()),
        ("icon.svg".to_owned(), include_bytes!("icon.svg").to_vec()),
    ];
    front::pages(&site, &mut files);
    operation::pages(&site, &mut files);
    entity::pages(&site, &mut files);
    features::pages(&site, &mut files);
    badges::files(&site, &mut files);
    let named = turns::Named::new(api)?;
    let known = Compared::new(api);
    let documents = openapi::files(&site, &named, &mut files)?;
    let done = release::all(&site, &named, &known);
    let counts = charts::Counts::all(&site);
    release::pages(&site, &done, &counts, &documents, &mut files);
    if let Some(base) = &site.options.base {
        data::feed(base, &done, &mut files);
        // Programs that show a card of a link take a whole address alone.
        files.push(("card.png".to_owned(), include_bytes!("card.png").to_vec()));
    }
    upgrade::pages(&site, &known, &mut files);
    let pairs = compare::pages(&site, &known, &mut files);
    charts::pages(&site, &counts, &pairs, &mut files);
    knowledge::pages(&site, &mut files);
    baseline::pages(&site, &mut files);
    stages::script(&site, &mut files);
    data::files(&site, &documents, &mut files)?;
    // After the sitemap, which lists no address that leads elsewhere.
    moved::pages(&site, &mut files);
    files.sort();
    let list: String = files.iter().flat_map(|(path, _)| [path.as_str(), "\n"]).collect();
    files.push((LIST.to_owned(), list.into_bytes()));
    Ok(files)
}
