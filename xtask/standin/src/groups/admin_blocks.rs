//! Blocks and allows of domains, mail addresses and networks.

use fedispec::entities::{
    AdminCanonicalEmailBlock, AdminDomainAllow, AdminDomainBlock, AdminEmailDomainBlock,
    AdminIpBlock, HeaderFilter,
};
use fedispec::enums::AdminDomainBlockSeverity;
use fedispec::runtime::List;
use fedispec::server::{
    AdminCanonicalEmailBlocks, AdminDomainAllows, AdminDomainBlocks, AdminEmailDomainBlocks,
    AdminHeaderAllows, AdminHeaderBlocks, AdminIpBlocks, Call, Either, Empty, Error, File, Id,
    Page, Result, StatusCode,
};
use fedispec::{
    admin_canonical_email_blocks, admin_domain_allows, admin_domain_blocks,
    admin_email_domain_blocks, admin_header_allows, admin_header_blocks, admin_ip_blocks, required,
};
use serde::Deserialize;

use super::support::{in_seconds, invalid, is_gotosocial, malformed};
use crate::app::App;
use crate::store::moderation::{
    DomainAllow, DomainBlock, EmailDomainBlock, HeaderFilter as StoredHeader, IpBlock,
    canonical_email_hash,
};
use crate::store::{Key, State};

/// The sizes of pages of all these lists.
const SIZES: (usize, usize) = (100, 200);

/// A domain of an imported list.
#[derive(Debug, Deserialize)]
pub(super) struct Imported {
    pub(super) domain: String,
    #[serde(default)]
    pub(super) obfuscate: bool,
    #[serde(default)]
    pub(super) public_comment: Option<String>,
    #[serde(default)]
    pub(super) private_comment: Option<String>,
}

/// The domains of an imported list, which is JSON.
pub(super) fn imported(call: &Call, file: &File) -> Result<Vec<Imported>> {
    let content = file.content()?;
    serde_json::from_slice(&content).map_err(|error| {
        let told = format!("error parsing attachment as []*apimodel.Domain: {error}");
        malformed(call, &told, &told)
    })
}

/// A domain as it is kept, or the refusal.
pub(super) fn domain(call: &Call, given: &str) -> Result<String> {
    let domain = given.trim().trim_end_matches('.').to_lowercase();
    let fits = |sign: char| sign.is_alphanumeric() || ".-:".contains(sign);
    if domain.is_empty() || !domain.chars().all(fits) {
        let told = "Domain is not a valid domain name";
        return Err(malformed(call, told, "invalid domain"));
    }
    Ok(domain)
}

impl AdminDomainBlocks for App {
    async fn list(
        &self,
        _: admin_domain_blocks::List,
        call: Call,
    ) -> Result<Page<AdminDomainBlock>> {
        let (state, me) = self.user(&call)?;
        let blocks = state.moderated.domain_blocks.values().map(|block| (block.id, block));
        let page = state.page_of(&call, SIZES, blocks);
        Ok(page.map(|block| Some(state.view(me).domain_block(block))))
    }

    async fn get(&self, request: admin_domain_blocks::Get, call: Call) -> Result<AdminDomainBlock> {
        let (state, me) = self.user(&call)?;
        let block = state.key(&request.id).and_then(|key| state.moderated.domain_blocks.get(&key));
        Ok(state.view(me).domain_block(block.ok_or_else(Error::not_found)?))
    }

