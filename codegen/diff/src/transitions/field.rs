//! A field of an entity, and the entity itself.

use super::super::change::{Cause, Direction};
use super::super::pair::Pair;
use super::super::rules::RuleId;
use super::super::stretch::{Stretch, is_within, stretch, versions};
use super::fact::{Fact, Judge::Always, Unstated::Is, compare, made_of};
use super::proof;
use super::value::value;
use fedispec_model::api::{AbsentMeans, Entity, EntityRole, Field, Quirk, Since, Type};

/// The facts that are reported alike, whatever their values.
const FACTS: &[Fact<Field>] = &[
    Fact::new(
        "when",
        |field: &Field| field.when.as_ref().map(ToString::to_string),
        Is("nobody says"),
        Always(RuleId::FieldPresenceNoteChanged),
        "when it is there: {new}, was {old}",
    )
    // A field that is always there has no condition; the change of its presence says so.
    .unless(|_, old, new| old.optional != new.optional),
    Fact::new(
        "none_is_null",
        |field| Some(if field.none_is_null { "null" } else { "left out" }.into()),
        Is(""),
        Always(RuleId::FieldPresenceNoteChanged),
        "its absence is sent as {new}",
    ),
    Fact::new(
        "inherited_from",
        |field: &Field| field.inherited_from.clone(),
        Is(""),
        Always(RuleId::DocsOnlyChanged),
        "it is taken over from another entity",
    )
    .unless(|pair, old, new| {
        old.inherited_from.as_ref().map(|id| pair.context.now(id)) == new.inherited_from
    }),
];

/// The facts of an entity without its fields.
const OF_ENTITY: &[Fact<Entity>] = &[Fact::new(
    "role",
    |entity: &Entity| {
        Some(match &entity.role {
            EntityRole::Named => "an entity".to_owned(),
            EntityRole::Nested(id) => format!("an object in {id}"),
            EntityRole::Response(id) => format!("an answer of {id}"),
            EntityRole::Error(id, status) => format!("the error {status} of {id}"),
            EntityRole::Argument(id) => format!("an argument of {id}"),
        })
    },
    Is(""),
    Always(RuleId::UnclassifiedChange),
    "is {new}, was {old}",
)
.unless(|_, old, new| std::mem::discriminant(&old.role) == std::mem::discriminant(&new.role))];

