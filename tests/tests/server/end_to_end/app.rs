//! A small server on the generated traits, for the operations of document 1.

use fedispec::entities::{
    DomainBlock, ExtendedDescription, Instance, InstanceActivity, Notification, NotificationPolicy,
    NotificationRequest, NotificationRequestsMergedResponse, NotificationsUnreadCountResponse,
    OauthAuthorizeResponse, PeerDomain, Rule, ServerMetadata, Token, V1Instance,
};
use fedispec::enums::{DomainBlockSeverity, NotificationPolicyValue, OauthScope};
use fedispec::runtime::server::{Call, Error, Result};
use fedispec::runtime::{Either, Empty, List, Map, Page};
use fedispec::server::{self, Server};
use fedispec::{
    current, instance, notification_policy, notification_requests, notifications, oauth,
};

use crate::end_to_end::entities;
use crate::end_to_end::site::{Log, Site};

#[derive(Debug, Clone, Default)]
struct App {
    log: Log,
}

/// A server of the groups of document 1.
pub(crate) async fn site() -> Site {
    let app = App::default();
    let log = app.log.clone();
    let server = Server::new()
        .accept_unlisted("*")
        .oauth(app.clone())
        .instance(app.clone())
        .notifications(app.clone())
        .notification_policy(app.clone())
        .notification_requests(app);
    Site::serve(server.into_router(), log).await
}

impl server::Oauth for App {
    async fn authorize(
        &self,
        request: oauth::Authorize,
        call: Call,
    ) -> Result<OauthAuthorizeResponse> {
        self.log.enter(request.clone(), &call)?;
        let answer = current::OauthAuthorizeResponse { code: "c0de".into() };
        Ok(OauthAuthorizeResponse { state: request.state, ..answer.into() })
    }

    async fn token(&self, request: oauth::Token, call: Call) -> Result<Token> {
        self.log.enter(request.clone(), &call)?;
        if request.client_secret.expose() != "s3cret" {
            return Err(Error::new(server::StatusCode::UNAUTHORIZED, "invalid_client")
                .with_description("Client authentication failed"));
        }
        Ok(current::Token {
            access_token: "t0ken".into(),
            scope: request.scope.unwrap_or_else(|| "read".into()),
            token_type: "Bearer".into(),
            created_at: 1_728_390_600,
        }
        .into())
    }

    async fn revoke(&self, request: oauth::Revoke, call: Call) -> Result<Empty> {
        self.log.enter(request, &call)?;
        Ok(Empty)
    }

    async fn server_metadata(
        &self,
        request: oauth::ServerMetadata,
        call: Call,
    ) -> Result<ServerMetadata> {
        self.log.enter(request, &call)?;
        let at = |path: &str| format!("https://example.org{path}");
        Ok(current::ServerMetadata {
            app_registration_endpoint: at("/api/v1/apps"),
            authorization_endpoint: at("/oauth/authorize"),
            code_challenge_methods_supported: vec!["S256".into()],
            grant_types_supported: vec!["authorization_code".into()],
            issuer: at("/"),
            response_modes_supported: vec!["query".into()],
            response_types_supported: vec!["code".into()],
            revocation_endpoint: at("/oauth/revoke"),
            scopes_supported: vec![OauthScope::Read, OauthScope::WriteMedia],
            service_documentation: at("/docs"),
            token_endpoint: at("/oauth/token"),
            token_endpoint_auth_methods_supported: vec!["client_secret_post".into()],
            userinfo_endpoint: at("/oauth/userinfo"),
        }
        .into())
    }
}

impl server::Instance for App {
    async fn get(&self, request: instance::Get, call: Call) -> Result<Instance> {
        self.log.enter(request, &call)?;
        Ok(entities::instance())
    }

    async fn get_v1(&self, request: instance::GetV1, call: Call) -> Result<V1Instance> {
        self.log.enter(request, &call)?;
        Ok(entities::v1_instance())
    }

    async fn peers(
        &self,
        request: instance::Peers,
        call: Call,
    ) -> Result<Either<Vec<String>, Vec<PeerDomain>>> {
        self.log.enter(request.clone(), &call)?;
        if request.filter.is_none() {
            return Ok(Either::First(vec!["a.example".into(), "b.example".into()]));
        }
        let peer = PeerDomain {
            suspended_at: Some("2024-10-08T12:30:00.000Z".into()),
            ..current::PeerDomain { domain: "c.example".into() }.into()
        };
        Ok(Either::Second(vec![peer]))
    }

    async fn activity(
        &self,
        request: instance::Activity,
        call: Call,
    ) -> Result<List<InstanceActivity>> {
        self.log.enter(request, &call)?;
        let week = current::InstanceActivity {
            logins: "5".into(),
            registrations: "0".into(),
            statuses: "42".into(),
            week: "1728259200".into(),
        };
        Ok(List::new([week.into()]))
    }

    async fn rules(&self, request: instance::Rules, call: Call) -> Result<List<Rule>> {
        self.log.enter(request, &call)?;
        let rule = |id: &str, text: &str| current::Rule {
            id: id.into(),
            text: text.into(),
            hint: String::new(),
            translations: [].into(),
        };
        Ok(List::new([rule("1", "Be kind").into(), rule("2", "No bots").into()]))
    }

    async fn domain_blocks(
        &self,
        request: instance::DomainBlocks,
        call: Call,
    ) -> Result<List<DomainBlock>> {
        self.log.enter(request, &call)?;
        let block = current::DomainBlock {
            domain: "d*.example".into(),
            digest: "8a1b".into(),
            severity: Some(DomainBlockSeverity::Suspend),
            comment: None,
        };
        Ok(List::new([block.into()]))
    }

