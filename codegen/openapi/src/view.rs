//! The catalogue as the document shows it: one release of a program, or all of them.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use fedispec_model::api::{
    Alternative, Api, Entity, ErrorAnswer, Field, Item, Life, Operation, Param, Quirk, Since, Type,
};
use fedispec_model::change::ChangedFact;
use fedispec_model::condition::Condition;
use fedispec_model::floors::Floors;
use fedispec_model::index::Index;
use fedispec_model::reach::Reach;
use fedispec_model::registered::Registered;
use fedispec_model::rows::rows;
use fedispec_since::{At, Refused, StableVersion, Verdict};
use serde_json::Value;

use crate::document::{Changed, Lives, Map};
use crate::texts::Texts;

/// The catalogue at one release, or at all.
pub(crate) struct View<'a> {
    pub(crate) api: &'a Api,
    pub(crate) index: Index<'a>,
    pub(crate) release: Option<Registered<'a>>,
    place: Option<At>,
    /// Since when each program really has an item; only all releases together show it.
    reach: Option<Reach<'a>>,
    floors: Floors,
    texts: Option<Texts<'a>>,
}

impl<'a> View<'a> {
    pub(crate) fn new(api: &'a Api, release: Option<Registered<'a>>) -> Self {
        let mut view = Self {
            api,
            index: Index::new(api),
            release,
            place: release.map(|release| release.program.place(release.version)),
            reach: release.is_none().then(|| Reach::new(api)),
            floors: Floors::new(api, &BTreeMap::new()),
            texts: None,
        };
        view.texts = release.map(|release| Texts::new(api, &release, view.lacking()));
        view
    }

