//! Operations with their answers.

use fedispec_model::api::{self, Type};
use fedispec_model::change::ChangedFact;
use fedispec_model::reach::PLAIN_ERROR;
use fedispec_since::Paging;
use serde_json::Value;

use crate::Bodies;
use crate::document::{Header, Map, MediaType, Operation, Part, Response, Schema};
use crate::request::{JSON, Request};
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
        changed.as_ref().and_then(Value::as_str).unwrap_or(now).to_owned()
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
        let Request { parameters, body, left_out } = self.request(operation, bodies);
        let notes = item.notes.iter();
        let mut text: Vec<String> = notes.filter_map(|note| view.text(note)).collect();
        match paging {
            Paging::Offset => {
                text.push("Answers a page, chosen by `offset` and `limit`.".to_owned());
            }
            // The header `Link` of the answer says it.
            Paging::Link | Paging::None | Paging::Unknown => {}
        }
        if !asked.permissions.is_empty() {
            let names = asked.permissions.join("`, `");
            text.push(format!("The user's role needs one of the permissions `{names}`."));
        }
        let ways = operation.alternatives.iter();
        for alternative in ways.filter(|way| view.shows_way(operation, way)) {
            let needs = match alternative.requires.as_slice() {
                [] => continue,
                needs => format!("`{}`", needs.join("`, `")),
            };
            let what = alternative.summary.as_deref().and_then(|what| view.text(what));
            text.push(format!("One way to call it, with {needs}: {}", what.unwrap_or_default()));
        }
        Operation {
            operation_id: item.id.clone(),
            tags: vec![operation.group.clone()],
            summary: view.summary(item),
            description: text.join("\n\n"),
            deprecated: view.is_deprecated(item),
            parameters: parameters.into_iter().map(Part::Own).collect(),
            request_body: body,
            responses: self.responses(operation, paging, bodies),
            security: asked.security,
            lives: view.lives(item),
            twin_of: None,
            paging: matches!(paging, Paging::Link | Paging::Offset).then(|| paging.name()),
            permissions: asked.permissions,
            left_out,
        }
    }

    /// The other methods that do the same as a described operation. Each has an id of its own, as OpenAPI demands.
    pub(crate) fn twins(
        self,
        operation: &api::Operation,
        described: &Operation,
    ) -> Vec<(String, Operation)> {
        let mut methods: Map<Vec<&str>> = Map::new();
        for twin in { operation.also.iter() }.filter(|twin| self.view.is_of(&twin.program)) {
            let programs = methods.entry(twin.method.to_lowercase()).or_default();
            programs.push(&twin.program);
        }
        let twin = |(method, programs): (String, Vec<&str>)| {
            let id = &described.operation_id;
            let mut twin = Operation {
                // No other operation has two dots in its id.
                operation_id: format!("{id}.{method}"),
                twin_of: Some(id.clone()),
                ..described.clone()
            };
            twin.lives.only_of(&programs);
            (method, twin)
        };
        methods.into_iter().map(twin).collect()
    }

    fn paging(self, operation: &api::Operation) -> Paging {
        let release = self.view.release.as_ref();
        let held = release.and_then(|release| {
            operation.item.held(release.place, ChangedFact::Paging, Some(release.version))
        });
        // A program that stands apart does not take the fact of others.
        held.map_or(operation.paging, |held| held.read().unwrap_or(Paging::Unknown))
    }

    fn responses(
        self,
        operation: &api::Operation,
        paging: Paging,
        bodies: Bodies,
    ) -> Map<Part<Response>> {
        let mut responses = Map::<Response>::new();
        let success: Vec<u64> = match self.view.changed(&operation.item, ChangedFact::Success) {
            Some(changed) => {
                let statuses = changed.as_array().into_iter().flatten();
                statuses.filter_map(Value::as_u64).collect()
            }
            None => operation.success.iter().copied().map(u64::from).collect(),
        };
        let success = if success.is_empty() { vec![200] } else { success };
        let has_content = success.iter().any(|status| *status != NO_CONTENT);
        for status in success {
            // Generators that take one type of answer an operation have that with content.
            if status == NO_CONTENT && has_content && bodies == Bodies::One {
                continue;
            }
            responses.insert(status.to_string(), self.success(operation, status, paging));
        }
        for (status, when, schema) in self.refusals(operation, bodies) {
            let response = responses.entry(status.to_string()).or_default();
            if !response.description.is_empty() {
                response.description.push(' ');
            }
            response.description.push_str(&when);
            let Some(schema) = schema else {
                continue;
            };
            let known = response.content.entry(JSON.to_owned());
            known
                .and_modify(|known| {
                    if known.schema != schema {
                        let any_of = vec![known.schema.clone(), schema.clone()];
                        known.schema = Schema { any_of, ..Schema::default() };
                    }
                })
                .or_insert(MediaType { schema, example: None });
            if operation.is_page() && bodies == Bodies::All {
                // A client that asks for a page gets the error as an HTML page.
                let schema = self.file();
                let page = response.content.entry("text/html".to_owned());
                page.or_insert(MediaType { schema, example: None });
            }
        }
        let mut responses: Map<_> =
            responses.into_iter().map(|(status, own)| (status, Part::Own(own))).collect();
        // Generators that take one type of error an operation have the listed ones.
        if bodies == Bodies::All {
            let end = if operation.is_page() { PAGE } else { "" };
            let mut params = operation.params.iter();
            let takes_any = params.any(|param| self.view.shows(&param.item));
            // A request without parameters neither names anything nor can be wrong.
            let answered = UNLISTED
                .iter()
                .filter(|(status, ..)| takes_any || !matches!(status, 400 | 404 | 422));
            for (status, name, _) in answered {
                let shared = || Part::shared("responses", &format!("{name}{end}"));
                responses.entry(status.to_string()).or_insert_with(shared);
            }
        }
        responses
    }

    /// The answers that operations refer to, by name.
    pub(crate) fn shared_responses(self) -> Map<Response> {
        let errors = UNLISTED.iter().flat_map(|(_, name, when)| {
            // A client that asks for a page gets the error as an HTML page.
            let with_page = [
                (JSON, self.of(&Type::Entity(PLAIN_ERROR.to_owned()), None)),
                ("text/html", self.file()),
            ];
            let error = |kinds: &[(&str, Schema)]| {
                let content = kinds.iter().map(|(kind, schema)| {
                    ((*kind).to_owned(), MediaType { schema: schema.clone(), example: None })
                });
                Response { content: content.collect(), ..told(when) }
            };
            [
                ((*name).to_owned(), error(&with_page[..1])),
                (format!("{name}{PAGE}"), error(&with_page)),
            ]
        });
        errors.collect()
    }

    /// The errors: status, when it is answered, and with what; nothing where the body is empty.
    fn refusals(
        self,
        operation: &api::Operation,
        bodies: Bodies,
    ) -> Vec<(u16, String, Option<Schema>)> {
        let plain = || self.of(&Type::Entity(PLAIN_ERROR.to_owned()), None);
        let errors = { operation.errors.iter() }
            .filter(|error| self.view.shows_life(&error.life))
            .map(|error| {
                // Every other error has the members of the plain one, which also stands for other reasons of the same status.
                let returns = { error.returns.as_ref() }.filter(|_| bodies == Bodies::All);
                let schema = match returns.map(|returns| self.of(returns, None)) {
                    Some(schema) if schema != plain() => {
                        Schema { any_of: vec![schema, plain()], ..Schema::default() }
                    }
                    _ => plain(),
                };
                let when = self.view.reason(error);
                (error.status, when, (!self.view.is_empty(error)).then_some(schema))
            });
        let params = operation.params.iter();
        let refused = params.filter(|param| self.view.shows(&param.item)).flat_map(|param| {
            let of_programs = param.refused.iter().enumerate();
            let refused = of_programs
                .filter_map(|(program, refused)| Some((program, refused.as_ref()?)))
                .filter(|(program, refused)| self.view.refuses(*program, refused));
            let name = format!("`{}`", param.item.wire);
            // Where the error names the parameter, that says it.
            let is_told = move |status: u16| {
                let mut errors = operation.errors.iter().filter(|error| error.status == status);
                errors.any(|error| self.view.reason(error).contains(&name))
            };
            let refused = refused.filter(move |(_, refused)| !is_told(refused.status));
            refused.map(|(_, refused)| {
                let when = format!("`{}` is sent.", param.item.wire);
                (refused.status, when, Some(plain()))
            })
        });
        errors.chain(refused).collect()
    }

    fn success(self, operation: &api::Operation, status: u64, paging: Paging) -> Response {
        if status == NO_CONTENT {
            return told("There is nothing to answer.");
        }
        let returns = &operation.returns;
        let media_type = match &self.view.release {
            Some(release) => operation.media_type_at(release.place, release.version),
            None => operation.media_type.clone(),
        };
        let json = media_type.as_deref().filter(|kind| kind.ends_with("json"));
        let (kind, schema) = match self.view.changed(&operation.item, ChangedFact::Returns) {
            Some(text) if text == "empty" => return nothing(),
            Some(text) => (json.unwrap_or(JSON), self.written(&text, returns)),
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
                other => match (json, media_type.as_deref()) {
                    (None, Some(kind)) => (kind, self.file()),
                    (json, _) => (json.unwrap_or(JSON), self.of(other, None)),
                },
            },
        };
        let mut response = told(match status {
            202 => "Accepted; it is not done yet.",
            206 => "A part of it; the rest is not there yet.",
            _ => "Done.",
        });
        let media = MediaType { schema, example: None };
        response.content.insert(kind.to_owned(), media);
        if paging == Paging::Link {
            response.headers.insert(LINK.to_owned(), Part::shared("headers", LINK));
        }
        response
    }
}

