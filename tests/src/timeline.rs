//! A page of a timeline, and hand-written structs that read and write it, as the peer in benchmarks and allocation counts.

#![allow(missing_docs, clippy::struct_excessive_bools, reason = "the fields are the API's")]

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Status {
    pub id: String,
    pub created_at: String,
    pub edited_at: Option<String>,
    pub in_reply_to_id: Option<String>,
    pub in_reply_to_account_id: Option<String>,
    pub sensitive: bool,
    pub spoiler_text: String,
    pub visibility: String,
    pub language: Option<String>,
    pub uri: String,
    pub url: Option<String>,
    pub replies_count: i64,
    pub reblogs_count: i64,
    pub favourites_count: i64,
    pub quotes_count: i64,
    pub favourited: bool,
    pub reblogged: bool,
    pub muted: bool,
    pub bookmarked: bool,
    pub pinned: Option<bool>,
    pub content: String,
    pub filtered: Vec<Value>,
    pub reblog: Option<Box<Status>>,
    pub application: Option<Application>,
    pub account: Account,
    pub media_attachments: Vec<Attachment>,
    pub mentions: Vec<Mention>,
    pub tags: Vec<Tag>,
    pub emojis: Vec<Emoji>,
    pub card: Option<Card>,
    pub poll: Option<Poll>,
    pub quote: Option<Value>,
    pub quote_approval: QuoteApproval,
    pub tagged_collections: Vec<Value>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Application {
    pub name: String,
    pub website: Option<String>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct QuoteApproval {
    pub automatic: Vec<String>,
    pub manual: Vec<String>,
    pub current_user: String,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Account {
    pub id: String,
    pub username: String,
    pub acct: String,
    pub display_name: String,
    pub locked: bool,
    pub bot: bool,
    pub discoverable: Option<bool>,
    pub indexable: bool,
    pub group: bool,
    pub noindex: bool,
    pub created_at: String,
    pub note: String,
    pub url: String,
    pub uri: String,
    pub avatar: String,
    pub avatar_static: String,
    pub avatar_description: String,
    pub header: String,
    pub header_static: String,
    pub header_description: String,
    pub followers_count: i64,
    pub following_count: i64,
    pub statuses_count: i64,
    pub last_status_at: Option<String>,
    pub hide_collections: Option<bool>,
    pub show_media: bool,
    pub show_media_replies: bool,
    pub show_featured: bool,
    pub emojis: Vec<Emoji>,
    pub roles: Vec<Value>,
    pub fields: Vec<Field>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Field {
    pub name: String,
    pub value: String,
    pub verified_at: Option<String>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Emoji {
    pub shortcode: String,
    pub url: String,
    pub static_url: String,
    pub visible_in_picker: bool,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Attachment {
    pub id: String,
    pub r#type: String,
    pub url: Option<String>,
    pub preview_url: Option<String>,
    pub remote_url: Option<String>,
    pub preview_remote_url: Option<String>,
    pub text_url: Option<String>,
    pub meta: Meta,
    pub description: Option<String>,
    pub blurhash: Option<String>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Meta {
    pub original: Size,
    pub small: Size,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Size {
    pub width: i64,
    pub height: i64,
    pub size: String,
    pub aspect: f64,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Mention {
    pub id: String,
    pub username: String,
    pub url: String,
    pub acct: String,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Tag {
    pub name: String,
    pub url: String,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Card {
    pub url: String,
    pub title: String,
    pub description: String,
    pub language: Option<String>,
    pub r#type: String,
    pub author_name: String,
    pub author_url: String,
    pub provider_name: String,
    pub provider_url: String,
    pub html: String,
    pub width: i64,
    pub height: i64,
    pub image: Option<String>,
    pub image_description: String,
    pub embed_url: String,
    pub blurhash: Option<String>,
    pub published_at: Option<String>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Poll {
    pub id: String,
    pub expires_at: Option<String>,
    pub expired: bool,
    pub multiple: bool,
    pub votes_count: i64,
    pub voters_count: Option<i64>,
    pub voted: Option<bool>,
    pub own_votes: Vec<i64>,
    pub options: Vec<PollOption>,
    pub emojis: Vec<Emoji>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct PollOption {
    pub title: String,
    pub votes_count: Option<i64>,
}

/// The body of a page with that many statuses, as Mastodon 4.6 sends them: every fourth is a boost, every fifth has a picture, and
/// some have a card or a poll.
pub fn page(statuses: usize) -> Vec<Value> {
    (0..statuses)
        .map(|number| {
            let mut status = status(number);
            if number % 4 == 3 {
                status["reblog"] = self::status(number + 1000);
                status["content"] = json!("");
            }
            status
        })
        .collect()
}

fn status(number: usize) -> Value {
    let text = "<p>Es grünt so grün, said <span class=\"h-card\">nobody</span> in the garden of words &amp; letters.</p>";
    json!({
        "id": format!("11328{number:013}"), "created_at": "2024-10-08T12:30:00.000Z", "edited_at": null, "in_reply_to_id": null, "in_reply_to_account_id": null,
        "sensitive": false, "spoiler_text": "", "visibility": "public", "language": "en", "uri": format!("https://a.example/users/mona/statuses/{number}"),
        "url": format!("https://a.example/@mona/{number}"), "replies_count": 3, "reblogs_count": 14, "favourites_count": 159, "quotes_count": 0,
        "favourited": false, "reblogged": false, "muted": false, "bookmarked": false, "content": text.repeat(2), "filtered": [], "reblog": null,
        "application": {"name": "Web", "website": null}, "account": account(number),
        "media_attachments": if number % 5 == 1 { json!([attachment(number)]) } else { json!([]) },
        "mentions": if number % 2 == 1 { json!([{"id": "8", "username": "nobody", "url": "https://a.example/@nobody", "acct": "nobody"}]) } else { json!([]) },
        "tags": [{"name": "garden", "url": "https://a.example/tags/garden"}], "emojis": [],
        "card": if number % 5 == 2 { card() } else { Value::Null }, "poll": if number % 8 == 5 { poll() } else { Value::Null }, "quote": null,
        "quote_approval": {"automatic": ["public"], "manual": [], "current_user": "automatic"}, "tagged_collections": []
    })
}

fn account(number: usize) -> Value {
    let leaf = json!({"shortcode": "leaf", "url": "https://files.example/leaf.png", "static_url": "https://files.example/leaf_static.png", "visible_in_picker": true});
    json!({
        "id": number.to_string(), "username": "mona", "acct": "mona@a.example", "display_name": "Mona :leaf:", "locked": false, "bot": false, "discoverable": true,
        "indexable": true, "group": false, "noindex": false, "created_at": "2017-04-01T00:00:00.000Z", "note": "<p>A garden of words.</p>",
        "url": "https://a.example/@mona", "uri": "https://a.example/users/mona", "avatar": "https://files.example/accounts/avatars/109/original/a.png",
        "avatar_static": "https://files.example/accounts/avatars/109/static/a.png", "avatar_description": "", "header": "https://files.example/accounts/headers/109/original/h.png",
        "header_static": "https://files.example/accounts/headers/109/static/h.png", "header_description": "", "followers_count": 320, "following_count": 453,
        "statuses_count": 5000, "last_status_at": "2024-10-08", "hide_collections": null, "show_media": true, "show_media_replies": true, "show_featured": true,
        "emojis": [leaf], "roles": [],
        "fields": [{"name": "Site", "value": "<a href=\"https://a.example\">a.example</a>", "verified_at": "2023-01-01T00:00:00.000Z"}]
    })
}

fn attachment(number: usize) -> Value {
    let size = |width: i64| json!({"width": width, "height": 480, "size": format!("{width}x480"), "aspect": 1.333});
    json!({
        "id": number.to_string(), "type": "image", "url": "https://files.example/m/7.png", "preview_url": "https://files.example/m/7_small.png", "remote_url": null,
        "preview_remote_url": null, "text_url": null, "meta": {"original": size(640), "small": size(320)}, "description": "A garden", "blurhash": "UBL_:rOpGG-oBUNG"
    })
}

fn card() -> Value {
    json!({
        "url": "https://news.example/1", "title": "A garden opens", "description": "On Sunday.", "language": "en", "type": "link", "author_name": "", "author_url": "",
        "provider_name": "News", "provider_url": "", "html": "", "width": 400, "height": 200, "image": "https://files.example/c/1.png", "image_description": "",
        "embed_url": "", "blurhash": "UBL_:rOpGG-oBUNG", "published_at": null
    })
}

fn poll() -> Value {
    json!({
        "id": "34", "expires_at": "2024-10-09T12:30:00.000Z", "expired": false, "multiple": false, "votes_count": 10, "voters_count": 10, "voted": false, "own_votes": [],
        "options": [{"title": "Roses", "votes_count": 6}, {"title": "Tulips", "votes_count": 4}], "emojis": []
    })
}
