//! The layers merged: every item with the statements of all layers, and one value for every fact.

use std::ops::Deref;
use std::rc::Rc;

use crate::load::{Catalogue, LayerFile, LayerKind};
use crate::map::{HashMap, HashSet, IndexMap};
use crate::model::{
    self, Entity, Enumeration, ErrorAnswer, Evidence, Fact, Field, Has, Head, Operation, Param,
    Value,
};
use crate::problems::{NodePath, Problems};
use fedispec_model::api;
use fedispec_model::suggest::nearest;

mod dispute;
mod fact;
mod gather;
mod key;
mod verdict;

pub(crate) use dispute::Disputes;
pub(crate) use fact::{FactSettler, FactValue, Provenance, SettledFact};
pub(crate) use key::FactKey;

/// The statement of one file about an item of any kind.
#[derive(Debug)]
pub(crate) struct Stated<'a> {
    /// The rank of the layer; the lowest is 0.
    pub(crate) layer: usize,
    /// The kind of the layer.
    pub(crate) kind: LayerKind,
    /// Its node.
    pub(crate) place: NodePath<'a>,
    /// The facts that an item of any kind may have.
    pub(crate) head: Head<'a>,
    /// The defaults of the file.
    pub(crate) defaults: &'a model::Defaults,
    /// The evidence of the items that contain this one, from the inside out.
    pub(crate) around: Vec<&'a model::PerProgram<Evidence>>,
}

/// The statement of one file about an item of a known kind.
#[derive(Debug, Clone)]
pub(crate) struct Statement<'a, T> {
    /// The part that an item of any kind has.
    pub(crate) stated: Rc<Stated<'a>>,
    /// The decoded statement.
    pub(crate) body: &'a T,
}

impl<'a, T> Deref for Statement<'a, T> {
    type Target = Stated<'a>;

    fn deref(&self) -> &Stated<'a> {
        &self.stated
    }
}

/// An item with its statements, from the lowest layer up. There is at least one.
#[derive(Debug, Clone)]
pub(crate) struct MergedItem<'a, T> {
    /// Its id.
    pub(crate) id: String,
    /// Its key.
    pub(crate) key: &'a str,
    /// The statements.
    pub(crate) statements: Vec<Statement<'a, T>>,
}

impl<'a, T> MergedItem<'a, T> {
    /// Returns the lowest layer's statement.
    pub(crate) fn first(&self) -> &Statement<'a, T> {
        &self.statements[0]
    }

    /// Returns the item's node in the lowest layer that has it.
    pub(crate) fn place(&self) -> &NodePath<'a> {
        &self.first().place
    }

    /// Returns the statements that speak of all programs: the folder of a program speaks of that one alone, but where nothing else has the
    /// item.
    pub(crate) fn of_all(&self) -> impl DoubleEndedIterator<Item = &Statement<'a, T>> + Clone {
        let is_own = self.first().kind == LayerKind::Program;
        self.statements.iter().filter(move |one| is_own || one.kind != LayerKind::Program)
    }

    /// Returns the documents' statement, where they have the item.
    pub(crate) fn documents(&self) -> Option<&Statement<'a, T>> {
        self.statements.first().filter(|one| one.kind == LayerKind::Documents)
    }

    /// Finds what the highest layer says of something, with that statement.
    pub(crate) fn highest<V>(&self, get: impl Fn(&'a T) -> Option<V>) -> Option<(&Stated<'a>, V)> {
        self.statements.iter().rev().find_map(|one| Some((&*one.stated, get(one.body)?)))
    }

    /// Lists what each statement says of a fact that an item of any kind may have.
    pub(crate) fn heads<V>(
        &self,
        say: impl Fn(Head<'a>) -> Option<Fact<V>>,
    ) -> impl Iterator<Item = (&Rc<Stated<'a>>, Option<Fact<V>>)> {
        self.statements.iter().map(move |one| (&one.stated, say(one.head)))
    }

    /// Returns the documents' name of the item, where it differs from the key.
    pub(crate) fn documented_as(&self) -> Option<&'a str> {
        self.statements.iter().find_map(|one| one.head.documented_as)
    }
}

/// A group, or an id that is gone, with the layer that declares it.
#[derive(Debug)]
pub(crate) struct Declared<'a, T> {
    /// The declaration.
    pub(crate) body: &'a T,
    /// Its node.
    pub(crate) place: NodePath<'a>,
    /// The rank of the layer.
    pub(crate) layer: usize,
}

