//! Since when a program really has an item: no earlier than an operation answers or takes what the item belongs to.
//!
//! A field of an entity that no operation of a program answers is in none of its answers, whatever the entity's definition in the
//! program's source says. A [`Life`](crate::api::Life) tells what the program's source has; this tells what of it can be met.

use std::collections::{HashMap, VecDeque};

use crate::api::{Api, Entity, Field, Item, Since, Type};

/// The entity of an error whose body the catalogue does not name.
pub const PLAIN_ERROR: &str = "Error";

/// Since when each entity is answered or taken, by program. Enumerations are left as they are: their values also go out as mere text,
/// as scopes do.
#[derive(Debug)]
pub struct Reach<'a> {
    /// By the id of an item: that of what it belongs to.
    owners: HashMap<&'a str, Vec<Since>>,
}

/// A type that an operation or a field names, and since when it does so, by program.
struct Link<'a> {
    to: &'a str,
    since: Vec<Since>,
}

impl<'a> Reach<'a> {
    /// Follows the types of all operations.
    pub fn new(api: &'a Api) -> Self {
        let mut links: HashMap<&str, Vec<Link<'_>>> = HashMap::new();
        for entity in &api.entities {
            let from = links.entry(&entity.item.id).or_default();
            for field in &entity.fields {
                let since = effective(&field.item);
                let mut named = Vec::new();
                field.with_entries().for_each(|field| entities_of(api, &field.r#type, &mut named));
                from.extend(named.into_iter().map(|to| Link { to, since: since.clone() }));
            }
        }
        let mut reached: HashMap<&str, Vec<Since>> = HashMap::new();
        let mut next = VecDeque::new();
        for operation in &api.operations {
            let since = effective(&operation.item);
            let mut named = Vec::new();
            entities_of(api, &operation.returns, &mut named);
            for error in &operation.errors {
                match &error.returns {
                    Some(returns) => entities_of(api, returns, &mut named),
                    None => named.push(PLAIN_ERROR),
                }
            }
            let mut found: Vec<Link<'_>> =
                named.into_iter().map(|to| Link { to, since: since.clone() }).collect();
            for param in &operation.params {
                let mut named = Vec::new();
                entities_of(api, &param.r#type, &mut named);
                let since = later(&since, &effective(&param.item));
                found.extend(named.into_iter().map(|to| Link { to, since: since.clone() }));
            }
            for link in found {
                if reach(&mut reached, link.to, &link.since) {
                    next.push_back(link.to);
                }
            }
        }
        while let Some(from) = next.pop_front() {
            let start = reached.get(from).cloned().unwrap_or_default();
            for link in links.get(from).into_iter().flatten() {
                if reach(&mut reached, link.to, &later(&start, &link.since)) {
                    next.push_back(link.to);
                }
            }
        }
        Self { owners: owners(api, &reached) }
    }

    /// Since when each program really has an item: its life's, or since when what it belongs to is answered or taken, if that is
    /// later. What no operation of the catalogue names is taken as it is.
    pub fn effective(&self, item: &Item) -> Vec<Since> {
        let own = effective(item);
        let Some(owner) = self.owners.get(item.id.as_str()) else {
            return own;
        };
        let lives = item.life.iter().zip(later(&own, owner));
        lives
            .map(|(life, since)| match (since, life.removed) {
                // It was gone before anything answered it.
                (Since::Since(since), Some(removed)) if since >= removed => Since::Never,
                (since, _) => since,
            })
            .collect()
    }
}

/// Notes since when a type is answered or taken. Answers whether that is news.
fn reach<'a>(reached: &mut HashMap<&'a str, Vec<Since>>, to: &'a str, since: &[Since]) -> bool {
    let Some(known) = reached.get_mut(to) else {
        reached.insert(to, since.to_vec());
        return true;
    };
    let mut is_news = false;
    for (known, since) in known.iter_mut().zip(since) {
        if since < known {
            *known = *since;
            is_news = true;
        }
    }
    is_news
}

/// Collects, for each entity and field, since when its owner is answered or taken.
fn owners<'a>(
    api: &'a Api,
    reached: &HashMap<&'a str, Vec<Since>>,
) -> HashMap<&'a str, Vec<Since>> {
    let mut owners = HashMap::new();
    for entity in &api.entities {
        let Entity { item, fields, .. } = entity;
        if let Some(since) = reached.get(item.id.as_str()) {
            let fields = fields.iter().flat_map(Field::with_entries);
            let ids = fields.map(|field| field.item.id.as_str());
            owners.extend(ids.chain([item.id.as_str()]).map(|id| (id, since.clone())));
        }
    }
    owners
}

fn effective(item: &Item) -> Vec<Since> {
    item.life.iter().map(|life| life.effective).collect()
}

fn later(a: &[Since], b: &[Since]) -> Vec<Since> {
    a.iter().zip(b).map(|(a, b)| *a.max(b)).collect()
}

