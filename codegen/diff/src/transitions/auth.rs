//! The token, scopes and permissions that an operation needs, by program.

use super::super::asked::{permissions, scope, scope_rule, text, token_rule};
use super::super::change::Cause;
use super::super::pair::Pair;
use super::super::rules::RuleId;
use fedispec_model::api::{Auth, Operation, Since};

/// The requirements of a program on callers, before and after.
type Asked<'a> = (Option<&'a Auth>, Option<&'a Auth>);

pub(super) fn auth(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    if !pair.keys.claim("auth") {
        return;
    }
    let mut changes: Vec<(Vec<&str>, Asked<'_>)> = Vec::new();
    for (program, asked) in by_program(pair, old, new) {
        match changes.iter_mut().find(|(_, known)| *known == asked) {
            Some((programs, _)) => programs.push(program),
            None => changes.push((vec![program], asked)),
        }
    }
    // A change that all programs share is reported once.
    let is_common = changes.len() == 1;
    for (programs, asked) in changes {
        if asked.0 == asked.1 {
            continue;
        }
        if is_common {
            change(&mut Voice { pair, program: None }, asked);
            continue;
        }
        for program in programs {
            let program = Some(program);
            change(&mut Voice { pair, program }, asked);
        }
    }
}

/// Returns the requirements of each program that both states know and that had or has the operation.
fn by_program<'c, 'o>(
    pair: &Pair<'c, '_>,
    old: &'o Operation,
    new: &'o Operation,
) -> Vec<(&'c str, Asked<'o>)> {
    let of = |operation: &'o Operation, at: usize| operation.auth.as_ref()?.of(at);
    let has = |operation: &Operation, at: usize| {
        let life = operation.item.life.get(at);
        life.is_some_and(|life| life.effective != Since::Never)
    };
    let context = pair.context;
    let both = context.programs.iter().filter_map(|program| {
        let (before, after) = (program.old?, program.new?);
        let had_or_has = has(old, before) || has(new, after);
        had_or_has.then(|| (program.key, (of(old, before), of(new, after))))
    });
    both.collect()
}

/// Tells of the changes of one program, or of all.
struct Voice<'p, 'c, 'a, 'k> {
    pair: &'p mut Pair<'c, 'a>,
    program: Option<&'k str>,
}

impl Voice<'_, '_, '_, '_> {
    fn say(&mut self, rule: RuleId, old: String, new: String, message: String) {
        match self.program {
            Some(program) => {
                let cause = self.pair.cause(rule);
                self.pair.say_of_program((program, cause), rule, old, new, message);
            }
            None => self.pair.say(rule, old, new, message),
        }
    }

    fn known(&mut self, new: String) {
        let what = "who may call it";
        match self.program {
            Some(program) => {
                let message = format!("{what} is known: {new}");
                let rule = RuleId::FactBecameKnown;
                let unknown = format!("{what} unknown");
                self.pair.say_of_program((program, Cause::Coverage), rule, unknown, new, message);
            }
            None => self.pair.knowledge(what, None, Some(new)),
        }
    }

    fn unknown(&mut self, old: String) {
        let what = "who may call it";
        match self.program {
            Some(program) => {
                let message = format!("{what} is no longer known, was {old}");
                let rule = RuleId::FactBecameUnknown;
                let cause = self.pair.cause(rule);
                let unknown = format!("{what} unknown");
                self.pair.say_of_program((program, cause), rule, old, unknown, message);
            }
            None => self.pair.knowledge(what, Some(old), None),
        }
    }
}

fn change(voice: &mut Voice<'_, '_, '_, '_>, asked: Asked<'_>) {
    let (old, new) = match asked {
        (Some(old), Some(new)) => (old, new),
        (None, Some(new)) => return voice.known(text(new)),
        (Some(old), None) => return voice.unknown(text(old)),
        (None, None) => return,
    };
    if let Some(rule) = token_rule(old.token, new.token) {
        let message = format!("needs {}, was {}", text(new), text(old));
        voice.say(rule, text(old), text(new), message);
        if matches!(rule, RuleId::AuthAdded | RuleId::AuthDropped) {
            return;
        }
    }
    if (&old.scopes, old.all) != (&new.scopes, new.all) {
        let (before, after) = (scope(old), scope(new));
        let message = format!("needs the scope {after}, was {before}");
        match scope_rule(old, new) {
            Some(rule) => voice.say(rule, before, after, message),
            None => voice.pair.note(RuleId::DocsOnlyChanged, before, after, message),
        }
    }
    if old.permissions != new.permissions {
        let (before, after) = (permissions(old), permissions(new));
        let message = format!("needs the permission {after}, was {before}");
        voice.say(RuleId::RoleChanged, before, after, message);
    }
    if old.unauthenticated != new.unauthenticated {
        let (before, after) = (old.unauthenticated, new.unauthenticated);
        let message = format!("answers {after} without a token, was {before}");
        voice.say(RuleId::ErrorStatusChanged, before.to_string(), after.to_string(), message);
    }
}
