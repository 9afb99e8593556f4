//! Accounts.

use fedispec::enums::{FeatureApprovalCurrentUser, Visibility};
use fedispec::server::Timestamp;

use super::prelude::*;
use crate::files::{AVATAR, HEADER};
use crate::store::accounts::{Account, Role, User};
use crate::text;

impl View<'_> {
    /// The account of a key. One that is gone has no names.
    pub(crate) fn account(&self, key: Key) -> entities::Account {
        match self.state.accounts.get(&key) {
            Some(account) => self.account_of(account),
            None => self.account_of(&Account { id: key, ..Account::default() }),
        }
    }

    /// Accounts by their keys.
    pub(crate) fn accounts(&self, keys: impl IntoIterator<Item = Key>) -> Vec<entities::Account> {
        keys.into_iter().map(|key| self.account(key)).collect()
    }

    /// Says who may put an account into a collection: nobody but the account itself, as nothing here asks for approval.
    fn feature_approval(&self, key: Key) -> entities::FeatureApproval {
        let approval = current::FeatureApproval {
            automatic: Vec::new(),
            manual: Vec::new(),
            current_user: match self.me {
                Some(me) if me == key => FeatureApprovalCurrentUser::Automatic,
                Some(_) => FeatureApprovalCurrentUser::Denied,
                None => FeatureApprovalCurrentUser::Missing,
            },
        };
        approval.into()
    }

    /// An account, public information only.
    pub(crate) fn account_of(&self, account: &Account) -> entities::Account {
        let (state, profile) = (self.state, &account.profile);
        let last = state.statuses.of(account.id).next_back().map(|status| status.at);
        let image = |file: Option<Key>, other: &str| match file {
            Some(file) => state.file_url(file),
            None => format!("{}{other}", state.origin()),
        };
        let (avatar, header) = (image(profile.avatar, AVATAR), image(profile.header, HEADER));
        // GoToSocial describes the pictures of those who have none.
        let described = |file: Option<Key>, own: &str, other: &str| match file {
            None if own.is_empty() && state.does(Habit::DescribesDefaultPictures) => {
                other.to_owned()
            }
            _ => own.to_owned(),
        };
        let url = self.profile_url(account);
        let note = text::html(&profile.note, state.form(), |address| self.mentioned(address));
        let fields = profile.fields.iter().map(|(name, value)| {
            let value = text::html(value, state.form(), |_| None);
            let value = value.trim_start_matches("<p>").trim_end_matches("</p>").to_owned();
            let name = name.clone();
            current::Field { name, value, verified_at: None }.into()
        });
        let moved = account.moved_to.and_then(|to| state.accounts.get(&to));
        entities::Account {
            avatar_media_id: profile.avatar.map(|file| self.id(file)),
            header_media_id: profile.header.map(|file| self.id(file)),
            suspended: account.moderation.suspended,
            limited: account.moderation.silenced,
            noindex: Some(!profile.indexable),
            roles: roles(account.role()),
            moved: moved
                .filter(|moved| moved.moved_to.is_none())
                .map(|moved| Box::new(self.account_of(moved))),
            custom_css: profile.custom_css.clone(),
            enable_rss: profile.enable_rss.then_some(true),
            theme: profile.theme.clone(),
            ..current::Account {
                acct: account.acct(),
                avatar_static: avatar.clone(),
                avatar,
                created_at: midnight(account.created_at),
                display_name: profile.display_name.clone(),
                followers_count: count(state.followers(account.id).count()),
                following_count: count(state.following(account.id).count()),
                header_static: header.clone(),
                header,
                id: self.id(account.id),
                locked: profile.locked,
                note,
                statuses_count: count(state.statuses.count_of(account.id)),
                username: account.username.clone(),
                url: url.clone(),
                uri: self.account_uri(account),
                bot: profile.bot,
                fields: fields.collect(),
                last_status_at: last.map(day),
                discoverable: profile.discoverable,
                avatar_description: described(
                    profile.avatar,
                    &profile.avatar_description,
                    "A grey figure (default avatar).",
                ),
                header_description: described(
                    profile.header,
                    &profile.header_description,
                    "Grey stripes (default header).",
                ),
                indexable: profile.indexable,
                hide_collections: { profile.hide_collections }
                    .filter(|hides| *hides || !state.does(Habit::TellsHiddenCollections)),
                feature_approval: self.feature_approval(account.id),
                emojis: self.emojis(&format!("{} {}", profile.display_name, profile.note)),
                group: false,
                show_media: true,
                show_media_replies: true,
                show_featured: true,
            }
            .into()
        }
    }

    /// An account that is asked for by itself. GoToSocial shows users more of their own.
    pub(crate) fn account_alone(&self, account: &Account) -> entities::Account {
        let view = self.account_of(account);
        if self.me != Some(account.id) || !self.state.does(Habit::ShowsUsersTheirOwn) {
            return view;
        }
        let credentials = self.credentials(account);
        entities::Account {
            role: credentials.role,
            source: Some(Box::new(credentials.source)),
            ..view
        }
    }

    /// The language of a user's statuses. GoToSocial always knows one.
    pub(crate) fn language(&self, user: &User) -> Option<String> {
        let own = user.defaults.language.clone();
        own.or_else(|| self.state.does(Habit::KnowsLanguages).then(|| user.locale.clone()))
    }

    /// An account as its own user sees it.
    pub(crate) fn credentials(&self, account: &Account) -> entities::CredentialAccount {
        let (profile, user) = (&account.profile, account.user.as_ref());
        let defaults = user.map(|user| user.defaults.clone()).unwrap_or_default();
        let fields = profile.fields.iter().map(|(name, value)| {
            let (name, value) = (name.clone(), value.clone());
            current::Field { name, value, verified_at: None }.into()
        });
        let requests = self.state.tied_to(account.id, |tie| Some(tie.requested.as_ref()?.id));
        let source = entities::CredentialAccountSource {
            status_content_type: Some(defaults.content_type.unwrap_or_else(|| PLAIN.to_owned())),
            also_known_as_uris: account.also_known_as.clone(),
            web_visibility: { profile.web_visibility.clone() }
                .or_else(|| Some("public".to_owned())),
            web_layout: { profile.web_layout.clone() }.or_else(|| Some("microblog".to_owned())),
            ..current::CredentialAccountSource {
                note: profile.note.clone(),
                privacy: match defaults.visibility {
                    Visibility::Unrecognized(_) => Visibility::Public,
                    known => known,
                },
                fields: fields.collect(),
                sensitive: defaults.sensitive,
                language: user.and_then(|user| self.language(user)),
                follow_requests_count: count(requests.count()),
                attribution_domains: profile.attribution_domains.clone(),
                hide_collections: profile.hide_collections,
                discoverable: profile.discoverable,
                indexable: profile.indexable,
                quote_policy: defaults.quote_policy,
            }
            .into()
        };
        let role = role(account.role());
        entities::CredentialAccount::from_account(self.account_of(account), source, role)
    }

    /// The address of a profile, for people.
    pub(crate) fn profile_url(&self, account: &Account) -> String {
        match &account.domain {
            Some(domain) => format!("https://{domain}/@{}", account.username),
            None => format!("{}/@{}", self.state.origin(), account.username),
        }
    }

    /// The address of an account, for servers.
    pub(crate) fn account_uri(&self, account: &Account) -> String {
        match &account.domain {
            Some(domain) => format!("https://{domain}/users/{}", account.username),
            None => format!("{}/users/{}", self.state.origin(), account.username),
        }
    }

    /// The profile's address and the name of an account that a text names.
    pub(crate) fn mentioned(&self, address: &str) -> Option<(String, String)> {
        let account = self.state.lookup(address)?;
        Some((self.profile_url(account), account.username.clone()))
    }
}

