//! Fields of what is answered: which there are, their types, and whether they may be absent or null.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use fedispec_model::api::{Entity, EntityRole, Field as OurField, Since, Type};
use fedispec_model::index::Root;
use fedispec_since::Verdict;

use super::operations::{is_twin, others};
use super::reach::{Reach, shape_of};
use super::{Compared, Finding};
use crate::matching::Matching;
use crate::ours::{Ours, shown};
use crate::row::{Change, Edit, Kind, Row, scalar, yaml};
use crate::surface::{self, Field, Shape};

pub(super) fn rows(
    compared: &Compared<'_>,
    (before, after): (&Matching, &Matching),
    (was, is): (&Reach, &Reach),
) -> Vec<Row> {
    let mut reader =
        Reader { compared, before, after, was, is, rows: Vec::new(), fresh: BTreeSet::new() };
    let entities = compared.ours.api.entities.iter();
    for entity in entities {
        reader.entity(entity);
    }
    reader.answers();
    reader.rows
}

struct Reader<'a> {
    compared: &'a Compared<'a>,
    before: &'a Matching,
    after: &'a Matching,
    /// What operations of the older and the newer release answer: a struct may be declared long before.
    was: &'a Reach,
    is: &'a Reach,
    rows: Vec<Row>,
    /// The shapes that the catalogue lacks and that are proposed as entities.
    fresh: BTreeSet<String>,
}

