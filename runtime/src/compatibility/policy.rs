//! What to do with what a server lacks.

use std::fmt;

use super::{Evidence, Fallback, Gate, Note, RemoteServer, Support, Verdict};
use crate::Operation;

/// What a client does with a request that its server does not have in whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Policy {
    /// Sends it, and names the verdict in the error if it fails.
    #[default]
    Advise,
    /// Refuses it before it is sent.
    Strict,
    /// Leaves out optional parameters that the server lacks, or calls what stands in for the operation, and says so.
    Adapt,
}

/// A parameter that is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setting {
    /// Its place in [`Operation::params`].
    pub place: usize,
    /// The operation cannot be called without it.
    pub required: bool,
    /// It is set more than once.
    pub repeated: bool,
}

impl Setting {
    /// One that may be left out.
    pub const fn optional(place: usize) -> Self {
        Self {
            place,
            required: false,
            repeated: false,
        }
    }

    /// One that may not.
    pub const fn required(place: usize) -> Self {
        Self {
            place,
            required: true,
            repeated: false,
        }
    }
}

/// What a server says to an operation or a parameter of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The id: `accounts.lookup.acct`.
    pub item: &'static str,
    /// The parameter's place; `None` for the operation.
    pub place: Option<usize>,
    /// Whether the server has it.
    pub support: Support,
}

/// What becomes of a request.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Plan {
    /// The operation, and each parameter that is set.
    pub findings: Vec<Finding>,
    /// The errors that the server answers, or may answer, by nature of its release.
    pub notes: Vec<Note>,
    /// The places of the parameters to leave out.
    pub dropped: Vec<usize>,
    /// What is called instead.
    pub replacement: Option<Fallback>,
    /// Why it is not sent.
    pub refused: Option<Refusal>,
}

/// Why a request is not sent: it needs what the server lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The id of what the server lacks.
    pub item: &'static str,
    /// What it would need, and how that is known.
    pub evidence: Evidence,
    /// The server.
    pub server: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} does not have {} ({})",
            self.server, self.item, self.evidence
        )
    }
}

impl std::error::Error for Refusal {}

impl Plan {
    /// The worst verdict.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.findings.iter().map(|finding| finding.support.verdict);
        verdicts.max().unwrap_or(Verdict::Unknown)
    }

    /// What the server lacks, or may lack.
    pub fn doubts(&self) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(|finding| !finding.support.is_yes())
    }

    /// What becomes of the answer.
    #[cfg(feature = "client")]
    pub(crate) fn moves(&self) -> &'static [super::fallback::Move] {
        self.replacement.map_or(&[], |fallback| fallback.answer)
    }

    /// Whether the request goes out as it is.
    pub fn is_as_written(&self) -> bool {
        self.dropped.is_empty() && self.replacement.is_none() && self.refused.is_none()
    }
}

/// What becomes of a request: an operation and the parameters that are set. A list's place may come more than once.
///
/// Only what a server is known to lack is refused, left out or replaced; what nobody knows is sent.
pub fn plan(
    gate: &Gate,
    policy: Policy,
    operation: &Operation,
    set: impl IntoIterator<Item = Setting>,
) -> Plan {
    let set = once_each(set);
    let mut plan = Plan {
        findings: findings(gate, operation, &set),
        notes: gate.server().notes(&gate.items(), operation),
        dropped: Vec::new(),
        replacement: None,
        refused: None,
    };
    match policy {
        Policy::Advise => {}
        Policy::Strict => plan.refused = refusal(gate.server(), plan.findings.iter()),
        Policy::Adapt => adapt(&mut plan, gate, operation, &set),
    }
    plan
}

fn once_each(set: impl IntoIterator<Item = Setting>) -> Vec<Setting> {
    let mut settings: Vec<Setting> = Vec::new();
    for setting in set {
        match settings
            .iter_mut()
            .find(|known| known.place == setting.place)
        {
            Some(known) => {
                known.required |= setting.required;
                known.repeated = true;
            }
            None => settings.push(setting),
        }
    }
    settings
}

fn findings(gate: &Gate, operation: &Operation, set: &[Setting]) -> Vec<Finding> {
    let (server, items) = (gate.server(), gate.items());
    let whole = items.operation(operation).map(|item| Finding {
        item: item.id(),
        place: None,
        support: server.supports_item(&items, item),
    });
    let params = set.iter().filter_map(|setting| {
        let item = gate.param_item(operation, setting.place)?;
        Some(Finding {
            item: item.id(),
            place: Some(setting.place),
            support: server.supports_item(&items, item),
        })
    });
    whole.into_iter().chain(params).collect()
}

fn refusal<'a>(
    server: &RemoteServer,
    mut findings: impl Iterator<Item = &'a Finding>,
) -> Option<Refusal> {
    let lacking = findings.find(|finding| finding.support.is_no())?;
    Some(Refusal {
        item: lacking.item,
        evidence: lacking.support.evidence,
        server: server.to_string(),
    })
}

fn adapt(plan: &mut Plan, gate: &Gate, operation: &Operation, set: &[Setting]) {
    if gate.operation(operation) == Verdict::No {
        let stand_in = gate
            .fallbacks()
            .iter()
            .filter(|fallback| fallback.of == operation.id)
            .find(|fallback| can_stand_in(gate, operation, fallback, set));
        match stand_in {
            Some(fallback) => replace(plan, gate, operation, *fallback, set),
            None => plan.refused = refusal(gate.server(), plan.findings.iter()),
        }
        return;
    }
    let lacks = |setting: &&Setting| gate.param(operation, setting.place) == Verdict::No;
    let (required, optional): (Vec<&Setting>, Vec<&Setting>) = set
        .iter()
        .filter(lacks)
        .partition(|setting| setting.required);
    plan.dropped = optional.iter().map(|setting| setting.place).collect();
    let needed = plan.findings.iter().filter(|finding| {
        let place = finding.place;
        required.iter().any(|setting| Some(setting.place) == place)
    });
    plan.refused = refusal(gate.server(), needed);
}

/// Whether the server may have it, with all that the request cannot do without.
fn can_stand_in(gate: &Gate, operation: &Operation, fallback: &Fallback, set: &[Setting]) -> bool {
    let name = |setting: &Setting| name(operation, setting);
    let takes = |setting: &Setting| {
        let place = fallback.place(name(setting));
        fallback.loses.contains(&name(setting))
            || place.is_some_and(|place| gate.param(fallback.by, place) != Verdict::No)
    };
    let has = |needed: &&str| set.iter().any(|setting| name(setting) == *needed);
    // Several cannot go where there is room for one.
    let fits = |setting: &Setting| !setting.repeated || !fallback.narrows(name(setting));
    gate.operation(fallback.by) != Verdict::No
        && fallback.needs.iter().all(has)
        && set.iter().all(fits)
        && set.iter().filter(|setting| setting.required).all(takes)
}

/// The name of a parameter on the wire; a place that the operation does not have has none.
fn name(operation: &Operation, setting: &Setting) -> &'static str {
    let param = operation.params.get(setting.place);
    param.map_or("", |param| param.wire)
}

fn replace(
    plan: &mut Plan,
    gate: &Gate,
    operation: &Operation,
    fallback: Fallback,
    set: &[Setting],
) {
    let lost = |setting: &&Setting| {
        let place = fallback.place(name(operation, setting));
        place.is_none_or(|place| gate.param(fallback.by, place) == Verdict::No)
    };
    plan.dropped = set
        .iter()
        .filter(lost)
        .map(|setting| setting.place)
        .collect();
    plan.replacement = Some(fallback);
}
