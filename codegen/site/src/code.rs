//! How an operation is called with the Rust client and with curl, and implemented with the server's stub.

use std::fmt::Write as _;

use fedispec_model::api::{Operation, Type};
use fedispec_model::constructors::constructors;
use fedispec_openapi::Examples;
use fedispec_since::TokenKind;
use serde_json::Value;

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
    match ty {
        Type::Entity(id) if fedispec_model::notation::is_name(id) => format!("entities::{id}"),
        Type::List(element) if matches!(**element, Type::Entity(_)) => {
            format!("List<{}>", answer(element))
        }
        Type::List(_) => "List<_>".to_owned(),
        Type::Empty => "Empty".to_owned(),
        _ => "_".to_owned(),
    }
}

/// A call with curl that sends what is required, or some of what an operation takes where nothing is.
pub(crate) fn curl(examples: &Examples<'_>, operation: &Operation) -> Option<String> {
    let route = operation.route.as_ref()?;
    let (query, body) = examples.request(operation);
    let mut text = "curl".to_owned();
    // curl takes brackets for ranges.
    if query.iter().any(|(name, _)| name.contains('[')) {
        text.push_str(" -g");
    }
    if route.method != "GET" {
        let _ = write!(text, " -X {}", route.method);
    }
    let needs_token = { operation.auth.as_ref().and_then(|auths| auths.of(0)) }
        .is_some_and(|auth| auth.token != TokenKind::None);
    if needs_token {
        text.push_str(" -H \"Authorization: Bearer $TOKEN\"");
    }
    match body {
        Some((false, body)) => _ = write!(text, " \\\n  --json '{body}'"),
        Some((true, members)) => {
            for (name, value) in members.as_object().into_iter().flatten() {
                let _ = write!(text, " \\\n  -F '{name}={}'", plain(value));
            }
        }
        None => {}
    }
    let path = route.path.split('/').map(|part| match part.strip_prefix(':') {
        Some(name) => format!("${}", name.to_uppercase()),
        None => part.to_owned(),
    });
    let query: Vec<String> =
        query.iter().map(|(name, value)| format!("{name}={}", plain(value))).collect();
    let question = if query.is_empty() { "" } else { "?" };
    let _ = write!(
        text,
        " \\\n  \"https://social.example{}{question}{}\"",
        path.collect::<Vec<_>>().join("/"),
        query.join("&")
    );
    Some(text)
}

/// A value as text. Of a list it is that of the first element.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.first().map(plain).unwrap_or_default(),
        other => other.to_string(),
    }
}
