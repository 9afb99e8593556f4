//! Serializers: the fields of what is answered.

use std::collections::BTreeMap;

use super::ruby::{
    Classes, arguments, block, name, option, plural, positional, singular, statements,
};
use super::schema::{Column, Tables};
use crate::surface::{Field, Kind, Shape};
use crate::syntax::Spot;

/// The name of a serializer's shape: `V1::Instance` of `REST::V1::InstanceSerializer`.
pub(super) fn shape_name(class: &str) -> Option<String> {
    let name = class.trim_start_matches("::").strip_suffix("Serializer")?;
    Some(
        name.strip_prefix("REST::")
            .unwrap_or(name)
            .replace("Serializer::", "::"),
    )
}

/// The shapes of all serializers but those for other servers.
pub(super) fn shapes(classes: &Classes<'_>, tables: &Tables) -> BTreeMap<String, Shape> {
    let mut shapes = BTreeMap::new();
    for (class, declared) in classes.all() {
        // What servers tell each other, and feeds, are no part of the API.
        let is_other = ["ActivityPub::", "RSS::"]
            .iter()
            .any(|other| class.starts_with(other));
        let (Some(name), Some(at), true) = (shape_name(class), declared.at, !is_other) else {
            continue;
        };
        let mut reader = Reader {
            classes,
            class,
            name: &name,
            tables,
            shapes: &mut shapes,
        };
        let fields = reader.fields();
        // The adapter of node info writes all its keys so.
        let fields = if class.starts_with("NodeInfo") {
            fields
                .into_iter()
                .map(|(key, field)| (camel(&key), field))
                .collect()
        } else {
            fields
        };
        if !fields.is_empty() {
            shapes.insert(
                name,
                Shape {
                    at: at.place(),
                    also: Vec::new(),
                    fields,
                    open: false,
                },
            );
        }
    }
    shapes
}

/// Notes the shapes of a hash that a controller renders by itself, below a name of its own; answers the name of the whole.
pub(super) fn rendered<'s>(
    classes: &Classes<'s>,
    tables: &Tables,
    (class, name): (&str, &str),
    hash: Spot<'s>,
    shapes: &mut BTreeMap<String, Shape>,
) -> Option<String> {
    let mut reader = Reader {
        classes,
        class,
        name,
        tables,
        shapes,
    };
    match reader.value(hash, "answer", 0) {
        Kind::Shape(whole) => Some(whole),
        _ => None,
    }
}

/// The shape of an object with one key: what the adapter `json` writes around another.
pub(super) fn wrapped(key: String, of: Kind, at: Spot<'_>) -> Shape {
    let field = Field {
        at: at.place(),
        r#type: of,
        optional: Some(false),
        nullable: Some(false),
        condition: None,
    };
    Shape {
        at: at.place(),
        also: Vec::new(),
        fields: BTreeMap::from([(key, field)]),
        open: false,
    }
}

/// `openRegistrations` of `open_registrations`.
fn camel(key: &str) -> String {
    let mut words = key.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut text, word| {
        let mut letters = word.chars();
        text.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        text.push_str(letters.as_str());
        text
    })
}

struct Reader<'c, 's> {
    classes: &'c Classes<'s>,
    class: &'c str,
    name: &'c str,
    tables: &'c Tables,
    shapes: &'c mut BTreeMap<String, Shape>,
}

