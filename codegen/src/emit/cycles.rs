//! Which entities contain themselves, so that a field must be a box.

use std::collections::{HashMap, HashSet};

use fedispec_model::api::{Api, Entity, Field, Type};

/// The entities that each entity holds in place.
pub(super) struct Cycles<'a>(HashMap<&'a str, Vec<&'a str>>);

impl<'a> Cycles<'a> {
    pub(super) fn new(api: &'a Api) -> Self {
        let held = |entity: &'a Entity| entity.fields.iter().filter_map(|f| direct(&f.r#type));
        Self(api.entities.iter().map(|e| (e.item.id.as_str(), held(e).collect())).collect())
    }

    /// Whether a field of `owner` that holds its type directly would make it endless, or large for what few answers have: an object whose
    /// members another entity lists.
    pub(super) fn needs_box(&self, owner: &Entity, field: &Field) -> bool {
        direct(&field.r#type).is_some_and(|target| {
            let owner = owner.item.id.as_str();
            let is_own = |of| of == owner || field.inherited_from.as_deref() == Some(of);
            let is_anothers = target.rsplit_once('.').is_some_and(|(of, _)| !is_own(of));
            is_anothers || self.holds(target, owner)
        })
    }

    /// Whether `from` is `sought` or holds it in place, however deep: a walk without recursion.
    fn holds(&self, from: &str, sought: &str) -> bool {
        let mut seen = HashSet::new();
        let mut open = vec![from];
        while let Some(entity) = open.pop() {
            if entity == sought {
                return true;
            }
            if seen.insert(entity) {
                open.extend(self.0.get(entity).into_iter().flatten());
            }
        }
        false
    }
}

/// The entity that a field holds in place; lists and maps hold theirs elsewhere.
fn direct(ty: &Type) -> Option<&str> {
    match ty {
        Type::Entity(id) => Some(id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::Cycles;

    #[test]
    fn only_what_is_held_in_place_is_found() {
        let held = [("a", vec!["b"]), ("b", vec!["a", "c"]), ("c", vec!["c"]), ("d", vec!["a"])];
        let cycles = Cycles(HashMap::from(held));
        assert!(cycles.holds("b", "a") && cycles.holds("c", "c") && cycles.holds("d", "c"));
        assert!(!cycles.holds("c", "b") && !cycles.holds("a", "d") && !cycles.holds("e", "a"));
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let ids: Vec<String> = (0..200_000).map(|i| i.to_string()).collect();
        let next = ids.iter().cycle().skip(1);
        let cycles =
            Cycles(ids.iter().zip(next).map(|(a, b)| (a.as_str(), vec![b.as_str()])).collect());
        assert!(cycles.holds("1", "0"));
        assert!(!cycles.holds("1", "none"));
    }
}
