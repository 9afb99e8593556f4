//! The item table: a row for every item that can have a Since.
//!
//! It is written as text, a row a line: thousands of rows need no pretty-printer.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::context::Context;
use super::docs::Docs;
use super::file::File;
use super::left_out;
use super::stamp::arguments;
use fedispec_model::api::{Program, Release};
use fedispec_model::rows::{Kind, Row, RowSubject};
use fedispec_since::StableVersion;

/// `items.rs`
pub(super) fn file(context: &Context<'_>) -> File {
    File {
        module: vec!["items".into()],
        docs: Docs::default()
            .markdown("Every operation, parameter, field, enumeration and value, with the releases that have it."),
        items: vec![
            imports(context),
            quote! {
                /// The item table.
                pub const fn items() -> ItemTable {
                    ItemTable::new(PROGRAMS, ROWS)
                }
            },
            floors(context),
        ],
        tail: tables(context),
        ..File::default()
    }
}

/// `FLOORS`
fn floors(context: &Context<'_>) -> TokenStream {
    let floors = context.floors.by_program(context.api).map(|(key, floor)| {
        let (major, minor, patch) = floor.numbers();
        let [major, minor, patch] = [major, minor, patch].map(Literal::u16_unsuffixed);
        quote!((#key, rt::Version::new(#major, #minor, #patch)))
    });
    quote! {
        /// The oldest release of each program, by its key, that the types are made for. What an older server answers may not decode.
        pub const FLOORS: &[(&str, rt::Version)] = &[#(#floors),*];
    }
}

/// What the tables name. A small catalogue need not have every kind of statement.
fn imports(context: &Context<'_>) -> TokenStream {
    let rows = context.rows.iter().filter_map(|row| match row.subject {
        RowSubject::Param(_, param) => Some(left_out::row(param)),
        _ => None,
    });
    let rows = rows.collect::<String>();
    let exceptions = rows.contains("Exceptions::").then(|| quote!(Exceptions,));
    let safe = rows.contains("SafeValues::").then(|| quote!(SafeValues,));
    quote!(use rt::{#exceptions Item, ItemTable, Kind, Life, Program, Release, #safe};)
}

fn tables(context: &Context<'_>) -> String {
    let mut text = String::from("\nstatic PROGRAMS: &[Program] = &[\n");
    for (number, program) in context.api.programs.iter().enumerate() {
        push_program(&mut text, program, context.floors.of(number));
    }
    text += "];\n\n// What many rows share: one list for all of them costs a compiler less than one for each.\n";
    let lives = lives(context);
    for (lives, name) in &lives {
        _ = writeln!(text, "const {name}: &[Life] = &[{lives}];");
    }
    text += "\n// Sorted by id.\nstatic ROWS: &[Item] = &[\n";
    for row in &context.rows {
        push_row(&mut text, row, &lives[&context.stamp(row.item).row()]);
    }
    text + "];\n"
}

/// The lists of lives that there are, each with the name of its constant, which tells them: `L_4_3_0__NEVER`.
fn lives(context: &Context<'_>) -> BTreeMap<String, String> {
    let rows = context.rows.iter().map(|row| context.stamp(row.item).row());
    rows.map(|lives| {
        let name = lives_name(&lives);
        (lives, name)
    })
    .collect()
}

/// Says all that the list says, so that two lists never share a name and no list is called by what other lists there
/// are.
fn lives_name(lives: &str) -> String {
    let name = lives.split("Life::").fold("L".to_owned(), |name, life| {
        let words = life.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let words: Vec<_> = words
            .filter(|word| !matches!(*word, "" | "since"))
            .collect();
        match words.as_slice() {
            [] => name,
            words => format!("{name}__{}", words.join("_").to_uppercase()),
        }
    });
    name.replacen("__", "_", 1)
}

fn push_row(text: &mut String, row: &Row<'_>, lives: &str) {
    let kind = match row.kind() {
        Kind::Operation => "Operation",
        Kind::Param => "Param",
        Kind::Response => "Response",
        Kind::Field => "Field",
        Kind::Enum => "Enum",
        Kind::Value => "Value",
    };
    let id = &row.item.id;
    let wire = if row.kind() == Kind::Operation {
        ""
    } else {
        &row.item.wire
    };
    let inherited = if row.inherited() { ".inherited()" } else { "" };
    let left_out = match row.subject {
        RowSubject::Param(_, param) => left_out::row(param),
        _ => String::new(),
    };
    _ = writeln!(
        text,
        "    Item::new(Kind::{kind}, {id:?}, {wire:?}, {lives}){inherited}{left_out},"
    );
}

fn push_program(text: &mut String, program: &Program, floor: Option<StableVersion>) {
    let Program {
        key,
        name,
        nodeinfo,
        ..
    } = program;
    let letter = program
        .letter
        .as_ref()
        .map_or(String::new(), |letter| format!(".letter({letter:?})"));
    _ = writeln!(
        text,
        "    Program::new({key:?}, {name:?}){letter}.nodeinfo(&{nodeinfo:?}).releases(&["
    );
    for release in &program.releases {
        push_release(text, release);
    }
    let looked_at = program.newest_looked_at();
    let looked_at = looked_at.map(|version| format!(".looked_at({})", arguments(version)));
    let floor = floor.map(|version| format!(".floor({})", arguments(version)));
    let [looked_at, floor] = [looked_at, floor].map(Option::unwrap_or_default);
    text.extend(["    ])", &looked_at, &floor, ",\n"]);
}

fn push_release(text: &mut String, release: &Release) {
    let date = release
        .date
        .as_ref()
        .map_or(String::new(), |date| format!(".date({date:?})"));
    let api = release
        .api
        .map_or(String::new(), |api| format!(".api({api})"));
    _ = writeln!(
        text,
        "        Release::new({}){date}{api},",
        arguments(release.version)
    );
}

#[cfg(test)]
mod tests {
    use super::lives_name;

    #[test]
    fn a_name_says_all_that_its_list_says() {
        for (lives, name) in [
            ("Life::since(4, 3, 0), Life::NEVER", "L_4_3_0__NEVER"),
            ("Life::since(4, 3, 0)", "L_4_3_0"),
            (
                "Life::UNKNOWN.effective_since(4, 3, 0), Life::UNKNOWN",
                "L_UNKNOWN_EFFECTIVE_SINCE_4_3_0__UNKNOWN",
            ),
            (
                "Life::since(1, 0, 0).absent(&[((2, 4, 0), (3, 3, 0))]).removed(4, 0, 0)",
                "L_1_0_0_ABSENT_2_4_0_3_3_0_REMOVED_4_0_0",
            ),
        ] {
            assert_eq!(lives_name(lives), name);
        }
    }
}
