//! Lists of names in messages.

/// Writes names as a list: `a`, `b`.
pub(super) fn list<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
