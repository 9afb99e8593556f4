//! Plans: what becomes of a request, for programs and for people.

use std::fmt;

use super::{Evidence, Fallback, Finding, Note, Verdict};
use crate::{Auth, Version};

/// How a request would be sent to a server. `Display` prints a line for each part that is not sent as written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Plan {
    /// The server.
    pub server: String,
    /// The operation, and each parameter that is set.
    pub findings: Vec<Finding>,
    /// The errors that the server answers, or may answer, by nature of its release.
    pub notes: Vec<Note>,
    /// The token and the scopes that the server's release asks for; `None` where the release is not known.
    pub auth: Option<Auth>,
    /// The places of the parameters to leave out.
    pub dropped: Vec<usize>,
    /// The parameters that are sent although the call may mean something else.
    pub unsure: Vec<Unsure>,
    /// The parameters that the server's release demands and that are not set.
    pub missing: Vec<Missing>,
    /// The parameters that are not set and that the server's release therefore resets, by their names on the wire.
    pub resets: Vec<&'static str>,
    /// The operation that is called instead.
    pub replacement: Option<Fallback>,
    /// Why it is not sent.
    pub refused: Option<Refusal>,
}

/// A parameter that is sent although nobody knows that the server heeds it, or although the server is known to refuse it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unsure {
    /// Its place in [`Operation::params`](crate::Operation::params).
    pub place: usize,
    /// The effect on this parameter.
    pub outcome: Outcome,
}

/// A parameter that is not set and that the server's release answers an error without. Other releases or programs do without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Missing {
    /// Its id.
    pub item: &'static str,
    /// Its name on the wire.
    pub name: &'static str,
    /// The status and the text of the server's answer, where they are known.
    pub answer: Option<&'static fedispec_since::FixedError>,
}

/// The effect of a parameter that the server may not support.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It answers an error of this status.
    Error(u16),
    /// It does something else, in a clause: `the status is posted at once`.
    Instead(&'static str),
    /// The catalogue does not say what leaving the parameter out does.
    Unclassed,
    /// The server lacks its value, or the catalogue does not list it.
    Value(Evidence),
}

/// The reason for which a server of an unknown release is taken to lack something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Basis {
    /// The newest release that was looked at lacks it.
    #[non_exhaustive]
    Newest {
        /// The program: `GoToSocial`.
        program: &'static str,
        /// The release.
        release: Version,
    },
    /// The release that the server claims to be like lacks it.
    #[non_exhaustive]
    Claimed {
        /// The program: `Mastodon`.
        program: &'static str,
        /// The release.
        release: Version,
    },
    /// No program that is tracked has it, or has had it for two years.
    Everywhere,
}

/// Why a request is not sent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The id of what the server lacks.
    pub item: &'static str,
    /// The name of the parameter on the wire; empty for an operation.
    pub name: &'static str,
    /// The release that it needs, and how that is known.
    pub evidence: Evidence,
    /// The server.
    pub server: String,
    /// Why that is reason enough.
    pub reason: Reason,
}

/// Why a request is refused for what its server lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The request cannot do without it, or the policy refuses all that a server lacks.
    Lacking,
    /// The call would mean something else.
    #[non_exhaustive]
    ChangesMeaning {
        /// The effect, as a clause: `the status is posted at once`.
        so: &'static str,
        /// Values that mean the same as none to this server.
        safe: &'static [String],
    },
    /// The call would mean something else unless the server has the parameter, which nobody has looked at.
    #[non_exhaustive]
    NotLookedAt {
        /// The reason for which the server is taken to lack the parameter.
        basis: Basis,
        /// The effect, as a clause.
        so: &'static str,
    },
    /// The server lacks a value of the parameter, or the catalogue does not list it, and the policy refuses such calls.
    #[non_exhaustive]
    Value {
        /// The value.
        value: String,
    },
    /// It is unknown whether the call would mean something else, and the policy refuses such calls.
    #[non_exhaustive]
    MayChangeMeaning {
        /// The effect, as a clause.
        so: &'static str,
    },
    /// The server answers an error, and the policy refuses such calls.
    #[non_exhaustive]
    AnswersError {
        /// The status.
        status: u16,
    },
    /// The server demands the parameter, which is not set, and the policy refuses such calls.
    Missing,
    /// Nothing of an update would be left.
    NothingLeft,
    /// The operation that stands in lacks the parameter, so that the call would mean something else.
    #[non_exhaustive]
    StandIn {
        /// The id of the operation that would stand in.
        by: &'static str,
        /// The effect, as a clause.
        so: &'static str,
    },
}

