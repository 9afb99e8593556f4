//! Whether what was measured bears a change out: a rule claims at most that code breaks, and the generated items decide.

use std::collections::BTreeMap;

use crate::diff::report::Entry;
use crate::diff::surface::{Measured, is_at_or_below};
use crate::diff::written::renamed;
use fedispec_diff::change::{Cause, Change, ItemRef, made_by, operation_of};
use fedispec_diff::rules::{Audience, Bump, RuleId};
use fedispec_model::names::{NameRole, rust_name};

impl Measured {
    /// The change as the generated items bear it out.
    pub(super) fn decided(&self, change: Change) -> Change {
        if self.bears_out(&change) {
            return change;
        }
        let paths = &change.seen_at;
        let is_there = paths.is_empty() || paths.iter().any(|at| self.known.contains(at));
        let grows = || self.came.keys().any(|path| self.explains(&change, path));
        // What stands in neither crate, as of a program without a floor, asks for no new symbol.
        let most = if is_there || grows() { change.bump } else { change.bump.min(Bump::Patch) };
        let change = Change { bump: most, ..change };
        if !change.breaks.contains(&Audience::Source) {
            return change;
        }
        let is_seen = |path: &String| change.seen_at.iter().any(|at| is_at_or_below(path, at));
        let least = if self.came.keys().any(is_seen) { Bump::Minor } else { Bump::None };
        let bump = change.bump.min(least);
        let left = change.without_code();
        Change { bump: left.bump.max(bump), ..left }
    }

    /// Whether something that code relies on is gone, different or demanded where the change is seen.
    fn bears_out(&self, change: &Change) -> bool {
        // A program or an order is seen everywhere.
        let is_everywhere = change.seen_at.is_empty();
        self.breaking().any(|path| is_everywhere || self.explains(change, path))
    }

    /// Whether a change tells why a public item is gone, new or different.
    fn explains(&self, change: &Change, path: &str) -> bool {
        let paths = &change.seen_at;
        if paths.iter().any(|at| is_at_or_below(path, at)) {
            return true;
        }
        let owners = || paths.iter().filter_map(|at| at.rsplit_once("::"));
        // The arguments of a constructor also decide whether there is a `Default`, and the fields whether another entity is made of it.
        let makes = |(owner, name): (&str, &str)| {
            let made = path.strip_prefix(owner);
            made.is_some_and(|rest| rest == ": Default" || rest.starts_with(": Into<"))
                || self.is_taken_otherwise(path, owner, name)
        };
        if owners().any(makes) || is_kept_by(path, change) {
            return true;
        }
        // A type is named wherever it is used.
        let names = [&change.item.rust_was, &change.item.rust].map(Option::as_deref);
        if let [Some(was), Some(is)] = names
            && matches!(change.rule, RuleId::ItemRenamed | RuleId::ItemRenamedGuess)
            && match self.signatures(path) {
                (Some(before), Some(after)) => renamed(before, [was, is]) == after,
                (Some(_), None) => self.came.contains_key(&renamed(path, [was, is])),
                (None, _) => self.gone.contains_key(&renamed(path, [is, was])),
            }
        {
            return true;
        }
        // A field that makes its entity hold itself has another field of the circle boxed.
        if change.item.kind == "field" && self.is_boxed_otherwise(path) {
            return true;
        }
        // The values of a map are no member of a struct: they show in the type of a member.
        change.item.kind != "param"
            && !paths.iter().any(|at| self.known.contains(at))
            && owners().any(|(owner, _)| is_at_or_below(path, owner))
    }

