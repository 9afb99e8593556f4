//! The resolved API as one JSON file: one line for each item, so that a diff of it reads well.

use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

use crate::api::{Api, FORMER_SCHEMAS, Program, SCHEMA};
use crate::change::Change;

/// The text of `spec/api.json`.
pub fn to_json(api: &Api) -> serde_json::Result<String> {
    let mut text = Vec::with_capacity(1 << 20);
    let shorter = api.without_repetition();
    let api = shorter.as_ref().unwrap_or(api);
    api.serialize(&mut serde_json::Serializer::with_formatter(&mut text, LineAnItem::default()))?;
    text.push(b'\n');
    String::from_utf8(text).map_err(serde::ser::Error::custom)
}

/// Reads what [`to_json`] wrote, or wrote in one of the forms before.
pub fn from_json(text: &str) -> serde_json::Result<Api> {
    let mut api: Api = serde_json::from_str(text)?;
    if !is_readable(&api.schema) {
        return Err(serde::de::Error::custom(format!(
            "the schema is `{}`, and this tool reads `{SCHEMA}`",
            api.schema
        )));
    }
    if api.schema != SCHEMA {
        api.visit(|said| {
            let changes = said.lives().iter_mut().flat_map(|life| &mut life.changed);
            changes.for_each(Change::type_values);
        });
        SCHEMA.clone_into(&mut api.schema);
    }
    api.complete_lives();
    Ok(api)
}

impl Api {
    /// Gives each item a life in every program, notes in which of them facts stand apart, ends the other lists of facts by program before
    /// the programs of which nothing is said, and gives forks what they are based on.
    pub fn complete_lives(&mut self) {
        let apart: Vec<bool> = self.programs.iter().map(Program::stands_apart).collect();
        self.visit(|said| said.complete(&apart));
        self.complete_forks();
    }
}

/// Whether this version reads a form.
pub fn is_readable(schema: &str) -> bool {
    schema == SCHEMA || FORMER_SCHEMAS.contains(&schema)
}

/// Breaks the line before every key of the root and before every object in an array, and after the last of these, down to
/// the parameters of an operation and the fields of an entity; what is deeper stays on the line.
///
/// The rest of an operation, after its parameters, stands on a line of its own, so that git merges two branches that each add
/// a parameter to one of two operations beside each other.
#[derive(Default)]
struct LineAnItem {
    depth: usize,
    /// An element of an array has begun, and it may turn out to be an object.
    element: bool,
    /// For each depth whether the array there has objects on lines of their own.
    broken: [bool; DEEPEST_ITEM + 1],
}

/// Items stand in arrays of the root (depth 2) or in arrays of such an item (depth 4).
const DEEPEST_ITEM: usize = 4;

impl LineAnItem {
    fn open<W: ?Sized + io::Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        if std::mem::take(&mut self.element)
            && let Some(broken) = self.broken.get_mut(self.depth)
        {
            *broken = true;
            self.line(writer)?;
        }
        self.depth += 1;
        writer.write_all(bracket)
    }

    fn line<W: ?Sized + io::Write>(&self, writer: &mut W) -> io::Result<()> {
        write!(writer, "\n{:width$}", "", width = self.depth)
    }
}

impl Formatter for LineAnItem {
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.element = false;
        self.depth += 1;
        if let Some(broken) = self.broken.get_mut(self.depth) {
            *broken = false;
        }
        writer.write_all(b"[")
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let broken = self.broken.get(self.depth) == Some(&true);
        self.depth -= 1;
        if broken {
            self.line(writer)?;
        }
        CompactFormatter.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.element = true;
        CompactFormatter.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, _writer: &mut W) -> io::Result<()> {
        self.element = false;
        Ok(())
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"{")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if self.depth == 0 {
            self.line(writer)?;
        }
        CompactFormatter.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        CompactFormatter.begin_object_key(writer, first)?;
        if self.depth == 1 {
            self.line(writer)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::LineAnItem;

    #[test]
    fn an_item_has_a_line() {
        let value = serde_json::json!({
            "operations": [{"params": [{"a": [1, {"deep": [{"er": 2}]}]}, {"b": []}], "success": [200, 202]}],
            "zero": [],
        });
        let mut text = Vec::new();
        value
            .serialize(&mut serde_json::Serializer::with_formatter(
                &mut text,
                LineAnItem::default(),
            ))
            .expect("serializes");
        let expected = r#"{
 "operations":[
  {"params":[
    {"a":[1,{"deep":[{"er":2}]}]},
    {"b":[]}
   ],"success":[200,202]}
 ],
 "zero":[]
}"#;
        assert_eq!(String::from_utf8(text).expect("UTF-8"), expected);
        assert_eq!(serde_json::from_str::<serde_json::Value>(expected).expect("parses"), value);
    }
}
