//! The treatment of an empty field in each release: it sends it, sends null, or leaves its key out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use fedispec::runtime::Key;
use fedispec::server::emulation;
use fedispec_model::api::{Entity, EntityRole, Field, Quirk, Type};
use serde_json::{Value, json};

use crate::emulation::filled::{API, Fill, Release, Typed, releases, typed};

/// The keys of every entity, as its type writes them.
static KEYS: LazyLock<BTreeMap<&'static str, &'static [Key]>> = LazyLock::new(|| {
    fn restored<T: fedispec::runtime::Entity>() -> &'static [Key] {
        T::KEYS
    }
    type Named = (&'static str, fn() -> &'static [Key]);
    let all: Vec<Named> = include!(concat!(env!("OUT_DIR"), "/entities.rs"));
    all.into_iter().map(|(id, keys)| (id, keys())).collect()
});

/// The form of a key in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sent {
    Nothing,
    Null,
    Value,
}

impl Sent {
    fn of(answer: &Value, wire: &str) -> Self {
        match answer.get(wire) {
            None => Self::Nothing,
            Some(Value::Null) => Self::Null,
            Some(_) => Self::Value,
        }
    }
}

/// How a field is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Empty {
    /// It has no value.
    None,
    /// It has the value that absence means.
    Meant,
    /// It has a value that is empty, such as 0, and could have none.
    Zero,
}

/// The form that a release has to send for an empty field by the catalogue; `None` where the catalogue says nothing.
fn expected(release: &Release, field: &Field, empty: Empty) -> Option<Sent> {
    let version = release.version;
    let in_force = |quirk: &&Quirk| {
        quirk.program == release.program.key
            && quirk.since.is_none_or(|since| since <= version)
            && quirk.until.is_none_or(|until| version < until)
    };
    let quirks: Vec<_> =
        { field.quirks.iter().filter(in_force) }.map(|quirk| quirk.sends.as_str()).collect();
    let has = |word: &str| quirks.contains(&word);
    let presence = field.presence_at(release.place, version);
    match empty {
        _ if has("absent_if_empty") => Some(Sent::Nothing),
        Empty::Zero if has("absent") => None,
        Empty::Zero => Some(Sent::Value),
        _ if has("absent") => Some(Sent::Nothing),
        Empty::None if has("empty_string") || has("zero") || has("empty_array") => {
            Some(Sent::Value)
        }
        // A key that may be missing says nothing of the value that absence means.
        Empty::Meant => {
            let is_omitted = field.absent_means.as_ref()?.omitted && presence.optional;
            Some(if is_omitted { Sent::Nothing } else { Sent::Value })
        }
        Empty::None => match (presence.optional, presence.nullable) {
            (true, false) => Some(Sent::Nothing),
            (false, true) => Some(Sent::Null),
            (false, false) if matches!(field.r#type, Type::List(_)) => Some(Sent::Value),
            // A value that is always there cannot be made up, and one that is left out or null may be either.
            _ => None,
        },
    }
}

/// An empty value of a type, where a program could take it for none.
fn zero(ty: &Type) -> Option<Value> {
    Some(match ty {
        Type::Boolean => false.into(),
        Type::Integer => 0.into(),
        Type::String => "".into(),
        _ => return None,
    })
}

/// An entity in which one field is empty, spelled as its type spells it, so that it is not written as it was read.
fn emptied(entity: &'static Entity, field: &Field, key: &Key) -> Vec<(Empty, Typed)> {
    let release = releases().last().expect("a release");
    let fill = Fill { release, lacking: false };
    let with = |value: Option<Value>| {
        let mut whole = fill.object(&entity.item.id);
        let object = whole.as_object_mut()?;
        match value {
            Some(value) => object.insert(key.wire().to_owned(), value),
            None => object.remove(key.wire()),
        };
        typed(&entity.item.id, &whole.to_string())
    };
    let meant = key.absent.map(serde_json::from_str);
    let meant = meant.transpose().expect("JSON");
    let is_plain = meant.is_some();
    let usual = if is_plain { meant } else { Some(json!(null)) };
    let natural = with(usual.filter(|_| !key.optional));
    let empty = if is_plain { Empty::Meant } else { Empty::None };
    let mut all: Vec<_> = natural.map(|typed| (empty, typed)).into_iter().collect();
    // Without an `Option` 0 is a value as any other; some texts are read as none where they are empty.
    if !is_plain && !all.is_empty() && !key.lenient {
        let zero = zero(&field.r#type).and_then(|zero| with(Some(zero)));
        all.extend(zero.map(|typed| (Empty::Zero, typed)));
    }
    all
}

#[test]
fn what_is_empty_is_sent_as_each_release_sends_it() {
    let every: Vec<_> = releases()
        .map(|release| (release, emulation(&release.name()).expect("registered")))
        .collect();
    let mut faults = BTreeSet::new();
    let (mut compared, mut changing) = (0, 0);
    for entity in &API.entities {
        let Some(keys) = KEYS.get(entity.item.id.as_str()) else {
            continue;
        };
        if matches!(entity.role, EntityRole::Argument(_)) {
            continue;
        }
        let fields = entity.fields.iter().filter(|field| field.presence_known);
        for field in fields {
            let Some(key) = keys.iter().find(|key| key.wire() == field.item.wire) else {
                continue;
            };
            for (empty, typed) in emptied(entity, field, key) {
                let mut before = None;
                for (release, emulation) in &every {
                    if release.lacks(&entity.item) || release.lacks(&field.item) {
                        continue;
                    }
                    let expected = expected(release, field, empty);
                    // A release that says the same as the one before is written by the same rows.
                    let state = (release.place, expected);
                    let is_next = before.is_some_and(|(place, _)| place == release.place);
                    if before.replace(state) == Some(state) {
                        continue;
                    }
                    changing += usize::from(is_next);
                    let (Some(expected), Some(answer)) = (expected, emulation.encode(&typed))
                    else {
                        continue;
                    };
                    let answer = serde_json::from_slice(&answer).expect("JSON");
                    let sent = Sent::of(&answer, key.wire());
                    compared += 1;
                    if sent != expected {
                        let (name, id) = (release.name(), &field.item.id);
                        faults.insert(format!(
                            "{name}: {id}, {empty:?}: {sent:?} in place of {expected:?}"
                        ));
                    }
                }
            }
        }
    }
    let shown: Vec<_> = faults.iter().take(60).collect();
    assert!(faults.is_empty(), "{} faults: {shown:#?}", faults.len());
    assert!(compared > 1_000, "{compared} comparisons");
    assert!(changing > 50, "{changing} changes from release to release");
}
