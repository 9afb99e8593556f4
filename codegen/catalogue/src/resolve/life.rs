//! The life of an item by program: its stated or inherited Since, checked against the item that contains it.

use std::rc::Rc;

use super::Resolver;
use crate::load::LayerKind;
use crate::merge::{FactKey, MergedItem, Provenance, SettledFact};
use crate::model::{Evidence, Fact, Origin, Program, Unlisted, Verdict};
use crate::problems::NodePath;
use crate::source::FileId;
use fedispec_model::api::{self, Life, Since};
use fedispec_since::StableVersion;

/// The Since that is stated for an item, by program; `None` where it is inherited.
#[derive(Debug, Clone)]
pub(super) struct StatedSince<'a> {
    /// The merged Since.
    pub(super) settled: Vec<Option<SettledFact<'a, Since>>>,
    /// The Since that the documents state, or that they let the item inherit.
    pub(super) documented: Vec<Option<Since>>,
    /// It may have its container's Since without a word: its file inherits, the documents have the item, or it is no child
    /// with a date.
    pub(super) inherits: bool,
}

/// The lives of the item that contains another one, by program.
#[derive(Debug, Clone)]
pub(super) struct ContainerLives {
    /// The container's own lives.
    pub(super) lives: Vec<Life>,
    /// The Since that an item inherits if it states none; `None` where the container states none either.
    pub(super) inherit: Vec<Option<Since>>,
}

/// Whether the defaults of a file apply. They do not to entities and answers, which are no items with a Since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UseDefaults {
    Yes,
    No,
}

impl StatedSince<'_> {
    /// Returns the Since that is stated for a program.
    pub(super) fn stated(&self, program: usize) -> Option<Since> {
        self.settled.get(program)?.as_ref().map(|settled| since(&settled.value))
    }
}

impl ContainerLives {
    /// Makes the container of a member's own members. A member that no item states hands on what it would inherit.
    pub(super) fn inside(&self, lives: Vec<Life>, is_stated: bool) -> Self {
        if is_stated { Self::of(&lives) } else { Self { lives, inherit: self.inherit.clone() } }
    }

    /// Makes a container of these lives, each of which can be inherited.
    pub(super) fn of(lives: &[Life]) -> Self {
        Self { lives: lives.to_vec(), inherit: lives.iter().map(|life| Some(life.since)).collect() }
    }
}

pub(super) fn since(value: &Fact<Since>) -> Since {
    match value {
        Fact::Known(since) => *since,
        Fact::Unknown => Since::Unknown,
    }
}

/// `unknown` is no value of its own here.
pub(super) fn fact(value: Since) -> Fact<Since> {
    match value {
        Since::Unknown => Fact::Unknown,
        known => Fact::Known(known),
    }
}

/// `0.0.0` in the documents may become any version.
fn refines(below: Since, above: Since) -> bool {
    below == Since::Since(StableVersion::FIRST) && matches!(above, Since::Since(_))
}

/// Whether the documents say it, whose `0.0.0` means that the item was always there.
fn is_documented(by: &Provenance<'_>) -> bool {
    match by {
        Provenance::Statement(stated) | Provenance::Default(stated) => {
            stated.kind == LayerKind::Documents
        }
        Provenance::Verdict(dispute, _) => dispute.verdict == Verdict::Documents,
        Provenance::Container => true,
        Provenance::Many(..) => false,
    }
}

