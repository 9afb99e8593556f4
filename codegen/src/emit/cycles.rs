//! Which entities contain themselves, so that a field must be a box.

use std::collections::HashMap;

use fedispec_model::api::{Api, Entity, Field, Type};

/// The entities with the number of the cycle that each is in (its strongly connected component).
pub(super) struct Cycles<'a>(HashMap<&'a str, usize>);

impl<'a> Cycles<'a> {
    pub(super) fn new(api: &'a Api) -> Self {
        let number: HashMap<&str, usize> = api
            .entities
            .iter()
            .enumerate()
            .map(|(i, entity)| (entity.item.id.as_str(), i))
            .collect();
        let edges: Vec<Vec<usize>> = api
            .entities
            .iter()
            .map(|entity| {
                let targets = entity.fields.iter().filter_map(|field| direct(&field.r#type));
                targets.filter_map(|target| number.get(target).copied()).collect()
            })
            .collect();
        let components = components(&edges);
        Self(number.into_iter().map(|(id, i)| (id, components[i])).collect())
    }

    /// Whether a field of `owner` that holds its type directly would make it endless, or large for what few answers have: an object whose
    /// members another entity lists.
    pub(super) fn needs_box(&self, owner: &Entity, field: &Field) -> bool {
        direct(&field.r#type).is_some_and(|target| {
            let owner = owner.item.id.as_str();
            let cycle = self.0.get(owner);
            let is_own = |of| of == owner || field.inherited_from.as_deref() == Some(of);
            let is_anothers = target.rsplit_once('.').is_some_and(|(of, _)| !is_own(of));
            is_anothers || cycle.is_some() && cycle == self.0.get(target)
        })
    }
}

/// The entity that a field holds in place; lists and maps hold theirs elsewhere.
fn direct(ty: &Type) -> Option<&str> {
    match ty {
        Type::Entity(id) => Some(id),
        _ => None,
    }
}

/// The component of each node: Kosaraju's two passes, without recursion.
fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut reversed = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        for &to in targets {
            reversed[to].push(from);
        }
    }
    let mut component = vec![usize::MAX; edges.len()];
    for &root in finished(edges).iter().rev() {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if component[node] == usize::MAX {
                component[node] = root;
                open.extend(&reversed[node]);
            }
        }
    }
    component
}

/// The nodes in the order in which a depth-first walk leaves them.
fn finished(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(edges.len());
    let mut seen = vec![false; edges.len()];
    for start in 0..edges.len() {
        let mut path = vec![(start, 0)];
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        while let Some((node, next)) = path.last_mut() {
            if let Some(&target) = edges[*node].get(*next) {
                *next += 1;
                if !std::mem::replace(&mut seen[target], true) {
                    path.push((target, 0));
                }
            } else {
                order.push(*node);
                path.pop();
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn cycles_are_components() {
        // 0 <-> 1 -> 2 -> 2, 3 -> 0
        let made = components(&[vec![1], vec![0, 2], vec![2], vec![0]]);
        assert_eq!(made[0], made[1]);
        assert_ne!(made[1], made[2]);
        assert_ne!(made[3], made[0]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let edges: Vec<Vec<usize>> = (0..200_000).map(|i| vec![(i + 1) % 200_000]).collect();
        let made = components(&edges);
        assert!(made.iter().all(|&c| c == made[0]));
    }
}