/// The refusals that any operation may answer and need not list: status, name and reason.
const UNLISTED: [(u16, &str, &str); 6] = [
    (400, "Malformed", "The request cannot be read."),
    (401, "Unauthorized", "The token is missing, or it is not valid."),
    (403, "Forbidden", "The token lacks a scope, or the user may not do it."),
    (404, "NotFound", "Something that the request names is not there, or the user may not see it."),
    (422, "Invalid", "A parameter is missing or not valid."),
    (429, "Limited", "The client has sent too many requests."),
];

/// The name of an answer among the components: of a refusal by its status, of a success by what it holds. None for what is no entity.
pub(crate) fn answer_name(status: u16, response: &Response) -> Option<String> {
    if status >= 400 {
        let known = UNLISTED.iter().find(|(known, ..)| *known == status);
        return Some(
            known.map_or_else(|| format!("Error{status}"), |(_, name, _)| (*name).to_owned()),
        );
    }
    let entity = |schema: &Schema| {
        let (_, name) = schema.reference.as_deref()?.rsplit_once('/')?;
        Some(name.to_owned())
    };
    match response.content.first() {
        None => (status == 200).then(|| "Done".to_owned()),
        Some((_, MediaType { schema, .. })) => {
            entity(schema).or_else(|| Some(entity(schema.items.as_deref()?)? + "List"))
        }
    }
}

/// The end of the name of an error that is a page for clients that ask for one.
const PAGE: &str = "Page";

/// The header with the addresses of other pages.
pub(crate) const LINK: &str = "Link";

/// The `Link` header as a component.
pub(crate) fn link_header() -> Header {
    let description = "The addresses of the next page (`rel=\"next\"`) and the previous one (`rel=\"prev\"`), by [RFC 8288](https://www.rfc-editor.org/rfc/rfc8288).";
    Header { description, schema: string() }
}

/// The status of a success without a body.
const NO_CONTENT: u64 = 204;

fn told(description: &str) -> Response {
    Response { description: description.to_owned(), ..Response::default() }
}

fn nothing() -> Response {
    told("Done; the body is an empty object, or there is none.")
}
