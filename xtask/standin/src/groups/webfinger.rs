//! Finding an account by its address (RFC 7033).

use axum::http::header::{CONTENT_TYPE, HeaderValue};
use fedispec::entities::WebfingerLinks;
use fedispec::webfinger;

use super::prelude::*;
use crate::store::accounts::Account;

const JRD: HeaderValue = HeaderValue::from_static("application/jrd+json; charset=utf-8");

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server.on(async |app: App, request: webfinger::Get, call| {
        let state = app.state();
        let view = state.view(None);
        let account = found(&state, &request.resource);
        let account = account.ok_or_else(|| nothing(&state, StatusCode::NOT_FOUND))?;
        refuse_if!(account.moderation.suspended, nothing(&state, StatusCode::GONE));
        let (page, actor) = (view.profile_url(account), view.account_uri(account));
        let link = |rel: &str, kind: &str, href: &str| WebfingerLinks {
            r#type: Some(kind.to_owned()),
            href: Some(href.to_owned()),
            ..rel_of(rel)
        };
        call.set_header(CONTENT_TYPE, JRD);
        let mut links = vec![
            link("http://webfinger.net/rel/profile-page", "text/html", &page),
            link("self", "application/activity+json", &actor),
        ];
        if !state.does(Habit::HasNoSubscribePage) {
            let template = format!("{}/authorize_interaction?uri={{uri}}", state.origin());
            links.push(WebfingerLinks {
                template: Some(template),
                ..rel_of("http://ostatus.org/schema/1.0/subscribe")
            });
        }
        let answer = current::Webfinger {
            subject: format!("acct:{}@{}", account.username, state.domain()),
            links,
            aliases: vec![page, actor],
        };
        Ok(answer.into())
    })
}

/// An error without a body, where the program says nothing.
fn nothing(state: &State, status: StatusCode) -> Error {
    if state.does(Habit::TellsWhy) { Error::not_found() } else { Reply::new(status).into() }
}

fn rel_of(rel: &str) -> WebfingerLinks {
    let rel = rel.to_owned();
    current::WebfingerLinks { rel }.into()
}

/// The account of this server that a resource names: `acct:mona@127.0.0.1:3000`, or the address of its profile.
fn found<'s>(state: &'s State, resource: &str) -> Option<&'s Account> {
    let address = resource.strip_prefix("acct:").unwrap_or(resource);
    if let Some((name, domain)) = address.trim_start_matches('@').split_once('@')
        && !address.contains("://")
    {
        return (domain == state.domain()).then(|| state.lookup(name)).flatten();
    }
    let view = state.view(None);
    let mut users = state.users();
    users.find(|user| {
        [view.profile_url(user), view.account_uri(user)].contains(&resource.to_owned())
    })
}
