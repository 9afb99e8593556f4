//! Pictures, videos and sounds.

use fedispec::entities::MediaAttachment;
use fedispec::media;

use super::prelude::*;
use crate::store::media::{Medium, focus, media_type, ready_at};

const MEDIA: Table<Medium, Option<MediaAttachment>> =
    table!(media, |medium, me| medium.owner == me, |view, key, _| view.media(key));

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, request: media::Upload, call| {
            let (file, thumbnail) = (&request.file, request.thumbnail.as_ref());
            let (text, focus) = (request.description, request.focus.as_deref());
            let (view, is_ready) = app.keep_upload(file, thumbnail, text, focus, &call, true)?;
            if !is_ready {
                call.set_status(StatusCode::ACCEPTED)?;
            }
            Ok(view)
        })
        .on(by_user(|state, me, request: media::Get, call| {
            let key = MEDIA.key(&state, me, &request.id)?;
            tell_progress(&state, key, &call)?;
            state.view(me).media(key).ok_or_else(Error::not_found)
        }))
        .on(by_user(|mut state, me, request: media::Delete, _| {
            let key = MEDIA.key(&state, me, &request.id)?;
            let is_used = state.media.get(&key).is_some_and(|medium| medium.status.is_some());
            let told = "Media attachment is currently used by a status";
            refuse_if!(is_used, Error::unprocessable(told));
            state.media.remove(&key);
            Ok(Empty)
        }))
        .on(async |app: App, request: media::Update, call| {
            let (focus, thumbnail) = (request.focus.as_deref(), request.thumbnail.as_ref());
            app.change_media(&request.id, request.description, focus, thumbnail, &call)
        })
        .on(async |app: App, request: media::UploadV1, call| {
            let (file, thumbnail) = (&request.file, request.thumbnail.as_ref());
            let (text, focus) = (request.description, request.focus.as_deref());
            // Version 1 answers when all is done.
            Ok(app.keep_upload(file, thumbnail, text, focus, &call, false)?.0)
        })
        .on(async |app: App, request: media::GetV2, call| {
            MEDIA.one(&app, &request.id, &call)?.ok_or_else(Error::not_found)
        })
        .on(async |app: App, request: media::UpdateV2, call| {
            let focus = request.focus.as_deref();
            app.change_media(&request.id, request.description, focus, None, &call)
        })
}

impl App {
    /// Keeps an upload. Answers whether it is processed, which takes a while where it may be `slow`.
    fn keep_upload(
        &self,
        file: &File,
        thumbnail: Option<&File>,
        description: Option<String>,
        point: Option<&str>,
        call: &Call,
        slow: bool,
    ) -> Result<(MediaAttachment, bool)> {
        let (media_type, bytes) = sent(file)?;
        let thumbnail = thumbnail.map(sent).transpose()?;
        let (mut state, me) = self.user(call)?;
        check_description(&state, description.as_deref())?;
        refuse_if!(bytes.is_empty(), unusable(call));
        let (now, is_frozen) = (state.now(), state.clock.is_frozen());
        let thumbnail = thumbnail.map(|(media_type, bytes)| state.keep(&media_type, bytes));
        let medium = state.add_medium(me, &media_type, bytes).ok_or_else(|| unusable(call))?;
        medium.thumbnail = thumbnail;
        medium.description = description;
        medium.focus = point.and_then(focus);
        // GoToSocial answers when all is done, whatever the version. While the clock stands still nothing would ever be ready.
        if slow && !does(call, Habit::ProcessesAtOnce) && !is_frozen {
            medium.ready_at = ready_at(&medium.kind, now);
        }
        let (key, is_ready) = (medium.id, medium.ready_at <= now);
        let view = state.view(me).media(key).ok_or_else(Error::internal)?;
        Ok((view, is_ready))
    }

    fn change_media(
        &self,
        id: &Id<MediaAttachment>,
        description: Option<String>,
        point: Option<&str>,
        thumbnail: Option<&File>,
        call: &Call,
    ) -> Result<MediaAttachment> {
        let thumbnail = thumbnail.map(sent).transpose()?;
        let (mut state, me) = self.user(call)?;
        check_description(&state, description.as_deref())?;
        let key = MEDIA.key(&state, me, id)?;
        let thumbnail = thumbnail.map(|(media_type, bytes)| state.keep(&media_type, bytes));
        if let Some(medium) = state.media.get_mut(&key) {
            // Mastodon changes what is posted by editing the status.
            let is_fixed = medium.status.is_some() && !does(call, Habit::ChangesPostedMedia);
            refuse_if!(is_fixed, Error::not_found());
            medium.description = description.or(medium.description.take());
            medium.focus = point.and_then(focus).or(medium.focus);
            medium.thumbnail = thumbnail.or(medium.thumbnail);
        }
        if !does(call, Habit::ProcessesAtOnce) {
            tell_progress(&state, key, call)?;
        }
        state.view(me).media(key).ok_or_else(Error::not_found)
    }
}

/// Refuses a file that is neither a picture nor a video nor a sound.
fn unusable(call: &Call) -> Error {
    let other = Error::unprocessable("File type of uploaded media could not be verified");
    told_or(call, StatusCode::UNPROCESSABLE_ENTITY, "error processing media", other)
}

/// The media type of a file that a client has sent, and its bytes.
fn sent(file: &File) -> Result<(String, Vec<u8>)> {
    let bytes = file.content()?.into_owned();
    Ok((media_type(&bytes, file.content_type()), bytes))
}

/// 206 while it is processed.
fn tell_progress(state: &State, key: Key, call: &Call) -> Result<()> {
    let is_ready = state.media.get(&key).is_some_and(|medium| medium.ready_at <= state.now());
    if is_ready {
        return Ok(());
    }
    call.set_status(StatusCode::PARTIAL_CONTENT)
}

/// Refuses a description that is too long.
fn check_description(state: &State, description: Option<&str>) -> Result<()> {
    let length = count(description.map_or(0, |text| text.chars().count()));
    let most = state.bounds().description;
    if length <= most {
        return Ok(());
    }
    Err(if state.does(Habit::TellsWhy) {
        let told =
            format!("description too long: {length} characters provided but limit is {most}");
        bad_request(&told)
    } else {
        let told = format!("Description is too long (maximum is {most} characters)");
        not_valid(&told)
    })
}
