//! Which shape of a program's source is which entity of the catalogue, and which of its enumerations is which.
//!
//! The source's names differ from the catalogue's. What an operation answers and what a field holds say which belongs to which:
//! of what is named so, the shape with the most keys in common is taken.

use std::collections::{BTreeMap, BTreeSet};

use fedispec_model::api::{Entity, EntityRole, Field, Item, Life, Since};
use fedispec_since::{StableVersion, Verdict};
use serde::Serialize;

use crate::ours::{Ours, enumeration_of};
use crate::surface::Surface;

/// The pairs of shapes and entities, of enumerations of both sides.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Matching {
    /// By the entity's id.
    pub(crate) shapes: BTreeMap<String, String>,
    /// By the catalogue's id of the enumeration.
    pub(crate) enums: BTreeMap<String, String>,
}

impl Matching {
    /// The entity that a shape is; the one called like it where it is several.
    pub(crate) fn entity(&self, shape: &str) -> Option<&str> {
        let ids = { self.shapes.iter() }.filter(|(_, own)| *own == shape);
        let ids = ids.map(|(id, _)| id.as_str());
        ids.max_by_key(|id| plain(id) == plain(shape))
    }

    /// Takes over the pairs of another release, where a source has what they name.
    pub(crate) fn complete(&mut self, other: &Self, surface: &Surface) {
        for (id, shape) in
            other.shapes.iter().filter(|(_, shape)| surface.shapes.contains_key(*shape))
        {
            self.shapes.entry(id.clone()).or_insert_with(|| shape.clone());
        }
        for (id, own) in other.enums.iter().filter(|(_, own)| surface.enums.contains_key(*own)) {
            self.enums.entry(id.clone()).or_insert_with(|| own.clone());
        }
    }
}

/// The least likeness of a pair that no name or answer tells of.
const ENOUGH: f64 = 0.6;

/// The least likeness where the program has not had the item so far.
const NEARLY: f64 = 0.75;

/// Pairs what a source has with what the catalogue says of a release.
pub(crate) fn matching(ours: &Ours<'_>, surface: &Surface, release: StableVersion) -> Matching {
    let seeker = Seeker { ours, surface, release };
    let mut found = Matching::default();
    seeker.follow(seeker.named(), &mut found);
    seeker.alike(&mut found);
    seeker.enums(&mut found);
    found
}

struct Seeker<'a> {
    ours: &'a Ours<'a>,
    surface: &'a Surface,
    release: StableVersion,
}

