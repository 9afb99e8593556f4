//! Resolution of types: the names in a type's notation are looked up, and listed members become the object it mentions.

use super::{NameTarget, Resolver};
use crate::merge::MergedItem;
use crate::model::{Fact, TypeName};
use crate::problems::NodePath;
use fedispec_model::api::Type;
use fedispec_model::notation::{Malformed, Notation, Plain, plain_word};
use fedispec_model::suggest::did_you_mean;
use fedispec_model::wire::Wrap;

/// The parts of an item's type that its name implies.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameHints<'x> {
    /// The containers behind its key.
    pub(super) wraps: &'x [Wrap<'x>],
    /// How many of them are in the item's own name.
    pub(super) own: usize,
    /// The entity made of its listed members.
    pub(super) object: Option<&'x str>,
    /// In parameters a map by index is a list.
    pub(super) param: bool,
}

/// A type that is being resolved, and the node that it is written in.
struct TypeLookup<'x, 'a> {
    place: NodePath<'a>,
    id: &'x str,
    object: Option<&'x str>,
    /// Whether the object has been placed in the type.
    placed: bool,
}

impl<'a> Resolver<'a, '_, '_> {
    /// Resolves the type of a field or parameter.
    pub(super) fn item_type<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        named: NameHints<'_>,
        say: impl Fn(&'a B) -> Option<Fact<TypeName>>,
    ) -> ItemType {
        match self.placed(node, "type", say) {
            Some((text, place)) => ItemType {
                ty: self.written_type(&text.0, place, &node.id, named),
                known: true,
                format: is_day(&text.0).then(|| DAY.to_owned()),
            },
            None => ItemType { ty: named.implied(), known: false, format: None },
        }
    }

    fn written_type(
        &mut self,
        text: &str,
        place: NodePath<'a>,
        id: &str,
        named: NameHints<'_>,
    ) -> Type {
        let Some(notation) = self.notation(text, &place) else {
            return named.implied();
        };
        let mut lookup = TypeLookup { place, id, object: named.object, placed: false };
        let mut found = self.find(&notation, &mut lookup);
        if named.object.is_some() && !lookup.placed {
            let message = format!("`{id}` has members listed, but `{text}` is no object");
            let help =
                "write `object` where the members belong: `object`, `object[]`, `map<object>`";
            self.facts.problems.value("wrong-object", &lookup.place, message, help);
            return named.implied();
        }
        if named.param {
            found = lists_by_index(found, named.wraps);
        }
        if named.object.is_some() && depth(&found) > named.wraps.len() {
            let whole = match named.wraps {
                [] => "one object".to_owned(),
                wraps => containers(wraps),
            };
            let message =
                format!("the names of the members make `{id}` {whole}, but its type is `{text}`");
            let help = "write the members of a list as `name[][member]` and those of a map as `name[:key][member]`";
            self.facts.problems.value("wrong-container", &lookup.place, message, help);
        }
        let deep = if named.object.is_some() { named.wraps.len() } else { named.own };
        if !fits(&found, &named.wraps[..deep.min(named.wraps.len())]) {
            let message = format!(
                "the name of `{id}` makes it {}, but its type is `{text}`",
                containers(&named.wraps[..deep])
            );
            let help = "write a list as `T[]` and a map as `map<T>`";
            self.facts.problems.value("wrong-container", &lookup.place, message, help);
        }
        found
    }

    /// Resolves the type of an answer.
    pub(super) fn answer_type(&mut self, text: &str, place: NodePath<'a>, id: &str) -> Type {
        let Some(notation) = self.notation(text, &place) else {
            return Type::Json;
        };
        let mut lookup = TypeLookup { place, id, object: None, placed: false };
        match notation {
            Notation::Events(name) => self.events(name, &lookup),
            notation => self.find(&notation, &mut lookup),
        }
    }

    fn notation<'t>(&mut self, text: &'t str, place: &NodePath<'a>) -> Option<Notation<'t>> {
        match Notation::parse(text) {
            Ok(notation) => Some(notation),
            Err(malformed) => {
                let message = malformed.to_string();
                let mut help = malformed.help();
                if let Malformed::Unknown(word) | Malformed::NoName(word) = &malformed
                    && plain_word(word).is_none()
                {
                    let of_ids = text.strip_prefix("id<").and_then(|of| of.strip_suffix("[]>"));
                    help = match of_ids {
                        Some(of) => format!("write `id<{of}>[]`"),
                        // A name that is near has no part of the brackets.
                        None if word.contains(['<', '[', '(']) => help,
                        None => did_you_mean(word, self.names.keys().copied(), &help),
                    };
                }
                self.facts.problems.value("malformed-type", place, message, help);
                None
            }
        }
    }

