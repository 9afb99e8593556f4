//! Statuses, and what is attached to them.

use fedispec::entities::{DeletedStatus, Mention, PollOption, StatusTag};
use fedispec::enums::MediaAttachmentType;
use fedispec::{bookmarks, current, favourites, media, polls};

use super::prelude::*;

pub const MAX_CHARACTERS: usize = 500;
pub const MAX_MEDIA: usize = 4;
pub const MAX_OPTIONS: usize = 4;

pub fn handlers(mount: Mount) -> Mount {
    mount
        .user(|db, me, req: statuses::Create, _| {
            check(&req)?;
            let key = db.publish(me, req)?;
            Ok(Either::Second(db.status(me, key)))
        })
        .user(|db, me, req: statuses::Delete, _| {
            let key = db.seen(me, &req.id)?;
            let post = Some(&db.posts[&key]).filter(|post| post.author == me);
            let text = post.ok_or_else(Error::not_found)?.text.clone();
            let shown = DeletedStatus::from_status(db.status(me, key), 0, text, None, None);
            db.remove(key);
            Ok(Either::First(shown))
        })
        .anybody(|db, me, req: statuses::Get, _| Ok(db.status(me, db.seen(me, &req.id)?)))
        .anybody(|db, me, req: statuses::Context, _| {
            let start = db.proper(me, &req.id)?;
            let is_seen = |key: &Key| db.posts.get(key).is_some_and(|post| db.sees(me, post));
            let mut above: Vec<Key> = db.above(start).filter(is_seen).collect();
            above.reverse();
            let (mut below, mut open) = (Vec::new(), vec![start]);
            while let Some(key) = open.pop() {
                below.push(key);
                let replies = db.posts[&key].replies.iter().rev();
                open.extend(replies.filter(|key| is_seen(key)));
            }
            let below = db.statuses(me, below.into_iter().skip(1));
            Ok(current::Context { ancestors: db.statuses(me, above), descendants: below }.into())
        })
        .user(|db, me, req: statuses::Reblog, _| {
            let key = db.proper(me, &req.id)?;
            let post = &db.posts[&key];
            let (author, is_open) = (post.author, post.status.visibility >= Visibility::Unlisted);
            if !is_open || post.boosts.contains_key(&me) {
                let known = post.boosts.get(&me).ok_or_else(Error::not_found)?;
                return Ok(db.status(me, *known));
            }
            let mut status = post.status.clone();
            status.visibility = req.visibility.unwrap_or(Visibility::Public);
            let boost = db.add(me, status, String::new());
            db.post_mut(boost)?.boost_of = Some(key);
            db.post_mut(key)?.boosts.insert(me, boost);
            db.notify(author, me, NotificationType::Reblog, Some(key));
            db.tell_posted(boost);
            Ok(db.status(me, boost))
        })
        .user(|db, me, req: statuses::Unreblog, _| {
            let key = db.proper(me, &req.id)?;
            if let Some(boost) = db.posts[&key].boosts.get(&me) {
                db.remove(*boost);
            }
            Ok(db.status(me, key))
        })
}

/// The actions of a user on statuses, and the media attached to them.
pub fn marks(mount: Mount) -> Mount {
    mount
        .user(|db, me, req: statuses::Favourite, _| {
            let key = db.proper(me, &req.id)?;
            let author = db.posts[&key].author;
            db.notify(author, me, NotificationType::Favourite, Some(key));
            db.mark(me, &req.id, |post, me| post.favourites.insert(me))
        })
        .user(|db, me, req: statuses::Unfavourite, _| {
            db.mark(me, &req.id, |post, me| post.favourites.remove(&me))
        })
        .user(|db, me, req: statuses::Bookmark, _| {
            db.mark(me, &req.id, |post, me| post.bookmarks.insert(me))
        })
        .user(|db, me, req: statuses::Unbookmark, _| {
            db.mark(me, &req.id, |post, me| post.bookmarks.remove(&me))
        })
        .user(|db, me, _: bookmarks::List, call| {
            Ok(db.page(me, call, |post| post.bookmarks.contains(&me)))
        })
        .user(|db, me, _: favourites::List, call| {
            Ok(db.page(me, call, |post| post.favourites.contains(&me)))
        })
        .user(|db, me, req: media::Get, _| own(&mut db.media, me, &req.id).cloned())
        .anybody(|db, me, req: polls::Get, _| {
            let poll = db.status(me, db.seen(me, &req.id.cast())?).poll;
            poll.ok_or_else(Error::not_found)
        })
        .user(|db, me, req: polls::Vote, _| {
            let key = db.seen(me, &req.id.cast())?;
            let post = db.post_mut(key)?;
            let poll = post.status.poll.as_mut().ok_or_else(Error::not_found)?;
            let chosen: BTreeSet<_> = req.choices.iter().copied().collect();
            let is_over = poll.expires_at.as_ref().is_some_and(Timestamp::is_past);
            let is_of_poll = |place: &i64| (0..count(poll.options.len())).contains(place);
            let is_good = (chosen.len() == 1 || poll.multiple) && chosen.iter().all(is_of_poll);
            if !is_good || is_over || post.votes.contains_key(&me) {
                return Err(invalid("The poll has ended"));
            }
            for (place, option) in (0..).zip(&mut poll.options) {
                let votes = option.votes_count.iter_mut();
                votes.for_each(|votes| *votes += i64::from(chosen.contains(&place)));
            }
            poll.votes_count += count(chosen.len());
            poll.voters_count = Some(count(post.votes.len() + 1));
            post.votes.insert(me, chosen.into_iter().collect());
            db.status(me, key).poll.ok_or_else(Error::not_found)
        })
}

