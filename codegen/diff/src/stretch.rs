//! Stretches of releases: since when something holds, and until when.

use fedispec_since::StableVersion;

/// Since when something holds, and until when.
pub(super) type Stretch = (Option<StableVersion>, Option<StableVersion>);

/// The releases of a stretch, where it has a beginning or an end: `>=4.2.0, <4.3.0`.
pub(super) fn between(
    since: Option<StableVersion>,
    until: Option<StableVersion>,
) -> Option<String> {
    let parts = [(">=", since), ("<", until)].into_iter();
    let parts = parts.filter_map(|(sign, release)| Some(format!("{sign}{}", release?)));
    let parts: Vec<_> = parts.collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// ` since 4.0.0 until 4.2.0` of what holds in some releases.
pub(super) fn stretch(since: Option<StableVersion>, until: Option<StableVersion>) -> String {
    let parts = [("since", since), ("until", until)].into_iter();
    parts.filter_map(|(word, release)| Some(format!(" {word} {}", release?))).collect()
}

/// The releases that are in one of two stretches and not in the other, as far as they are one stretch.
pub(super) fn differing(old: Option<Stretch>, new: Option<Stretch>) -> Option<Stretch> {
    Some(match (old, new) {
        (Some(was), Some(is)) if was == is => is,
        (Some(was), Some(is)) if was.0 == is.0 => {
            let mut ends = [was.1, is.1];
            // Without an end it holds to this day.
            ends.sort_by_key(|end| (end.is_none(), *end));
            (ends[0], ends[1])
        }
        (Some(was), Some(is)) if was.1 == is.1 => (was.0.min(is.0), was.0.max(is.0)),
        (Some(was), Some(is)) => {
            let end = was.1.zip(is.1).map(|(was, is)| was.max(is));
            (was.0.min(is.0), end)
        }
        (was, is) => was.or(is)?,
    })
}

/// The same in words: `>=4.2.0, <4.3.0`.
pub(super) fn versions(old: Option<Stretch>, new: Option<Stretch>) -> Option<String> {
    let (since, until) = differing(old, new)?;
    between(since, until)
}

/// Whether a stretch of releases lies in another.
pub(super) fn is_within((since, until): Stretch, (from, end): Stretch) -> bool {
    from <= since && end.is_none_or(|end| until.is_some_and(|until| until <= end))
}
