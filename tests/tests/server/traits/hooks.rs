//! Hooks of a server for all operations: limits, audits, stores of answers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::middleware::{Next, from_fn};
use fedispec::entities::{List, ScheduledStatus, Status};
use fedispec::runtime::{Either, Secret};
use fedispec::server::{
    self, AnswerStore, Call, Caller, Error, RateLimit, Result, Server, StatusCode, Target,
};
use fedispec::{lists, statuses};

use crate::traits::answers::{Answer, ask};
use crate::traits::entities;

/// Answers how often it was called.
#[derive(Clone, Default)]
struct App(Arc<Mutex<u32>>);

impl server::Statuses for App {
    async fn create(
        &self,
        _: statuses::Create,
        _: Call,
    ) -> Result<Either<ScheduledStatus, Status>> {
        let mut count = self.0.lock().expect("no panic");
        *count += 1;
        Ok(Either::Second(entities::status(&count.to_string())))
    }
}

impl server::Lists for App {
    /// Names the list after what it does not know.
    async fn create(&self, request: lists::Create, call: Call) -> Result<List> {
        assert_eq!(request.title, "a");
        let title = serde_json::to_string(&call.unknown_params()).expect("JSON");
        Ok(entities::list("1", title))
    }
}

/// The tokens of a server, each the name of an account.
type Tokens = Arc<HashMap<&'static str, &'static str>>;

async fn by_token(tokens: Tokens, token: Secret) -> Result<Caller> {
    match tokens.get(token.expose()) {
        Some(account) => Ok(Caller::user(*account, "read write")),
        None => Err(Error::unauthorized()),
    }
}

fn server() -> Server {
    let tokens = HashMap::from([("one", "1"), ("two", "2"), ("mona", "1")]);
    Server::new()
        .authenticator_with(Arc::new(tokens), by_token)
        .lists(App::default())
        .statuses(App::default())
}

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

async fn post(router: &Router, token: &str, key: Option<&str>) -> Answer {
    let token = format!("Bearer {token}");
    let mut headers = vec![FORM, ("authorization", token.as_str())];
    headers.extend(key.map(|key| ("idempotency-key", key)));
    ask(router.clone(), "POST /api/v1/statuses", &headers, "status=a").await
}

#[tokio::test]
async fn unknown_parameters_are_told() {
    let router = server().into_router();
    let headers = [FORM, ("authorization", "Bearer one")];
    let told = async |line: &str, body: &str| {
        let answer = ask(router.clone(), line, &headers, body).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["title"].as_str().expect("text").to_owned()
    };
    let line = "POST /api/v1/lists";
    assert_eq!(told(line, "title=a&exclusive=true").await, "{}");
    let body = "title=a&colour=red&a[b][]=1&a[b][]=2&colour=blue&access_token=x";
    let left = r#"{"a":{"b":["1","2"]},"colour":["red","blue"]}"#;
    assert_eq!(told(line, body).await, left);
    let line = "POST /api/v1/lists?newer=1&access_token=x";
    assert_eq!(told(line, "title=a").await, r#"{"newer":"1"}"#);
}

#[tokio::test]
async fn each_client_has_its_calls() {
    let limit = || RateLimit::new(2, Duration::from_secs(3600));
    let at = |program: &str| Target::new(program, "0.19.2".parse().expect("a version"));
    let router = server().rate_limit(limit()).into_router();
    for left in ["1", "0"] {
        let answer = post(&router, "one", None).await;
        assert_eq!((answer.status, answer.header("x-ratelimit-remaining")), (200, left));
        assert_eq!(answer.header("x-ratelimit-limit"), "2");
    }
    // Another token of the same account.
    let late = post(&router, "mona", None).await;
    assert_eq!((late.status, late.header("x-ratelimit-remaining")), (429, "0"));
    assert_eq!(late.json()["error"], "Too many requests");
    let wait: u64 = late.header("retry-after").parse().expect("seconds");
    assert!((1..=3600).contains(&wait), "{wait}");
    let reset = late.header("x-ratelimit-reset");
    assert!(reset.ends_with(":00:00.000000Z"), "{reset}");
    assert_eq!(post(&router, "two", None).await.status, 200);

    // GoToSocial counts by address, whoever it is.
    let from = |address: &'static str| {
        let address: std::net::SocketAddr = address.parse().expect("an address");
        from_fn(move |mut request: Request, next: Next| {
            request.extensions_mut().insert(ConnectInfo(address));
            next.run(request)
        })
    };
    let gotosocial = server().target(at("gotosocial")).rate_limit(limit());
    let gotosocial = gotosocial.into_router();
    let near = gotosocial.clone().layer(from("[2001:db8::1]:1"));
    let beside = gotosocial.clone().layer(from("[2001:db8::2]:1"));
    let far = gotosocial.layer(from("192.0.2.1:1"));
    assert_eq!(post(&near, "one", None).await.status, 200);
    assert_eq!(post(&beside, "two", None).await.status, 200);
    let late = post(&near, "one", None).await;
    assert_eq!(late.status, 429);
    assert_eq!(late.json()["error"], "rate limit reached");
    let reset = late.header("x-ratelimit-reset");
    assert!(reset.ends_with(":00:00.000Z"), "{reset}");
    assert_eq!(post(&far, "one", None).await.status, 200);
}

