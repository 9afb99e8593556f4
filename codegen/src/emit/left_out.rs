//! What leaving a parameter out does, in the item table.

use super::spelled::spelled;
use fedispec_model::api::{LeftOut, Param, Program, Since};
use fedispec_since::{Class, Effect, Life, Refused, SafeValues, Unset};

/// The lines below a parameter's row: `changes_meaning the status is posted at once`, `unset keep`.
pub(super) fn lines(param: &Param, programs: &[Program]) -> Vec<String> {
    let mut lines: Vec<String> = param.left_out.iter().map(effect).collect();
    lines.extend(param.unset.map(|unset| {
        let unset = match unset {
            Unset::Keep => "keep",
            Unset::Reset => "reset",
        };
        format!("unset {unset}")
    }));
    // Programs whose versions are inferred matter where something is said.
    if !lines.is_empty() || !param.refused.is_empty() {
        let safe = param.left_out.iter().flat_map(|left_out| &left_out.safe);
        let safe = programs.iter().zip(safe);
        lines.extend(safe.flat_map(|(program, values)| safe_values(program, values)));
        let refused = programs.iter().zip(&param.refused);
        lines.extend(refused.filter_map(|(program, one)| Some(refusal(program, one.as_ref()?))));
        let inferred = inferred(param, programs);
        lines.extend(inferred.map(|program| format!("inferred {}", program.key)));
    }
    lines
}

fn effect(left_out: &LeftOut) -> String {
    let so = spelled(left_out.so.as_deref().unwrap_or_default());
    match left_out.effect {
        Effect::Harmless => "harmless".to_owned(),
        Effect::ChangesMeaning => format!("changes_meaning {so}"),
        Effect::Fails => format!("fails {so}"),
    }
}

fn safe_values(program: &Program, values: &SafeValues) -> Vec<String> {
    let key = &program.key;
    match values {
        SafeValues::Any => vec![format!("any {key}")],
        SafeValues::Only(values) => {
            let values = values.iter();
            values.map(|value| format!("safe {key} {}", spelled(value))).collect()
        }
    }
}

/// `refused gotosocial 501 0.1.0 removed 0.18.0`
fn refusal(program: &Program, refused: &Refused) -> String {
    let life = Life::lived(Since::Since(refused.since), refused.until, []);
    format!("refused {} {} {life}", program.key, refused.status)
}

/// The programs whose versions are documented or inferred and not seen.
fn inferred<'a>(param: &Param, programs: &'a [Program]) -> impl Iterator<Item = &'a Program> {
    let lives = programs.iter().zip(&param.item.life);
    lives.filter_map(|(program, life)| {
        let class = life.evidence.as_ref()?.class;
        matches!(class, Class::C | Class::D).then_some(program)
    })
}
