//! How an operation is called with the Rust client and with curl, and implemented with the server's stub.

use std::fmt::Write as _;

use fedispec_model::api::{Operation, Param, Since, Type};
use fedispec_model::constructors::constructors;
use fedispec_model::index::Index;
use fedispec_since::{BodyEncoding, Location, TokenKind};
use serde_json::{Map, Value};

use crate::sample::value;

/// A call with the Rust client, a line for each way of calling it.
pub(crate) fn client(operation: &Operation) -> String {
    let group = &operation.group;
    let mut text = format!("use fedispec::{group};\n");
    for constructor in constructors(operation) {
        let arguments = constructor.arguments(operation);
        let arguments: Vec<&str> =
            { arguments.into_iter() }.map(|param| param.item.rust.as_str()).collect();
        let _ = write!(
            text,
            "\nlet answer = client.send({group}::{}::{}({})).await?;",
            operation.item.rust,
            constructor.name,
            arguments.join(", ")
        );
    }
    text
}

/// A method of the group's server trait; `group` is the trait's name.
pub(crate) fn server(operation: &Operation, group: &str) -> String {
    let request = format!("{}::{}", operation.group, operation.item.rust);
    let answer = answer(&operation.returns);
    format!(
        "use fedispec::server::{{Call, {group}, Result}};\n\nimpl {group} for App {{\n    async fn {}(&self, request: {request}, call: Call) -> Result<{answer}> {{\n        // ..\n    }}\n}}",
        operation.rust_fn
    )
}

/// The type of an answer as the stub names it.
fn answer(ty: &Type) -> String {
    let entity = |id: &str| format!("entities::{id}");
    match ty {
        Type::Entity(id) if fedispec_model::notation::is_name(id) => entity(id),
        Type::List(element) => match &**element {
            Type::Entity(id) if fedispec_model::notation::is_name(id) => {
                format!("List<{}>", entity(id))
            }
            _ => "List<_>".to_owned(),
        },
        Type::Empty => "Empty".to_owned(),
        _ => "_".to_owned(),
    }
}

/// The greatest number of parameters in the body of a call of which none is required.
const OPTIONAL: usize = 3;

/// A call with curl that sends what is required, or some of what an operation takes where nothing is.
pub(crate) fn curl(index: &Index<'_>, operation: &Operation) -> Option<String> {
    let route = operation.route.as_ref()?;
    let mut text = "curl".to_owned();
    if route.method != "GET" {
        let _ = write!(text, " -X {}", route.method);
    }
    let needs_token = { operation.auth.as_ref().and_then(|auths| auths.of(0)) }
        .is_some_and(|auth| auth.token != TokenKind::None);
    if needs_token {
        text.push_str(" -H \"Authorization: Bearer $TOKEN\"");
    }
    let taken = |location| {
        let params = operation.params.iter();
        params.filter(move |param: &&Param| param.location == location && !param.item.implied)
    };
    // Of several ways of calling it the first.
    let way = operation.alternatives.first();
    let is_needed = |param: &&Param| {
        let is_of_way = way.is_some_and(|way| way.requires.contains(&param.item.wire));
        let is_argument = fedispec_model::constructors::is_always_argument(param);
        is_of_way || (param.parent.is_none() && is_argument)
    };
    let mut body: Vec<&Param> = taken(Location::Form).filter(is_needed).collect();
    if body.is_empty() {
        let usual = |param: &&Param| {
            let life = param.item.life.first();
            life.is_some_and(|life| {
                matches!(life.effective, Since::Since(_))
                    && life.removed.is_none()
                    && life.deprecated.is_none()
            })
        };
        body = taken(Location::Form).filter(usual).take(OPTIONAL).collect();
    }
    let is_json = operation.body == BodyEncoding::Json
        && body.iter().all(|param| !param.item.wire.contains('['));
    if is_json && !body.is_empty() {
        let pairs = body.iter();
        let pairs: Map<_, _> =
            pairs.map(|param| (param.item.wire.clone(), example(index, param))).collect();
        let json = Value::Object(pairs).to_string().replace('\'', "'\\''");
        let _ = write!(text, " \\\n  --json '{json}'");
    } else {
        let has_file = body.iter().any(|param| param.r#type == Type::File);
        for param in body {
            let name = &param.item.wire;
            let _ = match (&param.r#type, has_file) {
                (Type::File, _) => write!(text, " \\\n  -F '{name}=@picture.png'"),
                // Both kinds of bodies at once are none.
                (_, true) => write!(text, " \\\n  -F '{name}={}'", placeholder(index, param)),
                (_, false) => {
                    write!(text, " \\\n  --data-urlencode '{name}={}'", placeholder(index, param))
                }
            };
        }
    }
    let path = route.path.split('/').map(|part| match part.strip_prefix(':') {
        Some(name) => format!("${}", name.to_uppercase()),
        None => part.to_owned(),
    });
    let query: Vec<String> = taken(Location::Query)
        .filter(is_needed)
        .map(|param| format!("{}={}", param.item.wire, placeholder(index, param)))
        .collect();
    let question = if query.is_empty() { "" } else { "?" };
    let _ = write!(
        text,
        " \\\n  \"https://social.example{}{question}{}\"",
        path.collect::<Vec<_>>().join("/"),
        query.join("&")
    );
    // curl takes brackets for ranges.
    if query.iter().any(|pair| pair.contains('[')) {
        text.insert_str(4, " -g");
    }
    Some(text)
}

/// A value that a parameter may have. Of a list it is that of one element.
fn example(index: &Index<'_>, param: &Param) -> Value {
    let format = param.format.as_deref();
    match (&param.default, param.only.first()) {
        (_, Some(only)) => Value::String(only.clone()),
        (Some(default), None) if !default.is_null() && *default != "" => default.clone(),
        _ => value(index, &param.r#type, format, 0),
    }
}

fn placeholder(index: &Index<'_>, param: &Param) -> String {
    let mut value = example(index, param);
    while let Value::Array(list) = value {
        value = list.into_iter().next().unwrap_or_default();
    }
    value.as_str().map_or_else(|| value.to_string(), str::to_owned).replace('\'', "")
}
