//! An error does not show a secret that the server repeats in its answer.

use fedispec::oauth;

use crate::faults::{TOKEN, client, fault, shown};
use fedispec_tests::raw::{Raw, response};

#[tokio::test]
async fn an_error_that_repeats_the_token_does_not_show_it() {
    let json = format!(
        r#"{{"error":"no {TOKEN}","error_description":"Bearer {TOKEN}","details":{{"{TOKEN}":[{{"error":"{TOKEN}"}}]}}}}"#
    );
    let html = format!("<p>Authorization: Bearer {TOKEN}</p>");
    for body in [json, html] {
        for status in
            ["401 Unauthorized", "422 Unprocessable Content", "500 Internal Server Error", "200 OK"]
        {
            let bearer = format!("Bearer {TOKEN}");
            let headers = [
                ("www-authenticate", bearer.as_str()),
                ("x-echo", TOKEN),
                ("set-cookie", "session=b1scuit"),
            ];
            let server = Raw::always(response(status, &headers, &body)).await;
            let error = fault(&client(&server.origin), fedispec::instance::Rules::new()).await;
            assert!(!shown(&error).contains("b1scuit"), "{error:?}");
        }
    }
}

#[tokio::test]
async fn what_a_request_holds_is_not_shown_with_what_it_was_answered() {
    let repeated =
        r#"{"error":"no pa55word","error_description":"hu5h-hu5h","details":["pa55word"]}"#;
    let bodies = [r#"{"error":"invalid_grant"}"#, "<html>", "", repeated, "<p>hu5h-hu5h, pa55word"];
    for (status, body) in ["400 Bad Request", "200 OK"]
        .into_iter()
        .flat_map(|status| bodies.map(|body| (status, body)))
    {
        let server = Raw::always(response(status, &[], body)).await;
        let request = oauth::Token::with_password(oauth::TokenWithPassword {
            client_id: "id".into(),
            client_secret: "hu5h-hu5h".into(),
            username: "mona".into(),
            password: "pa55word".into(),
        });
        let error = fault(&client(&server.origin), request).await;
        for secret in ["hu5h-hu5h", "pa55word"] {
            assert!(!shown(&error).contains(secret), "{error:?}");
        }
    }
}