    /// The public items that differ although no change tells why.
    pub(super) fn left_over(&self, changes: &[Entry]) -> Vec<Change> {
        let changes = || changes.iter().map(|entry| &entry.change);
        let breaks = |change: &&Change| {
            change.bump == Bump::Major && change.breaks.contains(&Audience::Source)
        };
        let breaking: Vec<_> = changes().filter(breaks).collect();
        let growing: Vec<_> = changes().filter(|change| change.bump >= Bump::Minor).collect();
        let is_claimed =
            |by: &[&Change], path: &str| by.iter().any(|change| self.explains(change, path));
        // The module of an item comes and goes with it.
        let holds = |by: &[&Change], path: &str| {
            by.iter().flat_map(|change| &change.seen_at).any(|at| is_at_or_below(at, path))
        };
        let goes_along = |path: &str| self.gone.contains_key(path) && holds(&breaking, path);
        let broken = self.breaking();
        let broken = broken.filter(|path| !is_claimed(&breaking, path) && !goes_along(path));
        let came = self.came.keys().map(String::as_str);
        let came = came.filter(|path| !is_claimed(&growing, path) && !holds(&growing, path));
        let broken = broken.map(|path| (RuleId::RustChanged, path));
        let came = came.map(|path| (RuleId::RustNew, path));
        let mut ways: BTreeMap<&str, (&Change, Vec<&str>)> = BTreeMap::new();
        let mut left = Vec::new();
        for (rule, path) in broken.chain(came) {
            let function = self.function(path).and_then(|_| path.rsplit_once("::"));
            let because = function.and_then(|of| changes().find(|one| is_beside(of, one)));
            match function.zip(because) {
                Some(((owner, _), change)) => {
                    ways.entry(owner).or_insert((change, Vec::new())).1.push(path);
                }
                None => left.push((rule, path)),
            }
        }
        // A type goes with the function that hands it out, and a struct of arguments with the one that takes it.
        let functions = ways.values().flat_map(|(_, paths)| paths);
        let signatures = functions.flat_map(|path| <[_; 2]>::from(self.signatures(path)));
        let handed_out: Vec<_> = { signatures.flatten() }
            .flat_map(|signature| {
                let taken = signature.strip_prefix("fn(arguments: ");
                let taken = taken.and_then(|taken| taken.split_once(')'));
                [signature.rsplit_once("-> ").map(|made| made.1), taken.map(|taken| taken.0)]
            })
            .flatten()
            .map(str::to_owned)
            .collect();
        left.retain(|(_, path)| {
            let name = path.split("::").nth(1).and_then(|name| name.split(':').next());
            !handed_out.iter().any(|one| Some(one.as_str()) == name)
        });
        let left = left.into_iter().map(|(rule, path)| self.unexplained(rule, path));
        let ways = ways.into_iter();
        let ways =
            ways.map(|(owner, (change, paths))| self.written_otherwise(owner, change, &paths));
        left.chain(ways).collect()
    }

    /// The signature of a function, as it was or else as it is.
    fn function(&self, path: &str) -> Option<&str> {
        let (was, is) = self.signatures(path);
        was.or(is).filter(|one| one.starts_with("fn("))
    }

    /// A finding of functions beside an item that are gone or others since something of it is: what makes a request, or what is written by
    /// hand for an entity.
    fn written_otherwise(&self, owner: &str, part: &Change, paths: &[&str]) -> Change {
        let (mut was, mut is) = (Vec::new(), Vec::new());
        for path in paths {
            let name = path.rsplit("::").next().unwrap_or(path);
            let (before, after) = self.signatures(path);
            was.extend(before.map(|one| one.replacen("fn", name, 1)));
            is.extend(after.map(|one| one.replacen("fn", name, 1)));
        }
        let [was, is] = [was, is]
            .map(|makers| if makers.is_empty() { "nothing".to_owned() } else { makers.join(", ") });
        let breaks = self.breaking().any(|path| paths.contains(&path));
        let rule = if breaks { RuleId::RustChanged } else { RuleId::RustNew };
        let (kind, id, rule) = match (owner.strip_prefix("entities::"), &*part.item.kind) {
            (Some(entity), _) => ("entity", entity, rule),
            (None, "param" | "operation") if !owner.starts_with(SERVER) => {
                ("operation", operation_of(&part.item.id), RuleId::ConstructorChanged)
            }
            (None, kind) => (kind, part.item.id.as_str(), rule),
        };
        let of_server = if owner.starts_with(SERVER) { "`Server` " } else { "" };
        let message = match rule {
            RuleId::ConstructorChanged => made_by(&was, &is),
            _ if breaks => format!("{of_server}no longer has {was}"),
            _ => format!("{of_server}has {is}"),
        };
        let message = match part.item.id.as_str() {
            other if other != id => format!("{message}, because of {other}"),
            _ => message,
        };
        let item = ItemRef {
            kind: kind.to_owned(),
            rust: paths.first().map(|path| (*path).to_owned()),
            rust_was: None,
            id: id.to_owned(),
            ..part.item.clone()
        };
        let change = Change {
            old: Some(was),
            new: Some(is),
            seen_at: paths.iter().map(|path| (*path).to_owned()).collect(),
            base_at: part.base_at.clone(),
            head_at: part.head_at.clone(),
            ..Change::new(rule, part.cause, message, item)
        };
        if breaks { change } else { change.only_adds() }
    }

