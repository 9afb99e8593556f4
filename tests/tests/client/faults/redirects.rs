//! Redirects: a token is sent to its own origin only.

use fedispec::client::StatusCode;
use fedispec::{instance, statuses};

use crate::faults::{TOKEN, client, fault};
use fedispec_tests::raw::{Raw, response};

fn has_token(request: &str) -> bool {
    request.contains(TOKEN)
}

#[tokio::test]
async fn a_redirect_to_another_origin_is_not_followed() {
    let other = Raw::always(response("200 OK", &[], "[]")).await;
    let port = other.origin.rsplit(':').next().unwrap_or_default().to_owned();
    let elsewhere = [
        other.origin.clone(),
        format!("http://localhost:{port}"),
        format!("//127.0.0.1:{port}"),
        format!("https://127.0.0.1:{port}"),
        "https://example.invalid".to_owned(),
        "ftp://example.invalid".to_owned(),
        "nonsense://".to_owned(),
    ];
    for to in elsewhere {
        for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]
        {
            let location = format!("{to}/api/v1/instance/rules?access_token={TOKEN}");
            let server =
                Raw::always(response(status, &[("location", location.as_str())], "")).await;
            let error = fault(&client(&server.origin), instance::Rules::new()).await;
            assert!(error.status().is_some_and(|status| status.is_redirection()), "{error}");
            assert_eq!(server.requests().len(), 1);
        }
    }
    assert_eq!(other.requests(), Vec::<String>::new(), "nothing went elsewhere");
}

#[tokio::test]
async fn a_redirect_within_the_origin_is_followed() {
    let server = Raw::serve(|line| match line {
        "GET /api/v1/instance/rules HTTP/1.1" => {
            response("302 Found", &[("location", "/elsewhere")], "")
        }
        _ => response("200 OK", &[], "[]"),
    })
    .await;
    client(&server.origin).send(instance::Rules::new()).await.expect("rules");
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests.iter().all(|request| has_token(request)), "{requests:?}");
}

#[tokio::test]
async fn redirects_in_a_circle_come_to_an_end() {
    let server = Raw::always(response("302 Found", &[("location", "/round")], "")).await;
    let error = fault(&client(&server.origin), instance::Rules::new()).await;
    assert_eq!(error.status(), Some(StatusCode::FOUND));
    // The first one, and five that follow.
    assert_eq!(server.requests().len(), 6);
}

#[tokio::test]
async fn what_is_posted_does_not_become_something_else_on_the_way() {
    for status in ["301 Moved", "302 Found", "303 See Other"] {
        let server = Raw::serve(move |line| {
            if line.contains("/statuses") {
                response(status, &[("location", "/elsewhere")], "")
            } else {
                response("200 OK", &[], "{}")
            }
        })
        .await;
        let error = fault(&client(&server.origin), statuses::Create::text("Hello.")).await;
        assert!(error.status().is_some_and(|status| status.is_redirection()), "{error}");
        assert_eq!(server.requests().len(), 1, "{:?}", server.requests());
    }
}
