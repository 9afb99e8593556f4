//! Streams of events, over a WebSocket or as server-sent events.

use fedispec::events::StreamEvent;
use fedispec::server::{Events, Publication, Topic};
use fedispec::streaming;

use super::prelude::*;

pub fn handlers(server: Server<App>) -> Server<App> {
    server
        .on_stream(async |app, _: streaming::User, call| {
            let user = Topic::user(call.account()?);
            Ok(app.lock().hub.subscribe([user]))
        })
        .on_stream(async |app, req: streaming::Public, call| {
            app.public(&call, Topic::public(None, req.only_media == Some(true)))
        })
        .on_stream(async |app, req: streaming::Hashtag, call| {
            app.public(&call, Topic::tag(&req.tag, false))
        })
}

impl App {
    /// Public statuses, but for those of authors whom the user does not want.
    fn public(&self, call: &Call, topic: Topic) -> Result<Events> {
        let (me, app) = (key(call.account()?)?, self.clone());
        let wants = move |told: &Publication| {
            let (db, mut authors) = (app.lock(), told.accounts().iter().map(key));
            authors.all(|author| author.is_ok_and(|author| !db.avoids(me, author)))
        };
        Ok(self.lock().hub.subscribe_only([topic], wants))
    }
}

impl Store {
    /// Tells of a status: each user whose home timeline has it, and as strangers see it where it
    /// is public.
    pub fn tell(&mut self, of: Key, event: impl Fn(&Self, Option<Key>) -> StreamEvent) {
        let post = &self.posts[&of];
        let homes = self.users.keys().filter(|me| self.is_home(**me, post));
        let told = |me: &Key| Publication::new(event(self, Some(*me))).to(user(*me));
        let mut outbox: Vec<_> = homes.map(told).collect();
        if self.is_public(None, post) {
            let tags = post.status.tags.iter().map(|tag| &*tag.name);
            let has_media = !post.status.media_attachments.is_empty();
            let told = Publication::new(event(self, None)).about(Id::<Account>::from(post.author));
            outbox.push(told.to_all(Topic::of_public(true, has_media, tags)));
        }
        self.outbox.append(&mut outbox);
    }

    pub fn tell_posted(&mut self, of: Key) {
        self.tell(of, |db, me| StreamEvent::Update(Box::new(db.status(me, of))));
    }

    pub fn tell_notified(&mut self, to: Key, notification: Key) {
        let notice = &self.notifications[&(to, notification)];
        let event =
            StreamEvent::Notification(Box::new(self.notification(to, notification, notice)));
        self.outbox.push(Publication::new(event).to(user(to)));
    }
}

fn user(key: Key) -> Topic {
    Topic::user(Id::<Account>::from(key))
}
