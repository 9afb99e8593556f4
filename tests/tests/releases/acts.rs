//! No call does another act than was asked for, and none is refused needlessly: each parameter of each writing operation, on releases of
//! the programs and on servers that nobody has looked at, against what the catalogue's JSON says.

use std::collections::{BTreeMap, BTreeSet};

use fedispec::client::{self, Plan, Policy, Reason, RemoteServer, Setting};
use fedispec::runtime::{Method, Operation};
use serde_json::Value;

const POLICIES: [Policy; 3] = [Policy::Advise, Policy::Strict, Policy::Adapt];

/// The fate of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Sent,
    Dropped,
    Refused,
}

fn fate(plan: &Plan) -> Fate {
    match (&plan.refused, plan.dropped.is_empty()) {
        // The test sets one parameter alone.
        (Some(refusal), _) if refusal.reason == Reason::Missing => Fate::Sent,
        (Some(_), _) => Fate::Refused,
        (None, false) => Fate::Dropped,
        (None, true) => Fate::Sent,
    }
}

/// The numbers of a release or of a pre-release of it.
fn numbers(version: &str) -> Vec<u32> {
    let release = version.split('-').next().unwrap_or_default();
    release.split('.').map(|part| part.parse().expect(version)).collect()
}

/// Whether a version is of a newer line than another.
fn is_newer(version: &str, newest: &str) -> bool {
    numbers(version)[..2] > numbers(newest)[..2]
}

/// Whether a version has what a life in the catalogue's JSON tells; `None` where nobody knows.
fn has(life: &Value, version: &str, newest: &str) -> Option<bool> {
    let text = |key: &str| life[key].as_str();
    let reached = |release: &str| {
        let (release, here) = (numbers(release), numbers(version));
        let is_open = version.contains('-') && release == here;
        (!is_open).then_some(release <= here)
    };
    let begun = |since: &str| match since {
        "unknown" => None,
        "never" => (!is_newer(version, newest)).then_some(false),
        since => reached(since),
    };
    let since = life.as_str().or_else(|| text("effective")).unwrap_or("unknown");
    let mut there = vec![begun(since)];
    there.extend(text("works_since").map(begun));
    there.extend(text("removed").map(|gone| reached(gone).map(|gone| !gone)));
    for hole in life["absent"].as_array().into_iter().flatten() {
        let [from, until] = [0, 1].map(|end| reached(hole[end].as_str().expect("a release")));
        there.push(match (from, until) {
            (Some(false), _) | (_, Some(true)) => Some(true),
            (Some(true), Some(false)) => Some(false),
            _ => None,
        });
    }
    // The worst of them counts.
    [Some(false), None].into_iter().find(|worst| there.contains(worst)).unwrap_or(Some(true))
}

/// A server as it presents itself, and the release by whose facts it is judged.
struct Server {
    software: String,
    version: String,
    judged_by: Option<(usize, String)>,
    /// Its program was looked at.
    is_tracked: bool,
}

impl Server {
    fn untracked(software: &str, version: &str, claim: Option<&str>) -> Self {
        let judged_by = claim.map(|claim| (0, claim.to_owned()));
        Self { software: software.into(), version: version.into(), judged_by, is_tracked: false }
    }
}

/// The verdict of the facts on an item of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    There,
    Lacking,
    /// Nobody has looked, and what was looked at lacks it.
    PresumedLacking,
    Unknown,
}

/// The catalogue's JSON.
struct Facts(Value);

impl Facts {
    fn read() -> Self {
        Self(serde_json::from_str(fedispec_catalogue::API_JSON).expect("JSON"))
    }

    fn all(&self, what: &str) -> &[Value] {
        self.0[what].as_array().expect(what)
    }

    fn newest(&self, program: usize) -> &str {
        let program = &self.all("programs")[program];
        let last =
            || program["releases"].as_array().and_then(|all| all.last()?["version"].as_str());
        program["looked_at"].as_str().or_else(last).expect("a release")
    }

