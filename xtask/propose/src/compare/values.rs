//! Values of enumerations.

use std::collections::BTreeSet;

use super::operations::others;
use super::{Compared, Finding};
use crate::matching::Matching;
use crate::ours::shown;
use crate::row::{Change, Edit, Kind, Row, yaml};

pub(super) fn rows(compared: &Compared<'_>, before: &Matching, after: &Matching) -> Vec<Row> {
    let ours = compared.ours;
    let mut rows = Vec::new();
    for enumeration in &ours.api.enums {
        let id = enumeration.item.id.as_str();
        let found = |matching: &Matching, side: &super::Side<'_>| {
            side.surface.enums.get(matching.enums.get(id)?).cloned()
        };
        let (Some(was), Some(is)) = (found(before, &compared.old), found(after, &compared.new))
        else {
            continue;
        };
        let file = ours.file("enums", id).unwrap_or_default();
        let known = enumeration.values.iter().map(|value| value.wire.clone());
        let values: BTreeSet<String> = known
            .chain(was.values.keys().cloned())
            .chain(is.values.keys().cloned())
            .collect();
        for value in values.into_iter().filter(|value| !value.is_empty()) {
            let (old, new) = (was.values.get(&value), is.values.get(&value));
            let at = match (new, old) {
                (Some(place), _) => compared.new.at(place),
                (None, Some(place)) => compared.old.at(place),
                (None, None) => compared.new.at(&is.at),
            };
            let mut row = Row {
                change: Change::Added,
                kind: Kind::Value,
                id: format!("{id}.{value}"),
                method: None,
                path: None,
                name: value.clone(),
                from: None,
                to: Some(compared.new.version.to_string()),
                at,
                // A constant may be declared long before anything sends or accepts it.
                sure: false,
                decide: Some("whether it is sent or accepted from this release on".to_owned()),
                yaml: String::new(),
                file: shown(&file),
                edits: Vec::new(),
            };
            if let Some(item) = enumeration.values.iter().find(|item| item.wire == value) {
                row.id.clone_from(&item.id);
                let Some(finding) = compared.judge(item, old.is_some(), new.is_some()) else {
                    continue;
                };
                (row.change, row.from, row.to) = finding.told(ours, item, compared);
                let path = ["enums", id, "values", value.as_str()];
                match (finding, new) {
                    (Finding::Added, Some(place)) => {
                        row.edits = ours.since(&path, compared.new.version, place);
                    }
                    (Finding::Removed, _) => row.edits = ours.removed(&path, compared.new.version),
                    _ => {}
                }
            } else if let (None, Some(place)) = (old, new) {
                let since = others(compared, compared.new.version);
                let evidence = ours.evidence(place, compared.new.version);
                let text = format!(
                    "{{since: {since}, evidence: {{{}: {evidence}}}}}",
                    ours.key()
                );
                row.edits = vec![Edit::new(["enums", id, "values", &value], text)];
            } else {
                row.change = Change::Contradicts;
                row.from = Some("not in the catalogue".to_owned());
                row.to = Some(format!("declared in {}", compared.old.version));
            }
            row.yaml = yaml(&row.edits);
            rows.push(row);
        }
    }
    rows
}
