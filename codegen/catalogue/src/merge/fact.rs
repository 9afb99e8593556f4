//! One answer for a fact that several layers speak of: unknowns are filled, contradictions must be declared.

use indexmap::IndexMap;
use serde::de::DeserializeOwned;

use super::{Disputes, Node, Statement};
use crate::model::{Dated, Evidence, Fact, Source};
use crate::problems::{Place, Problems};
use fedispec_model::api::Class;

/// The name of a fact: `type`, `since.mastodon`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key<'a> {
    /// The key in the item: `since`.
    pub(crate) name: &'static str,
    /// The key under that: a program.
    pub(crate) program: Option<&'a str>,
}

impl<'a> Key<'a> {
    /// A fact of the item itself.
    pub(crate) fn of(name: &'static str) -> Self {
        Self {
            name,
            program: None,
        }
    }

    /// A fact of the item in a program.
    pub(crate) fn in_program(name: &'static str, program: &'a str) -> Self {
        Self {
            name,
            program: Some(program),
        }
    }

    /// Whether disputes call it so.
    pub(super) fn is(self, text: &str) -> bool {
        match self.program {
            None => text == self.name,
            Some(program) => text.split_once('.') == Some((self.name, program)),
        }
    }

    /// Where it stands in an item.
    pub(crate) fn under(self, place: &Place<'a>) -> Place<'a> {
        match self.program {
            None => place.then(self.name),
            Some(program) => place.under(&[self.name, program]),
        }
    }
}

impl std::fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.program {
            None => f.write_str(self.name),
            Some(program) => write!(f, "{}.{program}", self.name),
        }
    }
}

/// What holds, and who says so.
#[derive(Debug, Clone)]
pub(crate) struct Told<'a, V> {
    /// What is said.
    pub(crate) value: Fact<V>,
    /// Who says so.
    pub(crate) by: By<'a>,
}

impl<V> Told<'_, V> {
    /// What is known.
    pub(crate) fn known(self) -> Option<V> {
        match self.value {
            Fact::Known(value) => Some(value),
            Fact::Unknown => None,
        }
    }
}

/// Who says something of an item.
#[derive(Debug, Clone, Copy)]
pub(crate) enum By<'a> {
    /// The statement of that index.
    Statement(usize),
    /// The defaults of the file of the statement of that index.
    Default(usize),
    /// What contains the item.
    Container,
    /// A verdict.
    Verdict(&'a crate::model::Dispute, usize),
}

impl<'a, T: Dated> Statement<'a, T> {
    /// What proves what the statement says, by program or of its `shape`: its own word, its container's, its file's.
    pub(crate) fn proof(&self, of: &str) -> Option<&'a Evidence> {
        let around = self.around.iter().copied();
        std::iter::once(self.body.head().evidence)
            .chain(around)
            .chain(std::iter::once(&self.defaults.evidence))
            .find_map(|list| list.get(of))
    }
}

/// What settles facts.
#[derive(Debug)]
pub(crate) struct Settle<'a, 'm, 'p> {
    /// The declared contradictions.
    pub(crate) disputes: &'m Disputes<'a>,
    /// Where facts come from.
    pub(crate) sources: &'a IndexMap<String, Source>,
    /// Where problems go.
    pub(crate) problems: &'p mut Problems<'a>,
}