    async fn create(
        &self,
        request: admin_domain_blocks::Create,
        call: Call,
    ) -> Result<Either<AdminDomainBlock, Vec<AdminDomainBlock>>> {
        let list = match &request.domains {
            Some(file) if request.import == Some(true) => Some(imported(&call, file)?),
            _ => None,
        };
        let (mut state, me) = self.user(&call)?;
        let severity = request.severity.unwrap_or(AdminDomainBlockSeverity::Silence);
        if let Some(list) = list {
            let mut made = Vec::new();
            for one in list {
                let block = DomainBlock {
                    id: state.next_key(),
                    domain: domain(&call, &one.domain)?,
                    severity: severity.clone(),
                    obfuscate: one.obfuscate,
                    reject_media: false,
                    reject_reports: false,
                    public_comment: one.public_comment,
                    private_comment: one.private_comment,
                    at: state.now(),
                    by: me,
                };
                made.push(state.view(me).domain_block(&block));
                state.moderated.domain_blocks.insert(block.id, block);
            }
            return Ok(Either::Second(made));
        }
        let domain = domain(&call, &request.domain)?;
        let mut known = state.moderated.domain_blocks.values();
        if let Some(known) = known.find(|block| block.domain == domain) {
            if is_gotosocial(&call) {
                let told = format!("Conflict: a domain block already exists for {domain}");
                return Err(Error::new(StatusCode::CONFLICT, told));
            }
            let error = required::AdminExistingDomainBlockError {
                error: format!("You have already imposed stricter limits on {domain}."),
                existing_domain_block: state.view(me).domain_block(known),
            };
            let error = fedispec::entities::AdminExistingDomainBlockError::from(error);
            let reply = fedispec::server::Reply::json(&error);
            return Err(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY).into());
        }
        let block = DomainBlock {
            id: state.next_key(),
            domain,
            severity,
            obfuscate: request.obfuscate.unwrap_or(false),
            reject_media: request.reject_media.unwrap_or(false),
            reject_reports: request.reject_reports.unwrap_or(false),
            public_comment: request.public_comment,
            private_comment: request.private_comment,
            at: state.now(),
            by: me,
        };
        let view = state.view(me).domain_block(&block);
        state.moderated.domain_blocks.insert(block.id, block);
        Ok(Either::First(view))
    }

    async fn update(
        &self,
        request: admin_domain_blocks::Update,
        call: Call,
    ) -> Result<AdminDomainBlock> {
        let (mut state, me) = self.user(&call)?;
        let key = state.key(&request.id);
        let block = key.and_then(|key| state.moderated.domain_blocks.get_mut(&key));
        let block = block.ok_or_else(Error::not_found)?;
        block.severity = request.severity.unwrap_or_else(|| block.severity.clone());
        block.obfuscate = request.obfuscate.unwrap_or(block.obfuscate);
        block.reject_media = request.reject_media.unwrap_or(block.reject_media);
        block.reject_reports = request.reject_reports.unwrap_or(block.reject_reports);
        block.public_comment = request.public_comment.or(block.public_comment.take());
        block.private_comment = request.private_comment.or(block.private_comment.take());
        let block = block.clone();
        Ok(state.view(me).domain_block(&block))
    }

    async fn delete(
        &self,
        request: admin_domain_blocks::Delete,
        call: Call,
    ) -> Result<Either<AdminDomainBlock, Empty>> {
        let (mut state, me) = self.user(&call)?;
        let key = state.key(&request.id);
        let block = key.and_then(|key| state.moderated.domain_blocks.remove(&key));
        let block = block.ok_or_else(Error::not_found)?;
        if is_gotosocial(&call) {
            return Ok(Either::First(state.view(me).domain_block(&block)));
        }
        Ok(Either::Second(Empty))
    }
}

impl AdminDomainAllows for App {
    async fn list(
        &self,
        _: admin_domain_allows::List,
        call: Call,
    ) -> Result<Page<AdminDomainAllow>> {
        let (state, me) = self.user(&call)?;
        let allows = state.moderated.domain_allows.values().map(|allow| (allow.id, allow));
        let page = state.page_of(&call, SIZES, allows);
        Ok(page.map(|allow| Some(state.view(me).domain_allow(allow))))
    }

    async fn get(&self, request: admin_domain_allows::Get, call: Call) -> Result<AdminDomainAllow> {
        let (state, me) = self.user(&call)?;
        let allow = state.key(&request.id).and_then(|key| state.moderated.domain_allows.get(&key));
        Ok(state.view(me).domain_allow(allow.ok_or_else(Error::not_found)?))
    }

    async fn create(
        &self,
        request: admin_domain_allows::Create,
        call: Call,
    ) -> Result<Either<AdminDomainAllow, Vec<AdminDomainAllow>>> {
        let list = match &request.domains {
            Some(file) if request.import == Some(true) => Some(imported(&call, file)?),
            _ => None,
        };
        let (mut state, me) = self.user(&call)?;
        let mut add =
            |domain: String, obfuscate, public: Option<String>, private: Option<String>| {
                // Mastodon answers the allow that is there already.
                let mut known = state.moderated.domain_allows.values();
                if let Some(known) = known.find(|allow| allow.domain == domain) {
                    return state.view(me).domain_allow(known);
                }
                let allow = DomainAllow {
                    id: state.next_key(),
                    domain,
                    obfuscate,
                    public_comment: public.unwrap_or_default(),
                    private_comment: private.unwrap_or_default(),
                    at: state.now(),
                    by: me,
                };
                let view = state.view(me).domain_allow(&allow);
                state.moderated.domain_allows.insert(allow.id, allow);
                view
            };
        let Some(list) = list else {
            return Ok(Either::First(add(
                domain(&call, &request.domain)?,
                request.obfuscate.unwrap_or(false),
                request.public_comment,
                request.private_comment,
            )));
        };
        let mut made = Vec::new();
        for one in list {
            let domain = domain(&call, &one.domain)?;
            made.push(add(domain, one.obfuscate, one.public_comment, one.private_comment));
        }
        Ok(Either::Second(made))
    }