    async fn extended_description(
        &self,
        request: instance::ExtendedDescription,
        call: Call,
    ) -> Result<ExtendedDescription> {
        self.log.enter(request, &call)?;
        let description =
            current::ExtendedDescription { content: "<p>More</p>".into(), updated_at: None };
        Ok(description.into())
    }

    async fn translation_languages(
        &self,
        request: instance::TranslationLanguages,
        call: Call,
    ) -> Result<Map<Vec<String>>> {
        self.log.enter(request, &call)?;
        Ok([("en".to_owned(), vec!["de".to_owned(), "eo".to_owned()])].into())
    }
}

impl server::Notifications for App {
    /// Two elements a page, four in all.
    async fn list(&self, request: notifications::List, call: Call) -> Result<Page<Notification>> {
        self.log.enter(request.clone(), &call)?;
        let from = request.max_id.map_or(5, |id| id.as_str().parse().unwrap_or(0));
        let ids: Vec<u32> = (1..from).rev().take(2).collect();
        let page: Page<_> = ids.iter().map(|id| entities::notification(&id.to_string())).collect();
        match ids.as_slice() {
            [.., last] if *last > 1 => Ok(page.with_next([("max_id", last.to_string())])),
            _ => Ok(page),
        }
    }

    async fn get(&self, request: notifications::Get, call: Call) -> Result<Notification> {
        self.log.enter(request.clone(), &call)?;
        match request.id.as_str() {
            "404" => Err(Error::not_found()),
            "410" => Err(Error::gone()),
            id => Ok(entities::notification(id)),
        }
    }

    async fn clear(&self, request: notifications::Clear, call: Call) -> Result<Empty> {
        self.log.enter(request, &call)?;
        Ok(Empty)
    }

    async fn dismiss(&self, request: notifications::Dismiss, call: Call) -> Result<Empty> {
        self.log.enter(request, &call)?;
        Ok(Empty)
    }

    async fn dismiss_by_body(
        &self,
        request: notifications::DismissByBody,
        call: Call,
    ) -> Result<Empty> {
        self.log.enter(request, &call)?;
        Ok(Empty)
    }

    async fn unread_count(
        &self,
        request: notifications::UnreadCount,
        call: Call,
    ) -> Result<NotificationsUnreadCountResponse> {
        self.log.enter(request, &call)?;
        Ok(current::NotificationsUnreadCountResponse { count: 17 }.into())
    }
}

/// Both methods of the older policy are left out, and answer 501.
impl server::NotificationPolicy for App {
    async fn get(
        &self,
        request: notification_policy::Get,
        call: Call,
    ) -> Result<NotificationPolicy> {
        self.log.enter(request, &call)?;
        Ok(policy(&notification_policy::Update::new()))
    }

    async fn update(
        &self,
        request: notification_policy::Update,
        call: Call,
    ) -> Result<NotificationPolicy> {
        self.log.enter(request.clone(), &call)?;
        Ok(policy(&request))
    }
}

fn policy(changed: &notification_policy::Update) -> NotificationPolicy {
    let value = |changed: &Option<NotificationPolicyValue>| {
        changed.clone().unwrap_or(NotificationPolicyValue::Accept)
    };
    current::NotificationPolicy {
        for_limited_accounts: value(&changed.for_limited_accounts),
        for_not_followers: value(&changed.for_not_followers),
        for_not_following: value(&changed.for_not_following),
        for_private_mentions: value(&changed.for_private_mentions),
        summary: current::NotificationPolicySummary {
            pending_notifications_count: 3,
            pending_requests_count: 2,
        }
        .into(),
        for_new_accounts: value(&changed.for_new_accounts),
        for_bots: value(&changed.for_bots),
    }
    .into()
}

impl server::NotificationRequests for App {
    async fn list(
        &self,
        request: notification_requests::List,
        call: Call,
    ) -> Result<Page<NotificationRequest>> {
        self.log.enter(request, &call)?;
        let page = Page::new([entities::notification_request("61")]);
        Ok(page.with_next([("max_id", "61")]).with_prev([("min_id", "61")]))
    }

    async fn get(
        &self,
        request: notification_requests::Get,
        call: Call,
    ) -> Result<NotificationRequest> {
        self.log.enter(request.clone(), &call)?;
        Ok(entities::notification_request(request.id.as_str()))
    }

    async fn accept(&self, request: notification_requests::Accept, call: Call) -> Result<Empty> {
        self.log.enter(request, &call)?;
        Ok(Empty)
    }

    async fn dismiss(&self, request: notification_requests::Dismiss, call: Call) -> Result<Empty> {
        self.log.enter(request, &call)?;
        Ok(Empty)
    }

    async fn accept_many(
        &self,
        request: notification_requests::AcceptMany,
        call: Call,
    ) -> Result<Empty> {
        self.log.enter(request, &call)?;
        Ok(Empty)
    }

    async fn dismiss_many(
        &self,
        request: notification_requests::DismissMany,
        call: Call,
    ) -> Result<Empty> {
        self.log.enter(request, &call)?;
        Ok(Empty)
    }

    async fn merged(
        &self,
        request: notification_requests::Merged,
        call: Call,
    ) -> Result<NotificationRequestsMergedResponse> {
        self.log.enter(request, &call)?;
        Ok(current::NotificationRequestsMergedResponse { merged: true }.into())
    }
}
