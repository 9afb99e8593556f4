//! Filters of both versions. A filter of version 1 is a keyword of version 2's, as in both programs.

use fedispec::enums::{FilterAction, FilterContext};

use super::prelude::*;

/// A filter of an account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Filter {
    pub(crate) id: Key,
    pub(crate) owner: Key,
    pub(crate) title: String,
    pub(crate) context: Vec<FilterContext>,
    pub(crate) expires_at: Option<Millis>,
    pub(crate) action: FilterAction,
    pub(crate) keywords: Vec<Keyword>,
    pub(crate) statuses: Vec<Marked>,
}

/// A word or phrase that a filter looks for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Keyword {
    pub(crate) id: Key,
    pub(crate) text: String,
    pub(crate) whole_word: bool,
}

/// A single status that a filter matches.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Marked {
    pub(crate) id: Key,
    pub(crate) status: Key,
}

/// The matches of a filter in a status.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) keywords: Vec<String>,
    pub(crate) is_marked: bool,
}

impl State {
    /// The filters of an account, the oldest first.
    pub(crate) fn filters_of(&self, owner: Key) -> impl Iterator<Item = &Filter> {
        self.filters.values().filter(move |filter| filter.owner == owner)
    }

    /// Keeps a filter, new or changed, and tells its owner's listeners.
    pub(crate) fn put_filter(&mut self, filter: Filter) {
        let owner = filter.owner;
        self.filters.insert(filter.id, filter);
        self.filters_changed(owner);
    }

    /// Tells an account's listeners that its filters have changed.
    pub(crate) fn filters_changed(&mut self, owner: Key) {
        self.publish(&Happening::FiltersChanged(owner));
    }
}

impl Filter {
    /// The filter with a keyword changed.
    pub(crate) fn with(mut self, changed: Keyword) -> Self {
        if let Some(own) = self.keywords.iter_mut().find(|own| own.id == changed.id) {
            *own = changed;
        }
        self
    }

    pub(crate) fn is_expired(&self, now: Millis) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// Returns its matches in a status; `None` where it does not match.
    pub(crate) fn find(&self, status: Key, texts: &[&str]) -> Option<Found> {
        let is_in = |keyword: &&Keyword| texts.iter().any(|text| keyword.is_in(text));
        let found = self.keywords.iter().filter(is_in);
        let found = Found {
            keywords: found.map(|keyword| keyword.text.clone()).collect(),
            is_marked: self.statuses.iter().any(|marked| marked.status == status),
        };
        (found != Found::default()).then_some(found)
    }
}

impl Keyword {
    /// Whether a text has the keyword, whatever its case. A whole word has no other letter, digit or underscore beside it.
    fn is_in(&self, text: &str) -> bool {
        let (text, word) = (text.to_lowercase(), self.text.to_lowercase());
        if word.is_empty() {
            return false;
        }
        text.match_indices(&word).any(|(at, found)| {
            let before = text[..at].chars().next_back();
            let after = text[at + found.len()..].chars().next();
            let joined =
                joins(before, found.chars().next()) || joins(found.chars().next_back(), after);
            !self.whole_word || !joined
        })
    }
}

/// Whether two characters beside each other belong to one word.
fn joins(one: Option<char>, other: Option<char>) -> bool {
    let in_word = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    };
    in_word(one) && in_word(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_word_stands_alone() {
        let keyword =
            |text: &str, whole_word| Keyword { id: Key(1), text: text.to_owned(), whole_word };
        let cases = [
            ("rain", true, "Rain today", true),
            ("rain", true, "training", false),
            ("rain", false, "training", true),
            ("rain", true, "no train, but rain!", true),
            ("#cats", true, "see #cats", true),
            ("#cats", true, "see#cats", true),
            ("über", true, "ÜBER", true),
            ("", false, "anything", false),
        ];
        for (word, whole, text, expected) in cases {
            assert_eq!(keyword(word, whole).is_in(text), expected, "{word} {text}");
        }
    }
}