/// A line that speaks of many items.
#[derive(Debug)]
pub(crate) struct ManyHeld<'a> {
    /// The line.
    pub(crate) body: &'a Has,
    /// Its node.
    pub(crate) place: NodePath<'a>,
    /// The defaults of its file.
    pub(crate) defaults: &'a model::Defaults,
}

impl<'a> ManyHeld<'a> {
    /// The evidence of what it says of a program: its own, or its file's.
    pub(crate) fn proof(&self, program: &str) -> Option<&'a Evidence> {
        self.body.evidence.get(program).or_else(|| self.defaults.evidence.get(program))
    }
}

impl Deref for ManyHeld<'_> {
    type Target = Has;

    fn deref(&self) -> &Has {
        self.body
    }
}

/// An operation with its parameters and answers.
#[derive(Debug)]
pub(crate) struct MergedOperation<'a> {
    /// The operation itself.
    pub(crate) node: MergedItem<'a, Operation>,
    /// Its parameters.
    pub(crate) params: Vec<MergedItem<'a, Param>>,
    /// The fields that it answers without a named entity.
    pub(crate) response: Vec<MergedItem<'a, Field>>,
    /// Its other answers.
    pub(crate) errors: Vec<MergedError<'a>>,
}

/// An answer that is not a success, and its fields.
#[derive(Debug)]
pub(crate) struct MergedError<'a> {
    /// The answer.
    pub(crate) node: MergedItem<'a, ErrorAnswer>,
    /// The fields of its body.
    pub(crate) fields: Vec<MergedItem<'a, Field>>,
}

/// An entity and its fields, or an enumeration and its values.
#[derive(Debug)]
pub(crate) struct MergedType<'a, T, M> {
    /// The entity or enumeration.
    pub(crate) node: MergedItem<'a, T>,
    /// Its own fields, or its values.
    pub(crate) members: Vec<MergedItem<'a, M>>,
    /// Whether a layer lists them.
    pub(crate) known: bool,
}

/// An entity and its fields.
pub(crate) type MergedEntity<'a> = MergedType<'a, Entity, Field>;

/// An enumeration and its values.
pub(crate) type MergedEnum<'a> = MergedType<'a, Enumeration, Value>;

/// The layers laid over each other.
#[derive(Debug)]
pub(crate) struct Merged<'a> {
    /// The groups by id.
    pub(crate) groups: IndexMap<&'a str, Declared<'a, model::Group>>,
    /// The operations in the catalogue's order.
    pub(crate) operations: Vec<MergedOperation<'a>>,
    /// The entities in the catalogue's order.
    pub(crate) entities: Vec<MergedEntity<'a>>,
    /// The enumerations in the catalogue's order.
    pub(crate) enums: Vec<MergedEnum<'a>>,
    /// The declared contradictions.
    pub(crate) disputes: Disputes<'a>,
    /// The lines that speak of many items.
    pub(crate) has: Vec<ManyHeld<'a>>,
    /// The ids that are gone.
    pub(crate) tombstones: IndexMap<&'a str, Declared<'a, model::Tombstone>>,
    /// The defaults of each file, with their node.
    pub(crate) defaults: Vec<(NodePath<'a>, &'a model::Defaults)>,
    /// The files, sorted by path.
    pub(crate) files: Vec<crate::source::FileId>,
    /// The ids of the catalogue as it was generated last, where an item was renamed.
    pub(crate) former: Option<&'a HashSet<String>>,
    /// These are all layers, and not the documents alone.
    pub(crate) is_full: bool,
    /// The statements about every item by its id, from the lowest layer up.
    pub(crate) ids: Ids<'a>,
}

/// The statements about each item by its id, from the lowest layer up.
pub(crate) type Ids<'a> = HashMap<String, Vec<Rc<Stated<'a>>>>;

/// A file with the rank and kind of its layer.
#[derive(Debug, Clone, Copy)]
struct RankedFile<'a> {
    layer: usize,
    kind: LayerKind,
    file: &'a LayerFile,
}

impl<'a> Merged<'a> {
    /// Merges the catalogue's layers, or takes the documents alone.
    pub(crate) fn new(
        catalogue: &'a Catalogue,
        layer: api::Layer,
        problems: &mut Problems<'a>,
    ) -> Self {
        let mut ranked_files: Vec<_> = catalogue
            .layers
            .iter()
            .enumerate()
            .filter(|(_, one)| layer == api::Layer::Full || one.kind == LayerKind::Documents)
            .flat_map(|(layer, one)| {
                one.files.iter().map(move |file| RankedFile { layer, kind: one.kind, file })
            })
            .collect();
        ranked_files.sort_by_key(|ranked| (ranked.layer, catalogue.sources.path(ranked.file.file)));
        let merged = gather::ItemCollector::new(problems).all(&ranked_files);
        let former = catalogue.former.as_ref();
        Self { former, is_full: layer == api::Layer::Full, ..merged }
    }