impl<'a> Resolver<'a, '_, '_> {
    /// Merges the Since that is stated for an item. `container` is the Since that the documents let it inherit.
    pub(super) fn own<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        container: &[Option<Since>],
        defaults: UseDefaults,
    ) -> StatedSince<'a> {
        let is_child = !container.is_empty();
        let inherits = is_child && node.statements.iter().any(|one| one.defaults.inherits);
        let mut own = StatedSince {
            settled: Vec::new(),
            documented: Vec::new(),
            inherits: inherits
                || !is_child
                || defaults == UseDefaults::No
                || node.documents().is_some(),
        };
        let first = node.first();
        for (index, program) in self.programs.clone().into_iter().enumerate() {
            let default = first.defaults.since.get(program);
            let default = default.filter(|_| defaults == UseDefaults::Yes);
            let stated = first.head.since.get(program);
            let above = container.get(index).copied().flatten();
            let is_documented = first.kind == LayerKind::Documents;
            let initial = match (stated, default, above) {
                (None, Some(value), _) => {
                    let by = Provenance::Default(Rc::clone(&first.stated));
                    Some(SettledFact { value: fact(*value), by })
                }
                (None, None, Some(value)) if is_documented => {
                    Some(SettledFact { value: fact(value), by: Provenance::Container })
                }
                _ => None,
            };
            let documented = stated.or(default).copied().or(above);
            own.documented.push(documented.filter(|_| is_documented));
            let settled = self.facts.settle(
                &node.id,
                FactKey::in_program("since", program),
                initial,
                |below, above| refines(*below, *above),
                &mut node.heads(|head| head.since.get(program).copied().map(fact)),
            );
            let inherited = |settled: &SettledFact<'_, Since>| match settled.by {
                Provenance::Container => true,
                Provenance::Default(_) => settled.value == Fact::Unknown && inherits,
                _ => false,
            };
            let held = settled.as_ref().map(|settled| &settled.value);
            for one in node.statements.iter().filter(|one| one.kind != LayerKind::Documents) {
                // A release that nobody registered contradicts nothing.
                if let Some(Since::Since(version)) = one.head.since.get(program)
                    && held.is_some_and(|held| *held != fact(Since::Since(*version)))
                {
                    let place = one.place.under(&["since", program]);
                    self.released(*version, program, None, &place);
                }
            }
            let settled = settled.filter(|settled| !inherited(settled));
            own.settled.push(settled.or_else(|| self.of_many(&node.id, program)));
        }
        own
    }

    /// Resolves the life of an item in every program.
    pub(super) fn lives<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        own: &StatedSince<'a>,
        frame: Option<&ContainerLives>,
    ) -> Vec<Life> {
        let mut older = false;
        let lives = (0..self.programs.len())
            .map(|index| {
                let life = self.life(node, own, frame, index);
                older |= self.older(node, own, &life, frame, index);
                life
            })
            .collect();
        self.needless_reason(node, older);
        lives
    }

    fn life<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        own: &StatedSince<'a>,
        frame: Option<&ContainerLives>,
        index: usize,
    ) -> Life {
        let program = self.programs[index];
        let container = frame.and_then(|frame| frame.lives.get(index));
        let mut life = match own.settled.get(index).and_then(Option::as_ref) {
            Some(settled)
                if settled.value == Fact::Unknown
                    && container.is_some_and(|outer| outer.since == Since::Never) =>
            {
                Life::new(Since::Never, Since::Never)
            }
            Some(settled) => self.stated_life(node, settled, program),
            None if self.introduced(node, program).is_some() => {
                self.since_not_stated(node, program, false);
                Life::new(Since::Unknown, Since::Unknown)
            }
            None if self.is_unlisted(program) => {
                let is_never = container.is_some_and(|outer| outer.since == Since::Never);
                let since = if is_never { Since::Never } else { Since::Unknown };
                Life::new(since, since)
            }
            // Nothing but the folder of another program introduces it.
            None if node.first().kind == LayerKind::Program => {
                Life::new(Since::Never, Since::Never)
            }
            None => {
                let inherited = frame.and_then(|frame| frame.inherit.get(index).copied().flatten());
                // Where nothing is there to inherit from, the default of the documents stands.
                let is_open = node.first().defaults.since.contains_key(program);
                let may_be_silent = if inherited.is_some() { own.inherits } else { is_open };
                if !may_be_silent {
                    self.since_not_stated(node, program, inherited.is_some());
                }
                let since = inherited.unwrap_or(Since::Unknown);
                Life::new(since, since)
            }
        };
        life.apart = self.is_apart(program);
        if let Some(outer) = container {
            life.effective = life.since.max(outer.effective);
        }
        self.what_follows(node, program, &mut life);
        life
    }

    fn stated_life<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        settled: &SettledFact<'a, Since>,
        program: &'a str,
    ) -> Life {
        let key = FactKey::in_program("since", program);
        let since = since(&settled.value);
        let mut life = Life::new(since, since);
        let place = settled.by.place(key);
        life.at = place.as_ref().map(|place| self.at(place));
        life.evidence = self.evidence_by(node, program, &settled.by);
        if let Since::Since(version) = since
            && let Some(place) = place
            && !matches!(settled.by, Provenance::Many(..))
            && !(version == StableVersion::FIRST && is_documented(&settled.by))
        {
            let proof = match &settled.by {
                Provenance::Verdict(dispute, _) => Some(&dispute.evidence),
                by => by.stated().and_then(|stated| stated.proof(program)),
            };
            self.released(version, program, proof, &place);
        }
        if life.evidence.is_none()
            && settled.value != Fact::Unknown
            && settled.by.stated().is_some_and(|stated| stated.proof(program).is_none())
            && let Some(place) = settled.by.place(key)
        {
            let message = format!("nothing proves `{key}` of `{}`", node.id);
            let help = format!(
                "name a source under `evidence.{program}` of the item, of what contains it, or of the file's `defaults`"
            );
            self.facts.problems.value("missing-evidence", &place, message, help);
        }
        life
    }

    /// Where the folder of a program describes an item.
    fn introduced<B>(&self, node: &MergedItem<'a, B>, program: &str) -> Option<NodePath<'a>> {
        let own = node.statements.iter().filter(|one| one.kind == LayerKind::Program);
        let mut own = own.map(|one| &one.place);
        own.find(|place| {
            self.speaks_in(program, place.file) && self.facts.problems.describes(place)
        })
        .cloned()
    }

    /// Whether an item that says nothing of a program is unknown there.
    fn is_unlisted(&self, program: &str) -> bool {
        let program = self.implementations.programs.get(program);
        program.is_some_and(|one| one.unlisted == Some(Unlisted::Unknown) || one.is_apart())
    }

    /// Whether the facts of a program stand apart from those of others.
    pub(super) fn is_apart(&self, program: &str) -> bool {
        self.implementations.programs.get(program).is_some_and(Program::is_apart)
    }

    /// Reports an item that says nothing of a program. Where it would inherit a Since, somebody may have forgotten to look; in a
    /// file that says `inherits: true` that is what silence means.
    fn since_not_stated<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        program: &'a str,
        would_inherit: bool,
    ) {
        let newcomer = self.implementations.programs.get(program);
        let first = node.first().kind;
        if newcomer.is_some_and(|one| one.origin == Origin::Overlay) && first <= LayerKind::Program
        {
            return;
        }
        // That the words for it are gone is told.
        if self.merged.is_gone(&node.id, self.facts.problems) {
            return;
        }
        let refused = |place: NodePath<'a>| self.facts.problems.stands(&place);
        if node.statements.iter().any(|one| refused(one.place.under(&["since", program]))) {
            // It is stated, and the loader has named what is wrong with it.
            return;
        }
        // What is inside has the Since of what is around it, where that states one.
        let around = node.id.rsplit_once('.').and_then(|(owner, _)| {
            let mut stated = self.merged.ids.get(owner)?.iter();
            let stated = stated.find(|one| {
                let is_own = one.kind != LayerKind::Program;
                is_own && self.facts.problems.stands(&one.place.then("since"))
            });
            Some((owner, stated?.place.then("since")))
        });
        let around = around.filter(|_| !would_inherit);
        let id = around.as_ref().map_or(&*node.id, |(owner, _)| owner);
        let message = format!("nobody says since when {} has `{id}`", self.program_name(program));
        let help = if would_inherit {
            format!(
                "state it, `since: {{{program}: ..}}`, or write `inherits: true` under the file's `defaults`: then an item that says nothing \
                 has the Since of what contains it"
            )
        } else {
            format!(
                "state it under `since`, or that it is unknown: `since: {{{program}: unknown}}`"
            )
        };
        let place = around.map(|(_, place)| place).or_else(|| self.introduced(node, program));
        let place = place.as_ref().unwrap_or_else(|| node.place());
        self.facts.problems.key("missing-since", place, message, help);
    }

    /// Reports a version that is no registered release of the program, at which nobody can have looked, or else one that
    /// is newer than what its evidence shows.
    pub(super) fn released(
        &mut self,
        version: StableVersion,
        program: &'a str,
        proof: Option<&Evidence>,
        place: &NodePath<'a>,
    ) {
        let Some(registered) = self.implementations.programs.get(program) else {
            return;
        };
        let releases = || registered.releases.keys().copied();
        if releases().any(|release| release == version) {
            if let Some(proof) = proof {
                self.proof_reaches(proof, version, program, place);
            }
            return;
        }
        let Some(newest) = releases().next_back() else {
            return;
        };
        let name = self.program_name(program);
        let register = format!(
            "register {version} under `programs.{program}.releases` in implementations.yaml first"
        );
        let register = match self.other_with(version, program, place.file) {
            Some(other) => {
                format!("{other} has released it, under whose key it may belong; else {register}")
            }
            None => register,
        };
        let (code, message, help) = if version > newest {
            let message = format!(
                "{name} has not released {version}: the newest registered release is {newest}"
            );
            ("unreleased-version", message, register)
        } else if self.layer == api::Layer::Documents {
            // The transcription keeps what the documents say; what holds is judged with all layers.
            return;
        } else {
            let before = releases().filter(|release| *release < version).max();
            let after = releases().filter(|release| *release > version).min().unwrap_or(newest);
            let help = match before {
                Some(before) => {
                    format!(
                        "the registered releases beside it are {before} and {after}; else {register}"
                    )
                }
                None => format!("the first registered release is {after}; else {register}"),
            };
            let message = format!("{name} has no registered release {version}");
            // What was transcribed stays as it is.
            let sources = self.facts.problems.sources();
            let help = if sources.path(place.file).starts_with("documents/") {
                format!("decide under `disputes` of `supplement` which release holds; {help}")
            } else {
                help
            };
            ("unknown-release", message, help)
        };
        self.facts.problems.value(code, place, message, help);
    }

    /// The first other program that has released a version, of those that the file may speak of.
    fn other_with(&self, version: StableVersion, program: &str, file: FileId) -> Option<&'a str> {
        let others = self.programs.iter().copied();
        let others = others.filter(|one| *one != program && self.speaks_in(one, file));
        let mut others = others.filter(|other| {
            let other = self.implementations.programs.get(*other);
            other.is_some_and(|other| other.releases.contains_key(&version))
        });
        others.next().map(|other| self.program_name(other))
    }

    /// The name of a program as people write it.
    pub(super) fn program_name(&self, program: &'a str) -> &'a str {
        self.implementations.programs.get(program).map_or(program, |one| one.name.as_str())
    }

    /// Names an item that is older than what contains it and does not say why. Answers whether it is older.
    fn older<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        own: &StatedSince<'a>,
        life: &Life,
        frame: Option<&ContainerLives>,
        index: usize,
    ) -> bool {
        let Some(outer) = frame.and_then(|frame| frame.lives.get(index)) else {
            return false;
        };
        let Since::Since(version) = life.since else {
            return false;
        };
        if life.at.is_none() || version == StableVersion::FIRST {
            return false;
        }
        let outer = match outer.since {
            Since::Never => "never has".into(),
            Since::Since(container) if version < container => {
                format!("has since {container} only")
            }
            _ => return false,
        };
        let program = self.programs[index];
        let registered = self.implementations.programs.get(program);
        // A release that there never was is told as such.
        let is_none = registered.is_some_and(|one| !one.releases.contains_key(&version));
        if is_none || node.statements.iter().any(|one| one.head.older_because.is_some()) {
            return true;
        }
        let by = own.settled.get(index).and_then(Option::as_ref).map(|settled| &settled.by);
        let place = by.and_then(|by| by.place(FactKey::in_program("since", program)));
        let place = place.unwrap_or_else(|| node.place().clone());
        let message = format!(
            "`{}` is there since {version}, inside something that {} {outer}",
            node.id,
            self.program_name(program)
        );
        let help = "mend one of the two, or say why under `older_because`";
        self.facts.problems.value("older-than-container", &place, message, help);
        let around =
            node.id.rsplit_once('.').and_then(|(around, _)| self.since_of(around, program));
        if let Some(since) = around {
            self.facts.problems.with_value(&since, "it comes here");
        }
        true
    }

    /// Reports a reason that explains nothing, because the item is not older. Each layer's reasons are judged on what
    /// holds up to that layer.
    fn needless_reason<B>(&mut self, node: &MergedItem<'a, B>, older: bool) {
        let Some(reason) = node.statements.iter().find(|one| one.head.older_because.is_some())
        else {
            return;
        };
        let judged = (reason.kind == LayerKind::Documents) == (self.layer == api::Layer::Documents);
        if older || !judged {
            return;
        }
        let place = reason.place.then("older_because");
        let message = format!("`{}` is not older than what contains it", node.id);
        self.facts.problems.key("needless-reason", &place, message, "remove `older_because`");
    }
}
