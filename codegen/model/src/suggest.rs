//! Suggestions: the known name that somebody probably meant.

use heck::ToSnakeCase;

/// The known name nearest to what was written, if one is near: a third of its characters may be wrong. Upper and lower
/// case do not matter, and of names that are as near one of as many parts is meant.
pub fn nearest<'n>(meant: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let known: Vec<_> = known.into_iter().collect();
    let written = meant.to_lowercase();
    let parts = |name: &str| name.split('.').count();
    let allowed = (written.chars().count() / 3).max(1);
    let near = known
        .iter()
        .map(|name| {
            let distance = strsim::damerau_levenshtein(&name.to_lowercase(), &written);
            (distance, parts(name) != parts(&written), *name)
        })
        .filter(|(distance, _, name)| *distance <= allowed && *distance < name.chars().count())
        .min();
    if let Some((0..=2, _, name)) = near {
        return Some(name);
    }
    // Whoever leaves a word out means that name, and not one with another word.
    let mut longer = known.iter().filter(|name| lacks_a_word_of(meant, name));
    match (longer.next(), longer.next()) {
        (Some(name), None) => Some(name),
        _ => near.map(|(_, _, name)| name),
    }
}

/// Whether a name of several words is another one without some of its words.
fn lacks_a_word_of(name: &str, whole: &str) -> bool {
    let words = |name: &str| name.to_snake_case().split('_').map(str::to_owned).collect::<Vec<_>>();
    let (few, all) = (words(name), words(whole));
    let mut all_words = all.iter();
    let is_upper = |name: &str| name.starts_with(|first: char| first.is_ascii_uppercase());
    is_upper(name)
        && is_upper(whole)
        && (2..all.len()).contains(&few.len())
        && few.iter().all(|word| all_words.any(|one| one == word))
}

/// `did you mean ..?`, or else what to do.
pub fn did_you_mean<'n>(
    meant: &str,
    known: impl IntoIterator<Item = &'n str>,
    or_else: &str,
) -> String {
    match nearest(meant, known) {
        Some(name) => {
            let foreign = foreign(meant).map(|letter| format!(" {letter}")).unwrap_or_default();
            format!("did you mean `{name}`?{foreign}")
        }
        None => or_else.into(),
    }
}

/// The scripts whose letters look like Latin ones, and spaces that look like another or like none, with their first and last character.
const SCRIPTS: [(&str, char, char); 8] = [
    ("no-break", '\u{a0}', '\u{a0}'),
    ("invisible", '\u{200b}', '\u{200f}'),
    ("invisible", '\u{feff}', '\u{feff}'),
    ("phonetic", '\u{250}', '\u{2af}'),
    ("Greek", '\u{370}', '\u{3ff}'),
    ("Cyrillic", '\u{400}', '\u{52f}'),
    ("Armenian", '\u{530}', '\u{58f}'),
    ("full-width", '\u{ff00}', '\u{ffef}'),
];

/// Tells a character of another script, or one that nobody sees.
pub fn foreign(meant: &str) -> Option<String> {
    if meant.is_ascii() {
        return None;
    }
    meant.chars().find_map(|letter| {
        let (script, ..) =
            SCRIPTS.iter().find(|(_, first, last)| (*first..=*last).contains(&letter))?;
        Some(format!("its `{letter}` (U+{:04X}) is a {script} character", u32::from(letter)))
    })
}

/// Of a closed list of words: `did you mean ..?`, or else all of them behind that introduction.
pub fn one_of(meant: &str, known: &[&str], introduction: &str) -> String {
    if known.is_empty() {
        return "remove it".into();
    }
    let all = format!("{introduction} `{}`", known.join("`, `"));
    did_you_mean(meant, known.iter().copied(), &all)
}

/// The three names with the best scores, of those that are near enough; a score is at most 1 where nothing is added to it.
pub fn best(mut scored: Vec<(f64, String)>) -> Vec<String> {
    scored.retain(|(score, _)| *score > 0.6);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_suggested() {
        let known = ["since", "summary", "in"];
        for slip in ["sinse", "snice", "Since", "sine"] {
            assert_eq!(nearest(slip, known), Some("since"), "{slip}");
        }
        let ids = ["AdminTrendsStatus", "admin_trends.statuses"];
        assert_eq!(nearest("admin_trends.status", ids), Some("admin_trends.statuses"));
        for other in ["xy", "", "x"] {
            assert_eq!(nearest(other, known), None, "{other}");
        }
        assert_eq!(
            one_of("xy", &known, "known here are"),
            "known here are `since`, `summary`, `in`"
        );
        assert_eq!(one_of("xy", &[], "known here are"), "remove it");
        assert_eq!(
            did_you_mean("sin\u{441}e", known, "no"),
            "did you mean `since`? its `\u{441}` (U+0441) is a Cyrillic character"
        );
    }
}
