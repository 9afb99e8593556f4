//! Operations with their answers.

use fedispec_model::api::{self, Paging, Type};
use fedispec_model::change::ChangedFact;
use fedispec_model::reach::PLAIN_ERROR;
use serde_json::Value;

use crate::Bodies;
use crate::document::{Header, Map, MediaType, Operation, Response, Schema};
use crate::request::Request;
use crate::schema::{Schemas, string};
use crate::security;

/// The method and the path template of an operation: `get`, `/api/v1/accounts/{id}`. None where no source says.
pub(crate) fn route(
    schemas: Schemas<'_, '_>,
    operation: &api::Operation,
) -> Option<(String, String)> {
    let route = operation.route.as_ref()?;
    let text = |fact, now: &str| {
        let changed = schemas.view.changed(&operation.item, fact);
        changed.and_then(Value::as_str).unwrap_or(now).to_owned()
    };
    let path = text(ChangedFact::Path, &route.path);
    let segment = |segment: &str| match segment.strip_prefix(':') {
        Some(name) => format!("{{{name}}}"),
        None => segment.to_owned(),
    };
    let template = path.split('/').map(segment).collect::<Vec<_>>().join("/");
    let method = text(ChangedFact::Method, &route.method).to_lowercase();
    Some((method, template))
}

impl Schemas<'_, '_> {
    pub(crate) fn operation(self, operation: &api::Operation, bodies: Bodies) -> Operation {
        let view = self.view;
        let item = &operation.item;
        let asked = security::asked(view, operation);
        let paging = self.paging(operation);
        let Request {
            parameters,
            body,
            left_out,
        } = self.request(operation, bodies);
        let mut text: Vec<String> = item.notes.clone();
        match paging {
            Paging::Link => text.push(
                "Answers a page; the header `Link` holds the addresses of the next (`rel=\"next\"`) and the previous one."
                    .to_owned(),
            ),
            Paging::Offset => text.push("Answers a page, chosen by `offset` and `limit`.".to_owned()),
            Paging::None | Paging::Unknown => {}
        }
        if !asked.permissions.is_empty() {
            let names = asked.permissions.join("`, `");
            text.push(format!(
                "The user's role needs one of the permissions `{names}`."
            ));
        }
        for alternative in &operation.alternatives {
            let needs = match alternative.requires.as_slice() {
                [] => continue,
                needs => format!("`{}`", needs.join("`, `")),
            };
            let what = alternative.summary.as_deref().unwrap_or_default();
            text.push(format!("One way to call it, with {needs}: {what}"));
        }
        Operation {
            operation_id: item.id.clone(),
            tags: vec![operation.group.clone()],
            summary: item.summary.clone(),
            description: text.join("\n\n"),
            deprecated: view.is_deprecated(item),
            parameters,
            request_body: body,
            responses: self.responses(operation, paging, bodies),
            security: asked.security,
            lives: view.lives(item),
            paging: match paging {
                Paging::Link => Some("link"),
                Paging::Offset => Some("offset"),
                Paging::None | Paging::Unknown => None,
            },
            permissions: asked.permissions,
            left_out,
        }
    }

    fn paging(self, operation: &api::Operation) -> Paging {
        let changed = self.view.changed(&operation.item, ChangedFact::Paging);
        match changed.and_then(Value::as_str) {
            Some("link") => Paging::Link,
            Some("offset") => Paging::Offset,
            Some("none") => Paging::None,
            _ => operation.paging,
        }
    }

