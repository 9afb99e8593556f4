//! Fields of what is answered: which there are, their types, and whether they may be absent or null.

use std::collections::{BTreeMap, BTreeSet};

use fedispec_model::api::{Entity, EntityRole, Field as OurField, Since, Type};
use fedispec_model::index::Root;
use fedispec_model::sentences::capitalised;
use fedispec_since::Verdict;

use super::operations::is_twin;
use super::reach::Reach;
use super::{Compared, Finding, Known};
use crate::ours::{Ours, shown};
use crate::row::{Change, Edit, ItemKind, Row, scalar};
use crate::surface::{Field, Shape, SourceType};

pub(super) fn rows(compared: &Compared<'_>, was: &Reach<'_>, is: &Reach<'_>) -> Vec<Row> {
    let mut fields = Fields { compared, was, is, rows: Vec::new(), fresh: BTreeSet::new() };
    for entity in &compared.ours.api.entities {
        fields.entity(entity);
    }
    fields.answers();
    fields.rows
}

struct Fields<'a> {
    compared: &'a Compared<'a>,
    /// The older and the newer release, with what operations answer: a struct may be declared long before.
    was: &'a Reach<'a>,
    is: &'a Reach<'a>,
    rows: Vec<Row>,
    /// The shapes that the catalogue lacks and that are proposed as entities.
    fresh: BTreeSet<String>,
}

