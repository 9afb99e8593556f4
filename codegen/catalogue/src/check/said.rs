//! Required statements of an item of the supplement besides its facts: words for people, the effect of leaving it out, and the object around it.
//! A catalogue whose registry names no reference program is a sketch, of which none of this is required.

use std::rc::Rc;

use super::{Checker, element};
use crate::load::LayerKind;
use crate::merge::{Stated, around, owner};
use crate::problems::NodePath;
use crate::source::tree::YamlNode;
use fedispec_model::api::{Entity, EntityRole, Field, Item, Layer, Param, Type};
use fedispec_model::notation::type_text;
use fedispec_model::suggest::{did_you_mean, foreign, nearest};
use fedispec_since::{Location, Required};

/// The kind of every problem with words that are missing.
const CODE: &str = "missing-words";

impl<'a> Checker<'a, '_> {
    /// Whether an item is the catalogue's own, and no addition of a program's folder or of an overlay.
    fn is_ours(&self, item: &Item) -> bool {
        let ours = |kind| matches!(kind, LayerKind::Documents | LayerKind::Supplement);
        self.is_full() && self.merged.brought_by(&item.id).is_some_and(ours)
    }

    /// Whether a key of an item is there, whose value the loader has refused: that problem is told already.
    fn is_refused(&self, item: &Item, key: &'static str) -> bool {
        let said = self.merged.ids.get(&item.id).into_iter().flatten();
        said.into_iter().any(|one| self.problems.stands(&one.place.then(key)))
    }

    pub(super) fn summary(&mut self, item: &Item) {
        self.wording(item);
        let is_said = item.summary.is_some() || self.is_refused(item, "summary");
        if item.implied || is_said {
            return;
        }
        if !self.is_ours(item) {
            return self.is_of_a_program(item);
        }
        let documented =
            self.merged.place(&item.id).filter(|_| self.merged.documents_have(&item.id));
        if let Some(place) = documented
            && (self.merged.is_lost(&item.id, place, self.problems)
                || self.is_misspelt_in_the_documents(&item.id, place))
        {
            return;
        }
        let is_gone = |id: &str| self.merged.is_gone(id, self.problems);
        // What stands in an item is gone with it.
        if is_gone(&item.id) && around(&item.id).skip(1).any(is_gone) {
            return;
        }
        let message = format!("nobody says what `{}` is", item.id);
        let help = if is_gone(&item.id) {
            "put back what was said of it, or write a new `summary` in the supplement"
        } else {
            "write a `summary`, a sentence or noun phrase that says what it is"
        };
        // The supplement has the words for what the documents list; its file may be one that cannot be read.
        let code = if documented.is_some() { "missing-fact" } else { CODE };
        self.key(code, &item.id, "summary", message, help);
    }

    /// Reports a new item of the documents that has the name of one which they list no longer but for some letters.
    fn is_misspelt_in_the_documents(&mut self, id: &str, place: &NodePath<'a>) -> bool {
        let Some(former) = self.merged.former.filter(|former| !former.contains(id)) else {
            return false;
        };
        let beside = former.iter().map(String::as_str);
        let beside = beside.filter(|one| owner(one) == owner(id));
        let gone = beside.filter(|one| !self.merged.documents_have(one));
        let Some(gone) = nearest(id, gone) else { return false };
        let message = format!("`{id}` is new, and the documents list `{gone}` no longer");
        self.problems.key("lost-item", place, message, "mend the name");
        true
    }

    /// Checks that each group has operations, and a summary.
    pub(super) fn groups_are_of_use(&mut self) {
        if !self.is_full() {
            return;
        }
        for (id, group) in &self.merged.groups {
            let place = &group.place;
            if !self.api.groups.iter().any(|used| used.id == *id) {
                let message = format!("no operation is of the group `{id}`");
                let help = "remove the group, or mend the `group` of its operations";
                self.problems.key("unused-group", place, message, help);
            } else if group.body.summary.trim().is_empty() {
                let message = format!("nobody says what the group `{id}` is");
                let help = "write a `summary`, a sentence or noun phrase that says what it is";
                self.problems.key(CODE, place, message, help);
            }
        }
    }

    /// Reports a new item without words that a program's folder alone speaks of: its name is misspelt there, as a rule.
    fn is_of_a_program(&mut self, item: &Item) {
        if !self.merged.is_of_a_folder(&item.id) {
            return;
        }
        // Of several folders the one that describes it.
        let said = || self.merged.ids.get(&item.id).into_iter().flatten();
        let is_described = |one: &&Rc<Stated<'a>>| self.problems.describes(&one.place);
        let Some(one) = said().find(is_described).or_else(|| said().next()) else { return };
        let place = &one.place;
        // Where nobody says what holds it, that is told.
        let around = owner(&item.id).and_then(|owner| self.item(owner));
        if around.is_some_and(|owner| owner.summary.is_none() && !owner.implied) {
            return;
        }
        let Some(former) = self.merged.former.filter(|_| self.is_full()) else {
            return;
        };
        let is_beside = |id: &&str| **id != *item.id && owner(id) == owner(&item.id);
        let known = self.merged.ids.keys().map(String::as_str).filter(is_beside);
        // The supplement has another name for it now.
        if self.merged.is_lost(&item.id, place, self.problems) {
            return;
        }
        let was_there = former.contains(&item.id);
        let help = if was_there {
            let or_else = "write its `summary`, or put back what was said of it";
            match nearest(&item.id, { known }.filter(|id| !former.contains(*id))) {
                Some(new) => format!("`{new}` is new: mend one of the two names; else {or_else}"),
                None => or_else.to_owned(),
            }
        } else {
            did_you_mean(&item.id, known, "write its `summary`, or mend the name")
        };
        let message = format!(
            "nothing but a program's folder speaks of `{}`, and says not what it is",
            item.id
        );
        // The words may stand in a file that cannot be read, or under a name that is refused.
        let code = if was_there { "missing-fact" } else { "unknown-item" };
        self.problems.key(code, place, message, help);
    }

    /// Checks that a summary is whole, and says more than the name. The words of an overlay are its author's.
    pub(super) fn wording(&mut self, item: &Item) {
        let said = self.merged.ids.get(&item.id).into_iter().flatten();
        let mut kinds = said.map(|one| one.kind);
        let Some(summary) = item.summary.as_deref().filter(|_| self.is_whole && !item.implied)
        else {
            return;
        };
        if self.api.layer != Layer::Full || kinds.any(|kind| kind == LayerKind::Overlay) {
            return;
        }
        let foreign = foreign(summary).map(|letter| format!("is not plain text: {letter}"));
        let (message, help) = if let Some(message) = &foreign {
            (message.as_str(), "write it anew")
        } else if !summary.ends_with('.') {
            (
                "ends without a full stop",
                "end it; ` #` begins a comment, before which text is cut off",
            )
        } else if summary.matches('`').count() % 2 == 1 {
            ("has an open backtick", "close it, or take it away")
        } else if repeats_the_name(item, summary) {
            ("says no more than its name", "say what it is, or is for")
        } else {
            return;
        };
        let message = format!("the summary of `{}` {message}", item.id);
        self.value("wrong-summary", &item.id, "summary", message, help);
    }

    /// A client decides by this whether it may leave the parameter out on a server that lacks it.
    pub(super) fn says_what_is_left_out(&mut self, param: &Param) {
        let item = &param.item;
        let is_optional = matches!(param.required, Required::Never | Required::Sometimes);
        let place = self.merged.place(&item.id);
        let is_lost = place.is_some_and(|place| self.problems.has("lost-item", place));
        if !is_optional || item.implied || is_lost || !self.is_ours(item) {
            return;
        }
        // The folder of a program speaks of that one alone.
        let said = self.merged.ids.get(&item.id).into_iter().flatten();
        let said = said.filter(|one| one.kind != LayerKind::Program);
        let Some(last) = said.clone().next_back() else { return };
        if { said }.any(|one| self.problems.stands(&one.place.then("left_out"))) {
            return;
        }
        let message = format!("nobody says what leaving `{}` out does", item.id);
        let help = "write `left_out: harmless`, or its effect: `left_out: {effect: changes_meaning, so: the status is posted at once}`";
        self.problems.key(CODE, &last.place, message, help);
    }

    /// A form and a query hold texts and objects of their own, and no entity; a query holds no JSON either.
    pub(super) fn is_sendable(&mut self, param: &Param) {
        let id = &param.item.id;
        // A type that cannot be read counts as JSON, and is told where it is read.
        let is_json = |place: &NodePath<'_>| {
            let node = self.problems.sources().node(place.file, &place.keys());
            node.and_then(YamlNode::text).is_some_and(|text| text.starts_with("json"))
        };
        if *element(&param.r#type) == Type::Json
            && param.location == Location::Query
            && let Some(place) = self.place(id, "type").filter(is_json)
        {
            let message = format!("`{id}` stands in a query, which holds texts");
            let help = "write the type of the text, or another place under `in`";
            self.problems.value("wrong-type", &place, message, help);
        }
        let Type::Entity(id) = element(&param.r#type) else {
            return;
        };
        let named = self.index.entity(id).is_some_and(|entity| entity.role == EntityRole::Named);
        if named && param.location != Location::Unknown {
            let id = &param.item.id;
            let message = format!("`{id}` is an entity, which servers answer and nobody sends");
            let help = "name its id, as `id<Status>`, or list what is sent under `members`";
            self.value("wrong-type", id, "type", message, help);
        }
    }

    /// Reports a type of a field that is only sent, or only stands in requests for pages.
    pub(super) fn is_answerable(&mut self, entity: &Entity, field: &Field) {
        let ty = element(&field.r#type);
        let is_sent = matches!(entity.role, EntityRole::Argument(_));
        if matches!(ty, Type::File | Type::Cursor | Type::Empty) && !is_sent {
            let message =
                format!("`{}` is answered, and cannot be `{}`", field.item.id, type_text(ty));
            self.value("wrong-type", &field.item.id, "type", message, "write `string`, or `id`");
        }
    }

    /// The object around a field is a field itself, with a Since and a presence.
    pub(super) fn stands_in_a_field(&mut self, field: &Field) {
        let item = &field.item;
        if !item.implied || !self.is_full() {
            return;
        }
        let below = format!("{}.", item.id);
        let ids = self.merged.ids.iter().filter(|(id, _)| id.starts_with(&below));
        let Some(said) = ids.filter_map(|(_, said)| said.first()).min_by_key(|one| &one.place.path)
        else {
            return;
        };
        let name = said.place.path.last().map(AsRef::as_ref).unwrap_or_default();
        if matches!(said.kind, LayerKind::Supplement | LayerKind::Program) {
            let (message, place) = (
                format!("`{}` stands in `{}`, which is nowhere", name, item.id),
                said.place.clone(),
            );
            let help = format!(
                "add `{}` with the type `object` or `object[]`, or mend the name",
                item.name
            );
            self.problems.key("missing-parent", &place, message, help);
        }
    }

    /// No answer can hold an entity that always holds another of its own kind.
    pub(super) fn ends(&mut self, entity: &Entity) {
        for field in &entity.fields {
            let mut seen = vec![entity.item.id.as_str()];
            if field.inherited_from.is_none() && self.leads_back(field, &mut seen) {
                let id = &field.item.id;
                let message =
                    format!("`{id}` always holds another `{}`, without an end", entity.item.id);
                let help = "say where it is absent or null, or make it a list";
                self.value("endless-entity", id, "type", message, help);
            }
        }
    }

    /// Whether what a field always holds holds the first entity again.
    fn leads_back<'e>(&'e self, field: &'e Field, seen: &mut Vec<&'e str>) -> bool {
        let Type::Entity(id) = &field.r#type else {
            return false;
        };
        if !field.is_always_there() || field.absent_means.is_some() {
            return false;
        }
        if seen.first() == Some(&id.as_str()) {
            return true;
        }
        if seen.contains(&id.as_str()) {
            return false;
        }
        seen.push(id);
        let entity = self.index.entity(id);
        entity.is_some_and(|entity| entity.fields.iter().any(|field| self.leads_back(field, seen)))
    }
}

/// Whether a summary says nothing that the name, whole or its last key, does not say.
fn repeats_the_name(item: &Item, summary: &str) -> bool {
    let names = [&item.id, &item.name, &item.wire].into_iter();
    let names = names.flat_map(|name| [Some(name.as_str()), name.rsplit(['.', '[']).next()]);
    names.flatten().any(|name| words(name).eq(words(summary)))
}

/// The words of a text in lower case, without articles.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|character: char| !character.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| !["", "a", "an", "the"].contains(&word.as_str()))
}
