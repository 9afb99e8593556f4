//! Requests that the server refuses, with errors in the API's format.

use fedispec::client::{ApiError, Encode, Error, StatusCode};
use fedispec::enums::OauthGrantType;
use fedispec::runtime::codegen::Encoder;
use fedispec::runtime::{Json, Operation, Request};
use fedispec::{notification_policy, notifications, oauth, preferences};

use crate::end_to_end::app;

/// The status and the message of an error, whose body is `{"error": ".."}`.
fn said(error: &Error) -> (u16, &str) {
    let ApiError { status, message, body, .. } = error.api().expect("the API's own error");
    let body: Json = serde_json::from_str(body).expect("JSON");
    assert_eq!(body["error"].as_str(), message.as_deref());
    (status.as_u16(), message.as_deref().unwrap_or_default())
}

/// The description beside the message, as the endpoints of OAuth have it.
fn described(error: &Error) -> Option<&str> {
    error.api()?.description.as_deref()
}

#[tokio::test]
async fn what_is_not_implemented_answers_501() {
    let site = app::site().await;
    let error = site.refused(notification_policy::GetV1::new()).await;
    let text = "notification_policy.get_v1 is not implemented on this server";
    assert_eq!(said(&error), (501, text));

    let of_no_group = site.refused(preferences::Get::new()).await;
    assert_eq!(of_no_group.operation(), "preferences.get");
    let text = "preferences.get is not implemented on this server";
    assert_eq!(said(&of_no_group), (501, text));
}

#[tokio::test]
async fn a_missing_token_is_refused() {
    let stranger = app::site().await.stranger();
    let error = stranger.refused(notifications::List::new()).await;
    assert_eq!(said(&error), (401, "The access token is invalid"));
    let headers = &error.api().expect("the API's own error").headers;
    assert_eq!(headers["www-authenticate"], "Bearer error=\"invalid_token\"");

    let (wire, _) = stranger.call(fedispec::instance::Get::new()).await;
    assert_eq!(wire, "GET /api/v2/instance");
}

#[tokio::test]
async fn a_missing_record_is_not_found() {
    let site = app::site().await;
    let missing = site.refused(notifications::Get::new("404")).await;
    assert_eq!(said(&missing), (404, "Record not found"));
    let gone = site.refused(notifications::Get::new("410")).await;
    assert_eq!(gone.status(), Some(StatusCode::GONE));
    assert_eq!(
        gone.to_string(),
        format!(
            "notifications.get of {}: the server answered 410 Gone: Record is gone",
            site.client.origin()
        )
    );
}

/// A caller that sends a value of its own making.
struct Careless {
    param: usize,
    value: String,
}

impl Request for Careless {
    type Answer = Json;
    const OPERATION: &'static Operation = notifications::List::OPERATION;
}

impl Encode for Careless {
    fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
        to.required(self.param, &self.value);
    }
}

#[tokio::test]
async fn a_wrong_value_is_named() {
    let site = app::site().await;
    let wires = notifications::List::OPERATION.params;
    let careless = |wire: &str, value: &str| {
        let param = wires.iter().position(|param| param.wire == wire);
        let param = param.expect("a parameter");
        site.refused(Careless { param, value: value.to_owned() })
    };
    let error = careless("include_filtered", "maybe").await;
    assert_eq!(said(&error), (422, "include_filtered must be true or false"));
}

#[tokio::test]
async fn a_way_of_asking_for_a_token_needs_what_it_needs() {
    let site = app::site().await;
    let request = || oauth::Token::client_credentials("id", "s3cret");
    let mut without_code = request();
    without_code.grant_type = OauthGrantType::AuthorizationCode;
    let error = site.refused(without_code).await;
    assert_eq!(said(&error), (400, "invalid_request"));
    assert_eq!(described(&error), Some("code is required"));

    let error = site.refused(request().code("c0de")).await;
    let text = "code and grant_type=client_credentials cannot be combined";
    assert_eq!(said(&error), (400, "invalid_request"));
    assert_eq!(described(&error), Some(text));

    // A way that nobody has listed is the handler's to judge.
    let mut of_no_way = request();
    of_no_way.grant_type = OauthGrantType::custom("magic");
    let (_, token) = site.call(of_no_way).await;
    assert_eq!(token.access_token.expose(), "t0ken");
}

#[tokio::test]
async fn an_error_of_oauth_has_a_description_and_no_secret() {
    let site = app::site().await;
    let error = site.refused(oauth::Token::client_credentials("id", "wr0ng")).await;
    assert_eq!(said(&error), (401, "invalid_client"));
    assert_eq!(described(&error), Some("Client authentication failed"));
    assert!(!format!("{error} {error:?}").contains("wr0ng"));
}
