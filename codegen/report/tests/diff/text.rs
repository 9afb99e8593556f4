//! The report as text.

use fedispec_diff::{Options, compare};
use fedispec_report::diff::assemble::{self, Known};
use fedispec_report::diff::render::View;
use fedispec_report::diff::render::text::text;

use super::support::edited;

#[test]
fn the_footer_says_how_hidden_changes_are_shown() {
    let new = edited(&[("max: 40", "max: 20"), ("summary: One book.", "summary: A book.")]);
    let compared = compare(&edited(&[]), &new, &Options::default());
    let report = assemble::report(compared, &Known::default());
    let shown = |docs| text(&report, &View { docs, ..View::default() });
    let total = "2 items, 2 changes: 1 breaking; 1 only text";
    assert!(shown(false).contains(&format!("{total}, hidden (--show docs)\n")), "{}", shown(false));
    assert!(shown(true).contains(&format!("{total}\n")), "{}", shown(true));
}