    /// The first release of each line of a program with a pre-release of it, the newest release, a newer one, and its pre-release.
    fn servers(&self, program: usize) -> Vec<Server> {
        let software = self.all("programs")[program]["key"].as_str().expect("a key");
        let releases = self.all("programs")[program]["releases"].as_array().expect("releases");
        let versions =
            releases.iter().map(|release| release["version"].as_str().expect("a version"));
        let newest = self.newest(program);
        let newer = format!("{}.{}.0", numbers(newest)[0], numbers(newest)[1] + 1);
        let firsts = versions.filter(|version| version.ends_with(".0"));
        let releases = firsts.map(str::to_owned).chain([newest.to_owned(), newer]);
        let dot = if program == 0 { "." } else { "" };
        let all = releases.flat_map(|release| [format!("{release}-rc{dot}1"), release]);
        all.map(|version| Server {
            software: software.to_owned(),
            judged_by: Some((program, version.clone())),
            version,
            is_tracked: true,
        })
        .collect()
    }

    fn known(&self, item: &Value, server: &Server) -> Known {
        let life = |program: usize| &item["life"][program];
        let Some((program, version)) = &server.judged_by else {
            return if self.is_lacked_by_all(item) {
                Known::PresumedLacking
            } else {
                Known::Unknown
            };
        };
        let newest = self.newest(*program);
        match has(life(*program), version, newest) {
            Some(true) => Known::There,
            Some(false) if server.is_tracked => Known::Lacking,
            Some(false) => Known::PresumedLacking,
            None if is_newer(version, newest)
                && has(life(*program), newest, newest) == Some(false) =>
            {
                Known::PresumedLacking
            }
            None => Known::Unknown,
        }
    }

    /// Whether no program had an item two years before the newest release.
    fn is_lacked_by_all(&self, item: &Value) -> bool {
        let programs = self.all("programs");
        let releases =
            |program: &'_ Value| program["releases"].as_array().cloned().unwrap_or_default();
        let day = |release: &Value| release["date"].as_str().unwrap_or_default().to_owned();
        let days = programs.iter().flat_map(releases).map(|release| day(&release));
        let newest = days.max().expect("a day");
        let year: u32 = newest[..4].parse().expect("a year");
        let then = format!("{}{}", year - 2, &newest[4..]);
        programs.iter().enumerate().all(|(place, program)| {
            let old = releases(program).into_iter().rfind(|release| day(release) <= then);
            let version =
                old.as_ref().map(|release| release["version"].as_str().expect("a version"));
            version.is_none_or(|version| {
                has(&item["life"][place], version, self.newest(place)) == Some(false)
            })
        })
    }

    /// The effect of leaving a parameter out on a server: `harmless`, `changes_meaning`, `fails`, or nothing.
    fn effect<'f>(param: &'f Value, server: &Server) -> &'f str {
        let word =
            |effect: &'f Value| effect.as_str().or(effect["effect"].as_str()).unwrap_or_default();
        let Some((program, version)) = &server.judged_by else {
            return word(&param["left_out"]);
        };
        let life = &param["item"]["life"][*program];
        let own = life["facts"]["left_out"]["state"].get("is");
        let mut effect = word(own.unwrap_or(&param["left_out"]));
        for change in life["changed"].as_array().into_iter().flatten().rev() {
            let since = change["in"].as_str().expect("a release");
            if change["what"] == "left_out" && numbers(since) > numbers(version) {
                effect = word(&change["from"]);
            }
        }
        effect
    }

    /// The fate that the facts demand where a call sets one parameter.
    fn expected(&self, policy: Policy, operation: &Value, param: &Value, server: &Server) -> Fate {
        let is_strict = policy == Policy::Strict;
        let strictly = |refused: bool| if refused { Fate::Refused } else { Fate::Sent };
        let effect = Self::effect(param, server);
        let own = server.judged_by.as_ref().filter(|_| server.is_tracked);
        let refused = own.is_some_and(|(place, version)| {
            let since = param["refused"][*place].get("since");
            since.is_some_and(|since| has(since, version, version) == Some(true))
        });
        // Without its operation a parameter does nothing else.
        let is_call_there = self.known(&operation["item"], server) != Known::PresumedLacking;
        match (self.known(&param["item"], server), effect) {
            // The server answers the error itself.
            _ if refused => strictly(is_strict),
            (Known::There, _) => Fate::Sent,
            (Known::Lacking, "changes_meaning") => Fate::Refused,
            (Known::PresumedLacking, "changes_meaning") if is_call_there => Fate::Refused,
            (Known::Lacking, "harmless") => match policy {
                // An update of nothing but what the server lacks would be answered with success.
                _ if ["PUT", "PATCH"]
                    .map(Some)
                    .contains(&operation["route"]["method"].as_str()) =>
                {
                    Fate::Refused
                }
                Policy::Adapt => Fate::Dropped,
                _ => strictly(is_strict),
            },
            (Known::Lacking, _) | (_, "changes_meaning") => strictly(is_strict),
            _ => Fate::Sent,
        }
    }
}

