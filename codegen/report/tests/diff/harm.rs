//! What an edit breaks of calls that worked, by asking both states release by release: an answer of its own to how severe an edit is.

use fedispec_model::api::{Api, Auth, Field, Item, Life, Operation, Param, Program, State};
use fedispec_model::auth;
use fedispec_model::change::ChangedFact;
use fedispec_since::scopes::covers;
use fedispec_since::{Required, StableVersion, TokenKind, Verdict};

/// A release of a program, by its place in both states.
#[derive(Clone, Copy)]
struct At<'a> {
    program: &'a str,
    places: [usize; 2],
    release: StableVersion,
}

/// The calls and answers of the old state that the new one says do not work, or are others.
pub(super) fn harms(old: &Api, new: &Api) -> Vec<String> {
    let mut harms = Vec::new();
    let [fields, later] = [old, new].map(fields_of);
    for at in releases(old, new) {
        for before in &old.operations {
            let after = new.operations.iter().find(|one| one.item.id == before.item.id);
            if let Some(after) =
                after.filter(|after| has(old, new, at, [&before.item, &after.item]))
            {
                operation(at, before, after, &mut harms);
            }
        }
        for before in &fields {
            let after = later.iter().find(|one| one.item.id == before.item.id);
            if let Some(after) =
                after.filter(|after| has(old, new, at, [&before.item, &after.item]))
            {
                field(at, before, after, &mut harms);
            }
        }
    }
    harms
}

fn fields_of(api: &Api) -> Vec<&Field> {
    api.entities.iter().flat_map(|entity| &entity.fields).collect()
}

fn releases<'a>(old: &'a Api, new: &Api) -> Vec<At<'a>> {
    let mut all = Vec::new();
    for (was, program) in old.programs.iter().enumerate() {
        let Some(is) = new.programs.iter().position(|one| one.key == program.key) else { continue };
        let floor = program.floor.max(new.programs[is].floor);
        let releases = |program: &Program| -> Vec<_> {
            program.releases.iter().map(|one| one.version).collect()
        };
        let others = releases(&new.programs[is]);
        let known = releases(program).into_iter();
        let known = known.filter(|one| floor <= Some(*one) && others.contains(one));
        all.extend(known.map(|release| At { program: &program.key, places: [was, is], release }));
    }
    all
}

/// Whether both states say that the release has the item.
fn has(old: &Api, new: &Api, at: At<'_>, items: [&Item; 2]) -> bool {
    [old, new].iter().zip(items).zip(at.places).all(|((api, item), place)| {
        let life = item.life.get(place).map(Life::presence);
        let at = api.programs[place].place(at.release);
        life.is_some_and(|life| life.has(&at).verdict == Verdict::Yes)
    })
}

fn operation(at: At<'_>, old: &Operation, new: &Operation, harms: &mut Vec<String>) {
    let say = |what: &str| format!("{} {} {}: {what}", at.program, at.release, old.item.id);
    let [was, is] = [(old, at.places[0]), (new, at.places[1])]
        .map(|(operation, place)| auth::at(operation, place, at.release));
    if let Some((was, is)) = was.zip(is)
        && let Some(token) =
            tokens(&was, &is).into_iter().find(|one| one.does(&was) && !one.does(&is))
    {
        harms.push(say(&format!("{token:?} does no longer")));
    }
    for before in &old.params {
        let after = new.params.iter().find(|one| one.item.id == before.item.id);
        let Some(after) = after else { continue };
        let [was, is] = [(before, at.places[0]), (after, at.places[1])]
            .map(|(param, place)| param.at(place, Some(at.release)));
        if let Some(what) = asks_for_more(&was, &is) {
            harms.push(say(&format!("{} {what}", before.item.wire)));
        }
    }
}

/// The part of a parameter that refuses calls which the other takes.
fn asks_for_more(was: &Param, is: &Param) -> Option<&'static str> {
    use ChangedFact as F;
    let rank = |param: &Param| match param.required {
        Required::Never => Some(0),
        Required::Sometimes => Some(1),
        Required::Always => Some(2),
        Required::Unknown => None,
    };
    let limit = |fact, smaller: bool| {
        let value = |param: &Param| match param.fact(fact) {
            Some(State::Is(value)) => value.as_f64(),
            _ => None,
        };
        match (value(was), value(is)) {
            (Some(was), Some(is)) => {
                if smaller {
                    is < was
                } else {
                    is > was
                }
            }
            (None, Some(_)) => matches!(was.fact(fact), Some(State::None)),
            _ => false,
        }
    };
    if rank(was).zip(rank(is)).is_some_and(|(was, is)| is > was) {
        return Some("is required");
    }
    let tighter = [F::Max, F::MaxLength, F::MaxItems].iter().any(|fact| limit(*fact, true))
        || [F::Min, F::MinItems].iter().any(|fact| limit(*fact, false));
    tighter.then_some("is limited")
}

fn field(at: At<'_>, old: &Field, new: &Field, harms: &mut Vec<String>) {
    let was = old.presence_at(at.places[0], at.release);
    let is = new.presence_at(at.places[1], at.release);
    if !was.optional && is.optional || !was.nullable && is.nullable {
        harms.push(format!("{} {} {}: may be missing", at.program, at.release, old.item.id));
    }
}

/// A token that a caller may have.
#[derive(Debug)]
struct Token {
    kind: TokenKind,
    scopes: Vec<String>,
}

/// Tokens of every kind with the scopes that are spoken of, and those around them.
fn tokens(was: &Auth, is: &Auth) -> Vec<Token> {
    let plain = |scope: &String| scope.trim_start_matches('=').to_owned();
    let mut scopes: Vec<_> = was.scopes.iter().chain(&is.scopes).map(plain).collect();
    let wide = scopes.iter().filter_map(|one| Some(one.split_once(':')?.0.to_owned()));
    scopes.extend(wide.collect::<Vec<_>>());
    scopes.sort_unstable();
    scopes.dedup();
    let sets = 0..1_usize << scopes.len().min(6);
    let of = |set: usize| {
        let scopes = scopes.iter().enumerate().filter(|(at, _)| set & (1 << at) != 0);
        scopes.map(|(_, scope)| scope.clone()).collect::<Vec<_>>()
    };
    let kinds = [TokenKind::None, TokenKind::Client, TokenKind::User];
    let all = kinds.iter().flat_map(|kind| sets.clone().map(move |set| (*kind, set)));
    all.map(|(kind, set)| Token { kind, scopes: of(set) }).collect()
}

impl Token {
    /// Whether a call with it is let in.
    fn does(&self, auth: &Auth) -> bool {
        let is_kind = match auth.token {
            TokenKind::Unknown | TokenKind::None | TokenKind::Optional => true,
            TokenKind::App => self.kind != TokenKind::None,
            kind => self.kind == kind,
        };
        if auth.token == TokenKind::None
            || auth.token == TokenKind::Optional && self.kind == TokenKind::None
        {
            return true;
        }
        let has = |scope: &String| match scope.strip_prefix('=') {
            Some(exact) => self.scopes.iter().any(|own| own == exact),
            None => self.scopes.iter().any(|own| covers(own, scope)),
        };
        let mut asked = auth.scopes.iter();
        let enough =
            auth.scopes.is_empty() || if auth.all { asked.all(has) } else { asked.any(has) };
        is_kind && enough
    }
}
