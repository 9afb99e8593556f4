//! Domains that the user blocks.

use fedispec::domain_blocks;

use super::prelude::*;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: domain_blocks::List, call| {
            let blocked = state.domain_blocks.get(&me).into_iter().flatten();
            let blocked = blocked.map(|(domain, key)| (*key, domain.clone()));
            Ok(state.page_of(&call, blocked).map(Some))
        }))
        .on(by_user(|mut state, me, request: domain_blocks::Create, call| {
            let domain = request.domain.trim().to_lowercase();
            let is_wrong = domain.is_empty()
                || domain.contains(|sign: char| sign == '/' || sign.is_whitespace());
            refuse_if!(is_wrong, invalid_alike(&call, "Domain is not a valid domain name"));
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
        }))
        .on(by_user(|mut state, me, request: domain_blocks::Delete, _| {
            let domain = request.domain.unwrap_or_default();
            if let Some(blocked) = state.domain_blocks.get_mut(&me) {
                blocked.remove(&domain.trim().to_lowercase());
            }
            Ok(Empty)
        }))
        .on(by_user(|state, me, request: domain_blocks::Preview, _| {
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
        }))
}

/// The accounts of another server.
fn of_domain(state: &State, domain: &str) -> Vec<Key> {
    let accounts = state.accounts.values();
    let accounts = accounts.filter(|account| account.domain.as_deref() == Some(domain));
    accounts.map(|account| account.id).collect()
}
