//! Attachments.

use fedispec::entities::{
    MediaAttachmentMeta, MediaAttachmentMetaFocus, MediaAttachmentMetaOriginal,
    MediaAttachmentMetaSmall,
};

use super::prelude::*;
use crate::store::media::{Medium, preview};

impl View<'_> {
    /// The attachment of a key. It has no address while it is processed.
    pub(crate) fn media(&self, key: Key) -> Option<entities::MediaAttachment> {
        let medium = self.state.media.get(&key)?;
        let is_ready = medium.ready_at <= self.state.now();
        let shown = medium.thumbnail.unwrap_or(medium.file);
        Some(
            current::MediaAttachment {
                id: self.id(key),
                r#type: medium.kind.clone(),
                url: is_ready.then(|| self.state.file_url(medium.file)),
                preview_url: Some(self.state.file_url(shown)),
                meta: Some(meta(medium)),
                description: medium.description.clone(),
                remote_url: None,
                blurhash: None,
                text_url: None,
                preview_remote_url: None,
            }
            .into(),
        )
    }
}

fn meta(medium: &Medium) -> MediaAttachmentMeta {
    let focus = medium.focus.map(|(x, y)| MediaAttachmentMetaFocus {
        x: Some(x),
        y: Some(y),
        ..MediaAttachmentMetaFocus::default()
    });
    let aspect = |(width, height): (u32, u32)| Some(f64::from(width) / f64::from(height));
    let text = |(width, height): (u32, u32)| Some(format!("{width}x{height}"));
    MediaAttachmentMeta {
        focus,
        original: medium.size.map(|size| MediaAttachmentMetaOriginal {
            width: Some(size.0.into()),
            height: Some(size.1.into()),
            size: text(size),
            aspect: aspect(size),
            ..MediaAttachmentMetaOriginal::default()
        }),
        small: medium.size.map(preview).map(|size| MediaAttachmentMetaSmall {
            width: Some(size.0.into()),
            height: Some(size.1.into()),
            size: text(size),
            aspect: aspect(size),
            ..MediaAttachmentMetaSmall::default()
        }),
        ..MediaAttachmentMeta::default()
    }
}
