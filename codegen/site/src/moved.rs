//! Pages at former addresses, which lead to where the item is now.

use maud::html;

use crate::File;
use crate::page::{Page, Site, breakable, link};

pub(crate) fn pages(site: &Site<'_>, files: &mut Vec<File>) {
    let operations = site.api.operations.iter().map(|one| ("operations", &one.item));
    let entities = site.api.entities.iter().map(|one| ("entities", &one.item));
    let enums = site.api.enums.iter().map(|one| ("enums", &one.item));
    for (folder, item) in operations.chain(entities).chain(enums) {
        let (Some(before), Some(place)) = (&item.renamed_from, site.places.get(&item.id)) else {
            continue;
        };
        let here = format!("{folder}/{before}/");
        let page = Page {
            leads_to: Some(place),
            ..Page::new(&here, before, "An item that has another name now.")
        };
        let main = html! { p { "It is called " a href=(link(&here, place)) { (breakable(&item.id)) } " now." } };
        site.write(&page, &main, files);
    }
}