    /// Lists the statements about the item under a path, from the lowest layer up.
    pub(crate) fn said(&self, path: &[&str]) -> Vec<&Stated<'a>> {
        let all = self.ids.values().flatten();
        all.filter(|one| one.place.path == path).map(Rc::as_ref).collect()
    }

    /// Finds the node of an item in the lowest layer that has it.
    pub(crate) fn place(&self, id: &str) -> Option<&NodePath<'a>> {
        Some(&self.ids.get(id)?.first()?.place)
    }

    /// The kind of the lowest layer that has an item.
    pub(crate) fn brought_by(&self, id: &str) -> Option<LayerKind> {
        Some(self.ids.get(id)?.first()?.kind)
    }

    /// Whether the documents have an item.
    pub(crate) fn documents_have(&self, id: &str) -> bool {
        self.brought_by(id) == Some(LayerKind::Documents)
    }

    /// Whether an item is there by the folder of a program alone.
    pub(crate) fn is_of_a_folder(&self, id: &str) -> bool {
        self.brought_by(id) == Some(LayerKind::Program)
    }

    /// Whether an item was there when the catalogue was generated last, and nobody says any more what it is: the documents list it, or a
    /// program's folder speaks of it.
    pub(crate) fn is_gone(&self, id: &str, problems: &Problems<'a>) -> bool {
        let is_bare = |one: &Rc<Stated<'a>>| match one.kind {
            LayerKind::Documents => true,
            LayerKind::Program => !problems.describes(&one.place),
            LayerKind::Supplement | LayerKind::Overlay => false,
        };
        self.is_full
            && self.former.is_some_and(|former| former.contains(id))
            && self.ids.get(id).is_some_and(|said| said.iter().all(is_bare))
    }

    /// The id that somebody meant who wrote a name in bracket notation, or left out what contains the item: of
    /// `source[privacy]` beside `CredentialAccount.note` it is `CredentialAccount.source.privacy`.
    pub(crate) fn meant(&self, written: &str, beside: &str) -> Option<String> {
        let dotted = dotted(written);
        let around =
            std::iter::successors(beside.rsplit_once('.'), |(outer, _)| outer.rsplit_once('.'));
        let near = around.map(|(outer, _)| format!("{outer}.{dotted}"));
        let mut meant = std::iter::once(dotted.clone()).chain(near);
        meant.find(|id| self.ids.contains_key(id))
    }

    /// Finds the new item that has taken the place of one as it seems: its name is like that one, it is the only new one there, or it holds
    /// most of what that one held.
    fn heir(&self, id: &str, former: &HashSet<String>) -> Option<&str> {
        let around = owner(id);
        let is_error = |place: &NodePath<'a>| {
            place.path.iter().rev().nth(1).is_some_and(|one| one == "errors")
        };
        let is_ours = |one: &Stated<'a>| one.kind != LayerKind::Program && !is_error(&one.place);
        let new = self.ids.iter().filter(|(new, said)| {
            said.first().is_some_and(|one| is_ours(one))
                && !former.contains(*new)
                && owner(new) == around
        });
        let new: Vec<_> = new.map(|(new, _)| new.as_str()).collect();
        let only = match new[..] {
            [only] if around.is_some() => Some(only),
            _ => None,
        };
        let parts = || former.iter().filter_map(|part| part.strip_prefix(id)?.strip_prefix('.'));
        let holds_them = |new: &&str| {
            let has = |part: &&str| self.ids.contains_key(&format!("{new}.{part}"));
            2 * parts().filter(has).count() > parts().count()
        };
        let near = nearest(id, new.iter().copied()).or(only);
        near.or_else(|| new.into_iter().filter(holds_them).min())
    }

    /// Reports at a new item that another one of the catalogue as it was generated last is gone, whose place it has taken as it seems. Answers
    /// whether there is such an item.
    pub(crate) fn is_lost(
        &self,
        id: &str,
        seen: &NodePath<'a>,
        problems: &mut Problems<'a>,
    ) -> bool {
        let Some(former) = self.former.filter(|former| former.contains(id)) else { return false };
        let Some(name) = self.heir(id, former) else {
            // What stands in an item that is lost is lost with it.
            return owner(id).is_some_and(|owner| {
                let is_nowhere = !self.ids.contains_key(owner) && !self.groups.contains_key(owner);
                (is_nowhere || self.is_gone(owner, problems)) && self.is_lost(owner, seen, problems)
            });
        };
        let is_told = |one: &Rc<Stated<'a>>| one.head.renamed_from.is_some_and(|from| from == id);
        let Some(now) = self.place(name).filter(|_| !self.ids.values().flatten().any(is_told))
        else {
            return false;
        };
        if !problems.has("lost-item", now) {
            let (message, help) = if self.documents_have(id) {
                let message = format!("`{name}` is new, and nothing is said of `{id}`");
                (message, "mend the name, or describe the other one too".to_owned())
            } else {
                let message = format!("`{name}` is new, and `{id}` is gone");
                let help =
                    format!("mend the name, or write that it was renamed: `renamed_from: {id}`");
                (message, help)
            };
            problems.key("lost-item", now, message, help);
            problems.with_key(seen, "it is named here");
        }
        true
    }

    /// Finds the node of what is said of a program under a key of an item, in the highest layer that says it.
    pub(crate) fn place_in(
        &self,
        id: &str,
        key: &'static str,
        program: &str,
        problems: &Problems<'a>,
    ) -> Option<NodePath<'a>> {
        let stated = self.ids.get(id)?.iter().rev();
        let places = stated.map(|one| one.place.then(key).then(program.to_owned()));
        let is_of = |one: &&ManyHeld<'a>| key == "since" && one.body.of.iter().any(|of| of == id);
        let held = self.has.iter().filter(is_of);
        let held = held.map(|one| one.place.then(key).then(program.to_owned()));
        places.chain(held).find(|place| problems.stands(place))
    }

    /// Finds the Since that an item has in a program, as it is stated or a dispute decides: its own, or that of what is around it.
    pub(crate) fn since_of(
        &self,
        id: &str,
        program: &str,
        problems: &Problems<'a>,
    ) -> Option<NodePath<'a>> {
        around(id).find_map(|id| {
            let decided = self.disputes.place(id, &format!("since.{program}"));
            decided.or_else(|| self.place_in(id, "since", program, problems))
        })
    }

    /// Finds the node under a key of an item: what is said of the program, or else what the highest layer says of all; or else the
    /// item's own node. The folder of another program speaks of neither, unless no program is meant and it alone has the key.
    pub(crate) fn place_of(
        &self,
        id: &str,
        key: &'static str,
        program: Option<&str>,
        problems: &Problems<'a>,
    ) -> Option<NodePath<'a>> {
        let all = self.ids.get(id)?;
        let is_own = all.first()?.kind == LayerKind::Program;
        let folder = program.map(|program| format!("programs/{program}/"));
        let speaks = |one: &Stated<'a>| {
            let path = problems.sources().path(one.place.file);
            let is_of_it = folder.as_ref().is_some_and(|folder| path.starts_with(folder));
            is_own || is_of_it || one.kind != LayerKind::Program
        };
        let stated = all.iter().rev().filter(|one| speaks(one));
        let places = stated.clone().map(|one| one.place.then(key));
        let any = all.iter().rev().filter(|_| program.is_none()).map(|one| one.place.then(key));
        let mut places = places.chain(any);
        let in_program = program.and_then(|program| self.place_in(id, key, program, problems));
        in_program
            .or_else(|| places.find(|place| problems.stands(place)))
            .or_else(|| stated.map(|one| one.place.clone()).next())
            .or_else(|| self.place(id).cloned())
    }
}

/// The id of an item, and of all that it stands in, from the inside out.
pub(crate) fn around(id: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(id), |id| owner(id))
}

/// A name in bracket notation as ids are written: `details[:key][][error]` is `details.*.error`.
fn dotted(name: &str) -> String {
    let mut id = String::with_capacity(name.len());
    for part in name.split('[') {
        match part.strip_suffix(']') {
            Some("") => {}
            Some(map) if map.starts_with([':', '<']) => id += ".*",
            Some(key) => {
                id.push('.');
                id += key;
            }
            None => id += part,
        }
    }
    id
}

/// Returns a list that is known.
fn listed<T>(fact: Option<&Fact<T>>) -> Option<&T> {
    match fact {
        Some(Fact::Known(list)) => Some(list),
        _ => None,
    }
}

/// The id of what an item stands in.
pub(crate) fn owner(id: &str) -> Option<&str> {
    id.rsplit_once('.').map(|(owner, _)| owner)
}
