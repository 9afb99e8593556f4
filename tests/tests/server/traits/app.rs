//! A small server with one user, their posts and event streams.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fedispec::entities::{
    CredentialAccount, CredentialApplication, DeletedStatus, Field, Filter, FilterKeyword,
    Instance, List, MediaAttachment, Notification, Poll, ScheduledStatus, Status, Token,
    V1Instance,
};
use fedispec::enums::{FilterAction, QuotePolicy, Visibility};
use fedispec::events::StreamEvent;
use fedispec::runtime::{self as rt, Either, Empty, Id, Page, Raw, Secret};
use fedispec::server::{
    self, Call, Caller, Error, Event, Events, Listen, RequestLimits, Result, Server,
};
use fedispec::{
    accounts, apps, current, filters, instance, lists, media, notifications, oauth, statuses,
    streaming, timelines,
};
use tokio::net::TcpListener;
use tokio::sync::mpsc::Sender;
use tokio::task::JoinHandle;

use crate::entities;

/// The token of the user, for everything.
pub(crate) const TOKEN: &str = "owners-token";
/// The user's account.
pub(crate) const OWNER: &str = "7";

/// The server's state.
#[derive(Debug)]
struct State {
    account: CredentialAccount,
    statuses: Vec<Status>,
    media: Vec<MediaAttachment>,
    filters: Vec<Filter>,
    lists: Vec<List>,
    listeners: Vec<Sender<Event>>,
    address: SocketAddr,
}

/// The application.
#[derive(Debug, Clone)]
pub(crate) struct App(Arc<Mutex<State>>, Arc<AtomicUsize>);

impl App {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of listeners.
    pub(crate) fn listeners(&self) -> usize {
        let mut state = self.state();
        state.listeners.retain(|listener| !listener.is_closed());
        state.listeners.len()
    }

    /// The number of running flood streams.
    pub(crate) fn floods(&self) -> usize {
        self.1.load(Ordering::SeqCst)
    }

    /// Sends an event to all listeners and drops those that are too slow.
    pub(crate) fn tell(&self, event: StreamEvent) {
        let event = Event::from(event);
        let told = |listener: &Sender<Event>| listener.try_send(event.clone()).is_ok();
        self.state().listeners.retain(told);
    }

    fn listen(&self) -> Events {
        let (sender, events) = Events::channel(64);
        self.state().listeners.push(sender);
        events
    }
}

/// A running server.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) app: App,
    /// Ends when the listener does.
    pub(crate) served: JoinHandle<std::io::Result<()>>,
}

impl Running {
    pub(crate) async fn start(limits: RequestLimits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        Self::on(Listen::new(listener), address, limits, |server| server)
    }

    /// Serves at a listener, with what the server is to have beside its groups.
    pub(crate) fn on<E: Future<Output = ()> + Send + 'static>(
        listen: Listen<E>,
        address: SocketAddr,
        limits: RequestLimits,
        build: impl FnOnce(Server) -> Server,
    ) -> Self {
        let state = State {
            account: credentials(),
            statuses: Vec::new(),
            media: Vec::new(),
            filters: Vec::new(),
            lists: Vec::new(),
            listeners: Vec::new(),
            address,
        };
        let app = App(Arc::new(Mutex::new(state)), Arc::default());
        let listen = listen.patience(limits.patience).linger(limits.linger);
        let router = build(server(app.clone()).limits(limits)).into_router();
        let served = tokio::spawn(listen.serve(router));
        Self { address, app, served }
    }
}

/// The groups that the application has.
pub(crate) fn server(app: App) -> Server {
    Server::new()
        .authenticator(app.clone())
        .accounts(app.clone())
        .apps(app.clone())
        .filters(app.clone())
        .instance(app.clone())
        .lists(app.clone())
        .media(app.clone())
        .notifications(app.clone())
        .oauth(app.clone())
        .statuses(app.clone())
        .streaming(app.clone())
        .timelines(app)
}

