//! Routes: each leads to one operation, and its placeholders agree with the parameters.

use super::Checker;
use super::alternatives::by_name;
use super::params::in_body_of_get;
use super::registry::unknown_slot;
use crate::load::LayerKind;
use crate::map::HashSet;
use crate::problems::NodePath;
use fedispec_model::api::{Operation, Param, Since, Type};
use fedispec_model::change::ChangedFact;
use fedispec_model::suggest::did_you_mean;
use fedispec_since::Location;

/// A method and a path in which all placeholders read alike.
pub(super) type Route<'n> = (&'n str, String);

impl<'a, 'n> Checker<'a, 'n> {
    /// Whether an overlay defines what otherwise only a program's folder has, of which no type may be made.
    fn is_defined_anew(&self, one: &str, other: &str) -> bool {
        let kinds = [one, other].map(|id| self.merged.brought_by(id));
        kinds.contains(&Some(LayerKind::Overlay)) && kinds.contains(&Some(LayerKind::Program))
    }

    pub(super) fn route(&mut self, operation: &'n Operation) {
        let Some(route) = &operation.route else {
            return;
        };
        let id = &operation.item.id;
        let place = self.place(id, "path");
        // With a wrong placeholder or method it seems to be the route of another operation.
        if !in_body_of_get(operation).is_empty() {
            return;
        }
        if place.as_ref().is_some_and(|place| !self.placeholders(operation, &route.path, place)) {
            return;
        }
        let also = operation.also.iter().map(|twin| (twin.method.as_str(), "also"));
        for (method, fact) in std::iter::once((route.method.as_str(), "path")).chain(also) {
            let place = self.place(id, fact);
            let before = self.routes.insert((method, shape(&route.path)), (id, place.clone()));
            if let (Some(place), Some((other, Some(before)))) = (place, before)
                && other != id
                && !self.is_defined_anew(id, other)
            {
                // A path names its group, as a rule.
                let is_of =
                    |id: &str| id.split('.').next().is_some_and(|one| route.path.contains(one));
                let (this, that) = ((id.as_str(), place), (other, before));
                let ((id, place), (other, before)) =
                    if is_of(id) && !is_of(other) { (that, this) } else { (this, that) };
                let message = format!("`{id}` has the route of `{other}`, {method} {}", route.path);
                let help = "a method on a path is one operation; mend one of the two";
                let problem = self.problems.value("duplicate-route", &place, message, help);
                problem.with_value(&before, "the other one");
            }
        }
    }

    /// Checks that an operation whose connection is handed over has no other answer: clients and servers make it of another kind.
    pub(super) fn successes(&mut self, operation: &Operation) {
        let at = |program| operation.success_at(program, None);
        let mut all: Vec<u16> = (0..self.api.programs.len()).flat_map(at).collect();
        all.extend(&operation.success);
        let id = &operation.item.id;
        let is_bare = |program: usize| {
            let is_type = |text: &str| text.split('|').all(|one| one != "empty");
            let returns = operation.state(program, ChangedFact::Returns).read::<String>();
            let statuses = at(program);
            returns.is_some_and(|text| is_type(&text))
                && !statuses.is_empty()
                && statuses.iter().all(|status| matches!(status, 204 | 205))
        };
        if (0..self.api.programs.len()).any(is_bare) {
            let message = format!("`{id}` answers something, and has no status with a body");
            let help = "mend the status, or write `returns: empty`";
            self.value("success-status", id, "success", message, help);
        }
        let Some(other) = all.iter().find(|status| **status != 101) else { return };
        if let Some(place) = self.place(id, "success")
            && all.contains(&101)
        {
            let message = format!("`101` hands the connection over, and `{other}` answers on it");
            let help = "make two operations of them, or strike one of the two";
            self.problems.value("success-status", &place, message, help);
        }
    }

    /// Checks that what stands in braces in the text of an error is a value of the path.
    pub(super) fn texts(&mut self, operation: &'n Operation) {
        let path = operation.route.as_ref().map_or("", |route| &route.path);
        let names: Vec<_> = path.split('/').filter_map(|part| part.strip_prefix(':')).collect();
        for error in &operation.errors {
            let id = format!("{}.{}", operation.item.id, error.status);
            if error.returns.as_ref().is_some_and(Type::is_plain) {
                let message = format!("the body of {} is no object", error.status);
                self.value("wrong-type", &id, "returns", message, "name the entity of its body");
            }
            let lives = error.lives(operation);
            for ((program, life), said) in self.api.programs.iter().zip(lives).zip(&error.text) {
                let Some(said) = said else { continue };
                let text = &said.text;
                self.program = Some(&program.key);
                self.stretch(&id, ("text", None), (said.since, None), life);
                self.program = None;
                let Some(slot) = unknown_slot(text, |name| names.contains(&name)) else { continue };
                let place = self.merged.place_in(&id, "text", &program.key, self.problems);
                if let Some(place) = place {
                    let message = format!("nothing stands for `{{{slot}}}`");
                    let help = if names.contains(&slot) {
                        format!("close it: `{{{slot}}}`")
                    } else {
                        did_you_mean(slot, names.clone(), "name a parameter of the path")
                    };
                    self.problems.value("unknown-value", &place.then("text"), message, help);
                }
            }
        }
    }

