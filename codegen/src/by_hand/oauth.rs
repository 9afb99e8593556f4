impl<S> Server<S> {
    /// Mounts signing in by OAuth, on a store of applications, codes and tokens and a page of your own, and takes tokens from the store. It serves
    /// `apps.create`, `apps.verify_credentials`, `oauth.authorize`, `oauth.approve`, `oauth.token`, `oauth.revoke`, `oauth.userinfo` and
    /// `oauth.server_metadata`; a later handler or authenticator replaces one of these. The metadata has the origin of [`Server::public_origin`].
    ///
    /// | what | holds |
    /// |---|---|
    /// | secrets, codes and tokens | 256 random bits, of which the store has digests, compared in constant time |
    /// | a code | good once and for 10 minutes, for its application, address and verifier (S256); used otherwise or twice, it ends with its token |
    /// | a token | good until it is revoked, which ends its event streams |
    /// | addresses | the registered ones in the same text, but for a port on this machine; nobody is sent elsewhere |
    /// | scopes | known ones, within the application's |
    /// | the page | in no frame and no cache; its form has a CSRF token, which is bound to a cookie |
    pub fn oauth_with(mut self, store: impl OauthStore, page: impl OauthPage) -> Self {
        let scopes = super::items().below("OauthScope").map(rt::Item::name);
        let flow = rt::codegen::OauthFlow::new(store, page, scopes);
        let routes = &mut self.routes;
        routes.authenticator_with(flow.clone(), rt::codegen::OauthFlow::caller);
        oauth_apps(routes, &flow);
        oauth_tokens(routes, &flow);
        oauth_documents(routes, &flow);
        self
    }
}

fn oauth_apps<S: OauthStore, P: OauthPage>(
    routes: &mut rt::codegen::Routes,
    flow: &rt::codegen::OauthFlow<S, P>,
) {
    routes.handle(flow.clone(), async |flow, request: super::apps::Create, _| {
        let uris = request.redirect_uris.into_iter().flatten().collect();
        let (name, scopes) = (&request.client_name, request.scopes.as_deref());
        let (app, client_secret) = flow.register(name, uris, scopes, request.website).await?;
        let current = super::current::CredentialApplication {
            id: app.client_id.clone().into(),
            client_id: app.client_id,
            client_secret,
            client_secret_expires_at: 0,
            name: app.name,
            redirect_uri: app.redirect_uris.join("\n"),
            redirect_uris: app.redirect_uris,
            scopes: app.scopes.iter().map(super::enums::OauthScope::custom).collect(),
            vapid_key: None,
            website: app.website,
        };
        Ok(super::entities::CredentialApplication::from(current))
    });
    routes.handle(flow.clone(), async |flow, _: super::apps::VerifyCredentials, call| {
        let app = flow.app(&call).await?;
        let current = super::current::Application {
            id: app.client_id.into(),
            name: app.name,
            redirect_uri: app.redirect_uris.join("\n"),
            redirect_uris: app.redirect_uris,
            scopes: app.scopes.iter().map(super::enums::OauthScope::custom).collect(),
            vapid_key: None,
            website: app.website,
        };
        Ok(super::entities::Application::from(current))
    });
}

fn oauth_tokens<S: OauthStore, P: OauthPage>(
    routes: &mut rt::codegen::Routes,
    flow: &rt::codegen::OauthFlow<S, P>,
) {
    routes.handle(flow.clone(), async |flow, _: super::oauth::Authorize, call| {
        flow.authorize::<super::entities::OauthAuthorizeResponse>(&call).await
    });
    routes.handle(flow.clone(), async |flow, _: super::oauth::Approve, call| {
        flow.approve::<Raw>(&call).await
    });
    routes.handle(flow.clone(), async |flow, request: super::oauth::Token, call| {
        let asked = rt::codegen::Exchange {
            client_id: &request.client_id,
            client_secret: &request.client_secret,
            grant_type: request.grant_type.as_str(),
            code: request.code.as_ref(),
            redirect_uri: request.redirect_uri.as_deref(),
            code_verifier: request.code_verifier.as_ref(),
            scope: request.scope.as_deref(),
            username: request.username.as_deref(),
            password: request.password.as_ref(),
        };
        let Issued { secret, token, .. } = flow.token(asked, &call).await?;
        let current = super::current::Token {
            access_token: secret,
            created_at: token.created_at,
            scope: token.scopes.to_string(),
            token_type: "Bearer".to_owned(),
        };
        Ok(super::entities::Token::from(current))
    });
    routes.handle(flow.clone(), async |flow, request: super::oauth::Revoke, call| {
        let (id, secret) = (&request.client_id, &request.client_secret);
        flow.revoke(id, secret, request.token.as_ref(), &call).await?;
        Ok(Empty {})
    });
}

fn oauth_documents<S: OauthStore, P: OauthPage>(
    routes: &mut rt::codegen::Routes,
    flow: &rt::codegen::OauthFlow<S, P>,
) {
    routes.handle(flow.clone(), async |flow, _: super::oauth::Userinfo, call| {
        let user = flow.user(&call).await?;
        let current = super::current::UserInfo {
            iss: format!("{}/", call.origin().unwrap_or_default()),
            sub: user.uri,
            name: user.name,
            preferred_username: user.username,
            profile: user.url,
            picture: user.avatar,
        };
        Ok(super::entities::UserInfo::from(current))
    });
    routes.handle(flow.clone(), async |flow, _: super::oauth::ServerMetadata, call| {
        let origin = call.origin().unwrap_or_default();
        let at = |path: &str| format!("{origin}{path}");
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let current = super::current::ServerMetadata {
            app_registration_endpoint: at("/api/v1/apps"),
            authorization_endpoint: at("/oauth/authorize"),
            code_challenge_methods_supported: texts(&["S256"]),
            grant_types_supported: rt::codegen::grant_types(&call),
            issuer: at("/"),
            response_modes_supported: texts(&["query"]),
            response_types_supported: texts(&["code"]),
            revocation_endpoint: at("/oauth/revoke"),
            scopes_supported: flow.scopes().map(super::enums::OauthScope::custom).collect(),
            service_documentation: rt::codegen::documentation(&call),
            token_endpoint: at("/oauth/token"),
            token_endpoint_auth_methods_supported: texts(&[
                "client_secret_basic",
                "client_secret_post",
            ]),
            userinfo_endpoint: at("/oauth/userinfo"),
        };
        Ok(super::entities::ServerMetadata::from(current))
    });
}