impl server::Authenticator for App {
    /// `owners-token` is for everything; `u:read:accounts` is a user's, `a:read` an application's, for these scopes.
    async fn authenticate(&self, token: Secret) -> Result<Caller> {
        let token = token.expose();
        assert_ne!(token, "panic");
        if token == TOKEN {
            return Ok(Caller::user(OWNER, "read write follow push admin profile"));
        }
        match token.split_once(':') {
            Some(("u", scopes)) => Ok(Caller::user(OWNER, scopes.replace('+', " "))),
            Some(("a", scopes)) => Ok(Caller::app(scopes.replace('+', " "))),
            Some(("r", scopes)) => Ok(Caller::user(OWNER, scopes).with_permissions(["nothing"])),
            _ => Err(Error::unauthorized()),
        }
    }
}

fn credentials() -> CredentialAccount {
    let source = current::CredentialAccountSource {
        note: String::new(),
        privacy: Visibility::Public,
        fields: Vec::new(),
        sensitive: false,
        follow_requests_count: 0,
        language: None,
        attribution_domains: Vec::new(),
        hide_collections: None,
        discoverable: None,
        indexable: false,
        quote_policy: QuotePolicy::Public,
    };
    let role = current::Role {
        id: "-99".into(),
        name: String::new(),
        color: String::new(),
        permissions: "65536".into(),
        highlighted: false,
        collection_limit: 10,
    };
    CredentialAccount {
        acct: "mona".into(),
        username: "mona".into(),
        ..CredentialAccount::from_account(entities::account(OWNER), source.into(), role.into())
    }
}

impl server::Oauth for App {
    async fn token(&self, request: oauth::Token, _: Call) -> Result<Token> {
        let user = request.username.as_deref() == Some("mona@example.org");
        let password = request.password.as_ref().map(Secret::expose);
        if user && password != Some("hunter2") {
            return Err(Error::new(server::StatusCode::BAD_REQUEST, "invalid_grant")
                .with_description("The password is wrong"));
        }
        let token = if user { TOKEN } else { "a:read" };
        Ok(current::Token {
            access_token: token.into(),
            scope: request.scope.unwrap_or_else(|| "read".into()),
            token_type: "Bearer".into(),
            created_at: 1_728_390_600,
        }
        .into())
    }
}

impl server::Apps for App {
    async fn create(&self, request: apps::Create, _: Call) -> Result<CredentialApplication> {
        Ok(current::CredentialApplication {
            client_id: "id".into(),
            client_secret: "s3cret".into(),
            id: "1".into(),
            name: request.client_name,
            redirect_uri: "urn:ietf:wg:oauth:2.0:oob".into(),
            client_secret_expires_at: 0,
            redirect_uris: Vec::new(),
            scopes: Vec::new(),
            website: None,
            vapid_key: None,
        }
        .into())
    }
}

impl server::Accounts for App {
    async fn verify_credentials(
        &self,
        _: accounts::VerifyCredentials,
        call: Call,
    ) -> Result<CredentialAccount> {
        call.account()?;
        Ok(self.state().account.clone())
    }

    async fn update_credentials(
        &self,
        request: accounts::UpdateCredentials,
        call: Call,
    ) -> Result<CredentialAccount> {
        call.account()?;
        let mut state = self.state();
        let account = &mut state.account;
        if let Some(name) = request.display_name {
            account.display_name = name;
        }
        if let Some(avatar) = request.avatar {
            let name = avatar.name().unwrap_or_default();
            account.avatar = format!("https://example.org/{name}?{}", avatar.len());
        }
        account.fields = request
            .fields_attributes
            .into_iter()
            .map(|field| {
                current::Field {
                    name: field.name.unwrap_or_default(),
                    value: field.value.unwrap_or_default(),
                    verified_at: None,
                }
                .into()
            })
            .collect::<Vec<Field>>();
        Ok(account.clone())
    }

    async fn get(&self, request: accounts::Get, call: Call) -> Result<fedispec::entities::Account> {
        match request.id.as_str() {
            "peer" => {
                let peer = call.peer().map(|peer| peer.to_string());
                Ok(entities::account(&peer.unwrap_or_default()))
            }
            "slow" => std::future::pending().await,
            "404" => Err(Error::not_found()),
            "410" => Err(Error::gone()),
            "422" => Err(Error::unprocessable("No").with_details(rt::Json::from(1))),
            "429" => Err(Error::too_many_requests()
                .with_retry_after(std::time::Duration::from_millis(1500))
                .with_rate_limit(300, 0, &"2024-10-08T12:30:00.000Z".into())),
            "503" => Err(Error::unavailable()),
            "panic" => panic!("as it was asked to"),
            id => Ok(entities::account(id)),
        }
    }
}

