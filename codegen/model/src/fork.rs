//! Programs that are based on another: a release has what the release of the same version of the other has, and more or less.
//!
//! The JSON form says of a fork only what differs, so that it grows with facts.

use crate::api::{Api, Auths};
use crate::by_program::{ByProgram, Pair};

impl Api {
    /// Gives each fork what the other program has, wherever nothing is said of it.
    pub(crate) fn complete_forks(&mut self) {
        for pair in self.forks() {
            self.visit_all(|said| said.fill(pair));
        }
    }

    /// The API in which nothing is said of forks but where they differ; nothing where no program is a fork.
    #[must_use]
    pub fn without_repetition(&self) -> Option<Self> {
        let forks = self.forks();
        if forks.is_empty() {
            return None;
        }
        let mut api = self.clone();
        for pair in forks {
            api.visit_all(|said| said.empty(pair));
        }
        Some(api)
    }

    fn forks(&self) -> Vec<Pair> {
        let forks = self.programs.iter().enumerate();
        forks
            .filter_map(|(fork, program)| {
                let base = self.column(program.based_on.as_deref()?)?;
                Some(Pair { fork, base })
            })
            .collect()
    }

    /// Visits all that is said by program, with what operations ask of their callers.
    fn visit_all(&mut self, mut each: impl FnMut(&mut dyn ByProgram)) {
        self.visit(&mut each);
        let count = self.programs.len();
        for operation in &mut self.operations {
            if let Some(auths) = operation.auth.take() {
                let mut all: Vec<_> = (0..count).map(|one| auths.of(one).cloned()).collect();
                each(&mut all);
                all.resize(count, None);
                operation.auth = Auths::new(all);
            }
        }
    }
}
