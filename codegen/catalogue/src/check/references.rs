//! References to other items: each exists, and the id that an item was renamed from does not.

use super::{Checker, element};
use crate::problems::NodePath;
use fedispec_model::api::{Enumeration, Item, Lack, Life, Operation, Param, Program, Since, Type};
use fedispec_model::suggest::did_you_mean;
use fedispec_since::StableVersion;

/// The words that `on_older` can be beside another value.
const INSTEAD: [&str; 2] = ["drop_element", "null"];

/// The greatest number of items that may replace each other.
const CHAIN: usize = 20;

impl<'a, 'n> Checker<'a, 'n> {
    pub(super) fn param_references(&mut self, param: &'n Param) {
        self.references(&param.item);
        self.is_proven_where_it_is(&param.item, |_| false);
        self.only(param);
        if let Some(id) = &param.limits.limit_from {
            self.exists(&param.item, "limit_from", id);
        }
        if let Some(id) = &param.words {
            self.exists(&param.item, "words", id);
        }
    }

    pub(super) fn references(&mut self, item: &'n Item) {
        self.is_undocumented(item);
        if let Some(id) = &item.replacement {
            self.exists(item, "replacement", id);
            self.is_another(item, id);
            self.is_there_instead(item, id);
        }
        if let Some(id) = &item.renamed_from {
            self.origin(item, id);
        }
    }

    /// Reports evidence of a fact in a program that was read at earlier releases than those that have the item. That it may be missing
    /// can be seen in any release.
    pub(super) fn is_proven_where_it_is(
        &mut self,
        item: &'n Item,
        may_be_missing: impl Fn(usize) -> bool,
    ) {
        let said = self.merged.ids.get(&item.id).into_iter().flatten();
        for (one, (of, proof)) in
            said.flat_map(|one| one.head.evidence.iter().map(move |it| (one, it)))
        {
            let source = self.sources.get(&proof.source);
            let (fact, key) =
                match (of.split_once('.'), source.and_then(|one| one.programs.as_deref())) {
                    (Some(both), _) => both,
                    (None, Some([key])) if of == "shape" => ("shape", key.as_str()),
                    _ => continue,
                };
            let program = self.api.column(key);
            let life = program.and_then(|at| item.life.get(at));
            let is_never = life.is_some_and(|it| it.since == Since::Never);
            if let Some(at) = program.filter(|_| is_never && fact != "shape") {
                // A fact can be what a program does without the item, and one that is stated is told itself.
                if fact != "facts" && !self.problems.stands(&one.place.under(&[fact, key])) {
                    self.has_no_proof(&item.id, at, &one.place, of);
                }
                continue;
            }
            let life = life.filter(|_| program.is_some_and(|at| !may_be_missing(at)));
            let since = life.and_then(|life| life.since.version());
            let read: Option<Vec<StableVersion>> =
                proof.tags().map(|tag| tag.trim_start_matches('v').parse().ok()).collect();
            let is_gone = |release: &StableVersion| {
                life.is_some_and(|life| {
                    matches!(life.lack_at(*release), Some(Lack::Since(_) | Lack::Between(..)))
                })
            };
            // Whoever removes an item does not look at its shape again.
            let stays = read.as_ref().filter(|_| fact != "shape");
            let first = stays.filter(|read| read.iter().all(is_gone));
            let first = first.and_then(|read| read.first());
            let newest = read.iter().flatten().max();
            let (message, help) = if let Some(first) = first {
                let message = format!("{first} was read, which no longer has `{}`", item.id);
                (message, "write the release that was read, or mend the end of the item")
            } else if let (Some(since), Some(newest)) = (since, newest)
                && *newest < since
            {
                let message =
                    format!("{newest} was read, which has no `{}`: it comes in {since}", item.id);
                (message, "write the release that was read, or mend the Since")
            } else {
                continue;
            };
            let place = one.place.then("evidence").then(of.as_str()).then("at");
            self.problems.value("evidence-too-old", &place, message, help);
        }
    }

