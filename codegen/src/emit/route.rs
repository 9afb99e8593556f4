//! The documentation of an operation.

use super::auth;
use super::context::Context;
use super::docs::{Docs, clause, code, sentence};
use super::stamp::Role;
use super::types::Scope;
use super::{keeping, names};
use fedispec_model::api::{ErrorAnswer, Operation, Origin, Program, Since, Type};
use fedispec_model::constructors::constructors;
use fedispec_model::notation::type_text;
use fedispec_since::Paging;

/// Summary, route, answer, what to know, Since, an example; errors and history on demand.
pub(super) fn docs(context: &Context<'_>, operation: &Operation) -> Docs {
    let item = &operation.item;
    let programs = &context.api.programs;
    let stamp = context.stamp(item);
    let docs = summary(operation)
        .markdown(line(programs, operation))
        .all(answer(context, operation))
        .all(auth::permissions(programs, operation))
        .all(auth::unauthenticated(programs, operation))
        .all(item.notes.iter().map(|note| sentence(note)))
        .all(item.replacement.iter().map(|id| format!("Replaced by {}.", code(id))))
        .all(stamp.line());
    let docs = match call(context, operation) {
        Some(call) => docs.lines_of(format!("```text\n{call}\n```")),
        None => docs,
    };
    docs.folded("Errors", Docs::default().all(errors(programs, operation)))
        .folded("History", Docs::default().all(stamp.history(Role::Operation)))
}

/// `Answers a page of [`Status`](crate::entities::Status).`
fn answer(context: &Context<'_>, operation: &Operation) -> Option<String> {
    if !operation.returns_known || operation.success == [101] {
        return None;
    }
    let told = |returns: &Type| told(context, operation, returns);
    let deciding = operation.requests.iter().map(|request| {
        let (sends, request) = (code(&request.sends), &request.rust);
        format!(" With {sends} it is a [`{request}`], which answers {}.", told(&operation.returns))
    });
    let deciding: String = deciding.collect();
    Some(format!("Answers {}.{deciding}", told(&operation.plain_returns())))
}

/// A type in words, with links.
fn told(context: &Context<'_>, operation: &Operation, ty: &Type) -> String {
    let told = |ty| told(context, operation, ty);
    match ty {
        Type::Entity(id) => match context.entity_path(id, &Scope::Outside) {
            Some(path) => {
                let path = path.to_string().replace(' ', "");
                let name = path.rsplit("::").next().unwrap_or(&path);
                format!("[`{name}`]({}::{path})", context.root(1))
            }
            None => "JSON".into(),
        },
        Type::List(element) => match operation.paging {
            Paging::Link | Paging::Offset => format!("a page of {}", told(element)),
            Paging::None | Paging::Unknown => format!("a list of {}", told(element)),
        },
        Type::Map(element) => format!("a map of {}", told(element)),
        Type::OneOf(types) => types.iter().map(told).collect::<Vec<_>>().join(" or "),
        Type::Empty => "nothing".into(),
        Type::File => "a file".into(),
        Type::Events(_) => "a stream of events".into(),
        Type::Json => "JSON".into(),
        other => code(&type_text(other)),
    }
}

/// `client.send(lists::Get::new(id)).await?` by `keeping` or the first constructor; `None` where there is no client, no route, or a WebSocket.
pub(super) fn call(context: &Context<'_>, operation: &Operation) -> Option<String> {
    let is_call = operation.route.is_some() && operation.success != [101];
    if !context.options.client || !is_call {
        return None;
    }
    let constructors = constructors(operation);
    let constructor = constructors.first()?;
    let arguments = constructor.arguments(operation);
    let arguments: Vec<_> = arguments.iter().map(|param| param.item.rust.as_str()).collect();
    let (module, name) = (names::ident(&operation.group), names::ident(&operation.item.rust));
    let listed = arguments.join(", ");
    let listed = match constructor.named(&operation.item.rust, arguments.len()) {
        Some(named) => format!("{module}::{named} {{ {listed} }}"),
        None => listed,
    };
    let made = keeping::call(context, operation)
        .unwrap_or_else(|| format!("{}({listed})", constructor.name));
    let built = format!("{module}::{name}::{made}");
    Some(match operation.returns {
        Type::Events(_) => format!("client.stream({built})"),
        _ => format!("client.send({built}).await?"),
    })
}

