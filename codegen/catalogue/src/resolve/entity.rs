//! The entities of the catalogue.

use super::Resolver;
use super::life::{ContainerLives, StatedSince, UseDefaults};
use super::members::Branches;
use super::object::{ObjectDraft, StatedFields};
use super::tree::earliest;
use crate::load::LayerKind;
use crate::merge::MergedEntity;
use crate::model::FactName;
use fedispec_model::api::{self, EntityRole, Item, Since};

impl<'a> Resolver<'a, '_, '_> {
    /// Resolves every entity of the catalogue.
    pub(super) fn all_entities(&mut self) {
        let merged = self.merged;
        let wires: Vec<_> = merged.entities.iter().map(|one| self.wires(&one.members)).collect();
        let mut drafts = Vec::new();
        for (one, wires) in merged.entities.iter().zip(&wires) {
            drafts.push(self.draft(one, wires));
        }
        let (bases, order) = self.bases();
        for index in &order {
            let Some(base) = bases[*index] else { continue };
            let theirs = drafts[base].since.clone();
            let mine = &mut drafts[*index];
            for (at, theirs) in theirs.iter().enumerate() {
                // Fields that another entity has too do not show that a program has this one, where nobody knows.
                if mine.own.stated(at).is_none() {
                    mine.since[at] = mine.since[at].min(*theirs);
                }
            }
        }
        for (draft, base) in drafts.iter().zip(&bases) {
            self.finish(draft, *base);
        }
        self.take_over(&bases, &order);
    }

    /// Reads what is stated of an entity's fields.
    fn draft<'x>(&mut self, one: &'x MergedEntity<'a>, wires: &'x [String]) -> Draft<'a, 'x> {
        let own = self.own(&one.node, &[], UseDefaults::No);
        let (tree, owns) = self.tree(&one.members, wires, &own.documented);
        let is_own = one.node.first().kind == LayerKind::Program;
        let since = self.programs.iter().enumerate().map(|(at, program)| {
            match container_since(&own, &tree, &owns, at) {
                // Nothing but the folder of another program has it.
                Since::Unknown if is_own && !self.is_apart(program) => Since::Never,
                since => since,
            }
        });
        let since = since.collect();
        Draft { one, own, tree, owns, since }
    }

    /// Makes the entity and the objects inside it.
    fn finish(&mut self, draft: &Draft<'a, '_>, base: Option<usize>) {
        let one = draft.one;
        let lives: Vec<_> =
            draft.since.iter().map(|since| api::Life::new(*since, *since)).collect();
        let mut item = self.type_item(&one.node, lives.clone());
        self.entity_life(draft, &mut item);
        self.all_stated(&one.node, |body| {
            vec![(FactName::Fields, body.fields.is_some() || body.includes.is_some())]
        });
        let inherit = (0..self.programs.len()).map(|at| draft.own.stated(at)).collect();
        let frame = ContainerLives { lives, inherit };
        let object = ObjectDraft {
            item,
            role: EntityRole::Named,
            known: one.known || base.is_some(),
            prefix: String::new(),
            frame,
        };
        let stated = StatedFields { nodes: &one.members, owns: &draft.owns };
        self.object(object, &draft.tree, &stated);
        if let (Some(base), Some(made)) = (base, self.entities.last_mut()) {
            made.includes = Some(self.merged.entities[base].node.key.into());
        }
        if let Some(made) = self.entities.last_mut() {
            let mut statements = one.node.statements.iter();
            let stated = statements.find_map(|one| one.body.stands_in.as_ref());
            made.stands_in = stated.map(|stated| api::StandsIn {
                r#for: stated.r#for.clone(),
                fields: { stated.fields.iter() }
                    .map(|(to, from)| (to.clone(), from.clone()))
                    .collect(),
            });
        }
    }

    /// Where a stated Since of an entity stands, and what follows.
    fn entity_life(&mut self, draft: &Draft<'a, '_>, item: &mut Item) {
        let frame = ContainerLives::of(&item.life);
        let lives = self.lives(&draft.one.node, &draft.own, Some(&frame));
        for (made, stated) in item.life.iter_mut().zip(lives) {
            *made = api::Life { effective: made.since, since: made.since, ..stated };
        }
    }
}

/// An entity of which only its fields' Since is read.
struct Draft<'a, 'x> {
    one: &'x MergedEntity<'a>,
    own: StatedSince<'a>,
    tree: Branches<'x>,
    owns: Vec<Option<StatedSince<'a>>>,
    since: Vec<Since>,
}

/// Finds the Since of an entity: the stated one, or else the earliest of its members'. A member that is there is more than `unknown`;
/// that all known ones never were is not.
fn container_since(
    own: &StatedSince<'_>,
    tree: &Branches<'_>,
    owns: &[Option<StatedSince<'_>>],
    at: usize,
) -> Since {
    match own.stated(at) {
        Some(known @ (Since::Since(_) | Since::Never)) => known,
        Some(Since::Unknown) => earliest(tree, owns, at, None).min(Since::Unknown),
        None => earliest(tree, owns, at, None),
    }
}
