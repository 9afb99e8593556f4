//! Accounts, and the users behind those of this server.

use fedispec::server::{Error, Id, Result};

use super::prelude::*;
use super::two_factor::TwoFactor;

/// An account.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Account {
    pub(crate) id: Key,
    pub(crate) username: String,
    /// The domain of another server's account.
    pub(crate) domain: Option<String>,
    pub(crate) created_at: Millis,
    pub(crate) profile: Profile,
    /// The user who signs in; none behind another server's account.
    pub(crate) user: Option<User>,
    pub(crate) moderation: Moderation,
    /// Addresses of accounts that are the same person's.
    pub(crate) also_known_as: Vec<String>,
    pub(crate) moved_to: Option<Key>,
}

/// The profile of an account.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
#[allow(clippy::struct_excessive_bools, reason = "as the API has them")]
pub(crate) struct Profile {
    pub(crate) display_name: String,
    /// As written.
    pub(crate) note: String,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) locked: bool,
    pub(crate) bot: bool,
    pub(crate) discoverable: Option<bool>,
    pub(crate) indexable: bool,
    pub(crate) hide_collections: Option<bool>,
    /// Files of this server.
    pub(crate) avatar: Option<Key>,
    pub(crate) avatar_description: String,
    pub(crate) header: Option<Key>,
    pub(crate) header_description: String,
    pub(crate) attribution_domains: Vec<String>,
    pub(crate) theme: String,
    pub(crate) custom_css: String,
    pub(crate) enable_rss: bool,
    pub(crate) web_visibility: Option<String>,
    pub(crate) web_layout: Option<String>,
}

/// The limits that moderators have put on an account.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
#[allow(clippy::struct_excessive_bools, reason = "as the API has them")]
pub(crate) struct Moderation {
    pub(crate) suspended: bool,
    pub(crate) silenced: bool,
    pub(crate) sensitized: bool,
    pub(crate) disabled: bool,
}

/// A user of this server, who signs in.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct User {
    pub(crate) email: String,
    /// As it is: this is a server for tests.
    pub(crate) password: String,
    pub(crate) role: Role,
    pub(crate) approved: bool,
    pub(crate) confirmed: bool,
    pub(crate) locale: String,
    pub(crate) reason: Option<String>,
    pub(crate) defaults: Defaults,
    /// The application that has registered the user.
    pub(crate) made_by: Option<Key>,
    pub(crate) two_factor: TwoFactor,
}

/// The defaults of a user's statuses.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Defaults {
    pub(crate) visibility: Visibility,
    pub(crate) sensitive: bool,
    pub(crate) language: Option<String>,
    pub(crate) quote_policy: QuotePolicy,
    pub(crate) content_type: Option<String>,
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            visibility: Visibility::Public,
            sensitive: false,
            language: None,
            quote_policy: QuotePolicy::Public,
            content_type: None,
        }
    }
}

/// The role of a user.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    #[default]
    User,
    Moderator,
    Admin,
    Owner,
}

impl Role {
    /// The permissions, as the catalogue names them.
    pub(crate) fn permissions(self) -> &'static [&'static str] {
        match self {
            Self::User => &[],
            Self::Moderator => &[
                "view_dashboard",
                "view_audit_log",
                "manage_users",
                "manage_reports",
                "manage_taxonomies",
                "manage_blocks",
                "manage_appeals",
            ],
            Self::Admin | Self::Owner => &["administrator"],
        }
    }

    /// Whether the role has a permission.
    pub(crate) fn may(self, permission: &str) -> bool {
        let held = self.permissions();
        held.contains(&permission) || held.contains(&"administrator")
    }
}

impl Account {
    /// The address without `@`: `mona`, or `mona@other.example` of another server.
    pub(crate) fn acct(&self) -> String {
        match &self.domain {
            Some(domain) => format!("{}@{domain}", self.username),
            None => self.username.clone(),
        }
    }

    /// Returns the user's role; `User` where there is no user.
    pub(crate) fn role(&self) -> Role {
        self.user.as_ref().map_or(Role::User, |user| user.role)
    }
}

impl State {
    /// The account of an id that a client sent.
    pub(crate) fn account(&self, id: &Id<impl Sized>) -> Result<&Account> {
        let account = self.key(id).and_then(|key| self.accounts.get(&key));
        account.ok_or_else(|| self.missing("target account not found"))
    }

    /// The account of an id that a client sent, to be changed.
    pub(crate) fn account_mut(&mut self, key: Key) -> Result<&mut Account> {
        self.accounts.get_mut(&key).ok_or_else(Error::not_found)
    }

    /// The domain of another server's account.
    pub(crate) fn domain_of(&self, account: Key) -> Option<&str> {
        self.accounts.get(&account)?.domain.as_deref()
    }

    /// Whether there is an account of this key, and it is this server's.
    pub(crate) fn is_local(&self, account: Key) -> bool {
        self.accounts.get(&account).is_some_and(|account| account.domain.is_none())
    }

    /// The account of an address such as `mona`, `@mona` or `mona@other.example`.
    pub(crate) fn lookup(&self, address: &str) -> Option<&Account> {
        let address = address.trim_start_matches('@');
        let (name, domain) = match address.split_once('@') {
            Some((name, domain)) => (name, Some(domain).filter(|domain| *domain != self.domain())),
            None => (address, None),
        };
        self.accounts.values().find(|account| {
            let is_here = match (&account.domain, domain) {
                (Some(own), Some(domain)) => own.eq_ignore_ascii_case(domain),
                (None, None) => true,
                _ => false,
            };
            is_here && account.username.eq_ignore_ascii_case(name)
        })
    }

    /// The user's account of a mail address or a name.
    pub(crate) fn user(&self, login: &str) -> Option<&Account> {
        let is_user = |account: &&Account| {
            account.user.as_ref().is_some_and(|user| {
                user.email.eq_ignore_ascii_case(login)
                    || account.username.eq_ignore_ascii_case(login)
            })
        };
        self.accounts.values().find(is_user)
    }

    /// Adds an account.
    pub(crate) fn add_account(
        &mut self,
        username: &str,
        domain: Option<&str>,
        user: Option<User>,
    ) -> Key {
        let (id, created_at) = (self.next_key(), self.now());
        let account = Account {
            id,
            username: username.to_owned(),
            domain: domain.map(str::to_owned),
            created_at,
            user,
            ..Account::default()
        };
        self.accounts.insert(id, account);
        id
    }

    /// The accounts of this server.
    pub(crate) fn users(&self) -> impl Iterator<Item = &Account> {
        self.accounts.values().filter(|account| account.user.is_some())
    }
}
