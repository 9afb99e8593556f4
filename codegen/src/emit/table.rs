//! The item table: a row for every item that can have a Since.
//!
//! The rows are text that the runtime reads: thousands of constants would cost every user's compiler more than all operations do.

use std::fmt::Write as _;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::context::Context;
use super::docs::Docs;
use super::file::File;
use super::left_out;
use super::spelled::spelled;
use super::stamp::{Stamp, arguments};
use fedispec_model::api::{Program, Release};
use fedispec_model::rows::{Row, RowSubject};
use fedispec_since::{Kind, StableVersion};

/// `items.rs`
pub(super) fn file(context: &Context<'_>) -> File {
    File {
        module: vec!["items".into()],
        docs: Docs::default()
            .markdown("Every operation, parameter, field, enumeration and value, with the releases that have it."),
        items: vec![
            quote!(use rt::{ItemTable, Program, Release};),
            quote! {
                /// The item table.
                pub fn items() -> &'static ItemTable {
                    &ITEMS
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

fn tables(context: &Context<'_>) -> String {
    let mut text = String::from("\nstatic PROGRAMS: &[Program] = &[\n");
    for (number, program) in context.api.programs.iter().enumerate() {
        push_program(&mut text, program, context.floors.of(number));
    }
    text += "];\n\n// Sorted by id.\n";
    let rows: String = { context.rows.iter() }
        .map(|row| row_lines(row, &context.stamp(row.item), &context.api.programs))
        .collect();
    let fence = fence(&rows);
    text + &format!(
        "static ITEMS: ItemTable = ItemTable::new(\n    PROGRAMS,\n    r{fence}\"\n{rows}\"{fence},\n);\n"
    )
}

/// The signs of a raw string that holds the text.
fn fence(text: &str) -> String {
    let mut fence = "#".to_owned();
    while text.contains(&format!("\"{fence}")) {
        fence.push('#');
    }
    fence
}

/// A row as `ItemTable` of the runtime reads it: its line, and the lines below it.
fn row_lines(row: &Row<'_>, stamp: &Stamp<'_>, programs: &[Program]) -> String {
    let kind = match row.kind() {
        Kind::Operation => "operation",
        Kind::Param => "param",
        Kind::Response => "response",
        Kind::Field if row.inherited() => "inherited",
        Kind::Field => "field",
        Kind::Enum => "enum",
        Kind::Value => "value",
    };
    let (id, wire) = (&row.item.id, &row.item.wire);
    let mut text = format!("{kind} {}: {}\n", spelled(id), stamp.row());
    if row.kind() != Kind::Operation && id.rsplit('.').next() != Some(wire) {
        _ = writeln!(text, "  wire {}", spelled(wire));
    }
    if let RowSubject::Param(_, param) = row.subject {
        for line in left_out::lines(param, programs) {
            text.extend(["  ", &line, "\n"]);
        }
    }
    text
}

fn push_program(text: &mut String, program: &Program, floor: Option<StableVersion>) {
    let Program { key, name, nodeinfo, .. } = program;
    let letter =
        program.letter.as_ref().map_or(String::new(), |letter| format!(".letter({letter:?})"));
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
    let date = release.date.as_ref().map_or(String::new(), |date| format!(".date({date:?})"));
    let api = release.api.map_or(String::new(), |api| format!(".api({api})"));
    _ = writeln!(text, "        Release::new({}){date}{api},", arguments(release.version));
}

#[cfg(test)]
mod tests {
    use super::fence;

    #[test]
    fn no_text_ends_its_raw_string() {
        assert_eq!(fence("a \"b\""), "#");
        assert_eq!(fence("a \"# b \"## c"), "###");
    }
}