impl server::Statuses for App {
    async fn create(
        &self,
        request: statuses::Create,
        call: Call,
    ) -> Result<Either<ScheduledStatus, Status>> {
        call.account()?;
        let mut state = self.state();
        let id = (state.statuses.len() + 101).to_string();
        let wanted = |media: &&MediaAttachment| request.media_ids.contains(&media.id);
        let status = Status {
            content: format!("<p>{}</p>", request.status.unwrap_or_default()),
            poll: (!request.poll_options.is_empty()).then(|| poll(&id, request.poll_options)),
            media_attachments: state.media.iter().filter(wanted).cloned().collect(),
            ..entities::status(&id)
        };
        state.statuses.push(status.clone());
        drop(state);
        self.tell(StreamEvent::Update(status.clone().into()));
        Ok(Either::Second(status))
    }

    async fn delete(
        &self,
        request: statuses::Delete,
        call: Call,
    ) -> Result<Either<DeletedStatus, Empty>> {
        call.account()?;
        let mut state = self.state();
        let place = state.statuses.iter().position(|one| one.id == request.id);
        let status = state.statuses.remove(place.ok_or_else(Error::not_found)?);
        drop(state);
        self.tell(StreamEvent::Delete(request.id));
        Ok(Either::First(DeletedStatus::from_status(status, 0, "Hello", None, None)))
    }
}

fn poll(id: &str, options: Vec<String>) -> Poll {
    let option = |title| current::PollOption { title, votes_count: Some(0) }.into();
    current::Poll {
        id: id.into(),
        expired: false,
        multiple: false,
        votes_count: 0,
        options: options.into_iter().map(option).collect(),
        emojis: Vec::new(),
        expires_at: None,
        voters_count: None,
    }
    .into()
}

impl server::Media for App {
    async fn upload(&self, request: media::Upload, _: Call) -> Result<MediaAttachment> {
        let mut state = self.state();
        let media = MediaAttachment {
            url: Some(format!("https://example.org/{}", request.file.len())),
            description: request.description,
            ..entities::media((state.media.len() + 1).to_string())
        };
        state.media.push(media.clone());
        Ok(media)
    }
}

impl server::Timelines for App {
    async fn home(&self, request: timelines::Home, call: Call) -> Result<Page<Status>> {
        call.account()?;
        let newest_first = self.state().statuses.iter().rev().cloned().collect::<Vec<_>>();
        let number = |id: &str| id.parse::<u64>().unwrap_or_default();
        let below = request.max_id.map_or(u64::MAX, |id| number(id.as_str()));
        let above = request.min_id.map_or(0, |id| number(id.as_str()));
        let limit = usize::try_from(request.limit.unwrap_or(20)).unwrap_or_default();
        let inside = |status: &Status| (above + 1..below).contains(&number(status.id.as_str()));
        let all: Vec<_> = newest_first.into_iter().filter(inside).collect();
        let page: Page<_> = all.iter().take(limit).cloned().collect();
        let (first, last) = match page.items.as_slice() {
            [] => return Ok(page),
            [first, .., last] => (first.id.to_string(), last.id.to_string()),
            [one] => (one.id.to_string(), one.id.to_string()),
        };
        let page = page.with_prev([("min_id", first)]);
        Ok(if all.len() > limit { page.with_next([("max_id", last)]) } else { page })
    }

    async fn public(&self, _: timelines::Public, call: Call) -> Result<Page<Status>> {
        // The answer names the caller, for the tests of optional tokens.
        let who = call.caller.as_ref().and_then(|caller| caller.account.clone());
        Ok(Page::new(who.map(|id| entities::status(id.as_str()))))
    }
}

impl server::Notifications for App {
    async fn list(&self, request: notifications::List, call: Call) -> Result<Page<Notification>> {
        call.account()?;
        let limit = usize::try_from(request.limit.unwrap_or(40)).unwrap_or_default();
        Ok(["34", "33"].into_iter().take(limit).map(entities::notification).collect())
    }
}

