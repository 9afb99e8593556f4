//! Reading of the rows of an item table.

use std::collections::HashMap;

use fedispec_since::row::{FORM, ProgramRow, ProgramRows, Row, Rows, Unlisted};
use fedispec_since::{Effect, LeftOut, SafeValues, Stage};
use serde::Deserialize;

use super::{Call, Item, Program, Read, TableError};
use crate::Kind;

/// The form of a table, whatever else it says.
#[derive(Deserialize)]
struct Form {
    form: u32,
}

pub(super) fn read(
    programs: &[Program],
    rows: &str,
    of_programs: &[&str],
) -> Result<Read, TableError> {
    let wrong = |error: serde_json::Error| TableError(error.to_string());
    let Form { form } = serde_json::from_str(rows).map_err(wrong)?;
    if form != FORM {
        let told = format!("it is of the form {form}, and this version reads {FORM}");
        return Err(TableError(told));
    }
    let rows: Rows = serde_json::from_str(rows).map_err(wrong)?;
    if !rows.items.is_empty() && programs.len() != of_programs.len() {
        let (programs, blocks) = (programs.len(), of_programs.len());
        return Err(TableError(format!("it has {programs} programs and the rows of {blocks}")));
    }
    let mut blocks = Vec::new();
    for (program, text) in programs.iter().zip(of_programs) {
        let block: ProgramRows = serde_json::from_str(text)
            .map_err(|error| TableError(format!("the rows of {}: {error}", program.name())))?;
        if let Some(stranger) = block.items.keys().find(|id| !rows.items.contains_key(*id)) {
            let told = format!("{} has a row `{stranger}` that no item has", program.name());
            return Err(TableError(told));
        }
        let unlisted = Unlisted::new(block.otherwise.clone());
        blocks.push((block, unlisted));
    }
    let mut of_programs = |id: &str, of_all: Option<&LeftOut>| {
        let mut rows: Vec<ProgramRow> = Vec::with_capacity(blocks.len());
        for (block, unlisted) in &mut blocks {
            let base = block.based_on.and_then(|base| rows.get(base).cloned());
            let listed = block.items.remove(id).map(ProgramRow::from);
            let row = listed.or(base).unwrap_or_else(|| unlisted.row(id).clone());
            unlisted.pass(id, &row);
            rows.push(row);
        }
        for (row, program) in rows.iter_mut().zip(programs) {
            let is_stated = !row.left_out.is_empty();
            let of_all = of_all.filter(|_| !is_stated);
            let holds = if program.apart { of_all.and_then(caution) } else { of_all.cloned() };
            row.left_out.extend(holds.map(|is| Stage { since: None, is }));
        }
        rows
    };
    let items = rows.items.into_iter().map(|(id, row)| {
        let row = Row::from(row);
        Item { programs: of_programs(&id, row.left_out.as_ref()), row, id }
    });
    let items: Vec<Item> = items.collect();
    Ok(Read { calls: calls(&items), items })
}

/// The effect of leaving a parameter out on a program of which nobody has said it: another act is asked for than would be done, whatever
/// the program, but neither that it does no harm nor which values mean the same as none is known of this one.
fn caution(of_others: &LeftOut) -> Option<LeftOut> {
    let is_another_act = of_others.effect == Effect::ChangesMeaning;
    let safe = SafeValues::default();
    is_another_act.then(|| LeftOut { safe, ..of_others.clone() })
}

