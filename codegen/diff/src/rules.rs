//! The rules, as data: whom a change breaks, how badly, what it asks of the crate's version, and why.

use serde::Serialize;

/// How bad a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Nothing but text.
    Docs,
    /// Nothing that worked stops working.
    Compatible,
    /// The data cannot decide.
    Risky,
    /// Something that worked stops working.
    Breaking,
}

impl Severity {
    /// The next worse one.
    #[must_use]
    pub fn worse(self) -> Self {
        match self {
            Self::Docs => Self::Compatible,
            Self::Compatible => Self::Risky,
            Self::Risky | Self::Breaking => Self::Breaking,
        }
    }

    /// Its name in the outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Docs => "docs",
            Self::Compatible => "compatible",
            Self::Risky => "risky",
            Self::Breaking => "breaking",
        }
    }
}

/// The version step of the crate that a change requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is the step of that name")]
pub enum Bump {
    None,
    Patch,
    Minor,
    Major,
}

impl Bump {
    /// Its name in the outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }

    /// `a minor bump`
    pub fn phrase(self) -> String {
        if self == Self::None { "no bump".into() } else { format!("a {} bump", self.name()) }
    }
}

/// A group that a change affects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// The source of the crate's users.
    Source,
    /// Their running calls.
    Wire,
    /// A server implementation that was right and becomes wrong.
    Server,
    /// A server implementation that only has more to do.
    Gap,
}

impl Audience {
    /// Its letter in the rule catalogue.
    pub fn letter(self) -> char {
        match self {
            Self::Source => 'C',
            Self::Wire => 'W',
            Self::Server => 'S',
            Self::Gap => 's',
        }
    }

    /// Returns the group's name in messages.
    pub fn who(self) -> &'static str {
        match self {
            Self::Source => "your code",
            Self::Wire => "running calls",
            Self::Server => "servers",
            Self::Gap => "servers have more to do",
        }
    }
}

