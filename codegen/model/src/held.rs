//! Facts that programs differ in: what an item says in a program and a release.

use fedispec_since::{Location, Paging, Required, StableVersion};
use serde_json::{Value, json};

use crate::api::{Item, Operation, Param, State, number};
use crate::change::{Change, ChangedFact, state_at};
use crate::notation::type_text;

impl Item {
    /// The state of a fact in a program, by its place, in a release or else in its newest one; nothing where that is what the item says of
    /// all programs.
    pub fn held(
        &self,
        program: usize,
        what: ChangedFact,
        release: Option<StableVersion>,
    ) -> Option<State> {
        let life = self.life.get(program)?;
        let changes = &life.changed;
        if let Some(release) = release
            && changes.iter().any(|change| change.what == what)
        {
            return Some(state_at(changes, what, release).cloned().into());
        }
        match life.facts.get(&what) {
            Some(held) => Some(held.state.clone()),
            // Where a parameter stands is of the request, which all programs share.
            None => (life.apart && what != ChangedFact::In).then_some(State::Unknown),
        }
    }
}

impl Item {
    /// The states of a fact in a program, each with the release since which it holds, from the oldest to that of the newest release, which is
    /// given.
    pub fn states(
        &self,
        program: usize,
        what: ChangedFact,
        newest: State,
    ) -> Vec<(Option<StableVersion>, State)> {
        let changes = self.life.get(program).map_or(&[][..], |life| &life.changed);
        let steps = changes.iter().filter(|change| change.what == what).flat_map(Change::steps);
        let mut releases: Vec<_> = steps.map(|step| step.r#in).collect();
        releases.sort_unstable();
        releases.dedup();
        let at = |release| state_at(changes, what, release).cloned().into();
        let Some(last) = releases.pop() else {
            return vec![(None, newest)];
        };
        let first = (None, at(StableVersion::FIRST));
        let between = releases.into_iter().map(|release| (Some(release), at(release)));
        std::iter::once(first).chain(between).chain([(Some(last), newest)]).collect()
    }
}

impl ChangedFact {
    /// The facts that are stated as a value for all programs or one for each, and proven under `facts` and a program.
    pub const BY_PROGRAM: [Self; 13] = [
        Self::Required,
        Self::Default,
        Self::Min,
        Self::Max,
        Self::MaxLength,
        Self::MinItems,
        Self::MaxItems,
        Self::Unset,
        Self::LeftOut,
        Self::Returns,
        Self::MediaType,
        Self::Success,
        Self::Paging,
    ];

    /// Whether it bounds the values of a parameter.
    pub fn is_limit(self) -> bool {
        matches!(self, Self::Min | Self::Max | Self::MaxLength | Self::MinItems | Self::MaxItems)
    }

    /// Whether a key of the catalogue is one of them.
    pub fn is_by_program(key: &str) -> bool {
        Self::BY_PROGRAM.iter().any(|fact| fact.name() == key)
    }
}

impl Param {
    /// The parameter as a release of a program has it, or else the newest release.
    #[must_use]
    pub fn at(&self, program: usize, release: Option<StableVersion>) -> Self {
        let mut param = self.clone();
        let others = [ChangedFact::In, ChangedFact::Nullable];
        for what in ChangedFact::BY_PROGRAM.into_iter().chain(others) {
            if let Some(state) = self.item.held(program, what, release) {
                param.set(what, state);
            }
        }
        param
    }

    /// Whether the newest release of some program demands it.
    pub fn is_demanded(&self) -> bool {
        let always = json!(Required::Always);
        let own = self.item.life.iter().filter_map(|life| life.facts.get(&ChangedFact::Required));
        let mut own = own.map(|held| &held.state);
        self.required == Required::Always || own.any(|state| *state == State::Is(always.clone()))
    }

    /// The state of a fact in a program's newest release.
    pub fn state(&self, program: usize, what: ChangedFact) -> State {
        let own = self.item.held(program, what, None);
        own.or_else(|| self.fact(what)).unwrap_or(State::Unknown)
    }

