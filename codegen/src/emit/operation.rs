//! Operations as data, for the non-generic cores of client and server.

use std::fmt::Debug;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::context::Context;
use super::docs::{Docs, clause};
use super::names;
use fedispec_model::api::{
    Alternative, Auth, Deciding, ErrorAnswer, Life, Operation, Param, Route, Since, State, Type,
    UNAUTHORIZED,
};
use fedispec_model::auth::states;
use fedispec_model::change::ChangedFact;
use fedispec_since::{BodyEncoding, Location, Method, Paging, StableVersion};

/// `impl rt::Request for Lookup`
pub(super) fn request(context: &Context<'_>, operation: &Operation, route: &Route) -> TokenStream {
    let name = names::ident(&operation.item.rust);
    let answer = context.plain_answer(operation);
    let deciding = operation.requests.iter().map(|one| deciding(context, operation, one));
    let id = &operation.item.id;
    let method = method(&route.method);
    let path = &route.path;
    let auth = newest_auth(operation).map(|newest| auth(&newest));
    let body = body(operation.body);
    let success = success(&operation.all_success());
    let paging = paging(operation.paging);
    let page_limits = page_limits(operation);
    let params = params(context, &operation.params);
    let also = also(operation);
    let oauth = oauth(operation);
    let alternatives = alternatives(operation);
    let errors = errors(operation);
    quote! {
        impl rt::Request for #name {
            type Answer = #answer;
            const OPERATION: &'static rt::Operation = &rt::Operation::new(#id, rt::Method::#method, #path)
                #also #oauth #auth #body #success #paging #page_limits #params #alternatives #errors;
        }

        #(#deciding)*
    }
}

