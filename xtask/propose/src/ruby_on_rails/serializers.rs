//! Serializers: the fields of what is answered.

use std::collections::BTreeMap;

use fedispec_model::sentences::capitalised;

use super::evaluate::{Evaluator, Frame};
use super::ruby::{
    Classes, arguments, name, option, option_name, plural, positional, singular, statements,
};
use super::schema::{Column, Tables};
use super::value::{self, Value};
use crate::surface::{Field, Shape, SourceType};
use crate::syntax::{Spot, snake_case};

/// The name of a serializer's shape: `V1::Instance` of `REST::V1::InstanceSerializer`.
pub(super) fn shape_name(class: &str) -> Option<String> {
    let name = class.trim_start_matches("::").strip_suffix("Serializer")?;
    Some(name.strip_prefix("REST::").unwrap_or(name).replace("Serializer::", "::"))
}

/// The shapes of all serializers but those for other servers.
pub(super) fn shapes<'s>(
    classes: &Classes<'s>,
    evaluator: &Evaluator<'_, 's>,
    tables: &Tables,
) -> BTreeMap<String, Shape> {
    let mut shapes = BTreeMap::new();
    let given = given(classes);
    for (class, declared) in classes.all() {
        // Messages between servers, and feeds, are no part of the API.
        let is_other = ["ActivityPub::", "RSS::"].iter().any(|other| class.starts_with(other));
        let (Some(name), Some(at), true) = (shape_name(class), declared.at, !is_other) else {
            continue;
        };
        let object = model(classes, class).map_or_else(
            || {
                let given = given.get(class.as_str()).into_iter().flatten();
                Value::any(given.map(|one| evaluator.rendered(one.class, one.at, one.each)))
            },
            Value::Object,
        );
        let mut reader = Serializer {
            classes,
            evaluator,
            class,
            name: &name,
            object,
            tables,
            shapes: &mut shapes,
        };
        let spelt = spelling(class);
        let fields = reader.fields().into_iter();
        let fields: BTreeMap<_, _> = fields.map(|(key, field)| (spelt(&key), field)).collect();
        if !fields.is_empty() {
            shapes.insert(name, Shape::of(at.place(), fields));
        }
    }
    shapes
}

/// How a serializer writes its keys: the adapter of node info has a way of its own.
fn spelling(class: &str) -> fn(&str) -> String {
    if class.starts_with("NodeInfo") { camel } else { str::to_owned }
}

/// The class that a serializer is called after: `PreviewCard` of `REST::PreviewCardSerializer` and of those below it.
fn model<'c>(classes: &'c Classes<'_>, serializer: &str) -> Option<&'c str> {
    let ancestors = classes.ancestors(serializer).into_iter();
    let mut names = ancestors.filter_map(|(class, _)| shape_name(class));
    names.find_map(|name| {
        let last = name.rsplit("::").next()?;
        classes.resolve("", &name).or_else(|| classes.resolve("", last))
    })
}

/// A value that a controller gives to a serializer.
struct Given<'c, 's> {
    /// The controller.
    class: &'c str,
    at: Spot<'s>,
    /// It is a list, of which each is written.
    each: bool,
}

/// The values that controllers give to serializers, by their classes: `render json: @lists, each_serializer: REST::ListSerializer`.
fn given<'c, 's>(classes: &'c Classes<'s>) -> BTreeMap<&'c str, Vec<Given<'c, 's>>> {
    let mut found: BTreeMap<&str, Vec<Given<'_, '_>>> = BTreeMap::new();
    let controllers = classes.all().filter(|(name, _)| name.ends_with("Controller"));
    for (class, declared) in controllers {
        for method in declared.methods() {
            method.walk(|at| {
                let (one, many) = (option(at, "serializer"), option(at, "each_serializer"));
                let named = one.or(many).and_then(|at| classes.resolve(class, at.text()));
                if let (Some(named), Some(at)) = (named, option(at, "json")) {
                    let each = one.is_none();
                    found.entry(named).or_default().push(Given { class, at, each });
                }
                true
            });
        }
    }
    found
}

/// Notes the shapes of what a controller renders without a serializer, below a name of its own; answers the name of the whole, and
/// whether it is a list.
pub(super) fn rendered<'s>(
    evaluator: &Evaluator<'_, 's>,
    (class, name): (&str, &str),
    at: Spot<'s>,
    shapes: &mut BTreeMap<String, Shape>,
) -> Option<(String, bool)> {
    let class = evaluator.classes.resolve("", class)?;
    let made = evaluator.inside(class, at);
    match value::kind(&made, &format!("{name}.answer"), str::to_owned, shapes) {
        SourceType::Shape(whole) => Some((whole, false)),
        SourceType::List(of) => match *of {
            SourceType::Shape(whole) => Some((whole, true)),
            _ => None,
        },
        _ => None,
    }
}

