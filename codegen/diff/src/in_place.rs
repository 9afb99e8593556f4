//! The rules for recorded changes in place: changes that servers made to an item after its Since.

use super::index::IndexedItem;
use super::rules::{Fact, RuleId};
use super::scopes::{self, Needed};
use fedispec_model::api::Change;

/// The rule for a change in place. The catalogue says in words what changed.
pub(super) fn rule(node: IndexedItem<'_>, change: &Change) -> RuleId {
    let (from, to) = (
        change.from.as_deref().unwrap_or_default(),
        change.to.as_deref().unwrap_or_default(),
    );
    let sent = matches!(node, IndexedItem::Param(..));
    let pick = |param, field| if sent { param } else { field };
    match change.what.as_str() {
        "scopes" | "scope" => scope(from, to),
        "token" | "auth" => token(from, to),
        "permissions" | "role" => RuleId::RoleChanged,
        "returns" => returns(from, to),
        "type" => match (is_one_of(from, to), is_one_of(to, from)) {
            (true, _) => pick(RuleId::ParamTypeWidened, RuleId::FieldTypeWidened),
            (_, true) => pick(RuleId::ParamTypeNarrowed, RuleId::FieldTypeNarrowed),
            _ => pick(RuleId::ParamTypeChanged, RuleId::FieldTypeChanged),
        },
        "format" => pick(RuleId::ParamFormatChanged, RuleId::FieldFormatChanged),
        "presence" | "when" => RuleId::FieldPresenceNoteChanged,
        "nullable" => match (sent, to) {
            (true, "true") => RuleId::ParamBecameNullable,
            (true, _) => RuleId::ParamBecameNotNullable,
            (false, "true") => RuleId::FieldBecameNullable,
            (false, _) => RuleId::FieldBecameNotNullable,
        },
        "optional" => {
            if to == "true" {
                RuleId::FieldBecameOptional
            } else {
                RuleId::FieldBecameRequired
            }
        }
        "required" => {
            if to == "true" || to == "always" {
                RuleId::ParamBecameRequired
            } else {
                RuleId::ParamBecameOptional
            }
        }
        "max" | "max_length" | "max_items" => limit(from, to, true),
        "min" => limit(from, to, false),
        "default" => RuleId::ParamDefaultChanged,
        "paging" => paging(from, to),
        "success" => RuleId::SuccessStatusChanged,
        "method" => RuleId::MethodChanged,
        "path" => RuleId::PathChanged,
        "in" => RuleId::ParamLocationChanged,
        "body" => RuleId::RequestEncodingChanged,
        what if what.starts_with("status") || what == "errors" => RuleId::ErrorStatusChanged,
        _ => RuleId::UnclassifiedChange,
    }
}

/// Whether a recorded change and a rule are about the same fact. What the catalogue says in words of its own may be
/// about anything.
pub(super) fn explains(change: &Change, rule: RuleId) -> bool {
    let facts: &[Fact] = match change.what.as_str() {
        "scopes" | "scope" => &[Fact::Scope],
        "token" | "auth" => &[Fact::Token],
        "permissions" | "role" => &[Fact::Role],
        "returns" => &[Fact::Returns],
        "type" => &[Fact::Type, Fact::Format],
        "format" => &[Fact::Format],
        "presence" | "when" | "nullable" | "optional" => &[Fact::Presence, Fact::Nullable],
        "required" => &[Fact::Required, Fact::Nullable, Fact::Combination],
        "max" | "max_length" | "max_items" | "min" => &[Fact::Limit],
        "default" => &[Fact::Default],
        "paging" => &[Fact::Paging],
        "success" => &[Fact::Success],
        "method" => &[Fact::Method],
        "path" => &[Fact::Path],
        "in" => &[Fact::Location],
        "body" => &[Fact::Body],
        what if what.starts_with("status") || what == "errors" => &[Fact::Errors],
        _ => return true,
    };
    facts.contains(&rule.fact())
}

/// Whether a type in words is one of those that another names: `string` of `string or string[]`.
fn is_one_of(one: &str, all: &str) -> bool {
    let mut types = all.split(" or ").map(str::trim);
    all.contains(" or ") && types.any(|candidate| candidate == one)
}

fn is_none(text: &str) -> bool {
    matches!(text, "" | "none" | "nothing" | "empty" | "0")
}

fn scope(from: &str, to: &str) -> RuleId {
    let split = |text: &str| -> Vec<String> {
        if is_none(text) {
            return Vec::new();
        }
        text.split([',', ' ', '|'])
            .filter(|word| !word.is_empty() && !matches!(*word, "or" | "and"))
            .map(str::to_owned)
            .collect()
    };
    let (old, new) = (split(from), split(to));
    let needed = |scopes, text: &str| Needed {
        scopes,
        all: text.contains(" and "),
    };
    scopes::judge(needed(&old, from), needed(&new, to)).unwrap_or(RuleId::ScopeChanged)
}

fn token(from: &str, to: &str) -> RuleId {
    let rank = |text: &str| match text {
        "user" => 2,
        "app" => 1,
        _ => 0,
    };
    let optional = |text: &str| text.starts_with("optional");
    match (rank(from), rank(to)) {
        (0, 0) if optional(to) && !optional(from) => RuleId::TokenKindLoosened,
        (0, 1 | 2) => RuleId::AuthAdded,
        (1 | 2, 0) => RuleId::AuthDropped,
        (old, new) if new > old => RuleId::TokenKindTightened,
        (old, new) if new < old => RuleId::TokenKindLoosened,
        _ => RuleId::TokenKindTightened,
    }
}

fn returns(from: &str, to: &str) -> RuleId {
    match (is_none(from), is_none(to)) {
        (true, false) => RuleId::ResponseBodyAdded,
        (false, true) => RuleId::ResponseBodyRemoved,
        _ if from.trim_end_matches("[]") == to.trim_end_matches("[]") => {
            RuleId::ResponseCardinalityChanged
        }
        _ => RuleId::ResponseEntityChanged,
    }
}

fn limit(from: &str, to: &str, above: bool) -> RuleId {
    let number = |text: &str| text.parse::<f64>().ok();
    let tightened = match (number(from), number(to)) {
        (Some(from), Some(to)) => (to < from) == above,
        (None, Some(_)) => true,
        _ => false,
    };
    if tightened {
        RuleId::ParamLimitTightened
    } else {
        RuleId::ParamLimitLoosened
    }
}

fn paging(from: &str, to: &str) -> RuleId {
    match (is_none(from), is_none(to)) {
        (true, false) => RuleId::PaginationAdded,
        (false, true) => RuleId::PaginationRemoved,
        _ => RuleId::PaginationCursorChanged,
    }
}
