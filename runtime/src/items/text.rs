//! The rows of an item table as text.

use std::collections::HashMap;

use super::{Item, Kind, Program};
use crate::{Effect, LeftOut, Life, SafeValues, Unset};

/// Reads the rows, each with its lives in the order of the programs.
pub(super) fn read(text: &'static str, programs: &[Program]) -> Vec<Item> {
    // Many rows share the same lives.
    let mut known = HashMap::new();
    let mut items = Vec::with_capacity(text.lines().count());
    let mut lines = text.lines().peekable();
    while let Some(head) = lines.next() {
        let mut below = Below::new(programs);
        while let Some(line) = lines.next_if(|line| line.starts_with("  ")) {
            below.add(line.trim_start());
        }
        items.extend(item(head, below, &mut known));
    }
    items
}

type Lives = HashMap<&'static str, &'static [Life]>;

fn item(head: &'static str, below: Below<'_>, known: &mut Lives) -> Option<Item> {
    let (kind, rest) = head.split_once(' ')?;
    let (id, lives) = rest.rsplit_once(':')?;
    let id = spelled(id)?;
    let last = id.rsplit('.').next().unwrap_or(id);
    let inherited = kind == "inherited";
    let kind = match kind {
        "operation" => Kind::Operation,
        "param" => Kind::Param,
        "response" => Kind::Response,
        "field" | "inherited" => Kind::Field,
        "enum" => Kind::Enum,
        "value" => Kind::Value,
        _ => return None,
    };
    let lives = match known.get(lives) {
        Some(lives) => lives,
        None => known.entry(lives).or_insert(read_lives(lives)?),
    };
    Some(Item {
        kind,
        inherited,
        id,
        name: match kind {
            Kind::Operation => "",
            _ => below.wire.unwrap_or(last),
        },
        lives,
        left_out: below.left_out(),
    })
}

/// ` 3.4.0, 0.11.0`
fn read_lives(text: &str) -> Option<&'static [Life]> {
    let text = text.trim_start();
    if text.is_empty() {
        return Some(&[]);
    }
    let lives = text.split(", ").map(life);
    Some(lives.collect::<Option<Vec<_>>>()?.leak())
}

fn life(text: &str) -> Option<Life> {
    text.parse().ok().map(Life::leak)
}

/// A text, or the JSON string of one that would not be read back as it is.
fn spelled(text: &'static str) -> Option<&'static str> {
    if text.starts_with('"') {
        let text: String = serde_json::from_str(text).ok()?;
        return Some(text.leak());
    }
    Some(text)
}

/// What the lines below a row say.
struct Below<'a> {
    programs: &'a [Program],
    wire: Option<&'static str>,
    left_out: LeftOut,
    /// For each program; `None` for every value.
    safe: Vec<Option<Vec<&'static str>>>,
    refused: Vec<(u16, Life)>,
    inferred: Vec<usize>,
}

impl<'a> Below<'a> {
    fn new(programs: &'a [Program]) -> Self {
        Self {
            programs,
            wire: None,
            left_out: LeftOut::UNCLASSED,
            safe: Vec::new(),
            refused: Vec::new(),
            inferred: Vec::new(),
        }
    }