/// The shape of an object with one key: what the adapter `json` writes around another.
pub(super) fn wrapped(key: String, of: SourceType, at: Spot<'_>) -> Shape {
    let told = Some(false);
    let field = Field { r#type: of, optional: told, nullable: told, ..Field::at(at.place()) };
    Shape::of(at.place(), BTreeMap::from([(key, field)]))
}

/// `openRegistrations` of `open_registrations`.
fn camel(key: &str) -> String {
    key.split_once('_').map_or(key.to_owned(), |(first, rest)| first.to_owned() + &pascal(rest))
}

struct Serializer<'r, 'c, 's> {
    classes: &'c Classes<'s>,
    evaluator: &'r Evaluator<'c, 's>,
    class: &'c str,
    name: &'r str,
    /// The object that it writes, one of its model.
    object: Value<'c, 's>,
    tables: &'r Tables,
    shapes: &'r mut BTreeMap<String, Shape>,
}

impl<'s> Serializer<'_, '_, 's> {
    fn fields(&mut self) -> BTreeMap<String, Field> {
        let mut fields = BTreeMap::new();
        let ancestors = self.classes.ancestors(self.class);
        let resets = ancestors.iter().position(|(_, class)| class.resets);
        let until = resets.map_or(ancestors.len(), |place| place + 1);
        let calls = ancestors[..until].iter().rev();
        let calls: Vec<_> = calls.flat_map(|(_, class)| class.calls.iter().copied()).collect();
        for call in calls {
            match call.word("method") {
                "attributes" => {
                    for at in arguments(call) {
                        let word = name(at).map(|name| vec![(name, at)]);
                        let words = word.or_else(|| self.classes.words(self.class, at));
                        for (word, at) in words.unwrap_or_default() {
                            let field = self.attribute(at, &word, None);
                            fields.insert(word, field);
                        }
                    }
                }
                kind @ ("attribute" | "has_one" | "belongs_to" | "has_many") => {
                    let at = positional(call).first().copied();
                    let Some((at, word)) = at.and_then(|at| Some((at, name(at)?))) else {
                        continue;
                    };
                    let field = match kind {
                        "attribute" => self.attribute(at, &word, condition(call)),
                        _ => self.relation(call, at, kind == "has_many"),
                    };
                    fields.insert(option_name(call, "key").unwrap_or(word), field);
                }
                _ => {}
            }
        }
        fields
    }

