//! Problems as causes of each other: what follows from a mistake is not told beside it.

use crate::diagnostic::{Diagnostic, Report};
use crate::model::Mistake;
use crate::source::tree::YamlNode;
use crate::source::{FileId, Sources};

mod alike;
mod facts;
mod shape;
mod unread;

pub(crate) use unread::Unread;

/// The sections of an item whose entries are items of their own.
pub(crate) const SECTIONS: [&str; 5] = ["params", "response", "errors", "fields", "values"];

/// The code of a fact that stands beside its item, which seems to lack it.
pub(crate) const OUT_OF_ITEM: &str = "misplaced-key";

/// The keys of a life in a program, of which its evidence is.
pub(crate) const OF_A_LIFE: [&str; 7] =
    ["since", "works_since", "stub", "deprecated", "removed", "absent", "changed"];

/// The codes of problems that follow from one of another code in the same item or one around it, and the key under which that one stands.
const FOLLOWS: [(&str, &str); 67] = [
    ("answer-never-there", "since"),
    ("answer-never-there", "works_since"),
    ("broken-chain", "changed"),
    ("broken-chain", "max"),
    ("broken-chain", "required_when"),
    ("broken-chain", "success"),
    ("broken-chain", "when"),
    ("contradictory-required", "alternatives"),
    ("contradictory-required", "in"),
    ("evidence-too-old", "removed"),
    ("evidence-too-old", "since"),
    ("evidence-too-old", "works_since"),
    ("missing-condition", "alternatives"),
    ("missing-condition", "in"),
    ("missing-fact", "auth"),
    ("missing-fact", "in"),
    ("missing-fact", "includes"),
    ("missing-fact", "left_out"),
    ("missing-fact", "paging"),
    ("missing-fact", "required"),
    ("missing-fact", "returns"),
    ("missing-several", "several"),
    ("missing-words", "missing"),
    ("missing-words", "type"),
    ("never-together", "removed"),
    ("not-there", "changed"),
    ("older-than-container", "changed"),
    ("older-than-container", "since"),
    ("out-of-order", "removed"),
    ("out-of-order", "since"),
    ("path-parameter", "since"),
    ("unknown-reference", "deprecated"),
    ("unknown-value", "path"),
    ("unproven-presence", "absent_means"),
    ("unproven-presence", "evidence"),
    ("unproven-presence", "when"),
    ("wrong-absent-means", "absent_means"),
    ("wrong-absent-means", "changed"),
    ("wrong-absent-means", "evidence"),
    ("wrong-absent-means", "optional"),
    ("wrong-absent-means", "type"),
    ("wrong-arguments", "alternatives"),
    ("wrong-arguments", "params"),
    ("wrong-arguments", "path"),
    ("wrong-bounds", "type"),
    ("wrong-condition", "absent_means"),
    ("wrong-default", "in"),
    ("wrong-format", "type"),
    ("wrong-left-out", "changed"),
    ("wrong-left-out", "default"),
    ("wrong-left-out", "errors"),
    ("wrong-left-out", "in"),
    ("wrong-left-out", "left_out"),
    ("wrong-left-out", "method"),
    ("wrong-left-out", "required"),
    ("wrong-left-out", "required_when"),
    ("wrong-object", "members"),
    ("wrong-object", "type"),
    ("wrong-quirk", "changed"),
    ("wrong-quirk", "since"),
    ("wrong-quirk", "type"),
    ("wrong-several", "type"),
    ("wrong-stub", "method"),
    ("wrong-stub", "returns"),
    ("wrong-stub", "since"),
    ("wrong-stub", "works_since"),
    ("wrong-unlisted-values", "type"),
];

/// The codes of problems that follow from one of another code, of the same operation or type.
const KINDS: [(&str, &str); 10] = [
    ("answer-never-there", "stated-twice"),
    ("answer-never-there", "wrong-stub"),
    ("missing-fact", "path-parameter"),
    ("path-parameter", "stated-twice"),
    ("wrong-object", "lost-item"),
    ("wrong-object", "malformed-name"),
    ("wrong-object", "missing-fact"),
    ("wrong-source", "duplicate-id"),
    ("wrong-source", "malformed-name"),
    ("wrong-stub", "missing-fact"),
];

/// The codes of problems that point at their cause: a Since that is too late for all that comes before it, or a parameter that is required
/// where several ways of calling exclude it, or where something is said that does not fit.
const POINTING: [&str; 6] = [
    "answer-never-there",
    "broken-chain",
    "contradictory-required",
    "older-than-container",
    "out-of-order",
    "wrong-left-out",
];

