//! The programs, and the check that every mention of one is registered.

use std::rc::Rc;

use super::Resolver;

use crate::causes::{OF_A_LIFE, SECTIONS};
use crate::load::{Catalogue, LayerKind};
use crate::merge::{MergedItem, Stated};
use crate::model::{By, Evidence, Fact, Field, PerProgram};
use crate::problems::{NodePath, Problems, Report};
use crate::source::FileId;
use crate::source::tree::YamlNode;
use crate::statements::proofs_of;
use fedispec_model::api;
use fedispec_model::suggest::did_you_mean;
use fedispec_since::StableVersion;

/// The facts of all programs that are written as maps.
const OF_ALL_IN_A_MAP: [&str; 4] = ["absent_means", "oauth", "required_when", "stands_in"];

impl<'a> Resolver<'a, '_, '_> {
    /// Converts the programs into the form of the API.
    pub(super) fn program_list(&self) -> Vec<api::Program> {
        self.implementations
            .programs
            .iter()
            .map(|(key, program)| api::Program {
                key: key.clone(),
                name: program.name.clone(),
                letter: program.letter.clone(),
                nodeinfo: program.nodeinfo.clone(),
                floor: program.floor,
                constructors: program.constructors,
                releases: program
                    .releases
                    .iter()
                    .map(|(version, release)| api::Release {
                        version: *version,
                        date: release.date.clone(),
                        api: release.api,
                    })
                    .collect(),
                looked_at: program.looked_at,
                apart: program.is_apart(),
                based_on: program.based_on.clone(),
            })
            .collect()
    }

    /// Reports usual statuses that are none of success, releases that were looked at and are not registered, and sources that facts
    /// were held against and that prove nothing of the program.
    pub(super) fn the_registry_is_sound(&mut self, catalogue: &Catalogue) {
        let usual = NodePath::root(catalogue.implementations_file).under(&["defaults", "success"]);
        self.successes(
            self.implementations.defaults.success.as_deref().unwrap_or_default(),
            &usual,
        );
        let errors = NodePath::root(catalogue.implementations_file).under(&["defaults", "errors"]);
        for status in self.implementations.defaults.errors.keys() {
            self.error_status(status, &errors.then(status.as_str()));
        }
        for (key, program) in &self.implementations.programs {
            let place = NodePath::root(catalogue.registry(program.file)).under(&["programs", key]);
            for (what, evidence) in &program.held_against {
                let place = place.then("held_against").then(what.name());
                if self.is_of_program(evidence, key, &place) {
                    self.proof_is_sound(evidence, &place);
                }
            }
            let Some(looked_at) = program.looked_at else {
                continue;
            };
            if program.releases.contains_key(&looked_at) {
                continue;
            }
            let message = format!("{} has no registered release {}", program.name, looked_at);
            let help = match program.releases.keys().last() {
                None => "register it under `releases`".to_owned(),
                Some(last) => {
                    format!("register it under `releases`, or name one that is, up to {last}")
                }
            };
            let place = place.then("looked_at");
            self.facts.problems.value("unreleased-version", &place, message, help);
        }
    }

    /// Names programs that nobody has registered, in every item and in the files' defaults.
    pub(super) fn programs_are_known(&mut self) {
        for (place, defaults) in self.merged.defaults.clone() {
            self.program_keys(&defaults.since, &place, "since");
            self.proofs_are_sound(&defaults.evidence, &place.then("evidence"));
        }
        let merged = self.merged;
        for statement in merged.ids.values().flatten() {
            let (head, place) = (statement.head, &statement.place);
            self.program_keys(head.since, place, "since");
            self.program_keys(head.works_since, place, "works_since");
            self.program_keys(head.deprecated, place, "deprecated");
            self.program_keys(head.removed, place, "removed");
            self.program_keys(head.absent, place, "absent");
            self.program_keys(head.changed, place, "changed");
            if !head.evidence.is_empty() {
                self.proofs_are_sound(head.evidence, &place.then("evidence"));
            }
        }
        for said in merged.ids.values() {
            let (of_programs, of_all): (Vec<_>, Vec<_>) =
                said.iter().partition(|one| one.kind == LayerKind::Program);
            for one in of_programs {
                self.proofs_are_of_facts(one.head.evidence, &one.place);
                if !of_all.is_empty() {
                    self.says_what_its_program_does(&one.place, &of_all);
                }
            }
        }
        self.folders_dispute_their_own();
        for statement in merged.operations.iter().flat_map(|one| &one.node.statements) {
            if let Some(Fact::Known(By::Each(each))) = &statement.body.auth {
                self.program_keys(each, &statement.place, "auth");
            }
        }
    }

