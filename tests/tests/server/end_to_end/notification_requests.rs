//! The group `notification_requests`.

use fedispec::notification_requests;
use fedispec::runtime::Link;

use crate::end_to_end::entities;
use crate::end_to_end::site::Site;

const BASE: &str = "/api/v1/notifications/requests";

/// Calls each operation of the group in document 1.
pub(crate) async fn calls(site: &Site) {
    list(site).await;

    let (wire, request) = site.call(notification_requests::Get::new("62")).await;
    assert_eq!(wire, format!("GET {BASE}/62\nBearer users-token"));
    assert_eq!(request.value, entities::notification_request("62"));

    let (wire, _) = site.call(notification_requests::Accept::new("62")).await;
    assert_eq!(wire, format!("POST {BASE}/62/accept\nBearer users-token"));

    let (wire, _) = site.call(notification_requests::Dismiss::new("62")).await;
    assert_eq!(wire, format!("POST {BASE}/62/dismiss\nBearer users-token"));

    let form = "Bearer users-token\napplication/x-www-form-urlencoded\nid%5B%5D=61&id%5B%5D=62";
    let request = notification_requests::AcceptMany::new().id(["61", "62"]);
    let (wire, _) = site.call(request).await;
    assert_eq!(wire, format!("POST {BASE}/accept\n{form}"));

    let request = notification_requests::DismissMany::new().id(["61", "62"]);
    let (wire, _) = site.call(request).await;
    assert_eq!(wire, format!("POST {BASE}/dismiss\n{form}"));

    let (wire, answer) = site.call(notification_requests::Merged::new()).await;
    assert_eq!(wire, format!("GET {BASE}/merged\nBearer users-token"));
    assert!(answer.merged);
}

async fn list(site: &Site) {
    let (wire, page) = site.call(notification_requests::List::new().limit(1)).await;
    assert_eq!(wire, format!("GET {BASE}?limit=1\nBearer users-token"));
    assert_eq!(page.items, [entities::notification_request("61")]);
    let url = |link: &Option<Link>| link.as_ref().and_then(Link::as_url).map(ToOwned::to_owned);
    let origin = site.client.origin();
    assert_eq!(url(&page.next), Some(format!("{origin}{BASE}?limit=1&max_id=61")));
    assert_eq!(url(&page.prev), Some(format!("{origin}{BASE}?limit=1&min_id=61")));
}