/// A problem that was found, with the keys that lead to its place.
#[derive(Clone)]
struct Found<'c> {
    problem: &'c Diagnostic,
    keys: Vec<&'c str>,
    /// Nothing inside of it is read.
    is_unread: bool,
    /// A key is told of that has no value.
    is_empty: bool,
}

impl<'c> Found<'c> {
    fn new(sources: &'c Sources, problem: &'c Diagnostic) -> Self {
        let keys = sources.keys_at(problem.file, &problem.span);
        let is_empty = [Mistake::TYPE, "unknown-key"].contains(&problem.code)
            && sources.node(problem.file, &keys).is_some_and(YamlNode::is_null);
        Self { problem, is_unread: is_unknown(problem), is_empty, keys }
    }

    /// The keys that lead to what its place stands in.
    fn around(&self) -> Option<&[&'c str]> {
        self.keys.split_last().map(|(_, around)| around)
    }

    /// Whether it stands in what is under a key, or tells that the key is missing or misspelt.
    fn speaks_of(&self, key: &'static str) -> bool {
        self.keys.contains(&key) || self.problem.meant.contains(&key)
    }

    /// Whether a known key is told of that has no value.
    fn is_unfilled(&self) -> bool {
        self.problem.code == Mistake::TYPE && self.is_empty
    }

    fn is_of(&self, file: FileId) -> bool {
        self.problem.file == file
    }
}

/// The problems that were found, as causes of each other.
pub(crate) struct Causes<'c> {
    sources: &'c Sources,
    /// In their order, by file and place.
    found: Vec<Found<'c>>,
}

impl<'c> Causes<'c> {
    pub(crate) fn new(sources: &'c Sources, found: &'c [Diagnostic]) -> Self {
        Self { sources, found: found.iter().map(|one| Found::new(sources, one)).collect() }
    }

    /// The problems that no other one is the cause of.
    pub(crate) fn told(&self) -> Report {
        let mut is_told: Vec<bool> = self.found.iter().map(|one| !self.explain(one)).collect();
        // Where problems are each other's cause alone, the first is told.
        while let Some(first) = self.leads_to(&is_told).iter().position(|is_reached| !is_reached) {
            is_told[first] = true;
        }
        let left: Vec<_> = self.those(&is_told).map(|one| one.problem.clone()).collect();
        Report::new(alike::told_once(&left))
    }

    /// The problems that are told, and all of which these are the cause, themselves or through others.
    fn leads_to(&self, is_told: &[bool]) -> Vec<bool> {
        let mut reached = is_told.to_vec();
        let found = self.those(is_told).cloned().collect();
        let mut known = Self { sources: self.sources, found };
        loop {
            let before = known.found.len();
            let mut place = 0;
            for (is_reached, one) in reached.iter_mut().zip(&self.found) {
                if !*is_reached {
                    known.found.insert(place, one.clone());
                    *is_reached = known.explain(one);
                    if !*is_reached {
                        known.found.remove(place);
                        continue;
                    }
                }
                place += 1;
            }
            if known.found.len() == before {
                return reached;
            }
        }
    }

