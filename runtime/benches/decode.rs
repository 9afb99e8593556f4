//! Decoding a page of 40 statuses: the runtime's types and lists against structs as one writes them by hand.
#![allow(
    missing_docs,
    dead_code,
    unreachable_pub,
    reason = "the structs are decoded and not read"
)]

use std::collections::BTreeMap;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fedispec_runtime as rt;
use serde::Deserialize;

/// The same structs twice: `$id`, `$time`, `$visibility` are the runtime's types or text, `$list` its list attribute or none.
macro_rules! statuses {
    ($module:ident, $id:ty, $time:ty, $visibility:ty, $list:expr) => {
        mod $module {
            #[allow(unused_imports, reason = "one of the two modules names it")]
            use super::*;

            #[derive(Deserialize)]
            pub struct Status {
                pub id: $id,
                pub created_at: $time,
                pub in_reply_to_id: Option<$id>,
                pub sensitive: bool,
                pub spoiler_text: String,
                pub visibility: $visibility,
                pub language: Option<String>,
                pub uri: String,
                pub url: Option<String>,
                pub replies_count: i64,
                pub reblogs_count: i64,
                pub favourites_count: i64,
                pub content: String,
                pub reblog: Option<Box<Status>>,
                pub account: Account,
                #[serde(default, deserialize_with = $list)]
                pub media_attachments: Vec<Attachment>,
                #[serde(default, deserialize_with = $list)]
                pub mentions: Vec<Mention>,
                #[serde(default, deserialize_with = $list)]
                pub tags: Vec<Tag>,
                #[serde(default, deserialize_with = $list)]
                pub emojis: Vec<Emoji>,
            }

            #[derive(Deserialize)]
            pub struct Account {
                pub id: $id,
                pub username: String,
                pub acct: String,
                pub display_name: String,
                pub locked: bool,
                pub bot: bool,
                pub created_at: $time,
                pub note: String,
                pub url: String,
                pub avatar: String,
                pub header: String,
                pub followers_count: i64,
                pub following_count: i64,
                pub statuses_count: i64,
                pub last_status_at: Option<$time>,
                #[serde(default, deserialize_with = $list)]
                pub emojis: Vec<Emoji>,
                #[serde(default, deserialize_with = $list)]
                pub fields: Vec<Field>,
            }

            #[derive(Deserialize)]
            pub struct Attachment {
                pub id: $id,
                pub r#type: String,
                pub url: Option<String>,
                pub description: Option<String>,
                pub blurhash: Option<String>,
                pub meta: BTreeMap<String, rt::Json>,
            }

            #[derive(Deserialize)]
            pub struct Mention {
                pub id: $id,
                pub username: String,
                pub url: String,
                pub acct: String,
            }

            #[derive(Deserialize)]
            pub struct Tag {
                pub name: String,
                pub url: String,
            }

            #[derive(Deserialize)]
            pub struct Emoji {
                pub shortcode: String,
                pub url: String,
                pub static_url: String,
                pub visible_in_picker: bool,
            }

            #[derive(Deserialize)]
            pub struct Field {
                pub name: String,
                pub value: String,
                pub verified_at: Option<$time>,
            }
        }
    };
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Visibility {
    Public,
    Unlisted,
    Private,
    Direct,
    Unrecognized(Box<str>),
}
rt::open_enum!(Visibility { Public = "public", Unlisted = "unlisted", Private = "private", Direct = "direct" });

fn plain<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Vec::deserialize(deserializer)
}

statuses!(
    by_runtime,
    rt::Id<Status>,
    rt::Timestamp,
    Visibility,
    "rt::de::list"
);
statuses!(by_hand, String, String, String, "plain");

fn status(number: usize) -> rt::Json {
    let paragraph = "<p>Es grünt so grün, said <span class=\\\"h-card\\\">nobody</span> in the garden of words &amp; letters.</p>";
    let emojis = serde_json::json!([{"shortcode": "leaf", "url": "https://files.example.org/leaf.png", "static_url": "https://files.example.org/leaf_static.png", "visible_in_picker": true}]);
    serde_json::json!({
        "id": format!("11328{number:013}"), "created_at": "2024-10-08T12:30:00.000Z", "in_reply_to_id": null, "sensitive": false, "spoiler_text": "",
        "visibility": "public", "language": "en", "uri": format!("https://example.org/users/mona/statuses/{number}"), "url": format!("https://example.org/@mona/{number}"),
        "replies_count": 3, "reblogs_count": 14, "favourites_count": 159, "edited_at": null, "content": paragraph.repeat(2), "reblog": null, "bookmarked": false,
        "account": {
            "id": "109", "username": "mona", "acct": "mona@example.org", "display_name": "Mona :leaf:", "locked": false, "bot": false, "group": false,
            "created_at": "2017-04-01T00:00:00.000Z", "note": paragraph, "url": "https://example.org/@mona", "uri": "https://example.org/users/mona",
            "avatar": "https://files.example.org/accounts/avatars/000/000/109/original/a.png", "header": "https://files.example.org/accounts/headers/000/000/109/original/h.png",
            "followers_count": 320, "following_count": 453, "statuses_count": 5000, "last_status_at": "2024-10-08", "emojis": emojis,
            "fields": [{"name": "Site", "value": "<a href=\\\"https://example.org\\\">example.org</a>", "verified_at": "2023-01-01T00:00:00.000Z"}]
        },
        "media_attachments": [{"id": "7", "type": "image", "url": "https://files.example.org/m/7.png", "description": "A garden", "blurhash": "UBL_:rOpGG-oBUNG", "meta": {"original": {"width": 640, "height": 480}}}],
        "mentions": [{"id": "8", "username": "nobody", "url": "https://example.org/@nobody", "acct": "nobody"}],
        "tags": [{"name": "garden", "url": "https://example.org/tags/garden"}], "emojis": emojis, "card": null, "poll": null
    })
}

fn decode(criterion: &mut Criterion) {
    let page: Vec<_> = (0..40).map(status).collect();
    let body = serde_json::to_vec(&page).unwrap_or_default();
    let mut group = criterion.benchmark_group("decode a page of 40 statuses");
    group.throughput(criterion::Throughput::Bytes(body.len() as u64));
    group.bench_function("structs by hand", |bencher| {
        bencher.iter(|| {
            let text = std::str::from_utf8(black_box(&body)).unwrap_or_default();
            serde_json::from_str::<Vec<by_hand::Status>>(text).map(|page| page.len())
        });
    });
    group.bench_function("runtime", |bencher| {
        bencher.iter(|| {
            let text = std::str::from_utf8(black_box(&body)).unwrap_or_default();
            rt::de::read_list::<by_runtime::Status>(text).map(|page| page.len())
        });
    });
    let mut spoilt = page;
    spoilt[20]["account"]["id"] = rt::Json::Null;
    let body = serde_json::to_string(&spoilt).unwrap_or_default();
    group.bench_function("runtime, one status refused", |bencher| {
        bencher.iter(|| {
            rt::de::read_list::<by_runtime::Status>(black_box(&body))
                .map(|page| page.rejected.len())
        });
    });
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);
