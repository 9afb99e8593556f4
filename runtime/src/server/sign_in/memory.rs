//! Applications, codes and tokens in memory.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use super::super::Result;
use super::store::{OauthApp, OauthCode, OauthStore, OauthToken};
use crate::Timestamp;
use crate::lock::Lock as _;

/// The greatest number of rows that strangers can add.
const MOST: usize = 5000;

/// An [`OauthStore`] in memory, which ends with the process. Clones share the rows.
///
/// The entries that strangers can add are bounded, 5000 each of applications that no user has let in, of applications' own tokens and of codes: a new one takes the
/// place of the oldest.
#[derive(Clone)]
pub struct OauthMemory {
    tables: Arc<Mutex<Tables>>,
    clock: Arc<dyn Fn() -> i64 + Send + Sync>,
    most: usize,
}

#[derive(Default)]
struct Tables {
    /// Applications that no user has let in.
    strangers: Rows<OauthApp>,
    apps: Rows<OauthApp>,
    codes: Rows<OauthCode>,
    /// Tokens of applications without a user.
    own_tokens: Rows<OauthToken>,
    tokens: Rows<OauthToken>,
    /// The token that was exchanged for each code.
    exchanged: HashMap<String, String>,
}

/// Rows by their key, with the order in which they came.
struct Rows<T> {
    rows: HashMap<String, (u64, T)>,
    next: u64,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { rows: HashMap::new(), next: 0 }
    }
}

impl<T> Rows<T> {
    fn get(&self, key: &str) -> Option<&T> {
        self.rows.get(key).map(|(_, row)| row)
    }

    fn remove(&mut self, key: &str) -> Option<T> {
        self.rows.remove(key).map(|(_, row)| row)
    }

    fn insert(&mut self, key: String, row: T) {
        self.rows.insert(key, (self.next, row));
        self.next += 1;
    }

    /// Inserts a row, in place of the oldest where there are so many.
    fn insert_bounded(&mut self, key: String, row: T, most: usize) {
        while self.rows.len() >= most.max(1) {
            let oldest = self.rows.iter().min_by_key(|(_, (number, _))| *number);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
                break;
            };
            self.rows.remove(&oldest);
        }
        self.insert(key, row);
    }
}

impl OauthMemory {
    /// An empty store.
    pub fn new() -> Self {
        Self {
            tables: Arc::default(),
            clock: Arc::new(|| Timestamp::now().unix().unwrap_or_default()),
            most: MOST,
        }
    }

    setters! {
        /// Sets the clock, in seconds since 1970, for tests.
        with_clock(clock: impl Fn() -> i64 + Send + Sync + 'static) => clock = Arc::new(clock);

        /// Sets the greatest number of each kind of rows that strangers can add, in place of 5000.
        with_most(most: usize) => most = most;
    }
}

impl Tables {
    /// A user has let an application in, which is kept from now on.
    fn let_in(&mut self, client_id: &str) {
        if let Some(app) = self.strangers.remove(client_id) {
            self.apps.insert(app.client_id.clone(), app);
        }
    }
}

impl OauthStore for OauthMemory {
    async fn add_app(&self, app: OauthApp) -> Result<()> {
        let key = app.client_id.clone();
        self.tables.held().strangers.insert_bounded(key, app, self.most);
        Ok(())
    }

    async fn app(&self, client_id: &str) -> Result<Option<OauthApp>> {
        let tables = self.tables.held();
        let app = tables.apps.get(client_id).or_else(|| tables.strangers.get(client_id));
        Ok(app.cloned())
    }

    async fn add_code(&self, code: OauthCode) -> Result<()> {
        let (now, mut tables) = (self.now(), self.tables.held());
        tables.let_in(&code.asked.client_id);
        tables.codes.rows.retain(|_, (_, code)| code.expires_at > now);
        tables.codes.insert_bounded(code.digest.clone(), code, self.most);
        Ok(())
    }

    async fn code(&self, digest: &str) -> Result<Option<OauthCode>> {
        Ok(self.tables.held().codes.get(digest).cloned())
    }

    async fn add_token(&self, token: OauthToken) -> Result<bool> {
        let mut tables = self.tables.held();
        if let Some(code) = &token.code {
            if tables.codes.remove(code).is_none() {
                return Ok(false);
            }
            tables.exchanged.insert(code.clone(), token.digest.clone());
        }
        let key = token.digest.clone();
        if token.account.is_none() {
            tables.own_tokens.insert_bounded(key, token, self.most);
        } else {
            tables.let_in(&token.client_id);
            tables.tokens.insert(key, token);
        }
        Ok(true)
    }

    async fn token(&self, digest: &str) -> Result<Option<OauthToken>> {
        let tables = self.tables.held();
        let token = tables.tokens.get(digest).or_else(|| tables.own_tokens.get(digest));
        Ok(token.cloned())
    }

    async fn end(&self, digest: &str) -> Result<Vec<String>> {
        let mut tables = self.tables.held();
        tables.codes.remove(digest);
        let exchanged = tables.exchanged.get(digest).cloned();
        let key = exchanged.as_deref().unwrap_or(digest);
        let token = tables.tokens.remove(key).or_else(|| tables.own_tokens.remove(key));
        if let Some(code) = token.as_ref().and_then(|token| token.code.as_ref()) {
            tables.exchanged.remove(code);
        }
        Ok(token.into_iter().map(|token| token.digest).collect())
    }

    fn now(&self) -> i64 {
        (self.clock)()
    }
}

impl Default for OauthMemory {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for OauthMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables = self.tables.held();
        f.debug_struct("OauthMemory")
            .field("apps", &(tables.apps.rows.len() + tables.strangers.rows.len()))
            .field("codes", &tables.codes.rows.len())
            .field("tokens", &(tables.tokens.rows.len() + tables.own_tokens.rows.len()))
            .finish_non_exhaustive()
    }
}
