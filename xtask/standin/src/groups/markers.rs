//! Markers of how far the timelines were read.

use fedispec::entities::Marker;
use fedispec::enums::MarkerTimeline;
use fedispec::markers;

use super::prelude::*;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, request: markers::Get, _| {
            Ok(markers(&state, me, &request.timeline))
        }))
        .on(by_user(|mut state, me, request: markers::Save, _| {
            let mut saved = Vec::new();
            if let Some(id) = request.home_last_read_id {
                state.mark_read(me, "home", id.cast());
                saved.push(MarkerTimeline::Home);
            }
            if let Some(id) = request.notifications_last_read_id {
                state.mark_read(me, "notifications", id.cast());
                saved.push(MarkerTimeline::Notifications);
            }
            Ok(markers(&state, me, &saved))
        }))
}

fn markers(state: &State, me: Key, timelines: &[MarkerTimeline]) -> Map<Marker> {
    let own = state.markers.get(&me);
    let marker = |timeline: &MarkerTimeline| {
        let name = timeline.to_string();
        let marker = own?.get(&name)?.clone();
        Some((name, marker))
    };
    timelines.iter().filter_map(marker).collect()
}
