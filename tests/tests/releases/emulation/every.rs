//! Every release, every entity, every operation: what the release lacks is not served at any depth, and what it has is.

use std::collections::BTreeSet;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use fedispec::runtime::compatibility::Verdict;
use fedispec::runtime::ser;
use fedispec::server::{Emulation, Server, emulation};
use fedispec_model::api::{EntityRole, Item, Operation, Type};
use serde_json::Value;
use tower::ServiceExt as _;

use crate::emulation::filled::{API, Fill, Release, entity, releases, steps};

/// Compares what is served with the whole of it.
struct Walk<'r> {
    release: &'r Release,
    faults: Vec<String>,
    /// Whether values that the release lacks may have taken others with them.
    loses: bool,
}

impl Walk<'_> {
    fn check(&mut self, ty: &Type, whole: &Value, served: &Value, at: &str) {
        match (ty, whole, served) {
            (Type::Entity(id), Value::Object(whole), Value::Object(served)) => {
                let Some(entity) = entity(id) else { return };
                for field in &entity.fields {
                    let (id, wire) = (&field.item.id, field.item.wire.as_str());
                    let Some(whole) = whole.get(wire) else {
                        continue;
                    };
                    let at = format!("{at}.{wire}");
                    let is_never = field.quirks.iter().any(|quirk| {
                        quirk.sends == "absent" && quirk.program == self.release.program.key
                    });
                    match (self.release.has(&field.item), served.get(wire)) {
                        (Verdict::No, Some(_)) => self.faults.push(format!("{at}: {id} is served")),
                        (Verdict::Yes | Verdict::Unknown, None) if !is_never && !self.loses => {
                            self.faults.push(format!("{at}: {id} is not served"));
                        }
                        (_, Some(served)) => self.check(&field.r#type, whole, served, &at),
                        (_, None) => {}
                    }
                }
            }
            (Type::List(ty), Value::Array(whole), Value::Array(served)) => {
                let of = match &**ty {
                    Type::Entity(id) => entity(id),
                    _ => None,
                };
                let can_be = of.is_none_or(|one| self.release.can_have(one));
                if whole.len() != served.len() && !self.loses && can_be {
                    self.faults.push(format!("{at}: {} of {}", served.len(), whole.len()));
                }
                for (whole, served) in whole.iter().zip(served) {
                    self.check(ty, whole, served, at);
                }
            }
            (Type::Map(ty), Value::Object(whole), Value::Object(served)) => {
                for (key, served) in served {
                    if let Some(whole) = whole.get(key) {
                        self.check(ty, whole, served, &format!("{at}.{key}"));
                    }
                }
            }
            (Type::OneOf(types), whole, served) => {
                if let Some(ty) = types.first() {
                    self.check(ty, whole, served, at);
                }
            }
            (Type::Enum(id), whole, Value::String(value)) => {
                let one = API.enums.iter().find(|one| one.item.id == *id);
                let mut values = one.into_iter().flat_map(|one| &one.values);
                if let Some(item) = values.find(|item| item.wire == *value) {
                    if self.release.lacks(item) {
                        self.faults.push(format!("{at}: {} is served", item.id));
                    }
                } else {
                    self.faults.push(format!("{at}: {value} is no value"));
                }
                if !self.loses && whole != value.as_str() {
                    self.faults.push(format!("{at}: {value} in place of {whole}"));
                }
            }
            _ => {}
        }
    }
}

#[test]
fn what_a_release_lacks_is_cut_at_every_depth_and_what_it_has_is_served() {
    let mut compared = 0;
    let mut faults = BTreeSet::new();
    for release in steps() {
        let own: Emulation = emulation(&release.name()).expect("registered");
        for one in &API.entities {
            if !matches!(one.role, EntityRole::Named | EntityRole::Response(_))
                || release.lacks(&one.item)
            {
                continue;
            }
            for lacking in [false, true] {
                let fill = Fill { release, lacking };
                let Some(typed) = fill.typed(&one.item.id) else {
                    continue;
                };
                let Some(served) = own.encode(&typed) else {
                    if !lacking && release.can_have(one) {
                        let name = release.name();
                        faults.insert(format!("{name}: {} is not served at all", one.item.id));
                    }
                    continue;
                };
                let whole: Value = serde_json::from_str(&ser::text(&typed)).expect("JSON");
                let served: Value = serde_json::from_slice(&served).expect("JSON");
                let mut walk = Walk { release: &release, faults: Vec::new(), loses: lacking };
                let ty = Type::Entity(one.item.id.clone());
                walk.check(&ty, &whole, &served, &one.item.id);
                compared += 1;
                faults.extend(
                    walk.faults.into_iter().map(|fault| format!("{}: {fault}", release.name())),
                );
            }
        }
    }
    let shown: Vec<_> = faults.iter().take(40).collect();
    assert!(faults.is_empty(), "{} faults: {shown:#?}", faults.len());
    assert!(compared > 1_250 * fedispec_tests::times(), "{compared} comparisons");
}