    /// The state of a fact over all programs; `None` where this is no fact of a parameter or cannot be compared.
    pub fn fact(&self, what: ChangedFact) -> Option<State> {
        use ChangedFact as F;
        let optional = |value: Value| (!value.is_null()).then_some(value);
        let value = match what {
            F::Required if self.required == Required::Unknown => return Some(State::Unknown),
            F::Unset if self.unset.is_none() => return Some(State::Unknown),
            F::LeftOut if self.left_out.is_none() => return Some(State::Unknown),
            F::In if self.location == Location::Unknown => return Some(State::Unknown),
            F::In => Some(json!(self.location)),
            F::Required => Some(json!(self.required)),
            F::Nullable => Some(json!(self.nullable)),
            F::Format => optional(json!(self.format)),
            F::Default => self.default.clone(),
            F::Min => self.limits.min.map(number),
            F::Max => self.limits.max.map(number),
            F::MaxLength => optional(json!(self.limits.max_length)),
            F::MinItems => optional(json!(self.limits.min_items)),
            F::MaxItems => optional(json!(self.limits.max_items)),
            F::Unset => optional(json!(self.unset)),
            F::LeftOut => optional(json!(self.left_out)),
            F::Only => (!self.only.is_empty()).then(|| json!(self.only)),
            _ => return None,
        };
        Some(value.into())
    }

    /// Puts a state in place of what holds of a fact. A value of another type counts as none.
    pub fn set(&mut self, what: ChangedFact, state: State) {
        use ChangedFact as F;
        match what {
            F::In => self.location = state.read().unwrap_or(Location::Unknown),
            F::Required => self.required = state.read().unwrap_or(Required::Unknown),
            F::Nullable => self.nullable = state.read().unwrap_or_default(),
            F::Default => self.default = state.read(),
            F::Min => self.limits.min = state.read(),
            F::Max => self.limits.max = state.read(),
            F::MaxLength => self.limits.max_length = state.read(),
            F::MinItems => self.limits.min_items = state.read(),
            F::MaxItems => self.limits.max_items = state.read(),
            F::Unset => self.unset = state.read(),
            F::LeftOut => self.left_out = state.read(),
            _ => {}
        }
    }
}

impl Operation {
    /// The statuses of success in a release of a program, or else in its newest one; empty where nobody says.
    pub fn success_at(&self, program: usize, release: Option<StableVersion>) -> Vec<u16> {
        let own = self.item.held(program, ChangedFact::Success, release);
        own.map_or_else(|| self.success.clone(), |state| state.read().unwrap_or_default())
    }

    /// The media type of the answer in a release of a program; nothing where it is JSON as usual.
    pub fn media_type_at(&self, program: usize, release: StableVersion) -> Option<String> {
        let own = self.item.held(program, ChangedFact::MediaType, Some(release));
        own.map_or_else(|| self.media_type.clone(), State::read)
    }

    /// The state of a fact in a program's newest release.
    pub fn state(&self, program: usize, what: ChangedFact) -> State {
        let own = self.item.held(program, what, None);
        own.or_else(|| self.fact(what)).unwrap_or(State::Unknown)
    }

    /// The state of a fact over all programs; `None` for facts that are not stated by program.
    pub fn fact(&self, what: ChangedFact) -> Option<State> {
        Some(match what {
            ChangedFact::Success => State::Is(json!(self.success)),
            ChangedFact::Paging if self.paging == Paging::Unknown => State::Unknown,
            ChangedFact::Paging => State::Is(json!(self.paging)),
            ChangedFact::Returns if self.returns_known => {
                State::Is(json!(type_text(&self.returns)))
            }
            ChangedFact::Returns => State::Unknown,
            ChangedFact::MediaType => {
                self.media_type.as_ref().map(|media_type| json!(media_type)).into()
            }
            _ => return None,
        })
    }

    /// The statuses of success of all releases of all programs.
    pub fn all_success(&self) -> Vec<u16> {
        let mut all = self.success.clone();
        let changes = self.item.life.iter().flat_map(|life| &life.changed);
        for former in changes.filter(|change| change.what == ChangedFact::Success) {
            let former = State::from(former.from.clone()).read::<Vec<u16>>().unwrap_or_default();
            for status in former {
                if !all.contains(&status) {
                    all.push(status);
                }
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use fedispec_since::{Location, Required};

    use crate::resolved::from_json;

    #[test]
    fn a_parameter_stands_at_the_same_place_in_a_program_whose_facts_stand_apart() {
        let small = include_str!("../tests/fedispec-api-1.json");
        let api = from_json(small).expect("a catalogue");
        let mut params = api.operations.into_iter().flat_map(|one| one.params);
        let mut param = params.find(|one| one.required != Required::Unknown).expect("a parameter");
        param.item.life[0].apart = true;
        let own = param.at(0, None);
        assert_ne!(own.location, Location::Unknown);
        assert_eq!((own.location, own.required), (param.location, Required::Unknown));
    }
}
