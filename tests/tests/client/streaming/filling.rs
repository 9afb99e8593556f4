//! Gaps that are filled from a timeline.

use fedispec::client::Over;
use fedispec::enums;
use fedispec::{streaming, timelines};

use crate::streaming::feed::{Cable, Feed};
use crate::streaming::{client, error, soon, told};

#[tokio::test]
async fn a_gap_is_filled_in_order_and_nothing_is_told_twice() {
    for over in [Over::WebSocket, Over::ServerSentEvents] {
        let feed = Feed::default();
        let cable = Cable::to(feed.serve().await).await;
        feed.names(&format!("ws://{}", cable.address));
        feed.post("98");
        feed.post("99");
        let client = client(&format!("http://{}", cable.address));
        let live = client.stream(streaming::User::new()).over(over);
        let home = timelines::Home::new();
        let mut live = soon(live).fill(enums::StreamEvent::Update, home);
        // Older statuses are not told.
        assert_eq!(told(&mut live).await, format!("connected over {over:?}"));
        feed.heard_by(1).await;
        feed.post("100");
        assert_eq!(told(&mut live).await, "update 100 of user");
        for round in 1..=2 {
            cable.cut().await;
            feed.heard_by(0).await;
            let first = 100 * round + 1;
            for id in first..first + 7 {
                feed.post(&id.to_string());
            }
            let lost = told(&mut live).await;
            assert!(lost.starts_with("lost: "), "{lost}");
            assert_eq!(told(&mut live).await, format!("connected again over {over:?}"));
            feed.heard_by(1).await;
            // It comes over the connection, and may stand in the list too.
            feed.post(&(first + 7).to_string());
            for id in first..first + 8 {
                assert_eq!(told(&mut live).await, format!("update {id} of user"));
            }
            feed.post(&(first + 8).to_string());
            assert_eq!(told(&mut live).await, format!("update {} of user", first + 8));
        }
    }
}

#[tokio::test]
async fn a_list_that_cannot_be_read_ends_the_stream() {
    let feed = Feed::default();
    let address = feed.serve().await;
    let client = client(&format!("http://{address}"));
    // The server does not have this list.
    let list = timelines::Public::new();
    let mut live = client.stream(streaming::User::new()).fill("update", list);
    let told = error(&mut live).await;
    assert!(told.is_unsupported(), "{told}");
    assert_eq!(told.operation(), "timelines.public");
}
