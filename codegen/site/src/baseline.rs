//! The baseline page: what all supported releases have. A script works it out of the choice in the address; without one, the page lists
//! the first release of each operation.

use maud::html;

use crate::File;
use crate::page::{Page, Site, options};

pub(crate) fn pages(site: &Site<'_>, files: &mut Vec<File>) {
    let here = "baseline/";
    let page = Page {
        heading: html! { "A baseline" },
        scripts: &["programs.js", "items.js"],
        ..Page::new(
            here,
            "Baseline",
            "What all releases have that you support, what needs a check, and what none has.",
        )
    };
    let main = html! {
        p.lead { "Choose the oldest release of each program that you support, and the newest one if newer ones do not count." }
        form #choice {
            @for program in &site.api.programs {
                fieldset {
                    legend { (program.name) }
                    @for (label, suffix, end, none) in [("Oldest ", "", "from", "not supported"), ("Newest ", "-to", "to", "the newest")] {
                        label { (label)
                            select name={ (program.key) (suffix) } data-end=(end) {
                                option value="" { (none) }
                                (options(program, |version| (version.to_string(), version.to_string())))
                            }
                        }
                    }
                }
            }
            fieldset {
                legend { "Show" }
                @for (kind, name, is_on) in [("operation", "operations", true), ("param", "parameters", false), ("field", "fields", false), ("value", "values", false)] {
                    label { input type="checkbox" name="kind[]" value=(kind) checked[is_on]; " " (name) }
                }
                button type="submit" { "Show" }
            }
        }
        div #baseline aria-live="polite" {
            noscript { p { "The choice needs JavaScript. The first release with each operation:" } }
        }
        noscript { div.wide tabindex="0" role="region" aria-label="Operations" { table {
            thead { tr { th scope="col" { "Operation" } (site.since_heads()) } }
            tbody { @for operation in &site.api.operations { tr {
                th scope="row" { (site.item(here, &operation.item.id, &operation.item.id)) }
                (site.since_cells(&operation.item))
            } } }
        } } }
    };
    site.write(&page, &main, files);
}