/// Uploads. What a file is, its first bytes tell, or else its sender.
pub fn uploads(server: Server<App>) -> Server<App> {
    server.on(async |app: App, req: media::Upload, call: Call| {
        let (me, sniffed) = (key(call.account()?)?, req.file.sniff().await?);
        let declared = req.file.content_type().unwrap_or_default();
        let kind = sniffed.unwrap_or(declared).to_owned();
        let of = match kind.split('/').next() {
            Some("image") => MediaAttachmentType::Image,
            Some("video") => MediaAttachmentType::Video,
            Some("audio") => MediaAttachmentType::Audio,
            _ => return Err(invalid("File type is unknown")),
        };
        let mut db = app.lock();
        let (url, key) = (db.keep(&req.file.with_content_type(kind))?, db.next());
        let media = blank::media(key, of, url);
        let media = MediaAttachment { description: req.description, ..media };
        db.media.insert((me, key), media.clone());
        Ok(media)
    })
}

fn check(req: &statuses::Create) -> Result<()> {
    let text = req.status.as_deref().unwrap_or_default().trim();
    let (media, options) = (req.media_ids.len(), req.poll_options.len());
    let why = if text.is_empty() && media == 0 && options == 0 {
        "Text can't be blank"
    } else if text.chars().count() > MAX_CHARACTERS {
        "Text character limit exceeded"
    } else if media > MAX_MEDIA || options == 1 || options > MAX_OPTIONS {
        "Too many files, or too few or many options"
    } else if options > 0 && (media > 0 || req.poll_expires_in.is_none_or(|seconds| seconds < 1)) {
        "Poll must have an end, and no files beside it"
    } else {
        return Ok(());
    };
    Err(invalid(why))
}

/// Changes what a user did with a status.
type Mark = fn(&mut Post, Key) -> bool;

impl Store {
    /// Changes what the user did with a status.
    fn mark(&mut self, me: Key, id: &Id<Status>, change: Mark) -> Result<Status> {
        let key = self.proper(me, id)?;
        change(self.post_mut(key)?, me);
        Ok(self.status(me, key))
    }

    /// Posts a status, and tells everybody whom it concerns.
    fn publish(&mut self, me: Key, req: statuses::Create) -> Result<Key> {
        let user = self.user_mut(me)?;
        let (account, source) = (user.account.clone(), user.source.clone());
        let text = req.status.unwrap_or_default();
        let spoiler_text = req.spoiler_text.unwrap_or_default();
        let parent = req.in_reply_to_id.map(|id| self.seen(me, &id));
        let parent = parent.transpose()?;
        let named = text::named(&text, '@').filter_map(|name| self.named(name));
        let named: BTreeSet<Key> = named.collect();
        let tags: BTreeSet<_> = text::named(&text, '#').map(str::to_lowercase).collect();
        let visibility = req.visibility.unwrap_or(source.privacy);
        let media = req.media_ids.iter();
        let media = media.map(|id| own(&mut self.media, me, id).cloned());
        let status = Status {
            media_attachments: media.collect::<Result<_>>()?,
            content: self.html(&text),
            in_reply_to_id: parent.map(Into::into),
            in_reply_to_account_id: parent.map(|key| self.posts[&key].author.into()),
            mentions: named.iter().map(|key| self.mention(*key)).collect(),
            tags: tags.iter().map(|name| self.status_tag(name)).collect(),
            sensitive: req.sensitive == Some(true) || !spoiler_text.is_empty(),
            spoiler_text,
            language: req.language.or(source.language),
            ..blank::status(account, visibility)
        };
        let key = self.add(me, status, text);
        let options = req.poll_options.iter().map(|title| PollOption::new(title, Some(0)));
        let poll = req.poll_expires_in.map(|seconds| current::Poll {
            id: key.into(),
            expires_at: Some(Timestamp::in_seconds(seconds)),
            expired: false,
            multiple: req.poll_multiple.unwrap_or_default(),
            votes_count: 0,
            voters_count: Some(0),
            options: options.collect(),
            emojis: Vec::new(),
        });
        let poll = poll.map(Into::into);
        let post = self.post_mut(key)?;
        (post.parent, post.status.poll) = (parent, poll);
        if let Some(parent) = parent {
            self.post_mut(parent)?.replies.insert(key);
        }
        for to in &named {
            self.notify(*to, me, NotificationType::Mention, Some(key));
        }
        self.tell_posted(key);
        Ok(key)
    }

    /// Adds a status or a boost.
    fn add(&mut self, author: Key, mut status: Status, text: String) -> Key {
        let key = self.next();
        status.uri = format!("{}/{key}", self.profile(author));
        status.url = Some(status.uri.clone());
        (status.id, status.created_at) = (key.into(), Timestamp::now());
        let post = Post {
            status,
            author,
            text,
            boost_of: None,
            parent: None,
            replies: BTreeSet::new(),
            boosts: BTreeMap::new(),
            favourites: BTreeSet::new(),
            bookmarks: BTreeSet::new(),
            votes: BTreeMap::new(),
        };
        self.posts.insert(key, post);
        key
    }

    fn status_tag(&self, name: &str) -> StatusTag {
        current::StatusTag { name: name.to_owned(), url: self.url(&format!("tags/{name}")) }.into()
    }

    fn mention(&self, key: Key) -> Mention {
        let account = &self.users[&key].account;
        let (username, acct) = (account.username.clone(), account.acct.clone());
        let url = Some(self.profile(key));
        current::Mention { id: key.into(), username, url, acct }.into()
    }
}
