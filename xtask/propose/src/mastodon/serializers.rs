//! Serializers: the fields of what is answered.

use std::collections::BTreeMap;

use super::ruby::{Classes, arguments, name, option, positional, statements};
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

/// The shapes of all serializers of the client API.
pub(super) fn shapes(classes: &Classes<'_>) -> BTreeMap<String, Shape> {
    let mut shapes = BTreeMap::new();
    for (class, declared) in classes.all() {
        let is_rest = class.starts_with("REST::")
            || matches!(
                class.as_str(),
                "InstanceSerializer" | "NodeInfo::Serializer" | "NodeInfoSerializer"
            );
        let (Some(name), Some(at), true) = (shape_name(class), declared.at, is_rest) else {
            continue;
        };
        let mut reader = Reader {
            classes,
            class,
            name: &name,
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
        let last = method.and_then(|method| statements(method).last().copied());
        let kind = last.map_or(Kind::Unknown, |last| self.value(last, word, 0));
        Field {
            at: at.place(),
            r#type: kind,
            optional: condition.is_some(),
            nullable: false,
            presence_known: false,
            condition,
        }
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
                        optional: false,
                        nullable: false,
                        presence_known: false,
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
                "freeze" | "compact" | "compact_blank" => at
                    .field("receiver")
                    .map_or(Kind::Unknown, |inner| self.value(inner, path, depth + 1)),
                _ => Kind::Unknown,
            },
            "string" => Kind::Plain("string".to_owned()),
            "true" | "false" => Kind::Plain("boolean".to_owned()),
            _ => Kind::Unknown,
        }
    }

    fn relation(&self, call: Spot<'s>, at: Spot<'s>, many: bool) -> Field {
        let serializer = option(call, "serializer")
            .filter(|at| matches!(at.kind(), "constant" | "scope_resolution"));
        let serializer = serializer.map(Spot::text);
        // A serializer inside this one goes by its whole name.
        let whole = serializer.map(|name| self.classes.resolve(self.class, name).unwrap_or(name));
        let shape = whole
            .and_then(shape_name)
            .map_or(Kind::Unknown, Kind::Shape);
        let condition = condition(call);
        Field {
            at: at.place(),
            r#type: if many {
                Kind::List(Box::new(shape))
            } else {
                shape
            },
            optional: condition.is_some(),
            nullable: false,
            presence_known: false,
            condition,
        }
    }
}

/// `if: :requires_review?`
fn condition(call: Spot<'_>) -> Option<String> {
    let given = option(call, "if").map(|at| at.text().to_owned());
    given.or_else(|| Some(format!("not {}", option(call, "unless")?.text())))
}
