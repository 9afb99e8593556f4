//! The table of what releases write otherwise than the types say, for servers that emulate one.

use std::fmt::Write as _;

use super::context::Context;

/// A row a line, as in the item table.
pub(super) fn table(context: &Context<'_>) -> String {
    let mut text = String::from("\nstatic WRITTEN: &[rt::codegen::Written] = &[\n");
    for (id, way) in values(context) {
        _ = writeln!(
            text,
            "    rt::codegen::Written::new({id:?}, rt::codegen::Way::{way}),"
        );
    }
    text.push_str("];\n");
    text
}

/// What stands for values of enumerations in releases that lack them, where that is something.
fn values<'a>(context: &'a Context<'_>) -> impl Iterator<Item = (&'a str, String)> {
    context.api.enums.iter().flat_map(|enumeration| {
        enumeration.values.iter().filter_map(|value| {
            let instead = value.on_older.as_deref()?;
            let way = if instead == "null" {
                "Null".to_owned()
            } else {
                let other = enumeration
                    .values
                    .iter()
                    .find(|other| other.wire == instead)?;
                let (id, wire) = (&other.id, &other.wire);
                format!("Instead {{ id: {id:?}, wire: {wire:?} }}")
            };
            Some((value.id.as_str(), way))
        })
    })
}
