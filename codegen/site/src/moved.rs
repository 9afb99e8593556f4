//! Pages at former addresses, which lead to where the item is now.

use maud::{DOCTYPE, html};

use crate::File;
use crate::page::{Site, breakable, link};

pub(crate) fn pages(site: &Site<'_>, files: &mut Vec<File>) {
    let operations = site.api.operations.iter().map(|one| ("operations", &one.item));
    let entities = site.api.entities.iter().map(|one| ("entities", &one.item));
    let enums = site.api.enums.iter().map(|one| ("enums", &one.item));
    for (folder, item) in operations.chain(entities).chain(enums) {
        let (Some(before), Some(place)) = (&item.renamed_from, site.places.get(&item.id)) else {
            continue;
        };
        let here = format!("{folder}/{before}/");
        let to = link(&here, place);
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="robots" content="noindex";
                    meta http-equiv="refresh" content={ "0; url=" (to) };
                    title { (before) " · Fedispec" }
                    link rel="stylesheet" href=(link(&here, "style.css"));
                    @if let Some(base) = &site.options.base {
                        link rel="canonical" href={ (base.trim_end_matches('/')) "/" (place) };
                    }
                }
                body { main {
                    h1 { (breakable(before)) }
                    p { "It is called " a href=(to) { (breakable(&item.id)) } " now." }
                } }
            }
        };
        files.push((format!("{here}index.html"), page.into_string().into_bytes()));
    }
}
