use super::*;
use crate::param::ToParam;
use crate::{BodyEncoding, File, Id, Method, Operation, Param, Several};

/// A request of arbitrary values, in the order of its operation's parameters.
struct Any(Vec<Box<dyn ToParam>>);

impl Encode for Any {
    fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
        for (index, value) in self.0.iter().enumerate() {
            to.required(index, value);
        }
    }
}

impl ToParam for Box<dyn ToParam> {
    fn to_param(&self) -> Value<'_> {
        (**self).to_param()
    }
}

fn sent(
    operation: &'static Operation,
    values: Vec<Box<dyn ToParam>>,
) -> Result<http::Request<Body>, Error> {
    build(
        &Encoder::collect(operation, &Any(values)),
        &"example.org".parse().expect("an origin"),
        None,
    )
}

fn text(request: http::Request<Body>) -> (String, String) {
    let content_type = request.headers().get(CONTENT_TYPE);
    let content_type = content_type.map(|value| value.to_str().expect("text").to_owned());
    let body = String::from_utf8(request.into_body().into_bytes().expect("no file").to_vec())
        .expect("text");
    (content_type.unwrap_or_default(), body)
}

static FORM: Operation =
    Operation::new("a.form", Method::Post, "/a/:id/b").body(BodyEncoding::Form).params(&[
        Param::path("id"),
        Param::query("q[]"),
        Param::unknown("source[privacy]"),
        Param::form("n"),
        Param::header("Idempotency-Key"),
    ]);

fn some() -> Vec<Box<dyn ToParam>> {
    vec![
        Box::new(Id::<()>::from("1/é")),
        Box::new("a&b".to_owned()),
        Box::new(true),
        Box::new(-4_i64),
        Box::new("k".to_owned()),
    ]
}

#[test]
fn each_parameter_goes_where_it_belongs() {
    let request = sent(&FORM, some()).expect("a request");
    assert_eq!(request.method(), "POST");
    assert_eq!(request.uri(), "https://example.org/a/1%2F%C3%A9/b?q%5B%5D=a%26b");
    assert_eq!(request.headers()["idempotency-key"], "k");
    assert_eq!(request.headers()["accept"], "application/json");
    assert!(request.headers()["user-agent"].to_str().expect("text").starts_with("fedispec/"));
    assert!(!request.headers().contains_key("authorization"));
    let expected = (
        "application/x-www-form-urlencoded".to_owned(),
        "source%5Bprivacy%5D=true&n=-4".to_owned(),
    );
    assert_eq!(text(request), expected);
}

#[test]
fn json_keeps_types_and_nests() {
    static JSON: Operation =
        Operation::new("a.json", Method::Post, "/a").body(BodyEncoding::Json).params(&[
            Param::form("source[privacy]"),
            Param::form("source[n]"),
            Param::form("any"),
            Param::form("f[:index][x]"),
        ]);
    let values: Vec<Box<dyn ToParam>> = vec![
        Box::new("p".to_owned()),
        Box::new(1.5),
        Box::new(serde_json::json!({"a": [1, null]})),
        Box::new(false),
    ];
    let (content_type, body) = text(sent(&JSON, values).expect("a request"));
    assert_eq!(content_type, "application/json");
    let body: Json = serde_json::from_str(&body).expect("json");
    assert_eq!(
        body,
        serde_json::json!({"source": {"privacy": "p", "n": 1.5}, "any": {"a": [1, null]}, "f": {"0": {"x": false}}})
    );
}

#[test]
fn json_in_a_form_becomes_brackets() {
    static ANY: Operation =
        Operation::new("a.any", Method::Get, "/a").params(&[Param::unknown("any")]);
    let values: Vec<Box<dyn ToParam>> =
        vec![Box::new(serde_json::json!({"a": [1, "x"], "b": {"c": true}, "d": null}))];
    let request = sent(&ANY, values).expect("a request");
    assert_eq!(
        request.uri().query(),
        Some("any%5Ba%5D%5B%5D=1&any%5Ba%5D%5B%5D=x&any%5Bb%5D%5Bc%5D=true&any%5Bd%5D=")
    );
}

