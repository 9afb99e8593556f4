//! The generated client against the generated server's router, without a socket: paging, stand-ins for missing operations, uploads.

use std::sync::{Arc, Mutex};

use fedispec::client::{
    Client, Direction, PageCursor, Policy, Reader, RemoteServer, StatusCode, Tower, gate,
};
use fedispec::enums::{FilterAction, FilterContext, Visibility};
use fedispec::runtime::de::read;
use fedispec::runtime::{File, List, Page, Secret, server};
use fedispec::server::{Accounts, Call, DomainBlocks, FiltersV1, Media, Result, Server, Trends};
use fedispec::statuses::Create;
use fedispec::{accounts, current, domain_blocks, entities, filters, filters_v1, media, trends};

/// Answers the requests of the tests and records them.
#[derive(Clone, Default)]
struct App {
    heard: Arc<Mutex<Vec<String>>>,
}

impl App {
    fn hear(&self, what: &impl std::fmt::Debug) {
        self.heard.lock().expect("no panic").push(format!("{what:?}"));
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("no panic").clone()
    }

    fn client(&self) -> Client {
        let router = Server::new()
            .accounts(self.clone())
            .domain_blocks(self.clone())
            .filters_v1(self.clone())
            .media(self.clone())
            .trends(self.clone())
            .into_router();
        let origin = "https://social.example".parse().expect("an origin");
        Client::with_transport(origin, Tower::new(router)).token("s3cret")
    }

    fn knowing(&self, software: &str, version: &str, policy: Policy) -> Client {
        self.client().knowing(gate(RemoteServer::of(software, version)), policy)
    }
}

/// The domains `9.example` to `0.example`, newest first.
impl DomainBlocks for App {
    async fn list(&self, request: domain_blocks::List, call: Call) -> Result<Page<String>> {
        let token = call.bearer();
        self.hear(&token.as_ref().map(Secret::expose));
        let number = |cursor: Option<fedispec::runtime::Cursor>| {
            cursor.and_then(|cursor| cursor.as_str().parse::<usize>().ok())
        };
        let (below, above) = (number(request.max_id), number(request.min_id));
        let limit = usize::try_from(request.limit.unwrap_or(4)).expect("a length");
        let numbers: Vec<usize> = match above {
            Some(above) => (above + 1..10).take(limit).rev().collect(),
            None => (0..below.unwrap_or(10)).rev().take(limit).collect(),
        };
        let page: Page<String> = numbers.iter().map(|number| format!("{number}.example")).collect();
        Ok(match (numbers.first(), numbers.last()) {
            (Some(first), Some(last)) => page
                .with_next([("max_id", last.to_string())])
                .with_prev([("min_id", first.to_string())]),
            _ => page,
        })
    }
}

impl Trends for App {
    async fn tags(&self, request: trends::Tags, _: Call) -> Result<Page<entities::Tag>> {
        let first = request.offset.unwrap_or(0);
        let last = (first + request.limit.unwrap_or(10)).min(25);
        let tag = |number: i64| {
            let url = String::new();
            current::Tag {
                name: format!("tag{number}"),
                url,
                id: number.to_string().into(),
                history: Vec::new(),
            }
            .into()
        };
        Ok((first..last).map(tag).collect())
    }
}

fn v1_filter(phrase: String, irreversible: bool) -> entities::V1Filter {
    current::V1Filter {
        context: vec![FilterContext::Home],
        id: "7".into(),
        irreversible,
        phrase,
        whole_word: true,
        expires_at: None,
    }
    .into()
}

impl FiltersV1 for App {
    async fn list(&self, _: filters_v1::List, _: Call) -> Result<List<entities::V1Filter>> {
        let filters = [("tea", false), ("rain", true)];
        Ok(filters.map(|(phrase, hide)| v1_filter(phrase.to_owned(), hide)).into_iter().collect())
    }

    async fn create(&self, request: filters_v1::Create, _: Call) -> Result<entities::V1Filter> {
        self.hear(&request);
        Ok(v1_filter(request.phrase, request.irreversible.unwrap_or_default()))
    }
}