/// The entities that a type names, with what the events of a stream bring.
pub fn entities_of<'a>(api: &'a Api, ty: &'a Type, to: &mut impl Extend<&'a str>) {
    ty.each(&mut |one| match one {
        Type::Entity(id) => to.extend([id.as_str()]),
        Type::Events(id) => {
            let events = api.enums.iter().filter(|one| one.item.id == *id);
            let values = events.flat_map(|one| &one.values);
            let payloads = values.filter_map(|value| value.payload.as_ref());
            payloads.for_each(|payload| entities_of(api, payload, to));
        }
        _ => {}
    });
}

#[cfg(test)]
mod tests {
    use fedispec_since::StableVersion;

    use super::Reach;
    use crate::api::{Api, Since, Type};
    use crate::resolved::from_json;

    /// A small catalogue.
    const SMALL: &str = include_str!("../tests/fedispec-api-1.json");

    fn since(minor: u16) -> Since {
        Since::Since(StableVersion(0, minor, 0))
    }

    fn effective(api: &Api, entity: &str) -> Vec<Since> {
        let one = api.entities.iter().find(|one| one.item.id == entity);
        Reach::new(api).effective(&one.expect(entity).fields[0].item)
    }

    #[test]
    fn a_field_is_there_no_earlier_than_its_entity_is_answered() {
        let mut api = from_json(SMALL).expect("a catalogue");
        let operation = api.operations.iter_mut().find(|one| one.item.id == "accounts.lookup");
        let operation = operation.expect("accounts.lookup");
        let Type::Entity(entity) = operation.returns.clone() else {
            unreachable!("it answers an entity");
        };
        operation.errors.clear();
        for (life, effective) in operation.item.life.iter_mut().zip([since(7), Since::Never]) {
            life.effective = effective;
        }
        let lookup = operation.clone();
        api.operations = vec![lookup];
        let one = api.entities.iter_mut().find(|one| one.item.id == entity);
        let lives = &mut one.expect("the entity").fields[0].item.life;
        for life in lives.iter_mut() {
            life.effective = since(1);
        }
        assert_eq!(effective(&api, &entity), [since(7), Since::Never]);
        let mut gone = api.clone();
        let one = { gone.entities.iter_mut() }.find(|one| one.item.id == entity);
        one.expect("the entity").fields[0].item.life[0].removed = Some(StableVersion(0, 7, 0));
        assert_eq!(effective(&gone, &entity), [Since::Never, Since::Never]);
        // An entity that no operation names is taken as it is.
        api.operations.clear();
        assert_eq!(effective(&api, &entity), [since(1), since(1)]);
    }

    /// Every alternative of an answer is one, and what a map holds is answered with the map.
    #[test]
    fn all_that_a_type_names_is_answered() {
        let mut api = from_json(SMALL).expect("a catalogue");
        let mut operation = api.operations[0].clone();
        operation.params.clear();
        operation.errors.clear();
        operation.item.life.iter_mut().for_each(|life| life.effective = since(7));
        let named = |id: &str| Type::Entity(id.to_owned());
        let both = vec![named("Account.thumbnail"), named("Account.source")];
        operation.returns = Type::OneOf(vec![Type::Empty, Type::List(Box::new(Type::OneOf(both)))]);
        api.operations = vec![operation];
        for entity in &mut api.entities {
            for field in &mut entity.fields {
                field.item.life.iter_mut().for_each(|life| life.effective = since(1));
                let entry = field.clone();
                field.entry = Some(Box::new(entry));
                let entry = field.entry.as_deref_mut().expect("an entry");
                entry.item.id += ".*";
            }
        }
        let reach = Reach::new(&api);
        for (entity, expected) in [("Account.thumbnail", 7), ("Account.source", 7), ("Account", 1)]
        {
            let one = api.entities.iter().find(|one| one.item.id == entity).expect(entity);
            let entry = one.fields[0].entry.as_deref().expect("an entry");
            for item in [&one.fields[0].item, &entry.item] {
                assert_eq!(
                    reach.effective(item),
                    [since(expected), since(expected)],
                    "{}",
                    item.id
                );
            }
        }
    }

    #[test]
    fn an_entity_inside_another_is_reached_through_it() {
        let api = from_json(SMALL).expect("a catalogue");
        let reach = Reach::new(&api);
        for entity in &api.entities {
            for field in &entity.fields {
                let Type::Entity(inner) = &field.r#type else {
                    continue;
                };
                let inner = api.entities.iter().find(|one| one.item.id == *inner);
                let inner = &inner.expect("an entity").item;
                let outer = reach.effective(&field.item);
                let inner = reach.effective(inner);
                assert!(inner.iter().zip(&outer).all(|(inner, outer)| inner <= outer));
            }
        }
    }
}
