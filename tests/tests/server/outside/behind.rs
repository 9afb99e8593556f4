//! A field that the newest release always sends is forgotten.

use fedispec::{current, entities, enums::NotificationType};

pub fn favourite(account: entities::Account) -> entities::Notification {
    current::Notification {
        account,
        created_at: "2024-10-08T12:31:00.000Z".into(),
        id: "34".into(),
        r#type: NotificationType::Favourite,
    }
    .into()
}

fn main() {}