    async fn delete(
        &self,
        request: admin_domain_allows::Delete,
        call: Call,
    ) -> Result<Either<AdminDomainAllow, Empty>> {
        let (mut state, me) = self.user(&call)?;
        let key = state.key(&request.id);
        let allow = key.and_then(|key| state.moderated.domain_allows.remove(&key));
        let allow = allow.ok_or_else(Error::not_found)?;
        if is_gotosocial(&call) {
            return Ok(Either::First(state.view(me).domain_allow(&allow)));
        }
        Ok(Either::Second(Empty))
    }

    async fn update(
        &self,
        request: admin_domain_allows::Update,
        call: Call,
    ) -> Result<AdminDomainAllow> {
        let (mut state, me) = self.user(&call)?;
        let key = state.key(&request.id);
        let allow = key.and_then(|key| state.moderated.domain_allows.get_mut(&key));
        let allow = allow.ok_or_else(Error::not_found)?;
        allow.obfuscate = request.obfuscate.unwrap_or(allow.obfuscate);
        if let Some(comment) = request.public_comment {
            allow.public_comment = comment;
        }
        if let Some(comment) = request.private_comment {
            allow.private_comment = comment;
        }
        let allow = allow.clone();
        Ok(state.view(me).domain_allow(&allow))
    }
}

impl AdminEmailDomainBlocks for App {
    async fn list(
        &self,
        _: admin_email_domain_blocks::List,
        call: Call,
    ) -> Result<Page<AdminEmailDomainBlock>> {
        let (state, me) = self.user(&call)?;
        let blocks = state.moderated.email_domain_blocks.values().map(|block| (block.id, block));
        let page = state.page_of(&call, SIZES, blocks);
        Ok(page.map(|block| Some(state.view(me).email_domain_block(block))))
    }

    async fn get(
        &self,
        request: admin_email_domain_blocks::Get,
        call: Call,
    ) -> Result<AdminEmailDomainBlock> {
        let (state, me) = self.user(&call)?;
        let key = state.key(&request.id);
        let block = key.and_then(|key| state.moderated.email_domain_blocks.get(&key));
        Ok(state.view(me).email_domain_block(block.ok_or_else(Error::not_found)?))
    }

    async fn create(
        &self,
        request: admin_email_domain_blocks::Create,
        call: Call,
    ) -> Result<AdminEmailDomainBlock> {
        let (mut state, me) = self.user(&call)?;
        let domain = domain(&call, &request.domain)?;
        let mut known = state.moderated.email_domain_blocks.values();
        if known.any(|block| block.domain == domain) {
            let told = "Domain has already been taken";
            return Err(invalid(&call, told, told));
        }
        let block = EmailDomainBlock {
            id: state.next_key(),
            domain,
            allow_with_approval: request.allow_with_approval.unwrap_or(false),
            at: state.now(),
        };
        let view = state.view(me).email_domain_block(&block);
        state.moderated.email_domain_blocks.insert(block.id, block);
        Ok(view)
    }

    async fn delete(
        &self,
        request: admin_email_domain_blocks::Delete,
        call: Call,
    ) -> Result<Empty> {
        let (mut state, _) = self.user(&call)?;
        let key = state.key(&request.id);
        let block = key.and_then(|key| state.moderated.email_domain_blocks.remove(&key));
        block.map(|_| Empty).ok_or_else(Error::not_found)
    }
}

impl AdminIpBlocks for App {
    async fn list(&self, _: admin_ip_blocks::List, call: Call) -> Result<Page<AdminIpBlock>> {
        let (state, me) = self.user(&call)?;
        let blocks = state.moderated.ip_blocks.values().map(|block| (block.id, block));
        let page = state.page_of(&call, SIZES, blocks);
        Ok(page.map(|block| Some(state.view(me).ip_block(block))))
    }

    async fn get(&self, request: admin_ip_blocks::Get, call: Call) -> Result<AdminIpBlock> {
        let (state, me) = self.user(&call)?;
        let block = state.key(&request.id).and_then(|key| state.moderated.ip_blocks.get(&key));
        Ok(state.view(me).ip_block(block.ok_or_else(Error::not_found)?))
    }