    /// Reports evidence of what the folder of a program does not state beside it, which nobody else would. Of where an item is
    /// described a Since is asked anyway.
    fn proofs_are_of_facts(&mut self, list: &'a PerProgram<Evidence>, place: &NodePath<'a>) {
        let is_described = self.facts.problems.describes(place);
        let is_param = place.path.iter().any(|key| key == "params");
        for of in list.keys() {
            let stands = |fact: &str, program: &str| {
                self.facts.problems.stands(&place.under(&[fact, program]))
            };
            let (fact, program, is_stated) = match of.split_once('.') {
                Some((fact @ ("presence" | "auth"), program)) => {
                    (fact, program, stands(fact, program))
                }
                Some(("facts", program)) if is_param && !is_described => {
                    ("required", program, self.states_a_fact(place, program))
                }
                None if !is_described => {
                    ("since", of.as_str(), OF_A_LIFE.iter().any(|fact| stands(fact, of)))
                }
                _ => continue,
            };
            if self.implementations.programs.contains_key(program) && !is_stated {
                let message = format!("evidence proves `{of}`, and nobody states it");
                let other = if fact == "required" { " or another fact" } else { "" };
                let help = format!("state `{fact}: {{{program}: ..}}`{other}, or remove `{of}`");
                self.facts.problems.key("missing-fact", place, message, help);
            }
        }
    }

    /// Whether something besides its Since is stated of an item in a program.
    fn states_a_fact(&self, place: &NodePath<'a>, program: &str) -> bool {
        let node = self.facts.problems.sources().node(place.file, &place.keys());
        let mut facts = node.and_then(YamlNode::map).into_iter().flatten();
        facts.any(|(key, fact)| {
            !["evidence", "since"].contains(&key.as_str()) && fact.child(program).is_some()
        })
    }