/// The operations that write, with what the JSON says of each.
fn writing(facts: &Facts) -> Vec<(&'static Operation, &Value)> {
    let operations: BTreeMap<&str, &'static Operation> = client::readers()
        .iter()
        .map(|reader| (reader.operation().id, reader.operation()))
        .collect();
    let described = facts.all("operations").iter();
    let known =
        described.filter_map(|one| Some((*operations.get(one["item"]["id"].as_str()?)?, one)));
    known.filter(|(operation, _)| operation.method != Method::Get).collect()
}

#[test]
fn no_call_does_another_act_and_none_is_refused_needlessly() {
    let facts = Facts::read();
    let operations = writing(&facts);
    let untracked = [
        Server::untracked("hometown", "1.1.1+4.0.15", Some("4.0.15")),
        Server::untracked("sharkey", "3.0.0 (compatible; Sharkey 2025.4.2)", Some("3.0.0")),
        Server::untracked("sharkey", "4.2.1 (compatible; Sharkey 2025.4.2)", Some("4.2.1")),
        Server::untracked("misskey", "2025.1.0", None),
    ];
    let servers = [0, 1].into_iter().flat_map(|program| facts.servers(program)).chain(untracked);
    let mut counts: BTreeMap<(bool, String, Fate), usize> = BTreeMap::new();
    let (mut wrong, mut presumed) = (Vec::new(), BTreeMap::<String, BTreeSet<&str>>::new());
    for server in servers {
        let gate = client::gate(RemoteServer::of(&server.software, &server.version));
        for (operation, described) in &operations {
            if facts.known(&described["item"], &server) == Known::Lacking {
                continue;
            }
            for param in described["params"].as_array().expect("parameters") {
                let item = &param["item"];
                if param["required"] == "always" || item["implied"] == true {
                    continue;
                }
                let mut places = operation.params.iter();
                // Items that a program with a folder of its own adds are in no generated type.
                let Some(place) = places.position(|one| item["wire"] == one.wire) else {
                    continue;
                };
                let id = item["id"].as_str().expect("an id");
                for policy in POLICIES {
                    let setting = Setting::optional(place);
                    let plan = client::plan(&gate, policy, operation, [setting.clone()]);
                    let found = fate(&plan);
                    let expected = facts.expected(policy, described, param, &server);
                    let key = (server.is_tracked, format!("{policy:?}"), found);
                    *counts.entry(key).or_default() += 1;
                    if found != expected {
                        let Server { software, version, .. } = &server;
                        wrong.push(format!(
                            "{id} of {software} {version} by {policy:?}: {found:?}, and not {expected:?}: {plan}"
                        ));
                    }
                    // A parameter that the caller allows by name is not refused for another act.
                    if policy != Policy::Strict && found == Fate::Refused {
                        let allowed = client::plan(&gate, policy, operation, [setting.allowed()]);
                        let reason = allowed.refused.map(|refusal| refusal.reason);
                        let is_other_act = matches!(
                            reason,
                            Some(Reason::ChangesMeaning { .. } | Reason::NotLookedAt { .. })
                        );
                        assert!(!is_other_act, "{id}: {reason:?}");
                        if facts.known(item, &server) == Known::PresumedLacking {
                            let server = format!("{} {}", server.software, server.version);
                            presumed.entry(server).or_default().insert(id);
                        }
                    }
                }
            }
        }
    }
    eprintln!("{counts:#?}");
    for (server, lacking) in &presumed {
        eprintln!(
            "{server}, {}: {}",
            lacking.len(),
            lacking.iter().copied().collect::<Vec<_>>().join(", ")
        );
    }
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    for policy in ["Advise", "Adapt"] {
        assert!(counts[&(true, policy.to_owned(), Fate::Refused)] > 3000, "{counts:?}");
        assert!(counts[&(false, policy.to_owned(), Fate::Refused)] > 10, "{counts:?}");
        assert!(counts[&(false, policy.to_owned(), Fate::Sent)] > 100, "{counts:?}");
    }
    assert!(counts[&(true, "Adapt".to_owned(), Fate::Dropped)] > 2000, "{counts:?}");
    // Nobody knows that a program that nobody looked at lacks anything.
    assert!(!counts.contains_key(&(false, "Adapt".to_owned(), Fate::Dropped)));
}

