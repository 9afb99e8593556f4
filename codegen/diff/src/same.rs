//! Whether two items say the same, without making JSON of them: most do. What is taken apart here names every key, so
//! that
//! a new one cannot be forgotten.

use super::index::IndexedItem;
use fedispec_model::api::{Entity, Enumeration, ErrorAnswer, Field, Item, Life, Operation, Param};

/// Whether two items of the same programs say the same, wherever they say it.
pub(super) fn same(old: IndexedItem<'_>, new: IndexedItem<'_>) -> bool {
    match (old, new) {
        (IndexedItem::Operation(old), IndexedItem::Operation(new)) => operation(old, new),
        (IndexedItem::Param(_, old), IndexedItem::Param(_, new)) => param(old, new),
        (IndexedItem::Entity(old), IndexedItem::Entity(new)) => entity(old, new),
        (IndexedItem::Field(_, old), IndexedItem::Field(_, new)) => field(old, new),
        (IndexedItem::Enum(old), IndexedItem::Enum(new)) => enumeration(old, new),
        (IndexedItem::Value(_, old), IndexedItem::Value(_, new)) => item(old, new),
        _ => false,
    }
}

fn all<T>(old: &[T], new: &[T], same: fn(&T, &T) -> bool) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(old, new))
}

fn life(old: &Life, new: &Life) -> bool {
    let Life {
        since,
        effective,
        at: _,
        evidence,
        works_since,
        deprecated,
        removed,
        absent,
        changed,
    } = old;
    *since == new.since
        && *effective == new.effective
        && *evidence == new.evidence
        && *works_since == new.works_since
        && *deprecated == new.deprecated
        && *removed == new.removed
        && *absent == new.absent
        && *changed == new.changed
}

fn item(old: &Item, new: &Item) -> bool {
    let Item {
        id,
        name,
        wire,
        rust,
        documented_as,
        origin,
        summary,
        notes,
        life: lives,
        implied,
        replacement,
        renamed_from,
        on_older,
        payload,
        evidence,
        at: _,
    } = old;
    *id == new.id
        && *name == new.name
        && *wire == new.wire
        && *rust == new.rust
        && *documented_as == new.documented_as
        && *origin == new.origin
        && *summary == new.summary
        && *notes == new.notes
        && *implied == new.implied
        && *replacement == new.replacement
        && *renamed_from == new.renamed_from
        && *on_older == new.on_older
        && *payload == new.payload
        && *evidence == new.evidence
        && all(lives, &new.life, life)
}

fn error(old: &ErrorAnswer, new: &ErrorAnswer) -> bool {
    let ErrorAnswer {
        status,
        when,
        returns,
        life: lives,
    } = old;
    *status == new.status
        && *when == new.when
        && *returns == new.returns
        && all(lives, &new.life, life)
}

/// Its parameters are items of their own.
fn operation(old: &Operation, new: &Operation) -> bool {
    let Operation {
        item: of,
        group,
        rust_fn,
        route,
        auth,
        body,
        params: _,
        alternatives,
        returns,
        returns_known,
        returns_documented,
        success,
        paging,
        errors,
        stands_in,
    } = old;
    *group == new.group
        && *rust_fn == new.rust_fn
        && *route == new.route
        && *auth == new.auth
        && *body == new.body
        && *alternatives == new.alternatives
        && *returns == new.returns
        && *returns_known == new.returns_known
        && *returns_documented == new.returns_documented
        && *success == new.success
        && *paging == new.paging
        && *stands_in == new.stands_in
        && all(errors, &new.errors, error)
        && item(of, &new.item)
}

fn param(old: &Param, new: &Param) -> bool {
    let Param {
        item: of,
        location,
        r#type,
        type_known,
        parent,
        required,
        required_when,
        nullable,
        format,
        default,
        limits,
        only,
        refers_to,
    } = old;
    *location == new.location
        && *r#type == new.r#type
        && *type_known == new.type_known
        && *parent == new.parent
        && *required == new.required
        && *required_when == new.required_when
        && *nullable == new.nullable
        && *format == new.format
        && *default == new.default
        && *limits == new.limits
        && *only == new.only
        && *refers_to == new.refers_to
        && item(of, &new.item)
}

/// The item that stands for the values of a map is one of its own.
fn field(old: &Field, new: &Field) -> bool {
    let Field {
        item: of,
        r#type,
        type_known,
        nullable,
        optional,
        presence_known,
        when,
        none_is_null,
        format,
        inherited_from,
        refers_to,
        quirks,
        entry: _,
    } = old;
    *r#type == new.r#type
        && *type_known == new.type_known
        && *nullable == new.nullable
        && *optional == new.optional
        && *presence_known == new.presence_known
        && *when == new.when
        && *none_is_null == new.none_is_null
        && *format == new.format
        && *inherited_from == new.inherited_from
        && *refers_to == new.refers_to
        && *quirks == new.quirks
        && item(of, &new.item)
}

/// Its fields are items of their own.
fn entity(old: &Entity, new: &Entity) -> bool {
    let Entity {
        item: of,
        role,
        fields_known,
        includes,
        stands_in,
        fields: _,
    } = old;
    *role == new.role
        && *fields_known == new.fields_known
        && *includes == new.includes
        && *stands_in == new.stands_in
        && item(of, &new.item)
}

/// Its values are items of their own.
fn enumeration(old: &Enumeration, new: &Enumeration) -> bool {
    let Enumeration {
        item: of,
        values_known,
        sent,
        received,
        values: _,
    } = old;
    *values_known == new.values_known
        && *sent == new.sent
        && *received == new.received
        && item(of, &new.item)
}