#[test]
fn a_file_makes_it_multipart_and_nowhere_else() {
    static QUERY: Operation =
        Operation::new("a.query", Method::Get, "/a").params(&[Param::query("file")]);
    static UPLOAD: Operation = Operation::new("a.upload", Method::Post, "/a")
        .body(BodyEncoding::Multipart)
        .params(&[Param::form("file"), Param::form("description")]);
    let file = File::new("a\r\n\".png", "content").with_content_type("image/png\r\nX-Evil: 1");
    let values: Vec<Box<dyn ToParam>> = vec![Box::new(file), Box::new("d".to_owned())];
    let (content_type, body) = text(sent(&UPLOAD, values).expect("a request"));
    let boundary = content_type.strip_prefix("multipart/form-data; boundary=").expect("a boundary");
    assert_eq!(
        body,
        format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a%0D%0A%22.png\"\r\nContent-Type: application/octet-stream\r\n\r\ncontent\r\n\
             --{boundary}\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\nd\r\n--{boundary}--\r\n"
        )
    );
    let error = sent(&QUERY, vec![Box::new(File::new("a", "b"))]).expect_err("an error");
    assert_eq!(
        error.to_string(),
        "a.query: the parameter file cannot be sent: a file can only be sent as multipart/form-data"
    );
}

#[test]
fn a_header_value_cannot_inject_headers() {
    let mut values = some();
    values[4] = Box::new("k\r\nX-Evil: 1".to_owned());
    let error = sent(&FORM, values).expect_err("an error");
    assert!(error.to_string().contains("Idempotency-Key"), "{error}");
}

#[test]
fn path_segments_are_neither_empty_nor_dots() {
    for id in ["", ".", ".."] {
        let mut values = some();
        values[0] = Box::new(id.to_owned());
        assert!(sent(&FORM, values).is_err(), "{id:?}");
    }
    assert!(sent(&FORM, Vec::new()).is_err());
}

#[test]
fn an_encoder_lists_the_set_parameters() {
    let any = Any(some());
    let encoder = Encoder::collect(&FORM, &any);
    assert_eq!(encoder.set().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
}

/// A list of objects with a text and a file each, both optional.
struct Elements(Vec<(Option<String>, Option<File>)>);

struct Element<'e>(&'e (Option<String>, Option<File>));

impl Encode for Element<'_> {
    fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
        to.optional(0, &self.0.0);
        to.optional(1, &self.0.1);
    }
}

static ELEMENTS: Operation = Operation::new("a.elements", Method::Post, "/a")
    .body(BodyEncoding::Multipart)
    .params(&[Param::form("m[][text]"), Param::form("m[][file]")]);

fn multipart_names(elements: &Elements) -> Result<Vec<String>, Error> {
    let elements: Vec<_> = elements.0.iter().map(Element).collect();
    let mut encoder = Encoder::collect(&ELEMENTS, &NOTHING);
    encoder.objects(0, &elements);
    let request = build(&encoder, &"example.org".parse().expect("an origin"), None)?;
    let (_, body) = text(request);
    let names = body.split("name=\"").skip(1).filter(|part| part.starts_with('m'));
    Ok(names.map(|part| part.chars().take_while(|&c| c != '"').collect()).collect())
}

struct Nothing;
static NOTHING: Nothing = Nothing;

impl Encode for Nothing {
    fn encode<'a>(&'a self, _: &mut Encoder<'a>) {}
}

#[test]
fn a_form_keeps_elements_apart() {
    let file = || Some(File::new("a", "b"));
    let word = || Some("c".to_owned());
    let names = multipart_names(&Elements(vec![(None, file()), (word(), file())])).expect("sent");
    assert_eq!(names, ["m[][file]", "m[][file]", "m[][text]"]);
    let error =
        multipart_names(&Elements(vec![(None, file()), (word(), None)])).expect_err("mixed");
    assert!(error.to_string().contains("m[][file] cannot be sent"), "{error}");
}

