//! What an item names is there in each release that has the item, of each program.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::vocabulary::NAMED_BY;
use super::{Checker, element};
use crate::problems::NodePath;
use fedispec_model::api::{Field, Item, Lack, Life, Operation, Param, Program, Since, State, Type};
use fedispec_model::auth;
use fedispec_model::change::ChangedFact;
use fedispec_model::notation::{is_name, type_text};
use fedispec_since::{Location, Paging, Presence, StableVersion, TokenKind, scopes};
use serde_json::json;

/// A stretch of releases: the first one, and the first after it.
type Stretch = (Option<StableVersion>, Option<StableVersion>);

/// The id of an item, and its life in a program.
type Other<'n> = (Cow<'n, str>, &'n Life);

/// What an item names under one of its facts, in a stretch of releases of a program.
struct Named<'n> {
    item: &'n Item,
    fact: &'static str,
    program: usize,
    stretch: Stretch,
    /// Items of which one has to be there, each with its life in the program.
    others: Vec<Other<'n>>,
    /// How it may lack all of them.
    may: May,
}

/// What is told elsewhere, or no mistake, where something lacks what it names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum May {
    /// That it comes later, or never.
    Lack,
    /// That it comes later.
    ComeLater,
    /// That it never is, or is absent for a while.
    BeAbsent,
    /// Nothing is.
    Nothing,
}

/// An item that is not there where another one names it.
struct Lost<'n> {
    item: &'n Item,
    fact: &'static str,
    program: usize,
    until: Option<StableVersion>,
    release: StableVersion,
    other: Cow<'n, str>,
    lack: Lack,
}

impl<'n> Named<'n> {
    /// The first release that has the item and heeds it, and has none of what it names.
    fn lost(self, checker: &Checker<'_, 'n>) -> Option<Lost<'n>> {
        let life = self.item.life.get(self.program)?;
        let (from, until) = self.stretch;
        let others = self.others.iter().flat_map(|(_, other)| other.turns());
        let mut releases: Vec<_> = life.turns().chain(from).chain(others).collect();
        releases.sort_unstable();
        // Of several the one that may still come, else the first.
        let lack_at = |release: StableVersion| {
            let lack = |(id, other): &Other<'n>| Some((id.clone(), other.lack_at(release)?));
            let lacks = self.others.iter().map(lack).collect::<Option<Vec<_>>>()?;
            let comes = lacks.iter().position(|(_, lack)| matches!(lack, Lack::Until(_)));
            lacks.into_iter().nth(comes.unwrap_or_default())
        };
        let is_refusal = self.fact == "refused";
        let is_within = |release: &StableVersion| {
            from.is_none_or(|from| from <= *release)
                && until.is_none_or(|until| *release < until)
                // What sets it is refused where it is not heeded.
                && (life.is_heeded_at(*release) || is_refusal && life.lack_at(*release).is_none())
                // What is discouraged may be left without it.
                && life.deprecated.is_none_or(|deprecated| *release < deprecated)
        };
        let has_what_is_around = |release| {
            let lives = checker.around(&self.item.id).filter_map(|it| it.life.get(self.program));
            { lives }.all(|outer| outer.lack_at(release).is_none())
        };
        let (release, other, lack) =
            { releases }.into_iter().filter(is_within).find_map(|release| {
                let (other, lack) = lack_at(release)?;
                let may = match lack {
                    Lack::Until(_) => matches!(self.may, May::Lack | May::ComeLater),
                    Lack::Never => matches!(self.may, May::Lack | May::BeAbsent),
                    Lack::Between(..) => self.may == May::BeAbsent,
                    Lack::Since(_) => false,
                };
                (!may && has_what_is_around(release)).then_some((release, other, lack))
            })?;
        let Self { item, fact, program, .. } = self;
        Some(Lost { item, fact, program, until, release, other, lack })
    }
}

