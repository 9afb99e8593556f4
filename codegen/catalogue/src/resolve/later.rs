//! The life of an item after its Since, by program: stubs, deprecation, removal, gaps and changes, and their order.

use serde::de::DeserializeOwned;

use super::Resolver;
use super::life::{fact, since};
use crate::merge::{FactKey, MergedItem, SettledFact};
use crate::model::{Change, Dated, Fact, Head, VersionText};
use fedispec_model::api::{self, Life, Since};
use fedispec_model::release;

impl<'a> Resolver<'a, '_, '_> {
    /// Adds to a life everything that follows the Since.
    pub(super) fn what_follows<B: Dated>(
        &mut self,
        node: &MergedItem<'a, B>,
        program: &'a str,
        life: &mut Life,
    ) {
        let speaks = node.statements.iter().any(|one| goes_on(one.body.head()));
        if !speaks && !self.merged.disputes.about(&node.id) {
            return;
        }
        let works = self.facts.settle(
            node,
            FactKey::in_program("works_since", program),
            None,
            |_, _| false,
            |body| body.head().works_since.get(program).map(fact),
        );
        life.works_since = works.map(|settled| since(&settled.value));
        life.deprecated = self.version(node, FactKey::in_program("deprecated", program), |head| {
            head.deprecated.get(program)
        });
        life.removed = self.version(node, FactKey::in_program("removed", program), |head| {
            head.removed.get(program)
        });
        life.absent = self
            .list(node, FactKey::in_program("absent", program), |head| {
                head.absent.get(program)
            })
            .into_iter()
            .map(|(from, to)| (from.0, to.0))
            .collect();
        life.changed = self
            .list(node, FactKey::in_program("changed", program), |head| {
                head.changed.get(program)
            })
            .into_iter()
            .map(change)
            .collect();
        self.order(node, program, life);
    }

    fn list<B, V>(
        &mut self,
        node: &MergedItem<'a, B>,
        key: FactKey<'a>,
        get: impl Fn(Head<'a>) -> Option<&'a Vec<V>>,
    ) -> Vec<V>
    where
        B: Dated,
        V: Clone + PartialEq + DeserializeOwned + 'a,
    {
        let settled = self.facts.settle(
            node,
            key,
            None,
            |_, _| false,
            |body| get(body.head()).cloned().map(Fact::Known),
        );
        settled.and_then(SettledFact::known).unwrap_or_default()
    }

    fn version<B: Dated>(
        &mut self,
        node: &MergedItem<'a, B>,
        key: FactKey<'a>,
        get: impl Fn(Head<'a>) -> Option<&'a VersionText>,
    ) -> Option<String> {
        let settled = self.facts.settle(
            node,
            key,
            None,
            |_, _| false,
            |body| get(body.head()).cloned().map(Fact::Known),
        );
        settled
            .and_then(SettledFact::known)
            .map(|version| version.0)
    }

    /// Reports facts of a life that cannot follow each other.
    fn order<B: Dated>(&mut self, node: &MergedItem<'a, B>, program: &'a str, life: &Life) {
        for wrong in out_of_order(life) {
            let place = node
                .statements
                .iter()
                .rev()
                .map(|one| one.place.under(&[wrong.fact, program]))
                .find(|place| self.facts.problems.stands(place))
                .unwrap_or_else(|| node.place().clone());
            let message = format!(
                "in {}, `{}` {}",
                self.program_name(program),
                node.id,
                wrong.message
            );
            let problem = self.facts.problems.value("out-of-order", &place, message);
            self.facts
                .problems
                .push(problem.help("an item is added, then deprecated, then removed"));
        }
        let later = [
            ("deprecated", life.deprecated.as_deref()),
            ("removed", life.removed.as_deref()),
        ];
        for (fact, version) in later {
            let Some(version) = version else { continue };
            for statement in &node.statements {
                let place = statement.place.under(&[fact, program]);
                if self.facts.problems.stands(&place) {
                    self.released(version, program, &place);
                }
            }
        }
    }
}

/// A fact of a life that comes too early or too late.
struct Wrong {
    fact: &'static str,
    message: String,
}

/// Whether a statement has any fact that follows the Since.
fn goes_on(head: Head<'_>) -> bool {
    !(head.works_since.is_empty()
        && head.deprecated.is_empty()
        && head.removed.is_empty()
        && head.absent.is_empty()
        && head.changed.is_empty())
}

fn change(change: Change) -> api::Change {
    api::Change {
        r#in: change.r#in.0,
        what: change.what,
        from: change.from,
        to: change.to,
    }
}

fn out_of_order(life: &Life) -> Vec<Wrong> {
    match &life.since {
        Since::Never => after_never(life),
        Since::Version(since) => after(life, Some(since)),
        Since::Unknown => after(life, None),
    }
}

/// Lists the facts that an item cannot have because no release has it.
fn after_never(life: &Life) -> Vec<Wrong> {
    let works = matches!(life.works_since, Some(Since::Version(_)));
    [
        ("deprecated", life.deprecated.is_some()),
        ("removed", life.removed.is_some()),
        ("absent", !life.absent.is_empty()),
        ("changed", !life.changed.is_empty()),
        ("works_since", works),
    ]
    .into_iter()
    .filter(|(_, stated)| *stated)
    .map(|(fact, _)| Wrong {
        fact,
        message: format!("is in no release and cannot have `{fact}`"),
    })
    .collect()
}

/// Whether one version comes before another. A version that is not known is taken to be in order.
fn before(a: Option<&str>, b: Option<&str>) -> bool {
    match (a.and_then(release::parse), b.and_then(release::parse)) {
        (Some(a), Some(b)) => a < b,
        _ => true,
    }
}

fn after(life: &Life, since: Option<&str>) -> Vec<Wrong> {
    let (deprecated, removed) = (life.deprecated.as_deref(), life.removed.as_deref());
    let first = since.unwrap_or_default();
    let mut wrong = Vec::new();
    let mut say = |fact, message: String| wrong.push(Wrong { fact, message });
    if let Some(Since::Version(works)) = &life.works_since
        && !before(since, Some(works))
    {
        let message = format!("works since {works}, which is no later than its Since, {first}");
        say("works_since", message);
    }
    if let Some(version) =
        deprecated.filter(|version| since.is_some() && before(Some(version), since))
    {
        say(
            "deprecated",
            format!("is deprecated in {version}, before its Since, {first}"),
        );
    }
    if let Some(version) = removed.filter(|version| !before(since, Some(version))) {
        let message = format!("is removed in {version}, which is no later than its Since, {first}");
        say("removed", message);
    }
    if deprecated != removed && !before(deprecated, removed) {
        let (removed, deprecated) = (removed.unwrap_or_default(), deprecated.unwrap_or_default());
        say(
            "removed",
            format!("is removed in {removed}, before it is deprecated in {deprecated}"),
        );
    }
    let mut end = since;
    for (from, to) in &life.absent {
        if !before(end, Some(from)) || !before(Some(from), Some(to)) || !before(Some(to), removed) {
            say("absent", format!("cannot be absent from {from} until {to}"));
        }
        end = Some(to);
    }
    for change in life
        .changed
        .iter()
        .filter(|change| !before(since, Some(&change.r#in)))
    {
        let at = &change.r#in;
        say(
            "changed",
            format!("changes in {at}, which is no later than its Since, {first}"),
        );
    }
    wrong
}