    /// Reports evidence that an error is given by a program that never has the operation.
    pub(super) fn errors_are_proven(&mut self, operation: &'n Operation) {
        let Item { id, life, .. } = &operation.item;
        let statuses = operation.errors.iter().map(|error| format!("{id}.{}", error.status));
        let said = statuses.filter_map(|id| self.merged.ids.get(&id)).flatten();
        for (one, of) in said.flat_map(|one| one.head.evidence.keys().map(move |of| (one, of))) {
            let at = self.api.column(of).filter(|_| !one.head.since.contains_key(of));
            let is_never =
                |at: &usize| life.get(*at).is_some_and(|life| life.since == Since::Never);
            if let Some(at) = at.filter(is_never) {
                self.has_no_proof(id, at, &one.place, of);
            }
        }
    }

    fn has_no_proof(&mut self, id: &str, program: usize, said: &NodePath<'a>, of: &str) {
        let Program { name, key, .. } = &self.api.programs[program];
        let message = format!("{name} never has `{id}`, of which this is a proof");
        let place = said.then("evidence").then(of);
        // A source of another program is told as such.
        if self.problems.has("wrong-source", &place.then("source")) {
            return;
        }
        self.problems.key("wrong-source", &place, message, "remove it, or mend the Since");
        self.with_since(id, key, "its Since");
    }

    /// Checks the id that an item was renamed from: it is gone, was there, was of the same kind, and became one item.
    fn origin(&mut self, item: &'n Item, id: &'n str) {
        let was_there = self.merged.former.is_none_or(|ids| ids.contains(id));
        let other = self.renamed.insert(id, &item.id);
        let (code, message, help) = if self.merged.ids.contains_key(id) {
            let message = format!("`{}` cannot have been `{id}`, which is still there", item.id);
            ("live-origin", message, "take the old item away, or `renamed_from`".to_owned())
        } else if let Some(other) = other.filter(|other| *other != item.id) {
            let message = format!("both `{other}` and `{}` are renamed from `{id}`", item.id);
            let help = "one item has one name after another; keep one of the two";
            ("live-origin", message, help.to_owned())
        } else if kind(id) != kind(&item.id) {
            let message =
                format!("`{}` cannot have been `{id}`, which is no id of its kind", item.id);
            ("unknown-reference", message, "write the id that it had".to_owned())
        } else if !was_there && !self.merged.tombstones.contains_key(id) {
            let ids = self.merged.former.into_iter().flatten().map(String::as_str);
            let gone = ids.filter(|id| !self.merged.ids.contains_key(*id));
            let or_else =
                "write the id that it had, remove `renamed_from`, or leave a tombstone of that id";
            let message = format!("there never was an item `{id}`");
            ("unknown-reference", message, did_you_mean(id, gone, or_else))
        } else {
            return;
        };
        let Some(place) = self.place(&item.id, "renamed_from") else { return };
        self.problems.value(code, &place, message, help);
        if let Some(old) = self.merged.place(id) {
            self.problems.with_key(old, "it stands here");
        } else if let Some(other) = other.filter(|_| code == "live-origin") {
            self.with_fact(other, "renamed_from", "the other one");
        }
    }

    /// Checks that what a tombstone is of was there: in what was generated last, or before an item took another name.
    pub(super) fn tombstones_are_of_items(&mut self) {
        let Some(former) = self.merged.former else { return };
        for (id, stone) in &self.merged.tombstones {
            let was_there = former.contains(*id) || self.renamed.contains_key(id);
            if was_there || stone.body.never_existed || self.merged.ids.contains_key(*id) {
                continue;
            }
            let gone = former.iter().map(String::as_str);
            let gone = gone.filter(|id| !self.merged.ids.contains_key(*id));
            let or_else = "write the id that it had, or remove the tombstone";
            let message = format!("there never was an item `{id}`");
            let help = did_you_mean(id, gone, or_else);
            self.problems.key("unknown-reference", &stone.place, message, help);
        }
    }