impl Media for App {
    async fn upload_v1(
        &self,
        request: media::UploadV1,
        _: Call,
    ) -> Result<entities::MediaAttachment> {
        self.hear(&(request.file.len(), request.file.name(), &request.description));
        Ok(crate::entities::media("22"))
    }
}

impl Accounts for App {
    async fn get(&self, _: accounts::Get, _: Call) -> Result<entities::Account> {
        Err(server::Error::gone())
    }
}

#[tokio::test]
async fn pages_lead_to_one_another() {
    let app = App::default();
    let mut pages = app.client().pages(domain_blocks::List::new().limit(4));
    let mut lengths = Vec::new();
    while let Some(page) = pages.next().await {
        lengths.push(page.expect("a page").len());
    }
    // The last page has a next link, which leads to an empty page.
    assert_eq!(lengths, [4, 4, 2, 0]);
    assert_eq!(app.heard(), ["Some(\"s3cret\")"; 4]);
    assert_eq!(pages.cursor(), None);
}

#[tokio::test]
async fn elements_come_one_after_another() {
    let mut domains = app_items(&App::default());
    let mut all = Vec::new();
    while let Some(domain) = domains.next().await {
        all.push(domain.expect("a domain"));
    }
    let expected: Vec<_> = (0..10).rev().map(|number| format!("{number}.example")).collect();
    assert_eq!(all, expected);
}

fn app_items(app: &App) -> fedispec::client::Elements<domain_blocks::List> {
    app.client().pages(domain_blocks::List::new()).elements()
}

#[tokio::test]
async fn a_walk_goes_on_where_it_was_left() {
    let client = App::default().client();
    let mut pages = client.pages(domain_blocks::List::new().limit(3));
    pages.next().await.expect("a page").expect("a page");
    let kept = serde_json::to_string(&pages.cursor()).expect("JSON");
    drop(pages);
    let cursor: PageCursor = serde_json::from_str(&kept).expect("a place");
    let mut resumed = client.resume::<domain_blocks::List>(&cursor).expect("the same list");
    let page = resumed.next().await.expect("a page").expect("a page");
    assert_eq!(page.items, ["6.example", "5.example", "4.example"]);
    // Backwards from the page where the walk was resumed.
    resumed.turn(Direction::Backward);
    let page = resumed.next().await.expect("a page").expect("a page");
    assert_eq!(page.items, ["9.example", "8.example", "7.example"]);
    let other = client.resume::<trends::Tags>(&cursor).expect_err("another list");
    assert_eq!(
        other.to_string(),
        "trends.tags of https://social.example: the cursor belongs to the operation domain_blocks.list"
    );
}

#[tokio::test]
async fn newer_elements_are_asked_for_again() {
    let client = App::default().client();
    let mut pages = client.pages(domain_blocks::List::new().min_id("3").limit(4)).backward();
    let mut all = Vec::new();
    while let Some(page) = pages.next().await {
        all.push(page.expect("a page").into_value().items);
    }
    assert_eq!(
        all[..2].concat(),
        ["7.example", "6.example", "5.example", "4.example", "9.example", "8.example"]
    );
    let cursor = pages.cursor().expect("there may be newer ones later");
    assert_eq!(cursor.direction(), Direction::Backward);
    assert!(cursor.url().ends_with("min_id=9"), "{cursor:?}");
}

#[tokio::test]
async fn a_link_is_followed() {
    let client = App::default().client();
    let page = client.send(domain_blocks::List::new()).await.expect("a page");
    let next = page.next.clone().expect("a link");
    let page = client.follow::<domain_blocks::List>(&next).await.expect("a page");
    assert_eq!(page[0], "5.example");
}

#[tokio::test]
async fn offsets_are_counted() {
    let client = App::default().client();
    let mut tags = client.pages(trends::Tags::new().limit(10)).elements();
    let mut names = Vec::new();
    while let Some(tag) = tags.next().await {
        names.push(tag.expect("a tag").name);
    }
    assert_eq!((names.len(), names[24].as_str()), (25, "tag24"));
}

