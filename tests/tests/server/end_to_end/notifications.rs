//! The group `notifications`.

use fedispec::enums::NotificationType;
use fedispec::notifications;
use fedispec::runtime::Link;

use crate::end_to_end::entities;
use crate::end_to_end::site::Site;

/// Calls each operation of the group in document 1.
pub(crate) async fn calls(site: &Site) {
    list(site).await;

    let request = notifications::Get::new("a/b")
        .supported_types(["mention", "future"].map(NotificationType::custom));
    let (wire, notification) = site.call(request).await;
    assert_eq!(
        wire,
        "GET /api/v1/notifications/a%2Fb?supported_types%5B%5D=mention&supported_types%5B%5D=future\
         \nBearer users-token"
    );
    assert_eq!(notification.value, entities::notification("a/b"));

    let (wire, _) = site.call(notifications::Clear::new()).await;
    assert_eq!(wire, "POST /api/v1/notifications/clear\nBearer users-token");

    let (wire, _) = site.call(notifications::Dismiss::new("34")).await;
    assert_eq!(wire, "POST /api/v1/notifications/34/dismiss\nBearer users-token");

    let (wire, _) = site.call(notifications::DismissByBody::new("34")).await;
    assert_eq!(
        wire,
        "POST /api/v1/notifications/dismiss\nBearer users-token\napplication/x-www-form-urlencoded\nid=34"
    );

    let request = notifications::UnreadCount::new().exclude_types([NotificationType::Poll]);
    let (wire, unread) = site.call(request.limit(100)).await;
    assert_eq!(
        wire,
        "GET /api/v1/notifications/unread_count?exclude_types%5B%5D=poll&limit=100\nBearer users-token"
    );
    assert_eq!(unread.count, 17);
}

/// The first page leads to the second, with the same filter, and that one is the last.
async fn list(site: &Site) {
    let types = [NotificationType::Mention, NotificationType::AdminSignUp];
    let request = notifications::List::new().types(types).include_filtered(false);
    let (wire, page) = site.call(request.clone()).await;
    let query = "include_filtered=false&types%5B%5D=mention&types%5B%5D=admin.sign_up";
    assert_eq!(wire, format!("GET /api/v1/notifications?{query}\nBearer users-token"));
    assert_eq!(page.items, [entities::notification("4"), entities::notification("3")]);
    assert_eq!(page.prev, None);
    let next = page.next.as_ref().and_then(Link::as_url).expect("a link");
    let origin = site.client.origin();
    assert_eq!(next, format!("{origin}/api/v1/notifications?{query}&max_id=3"));

    let (_, max_id) = next.split_once("max_id=").expect("a position");
    let (wire, page) = site.call(request.max_id(max_id)).await;
    assert!(wire.contains("max_id=3&types%5B%5D=mention"), "{wire}");
    assert_eq!(page.items, [entities::notification("2"), entities::notification("1")]);
    assert_eq!(page.next, None);
}