    /// Checks that a replacement is another item, and is not replaced by this one in its turn.
    fn is_another(&mut self, item: &Item, id: &str) {
        let message = if *id == item.id {
            format!("`{id}` cannot be its own replacement")
        } else if let [others @ .., last] = &*self.circle(item)
            && { others.iter().chain([last]) }
                .all(|other| (is_over(item), &other.id) < (is_over(other), &item.id))
        {
            let ids = std::iter::once(item).chain(others.iter().copied());
            let ids: Vec<_> = ids.map(|one| format!("`{}`", one.id)).collect();
            format!("{} and `{}` replace each other", ids.join(", "), last.id)
        } else if kind(id) == (true, false) && kind(&item.id) != kind(id) {
            format!("`{id}` is a type as a whole, and no replacement of `{}`", item.id)
        } else if let (own, other) = (sort(&item.id), sort(id))
            && own != other
            && self.item(id).is_some()
            // What an operation answered may be a field of another answer.
            && own != "an operation"
        {
            format!("`{id}` is {other}, and no replacement of `{}`, which is {own}", item.id)
        } else {
            return;
        };
        let help = "name what came after it, or remove `replacement`";
        self.value("unknown-reference", &item.id, "replacement", message, help);
        if let Some(other) = self.place(id, "replacement").filter(|_| id != item.id) {
            self.problems.with_value(&other, "the other one");
        }
    }