#[tokio::test]
async fn an_upload_is_adapted_to_an_old_server() {
    let app = App::default();
    let file = tempfile::Builder::new().suffix(".png").tempfile().expect("a file");
    std::fs::write(file.path(), vec![7; 200_000]).expect("a file");
    let upload =
        media::Upload::new(File::from_path(file.path()).expect("a file")).description("Tea");
    let client = app.knowing("mastodon", "2.9.1", Policy::Adapt);
    for _ in 0..2 {
        let attachment = client.send(&upload).await.expect("an attachment");
        assert_eq!(attachment.id.as_str(), "22");
        let adapted = attachment.adapted.as_ref().and_then(|plan| plan.replacement);
        assert_eq!(adapted.map(|fallback| fallback.by.id), Some("media.upload_v1"));
    }
    let name = file.path().file_name().expect("a name").to_string_lossy().into_owned();
    assert_eq!(app.heard(), vec![format!("(200000, Some({name:?}), Some(\"Tea\"))"); 2]);
    let strict = app.knowing("mastodon", "2.9.1", Policy::Strict).send(&upload).await;
    assert!(strict.expect_err("a refusal").to_string().contains("does not have media.upload"));
}

fn first_keyword(filter: &entities::Filter) -> &entities::FilterKeyword {
    &filter.keywords[0]
}

#[tokio::test]
async fn filters_are_adapted_to_an_old_server() {
    let app = App::default();
    for (software, version) in [("mastodon", "3.5.3"), ("gotosocial", "0.15.0")] {
        let client = app.knowing(software, version, Policy::Adapt);
        let filters = client.send(filters::List::new()).await.expect("filters");
        let shown: Vec<_> = filters
            .iter()
            .map(|filter| {
                (filter.title.as_str(), &filter.filter_action, first_keyword(filter).whole_word)
            })
            .collect();
        assert_eq!(
            shown,
            [("tea", &FilterAction::Warn, true), ("rain", &FilterAction::Hide, true)]
        );
        assert!(filters.rejected.is_empty());
    }
}

#[tokio::test]
async fn a_filter_is_made_on_an_old_server() {
    let app = App::default();
    let client = app.knowing("mastodon", "3.5.3", Policy::Adapt);
    let keyword =
        |word: &str| filters::FiltersCreateKeywordsAttributes::new().keyword(word).whole_word(true);
    let request =
        filters::Create::new("Weather", [FilterContext::Home]).filter_action(FilterAction::Hide);
    let filter = client
        .send(request.clone().keywords_attributes([keyword("rain")]))
        .await
        .expect("a filter");
    assert_eq!(
        (first_keyword(&filter).keyword.as_str(), &filter.filter_action),
        ("rain", &FilterAction::Hide)
    );
    let heard = &app.heard()[0];
    for part in ["irreversible: Some(true)", "phrase: \"rain\"", "whole_word: Some(true)", "Home"] {
        assert!(heard.contains(part), "{part}: {heard}");
    }
    // The title is lost, and the plan reports it.
    let adapted = filter.adapted.as_ref().expect("a plan");
    let operation = <filters::Create as fedispec::runtime::Request>::OPERATION;
    let lost = adapted.dropped.iter().map(|place| operation.params[*place].wire);
    assert_eq!(lost.collect::<Vec<_>>(), ["title"]);
    // A v1 filter has one phrase, so neither two keywords nor none can be mapped.
    for words in [vec![keyword("rain"), keyword("hail")], Vec::new()] {
        let refused = client.send(request.clone().keywords_attributes(words)).await;
        assert!(
            refused.expect_err("a refusal").to_string().contains("does not have filters.create")
        );
    }
}

#[tokio::test]
async fn an_error_of_a_release_is_explained() {
    let app = App::default();
    for (version, note) in [
        (
            "3.2.2",
            Some(
                "410 is answered when the account is suspended (mastodon: there since 2.4.0; the server is 3.2.2)",
            ),
        ),
        ("3.3.0", None),
    ] {
        let client = app.knowing("mastodon", version, Policy::Advise);
        assert_eq!(
            client.plan(&accounts::Get::new("1")).expect("a plan").notes.len(),
            usize::from(note.is_some())
        );
        let error = client.send(accounts::Get::new("1")).await.expect_err("an error");
        assert_eq!(error.status(), Some(StatusCode::GONE));
        assert_eq!(error.note().map(ToString::to_string).as_deref(), note);
        assert!(error.to_string().ends_with(note.unwrap_or("is gone")), "{error}");
    }
}

