//! Renames: what was removed and what was added beside it under a similar name.

use fedispec_model::suggest::nearest;

use crate::row::{Change, Row};

/// Adds a row for each pair that looks like a rename. The pair stays: whether it is one, a person decides.
pub(super) fn pair(rows: &mut Vec<Row>) {
    let mut renamed = Vec::new();
    for gone in rows.iter().filter(|row| row.change == Change::Removed) {
        let beside = rows.iter().filter(|row| {
            row.change == Change::Added
                && row.kind == gone.kind
                && container(row) == container(gone)
        });
        let beside: Vec<&Row> = beside.collect();
        let label = |row: &Row| match &row.path {
            Some(path) if row.name.is_empty() => path.clone(),
            _ => row.name.clone(),
        };
        let names: Vec<String> = beside.iter().map(|row| label(row)).collect();
        // An argument at the same place of the path counts as a similar name.
        let place = |row: &Row| row.at.split('@').next().map(str::to_owned);
        let same_place = beside.iter().position(|row| place(row) == place(gone));
        let similar = nearest(&label(gone), names.iter().map(String::as_str));
        let similar = similar.and_then(|name| names.iter().position(|other| other == name));
        if let Some(found) = similar.or(same_place) {
            let new = beside[found];
            renamed.push(Row {
                change: Change::Renamed,
                id: new.id.clone(),
                from: Some(label(gone)),
                to: Some(label(new)),
                sure: false,
                decide: Some("whether it is a rename, or one went and another came".to_owned()),
                yaml: String::new(),
                edits: Vec::new(),
                ..new.clone()
            });
        }
    }
    rows.extend(renamed);
}

/// The container of an item.
fn container(row: &Row) -> Option<&str> {
    if row.name.is_empty() {
        // The method of an operation: a path renames, its method does not.
        return row.method.as_deref();
    }
    Some(row.id.strip_suffix(row.name.as_str()).unwrap_or(&row.id))
}
