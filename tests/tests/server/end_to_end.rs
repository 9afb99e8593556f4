//! The generated client against the generated server, over a real socket: the operations of document 1.

mod app;
mod instance;
mod nested;
mod notification_policy;
mod notification_requests;
mod notifications;
mod oauth;
mod refused;
mod site;

use crate::entities;

use std::collections::BTreeSet;

use fedispec_model::api::{Operation, Origin};

/// Whether document 1 lists the operation: it names operations by method and path, document 2 by a key.
fn is_of_document_1(operation: &Operation) -> bool {
    let key = operation.item.documented_as.as_deref();
    operation.item.origin == Origin::Documents && key.is_none_or(|key| key.contains(' '))
}

#[tokio::test]
async fn every_operation_of_document_1_is_called() {
    let site = app::site().await;
    oauth::calls(&site).await;
    instance::calls(&site).await;
    notifications::calls(&site).await;
    notification_policy::calls(&site).await;
    notification_requests::calls(&site).await;

    let api = fedispec_tests::catalogue::typed();
    let documented: BTreeSet<_> = api
        .operations
        .iter()
        .filter(|operation| is_of_document_1(operation))
        .map(|operation| operation.item.id.as_str())
        .collect();
    assert!(!documented.is_empty());
    assert_eq!(site.called(), documented);
    for id in documented {
        assert!(fedispec::items().get(id).is_some(), "{id} is in the item table");
    }
}
