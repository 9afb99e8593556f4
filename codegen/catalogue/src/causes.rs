//! Problems as causes of each other: what follows from a mistake is not told beside it.

use crate::diagnostic::{Diagnostic, Report};
use crate::model::Mistake;
use crate::source::tree::YamlNode;
use crate::source::{FileId, Sources};

mod alike;

/// The sections of an item whose entries are items of their own.
pub(crate) const SECTIONS: [&str; 5] = ["params", "response", "errors", "fields", "values"];

/// The code of a fact that stands beside its item, which seems to lack it.
pub(crate) const OUT_OF_ITEM: &str = "misplaced-key";

/// The codes of problems that follow from one of another code in the same item or one around it, and the key under which that one stands.
const FOLLOWS: [(&str, &str); 52] = [
    ("answer-never-there", "since"),
    ("answer-never-there", "works_since"),
    ("broken-chain", "changed"),
    ("broken-chain", "max"),
    ("contradictory-required", "alternatives"),
    ("contradictory-required", "in"),
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
    ("older-than-container", "changed"),
    ("older-than-container", "since"),
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
    ("wrong-left-out", "errors"),
    ("wrong-left-out", "in"),
    ("wrong-left-out", "left_out"),
    ("wrong-left-out", "method"),
    ("wrong-left-out", "required"),
    ("wrong-left-out", "required_when"),
    ("wrong-object", "members"),
    ("wrong-quirk", "changed"),
    ("wrong-stub", "method"),
    ("wrong-stub", "returns"),
    ("wrong-stub", "since"),
    ("wrong-unlisted-values", "type"),
];

/// The codes of problems that point at their cause: a Since that is too late for all that comes before it, or a parameter that is required
/// where several ways of calling exclude it, or where something is said that does not fit.
const POINTING: [&str; 5] = [
    "answer-never-there",
    "contradictory-required",
    "older-than-container",
    "out-of-order",
    "wrong-left-out",
];

/// A problem that was found, with the keys that lead to its place.
struct Found<'c> {
    problem: &'c Diagnostic,
    keys: Vec<&'c str>,
}

