//! Lines that speak of many items at once.

use super::Resolver;
use super::life::fact;
use crate::map::HashMap;
use crate::merge::{ManyHeld, Provenance, SettledFact, around};
use crate::model::{Has, Origin};
use crate::problems::{NodePath, Problems};
use fedispec_model::api::Since;
use fedispec_model::suggest::did_you_mean;

impl<'a> Resolver<'a, '_, '_> {
    /// The Since of an item in a program by the line that covers it most closely: that names it, or what it stands in.
    pub(super) fn of_many(&self, id: &str, program: &str) -> Option<SettledFact<'a, Since>> {
        let of_all = id.starts_with(|first: char| first.is_lowercase()).then_some(Has::OPERATIONS);
        let (name, line) = around(id).chain(of_all).find_map(|name| {
            let mut lines = self.many.get(name)?.iter().rev();
            let holds =
                |line: &&&ManyHeld<'_>| line.since.contains_key(program) && !line.excepts(id);
            lines.find(holds).map(|line| (name, line))
        })?;
        // A part that another program has added to an item is not in every program that has the item.
        let named = self.merged.ids.contains_key(name);
        let is_added = named && self.merged.is_of_a_folder(id) && !self.merged.is_of_a_folder(name);
        if is_added && matches!(line.since[program], Since::Since(_)) {
            return None;
        }
        Some(SettledFact {
            value: fact(line.since[program]),
            by: Provenance::Many(line.proof(program), line.place.clone()),
        })
    }

    /// Reports what is wrong with the lines that speak of many items.
    pub(super) fn many_are_sound(&mut self) {
        let merged = self.merged;
        let mut stated = HashMap::default();
        for line in &merged.has {
            let since = line.place.then("since");
            self.proofs_are_sound(&line.body.evidence, &line.place.then("evidence"));
            let mut programs = Vec::new();
            for (program, since_when) in &line.body.since {
                let place = || since.then(program.as_str());
                if self.is_program(program, since.file, Problems::key, place) {
                    self.held(line, program, *since_when);
                    programs.push((program.as_str(), *since_when));
                }
            }
            for (key, is_empty) in [("since", line.since.is_empty()), ("of", line.of.is_empty())] {
                if is_empty {
                    let message = format!("the line says nothing: `{key}` is empty");
                    let help = "name a program with a release, and the items that it has";
                    self.facts.problems.value("empty-line", &line.place.then(key), message, help);
                }
            }
            for (number, name) in line.body.of.iter().enumerate() {
                let place = line.place.then("of").then(number.to_string());
                self.covers_something(name, &place);
                self.is_stated_once(&programs, name, &place, &mut stated);
            }
            for (number, name) in line.body.but.iter().enumerate() {
                let place = line.place.then("but").then(number.to_string());
                self.covers_something(name, &place);
                self.is_an_exception(line, name, &place);
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

    /// Reports a name whose Since in a program another line states too, or the item itself. Where things stand inside of the item, the
    /// line may speak of those, unless it says that a program never has what it has; an error has the name of its body.
    fn is_stated_once(
        &mut self,
        programs: &[(&'a str, Since)],
        name: &'a str,
        place: &NodePath<'a>,
        stated: &mut HashMap<(&'a str, &'a str), NodePath<'a>>,
    ) {
        let ids = &self.merged.ids;
        for (program, since) in programs {
            let mut own = ids.get(name).into_iter().flatten().rev();
            let own = own.find_map(|one| Some((one, *one.head.since.get(*program)?)));
            let holds_others =
                || ids.keys().any(|id| id.strip_prefix(name).is_some_and(|id| id.starts_with('.')));
            let is_error = name.rsplit('.').next().is_some_and(|last| last.parse::<u16>().is_ok());
            let is_denied = |own| *since == Since::Never && own != Since::Never && !is_error;
            let is_told = |(_, own): &(_, Since)| is_denied(*own) || !holds_others();
            let before = stated.insert((program, name), place.clone());
            let own = own.filter(is_told);
            let before =
                before.or_else(|| own.map(|(one, _)| one.place.under(&["since", program])));
            // The same name twice in one list is reported where lists are read.
            let is_here = |before: &NodePath<'_>| before.path[..2] == place.path[..2];
            let Some(before) =
                before.filter(|before| before.file != place.file || !is_here(before))
            else {
                continue;
            };
            let program = self.program_name(program);
            let message = format!("since when {program} has `{name}` is stated twice");
            let help = "keep the one that holds, and take the name away here or there";
            self.facts.problems.value("stated-twice", place, message, help);
            self.facts.problems.with_key(&before, "stated first");
        }
    }

    /// Reports an exception from a line that does not cover it.
    fn is_an_exception(&mut self, line: &ManyHeld<'a>, name: &str, place: &NodePath<'a>) {
        let covers = |name: &str| line.of.iter().any(|of| of == name || of == Has::OPERATIONS);
        if self.merged.ids.contains_key(name) && !around(name).any(covers) {
            let message = format!("the line does not cover `{name}`, and excepts it");
            let help = "take the name away, or name what it stands in under `of`";
            self.facts.problems.value("no-exception", place, message, help);
        }
    }

    fn covers_something(&mut self, name: &str, place: &NodePath<'a>) {
        let merged = self.merged;
        let is_all = name == Has::OPERATIONS && place.path.iter().any(|key| key == "of");
        if is_all || merged.groups.contains_key(name) || merged.ids.contains_key(name) {
            return;
        }
        if merged.is_lost(name, place, self.facts.problems) {
            return;
        }
        // The last generated table had the item: the name is right, and the item is gone.
        let was_there = merged.former.is_some_and(|ids| ids.contains(name));
        let (message, help) = if was_there {
            let help = "put it back, or take its name away here; it may have another name now";
            (format!("`{name}` is gone, which the catalogue had before"), help.to_owned())
        } else {
            let known = merged.groups.keys().copied().chain(merged.ids.keys().map(String::as_str));
            let help = did_you_mean(name, known, "name a group, or an item by its id");
            (format!("there is neither a group nor an item `{name}`"), help)
        };
        self.facts.problems.value("unknown-reference", place, message, help);
    }
}
