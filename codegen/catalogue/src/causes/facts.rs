//! Facts that are wrong or missing, and what follows from them in the same item or in another.

use super::{Causes, Found, POINTING, SECTIONS, is_same};
use crate::source::FileId;
use crate::source::tree::YamlNode;

impl<'c> Causes<'c> {
    /// Whether a version string is misread because of another mistake in its file, or because a fork has no base.
    pub(super) fn is_misread(&self, one: &Found<'c>) -> bool {
        let bases = ["unknown-program", "circular-base"];
        self.beside(one).any(|other| other.problem.code != one.problem.code)
            || self.found.iter().any(|other| bases.contains(&other.problem.code))
    }

    /// Whether nobody reads the key of a group, or of all groups.
    pub(super) fn is_of_a_lost_group(&self, one: &Found<'c>) -> bool {
        let group = self.text(one).split('.').next().unwrap_or_default();
        self.unread().any(|other| {
            let is_it = |key: &&str| *key == "groups" || *key == group;
            other.keys.last().is_some_and(is_it) || other.problem.meant == ["groups"]
        })
    }

    /// Whether a condition speaks of what is answered, and nobody can read what an operation answers or a field holds.
    pub(super) fn is_of_lost_answers(&self, one: &Found<'c>) -> bool {
        one.keys.contains(&"when")
            && self.found.iter().filter(|other| !other.keys.contains(&"when")).any(|other| {
                let is_lost = other.is_unread && other.keys.len() < 3;
                match other.keys.first() {
                    Some(&"operations") => is_lost || other.speaks_of("returns"),
                    Some(&"entities") => other.speaks_of("type"),
                    _ => false,
                }
            })
    }

    /// Whether a type of the same file cannot be read, which may name the object.
    pub(super) fn is_of_a_lost_type(&self, one: &Found<'c>) -> bool {
        self.beside(one).any(|other| {
            other.problem.meant.contains(&"type") || other.keys.last() == Some(&"type")
        })
    }

    /// Whether a key is unknown in the item that a dispute is about.
    pub(super) fn is_about_a_wrong_item(&self, one: &Found<'c>) -> bool {
        let item = self.dispute(one).and_then(|dispute| dispute.child("item")?.text());
        self.unread().any(|other| {
            let names = other.keys.iter().skip(1).step_by(2).copied();
            let names: Vec<_> = names.collect();
            (1..=names.len()).any(|count| item == Some(&names[..count].join(".")))
        })
    }

    /// Whether something is wrong with a dispute about the item, or with one that should decide on the value that the problem underlines.
    pub(super) fn has_a_wrong_dispute(&self, one: &Found<'c>) -> bool {
        let owner = one.keys.get(1).copied().unwrap_or_default();
        let value = self.text(one).trim_matches('"');
        self.found.iter().any(|other| {
            let is_dispute = other.keys.first() == Some(&"disputes");
            let is_another = other.problem.code != one.problem.code;
            let dispute = self.dispute(other);
            let said = |key| dispute?.child(key)?.text();
            // What points elsewhere follows from something itself.
            let is_wrong = is_dispute && !POINTING.contains(&other.problem.code);
            is_wrong
                && is_another
                && (said("item").is_none_or(|item| item.starts_with(owner))
                    || ["documents", "supplement"].into_iter().any(|key| said(key) == Some(value)))
        })
    }

    /// Whether the same is told of a dispute already.
    pub(super) fn is_of_the_same_dispute(&self, one: &Found<'c>) -> bool {
        let dispute = self.dispute(one).map(|node| &node.span);
        let mut before = self.alike_before(one);
        dispute.is_some()
            && before.any(|other| self.dispute(other).map(|node| &node.span) == dispute)
    }

    /// Whether the same mend is told already under the keys that lead to what is around both.
    pub(super) fn is_mended_with_another(&self, one: &Found<'c>, depth: usize) -> bool {
        self.alike_before(one).any(|other| {
            other.keys.get(..depth) == one.keys.get(..depth)
                && other.problem.help == one.problem.help
        })
    }

    /// The dispute in which a problem stands.
    fn dispute(&self, one: &Found<'c>) -> Option<&'c YamlNode> {
        self.dispute_at(one.problem.file, one.problem.span.start)
    }

    fn dispute_at(&self, file: FileId, at: usize) -> Option<&'c YamlNode> {
        let all = self.sources.node(file, &["disputes"]);
        let mut all = all.into_iter().flat_map(YamlNode::children).map(|(_, node)| node);
        all.find(|node| node.span.value.contains(&at))
    }

    /// Whether a Since of the same item is wrong, or of what is inside of it, in this file or another.
    pub(super) fn has_a_wrong_since(&self, one: &Found<'c>) -> bool {
        self.found.iter().any(|other| {
            let is_another = other.problem.code != one.problem.code;
            is_another && other.speaks_of("since") && other.keys.get(..2) == one.keys.get(..2)
        })
    }

    /// Whether the evidence around it is of a program that never has the item.
    pub(super) fn has_a_wrong_proof(&self, one: &Found<'c>) -> bool {
        let mut wrong = self.beside(one).filter(|other| other.problem.code == "wrong-source");
        wrong.any(|other| one.keys.starts_with(&other.keys))
    }

    /// Whether something is wrong with a source.
    pub(super) fn has_a_wrong_source(&self) -> bool {
        self.found.iter().any(|other| other.keys.first() == Some(&"sources"))
    }

