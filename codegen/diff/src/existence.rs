//! Items that were added, removed or renamed.

use std::collections::HashSet;

use super::change::{Cause, Change, Direction};
use super::code;
use super::context::{Context, proof};
use super::index::{Class, Index, IndexedItem, ItemKey};
use super::matching::Matched;
use super::rules::{Audience, RuleId, Severity};

use fedispec_model::api::{Entity, EntityRole, Field, Life, Param, Since, Tombstone};
use fedispec_model::change::ChangedFact;
use fedispec_since::{Class as Grade, Location, Required};

pub(super) fn existence<'a>(context: &Context<'a>, matched: &Matched<'a>) -> Vec<Change> {
    let mut out = Vec::new();
    let (came, gone) = (
        whole(&matched.came, &matched.guessed, true),
        whole(&matched.gone, &matched.guessed, false),
    );
    let came_itself = matched.came.iter().filter(|node| !is_taken_over(&context.old, **node));
    for node in came_itself.filter(|node| is_told(&context.new, **node, &came)) {
        out.extend(added(context, *node, along(*node, &matched.came)));
    }
    let gone_itself = matched.gone.iter().filter(|node| !is_taken_over(&context.new, **node));
    for node in gone_itself.filter(|node| is_told(&context.old, **node, &gone)) {
        out.extend(deleted(context, *node, along(*node, &matched.gone)));
    }
    out.extend(matched.renamed.iter().map(|(old, new)| renamed(context, *old, *new)));
    for (old, new) in &matched.guessed {
        if is_told(&context.old, *old, &gone) {
            let id = &old.item().id;
            let message = format!("looks like {id} renamed; if it is, write `renamed_from: {id}`");
            out.push(other_id(context, RuleId::ItemRenamedGuess, message, *old, *new));
        }
    }
    reused(context, &mut out);
    out
}

/// Lists the items that were removed or added, guessed renames included. Their parts are left out, and so are implied
/// items,
/// which their parts stand for.
fn whole<'a>(
    nodes: &[IndexedItem<'a>],
    guessed: &[(IndexedItem<'a>, IndexedItem<'a>)],
    new: bool,
) -> HashSet<ItemKey<'a>> {
    let guessed = guessed.iter().map(|(before, after)| if new { *after } else { *before });
    nodes
        .iter()
        .copied()
        .chain(guessed)
        .filter(|node| !node.item().implied || node.derived())
        .map(IndexedItem::key)
        .collect()
}

/// Whether the entity of a field takes it over from another one in that state, and so has it all the same.
fn is_taken_over(index: &Index<'_>, node: IndexedItem<'_>) -> bool {
    let IndexedItem::Field(entity, field) = node else { return false };
    let is_same = |one: &Field| one.inherited_from.is_some() && one.item.id == field.item.id;
    match index.get((Class::Entity, &entity.item.id)) {
        Some(IndexedItem::Entity(other)) => other.fields.iter().any(is_same),
        _ => false,
    }
}

/// Whether an item is reported: a part is not where its owner is, nor an object that only stands in a field or an
/// answer,
/// nor an implied item.
fn is_told(index: &Index<'_>, node: IndexedItem<'_>, all: &HashSet<ItemKey<'_>>) -> bool {
    if node.item().implied
        || matches!(node, IndexedItem::Entity(entity) if entity.role != EntityRole::Named)
    {
        return false;
    }
    match node {
        IndexedItem::Field(entity, field) => {
            !below_another(&field.item.id, all) && is_open(index, entity, all)
        }
        _ => node.owner().is_none_or(|owner| !all.contains(&owner)),
    }
}

/// Whether the fields of an entity are reported one by one.
fn is_open(index: &Index<'_>, entity: &Entity, all: &HashSet<ItemKey<'_>>) -> bool {
    if !all.contains(&(Class::Entity, entity.item.id.as_str())) {
        return true;
    }
    match (&entity.role, index.get((Class::Field, &entity.item.id))) {
        // The object of a field that is no item.
        (EntityRole::Nested(_), Some(IndexedItem::Field(above, field))) if field.item.implied => {
            is_open(index, above, all)
        }
        // A new object changes the type of its field or the answer of its operation, which is reported.
        _ => false,
    }
}

