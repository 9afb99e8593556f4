//! Parameters with brackets, which document 1 has none of: objects, and lists of them.

use fedispec::accounts::{AccountsUpdateCredentialsFieldsAttributes, UpdateCredentials};
use fedispec::entities::{
    CredentialAccount, Filter, WebPushSubscription, WebPushSubscriptionAlerts,
};
use fedispec::enums::{FilterAction, FilterContext, PushPolicy, Visibility};
use fedispec::filters::{Create, FiltersCreateKeywordsAttributes};
use fedispec::runtime::File;
use fedispec::runtime::server::{Call, Error, Result};
use fedispec::server::{self, Server};
use fedispec::{current, push};

use crate::end_to_end::site::{Log, Site};

#[derive(Debug, Clone, Default)]
struct App {
    log: Log,
}

impl server::Filters for App {
    async fn create(&self, request: Create, call: Call) -> Result<Filter> {
        self.log.enter(request.clone(), &call)?;
        Ok(current::Filter {
            id: "1".into(),
            title: request.title,
            context: request.context,
            filter_action: request.filter_action.unwrap_or(FilterAction::Warn),
            keywords: Vec::new(),
            statuses: Vec::new(),
            expires_at: None,
        }
        .into())
    }
}

impl server::Push for App {
    async fn create(&self, request: push::Create, call: Call) -> Result<WebPushSubscription> {
        self.log.enter(request.clone(), &call)?;
        Ok(current::WebPushSubscription {
            id: "1".into(),
            endpoint: request.subscription_endpoint,
            server_key: Some("k3y".into()),
            standard: false,
            alerts: WebPushSubscriptionAlerts::default(),
            policy: PushPolicy::All,
        }
        .into())
    }
}

impl server::Accounts for App {
    async fn update_credentials(
        &self,
        request: UpdateCredentials,
        call: Call,
    ) -> Result<CredentialAccount> {
        self.log.enter(request.clone(), &call)?;
        // Only the request matters here, not the account.
        let name = request.avatar.as_ref().and_then(File::name).unwrap_or_default();
        Err(Error::unprocessable(format!("{name} is no picture")))
    }
}

async fn site() -> Site {
    let app = App::default();
    let log = app.log.clone();
    let server = Server::new().filters(app.clone()).push(app.clone()).accounts(app);
    Site::serve(server.into_router(), log).await
}

#[tokio::test]
async fn a_list_of_objects_arrives() {
    let keyword = FiltersCreateKeywordsAttributes::new;
    let request = Create::new("no rain", [FilterContext::Home]).keywords_attributes([
        keyword().keyword("rain").whole_word(true),
        keyword().keyword("drizzle"),
    ]);
    let (wire, filter) = site().await.call(request).await;
    // A form could not tell where the second keyword begins.
    assert_eq!(
        wire,
        "POST /api/v2/filters\nBearer users-token\napplication/json\n\
         {\"context\":[\"home\"],\"keywords_attributes\":[{\"keyword\":\"rain\",\"whole_word\":true},\
         {\"keyword\":\"drizzle\"}],\"title\":\"no rain\"}"
    );
    assert_eq!(filter.context, [FilterContext::Home]);
}

#[tokio::test]
async fn an_object_in_an_object_arrives() {
    let request =
        push::Create::new("https://push.example", "p256", "4uth").data_alerts_mention(true);
    let (wire, subscription) = site().await.call(request).await;
    let form = wire.replace("%5B", "[").replace("%5D", "]");
    assert!(form.contains("subscription[keys][auth]=4uth"), "{form}");
    assert!(form.contains("data[alerts][mention]=true"), "{form}");
    assert_eq!(subscription.endpoint, "https://push.example");
}

#[tokio::test]
async fn a_file_arrives_beside_nested_fields() {
    let field = AccountsUpdateCredentialsFieldsAttributes::new;
    let request = UpdateCredentials::new()
        .avatar(File::new("mona.png", b"\x89PNG".as_slice()).with_content_type("image/png"))
        .source_privacy(Visibility::Private)
        .fields_attributes([field().name("a").value("b"), field().name("c").value("d")]);
    let site = site().await;
    let error = site.refused(request.clone()).await;
    let api = error.api().expect("the API's own error");
    assert_eq!(api.message.as_deref(), Some("mona.png is no picture"));
    site.arrived(&request);
}