    /// Whether a source has the key of another one, so that nobody knows of which programs it speaks.
    pub(super) fn has_a_source_twice(&self) -> bool {
        let mut double = self.found.iter().filter(|other| other.problem.code == "duplicate-id");
        double.any(|other| other.keys.first() == Some(&"sources"))
    }

    /// Whether one before it of the same item tells that a Since is missing.
    pub(super) fn is_beside_another(&self, one: &Found<'c>) -> bool {
        self.alike_before(one).any(|other| other.keys.get(..2) == one.keys.get(..2))
    }

    /// Whether another release under the same program of a fact is told to be none of its releases.
    pub(super) fn is_of_another_program(&self, one: &Found<'c>) -> bool {
        let sections = one.keys.iter().skip(2).step_by(2);
        let depth = sections.take_while(|key| SECTIONS.contains(key)).count();
        // A fact and its program stand below the item.
        let program = one.keys.get(..2 * depth + 4);
        program.is_some_and(|program| {
            self.alike_before(one).any(|other| other.keys.starts_with(program))
        })
    }

    /// Whether a problem tells of another place, of which something is wrong itself.
    pub(super) fn is_of_another_place(&self, one: &Found<'c>) -> bool {
        one.problem.related.iter().any(|now| {
            let there = self.sources.keys_at(now.file, &now.span);
            let others = self.found.iter().filter(|other| other.is_of(now.file));
            let mut others = others.filter(|other| !is_same(other, one));
            let holds = |other: &Found<'c>| now.span.contains(&other.problem.span.start);
            let dispute = self.dispute_at(now.file, now.span.start);
            let is_wrong = |other: &Found<'c>| match one.problem.code {
                "answer-never-there"
                | "broken-chain"
                | "out-of-order"
                | "undeclared-contradiction" => holds(other),
                "path-parameter" => holds(other) || other.keys.starts_with(&there),
                // A dispute that decides nothing makes no value lose.
                "losing-value" => {
                    other.problem.code.ends_with("-dispute") && other.keys.starts_with(&there)
                }
                _ => false,
            };
            let is_gone =
                |other: &Found<'c>| other.is_unread || other.problem.code == "missing-since";
            let in_dispute = |other: &Found<'c>| {
                let start = &other.problem.span.start;
                dispute.is_some_and(|dispute| dispute.span.value.contains(start))
            };
            others.any(|other| {
                is_wrong(other)
                    || in_dispute(other)
                    || is_gone(other) && there.starts_with(&other.keys)
            })
        })
    }

    /// Whether a problem speaks of an object under the name that it had, where it has none under another.
    pub(super) fn is_of_a_renamed_object(&self, one: &Found<'c>) -> bool {
        let owner = match one.problem.code {
            "missing-parent" => one.keys.get(1).copied(),
            _ => self.text(one).rsplit_once('.').map(|(owner, _)| owner),
        };
        let mut objects = self.found.iter().filter(|other| other.problem.code == "wrong-object");
        owner.is_some() && objects.any(|other| other.keys.get(1).copied() == owner)
    }

    /// Whether an item says how it stands in for another, which its `replacement` does not name.
    pub(super) fn is_without_what_it_stands_in_for(&self, one: &Found<'c>) -> bool {
        let [section, id, "stands_in", ..] = one.keys[..] else { return false };
        let replacement = [section, id, "replacement"];
        self.found.iter().any(|other| other.keys == replacement)
    }

    /// Whether a value names another to be shown where it is not there yet, and its own Since is wrong.
    pub(super) fn is_shown_before_it_is_there(&self, one: &Found<'c>) -> bool {
        let value = one.keys.strip_suffix(&["on_older"]);
        value.is_some_and(|value| {
            let mut others = self.beside(one).filter(|other| other.speaks_of("since"));
            others.any(|other| other.keys.starts_with(value))
        })
    }

    /// Whether evidence is missing of the item already, or of another one in a file that has none for its items.
    pub(super) fn is_proven_with_another(&self, one: &Found<'c>) -> bool {
        let item = |one: &Found<'c>| match one.keys[..] {
            [ref item @ .., "since", _] => item.to_vec(),
            ref keys => keys.to_vec(),
        };
        let of_file = self.sources.node(one.problem.file, &["defaults", "evidence"]);
        let mut before = self.alike_before(one);
        before.any(|other| of_file.is_none() || item(one).starts_with(&item(other)))
    }

    /// Whether one before it points at the same place.
    pub(super) fn has_the_cause_of_another(&self, one: &Found<'c>) -> bool {
        let points_there = |other: &Found<'c>| {
            let mut pairs = other
                .problem
                .related
                .iter()
                .flat_map(|there| one.problem.related.iter().map(move |now| (there, now)));
            // A program's value stands in that of all.
            pairs.any(|(there, now)| {
                there.file == now.file
                    && there.span.start < now.span.end
                    && now.span.start < there.span.end
            })
        };
        let mut pointing = self.before(one).filter(|one| POINTING.contains(&one.problem.code));
        pointing.any(points_there)
    }

    /// Whether a text names a release that is told to be none, behind a sign.
    pub(super) fn names_no_release(&self, text: &str, sign: &str) -> bool {
        let codes = ["unknown-release", "unreleased-version"];
        let mut none = self.found.iter().filter(|other| codes.contains(&other.problem.code));
        none.any(|other| {
            let version = self.text(other).trim_matches('"');
            text.contains(&format!("{sign}{version}"))
        })
    }
}
