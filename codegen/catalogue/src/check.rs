//! Checks of the resolved API: what no single item can show to be wrong.

use crate::map::{HashMap, HashSet, Hasher, IndexMap};
use crate::merge::Merged;
use crate::model::{Implementations, Source};
use crate::problems::{NodePath, Problems};
use fedispec_model::api::{Api, EntityRole, Field, Item, Layer, Life, Operation, Param, Type};
use fedispec_model::index::Index;

mod absent_means;
mod alternatives;
mod changes;
mod conditions;
mod earlier;
mod features;
mod left_out;
mod meet;
mod names;
mod order;
mod params;
mod presence;
mod quirks;
mod recognition;
mod references;
mod registry;
mod routes;
mod said;
mod stand_ins;
mod together;
mod values;
mod vocabulary;
mod within;

pub(crate) use features::check as features;
pub(crate) use recognition::check as recognition;
pub(crate) use registry::check as registry;

/// Reports every problem of an API that was resolved as far as possible.
pub(crate) fn check<'a>(
    api: &Api,
    merged: &Merged<'a>,
    implementations: &Implementations,
    problems: &mut Problems<'a>,
) {
    let index = Index::new(api);
    let fields = api.entities.iter().flat_map(|one| &one.fields);
    let numbers = fields.filter(|field| matches!(field.r#type, Type::Integer | Type::Number));
    let mut checker = Checker {
        api,
        merged,
        problems,
        is_whole: implementations.reference.is_some(),
        sources: &implementations.sources,
        program: None,
        index,
        answers: conditions::Answers::of(api),
        items: items(api),
        numbers: numbers.map(|field| field.item.id.as_str()).collect(),
        routes: HashMap::default(),
        renamed: HashMap::default(),
        names: HashMap::with_capacity_and_hasher(2 * merged.ids.len(), Hasher::default()),
    };
    api.groups.iter().for_each(|group| checker.group_name(group));
    for operation in &api.operations {
        checker.operation(operation);
        checker.as_it_is(operation);
        operation.params.iter().for_each(|param| checker.param(operation, param));
        checker.earlier(operation);
    }
    for entity in &api.entities {
        checker.entity_names(entity);
        checker.stands_in_for_entity(entity);
        checker.ends(entity);
        if entity.role == EntityRole::Named {
            checker.summary(&entity.item);
        }
        checker.references(&entity.item);
        let own = entity.fields.iter().filter(|field| field.inherited_from.is_none());
        for outer in own {
            checker.absent_means(outer);
            checker.holds_what_is_there(outer);
            checker.quirks_are_sound(outer);
            checker.summary(&outer.item);
            checker.stands_in_a_field(outer);
            checker.format(&outer.item, &outer.r#type, outer.format.as_deref());
            checker.is_answerable(entity, outer);
            // The entries of a map or list stand inside the field.
            for field in outer.with_entries() {
                checker.references(&field.item);
                checker.is_proven_where_it_is(&field.item, |at| field.presence_in(at).optional);
                checker.field_condition(entity, field);
            }
        }
        // Of a field that is taken over a program may say here what changed.
        for field in entity.fields.iter().flat_map(Field::with_entries) {
            checker.changes(&field.item, changes::Changed::Field(field));
        }
    }
    for one in &api.enums {
        checker.enum_names(one);
        checker.summary(&one.item);
        checker.references(&one.item);
        for value in &one.values {
            checker.references(value);
            checker.summary(value);
            checker.on_older(one, value);
            checker.payload(one, value);
            checker.changes(value, changes::Changed::Value);
        }
    }
    checker.lives_are_in_order();
    checker.together();
    checker.meetings();
    checker.limits_are_of_one_kind();
    checker.groups_are_of_use();
    checker.tombstones_are_of_items();
    checker.vocabulary();
    let programs: Vec<_> = api.programs.iter().map(|one| one.key.as_str()).collect();
    merged.disputes.report_unused(&programs, &merged.ids, problems);
}

/// The items by id; an entity before one that includes its fields.
fn items(api: &Api) -> HashMap<&str, &Item> {
    let operations = api.operations.iter().flat_map(|one| {
        std::iter::once(&one.item).chain(one.params.iter().map(|param| &param.item))
    });
    let entities = api.entities.iter().flat_map(|one| {
        std::iter::once(&one.item).chain(one.fields.iter().map(|field| &field.item))
    });
    let enums = api.enums.iter().flat_map(|one| std::iter::once(&one.item).chain(&one.values));
    let mut items = HashMap::default();
    for item in operations.chain(entities).chain(enums) {
        items.entry(item.id.as_str()).or_insert(item);
    }
    items
}

/// The API that is checked, with what some checks remember from one item to the next.
struct Checker<'a, 'n> {
    api: &'n Api,
    merged: &'n Merged<'a>,
    problems: &'n mut Problems<'a>,
    /// The registry names the program whose API this is, as a catalogue does that is more than a sketch.
    is_whole: bool,
    /// The sources of evidence.
    sources: &'n IndexMap<String, Source>,
    /// The program whose own facts are being checked.
    program: Option<&'n str>,
    index: Index<'n>,
    answers: conditions::Answers<'n>,
    /// The items by id.
    items: HashMap<&'n str, &'n Item>,
    /// The ids of the fields that hold a number.
    numbers: HashSet<&'n str>,
    /// The operations by method and path.
    routes: HashMap<routes::Route<'n>, (&'n str, Option<NodePath<'a>>)>,
    /// The items by the id that each was renamed from.
    renamed: HashMap<&'n str, &'n str>,
    /// The items by their names in Rust, and values by those on the wire.
    names: HashMap<names::Taken<'n>, (&'n str, Option<NodePath<'a>>)>,
}

impl<'a, 'n> Checker<'a, 'n> {
    /// Whether all of a catalogue is checked that is more than a sketch.
    fn is_full(&self) -> bool {
        self.is_whole && self.api.layer == Layer::Full
    }

    fn operation(&mut self, operation: &'n Operation) {
        self.operation_names(operation);
        self.summary(&operation.item);
        self.route(operation);
        self.brings_events(operation);
        self.constructors(operation);
        self.stands_in_for_operation(operation);
        self.stub(operation);
        self.texts(operation);
        self.references(&operation.item);
        self.is_proven_where_it_is(&operation.item, |_| false);
        self.errors_are_proven(operation);
        self.changes(&operation.item, changes::Changed::Operation(operation));
        self.is_there(&operation.item, &operation.returns, "returns", "answers");
    }

    fn param(&mut self, operation: &'n Operation, param: &'n Param) {
        self.is_sendable(param);
        self.format(&param.item, &param.r#type, param.format.as_deref());
        // Of an id in the path its type says all there is to say.
        if param.location == fedispec_since::Location::Path {
            self.wording(&param.item);
        } else {
            self.summary(&param.item);
        }
        self.says_what_is_left_out(param);
        self.several(param);
        self.unlisted_values(param);
        self.words(operation, param);
        // The item itself says what its first program does, and a fork what its base does.
        let lives = &param.item.life;
        let is_other = self.is_of_another_type(param);
        self.each_program(&param.item, |checker, place, life| {
            if !is_other && !lives.iter().take(place).any(|before| before.facts == life.facts) {
                let param = param.at(place, None);
                checker.bounds(&param);
                checker.default_value(&param);
            }
        });
        self.left_out(operation, param);
        self.param_references(param);
        self.param_condition(operation, param);
        self.changes(&param.item, changes::Changed::Param(param));
        self.is_there(&param.item, &param.r#type, "type", "takes");
    }

    /// Looks at what each program says of an item.
    fn each_program(&mut self, item: &Item, look: impl Fn(&mut Self, usize, &Life)) {
        let api = self.api;
        for (place, (program, life)) in api.programs.iter().zip(&item.life).enumerate() {
            self.program = Some(&program.key);
            look(self, place, life);
        }
        self.program = None;
    }

    /// The items that one stands in, the nearest first.
    fn around<'i>(&self, id: &'i str) -> impl Iterator<Item = &'n Item> + use<'_, 'i, 'a, 'n> {
        let outer = |id: &&'i str| id.rsplit_once('.').map(|(around, _)| around);
        std::iter::successors(outer(&id), outer).filter_map(|id| self.item(id))
    }

    /// Finds the node that states a fact, of the program that is looked at if there is one, or else the item's own node.
    fn place(&self, id: &str, fact: &'static str) -> Option<NodePath<'a>> {
        self.merged.place_of(id, fact, self.program, self.problems)
    }

    /// Reports a problem with the value of an item's fact.
    fn value(
        &mut self,
        code: &'static str,
        id: &str,
        fact: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        if let Some(place) = self.place(id, fact) {
            self.problems.value(code, &place, message, help);
        }
    }

    /// Adds where the Since of an item in a program, or of what is around it, is stated to the problem reported last.
    fn with_since(&mut self, id: &str, program: &str, label: &str) {
        if let Some(since) = self.merged.since_of(id, program, self.problems) {
            self.problems.with_value(&since, label);
        }
    }

    /// Adds where a fact is stated or decided to the problem reported last.
    fn with_fact(&mut self, id: &str, fact: &'static str, label: &str) {
        let decided = self.merged.disputes.place(id, fact);
        let stated = || self.merged.place_of(id, fact, self.program, self.problems);
        // That of all programs, or of the one that is checked.
        let is_of_fact =
            |place: &NodePath<'_>| place.path.iter().rev().take(2).any(|key| key == fact);
        if let Some(place) = decided.or_else(|| stated().filter(is_of_fact)) {
            self.problems.with_value(&place, label);
        }
    }

    /// Reports a problem with a word under a key in the value of an item's fact.
    fn at_word(
        &mut self,
        code: &'static str,
        id: &str,
        fact: &'static str,
        word: (&str, &str),
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        if let Some(place) = self.place(id, fact) {
            self.problems.word(code, &place, word, message, help);
        }
    }

    /// Reports a problem with an item's fact as such.
    fn key(
        &mut self,
        code: &'static str,
        id: &str,
        fact: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        if let Some(place) = self.place(id, fact) {
            self.problems.key(code, &place, message, help);
        }
    }
}

/// The type of the elements of a list, however deep; that of anything else itself.
pub(crate) fn element(ty: &Type) -> &Type {
    match ty {
        Type::List(inner) => element(inner),
        other => other,
    }
}