/// Summary, route and Since, and where the rest stands.
pub(super) fn short_docs(context: &Context<'_>, operation: &Operation) -> Docs {
    summary(operation)
        .markdown(line(&context.api.programs, operation))
        .all(context.stamp(&operation.item).line())
}

fn summary(operation: &Operation) -> Docs {
    let item = &operation.item;
    Docs::summary(item.summary.as_deref(), || format!("{}.", code(&item.id)))
}

/// `` `GET /api/v1/accounts/lookup` · public · U24 of the Remaining Operations ``
fn line(programs: &[Program], operation: &Operation) -> String {
    let item = &operation.item;
    let route = match &operation.route {
        Some(route) => code(&format!("{} {}", route.method, route.path)),
        None => "method and path unknown".into(),
    };
    let mut parts = vec![route];
    parts.extend(also(programs, operation));
    parts.extend(auth::asked(programs, operation));
    parts.extend(document(operation));
    if item.origin == Origin::Undocumented {
        parts.push("undocumented".into());
    }
    parts.join(" · ")
}

/// `` also `PATCH` in Mastodon ``
fn also(programs: &[Program], operation: &Operation) -> Option<String> {
    let said: Vec<_> = programs
        .iter()
        .filter_map(|program| {
            let twins = operation.also.iter();
            let methods: Vec<_> = twins
                .filter(|twin| twin.program == program.key)
                .map(|twin| code(&twin.method))
                .collect();
            (!methods.is_empty()).then(|| format!("{} in {}", methods.join(", "), program.name))
        })
        .collect();
    (!said.is_empty()).then(|| format!("also {}", said.join(" and ")))
}

/// Where the two documents have it: the Core Reference by method and path, the Remaining Operations by an ordinal.
fn document(operation: &Operation) -> Option<String> {
    let item = &operation.item;
    if item.origin != Origin::Documents {
        return None;
    }
    match &item.documented_as {
        Some(key) if !key.contains(' ') => Some(format!("{key} of the Remaining Operations")),
        Some(key)
            if operation
                .route
                .as_ref()
                .is_some_and(|r| *key != format!("{} {}", r.method, r.path)) =>
        {
            Some(format!("in the Core Reference as {}", code(key)))
        }
        _ => Some("in the Core Reference".into()),
    }
}

/// `Errors: 404 (it is gone), 410 (Mastodon since 2.4.0, no longer in 3.3.0).`
fn errors(programs: &[Program], operation: &Operation) -> Option<String> {
    let said: Vec<String> =
        operation.errors.iter().map(|error| self::error(programs, operation, error)).collect();
    (!said.is_empty()).then(|| format!("Errors: {}.", said.join(", ")))
}

/// The status, when it is given, and by which releases where those are not all.
fn error(programs: &[Program], operation: &Operation, error: &ErrorAnswer) -> String {
    let reasons = error.reasons().map(|(program, when)| {
        let of = program.and_then(|place| programs.get(place));
        let of = of.map_or(String::new(), |program| format!("{}: ", program.name));
        format!("{of}{}", sentence(&clause(when)))
    });
    let mut said: Vec<String> = reasons.collect();
    for ((program, life), whole) in programs.iter().zip(&error.life).zip(&operation.item.life) {
        match (life.since, life.removed) {
            (Since::Never, _) if whole.since != Since::Never => {
                said.push(format!("not in {}", program.name));
            }
            (Since::Since(since), Some(until)) => {
                said.push(format!("{} since {since}, no longer in {until}", program.name));
            }
            (Since::Since(since), None) if life.since != whole.since => {
                said.push(format!("{} since {since}", program.name));
            }
            _ => {}
        }
    }
    if said.is_empty() {
        error.status.to_string()
    } else {
        format!("{} ({})", error.status, said.join("; "))
    }
}
