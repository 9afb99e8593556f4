//! The rules for recorded changes in place: changes that servers made to an item after its Since.

use super::asked::token_rule;
use super::index::IndexedItem;
use super::rules::{Fact, RuleId};
use super::scopes::{self, Needed};
use fedispec_model::change::{Change, ChangedFact};
use fedispec_since::TokenKind;
use serde_json::Value;

/// The rule for a change in place.
pub(super) fn rule(node: IndexedItem<'_>, change: &Change) -> RuleId {
    use ChangedFact as F;
    let [from, to] = states(change);
    let is_param = matches!(node, IndexedItem::Param(..));
    let pick = |param, field| if is_param { param } else { field };
    match change.what {
        F::Scopes => scope(change, [change.all; 2]),
        F::Token => token(from, to),
        F::Permissions => RuleId::RoleChanged,
        F::Returns => returns(from, to),
        F::Type if [from, to].iter().all(|text| ["date", "datetime"].contains(text)) => {
            pick(RuleId::ParamFormatChanged, RuleId::FieldFormatChanged)
        }
        F::Type => match relation(change) {
            [_, true] => pick(RuleId::ParamTypeWidened, RuleId::FieldTypeWidened),
            [true, _] => pick(RuleId::ParamTypeNarrowed, RuleId::FieldTypeNarrowed),
            _ => pick(RuleId::ParamTypeChanged, RuleId::FieldTypeChanged),
        },
        F::Format => pick(RuleId::ParamFormatChanged, RuleId::FieldFormatChanged),
        F::Presence => presence(from, to),
        F::Nullable => match (is_param, change.to == Some(Value::Bool(true))) {
            (true, true) => RuleId::ParamBecameNullable,
            (true, false) => RuleId::ParamBecameNotNullable,
            (false, true) => RuleId::FieldBecameNullable,
            (false, false) => RuleId::FieldBecameNotNullable,
        },
        F::Required if to == "always" => RuleId::ParamBecameRequired,
        F::Required if from == "always" => RuleId::ParamBecameOptional,
        F::Required if to == "sometimes" => RuleId::ParamCombinationTightened,
        F::Required => RuleId::ParamCombinationLoosened,
        F::Min | F::MinItems | F::Max | F::MaxLength | F::MaxItems => {
            limit(change.what, change.from.as_ref(), change.to.as_ref())
        }
        F::Default => RuleId::ParamDefaultChanged,
        F::Unset => RuleId::UnsetChanged,
        F::LeftOut => RuleId::LeftOutChanged,
        F::MediaType => RuleId::MediaTypeChanged,
        F::Paging => paging(from, to),
        F::Success => RuleId::SuccessStatusChanged,
        F::Method => RuleId::MethodChanged,
        F::Path => RuleId::PathChanged,
        F::In => RuleId::ParamLocationChanged,
        F::Body => RuleId::RequestEncodingChanged,
        F::Unauthenticated => RuleId::ErrorStatusChanged,
        F::Only => only(change),
        F::Meaning => RuleId::UnclassifiedChange,
    }
}

/// Whether a recorded change and a rule are about the same fact. What the catalogue says in words of its own may be
/// about anything.
pub(super) fn explains(change: &Change, rule: RuleId) -> bool {
    use ChangedFact as F;
    let facts: &[Fact] = match change.what {
        F::Scopes => &[Fact::Scope],
        F::Token => &[Fact::Token],
        F::Permissions => &[Fact::Role],
        F::Returns => &[Fact::Returns],
        F::Type => &[Fact::Type, Fact::Format],
        F::Format => &[Fact::Format],
        F::Presence => &[Fact::Presence, Fact::Nullable],
        F::Nullable => &[Fact::Nullable],
        F::Required => &[Fact::Required, Fact::Nullable, Fact::Combination],
        F::Max | F::MaxLength | F::MaxItems | F::Min | F::MinItems | F::Only => &[Fact::Limit],
        F::Default => &[Fact::Default],
        F::Unset => &[Fact::Unset],
        F::LeftOut => &[Fact::LeftOut],
        F::MediaType => &[Fact::MediaType],
        F::Paging => &[Fact::Paging],
        F::Success => &[Fact::Success],
        F::Method => &[Fact::Method],
        F::Path => &[Fact::Path],
        F::In => &[Fact::Location],
        F::Body => &[Fact::Body],
        F::Unauthenticated => &[Fact::Errors],
        F::Meaning => return true,
    };
    facts.contains(&rule.fact())
}

/// Whether a type became some of the alternatives that it was, and whether it was some of those that it became.
pub(super) fn relation(change: &Change) -> [bool; 2] {
    let [from, to] = states(change);
    [is_one_of(to, from), is_one_of(from, to)]
}

fn states(change: &Change) -> [&str; 2] {
    [&change.from, &change.to].map(|value| {
        let text = value.as_ref().and_then(Value::as_str);
        text.unwrap_or_default()
    })
}