impl<'s> Reader<'_, 's> {
    fn fields(&mut self) -> BTreeMap<String, Field> {
        let mut fields = BTreeMap::new();
        let ancestors = self.classes.ancestors(self.class);
        let resets = ancestors.iter().position(|(_, class)| class.resets);
        let until = resets.map_or(ancestors.len(), |place| place + 1);
        let calls = ancestors[..until].iter().rev();
        let calls: Vec<_> = calls
            .flat_map(|(_, class)| class.calls.iter().copied())
            .collect();
        for call in calls {
            match call.field("method").map(Spot::text).unwrap_or_default() {
                "attributes" => {
                    for at in arguments(call) {
                        let words = match name(at) {
                            Some(name) => vec![(name, at)],
                            None => self.classes.words(self.class, at).unwrap_or_default(),
                        };
                        for (word, at) in words {
                            let field = self.attribute(at, &word, None);
                            fields.insert(word, field);
                        }
                    }
                }
                "attribute" => {
                    let Some(at) = positional(call).first().copied() else {
                        continue;
                    };
                    let Some(word) = name(at) else { continue };
                    let field = self.attribute(at, &word, condition(call));
                    fields.insert(option(call, "key").and_then(name).unwrap_or(word), field);
                }
                kind @ ("has_one" | "belongs_to" | "has_many") => {
                    let Some(at) = positional(call).first().copied() else {
                        continue;
                    };
                    let Some(word) = name(at) else { continue };
                    let field = self.relation(call, at, kind == "has_many");
                    fields.insert(option(call, "key").and_then(name).unwrap_or(word), field);
                }
                _ => {}
            }
        }
        fields
    }

    fn attribute(&mut self, at: Spot<'s>, word: &str, condition: Option<String>) -> Field {
        let method = self.classes.method(self.class, word, 0);
        let (kind, nullable) = match method {
            Some(method) => {
                let last = statements(method).last().copied();
                let kind = last.map_or(Kind::Unknown, |last| self.value(last, word, 0));
                (kind, answers_null(method))
            }
            None => self.column(word).map_or((Kind::Unknown, None), |column| {
                let plain = |name: &str| Kind::Plain(name.to_owned());
                (
                    column.r#type.map_or(Kind::Unknown, plain),
                    Some(column.nullable),
                )
            }),
        };
        Field {
            at: at.place(),
            r#type: kind,
            optional: Some(condition.is_some()),
            nullable,
            condition,
        }
    }

    /// The column that an attribute without a method of its own is, where its model does not hide it behind a method.
    fn column(&self, word: &str) -> Option<Column> {
        let ancestors = self.classes.ancestors(self.class).into_iter();
        let mut models = ancestors.filter_map(|(class, _)| {
            let model = shape_name(class)?;
            let model = model.rsplit("::").next()?.to_owned();
            let columns = self.tables.get(&plural(&snake(&model)))?;
            Some((model, columns))
        });
        let (model, columns) = models.next()?;
        let column = *columns.get(word)?;
        let is_hidden = self.classes.method(&model, word, 0).is_some();
        (!is_hidden).then_some(column)
    }

    /// The type of an expression: an object where it is written as a hash.
    fn value(&mut self, at: Spot<'s>, path: &str, depth: usize) -> Kind {
        if depth > 16 {
            return Kind::Unknown;
        }
        match at.kind() {
            "hash" => {
                let mut fields = BTreeMap::new();
                for pair in at
                    .children()
                    .into_iter()
                    .filter(|pair| pair.kind() == "pair")
                {
                    let (Some(key), Some(value)) = (pair.field("key"), pair.field("value")) else {
                        continue;
                    };
                    let Some(word) = name(key) else {
                        return Kind::Unknown;
                    };
                    let kind = self.value(value, &format!("{path}.{word}"), depth + 1);
                    let field = Field {
                        at: key.place(),
                        r#type: kind,
                        optional: Some(false),
                        nullable: None,
                        condition: None,
                    };
                    let word = if self.class.starts_with("NodeInfo") {
                        camel(&word)
                    } else {
                        word
                    };
                    fields.insert(word, field);
                }
                if fields.is_empty() {
                    return Kind::Unknown;
                }
                let name = format!("{}.{path}", self.name);
                self.shapes.insert(
                    name.clone(),
                    Shape {
                        at: at.place(),
                        also: Vec::new(),
                        fields,
                        open: false,
                    },
                );
                Kind::Shape(name)
            }
            "call" => match at.field("method").map(Spot::text).unwrap_or_default() {
                "to_s" => Kind::Plain("string".to_owned()),
                "map" | "filter_map" => {
                    let last = block(at).last().copied();
                    let of = last.map_or(Kind::Unknown, |last| self.value(last, path, depth + 1));
                    Kind::List(Box::new(of))
                }
                "freeze" | "compact" | "compact_blank" => at
                    .field("receiver")
                    .map_or(Kind::Unknown, |inner| self.value(inner, path, depth + 1)),
                _ => Kind::Unknown,
            },
            "if" | "unless" | "conditional" => self.either(at, path, depth),
            "then" | "else" | "parenthesized_statements" => {
                let last = at.children().last().copied();
                last.map_or(Kind::Unknown, |last| self.value(last, path, depth + 1))
            }
            "string" => Kind::Plain("string".to_owned()),
            "true" | "false" => Kind::Plain("boolean".to_owned()),
            _ => Kind::Unknown,
        }
    }

    /// The type of a choice: of two objects, the keys that one lacks may be absent.
    fn either(&mut self, at: Spot<'s>, path: &str, depth: usize) -> Kind {
        let mut arm = |name| {
            let arm = at.field(name)?;
            let kind = self.value(arm, path, depth + 1);
            let shape = kind.shape().and_then(|shape| self.shapes.remove(shape));
            Some((kind, shape))
        };
        let (first, second) = (arm("consequence"), arm("alternative"));
        match (first, second) {
            (Some((Kind::Shape(name), Some(mut whole))), Some((_, Some(other)))) => {
                for (key, field) in &mut whole.fields {
                    field.optional =
                        Some(field.optional == Some(true) || !other.fields.contains_key(key));
                }
                for (key, mut field) in other.fields {
                    whole.fields.entry(key).or_insert_with(|| {
                        field.optional = Some(true);
                        field
                    });
                }
                self.shapes.insert(name.clone(), whole);
                Kind::Shape(name)
            }
            (Some((Kind::Shape(name), Some(whole))), _)
            | (_, Some((Kind::Shape(name), Some(whole)))) => {
                self.shapes.insert(name.clone(), whole);
                Kind::Shape(name)
            }
            (Some((first, _)), Some((second, _))) if first == second => first,
            _ => Kind::Unknown,
        }
    }

    fn relation(&mut self, call: Spot<'s>, at: Spot<'s>, many: bool) -> Field {
        let serializer = option(call, "serializer")
            .filter(|at| matches!(at.kind(), "constant" | "scope_resolution"));
        let serializer = serializer.map(Spot::text);
        // A serializer inside this one goes by its whole name.
        let whole = serializer.map(|name| self.classes.resolve(self.class, name).unwrap_or(name));
        let shape = match whole {
            Some(whole) => shape_name(whole).map_or(Kind::Unknown, Kind::Shape),
            None => self.unnamed(call, at),
        };
        let condition = condition(call);
        Field {
            at: at.place(),
            r#type: if many {
                Kind::List(Box::new(shape))
            } else {
                shape
            },
            optional: Some(condition.is_some()),
            nullable: None,
            condition,
        }
    }

    /// `has_many :mentions`: the serializer of that name inside this one, else what the method of that name makes.
    fn unnamed(&mut self, call: Spot<'s>, at: Spot<'s>) -> Kind {
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
            return Kind::Shape(inside);
        }
        let method = words.first().and_then(|word| {
            let method = self.classes.method(self.class, word, 0)?;
            Some((statements(method).last().copied()?, word))
        });
        method.map_or(Kind::Unknown, |(last, word)| self.value(last, word, 0))
    }
}

/// Whether a method may answer null; nothing where that is not told.
fn answers_null(method: Spot<'_>) -> Option<bool> {
    let body = statements(method);
    let (last, before) = body.split_last()?;
    // `return if nobody?`
    let leaves = |at: &Spot<'_>| {
        let left = at
            .field("body")
            .filter(|_| matches!(at.kind(), "if_modifier" | "unless_modifier"));
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
                let last = arm.children().last().copied();
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
            let is_safe = at
                .field("operator")
                .is_some_and(|operator| operator.text() == "&.");
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

/// `custom_emoji` of `CustomEmoji`.
pub(super) fn snake(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

/// `CustomEmoji` of `custom_emoji`.
fn pascal(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    words.collect()
}

/// `if: :requires_review?`
fn condition(call: Spot<'_>) -> Option<String> {
    let given = option(call, "if").map(|at| at.text().to_owned());
    given.or_else(|| Some(format!("not {}", option(call, "unless")?.text())))
}
