use super::*;
use crate::{Method, Param};

struct Of<const OFFSET: bool>;

static LINKED: Operation = Operation::new("a.list", Method::Get, "/api/v1/a").paging(Paging::Link);
static COUNTED: Operation = Operation::new("b.list", Method::Get, "/api/v1/b")
    .paging(Paging::Offset)
    .params(&[Param::query("limit"), Param::query("offset")]);

impl<const OFFSET: bool> Request for Of<OFFSET> {
    type Answer = Json;
    const OPERATION: &'static Operation = if OFFSET { &COUNTED } else { &LINKED };
}

impl<const OFFSET: bool> Encode for Of<OFFSET> {
    fn encode<'a>(&'a self, _: &mut crate::client::Encoder<'a>) {}
}

fn walk<const OFFSET: bool>() -> Walk<Of<OFFSET>> {
    let origin = "example.org".parse().expect("an origin");
    Walk::new(&Of, &origin, Some(&"s3cret".into())).expect("a walk")
}

fn page(link: &str, body: &str) -> http::Response<Bytes> {
    let mut response = http::Response::new(Bytes::copy_from_slice(body.as_bytes()));
    if !link.is_empty() {
        response.headers_mut().insert("link", link.parse().expect("a header"));
    }
    response
}

/// The targets of the requests in turn, and the error that ends the walk.
fn targets<const OFFSET: bool>(
    walk: &mut Walk<Of<OFFSET>>,
    mut serve: impl FnMut(&str) -> http::Response<Bytes>,
) -> (Vec<String>, Option<String>) {
    let mut targets = Vec::new();
    loop {
        match walk.next() {
            Ok(Some(request)) => {
                assert_eq!(request.uri().host(), Some("example.org"));
                assert_eq!(request.headers()["authorization"], "Bearer s3cret");
                let target = request.uri().path_and_query().expect("a path").to_string();
                let response = serve(&target);
                targets.push(target);
                if let Err(error) = walk.take(response) {
                    return (targets, Some(error.to_string()));
                }
            }
            Ok(None) => return (targets, None),
            Err(error) => return (targets, Some(error.to_string())),
        }
        assert!(targets.len() < 10, "it goes on for ever: {targets:?}");
    }
}

#[test]
fn links_are_followed_unchanged() {
    let mut walk = walk::<false>();
    let (asked, end) = targets(&mut walk, |target| match target {
        "/api/v1/a" => page(
            "<https://example.org/api/v1/a?max_id=1,2&x[]=%20>; rel=\"next\", <https://example.org/api/v1/a?min_id=9>; rel=\"prev\"",
            "[1,2]",
        ),
        "/api/v1/a?max_id=1,2&x[]=%20" => page("</elsewhere?page=3>; rel=next", "[3]"),
        "/elsewhere?page=3" => page("<?page=4>; rel=next", "[4]"),
        _ => page("", "[5]"),
    });
    assert_eq!(end, None);
    assert_eq!(
        asked,
        ["/api/v1/a", "/api/v1/a?max_id=1,2&x[]=%20", "/elsewhere?page=3", "/elsewhere?page=4"]
    );
    assert_eq!(walk.cursor(), None);
    // The link backward of the first page is kept.
    walk.state.turn(Direction::Backward);
    let newer = walk.cursor().expect("a place");
    assert_eq!(newer.url(), "https://example.org/api/v1/a?min_id=9");
}

#[test]
fn a_walk_ends() {
    let next = "<?max_id=1>; rel=next";
    for (serve, length, fault) in [
        // A page without elements ends the walk despite its link.
        (page(next, "[]"), 1, None),
        (page(next, "{\"a\": []}"), 1, None),
        // The same link again is an error.
        (page(next, "[1]"), 2, Some("back to a page that was read")),
        (page("<https://evil.test/api>; rel=next", "[1]"), 1, Some("is not followed")),
        (page("<http://example.org/api>; rel=next", "[1]"), 1, Some("is not followed")),
        (page("<//evil.test/api>; rel=next", "[1]"), 1, Some("another host")),
        (page("<https://example.org@evil.test/>; rel=next", "[1]"), 1, Some("is not followed")),
        (page("<\"\">; rel=next", "[1]"), 1, Some("not a URL")),
    ] {
        let (asked, end) = targets(&mut walk::<false>(), |_| serve.clone());
        assert_eq!(asked.len(), length, "{serve:?}");
        match (fault, &end) {
            (Some(fault), Some(end)) => assert!(end.contains(fault), "{end}"),
            (None, None) => {}
            _ => panic!("{end:?} instead of {fault:?}"),
        }
    }
}

