//! Badges: a small picture for each item and feature, which says since which release each program has it.

use fedispec_model::api::{Item, Since};
use fedispec_model::features::{FeatureLife, Features};
use fedispec_model::rows::rows;
use fedispec_since::StableVersion;
use maud::html;

use crate::File;
use crate::page::Site;
use crate::places::anchor;

/// The width of a character, in tenths of a pixel. The text is stretched to the width that is reckoned for it, whatever the font.
const CHARACTER: usize = 66;
/// The room on both sides of a text, in pixels.
const AROUND: usize = 6;
const HAS: &str = "#1a7340";
const HAS_NOT: &str = "#6b6b6b";

/// The path of the badge of an item or feature.
pub(crate) fn badge_path(id: &str) -> String {
    format!("badges/{}.svg", anchor(id))
}

pub(crate) fn files(site: &Site<'_>, files: &mut Vec<File>) {
    for row in rows(site.api).iter().filter(|row| !row.inherited()) {
        let text = text_of_item(site, row.item);
        files.push(file(&row.item.id, &row.item.id, &text));
    }
    for (feature, lives) in Features::over(site.api, &site.reach).all() {
        files.push(file(&feature.id, &feature.name(), &text_of_feature(site, &lives)));
    }
}

/// The words of a feature's badge.
pub(crate) fn text_of_feature(site: &Site<'_>, lives: &[FeatureLife]) -> String {
    text(site, lives.iter().map(|life| (life.since, life.removed)))
}

fn text_of_item(site: &Site<'_>, item: &Item) -> String {
    let effective = site.reach.effective(item).into_iter();
    let lives = item.life.iter().zip(effective);
    text(site, lives.map(|(life, since)| (life.heeded_since(since), life.removed)))
}

/// `since Mastodon 4.3 | GoToSocial 0.17`, of the programs with a floor that have it. The others have room where none of those has it.
fn text(site: &Site<'_>, lives: impl Iterator<Item = (Since, Option<StableVersion>)>) -> String {
    let mut is_unknown = false;
    let (mut supported, mut others) = (Vec::new(), Vec::new());
    let programs = site.api.programs.iter().zip(site.api.floors());
    for ((program, floor), (since, removed)) in programs.zip(lives) {
        match since {
            Since::Since(since) => {
                let removed = removed.map(|removed| format!(" until {}", short(removed)));
                let removed = removed.unwrap_or_default();
                let part = format!("{} {}{removed}", program.name, short(since));
                if floor.is_some() { supported.push(part) } else { others.push(part) }
            }
            Since::Unknown => is_unknown = true,
            Since::Never => {}
        }
    }
    let parts = if supported.is_empty() { others } else { supported };
    match (parts.is_empty(), is_unknown) {
        (false, _) => format!("since {}", parts.join(" | ")),
        (true, true) => "unknown".to_owned(),
        (true, false) => "in no release".to_owned(),
    }
}

/// `4.3` for `4.3.0`, as people say it.
fn short(version: StableVersion) -> String {
    let StableVersion(major, minor, patch) = version;
    if patch == 0 { format!("{major}.{minor}") } else { version.to_string() }
}

fn file(id: &str, label: &str, text: &str) -> File {
    (badge_path(id), badge(label, text, text.starts_with("since")).into_bytes())
}

/// A badge as SVG: a label, and words behind it in green or grey.
pub fn badge(label: &str, text: &str, is_good: bool) -> String {
    let width = |text: &str| text.chars().count() * CHARACTER / 10;
    let (left, right) = (width(label), width(text));
    let (first, all) = (left + 2 * AROUND, left + right + 4 * AROUND);
    let colour = if is_good { HAS } else { HAS_NOT };
    let (label, text) = (html! { (label) }.into_string(), html! { (text) }.into_string());
    // By hand, since some thousands of badges are a part of the site's size: Maud closes no element by itself.
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{all}" height="20" role="img" fill="#fff" font-family="Verdana,sans-serif" font-size="11"><title>{label}: {text}</title><path fill="#333" d="M0 0h{all}v20H0"/><path fill="{colour}" d="M{first} 0h{all}v20H{first}"/><text x="{AROUND}" y="14" textLength="{left}">{label}</text><text x="{}" y="14" textLength="{right}">{text}</text></svg>"##,
        first + AROUND
    )
}

#[cfg(test)]
mod tests {
    use super::{badge, badge_path, short};
    use fedispec_since::StableVersion;

    #[test]
    fn a_badge_is_a_picture_with_words() {
        let svg = badge("edit <history>", "since Mastodon 3.5", true);
        assert!(
            svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"234\""),
            "{svg}"
        );
        assert!(svg.contains("<title>edit &lt;history&gt;: since Mastodon 3.5</title>"), "{svg}");
        assert!(svg.contains(">since Mastodon 3.5</text>"), "{svg}");
        assert!(svg.contains(super::HAS) && !svg.contains(super::HAS_NOT));
        assert!(badge("x", "in no release", false).contains(super::HAS_NOT));
        assert_eq!(badge_path("Error.details.*.error"), "badges/Error.details.-key-.error.svg");
        assert_eq!(short(StableVersion(4, 3, 0)), "4.3");
        assert_eq!(short(StableVersion(2, 4, 3)), "2.4.3");
    }
}