impl<'a> Settle<'a, '_, '_> {
    /// What holds of a plain fact.
    pub(crate) fn fact<B, V>(
        &mut self,
        node: &Node<'a, B>,
        name: &'static str,
        say: impl Fn(&'a B) -> Option<Fact<V>>,
    ) -> Option<Told<'a, V>>
    where
        B: Dated,
        V: Clone + PartialEq + DeserializeOwned,
    {
        self.refined(node, name, |_, _| false, say)
    }

    /// What holds of a plain fact that a higher layer may make precise.
    pub(crate) fn refined<B, V>(
        &mut self,
        node: &Node<'a, B>,
        name: &'static str,
        refines: fn(&V, &V) -> bool,
        say: impl Fn(&'a B) -> Option<Fact<V>>,
    ) -> Option<Told<'a, V>>
    where
        B: Dated,
        V: Clone + PartialEq + DeserializeOwned,
    {
        let told = self.settle(node, Key::of(name), None, refines, say)?;
        if let (Fact::Known(_), By::Statement(index)) = (&told.value, told.by)
            && node.statements[index].proof("shape").is_none()
        {
            let place = &node.statements[index].place;
            let problem = self.problems.key(
                "missing-evidence",
                place,
                format!("nothing proves what is said of `{}`", node.id),
            );
            self.problems.push(problem.help(
                "name a source under `evidence.shape` of the item, of what contains it, or of the file's `defaults`",
            ));
        }
        Some(told)
    }

    /// What holds, where the layer below may say something without words (`initial`), and where one value may make
    /// another one precise without contradicting it (`refines`).
    pub(crate) fn settle<B, V>(
        &mut self,
        node: &Node<'a, B>,
        key: Key<'a>,
        initial: Option<Told<'a, V>>,
        refines: fn(&V, &V) -> bool,
        say: impl Fn(&'a B) -> Option<Fact<V>>,
    ) -> Option<Told<'a, V>>
    where
        B: Dated,
        V: Clone + PartialEq + DeserializeOwned,
    {
        let mut told = initial;
        let mut disputes = self.disputes.of(&node.id, key).peekable();
        for (index, statement) in node.statements.iter().enumerate() {
            while let Some(dispute) = disputes.next_if(|one| one.layer < statement.layer) {
                told = self.verdict(node, key, told, dispute);
            }
            let said = say(statement.body);
            match disputes.next_if(|one| one.layer == statement.layer) {
                Some(dispute) => {
                    told = self.verdict(node, key, told, dispute);
                    if let (Some(said), Some(told)) = (said, &told)
                        && said != told.value
                    {
                        self.restated(key, &statement.place, dispute);
                    }
                }
                None => told = self.combine(node, key, told, said, index, refines),
            }
        }
        for dispute in disputes {
            told = self.verdict(node, key, told, dispute);
        }
        told
    }

    /// How well somebody proves what they say; better is greater, and nothing is least.
    fn proves<B: Dated>(
        &self,
        node: &Node<'a, B>,
        key: Key<'a>,
        by: By<'a>,
    ) -> Option<std::cmp::Reverse<Class>> {
        let evidence = match by {
            By::Verdict(dispute, _) => &dispute.evidence,
            _ => node.proof_of(key.program.unwrap_or("shape"), by)?,
        };
        class_of(evidence, self.sources).map(std::cmp::Reverse)
    }

    /// Lays what a statement says over what was said below.
    fn combine<B: Dated, V: PartialEq>(
        &mut self,
        node: &Node<'a, B>,
        key: Key<'a>,
        told: Option<Told<'a, V>>,
        said: Option<Fact<V>>,
        index: usize,
        refines: fn(&V, &V) -> bool,
    ) -> Option<Told<'a, V>> {
        let Some(said) = said else { return told };
        let by = By::Statement(index);
        match (told, said) {
            (
                None
                | Some(Told {
                    value: Fact::Unknown,
                    ..
                }),
                value,
            ) => Some(Told { value, by }),
            (
                Some(Told {
                    value: Fact::Known(below),
                    by: whose,
                }),
                Fact::Known(above),
            ) => {
                if below == above {
                    // Who says the same with proof that is as good confirms it.
                    let by = if self.proves(node, key, by) >= self.proves(node, key, whose) {
                        by
                    } else {
                        whose
                    };
                    return Some(Told {
                        value: Fact::Known(below),
                        by,
                    });
                }
                if refines(&below, &above) {
                    return Some(Told {
                        value: Fact::Known(above),
                        by,
                    });
                }
                self.contradiction(node, key, whose, index);
                Some(Told {
                    value: Fact::Known(below),
                    by: whose,
                })
            }
            (Some(told), Fact::Unknown) => {
                self.unsaid(node, key, told.by, index);
                Some(told)
            }
        }
    }

    fn unsaid<B: Dated>(&mut self, node: &Node<'a, B>, key: Key<'a>, below: By<'a>, index: usize) {
        let place = key.under(&node.statements[index].place);
        let message = format!(
            "`{key}` of `{}` is known already; `unknown` cannot take it back",
            node.id
        );
        let problem = self
            .problems
            .value("undeclared-contradiction", &place, message);
        let problem = self.below(problem, node, key, below);
        self.problems.push(
            problem.help("leave it out; if the value below is wrong, declare it under `disputes`"),
        );
    }

    fn contradiction<B: Dated>(
        &mut self,
        node: &Node<'a, B>,
        key: Key<'a>,
        below: By<'a>,
        index: usize,
    ) {
        let place = key.under(&node.statements[index].place);
        let message = format!("`{key}` of `{}` contradicts the layer below", node.id);
        let problem = self
            .problems
            .value("undeclared-contradiction", &place, message);
        let problem = self.below(problem, node, key, below);
        self.problems.push(problem.help(
            "declare it under `disputes`, with both values, the evidence and a verdict, and leave it out here",
        ));
    }

    /// Shows what the layer below says.
    pub(super) fn below<B: Dated>(
        &self,
        problem: crate::diagnostic::Diagnostic,
        node: &Node<'a, B>,
        key: Key<'a>,
        by: By<'a>,
    ) -> crate::diagnostic::Diagnostic {
        let Some(place) = node.place_of(key, by) else {
            return problem.label("the layer below inherits another value");
        };
        let span = self.problems.value_span(&place);
        problem.related(place.file, span, "the layer below says this")
    }
}

impl<'a, B: Dated> Node<'a, B> {
    /// Where it is said.
    pub(crate) fn place_of(&self, key: Key<'a>, by: By<'a>) -> Option<Place<'a>> {
        match by {
            By::Statement(index) => Some(key.under(&self.statements[index].place)),
            By::Default(index) => {
                let root = Place::root(self.statements[index].place.file).then("defaults");
                Some(key.under(&root))
            }
            By::Container | By::Verdict(..) => None,
        }
    }

    /// What proves it.
    pub(crate) fn proof_of(&self, of: &str, by: By<'a>) -> Option<&'a Evidence> {
        match by {
            By::Statement(index) | By::Default(index) => self.statements[index].proof(of),
            By::Container | By::Verdict(..) => None,
        }
    }
}

/// How much some evidence proves.
pub(crate) fn class_of(evidence: &Evidence, sources: &IndexMap<String, Source>) -> Option<Class> {
    let source = sources.get(&evidence.source)?;
    Some(evidence.class.unwrap_or(source.class))
}
