//! Decoding of files into the model. Each item is decoded on its own, so that one bad item does not hide the next.

use super::item::Decoder;
use crate::map::IndexMap;
use crate::model::{
    Dispute, Entity, Enumeration, ErrorAnswer, Fact, Features, Field, File, Has, Implementations,
    Mistake, Operation, Program, Release,
};
use crate::source::tree::YamlNode;

/// A map of items, taken out of what contains them.
type Items<T> = Option<IndexMap<String, T>>;

/// Decodes a file of a layer.
pub(super) fn file(decoder: &mut Decoder<'_>) -> Option<File> {
    let root = decoder.root;
    if !decoder.is_map(root) {
        return None;
    }
    let groups = decoder.each(root, "groups", Decoder::item);
    let operations = decoder.each(root, "operations", operation);
    let entities = decoder.each(root, "entities", entity);
    let enums = decoder.each(root, "enums", enumeration);
    let tombstones = decoder.each(root, "tombstones", Decoder::item);
    let disputes = decoder.list(root, "disputes", Decoder::item).into_iter().flatten();
    let has = decoder.list(root, "has", Decoder::item).into_iter().flatten();
    let rest: Option<File> = decoder.item(root);
    Some(File {
        groups: groups.unwrap_or_default(),
        operations: operations.unwrap_or_default(),
        entities: entities.unwrap_or_default(),
        enums: enums.unwrap_or_default(),
        tombstones: tombstones.unwrap_or_default(),
        disputes: disputes.map(Dispute::numbered).collect(),
        has: has.map(Has::numbered).collect(),
        // Only `area` can be missing; what stands in the file is worth looking at without it.
        ..rest.unwrap_or_default()
    })
}

/// Decodes the registry of programs and sources.
pub(super) fn implementations(decoder: &mut Decoder<'_>) -> Option<Implementations> {
    let root = decoder.root;
    if !decoder.is_map(root) {
        return None;
    }
    let programs = decoder.each(root, "programs", program);
    let identified = decoder.each(root, "identified", Decoder::item);
    let sources = decoder.each(root, "sources", Decoder::item);
    let rest: Option<Implementations> = decoder.item(root);
    Some(Implementations {
        programs: programs.unwrap_or_default(),
        identified: identified.unwrap_or_default(),
        sources: sources.unwrap_or_default(),
        ..rest.unwrap_or_default()
    })
}

/// Decodes the features.
pub(super) fn features(decoder: &mut Decoder<'_>) -> Option<Features> {
    let root = decoder.root;
    if !decoder.is_map(root) {
        return None;
    }
    let features = decoder.each(root, "features", Decoder::item);
    let rest: Option<Features> = decoder.item(root);
    Some(Features { features: features.or(rest.map(|rest| rest.features)).unwrap_or_default() })
}

fn program<'a>(decoder: &mut Decoder<'a>, node: &'a YamlNode) -> Option<Program> {
    let releases: Items<Release> = decoder.each(node, "releases", Decoder::item);
    let program: Option<Program> = decoder.item(node);
    let mut checked = IndexMap::default();
    for (version, release) in releases.unwrap_or_default() {
        match version.parse() {
            Ok(version) => {
                checked.insert(version, release);
            }
            Err(error) => {
                let mistake = Mistake::malformed(&version, error);
                let key = node.child("releases").and_then(|list| list.child(&version));
                decoder.refuse_key(key.unwrap_or(node), mistake);
            }
        }
    }
    Some(Program { releases: checked, ..program? })
}

fn operation<'a>(decoder: &mut Decoder<'a>, node: &'a YamlNode) -> Option<Operation> {
    let params = decoder.each(node, "params", Decoder::item);
    let alternatives = decoder.each(node, "alternatives", Decoder::item);
    let response: Items<Field> = decoder.each(node, "response", Decoder::item);
    let errors = decoder.each(node, "errors", error_answer);
    let errors = errors.or_else(|| {
        let statuses = decoder.statuses(node, "errors")?;
        let named = { statuses.into_iter() }.map(|status| (status, ErrorAnswer::default()));
        Some(named.collect())
    });
    let rest: Operation = decoder.item(node)?;
    Some(Operation {
        params: params.unwrap_or_default(),
        alternatives: alternatives.unwrap_or_default(),
        response: response.unwrap_or_default(),
        errors: errors.map(Fact::Known).or(rest.errors),
        ..rest
    })
}

fn error_answer<'a>(decoder: &mut Decoder<'a>, node: &'a YamlNode) -> Option<ErrorAnswer> {
    let fields: Items<Field> = decoder.each(node, "fields", Decoder::item);
    let rest: ErrorAnswer = decoder.item(node)?;
    Some(ErrorAnswer { fields: fields.unwrap_or_default(), ..rest })
}

fn entity<'a>(decoder: &mut Decoder<'a>, node: &'a YamlNode) -> Option<Entity> {
    let fields = decoder.each(node, "fields", Decoder::item);
    let rest: Entity = decoder.item(node)?;
    Some(Entity { fields: fields.map(Fact::Known).or(rest.fields), ..rest })
}

fn enumeration<'a>(decoder: &mut Decoder<'a>, node: &'a YamlNode) -> Option<Enumeration> {
    let values = decoder.each(node, "values", Decoder::item);
    let rest: Enumeration = decoder.item(node)?;
    Some(Enumeration { values: values.map(Fact::Known).or(rest.values), ..rest })
}
