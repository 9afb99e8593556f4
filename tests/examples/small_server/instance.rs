//! The server itself, and what its users tell its moderators.

use fedispec::entities::{Report, Rule};
use fedispec::enums::ReportCategory;
use fedispec::{announcements, current, custom_emojis, instance, reports};

use super::{documents, prelude::*};

pub fn handlers(mount: Mount) -> Mount {
    mount
        .anybody(|db, _, _: instance::Get, _| Ok(documents::instance(db)))
        .anybody(|db, _, _: instance::GetV1, _| Ok(documents::v1(db)))
        .anybody(|_, _, _: instance::Rules, _| Ok(List::new(rules())))
        .anybody(|_, _, _: custom_emojis::List, _| Ok(List::default()))
        .user(|db, _, _: announcements::List, _| Ok(db.announcements.clone().into()))
        .user(|db, _, req: reports::Create, _| {
            let target = db.account(db.known(&req.account_id)?);
            Ok(Report::from(current::Report {
                action_taken: false,
                action_taken_at: None,
                category: req.category.unwrap_or(ReportCategory::Other),
                collection_ids: Vec::new(),
                comment: req.comment.unwrap_or_default(),
                created_at: Timestamp::now(),
                forwarded: Some(false),
                id: db.next().into(),
                rule_ids: None,
                status_ids: Vec::new(),
                target_account: target,
            }))
        })
}

pub(super) fn rules() -> Vec<Rule> {
    let (id, text) = ("1".into(), "Be kind".to_owned());
    vec![current::Rule { id, text, hint: String::new(), translations: Map::new() }.into()]
}
