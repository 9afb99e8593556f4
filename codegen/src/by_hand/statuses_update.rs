impl Update {
    /// A request that keeps what was read, as [`Get`] and [`Source`] answer it; the setters change it.
    ///
    /// A poll keeps its votes as long as its options stay as they are and `poll_multiple` does. Its end is counted from now, so that
    /// it moves by the time the request takes; one that has passed, or comes in less than five minutes, is refused by Mastodon unless
    /// `poll_expires_in` is set, which opens the poll again.
    ///
    /// No server shows `poll_hide_totals`: it is reset unless its setter is called. So is `quote_approval_policy` in Mastodon 4.5.0 to 4.5.4.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn keeping(status: &entities::Status, source: &entities::StatusSource) -> Self {
        let media = status.media_attachments.iter().map(|media| media.id.clone());
        let mut kept = Self::replacing(status.id.clone())
            .status(source.text.clone())
            .spoiler_text(source.spoiler_text.clone())
            .sensitive(status.sensitive)
            .media_ids(media);
        kept.language.clone_from(&status.language);
        if let Some(poll) = &status.poll {
            let options = poll.options.iter().map(|option| option.title.clone());
            kept = kept.poll_options(options).poll_multiple(poll.multiple);
            let left = poll.expires_at.as_ref().and_then(rt::Timestamp::seconds_left);
            kept.poll_expires_in = left.filter(|_| !poll.expired);
        }
        kept
    }
}
