//! Streams of events, over a WebSocket or as server-sent events.

use fedispec::events::StreamEvent;
use fedispec::server::Events;
use fedispec::streaming;

use super::prelude::*;

pub fn handlers(server: Server<App>) -> Server<App> {
    server
        .on_stream(async |app, _: streaming::User, call| app.listen(&call, true, Store::is_home))
        .on_stream(async |app, req: streaming::Public, call| {
            app.listen(&call, false, move |db, me, post| {
                is_shown(post, req.only_media) && db.is_public(me, post)
            })
        })
        .on_stream(async |app, req: streaming::Hashtag, call| {
            app.listen(&call, false, move |db, me, post| {
                is_tagged(post, &req.tag) && db.is_public(me, post)
            })
        })
}

impl App {
    /// A stream of the statuses that are shown, and of the user's notifications perhaps.
    fn listen(
        &self,
        call: &Call,
        notifies: bool,
        shows: impl Fn(&Store, Key, &Post) -> bool + Send + 'static,
    ) -> Result<Events> {
        let me = key(call.account()?)?;
        // A client that is slower than this is let go.
        let (sender, events) = Events::channel(256);
        let listener = move |db: &Store, happening: &Happening| {
            let is_in = |key: &Key| shows(db, me, &db.posts[key]);
            let told = match happening {
                Happening::Posted(key) if is_in(key) => {
                    StreamEvent::Update(Box::new(db.status(me, *key)))
                }
                Happening::Removing(key) if is_in(key) => StreamEvent::Delete((*key).into()),
                Happening::Notified(to, key) if notifies && *to == me => {
                    let notice = &db.notifications[&(me, *key)];
                    StreamEvent::Notification(Box::new(db.notification(me, *key, notice)))
                }
                _ => return !sender.is_closed(),
            };
            sender.try_send(told.into()).is_ok()
        };
        self.lock().listeners.push(Box::new(listener));
        Ok(events)
    }
}
