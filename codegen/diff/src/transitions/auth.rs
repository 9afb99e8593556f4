//! The token, scopes and permissions that an operation needs, by program.

use super::super::asked::{permissions, scope, scope_rule, text, token_rule};
use super::super::context::ProgramPair;
use super::super::pair::Pair;
use super::super::rules::RuleId;
use fedispec_model::api::{Auth, Operation, Program, Since};
use fedispec_since::TokenKind;

/// The requirements of a program on callers, before and after.
type AuthPair<'a> = (Option<&'a Auth>, Option<&'a Auth>);

pub(super) fn auth(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    if !pair.keys.claim("auth") {
        return;
    }
    let mut changes: Vec<(Vec<&str>, AuthPair<'_>)> = Vec::new();
    for (program, asked) in by_program(pair, old, new) {
        match changes.iter_mut().find(|(_, known)| *known == asked) {
            Some((programs, _)) => programs.push(program),
            None => changes.push((vec![program], asked)),
        }
    }
    // A change that all programs share of which something is known is reported once.
    changes.retain(|(_, asked)| *asked != (None, None));
    let is_apart = |key| {
        let program = pair.context.new.api.program(key);
        program.is_some_and(|one| one.stands_apart() || one.based_on.is_some())
    };
    // What one program alone has, in a folder of its own, is that one's.
    let is_common = match &changes[..] {
        [(programs, _)] => !matches!(programs[..], [one] if is_apart(one)),
        _ => false,
    };
    for (programs, asked) in changes {
        if asked.0 == asked.1 {
            continue;
        }
        let about = programs.into_iter().map(|program| Some(program.to_owned()));
        let about = if is_common { vec![None] } else { about.collect() };
        for program in about {
            pair.program = program;
            let from = pair.out.len();
            change(pair, asked);
            pair.stand_at(from, &["auth"]);
        }
        pair.program = None;
    }
}

/// Returns the requirements of each program that both states know and that has the operation.
fn by_program<'c, 'o>(
    pair: &Pair<'c, '_>,
    old: &'o Operation,
    new: &'o Operation,
) -> Vec<(&'c str, AuthPair<'o>)> {
    let of = |operation: &'o Operation, at: usize| operation.auth.as_ref()?.of(at);
    let context = pair.context;
    let asked = |program: &ProgramPair<'_>| Some((of(old, program.old?), of(new, program.new?)));
    let both = pair.both().filter_map(|(program, _, is)| {
        let life = new.item.life.get(is);
        let has = life.is_some_and(|life| life.effective != Since::Never);
        let (was, is) = asked(program).filter(|_| has)?;
        // Of a fork is said what differs from the other program.
        let of_base =
            context.base(program).filter(|_| was.is_some() || is.is_some()).and_then(asked);
        let (of_base_was, of_base_is) = of_base.unwrap_or_default();
        Some((program.key, (was.or(of_base_was), is.or(of_base_is))))
    });
    both.collect()
}

fn change(pair: &mut Pair<'_, '_>, asked: AuthPair<'_>) {
    let (Some(old), Some(new)) = asked else {
        return pair.knowledge("who may call it", asked.0.map(text), asked.1.map(text));
    };
    let in_program = pair.program.as_ref().map(|program| format!(" in {program}"));
    let needs = format!("needs{}", in_program.as_deref().unwrap_or_default());
    if let Some(rule) = token_rule(old.token, new.token) {
        let message = format!("{needs} {}, was {}", text(new), text(old));
        pair.say(rule, (text(old), text(new), message));
        let is_none = |auth: &Auth| auth.token == TokenKind::None;
        // Without a token no scope is asked for.
        if matches!(rule, RuleId::AuthAdded | RuleId::AuthDropped) || is_none(old) || is_none(new) {
            return;
        }
    }
    if (&old.scopes, old.all) != (&new.scopes, new.all) {
        let (before, after) = (scope(old), scope(new));
        let message = if before == after {
            format!("{needs} all scopes or one of them, and lists none")
        } else {
            format!("{needs} the scope {after}, was {before}")
        };
        // In a program of another family `follow` holds nothing but itself.
        let is_apart =
            |key: &String| pair.context.new.api.program(key).is_some_and(Program::stands_apart);
        let lists = |auth: &Auth| auth.scopes.iter().any(|scope| scope == "follow");
        let own = match [lists(old), lists(new)] {
            [true, false] => Some(RuleId::ScopeTightened),
            [false, true] => Some(RuleId::ScopeLoosened),
            _ => None,
        };
        let own = own.filter(|_| pair.program.as_ref().is_some_and(is_apart));
        match scope_rule(old, new).or(own) {
            Some(rule) => pair.say(rule, (before, after, message)),
            None => pair.note(RuleId::DocsOnlyChanged, (before, after, message)),
        }
    }
    if old.permissions != new.permissions {
        let (before, after) = (permissions(old), permissions(new));
        let wanted = if new.permissions.is_empty() {
            "no permission".into()
        } else {
            format!("the permission {after}")
        };
        let message = format!("{needs} {wanted}, was {before}");
        pair.say(RuleId::RoleChanged, (before, after, message));
    }
    if old.unauthenticated != new.unauthenticated {
        let (before, after) = (old.unauthenticated, new.unauthenticated);
        let message = format!(
            "answers{} {after} without a token, was {before}",
            in_program.unwrap_or_default()
        );
        pair.say(RuleId::ErrorStatusChanged, (before, after, message));
    }
}