impl Found<'_> {
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
        let keys = |one: &Diagnostic| sources.keys_at(one.file, &one.span);
        let found = found.iter().map(|problem| Found { problem, keys: keys(problem) }).collect();
        Self { sources, found }
    }

    /// The problems that no other one is the cause of.
    pub(crate) fn told(&self) -> Report {
        let told = |is_told: fn(&Self, &Found<'c>) -> bool| -> Vec<Diagnostic> {
            let found = self.found.iter().filter(|one| is_told(self, one));
            found.map(|one| one.problem.clone()).collect()
        };
        let mut left = told(|causes, one| !causes.explain(one));
        // Where nothing would be told, as problems are each other's cause, all is.
        if left.is_empty() {
            left = told(|_, _| true);
        }
        Report::new(alike::told_once(&left))
    }

    /// Whether another problem is the cause of one.
    fn explain(&self, one: &Found<'c>) -> bool {
        match one.problem.code {
            "misread-version" => self.is_misread(one),
            "missing-key" if self.has_it_elsewhere(one) => true,
            "unknown-group" if self.is_of_a_lost_group(one) => true,
            "unknown-reference" | "wrong-condition" if self.is_of_lost_answers(one) => true,
            "wrong-object" if self.has_a_malformed_member(one) => true,
            "needless-dispute" if self.is_about_a_wrong_item(one) => true,
            code if POINTING.contains(&code) && self.has_the_cause_of_another(one) => true,
            "answer-never-there" if self.has_a_second_since() => true,
            "older-than-container" if self.names_no_release(&one.problem.message, "") => true,
            // A comma ends a text and makes a key of the rest.
            "broken-chain" | "wrong-summary" if self.has_an_unknown_key(one) => true,
            "undeclared-contradiction"
            | "unknown-release"
            | "path-parameter"
            | "older-than-container"
            | "out-of-order"
            | "wrong-quirk"
                if self.has_a_wrong_dispute(one) =>
            {
                true
            }
            code if code != OUT_OF_ITEM
                && !self.is_empty(one)
                && self.has_a_fact_beside_it(one) =>
            {
                true
            }
            "wrong-stub" if self.is_incomplete(one) => true,
            "missing-since" if self.is_beside_another(one) || self.has_a_wrong_since(one) => true,
            "wrong-place"
                if ["@", "@v"].iter().any(|sign| self.names_no_release(self.text(one), sign)) =>
            {
                true
            }
            "answer-never-there" if self.is_of_a_wrong_stub(one) => true,
            "unknown-reference" if self.is_without_what_it_stands_in_for(one) => true,
            "unproven-presence"
                if self.unread().any(|other| other.problem.meant == ["held_against"]) =>
            {
                true
            }
            "missing-parent" | "unknown-reference" if self.is_of_a_renamed_object(one) => true,
            _ if self.follows(one) || self.is_beside_a_double(one) => true,
            // Without its source nobody knows which programs a value is of.
            "losing-value" if self.has_a_wrong_source() => true,
            // One mend is enough for what is told at each place that it follows from.
            "unknown-group" | "wrong-stub" | "wrong-bounds" => {
                self.before(one).any(|other| other.problem.message == one.problem.message)
            }
            "unknown-release" | "unreleased-version" if self.is_of_another_program(one) => true,
            _ => {
                self.is_emptied(one)
                    || self.is_behind_an_empty_one(one)
                    || self.is_of_another_place(one)
                    || self.is_unread(one)
                    || self.is_of_the_same_text(one)
            }
        }
    }

    /// The problems before one.
    fn before(&self, one: &Found<'c>) -> impl Iterator<Item = &Found<'c>> {
        self.found.iter().take_while(move |other| !is_same(other, one))
    }

    /// The problems of the same file.
    fn beside(&self, one: &Found<'c>) -> impl Iterator<Item = &Found<'c>> + Clone {
        let file = one.problem.file;
        let start = self.found.partition_point(|other| other.problem.file < file);
        self.found[start..].iter().take_while(move |other| other.is_of(file))
    }

    /// The problems of keys that nobody reads, as the name is unknown or stands in a wrong place.
    fn unread(&self) -> impl Iterator<Item = &Found<'c>> {
        self.found.iter().filter(|one| is_unknown(one.problem))
    }

    /// Whether a key that is missing stands elsewhere in the file or under another name, or has a wrong value.
    fn has_it_elsewhere(&self, one: &Found<'c>) -> bool {
        let missing = &one.problem.meant;
        self.beside(one).filter(|other| !is_same(other, one)).any(|other| {
            let key = other.keys.last();
            let is_it = key.is_some_and(|key| missing.contains(key));
            let is_gone = is_unknown(other.problem) || other.keys.starts_with(&one.keys);
            is_it && is_gone || is_unknown(other.problem) && other.problem.meant == *missing
        })
    }

    /// Whether nobody reads the key of a group, or of all groups.
    fn is_of_a_lost_group(&self, one: &Found<'c>) -> bool {
        let group = self.text(one).split('.').next().unwrap_or_default();
        self.unread()
            .any(|other| other.keys.last().is_some_and(|key| *key == "groups" || *key == group))
    }

    /// Whether a condition speaks of what is answered, and nobody can read what an operation answers.
    fn is_of_lost_answers(&self, one: &Found<'c>) -> bool {
        one.keys.contains(&"when")
            && self.found.iter().filter(|other| !other.keys.contains(&"when")).any(|other| {
                let is_of_operations = other.keys.first() == Some(&"operations");
                let is_lost = is_unknown(other.problem) && other.keys.len() < 3;
                let says =
                    other.keys.contains(&"returns") || other.problem.meant.contains(&"returns");
                is_of_operations && (is_lost || says)
            })
    }

    /// Whether a name with brackets beside an object is malformed, which may be that of its member.
    fn has_a_malformed_member(&self, one: &Found<'c>) -> bool {
        let mut malformed = self.beside(one).filter(|other| other.problem.code == "malformed-name");
        malformed.any(|other| other.keys.get(..3) == one.keys.get(..3))
    }

    /// Whether a key is unknown in the item that a dispute is about.
    fn is_about_a_wrong_item(&self, one: &Found<'c>) -> bool {
        let item = self.disputed(one);
        self.unread().any(|other| {
            let names = other.keys.iter().skip(1).step_by(2).copied();
            let names: Vec<_> = names.collect();
            (1..=names.len()).any(|count| item == Some(&names[..count].join(".")))
        })
    }

    /// The item that the dispute is about in which a problem stands.
    fn disputed(&self, one: &Found<'c>) -> Option<&'c str> {
        let all = self.sources.node(one.problem.file, &["disputes"]);
        let mut all = all.into_iter().flat_map(YamlNode::children).map(|(_, node)| node);
        let start = one.problem.span.start;
        let dispute = all.find(|node| node.span.value.contains(&start));
        dispute?.child("item")?.text()
    }

    /// Whether another release under the same program of a fact is told to be none of its releases.
    fn is_of_another_program(&self, one: &Found<'c>) -> bool {
        let sections = one.keys.iter().skip(2).step_by(2);
        let depth = sections.take_while(|key| SECTIONS.contains(key)).count();
        // A fact and its program stand below the item.
        let program = one.keys.get(..2 * depth + 4);
        program.is_some_and(|program| {
            self.before(one).any(|other| {
                other.is_of(one.problem.file)
                    && other.problem.code == one.problem.code
                    && other.keys.starts_with(program)
            })
        })
    }

    /// Whether a key of the item is unknown, which the fact that changed may be meant by.
    fn has_an_unknown_key(&self, one: &Found<'c>) -> bool {
        self.beside(one).any(|other| {
            let around = other.keys.split_last().map(|(_, around)| around);
            other.problem.code == "unknown-key" && around.is_some_and(|it| one.keys.starts_with(it))
        })
    }

    /// Whether a Since is stated twice, of which nobody knows which one holds.
    fn has_a_second_since(&self) -> bool {
        self.found.iter().any(|other| other.problem.code == "stated-twice")
    }

    /// Whether something is wrong with a source.
    fn has_a_wrong_source(&self) -> bool {
        self.found.iter().any(|other| other.keys.first() == Some(&"sources"))
    }

    /// Whether something is wrong with a dispute about the item.
    fn has_a_wrong_dispute(&self, one: &Found<'c>) -> bool {
        let owner = one.keys.get(1).copied().unwrap_or_default();
        self.found.iter().any(|other| {
            let is_dispute = other.keys.first() == Some(&"disputes");
            let item = self.disputed(other);
            let is_another = other.problem.code != one.problem.code;
            is_dispute && is_another && item.is_none_or(|item| item.starts_with(owner))
        })
    }

    /// Whether a fact stands beside the item, in this layer or in one above.
    fn has_a_fact_beside_it(&self, one: &Found<'c>) -> bool {
        let mut beside = self.found.iter().filter(|other| other.problem.code == OUT_OF_ITEM);
        beside.any(|other| {
            let section = other.keys.split_last().map(|(_, around)| around);
            section.is_some_and(|section| one.keys.starts_with(section))
        })
    }

    /// Whether an item says how it stands in for another, which its `replacement` does not name.
    fn is_without_what_it_stands_in_for(&self, one: &Found<'c>) -> bool {
        let [section, id, "stands_in", ..] = one.keys[..] else { return false };
        let replacement = [section, id, "replacement"];
        self.found.iter().any(|other| other.keys == replacement)
    }

    /// Whether a stub of the same operation is wrong.
    fn is_of_a_wrong_stub(&self, one: &Found<'c>) -> bool {
        let mut stubs = self.found.iter().filter(|other| other.problem.code == "wrong-stub");
        stubs.any(|other| other.keys.get(..2) == one.keys.get(..2))
    }

    /// Whether a fact of the same item is missing.
    fn is_incomplete(&self, one: &Found<'c>) -> bool {
        let mut missing = self.found.iter().filter(|other| other.problem.code == "missing-fact");
        missing.any(|other| other.keys.get(..2) == one.keys.get(..2))
    }

    /// Whether one before it of the same item tells that a Since is missing.
    fn is_beside_another(&self, one: &Found<'c>) -> bool {
        self.before(one).any(|other| {
            other.is_of(one.problem.file)
                && other.problem.code == one.problem.code
                && other.keys.get(..2) == one.keys.get(..2)
        })
    }

    /// Whether a Since of the same item is wrong, or of what is inside of it, in this file or another.
    fn has_a_wrong_since(&self, one: &Found<'c>) -> bool {
        self.found.iter().any(|other| {
            let is_since = other.keys.contains(&"since") || other.problem.meant == ["since"];
            let is_another = other.problem.code != one.problem.code;
            is_another && is_since && other.keys.get(..2) == one.keys.get(..2)
        })
    }

    /// Whether a key stands twice in what the problem is about, of which nobody knows which one holds.
    fn is_beside_a_double(&self, one: &Found<'c>) -> bool {
        let mut double = self.beside(one).filter(|other| other.problem.code == "duplicate-key");
        one.problem.code != "duplicate-key"
            && !self.is_empty(one)
            && double.any(|other| {
                let around = other.keys.split_last().map(|(_, around)| around);
                around.is_some_and(|around| around.len() > 1 && one.keys.starts_with(around))
            })
    }

    /// Whether one before it points at the same place.
    fn has_the_cause_of_another(&self, one: &Found<'c>) -> bool {
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
    fn names_no_release(&self, text: &str, sign: &str) -> bool {
        let mut none = self.found.iter().filter(|other| other.problem.code == "unknown-release");
        none.any(|other| {
            let version = self.text(other).trim_matches('"');
            text.contains(&format!("{sign}{version}"))
        })
    }

    /// Whether a problem speaks of an object under the name that it had, where it has none under another.
    fn is_of_a_renamed_object(&self, one: &Found<'c>) -> bool {
        let owner = match one.problem.code {
            "missing-parent" => one.keys.get(1).copied(),
            _ => self.text(one).rsplit_once('.').map(|(owner, _)| owner),
        };
        let mut objects = self.found.iter().filter(|other| other.problem.code == "wrong-object");
        owner.is_some() && objects.any(|other| other.keys.get(1).copied() == owner)
    }

    /// The text that is underlined.
    fn text(&self, one: &Found<'c>) -> &'c str {
        self.sources.text(one.problem.file).get(one.problem.span.clone()).unwrap_or_default()
    }

    /// Whether a version string is misread because of another mistake in its file, or because a fork has no base.
    fn is_misread(&self, one: &Found<'c>) -> bool {
        let bases = ["unknown-program", "circular-base"];
        self.beside(one).any(|other| other.problem.code != one.problem.code)
            || self.found.iter().any(|other| bases.contains(&other.problem.code))
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
            let mut inside = items.clone().filter_map(|item| there.strip_prefix(item)?.first());
            inside.any(|key| causes.contains(key))
        };
        // A stub without an end answers what is never there.
        let is_none = |other: &Found<'c>| {
            other.problem.code == code
                || (code, other.problem.code) == ("wrong-stub", "answer-never-there")
        };
        let mut rest = self.found.iter().filter(|other| !is_none(other));
        let is_meant = |other: &Found<'c>| {
            let around = match other.problem.code {
                "unknown-key" => other.keys.split_last().map(|(_, around)| around),
                _ => Some(other.keys.as_slice()),
            };
            let mut meant = other.problem.meant.iter();
            around.is_some_and(|around| meant.any(|key| is_around(&[around, &[key]].concat())))
        };
        !causes.is_empty() && rest.any(|other| is_around(&other.keys) || is_meant(other))
    }

    /// Whether a section is empty because its parts are indented too little.
    fn is_emptied(&self, one: &Found<'c>) -> bool {
        let node = |one: &Found<'c>| self.sources.node(one.problem.file, &one.keys);
        let is_beside = |other: &Found<'c>| {
            other.keys.split_last().map(|(_, around)| around)
                == one.keys.split_last().map(|(_, around)| around)
        };
        let text = self.sources.text(one.problem.file);
        let is_next = |other: &Found<'c>| {
            let between = text.get(one.problem.span.end..other.problem.span.start);
            between.is_some_and(|between| between.trim_start_matches(':').trim().is_empty())
        };
        let is_part = |other: &Found<'c>| {
            other.problem.code == "unknown-key"
                && is_beside(other)
                && (is_next(other) || node(other).is_some_and(|node| node.map().is_some()))
        };
        one.problem.code == Mistake::TYPE && self.is_empty(one) && self.beside(one).any(is_part)
    }

    /// Whether a key before it in the same map has no value, and what follows may belong to it, or not to what is around.
    fn is_behind_an_empty_one(&self, one: &Found<'c>) -> bool {
        let start = |one: &Found<'_>| one.problem.span.start;
        self.beside(one).filter(|other| self.is_empty(other)).any(|empty| {
            let around = empty.keys.split_last().map(|(_, around)| around);
            let Some(around) = around.filter(|around| !around.is_empty()) else { return false };
            // Of the keys that belong to it the first is told.
            let mut behind = self
                .beside(one)
                .filter(|other| start(empty) < start(other) && other.keys.starts_with(around));
            let is_told = |other: &Found<'c>| {
                other.problem.code == "unknown-key" && start(other) < start(one)
            };
            start(empty) < start(one)
                && one.keys.starts_with(around)
                && (!self.is_emptied(empty) || behind.any(is_told))
        })
    }

    /// Whether a key is told of that has no value.
    fn is_empty(&self, one: &Found<'c>) -> bool {
        let node = self.sources.node(one.problem.file, &one.keys);
        [Mistake::TYPE, "unknown-key"].contains(&one.problem.code)
            && node.is_some_and(YamlNode::is_null)
    }

    /// Whether a problem tells of another place, of which something is wrong itself.
    fn is_of_another_place(&self, one: &Found<'c>) -> bool {
        one.problem.related.iter().any(|now| {
            let there = self.sources.keys_at(now.file, &now.span);
            let mut found = self.found.iter().filter(|other| other.is_of(now.file));
            let holds = |other: &Found<'c>| now.span.contains(&other.problem.span.start);
            let is_wrong = match one.problem.code {
                "answer-never-there" | "broken-chain" | "path-parameter" => found.any(holds),
                // A dispute that decides nothing makes no value lose.
                "losing-value" => found.any(|other| {
                    other.problem.code.ends_with("-dispute") && other.keys.starts_with(&there)
                }),
                _ => false,
            };
            let is_gone = |other: &&Found<'c>| {
                is_unknown(other.problem) || other.problem.code == "missing-since"
            };
            is_wrong
                || self.found.iter().filter(is_gone).any(|other| {
                    let is_other = !is_same(other, one) && other.is_of(now.file);
                    is_other && there.starts_with(&other.keys)
                })
        })
    }

    /// Whether a problem stands in what nobody reads, or tells that something is missing which has a name that is unknown.
    fn is_unread(&self, one: &Found<'c>) -> bool {
        let Found { problem, keys } = one;
        let is_itself = is_unknown(problem);
        let mut here = self.unread().filter(|other| other.is_of(problem.file));
        let is_of_condition = matches!(problem.code, "wrong-condition" | "missing-condition");
        let around = keys.split_last().filter(|_| is_of_condition);
        if here.any(|other| {
            keys.starts_with(&other.keys) && (!is_itself || keys.len() > other.keys.len())
                || around.is_some_and(|(_, around)| other.keys.starts_with(around))
        }) {
            return true;
        }
        let is_missing = is_missing(problem) && !keys.is_empty();
        let mut defaults = self.beside(one).filter(|other| other.keys.first() == Some(&"defaults"));
        is_missing
            && (defaults.next().is_some()
                || self.unread().any(|other| {
                    let inside = other.keys.strip_prefix(keys.as_slice()).map(<[_]>::first);
                    inside.is_some_and(|key| key.is_none_or(|key| !SECTIONS.contains(key)))
                }))
    }

    /// Whether a problem is about a text of which a part is wrong, or about a word that is told of already.
    fn is_of_the_same_text(&self, one: &Found<'c>) -> bool {
        let problem = one.problem;
        let span = &problem.span;
        let is_word = !self.text(one).starts_with(['[', '{']);
        let is_first = |one: &Diagnostic| {
            is_unknown(one) || ["unknown-release", "unreleased-version"].contains(&one.code)
        };
        // A version string that is misread has a cause, and is none.
        let is_none = |other: &Diagnostic| other.code == "misread-version";
        let mut is_before = true;
        !is_missing(problem)
            && self.beside(one).any(|other| {
                is_before &= !is_same(other, one);
                let other = other.problem;
                let is_same = other.span == *span;
                let is_inside =
                    span.start <= other.span.start && other.span.end <= span.end && !is_same;
                let is_cause = is_first(other) && !is_first(problem)
                    || is_before && is_first(other) == is_first(problem);
                let alike = is_word || other.code == problem.code;
                !is_none(other) && (is_inside || is_same && alike && is_cause)
            })
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