    /// Reports a fact of the folder of a program that would hold of all programs, where the item is described for all of them without it.
    /// What two describe, as the folder had it first, has to be the same.
    fn says_what_its_program_does(&mut self, place: &NodePath<'a>, of_all: &[&Rc<Stated<'a>>]) {
        let sources = self.facts.problems.sources();
        let said = sources.node(place.file, &place.keys()).and_then(YamlNode::map);
        let is_described = self.facts.problems.describes(place);
        for (key, child) in said.into_iter().flatten() {
            let place = place.then(key.clone());
            let is_stated =
                |one: &&Rc<Stated<'a>>| self.facts.problems.stands(&one.place.then(key.clone()));
            let is_open = self.facts.problems.has("unknown-key", &place)
                || key == "renamed_from"
                || is_described && of_all.iter().any(is_stated);
            let is_of_all = match child.map() {
                Some(_) => OF_ALL_IN_A_MAP.contains(&key.as_str()),
                None => key != "quirks" && key != "notes" && !SECTIONS.contains(&key.as_str()),
            };
            if is_of_all && !is_open {
                let message = format!("`{key}` would hold of all programs here");
                let fact = match key.as_str() {
                    "nullable" | "optional" => Some("presence"),
                    "when" => Some("when"),
                    key => proofs_of(key).map(|_| key),
                };
                let help = match fact.zip(sources.program_folder(place.file)) {
                    Some((fact, own)) => {
                        format!("say what its program does: `{fact}: {{{own}: ..}}`")
                    }
                    None => "state it where the item is described".to_owned(),
                };
                self.facts.problems.key("wrong-folder", &place, message, help);
            }
        }
    }

    /// Reports disputes and tombstones in the folder of a program that would hold of all programs.
    fn folders_dispute_their_own(&mut self) {
        let sources = self.facts.problems.sources();
        let disputes = self.merged.disputes.all().iter();
        for one in disputes.filter(|one| sources.is_of_a_program(one.place.file)) {
            let program = one.body.fact.split_once('.').map(|(_, program)| program);
            if program.is_none_or(|program| !self.speaks_in(program, one.place.file)) {
                let message = format!("`{}` is not of this folder's program alone", one.body.fact);
                let help = "dispute it in `supplement`, or name a fact of the program, as `since.` with its key";
                let place = one.place.then("fact");
                self.facts.problems.value("wrong-folder", &place, message, help);
            }
        }
        let stones = self.merged.tombstones.iter();
        for (id, stone) in stones.filter(|(_, stone)| sources.is_of_a_program(stone.place.file)) {
            let message = format!("this takes `{id}` away in all programs");
            let help = "write `since` or `removed` of the program, or move it to `supplement`";
            self.facts.problems.key("wrong-folder", &stone.place, message, help);
        }
    }

    fn program_keys<T>(
        &mut self,
        map: &'a PerProgram<T>,
        place: &NodePath<'a>,
        fact: &'static str,
    ) {
        if !map.is_empty() {
            self.keys_are_programs(map.keys(), &place.then(fact));
        }
    }

    /// Reports keys that are not programs, or of which another folder speaks.
    pub(super) fn keys_are_programs<'k>(
        &mut self,
        keys: impl Iterator<Item = &'k String>,
        place: &NodePath<'a>,
    ) {
        for key in keys {
            self.is_program(key, place.file, Problems::key, || place.then(key.clone()));
        }
    }

    /// Whether that is the name of a program, and one of which the file speaks: the folder of a program speaks of it alone, and the
    /// catalogue's own layers of the programs without a folder.
    pub(super) fn is_program(
        &mut self,
        key: &str,
        file: FileId,
        report: Report<'a>,
        place: impl FnOnce() -> NodePath<'a>,
    ) -> bool {
        let (code, message, help) = if let Some(program) = self.implementations.programs.get(key) {
            if self.speaks_in(key, file) {
                return true;
            }
            let sources = self.facts.problems.sources();
            let at = match program.file.and_then(|file| sources.program_folder(file)) {
                Some(own) if !own.is_empty() => format!("`programs/{own}`"),
                _ => "`supplement`".to_owned(),
            };
            let message = format!("this file does not speak of {}", program.name);
            ("wrong-folder", message, format!("state it in {at}, or name another program"))
        } else {
            let all = format!("the registered programs are {}", self.programs.join(", "));
            let help = did_you_mean(key, self.programs.iter().copied(), &all);
            ("unknown-program", format!("there is no program `{key}`"), help)
        };
        report(self.facts.problems, code, &place(), message, help);
        false
    }

    /// Whether a file may speak of a registered program: its own folder, or the layers of those without one.
    pub(super) fn speaks_in(&self, program: &str, file: FileId) -> bool {
        let sources = self.facts.problems.sources();
        let program = self.implementations.programs.get(program);
        program.is_some_and(|program| {
            let own = program.file.map_or(Some(""), |file| sources.program_folder(file));
            let both = own.zip(sources.program_folder(file));
            both.is_none_or(|(own, here)| own == here)
        })
    }

    /// Collects what programs send in place of what a field's type says, and checks it.
    pub(super) fn quirks(&mut self, node: &MergedItem<'a, Field>) -> Vec<api::Quirk> {
        let mut all = Vec::new();
        for statement in &node.statements {
            for (number, quirk) in statement.body.quirks.iter().enumerate() {
                let place = statement.place.then("quirks").then(number.to_string());
                let program = place.then("program");
                let file = program.file;
                if !self.is_program(&quirk.program, file, Problems::value, || program) {
                    continue;
                }
                let is_over =
                    quirk.since.zip(quirk.until).is_some_and(|(since, until)| until <= since);
                if is_over {
                    let message = "the quirk ends before it begins";
                    let help = "`until` is the first release that is without it";
                    let place = place.then("until");
                    self.facts.problems.value("wrong-stretch", &place, message, help);
                }
                for (key, version) in [("since", quirk.since), ("until", quirk.until)] {
                    if let Some(version) = version.filter(|_| !is_over) {
                        self.released(version, &quirk.program, None, &place.then(key));
                    }
                }
                all.push(quirk.clone());
            }
        }
        all
    }

    /// Collects what is said of each program under a key of an item, and checks the releases that it mentions, each under its key or in
    /// place of a map. A higher layer goes before a lower one. Empty where nothing is said of any program.
    pub(super) fn by_program<B, V: Clone + 'a>(
        &mut self,
        node: &MergedItem<'a, B>,
        key: &'static str,
        get: impl Fn(&'a B) -> &'a PerProgram<V>,
        releases: impl Fn(&V) -> Vec<(Vec<String>, Option<StableVersion>)>,
    ) -> Vec<Option<V>> {
        let mut ways = vec![None; self.programs.len()];
        for statement in &node.statements {
            let said = get(statement.body);
            let place = statement.place.then(key);
            self.keys_are_programs(said.keys(), &place);
            for (way, program) in ways.iter_mut().zip(self.programs.clone()) {
                let Some(one) = said.get(program) else { continue };
                for (keys, version) in releases(one) {
                    if let Some(version) = version {
                        let place =
                            keys.into_iter().fold(place.then(program), |at, key| at.then(key));
                        self.released(version, program, None, &place);
                    }
                }
                *way = Some(one.clone());
            }
        }
        unless_empty(ways)
    }

    /// Names evidence of disputes and tombstones that no source stands behind.
    pub(super) fn references_to_sources(&mut self) {
        let merged = self.merged;
        for dispute in merged.disputes.all() {
            self.proof_is_sound(&dispute.body.evidence, &dispute.place.then("evidence"));
        }
        for stone in merged.tombstones.values() {
            if let Some(evidence) = &stone.body.evidence {
                self.proof_is_sound(evidence, &stone.place.then("evidence"));
            }
        }
    }
}

/// Returns the values by program, or an empty list where no program has one.
pub(super) fn unless_empty<T>(each: Vec<Option<T>>) -> Vec<Option<T>> {
    if each.iter().all(Option::is_none) { Vec::new() } else { each }
}