#[test]
fn refused_elements_count() {
    assert_eq!(elements("[null, 3]"), Some(2));
    assert_eq!(elements("{\"a\": [1], \"b\": [1, 2], \"c\": 3}"), Some(2));
    assert_eq!(elements("{\"c\": 3}"), None);
    assert_eq!(elements("<html>"), None);
}

#[test]
fn offsets_are_counted() {
    let origin = "example.org".parse().expect("an origin");
    let mut walk = Walk::<Of<true>>::resume(
        &PageCursor {
            operation: "b.list".to_owned(),
            url: "https://example.org/api/v1/b?q=a%26b&limit=40&offset=40".to_owned(),
            direction: Direction::Forward,
        },
        &origin,
        Some(&"s3cret".into()),
    )
    .expect("a walk");
    let (asked, end) = targets(&mut walk, |target| match target.rsplit_once("offset=") {
        Some((_, "80")) => page("", "[]"),
        _ => page("", &format!("[{}1]", "0,".repeat(39))),
    });
    assert_eq!(end, None);
    assert_eq!(
        asked,
        ["/api/v1/b?q=a%26b&limit=40&offset=40", "/api/v1/b?q=a%26b&limit=40&offset=80"]
    );
    let before = walk.state.cursor(Direction::Backward).expect("a place");
    assert_eq!(before.url(), "https://example.org/api/v1/b?q=a%26b&limit=40&offset=0");
}

#[test]
fn a_server_without_offsets_ends_it() {
    let (asked, end) =
        targets(&mut walk::<true>(), |_| page("", "{\"accounts\": [1, 2], \"tags\": []}"));
    assert_eq!((asked, end), (vec!["/api/v1/b".to_owned(), "/api/v1/b?offset=2".to_owned()], None));
}

#[test]
fn newer_elements_may_come_later() {
    let mut walk = walk::<false>();
    walk.state.turn(Direction::Backward);
    let (asked, end) = targets(&mut walk, |target| match target {
        "/api/v1/a" => page("<?min_id=9>; rel=prev, <?max_id=1>; rel=next", "[9]"),
        _ => page("", "[]"),
    });
    assert_eq!((asked.len(), end), (2, None));
    let cursor = walk.cursor().expect("a place");
    assert_eq!(
        (cursor.url(), cursor.direction()),
        ("https://example.org/api/v1/a?min_id=9", Direction::Backward)
    );
    let kept = serde_json::to_string(&cursor).expect("JSON");
    assert!(!kept.contains("s3cret"), "{kept}");
    let again: PageCursor = serde_json::from_str(&kept).expect(&kept);
    let origin = "example.org".parse().expect("an origin");
    let mut resumed =
        Walk::<Of<false>>::resume(&again, &origin, Some(&"s3cret".into())).expect("a walk");
    let (asked, _) = targets(&mut resumed, |_| page("<?min_id=12>; rel=prev", "[12]"));
    assert_eq!(asked[0], "/api/v1/a?min_id=9");
}

#[test]
fn a_cursor_is_for_its_own_list() {
    let cursor = walk::<false>().cursor().expect("a place");
    let resume = |origin: &str| {
        let origin = origin.parse().expect(origin);
        Walk::<Of<true>>::resume(&cursor, &origin, None)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_eq!(
        resume("example.org"),
        Err("b.list: the cursor belongs to the operation a.list".to_owned())
    );
    let elsewhere =
        Walk::<Of<false>>::resume(&cursor, &"other.example".parse().expect("an origin"), None);
    assert_eq!(
        elsewhere.map(|_| ()).map_err(|error| error.to_string()),
        Err("a.list: the cursor belongs to another server".to_owned())
    );
}

#[test]
fn an_error_keeps_the_position() {
    let mut walk = walk::<false>();
    let (asked, end) = targets(&mut walk, |target| {
        let mut response = page("<?max_id=1>; rel=next", "[1]");
        if target != "/api/v1/a" {
            response = page("", "{\"error\": \"s3cret is tired\"}");
            *response.status_mut() = http::StatusCode::SERVICE_UNAVAILABLE;
        }
        response
    });
    assert_eq!(asked.len(), 2);
    assert_eq!(
        end.as_deref(),
        Some("a.list: the server answered 503 Service Unavailable: [secret] is tired")
    );
    assert!(walk.next().expect("no fault").is_none(), "nothing is retried by itself");
    assert_eq!(walk.cursor().expect("a place").url(), "https://example.org/api/v1/a?max_id=1");
    walk.state.retry();
    assert!(walk.next().expect("no fault").is_some());
}