/// The id, the name and the permissions of a role, as in a fresh installation of Mastodon.
fn told(role: Role) -> (&'static str, &'static str, &'static str) {
    match role {
        Role::User => ("-99", "", "65536"),
        Role::Moderator => ("1", "Moderator", "1308"),
        Role::Admin => ("2", "Admin", "1048575"),
        Role::Owner => ("3", "Owner", "1048575"),
    }
}

/// The id of a role.
pub(crate) fn role_id(role: Role) -> &'static str {
    told(role).0
}

/// The number of collections that a user may have.
const COLLECTIONS: i64 = 10;
/// The media type of texts without markup, as GoToSocial has it.
pub(crate) const PLAIN: &str = "text/plain";

fn midnight(at: i64) -> Timestamp {
    time(day_of(at))
}

/// The day of a time: `2024-10-08`.
pub(super) fn day(at: i64) -> Timestamp {
    let text = time(at).to_string();
    Timestamp::from(text.get(..10).unwrap_or(&text))
}

/// The roles that a profile shows.
fn roles(role: Role) -> Vec<entities::AccountRole> {
    let shown = (role != Role::User).then(|| {
        current::AccountRole {
            color: String::new(),
            id: role_id(role).into(),
            name: told(role).1.to_owned(),
        }
        .into()
    });
    shown.into_iter().collect()
}

/// A role, as its own user is told of it.
pub(crate) fn role(role: Role) -> entities::Role {
    let (id, name, permissions) = told(role);
    current::Role {
        name: name.to_owned(),
        id: id.into(),
        permissions: permissions.to_owned(),
        highlighted: role != Role::User,
        collection_limit: COLLECTIONS,
        color: String::new(),
    }
    .into()
}