impl Fields<'_> {
    /// The entities that stand for the same shape, at either release.
    fn siblings(&self, entity: &Entity) -> Vec<&Entity> {
        let same = |reach: &Reach<'_>, other: &Entity| {
            let shape = reach.matching.shapes.get(&entity.item.id);
            shape.is_some() && reach.matching.shapes.get(&other.item.id) == shape
        };
        let entities = self.compared.ours.api.entities.iter();
        entities.filter(|other| same(self.was, other) || same(self.is, other)).collect()
    }

    /// Whether the newer source no longer has the shape of an entity.
    fn went(&self, entity: &Entity) -> bool {
        let name = self.was.matching.shapes.get(&entity.item.id);
        name.is_some_and(|name| self.compared.new.surface.shape_named(name).is_none())
    }

    fn entity(&mut self, entity: &Entity) {
        let ours = self.compared.ours;
        let id = &entity.item.id;
        let (declared, is) = (self.was.shape(entity), self.is.shape(entity));
        let was_answered = self.was.entities.contains(id);
        let is_answered = self.is.entities.contains(id);
        // A shape that went takes its fields with it, whatever an operation answers in its place.
        let went = declared.is_some() && is.is_none() && self.went(entity);
        // A shape that is not known where it is answered tells nothing of its fields.
        let unread = was_answered && declared.is_none();
        if (unread && !(is_answered && is.is_some()))
            || (is_answered && is.is_none() && !went)
            || !(was_answered || is_answered || went)
        {
            return;
        }
        let was = declared.filter(|_| was_answered || went);
        let is = is.filter(|_| is_answered);
        let open = |shape: Option<&Shape>| shape.is_some_and(|shape| shape.open);
        let own = |field: &&OurField| field.inherited_from.is_none() && !field.item.implied;
        for field in entity.fields.iter().filter(own) {
            let key = field.item.wire.as_str();
            let before = was.and_then(|shape| shape.fields.get(key));
            let after = is.and_then(|shape| shape.fields.get(key));
            // A field that is declared and never sent is there where the catalogue says just that.
            let idle = ours.life(&field.item).and_then(|life| life.works_since);
            let is_there = |field: &&Field| !field.unset || idle == Some(Since::Never);
            let (before, after) = (before.filter(is_there), after.filter(is_there));
            // Of a field that is declared and answered by nothing that was read, the catalogue's word stands.
            let is_idle =
                before.is_none() && declared.is_some_and(|shape| shape.fields.contains_key(key));
            let said = ours.says(&field.item, self.compared.old.version) == Verdict::Yes;
            // So it does where the source does not write all keys out, and of an entity that no operation of the catalogue names.
            let is_hidden = before.is_none() && (unread || open(was));
            let is_apart = before.is_none() && was.is_none() && !self.was.is_named(id);
            if ((is_idle || is_hidden || is_apart) && said)
                || (!was_answered && went && !said)
                || (after.is_none() && open(is))
            {
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
        let (compared, ours) = (self.compared, self.compared.ours);
        let Some((file, path)) = ours.keys_of_field(entity, &field.item.name) else {
            return;
        };
        let keys: Vec<&str> = path.iter().map(String::as_str).collect();
        let at = compared.at(before.map(|field| &field.at), after.map(|field| &field.at));
        let of = Known {
            kind: ItemKind::Field,
            item: &field.item,
            name: &field.item.wire,
            at: at.unwrap_or_else(|| {
                let shape = self.is.shape(entity).map(|shape| shape.at.to_string());
                let shape = shape.unwrap_or_else(|| "the source".to_owned());
                format!("{shape}@{}", compared.new.tag)
            }),
            after: after.map(|field| &field.at),
            file: &file,
            keys: &keys,
        };
        let finding = compared.judge(&field.item, before.is_some(), after.is_some());
        let condition = after.or(before).and_then(|field| field.condition.as_deref());
        let shared = condition.filter(|_| self.siblings(entity).len() > 1);
        // Of several entities of one shape, a condition tells which has the field.
        let finding = finding.filter(|one| shared.is_none() || *one != Finding::Denied);
        if let Some(finding) = finding {
            let mut row = of.row(compared, finding);
            if let (Finding::Added, Some(found)) = (finding, after) {
                self.added(&mut row, entity, field, found, shared);
            }
            let went = self.is.shape(entity).is_none();
            if finding == Finding::Removed && went && self.is.entities.contains(&entity.item.id) {
                row.sure = false;
                let text = "its object is gone from the source: what is answered in its place";
                row.decide = Some(text.to_owned());
            }
            if is_hidden {
                row.sure = false;
                row.decide = Some(format!(
                    "its object could not be read whole in {}: whether it came with {}",
                    compared.old.version, compared.new.version
                ));
            }
            self.rows.push(row);
        }
        if let (Some(before), Some(after)) = (before, after) {
            self.changed(field, before, after, &file);
        }
    }

    /// Fills in the row of a field that is new.
    fn added(
        &self,
        row: &mut Row,
        entity: &Entity,
        field: &OurField,
        found: &Field,
        shared: Option<&str>,
    ) {
        let ours = self.compared.ours;
        let keys = ours.keys_of_field(entity, &field.item.name).unwrap_or_default().1;
        // A field that inherits its Since from the entity gets it there.
        if self.inherits(entity, field) {
            let keys: Vec<&str> = keys[..2].iter().map(String::as_str).collect();
            let shape = self.named(entity).and_then(|named| self.is.shape(named));
            let at = shape.map_or(&found.at, |shape| &shape.at);
            row.edits = ours.since(&keys, self.compared.new.version, at);
            row.edits.extend(self.lacking(entity));
        }
        row.sure = shared.is_none();
        if row.decide.is_none() && !may_be(&field.r#type, &found.r#type) {
            row.decide = Some(format!(
                "the source has {}: say it under `changed`, or mend the type",
                found.r#type
            ));
        }
        if let (None, Some(condition)) = (&row.decide, shared) {
            row.decide = Some(format!(
                "several entities share this object: whether it is sent here, where {condition}"
            ));
        }
    }

    /// Whether a field has the Since that is stated of the named entity around it.
    fn inherits(&self, entity: &Entity, field: &OurField) -> bool {
        let ours = self.compared.ours;
        let around = self.named(entity).and_then(|named| ours.life(&named.item));
        ours.life(&field.item).zip(around).is_some_and(|(own, around)| {
            own.at.is_none() && around.at.is_some() && own.since == around.since
        })
    }

    /// The named entity that an entity is or stands in.
    fn named(&self, entity: &Entity) -> Option<&Entity> {
        let index = &self.compared.ours.index;
        match index.entity(&entity.item.id).and_then(|entity| index.root(entity))? {
            Root::Named(named) => Some(named),
            _ => None,
        }
    }

    /// The fields that would inherit a Since from their entity, and that the shape has not.
    fn lacking(&self, entity: &Entity) -> Vec<Edit> {
        let ours = self.compared.ours;
        let shape = self.is.shape(entity);
        let lacks = |field: &&OurField| {
            let found = shape.and_then(|shape| shape.fields.get(&field.item.wire));
            let has = found.is_some_and(|found| !found.unset);
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

    /// Notes what changed of a field that both releases have.
    fn changed(&mut self, field: &OurField, before: &Field, after: &Field, file: &str) {
        let version = self.compared.new.version;
        let at = self.compared.new.at(&after.at);
        let row = |kind, from: String, to: String, decide: String| Row {
            change: Change::Changed,
            from: Some(from),
            to: Some(to),
            decide: Some(decide),
            file: shown(file),
            ..Row::new(kind, &field.item.id, &field.item.wire, at.clone())
        };
        let (was, is) = (json(&before.r#type), json(&after.r#type));
        if was != is && !was.starts_with("json") && !is.starts_with("json") {
            let text = format!("say it under `changed`, with what the type is from {version} on");
            let (was, is) = (before.r#type.to_string(), after.r#type.to_string());
            self.rows.push(row(ItemKind::Field, was, is, text));
        }
        if let (Some(was), Some(is)) = (&before.condition, &after.condition)
            && was != is
        {
            let text = format!(
                "whether the condition means something else; `when` says what holds from {version} on"
            );
            self.rows.push(row(ItemKind::Presence, was.clone(), is.clone(), text));
        }
        // Of the two, what either release does not tell is left out of the comparison.
        let optional = before.optional.zip(after.optional).unwrap_or_default();
        let nullable = before.nullable.zip(after.nullable).unwrap_or_default();
        let was = presence(optional.0, nullable.0);
        let is = presence(optional.1, nullable.1);
        if was != is {
            let said = field.presence_in(self.compared.ours.column).name();
            let text = format!("the catalogue says {said}; say what holds from {version} on");
            self.rows.push(row(ItemKind::Presence, was.to_owned(), is.to_owned(), text));
        }
    }

    /// Notes the fields that the catalogue does not know.
    fn unknown(&mut self, entity: &Entity, was: Option<&Shape>, is: Option<&Shape>) {
        let siblings = self.siblings(entity);
        // Of several entities of one shape, the one that others build on gets what is new.
        let first = siblings.iter().find(|other| other.includes.is_none());
        if first.is_some_and(|first| first.item.id != entity.item.id) {
            return;
        }
        // A field that an entity takes over from another is news there.
        let base = entity.includes.as_ref().and_then(|id| self.compared.ours.index.entity(id));
        let base = base.and_then(|base| self.is.shape(base));
        let is_known = |key: &str| {
            base.is_some_and(|base| base.fields.contains_key(key))
                || siblings.iter().any(|other| Ours::field(other, key).is_some())
        };
        let fields = [was, is].into_iter().flatten().flat_map(|shape| &shape.fields);
        let keys = fields.filter(|(key, field)| !field.unset && !is_known(key));
        let keys: BTreeSet<String> = keys.map(|(key, _)| key.clone()).collect();
        for key in keys {
            let [before, after] = [was, is].map(|shape| shape?.fields.get(&key));
            self.fresh(entity, &key, before, after);
        }
    }

    fn fresh(&mut self, entity: &Entity, key: &str, before: Option<&Field>, after: Option<&Field>) {
        let compared = self.compared;
        let prefix = prefix(entity);
        let name = if prefix.is_empty() { key.to_owned() } else { format!("{prefix}[{key}]") };
        let at = compared.at(before.map(|field| &field.at), after.map(|field| &field.at));
        let path = compared.ours.keys_of_field(entity, &name);
        let (Some((file, path)), Some(at)) = (path, at) else {
            return;
        };
        let id = format!("{}.{key}", entity_id(entity));
        let news = after.filter(|_| before.is_none());
        let edit = news.map(|field| Edit::new(path, self.written(field)));
        let decide = match news {
            Some(_) => "its summary and type",
            None => "whether it is ever sent",
        };
        let row = compared.unlisted(ItemKind::Field, &id, key, at, edit);
        self.rows.push(Row { file: shown(&file), decide: Some(decide.to_owned()), ..row });
        if let Some(shape) = news.and_then(|field| field.r#type.shape()) {
            self.fresh_shape(shape);
        }
    }

    /// A field in flow style.
    fn written(&self, field: &Field) -> String {
        let of = scalar(&self.in_our_words(&field.r#type));
        let optional = if field.optional == Some(true) { ", optional: true" } else { "" };
        let nullable = if field.nullable == Some(true) { ", nullable: true" } else { "" };
        let (ours, version) = (self.compared.ours, self.compared.new.version);
        let (since, seen) = (ours.since_here(version), ours.evidence(&field.at, version));
        let key = ours.key();
        // A field that the source always fills has that place as its proof; for the others the keeper names one.
        let is_always = (field.optional, field.nullable) == (Some(false), Some(false));
        let always = if is_always { format!(", presence.{key}: {seen}") } else { String::new() };
        format!(
            "{{type: {of}{optional}{nullable}, since: {since}, evidence: {{{key}: {seen}{always}}}}}"
        )
    }

    /// A type in the catalogue's notation.
    fn in_our_words(&self, of: &SourceType) -> String {
        let known = |pairs: &BTreeMap<String, String>, name: &str| {
            let mut pairs = pairs.iter();
            pairs.find(|(_, own)| *own == name).map(|(id, _)| id.clone())
        };
        let matching = &self.is.matching;
        of.around(&|of| match of {
            SourceType::Shape(name) => {
                known(&matching.shapes, name).unwrap_or_else(|| capitalised(name))
            }
            SourceType::Enum(name) => {
                known(&matching.enums, name).unwrap_or_else(|| "string".to_owned())
            }
            plain => plain.to_string(),
        })
    }

    /// Proposes the shapes that only operations of the newer release answer.
    fn answers(&mut self) {
        let compared = self.compared;
        let (old, new) = (compared.old.surface, compared.new.surface);
        for (endpoint, operation) in &new.operations {
            let key = endpoint.key();
            let was_served = old.operations.keys().any(|old| old.key() == key);
            // An operation of the catalogue answers an entity.
            let known = compared.ours.operation(&key);
            let entity = known.and_then(|known| compared.ours.entity_of(&known.returns));
            let is_known = entity
                .is_some_and(|entity| self.is.matching.shapes.contains_key(&entity.item.id))
                || (known.is_none() && is_twin(compared, &key));
            let answer = operation.answer.as_ref().filter(|_| !was_served && !is_known);
            if let Some(name) = answer.and_then(|answer| new.shape_named(&answer.shape)) {
                self.fresh_shape(name);
            }
        }
    }

    /// Proposes an entity for a shape that the older release lacks and that belongs to none.
    fn fresh_shape(&mut self, name: &str) {
        let compared = self.compared;
        let is_known = self.is.matching.shapes.values().any(|known| known == name);
        let is_old = compared.old.surface.shapes.contains_key(name);
        if is_known || is_old || !self.fresh.insert(name.to_owned()) {
            return;
        }
        let Some(shape) = compared.new.surface.shapes.get(name) else {
            return;
        };
        let id = capitalised(name);
        for (key, field) in &shape.fields {
            let at = compared.new.at(&field.at);
            let edit = Edit::new(["entities", &id, "fields", key], self.written(field));
            let name = format!("{id}.{key}");
            let row = compared.unlisted(ItemKind::Field, &name, key, at, Some(edit));
            let text = "the file and the name of the entity, and a summary";
            self.rows.push(Row { decide: Some(text.to_owned()), ..row });
            if let Some(inner) = field.r#type.shape() {
                self.fresh_shape(inner);
            }
        }
    }
}

/// The name of an entity's fields' owner in bracket notation, for objects nested in another: `configuration[polls]`.
fn prefix(entity: &Entity) -> &str {
    let field = entity.fields.first().filter(|_| entity.role != EntityRole::Named);
    let prefix = field.and_then(|field| Some(field.item.name.rsplit_once('[')?.0));
    prefix.unwrap_or_default()
}

/// The id under which an entity's fields go.
fn entity_id(entity: &Entity) -> &str {
    let field = entity.fields.first().filter(|field| field.inherited_from.is_none());
    let field = field.filter(|_| entity.role != EntityRole::Named);
    let id = field.and_then(|field| Some(field.item.id.rsplit_once('.')?.0));
    id.unwrap_or(&entity.item.id)
}

/// A type as JSON: shapes and enumerations of other names may be the same.
fn json(of: &SourceType) -> String {
    of.around(&|of| match of {
        SourceType::Shape(_) => "object".to_owned(),
        SourceType::Enum(_) => "string".to_owned(),
        plain => plain.to_string(),
    })
}

/// Whether what a source sends fits a type of the catalogue, as far as both are plain: `integer` is no text.
fn may_be(ours: &Type, own: &SourceType) -> bool {
    let SourceType::Plain(own) = own else {
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
