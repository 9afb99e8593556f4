//! The server itself, and what its users tell its moderators.

use fedispec::entities::{Instance, InstanceContact, Report, Rule, V1Instance};
use fedispec::enums::ReportCategory;
use fedispec::{announcements, custom_emojis, instance, reports};

use super::posts::{MAX_CHARACTERS, MAX_MEDIA, MAX_OPTIONS};
use super::prelude::*;

/// The release whose API this is, as clients look for it.
const VERSION: &str = "4.6.5 (compatible; small_server 0.1.0)";
const TITLE: &str = "A small server";

pub fn handlers(mount: Mount) -> Mount {
    mount
        .anybody(|db, _, _: instance::Get, _| {
            let mut instance = Instance {
                title: TITLE.into(),
                version: VERSION.into(),
                domain: db.domain().to_owned(),
                contact: InstanceContact::new(format!("owner@{}", db.domain())),
                rules: rules(),
                ..Instance::default()
            };
            let configuration = &mut instance.configuration;
            configuration.urls.streaming = db.streaming();
            configuration.statuses.max_characters = count(MAX_CHARACTERS);
            configuration.statuses.max_media_attachments = count(MAX_MEDIA);
            configuration.polls.max_options = count(MAX_OPTIONS);
            configuration.polls.max_characters_per_option = 50;
            configuration.polls.max_expiration = 2_629_746;
            instance.registrations.enabled = true;
            Ok(instance)
        })
        .anybody(|db, _, _: instance::GetV1, _| {
            let mut instance = V1Instance {
                title: TITLE.into(),
                version: VERSION.into(),
                uri: db.domain().to_owned(),
                email: format!("owner@{}", db.domain()),
                registrations: Some(true),
                rules: rules(),
                ..V1Instance::default()
            };
            instance.urls.streaming_api = Some(db.streaming());
            Ok(instance)
        })
        .anybody(|_, _, _: instance::Rules, _| Ok(List::new(rules())))
        .anybody(|_, _, _: custom_emojis::List, _| Ok(List::default()))
        .user(|db, _, _: announcements::List, _| Ok(db.announcements.clone().into()))
        .user(|db, _, req: reports::Create, _| {
            let target = db.account(db.known(&req.account_id)?);
            Ok(Report {
                category: Some(req.category.unwrap_or(ReportCategory::Other)),
                comment: Some(req.comment.unwrap_or_default()),
                created_at: Some(Timestamp::now()),
                target_account: Some(target),
                ..Report::new(false, db.next())
            })
        })
}

fn rules() -> Vec<Rule> {
    vec![Rule::new("1", "Be kind")]
}

impl Store {
    /// The address of streams.
    fn streaming(&self) -> String {
        self.origin.replacen("http", "ws", 1)
    }
}
