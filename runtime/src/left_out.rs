//! What leaving a parameter out does, as data.

use crate::{Effect, Life, Unset};

/// The consequence of leaving a parameter out, compared with a server that supports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The severity; `None` where the catalogue does not say.
    pub effect: Option<Effect>,
    /// What happens instead, as a clause: `the status is posted at once`. Empty where nothing is lost.
    pub so: &'static str,
    /// The values that mean the same as none, one list per program in the order of the table. Empty where no value does.
    pub safe: &'static [SafeValues],
    /// The effect of an update that does not set it.
    pub unset: Option<Unset>,
    /// Releases that know it and answer an error where it is sent, one per program in the order of the table: the status, and the life of
    /// the refusal. Empty where none does.
    pub refused: &'static [(u16, Life)],
    /// The programs, by their place in the table, whose versions nobody has read from a source or a recording.
    pub inferred: &'static [usize],
}

/// Values of a parameter that mean the same as none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SafeValues {
    /// Every value.
    Any,
    /// These, as they go over the wire.
    Only(&'static [&'static str]),
}

impl LeftOut {
    /// The catalogue does not say what leaving it out does.
    pub const UNCLASSED: Self =
        Self { effect: None, so: "", safe: &[], unset: None, refused: &[], inferred: &[] };

    /// The listed values that mean the same as none to a program, by its place in the table.
    pub(crate) fn safe_values(&self, program: usize) -> &'static [&'static str] {
        match self.safe.get(program) {
            Some(SafeValues::Only(values)) => values,
            _ => &[],
        }
    }

    /// Whether a value means the same as none to a program, by its place in the table.
    pub(crate) fn is_safe(&self, program: usize, value: &str) -> bool {
        match self.safe.get(program) {
            Some(SafeValues::Any) => true,
            Some(SafeValues::Only(values)) => values.contains(&value),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_safe_per_program() {
        let left_out = LeftOut {
            effect: Some(Effect::ChangesMeaning),
            safe: &[SafeValues::Only(&["silence"]), SafeValues::Any],
            ..LeftOut::UNCLASSED
        };
        assert!(left_out.is_safe(0, "silence") && !left_out.is_safe(0, "noop"));
        assert!(left_out.is_safe(1, "noop"));
        assert!(!left_out.is_safe(2, "silence"));
        let harmless = LeftOut { effect: Some(Effect::Harmless), ..LeftOut::UNCLASSED };
        assert!(!harmless.is_safe(0, ""));
    }
}
