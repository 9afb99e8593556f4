//! Posting statuses, and actions on single ones.

use fedispec::enums::QuotePolicy;
use fedispec::statuses;

use super::accounts::keep_picture;
use super::prelude::*;
use super::scheduled_statuses::{SCHEDULED, too_soon};
use crate::languages;
use crate::store::media::focus;
use crate::store::scheduled::Scheduled;
use crate::store::statuses::{Draft, DraftPoll};
use crate::text::{self, graphemes};
use crate::views::account::PLAIN;

/// Why a poll is refused that has one option or none.
const FEW: &str = "Choices must have more than one item";
/// Why a status is not pinned.
const NOT_OWN: &str = "Someone else's post cannot be pinned";
const PRIVATE: &str = "Posts that are only visible to mentioned users cannot be pinned";
const FULL: &str = "You have already pinned the maximum number of posts";

/// The poll that a request asks for, which posting and editing do alike.
macro_rules! asked_poll {
    ($request:ident) => {
        DraftPoll {
            options: $request.poll_options,
            seconds: $request.poll_expires_in.unwrap_or_default(),
            multiple: $request.poll_multiple.unwrap_or_default(),
            hide_totals: $request.poll_hide_totals.unwrap_or_default(),
        }
    };
}

pub(super) fn posting(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|mut state, me, request: statuses::Create, call| {
            let user = state.known_account(me)?.user.as_ref();
            let defaults = user.map(|user| user.defaults.clone()).unwrap_or_default();
            let locale = user.map(|user| user.locale.clone()).filter(|locale| !locale.is_empty());
            let in_reply_to = request.in_reply_to_id.map(|id| {
                let missing = "The post you are trying to reply to does not appear to exist.";
                known_status(&state, &id, me, missing)
            });
            let quote = request.quoted_status_id.map(|id| {
                let missing = "The post you are trying to quote does not appear to exist.";
                let quoted = known_status(&state, &id, me, missing)?;
                let may =
                    state.statuses.get(&quoted).is_some_and(|quoted| state.may_quote(me, quoted));
                may.then_some(quoted).ok_or_else(|| Error::new(StatusCode::NOT_FOUND, missing))
            });
            let (in_reply_to, quote) = (in_reply_to.transpose()?, quote.transpose()?);
            let spoiler_text = request.spoiler_text.unwrap_or_default();
            let sensitive = request.sensitive.unwrap_or(defaults.sensitive);
            let has_poll = !request.poll_options.is_empty();
            let draft = Draft {
                text: request.status.unwrap_or_default(),
                visibility: request.visibility.unwrap_or(defaults.visibility),
                sensitive: sensitive || !spoiler_text.is_empty(),
                spoiler_text,
                language: request.language.or(defaults.language).or(locale),
                in_reply_to,
                media: media(&state, me, &request.media_ids, None, has_poll, &call)?,
                poll: poll(&state, &call, asked_poll!(request))?,
                quote,
                quote_policy: request.quote_approval_policy.unwrap_or(defaults.quote_policy),
                content_type: request.content_type.or(defaults.content_type),
                local_only: request.local_only.unwrap_or_default(),
                app: state.app(&call).map(|app| app.id),
            };
            let draft = checked(&state, draft, &call)?;
            let is_told = call.names("allowed_mentions");
            if is_told && state.release().has("statuses.create.allowed_mentions") {
                only_expected(&state, me, &draft, &request.allowed_mentions)?;
            }
            let at = request.scheduled_at.as_ref().map(|at| {
                // Mastodon does not say what is wrong with what is no time.
                from_time(at).ok_or_else(|| Error::unprocessable("Record invalid"))
            });
            if let Some(at) = at.transpose()?
                && at > state.now()
            {
                let why = refused(
                    StatusCode::NOT_IMPLEMENTED,
                    "scheduled statuses are not yet supported",
                );
                refuse_if!(does(&call, Habit::SchedulesNothing), why);
                refuse_if!(at < state.soonest(), too_soon(&call));
                let schedule = |id, _| Scheduled { id, account: me, at, draft };
                return Ok(Either::First(SCHEDULED.add(&mut state, me, schedule)));
            }
            let id = state.post(me, draft);
            seen(&state, me, id).map(Either::Second)
        }))
        .on(by_viewer(|state, viewer, request: statuses::Get, _| {
            Ok(state.view(viewer).status_of(state.status(&request.id, viewer)?))
        }))
        .on(by_viewer(|state, viewer, request: statuses::GetMany, _| {
            at_most(&request.id, 20)?;
            let known = request.id.iter().filter_map(|id| state.status(id, viewer).ok());
            Ok(known.map(|status| state.view(viewer).status_of(status)).collect())
        }))
        .on(by_user(|mut state, me, request: statuses::Delete, _| {
            let status = own(&state, &request.id, me)?;
            let (id, media) = (status.id, status.draft.media.clone());
            let (text, replies) = (status.draft.text.clone(), count(status.replies.len()));
            let shown = seen(&state, me, id)?;
            state.delete_status(id);
            for key in media {
                if request.delete_media == Some(true) {
                    state.media.remove(&key);
                } else if let Some(medium) = state.media.get_mut(&key) {
                    // The client gets the source, for posting it again.
                    medium.status = None;
                }
            }
            Ok(Either::First(entities::DeletedStatus {
                content: Some(shown.content.clone()),
                ..entities::DeletedStatus::from_status(shown, replies, text, None, None)
            }))
        }))
}