    /// A finding of what no other one explains.
    fn unexplained(&self, rule: RuleId, path: &str) -> Change {
        let (was, is) = self.signatures(path);
        let text = |signature: Option<&str>| {
            signature.map_or_else(|| "nothing".to_owned(), |text| format!("`{text}`"))
        };
        let message = format!("is {}, was {}, and no other finding says why", text(is), text(was));
        let item = ItemRef {
            id: path.to_owned(),
            kind: "rust".to_owned(),
            rust: Some(path.to_owned()),
            ..ItemRef::default()
        };
        Change {
            old: was.map(str::to_owned),
            new: is.map(str::to_owned),
            seen_at: vec![path.to_owned()],
            ..Change::new(rule, Cause::Correction, message, item)
        }
    }

    /// The paths that code relies on and that are gone, different or demanded.
    fn breaking(&self) -> impl Iterator<Item = &str> {
        let paths = self.gone.keys().chain(self.changed.keys());
        paths.chain(self.demanded.keys()).map(String::as_str)
    }

    /// Whether a path is that of a constructor which takes the argument of that name otherwise than before, or no longer.
    fn is_taken_otherwise(&self, path: &str, owner: &str, name: &str) -> bool {
        let of_owner = path.rsplit_once("::").is_some_and(|(at, _)| at == owner);
        let (was, is) = self.signatures(path);
        let taken = |signature: Option<&str>| {
            signature.and_then(|signature| argument(signature, name)).map(str::to_owned)
        };
        of_owner && taken(was) != taken(is)
    }

    /// Whether a public item differs in what is boxed alone.
    fn is_boxed_otherwise(&self, path: &str) -> bool {
        let (was, is) = self.signatures(path);
        let unboxed = |signature: &str| signature.replace("Box<", "").replace('>', "");
        was != is && was.map(unboxed) == is.map(unboxed)
    }
}

/// Whether a path is that of `keeping` of an update, which takes all that it sends from what was read: any part of an answer, however
/// deep, may hold it.
fn is_kept_by(path: &str, change: &Change) -> bool {
    path.ends_with("::keeping")
        && matches!(change.item.kind.as_str(), "field" | "entity" | "enum" | "value")
}

/// The builder of servers, which has functions that are written by hand.
const SERVER: &str = "server::Server";

/// Whether a function of a struct goes by something that changed: a part or the ways of calling of its operation, what is in its entity or in
/// the one that it is made of, or what signing in takes and answers.
fn is_beside((owner, function): (&str, &str), change: &Change) -> bool {
    let mut seen_at = change.seen_at.iter();
    if owner.starts_with(SERVER) {
        let is_of_oauth =
            |operation: &String| operation.starts_with("oauth.") || operation.starts_with("apps.");
        return function == "oauth_with" && change.reach.iter().any(is_of_oauth);
    }
    match change.item.kind.as_str() {
        "param" => seen_at.any(|at| at.rsplit_once("::").is_some_and(|(of, _)| of == owner)),
        "operation" => change.rule == RuleId::ConstructorChanged && seen_at.any(|at| at == owner),
        "field" => {
            let made_of = rust_name(entity_of(change), NameRole::Param);
            let is_made_of = made_of.is_some_and(|name| function == format!("from_{name}"));
            is_made_of || owner.strip_prefix("entities::") == Some(entity_of(change))
        }
        _ => false,
    }
}

/// The id of the entity that a field is in, however deep.
fn entity_of(field: &Change) -> &str {
    field.item.id.split('.').next().unwrap_or_default()
}

/// The type of the argument of that name in a signature.
fn argument<'s>(signature: &'s str, name: &str) -> Option<&'s str> {
    let inside = signature.strip_prefix("fn(")?;
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, letter) in inside.char_indices() {
        match letter {
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' if depth > 0 => depth -= 1,
            ',' | ')' if depth == 0 => {
                let named = inside[start..at].trim().split_once(": ");
                if let Some((_, ty)) = named.filter(|(known, _)| *known == name) {
                    return Some(ty);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::argument;

    #[test]
    fn arguments_of_a_signature() {
        let signature =
            "fn(a: i64, b: impl IntoIterator<Item = (A, B)>, c: Vec<u8>) -> Result<D, E>";
        for (name, expected) in [
            ("a", Some("i64")),
            ("b", Some("impl IntoIterator<Item = (A, B)>")),
            ("c", Some("Vec<u8>")),
            ("D", None),
            ("Item", None),
        ] {
            assert_eq!(argument(signature, name), expected, "{name}");
        }
        assert_eq!(argument("i64", "a"), None);
    }
}