/// Whether it is a part of another field that is reported: `data[][date]` of `data[]`.
fn below_another(id: &str, all: &HashSet<ItemKey<'_>>) -> bool {
    let mut at = id;
    while let Some((above, _)) = at.rsplit_once('.') {
        if all.contains(&(Class::Field, above)) {
            return true;
        }
        at = above;
    }
    false
}

/// How many of the parts of an item came or went along.
fn along(node: IndexedItem<'_>, all: &[IndexedItem<'_>]) -> usize {
    if !matches!(node, IndexedItem::Operation(_) | IndexedItem::Entity(_) | IndexedItem::Enum(_)) {
        return 0;
    }
    let parts = all.iter().filter(|part| !part.item().implied);
    parts.filter(|part| part.owner() == Some(node.key())).count()
}

fn renamed<'a>(context: &Context<'a>, old: IndexedItem<'a>, new: IndexedItem<'a>) -> Change {
    let owner =
        |node: IndexedItem<'_>| node.owner().map_or_else(String::new, |(_, id)| id.to_owned());
    let group = |node: IndexedItem<'_>| match node {
        IndexedItem::Operation(operation) => operation.group.clone(),
        _ => String::new(),
    };
    let rule = match new {
        IndexedItem::Operation(_) if group(old) != group(new) => RuleId::ItemMovedModule,
        IndexedItem::Field(..) if context.now(&owner(old)) != owner(new) => {
            RuleId::FieldMovedEntity
        }
        _ => RuleId::ItemRenamed,
    };
    other_id(context, rule, format!("was {}", old.item().id), old, new)
}

/// The change of an item that goes by another id.
fn other_id<'a>(
    context: &Context<'a>,
    rule: RuleId,
    message: String,
    old: IndexedItem<'a>,
    new: IndexedItem<'a>,
) -> Change {
    let change = context.change(rule, Cause::Correction, message, Some(old), Some(new));
    // An item that moved is no longer at its former place.
    let stays = context.old.rust_path(old) == context.new.rust_path(new);
    let is_same = stays && code::is_same(context, rule, old, new);
    let mut change = if is_same { change.without_code() } else { change };
    if is_spelled_otherwise(old, new) && !change.breaks.contains(&Audience::Wire) {
        change.breaks.push(Audience::Wire);
    }
    change.between(&old.item().id, &new.item().id)
}

/// Whether another name goes over the wire with another id.
fn is_spelled_otherwise(old: IndexedItem<'_>, new: IndexedItem<'_>) -> bool {
    let is_spelled = match new {
        IndexedItem::Param(_, param) => param.location != Location::Path,
        IndexedItem::Field(..) | IndexedItem::Value(..) => true,
        IndexedItem::Operation(_) | IndexedItem::Entity(_) | IndexedItem::Enum(_) => false,
    };
    is_spelled && old.item().wire != new.item().wire
}

