//! Accounts and statuses that a test makes.

use std::time::Duration;

use fedispec::enums::Visibility;
use fedispec::server::Id;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::error::ControlError;
use crate::setters::setters;
use crate::store::accounts::{Role, User};
use crate::store::clock::{Millis, from_time};
use crate::store::media::media_type;
use crate::store::statuses::{Draft, DraftPoll};
use crate::store::{Key, State};

/// The password of every account that nobody gave another.
pub const PASSWORD: &str = "password";
/// How long a poll is open that does not say.
const DAY: i64 = 86_400;

/// An account of the server that is to be there.
///
/// ```
/// use fedispec_standin::NewAccount;
///
/// let mona = NewAccount::new("mona").locked(true).token("monas-token");
/// # let _ = mona;
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[must_use]
pub struct NewAccount {
    username: String,
    display_name: Option<String>,
    locked: Option<bool>,
    role: Option<Role>,
    #[serde(default)]
    token: Token,
}

/// Whether an account is to have a token, or one of this text.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Token {
    Wanted(bool),
    Text(String),
}

impl Default for Token {
    fn default() -> Self {
        Self::Wanted(true)
    }
}

impl NewAccount {
    /// An account of a user, which signs in with `NAME@example.org` and [`PASSWORD`].
    pub fn new(username: impl Into<String>) -> Self {
        Self { username: username.into(), ..Self::default() }
    }

    setters! {
        /// Sets the name that is shown.
        display_name(name: impl Into<String>) => display_name = Some(name.into());

        /// Sets whether the account approves its followers.
        locked(locked: bool) => locked = Some(locked);

        /// Makes the user an administrator.
        admin() => role = Some(Role::Admin);

        /// Sets the token; without it a new one is drawn.
        token(token: impl Into<String>) => token = Token::Text(token.into());
    }

    /// Whether it is to have a token.
    pub(crate) fn has_token(&self) -> bool {
        !matches!(self.token, Token::Wanted(false))
    }

    /// The text that its token is to have, if it is not to be drawn.
    pub(crate) fn own_token(self) -> Option<String> {
        match self.token {
            Token::Text(text) => Some(text),
            Token::Wanted(_) => None,
        }
    }

    /// Adds the account, or changes the one of this name.
    pub(crate) fn add(&self, state: &mut State) -> Result<Key, ControlError> {
        if let Token::Text(text) = &self.token {
            refuse_if!(text.is_empty(), ControlError::invalid("the token is empty"));
            let is_text = text.bytes().all(|one| one.is_ascii_graphic());
            let told = "a token has letters, digits and signs of ASCII, as a header holds it";
            refuse_if!(!is_text, ControlError::invalid(told));
        }
        let name = &self.username;
        let is_letter = |one: char| one.is_ascii_alphanumeric() || one == '_';
        let is_name = (1..=30).contains(&name.len()) && name.chars().all(is_letter);
        let told = format!("{name:?}: a username has 1 to 30 letters, digits and underscores");
        refuse_if!(!is_name, ControlError::invalid(told));
        let known = state.lookup(name).map(|account| account.id);
        let key = known.unwrap_or_else(|| add_user(state, name, Role::User));
        let account = state.account_mut(key)?;
        if let Some(name) = &self.display_name {
            account.profile.display_name.clone_from(name);
        }
        if let Some(locked) = self.locked {
            account.profile.locked = locked;
        }
        if let (Some(role), Some(user)) = (self.role, &mut account.user) {
            user.role = role;
        }
        Ok(key)
    }
}

impl<N: Into<String>> From<N> for NewAccount {
    fn from(username: N) -> Self {
        Self::new(username)
    }
}

/// Adds a user with a role.
pub(crate) fn add_user(state: &mut State, name: &str, role: Role) -> Key {
    let user = User {
        email: format!("{name}@example.org"),
        password: PASSWORD.to_owned(),
        role,
        approved: true,
        confirmed: true,
        locale: "en".to_owned(),
        ..User::default()
    };
    state.add_account(name, None, Some(user))
}

