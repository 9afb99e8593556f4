//! Operations: routes, bodies, answers and errors.

use fedispec_since::{BodyEncoding, ErrorText, Paging};
use serde::{Deserialize, Serialize};

use super::{Auths, Item, Life, Param, Since, Type};

/// An operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// The facts that every item has; `rust` is the struct (`Lookup`), unique in its group.
    pub item: Item,
    /// The group: `accounts`.
    pub group: String,
    /// The method of the server trait: `lookup`.
    pub rust_fn: String,
    /// The route, where method and path are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<Route>,
    /// Other methods that do the same on its path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Twin>,
    /// Its properties as an endpoint of OAuth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oauth: Option<Oauth>,
    /// The tokens that may call it at the newest release; absent where no source says. Earlier states are in the lives'
    /// changes: see [`states`](crate::auth::states).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auths>,
    /// How a body is sent.
    pub body: BodyEncoding,
    /// The parameters as the catalogue has them, in its order: the rows. After them those that are only implied: the
    /// list `keywords_attributes[]` around `keywords_attributes[][keyword]`.
    pub params: Vec<Param>,
    /// Ways of calling it; empty where the required parameters say it all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// The parameters (wire names) that constructors take, in the order of their arguments; empty where nobody says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Requests of their own for calls whose answer a parameter decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<Deciding>,
    /// The type of its answer.
    pub returns: Type,
    /// Whether a source gives the type of its answer.
    pub returns_known: bool,
    /// The documents' name for the answer: `Account[]`, `[]`, or nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns_documented: Option<String>,
    /// The media type of its answer, where that is neither `application/json` nor any that a file has. Where it is not JSON at all, its
    /// type tells what the user gets in the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The statuses of success; empty where no source says.
    pub success: Vec<u16>,
    /// How its list is cut into pages.
    pub paging: Paging,
    /// Other answers.
    pub errors: Vec<ErrorAnswer>,
    /// The sources of its parameters (wire names) where it stands in for its replacement.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stands_in: Vec<(String, String)>,
}

impl Operation {
    /// The types of its answer and of its errors.
    pub fn answers(&self) -> impl Iterator<Item = &Type> {
        let errors = self.errors.iter().filter_map(|error| error.returns.as_ref());
        std::iter::once(&self.returns).chain(errors)
    }

    /// The type of the answer to the plain request: what may come without a parameter that decides.
    pub fn plain_returns(&self) -> Type {
        let own = |ty: &Type| self.requests.iter().any(|request| request.returns == *ty);
        match &self.returns {
            Type::OneOf(types) if !self.requests.is_empty() => {
                let mut rest: Vec<_> = types.iter().filter(|ty| !own(ty)).cloned().collect();
                if rest.len() == 1 { rest.remove(0) } else { Type::OneOf(rest) }
            }
            whole => whole.clone(),
        }
    }

    /// Whether a browser shows its answer, so that its errors are pages too.
    pub fn is_page(&self) -> bool {
        self.returns == Type::File || self.media_type.as_deref() == Some("text/html")
    }

    /// The types of its answer, its errors and its parameters.
    pub fn types(&self) -> impl Iterator<Item = &Type> {
        self.answers().chain(self.params.iter().map(|param| &param.r#type))
    }
}

/// A method and a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// `GET`
    pub method: String,
    /// `/api/v1/accounts/:id`
    pub path: String,
}

/// Which segments of a path the route names itself; `None` where the path is another one.
pub fn literals(route: &str, path: &str) -> Option<Vec<bool>> {
    let segments = |path| str::split(path, '/').filter(|segment: &&str| !segment.is_empty());
    let (mut own, mut asked) = (segments(route), segments(path));
    let mut literals = Vec::new();
    loop {
        match (own.next(), asked.next()) {
            (Some(own), Some(asked)) if own == asked => literals.push(!own.starts_with(':')),
            (Some(own), Some(_)) if own.starts_with(':') => literals.push(false),
            (None, None) => return Some(literals),
            _ => return None,
        }
    }
}

/// The path of an address, or of a path with more behind it: `/api/v1/lists` of `https://social.example/api/v1/lists?limit=1`.
pub fn path_of(address: &str) -> &str {
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |slash| &rest[slash..]),
        None => address,
    };
    path.split(['?', '#']).next().unwrap_or_default()
}

/// Another method that does the same as an operation on its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Twin {
    /// The key of the program that has it.
    pub program: String,
    /// `PATCH`
    pub method: String,
}

/// An endpoint of OAuth, whose errors have the shape of RFC 6749, 5.2.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Oauth {
    /// The wire names of the parameters, of the client's id and its secret, that a header `Authorization: Basic` may hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basic: Option<(String, String)>,
}

/// One of the ways of calling an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// The Rust name of its constructor.
    pub rust: String,
    /// One line about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Parameters (wire names) that it sets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<(String, String)>,
    /// Parameters (wire names) that it needs: the arguments.
    pub requires: Vec<String>,
    /// Parameters (wire names) that it excludes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excludes: Vec<String>,
}

/// A request of its own for calls whose answer a parameter decides: a status with a time is answered with a scheduled one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deciding {
    /// The Rust name of its struct, unique in the group.
    pub rust: String,
    /// One line about it.
    pub summary: String,
    /// The parameter (wire name) that it sends.
    pub sends: String,
    /// The one of the operation's answers that comes only where the parameter is sent.
    pub returns: Type,
}

/// An answer that is not a success.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorAnswer {
    /// The status.
    pub status: u16,
    /// When it is given, in each program that has no reason of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// When each program gives it that differs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_when: Vec<Option<String>>,
    /// The text of the error in each program, where it is always the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<Option<ErrorText>>,
    /// The type of its body; the API's plain error where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Type>,
    /// The releases that give it, where only some do: one per program.
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "super::life::known")]
    pub life: Vec<Life>,
}

impl ErrorAnswer {
    /// The releases that give it: its own, or those of its operation.
    pub fn lives<'l>(&'l self, operation: &'l Operation) -> &'l [Life] {
        if self.life.is_empty() { &operation.item.life } else { &self.life }
    }

    /// When a program gives it, by its place.
    pub fn when_in(&self, program: usize) -> Option<&str> {
        let own = self.own_when.get(program).and_then(Option::as_deref);
        own.or(self.when.as_deref())
    }

    /// The reasons, each with the place of the program that has it; without one that of all others.
    pub fn reasons(&self) -> impl Iterator<Item = (Option<usize>, &str)> {
        let own = self.own_when.iter().enumerate();
        let own = own.filter_map(|(program, when)| Some((Some(program), when.as_deref()?)));
        self.when.iter().map(|when| (None, when.as_str())).chain(own)
    }

    /// Whether a program that has the operation answers it in some release.
    pub fn is_of(&self, program: usize) -> bool {
        self.life.get(program).is_none_or(|life| life.effective != Since::Never)
    }
}