    fn find(&mut self, notation: &Notation<'_>, lookup: &mut TypeLookup<'_, 'a>) -> Type {
        match notation {
            Notation::Plain(plain) => simple(*plain),
            Notation::Id(None) => Type::Id(None),
            Notation::Id(Some(of)) => {
                let found = self.named(of, lookup);
                if found == Some(NameTarget::Enum) {
                    let message = format!("`{of}` is an enumeration, whose values have no ids");
                    let help = format!("write `{of}` for a value of it, or name an entity");
                    self.facts.problems.value("malformed-type", &lookup.place, message, &help);
                }
                Type::Id(found.map(|_| (*of).to_owned()))
            }
            Notation::Named(name) => match self.named(name, lookup) {
                Some(NameTarget::Entity) => Type::Entity((*name).into()),
                Some(NameTarget::Enum) => Type::Enum((*name).into()),
                None => Type::Json,
            },
            Notation::List(inner) | Notation::Map(inner) => {
                let found = self.find(inner, lookup);
                if found == Type::Empty {
                    let message = format!("`{}` cannot hold what is `empty`", lookup.id);
                    let help = "say what it holds, or write `empty` alone";
                    self.facts.problems.value("malformed-type", &lookup.place, message, help);
                }
                let found = Box::new(found);
                match notation {
                    Notation::List(_) => Type::List(found),
                    _ => Type::Map(found),
                }
            }
            Notation::Either(pair) => {
                if pair[0] == pair[1] {
                    let message = format!("both alternatives of `{}` are the same", lookup.id);
                    let help = "write the type once";
                    self.facts.problems.value("malformed-type", &lookup.place, message, help);
                }
                Type::OneOf(pair.iter().map(|one| self.find(one, lookup)).collect())
            }
            Notation::Events(_) => {
                let message = format!("`{}` cannot be a stream of events", lookup.id);
                let help = "only the answer of an operation can";
                self.facts.problems.value("wrong-events", &lookup.place, message, help);
                Type::Json
            }
            Notation::Object => self.object_type(lookup),
        }
    }

    /// The type of a stream of an enumeration's values.
    fn events(&mut self, name: &str, lookup: &TypeLookup<'_, 'a>) -> Type {
        match self.named(name, lookup) {
            Some(NameTarget::Enum) => return Type::Events(name.into()),
            Some(NameTarget::Entity) => {
                let message =
                    format!("`{name}` is an entity, and events are values of an enumeration");
                let help = "name the enumeration of the events, whose values say `payload`";
                self.facts.problems.value("wrong-events", &lookup.place, message, help);
            }
            None => {}
        }
        Type::Json
    }

    fn object_type(&mut self, lookup: &mut TypeLookup<'_, 'a>) -> Type {
        if let Some(object) = lookup.object {
            lookup.placed = true;
            return Type::Entity(object.into());
        }
        let message = format!("`{}` is an object, but no members are listed", lookup.id);
        let help = "list its members, name an entity, or write `json` or `map<T>`";
        self.facts.problems.value("wrong-object", &lookup.place, message, help);
        Type::Json
    }

    fn named(&mut self, name: &str, lookup: &TypeLookup<'_, 'a>) -> Option<NameTarget> {
        if let Some((target, _)) = self.names.get(name) {
            return Some(*target);
        }
        if self.objects.contains(name) {
            return Some(NameTarget::Entity);
        }
        let objects = self.objects.iter().map(String::as_str);
        let known: Vec<_> = if name.contains('.') {
            objects.collect()
        } else {
            self.names.keys().copied().collect()
        };
        let or_else = match plain_word(name) {
            Some(word) => format!("did you mean `{word}`?"),
            None => "introduce it under `entities` or `enums`".into(),
        };
        let help = did_you_mean(name, known, &or_else);
        let message = format!("there is no entity or enumeration `{name}`");
        self.facts.problems.value("unknown-reference", &lookup.place, message, help);
        None
    }

    /// Finds the name behind an item in the documents' spelling: the entity or enumeration of its type, or else the one
    /// that the documents note. The two must not differ.
    pub(super) fn refers_to<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        ty: &Type,
        say: impl Fn(&'a B) -> Option<&'a str>,
    ) -> Option<String> {
        let noted = self
            .placed(node, "refers_to", |body| say(body).map(|text| Fact::Known(text.to_owned())));
        let by_type = core(ty);
        if let Some((noted, place)) = noted {
            let lookup = TypeLookup { place, id: &node.id, object: None, placed: false };
            self.named(&noted, &lookup)?;
            if let Some(by_type) = by_type.filter(|by_type| *by_type != noted) {
                let message =
                    format!("`{}` refers to `{noted}`, but its type says `{by_type}`", node.id);
                let help = "mend the type, or declare it under `disputes`, fact `refers_to`";
                let mut typed = node.of_all().map(|one| one.place.then("type"));
                let typed = typed.find(|place| self.facts.problems.stands(place));
                let place = typed.as_ref().unwrap_or(&lookup.place);
                let problem =
                    self.facts.problems.value("undeclared-contradiction", place, message, help);
                problem.with_value(&lookup.place, "what it refers to");
            }
            return self.documented(by_type.unwrap_or(&noted));
        }
        self.documented(by_type?)
    }