    async fn create(&self, request: admin_ip_blocks::Create, call: Call) -> Result<AdminIpBlock> {
        let (mut state, me) = self.user(&call)?;
        let ip = network(&call, &request.ip.unwrap_or_default())?;
        let mut known = state.moderated.ip_blocks.values();
        if known.any(|block| block.ip == ip) {
            let told = "Ip has already been taken";
            return Err(invalid(&call, told, told));
        }
        let block = IpBlock {
            id: state.next_key(),
            ip,
            severity: request.severity,
            comment: request.comment.unwrap_or_default(),
            at: state.now(),
            expires_at: request.expires_in.map(|seconds| in_seconds(&state, seconds)),
        };
        let view = state.view(me).ip_block(&block);
        state.moderated.ip_blocks.insert(block.id, block);
        Ok(view)
    }

    async fn update(&self, request: admin_ip_blocks::Update, call: Call) -> Result<AdminIpBlock> {
        let ip = match &request.ip {
            Some(ip) => Some(network(&call, ip)?),
            None => None,
        };
        let (mut state, me) = self.user(&call)?;
        let ends = request.expires_in.map(|seconds| in_seconds(&state, seconds));
        let key = state.key(&request.id);
        let block = key.and_then(|key| state.moderated.ip_blocks.get_mut(&key));
        let block = block.ok_or_else(Error::not_found)?;
        block.ip = ip.unwrap_or_else(|| block.ip.clone());
        block.severity = request.severity.unwrap_or_else(|| block.severity.clone());
        block.comment = request.comment.unwrap_or_else(|| block.comment.clone());
        block.expires_at = ends.or(block.expires_at);
        let block = block.clone();
        Ok(state.view(me).ip_block(&block))
    }

    async fn delete(&self, request: admin_ip_blocks::Delete, call: Call) -> Result<Empty> {
        let (mut state, _) = self.user(&call)?;
        let key = state.key(&request.id);
        let block = key.and_then(|key| state.moderated.ip_blocks.remove(&key));
        block.map(|_| Empty).ok_or_else(Error::not_found)
    }
}

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

impl AdminCanonicalEmailBlocks for App {
    async fn list(
        &self,
        _: admin_canonical_email_blocks::List,
        call: Call,
    ) -> Result<Page<AdminCanonicalEmailBlock>> {
        let (state, _) = self.user(&call)?;
        let blocks = state.moderated.canonical_emails.iter();
        let blocks = blocks.map(|(key, hash)| (*key, (*key, hash)));
        let page = state.page_of(&call, SIZES, blocks);
        Ok(page.map(|(key, hash)| Some(canonical(&state, key, hash))))
    }

    async fn get(
        &self,
        request: admin_canonical_email_blocks::Get,
        call: Call,
    ) -> Result<AdminCanonicalEmailBlock> {
        let (state, _) = self.user(&call)?;
        let key = state.key(&request.id).ok_or_else(Error::not_found)?;
        let hash = state.moderated.canonical_emails.get(&key);
        Ok(canonical(&state, key, hash.ok_or_else(Error::not_found)?))
    }

    async fn test(
        &self,
        request: admin_canonical_email_blocks::Test,
        call: Call,
    ) -> Result<List<AdminCanonicalEmailBlock>> {
        let (state, _) = self.user(&call)?;
        let asked = canonical_email_hash(&request.email);
        let blocks = state.moderated.canonical_emails.iter();
        let found = blocks.filter(|(_, hash)| **hash == asked);
        Ok(found.map(|(key, hash)| canonical(&state, *key, hash)).collect())
    }

    async fn create(
        &self,
        request: admin_canonical_email_blocks::Create,
        call: Call,
    ) -> Result<AdminCanonicalEmailBlock> {
        let (mut state, _) = self.user(&call)?;
        let hash = match (request.email, request.canonical_email_hash) {
            (Some(email), _) if !email.is_empty() => canonical_email_hash(&email),
            (_, Some(hash)) if !hash.is_empty() => hash,
            _ => {
                let told = "Canonical email hash can't be blank";
                return Err(invalid(&call, told, told));
            }
        };
        if state.moderated.canonical_emails.values().any(|known| *known == hash) {
            let told = "Canonical email hash has already been taken";
            return Err(invalid(&call, told, told));
        }
        let key = state.next_key();
        let view = canonical(&state, key, &hash);
        state.moderated.canonical_emails.insert(key, hash);
        Ok(view)
    }

