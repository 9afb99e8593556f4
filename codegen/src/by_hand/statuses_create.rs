impl Create {
    /// An answer to a status, begun as [Mastodon's web client] begins one: it names the author and everybody whom the status names, but not
    /// oneself; at most those can see it who see the status, or the user's own posts; and it has the status' warning and language. Where
    /// either visibility is none that [`Visibility`](enums::Visibility) lists, only those named see it.
    ///
    /// `me` is what `accounts::VerifyCredentials` answers.
    ///
    /// [Mastodon's web client]: https://github.com/mastodon/mastodon/blob/v4.6.5/app/javascript/mastodon/reducers/compose.js
    pub fn reply(
        to: &entities::Status,
        me: &entities::CredentialAccount,
        text: impl AsRef<str>,
    ) -> Self {
        let mut named = ::std::vec![&me.id];
        let mut status = String::new();
        let mentions = to.mentions.iter().map(|mention| (&mention.id, &mention.acct));
        for (id, acct) in ::core::iter::once((&to.account.id, &to.account.acct)).chain(mentions) {
            if !named.contains(&id) {
                named.push(id);
                status.extend(["@", acct.as_str(), " "]);
            }
        }
        status.push_str(text.as_ref());
        let own = &me.source.privacy;
        let visibility = match own.partial_cmp(&to.visibility) {
            Some(::core::cmp::Ordering::Less) => own.clone(),
            Some(_) => to.visibility.clone(),
            None => enums::Visibility::Direct,
        };
        let mut reply = Self::text(status).in_reply_to_id(to.id.clone()).visibility(visibility);
        if !to.spoiler_text.is_empty() {
            reply = reply.spoiler_text(to.spoiler_text.clone());
        }
        reply.language.clone_from(&to.language);
        reply
    }
}