pub(super) fn reading(server: Server<App>) -> Server<App> {
    server
        .on(by_viewer(|state, viewer, request: statuses::Context, _| {
            let status = state.proper(&request.id, viewer)?;
            let is_seen = |key: &Key| {
                let status = state.statuses.get(key);
                status.is_some_and(|status| state.can_see(viewer, status))
            };
            let parent = |status: Key| state.statuses.get(&status)?.draft.in_reply_to;
            let mut ancestors: Vec<_> =
                std::iter::successors(parent(status.id), |key| parent(*key)).collect();
            ancestors.retain(is_seen);
            ancestors.reverse();
            let mut descendants = Vec::new();
            let mut open: Vec<Key> = status.replies.iter().rev().copied().collect();
            while let Some(key) = open.pop() {
                descendants.push(key);
                let replies = state.statuses.get(&key).map(|status| &status.replies);
                open.extend(replies.into_iter().flatten().rev());
            }
            descendants.retain(is_seen);
            let view = state.view(viewer);
            let context = current::Context {
                ancestors: view.statuses(ancestors),
                descendants: view.statuses(descendants),
            };
            Ok(context.into())
        }))
        .on(async |_: App, _: statuses::Translate, _| {
            // As of a server to which no translator is connected.
            Err(Error::not_found())
        })
        .on(by_viewer(|state, viewer, request: statuses::RebloggedBy, call| {
            let status = state.proper(&request.id, viewer)?;
            // Mastodon tells nobody of boosts for followers.
            let is_told = |boost: &Key| {
                let boost = state.statuses.get(boost);
                state.does(Habit::ListsAllBoosts)
                    || boost.is_some_and(|boost| {
                        matches!(boost.draft.visibility, Visibility::Public | Visibility::Unlisted)
                    })
            };
            let boosters = status.boosts.iter().filter(|(_, boost)| is_told(boost));
            let boosters = boosters.map(|(account, boost)| (*boost, *account));
            Ok(state.view(viewer).account_page(&call, boosters))
        }))
        .on(by_viewer(|state, viewer, request: statuses::FavouritedBy, call| {
            let status = state.proper(&request.id, viewer)?;
            let favourites = status.favourites.iter().map(|(account, key)| (*key, *account));
            Ok(state.view(viewer).account_page(&call, favourites))
        }))
        .on(by_viewer(|state, viewer, request: statuses::Quotes, call| {
            let status = state.proper(&request.id, viewer)?;
            let quotes = status.quotes.iter().copied().filter(|key| {
                let quote = state.statuses.get(key).filter(|quote| !quote.quote_revoked);
                quote.is_some_and(|quote| state.can_see(viewer, quote))
            });
            Ok(state.view(viewer).status_page(&call, quotes.map(|key| (key, key))))
        }))
        .on(by_user(|mut state, me, request: statuses::RevokeQuote, _| {
            let quoted = own(&state, &request.id, me)?.id;
            let quote = state.status(&request.quoting_status_id, Some(me))?.id;
            if state.statuses.get(&quote).is_none_or(|quote| quote.draft.quote != Some(quoted)) {
                return Err(Error::not_found());
            }
            state.statuses.change(quote, |quote| quote.quote_revoked = true);
            seen(&state, me, quote)
        }))
        .on(by_user(|mut state, me, request: statuses::Favourite, _| {
            let key = state.next_key();
            let status = state.proper(&request.id, Some(me))?;
            let (id, author) = (status.id, status.account);
            if !status.favourites.contains_key(&me) {
                state.statuses.change(id, |status| status.favourites.insert(me, key));
                state.notify(author, NotificationType::Favourite, me, Some(id));
            }
            seen(&state, me, id)
        }))
        .on(act!(change, statuses::Unfavourite, |one, me, _| _ = one.favourites.remove(&me)))
        .on(act!(change, statuses::Bookmark, |one, me, key| {
            one.bookmarks.entry(me).or_insert(key);
        }))
}