    fn those<'s>(&'s self, is_one: &'s [bool]) -> impl Iterator<Item = &'s Found<'c>> {
        let all = self.found.iter().zip(is_one);
        all.filter(|(_, is_one)| **is_one).map(|(found, _)| found)
    }

    /// Whether another problem is the cause of one.
    fn explain(&self, one: &Found<'c>) -> bool {
        // A version string that is misread has causes of its own alone.
        if one.problem.code == "misread-version" {
            return self.is_misread(one);
        }
        self.explain_kind(one)
            || self.is_told_there(one)
            || self.follows(one)
            || self.is_of_another_kind(one)
            || self.is_beside_a_double(one)
            || one.problem.code != OUT_OF_ITEM && !one.is_empty && self.has_a_fact_beside_it(one)
            || self.is_emptied(one)
            || self.is_behind_an_empty_one(one)
            || self.is_of_another_place(one)
            || self.is_of_the_same_dispute(one)
            || self.is_unread(one)
            || self.is_of_the_same_text(one)
    }

    /// Whether another problem is the cause of one by what problems of its kind follow from.
    fn explain_kind(&self, one: &Found<'c>) -> bool {
        let Diagnostic { code, message, .. } = one.problem;
        match *code {
            "missing-key" => self.has_it_elsewhere(one),
            "missing-parent" => self.is_of_a_renamed_object(one),
            "missing-since" => self.is_beside_another(one) || self.has_a_wrong_since(one),
            "needless-dispute" => self.is_about_a_wrong_item(one),
            "unused-object" => self.is_of_a_lost_type(one),
            "unknown-group" => self.is_of_a_lost_group(one) || self.is_told_before(one),
            "unknown-reference" => {
                self.is_of_lost_answers(one)
                    || self.is_without_what_it_stands_in_for(one)
                    || self.is_shown_before_it_is_there(one)
                    || self.is_of_a_renamed_object(one)
            }
            "unknown-release" => self.has_a_wrong_dispute(one) || self.is_of_another_program(one),
            "unreleased-version" => self.is_of_another_program(one),
            // A list of what another fact takes has no value of this one.
            "unknown-value" => {
                let depth = one.keys.iter().position(|key| *key == "changed");
                depth.is_some_and(|depth| self.is_mended_with_another(one, depth + 1))
            }
            "unproven-presence" => {
                self.unread().any(|other| other.problem.meant == ["held_against"])
            }
            "undeclared-contradiction" | "wrong-container" | "wrong-quirk" | "wrong-several" => {
                self.has_a_wrong_dispute(one)
            }
            "contradictory-required" | "wrong-left-out" => self.has_the_cause_of_another(one),
            "answer-never-there" => {
                self.has_the_cause_of_another(one) || self.has_a_wrong_dispute(one)
            }
            "older-than-container" | "out-of-order" => {
                self.has_the_cause_of_another(one)
                    || self.has_a_wrong_dispute(one)
                    || self.names_no_release(message, "")
            }
            // A comma ends a text and makes a key of the rest.
            "broken-chain" => {
                self.has_the_cause_of_another(one)
                    || self.has_a_wrong_dispute(one)
                    || self.has_an_unknown_key(one)
            }
            "wrong-summary" => self.has_an_unknown_key(one),
            // What is read as no map is none of a program either.
            "wrong-folder" => self
                .beside(one)
                .any(|other| other.problem.code == Mistake::TYPE && other.keys == one.keys),
            "never-together" => self.points_at_another(one),
            // The Since of an operation is that of all that its path holds.
            "path-parameter" => {
                self.has_a_wrong_dispute(one) || self.is_mended_with_another(one, 2)
            }
            "wrong-condition" => self.is_of_lost_answers(one),
            "unknown-key" => self.is_among_others(one),
            "wrong-place" => {
                let mut signs = ["@", "@v"].into_iter();
                self.has_a_wrong_proof(one)
                    || signs.any(|sign| self.names_no_release(self.text(one), sign))
            }
            // Without its source nobody knows which programs a value is of.
            "losing-value" => self.has_a_wrong_source(),
            "wrong-source" => self.has_a_source_twice(),
            "missing-evidence" => self.is_proven_with_another(one),
            "unknown-object" => {
                let name = |one: &Found<'c>| self.text(one).trim_end_matches("[]");
                self.alike_before(one).any(|other| name(other) == name(one))
            }
            // One mend is enough for what is told at each place that it follows from.
            "wrong-stub" | "wrong-bounds" | "left-out-value" => self.is_told_before(one),
            // A ring is told at the first of its fields.
            "endless-entity" => self.before(one).any(|other| other.problem.code == *code),
            _ => false,
        }
    }

    /// Whether the same words are told of a place before it, which is not around it.
    fn is_told_before(&self, one: &Found<'c>) -> bool {
        self.before(one).any(|other| {
            let is_around = other.problem.span.end >= one.problem.span.end;
            other.problem.message == one.problem.message
                && !(is_around && other.is_of(one.problem.file))
        })
    }

    /// Whether the same kind of problem is told of the same place already.
    fn is_told_there(&self, one: &Found<'c>) -> bool {
        let Diagnostic { code, file, span, .. } = one.problem;
        let place = |found: &Found<'_>| (found.problem.file, found.problem.span.start);
        let start = self.found.partition_point(|other| place(other) < (*file, span.start));
        let here = self.found[start..].iter().take_while(|other| !is_same(other, one));
        { here }.any(|other| other.problem.code == *code && other.problem.span == *span)
    }

    /// Whether another problem stands where one points at, or points there too.
    fn points_at_another(&self, one: &Found<'c>) -> bool {
        let others = || self.found.iter().filter(|other| other.problem.code != one.problem.code);
        one.problem.related.iter().any(|at| {
            others().any(|other| {
                let mut related = other.problem.related.iter();
                other.is_of(at.file) && other.problem.span == at.span
                    || related.any(|there| (there.file, &there.span) == (at.file, &at.span))
            })
        })
    }

    /// The problems before one.
    fn before(&self, one: &Found<'c>) -> impl Iterator<Item = &Found<'c>> {
        self.found.iter().take_while(move |other| !is_same(other, one))
    }

    /// The problems of the same kind before one in its file.
    fn alike_before(&self, one: &Found<'c>) -> impl Iterator<Item = &Found<'c>> {
        let (code, file) = (one.problem.code, one.problem.file);
        self.before(one).filter(move |other| other.problem.code == code && other.is_of(file))
    }

    /// The problems of the same file.
    fn beside(&self, one: &Found<'c>) -> impl Iterator<Item = &Found<'c>> + Clone {
        let file = one.problem.file;
        let start = self.found.partition_point(|other| other.problem.file < file);
        self.found[start..].iter().take_while(move |other| other.is_of(file))
    }

    /// The problems of keys that nobody reads, as the name is unknown or stands in a wrong place.
    fn unread(&self) -> impl Iterator<Item = &Found<'c>> {
        self.found.iter().filter(|one| one.is_unread)
    }

    /// The text that is underlined.
    fn text(&self, one: &Found<'c>) -> &'c str {
        self.sources.text(one.problem.file).get(one.problem.span.clone()).unwrap_or_default()
    }

    /// Whether another kind of problem of the same operation or type, or of a Since that is stated twice, is the cause of this kind.
    fn is_of_another_kind(&self, one: &Found<'c>) -> bool {
        let kinds = KINDS.iter().filter(|(follows, _)| *follows == one.problem.code);
        let is_of_it = |other: &Found<'c>| {
            // Of two statements nobody knows which one holds, wherever they stand.
            other.problem.code == "stated-twice" || other.keys.get(..2) == one.keys.get(..2)
        };
        { kinds }.any(|(_, cause)| {
            self.found.iter().any(|other| other.problem.code == *cause && is_of_it(other))
        })
    }

    /// Whether a problem follows from one of another code in the same item or one around it.
    fn follows(&self, one: &Found<'c>) -> bool {
        let keys = &one.keys;
        let code = one.problem.code;
        let follows = FOLLOWS.iter().filter(|(follows, _)| *follows == code);
        let causes: Vec<_> = follows.map(|(_, key)| *key).collect();
        // An item stands under a section and its id.
        let items = (2..=keys.len()).step_by(2).map(|depth| &keys[..depth]);
        let is_around = |there: &[&str]| {
            items.clone().any(|item| {
                let depth = item.len();
                let key = there.get(depth).filter(|_| there[..depth - 1] == item[..depth - 1]);
                // The name of a member begins with that of its object.
                let inner = key.and_then(|_| item[depth - 1].strip_prefix(there[depth - 1]));
                inner.is_some_and(|inner| inner.is_empty() || inner.starts_with('['))
                    && key.is_some_and(|key| causes.contains(key))
            })
        };
        // A stub without an end answers what is never there.
        let is_none = |other: &Found<'c>| {
            other.problem.code == code
                || (code, other.problem.code) == ("wrong-stub", "answer-never-there")
        };
        let mut rest = self.found.iter().filter(|other| !is_none(other));
        let is_meant = |other: &Found<'c>| {
            let around = match other.problem.code {
                "unknown-key" => other.around(),
                _ => Some(other.keys.as_slice()),
            };
            let mut meant = other.problem.meant.iter();
            around.is_some_and(|around| meant.any(|key| is_around(&[around, &[key]].concat())))
        };
        // What one contradicts is wrong itself, where something else contradicts it too.
        let is_pointed_at = |other: &Found<'c>| {
            let mut places = other.problem.related.iter();
            POINTING.contains(&other.problem.code)
                && !POINTING.contains(&code)
                && places.any(|now| is_around(&self.sources.keys_at(now.file, &now.span)))
        };
        !causes.is_empty()
            && rest.any(|other| is_around(&other.keys) || is_meant(other) || is_pointed_at(other))
    }
}

fn is_same(one: &Found<'_>, other: &Found<'_>) -> bool {
    std::ptr::eq(one.problem, other.problem)
}

/// Whether a problem is that something is not there.
fn is_missing(problem: &Diagnostic) -> bool {
    problem.code.starts_with("missing-") || problem.code == "feature-without-items"
}

/// Whether nothing inside of it is read.
fn is_unknown(problem: &Diagnostic) -> bool {
    let codes = [
        "unknown-key",
        "unknown-item",
        "unknown-object",
        "unknown-program",
        "wrong-folder",
        "malformed-id",
        "duplicate-id",
        "duplicate-key",
        "two-spellings",
        OUT_OF_ITEM,
        Mistake::TYPE,
    ];
    codes.contains(&problem.code)
}
