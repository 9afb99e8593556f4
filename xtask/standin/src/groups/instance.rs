//! The instance documents, rules and activity of the server.

use fedispec::enums::DomainBlockSeverity;
use fedispec::runtime::{Json, Map};
use fedispec::server::{Call, Either, Error, Instance, List, Reply, Result, StatusCode};
use fedispec::{current, entities, instance};

use super::accounts::keep_picture;
use super::support::{refused, set};
use crate::app::App;
use crate::family::{Habit, does};
use crate::store::clock::time;

use crate::store::moderation::{DomainBlock, sha256};

/// The weeks that the activity is told of, and their length in milliseconds.
const WEEKS: i64 = 12;
const WEEK: i64 = 7 * 86_400_000;

impl Instance for App {
    async fn get(&self, _: instance::Get, _: Call) -> Result<entities::Instance> {
        Ok(self.state().view(None).instance(self.release()))
    }

    async fn get_v1(&self, _: instance::GetV1, _: Call) -> Result<entities::V1Instance> {
        Ok(self.state().view(None).instance_v1(self.release()))
    }

    async fn update(&self, request: instance::Update, call: Call) -> Result<entities::V1Instance> {
        let (mut state, me) = self.user(&call)?;
        let contact = match &request.contact_username {
            Some(name) => {
                let account = state.lookup(name).filter(|account| account.user.is_some());
                let missing = || format!("there is no account {name} here");
                Some(account.ok_or_else(|| refused(StatusCode::BAD_REQUEST, &missing()))?.id)
            }
            None => None,
        };
        // The pictures of the server's own account, which a stand-in does not have, are taken and not shown.
        let thumbnail = keep_picture(&mut state, request.thumbnail.as_ref())?;
        let said = &mut state.described;
        set(&mut said.title, request.title);
        set(&mut said.short_description, request.short_description);
        set(&mut said.description, request.description);
        set(&mut said.terms, request.terms);
        set(&mut said.email, request.contact_email);
        set(&mut said.thumbnail_description, request.thumbnail_description);
        set(&mut said.custom_css, request.custom_css);
        said.contact = contact.or(said.contact);
        said.thumbnail = thumbnail.or(said.thumbnail);
        Ok(state.view(me).instance_v1(self.release()))
    }

    /// A server without campaigns answers that it has no content.
    async fn donation_campaign(&self, _: instance::DonationCampaign, call: Call) -> Result<Json> {
        self.user(&call)?;
        Err(Reply::new(StatusCode::NO_CONTENT))?
    }

    async fn peers(
        &self,
        request: instance::Peers,
        call: Call,
    ) -> Result<Either<Vec<String>, Vec<entities::PeerDomain>>> {
        let state = self.state();
        let Some(filter) = request.filter.filter(|_| does(&call, Habit::FiltersPeers)) else {
            return Ok(Either::First(state.peers()));
        };
        let mut found: Vec<entities::PeerDomain> = Vec::new();
        for kind in filter.split(',').map(str::trim) {
            match kind {
                "open" => {
                    let peers = state.peers().into_iter();
                    found.extend(peers.map(entities::PeerDomain::new));
                }
                "suspended" => found.extend(state.moderated.domain_blocks.values().map(suspended)),
                other => {
                    let told = format!(
                        "filter {other} not recognized; accepted values are 'open', 'suspended'"
                    );
                    return Err(refused(StatusCode::BAD_REQUEST, &told));
                }
            }
        }
        found.sort_by(|one, other| one.domain.cmp(&other.domain));
        Ok(Either::Second(found))
    }

    async fn activity(
        &self,
        _: instance::Activity,
        _: Call,
    ) -> Result<List<entities::InstanceActivity>> {
        let state = self.state();
        let this_week = state.now().div_euclid(WEEK) * WEEK;
        let weeks = (0..WEEKS).map(|ago| {
            let begin = this_week - ago * WEEK;
            let is_in = |at: i64| (begin..begin + WEEK).contains(&at);
            let statuses = state.statuses.count_within(begin..begin + WEEK);
            let registrations = state.users().filter(|user| is_in(user.created_at)).count();
            let logins = state.oauth.tokens.values().filter(|token| is_in(token.created_at));
            current::InstanceActivity {
                logins: logins.count().to_string(),
                registrations: registrations.to_string(),
                statuses: statuses.to_string(),
                week: (begin / 1000).to_string(),
            }
            .into()
        });
        Ok(weeks.collect())
    }

    async fn rules(&self, _: instance::Rules, _: Call) -> Result<List<entities::Rule>> {
        Ok(self.state().view(None).rules().into())
    }

    async fn domain_blocks(
        &self,
        _: instance::DomainBlocks,
        _: Call,
    ) -> Result<List<entities::DomainBlock>> {
        let state = self.state();
        let blocks = state.moderated.domain_blocks.values();
        let blocks = blocks.map(|block| {
            let block = current::DomainBlock {
                domain: block.domain.clone(),
                digest: sha256(&block.domain),
                severity: Some(DomainBlockSeverity::custom(block.severity.as_str())),
                comment: block.public_comment.clone(),
            };
            block.into()
        });
        Ok(blocks.collect())
    }

    async fn extended_description(
        &self,
        _: instance::ExtendedDescription,
        _: Call,
    ) -> Result<entities::ExtendedDescription> {
        let content = "<p>A stand-in server of Fedispec, for tests.</p>".to_owned();
        Ok(current::ExtendedDescription { content, updated_at: Some(time(0)) }.into())
    }

    async fn privacy_policy(
        &self,
        _: instance::PrivacyPolicy,
        _: Call,
    ) -> Result<entities::PrivacyPolicy> {
        let policy = current::PrivacyPolicy {
            updated_at: time(0),
            content: "<p>This server keeps what tests send until it is stopped.</p>".to_owned(),
        };
        Ok(policy.into())
    }

    async fn terms_of_service(
        &self,
        _: instance::TermsOfService,
        _: Call,
    ) -> Result<entities::TermsOfService> {
        // As of a server that has published none.
        Err(Error::not_found())
    }

    async fn terms_of_service_of(
        &self,
        _: instance::TermsOfServiceOf,
        _: Call,
    ) -> Result<entities::TermsOfService> {
        Err(Error::not_found())
    }

    async fn translation_languages(
        &self,
        _: instance::TranslationLanguages,
        _: Call,
    ) -> Result<Map<Vec<String>>> {
        Ok(Map::default())
    }

    async fn languages(
        &self,
        _: instance::Languages,
        _: Call,
    ) -> Result<List<entities::InstanceLanguage>> {
        let english =
            current::InstanceLanguage { code: "en".to_owned(), name: "English".to_owned() };
        Ok(List::new([english.into()]))
    }

    async fn search_peers(&self, request: instance::SearchPeers, _: Call) -> Result<List<String>> {
        let begin = request.q.unwrap_or_default().to_lowercase();
        let mut peers = self.state().peers();
        peers.retain(|peer| peer.starts_with(&begin));
        Ok(peers.into())
    }
}

/// A blocked domain as GoToSocial lists it.
fn suspended(block: &DomainBlock) -> entities::PeerDomain {
    let comment = block.public_comment.clone().unwrap_or_default();
    let mut told = entities::PeerDomain::new(block.domain.as_str());
    told.suspended_at = Some(time(block.at));
    told.comment = Some(comment.clone());
    told.public_comment = comment;
    told
}