/// Whether a type is one of the alternatives of another, or some of them: `string` of `string|string[]`.
fn is_one_of(one: &str, all: &str) -> bool {
    let is_listed = |one| all.split('|').any(|candidate| candidate == one);
    one != all && all.contains('|') && one.split('|').all(is_listed)
}

fn is_none(text: &str) -> bool {
    matches!(text, "" | "none" | "empty")
}

/// The texts of a list.
fn texts(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The rule for scopes of which one is enough, or of which all are needed before or after.
pub(super) fn scope(change: &Change, all: [bool; 2]) -> RuleId {
    let (old, new) = (texts(change.from.as_ref()), texts(change.to.as_ref()));
    let [before, after] =
        [(&old, all[0]), (&new, all[1])].map(|(scopes, all)| Needed { scopes, all });
    // `read` says the same as `read` or `read:accounts`.
    scopes::judge(before, after).unwrap_or(RuleId::DocsOnlyChanged)
}

fn only(change: &Change) -> RuleId {
    let (old, new) = (texts(change.from.as_ref()), texts(change.to.as_ref()));
    // Without a list every value is taken.
    let keeps_all =
        new.is_empty() || !old.is_empty() && old.iter().all(|value| new.contains(value));
    if keeps_all { RuleId::ParamLimitLoosened } else { RuleId::ParamLimitTightened }
}

fn presence(from: &str, to: &str) -> RuleId {
    let says = |text: &str, word| text.split(' ').any(|one| one == word);
    let moved = |word| (says(from, word), says(to, word));
    match (moved("optional"), moved("nullable")) {
        ((false, true), _) => RuleId::FieldBecameOptional,
        (_, (false, true)) => RuleId::FieldBecameNullable,
        ((true, false), _) => RuleId::FieldBecameRequired,
        (_, (true, false)) => RuleId::FieldBecameNotNullable,
        _ => RuleId::FieldPresenceNoteChanged,
    }
}

fn token(from: &str, to: &str) -> RuleId {
    let (Some(old), Some(new)) = (TokenKind::named(from), TokenKind::named(to)) else {
        return RuleId::UnclassifiedChange;
    };
    token_rule(old, new).unwrap_or(RuleId::DocsOnlyChanged)
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

/// A bound from above tightens where it gets less, one from below where it gets more.
pub(super) fn limit(what: ChangedFact, from: Option<&Value>, to: Option<&Value>) -> RuleId {
    let is_above = !matches!(what, ChangedFact::Min | ChangedFact::MinItems);
    let tightened = match (from.and_then(Value::as_f64), to.and_then(Value::as_f64)) {
        (Some(from), Some(to)) => (to < from) == is_above,
        (from, to) => from.is_none() && to.is_some(),
    };
    if tightened { RuleId::ParamLimitTightened } else { RuleId::ParamLimitLoosened }
}

fn paging(from: &str, to: &str) -> RuleId {
    match (is_none(from), is_none(to)) {
        (true, false) => RuleId::PaginationAdded,
        (false, true) => RuleId::PaginationRemoved,
        _ => RuleId::PaginationCursorChanged,
    }
}

#[cfg(test)]
mod tests {
    use fedispec_since::StableVersion;
    use serde_json::json;

    use super::*;

    const SCOPES: [&str; 6] =
        ["read", "read:accounts", "read:follows", "write", "follow", "profile"];

    /// Lists of up to two scopes.
    fn lists() -> Vec<Vec<&'static str>> {
        let pairs = SCOPES.iter().flat_map(|one| SCOPES.map(|two| vec![*one, two]));
        let mut lists: Vec<_> = pairs.collect();
        lists.push(Vec::new());
        lists
    }

    /// Whether a token with one scope will do where one of a list is asked for.
    fn does(token: &str, asked: &[&str]) -> bool {
        let holds = |one: &str| match token {
            "read" => one.starts_with("read"),
            "follow" => matches!(one, "follow" | "read:follows"),
            _ => one == token,
        };
        asked.is_empty() || asked.iter().any(|one| holds(one))
    }

    #[test]
    fn scopes_between_releases_are_judged_by_the_tokens_that_will_do() {
        for old in lists() {
            for new in lists() {
                let change = Change {
                    r#in: StableVersion(4, 0, 0),
                    absent: Vec::new(),
                    what: ChangedFact::Scopes,
                    from: Some(json!(old)),
                    to: Some(json!(new)),
                    all: false,
                };
                let mut tokens = SCOPES.to_vec();
                tokens.push("anything");
                let lost = tokens.iter().any(|token| does(token, &old) && !does(token, &new));
                let won = tokens.iter().any(|token| !does(token, &old) && does(token, &new));
                let expected = match (lost, won) {
                    (false, false) => RuleId::DocsOnlyChanged,
                    (false, true) => RuleId::ScopeLoosened,
                    (true, false) => RuleId::ScopeTightened,
                    (true, true) => RuleId::ScopeChanged,
                };
                assert_eq!(scope(&change, [false; 2]), expected, "{old:?} to {new:?}");
            }
        }
    }
}
