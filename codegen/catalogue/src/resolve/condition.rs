//! Conditions: the names in them are found, and each clause gets its kind.

use super::Resolver;
use crate::merge::MergedItem;
use crate::model::{Case, Fact, Names, When, Whose};
use crate::problems::NodePath;
use fedispec_model::condition::{Caller, Clause, Condition, EntityLocation};
use fedispec_model::suggest::did_you_mean;
use fedispec_since::text::OneOrMore;

/// The fact that a condition is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConditionOwner {
    /// The presence of a field.
    Field,
    /// Whether a parameter is required.
    Param,
}

impl<'a> Resolver<'a, '_, '_> {
    /// The condition under a key of an item.
    pub(super) fn condition<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        key: &'static str,
        of: ConditionOwner,
        get: impl Fn(&'a B) -> Option<&'a When>,
    ) -> Option<Condition> {
        let (OneOrMore(cases), place) =
            self.placed(node, key, |body| get(body).cloned().map(Fact::Known))?;
        if cases.is_empty() {
            self.wrong(&place, "the list of conditions is empty", "leave it out");
        }
        let cases = cases.iter().enumerate().map(|(i, case)| {
            let listed = place.then(i.to_string());
            let place = if self.facts.problems.stands(&listed) { &listed } else { &place };
            self.case(case, &node.id, place, of)
        });
        Some(Condition(cases.collect()))
    }

    fn case(
        &mut self,
        case: &Case,
        id: &str,
        place: &NodePath<'a>,
        of: ConditionOwner,
    ) -> Vec<Clause> {
        self.case_is_whole(case, place, of);
        let mut clauses = Vec::new();
        clauses.extend(case.token.map(|whose| {
            Clause::Token(match whose {
                Whose::User => Caller::User,
                Whose::Owner => Caller::Owner,
            })
        }));
        let values = || case.is.0.clone();
        clauses.extend(case.sent.clone().map(|name| Clause::Sent(name, values())));
        clauses.extend(case.not_sent.clone().map(Clause::NotSent));
        let field = case.field.as_deref().and_then(|name| self.field_around(name, id, place));
        clauses.extend(field.map(|field| Clause::Field(field, values())));
        clauses.extend(case.r#if.clone().map(Clause::If));
        for (key, names, clause) in [
            ("in", &case.r#in, Clause::In as fn(Vec<EntityLocation>) -> Clause),
            ("not_in", &case.not_in, Clause::NotIn),
        ] {
            let locations = self.entity_locations(names, &place.then(key));
            clauses.extend((!locations.is_empty()).then(|| clause(locations)));
        }
        clauses
    }

    /// Keys that need each other, or do not go together.
    fn case_is_whole(&mut self, case: &Case, place: &NodePath<'a>, of: ConditionOwner) {
        let Case { r#if, token, sent, not_sent, field, is, r#in, not_in } = case;
        let of_request = r#if.is_some() || sent.is_some() || not_sent.is_some();
        let of_answer =
            token.is_some() || field.is_some() || !r#in.0.is_empty() || !not_in.0.is_empty();
        if !of_request && !of_answer && self.is_blank(place) {
            let help =
                "say when under `if`, `token`, `sent`, `not_sent`, `field`, `in` or `not_in`";
            self.wrong(place, "the condition says nothing", help);
        }
        if of == ConditionOwner::Param && of_answer {
            let help = "use `if`, `sent` or `not_sent`";
            let message = "whether a parameter is required depends on the request alone";
            self.wrong(place, message, help);
        }
        if field.is_some() && sent.is_some() {
            let help = "name one of them here, and the other under `if`";
            let message = "`is` cannot belong to `field` and `sent` at once";
            self.wrong(place, message, help);
        } else if field.is_some() && is.0.is_empty() {
            let help = "list the values under `is`";
            self.wrong(&place.then("field"), "no value of the field is named", help);
        } else if field.is_none() && sent.is_none() && !is.0.is_empty() {
            let help = "name the `field` or the parameter (`sent`) that has it";
            self.wrong(&place.then("is"), "nothing has this value", help);
        }
        let begins = r#if.as_deref().and_then(|text| text.trim().split(' ').next());
        let wrong = match begins {
            Some("") => Some("the condition is empty"),
            Some("when" | "if") => Some("the condition begins with a word that it completes"),
            _ => None,
        };
        if let Some(message) = wrong {
            let place = place.then("if");
            let help = "complete \"when ..\"";
            self.facts.problems.value("wrong-condition", &place, message, help);
        }
    }

    /// Whether no key is written there. A key whose value could not be read counts as written: that has been reported.
    fn is_blank(&self, place: &NodePath<'a>) -> bool {
        let text = self.facts.problems.sources().text(place.file);
        let span = self.facts.problems.value_span(place);
        text.get(span).is_none_or(|written| !written.contains(':'))
    }

    /// The id of a field: of that name in the same object, or in one around it, or by its id.
    fn field_around(&mut self, name: &str, id: &str, place: &NodePath<'a>) -> Option<String> {
        let ids = &self.merged.ids;
        let around =
            std::iter::successors(id.rsplit_once('.'), |(outer, _)| outer.rsplit_once('.'));
        let near: Vec<String> = around.map(|(outer, _)| format!("{outer}.{name}")).collect();
        let found = near.into_iter().find(|id| ids.contains_key(id));
        if let Some(found) = found.or_else(|| ids.contains_key(name).then(|| name.to_owned())) {
            return Some(found);
        }
        let owner = id.split('.').next().unwrap_or(id);
        let known = ids.keys().filter_map(|id| id.strip_prefix(owner)?.strip_prefix('.'));
        let help = did_you_mean(name, known, "write its name in the entity, or its id");
        let message = format!("`{owner}` has no field `{name}`");
        let place = place.then("field");
        self.facts.problems.value("unknown-reference", &place, message, help);
        None
    }

    fn entity_locations(&mut self, names: &Names, place: &NodePath<'a>) -> Vec<EntityLocation> {
        let found = names.0.iter().filter_map(|name| {
            let location = self.entity_location(name);
            if location.is_none() {
                let ids = self.merged.ids.keys().map(String::as_str);
                let names = ids.chain(self.merged.groups.keys().copied());
                let known = names.filter(|name| self.entity_location(name).is_some());
                let help = did_you_mean(
                    name,
                    known,
                    "write the id of an operation, a group, an entity or a field",
                );
                let message = format!("no operation, group, entity or field is called `{name}`");
                self.facts.problems.value("unknown-reference", place, message, help);
            }
            location
        });
        found.collect()
    }

    fn entity_location(&self, name: &str) -> Option<EntityLocation> {
        let id = name.to_owned();
        if self.merged.groups.contains_key(name) {
            return Some(EntityLocation::Group(id));
        }
        let path = &self.merged.place(name)?.path;
        match (path.first()?.as_ref(), path.len()) {
            ("operations", 2) => Some(EntityLocation::Operation(id)),
            ("entities", 2) => Some(EntityLocation::Entity(id)),
            ("entities", _) => Some(EntityLocation::Field(id)),
            _ => None,
        }
    }

    fn wrong(&mut self, place: &NodePath<'a>, message: &str, help: &str) {
        self.facts.problems.key("wrong-condition", place, message, help);
    }
}
