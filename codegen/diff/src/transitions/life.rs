//! The life of an item in each program: its Since, and everything that follows it.

use super::super::change::{Cause, Change};
use super::super::context::{ProgramPair, proof};
use super::super::gate;
use super::super::in_place;
use super::super::index::IndexedItem;
use super::super::pair::{Pair, Words, better, has_own_life};
use super::super::rules::{Fact, RuleId};
use super::super::stretch::versions;
use super::proof;
use fedispec_model::api::{Evidence, Life, Since};
use fedispec_model::change::{Change as InPlace, ChangedFact};
use fedispec_since::{Class, StableVersion};

pub(super) fn lives(pair: &mut Pair<'_, '_>) {
    let context = pair.context;
    let shape = pair.out.len();
    let told = has_own_life(pair.new);
    for program in &context.programs {
        let old = program.old_life(&pair.old.item().life);
        let new = program.new_life(&pair.new.item().life);
        match (old, new) {
            (Some(old), Some(new)) if told => {
                Lifetime { pair: &mut *pair, shape, program, old, new }.compare();
            }
            // The column itself came or went.
            _ => pair.keys.claim_life(program.key),
        }
    }
}

/// The life of an item in a program, in both states.
pub(super) struct Lifetime<'p, 'c, 'a> {
    pub(super) pair: &'p mut Pair<'c, 'a>,
    /// How many of its changes are of its shape.
    pub(super) shape: usize,
    pub(super) program: &'p ProgramPair<'a>,
    pub(super) old: &'a Life,
    pub(super) new: &'a Life,
}