#[tokio::test]
async fn who_guesses_tokens_is_soon_not_asked_about() {
    let asked = Arc::new(Mutex::new(0));
    let authenticate = async |asked: Arc<Mutex<u32>>, token: Secret| {
        *asked.lock().expect("no panic") += 1;
        match token.expose() {
            "right" => Ok(Caller::user("1", "read write")),
            _ => Err(Error::unauthorized()),
        }
    };
    let server = Server::new().statuses(App::default()).lists(App::default());
    let server = server.authenticator_with(Arc::clone(&asked), authenticate);
    let router = server.rate_limit(RateLimit::new(9, Duration::from_secs(3600))).into_router();
    let at = |address: &'static str| {
        let address: std::net::SocketAddr = address.parse().expect("an address");
        router.clone().layer(from_fn(move |mut request: Request, next: Next| {
            request.extensions_mut().insert(ConnectInfo(address));
            next.run(request)
        }))
    };
    let (here, there) = (at("192.0.2.1:1"), at("192.0.2.2:1"));
    let mut statuses = Vec::new();
    for token in ["a", "b", "c", "d", "right"] {
        let answer = post(&here, token, None).await;
        if answer.status == 429 {
            assert_eq!(answer.header("x-ratelimit-remaining"), "0");
            assert!(!answer.header("retry-after").is_empty());
        }
        statuses.push(answer.status);
    }
    assert_eq!(statuses, [401, 401, 401, 429, 429]);
    assert_eq!(*asked.lock().expect("no panic"), 3);
    // A caller at another address is served.
    assert_eq!(post(&there, "right", None).await.status, 200);
}

#[tokio::test]
async fn a_server_asks_before_and_tells_after() {
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = Arc::clone(&told);
    let router = server()
        .before(|call| {
            let account = call.account()?;
            if call.operation.group() == "statuses" && account.as_str() == "2" {
                return Err(Error::forbidden());
            }
            Ok(())
        })
        .after(move |served| {
            let caller = served.caller.as_ref().and_then(|caller| caller.account.as_ref());
            let caller = caller.map_or("nobody", |account| account.as_str());
            assert!(served.took < Duration::from_secs(60));
            let line = format!("{} {caller} {}", served.operation.id, served.status.as_u16());
            log.lock().expect("no panic").push(line);
        })
        .into_router();
    assert_eq!(post(&router, "one", None).await.status, 200);
    assert_eq!(post(&router, "two", None).await.status, 403);
    assert_eq!(post(&router, "three", None).await.status, 401);
    let told = told.lock().expect("no panic").join(", ");
    let wanted = "statuses.create 1 200, statuses.create 2 403, statuses.create nobody 401";
    assert_eq!(told, wanted);
}

/// A store that can be broken.
#[derive(Clone, Default)]
struct Store {
    answers: Arc<Mutex<HashMap<String, Vec<u8>>>>,
    is_broken: bool,
}

impl AnswerStore for Store {
    async fn load(&self, key: &str) -> Result<Option<Vec<u8>>> {
        if self.is_broken {
            return Err(Error::unavailable());
        }
        Ok(self.answers.lock().expect("no panic").get(key).cloned())
    }

    async fn save(&self, key: &str, answer: Vec<u8>, keep: Duration) -> Result<()> {
        assert_eq!(keep, Duration::from_secs(60));
        self.answers.lock().expect("no panic").insert(key.to_owned(), answer);
        Ok(())
    }
}

#[tokio::test]
async fn a_store_of_answers_outlives_the_server() {
    let store = Store::default();
    let router = |store: &Store| {
        let keep = Duration::from_secs(60);
        server().idempotency_in(store.clone(), keep, 10).into_router()
    };
    let id = |answer: &Answer| answer.json()["id"].clone();
    let first = router(&store);
    let answer = post(&first, "one", Some("a")).await;
    assert_eq!((answer.status, id(&answer)), (200, "1".into()));
    assert_eq!(id(&post(&first, "one", Some("b")).await), "2");
    // Another process would count from 1.
    let second = router(&store);
    let again = post(&second, "one", Some("b")).await;
    assert_eq!((again.status, id(&again)), (200, "2".into()));
    assert_eq!(again.header("content-type"), answer.header("content-type"));
    assert_eq!(id(&post(&second, "one", Some("c")).await), "1");
    assert_eq!(id(&post(&second, "two", Some("b")).await), "2");
    // Bytes that it never saved are no answer.
    for answer in store.answers.lock().expect("no panic").values_mut() {
        answer.truncate(5);
    }
    assert_eq!(id(&post(&router(&store), "one", Some("b")).await), "1");
    let is_broken = true;
    let broken = router(&Store { is_broken, ..store });
    let refused = post(&broken, "one", Some("d")).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE.as_u16());
}