    fn responses(
        self,
        operation: &api::Operation,
        paging: Paging,
        bodies: Bodies,
    ) -> Map<Response> {
        let mut responses = Map::new();
        let success: Vec<u64> = match self.view.changed(&operation.item, ChangedFact::Success) {
            Some(changed) => {
                let statuses = changed.as_array().into_iter().flatten();
                statuses.filter_map(Value::as_u64).collect()
            }
            None => operation.success.iter().copied().map(u64::from).collect(),
        };
        let success = if success.is_empty() {
            vec![200]
        } else {
            success
        };
        for status in success {
            responses.insert(status.to_string(), self.success(operation, status, paging));
        }
        let shown = operation
            .errors
            .iter()
            .filter(|error| self.view.shows_life(&error.life));
        for error in shown {
            // Every other error has the members of the plain one, which also stands for other reasons of the same status.
            let returns = { error.returns.clone() }.filter(|_| bodies == Bodies::All);
            let plain = self.of(&Type::Entity(PLAIN_ERROR.to_owned()), None);
            let schema = match returns.map(|returns| self.of(&returns, None)) {
                Some(schema) if schema != plain => Schema {
                    any_of: vec![schema, plain],
                    ..Schema::default()
                },
                _ => plain,
            };
            let when = error.when.clone().unwrap_or_else(|| "An error.".to_owned());
            let response: &mut Response = responses.entry(error.status.to_string()).or_default();
            if !response.description.is_empty() {
                response.description.push(' ');
            }
            response.description.push_str(&when);
            let known = response.content.entry(JSON.to_owned());
            known
                .and_modify(|known| {
                    if known.schema != schema {
                        let any_of = vec![known.schema.clone(), schema.clone()];
                        known.schema = Schema {
                            any_of,
                            ..Schema::default()
                        };
                    }
                })
                .or_insert(MediaType { schema });
            if is_page(operation) && bodies == Bodies::All {
                // Who asks for a page is refused with one.
                let schema = self.file();
                let page = response.content.entry("text/html".to_owned());
                page.or_insert(MediaType { schema });
            }
        }
        // Generators that take one type of error an operation have the listed ones.
        if bodies == Bodies::All {
            let schema = self.of(&Type::Entity(PLAIN_ERROR.to_owned()), None);
            let mut other = told(
                "Any other refusal, such as of a malformed parameter, or of too many requests.",
            );
            other.content.insert(JSON.to_owned(), MediaType { schema });
            if is_page(operation) {
                // Who asks for a page is refused with one.
                let schema = self.file();
                other
                    .content
                    .insert("text/html".to_owned(), MediaType { schema });
            }
            responses.insert("4XX".to_owned(), other);
        }
        responses
    }

    fn success(self, operation: &api::Operation, status: u64, paging: Paging) -> Response {
        let returns = &operation.returns;
        let (kind, schema) = match self.view.changed(&operation.item, ChangedFact::Returns) {
            Some(text) if text == "empty" => return nothing(),
            Some(text) => (JSON, self.written(text, returns)),
            None if !operation.returns_known => (JSON, Schema::default()),
            None => match returns {
                _ if status == 101 => {
                    return told("The connection becomes a WebSocket, with the same events.");
                }
                _ if (300..400).contains(&status) => {
                    return told("Go to the address in `Location`.");
                }
                Type::Empty => return nothing(),
                Type::File => ("*/*", self.file()),
                Type::Events(_) => ("text/event-stream", self.of(returns, None)),
                other => (JSON, self.of(other, None)),
            },
        };
        let mut response = told(match status {
            202 => "Accepted; it is not done yet.",
            206 => "A part of it; the rest is not there yet.",
            _ => "It is done.",
        });
        let media = MediaType { schema };
        response.content.insert(kind.to_owned(), media);
        if paging == Paging::Link {
            let description = "The addresses of the pages around this one, by [RFC 8288](https://www.rfc-editor.org/rfc/rfc8288).";
            let schema = string();
            let header = Header {
                description,
                schema,
            };
            response.headers.insert("Link".to_owned(), header);
        }
        response
    }
}

const JSON: &str = "application/json";

/// Whether a browser opens it, so that its refusals are pages too.
fn is_page(operation: &api::Operation) -> bool {
    let route = operation.route.as_ref();
    operation.returns == Type::File || route.is_some_and(|route| route.path == "/oauth/authorize")
}

fn told(description: &str) -> Response {
    Response {
        description: description.to_owned(),
        ..Response::default()
    }
}

fn nothing() -> Response {
    told("It is done; the body is an empty object, or there is none.")
}