/// The rows of the operations and of their parameters, which follow them.
fn calls(items: &[Item]) -> HashMap<String, Call> {
    let mut calls: HashMap<String, Call> = HashMap::new();
    let is_operation = |(_, item): &(usize, &Item)| item.kind() == Kind::Operation;
    for (row, operation) in items.iter().enumerate().filter(is_operation) {
        let is_below = |item: &Item| {
            item.id.strip_prefix(operation.id()).is_some_and(|rest| rest.starts_with('.'))
        };
        let below = items.iter().enumerate().skip(row + 1).take_while(|(_, item)| is_below(item));
        let params = below.filter(|(_, item)| item.kind() == Kind::Param);
        let params = params.map(|(row, param)| (param.name().to_owned(), row)).collect();
        calls.insert(operation.id.clone(), Call { row, params });
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Availability, ItemTable, Life};
    use fedispec_since::{Unset, Version};

    const PROGRAMS: &[Program] =
        &[Program::new("mastodon", "Mastodon"), Program::new("gotosocial", "GoToSocial")];
    const EMPTY: &str = r#"{"otherwise": "unknown", "items": {}}"#;

    #[test]
    fn a_row_tells_all_that_is_said() {
        static TABLE: ItemTable = ItemTable::new(
            PROGRAMS,
            r#"{"form": 3, "items": {
                "A": "enum",
                "A.user:note": {"kind": "value", "inherited": true},
                "a.b": "operation",
                "a.b.c": {"kind": "param", "wire": "c[]", "left_out": {"effect": "fails", "so": "it: \"ends\"", "safe": ["", "a b"]}, "unset": "keep"}
            }}"#,
            &[
                r#"{"otherwise": "never", "items": {
                    "a.b": "1.0.0",
                    "a.b.c": "1.0.0 removed 2.0.0"
                }}"#,
                r#"{"otherwise": "unknown", "items": {
                    "a.b.c": {"life": "0.1.0", "left_out": [{"is": "harmless"}, {"since": "0.2.0", "is": {"effect": "fails", "safe": "any"}}], "refused": {"since": "0.1.0", "status": 501}}
                }}"#,
            ],
        );
        TABLE.check().expect("a sound table");
        let row = TABLE.get("a.b.c").expect("a row");
        assert_eq!((row.kind(), row.name(), row.is_inherited()), (Kind::Param, "c[]", false));
        assert_eq!((row.effect(), row.unset()), (Some(Effect::Fails), Some(Unset::Keep)));
        assert_eq!(row.so(), "it: \"ends\"");
        assert_eq!(row.safe_values(0).map(|safe| safe.listed().len()), Some(2));
        let safe = |program| &row.left_out_in(program, None).expect("an effect").safe;
        assert!(safe(0).has("a b") && !safe(0).has("a") && safe(1).has("a"));
        let former = row.left_out_in(1, Some(Version::new(0, 1, 2))).map(|former| former.effect);
        assert_eq!(former, Some(Effect::Harmless));
        assert_eq!((row.refused(0), row.refused(1).map(|one| one.status)), (None, Some(501)));
        let names = ["a.b", "A", "A.user:note"].map(|id| TABLE.get(id).expect(id).name());
        assert_eq!(names, ["", "A", "user:note"]);
        let lives: Vec<_> = TABLE.get("A").expect("a row").lives().map(Life::own).collect();
        assert_eq!(lives, [Availability::Never, Availability::Unknown]);
        assert!(TABLE.get("A.user:note").is_some_and(Item::is_inherited));
        assert!(SafeValues::Any.listed().is_empty());
    }

    #[test]
    fn what_holds_of_others_is_no_more_than_a_caution_apart() {
        static APART: &[Program] =
            &[Program::new("mastodon", "Mastodon"), Program::new("other", "Other").apart()];
        static TABLE: ItemTable = ItemTable::new(
            APART,
            r#"{"form": 3, "items": {
                "a": "operation",
                "a.act": {"kind": "param", "left_out": {"effect": "changes_meaning", "so": "it ends", "safe": ["x"]}},
                "a.idle": {"kind": "param", "left_out": "harmless"}
            }}"#,
            &[
                EMPTY,
                r#"{"otherwise": "unknown", "items": {
                    "a": {"life": "1.0.0", "auth": [{"is": {"token": "user"}}, {"since": "2.0.0", "is": {"token": "user", "scopes": "a b", "unauthenticated": 403}}]}
                }}"#,
            ],
        );
        TABLE.check().expect("a sound table");
        let auth =
            |release| TABLE.get("a").expect("a row").auth(1, release).map(|auth| auth.to_string());
        assert_eq!(auth(Version::new(1, 0, 0)).as_deref(), Some("a user's token"));
        assert_eq!(auth(Version::new(2, 1, 0)).as_deref(), Some("a user's token with a or b"));
        let left_out = |id, program| TABLE.get(id).expect(id).left_out_in(program, None);
        assert_eq!(left_out("a.idle", 0).map(|one| one.effect), Some(Effect::Harmless));
        assert_eq!(left_out("a.idle", 1), None);
        let [whole, caution] = [0, 1].map(|program| left_out("a.act", program).expect("an effect"));
        assert_eq!((caution.effect, &caution.so), (Effect::ChangesMeaning, &whole.so));
        assert!(whole.safe.has("x") && caution.safe.is_empty());
    }

    #[test]
    fn a_damaged_table_is_an_error() {
        const NONE: &str = r#"{"form": 3, "items": {}}"#;
        let told = |rows: &str, mastodon: &str| {
            let read = read(&PROGRAMS[..1], rows, &[mastodon]);
            read.err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert_eq!(told(NONE, EMPTY), "");
        for (rows, mastodon, expected) in [
            ("", EMPTY, "EOF"),
            (r#"{"form": 4, "elements": []}"#, EMPTY, "it is of the form 4"),
            (r#"{"form": 3, "items": {"a": "thing"}}"#, EMPTY, "unknown variant `thing`"),
            (
                r#"{"form": 3, "items": {"a": {"kind": "param", "weight": 1}}}"#,
                EMPTY,
                "unknown field `weight`",
            ),
            (NONE, r#"{"otherwise": "soon", "items": {}}"#, "the rows of Mastodon: "),
            (NONE, r#"{"otherwise": "never", "items": {"a": "1.0.0"}}"#, "a row `a`"),
        ] {
            let told = told(rows, mastodon);
            assert!(told.starts_with("the item table cannot be read: "), "{told}");
            assert!(told.contains(expected), "{told}");
        }
        let one = read(PROGRAMS, r#"{"form": 3, "items": {"a": "enum"}}"#, &[EMPTY])
            .err()
            .expect("too few blocks");
        assert!(one.to_string().contains("2 programs and the rows of 1"), "{one}");
    }
}