    fn attribute(&mut self, at: Spot<'s>, word: &str, condition: Option<String>) -> Field {
        let method = self.classes.method(self.class, word, 0);
        let (kind, nullable) = if let Some(method) = method {
            (self.answered(method, word), answers_null(method))
        } else if let Some(column) = self.column(word) {
            let plain = |name: &str| SourceType::Plain(name.to_owned());
            let kind = column.r#type.map_or(SourceType::Unknown, plain);
            (kind, Some(column.nullable))
        } else {
            // Of a text or a number the model's way to it says little.
            let made = self.evaluator.asked(&self.object, word);
            let made = Some(made).filter(Value::is_known);
            let kind = made.map_or(SourceType::Unknown, |made| self.kind(&made, word));
            (kind, None)
        };
        Field { r#type: kind, nullable, ..conditional(at, condition) }
    }

    /// The column that an attribute without a method of its own is, where its model does not hide it behind a method.
    fn column(&self, word: &str) -> Option<Column> {
        let ancestors = self.classes.ancestors(self.class).into_iter();
        let mut models = ancestors.filter_map(|(class, _)| {
            let model = shape_name(class)?;
            let model = model.rsplit("::").next()?.to_owned();
            let columns = self.tables.get(&plural(&snake_case(&model)))?;
            Some((model, columns))
        });
        let (model, columns) = models.next()?;
        let column = *columns.get(word)?;
        let is_hidden = self.classes.method(&model, word, 0).is_some();
        (!is_hidden).then_some(column)
    }

    /// The type of what a method of the serializer answers.
    fn answered(&mut self, method: Spot<'s>, word: &str) -> SourceType {
        let frame = Frame::of(self.class).with("object", self.object.clone());
        let made = self.evaluator.answer(method, frame);
        self.kind(&made, word)
    }

    fn kind(&mut self, made: &Value<'_, '_>, word: &str) -> SourceType {
        let path = format!("{}.{word}", self.name);
        value::kind(made, &path, spelling(self.class), self.shapes)
    }

    fn relation(&mut self, call: Spot<'s>, at: Spot<'s>, many: bool) -> Field {
        let serializer = option(call, "serializer")
            .filter(|at| matches!(at.kind(), "constant" | "scope_resolution"));
        let serializer = serializer.map(Spot::text);
        // A serializer inside this one goes by its whole name.
        let whole = serializer.map(|name| self.classes.resolve(self.class, name).unwrap_or(name));
        let shape = match whole {
            Some(whole) => shape_name(whole).map_or(SourceType::Unknown, SourceType::Shape),
            None => self.unnamed(call, at),
        };
        let r#type = if many { SourceType::List(Box::new(shape)) } else { shape };
        Field { r#type, ..conditional(at, condition(call)) }
    }

    /// `has_many :mentions`: the serializer of that name inside this one, else what the method of that name makes.
    fn unnamed(&mut self, call: Spot<'s>, at: Spot<'s>) -> SourceType {
        let words = [Some(at), option(call, "key")];
        let words: Vec<String> = words.into_iter().flatten().filter_map(name).collect();
        let inside = words.iter().find_map(|word| {
            let serializer = format!("{}Serializer", pascal(&singular(word)));
            let mut classes = self.classes.ancestors(self.class).into_iter();
            classes.find_map(|(class, _)| {
                let whole = format!("{class}::{serializer}");
                shape_name(self.classes.resolve("", &whole)?)
            })
        });
        if let Some(inside) = inside {
            return SourceType::Shape(inside);
        }
        let method = words.first().and_then(|word| {
            let method = self.classes.method(self.class, word, 0)?;
            Some((method, word))
        });
        method.map_or(SourceType::Unknown, |(method, word)| self.answered(method, word))
    }
}

/// Whether a method may answer null; nothing where that is not told.
fn answers_null(method: Spot<'_>) -> Option<bool> {
    let body = statements(method);
    let (last, before) = body.split_last()?;
    // `return if nobody?`
    let leaves = |at: &Spot<'_>| {
        let left =
            at.field("body").filter(|_| matches!(at.kind(), "if_modifier" | "unless_modifier"));
        left.is_some_and(|left| left.kind() == "return" && left.children().is_empty())
    };
    if before.iter().any(leaves) {
        return Some(true);
    }
    is_null(*last, 0)
}

fn is_null(at: Spot<'_>, depth: usize) -> Option<bool> {
    if depth > 16 {
        return None;
    }
    let inner = |at| is_null(at, depth + 1);
    match at.kind() {
        "nil" | "if_modifier" | "unless_modifier" => Some(true),
        "string" | "array" | "hash" | "true" | "false" | "integer" | "simple_symbol"
        | "symbol_array" | "string_array" => Some(false),
        "unary" if at.text().starts_with('!') => Some(false),
        "binary" => match at.field("operator")?.text() {
            "==" | "!=" | ">" | "<" | ">=" | "<=" | "+" | "-" | "*" => Some(false),
            "||" => inner(at.field("right")?),
            _ => None,
        },
        "conditional" | "if" | "unless" => {
            let arm = |name| {
                let arm = at.field(name)?;
                let last = arm.last();
                let is_list = matches!(arm.kind(), "then" | "else");
                inner(if is_list { last? } else { arm })
            };
            // Without an `else` the other case is null.
            if at.field("alternative").is_none() {
                return Some(true);
            }
            match (arm("consequence"), arm("alternative")) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            }
        }
        "parenthesized_statements" => inner(*at.children().last()?),
        "call" => {
            let method = at.field("method")?.text();
            let is_safe = at.is("operator", "&.");
            match method {
                _ if is_safe => Some(true),
                "presence" => Some(true),
                "to_s" | "to_i" | "to_a" | "to_h" | "map" | "count" | "size" | "length" | "sum"
                | "join" | "pluck" | "filter_map" | "index_by" => Some(false),
                _ if method.ends_with('?') => Some(false),
                "freeze" | "iso8601" => inner(at.field("receiver")?),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A field that may be left out where it has a condition.
fn conditional(at: Spot<'_>, condition: Option<String>) -> Field {
    Field { optional: Some(condition.is_some()), condition, ..Field::at(at.place()) }
}

/// `CustomEmoji` of `custom_emoji`.
fn pascal(name: &str) -> String {
    name.split('_').map(capitalised).collect()
}

/// `if: :requires_review?`
fn condition(call: Spot<'_>) -> Option<String> {
    let given = option(call, "if").map(|at| at.text().to_owned());
    given.or_else(|| Some(format!("not {}", option(call, "unless")?.text())))
}