impl server::Filters for App {
    async fn create(&self, request: filters::Create, _: Call) -> Result<Filter> {
        let keyword = |(place, given): (usize, filters::FiltersCreateKeywordsAttributes)| {
            current::FilterKeyword {
                id: (place + 1).to_string().into(),
                keyword: given.keyword.unwrap_or_default(),
                whole_word: given.whole_word.unwrap_or_default(),
            }
            .into()
        };
        let keywords = request.keywords_attributes.into_iter().enumerate();
        let filter = Filter::from(current::Filter {
            id: "1".into(),
            title: request.title,
            context: request.context,
            filter_action: request.filter_action.unwrap_or(FilterAction::Warn),
            keywords: keywords.map(keyword).collect::<Vec<FilterKeyword>>(),
            statuses: Vec::new(),
            expires_at: None,
        });
        self.state().filters.push(filter.clone());
        Ok(filter)
    }

    async fn list(&self, _: filters::List, _: Call) -> Result<rt::List<Filter>> {
        Ok(self.state().filters.clone().into())
    }
}

impl server::Lists for App {
    async fn create(&self, request: lists::Create, _: Call) -> Result<List> {
        let mut state = self.state();
        let id = Id::from((state.lists.len() + 1).to_string());
        let title = request.title;
        let list = entities::list(id, title);
        state.lists.push(list.clone());
        Ok(list)
    }

    async fn list(&self, _: lists::List, _: Call) -> Result<rt::List<List>> {
        Ok(self.state().lists.clone().into())
    }
}

impl server::Instance for App {
    async fn get(&self, _: instance::Get, _: Call) -> Result<Instance> {
        let mut instance = entities::instance();
        instance.configuration.urls.streaming = format!("ws://{}", self.state().address);
        instance.version = "4.3.0".into();
        Ok(instance)
    }

    async fn get_v1(&self, _: instance::GetV1, _: Call) -> Result<V1Instance> {
        let mut instance = entities::v1_instance();
        let streaming_api = format!("ws://{}", self.state().address);
        instance.urls.streaming_api = Some(streaming_api);
        instance.version = "4.3.0".into();
        Ok(instance)
    }
}

impl server::Streaming for App {
    async fn health(&self, _: streaming::Health, _: Call) -> Result<Raw> {
        Ok(Raw::new("text/plain", "OK"))
    }

    async fn user(&self, _: streaming::User, _: Call) -> Result<Events> {
        Ok(self.listen())
    }

    async fn public(&self, request: streaming::Public, _: Call) -> Result<Events> {
        if request.only_media == Some(true) {
            return Ok(Events::new(Once(Some(StreamEvent::Delete("media".into())))));
        }
        Ok(Events::new(Broken))
    }

    async fn hashtag(&self, request: streaming::Hashtag, _: Call) -> Result<Events> {
        if request.tag == "flood" {
            return Ok(Events::new(Flood::new(Arc::clone(&self.1))));
        }
        let event = StreamEvent::Delete(request.tag.into());
        Ok(Events::new(Once(Some(event))))
    }

    async fn list(&self, _: streaming::List, _: Call) -> Result<Events> {
        Err(Error::not_found())
    }
}

/// A stream of one event.
struct Once(Option<StreamEvent>);

impl futures_core::Stream for Once {
    type Item = StreamEvent;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<StreamEvent>> {
        std::task::Poll::Ready(self.0.take())
    }
}

/// An endless stream of events, which counts itself while it exists.
struct Flood {
    flowing: Arc<AtomicUsize>,
    event: Event,
}

impl Flood {
    fn new(flowing: Arc<AtomicUsize>) -> Self {
        flowing.fetch_add(1, Ordering::SeqCst);
        let event = Event::text("delete", &"1".repeat(10_000));
        Self { flowing, event }
    }
}

impl Drop for Flood {
    fn drop(&mut self) {
        self.flowing.fetch_sub(1, Ordering::SeqCst);
    }
}

impl futures_core::Stream for Flood {
    type Item = Event;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Event>> {
        std::task::Poll::Ready(Some(self.event.clone()))
    }
}

/// A stream that panics.
struct Broken;

impl futures_core::Stream for Broken {
    type Item = StreamEvent;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<StreamEvent>> {
        panic!("as it was asked to")
    }
}
