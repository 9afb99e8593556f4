//! Blocks and allows of domains, mail addresses and networks.

use super::prelude::*;
use crate::store::moderation::{Permission, canonical_email_hash};
use crate::text::is_domain;
use fedispec::entities::{
    AdminCanonicalEmailBlock, AdminDomainAllow, AdminDomainBlock, AdminEmailDomainBlock,
    AdminEmailDomainBlockHistory, AdminIpBlock, HeaderFilter,
};
use fedispec::enums::{AdminDomainBlockSeverity, AdminIpBlockSeverity};
use fedispec::{
    admin_canonical_email_blocks as canonical_emails, admin_domain_allows as domain_allows,
    admin_domain_blocks as domain_blocks, admin_email_domain_blocks as email_domain_blocks,
    admin_header_allows as header_allows, admin_header_blocks as header_blocks,
    admin_ip_blocks as ip_blocks,
};

const DOMAIN_BLOCKS: Table<Permission, AdminDomainBlock> =
    table!(moderated.domain_blocks, |view, _, block| view.domain_block(block));

const DOMAIN_ALLOWS: Table<Permission, AdminDomainAllow> =
    table!(moderated.domain_allows, |view, _, allow| view.domain_allow(allow));

const EMAIL_DOMAIN_BLOCKS: Table<AdminEmailDomainBlock, AdminEmailDomainBlock> =
    table!(moderated.email_domain_blocks, |view, key, block| AdminEmailDomainBlock {
        id: view.id(key),
        history: view.last_days().map(untried).collect(),
        ..block.clone()
    });

const IP_BLOCKS: Table<AdminIpBlock, AdminIpBlock> =
    table!(moderated.ip_blocks, |view, key, block| AdminIpBlock {
        id: view.id(key),
        ..block.clone()
    });

const CANONICAL_EMAILS: Table<String, AdminCanonicalEmailBlock> = Table {
    all: |state| &state.moderated.canonical_emails,
    all_mut: |state| &mut state.moderated.canonical_emails,
    is_of: |_, _| true,
    show: |view, key, hash| {
        let canonical_email_hash = hash.clone();
        current::AdminCanonicalEmailBlock { id: view.id(key), canonical_email_hash }.into()
    },
};

const HEADER_ALLOWS: Table<HeaderFilter, HeaderFilter> =
    table!(moderated.header_allows, |view, key, filter| HeaderFilter {
        id: view.id(key),
        ..filter.clone()
    });

const HEADER_BLOCKS: Table<HeaderFilter, HeaderFilter> = Table {
    all: |state| &state.moderated.header_blocks,
    all_mut: |state| &mut state.moderated.header_blocks,
    ..HEADER_ALLOWS
};

/// A day on which nobody has tried to sign up.
fn untried(day: Millis) -> AdminEmailDomainBlockHistory {
    let [accounts, uses] = ["0", "0"].map(str::to_owned);
    let day = (day / 1000).to_string();
    current::AdminEmailDomainBlockHistory { accounts, day, uses }.into()
}

/// A domain with what a request says of it.
macro_rules! said {
    ($request:ident, $domain:expr) => {
        Permission {
            domain: $domain,
            obfuscate: $request.obfuscate,
            public_comment: $request.public_comment,
            private_comment: $request.private_comment,
            ..Permission::default()
        }
    };
}
pub(super) use said;

/// Changes what is said of a domain.
macro_rules! say {
    ($one:ident, $request:ident) => {
        $one.obfuscate = $request.obfuscate.or($one.obfuscate);
        $one.public_comment = $request.public_comment.or($one.public_comment.take());
        $one.private_comment = $request.private_comment.or($one.private_comment.take());
    };
}

