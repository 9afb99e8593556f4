//! Records of moderators: reports, and blocks of domains, mail addresses and networks.

use fedispec::entities::{
    AdminEmailDomainBlock, AdminIpBlock, DomainPermissionSubscription, HeaderFilter,
};
use fedispec::enums::{AdminDomainBlockSeverity, DomainPermissionType, ReportCategory};
use sha2::{Digest as _, Sha256};

use super::prelude::*;

/// Everything that moderators keep, by id. Entities that all see alike stand here as they are answered; ids are written when they are.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Moderated {
    pub(crate) reports: BTreeMap<Key, Report>,
    pub(crate) domain_blocks: BTreeMap<Key, Permission>,
    pub(crate) domain_allows: BTreeMap<Key, Permission>,
    pub(crate) email_domain_blocks: BTreeMap<Key, AdminEmailDomainBlock>,
    pub(crate) ip_blocks: BTreeMap<Key, AdminIpBlock>,
    /// SHA-256 of canonical mail addresses.
    pub(crate) canonical_emails: BTreeMap<Key, String>,
    pub(crate) header_allows: BTreeMap<Key, HeaderFilter>,
    pub(crate) header_blocks: BTreeMap<Key, HeaderFilter>,
    pub(crate) drafts: BTreeMap<Key, Permission>,
    pub(crate) excludes: BTreeMap<Key, Permission>,
    pub(crate) subscriptions: BTreeMap<Key, DomainPermissionSubscription>,
}

/// A report of an account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) id: Key,
    pub(crate) from: Key,
    pub(crate) target: Key,
    pub(crate) category: ReportCategory,
    pub(crate) comment: String,
    pub(crate) forwarded: Option<bool>,
    pub(crate) statuses: Vec<Key>,
    /// Ids of rules.
    pub(crate) rules: Vec<String>,
    pub(crate) collections: Vec<Key>,
    pub(crate) at: Millis,
    pub(crate) updated_at: Millis,
    pub(crate) assigned_to: Option<Key>,
    pub(crate) resolved: Option<Resolved>,
}

/// The end of a report.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Resolved {
    pub(crate) by: Key,
    pub(crate) at: Millis,
    pub(crate) comment: Option<String>,
}

/// A domain with what moderators say of it: a block or an allow, a draft of one, or a domain that is to have neither.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Permission {
    pub(crate) id: Key,
    pub(crate) at: Millis,
    pub(crate) by: Key,
    pub(crate) domain: String,
    /// The kind of permission that a draft is to become.
    pub(crate) kind: Option<DomainPermissionType>,
    /// The severity of a block.
    pub(crate) severity: Option<AdminDomainBlockSeverity>,
    pub(crate) obfuscate: Option<bool>,
    pub(crate) reject_media: bool,
    pub(crate) reject_reports: bool,
    pub(crate) public_comment: Option<String>,
    pub(crate) private_comment: Option<String>,
}

/// SHA-256 of the canonical form of a mail address, in which dots and what stands behind a plus do not count.
pub(crate) fn canonical_email_hash(address: &str) -> String {
    let address = address.trim().to_lowercase();
    let (name, domain) = address.split_once('@').unwrap_or((&address, ""));
    let (name, _) = name.split_once('+').unwrap_or((name, ""));
    sha256(&format!("{}@{domain}", name.replace('.', "")))
}

/// SHA-256 of a text, in hexadecimal.
pub(crate) fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text);
    let halves = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    halves.filter_map(|half| char::from_digit(half.into(), 16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_mailbox_have_one_hash() {
        // Recorded of Mastodon 4.6.4.
        let hash = "973dfe463ec85785f5f95af5ba3906eedb2d931c24e69824a89ea65dba4e813b";
        assert_eq!(sha256("test@example.com"), hash);
        for address in ["test@example.com", "T.est+list@Example.com "] {
            assert_eq!(canonical_email_hash(address), hash);
        }
    }
}
