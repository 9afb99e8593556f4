//! The store of the examples over a real `PostgreSQL`, by the same test as the store in memory.
#[allow(dead_code, reason = "it is a program of its own")]
#[path = "../../examples/postgres_oauth.rs"]
pub(crate) mod program;

use self::program::Postgres;
use crate::postgres_relay::Database;
use crate::sign_in;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_keeps_what_a_store_promises() {
    let Some(database) = Database::start().await else {
        return;
    };
    let store = Postgres::connect(&database.config()).await.expect("a connection");
    sign_in::store::keeps_its_promises(store.clone()).await;
    sign_in::from_registration_to_revocation(store).await;
}
