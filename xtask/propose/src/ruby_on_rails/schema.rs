//! The database's tables: what a serializer's plain attributes are.

use std::collections::HashMap;

use super::ruby::{block, first_name, name, option, positional};
use crate::syntax::{File, Spot};

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column {
    /// Its type in the catalogue's notation, where it has one.
    pub(super) r#type: Option<&'static str>,
    pub(super) nullable: bool,
}

/// The columns by table and name.
pub(super) type Tables = HashMap<String, HashMap<String, Column>>;

/// Reads `db/schema.rb`.
pub(super) fn tables(files: &[File]) -> Tables {
    let mut tables = Tables::new();
    let Some(file) = files.iter().find(|file| file.path == "db/schema.rb") else {
        return tables;
    };
    for call in file.root().of_kind("call").filter(|call| call.is("method", "create_table")) {
        if let Some(table) = first_name(call) {
            tables.insert(table, block(call).into_iter().filter_map(column).collect());
        }
    }
    tables
}

/// `t.string "name", default: "", null: false`
fn column(at: Spot<'_>) -> Option<(String, Column)> {
    let r#type = match at.field("method")?.text() {
        "string" | "text" | "inet" | "uuid" => Some("string"),
        "boolean" => Some("boolean"),
        "integer" | "bigint" => Some("integer"),
        "float" | "decimal" => Some("number"),
        "datetime" => Some("datetime"),
        "date" => Some("date"),
        "json" | "jsonb" => None,
        _ => return None,
    };
    let is_list = option(at, "array").is_some();
    let name = name(*positional(at).first()?)?;
    let column = Column {
        r#type: r#type.filter(|_| !is_list),
        nullable: option(at, "null").is_none_or(|null| null.text() != "false"),
    };
    Some((name, column))
}