#[test]
fn a_numbered_list_has_numbers_in_a_form_only() {
    static FORM: Operation = Operation::new("a.n", Method::Post, "/a")
        .body(BodyEncoding::Form)
        .params(&[Param::form("a[b][:index]")]);
    static JSON: Operation = Operation::new("a.n", Method::Post, "/a")
        .body(BodyEncoding::Json)
        .params(&[Param::form("a[b][:index]")]);
    let values = ["x".to_owned(), "y".to_owned()];
    let sent = |operation| {
        let mut encoder = Encoder::collect(operation, &NOTHING);
        encoder.list(0, &values);
        let request = build(&encoder, &"example.org".parse().expect("an origin"), None);
        text(request.expect("sent")).1
    };
    assert_eq!(sent(&FORM), "a%5Bb%5D%5B0%5D=x&a%5Bb%5D%5B1%5D=y");
    assert_eq!(sent(&JSON), r#"{"a":{"b":["x","y"]}}"#);
}

#[test]
fn several_values_go_as_the_server_takes_them() {
    use crate::OneOrMany;
    use crate::compatibility::RemoteServer;

    static APPS: Operation = Operation::new("a.apps", Method::Post, "/a")
        .body(BodyEncoding::Form)
        .params(&[Param::form("uris").several(&[
            ("mastodon", Several::new().lines(0, 7, 0).list(4, 3, 0)),
            ("gotosocial", Several::new().lines(0, 19, 0)),
        ])]);
    let sent = |values: &[&str], server: Option<(&str, &str)>| {
        let values: OneOrMany<String> = values.into();
        let values: Vec<Box<dyn ToParam>> = vec![Box::new(values)];
        let request = Any(values);
        let mut encoder = Encoder::collect(&APPS, &request);
        let server = server.map(|(program, version)| RemoteServer::of(program, version));
        encoder.settle(server.as_ref()).map_err(|error| error.to_string())?;
        let origin = "example.org".parse().expect("an origin");
        let (_, body) = text(build(&encoder, &origin, None).expect("a request"));
        Ok::<_, String>(body)
    };
    let both = &["x:/", "y:/"][..];
    let (list, lines) = ("uris%5B%5D=x%3A%2F&uris%5B%5D=y%3A%2F", "uris=x%3A%2F%0Ay%3A%2F");
    for (server, form) in [
        (Some(("mastodon", "4.3.0")), list),
        (Some(("mastodon", "4.6.5")), list),
        (Some(("mastodon", "4.2.10")), lines),
        (Some(("gotosocial", "0.19.2")), lines),
        // An unknown server gets the form that all programs read.
        (Some(("pleroma", "2.6.0")), lines),
        (None, lines),
    ] {
        assert_eq!(sent(both, server).as_deref(), Ok(form), "{server:?}");
        assert_eq!(sent(&["x:/"], server).as_deref(), Ok("uris=x%3A%2F"), "{server:?}");
        assert_eq!(sent(&[], server).as_deref(), Ok(""), "{server:?}");
    }
    let early = Some(("gotosocial", "0.18.3"));
    assert_eq!(sent(&["x:/"], early).as_deref(), Ok("uris=x%3A%2F"));
    let error = sent(both, early).expect_err("one value");
    assert!(error.contains("uris") && error.contains("takes one value, and 2 are set"), "{error}");
}

#[test]
fn a_list_of_one_name_is_repeated_in_a_form() {
    static ALIAS: Operation = Operation::new("a.alias", Method::Post, "/a")
        .body(BodyEncoding::Form)
        .params(&[Param::form("uris")]);
    struct Alias(Vec<String>);
    impl Encode for Alias {
        fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
            to.list(0, &self.0);
        }
    }
    let alias = Alias(vec!["x".to_owned(), "y".to_owned()]);
    let origin = "example.org".parse().expect("an origin");
    let request = build(&Encoder::collect(&ALIAS, &alias), &origin, None).expect("a request");
    assert_eq!(text(request).1, "uris=x&uris=y");
}