    async fn delete(
        &self,
        request: admin_canonical_email_blocks::Delete,
        call: Call,
    ) -> Result<Empty> {
        let (mut state, _) = self.user(&call)?;
        let key = state.key(&request.id);
        let block = key.and_then(|key| state.moderated.canonical_emails.remove(&key));
        block.map(|_| Empty).ok_or_else(Error::not_found)
    }
}

fn canonical(state: &State, key: Key, hash: &str) -> AdminCanonicalEmailBlock {
    required::AdminCanonicalEmailBlock { id: state.id(key), canonical_email_hash: hash.to_owned() }
        .into()
}

/// The kind of filter by headers.
#[derive(Clone, Copy)]
enum Headers {
    Allowed,
    Blocked,
}

impl AdminHeaderAllows for App {
    async fn list(&self, _: admin_header_allows::List, call: Call) -> Result<List<HeaderFilter>> {
        self.header_filters(Headers::Allowed, &call)
    }

    async fn create(
        &self,
        request: admin_header_allows::Create,
        call: Call,
    ) -> Result<HeaderFilter> {
        self.add_header_filter(Headers::Allowed, request.header, request.regex, &call)
    }

    async fn delete(&self, request: admin_header_allows::Delete, call: Call) -> Result<Empty> {
        self.remove_header_filter(Headers::Allowed, &request.id, &call)
    }

    async fn get(&self, request: admin_header_allows::Get, call: Call) -> Result<HeaderFilter> {
        self.header_filter(Headers::Allowed, &request.id, &call)
    }
}

impl AdminHeaderBlocks for App {
    async fn list(&self, _: admin_header_blocks::List, call: Call) -> Result<List<HeaderFilter>> {
        self.header_filters(Headers::Blocked, &call)
    }

    async fn create(
        &self,
        request: admin_header_blocks::Create,
        call: Call,
    ) -> Result<HeaderFilter> {
        self.add_header_filter(Headers::Blocked, request.header, request.regex, &call)
    }

    async fn delete(&self, request: admin_header_blocks::Delete, call: Call) -> Result<Empty> {
        self.remove_header_filter(Headers::Blocked, &request.id, &call)
    }

    async fn get(&self, request: admin_header_blocks::Get, call: Call) -> Result<HeaderFilter> {
        self.header_filter(Headers::Blocked, &request.id, &call)
    }
}

impl Headers {
    fn of(self, state: &State) -> &std::collections::BTreeMap<Key, StoredHeader> {
        match self {
            Self::Allowed => &state.moderated.header_allows,
            Self::Blocked => &state.moderated.header_blocks,
        }
    }

    fn of_mut(self, state: &mut State) -> &mut std::collections::BTreeMap<Key, StoredHeader> {
        match self {
            Self::Allowed => &mut state.moderated.header_allows,
            Self::Blocked => &mut state.moderated.header_blocks,
        }
    }
}

impl App {
    fn header_filters(&self, which: Headers, call: &Call) -> Result<List<HeaderFilter>> {
        let (state, me) = self.user(call)?;
        let filters = which.of(&state).values();
        Ok(filters.map(|filter| state.view(me).header_filter(filter)).collect())
    }

    fn header_filter(
        &self,
        which: Headers,
        id: &Id<HeaderFilter>,
        call: &Call,
    ) -> Result<HeaderFilter> {
        let (state, me) = self.user(call)?;
        let filter = state.key(id).and_then(|key| which.of(&state).get(&key));
        Ok(state.view(me).header_filter(filter.ok_or_else(Error::not_found)?))
    }

    fn add_header_filter(
        &self,
        which: Headers,
        header: String,
        regex: String,
        call: &Call,
    ) -> Result<HeaderFilter> {
        let (mut state, me) = self.user(call)?;
        if header.trim().is_empty() || regex.is_empty() {
            let told = "header and regex must be provided";
            return Err(malformed(call, told, told));
        }
        let filter = StoredHeader { id: state.next_key(), header, regex, at: state.now(), by: me };
        let view = state.view(me).header_filter(&filter);
        which.of_mut(&mut state).insert(filter.id, filter);
        Ok(view)
    }

    fn remove_header_filter(
        &self,
        which: Headers,
        id: &Id<HeaderFilter>,
        call: &Call,
    ) -> Result<Empty> {
        let (mut state, _) = self.user(call)?;
        let key = state.key(id);
        let removed = key.and_then(|key| which.of_mut(&mut state).remove(&key));
        removed.map(|_| Empty).ok_or_else(Error::not_found)
    }
}