/// The domains of a list that is to be imported, which is JSON; none where nothing is.
fn imported(
    call: &Call,
    is_wanted: Option<bool>,
    file: Option<&File>,
) -> Result<Option<Vec<Permission>>> {
    let Some(file) = file.filter(|_| is_wanted == Some(true)) else {
        return Ok(None);
    };
    let content = file.content()?;
    let listed: Vec<Permission> = serde_json::from_slice(&content).map_err(|error| {
        let told = format!("error parsing attachment as []*apimodel.Domain: {error}");
        malformed(call, &told, &told)
    })?;
    Ok(Some(listed.into_iter().map(|one| said!(one, one.domain)).collect()))
}

/// A domain as it is kept, or the refusal.
pub(super) fn domain(call: &Call, given: &str) -> Result<String> {
    let domain = given.trim().trim_end_matches('.').to_lowercase();
    let told = "Domain is not a valid domain name";
    refuse_if!(!is_domain(&domain), malformed(call, told, "invalid domain"));
    Ok(domain)
}

/// Adds the domain that a request names, or each of the list that it imports.
pub(super) fn add_each<E>(
    call: &Call,
    one: Permission,
    list: Option<Vec<Permission>>,
    mut add: impl FnMut(Permission) -> E,
) -> Result<Either<E, Vec<E>>> {
    let mut checked = |one: Permission| {
        let domain = domain(call, &one.domain)?;
        Ok(add(Permission { domain, ..one }))
    };
    match list {
        None => checked(one).map(Either::First),
        Some(list) => list.into_iter().map(checked).collect::<Result<_>>().map(Either::Second),
    }
}

/// Answers a record that was removed as GoToSocial does; Mastodon answers nothing.
fn removed<E>(call: &Call, view: E) -> Either<E, Empty> {
    if does(call, Habit::AnswersRemoved) { Either::First(view) } else { Either::Second(Empty) }
}

pub(super) fn domain_blocks(server: Server<App>) -> Server<App> {
    server
        .on(handler!(page DOMAIN_BLOCKS, domain_blocks::List))
        .on(handler!(one DOMAIN_BLOCKS, domain_blocks::Get))
        .on(by_user(|mut state, me, request: domain_blocks::Create, call| {
            let list = imported(&call, request.import, request.domains.as_ref())?;
            if list.is_none() {
                let domain = domain(&call, request.domain.as_deref().unwrap_or_default())?;
                let mut known = state.moderated.domain_blocks.values();
                if let Some(known) = known.find(|block| block.domain == domain) {
                    let known = state.view(me).domain_block(known);
                    return Err(already_blocked(&call, &domain, known));
                }
            }
            let severity = request.severity.unwrap_or(AdminDomainBlockSeverity::Silence);
            let one = Permission {
                reject_media: request.reject_media.unwrap_or(false),
                reject_reports: request.reject_reports.unwrap_or(false),
                ..said!(request, request.domain.unwrap_or_default())
            };
            add_each(&call, one, list, |one| {
                let severity = Some(severity.clone());
                let block = |id, at| Permission { id, at, by: me, severity, ..one };
                DOMAIN_BLOCKS.add(&mut state, me, block)
            })
        }))
        .on(async |app: App, request: domain_blocks::Update, call| {
            DOMAIN_BLOCKS.change(&app, &request.id, &call, |block| {
                block.severity = request.severity.or(block.severity.take());
                set(&mut block.reject_media, request.reject_media);
                set(&mut block.reject_reports, request.reject_reports);
                say!(block, request);
            })
        })
        .on(async |app: App, request: domain_blocks::Delete, call| {
            Ok(removed(&call, DOMAIN_BLOCKS.remove(&app, &request.id, &call)?))
        })
}

/// Refuses a domain that is blocked already.
fn already_blocked(call: &Call, domain: &str, known: AdminDomainBlock) -> Error {
    if does(call, Habit::TellsWhy) {
        return conflict(&format!("a domain block already exists for {domain}"));
    }
    // The reply is written as it is, so that it holds what Mastodon has alone.
    let known =
        AdminDomainBlock { created_by: None, silenced_at: None, suspended_at: None, ..known };
    let error = current::AdminExistingDomainBlockError {
        error: format!("You have already imposed stricter limits on {domain}."),
        existing_domain_block: known,
    };
    let reply = Reply::json(&entities::AdminExistingDomainBlockError::from(error));
    reply.with_status(StatusCode::UNPROCESSABLE_ENTITY).into()
}