    /// A name as the documents spell it; nothing for an object without a name of its own.
    fn documented(&self, name: &str) -> Option<String> {
        self.names.get(name).map(|(_, documented)| (*documented).to_owned())
    }

    /// An answer as the documents call it: `Account[]`, `[]` for a list of unlisted elements.
    pub(super) fn answer_documented(&self, ty: &Type) -> Option<String> {
        match ty {
            Type::Entity(name) | Type::Enum(name) => self.documented(name),
            Type::List(element) => Some(self.answer_documented(element).unwrap_or_default() + "[]"),
            _ => None,
        }
    }
}

/// The type of an item, and the format of its text that follows from it.
pub(super) struct ItemType {
    pub(super) ty: Type,
    pub(super) known: bool,
    pub(super) format: Option<String>,
}

impl NameHints<'_> {
    /// The type that the name alone implies.
    pub(super) fn implied(&self) -> Type {
        let core = self.object.map_or(Type::Json, |id| Type::Entity(id.into()));
        let wrapped = wrap(core, self.wraps);
        if self.param { lists_by_index(wrapped, self.wraps) } else { wrapped }
    }
}

/// The format of a [`Type::Timestamp`] that holds a day, where no other format is stated.
const DAY: &str = "date";

fn is_day(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == DAY)
}

/// The type that a word of the notation is.
pub(crate) fn simple(plain: Plain) -> Type {
    match plain {
        Plain::Json => Type::Json,
        Plain::Empty => Type::Empty,
        Plain::String => Type::String,
        Plain::Integer => Type::Integer,
        Plain::Number => Type::Number,
        Plain::Boolean => Type::Boolean,
        Plain::Datetime | Plain::Date => Type::Timestamp,
        Plain::File => Type::File,
        Plain::Cursor => Type::Cursor,
    }
}

/// The containers around a type.
fn wrap(core: Type, wraps: &[Wrap<'_>]) -> Type {
    wraps.iter().rev().fold(core, |inner, wrap| match wrap {
        Wrap::List => Type::List(Box::new(inner)),
        Wrap::Map(_) => Type::Map(Box::new(inner)),
    })
}

/// `fields_attributes[:index][name]` is a list of objects in every request.
fn lists_by_index(ty: Type, wraps: &[Wrap<'_>]) -> Type {
    match (ty, wraps.first()) {
        (Type::Map(inner), Some(Wrap::Map(_))) | (Type::List(inner), Some(_)) => {
            Type::List(Box::new(lists_by_index(*inner, &wraps[1..])))
        }
        (ty, _) => ty,
    }
}

/// Whether a type has the containers that a name promises.
fn fits(ty: &Type, wraps: &[Wrap<'_>]) -> bool {
    match (ty, wraps.first()) {
        (_, None) | (Type::Json, _) => true,
        (Type::List(inner), Some(Wrap::List)) | (Type::Map(inner), Some(Wrap::Map(_))) => {
            fits(inner, &wraps[1..])
        }
        // A parameter's map by index has become a list.
        (Type::List(inner), Some(Wrap::Map(name))) if *name == ":index" => fits(inner, &wraps[1..]),
        (Type::OneOf(types), _) => types.iter().all(|ty| fits(ty, wraps)),
        _ => false,
    }
}

/// The number of lists and maps around what a type holds.
fn depth(ty: &Type) -> usize {
    match ty {
        Type::List(inner) | Type::Map(inner) => 1 + depth(inner),
        _ => 0,
    }
}

fn containers(wraps: &[Wrap<'_>]) -> String {
    let names = wraps.iter().enumerate().map(|(at, wrap)| match (wrap, at) {
        (Wrap::Map(_), 0) => "a map",
        (Wrap::List, 0) => "a list",
        (Wrap::Map(_), _) => "maps",
        (Wrap::List, _) => "lists",
    });
    names.collect::<Vec<_>>().join(" of ")
}

/// The entity or enumeration inside a type.
fn core(ty: &Type) -> Option<&str> {
    match ty.innermost() {
        Type::Entity(name) | Type::Enum(name) => Some(name),
        _ => None,
    }
}