pub(super) fn acting(server: Server<App>) -> Server<App> {
    server
        .on(act!(change, statuses::Unbookmark, |one, me, _| _ = one.bookmarks.remove(&me)))
        .on(by_user(|mut state, me, request: statuses::Reblog, call| {
            let status = state.proper(&request.id, Some(me))?;
            let visibility = match &status.draft.visibility {
                Visibility::Direct => return Err(unboostable(&call)),
                Visibility::Private if status.account != me => return Err(unboostable(&call)),
                Visibility::Private => Visibility::Private,
                _ => request.visibility.unwrap_or(Visibility::Public),
            };
            let id = status.id;
            let app = state.app(&call).map(|app| app.id);
            let boost = state.boost(me, id, visibility, app)?;
            seen(&state, me, boost)
        }))
        .on(by_user(|mut state, me, request: statuses::Unreblog, _| {
            let status = state.proper(&request.id, Some(me))?;
            let (id, boost) = (status.id, status.boosts.get(&me).copied());
            if let Some(boost) = boost {
                state.delete_status(boost);
            }
            seen(&state, me, id)
        }))
        .on(by_user(|mut state, me, request: statuses::Mute, _| {
            let id = state.proper(&request.id, Some(me))?.id;
            let thread = state.thread(id);
            if let Some(first) = thread.last() {
                state.statuses.change(*first, |first| first.muted_by.insert(me));
            }
            seen(&state, me, id)
        }))
        .on(by_user(|mut state, me, request: statuses::Unmute, _| {
            let id = state.proper(&request.id, Some(me))?.id;
            for key in state.thread(id) {
                state.statuses.change(key, |status| status.muted_by.remove(&me));
            }
            seen(&state, me, id)
        }))
        .on(by_user(|mut state, me, request: statuses::Pin, call| {
            let status = state.proper(&request.id, Some(me))?;
            let (id, author) = (status.id, status.account);
            let is_private = status.draft.visibility == Visibility::Direct;
            let pinned = state.statuses.with(Label::Pinned).filter(|status| {
                status.account == me && status.pinned.is_some() && status.id != id
            });
            let is_full = count(pinned.count()) >= state.bounds().pinned;
            for (applies, of_model, of_handler) in [
                (author != me, NOT_OWN, "status does not belong to the account"),
                (is_private, PRIVATE, "cannot pin direct messages"),
                (is_full, FULL, "status pin limit exceeded"),
            ] {
                refuse_if!(applies, invalid(&call, of_model, of_handler));
            }
            let key = state.next_key();
            state.statuses.change(id, |status| _ = status.pinned.get_or_insert(key));
            seen(&state, me, id)
        }))
        .on(by_user(|mut state, me, request: statuses::UnpinStatus, _| {
            let id = own(&state, &request.id, me)?.id;
            state.statuses.change(id, |status| status.pinned = None);
            seen(&state, me, id)
        }))
}