/// Defines the kinds of facts, each with the keys under which the catalogue states it, the likeliest first.
macro_rules! facts {
    ($($(#[doc = $doc:literal])+ $fact:ident [$($key:literal)*];)+) => {
        /// The kind of fact that a rule judges.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Fact { $($(#[doc = $doc])+ $fact,)+ }

        impl Fact {
            /// The keys under which the catalogue states it, the likeliest first.
            pub fn keys(self) -> &'static [&'static str] {
                match self { $(Self::$fact => &[$($key),*],)+ }
            }
        }
    };
}

facts! {
    /// An item came, went, or goes by another id.
    Existence [];
    /// Its name on the wire.
    WireName ["wire"];
    /// Its identifier in Rust.
    RustName ["rust"];
    /// The path of an operation.
    Path ["path"];
    /// The method of an operation.
    Method ["method"];
    /// The encoding of a request's body.
    Body ["body"];
    /// The type of a parameter or field.
    Type ["type"];
    /// The format of a text.
    Format ["format" "type"];
    /// Whether it may be null.
    Nullable ["nullable" "presence"];
    /// Whether and when a field is there.
    Presence ["optional" "presence" "when"];
    /// The meaning of a field's absence.
    AbsentMeans ["absent_means"];
    /// Whether a parameter must be sent.
    Required ["required"];
    /// The meaning of an omitted parameter.
    Default ["default"];
    /// The values that a parameter takes.
    Limit ["max" "min" "max_length" "min_items" "max_items"];
    /// Which parameters go together.
    Combination ["alternatives"];
    /// Where a parameter stands.
    Location ["in"];
    /// The constructors of a request.
    Constructor ["arguments" "alternatives"];
    /// A deviation from the type: a value that a server sends instead of the promised one.
    Quirk ["quirks"];
    /// The replacement for a value in a release that lacks it.
    OnOlder ["on_older"];
    /// The answer of an operation.
    Returns ["returns" "response"];
    /// The status of a success.
    Success ["success"];
    /// Whether the fields of an entity are known.
    Members ["includes" "fields"];
    /// The directions in which an enumeration is used.
    Use [];
    /// Since when a program has it.
    Since ["since"];
    /// Since when it does something.
    WorksSince ["works_since"];
    /// The releases that lack it for a while.
    Absence ["absent"];
    /// A version at or below the freeze line.
    Frozen ["since" "deprecated" "removed"];
    /// The releases of a program.
    Release [];
    /// A program.
    Program [];
    /// The oldest supported release of a program.
    Floor ["floor"];
    /// Since when it is discouraged.
    Deprecated ["deprecated"];
    /// The item to use instead.
    Replacement ["replacement"];
    /// How it stands in for its replacement.
    StandsIn ["stands_in"];
    /// The effect of leaving a parameter out.
    LeftOut ["left_out"];
    /// The error that setting a parameter is answered with.
    Refusal ["refused"];
    /// The effect of an update on parameters that it does not set.
    Unset ["unset"];
    /// The treatment of values that an enumeration does not list.
    Unlisted ["unlisted_values"];
    /// How a program takes several values.
    Several ["several"];
    /// The words that a text understands.
    Words ["words"];
    /// Other methods that do the same.
    Also ["also"];
    /// Whether an operation is an endpoint of OAuth.
    OAuth ["oauth"];
    /// The media type of an answer.
    MediaType ["media_type"];
    /// The payload of an event.
    Payload ["payload"];
    /// How a program is recognized.
    Recognition ["versions" "nodeinfo"];
    /// Behaviour in which a program differs from others.
    Ways ["ways"];
    /// The release that dropped it.
    Removed ["removed"];
    /// The changes in place.
    Changed ["changed"];
    /// The token that a call needs.
    Token ["auth"];
    /// The scopes of the token.
    Scope ["auth"];
    /// The permissions of the user.
    Role ["auth"];
    /// How a list goes on.
    Paging ["paging"];
    /// Answers that are no success.
    Errors ["errors"];
    /// Whether a fact is known at all.
    Knowledge [];
    /// The evidence for a fact.
    Evidence ["evidence"];
    /// The items of a feature.
    Feature ["all" "one_of"];
    /// The order of the parts.
    Order [];
    /// Documentation, which no code depends on.
    Text ["summary" "notes"];
    /// Anything that no rule knows.
    Any [];
}

/// The rule for the reverse of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mirror {
    /// Another rule.
    Is(RuleId),
    /// The same rule.
    Itself,
    /// Not one rule, for this reason.
    None(&'static str),
}

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The rule's identifier in code.
    pub rule: RuleId,
    /// The rule's name in reports.
    pub id: &'static str,
    /// The kind of fact that it judges.
    pub fact: Fact,
    /// The audiences that it breaks.
    pub breaks: &'static [Audience],
    /// How bad the change is.
    pub severity: Severity,
    /// The version step of the crate that it requires.
    pub bump: Bump,
    /// Severity and version step where the old value is proven never to have worked.
    pub proven: Option<(Severity, Bump)>,
    /// Audiences and severity where the generated items of both states are the same; `None` derives them from the rest of the
    /// row, see [`Rule::without_code`].
    alike: Option<(&'static [Audience], Severity)>,
    /// The rule for the reverse of the change.
    pub mirror: Mirror,
    /// The reason, for a person.
    pub why: &'static str,
}

macro_rules! breaks {
    ($($letter:ident)*) => { &[$(breaks!(@ $letter)),*] };
    (@ C) => { Audience::Source };
    (@ W) => { Audience::Wire };
    (@ S) => { Audience::Server };
    (@ s) => { Audience::Gap };
}

macro_rules! proven {
    () => {
        None
    };
    ($severity:ident $bump:ident) => {
        Some((Severity::$severity, Bump::$bump))
    };
}

macro_rules! alike {
    () => {
        None
    };
    ([$($letter:ident)*] $severity:ident) => {
        Some((breaks!($($letter)*), Severity::$severity))
    };
}

macro_rules! mirror {
    (same) => {
        Mirror::Itself
    };
    (($reason:literal)) => {
        Mirror::None($reason)
    };
    ($other:ident) => {
        Mirror::Is(RuleId::$other)
    };
}

macro_rules! rules {
    ($($name:ident $id:literal $fact:ident [$($letter:ident)*] $severity:ident $bump:ident $(proven $proven:ident $to:ident)? $(alike [$($left:ident)*] $lesser:ident)?, $mirror:tt, $why:literal;)*) => {
        /// The name of a rule.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "each is described in its rule")]
        pub enum RuleId { $($name),* }

        impl RuleId {
            /// Returns the rule's row in [`RULES`].
            pub fn rule(self) -> &'static Rule { &RULES[self as usize] }
        }

        /// Every rule, in the order of the catalogue of rules.
        pub static RULES: &[Rule] = &[$(Rule {
            rule: RuleId::$name,
            id: $id,
            fact: Fact::$fact,
            breaks: breaks!($($letter)*),
            severity: Severity::$severity,
            bump: Bump::$bump,
            proven: proven!($($proven $to)?),
            alike: alike!($([$($left)*] $lesser)?),
            mirror: mirror!($mirror),
            why: $why,
        }),*];
    };
}

impl Rule {
    /// Returns audiences and severity where the generated items of both states are the same, so that no code breaks.
    pub fn without_code(&self) -> (Vec<Audience>, Severity) {
        if let Some((breaks, severity)) = self.alike {
            return (breaks.to_vec(), severity);
        }
        let all = self.breaks.iter().copied();
        let left: Vec<_> = all.filter(|who| *who != Audience::Source).collect();
        let severity = if left.contains(&Audience::Wire) {
            self.severity
        } else if left.contains(&Audience::Server) {
            self.severity.min(Severity::Risky)
        } else {
            self.severity.min(Severity::Compatible)
        };
        (left, severity)
    }
}

impl RuleId {
    /// Returns the kind of fact that the rule judges.
    pub fn fact(self) -> Fact {
        self.rule().fact
    }
}

impl Serialize for RuleId {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.rule().id)
    }
}