    /// The other items that one is replaced by, and that are replaced by it in their turn.
    fn circle(&self, item: &Item) -> Vec<&'n Item> {
        let next = |one: &Item| self.item(one.replacement.as_deref()?);
        let chain = std::iter::successors(next(item), |one| next(one));
        // Another circle may be further on.
        let mut chain: Vec<_> = chain.take(CHAIN).collect();
        let end = chain.iter().position(|one| one.id == item.id).unwrap_or_default();
        chain.truncate(end);
        chain
    }

    /// Checks that a program which discourages an item has what is to be used instead.
    fn is_there_instead(&mut self, item: &'n Item, id: &str) {
        let Some(other) = self.item(id) else { return };
        // A circle is told as such.
        if !self.circle(item).is_empty() {
            return;
        }
        let lives = item.life.iter().zip(&other.life);
        let programs = self.api.programs.iter().zip(lives);
        let discourages = |(program, (own, instead)): (&'n Program, (&'n Life, &'n Life))| {
            own.deprecated.map(|since| (program, since, instead))
        };
        let is_none = |(_, since, instead): &(_, StableVersion, &Life)| {
            let comes = instead.effective;
            comes > Since::Since(*since) && comes != Since::Unknown
                || instead.removed.is_some_and(|gone| gone <= *since)
        };
        let has = |life: &Life| matches!(life.effective, Since::Since(_));
        let mut both = programs.clone().filter(|(_, (own, _))| has(own)).peekable();
        if both.peek().is_some() && both.all(|(_, (_, instead))| instead.effective == Since::Never)
        {
            let message = format!("no program with `{}` ever has `{id}`, its replacement", item.id);
            let help = "name what came after it";
            self.value("unknown-reference", &item.id, "replacement", message, help);
            return;
        }
        let Some((program, since, instead)) = programs.filter_map(discourages).find(is_none) else {
            return;
        };
        let (name, key) = (&program.name, &program.key);
        self.program = Some(key);
        let own = &item.id;
        if let Some(gone) = instead.removed.filter(|gone| *gone <= since) {
            let message = format!(
                "{name} discourages `{own}` since {since}, and `{id}`, its replacement, is gone in {gone}"
            );
            let help = "name what came after it, or mend one of the two";
            self.value("unknown-reference", own, "replacement", message, help);
        } else if let Since::Since(comes) = instead.effective {
            let message = format!(
                "{name} discourages `{own}` since {since}, before `{id}`, its replacement, comes in {comes}"
            );
            self.value("out-of-order", own, "deprecated", message, "mend one of the two");
            self.with_since(id, key, "it comes here");
        } else {
            let message =
                format!("{name} discourages `{own}` and never has `{id}`, its replacement");
            let help = "name what came after it, or mend one of the two";
            self.value("unknown-reference", own, "replacement", message, help);
        }
        self.program = None;
    }

    /// Checks that the documents have nothing that is said to be undocumented; what they spell otherwise is disputed.
    fn is_undocumented(&mut self, item: &Item) {
        let id = &item.id;
        let mut stated = self.merged.ids.get(id).into_iter().flatten();
        let Some(said) = stated.find(|one| one.head.undocumented) else { return };
        if self.merged.documents_have(id) && self.merged.disputes.place(id, "wire").is_none() {
            let message = format!("the documents have `{id}`");
            let place = said.place.then("undocumented");
            self.problems.key("wrong-origin", &place, message, "remove `undocumented`");
            if let Some(there) = self.merged.place(id) {
                self.problems.with_key(there, "it stands here");
            }
        }
    }

    pub(super) fn item(&self, id: &str) -> Option<&'n Item> {
        self.items.get(id).copied()
    }

    fn exists(&mut self, item: &Item, fact: &'static str, id: &str) {
        let ids = &self.merged.ids;
        if ids.contains_key(id) {
            return;
        }
        let place = self.place(&item.id, fact);
        if place.is_some_and(|place| self.merged.is_lost(id, &place, self.problems)) {
            return;
        }
        let of_group = self.merged.groups.contains_key(id).then(|| {
            let mut operations = self.api.operations.iter().map(|one| &*one.item.id);
            operations.find(|one| one.split_once('.').is_some_and(|(group, _)| group == id))
        });
        let help = if let Some(operation) = of_group.flatten() {
            format!("this is a group: name what stands in it, as `{operation}`")
        } else if let Some(meant) = self.merged.meant(id, &item.id) {
            format!("write `{meant}`: an id is whole, with dots for brackets")
        } else {
            let known = ids.keys().map(String::as_str).filter(|known| *known != item.id);
            did_you_mean(id, known, "write the id as `show` prints it")
        };
        let message = format!("there is no item `{id}`");
        self.value("unknown-reference", &item.id, fact, message, help);
    }

    /// Checks that older releases have the value that they are said to show.
    pub(super) fn on_older(&mut self, one: &Enumeration, value: &Item) {
        let Some(instead) = &value.on_older else {
            return;
        };
        if INSTEAD.contains(&instead.as_str()) {
            return;
        }
        let is_meant = |known: &&Item| known.wire == *instead && known.id != value.id;
        let (message, help) = match one.values.iter().find(is_meant) {
            None if *instead == value.wire => (
                format!("`{instead}` cannot stand for itself"),
                "name a value that was there before, or write `drop_element`".to_owned(),
            ),
            None => {
                let others = one.values.iter().map(|known| known.wire.as_str());
                let others = others.filter(|wire| *wire != value.wire).chain(INSTEAD);
                let or_else = "put it back, or write `drop_element`, `\"null\"`, or another value of the enumeration";
                (
                    format!(
                        "`{}` cannot show `{instead}` instead of `{}`",
                        one.item.id, value.wire
                    ),
                    did_you_mean(instead, others, or_else),
                )
            }
            // The second of the two is told.
            Some(known) if known.on_older.as_ref() == Some(&value.wire) && known.id < value.id => (
                format!("`{instead}` and `{}` stand in for each other", value.wire),
                "name the one that was there first in the other, alone".to_owned(),
            ),
            Some(known) if is_later(known, value, &one.item) => (
                format!("no release that lacks `{}` has `{instead}`", value.wire),
                "name a value that was there before, or write `drop_element`".to_owned(),
            ),
            Some(_) => return,
        };
        self.value("unknown-reference", &value.id, "on_older", message, help);
    }

    /// Checks that a stream brings values of an enumeration of events.
    pub(super) fn brings_events(&mut self, operation: &Operation) {
        let Type::Events(name) = &operation.returns else { return };
        let known = self.index.enumeration(name).filter(|one| one.values_known);
        let brings = |one: &Enumeration| one.values.iter().any(|value| value.payload.is_some());
        let is_sent = |ty: &Type| matches!(element(ty), Type::Enum(of) if of == name);
        let params = self.api.operations.iter().flat_map(|one| &one.params).map(|one| &one.r#type);
        let fields = self.api.entities.iter().flat_map(|one| &one.fields).map(|one| &one.r#type);
        if !known.is_none_or(brings) && params.chain(fields).any(is_sent) {
            let message = format!("no value of `{name}` has a payload: they are no events");
            let help = "name the enumeration of its events";
            self.value("wrong-type", &operation.item.id, "returns", message, help);
        }
    }

    /// Checks that a value that brings something is one of an enumeration of events.
    pub(super) fn payload(&mut self, one: &Enumeration, value: &Item) {
        let is_sent =
            |operation: &Operation| operation.returns == Type::Events(one.item.id.clone());
        if value.payload.is_some() && self.is_full() && !self.api.operations.iter().any(is_sent) {
            let message = format!("no stream brings the values of `{}`", one.item.id);
            let help = "remove `payload`, or name the enumeration in what a stream `returns`";
            self.value("unknown-reference", &value.id, "payload", message, help);
        }
        if let Some(payload) = &value.payload {
            let place = self.place(&value.id, "payload");
            if place.is_some_and(|place| self.problems.has("unknown-reference", &place)) {
                return;
            }
            if !matches!(payload, Type::Entity(_) | Type::Id(_) | Type::String) {
                let message = format!("`{}` brings no entity, id or text", value.id);
                let help = "name an entity, or the id of one, as `id<Status>`";
                self.value("wrong-type", &value.id, "payload", message, help);
                return;
            }
            self.is_there(value, payload, "payload", "brings");
        }
    }

    /// Checks that the only values that a parameter takes are values of its enumeration.
    fn only(&mut self, param: &Param) {
        let id = &param.item.id;
        let enumeration = match element(&param.r#type) {
            Type::Enum(name) => self.index.enumeration(name),
            _ => None,
        };
        match (enumeration, self.place(id, "only")) {
            (None, _) if !param.only.is_empty() => {
                let message = format!("`{id}` takes only some values of no enumeration");
                let help = "give it an enumeration as `type`, or take `only` away";
                self.key("unknown-reference", id, "only", message, help);
            }
            (Some(list), Some(place)) => {
                for (number, value) in param.only.iter().enumerate() {
                    let place = place.then(number.to_string());
                    let or_else = "add it to the enumeration";
                    self.is_listed("unknown-reference", &list.item.id, value, &place, or_else);
                }
            }
            _ => {}
        }
    }
}

/// Whether a program has another value no earlier than one, or never, and so has each that has this one later than their enumeration.
fn is_later(other: &Item, one: &Item, all: &Item) -> bool {
    let lives = other.life.iter().zip(&one.life).zip(&all.life);
    let lives = lives.filter(|((_, one), _)| one.since.version().is_some());
    let mut is_later = false;
    for ((other, one), all) in lives {
        let is_no_earlier =
            other.since > one.since || other.since == one.since && one.since > all.since;
        if is_no_earlier && other.since != Since::Unknown {
            is_later = true;
        } else if one.since > all.since {
            return false;
        }
    }
    is_later
}

/// Whether some program discourages an item or has dropped it, so that something else replaces it.
fn is_over(item: &Item) -> bool {
    item.life.iter().any(|life| life.deprecated.is_some() || life.removed.is_some())
}

/// What an item is by its id, as far as the replacement of one is another.
fn sort(id: &str) -> &'static str {
    match (kind(id), id.matches('.').count()) {
        ((true, false), _) => "a type",
        ((true, true), _) => "a part of a type",
        ((false, _), 0 | 1) => "an operation",
        ((false, _), _) => "a parameter",
    }
}

/// Tells the kind of an item by its id: whether it is or belongs to a type, and whether it is inside another item.
pub(super) fn kind(id: &str) -> (bool, bool) {
    let first = id.split('.').next().unwrap_or_default();
    let is_type = first.starts_with(|c: char| c.is_ascii_uppercase());
    (is_type, id.contains('.'))
}