/// `pub struct Schedule(Create);`
fn deciding(context: &Context<'_>, operation: &Operation, request: &Deciding) -> TokenStream {
    let name = names::ident(&request.rust);
    let plain = names::ident(&operation.item.rust);
    // Where the parameter is let go, or does not mean what it says, the plain answer comes.
    let answer = context.answer(operation);
    let mut params = operation.params.iter();
    let param = params.find(|param| param.item.wire == request.sends);
    let setter = names::ident(param.map_or("", |param| &param.item.rust));
    let docs = Docs::default()
        .words(&request.summary)
        .markdown(format!("Made of a [`{plain}`] by [`{plain}::{setter}`], and sent in its place."))
        .outer();
    let root = names::path(&context.root(1));
    let wanted = context.options.client || context.options.server;
    let parameters = wanted.then(|| quote!(#root::parameters!(#name(#plain));));
    quote! {
        #docs
        #[derive(Debug, Clone)]
        #[must_use]
        #[allow(dead_code, reason = "only a client or a server reads what it is made of")]
        pub struct #name(pub(crate) #plain);

        impl rt::Request for #name {
            type Answer = #answer;
            const OPERATION: &'static rt::Operation = <#plain as rt::Request>::OPERATION;
        }

        #parameters
    }
}

/// The variant of a kind: `rt::Method::Get`.
fn variant(kind: impl Debug) -> Ident {
    format_ident!("{kind:?}")
}

fn method(name: &str) -> Ident {
    variant(Method::named(name).unwrap_or(Method::Get))
}

/// The authorization in the newest release of the first program that has the operation.
pub(super) fn newest_auth(operation: &Operation) -> Option<Auth> {
    let places = || 0..operation.item.life.len();
    let newest = places().find_map(|place| states(operation, place).pop());
    let any = || places().find_map(|place| operation.auth.as_ref()?.of(place).cloned());
    newest.map(|state| state.auth).or_else(any)
}

fn auth(auth: &Auth) -> TokenStream {
    let token = variant(auth.token);
    let scopes = auth.scopes.join(" ");
    let all = auth.all.then(|| quote!(.all()));
    let permissions = auth.permissions.join(" ");
    let permissions = (!permissions.is_empty()).then(|| quote!(.with_permissions(#permissions)));
    let unauthenticated = (auth.unauthenticated != UNAUTHORIZED).then(|| {
        let status = Literal::u16_unsuffixed(auth.unauthenticated);
        quote!(.unauthenticated(#status))
    });
    quote!(.auth(rt::Auth::new(rt::TokenKind::#token, #scopes) #all #permissions #unauthenticated))
}

fn body(body: BodyEncoding) -> Option<TokenStream> {
    let variant = variant(body);
    (body != BodyEncoding::None).then(|| quote!(.body(rt::BodyEncoding::#variant)))
}

fn success(statuses: &[u16]) -> Option<TokenStream> {
    let statuses_are_usual = statuses == [200];
    let literals = statuses.iter().map(|status| Literal::u16_unsuffixed(*status));
    (!statuses_are_usual).then(|| quote!(.success(&[#(#literals),*])))
}

fn paging(paging: Paging) -> Option<TokenStream> {
    let variant = variant(paging);
    (paging != Paging::Unknown).then(|| quote!(.paging(rt::Paging::#variant)))
}

/// The parameter that asks for a number of elements.
pub(super) const LIMIT: &str = "limit";

/// The number of items of a page, and the greatest number: where programs differ the default of the first of them, and the greatest number that
/// one states.
fn page_limits(operation: &Operation) -> Option<TokenStream> {
    let mut params = operation.params.iter();
    let limit = params.find(|param| param.item.wire == LIMIT)?;
    let programs = { 0..limit.item.life.len() }
        .filter(|place| limit.item.life[*place].effective != Since::Never);
    let [defaults, most] = [ChangedFact::Default, ChangedFact::Max].map(|what| {
        let states = programs.clone().map(|place| limit.state(place, what));
        states.filter_map(State::read::<u16>).collect::<Vec<_>>()
    });
    let (default, most) = (defaults.into_iter().next()?, most.into_iter().max()?);
    let [default, most] = [default, most].map(Literal::u16_unsuffixed);
    Some(quote!(.page_limits(#default, #most)))
}

/// Other methods that do the same.
fn also(operation: &Operation) -> Option<TokenStream> {
    let twins = operation.also.iter().map(|twin| {
        let program = &twin.program;
        let method = method(&twin.method);
        quote!((#program, rt::Method::#method))
    });
    list("also", twins)
}

/// Sentences about an endpoint of OAuth.
fn oauth(operation: &Operation) -> Option<TokenStream> {
    let oauth = operation.oauth.as_ref()?;
    let place = |wire: &String| place(operation, wire);
    let basic = oauth.basic.as_ref().and_then(|(id, secret)| {
        let (id, secret) = (place(id)?, place(secret)?);
        Some(quote!(.basic(#id, #secret)))
    });
    Some(quote!(.oauth(rt::OauthEndpoint::new() #basic)))
}

/// Sentences about unlisted values of a parameter.
fn unlisted(context: &Context<'_>, param: &Param) -> Option<TokenStream> {
    let programs = context.api.programs.iter().zip(&param.unlisted_values);
    let ways = programs.filter_map(|(program, way)| {
        let key = &program.key;
        let way = variant((*way)?);
        Some(quote!((#key, rt::UnlistedValues::#way)))
    });
    list("unlisted", ways)
}

/// How programs take several values of a parameter that takes one as well.
fn several(context: &Context<'_>, param: &Param) -> Option<TokenStream> {
    let programs = context.api.programs.iter().zip(&param.several);
    let ways = programs.filter_map(|(program, way)| {
        let (key, way) = (&program.key, way.as_ref()?);
        let since = |form: &str, since: Option<StableVersion>| {
            let (major, minor, patch) = since?.numbers();
            let [major, minor, patch] = [major, minor, patch].map(Literal::u16_unsuffixed);
            let form = format_ident!("{form}");
            Some(quote!(.#form(#major, #minor, #patch)))
        };
        let (lines, list) = (since("lines", way.lines), since("list", way.list));
        Some(quote!((#key, rt::Several::new() #lines #list)))
    });
    list("several", ways)
}

/// In the catalogue's order; an implied parameter has no row and is left out.
fn params(context: &Context<'_>, params: &[Param]) -> Option<TokenStream> {
    let metas = params.iter().filter(|param| !param.item.implied).map(|param| {
        let wire = &param.item.wire;
        let place = match param.location {
            Location::Unknown | Location::Form if param.r#type == Type::File => {
                format_ident!("file")
            }
            location => format_ident!("{}", location.name()),
        };
        let unlisted = unlisted(context, param);
        let several = several(context, param);
        let duration = (param.format.as_deref() == Some("seconds")).then(|| quote!(.duration()));
        quote!(rt::Param::#place(#wire) #unlisted #several #duration)
    });
    list("params", metas)
}

/// Returns the statuses that only some releases of a program answer. The statuses of missing tokens follow from the requirements.
fn errors(operation: &Operation) -> Option<TokenStream> {
    let is_dated = |(life, whole): (&Life, &Life)| {
        let later = life.since != whole.since && life.since != Since::Never;
        life.effective != Since::Never && (later || life.removed.is_some())
    };
    let of_tokens = |error: &ErrorAnswer| {
        matches!(error.status, 401 | 403) && error.life.iter().all(|life| life.removed.is_none())
    };
    let told = |error: &&ErrorAnswer| {
        !of_tokens(error) && error.life.iter().zip(&operation.item.life).any(is_dated)
    };
    let errors = operation.errors.iter().filter(told).map(|error| {
        let status = Literal::u16_unsuffixed(error.status);
        let reasons: Vec<_> = error.reasons().map(|(_, when)| clause(when)).collect();
        let when = reasons.join(", or ");
        let lives = error.life.iter().map(|life| life.whole(life.effective).to_string());
        quote!(rt::ErrorAnswer::new(#status, #when, &[#(#lives),*]))
    });
    list("errors", errors)
}

/// The place of a parameter among those of its operation.
fn place(operation: &Operation, wire: &str) -> Option<Literal> {
    let mut params = operation.params.iter();
    let index = params.position(|param| param.item.wire == wire)?;
    u16::try_from(index).ok().map(Literal::u16_unsuffixed)
}

/// `.also(&[..])`, where there is an element.
fn list(call: &str, elements: impl Iterator<Item = TokenStream>) -> Option<TokenStream> {
    let mut elements = elements.peekable();
    elements.peek()?;
    let call = format_ident!("{call}");
    Some(quote!(.#call(&[#(#elements),*])))
}

fn alternatives(operation: &Operation) -> Option<TokenStream> {
    let place = |wire: &String| place(operation, wire);
    let one = |alternative: &Alternative| {
        let sets = alternative.sets.iter().filter_map(|(wire, value)| {
            let index = place(wire)?;
            Some(quote!((#index, #value)))
        });
        let requires = alternative.requires.iter().filter_map(place);
        let excludes = alternative.excludes.iter().filter_map(place);
        quote!(rt::Alternative::new(&[#(#sets),*], &[#(#requires),*], &[#(#excludes),*]))
    };
    list("alternatives", operation.alternatives.iter().map(one))
}
