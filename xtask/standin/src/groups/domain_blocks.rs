//! Domains that the user blocks.

use fedispec::entities::DomainBlockPreview;
use fedispec::server::{Call, DomainBlocks, Empty, Page, Result};
use fedispec::{current, domain_blocks};

use super::support::invalid;
use crate::app::App;
use crate::store::{Key, State};
use crate::views::count;

impl DomainBlocks for App {
    async fn list(&self, _: domain_blocks::List, call: Call) -> Result<Page<String>> {
        let (state, me) = self.user(&call)?;
        let blocked = state.domain_blocks.get(&me).into_iter().flatten();
        let blocked = blocked.map(|(domain, key)| (*key, domain.clone()));
        Ok(state.page_of(&call, blocked).map(Some))
    }

    async fn create(&self, request: domain_blocks::Create, call: Call) -> Result<Empty> {
        let (mut state, me) = self.user(&call)?;
        let domain = request.domain.trim().to_lowercase();
        if domain.is_empty() || domain.contains(char::is_whitespace) || domain.contains('/') {
            let told = "Domain is not a valid domain name";
            return Err(invalid(&call, told, told));
        }
        let key = state.next_key();
        state.domain_blocks.entry(me).or_default().entry(domain.clone()).or_insert(key);
        // A block of a domain ends follows to and from its accounts.
        for account in of_domain(&state, &domain) {
            for (from, to) in [(me, account), (account, me)] {
                let tie = state.tie_mut(from, to);
                (tie.follow, tie.requested) = (None, None);
            }
        }
        Ok(Empty)
    }

    async fn delete(&self, request: domain_blocks::Delete, call: Call) -> Result<Empty> {
        let (mut state, me) = self.user(&call)?;
        let domain = request.domain.unwrap_or_default();
        if let Some(blocked) = state.domain_blocks.get_mut(&me) {
            blocked.remove(&domain.trim().to_lowercase());
        }
        Ok(Empty)
    }

    async fn preview(
        &self,
        request: domain_blocks::Preview,
        call: Call,
    ) -> Result<DomainBlockPreview> {
        let (state, me) = self.user(&call)?;
        let domain = request.domain.unwrap_or_default().trim().to_lowercase();
        let accounts = of_domain(&state, &domain);
        let number = |is: &dyn Fn(Key) -> bool| {
            count(accounts.iter().filter(|account| is(**account)).count())
        };
        let preview = current::DomainBlockPreview {
            following_count: number(&|account| state.follows(me, account)),
            followers_count: number(&|account| state.follows(account, me)),
        };
        Ok(preview.into())
    }
}

/// The accounts of another server.
fn of_domain(state: &State, domain: &str) -> Vec<Key> {
    let accounts = state.accounts.values();
    let accounts = accounts.filter(|account| account.domain.as_deref() == Some(domain));
    accounts.map(|account| account.id).collect()
}