impl Lifetime<'_, '_, '_> {
    fn compare(&mut self) {
        let from = self.pair.out.len();
        let since = self.claim("since");
        // Where only this differs, the container's Since differs, and the change is reported there.
        if since || self.container_moved() {
            self.claim("effective");
        }
        if since && !self.inherited() {
            self.since();
        }
        if (self.old.effective == Since::Never) != (self.new.effective == Since::Never) {
            // Whatever is said of an item in a program comes and goes with it.
            return self.pair.keys.claim_life(self.program.key);
        }
        if self.claim("works_since") {
            let [old, new] = [self.old, self.new].map(|life| when(life.works_since));
            let cause = self.cause(
                self.old.works_since.is_none(),
                self.new.works_since.and_then(Since::version),
            );
            let program = self.program.key;
            let message = format!(
                "{program} {}; it was said that {program} {}",
                works(self.pair.new, self.new, self.program.new),
                works(self.pair.old, self.old, self.program.old)
            );
            let versions = heeding_moved(self.old, self.new);
            let rule = RuleId::WorksSinceChanged;
            self.say_in(versions.as_ref(), rule, cause, (old, new, message));
        }
        // Where it works in all releases, that is told.
        if self.claim("stub") && self.new.works_since.is_some() {
            let stub = |life: &Life| match life.stub {
                Some(version) => format!("an empty list since {version}"),
                None => "something else than an empty list".to_owned(),
            };
            let [old, new] = [self.old, self.new].map(stub);
            let cause = self.cause(self.old.stub.is_none(), self.new.stub);
            let program = self.program.key;
            let message = format!("until it works, {program} answers {new}, was {old}");
            let begins = |life: &Life| {
                let works = life.works_since.and_then(Since::version);
                life.stub.map(|release| (Some(release), works))
            };
            let versions = versions(begins(self.old), begins(self.new));
            let rule = RuleId::WorksSinceChanged;
            self.say_in(versions.as_ref(), rule, cause, (old, new, message));
        }
        self.deprecated();
        self.removed();
        let follows = self.holes_follow() || self.moves_with_container(|life| life.absent.clone());
        if self.claim("absent") && !follows {
            let text = |life: &Life| {
                let holes = life.absent.iter();
                let holes = holes.map(|(from, until)| format!("from {from} until {until}"));
                let holes: Vec<_> = holes.collect();
                if holes.is_empty() { "in no release".into() } else { holes.join(", ") }
            };
            let [old, new] = [self.old, self.new].map(text);
            let latest = self.new.absent.iter().map(|&(from, _)| from).max();
            let cause = self.cause(self.old.absent.is_empty(), latest);
            let message = format!("is missing {new}, was missing {old}");
            self.say(RuleId::AbsenceChanged, cause, (old, new, message));
        }
        let told = self.held();
        self.with_others();
        self.changed(&told);
        self.evidence(since || self.pair.out.len() > from);
    }

    pub(super) fn claim(&mut self, key: &str) -> bool {
        self.pair.keys.claim(&format!("life.{}.{key}", self.program.key))
    }

    /// Reports a change, and hands it out with what follows from it for facts of the past.
    pub(super) fn say(
        &mut self,
        rule: RuleId,
        cause: Cause,
        words: impl Into<Words>,
    ) -> &mut [Change] {
        let Words { old, new, message } = words.into();
        let context = self.pair.context;
        let moves = matches!(rule.fact(), Fact::Since | Fact::Removed | Fact::Absence);
        let gate = moves.then(|| gate::moved(self.program, Some(self.old), Some(self.new)));
        let (before, after) = (self.pair.old, self.pair.new);
        let at_item = context.change(rule, cause, message, Some(before), Some(after));
        let change = Change {
            implementation: Some(self.program.key.to_owned()),
            old: Some(old),
            new: Some(new),
            gate: gate.flatten(),
            evidence: self.new.evidence.as_ref().map(proof).into_iter().collect(),
            base_at: context.old_place(self.old.at).or(at_item.base_at),
            head_at: context.new_place(self.new.at).or(at_item.head_at),
            ..at_item
        };
        let past = self.frozen(&change).or_else(|| self.rewritten(&change));
        let first = self.pair.out.len();
        self.pair.out.push(change);
        self.pair.out.extend(past);
        &mut self.pair.out[first..]
    }

    /// Reports a change that is about some releases.
    fn say_in(
        &mut self,
        versions: Option<&String>,
        rule: RuleId,
        cause: Cause,
        words: impl Into<Words>,
    ) {
        for said in self.say(rule, cause, words) {
            said.versions = versions.cloned();
        }
    }

    /// A Since of a release that was looked at is rewritten only with evidence of the item's own; the defaults of a file
    /// hold for whatever stands in it.
    fn rewritten(&self, change: &Change) -> Option<Change> {
        if change.rule.fact() != Fact::Since {
            return None;
        }
        let is_past = |since: &Since| match since {
            Since::Since(version) => *version <= self.program.newest,
            Since::Never => true,
            Since::Unknown => false,
        };
        let (old, new) = (&self.old.since, &self.new.since);
        // An item that first appears in a newer release is new, not rewritten. A Since that becomes unknown claims nothing.
        let is_rewritten = is_past(old)
            && match (old, new) {
                (_, Since::Unknown) => false,
                (Since::Never, new) => is_past(new),
                _ => true,
            };
        let evidence = self.new.evidence.as_ref();
        let owners = self.containers()[1].and_then(|(_, life)| life.evidence.as_ref());
        let is_proven = evidence.is_some_and(|evidence| {
            evidence.own.0
                && owners != Some(evidence)
                && proves_as_much(self.old.evidence.as_ref(), evidence)
        });
        if !is_rewritten || is_proven {
            return None;
        }
        let program = self.program.key;
        let message = format!(
            "its Since in {program} is rewritten and its evidence is not; name what proves it under `evidence.{program}` of the item"
        );
        let rule = RuleId::SinceRewrittenUnproven;
        let (before, after) = (self.pair.old, self.pair.new);
        let said = self.pair.context.change(rule, change.cause, message, Some(before), Some(after));
        Some(Change {
            implementation: change.implementation.clone(),
            old: change.old.clone(),
            new: change.new.clone(),
            evidence: change.evidence.clone(),
            base_at: change.base_at.clone(),
            head_at: change.head_at.clone(),
            ..said
        })
    }

    /// Facts about a past release are rewritten only with evidence.
    fn frozen(&self, change: &Change) -> Option<Change> {
        let freeze = self.program.freeze?;
        let old: StableVersion = change.old.as_deref()?.parse().ok()?;
        if old > freeze || change.cause == Cause::Editorial {
            return None;
        }
        let evidence = (self.old.evidence.as_ref(), self.new.evidence.as_ref());
        let is_own = evidence.1.is_some_and(|evidence| evidence.own.0);
        let proven = is_own && better(evidence.0, evidence.1);
        let (severity, how) = if proven {
            (change.severity, "with new evidence")
        } else {
            (change.severity.worse(), "without new evidence")
        };
        let program = self.program.key;
        Some(Change {
            rule: RuleId::FrozenFactChanged,
            severity,
            proven,
            gate: None,
            message: format!("a version at or below the freeze line of {program} changed {how}"),
            ..change.clone()
        })
    }

    fn cause(&self, unknown: bool, fact: Option<StableVersion>) -> Cause {
        match fact {
            Some(release) if release > self.program.newest => Cause::Evolution,
            Some(_) if unknown => Cause::Coverage,
            _ => Cause::Correction,
        }
    }

    fn since(&mut self) {
        let (old, new) = (self.old.since, self.new.since);
        let fact = new.version();
        let (rule, cause) = match (old, new) {
            (Since::Unknown, Since::Never) => (RuleId::SinceBecameKnown, Cause::Coverage),
            (Since::Unknown, _) => (RuleId::SinceBecameKnown, self.cause(true, fact)),
            (_, Since::Unknown) => (RuleId::SinceBecameUnknown, Cause::Correction),
            (Since::Never, _) => (RuleId::SinceBecameSupported, self.cause(false, fact)),
            (_, Since::Never) => (RuleId::SinceBecameUnsupported, Cause::Correction),
            _ if fact < old.version() => (RuleId::SinceMovedEarlier, Cause::Correction),
            _ => (RuleId::SinceMovedLater, self.cause(false, fact)),
        };
        let message = format!("{} since {new}, was {old}", self.program.key);
        self.say(rule, cause, (old, new, message));
    }

    fn deprecated(&mut self) {
        if !self.claim("deprecated") || self.moves_with_base(|life| life.deprecated) {
            return;
        }
        let (old, new) = (self.old.deprecated, self.new.deprecated);
        let (rule, cause) = match (old, new) {
            (None, Some(_)) => (RuleId::DeprecatedAdded, self.cause(true, new)),
            (_, None) => (RuleId::DeprecatedWithdrawn, Cause::Correction),
            (_, Some(_)) => (RuleId::DeprecatedMoved, self.cause(false, new)),
        };
        let program = self.program.key;
        let was = was(old);
        let message = match new {
            Some(new) => {
                format!("{program} discourages it since {new}{was}{}", instead(self.pair.new))
            }
            None => format!("{program} does not discourage it{was}"),
        };
        self.say(rule, cause, (or_not(old), or_not(new), message));
    }

    fn removed(&mut self) {
        if !self.claim("removed") || self.moves_with_base(|life| life.removed) {
            return;
        }
        let (old, new) = (self.old.removed, self.new.removed);
        let (rule, cause) = match (old, new) {
            (None, Some(_)) => {
                let noticed = self.new.deprecated.is_some();
                let rule =
                    if noticed { RuleId::RemovedAdded } else { RuleId::RemovedAddedUndeprecated };
                (rule, self.cause(true, new))
            }
            (_, None) => (RuleId::RemovedWithdrawn, Cause::Correction),
            (Some(old), Some(new)) if new < old => (RuleId::RemovedMovedEarlier, Cause::Correction),
            (Some(_), Some(_)) => (RuleId::RemovedMovedLater, self.cause(false, new)),
        };
        let program = self.program.key;
        let was = was(old);
        let mut message = match new {
            Some(new) => format!("{program} dropped it in {new}{was}{}", instead(self.pair.new)),
            None => format!("{program} did not drop it{was}"),
        };
        let (mut rule, mut cause) = (rule, cause);
        // What holds it may go at the same time, or before.
        if let [Some(end), still] = self.ends()
            && still == Some(end)
        {
            message = format!("{message}; what holds it is gone in {end}");
            (rule, cause) = (RuleId::StatementChanged, Cause::Editorial);
        }
        self.say(rule, cause, (or_not(old), or_not(new), message));
    }

    /// The release in which the program drops the item or what holds it, in each state.
    fn ends(&self) -> [Option<StableVersion>; 2] {
        let context = self.pair.context;
        let sides = [
            (&context.old, self.pair.old, self.program.old),
            (&context.new, self.pair.new, self.program.new),
        ];
        sides.map(|(index, node, place)| {
            let around = std::iter::successors(Some(node), |node| index.above(*node));
            around.filter_map(|node| node.item().life.get(place?)?.removed).min()
        })
    }

    /// Compares the changes in place, but for those of facts that are told to differ today.
    fn changed(&mut self, told: &[ChangedFact]) {
        if !self.claim("changed") || self.came_or_went() {
            return;
        }
        let program = self.program.key;
        let (before, after) = (&self.old.changed, &self.new.changed);
        let past = self.past();
        // The last change ends at today's value, which has a row of its own.
        let is_told = |change: &InPlace| past.contains(&change.what) || told.contains(&change.what);
        let came = after.iter().filter(|one| !before.contains(one) && !is_told(one));
        let went = before.iter().filter(|one| !after.contains(one) && !is_told(one));
        let (came, mut went): (Vec<_>, Vec<_>) = (came.collect(), went.collect());
        for change in came {
            let same = |was: &&InPlace| was.what == change.what;
            let was = went.iter().position(same).map(|at| went.remove(at));
            if self.explains(change) {
                continue;
            }
            let begin = was.map(|was| was.r#in);
            let is_words = change.what == ChangedFact::Meaning
                && was.is_some_and(|was| (was.r#in, &was.absent) == (change.r#in, &change.absent));
            let (rule, cause) = if is_words {
                (RuleId::DocsOnlyChanged, Cause::Editorial)
            } else {
                (RuleId::ChangeRecorded, self.cause(was.is_none(), Some(change.r#in)))
            };
            let (what, was) = (text(change), was.map(text));
            let before = was.as_ref().map(|was| format!(", was {was}")).unwrap_or_default();
            let message = format!("{program} changed {what}{before}");
            let was = was.unwrap_or_else(|| "nothing".into());
            let since = |release| Some((Some(release), None));
            let versions = versions(begin.and_then(since), since(change.r#in));
            self.say_in(versions.as_ref(), rule, cause, (was, what, message));
        }
        for change in went {
            if !self.explains(change) {
                let what = text(change);
                let message = format!("{program} did not change {what}");
                let words = (what, "nothing", message);
                let versions = versions(Some((Some(change.r#in), None)), None);
                let rule = RuleId::ChangeWithdrawn;
                self.say_in(versions.as_ref(), rule, Cause::Correction, words);
            }
        }
        if before.len() == after.len() && before.iter().all(|change| after.contains(change)) {
            let words = ("", "", "its changes in place stand in another order");
            self.say(RuleId::OrderOnlyChanged, Cause::Editorial, words);
        }
    }

    /// Whether a fork does what the program does that it is a fork of, in both states.
    fn moves_with_base<T: PartialEq>(&self, fact: impl Fn(&Life) -> T) -> bool {
        let [Some(old), Some(new)] = self.bases() else { return false };
        [old, new].map(&fact) == [self.old, self.new].map(&fact)
    }

    /// The item's life in the program that this one is a fork of, in both states.
    pub(super) fn bases(&self) -> [Option<&Life>; 2] {
        let base = self.pair.context.base(self.program);
        [
            base.and_then(|base| base.old_life(&self.pair.old.item().life)),
            base.and_then(|base| base.new_life(&self.pair.new.item().life)),
        ]
    }

    /// Whether a part does what it stands in does, in both states.
    fn moves_with_container<T: PartialEq>(&self, fact: impl Fn(&Life) -> T) -> bool {
        let [Some((_, old)), Some((_, new))] = self.containers() else { return false };
        [old, new].map(&fact) == [self.old, self.new].map(&fact)
    }

    /// Whether a difference of shape was said together with the recorded change that explains it.
    fn explains(&self, change: &InPlace) -> bool {
        self.pair.out[..self.shape].iter().any(|said| {
            let is_text = said.cause == Cause::Editorial;
            // Scopes go with the token, and those of the same effect are text.
            let is_of_scopes = change.what == ChangedFact::Scopes
                && said.keys == ["auth"]
                && (is_text || said.rule.fact() == Fact::Token);
            let is_explained = !is_text && in_place::explains(change, said.rule);
            said.implementation.as_deref() == Some(self.program.key)
                && (is_of_scopes || is_explained)
        })
    }

    /// Reports a change of evidence by itself only where the facts stay.
    fn evidence(&mut self, moved: bool) {
        let (old, new) = (self.old.evidence.as_ref(), self.new.evidence.as_ref());
        if !self.claim("evidence")
            || (moved && (new.is_some() || self.new.since == Since::Unknown))
            || self.inherited_evidence()
            || self.ownerless()
        {
            return;
        }
        let (rule, words) = proof::differing(&format!("Since in {}", self.program.key), old, new);
        self.say(rule, Cause::Editorial, words);
    }

    /// Whether the holes that one state alone has end before the item is there in the other, whose Since says so.
    fn holes_follow(&self) -> bool {
        let (old, new) = (self.old, self.new);
        let begin = old.effective.max(new.effective).version();
        let holes = { old.absent.iter().filter(|hole| !new.absent.contains(hole)) }
            .chain(new.absent.iter().filter(|hole| !old.absent.contains(hole)));
        let mut ends = holes.map(|(_, until)| *until);
        old.effective != new.effective && ends.all(|end| begin.is_none_or(|begin| end <= begin))
    }

    /// Whether the program is known to have the item in one of both states alone: its history comes and goes with it.
    fn came_or_went(&self) -> bool {
        let [was, is] = [self.old, self.new].map(|life| life.effective.version().is_some());
        was != is
    }

    /// Whether a part states no Since of its own, so that it changes with its owner: a line of `has` may say one of an item with its parts.
    fn inherited(&self) -> bool {
        let (old, new) = (self.pair.old, self.pair.new);
        let is_stated = self.old.at.is_some() || self.new.at.is_some();
        if !is_stated && made_of_parts(old) && made_of_parts(new) {
            return true;
        }
        let [Some(old), Some(new)] = self.containers() else {
            return false;
        };
        if is_stated && (self.old.at, self.new.at) != (old.1.at, new.1.at) {
            return false;
        }
        let told = old.1.at.is_some()
            || new.1.at.is_some()
            || !(made_of_parts(old.0) && made_of_parts(new.0));
        told && old.1.since == self.old.since && new.1.since == self.new.since
    }

    /// Whether a Since is derived from the item's parts in either state, so that it has no evidence of its own.
    fn ownerless(&self) -> bool {
        (self.old.at.is_none() && made_of_parts(self.pair.old))
            || (self.new.at.is_none() && made_of_parts(self.pair.new))
    }

    /// Whether the evidence is the owner's in both states, so that its change is reported there.
    fn inherited_evidence(&self) -> bool {
        let [Some(old), Some(new)] = self.containers() else {
            return false;
        };
        let dated =
            |(node, life): &(IndexedItem<'_>, &Life)| life.at.is_some() || !made_of_parts(*node);
        // An item without a Since of its own has that of its owner, with the evidence.
        let is_owners =
            |own: &Life, owner: &Life| own.at.is_none() || owner.evidence == own.evidence;
        dated(&old) && dated(&new) && is_owners(self.old, old.1) && is_owners(self.new, new.1)
    }

    /// The item's container in each state, with its life.
    fn containers(&self) -> [Option<(IndexedItem<'_>, &Life)>; 2] {
        let context = self.pair.context;
        let [old, new] = [context.old.above(self.pair.old), context.new.above(self.pair.new)];
        [
            old.and_then(|node| Some((node, self.program.old_life(&node.item().life)?))),
            new.and_then(|node| Some((node, self.program.new_life(&node.item().life)?))),
        ]
    }

    fn container_moved(&self) -> bool {
        let effective = |life: Option<&[Life]>, at: Option<usize>| {
            at.and_then(|at| life.and_then(|life| life.get(at))).map(|life| life.effective)
        };
        let old = effective(self.pair.old.container(), self.program.old);
        old != effective(self.pair.new.container(), self.program.new) || self.pair.new.derived()
    }
}

/// Its Since is the earliest of its parts', or that of the field which it is the object of.
fn made_of_parts(node: IndexedItem<'_>) -> bool {
    node.derived() || node.item().implied
}

/// Whether evidence is other than it was, proves no less, and is no mere inference.
fn proves_as_much(old: Option<&Evidence>, new: &Evidence) -> bool {
    old != Some(new) && new.class < Class::D && old.is_none_or(|old| new.class <= old.class)
}

/// The releases that heed it in one of two states alone.
fn heeding_moved(old: &Life, new: &Life) -> Option<String> {
    let heeds = |life: &Life| match life.works_since.unwrap_or(life.since) {
        Since::Since(release) => Some(Some((Some(release), None))),
        Since::Never => Some(None),
        Since::Unknown => None,
    };
    versions(heeds(old)?, heeds(new)?)
}

/// A change in place for a person.
fn text(change: &InPlace) -> String {
    let [from, to] =
        [change.from_text(), change.to_text()].map(|part| part.unwrap_or_else(|| "none".into()));
    let gaps = change.absent.iter();
    let gaps = gaps.map(|(from, until)| format!(", not from {from} until {until}"));
    let gaps: String = gaps.collect();
    format!("{} in {}{gaps}: {from} to {to}", change.what, change.r#in)
}

/// A Since for a person.
fn when(since: Option<Since>) -> String {
    since.map_or_else(|| "its Since".into(), |since| since.to_string())
}

/// A release that ends something, for a person.
fn or_not(version: Option<StableVersion>) -> String {
    version.map_or_else(|| "not".into(), |version| version.to_string())
}

/// The release in the other state, as the end of a sentence.
fn was(version: Option<StableVersion>) -> String {
    version.map(|version| format!(", was {version}")).unwrap_or_default()
}

/// Describes since when a program heeds what is sent and it has, or fills what it answers.
fn works(node: IndexedItem<'_>, life: &Life, column: Option<usize>) -> String {
    let is_answered = matches!(node, IndexedItem::Field(..) | IndexedItem::Entity(_));
    let [works, has, idles] = if is_answered {
        ["fills", "sends", "does not"]
    } else if life.stub.is_some() {
        ["serves", "has", "answers an empty list"]
    } else if matches!(node, IndexedItem::Operation(_)) {
        ["serves", "has", "does nothing by it"]
    } else {
        let refused = match node {
            IndexedItem::Param(_, param) => column.and_then(|at| param.refused.get(at)?.as_ref()),
            _ => None,
        };
        let idles = if refused.is_some() { "ignores or refuses it" } else { "ignores it" };
        ["heeds", "accepts", idles]
    };
    match life.works_since {
        None => format!("{works} it wherever it has it"),
        Some(Since::Never) => format!("{has} it and {works} it in no release"),
        Some(Since::Unknown) => format!("{has} it, and nobody knows since when it {works} it"),
        Some(Since::Since(version)) => format!("{works} it since {version} and {idles} before"),
    }
}

fn instead(node: IndexedItem<'_>) -> String {
    node.item().replacement.as_ref().map(|id| format!("; use {id}")).unwrap_or_default()
}