fn added<'a>(context: &Context<'a>, node: IndexedItem<'a>, with: usize) -> Vec<Change> {
    let (rule, cause) = addition(context, node);
    let mut rules = vec![rule];
    match node {
        IndexedItem::Param(_, param) if param.location == Location::Path => {
            rules = vec![RuleId::PathArgAdded];
        }
        IndexedItem::Param(_, param) if param.required == Required::Always => {
            rules = vec![RuleId::ParamAddedRequired];
        }
        IndexedItem::Param(_, param) if is_asked_for(param) => {
            rules.push(RuleId::ParamCombinationTightened);
        }
        IndexedItem::Value(enumeration, _) if rule.rule().severity < Severity::Risky => {
            let both = directions(
                enumeration.sent,
                enumeration.received,
                [RuleId::EnumValueAddedRequest, RuleId::EnumValueAddedResponse],
            );
            if !both.is_empty() {
                rules = both;
            }
        }
        _ => {}
    }
    let say = |rule: RuleId| {
        let (what, direction) = describe(rule);
        let message = format!("{what}; {}", sinces(context, node));
        let change = context.change(rule, cause, message, None, Some(node));
        let lives = node.item().life.iter();
        let proofs = lives.filter_map(|life| life.evidence.as_ref()).map(proof);
        let mut evidence: Vec<_> = change.evidence.into_iter().chain(proofs).collect();
        evidence.dedup();
        Change {
            direction,
            reach: context.reach(&change.item, direction),
            new: Some(node.item().id.clone()),
            versions: versions(context, node),
            evidence,
            with,
            ..change
        }
    };
    rules.into_iter().map(say).collect()
}

/// Whether a program refuses some requests without the parameter.
fn is_asked_for(param: &Param) -> bool {
    let lives = param.item.life.iter().filter(|life| matches!(life.effective, Since::Since(_)));
    let own = lives.filter_map(|life| life.facts.get(&ChangedFact::Required));
    let mut own = own.filter_map(|held| held.state.clone().read::<Required>());
    let asks = |one| matches!(one, Required::Always | Required::Sometimes);
    asks(param.required) || own.any(asks)
}

fn directions(sent: bool, received: bool, [request, response]: [RuleId; 2]) -> Vec<RuleId> {
    [(sent, request), (received, response)]
        .into_iter()
        .filter(|(goes, _)| *goes)
        .map(|(_, rule)| rule)
        .collect()
}

/// The rule of existence, by the item's Since in each program.
fn addition(context: &Context<'_>, node: IndexedItem<'_>) -> (RuleId, Cause) {
    let mut newer = false;
    let mut older = false;
    let mut proven = false;
    // The line of another program's folder may cover what is new.
    let has = |life: &Life| !life.apart && life.since.version().is_some();
    let is_of_all = node.item().life.iter().any(has);
    for program in &context.programs {
        let life = program.new.and_then(|at| node.item().life.get(at));
        let Some(life) = life.filter(|life| !is_of_all || !life.apart) else {
            continue;
        };
        let Since::Since(version) = life.since else {
            continue;
        };
        if version > program.newest {
            newer = true;
        } else {
            older = true;
            // Class D is inference, which does not count as proof.
            proven |= life.evidence.as_ref().is_some_and(|evidence| evidence.class < Grade::D);
        }
    }
    match (older, newer) {
        (true, _) if proven || newer || inherits(node) => {
            (RuleId::ItemAddedBackdated, Cause::Coverage)
        }
        (true, _) => (RuleId::ItemAddedBackdatedUnproven, Cause::Coverage),
        (false, true) => (RuleId::ItemAdded, Cause::Evolution),
        (false, false) => (RuleId::ItemAddedWithoutSince, Cause::Coverage),
    }
}

/// Whether a part states no Since, and so claims no more than its owner, unless that has no evidence either.
fn inherits(node: IndexedItem<'_>) -> bool {
    // Lines of other programs' folders cover what the catalogue adds.
    let silent = node.item().life.iter().all(|life| life.at.is_none() || life.apart);
    let container =
        node.container().is_some_and(|lives| lives.iter().any(|life| life.evidence.is_some()));
    silent && (container || node.derived())
}