impl<'a, 'n> Checker<'a, 'n> {
    pub(super) fn together(&mut self) {
        let mut named = Vec::new();
        for operation in &self.api.operations {
            self.named_by_operation(operation, &mut named);
            for param in &operation.params {
                self.named_by_param(operation, param, &mut named);
            }
        }
        for entity in &self.api.entities {
            let own = entity.fields.iter().filter(|field| field.inherited_from.is_none());
            own.for_each(|field| self.named_by_field(field, &mut named));
        }
        for value in self.api.enums.iter().flat_map(|one| &one.values) {
            if let Some(payload) = &value.payload {
                self.of_a_type(value, ChangedFact::Type, ("payload", payload), &mut named);
            }
        }
        self.named_as_parts(&mut named);
        let lost: Vec<_> = named.into_iter().filter_map(|one| one.lost(self)).collect();
        let mut by_other: BTreeMap<_, Vec<&Lost<'n>>> = BTreeMap::new();
        for one in &lost {
            // A fork lacks what its base lacks.
            let base = self.base(one.program);
            let is_of_base = |other: &Lost<'_>| {
                Some(other.program) == base
                    && (&other.item.id, other.fact) == (&one.item.id, one.fact)
            };
            if !lost.iter().any(is_of_base) {
                by_other.entry(&*one.other).or_default().push(one);
            }
        }
        for (_, lost) in by_other {
            self.is_lost_to(&lost);
        }
    }

    /// Reports an item that others name where it is not there: once, as it is one of the two that is wrong.
    fn is_lost_to(&mut self, lost: &[&Lost<'n>]) {
        // What several programs lack is told of the first.
        let Some(first) = lost.iter().min_by_key(|one| one.program) else { return };
        let Some(Program { name, key, .. }) = self.api.programs.get(first.program) else { return };
        let (id, other) = (&first.item.id, &*first.other);
        // That it is gone is told.
        if self.merged.is_gone(other, self.problems) {
            return;
        }
        let others = lost.iter().filter(|one| one.program == first.program).count() - 1;
        let more = match others {
            0 => String::new(),
            1 => ", and so does another".to_owned(),
            more => format!(", and so do {more} others"),
        };
        let Lost { release, fact, lack, .. } = first;
        let has = format!("{name} {release} has `{id}`");
        let message = match *fact {
            "fields" | "values" => format!("{has}, and none of its {fact}: `{other}` {lack}"),
            "only" => format!("{has}, and none of its values under `only`: `{other}` {lack}"),
            "paging" => format!("{has}, whose `paging` needs one as `{other}`{more}; that {lack}"),
            _ => format!("{has}, whose `{fact}` names `{other}`{more}; that {lack}"),
        };
        let key_of = match lack {
            Lack::Since(_) => Some("removed"),
            Lack::Between(..) => Some("absent"),
            Lack::Never | Lack::Until(_) => None,
        };
        let end = key_of.and_then(|key_of| self.merged.place_in(other, key_of, key, self.problems));
        // A life that is not in order is told as such.
        if end.as_ref().is_some_and(|end| self.problems.has("out-of-order", end)) {
            return;
        }
        let here = self.names_it(first);
        let Some(place) = end.as_ref().or(here.as_ref()) else { return };
        let word = other.split_once('.').and_then(|(list, word)| {
            let (under, _) = NAMED_BY.into_iter().find(|(_, of)| *of == list)?;
            Some((under, word))
        });
        let help = "mend one of the two";
        match word.filter(|_| end.is_none()) {
            Some(word) => self.problems.word("not-there", place, word, message, help),
            None => self.problems.value("not-there", place, message, help),
        };
        if end.is_some() {
            if let Some(here) = &here {
                self.problems.with_value(here, "it is named here");
            }
        } else {
            self.with_since(other, key, "its Since");
        }
    }

    /// Where an item names another one: in the change that ended it, or under the fact.
    fn names_it(&self, lost: &Lost<'n>) -> Option<NodePath<'a>> {
        let key = self.api.programs.get(lost.program)?.key.as_str();
        let life = lost.item.life.get(lost.program)?;
        let ended = life
            .changed
            .iter()
            .position(|change| Some(change.r#in) == lost.until && change.what.name() == lost.fact);
        let former = ended.and_then(|number| self.former(&lost.item.id, key, number));
        former.or_else(|| self.merged.place_of(&lost.item.id, lost.fact, Some(key), self.problems))
    }

    fn base(&self, program: usize) -> Option<usize> {
        self.api.column(self.api.programs.get(program)?.based_on.as_deref()?)
    }

    /// What a fact says in each program and release that says otherwise than before.
    fn states(
        &self,
        item: &'n Item,
        what: ChangedFact,
        newest: impl Fn(usize) -> State,
    ) -> Vec<(usize, Stretch, State)> {
        let programs = 0..self.api.programs.len();
        let has = |at: &usize| {
            item.life.get(*at).is_some_and(|life| matches!(life.effective, Since::Since(_)))
        };
        let states = { programs }.filter(has).flat_map(|at| {
            let states = item.states(at, what, newest(at));
            let ends: Vec<_> = states.iter().skip(1).map(|(since, _)| *since).collect();
            let ends = ends.into_iter().chain([None]);
            states
                .into_iter()
                .zip(ends)
                .map(move |((from, state), until)| (at, (from, until), state))
        });
        states.collect()
    }

    /// What a type names, in each release.
    fn of_a_type(
        &self,
        item: &'n Item,
        what: ChangedFact,
        (fact, ty): (&'static str, &Type),
        to: &mut Vec<Named<'n>>,
    ) {
        let common = json!(type_text(ty));
        let newest = |at| item.held(at, what, None).unwrap_or_else(|| State::Is(common.clone()));
        for (program, stretch, state) in self.states(item, what, newest) {
            let is_common = state == State::Is(common.clone());
            let own = if is_common { None } else { self.type_of(state) };
            let ty = own.as_ref().or(is_common.then_some(ty));
            let alternatives = match ty {
                Some(Type::OneOf(types)) => types,
                Some(one) => std::slice::from_ref(one),
                None => continue,
            };
            let named = alternatives.iter().map(|one| {
                let (Type::Entity(name) | Type::Enum(name) | Type::Events(name)) = one.innermost()
                else {
                    return None;
                };
                let other = self.items.get(&**name).filter(|one| is_name(name) && !one.implied)?;
                other_of(other, program)
            });
            if let Some(others) = named.collect() {
                let may = if is_common && stretch.1.is_none() { May::Lack } else { May::Nothing };
                to.push(Named { item, fact, program, stretch, others, may });
            }
        }
    }

    fn named_by_operation(&self, operation: &'n Operation, to: &mut Vec<Named<'n>>) {
        let item = &operation.item;
        if operation.returns_known {
            self.of_a_type(item, ChangedFact::Returns, ("returns", &operation.returns), to);
        }
        for program in 0..self.api.programs.len() {
            let states = auth::states(operation, program);
            let ends = states.iter().skip(1).map(|state| state.since).chain([None]);
            for (state, until) in states.iter().zip(ends) {
                let (stretch, asked) = ((state.since, until), &state.auth);
                let scopes = asked.scope_names().map(|scope| ("OauthScope", scope));
                let permissions = asked.permissions.iter().map(|one| ("RolePermission", &**one));
                let names = scopes.chain(permissions).filter(|_| asked.token != TokenKind::None);
                to.extend(names.filter_map(|(list, wire)| {
                    let listed = self.value_in(list, wire, program)?;
                    // A release may ask for a scope that no token of its own can have yet, where a wider one will do; one that is said to
                    // have begun to ask does not.
                    let is_scope = list == "OauthScope";
                    let may_come =
                        is_scope && state.since.is_none() && listed.1.effective != Since::Never;
                    let wide = scopes::wider(wire).filter(|wide| may_come && *wide != wire);
                    let wide = wide.filter_map(|wide| self.value_in(list, wide, program));
                    let others = [listed].into_iter().chain(wide).collect();
                    let may = if is_scope { May::Nothing } else { May::ComeLater };
                    Some(Named { item, fact: "auth", program, stretch, others, may })
                }));
            }
        }
        let in_path = operation.params.iter().filter(|one| one.location == Location::Path);
        let mut all_of = |others: Vec<&'n Param>, fact, (program, stretch), may| {
            let others = others.into_iter().filter_map(|one| other_of(&one.item, program));
            let others = others.collect();
            to.push(Named { item, fact, program, stretch, others, may });
        };
        for param in in_path {
            for program in 0..self.api.programs.len() {
                all_of(vec![param], "path", (program, (None, None)), May::Lack);
            }
        }
        let paging = |at| operation.state(at, ChangedFact::Paging);
        for (program, stretch, state) in self.states(item, ChangedFact::Paging, paging) {
            if state.read() == Some(Paging::Link) {
                let leading = operation.params.iter().filter(|one| super::params::leads_on(one));
                all_of(leading.collect(), "paging", (program, stretch), May::ComeLater);
            }
        }
    }

    fn named_by_param(&self, operation: &'n Operation, param: &'n Param, to: &mut Vec<Named<'n>>) {
        let item = &param.item;
        if param.type_known {
            self.of_a_type(item, ChangedFact::Type, ("type", &param.r#type), to);
        }
        if let Type::Enum(list) = element(&param.r#type) {
            let default = |at| param.state(at, ChangedFact::Default);
            for (program, stretch, state) in self.states(item, ChangedFact::Default, default) {
                let values: Vec<String> = match state {
                    State::Is(serde_json::Value::String(one)) => vec![one],
                    state => state.read().unwrap_or_default(),
                };
                let others = values.iter().filter_map(|wire| self.value_in(list, wire, program));
                to.extend(others.map(|other| Named {
                    item,
                    fact: "default",
                    program,
                    stretch,
                    others: vec![other],
                    may: May::Nothing,
                }));
            }
        }
        for program in 0..self.api.programs.len() {
            let missing = param.missing.get(program).into_iter().flatten().flat_map(|one| &one.0);
            let missing = missing.map(|one| ("missing", one.status, (one.since, one.until)));
            let refused = param.refused.get(program).into_iter().flatten();
            let refused = refused.map(|one| ("refused", one.status, (Some(one.since), one.until)));
            for (fact, status, stretch) in missing.chain(refused) {
                let mut errors = operation.errors.iter();
                let error = errors.find(|error| error.status == status);
                let life = error.and_then(|error| error.lives(operation).get(program));
                if let Some(life) = life {
                    let id = Cow::Owned(format!("{}.{status}", operation.item.id));
                    let others = vec![(id, life)];
                    to.push(Named { item, fact, program, stretch, others, may: May::Nothing });
                }
            }
        }
    }

    fn named_by_field(&self, field: &'n Field, to: &mut Vec<Named<'n>>) {
        let mut all = Vec::new();
        if field.type_known && field.presence_known {
            self.of_a_type(&field.item, ChangedFact::Type, ("type", &field.r#type), &mut all);
        }
        // What may be null or missing is so where its type is not there.
        let always =
            all.into_iter().filter(|one| field.presence_in(one.program) == Presence::ALWAYS);
        let is_own = field.nullable || field.optional;
        to.extend(
            always.map(|one| Named { may: if is_own { May::Nothing } else { one.may }, ..one }),
        );
    }

    /// Of the fields of an entity, and the values of an enumeration or those that a parameter takes, one is there.
    fn named_as_parts(&self, to: &mut Vec<Named<'n>>) {
        let entities = self.api.entities.iter().map(|one| {
            (&one.item, "fields", one.fields.iter().map(|field| &field.item).collect::<Vec<_>>())
        });
        let known = self.api.enums.iter().filter(|one| one.values_known);
        let enums = known.map(|one| (&one.item, "values", one.values.iter().collect()));
        let params = self.api.operations.iter().flat_map(|one| &one.params);
        let params = params.filter_map(|param| {
            let Type::Enum(list) = element(&param.r#type) else { return None };
            let only = param.only.iter().filter_map(|wire| self.listed(list, wire));
            Some((&param.item, "only", only.collect()))
        });
        for (item, fact, parts) in entities.chain(enums).chain(params) {
            if parts.is_empty() || item.implied {
                continue;
            }
            to.extend((0..self.api.programs.len()).map(|program| {
                let others = parts.iter().filter_map(|part| other_of(part, program)).collect();
                let (stretch, may) = ((None, None), May::BeAbsent);
                Named { item, fact, program, stretch, others, may }
            }));
        }
    }

    /// A value of an enumeration, with its life in a program.
    fn value_in(&self, list: &str, wire: &str, program: usize) -> Option<Other<'n>> {
        other_of(self.listed(list, wire)?, program)
    }
}

fn other_of(item: &Item, program: usize) -> Option<Other<'_>> {
    Some((Cow::Borrowed(item.id.as_str()), item.life.get(program)?))
}