pub(super) fn editing(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|mut state, me, request: statuses::Update, call| {
            let status = own(&state, &request.id, me)?;
            let (id, before) = (status.id, status.draft.clone());
            let spoiler_text = request.spoiler_text.unwrap_or_default();
            let has_poll = !request.poll_options.is_empty();
            let draft = Draft {
                text: request.status.unwrap_or_default(),
                sensitive: request.sensitive.unwrap_or_default() || !spoiler_text.is_empty(),
                spoiler_text,
                language: request.language.or(before.language),
                media: media(&state, me, &request.media_ids, Some(id), has_poll, &call)?,
                poll: poll(&state, &call, asked_poll!(request))?,
                quote_policy: request.quote_approval_policy.unwrap_or(before.quote_policy),
                content_type: request.content_type.or(before.content_type),
                ..before
            };
            for attributes in request.media_attributes {
                let key = attributes.id.as_ref().and_then(|id| state.key(id));
                let medium = key.filter(|key| draft.media.contains(key));
                let thumbnail = keep_picture(&mut state, attributes.thumbnail.as_ref())?;
                if let Some(medium) = medium.and_then(|key| state.media.get_mut(&key)) {
                    medium.description = attributes.description.or(medium.description.take());
                    let given = attributes.focus.as_deref().and_then(focus);
                    medium.focus = given.or(medium.focus);
                    medium.thumbnail = thumbnail.or(medium.thumbnail);
                }
            }
            let draft = checked(&state, draft, &call)?;
            state.edit(id, draft)?;
            seen(&state, me, id)
        }))
        .on(by_user(|mut state, me, request: statuses::UpdateInteractionPolicy, _| {
            let id = own(&state, &request.id, me)?.id;
            let policy = request.quote_approval_policy.unwrap_or(QuotePolicy::Nobody);
            state.statuses.change(id, |status| status.draft.quote_policy = policy);
            seen(&state, me, id)
        }))
        .on(by_viewer(|state, viewer, request: statuses::History, _| {
            let status = state.proper(&request.id, viewer)?;
            Ok(state.view(viewer).edits(status).into())
        }))
        .on(by_viewer(|state, viewer, request: statuses::Source, _| {
            let status = state.proper(&request.id, viewer)?;
            Ok(entities::StatusSource {
                content_type: { status.draft.content_type.clone() }
                    .or_else(|| Some(PLAIN.to_owned())),
                ..current::StatusSource {
                    id: state.id(status.id),
                    text: status.draft.text.clone(),
                    spoiler_text: status.draft.spoiler_text.clone(),
                }
                .into()
            })
        }))
        .on(by_viewer(|state, viewer, request: statuses::Card, _| {
            let status = state.status(&request.id, viewer)?;
            // A status without a card had an empty one.
            let card = state.view(viewer).card(&status.draft);
            Ok(card.map_or(Either::Second(Empty), Either::First))
        }))
}

/// Changes a status that the caller sees; the change is given a key of its own.
fn change(
    state: &mut State,
    me: Key,
    id: &Id<entities::Status>,
    change: impl FnOnce(&mut Status, Key, Key),
) -> Result<entities::Status> {
    let key = state.next_key();
    let id = state.proper(id, Some(me))?.id;
    state.statuses.change(id, |status| change(status, me, key));
    seen(state, me, id)
}

/// A status as the caller sees it.
fn seen(state: &State, me: Key, id: Key) -> Result<entities::Status> {
    state.view(me).status(id).ok_or_else(Error::not_found)
}

fn unboostable(call: &Call) -> Error {
    let why = "you do not have permission to boost this status";
    told_or(call, StatusCode::FORBIDDEN, why, Error::forbidden())
}

/// The caller's own status.
fn own<'s>(state: &'s Locked<'_>, id: &Id<entities::Status>, me: Key) -> Result<&'s Status> {
    let status = state.status(id, Some(me))?;
    if status.account == me {
        Ok(status)
    } else if state.does(Habit::TellsWhy) {
        Err(Error::forbidden())
    } else {
        Err(Error::not_found())
    }
}

/// The status that a draft answers or quotes.
fn known_status(state: &State, id: &Id<entities::Status>, me: Key, missing: &str) -> Result<Key> {
    let status = state.proper(id, Some(me));
    let status = status.map_err(|error| {
        if state.does(Habit::TellsWhy) { error } else { Error::new(StatusCode::NOT_FOUND, missing) }
    })?;
    Ok(status.id)
}

/// The attachments of a draft: the caller's own, which no other status has.
fn media(
    state: &Locked<'_>,
    me: Key,
    ids: &[Id<entities::MediaAttachment>],
    status: Option<Key>,
    has_poll: bool,
    call: &Call,
) -> Result<Vec<Key>> {
    let most = state.bounds().attachments;
    let refused = |of_service: String, of_handler: String| {
        told_or(call, StatusCode::BAD_REQUEST, &of_handler, Error::unprocessable(of_service))
    };
    let is_beside_poll = has_poll && !ids.is_empty() && !does(call, Habit::TakesAnyPoll);
    if count(ids.len()) > most || is_beside_poll {
        return Err(refused(
            format!("Cannot attach more than {most} files"),
            format!("media files exceed max count ({most})"),
        ));
    }
    let mut media = Vec::new();
    for id in ids {
        let medium = state.key(id).and_then(|key| state.media.get(&key));
        let medium = medium.filter(|medium| {
            medium.owner == me && (medium.status.is_none() || medium.status == status)
        });
        let medium = medium.ok_or_else(|| {
            refused(
                format!("Media {id} not found or already attached to another post"),
                format!("media not found: {id}"),
            )
        })?;
        media.push(medium.id);
    }
    Ok(media)
}

