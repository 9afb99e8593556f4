//! Ids and texts that answers have told.

use std::collections::BTreeMap;

use fedispec_model::api::{Entity, Type};
use serde_json::{Map, Value};

use crate::bodies::{Visit, field};

/// Texts that an answer tells and another operation asks for, by the ids of the parameter and of the fields.
pub(super) const TEXTS: &[(&str, &[&str])] = &[
    ("accounts.lookup.acct", &["CredentialAccount.acct", "Account.acct"]),
    ("accounts.search.q", &["CredentialAccount.username", "Account.username"]),
    ("annual_reports.get.year", &["AnnualReport.year"]),
    ("annual_reports.state.year", &["AnnualReport.year"]),
    ("grouped_notifications.accounts.group_key", &["NotificationGroup.group_key"]),
    ("grouped_notifications.get.group_key", &["NotificationGroup.group_key"]),
    ("instance.terms_of_service_of.date", &["TermsOfService.effective_date"]),
    ("oembed.get.url", &["Status.url"]),
    ("proofs.get.provider", &["IdentityProof.provider"]),
    ("proofs.get.username", &["CredentialAccount.username", "Account.username"]),
    ("search.all.q", &["CredentialAccount.username", "Account.username"]),
    ("search.all_v1.q", &["CredentialAccount.username", "Account.username"]),
    ("tags.get.name", &["Tag.name", "StatusTag.name"]),
    ("timelines.link.url", &["PreviewCard.url", "TrendsLink.url"]),
    ("timelines.tag.hashtag", &["Tag.name", "StatusTag.name"]),
    ("webfinger.get.resource", &["CredentialAccount.url", "Account.url"]),
];

/// The greatest number of values that are kept for each entity or field.
const MOST: usize = 8;

/// Ids by entity, and texts by field.
#[derive(Debug, Default)]
pub(super) struct Seen<'a> {
    ids: BTreeMap<&'a str, Vec<String>>,
    texts: BTreeMap<String, Vec<String>>,
}

impl Seen<'_> {
    /// The ids of an entity (`Account`), or the values of a field (`Tag.name`).
    pub(super) fn of(&self, source: &str) -> impl Iterator<Item = &String> {
        let found = self.ids.get(source).or_else(|| self.texts.get(source));
        found.into_iter().flatten()
    }
}

impl<'a> Visit<'a> for Seen<'a> {
    fn object(&mut self, object: &Map<String, Value>, entity: &'a Entity) {
        for (key, value) in object {
            let Some(field) = field(entity, key) else {
                continue;
            };
            let Some(text) = text(value) else { continue };
            // An entity may call its ids another's: those of `AdminEmoji` are ids of `CustomEmoji`.
            if key == "id" {
                keep(self.ids.entry(&entity.item.id).or_default(), &text);
            }
            if let Type::Id(Some(of)) = &field.r#type {
                keep(self.ids.entry(of).or_default(), &text);
            }
            if !text.is_empty()
                && TEXTS.iter().any(|(_, fields)| fields.iter().any(|id| is(id, entity, key)))
            {
                keep(self.texts.entry(format!("{}.{key}", entity.item.id)).or_default(), &text);
            }
        }
    }
}

fn is(id: &str, entity: &Entity, key: &str) -> bool {
    id.strip_suffix(key).and_then(|id| id.strip_suffix('.')) == Some(&entity.item.id)
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn keep(values: &mut Vec<String>, text: &str) {
    if values.len() < MOST && !values.iter().any(|known| known == text) {
        values.push(text.to_owned());
    }
}
