//! Attachments.

use fedispec::entities::{
    MediaAttachmentMeta, MediaAttachmentMetaFocus, MediaAttachmentMetaOriginal,
    MediaAttachmentMetaSmall,
};

use super::prelude::*;
use crate::store::film::Film;
use crate::store::media::{Medium, preview, size};

impl View<'_> {
    /// The attachment of a key. It has no address while it is processed.
    pub(crate) fn media(&self, key: Key) -> Option<entities::MediaAttachment> {
        let medium = self.state.media.get(&key)?;
        let is_ready = medium.ready_at <= self.state.now();
        let shown = medium.thumbnail.unwrap_or(medium.file);
        let mut url = self.state.file_url(medium.file);
        // Mastodon makes an MP4 of each film; here it has the name of one.
        if medium.film.is_some()
            && !self.state.does(Habit::KeepsFilms)
            && let Some((name, _)) = url.rsplit_once('.')
        {
            url = format!("{name}.mp4");
        }
        Some(
            current::MediaAttachment {
                id: self.id(key),
                r#type: medium.kind.clone(),
                url: is_ready.then_some(url),
                preview_url: Some(self.state.file_url(shown)),
                meta: Some(self.meta(medium)),
                description: medium.description.clone(),
                remote_url: None,
                blurhash: None,
                text_url: None,
                preview_remote_url: None,
            }
            .into(),
        )
    }

    fn meta(&self, medium: &Medium) -> MediaAttachmentMeta {
        let focus = medium.focus.map(|(x, y)| MediaAttachmentMetaFocus {
            x: Some(x),
            y: Some(y),
            ..MediaAttachmentMetaFocus::default()
        });
        let aspect = |(width, height): (u32, u32)| Some(f64::from(width) / f64::from(height));
        let text = |(width, height): (u32, u32)| Some(format!("{width}x{height}"));
        let thumbnail = medium.thumbnail.and_then(|file| size(&self.state.files.get(&file)?.bytes));
        let bytes = self.state.files.get(&medium.file).map_or(0, |file| file.bytes.len());
        let film = medium.film.as_ref();
        let measures = film.is_none() || self.state.does(Habit::KeepsFilms);
        MediaAttachmentMeta {
            focus,
            original: medium.size.map(|size| MediaAttachmentMetaOriginal {
                width: Some(size.0.into()),
                height: Some(size.1.into()),
                size: text(size).filter(|_| measures),
                aspect: aspect(size).filter(|_| measures),
                frame_rate: film.and_then(Film::rate),
                duration: film.map(|film| film.length),
                bitrate: film.and_then(|film| film.bitrate(bytes)),
                ..MediaAttachmentMetaOriginal::default()
            }),
            small: thumbnail.or(medium.size).map(preview).map(|size| MediaAttachmentMetaSmall {
                width: Some(size.0.into()),
                height: Some(size.1.into()),
                size: text(size),
                aspect: aspect(size),
                ..MediaAttachmentMetaSmall::default()
            }),
            ..MediaAttachmentMeta::default()
        }
    }
}