/// The replacement that an object of it becomes.
pub(super) const STANDS_IN: Fact<Entity> = Fact::new(
    "stands_in",
    |entity| {
        let other = entity.stands_in.as_ref()?;
        let fields = made_of(&other.fields).unwrap_or_else(|| "nothing".into());
        Some(format!("{} by {fields}", other.r#for))
    },
    Is("nothing"),
    Always(RuleId::StandsInChanged),
    "stands in for {new}, was {old}",
);

pub(super) fn field(
    pair: &mut Pair<'_, '_>,
    (old_entity, old): (&Entity, &Field),
    (new_entity, new): (&Entity, &Field),
) {
    value(pair, Direction::Response, old.into(), new.into());
    presence(pair, old, new);
    if pair.keys.claim("presence") {
        own_presence(pair, old, new);
    }
    if pair.keys.claim("absent_means") {
        absent_means(pair, old.absent_means.as_ref(), new.absent_means.as_ref());
    }
    compare(pair, FACTS, old, new);
    if pair.keys.claim("quirks") {
        quirks(pair, &old.quirks, &new.quirks);
    }
    by_quirks(pair, (old_entity, old), (new_entity, new));
}

fn presence(pair: &mut Pair<'_, '_>, old: &Field, new: &Field) {
    let known = pair.keys.claim("presence_known");
    let (optional, nullable) = (pair.keys.claim("optional"), pair.keys.claim("nullable"));
    let text = |field: &Field| field.common_presence().phrase();
    let (was, is) = (text(old), text(new));
    if known {
        return presence_known(pair, new, (old.presence_known, was), (new.presence_known, is));
    }
    // Where a program has its own, it is said of the others alone.
    let there: Vec<_> = { pair.both() }
        .filter_map(|(program, _, after)| {
            let life = new.item.life.get(after).filter(|life| life.effective != Since::Never)?;
            Some((program.key, life.apart, new.own_presence(after).is_some()))
        })
        .collect();
    let others = there.iter().filter(|(_, is_apart, is_own)| !is_apart && !is_own);
    let others: Vec<_> = others.map(|(key, ..)| *key).collect();
    let mut of = String::new();
    if there.iter().any(|(_, _, is_own)| *is_own) {
        match &others[..] {
            [] => {}
            [only] => pair.program = Some((*only).to_owned()),
            others => of = format!(" in {}", others.join(" and ")),
        }
    }
    // Where one goes and the other comes, each row tells its own.
    let are_apart = optional && nullable && old.optional != old.nullable;
    let words = |holds: fn(&Field) -> bool, what: &str| {
        let text = |field| format!("{} {what}", if holds(field) { "may be" } else { "is never" });
        let (was, is) =
            if are_apart { (text(old), text(new)) } else { (was.to_owned(), is.to_owned()) };
        let when = new.when.as_ref().filter(|_| what == "absent");
        let when = when.map(|when| format!(" ({when})")).unwrap_or_default();
        let message = format!("{is}{of}{when}, was {}", was.trim_start_matches("is "));
        (was, is, message)
    };
    if optional {
        let rule =
            if new.optional { RuleId::FieldBecameOptional } else { RuleId::FieldBecameRequired };
        pair.say(rule, words(|field| field.optional, "absent"));
    }
    if nullable {
        let rule =
            if new.nullable { RuleId::FieldBecameNullable } else { RuleId::FieldBecameNotNullable };
        pair.say(rule, words(|field| field.nullable, "null"));
    }
    pair.program = None;
}

/// Compares the presence that is stated for single programs.
fn own_presence(pair: &mut Pair<'_, '_>, old: &Field, new: &Field) {
    let both: Vec<_> = { pair.both() }
        .filter_map(|(program, before, after)| {
            let stated = (old.own_presence(before), new.own_presence(after));
            let now = (old.presence_in(before), new.presence_in(after));
            // A presence that moved from one program to all of them is told of all.
            let follows = now.0 == now.1 && old.common_presence() != new.common_presence();
            let life = new.item.life.get(after);
            let is_never = life.is_some_and(|life| life.effective == Since::Never);
            // Of a program that stands apart nothing is known that it does not say.
            let is_apart = life.is_some_and(|life| life.apart);
            let known = [stated.0, stated.1].map(|own| Some(own?.phrase().to_owned()));
            let is_knowledge = is_apart && known.iter().any(Option::is_none);
            let is_stated = stated.1.is_some();
            (stated.0 != stated.1 && !follows && !is_never).then_some((
                program.key,
                is_stated,
                now,
                is_knowledge.then_some(known),
            ))
        })
        .collect();
    for (program, is_stated, (was, is), known) in both {
        if let Some([was, is]) = known {
            pair.program = Some(program.to_owned());
            pair.knowledge(&format!("whether it is there in {program}"), was, is);
            continue;
        }
        let rule = match (was, is) {
            _ if was == is => RuleId::DocsOnlyChanged,
            _ if is.optional && !was.optional => RuleId::FieldBecameOptional,
            _ if is.nullable && !was.nullable => RuleId::FieldBecameNullable,
            _ if was.optional && !is.optional => RuleId::FieldBecameRequired,
            _ => RuleId::FieldBecameNotNullable,
        };
        let (was, is) = (was.phrase(), is.phrase());
        let message = match (was == is, is_stated) {
            (false, _) => format!("{is}, was {was}"),
            (true, true) => format!("{is}, which is said of {program} itself"),
            (true, false) => format!("{is}, which is no longer said of {program} itself"),
        };
        pair.program = Some(program.to_owned());
        pair.say(rule, (was, is, message));
    }
    pair.program = None;
}

fn absent_means(pair: &mut Pair<'_, '_>, old: Option<&AbsentMeans>, new: Option<&AbsentMeans>) {
    let text = |means: Option<&AbsentMeans>| {
        means.map_or_else(|| "nothing".into(), |means| means.value.to_string())
    };
    let (was, is) = (text(old), text(new));
    let is_null = new.or(old).is_some_and(|means| means.or_null);
    let absence = if is_null { "absence or null" } else { "absence" };
    let message = format!("its {absence} means {is}, was {was}");
    match (old, new) {
        (None, Some(_)) => {
            pair.say_because(Cause::Coverage, RuleId::AbsentMeansAdded, (was, is, message));
        }
        (Some(_), None) => pair.say(RuleId::AbsentMeansRemoved, (was, is, message)),
        (Some(before), Some(after)) => {
            if before.value != after.value {
                pair.say(RuleId::AbsentMeansChanged, (&was, &is, message));
            }
            for (was, is, what) in [
                (before.omitted, after.omitted, "left out"),
                (before.or_null, after.or_null, "null"),
            ] {
                if was != is {
                    let (not, value) = if is { ("", after) } else { ("not ", before) };
                    let message = format!("is {not}{what} where it would be {}", value.value);
                    pair.say(RuleId::FieldPresenceNoteChanged, (was, is, message));
                }
            }
            let [before, after] = [before, after].map(|means| means.evidence.as_ref());
            proof::compare(pair, "absence", before, after);
        }
        (None, None) => {}
    }
}

/// A field of unknown presence is an `Option`, and stays one unless it is always present.
fn presence_known(
    pair: &mut Pair<'_, '_>,
    new: &Field,
    (before, was): (bool, &str),
    (after, is): (bool, &str),
) {
    let rule = match (before, after) {
        (false, true) if !new.optional && !new.nullable => RuleId::FieldBecameRequired,
        (true, false) if was == "always there" => RuleId::FieldBecameOptional,
        _ => {
            let known = |known: bool, text: &str| known.then(|| text.to_owned());
            return pair.knowledge("whether it is there", known(before, was), known(after, is));
        }
    };
    let unknown = "nobody knows whether it is there";
    let (old, new) = if after { (unknown, is) } else { (was, unknown) };
    let message = format!("{new}, was: {old}");
    if after {
        pair.say_because(Cause::Coverage, rule, (old, new, message));
    } else {
        pair.say(rule, (old, new, message));
    }
}

fn quirks(pair: &mut Pair<'_, '_>, old: &[Quirk], new: &[Quirk]) {
    let (mut came, mut gone) = (new.to_vec(), old.to_vec());
    came.retain(|quirk| !old.contains(quirk));
    gone.retain(|quirk| !new.contains(quirk));
    if came.is_empty() && gone.is_empty() {
        return pair.note(RuleId::OrderOnlyChanged, ("", "", "its quirks stand in another order"));
    }
    for quirk in came {
        let is_of = |was: &Quirk| (&was.program, &was.sends) == (&quirk.program, &quirk.sends);
        let is_then =
            |was: &Quirk| was.program == quirk.program && releases(was) == releases(&quirk);
        let was = gone.iter().position(is_of).or_else(|| gone.iter().position(is_then));
        let was = was.map(|at| gone.remove(at));
        // One that holds in all the releases that it was said to hold in takes nothing away.
        let rule = match &was {
            Some(was)
                if was.sends != quirk.sends || !is_within(releases(was), releases(&quirk)) =>
            {
                RuleId::QuirkRemoved
            }
            _ => RuleId::QuirkAdded,
        };
        let mut programs = pair.context.programs.iter();
        let is_newer = programs
            .any(|program| program.key == quirk.program && quirk.since > Some(program.newest));
        let cause = match was {
            Some(_) => Cause::Correction,
            None if is_newer => Cause::Evolution,
            None => Cause::Coverage,
        };
        pair.versions = versions(was.as_ref().map(releases), Some(releases(&quirk)));
        let (is, was) = (sent(&quirk), was.map_or_else(|| "nothing".into(), |was| sent(&was)));
        let message = format!("{} sends {is}, was {was}", quirk.program);
        pair.program = Some(quirk.program);
        pair.say_because(cause, rule, (was, is, message));
    }
    for quirk in gone {
        let was = sent(&quirk);
        let message = format!("that {} sends {was} is no longer said", quirk.program);
        pair.versions = versions(Some(releases(&quirk)), None);
        pair.program = Some(quirk.program);
        pair.say(RuleId::QuirkRemoved, (was, "nothing", message));
    }
    pair.program = None;
    pair.versions = None;
}

fn releases(quirk: &Quirk) -> Stretch {
    (quirk.since, quirk.until)
}

fn sent(quirk: &Quirk) -> String {
    format!("{}{}", quirk.sends, stretch(quirk.since, quirk.until))
}

/// A null or an absence that a quirk brings makes an `Option` too, and so does a type that nobody knows.
fn by_quirks(
    pair: &mut Pair<'_, '_>,
    (old_entity, old): (&Entity, &Field),
    (new_entity, new): (&Entity, &Field),
) {
    let before = pair.context.old_floors.is_plain(old_entity, old);
    let after = pair.context.new_floors.is_plain(new_entity, new);
    // Another type is a finding of its own.
    let is_same = old.r#type == new.r#type;
    let stated = |field: &Field| {
        let known = (field.presence_known, field.type_known || is_same);
        let value = field.absent_means.is_some();
        (field.common_presence(), field.presence.clone(), known, value)
    };
    let said = stated(old) != stated(new);
    if before == after || said || old.is_always_there() == new.is_always_there() {
        return;
    }
    let rule = if after { RuleId::FieldBecameRequired } else { RuleId::FieldBecameOptional };
    let (was, is) = if after { ("Option", "T") } else { ("T", "Option") };
    let message = match (after, old.type_known == new.type_known) {
        (true, true) => {
            "`Option<T>` becomes `T`: no quirk of a supported release leaves it out or empty"
        }
        (false, true) => {
            "`T` becomes `Option<T>`: a quirk of a supported release leaves it out or empty"
        }
        (true, false) => "`Option<T>` becomes `T`: its type is known",
        (false, false) => "`T` becomes `Option<T>`: nobody knows its type",
    };
    let sides = [(&old.quirks, &new.quirks), (&new.quirks, &old.quirks)];
    let differing = sides.map(|(all, others)| all.iter().filter(|one| !others.contains(one)));
    let mut programs = differing.into_iter().flatten().map(|quirk| &quirk.program);
    let first = programs.next().filter(|first| programs.all(|program| program == *first));
    pair.program = first.cloned();
    pair.say(rule, (was, is, message));
    pair.program = None;
}

pub(super) fn entity(pair: &mut Pair<'_, '_>, old: &Entity, new: &Entity) {
    if pair.keys.claim("fields_known") {
        // An entity without a field is an opaque value.
        let rule = match (
            old.fields.is_empty() && !old.fields_known,
            new.fields.is_empty() && !new.fields_known,
        ) {
            (true, false) => Some(RuleId::EntityBecameKnown),
            (false, true) => Some(RuleId::EntityBecameOpaque),
            _ => None,
        };
        let text = |known: bool| {
            if known { "known fields" } else { "fields that nobody knows" }
        };
        if let Some(rule) = rule {
            let cause = if new.fields_known { Cause::Coverage } else { Cause::Correction };
            let (was, is) = (text(old.fields_known), text(new.fields_known));
            pair.say_because(cause, rule, (was, is, format!("has {is}")));
        } else {
            let known = |known: bool| known.then(|| "all of them".to_owned());
            pair.knowledge("which fields it has", known(old.fields_known), known(new.fields_known));
        }
    }
    compare(pair, OF_ENTITY, old, new);
    if pair.keys.claim("includes") {
        includes(pair, old, new);
    }
}

/// The fields that come and go with the entity that it takes them from are reported one by one.
fn includes(pair: &mut Pair<'_, '_>, old: &Entity, new: &Entity) {
    let [was, is] = [old, new].map(|one| one.includes.as_deref().unwrap_or("no other entity"));
    if old.includes.as_ref().map(|id| pair.context.translated(&Type::Entity(id.clone())))
        == new.includes.clone().map(Type::Entity)
    {
        return;
    }
    let message = format!("takes its fields from {is}, was {was}");
    let rule = RuleId::IncludedEntityChanged;
    let change = pair.shaped(rule, pair.cause(rule), (was, is, message).into());
    pair.out.push(match old.includes {
        Some(_) => change,
        None => change.only_adds(),
    });
}