    /// Adds a line; nothing if it cannot be read.
    fn add(&mut self, line: &'static str) -> Option<()> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "wire" => self.wire = Some(spelled(rest)?),
            "harmless" => self.add_effect(Effect::Harmless, rest)?,
            "changes_meaning" => self.add_effect(Effect::ChangesMeaning, rest)?,
            "fails" => self.add_effect(Effect::Fails, rest)?,
            "unset" => {
                self.left_out.unset = Some(match rest {
                    "keep" => Unset::Keep,
                    "reset" => Unset::Reset,
                    _ => return None,
                });
            }
            _ => self.add_exception(word, rest)?,
        }
        Some(())
    }

    fn add_effect(&mut self, effect: Effect, so: &'static str) -> Option<()> {
        self.left_out.so = spelled(so)?;
        self.left_out.effect = Some(effect);
        Some(())
    }

    fn add_exception(&mut self, word: &str, rest: &'static str) -> Option<()> {
        let (key, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let program = self.programs.iter().position(|one| one.key() == key)?;
        match word {
            "safe" => {
                let value = spelled(rest)?;
                if let Some(values) = self.safe_of(program)? {
                    values.push(value);
                }
            }
            "any" => *self.safe_of(program)? = None,
            "refused" => {
                let (status, text) = rest.split_once(' ')?;
                let refused = (status.parse().ok()?, life(text)?);
                self.refused.resize(self.programs.len(), (0, Life::NEVER));
                *self.refused.get_mut(program)? = refused;
            }
            "inferred" => self.inferred.push(program),
            _ => return None,
        }
        Some(())
    }

    fn safe_of(&mut self, program: usize) -> Option<&mut Option<Vec<&'static str>>> {
        self.safe.resize(self.programs.len(), Some(Vec::new()));
        self.safe.get_mut(program)
    }

    fn left_out(self) -> &'static LeftOut {
        let safe = self.safe.into_iter().map(|values| match values {
            Some(values) => SafeValues::Only(values.leak()),
            None => SafeValues::Any,
        });
        let left_out = LeftOut {
            safe: safe.collect::<Vec<_>>().leak(),
            refused: self.refused.leak(),
            inferred: self.inferred.leak(),
            ..self.left_out
        };
        if left_out == LeftOut::UNCLASSED {
            return &LeftOut::UNCLASSED;
        }
        Box::leak(Box::new(left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAMS: &[Program] =
        &[Program::new("mastodon", "Mastodon"), Program::new("gotosocial", "GoToSocial")];

    const REFUSED: &[(u16, Life)] =
        &[(0, Life::NEVER), (501, Life::since(0, 1, 0).removed(0, 2, 0))];

    fn one(text: &'static str) -> Item {
        let items = read(text, PROGRAMS);
        let [item] = items[..] else {
            unreachable!("one row: {items:?}");
        };
        item
    }

    #[test]
    fn the_head_tells_kind_id_name_and_lives() {
        for (head, kind, name) in [
            ("operation a.get: 1.0.0, never", Kind::Operation, ""),
            ("param a.get.id: 1.0.0, never", Kind::Param, "id"),
            ("response a.get.id: 1.0.0, never", Kind::Response, "id"),
            ("field A.b.c: 1.0.0, never", Kind::Field, "c"),
            ("enum A: 1.0.0, never", Kind::Enum, "A"),
            ("value A.user:note: 1.0.0, never", Kind::Value, "user:note"),
        ] {
            let item = one(head);
            assert_eq!((item.kind(), item.name()), (kind, name), "{head}");
            assert!(!item.is_inherited());
            assert_eq!(item.lives(), [Life::since(1, 0, 0), Life::NEVER]);
            assert_eq!(item.when_left_out(), &LeftOut::UNCLASSED);
        }
        let inherited = one("inherited A.b: unknown");
        assert!(inherited.is_inherited() && inherited.kind() == Kind::Field);
    }

    #[test]
    fn the_lines_below_tell_the_rest() {
        let item = one(
            "param a.b: 1.0.0, 0.1.0\n  wire b[]\n  changes_meaning it: is posted\n  unset reset\n  safe mastodon \"\"\n  \
             safe mastodon a b\n  any gotosocial\n  refused gotosocial 501 0.1.0 removed 0.2.0\n  inferred mastodon",
        );
        assert_eq!(item.name(), "b[]");
        let expected = LeftOut {
            effect: Some(Effect::ChangesMeaning),
            so: "it: is posted",
            safe: &[SafeValues::Only(&["", "a b"]), SafeValues::Any],
            unset: Some(Unset::Reset),
            refused: REFUSED,
            inferred: &[0],
        };
        assert_eq!(item.when_left_out(), &expected);
        let rows = read(
            "param a.b: never\n  fails so\n  unset keep\nparam a.c: never\n  harmless",
            PROGRAMS,
        );
        let told =
            rows.iter().map(|row| (row.left_out.effect, row.left_out.so, row.left_out.unset));
        let told: Vec<_> = told.collect();
        assert_eq!(
            told,
            [(Some(Effect::Fails), "so", Some(Unset::Keep)), (Some(Effect::Harmless), "", None),]
        );
    }

    #[test]
    fn a_table_may_have_no_programs() {
        for text in ["field A.b:", "field A.b: "] {
            let rows = read(text, &[]);
            assert_eq!(rows.iter().map(|row| row.lives().len()).collect::<Vec<_>>(), [0]);
        }
    }

    #[test]
    fn texts_may_be_json_strings() {
        let item = one("value \"A.two\\nlines\": 1.0.0\n  wire \" \\u0041\"");
        assert_eq!((item.id(), item.name()), ("A.two\nlines", " A"));
    }

    #[test]
    fn what_cannot_be_read_stands_for_nothing() {
        for row in [
            "",
            "field",
            "field A",
            "thing A: 1.0.0",
            "field A: soon",
            "field A: 1.0.0,2.0.0",
            "field A: 1.0.0 haunts 2.0.0",
            "field \"A: 1.0.0",
        ] {
            assert_eq!(read(row, PROGRAMS).len(), 0, "{row}");
        }
        for line in [
            "haunts",
            "wire \"a",
            "unset maybe",
            "unset",
            "fails \"a",
            "safe other a",
            "safe mastodon \"a",
            "refused mastodon many 1.0.0",
            "refused mastodon 501",
            "refused mastodon 501 soon",
            "inferred 0",
        ] {
            let text = format!("param a.b: 1.0.0\n  {line}\nparam a.c: 1.0.0");
            let rows = read(text.leak(), PROGRAMS);
            let names: Vec<_> = rows.iter().map(Item::name).collect();
            assert_eq!(names, ["b", "c"], "{line}");
            assert_eq!(rows[0].when_left_out(), &LeftOut::UNCLASSED, "{line}");
        }
    }
}