    /// The names of what is not shown, and of nothing that is.
    fn lacking(&self) -> HashSet<&'a str> {
        let rows = rows(self.api);
        let names = |item: &'a Item| [(item, item.wire.as_str()), (item, item.id.as_str())];
        let keys = rows.iter().flat_map(|row| names(row.item));
        let entities =
            self.api.entities.iter().map(|entity| (&entity.item, entity.item.id.as_str()));
        let (shown, hidden): (Vec<_>, Vec<_>) =
            keys.chain(entities).partition(|(item, _)| self.shows(item));
        let shown: HashSet<&str> = shown.into_iter().map(|(_, name)| name).collect();
        hidden.into_iter().map(|(_, name)| name).filter(|name| !shown.contains(name)).collect()
    }

    /// A text of the catalogue as what is shown has it; nothing where none of it is about that.
    pub(crate) fn text(&self, text: &str) -> Option<String> {
        match &self.texts {
            Some(texts) => texts.of(text),
            None => Some(text.to_owned()),
        }
    }

    /// The summary of an item.
    pub(crate) fn summary(&self, item: &Item) -> Option<String> {
        let summary = item.summary.as_deref()?;
        match &self.texts {
            Some(texts) => texts.of_summary(summary),
            None => Some(summary.to_owned()),
        }
    }

    /// A condition as what is shown has it.
    pub(crate) fn condition(&self, condition: &Condition) -> Option<Condition> {
        match &self.texts {
            Some(texts) => condition.among(|name| texts.has(name)),
            None => Some(condition.clone()),
        }
    }

    /// Whether a type is shown: it names no entity or enumeration that is not.
    pub(crate) fn shows_type(&self, ty: &Type) -> bool {
        match ty.innermost() {
            Type::Entity(id) => self.index.entity(id).is_none_or(|one| self.shows(&one.item)),
            Type::Enum(id) => self.index.enumeration(id).is_none_or(|one| self.shows(&one.item)),
            _ => true,
        }
    }

    /// Whether a way of calling an operation is shown: it needs no parameter that is not.
    pub(crate) fn shows_way(&self, operation: &Operation, way: &Alternative) -> bool {
        let mut hidden = operation.params.iter().filter(|param| !self.shows(&param.item));
        !hidden.any(|param| way.requires.contains(&param.item.wire))
    }

    fn life<'i>(&self, item: &'i Item) -> Option<(&'i Life, &Registered<'a>)> {
        let release = self.release.as_ref()?;
        Some((item.life.get(release.place)?, release))
    }

    /// Whether the release has an item; unknown where it is implied, or nobody says.
    fn verdict(&self, life: &Life) -> Verdict {
        let place = self.place.as_ref();
        place.map_or(Verdict::Unknown, |place| life.presence().present(place).verdict)
    }

    /// Whether an item is shown: the release has it or may have it.
    pub(crate) fn shows(&self, item: &Item) -> bool {
        match self.life(item) {
            Some((life, _)) => item.implied || self.verdict(life) != Verdict::No,
            None => true,
        }
    }

    /// Whether what is shown is of a program, among others or alone.
    pub(crate) fn is_of(&self, program: &str) -> bool {
        let release = self.release.as_ref();
        release.is_none_or(|release| release.program.key == program)
    }

    /// Whether what is shown refuses requests with a parameter, by what it says of each program.
    pub(crate) fn refuses(&self, program: usize, refused: &Refused) -> bool {
        self.release.as_ref().is_none_or(|release| {
            let is_over = refused.until.is_some_and(|until| until <= release.version);
            release.place == program && refused.since <= release.version && !is_over
        })
    }

    /// The values of the programs that are shown, of a fact that is stated by program. Nothing where none states it.
    pub(crate) fn of_programs<'t, T>(&self, said: &'t [T]) -> impl Iterator<Item = &'t T> {
        let place = self.release.as_ref().map(|release| release.place);
        let said = said.iter().enumerate();
        said.filter(move |(at, _)| place.is_none_or(|place| place == *at)).map(|(_, said)| said)
    }

    /// Whether one of these lives is shown; what has none is the same everywhere.
    pub(crate) fn shows_life(&self, lives: &[Life]) -> bool {
        match &self.release {
            Some(release) => {
                lives.get(release.place).is_none_or(|life| self.verdict(life) != Verdict::No)
            }
            None => true,
        }
    }

    /// Whether the release answers an error without a body.
    pub(crate) fn is_empty(&self, error: &ErrorAnswer) -> bool {
        self.release.as_ref().is_some_and(|release| {
            let own = error.text.get(release.place).and_then(Option::as_ref);
            own.is_some_and(|own| {
                own.text.is_empty() && own.since.is_none_or(|since| since <= release.version)
            })
        })
    }

    /// When an error is answered: by the release, or by each program.
    pub(crate) fn reason(&self, error: &ErrorAnswer) -> String {
        if let Some(release) = &self.release {
            let when = error.when_in(release.place).and_then(|when| self.text(when));
            return when.unwrap_or_else(|| "An error.".to_owned());
        }
        let reasons = error.reasons().map(|(program, when)| {
            let of = program.and_then(|place| self.api.programs.get(place));
            of.map_or_else(|| when.to_owned(), |program| format!("{}: {when}", program.name))
        });
        let reasons: Vec<_> = reasons.collect();
        if reasons.is_empty() { "An error.".to_owned() } else { reasons.join(" ") }
    }

    /// The state of a fact in the release, where that is not what holds of all programs today.
    pub(crate) fn changed(&self, item: &Item, fact: ChangedFact) -> Option<Value> {
        let release = self.release.as_ref()?;
        item.held(release.place, fact, Some(release.version))?.read()
    }

    /// A parameter as the release has it.
    pub(crate) fn param<'p>(&self, param: &'p Param) -> Cow<'p, Param> {
        match &self.release {
            Some(release) => Cow::Owned(param.at(release.place, Some(release.version))),
            None => Cow::Borrowed(param),
        }
    }

    /// Whether what is shown discourages an item: the release, or the newest one of every program that has it.
    pub(crate) fn is_deprecated(&self, item: &Item) -> bool {
        if let Some((life, release)) = self.life(item) {
            return life.deprecated.is_some_and(|from| from <= release.version);
        }
        let any = item.life.iter().any(|life| life.deprecated.is_some());
        let mut lives = item.life.iter();
        any && lives.all(|life| {
            let is_gone = life.removed.is_some() || life.effective == Since::Never;
            life.deprecated.is_some() || is_gone
        })
    }

    /// Whether an answer may lack a field, and whether it may be null there.
    pub(crate) fn presence(&self, entity: &Entity, field: &Field) -> Presence {
        let answers = match &self.release {
            Some(release) => field.presence_at(release.place, release.version),
            None => field.widest_presence(),
        };
        let mut presence = Presence {
            required: field.presence_known && !answers.optional,
            nullable: answers.nullable,
        };
        for quirk in self.quirks(field) {
            match quirk.sends.as_str() {
                "absent" | "absent_if_empty" => presence.required = false,
                "null" => presence.nullable = true,
                "nothing" => presence = Presence::UNSURE,
                _ => {}
            }
        }
        presence.required &= match self.life(&field.item) {
            Some((life, _)) => self.verdict(life) == Verdict::Yes,
            None => self.floors.guarantee(&field.item, &entity.item),
        };
        presence
    }

    /// How the release's answers depart from the types.
    pub(crate) fn quirks<'f>(&'f self, field: &'f Field) -> impl Iterator<Item = &'f Quirk> {
        field.quirks.iter().filter(|quirk| match &self.release {
            Some(release) => quirk.is_of(&release.program.key, release.version),
            None => true,
        })
    }

    /// The extensions that tell an item's life.
    pub(crate) fn lives(&self, item: &Item) -> Lives {
        if item.implied {
            return Lives::default();
        }
        if let Some((life, _)) = self.life(item) {
            return Lives {
                unknown: self.verdict(life) == Verdict::Unknown,
                replacement: { item.replacement.clone() }.filter(|_| self.is_deprecated(item)),
                ..Lives::default()
            };
        }
        let programs = || self.api.programs.iter().map(|program| program.key.clone());
        let by_program = |of: &dyn Fn(&Life) -> Option<String>| -> Map<String> {
            let lives = programs().zip(&item.life);
            lives.filter_map(|(program, life)| Some((program, of(life)?))).collect()
        };
        let effective = { self.reach.as_ref() }.map(|reach| reach.effective(item));
        let effective = effective.into_iter().flatten();
        let absent = programs().zip(&item.life).filter_map(|(program, life)| {
            let text = |(from, until): &(StableVersion, StableVersion)| {
                (from.to_string(), until.to_string())
            };
            let holes: Vec<_> = life.absent.iter().map(text).collect();
            (!holes.is_empty()).then_some((program, holes))
        });
        let changed = programs().zip(&item.life).flat_map(|(program, life)| {
            let changes = life.changed.iter();
            changes.map(move |change| Changed {
                program: program.clone(),
                r#in: change.r#in.to_string(),
                what: change.what.name(),
                from: change.from.clone(),
                to: change.to.clone(),
            })
        });
        Lives {
            since: { programs().zip(effective.map(|since| since.to_string())) }.collect(),
            works_since: by_program(&|life| Some(life.works_since?.to_string())),
            deprecated: by_program(&|life| Some(life.deprecated?.to_string())),
            removed: by_program(&|life| Some(life.removed?.to_string())),
            absent: absent.collect(),
            changed: changed.collect(),
            unknown: false,
            replacement: item.replacement.clone(),
        }
    }
}

/// Whether an answer has a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Presence {
    pub(crate) required: bool,
    pub(crate) nullable: bool,
}

impl Presence {
    const UNSURE: Self = Self { required: false, nullable: true };
}
