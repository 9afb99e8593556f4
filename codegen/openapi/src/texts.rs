//! Texts as one release has them.

use std::collections::HashSet;

use fedispec_model::api::Api;
use fedispec_model::registered::Registered;
use fedispec_model::sentences::capitalised;
use fedispec_since::StableVersion;

/// Leaves out of texts what is not about a release: the parts that name another program, a newer release, or an item that the release lacks.
///
/// The parts of a text are its sentences, and what semicolons separate in them.
pub(crate) struct Texts<'a> {
    own: &'a str,
    version: StableVersion,
    others: Vec<&'a str>,
    lacking: HashSet<&'a str>,
}

/// Words after which a version is a release of the program, though its name does not stand there.
const BEFORE_VERSIONS: [&str; 7] = ["after", "before", "from", "in", "since", "to", "until"];

impl<'a> Texts<'a> {
    /// `lacking` are the names of what the release lacks: keys on the wire, which texts write as code, and ids.
    pub(crate) fn new(api: &'a Api, release: &Registered<'a>, lacking: HashSet<&'a str>) -> Self {
        let others = api.programs.iter().enumerate();
        Self {
            own: &release.program.name,
            version: release.version,
            others: { others.filter(|(place, _)| *place != release.place) }
                .map(|(_, program)| program.name.as_str())
                .collect(),
            lacking,
        }
    }

    /// Whether a name is of something that the release has, or of nothing that the catalogue knows.
    pub(crate) fn has(&self, name: &str) -> bool {
        !self.lacking.contains(name)
    }

    /// The rest of a summary: of its first part also the text before a comma, where the rest of that part is not about the release.
    pub(crate) fn of_summary(&self, text: &str) -> Option<String> {
        let first = sentences(text).next()?;
        let part = first.trim_end_matches('.').split("; ").next()?;
        let before = part.match_indices(", ").map(|(at, _)| &part[..at]);
        match before.filter(|before| self.is_about(before)).last() {
            Some(before) if !self.is_about(part) => {
                self.of(&format!("{before}{}", &text[part.len()..]))
            }
            _ => self.of(text),
        }
    }

    /// The part of a text that is about the release.
    pub(crate) fn of(&self, text: &str) -> Option<String> {
        let sentences = sentences(text).filter_map(|sentence| {
            let parts = sentence.trim_end_matches('.').split("; ");
            let kept: Vec<&str> = parts.filter(|part| self.is_about(part)).collect();
            if kept.is_empty() {
                return None;
            }
            let end = if sentence.ends_with('.') { "." } else { "" };
            Some(capitalised(&kept.join("; ")) + end)
        });
        let kept: Vec<String> = sentences.collect();
        (!kept.is_empty()).then(|| kept.join(" "))
    }

    fn is_about(&self, part: &str) -> bool {
        !self.others.iter().any(|name| names(part, name))
            && !self.names_newer(part)
            && !self.names_lacking(part)
    }

    /// Whether a newer release is named.
    fn names_newer(&self, part: &str) -> bool {
        let is_own = names(part, self.own);
        let mut before = "";
        part.split_whitespace().any(|word| {
            let is_version = is_own || BEFORE_VERSIONS.contains(&before.to_lowercase().as_str());
            before = word;
            let version = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            is_version && version.contains('.') && {
                let whole = format!("{version}.0");
                let version = [version, &whole].into_iter().find_map(|text| text.parse().ok());
                version.is_some_and(|version: StableVersion| version > self.version)
            }
        })
    }

    fn names_lacking(&self, part: &str) -> bool {
        // A name of one word, such as `public`, stands for too much else.
        let mut code = part.split('`').skip(1).step_by(2);
        let mut words = part.split(|c: char| !c.is_ascii_alphanumeric());
        code.any(|name| name.contains(['_', '.']) && !self.has(name))
            || words.any(|word| {
                // An id of several words, as no plain word has a capital inside it.
                let inner = word.chars().skip(1).any(|c| c.is_ascii_uppercase());
                inner && !self.has(word)
            })
    }
}

/// Whether a text has a name as a word of its own.
fn names(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !is_inside(text[..at].chars().next_back())
            && !is_inside(text[at + name.len()..].chars().next())
    })
}

/// The sentences: each begins with no small letter.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let ends = rest.match_indices(". ").map(|(at, _)| at);
        let mut ends = ends.filter(|at| !rest[at + 2..].starts_with(|c: char| c.is_lowercase()));
        let (sentence, after) = match ends.next() {
            Some(at) => (&rest[..=at], &rest[at + 2..]),
            None => (rest, ""),
        };
        rest = after;
        Some(sentence)
    })
}

#[cfg(test)]
mod tests {
    use fedispec_since::StableVersion;

    use super::Texts;

    /// GoToSocial 0.17.0, which lacks `quoted_status_id` and `ScheduledStatus`.
    fn texts() -> Texts<'static> {
        Texts {
            own: "GoToSocial",
            version: StableVersion(0, 17, 0),
            others: vec!["Mastodon", "glitch-soc"],
            lacking: ["quoted_status_id", "ScheduledStatus"].into(),
        }
    }

    fn said(text: &str) -> Option<String> {
        texts().of(text)
    }

    #[test]
    fn other_programs_are_not_named() {
        let text = "The id; GoToSocial sends the name. Mastodon sends a number.";
        assert_eq!(said(text).as_deref(), Some("The id; GoToSocial sends the name."));
        assert_eq!(said("Mastodon's own; an address.").as_deref(), Some("An address."));
        assert_eq!(said("glitch-soc sends it."), None);
        // A name inside a name, such as that of a header's own program, is no name.
        assert_eq!(said("Mastodonte.").as_deref(), Some("Mastodonte."));
    }

    #[test]
    fn newer_releases_are_not_named() {
        assert_eq!(
            said("When it ends; null since GoToSocial 0.18.0.").as_deref(),
            Some("When it ends.")
        );
        assert_eq!(said("Since 0.18 it may be null."), None);
        assert_eq!(
            said("Refused since GoToSocial 0.17.").as_deref(),
            Some("Refused since GoToSocial 0.17.")
        );
        // Standards have versions too.
        assert_eq!(
            said("OAuth 2.0, as RFC 6749 has it.").as_deref(),
            Some("OAuth 2.0, as RFC 6749 has it.")
        );
    }

    #[test]
    fn a_summary_is_told_as_far_as_it_holds() {
        let texts = texts();
        let told = |text| texts.of_summary(text);
        let text = "The text, plain or as `quoted_status_id` says. It is whole.";
        assert_eq!(told(text).as_deref(), Some("The text. It is whole."));
        assert_eq!(told("Mastodon's own, an address."), None);
        assert_eq!(told("An id, of a status.").as_deref(), Some("An id, of a status."));
    }

    #[test]
    fn what_the_release_lacks_is_not_named() {
        assert_eq!(said("Present with `quoted_status_id`."), None);
        assert_eq!(
            said("When to post; the answer is then a ScheduledStatus.").as_deref(),
            Some("When to post.")
        );
        assert_eq!(said("Present with `id`.").as_deref(), Some("Present with `id`."));
    }
}