pub(super) fn domain_allows(server: Server<App>) -> Server<App> {
    server
        .on(handler!(page DOMAIN_ALLOWS, domain_allows::List))
        .on(handler!(one DOMAIN_ALLOWS, domain_allows::Get))
        .on(by_user(|mut state, me, request: domain_allows::Create, call| {
            let list = imported(&call, request.import, request.domains.as_ref())?;
            let one = said!(request, request.domain.unwrap_or_default());
            add_each(&call, one, list, |one| {
                // Mastodon answers the allow that is there already.
                let mut known = state.moderated.domain_allows.values();
                if let Some(known) = known.find(|allow| allow.domain == one.domain) {
                    return state.view(me).domain_allow(known);
                }
                DOMAIN_ALLOWS.add(&mut state, me, |id, at| Permission { id, at, by: me, ..one })
            })
        }))
        .on(async |app: App, request: domain_allows::Delete, call| {
            Ok(removed(&call, DOMAIN_ALLOWS.remove(&app, &request.id, &call)?))
        })
        .on(async |app: App, request: domain_allows::Update, call| {
            DOMAIN_ALLOWS.change(&app, &request.id, &call, |allow| {
                say!(allow, request);
            })
        })
}

pub(super) fn email_domain_blocks(server: Server<App>) -> Server<App> {
    server
        .on(handler!(page EMAIL_DOMAIN_BLOCKS, email_domain_blocks::List))
        .on(handler!(one EMAIL_DOMAIN_BLOCKS, email_domain_blocks::Get))
        .on(by_user(|mut state, me, request: email_domain_blocks::Create, call| {
            let domain = domain(&call, &request.domain)?;
            let mut known = state.moderated.email_domain_blocks.values();
            let is_taken = known.any(|block| block.domain == domain);
            refuse_if!(is_taken, invalid_alike(&call, "Domain has already been taken"));
            let allow_with_approval = request.allow_with_approval.unwrap_or(false);
            let block = |id: Key, at| current::AdminEmailDomainBlock {
                id: id.to_string().into(),
                domain,
                allow_with_approval,
                created_at: time(at),
                history: Vec::new(),
            };
            Ok(EMAIL_DOMAIN_BLOCKS.add(&mut state, me, |id, at| block(id, at).into()))
        }))
        .on(handler!(end EMAIL_DOMAIN_BLOCKS, email_domain_blocks::Delete))
}

pub(super) fn ip_blocks(server: Server<App>) -> Server<App> {
    server
        .on(handler!(page IP_BLOCKS, ip_blocks::List))
        .on(handler!(one IP_BLOCKS, ip_blocks::Get))
        .on(by_user(|mut state, me, request: ip_blocks::Create, call| {
            let ip = network(&call, request.ip.as_deref().unwrap_or(NO_ADDRESS))?;
            let is_taken = state.moderated.ip_blocks.values().any(|block| block.ip == ip);
            refuse_if!(is_taken, invalid_alike(&call, "Ip has already been taken"));
            let expires_at = request.expires_in.map(|seconds| in_seconds(&state, seconds));
            let block = |id: Key, at| current::AdminIpBlock {
                id: id.to_string().into(),
                ip,
                severity: request.severity,
                comment: request.comment.unwrap_or_default(),
                created_at: time(at),
                expires_at: expires_at.map(time),
            };
            Ok(IP_BLOCKS.add(&mut state, me, |id, at| block(id, at).into()))
        }))
        // Mastodon answers an update that is not valid as if it were.
        .accept_unlisted("admin_ip_blocks.update.severity")
        .on(async |app: App, request: ip_blocks::Update, call| {
            let is_listed = |one: &_| !matches!(one, AdminIpBlockSeverity::Unrecognized(_));
            let ip = request.ip.map(|ip| network(&call, &ip)).transpose()?;
            let ends = request.expires_in.map(|seconds| in_seconds(&app.state(), seconds));
            IP_BLOCKS.change(&app, &request.id, &call, |block| {
                set(&mut block.ip, ip);
                set(&mut block.severity, request.severity.filter(is_listed));
                set(&mut block.comment, request.comment);
                block.expires_at = ends.map(time).or(block.expires_at.take());
            })
        })
        .on(handler!(end IP_BLOCKS, ip_blocks::Delete))
}