impl Reader<'_> {
    /// The entities that stand for the same shape, at either release.
    fn siblings(&self, entity: &Entity) -> Vec<&Entity> {
        let same = |matching: &Matching, other: &Entity| {
            let shape = matching.shapes.get(&entity.item.id);
            shape.is_some() && matching.shapes.get(&other.item.id) == shape
        };
        let entities = self.compared.ours.api.entities.iter();
        entities.filter(|other| same(self.before, other) || same(self.after, other)).collect()
    }

    /// Whether the newer source no longer has the shape of an entity.
    fn went(&self, entity: &Entity) -> bool {
        let shapes = &self.compared.new.surface.shapes;
        let name = self.before.shapes.get(&entity.item.id);
        name.is_some_and(|name| {
            !shapes.contains_key(name) && !shapes.values().any(|shape| shape.also.contains(name))
        })
    }

    fn entity(&mut self, entity: &Entity) {
        let compared = self.compared;
        let id = &entity.item.id;
        let was = shape_of(&compared.old, self.before, entity);
        let is = shape_of(&compared.new, self.after, entity);
        let (was_answered, is_answered) =
            (self.was.entities.contains(id), self.is.entities.contains(id));
        // A shape that went takes its fields with it, whatever an operation answers in its place.
        let went = was.is_some() && is.is_none() && self.went(entity);
        // A shape that is not known where it is answered tells nothing of its fields.
        let unread = was_answered && was.is_none();
        if (unread && !(is_answered && is.is_some()))
            || (is_answered && is.is_none() && !went)
            || !(was_answered || is_answered || went)
        {
            return;
        }
        let declared = was;
        let was = was.filter(|_| was_answered || went);
        let is = is.filter(|_| is_answered);
        let open = |shape: Option<&Shape>| shape.is_some_and(|shape| shape.open);
        for field in entity.fields.iter().filter(|field| field.inherited_from.is_none()) {
            if field.item.implied {
                continue;
            }
            let key = field.item.wire.as_str();
            let before = was.and_then(|shape| shape.fields.get(key));
            let after = is.and_then(|shape| shape.fields.get(key));
            // What is declared and never sent is there where the catalogue says just that, and where it is new.
            let idle = compared.ours.life(&field.item).and_then(|life| life.works_since);
            let is_there =
                |field: &&Field| !field.unset || idle == Some(Since::Never) || before.is_none();
            let (before, after) = (before.filter(is_there), after.filter(is_there));
            // Of what is declared and answered by nothing that was read, the catalogue's word stands.
            let is_idle =
                before.is_none() && declared.is_some_and(|shape| shape.fields.contains_key(key));
            let said = compared.ours.says(&field.item, compared.old.version) == Verdict::Yes;
            if (is_idle && said) || (!was_answered && went && !said) {
                continue;
            }
            // So it does where the source does not write all keys out, and of what no operation of the catalogue names.
            let is_hidden = before.is_none() && (unread || open(was));
            let is_apart = before.is_none() && was.is_none() && !self.was.is_named(id);
            if ((is_hidden || is_apart) && said) || (after.is_none() && open(is)) {
                continue;
            }
            self.known(entity, field, (before, after), is_hidden);
        }
        if !unread && (was_answered || is_answered) {
            self.unknown(entity, was, is);
        }
    }

    fn known(
        &mut self,
        entity: &Entity,
        field: &OurField,
        (before, after): (Option<&Field>, Option<&Field>),
        is_hidden: bool,
    ) {
        let compared = self.compared;
        let ours = compared.ours;
        let at = match (after, before) {
            (Some(field), _) => compared.new.at(&field.at),
            (None, Some(field)) => compared.old.at(&field.at),
            (None, None) => format!("{}@{}", self.place(entity), compared.new.tag),
        };
        let Some((file, path)) = ours.keys_of_field(entity, &field.item.name) else {
            return;
        };
        let keys: Vec<&str> = path.iter().map(String::as_str).collect();
        let finding = compared.judge(&field.item, before.is_some(), after.is_some());
        let condition = after.or(before).and_then(|field| field.condition.as_deref());
        let shared = condition.filter(|_| self.siblings(entity).len() > 1);
        // Of several entities of one shape, a condition tells which has the field.
        let is_told = shared.is_none() || finding != Some(Finding::Denied);
        if let Some(finding) = finding.filter(|_| is_told) {
            let mut row =
                row(Kind::Field, &field.item.id, &field.item.wire, at.clone(), shown(&file));
            (row.change, row.from, row.to) = finding.told(ours, &field.item, compared);
            match (finding, after) {
                (Finding::Added, Some(found)) => {
                    // What inherits its Since from the entity gets it there.
                    let of_entity = self.inherits(entity, field);
                    let keys = if of_entity { &keys[..2] } else { &keys[..] };
                    row.edits = ours.since(keys, compared.new.version, &found.at);
                    if of_entity {
                        row.edits.extend(self.lacking(entity));
                    }
                }
                (Finding::Removed, _) => {
                    row.edits = ours.removed(&keys, compared.new.version);
                    let went = shape_of(&compared.new, self.after, entity).is_none();
                    if went && self.is.entities.contains(&entity.item.id) {
                        row.sure = false;
                        row.decide = Some(
                            "its object is gone from the source: what is answered in its place"
                                .to_owned(),
                        );
                    }
                }
                _ => {
                    row.sure = false;
                    row.decide =
                        Some("find out which is right, the catalogue or this reading".to_owned());
                }
            }
            if let (Finding::Added, Some(condition)) = (finding, shared) {
                row.sure = false;
                row.decide = Some(format!(
                    "several entities share this object: whether it is sent here, where {condition}"
                ));
            }
            if let (Finding::Added, Some(found)) = (finding, after)
                && !may_be(&field.r#type, &found.r#type)
            {
                row.decide = Some(format!(
                    "the source has {}: say it under `changed`, or mend the type",
                    found.r#type
                ));
            }
            if finding == Finding::Added && !ours.is_open(&field.item) {
                row.decide = Some(
                    "the catalogue has another life of it: write `absent`, or mend it".to_owned(),
                );
            }
            if let (Finding::Added, Some(true)) = (finding, after.map(|field| field.unset)) {
                let works = ["works_since", ours.key()];
                let path = keys.iter().copied().chain(works);
                row.edits.push(Edit::new(path, "never"));
                row.decide =
                    Some("nothing gives it a value: whether it is worth noting".to_owned());
            }
            if is_hidden {
                row.sure = false;
                row.decide = Some(format!(
                    "its object could not be read whole in {}: whether it came with {}",
                    compared.old.version, compared.new.version
                ));
            }
            row.yaml = yaml(&row.edits);
            self.rows.push(row);
        }
        if let (Some(before), Some(after)) = (before, after) {
            self.changed(field, before, after, &at, &file);
        }
    }

    /// Whether a field has the Since that is stated of the named entity around it.
    fn inherits(&self, entity: &Entity, field: &OurField) -> bool {
        let ours = self.compared.ours;
        let Some(Root::Named(named)) =
            ours.index.entity(&entity.item.id).and_then(|entity| ours.index.root(entity))
        else {
            return false;
        };
        match (ours.life(&field.item), ours.life(&named.item)) {
            (Some(own), Some(around)) => {
                own.at.is_none() && around.at.is_some() && own.since == around.since
            }
            _ => false,
        }
    }

    /// The fields that would inherit a Since from their entity, and that the shape has not.
    fn lacking(&self, entity: &Entity) -> Vec<Edit> {
        let ours = self.compared.ours;
        let shape = shape_of(&self.compared.new, self.after, entity);
        let lacks = |field: &&OurField| {
            let has = shape.is_some_and(|shape| shape.fields.contains_key(&field.item.wire));
            field.inherited_from.is_none()
                && !field.item.implied
                && self.inherits(entity, field)
                && !has
        };
        let lacking = entity.fields.iter().filter(lacks);
        let edits = lacking.filter_map(|field| {
            let (_, keys) = ours.keys_of_field(entity, &field.item.name)?;
            let keys = keys.into_iter().chain(["since", ours.key()].map(str::to_owned));
            Some(Edit::new(keys, "never"))
        });
        edits.collect()
    }

    /// What changed of a field that both releases have.
    fn changed(&mut self, field: &OurField, before: &Field, after: &Field, at: &str, file: &str) {
        let file = shown(file);
        let version = self.compared.new.version;
        let unknown =
            [before, after].into_iter().any(|field| json(&field.r#type).starts_with("json"));
        if !unknown && json(&before.r#type) != json(&after.r#type) {
            let mut row =
                row(Kind::Field, &field.item.id, &field.item.wire, at.to_owned(), file.clone());
            row.change = Change::Changed;
            row.from = Some(before.r#type.to_string());
            row.to = Some(after.r#type.to_string());
            row.decide =
                Some(format!("say it under `changed`, with what the type is from {version} on"));
            self.rows.push(row);
        }
        if let (Some(was), Some(is)) = (&before.condition, &after.condition)
            && was != is
        {
            let mut row =
                row(Kind::Presence, &field.item.id, &field.item.wire, at.to_owned(), file.clone());
            row.change = Change::Changed;
            row.from = Some(was.clone());
            row.to = Some(is.clone());
            row.decide = Some(format!(
                "whether the condition means something else; `when` says what holds from {version} on"
            ));
            self.rows.push(row);
        }
        // Of the two, what either release does not tell is left out of the comparison.
        let both = |of: fn(&Field) -> Option<bool>| of(before).zip(of(after));
        let optional = both(|field| field.optional);
        let nullable = both(|field| field.nullable);
        let differs = |pair: Option<(bool, bool)>| pair.is_some_and(|(was, is)| was != is);
        if differs(optional) || differs(nullable) {
            let told = |side: fn((bool, bool)) -> bool| {
                presence(optional.is_some_and(side), nullable.is_some_and(side))
            };
            let (was, is) = (told(|pair| pair.0), told(|pair| pair.1));
            let mut row =
                row(Kind::Presence, &field.item.id, &field.item.wire, at.to_owned(), file);
            row.change = Change::Changed;
            row.from = Some(was.to_owned());
            row.to = Some(is.to_owned());
            let said = field.presence_in(self.compared.ours.column).name();
            row.sure = true;
            row.decide =
                Some(format!("the catalogue says {said}; say what holds from {version} on"));
            self.rows.push(row);
        }
    }

    /// Where the shape of an entity is declared.
    fn place(&self, entity: &Entity) -> String {
        let shape = shape_of(&self.compared.new, self.after, entity);
        shape.map_or_else(|| "the source".to_owned(), |shape| shape.at.to_string())
    }

    /// Fields that the catalogue does not know.
    fn unknown(&mut self, entity: &Entity, was: Option<&Shape>, is: Option<&Shape>) {
        let siblings = self.siblings(entity);
        // Of several entities of one shape, the one that others build on gets what is new.
        let is_first = { siblings.iter() }
            .find(|other| other.includes.is_none())
            .is_none_or(|first| first.item.id == entity.item.id);
        if !is_first {
            return;
        }
        // What an entity takes over from another is news there.
        let base = entity.includes.as_ref().and_then(|id| self.compared.ours.index.entity(id));
        let base = base.and_then(|base| shape_of(&self.compared.new, self.after, base));
        let is_known = |key: &str| {
            base.is_some_and(|base| base.fields.contains_key(key))
                || siblings.iter().any(|other| Ours::field(other, key).is_some())
        };
        let fields = [was, is].into_iter().flatten().flat_map(|shape| &shape.fields);
        let keys = fields.filter(|(key, field)| !field.unset && !is_known(key));
        let keys: BTreeSet<String> = keys.map(|(key, _)| key.clone()).collect();
        for key in keys {
            let before = was.and_then(|shape| shape.fields.get(&key));
            let after = is.and_then(|shape| shape.fields.get(&key));
            self.fresh(entity, &key, before, after);
        }
    }

    fn fresh(&mut self, entity: &Entity, key: &str, before: Option<&Field>, after: Option<&Field>) {
        let compared = self.compared;
        let ours = compared.ours;
        let Some(field) = after.or(before) else {
            return;
        };
        let prefix = prefix(entity);
        let name = if prefix.is_empty() { key.to_owned() } else { format!("{prefix}[{key}]") };
        let Some((file, path)) = ours.keys_of_field(entity, &name) else {
            return;
        };
        let id = format!("{}.{key}", entity_id(entity));
        let side = if after.is_some() { &compared.new } else { &compared.old };
        let mut row = row(Kind::Field, &id, key, side.at(&field.at), shown(&file));
        if let (None, Some(field)) = (before, after) {
            row.to = Some(compared.new.version.to_string());
            row.edits = vec![Edit::new(path, self.written(field))];
            row.decide =
                Some("its summary and type, and whether another program has it".to_owned());
        } else {
            row.change = Change::Contradicts;
            row.sure = false;
            row.from = Some("not in the catalogue".to_owned());
            row.to = Some(format!("there in {}", compared.old.version));
            row.decide = Some("whether it is ever sent".to_owned());
        }
        row.yaml = yaml(&row.edits);
        self.rows.push(row);
        if before.is_none()
            && let Some(shape) = after.and_then(|field| field.r#type.shape())
        {
            self.fresh_shape(shape);
        }
    }

    /// A field in flow style.
    fn written(&self, field: &Field) -> String {
        let compared = self.compared;
        let of = scalar(&self.in_our_words(&field.r#type));
        let mut text = format!("{{type: {of}");
        for (key, holds) in [("optional", field.optional), ("nullable", field.nullable)] {
            if holds == Some(true) {
                _ = write!(text, ", {key}: true");
            }
        }
        let evidence = compared.ours.evidence(&field.at, compared.new.version);
        let since = others(compared, compared.new.version);
        text + &format!(", since: {since}, evidence: {{{}: {evidence}}}}}", compared.ours.key())
    }

    /// A type in the catalogue's notation.
    fn in_our_words(&self, of: &surface::Kind) -> String {
        let known = |pairs: &BTreeMap<String, String>, name: &str| {
            let mut pairs = pairs.iter();
            pairs.find(|(_, own)| *own == name).map(|(id, _)| id.clone())
        };
        match of {
            surface::Kind::Unknown => "json".to_owned(),
            surface::Kind::Plain(name) => name.clone(),
            surface::Kind::Shape(name) => {
                known(&self.after.shapes, name).unwrap_or_else(|| super::operations::pascal(name))
            }
            surface::Kind::Enum(name) => {
                known(&self.after.enums, name).unwrap_or_else(|| "string".to_owned())
            }
            surface::Kind::List(of) => format!("{}[]", self.in_our_words(of)),
            surface::Kind::Map(of) => format!("map<{}>", self.in_our_words(of)),
        }
    }

    /// Shapes that only operations of the newer release answer.
    fn answers(&mut self) {
        let compared = self.compared;
        let answered = compared.new.surface.operations.iter().filter(|(endpoint, _)| {
            let key = endpoint.key();
            let before = &compared.old.surface.operations;
            !before.keys().any(|old| old.key() == key)
        });
        // What an operation of the catalogue answers has its entity.
        let is_known = |endpoint: &surface::Endpoint| {
            let key = endpoint.key();
            let known = compared.ours.operation(&key);
            let entity = known.and_then(|known| compared.ours.entity_of(&known.returns));
            entity.is_some_and(|entity| self.after.shapes.contains_key(&entity.item.id))
                || (known.is_none() && is_twin(compared, &key))
        };
        let answered = answered.filter(|(endpoint, _)| !is_known(endpoint));
        let answered: Vec<_> =
            answered.filter_map(|(_, operation)| operation.answer.as_ref()).collect();
        for answer in answered {
            let shapes = &compared.new.surface.shapes;
            let named = shapes
                .iter()
                .find(|(name, shape)| **name == answer.shape || shape.also.contains(&answer.shape));
            if let Some((name, _)) = named {
                let name = name.clone();
                self.fresh_shape(&name);
            }
        }
    }

    /// Proposes an entity for a shape that the older release lacks and that belongs to none.
    fn fresh_shape(&mut self, name: &str) {
        let compared = self.compared;
        let is_known = self.after.shapes.values().any(|known| known == name);
        let is_old = compared.old.surface.shapes.contains_key(name);
        if is_known || is_old || !self.fresh.insert(name.to_owned()) {
            return;
        }
        let Some(shape) = compared.new.surface.shapes.get(name) else {
            return;
        };
        let id = super::operations::pascal(name);
        for (key, field) in &shape.fields {
            let at = compared.new.at(&field.at);
            let mut row = row(Kind::Field, &format!("{id}.{key}"), key, at, String::new());
            row.to = Some(compared.new.version.to_string());
            row.edits = vec![Edit::new(["entities", &id, "fields", key], self.written(field))];
            row.decide = Some("the file and the name of the entity, and a summary".to_owned());
            row.yaml = yaml(&row.edits);
            self.rows.push(row);
            if let Some(inner) = field.r#type.shape() {
                self.fresh_shape(inner);
            }
        }
    }
}

/// The name of an entity's fields' owner in bracket notation, for objects nested in another: `configuration[polls]`.
fn prefix(entity: &Entity) -> String {
    let field = entity.fields.first();
    let name =
        field.filter(|_| entity.role != EntityRole::Named).map(|field| field.item.name.as_str());
    let prefix = name.and_then(|name| Some(&name[..name.rfind('[')?]));
    prefix.unwrap_or_default().to_owned()
}

/// The id under which an entity's fields go.
fn entity_id(entity: &Entity) -> &str {
    let field = entity.fields.first().filter(|field| field.inherited_from.is_none());
    let id = field.and_then(|field| Some(field.item.id.rsplit_once('.')?.0));
    match &entity.role {
        EntityRole::Named => &entity.item.id,
        _ => id.unwrap_or(&entity.item.id),
    }
}

/// What a type is as JSON: shapes and enumerations of other names may be the same.
fn json(of: &surface::Kind) -> String {
    match of {
        surface::Kind::Shape(_) => "object".to_owned(),
        surface::Kind::Enum(_) => "string".to_owned(),
        surface::Kind::List(of) => format!("{}[]", json(of)),
        surface::Kind::Map(of) => format!("map<{}>", json(of)),
        surface::Kind::Unknown | surface::Kind::Plain(_) => of.to_string(),
    }
}

/// Whether what a source sends fits a type of the catalogue, as far as both are plain: `integer` is no text.
fn may_be(ours: &Type, own: &surface::Kind) -> bool {
    let surface::Kind::Plain(own) = own else {
        return true;
    };
    match ours {
        Type::Boolean => own == "boolean",
        Type::Integer | Type::Number => matches!(own.as_str(), "integer" | "number"),
        Type::String | Type::Timestamp | Type::Id(_) | Type::Enum(_) | Type::Cursor => {
            !matches!(own.as_str(), "integer" | "number" | "boolean")
        }
        _ => true,
    }
}

fn presence(optional: bool, nullable: bool) -> &'static str {
    match (optional, nullable) {
        (false, false) => "always",
        (true, false) => "optional",
        (false, true) => "nullable",
        (true, true) => "optional nullable",
    }
}

fn row(kind: Kind, id: &str, name: &str, at: String, file: String) -> Row {
    Row {
        change: Change::Added,
        kind,
        id: id.to_owned(),
        method: None,
        path: None,
        name: name.to_owned(),
        from: None,
        to: None,
        at,
        sure: true,
        decide: None,
        yaml: String::new(),
        file,
        edits: Vec::new(),
    }
}