/// The rule of that name.
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

#[rustfmt::skip]
rules! {
    // Existence of any item.
    ItemAdded "item-added" Existence [s] Compatible Minor, ItemDeleted, "A release that the base did not know yet brought it. Structs and enumerations may grow.";
    ItemAddedBackdated "item-added-backdated" Existence [] Compatible Minor, ItemDeleted, "The catalogue lacked it; no server changed.";
    ItemAddedBackdatedUnproven "item-added-backdated-unproven" Existence [W] Risky Minor, ItemDeleted, "It is dated to a release that was looked at before, and no evidence proves that it was there.";
    ItemAddedWithoutSince "item-added-without-since" Existence [W] Risky Minor, ItemDeleted, "No source says which release has it: a gate answers Unknown, and a field is an `Option`.";
    ItemDeleted "item-deleted" Existence [C W] Breaking Major, ("backwards it is one of the rules of addition, which judge its Since"), "The symbol vanishes. That nobody documents an item any more does not mean that no server has it: say so with a tombstone.";
    ItemRetracted "item-retracted" Existence [C] Risky Major, ("a tombstone is never taken back; that is item-key-reused"), "No server ever had it, so no call worked. Generated code keeps no stub: the symbol vanishes.";
    ItemKeyReused "item-key-reused" Existence [C W] Breaking Major, ("backwards it is item-retracted or item-deleted"), "An id that a tombstone retired means something else now, and old references point to it without an error.";
    ItemRenamed "item-renamed" Existence [C] Breaking Major alike [] Compatible, ("backwards nothing says so, unless that state declares it too: item-renamed-guess, or a deletion and an addition"), "The id and its Rust name change. What goes over the wire stays, unless a parameter, field or value is spelled otherwise with it.";
    ItemRenamedGuess "item-renamed-guess" Existence [C] Breaking Major, same, "One item went and a similar one came. If it is the same, write `renamed_from`; else it is a deletion and an addition.";
    ItemMovedModule "item-moved-module" Existence [C] Breaking Major, ("backwards nothing says so, unless that state declares it too: item-renamed-guess, or a deletion and an addition"), "The group is part of the Rust path: every `use` of it has to change.";
    WireNameChanged "wire-name-changed" WireName [W S] Breaking Major proven Risky Patch, same, "Another name goes over the wire.";
    RustNameChanged "rust-name-changed" RustName [C] Breaking Major, same, "Only the identifier changes; nothing on the wire does.";
    // Operations.
    PathChanged "path-changed" Path [W S] Breaking Major proven Risky Patch, same, "Servers that have the old path answer 404 on the new one.";
    RouteBecameKnown "route-became-known" Path [] Compatible Minor, RouteBecameUnknown, "Its method or path was unknown: it can be called now.";
    RouteBecameUnknown "route-became-unknown" Path [C W] Breaking Major, RouteBecameKnown, "Without a method and a path nobody can call it: its request and the server's method are gone.";
    PathArgRenamed "path-arg-renamed" Path [] Docs Patch, same, "Path arguments go by position; a changed Rust name is a finding of its own.";
    PathArgAdded "path-arg-added" Existence [C W S] Breaking Major, PathArgRemoved, "The constructor takes one more argument, and the path is another.";
    PathArgRemoved "path-arg-removed" Existence [C W S] Breaking Major, PathArgAdded, "The constructor takes one argument less, and the path is another.";
    MethodChanged "method-changed" Method [W S] Breaking Major proven Risky Patch, same, "Servers answer 404 or 405 to the wrong method.";
    AlsoChanged "also-changed" Also [S] Risky Patch, same, "Servers take other methods on the path beside its own.";
    OauthChanged "oauth-changed" OAuth [W S] Risky Patch, same, "The errors have another shape, or a Basic header holds other parameters.";
    RequestEncodingChanged "request-encoding-changed" Body [W S] Breaking Major proven Risky Patch, same, "A server that expects another encoding cannot read the body.";
    // Parameters.
    ParamAddedRequired "param-added-required" Existence [C W S] Breaking Major, ItemDeleted, "Calls without it fail, and the constructor takes one more argument.";
    ParamBecameRequired "param-became-required" Required [C W] Breaking Major, ParamBecameOptional, "Calls without it fail, and the constructor takes one more argument.";
    ParamBecameOptional "param-became-optional" Required [C] Breaking Major, ParamBecameRequired, "Harmless on the wire, but the constructor takes one argument less.";
    ParamTypeWidened "param-type-widened" Type [C s] Breaking Major, ParamTypeNarrowed, "More is accepted; the field and its setter have another type.";
    ParamTypeNarrowed "param-type-narrowed" Type [C W] Breaking Major, ParamTypeWidened, "Something that was accepted is refused.";
    ParamTypeChanged "param-type-changed" Type [C W S] Breaking Major, same, "Neither type includes the other.";
    ParamFormatChanged "param-format-changed" Format [C W] Breaking Major proven Risky Major, same, "The text is refused or misread.";
    ParamBecameNullable "param-became-nullable" Nullable [s] Compatible Minor, ParamBecameNotNullable, "Null may be sent now.";
    ParamBecameNotNullable "param-became-not-nullable" Nullable [C W] Breaking Major, ParamBecameNullable, "Null is refused now.";
    ParamDefaultChanged "param-default-changed" Default [W] Risky Patch, same, "Leaving it out means something else.";
    LeftOutChanged "left-out-changed" LeftOut [W] Risky Patch, same, "Which calls a client refuses, where a server lacks the parameter or refuses it, is decided otherwise.";
    RefusalAdded "refusal-added" Refusal [W] Risky Patch, RefusalWithdrawn, "More releases answer an error to a call that sets it, so that a client holds it back there.";
    RefusalWithdrawn "refusal-withdrawn" Refusal [] Compatible Patch, RefusalAdded, "Fewer releases answer an error to a call that sets it: a client sends it there.";
    UnsetChanged "unset-changed" Unset [C W] Breaking Major alike [W] Risky, same, "An update that does not set it leaves or empties it otherwise; a request that resets is made by `keeping` and `replacing` instead of `new`.";
    UnlistedValuesChanged "unlisted-values-changed" Unlisted [W S] Risky Patch, same, "A value that is not listed is refused where it was ignored, or the other way round.";
    SeveralChanged "several-changed" Several [W] Risky Patch, same, "Several values are sent to some releases in another form.";
    WordsChanged "words-changed" Words [C] Breaking Major, same, "The text understands other words, so that its type is another one and other words are held to what a server has.";
    ParamLimitTightened "param-limit-tightened" Limit [W] Breaking Patch, ParamLimitLoosened, "A value that was accepted is refused or cut.";
    ParamLimitLoosened "param-limit-loosened" Limit [s] Compatible Patch, ParamLimitTightened, "More values are accepted.";
    LimitFromChanged "limit-from-changed" Limit [W] Risky Patch, same, "Another field of the instance tells the limit, so that calls are held to another one.";
    ParamCombinationTightened "param-combination-tightened" Combination [W] Breaking Patch, ParamCombinationLoosened, "A combination that was accepted is refused.";
    ParamCombinationLoosened "param-combination-loosened" Combination [s] Compatible Patch, ParamCombinationTightened, "More combinations are accepted.";
    ParamConditionChanged "param-condition-changed" Combination [W] Risky Patch, same, "Other requests have to have the parameter.";
    ParamLocationChanged "param-location-changed" Location [W S] Breaking Major proven Risky Patch, same, "A server looks for it elsewhere.";
    ConstructorChanged "constructor-changed" Constructor [C] Breaking Major, same, "A constructor is gone, or takes other arguments or the same in another order.";
    // Fields.
    FieldBecameOptional "field-became-optional" Presence [C W] Breaking Major alike [W] Risky, FieldBecameRequired, "Old code relies on its presence; unless it is an `Option<T>` already, `T` becomes one.";
    FieldBecameRequired "field-became-required" Presence [C S] Breaking Major, FieldBecameOptional, "Harmless on the wire; unless something else keeps it an `Option<T>`, it becomes `T`.";
    FieldBecameNullable "field-became-nullable" Nullable [C W] Breaking Major alike [W] Risky, FieldBecameNotNullable, "Old decoders fail on null; unless it is an `Option<T>` already, `T` becomes one.";
    FieldBecameNotNullable "field-became-not-nullable" Nullable [C S] Breaking Major, FieldBecameNullable, "Harmless on the wire; unless something else keeps it an `Option<T>`, it becomes `T`.";
    AbsentMeansAdded "absent-means-added" AbsentMeans [C] Breaking Major alike [] Compatible, AbsentMeansRemoved, "Absence means a value now: `Option<T>` becomes `T`, and what older servers lack reads as that value.";
    AbsentMeansRemoved "absent-means-removed" AbsentMeans [C W] Breaking Major alike [W] Risky, AbsentMeansAdded, "Absence means no value any more: `T` becomes `Option<T>`, or answers without the field are refused.";
    AbsentMeansChanged "absent-means-changed" AbsentMeans [W] Risky Patch, same, "The same type, but what lacks the field reads as another value.";
    FieldTypeWidened "field-type-widened" Type [C W] Breaking Major, FieldTypeNarrowed, "Servers may send what old decoders do not read.";
    FieldTypeNarrowed "field-type-narrowed" Type [C S] Breaking Major, FieldTypeWidened, "Harmless on the wire, but another type.";
    FieldTypeChanged "field-type-changed" Type [C W S] Breaking Major, same, "Neither type includes the other.";
    FieldFormatChanged "field-format-changed" Format [C W] Breaking Major alike [W] Risky, same, "Old code cannot parse the text.";
    FieldMovedEntity "field-moved-entity" Existence [C W] Breaking Major, ("backwards nothing says so, unless that state declares it too: a deletion and an addition"), "Another entity has the field.";
    FieldPresenceNoteChanged "field-presence-note-changed" Presence [W] Risky Patch, same, "The type stays. The condition under which servers send the field is another, or what its absence means.";
    OnOlderChanged "on-older-changed" OnOlder [S] Risky Patch, same, "A server that emulates an older release sends something else in place of the value.";
    QuirkAdded "quirk-added" Quirk [] Compatible Patch, QuirkRemoved, "A server sends something else than promised; the decoder tolerates it from now on.";
    QuirkRemoved "quirk-removed" Quirk [W] Risky Patch, QuirkAdded, "The decoder no longer tolerates what a server was known to send.";
    // Answers.
    ResponseEntityChanged "response-entity-changed" Returns [C W S] Breaking Major, same, "The answer has another type.";
    ResponseEntitySupersetted "response-entity-supersetted" Returns [C s] Breaking Major, ResponseEntityChanged, "The new entity has all that the old one has: harmless on the wire, but another type.";
    ResponseCardinalityChanged "response-cardinality-changed" Returns [C W S] Breaking Major, same, "One entity became a list of them, or a list one entity.";
    ResponseBodyAdded "response-body-added" Returns [C s] Breaking Major, ResponseBodyRemoved, "An answer that was empty has a body.";
    ResponseBodyRemoved "response-body-removed" Returns [C W] Breaking Major, ResponseBodyAdded, "An answer that had a body is empty.";
    ResponseTypeWidened "response-type-widened" Returns [C W] Breaking Major, ResponseTypeNarrowed, "It may answer another type as well, which old decoders do not read.";
    ResponseTypeNarrowed "response-type-narrowed" Returns [C S] Breaking Major, ResponseTypeWidened, "It answers fewer of the types than before: harmless on the wire, but another type.";
    AnswerInProgramChanged "answer-in-program-changed" Returns [W S] Risky Patch, same, "A program answers another of the types that the operation may answer; the type in Rust stays, and the OpenAPI of its releases differs.";
    AnswerInProgramWidened "answer-in-program-widened" Returns [W] Risky Patch, AnswerInProgramNarrowed, "A program answers more of the types that the operation may answer, so that calls meet them there too.";
    AnswerInProgramNarrowed "answer-in-program-narrowed" Returns [S] Compatible Patch, AnswerInProgramWidened, "A program answers fewer of the types that the operation may answer: clients read them already.";
    MediaTypeChanged "media-type-changed" MediaType [W S] Risky Patch, same, "What reads answers by their media type takes another way; servers send another one.";
    PayloadChanged "payload-changed" Payload [C W S] Breaking Major, same, "The event brings something else, so that its variant holds another type.";
    SuccessStatusChanged "success-status-changed" Success [W S] Risky Patch, same, "A client takes any 2xx as a success, but code that polls looks at the status.";
    IncludedEntityChanged "included-entity-changed" Members [C] Breaking Major alike [] Compatible, same, "Conversions from and to the entity that it takes its fields from are gone or others.";
    EntityBecameKnown "entity-became-known" Members [C] Breaking Major, EntityBecameOpaque, "An opaque JSON value becomes a struct.";
    EntityBecameOpaque "entity-became-opaque" Members [C W] Breaking Major, EntityBecameKnown, "A struct becomes an opaque JSON value.";
    // Enumerations.
    EnumValueAddedRequest "enum-value-added-request" Existence [s] Compatible Minor, EnumValueRemovedRequest, "More can be sent.";
    EnumValueAddedResponse "enum-value-added-response" Existence [] Compatible Minor, EnumValueRemovedResponse, "The enumeration is open: what was unrecognized becomes a variant; compare by `as_str()`.";
    EnumValueRemovedRequest "enum-value-removed-request" Existence [C W] Breaking Major, EnumValueAddedRequest, "The value is refused, and its variant gone.";
    EnumValueRemovedResponse "enum-value-removed-response" Existence [C] Breaking Major, EnumValueAddedResponse, "It is never sent again, and its variant gone.";
    StringBecameEnum "string-became-enum" Type [C W] Breaking Major, EnumBecameString, "The values are restricted, and the type is another.";
    EnumBecameString "enum-became-string" Type [C] Breaking Major, StringBecameEnum, "Any text may come; the type is another.";
    EnumDirectionExtended "enum-direction-extended" Use [W] Risky Patch, ("backwards it restricts nobody, and the types that no longer name it are told"), "Its values appear in requests or in answers where they did not before.";
    // Since, per program.
    SinceMovedEarlier "since-moved-earlier" Since [W] Risky Patch, SinceMovedLater, "The gate opens on releases that were excluded.";
    SinceMovedLater "since-moved-later" Since [W] Risky Patch, SinceMovedEarlier, "The gate closes on releases that were allowed.";
    SinceCrossedFloorDown "since-crossed-floor-down" Since [C] Breaking Major, SinceCrossedFloorUp, "Every supported release has it now: `Option<T>` becomes `T`.";
    SinceCrossedFloorUp "since-crossed-floor-up" Since [C W] Breaking Major alike [] Compatible, SinceCrossedFloorDown, "Not every supported release has it: `T` becomes `Option<T>`.";
    SinceBecameKnown "since-became-known" Since [] Compatible Patch, SinceBecameUnknown, "It was unknown, and a source says it now.";
    SinceBecameUnknown "since-became-unknown" Since [W] Risky Patch, SinceBecameKnown, "No source says it any more: the gate can no longer decide.";
    SinceBecameSupported "since-became-supported" Since [] Compatible Minor, SinceBecameUnsupported, "The program was said never to have it: the gate opens.";
    SinceBecameUnsupported "since-became-unsupported" Since [W] Breaking Patch, SinceBecameSupported, "The program never had it after all: the gate refuses every call.";
    WorksSinceChanged "works-since-changed" WorksSince [W] Risky Patch, same, "Another release is the first in which it has an effect, or in which it answers nothing until then.";
    AbsenceChanged "absence-changed" Absence [W] Risky Patch, same, "Other releases lack it between two that have it.";
    SinceRewrittenUnproven "since-rewritten-unproven" Since [W] Risky Patch, same, "A Since of a release that was looked at changed, and the item states no new evidence of its own.";
    FrozenFactChanged "frozen-fact-changed" Frozen [W] Risky Patch, same, "A version at or below the freeze line changed. Facts of published releases change only with evidence of at least the old class.";
    ReleaseRegistered "release-registered" Release [] Compatible Patch, ReleaseUnregistered, "The line between old and new moves.";
    ReleaseUnregistered "release-unregistered" Release [W] Risky Patch, ReleaseRegistered, "The line between old and new moves back.";
    LookedAtRaised "looked-at-raised" Release [] Compatible Patch, LookedAtLowered, "More releases were looked at: what they lack is known not to be there.";
    LookedAtLowered "looked-at-lowered" Release [W] Risky Patch, LookedAtRaised, "Fewer releases were looked at: what the others have is unknown again.";
    ImplementationAdded "implementation-added" Program [] Compatible Minor, ImplementationRemoved, "Every item gets one more program. It guarantees nothing until the program has a floor.";
    ImplementationRemoved "implementation-removed" Program [C W] Breaking Major, ImplementationAdded, "Generated code and gates no longer know the program.";
    ImplementationChanged "implementation-changed" Program [W] Risky Patch, same, "The program, or a release of it, is recognised by other names or numbers.";
    RecognitionChanged "recognition-changed" Recognition [W] Risky Patch, same, "Version strings are taken for another program or release, and gates decide by that.";
    WaysChanged "ways-changed" Ways [W] Risky Patch, same, "A client reads or sends something else where it meets the program.";
    EmulationChanged "emulation-changed" Ways [S] Risky Patch, same, "A server that emulates the program does something else.";
    FloorRaised "floor-raised" Floor [C W] Breaking Major alike [] Compatible, FloorLowered, "The oldest supported release is newer: dead items go, and `Option<T>` becomes `T`.";
    FloorLowered "floor-lowered" Floor [C] Breaking Major, FloorRaised, "The oldest supported release is older: `T` becomes `Option<T>`.";
    // The rest of a life.
    DeprecatedAdded "deprecated-added" Deprecated [] Compatible Minor, DeprecatedWithdrawn, "A release discourages it.";
    DeprecatedWithdrawn "deprecated-withdrawn" Deprecated [] Compatible Patch, DeprecatedAdded, "No release discourages it after all.";
    DeprecatedMoved "deprecated-moved" Deprecated [] Docs Patch, same, "Another release discourages it first; only text changes.";
    ReplacementChanged "replacement-changed" Replacement [] Docs Patch, same, "Something else is to be used instead; only text changes.";
    FallbackChanged "fallback-changed" StandsIn [W] Risky Patch, same, "On servers that lack the replacement, a client calls another operation instead, or none.";
    StandsInChanged "stands-in-changed" StandsIn [W] Risky Patch, same, "What an adapted request sends, and what is made of its answer, is something else.";
    RemovedAdded "removed-added" Removed [W] Risky Minor, RemovedWithdrawn, "A release dropped it; the symbol stays as long as an older release is supported.";
    RemovedAddedUndeprecated "removed-added-undeprecated" Removed [W] Breaking Minor, RemovedWithdrawn, "A release dropped it without deprecating it before.";
    RemovedMovedEarlier "removed-moved-earlier" Removed [W] Risky Patch, RemovedMovedLater, "The gate closes on releases that were allowed.";
    RemovedMovedLater "removed-moved-later" Removed [] Compatible Patch, RemovedMovedEarlier, "The gate opens on releases that were excluded.";
    RemovedWithdrawn "removed-withdrawn" Removed [] Compatible Patch, ("backwards it is removed-added or removed-added-undeprecated, by whether it is deprecated"), "No release dropped it after all.";
    ChangeRecorded "change-recorded" Changed [] Compatible Patch, ChangeWithdrawn, "A change in place is recorded: what a release did to it is known.";
    ChangeWithdrawn "change-withdrawn" Changed [] Compatible Patch, ChangeRecorded, "A change in place is no longer recorded.";
    // Requirements on callers.
    AuthAdded "auth-added" Token [W] Breaking Patch, AuthDropped, "Calls without a token fail.";
    AuthDropped "auth-dropped" Token [s] Compatible Patch, AuthAdded, "No token is needed any more.";
    TokenKindTightened "token-kind-tightened" Token [W] Breaking Patch, TokenKindLoosened, "A kind of token that was enough is refused.";
    TokenKindLoosened "token-kind-loosened" Token [s] Compatible Patch, TokenKindTightened, "A kind of token that was refused is enough.";
    ScopeTightened "scope-tightened" Scope [W] Breaking Patch, ScopeLoosened, "Tokens with the old scope no longer do.";
    ScopeLoosened "scope-loosened" Scope [s] Compatible Patch, ScopeTightened, "Tokens with less do.";
    ScopeChanged "scope-changed" Scope [W S] Breaking Patch, same, "Tokens with the old scope get 403.";
    RoleChanged "role-changed" Role [W] Risky Patch, same, "Another permission is needed.";
    // Paging and errors.
    PaginationAdded "pagination-added" Paging [C W] Breaking Major, PaginationRemoved, "A list becomes a page.";
    PaginationRemoved "pagination-removed" Paging [C W] Breaking Major, PaginationAdded, "A page becomes a list.";
    PaginationCursorChanged "pagination-cursor-changed" Paging [C W] Breaking Major, same, "Stored positions of the old kind lead nowhere.";
    ErrorStatusAdded "error-status-added" Errors [] Compatible Patch, ErrorStatusRemoved, "Clients handle every status; one more is documented.";
    ErrorStatusRemoved "error-status-removed" Errors [] Docs Patch, ErrorStatusAdded, "Clients handle every status; one is no longer documented.";
    ErrorStatusChanged "error-status-changed" Errors [W] Risky Patch, same, "Code that branches on the status takes another branch.";
    ErrorEntityChanged "error-entity-changed" Errors [C W] Breaking Major alike [W] Risky, same, "The body of an error has another type.";
    // Features.
    FeatureAdded "feature-added" Existence [] Compatible Minor, FeatureRemoved, "Items have a common name: a constant, a page and a badge.";
    FeatureRemoved "feature-removed" Existence [C] Breaking Major, FeatureAdded, "Its constant is gone, and links to its page and its badge lead nowhere.";
    FeatureItemsChanged "feature-items-changed" Feature [W] Risky Patch, same, "Other items decide whether a server has the feature.";
    FeatureSinceChanged "feature-since-changed" Feature [] Compatible Patch, same, "Its items moved, or are others: their own findings say whom that hits.";
    // Knowledge and text.
    FactBecameKnown "fact-became-known" Knowledge [] Compatible Patch, FactBecameUnknown, "A fact that no source stated is known; no generated type changes by it.";
    FactBecameUnknown "fact-became-unknown" Knowledge [W] Risky Patch, FactBecameKnown, "No source states the fact any more.";
    ProvenanceOnlyChanged "provenance-only-changed" Evidence [] Docs None, same, "The fact stays; its evidence is another.";
    ProvenanceWeakened "provenance-weakened" Evidence [] Risky None, ProvenanceOnlyChanged, "The fact stays; its evidence is gone or proves less.";
    StatementChanged "statement-changed" Text [] Docs None, same, "It is written otherwise, and nothing that is made of the catalogue differs by it.";
    OrderOnlyChanged "order-only-changed" Order [] Docs None, same, "Only the order differs; arguments of constructors are judged apart.";
    DocsOnlyChanged "docs-only-changed" Text [] Docs Patch, same, "Only text differs.";
    RustChanged "rust-changed" Any [C] Breaking Major, ("backwards what is gone is rust-new"), "A public item of the generated crate is gone or different, and no other finding tells why.";
    RustNew "rust-new" Any [] Compatible Minor, ("backwards it is gone: rust-changed"), "The generated crate has a new public item, and no other finding tells why.";
    UnclassifiedChange "unclassified-change" Any [C W S] Risky Major, same, "No rule covers this difference, so that the worst is assumed.";
}

/// Rules of the design that this model makes impossible, and why.
#[rustfmt::skip]
pub static IMPOSSIBLE: &[(&str, &str)] = &[
    ("item-added-unreleased", "the check refuses a Since newer than the newest registered release, and pre-releases: the side is invalid"),
    ("field-added-guaranteed", "no struct has what every supported release sends: constructor-changed says what `new` takes"),
    ("response-header-added", "the model holds no headers of answers; Link is paging"),
    ("response-header-removed", "the model holds no headers of answers; Link is paging"),
    ("since-older-than-parent", "the check refuses it inside one state unless a reason is declared: the side is invalid, exit 2"),
    ("lifecycle-order-violated", "the check refuses it inside one state: the side is invalid, exit 2"),
    ("pagination-limits-changed", "limits of pages are limits of the parameter `limit`: param-limit-tightened, param-limit-loosened"),
    ("pagination-order-changed", "the model does not say how pages are ordered"),
    ("schema-version-changed", "a state in a former format is read as one of today's; a note on stderr says so"),
];