fn deleted<'a>(context: &Context<'a>, node: IndexedItem<'a>, with: usize) -> Vec<Change> {
    let id = &node.item().id;
    let tombstone = context.new.api.tombstones.iter().find(|tombstone| tombstone.id == *id);
    let rules = match (tombstone, node) {
        (Some(Tombstone { never_existed: true, .. }), _) => vec![RuleId::ItemRetracted],
        (_, IndexedItem::Param(_, param)) if param.location == Location::Path => {
            vec![RuleId::PathArgRemoved]
        }
        (_, IndexedItem::Value(enumeration, _)) => {
            let both = directions(
                enumeration.sent,
                enumeration.received,
                [RuleId::EnumValueRemovedRequest, RuleId::EnumValueRemovedResponse],
            );
            if both.is_empty() { vec![RuleId::ItemDeleted] } else { both }
        }
        _ => vec![RuleId::ItemDeleted],
    };
    let say = |rule: RuleId| {
        let (what, direction) = describe(rule);
        let message = match tombstone {
            Some(tombstone) => format!("{what}: {}", tombstone.why),
            None => {
                format!("{what}; if servers still have it, put it back, else write a tombstone")
            }
        };
        let change = context.change(rule, Cause::Correction, message, Some(node), None);
        Change {
            direction,
            reach: context.reach(&change.item, direction),
            old: Some(id.clone()),
            with,
            ..change
        }
    };
    rules.into_iter().map(say).collect()
}

/// A tombstone of the old state stands where something lives now.
fn reused(context: &Context<'_>, out: &mut Vec<Change>) {
    for tombstone in &context.old.api.tombstones {
        let classes = [
            Class::Operation,
            Class::Param,
            Class::Entity,
            Class::Field,
            Class::Enum,
            Class::Value,
        ];
        let Some(node) =
            classes.into_iter().find_map(|class| context.new.get((class, &tombstone.id)))
        else {
            continue;
        };
        out.retain(|change| change.item.id != tombstone.id);
        let message = format!("a tombstone retired this id: {}", tombstone.why);
        let (rule, cause) = (RuleId::ItemKeyReused, Cause::Correction);
        out.push(
            context
                .change(rule, cause, message, None, Some(node))
                .between(&tombstone.why, &tombstone.id),
        );
    }
}

/// The words for a rule of existence, and the direction of a value that it is about.
fn describe(rule: RuleId) -> (&'static str, Option<Direction>) {
    use Direction::{Request, Response};
    match rule {
        RuleId::ItemAdded => ("new", None),
        RuleId::ItemAddedBackdated => ("new here, not in the servers", None),
        RuleId::ItemAddedBackdatedUnproven => ("said to be old, without evidence", None),
        RuleId::ItemAddedWithoutSince => ("new here; no program is known to have it", None),
        RuleId::PathArgAdded => ("a new argument in the path", None),
        RuleId::PathArgRemoved => ("no longer an argument in the path", None),
        RuleId::ParamAddedRequired => ("a new required parameter", None),
        RuleId::ParamCombinationTightened => ("some calls fail without it", None),
        RuleId::EnumValueAddedRequest => ("can be sent", Some(Request)),
        RuleId::EnumValueAddedResponse => ("may come", Some(Response)),
        RuleId::EnumValueRemovedRequest => ("can no longer be sent", Some(Request)),
        RuleId::EnumValueRemovedResponse => ("no longer comes", Some(Response)),
        RuleId::ItemRetracted => ("never existed", None),
        _ => ("is gone", None),
    }
}

/// `mastodon 4.3.0, gotosocial unknown`
fn sinces(context: &Context<'_>, node: IndexedItem<'_>) -> String {
    let lives = context.new.api.programs.iter().zip(&node.item().life);
    // Of a fork is told what its base does not do.
    lives
        .filter(|(program, life)| program.based_on.is_none() || life.since != Since::Unknown)
        .map(|(program, life)| format!("{} {}", program.key, life.since))
        .collect::<Vec<_>>()
        .join(", ")
}

fn versions(context: &Context<'_>, node: IndexedItem<'_>) -> Option<String> {
    let lives = context.new.api.programs.iter().zip(&node.item().life);
    let known: Vec<_> = lives
        .filter_map(|(program, life)| match life.since {
            Since::Since(version) => Some(format!("{} >={version}", program.key)),
            _ => None,
        })
        .collect();
    (!known.is_empty()).then(|| known.join(", "))
}
