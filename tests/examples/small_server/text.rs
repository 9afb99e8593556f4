//! Plain text: what it names, and how it is written as HTML.

use fedispec::server::escape_html;

use super::prelude::*;

/// The words of a text, each with the signs and spaces that follow it.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split_inclusive(char::is_whitespace).map(|word| {
        let is_of_word = |c: char| c.is_alphanumeric() || "_/".contains(c);
        let rest = word.rsplit(is_of_word).next().unwrap_or_default();
        word.split_at(word.len() - rest.len())
    })
}

/// The names behind a sign, such as those of accounts behind `@`.
pub fn named(text: &str, sign: char) -> impl Iterator<Item = &str> {
    let names = words(text).filter_map(move |(word, _)| word.strip_prefix(sign));
    names.filter(|name| !name.is_empty())
}

/// Whether a text in lower case has a keyword.
pub fn has(text: &str, keyword: &str, whole_word: bool) -> bool {
    let is_open = |side: Option<char>| !whole_word || !side.is_some_and(char::is_alphanumeric);
    let keyword = keyword.to_lowercase();
    text.match_indices(&keyword).any(|(start, found)| {
        let (before, after) = (&text[..start], &text[start + found.len()..]);
        is_open(before.chars().next_back()) && is_open(after.chars().next())
    })
}

impl Store {
    /// A text as HTML, with links.
    pub fn html(&self, text: &str) -> String {
        let html = words(text).map(|(word, rest)| {
            let url = match word.split_at_checked(1) {
                Some(("@", name)) => self.named(name).map(|key| self.profile(key)),
                Some(("#", tag)) => Some(self.url(&format!("tags/{}", tag.to_lowercase()))),
                _ => Some(word.to_owned()).filter(|word| word.starts_with("https://")),
            };
            let (word, rest) = (escape_html(word), escape_html(rest));
            match url.as_deref().map(escape_html) {
                Some(url) => format!("<a href=\"{url}\">{word}</a>{rest}"),
                None => word + &rest,
            }
        });
        let html: String = html.collect();
        format!("<p>{}</p>", html.replace("\n\n", "</p><p>").replace('\n', "<br>"))
    }

    /// The address of a profile.
    pub fn profile(&self, key: Key) -> String {
        self.users[&key].account.url.clone().unwrap_or_default()
    }
}