impl Plan {
    /// The worst verdict.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.findings.iter().map(|finding| finding.support.verdict);
        verdicts.max().unwrap_or(Verdict::Unknown)
    }

    /// The parts of the request that the server lacks or may lack.
    pub fn doubts(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| !finding.support.is_yes())
    }

    /// The conversion of the answer.
    #[cfg(feature = "client")]
    pub(crate) fn moves(&self) -> &'static [super::fallback::Move] {
        self.replacement.map_or(&[], |fallback| fallback.answer)
    }

    /// Whether the request goes out as it is.
    pub fn is_as_written(&self) -> bool {
        self.dropped.is_empty() && self.replacement.is_none() && self.refused.is_none()
    }

    /// Whether a caller should hear of the plan: the request is not sent as written, may mean something else to the server, or resets what
    /// it does not set.
    pub fn is_worth_telling(&self) -> bool {
        let is_sure = self.unsure.is_empty() && self.missing.is_empty();
        !(self.is_as_written() && is_sure && self.resets.is_empty())
    }

    fn finding(&self, place: usize) -> Option<&Finding> {
        let mut findings = self.findings.iter();
        findings.find(|finding| finding.place == Some(place))
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(refusal) = &self.refused {
            return write!(f, "not sent: {refusal}");
        }
        let mut lines = Vec::new();
        if let Some(fallback) = &self.replacement {
            let operation = self.findings.first();
            let evidence = operation.map(|finding| format!(" ({})", finding.support.evidence));
            let evidence = evidence.unwrap_or_default();
            lines.push(format!("called instead of {}: {}{evidence}", fallback.of, fallback.by.id));
        }
        for finding in self.dropped.iter().filter_map(|&place| self.finding(place)) {
            lines.push(format!("left out: {} ({})", finding.name, finding.support.evidence));
        }
        for unsure in &self.unsure {
            let Some(finding) = self.finding(unsure.place) else {
                continue;
            };
            let (name, server) = (finding.name, &self.server);
            lines.push(match unsure.outcome {
                Outcome::Error(status) => {
                    format!("sent all the same: {name} ({server} refuses it with {status})")
                }
                Outcome::Instead(so) => format!(
                    "sent all the same: {name} (if {server} does not heed it, {so}; {})",
                    finding.support.evidence
                ),
                Outcome::Unclassed => format!(
                    "sent all the same: {name} (nobody says what happens without it; {})",
                    finding.support.evidence
                ),
                Outcome::Value(evidence) => {
                    format!(
                        "sent all the same: {name} ({server} may not take its value; {evidence})"
                    )
                }
            });
        }
        for Missing { name, answer, .. } in &self.missing {
            let answer = answer.map(|one| format!(" ({} {})", one.status, one.text));
            let answer = answer.unwrap_or_default();
            lines.push(format!("sent without {name}, which {} demands{answer}", self.server));
        }
        if !self.resets.is_empty() {
            lines.push(format!(
                "reset by {}, because it is not set: {}",
                self.server,
                self.resets.join(", ")
            ));
        }
        if lines.is_empty() {
            lines.push("sent as written".to_owned());
        }
        f.write_str(&lines.join("\n"))
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newest { program, release } => {
                write!(f, "{program} {release}, the newest release looked at, does not have")
            }
            Self::Claimed { program, release } => {
                write!(f, "{program} {release}, which it claims to be like, does not have")
            }
            Self::Everywhere => {
                f.write_str("no program that was looked at has, or has had for two years,")
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { item, name, evidence, server, reason } = self;
        match reason {
            Reason::Lacking => write!(f, "{server} does not have {item} ({evidence})"),
            Reason::ChangesMeaning { so, safe } => {
                write!(
                    f,
                    "{server} does not have {item} ({evidence}), and without it {so}. Leave `{name}` unset"
                )?;
                for value in *safe {
                    write!(f, ", set it to {value:?}")?;
                }
                write!(f, ", or allow this with `allowing([{name:?}])`")
            }
            Reason::NotLookedAt { basis, so } => write!(
                f,
                "nobody has looked at {server}, and {basis} {item}, without which {so}. Leave `{name}` unset, or allow this with \
                 `allowing([{name:?}])`"
            ),
            Reason::Value { value } => write!(
                f,
                "{server} is not known to take {value:?} as `{name}` of {item} ({evidence}). Set another value, allow this with \
                 `allowing([{name:?}])`, or choose a policy that advises"
            ),
            Reason::MayChangeMeaning { so } => write!(
                f,
                "nobody knows whether {server} has {item} ({evidence}), and without it {so}. Leave `{name}` unset, allow this with \
                 `allowing([{name:?}])`, or choose a policy that is not strict"
            ),
            Reason::AnswersError { status } => write!(
                f,
                "{server} answers {status} to {item}. Leave `{name}` unset, allow this with `allowing([{name:?}])`, or choose a policy \
                 that is not strict"
            ),
            Reason::Missing => write!(
                f,
                "{server} demands {item}. Set `{name}`, or choose a policy that is not strict"
            ),
            Reason::NothingLeft => write!(
                f,
                "{server} has nothing of what the update sets, such as {item} ({evidence}), and would answer success without changing \
                 anything"
            ),
            Reason::StandIn { by, so } => write!(
                f,
                "{server} has only {by}, which lacks `{name}` of the request, and without it {so}. Leave `{name}` unset, or allow this \
                 with `allowing([{name:?}])`"
            ),
        }
    }
}

impl std::error::Error for Refusal {}
