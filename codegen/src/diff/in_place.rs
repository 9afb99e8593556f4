//! Which rule judges a recorded change in place: what servers did to an item after it was there.

use super::index::Node;
use super::rules::RuleId;
use super::scopes::{self, Needed};
use fedispec_model::api::Change;

/// The rule for a change in place. The catalogue says in words what changed.
pub(super) fn rule(node: Node<'_>, change: &Change) -> RuleId {
    let (from, to) = (
        change.from.as_deref().unwrap_or_default(),
        change.to.as_deref().unwrap_or_default(),
    );
    let sent = matches!(node, Node::Param(..));
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

/// Whether a recorded change tells of the same fact as a rule. What the catalogue says in words of its own may tell of
/// anything.
pub(super) fn explains(change: &Change, rule: RuleId) -> bool {
    use RuleId as R;
    let id = rule.rule().id;
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| id.starts_with(prefix));
    match change.what.as_str() {
        "scopes" | "scope" => starts(&["scope-"]),
        "token" | "auth" => starts(&["auth-", "token-kind-"]),
        "permissions" | "role" => rule == R::RoleChanged,
        "returns" => starts(&["response-"]),
        "type" => {
            rule.is_of_type() || matches!(rule, R::ParamFormatChanged | R::FieldFormatChanged)
        }
        "format" => matches!(rule, R::ParamFormatChanged | R::FieldFormatChanged),
        "presence" | "when" | "nullable" | "optional" => {
            rule == R::FieldPresenceNoteChanged || starts(&["field-became-", "param-became-n"])
        }
        "required" => starts(&["param-became-", "param-combination-"]),
        "max" | "max_length" | "max_items" | "min" => starts(&["param-limit-"]),
        "default" => rule == R::ParamDefaultChanged,
        "paging" => starts(&["pagination-"]),
        "success" => rule == R::SuccessStatusChanged,
        "method" => rule == R::MethodChanged,
        "path" => rule == R::PathChanged,
        "in" => rule == R::ParamLocationChanged,
        "body" => rule == R::RequestEncodingChanged,
        what if what.starts_with("status") || what == "errors" => starts(&["error-"]),
        _ => true,
    }
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
