//! Facts of items: merged over the layers, with the node that each was read from.

use super::Resolver;
use crate::merge::{FactKey, FactValue, MergedItem, Provenance, SettledFact};
use crate::model::{By, Fact, FactName, Head, PerProgram, Usual};
use crate::problems::NodePath;

impl<'a> Resolver<'a, '_, '_> {
    /// Finds the value of a fact, where it is known.
    pub(super) fn fact<B, V: FactValue>(
        &mut self,
        node: &MergedItem<'a, B>,
        name: &'static str,
        say: impl Fn(&'a B) -> Option<Fact<V>>,
    ) -> Option<V> {
        self.facts.fact(node, name, say).and_then(SettledFact::known)
    }

    /// Finds the value of a fact that no layer can call unknown.
    pub(super) fn known<B, V: FactValue + 'a>(
        &mut self,
        node: &MergedItem<'a, B>,
        name: &'static str,
        get: impl Fn(&'a B) -> Option<&'a V>,
    ) -> Option<V> {
        self.fact(node, name, |body| get(body).cloned().map(Fact::Known))
    }

    /// Finds the value of a fact, where it is known, with the node that it was read from.
    pub(super) fn placed<B, V: FactValue>(
        &mut self,
        node: &MergedItem<'a, B>,
        name: &'static str,
        say: impl Fn(&'a B) -> Option<Fact<V>>,
    ) -> Option<(V, NodePath<'a>)> {
        let settled = self.facts.fact(node, name, say)?;
        let place = fact_place(node, name, &settled.by);
        Some((settled.known()?, place))
    }

    /// Finds the value of a fact, where it is known, or else what the catalogue says once of all items.
    pub(super) fn fact_or_usual<B, V: FactValue>(
        &mut self,
        node: &MergedItem<'a, B>,
        fact: FactName,
        say: impl Fn(&'a B) -> Option<Fact<V>>,
        usual: impl Fn(&'a Usual) -> Option<V>,
    ) -> Option<V> {
        match self.facts.fact(node, fact.key(), say) {
            Some(settled) => settled.known(),
            None => self.usual(node, fact, usual),
        }
    }

    /// Looks at each value that a layer states of a fact, with its node.
    pub(super) fn each_stated<B, V: 'a>(
        &mut self,
        node: &MergedItem<'a, B>,
        name: &'static str,
        get: impl Fn(&'a B) -> Option<&'a Fact<By<V>>>,
        mut look: impl FnMut(&mut Self, &'a V, NodePath<'a>),
    ) {
        for statement in &node.statements {
            let place = statement.place.then(name);
            match get(statement.body) {
                Some(Fact::Known(By::Same(value))) => look(self, value, place),
                Some(Fact::Known(By::Each(each))) => {
                    for (program, value) in each {
                        if let Fact::Known(value) = value {
                            look(self, value, place.then(program.as_str()));
                        }
                    }
                }
                Some(Fact::Unknown) | None => {}
            }
        }
    }

    /// Finds what is said under a program of a fact that an item of any kind may have.
    pub(super) fn in_program<B, V: FactValue + 'a>(
        &mut self,
        node: &MergedItem<'a, B>,
        name: &'static str,
        program: &'a str,
        get: impl Fn(Head<'a>) -> &'a PerProgram<V>,
    ) -> Option<V> {
        let key = FactKey::in_program(name, program);
        let mut said = node.heads(|head| get(head).get(program).cloned().map(Fact::Known));
        self.facts.settle(&node.id, key, None, |_, _| false, &mut said)?.known()
    }

    /// Finds the value of a fact in each program.
    pub(super) fn in_programs<B, V: FactValue>(
        &mut self,
        node: &MergedItem<'a, B>,
        name: &'static str,
        say: impl Fn(&'a B, &'a str) -> Option<Fact<V>>,
    ) -> Vec<Option<V>> {
        let programs = self.programs.clone().into_iter();
        let values = programs.map(|program| {
            let key = FactKey::in_program(name, program);
            let said = |body: &'a B| say(body, program);
            self.facts.refined(node, key, |_, _| false, said)?.known()
        });
        values.collect()
    }
}

/// Finds the node that a fact's value was read from, or else that of the item.
pub(super) fn fact_place<'a, B>(
    node: &MergedItem<'a, B>,
    name: &'static str,
    by: &Provenance<'a>,
) -> NodePath<'a> {
    by.place(FactKey::of(name)).unwrap_or_else(|| node.place().clone())
}