/// The network that is blocked where none is named.
const NO_ADDRESS: &str = "0.0.0.0";

/// A network such as `8.8.8.0/24`; an address is one of its own.
fn network(call: &Call, given: &str) -> Result<String> {
    let (address, bits) = match given.split_once('/') {
        Some((address, bits)) => (address, bits.parse::<u8>().ok()),
        None => (given, Some(if given.contains(':') { 128 } else { 32 })),
    };
    let address = address.trim().parse::<std::net::IpAddr>().ok();
    match (address, bits) {
        (Some(address), Some(bits)) if bits <= if address.is_ipv4() { 32 } else { 128 } => {
            Ok(format!("{address}/{bits}"))
        }
        _ => Err(invalid(call, "Ip is invalid", "invalid ip")),
    }
}

pub(super) fn canonical_email_blocks(server: Server<App>) -> Server<App> {
    server
        .on(handler!(page CANONICAL_EMAILS, canonical_emails::List))
        .on(handler!(one CANONICAL_EMAILS, canonical_emails::Get))
        .on(by_user(|state, me, request: canonical_emails::Test, _| {
            let asked = canonical_email_hash(&request.email);
            let found = CANONICAL_EMAILS.of(&state, me).filter(|(_, hash)| **hash == asked);
            Ok(found
                .map(|(key, hash)| (CANONICAL_EMAILS.show)(state.view(me), key, hash))
                .collect())
        }))
        .on(by_user(|mut state, me, request: canonical_emails::Create, call| {
            let hash = match (request.email, request.canonical_email_hash) {
                (Some(email), _) if !email.is_empty() => canonical_email_hash(&email),
                (_, Some(hash)) if !hash.is_empty() => hash,
                _ => return Err(invalid_alike(&call, "Canonical email hash can't be blank")),
            };
            let is_taken = state.moderated.canonical_emails.values().any(|known| *known == hash);
            let told = "Canonical email hash has already been taken";
            refuse_if!(is_taken, invalid_alike(&call, told));
            Ok(CANONICAL_EMAILS.add(&mut state, me, |_, _| hash))
        }))
        .on(handler!(end CANONICAL_EMAILS, canonical_emails::Delete))
}

/// The handlers of the filters that allow, or of those that block.
macro_rules! header_filters {
    ($server:expr, $filters:expr, $group:ident) => {
        $server
            .on(handler!(all $filters, $group::List))
            .on(handler!(one $filters, $group::Get))
            .on(by_user(|mut state, by, request: $group::Create, call| {
                let (header, regex) = (request.header, request.regex.unwrap_or_default());
                not_blank(&header, malformed_alike(&call, "header must be provided"))?;
                let created_by = state.id::<()>(by).to_string();
                let filter = |id: Key, at| {
                    let (id, created_at) = (id.to_string().into(), time(at));
                    current::HeaderFilter { id, header, regex, created_at, created_by }.into()
                };
                Ok($filters.add(&mut state, by, filter))
            }))
            .on(by_user(|mut state, me, request: $group::Delete, _| {
                // Nobody is told whether there was one.
                let _ = $filters.take(&mut state, me, &request.id);
                Ok(Empty)
            }))
    };
}

pub(super) fn header_filters(server: Server<App>) -> Server<App> {
    let server = header_filters!(server, HEADER_ALLOWS, header_allows);
    header_filters!(server, HEADER_BLOCKS, header_blocks)
}