/// The poll of a draft, held against the limits; none where it has no options.
fn poll(state: &Locked<'_>, call: &Call, asked: DraftPoll) -> Result<Option<DraftPoll>> {
    let (options, seconds) = (&asked.options, asked.seconds);
    if options.is_empty() && seconds == 0 {
        return Ok(None);
    }
    let unique: BTreeSet<_> = options.iter().collect();
    let (most, long) = (state.bounds().poll_options, state.bounds().poll_option_characters);
    let is_long = |option: &String| {
        let counts_characters = does(call, Habit::CountsCharacters);
        let length = if counts_characters { option.chars().count() } else { graphemes(option) };
        count(length) > long
    };
    // GoToSocial looks at no more than these three.
    refuse_if!(options.is_empty(), malformed(call, FEW, "poll cannot have no options"));
    let of_model = format!("Choices can't contain more than {most} items");
    let of_handler = format!("poll options exceed max count ({most})");
    refuse_if!(count(options.len()) > most, malformed(call, &of_model, &of_handler));
    if let Some(place) = options.iter().position(is_long) {
        let of_model = format!("Choices cannot be longer than {long} characters each");
        let of_handler = format!("poll option {place} exceed max chars ({long})");
        return Err(malformed(call, &of_model, &of_handler));
    }
    for (applies, told) in [
        (seconds == 0, "Deadline can't be blank"),
        (options.len() < 2, FEW),
        (unique.len() < options.len(), "Choices contain duplicate items"),
        (seconds < state.bounds().poll_shortest, "Deadline is too soon"),
        (seconds > state.bounds().poll_longest, "Deadline is too far into the future"),
    ] {
        refuse_if!(applies && !does(call, Habit::TakesAnyPoll), not_valid(told));
    }
    Ok(Some(asked))
}

/// A draft that can be posted.
fn checked(state: &Locked<'_>, mut draft: Draft, call: &Call) -> Result<Draft> {
    if draft.text.trim().is_empty() && !draft.spoiler_text.is_empty() {
        // A warning before nothing is the text.
        draft.text = std::mem::take(&mut draft.spoiler_text);
    }
    let bounds = state.bounds();
    let (most, warning) = (bounds.characters, draft.spoiler_text.chars().count());
    let length = if does(call, Habit::CountsCharacters) {
        let with_warning = if bounds.warning.is_none() { warning } else { 0 };
        draft.text.chars().count() + with_warning
    } else {
        let counted = text::counted(&draft.text, bounds.characters_per_link);
        graphemes(&format!("{}{counted}", draft.spoiler_text))
    };
    let has_poll = draft.poll.is_some() && does(call, Habit::TakesAnyPoll);
    let is_empty = draft.media.is_empty() && !has_poll && draft.quote.is_none();
    let (of_model, of_handler) = if draft.text.trim().is_empty() && is_empty {
        ("Text can't be blank".to_owned(), "status contains no text, media or poll".to_owned())
    } else if count(length) > most {
        (
            format!("Text character limit of {most} exceeded"),
            format!("text with spoiler exceed max chars ({most})"),
        )
    } else if let Some(most) = bounds.warning.filter(|most| count(warning) > *most) {
        let told = format!(
            "content-warning/spoilertext too long, {warning} characters provided but limit is {most}"
        );
        (String::new(), told)
    } else {
        return Ok(draft);
    };
    let words =
        languages::told(&state.language_of(call), &format!("Validation failed: {of_model}"));
    let words = words.filter(|_| !does(call, Habit::TellsWhy)).map(Error::unprocessable);
    Err(words.unwrap_or_else(|| malformed(call, &of_model, &of_handler)))
}

/// Refuses a status that mentions others than the client expects, and answers who they are.
fn only_expected(state: &State, me: Key, draft: &Draft, expected: &[String]) -> Result<()> {
    let expected: Vec<_> =
        expected.iter().filter_map(|id| state.key(&Id::<()>::new(id.as_str()))).collect();
    let mentioned = state.mentioned(draft, me).into_iter();
    let unexpected: Vec<_> = mentioned.filter(|one| !expected.contains(one)).collect();
    if unexpected.is_empty() {
        return Ok(());
    }
    let told = "Post would be sent to unexpected accounts";
    let mut error = entities::Error::new(told);
    let view = state.view(me);
    error.unexpected_accounts = unexpected.into_iter().map(|one| view.account(one)).collect();
    Err(Reply::json(&error).with_status(StatusCode::UNPROCESSABLE_ENTITY))?
}