    /// Whether the placeholders of a path and the parameters that stand there are the same.
    fn placeholders(&mut self, operation: &Operation, path: &str, place: &NodePath<'a>) -> bool {
        let mut params = by_name(operation);
        let merged = self.merged;
        // The path is the operation's: where that is no folder's own, the folder of a program cannot bring what fills it.
        if !merged.is_of_a_folder(&operation.item.id) {
            params.retain(|_, param| !merged.is_of_a_folder(&param.item.id));
        }
        let mut seen = HashSet::default();
        let names = || path.split('/').filter_map(|one| one.strip_prefix(':'));
        let is_lost = |param: &&Param| {
            let wire = &param.item.wire;
            param.location == Location::Path && !names().any(|name| name == wire)
        };
        let mut lost = operation.params.iter().filter(is_lost);
        let mut sound = true;
        for name in names() {
            if !seen.insert(name) {
                sound = false;
                let message = format!("`:{name}` stands in the path twice");
                let help = "name the second one otherwise";
                self.problems.value("path-parameter", place, message, help);
            } else if let Some(param) = params.get(name) {
                self.is_there_with_its_path(operation, param);
                if param.location != Location::Path {
                    let message = format!(
                        "`{}` fills `:{name}` of the path, but stands elsewhere",
                        param.item.id
                    );
                    let help = "write `in: path`, or name one of the two otherwise";
                    self.disagree(param, message, help, place);
                    sound = false;
                }
            } else if let Some(param) = lost.next() {
                let message = format!("the path has `:{name}`, and no `:{}`", param.item.wire);
                let help = "name the two alike";
                self.problems.value("path-parameter", place, message, help);
                let id = &param.item.id;
                if let Some(decided) = self.merged.disputes.place(id, "wire") {
                    self.problems.with_value(&decided, "its name is decided here");
                } else if let Some(other) = self.merged.place(id) {
                    self.problems.with_key(other, "stands in the path");
                }
                sound = false;
            } else {
                sound = false;
                let message = format!("no parameter of `{}` fills `:{name}`", operation.item.id);
                let help = format!(
                    "add `{name}: {{in: path, required: true, ..}}` to its `params`, or mend the path"
                );
                self.problems.value("path-parameter", place, message, help);
            }
        }
        for param in lost {
            let Param { item, .. } = param;
            let message =
                format!("`{}` stands in the path, which has no `:{}`", item.id, item.wire);
            self.disagree(param, message, "mend the path or the parameter's place", place);
            sound = false;
        }
        sound
    }

    /// No release serves a path without its parameters; one that changed may have had others.
    fn is_there_with_its_path(&mut self, operation: &Operation, param: &Param) {
        let lives = operation.item.life.iter().zip(&param.item.life);
        for (program, (of_path, own)) in self.api.programs.iter().zip(lives) {
            let is_later = matches!(of_path.effective, Since::Since(_))
                && of_path.changed.iter().all(|change| change.what != ChangedFact::Path)
                && own.effective > of_path.effective
                && own.effective != Since::Unknown;
            if is_later && let Some(place) = self.merged.place(&param.item.id).cloned() {
                let stated =
                    self.merged.place_in(&param.item.id, "since", &program.key, self.problems);
                let message = format!(
                    "`{}` stands in the path that {} has since {}, and is there since {}",
                    param.item.id, program.name, of_path.effective, own.effective
                );
                let help = "take its `since` away: it has that of the operation; a path that changed is a `changed` of it";
                self.problems.value("path-parameter", &stated.unwrap_or(place), message, help);
                self.with_since(&operation.item.id, &program.key, "that of the operation");
            }
        }
    }

    /// Reports a parameter and a path that say different things.
    fn disagree(&mut self, param: &Param, message: String, help: &str, path: &NodePath<'a>) {
        let at = self.place(&param.item.id, "in").unwrap_or_else(|| path.clone());
        self.problems.value("path-parameter", &at, message, help).with_value(path, "the path");
    }
}

fn shape(path: &str) -> String {
    let segments = path.split('/').map(|one| if one.starts_with(':') { ":" } else { one });
    segments.collect::<Vec<_>>().join("/")
}
