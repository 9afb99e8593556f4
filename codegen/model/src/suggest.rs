//! The name that somebody probably meant.

/// The known name that somebody probably meant.
pub fn nearest<'n>(meant: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = (meant.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|name| {
            (
                strsim::damerau_levenshtein(&name.to_lowercase(), &meant.to_lowercase()),
                name,
            )
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, name)| name)
}

/// `did you mean ..?`, or else what to do.
pub fn did_you_mean<'n>(
    meant: &str,
    known: impl IntoIterator<Item = &'n str>,
    or_else: &str,
) -> String {
    match nearest(meant, known) {
        Some(name) => format!("did you mean `{name}`?"),
        None => or_else.into(),
    }
}
