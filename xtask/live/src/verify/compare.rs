//! Comparison of a JSON value with the catalogue: items that are older than their Since, fields that are missing, and unknown keys and
//! values.

use std::collections::BTreeMap;

use fedispec_model::api::{Entity, Enumeration, Field, Item, Since, Type};
use fedispec_model::floors::Floors;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::bodies::{Catalogue, Server, Visit, field, has};

/// A difference between a response and the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// The item's id, or `Entity.key` for an undeclared key.
    pub(crate) id: String,
    /// The program, if it is registered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) program: Option<String>,
    /// The version string of the first occurrence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
    /// The item's Since for that program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) since: Option<String>,
    /// The line of the first occurrence.
    pub(crate) line: usize,
    /// The number of occurrences.
    pub(crate) count: u64,
}

/// Findings by id and version.
pub(crate) type Findings = BTreeMap<(String, Option<String>), Finding>;

/// The findings of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Items on a release older than their Since.
    pub(crate) too_early: Findings,
    /// Fields that the release must send and did not.
    pub(crate) promised_but_absent: Findings,
    /// Fields that the release never sends as null, and did.
    pub(crate) promised_but_null: Findings,
    /// Fields that bindings with the release as their floor need, and that were absent or null.
    pub(crate) fails_with_floor: Findings,
    /// Keys that the entity does not declare.
    pub(crate) unknown_fields: Findings,
    /// Values that the enumeration does not list.
    pub(crate) unknown_values: Findings,
}

/// The comparison of one recorded response.
pub(crate) struct Comparison<'a, 'f> {
    /// The catalogue.
    pub(crate) catalogue: &'f Catalogue<'a>,
    /// The server, if its program is registered.
    pub(crate) server: Option<Server>,
    /// The floors of bindings that are made for the server's release and later ones, where these are looked at.
    pub(crate) floors: Option<&'f Floors>,
    /// The version string.
    pub(crate) version: Option<&'a str>,
    /// The line.
    pub(crate) line: usize,
    /// Collects the findings.
    pub(crate) found: &'f mut Found,
}

impl<'a> Comparison<'a, '_> {
    /// Records that an item was present.
    pub(crate) fn seen(&mut self, item: &Item) {
        let Some(server) = self.server else { return };
        let since = item.life[server.program].since;
        let early = match since {
            Since::Since(since) => server.release.version < since.into(),
            Since::Never => true,
            Since::Unknown => false,
        };
        if early {
            let finding = self.finding(item.id.clone(), Some(since.to_string()));
            add(&mut self.found.too_early, finding);
        }
    }

    /// Compares a value with its type.
    pub(crate) fn walk(&mut self, value: &Value, r#type: &'a Type) {
        self.catalogue.walk(value, r#type, self);
    }

    /// A field that was not sent as the release promises, with its Since.
    fn promise(
        &self,
        field: &Field,
        is_kept: fn(&Catalogue<'a>, Server, &Field) -> bool,
    ) -> Option<Finding> {
        let server = self.server?;
        let life = &field.item.life[server.program];
        let promised = has(life, server.release) && is_kept(self.catalogue, server, field);
        promised.then(|| self.finding(field.item.id.clone(), Some(life.since.to_string())))
    }

    fn finding(&self, id: String, since: Option<String>) -> Finding {
        let program =
            self.server.map(|server| self.catalogue.api().programs[server.program].key.clone());
        Finding {
            id,
            program,
            version: self.version.map(str::to_owned),
            since,
            line: self.line,
            count: 1,
        }
    }
}

impl<'a> Visit<'a> for Comparison<'a, '_> {
    fn object(&mut self, object: &Map<String, Value>, entity: &'a Entity) {
        for (key, value) in object {
            if let Some(field) = field(entity, key) {
                self.seen(&field.item);
                if let Some(entry) = field
                    .entry
                    .as_deref()
                    .filter(|_| value.as_object().is_some_and(|map| !map.is_empty()))
                {
                    self.seen(&entry.item);
                }
            } else if entity.fields_known {
                let finding = self.finding(format!("{}.{key}", entity.item.id), None);
                add(&mut self.found.unknown_fields, finding);
            }
        }
        if let Some(floors) = self.floors {
            // A missing list counts as an empty one, and a missing field as its `absent_means`.
            let needed = entity.fields.iter().filter(|field| {
                !matches!(field.r#type, Type::List(_))
                    && field.absent_means.is_none()
                    && floors.is_plain(entity, field)
            });
            for field in needed {
                if object.get(&field.item.wire).is_none_or(Value::is_null) {
                    let id = format!("{}.{}", entity.item.id, field.item.name);
                    let finding = self.finding(id, None);
                    add(&mut self.found.fails_with_floor, finding);
                }
            }
        }
        for field in &entity.fields {
            match object.get(&field.item.wire) {
                None => {
                    if let Some(finding) = self.promise(field, Catalogue::always_sends) {
                        add(&mut self.found.promised_but_absent, finding);
                    }
                }
                Some(Value::Null) => {
                    if let Some(finding) = self.promise(field, Catalogue::never_null) {
                        add(&mut self.found.promised_but_null, finding);
                    }
                }
                Some(_) => {}
            }
        }
    }

    fn value(&mut self, text: &str, listed: &'a Enumeration) {
        match listed.values.iter().find(|value| value.wire == text) {
            Some(value) => self.seen(value),
            None if listed.values_known => {
                let finding = self.finding(format!("{}.{text}", listed.item.id), None);
                add(&mut self.found.unknown_values, finding);
            }
            None => {}
        }
    }
}

fn add(findings: &mut Findings, finding: Finding) {
    findings
        .entry((finding.id.clone(), finding.version.clone()))
        .and_modify(|known| known.count += 1)
        .or_insert(finding);
}
