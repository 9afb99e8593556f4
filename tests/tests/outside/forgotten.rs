//! A required field is forgotten.

use fedispec::entities::Notification;
use fedispec::{enums::NotificationType, required};

fn main() {
    let _ = Notification {
        group_key: Some("favourite-1".into()),
        ..required::Notification {
            id: "34".into(),
            r#type: NotificationType::Favourite,
        }
        .into()
    };
}