#[test]
fn what_stands_in_is_there() {
    let items = fedispec::items();
    let operations: Vec<_> = fedispec::client::readers().iter().map(Reader::operation).collect();
    for fallback in fedispec::client::FALLBACKS {
        let of = operations.iter().find(|one| one.id == fallback.of).expect(fallback.of);
        assert!(items.get(fallback.by.id).is_some(), "{}", fallback.by.id);
        let has = |operation: &fedispec::runtime::Operation, wire: &str| {
            operation.params.iter().any(|param| param.wire == wire)
        };
        for (name, there) in fallback.renames {
            assert!(has(of, name) && has(fallback.by, there), "{name} of {}", of.id);
        }
        for (_, _, there) in fallback.flags {
            assert!(has(fallback.by, there), "{there} of {}", fallback.by.id);
        }
        let flags = fallback.flags.iter().map(|(name, ..)| name);
        for name in flags.chain(fallback.loses).chain(fallback.needs) {
            assert!(has(of, name), "{name} of {}", of.id);
        }
        // No placeholder of the path is left.
        let paths = fallback.by.params.iter();
        let mut paths = paths.filter(|param| param.location == fedispec::runtime::Location::Path);
        let is_made =
            |there: &str| has(of, there) || fallback.renames.iter().any(|(_, by)| *by == there);
        assert!(paths.all(|param| is_made(param.wire)), "{}", of.id);
    }
    for (of, by) in [
        ("media.upload", "media.upload_v1"),
        ("filters.update", "filters_v1.update"),
        ("filters.delete", "filters_v1.delete"),
    ] {
        assert!(
            fedispec::client::FALLBACKS.iter().any(|one| one.of == of && one.by.id == by),
            "{of}"
        );
    }
}

#[test]
fn an_answer_is_begun_as_a_web_client_begins_it() {
    let me = |privacy| {
        let text = format!(
            r#"{{"id":"7","acct":"mona","username":"mona","display_name":"Mona","note":"","url":null,"locked":false,
            "avatar":"/a","avatar_static":"/a","header":"/h","header_static":"/h","created_at":"2024-01-01T00:00:00.000Z",
            "followers_count":1,"following_count":1,"statuses_count":1,
            "source":{{"privacy":"{privacy}","note":"","sensitive":false,"fields":[]}}}}"#
        );
        read::<entities::CredentialAccount>(&text).expect("an account").value
    };
    let mention = |id: &str, acct: &str| {
        read(&format!(
            r#"{{"id":"{id}","acct":"{acct}","username":"x","url":"https://x.example"}}"#
        ))
        .expect("a mention")
        .value
    };
    let mut status = crate::entities::status("31");
    status.account.id = "8".into();
    status.account.acct = "ben".into();
    status.mentions =
        vec![mention("7", "mona"), mention("8", "ben"), mention("9", "cy@far.example")];
    status.spoiler_text = "cats".into();
    status.language = Some("de".into());
    let reply = Create::reply(&status, &me("unlisted"), "hello");
    assert_eq!(reply.status.as_deref(), Some("@ben @cy@far.example hello"));
    assert_eq!(reply.in_reply_to_id.as_ref().map(fedispec::runtime::Id::as_str), Some("31"));
    assert_eq!(reply.spoiler_text.as_deref(), Some("cats"));
    assert_eq!((reply.language.as_deref(), reply.sensitive), (Some("de"), None));
    for (theirs, own, seen) in [
        ("public", "unlisted", "unlisted"),
        ("private", "public", "private"),
        ("direct", "private", "direct"),
        // A circle of one fork: nobody lists what sees less than it.
        ("limited", "public", "direct"),
        ("public", "local", "direct"),
    ] {
        status.visibility = Visibility::custom(theirs);
        let reply = Create::reply(&status, &me(own), "hello");
        assert_eq!(reply.visibility.expect("it is set").as_str(), seen, "{theirs}, {own}");
    }
}