#[test]
fn a_value_is_sent_where_the_server_has_it() {
    let facts = Facts::read();
    let enums: BTreeMap<&str, &Value> = facts
        .all("enums")
        .iter()
        .map(|one| (one["item"]["id"].as_str().expect("an id"), one))
        .collect();
    let fork = Server::untracked("hometown", "1.1.1+4.0.15", Some("4.0.15"));
    let servers = [0, 1].into_iter().flat_map(|program| facts.servers(program)).chain([fork]);
    let mut refused = 0;
    for server in servers {
        let gate = client::gate(RemoteServer::of(&server.software, &server.version));
        for (operation, described) in writing(&facts) {
            for param in described["params"].as_array().expect("parameters") {
                let ty = param["type"].get("list").unwrap_or(&param["type"]);
                let Some(values) = ty["enum"].as_str().map(|id| &enums[id]["values"]) else {
                    continue;
                };
                let is_sent = facts.known(&described["item"], &server) != Known::Lacking
                    && facts.known(&param["item"], &server) == Known::There;
                if !is_sent {
                    continue;
                }
                let mut places = operation.params.iter();
                let Some(place) = places.position(|one| param["item"]["wire"] == one.wire) else {
                    continue;
                };
                let values = values.as_array().expect("values").iter();
                let values = values.map(|value| {
                    let known = facts.known(value, &server);
                    let is_odd = matches!(known, Known::Lacking | Known::PresumedLacking);
                    (value["wire"].as_str().expect("a value"), is_odd)
                });
                for (value, is_odd) in values.chain([("limited", true)]) {
                    for policy in POLICIES {
                        let setting = || Setting::optional(place).value(value);
                        let plan = client::plan(&gate, policy, operation, [setting()]);
                        let expected = is_odd && policy != Policy::Advise;
                        let (id, Server { software, version, .. }) =
                            (&param["item"]["id"], &server);
                        let what = format!(
                            "{value} of {id} on {software} {version} by {policy:?}: {plan}"
                        );
                        let is_refused = |plan: &Plan| {
                            let reason = plan.refused.as_ref().map(|refusal| &refusal.reason);
                            matches!(reason, Some(Reason::Value { .. }))
                        };
                        assert_eq!(is_refused(&plan), expected, "{what}");
                        assert_eq!(!plan.unsure.is_empty(), is_odd && !expected, "{what}");
                        refused += usize::from(expected);
                        let allowed = client::plan(&gate, policy, operation, [setting().allowed()]);
                        assert!(!is_refused(&allowed), "{what}");
                    }
                }
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}