/// Releases without differences to the one before need not be walked, if their emulation really says the same.
#[test]
fn every_registered_release_is_emulated() {
    let mut count = 0;
    for release in releases() {
        let own = emulation(&release.name()).expect("registered");
        assert_eq!(own.target().to_string(), release.name());
        let lacking: BTreeSet<_> = own.lacking().map(fedispec::runtime::Item::id).collect();
        let expected = API.operations.iter().filter(|one| release.lacks(&one.item));
        for one in expected {
            assert!(lacking.contains(&*one.item.id), "{}: {}", release.name(), one.item.id);
        }
        let values = API.enums.iter().flat_map(|one| &one.values);
        let fields = API.entities.iter().filter(|one| !matches!(one.role, EntityRole::Argument(_)));
        let fields = fields.flat_map(|one| one.fields.iter().map(|field| &field.item));
        for item in values.chain(fields).filter(|item: &&Item| !item.implied) {
            let is_lacking = lacking.contains(&*item.id);
            assert_eq!(is_lacking, release.lacks(item), "{}: {}", release.name(), item.id);
        }
        count += 1;
    }
    assert!(count > 100, "{count} releases");
}

/// Whether a path is one of an operation's.
fn fits(operation: &Operation, path: &str) -> bool {
    let Some(route) = &operation.route else {
        return false;
    };
    let (own, sent): (Vec<_>, Vec<_>) =
        (route.path.split('/').collect(), path.split('/').collect());
    let mut both = own.iter().zip(&sent);
    own.len() == sent.len() && both.all(|(own, sent)| own == sent || own.starts_with(':'))
}

#[tokio::test]
async fn routes_are_those_of_every_release() {
    let mut asked = 0;
    for release in steps() {
        let router = Server::new().emulate(&release.name()).expect("registered").into_router();
        let served: Vec<_> =
            API.operations.iter().filter(|one| !release.lacks(&one.item)).collect();
        let tells_methods = release.program.key == "gotosocial"
            && (release.version.0, release.version.1) >= (0, 13);
        for operation in &API.operations {
            let Some(route) = &operation.route else {
                continue;
            };
            let path = route.path.replace(':', "");
            let request = Request::builder().method(&*route.method).uri(&path);
            let request = request.header("accept", "application/json").body(Body::empty());
            let answer =
                router.clone().oneshot(request.expect("a request")).await.expect("an answer");
            let status = answer.status().as_u16();
            let on_path: Vec<_> = served.iter().filter(|one| fits(one, &path)).collect();
            let is_served = on_path.iter().any(|one| {
                let twins = one.also.iter().filter(|twin| twin.program == release.program.key);
                let mut methods = twins
                    .map(|twin| &twin.method)
                    .chain(one.route.iter().map(|route| &route.method));
                methods.any(|method| *method == route.method)
            });
            // A server tells by itself that it runs.
            let is_known = matches!(operation.item.id.as_str(), "health.get" | "health.live");
            let expected = match (is_served, on_path.is_empty()) {
                (true, _) if is_known => 200,
                (true, _) => 501,
                (false, false) if tells_methods => 405,
                _ => 404,
            };
            let body = to_bytes(answer.into_body(), 1 << 16).await.expect("a body");
            assert_eq!(status, expected, "{}: {} {path}: {body:?}", release.name(), route.method);
            asked += 1;
        }
    }
    assert!(asked > 5_000, "{asked} requests");
}
