//! A server that has reactions with an emoji, as its own catalogue tells of them.

mod fedispec {
    include!(concat!(env!("OUT_DIR"), "/fedispec.rs"));
}

use fedispec::{current, emoji_reactions, entities, server};
use fedispec_runtime::List;
use fedispec_runtime::server::{Call, Result};

#[derive(Clone)]
struct App;

impl server::EmojiReactions for App {
    async fn list(
        &self,
        _: emoji_reactions::List,
        _: Call,
    ) -> Result<List<entities::EmojiReaction>> {
        let tea = current::EmojiReaction {
            name: "🍵".into(),
            count: 1,
            me: true,
            accounts: Vec::new(),
        };
        Ok(List::from(vec![tea.into()]))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    let router = server::Server::new().emoji_reactions(App).into_router();
    axum::serve(listener, router).await
}
