//! How one type stands to another.

use super::index::Index;
use fedispec_model::api::Type;

/// How a new type stands to the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Same,
    /// The new type takes every value of the old one, and more.
    Widened,
    /// The new type takes only some values of the old one.
    Narrowed,
    /// Neither.
    Changed,
    /// Text became an enumeration.
    Restricted,
    /// An enumeration became text.
    Freed,
}

pub(super) fn relation(old: &Type, new: &Type) -> Relation {
    match (old, new) {
        (old, new) if old == new => Relation::Same,
        (Type::List(old), Type::List(new)) | (Type::Map(old), Type::Map(new)) => relation(old, new),
        (Type::String, Type::Enum(_)) => Relation::Restricted,
        (Type::Enum(_), Type::String) => Relation::Freed,
        // The same alternatives in another order.
        (old, new) if holds(new, old) && holds(old, new) => Relation::Changed,
        (old, new) if holds(new, old) => Relation::Widened,
        (old, new) if holds(old, new) => Relation::Narrowed,
        _ => Relation::Changed,
    }
}

/// Whether every value of the narrow type is one of the wide type.
fn holds(wide: &Type, narrow: &Type) -> bool {
    match (wide, narrow) {
        (wide, narrow) if wide == narrow => true,
        (Type::Json, _)
        | (Type::Number, Type::Integer)
        | (Type::Id(None), Type::Id(Some(_)))
        | (Type::String, Type::Id(_) | Type::Timestamp | Type::Cursor | Type::Enum(_)) => true,
        (wide, Type::OneOf(narrow)) => narrow.iter().all(|narrow| holds(wide, narrow)),
        (Type::OneOf(wide), narrow) => wide.iter().any(|wide| holds(wide, narrow)),
        (Type::List(wide), Type::List(narrow)) | (Type::Map(wide), Type::Map(narrow)) => {
            holds(wide, narrow)
        }
        _ => false,
    }
}

/// Whether both are the same on the wire: an id of anything is text, and alternatives have no order.
pub(super) fn is_same_on_wire(old: &Type, new: &Type) -> bool {
    match (old, new) {
        (Type::OneOf(_), Type::OneOf(_)) => holds(old, new) && holds(new, old),
        (Type::Id(_) | Type::String, Type::Id(_) | Type::String) => true,
        (Type::List(old), Type::List(new)) | (Type::Map(old), Type::Map(new)) => {
            is_same_on_wire(old, new)
        }
        _ => false,
    }
}

/// Whether exactly one of the two is a list.
pub(super) fn cardinality_differs(old: &Type, new: &Type) -> bool {
    matches!(old, Type::List(_)) != matches!(new, Type::List(_))
        && !matches!(
            (old, new),
            (Type::Json | Type::Empty | Type::OneOf(_), _)
                | (_, Type::Json | Type::Empty | Type::OneOf(_))
        )
}

/// The entity of an answer: `Account` of `Account[]`.
pub(super) fn entity_of(r#type: &Type) -> Option<&str> {
    if let Type::Entity(id) = r#type.innermost() { Some(id) } else { None }
}

/// Whether an entity has all that another one had, by key and type.
pub(super) fn superset(old: &Index<'_>, old_id: &str, new: &Index<'_>, new_id: &str) -> bool {
    let (Some(old), Some(new)) = (old.entity(old_id), new.entity(new_id)) else {
        return false;
    };
    !old.fields.is_empty()
        && old.fields.iter().all(|field| {
            new.fields.iter().any(|other| {
                other.item.wire == field.item.wire && holds(&field.r#type, &other.r#type)
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_holds_another() {
        let list = |inner| Type::List(Box::new(inner));
        let account = || Type::Entity("Account".into());
        for (old, new, expected) in [
            (Type::Integer, Type::Number, Relation::Widened),
            (list(Type::Number), list(Type::Integer), Relation::Narrowed),
            (Type::String, Type::Enum("Visibility".into()), Relation::Restricted),
            (list(Type::Enum("Visibility".into())), list(Type::String), Relation::Freed),
            (Type::String, Type::Boolean, Relation::Changed),
            (account(), list(account()), Relation::Changed),
            (account(), Type::OneOf(vec![account(), Type::Empty]), Relation::Widened),
            (Type::OneOf(vec![account(), Type::Empty]), account(), Relation::Narrowed),
            (Type::Json, Type::String, Relation::Narrowed),
            (
                Type::OneOf(vec![account(), Type::Empty]),
                Type::OneOf(vec![Type::Empty, account()]),
                Relation::Changed,
            ),
            (Type::Timestamp, Type::Timestamp, Relation::Same),
        ] {
            assert_eq!(relation(&old, &new), expected, "{old:?} to {new:?}");
        }
    }

    #[test]
    fn one_and_many() {
        let account = Type::Entity("Account".into());
        let many = Type::List(Box::new(account.clone()));
        assert!(cardinality_differs(&account, &many));
        assert!(!cardinality_differs(&Type::Json, &many), "what nobody knew had no cardinality");
    }
}