impl<'a> Seeker<'a> {
    fn entities(&self) -> impl Iterator<Item = &'a Entity> {
        let entities = self.ours.api.entities.iter();
        entities.filter(|entity| entity.role == EntityRole::Named)
    }

    /// The pairs that operations' answers and names tell of.
    fn named(&self) -> Vec<(&'a Entity, String)> {
        let by_name = names(self.surface);
        let mut votes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (endpoint, operation) in &self.surface.operations {
            let Some(known) = self.ours.operation(&endpoint.key()) else {
                continue;
            };
            let shape = operation.answer.as_ref();
            let shape = shape.and_then(|answer| by_name.get(answer.shape.as_str()).copied());
            let errors = known.errors.iter().filter_map(|error| {
                let shape = operation.errors.get(&error.status)?;
                Some((error.returns.as_ref()?, shape.as_str()))
            });
            let answer = shape.map(|shape| (&known.returns, shape));
            for (of, shape) in errors.chain(answer) {
                if let Some(entity) = self.ours.entity_of(of) {
                    votes.entry(&entity.item.id).or_default().insert(shape);
                }
            }
        }
        for entity in self.entities() {
            let id = plain(&entity.item.id);
            let alike = by_name.iter().filter(|(name, _)| plain(name) == id);
            let shapes = votes.entry(&entity.item.id).or_default();
            // Where an operation cuts a shape for its answer, that is meant and not the whole.
            let cut: Vec<&str> = { shapes.iter() }
                .filter_map(|shape| self.surface.shapes.get(*shape)?.cut_of.as_deref())
                .collect();
            let alike = alike.map(|(_, shape)| *shape);
            shapes.extend(alike.filter(|shape| !cut.contains(shape)));
        }
        let pairs = votes.into_iter().filter_map(|(id, shapes)| {
            let entity = self.ours.index.entity(id)?;
            let (score, shape) = self.best(entity, shapes.into_iter())?;
            (score > 0.2).then(|| (entity, shape.to_owned()))
        });
        pairs.collect()
    }

    /// Notes these pairs, and those of what their fields hold.
    fn follow(&self, mut next: Vec<(&'a Entity, String)>, found: &mut Matching) {
        while let Some((entity, name)) = next.pop() {
            let Some(shape) = self.surface.shapes.get(&name) else {
                continue;
            };
            if found.shapes.contains_key(&entity.item.id) {
                continue;
            }
            found.shapes.insert(entity.item.id.clone(), name);
            for (key, field) in &shape.fields {
                let Some(known) = Ours::field(entity, key) else {
                    continue;
                };
                if let (Some(inner), Some(shape)) =
                    (self.ours.entity_of(&known.r#type), field.r#type.shape())
                {
                    next.push((inner, shape.to_owned()));
                }
                if let (Some(known), Some(own)) =
                    (enumeration_of(&known.r#type), field.r#type.enumeration())
                {
                    found.enums.entry(known.to_owned()).or_insert_with(|| own.to_owned());
                }
            }
        }
    }

    /// Pairs entities that nothing names with the shape that has the most in common.
    fn alike(&self, found: &mut Matching) {
        for entity in self.entities() {
            let is_known = found.shapes.contains_key(&entity.item.id);
            // The catalogue denies nothing of a release that nobody looked at.
            let newest = self.ours.program.newest_looked_at();
            let is_denied = newest.is_none_or(|newest| self.release <= newest)
                && self.ours.says(&entity.item, self.release) == Verdict::No;
            if is_known || is_denied {
                continue;
            }
            let taken: BTreeSet<&String> = found.shapes.values().collect();
            let free = self.surface.shapes.keys().filter(|name| !taken.contains(name));
            if let Some((score, shape)) = self.best(entity, free.map(String::as_str))
                && score >= ENOUGH
            {
                let pair = (entity, shape.to_owned());
                self.follow(vec![pair], found);
            }
        }
    }

    /// The enumerations that no field tells of: those with the most values in common.
    fn enums(&self, found: &mut Matching) {
        // Of a release that nobody looked at, the catalogue knows what the newest one before has.
        let newest = self.ours.program.newest_looked_at();
        let release = newest.map_or(self.release, |newest| newest.min(self.release));
        for enumeration in &self.ours.api.enums {
            let id = &enumeration.item.id;
            let here = |value: &&'a Item| self.ours.says(value, release) != Verdict::No;
            let wires = |values: &mut dyn Iterator<Item = &'a Item>| -> BTreeSet<&'a str> {
                values.map(|value| value.wire.as_str()).collect()
            };
            let all = wires(&mut enumeration.values.iter());
            let here = wires(&mut enumeration.values.iter().filter(here));
            let is_new = here.is_empty();
            let known = if is_new { all.clone() } else { here };
            let sets = self.surface.enums.iter().flat_map(|(name, own)| {
                let all = own.values.keys().map(String::as_str).collect();
                [(name, all), (name, own.used())]
            });
            let scored = sets.map(|(name, own): (_, BTreeSet<&str>)| {
                // A value that the catalogue has for other releases speaks for a pair, and is not missed in it.
                let common: BTreeSet<&str> = own.intersection(&all).copied().collect();
                let score = part(common.len(), own.union(&known).count());
                let last = name.rsplit(['.', ':']).next().unwrap_or(name);
                // A name counts where what it names is mostly known: programs have lists of their own by such names.
                let is_named = plain(last) == plain(id) || plain(name) == plain(id);
                let same = is_named && common.len() * 2 >= own.len().max(1);
                // An enumeration that is new in the program has to be called so, to be nearly the same, or to be a good part of it.
                let is_part = common.len() == own.len()
                    && common.len() * 2 >= all.len()
                    && common.len() + 2 >= all.len();
                let is_alike = common.len() > 1 && (score >= NEARLY || is_part);
                let score = if is_new && !same && !is_alike { 0.0 } else { score };
                (score + bonus(same), name.as_str())
            });
            if let Some((score, name)) = highest(scored)
                && score >= ENOUGH
            {
                found.enums.entry(id.clone()).or_insert_with(|| name.to_owned());
            }
        }
    }

    /// The shape that has the most in common with an entity.
    fn best<'n>(
        &self,
        entity: &Entity,
        shapes: impl Iterator<Item = &'n str>,
    ) -> Option<(f64, &'n str)> {
        // A program does not begin with fields that other programs have given up.
        let is_past = |field: &&Field| {
            let mut lives = field.item.life.iter();
            let lives_on =
                |life: &Life| matches!(life.effective, Since::Since(_)) && life.removed.is_none();
            lives.any(|life| life.removed.is_some()) && !field.item.life.iter().any(lives_on)
        };
        let here = entity.fields.iter().filter(|field| {
            let said = self.ours.says(&field.item, self.release);
            said == Verdict::Yes || (said == Verdict::Unknown && !is_past(field))
        });
        let mut known: BTreeSet<&str> = here.map(|field| field.item.wire.as_str()).collect();
        if known.is_empty() {
            // The program has not had it so far: it is as other programs have it.
            let all = entity.fields.iter().filter(|field| !is_past(field));
            known = all.map(|field| field.item.wire.as_str()).collect();
        }
        let scored = shapes.filter_map(|name| {
            let shape = self.surface.shapes.get(name)?;
            let own: BTreeSet<&str> = shape.fields.keys().map(String::as_str).collect();
            // A name alone says nothing: what two sides call alike can be a list of the one on the other.
            if overlap(&known, &own) == 0.0 {
                return None;
            }
            // A shape of the same name is preferred to one that is only alike.
            Some((overlap(&known, &own) + bonus(plain(name) == plain(&entity.item.id)), name))
        });
        highest(scored)
    }
}

/// The name with the highest score; of several the first.
fn highest<'n>(scored: impl Iterator<Item = (f64, &'n str)>) -> Option<(f64, &'n str)> {
    scored.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
}

/// The addition to the score of what both sides call alike.
fn bonus(is_same: bool) -> f64 {
    if is_same { 0.25 } else { 0.0 }
}

/// The shapes by all their names.
fn names(surface: &Surface) -> BTreeMap<&str, &str> {
    let mut names = BTreeMap::new();
    for (name, shape) in &surface.shapes {
        for also in &shape.also {
            names.entry(also.as_str()).or_insert(name.as_str());
        }
    }
    for name in surface.shapes.keys() {
        names.insert(name, name);
    }
    names
}

/// A name without what the two sides write differently.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.collect::<String>().to_lowercase()
}

/// The part of two sets that is common to both.
fn overlap(a: &BTreeSet<&str>, b: &BTreeSet<&str>) -> f64 {
    part(a.intersection(b).count(), a.union(b).count())
}

fn part(common: usize, all: usize) -> f64 {
    if all == 0 {
        return 0.0;
    }
    #[allow(clippy::cast_precision_loss, reason = "a shape has no 2^52 fields")]
    let part = common as f64 / all as f64;
    part
}
