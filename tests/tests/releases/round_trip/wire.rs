//! Writes requests as other clients do, with no code of the encoder under test.

use axum::body::Body;
use axum::http::Request;
use axum::http::header::CONTENT_TYPE;
use fedispec_model::api::Type;
use fedispec_since::Location;
use serde_json::{Map, Value, json};

use crate::round_trip::made_up::{Given, Leaf, Manner, Sent};

const BOUNDARY: &str = "a-line-that-nothing-else-has";

/// The request on the wire.
pub(crate) fn write(sent: &Sent) -> Request<Body> {
    let route = sent.operation.route.as_ref().expect("a route");
    let mut request = Request::builder().method(route.method.as_str());
    for given in sent.given.iter().filter(|given| given.param.location == Location::Header) {
        request = request.header(given.param.item.wire.as_str(), word(&given.values[0]));
    }
    let content = body(sent);
    if let Some((kind, _)) = &content {
        request = request.header(CONTENT_TYPE, kind);
    }
    let body = content.map_or_else(Body::empty, |(_, body)| Body::from(body));
    request.uri(target(sent, &route.path)).body(body).expect("a request")
}

fn at(sent: &Sent, location: Location) -> Vec<&Given> {
    sent.given.iter().filter(|given| given.param.location == location).collect()
}

fn target(sent: &Sent, path: &str) -> String {
    let segment = |segment: &str| match segment.strip_prefix(':') {
        Some(name) => {
            let given = sent.given.iter().find(|given| {
                given.param.location == Location::Path && given.param.item.wire == name
            });
            escaped(&word(&given.expect(name).values[0]))
        }
        None => segment.to_owned(),
    };
    let path: Vec<_> = path.split('/').map(segment).collect();
    let query = pairs(&at(sent, Location::Query));
    if query.is_empty() { path.join("/") } else { format!("{}?{query}", path.join("/")) }
}

/// The content type and the body.
fn body(sent: &Sent) -> Option<(String, Vec<u8>)> {
    let given = at(sent, Location::Form);
    if given.is_empty() {
        return None;
    }
    Some(match sent.manner {
        Manner::Form => {
            ("application/x-www-form-urlencoded".to_owned(), pairs(&given).into_bytes())
        }
        Manner::Json => {
            ("application/json; charset=utf-8".to_owned(), tree(&given).to_string().into_bytes())
        }
        Manner::Multipart => (format!("multipart/form-data; boundary={BOUNDARY}"), parts(&given)),
    })
}

fn escaped(text: &str) -> String {
    text.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

fn word(value: &Leaf) -> String {
    match value {
        Leaf::Text(text) => text.clone(),
        Leaf::Bool(value) => value.to_string(),
        Leaf::Integer(number) => number.to_string(),
        Leaf::Number(number) => number.to_string(),
        Leaf::File { name, .. } => name.clone(),
    }
}

/// The steps of a parameter's name, with the index of a list's element: `a[:index][b]` is `a`, `0`, `b`.
fn steps(given: &Given, place: usize) -> Vec<String> {
    let wire = &given.param.item.wire;
    let mut element = given.element;
    let mut steps = Vec::new();
    for (number, part) in wire.split('[').enumerate() {
        let name = part.trim_end_matches(']');
        let is_place = number > 0 && (name.is_empty() || name.starts_with(':'));
        steps.push(match (is_place, element) {
            (true, Some(place)) => {
                element = None;
                place.to_string()
            }
            (true, None) if name.is_empty() => String::new(),
            (true, None) => place.to_string(),
            (false, _) => name.to_owned(),
        });
    }
    if is_list_of_several(given) {
        steps.push(String::new());
    }
    steps
}

/// Whether a parameter that takes one or several values has several, which are written as a list.
fn is_list_of_several(given: &Given) -> bool {
    given.param.one_of_several().is_some() && given.values.len() > 1
}

fn key(given: &Given, place: usize) -> String {
    let steps = steps(given, place);
    let (first, rest) = steps.split_first().expect("a name");
    let rest: Vec<_> = rest.iter().map(|step| format!("[{step}]")).collect();
    format!("{first}{}", rest.concat())
}

fn each<'a>(given: &'a [&Given]) -> impl Iterator<Item = (String, &'a Leaf)> {
    given.iter().flat_map(|given| {
        given.values.iter().enumerate().map(|(place, value)| (key(given, place), value))
    })
}

fn pairs(given: &[&Given]) -> String {
    let pairs: Vec<_> = each(given)
        .map(|(key, value)| format!("{}={}", escaped(&key), escaped(&word(value))))
        .collect();
    pairs.join("&")
}

fn parts(given: &[&Given]) -> Vec<u8> {
    let mut body = Vec::new();
    for (key, value) in each(given) {
        body.extend(
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{key}\"").bytes(),
        );
        match value {
            Leaf::File { name, kind, content } => {
                body.extend(
                    format!("; filename=\"{name}\"\r\nContent-Type: {kind}\r\n\r\n").bytes(),
                );
                body.extend(content);
            }
            plain => body.extend(format!("\r\n\r\n{}", word(plain)).bytes()),
        }
        body.extend(b"\r\n");
    }
    body.extend(format!("--{BOUNDARY}--\r\n").bytes());
    body
}

fn tree(given: &[&Given]) -> Value {
    let mut root = Value::Null;
    for given in given {
        let values: Vec<_> = given.values.iter().map(typed).collect();
        let several = is_list_of_several(given);
        let listed = several || matches!(given.param.r#type, Type::List(_));
        let mut steps = steps(given, 0);
        // A list is one JSON value here, so `[]` is no step.
        let wire = &given.param.item.wire;
        if listed && (several || wire.ends_with("[]") || wire.ends_with("[:index]")) {
            steps.pop();
        }
        let place = steps.iter().fold(&mut root, |place, step| match step.parse::<usize>() {
            Ok(number) => element(place, number),
            Err(_) => field(place, step),
        });
        *place = if listed { Value::Array(values) } else { values[0].clone() };
    }
    root
}

fn field<'a>(place: &'a mut Value, name: &str) -> &'a mut Value {
    if !place.is_object() {
        *place = Value::Object(Map::new());
    }
    &mut place[name]
}

fn element(place: &mut Value, number: usize) -> &mut Value {
    if !place.is_array() {
        *place = json!([]);
    }
    if let Value::Array(items) = place
        && items.len() <= number
    {
        items.resize(number + 1, json!({}));
    }
    &mut place[number]
}

fn typed(value: &Leaf) -> Value {
    match value {
        Leaf::Bool(value) => json!(value),
        Leaf::Integer(number) => json!(number),
        Leaf::Number(number) => json!(number),
        other => json!(word(other)),
    }
}
