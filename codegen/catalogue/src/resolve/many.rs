//! Lines that speak of many items at once.

use super::Resolver;
use super::life::fact;
use crate::load::LayerKind;
use crate::merge::{ManyHeld, Provenance, SettledFact};
use crate::model::{Has, Origin};
use fedispec_model::api::Since;
use fedispec_model::suggest::did_you_mean;

impl<'a> Resolver<'a, '_, '_> {
    /// The Since of an item in a program by the line that covers it most closely: that names it, or what it stands in.
    pub(super) fn of_many(&self, id: &str, program: &str) -> Option<SettledFact<'a, Since>> {
        let of_all = id.starts_with(|first: char| first.is_lowercase()).then_some(Has::OPERATIONS);
        let around = std::iter::successors(Some(id), |name| Some(name.rsplit_once('.')?.0));
        let (name, line) = around.chain(of_all).find_map(|name| {
            let mut lines = self.many.get(name)?.iter().rev();
            let holds =
                |line: &&&ManyHeld<'_>| line.since.contains_key(program) && !line.excepts(id);
            lines.find(holds).map(|line| (name, line))
        })?;
        // A part that another program has added to an item is not in every program that has the item.
        let named = self.merged.ids.contains_key(name);
        let is_added = named && self.is_of_a_folder(id) && !self.is_of_a_folder(name);
        if is_added && matches!(line.since[program], Since::Since(_)) {
            return None;
        }
        Some(SettledFact {
            value: fact(line.since[program]),
            by: Provenance::Many(line.proof(program), line.place.clone()),
        })
    }

    /// Whether an item is there by the folder of a program alone.
    fn is_of_a_folder(&self, id: &str) -> bool {
        let stated = self.merged.ids.get(id).and_then(|statements| statements.first());
        stated.is_some_and(|stated| stated.kind == LayerKind::Program)
    }

    /// Reports what is wrong with the lines that speak of many items.
    pub(super) fn many_are_sound(&mut self) {
        let merged = self.merged;
        for line in &merged.has {
            self.keys_are_programs(line.body.since.keys(), &line.place.then("since"));
            self.proofs_are_sound(&line.body.evidence, &line.place.then("evidence"));
            for (program, since) in &line.body.since {
                self.held(line, program, *since);
            }
            for (key, names) in [("of", &line.body.of), ("but", &line.body.but)] {
                for (number, name) in names.iter().enumerate() {
                    self.covers_something(line, (key, number), name);
                }
            }
        }
    }

    /// Reports a program whose items are stated one by one, a release that is none, and what nothing proves.
    fn held(&mut self, line: &ManyHeld<'a>, program: &'a str, since: Since) {
        let place = line.place.under(&["since", program]);
        let registered = self.implementations.programs.get(program);
        if registered.is_some_and(|one| one.origin == Origin::Registry) {
            let name = self.program_name(program);
            let message = format!("each item says of itself since when {name} has it");
            let help =
                "state it at the items; lines for many are for programs with a folder of their own";
            self.facts.problems.key("not-apart", &place, message, help);
            return;
        }
        let proof = line.proof(program);
        if let Since::Since(version) = since {
            self.released(version, program, proof, &place);
        }
        if proof.is_none() && since != Since::Unknown {
            let message =
                format!("nothing proves since when {} has these", self.program_name(program));
            let help = format!(
                "name a source under `evidence.{program}` of the line, or of the file's `defaults`"
            );
            self.facts.problems.value("missing-evidence", &place, message, help);
        }
    }

    fn covers_something(&mut self, line: &ManyHeld<'a>, at: (&'static str, usize), name: &str) {
        let merged = self.merged;
        let is_group = merged.groups.contains_key(name);
        let is_all = at.0 == "of" && name == Has::OPERATIONS;
        if is_all || is_group || merged.ids.contains_key(name) {
            return;
        }
        let known = merged.groups.keys().copied().chain(merged.ids.keys().map(String::as_str));
        let help = did_you_mean(name, known, "name a group, or an item by its id");
        let place = line.place.then(at.0).then(at.1.to_string());
        let message = format!("there is neither a group nor an item `{name}`");
        self.facts.problems.value("unknown-reference", &place, message, help);
    }
}