/// A status that is to be posted.
///
/// ```
/// use fedispec::enums::Visibility;
/// use fedispec_standin::Post;
///
/// let picture = b"\x89PNG\r\n\x1a\n";
/// let post = Post::new("Look").visibility(Visibility::Unlisted).media(*picture, "A dot");
/// # let _ = post;
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[must_use]
pub struct Post {
    #[serde(rename = "status")]
    text: String,
    #[serde(default)]
    spoiler_text: String,
    visibility: Option<Visibility>,
    #[serde(default)]
    sensitive: bool,
    language: Option<String>,
    #[serde(rename = "in_reply_to_id")]
    in_reply_to: Option<Id>,
    #[serde(skip)]
    media: Vec<(Vec<u8>, String)>,
    #[serde(skip)]
    poll: Option<DraftPoll>,
    #[serde(default, rename = "created_at", deserialize_with = "written")]
    at: Option<Millis>,
}

/// A time that a test has written.
pub(crate) fn moment(text: &str) -> Result<Millis, ControlError> {
    let told = || ControlError::invalid(format!("{text:?} is no time; write 2026-01-01T00:00:00Z"));
    from_time(&text.into()).ok_or_else(told)
}

fn written<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Millis>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    text.map(|text| moment(&text).map_err(D::Error::custom)).transpose()
}

impl Post {
    /// A public status with a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Sets the content warning.
    pub fn spoiler_text(mut self, text: impl Into<String>) -> Self {
        self.spoiler_text = text.into();
        self.sensitive = true;
        self
    }

    setters! {
        /// Sets who sees it; all do without.
        visibility(visibility: Visibility) => visibility = Some(visibility);

        /// Sets whether the media are sensitive.
        sensitive(sensitive: bool) => sensitive = sensitive;

        /// Sets the language, as a code of ISO 639-1.
        language(language: impl Into<String>) => language = Some(language.into());

        /// Sets the status that it answers.
        in_reply_to(status: &Id) => in_reply_to = Some(status.clone());
    }

    /// Attaches a picture, video or sound, and its description. The first bytes tell the media type.
    pub fn media(mut self, bytes: impl Into<Vec<u8>>, description: impl Into<String>) -> Self {
        self.media.push((bytes.into(), description.into()));
        self
    }

    /// Adds a poll with one choice a voter.
    pub fn poll<O: Into<String>>(
        mut self,
        options: impl IntoIterator<Item = O>,
        open_for: Duration,
    ) -> Self {
        let options = options.into_iter().map(Into::into).collect();
        let seconds = i64::try_from(open_for.as_secs()).unwrap_or(DAY);
        self.poll = Some(DraftPoll { options, seconds, multiple: false, hide_totals: false });
        self
    }

    /// Lets voters choose several options of the poll.
    pub fn multiple(mut self) -> Self {
        if let Some(poll) = &mut self.poll {
            poll.multiple = true;
        }
        self
    }

    /// Posts it.
    pub(crate) fn post(self, state: &mut State, account: Key) -> Result<Key, ControlError> {
        let parent = self.in_reply_to.as_ref().map(|id| {
            let parent = state.key(id).filter(|key| state.statuses.contains_key(key));
            parent.ok_or_else(|| ControlError::invalid(format!("there is no status {id}")))
        });
        let parent = parent.transpose()?;
        if let Some(Visibility::Unrecognized(other)) = &self.visibility {
            return Err(ControlError::invalid(format!("there is no visibility {other}")));
        }
        let has_text = [&self.text, &self.spoiler_text].iter().any(|text| !text.trim().is_empty());
        let is_empty = !has_text && self.media.is_empty() && self.poll.is_none();
        refuse_if!(is_empty, ControlError::invalid("the status has no text, media or poll"));
        let is_short = self.poll.as_ref().is_some_and(|poll| poll.options.len() < 2);
        refuse_if!(is_short, ControlError::invalid("a poll has two options or more"));
        let mut media = Vec::new();
        for (bytes, description) in self.media {
            let medium = state.add_medium(account, &media_type(&bytes, None), bytes);
            let told = "the bytes of an attachment are no picture, video or sound";
            let medium = medium.ok_or_else(|| ControlError::invalid(told))?;
            medium.description = Some(description).filter(|text| !text.is_empty());
            media.push(medium.id);
        }
        let draft = Draft {
            spoiler_text: self.spoiler_text,
            visibility: self.visibility.unwrap_or(Visibility::Public),
            sensitive: self.sensitive,
            language: self.language,
            in_reply_to: parent,
            media,
            poll: self.poll,
            ..Draft::text(&self.text)
        };
        let key = state.post(account, draft);
        if let Some(at) = self.at {
            state.statuses.change(key, |status| status.at = at);
        }
        Ok(key)
    }
}

impl<T: Into<String>> From<T> for Post {
    fn from(text: T) -> Self {
        Self::new(text)
    }
}
