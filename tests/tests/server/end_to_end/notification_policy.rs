//! The group `notification_policy`.

use fedispec::enums::NotificationPolicyValue;
use fedispec::notification_policy;

use crate::end_to_end::site::Site;

/// Calls each operation of the group in document 1.
pub(crate) async fn calls(site: &Site) {
    let (wire, policy) = site.call(notification_policy::Get::new()).await;
    assert_eq!(wire, "GET /api/v2/notifications/policy\nBearer users-token");
    assert_eq!(policy.for_not_following, NotificationPolicyValue::Accept);
    assert_eq!(policy.summary.pending_notifications_count, 3);

    let request = notification_policy::Update::new()
        .for_not_following(NotificationPolicyValue::Drop)
        .for_new_accounts(NotificationPolicyValue::custom("postpone"));
    let (wire, policy) = site.call(request).await;
    assert_eq!(
        wire,
        "PATCH /api/v2/notifications/policy\nBearer users-token\napplication/x-www-form-urlencoded\n\
         for_not_following=drop&for_new_accounts=postpone"
    );
    assert_eq!(policy.for_not_following, NotificationPolicyValue::Drop);
    assert_eq!(policy.for_new_accounts.as_str(), "postpone");
}
