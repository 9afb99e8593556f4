//! A required field is forgotten.

use fedispec::entities::Notification;
use fedispec::{enums::NotificationType, required};

fn main() {
    let _ = Notification {
        group_key: Some("favourite-1".into()),
        ..required::Notification {
            created_at: "2024-10-08T12:31:00.000Z".into(),
            id: "34".into(),
            r#type: NotificationType::Favourite,
        }
        .into()
    };
}
