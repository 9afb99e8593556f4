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

/// What a change asks of the crate's version.
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
}

/// Who is hit.
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

    /// Who that is, for a person.
    pub fn who(self) -> &'static str {
        match self {
            Self::Source => "your code",
            Self::Wire => "running calls",
            Self::Server => "servers",
            Self::Gap => "servers have more to do",
        }
    }
}

/// What the change backwards is called.
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
    /// Which.
    pub rule: RuleId,
    /// Its name.
    pub id: &'static str,
    /// Whom it hits.
    pub breaks: &'static [Audience],
    /// How badly.
    pub severity: Severity,
    /// What it asks of the crate's version.
    pub bump: Bump,
    /// What it becomes where the old value is proven never to have worked.
    pub proven: Option<(Severity, Bump)>,
    /// What the change backwards is called.
    pub mirror: Mirror,
    /// Why.
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
    ($($name:ident $id:literal [$($letter:ident)*] $severity:ident $bump:ident $(proven $proven:ident $to:ident)?, $mirror:tt, $why:literal;)*) => {
        /// The name of a rule.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "each is described in its rule")]
        pub enum RuleId { $($name),* }

        impl RuleId {
            /// What it says.
            pub fn rule(self) -> &'static Rule { &RULES[self as usize] }
        }

        /// Every rule, in the order of the catalogue of rules.
        pub static RULES: &[Rule] = &[$(Rule {
            rule: RuleId::$name,
            id: $id,
            breaks: breaks!($($letter)*),
            severity: Severity::$severity,
            bump: Bump::$bump,
            proven: proven!($($proven $to)?),
            mirror: mirror!($mirror),
            why: $why,
        }),*];
    };
}

impl RuleId {
    /// Whether it tells that a type is another.
    pub(super) fn is_of_type(self) -> bool {
        let id = self.rule().id;
        let prefixes = [
            "param-type-",
            "field-type-",
            "string-became-",
            "enum-became-",
        ];
        prefixes.iter().any(|prefix| id.starts_with(prefix))
    }

    /// Whether it tells that an item came, went, or goes by another id.
    pub fn is_of_existence(self) -> bool {
        let id = self.rule().id;
        let of_parts = [
            Self::PathArgAdded,
            Self::PathArgRemoved,
            Self::ParamAddedRequired,
            Self::FieldAddedGuaranteed,
            Self::FieldMovedEntity,
        ];
        id.starts_with("item-") || id.starts_with("enum-value-") || of_parts.contains(&self)
    }
}

/// The rule of that name.
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

#[rustfmt::skip]
rules! {
    // Existence of any item.
    ItemAdded "item-added" [s] Compatible Minor, ItemDeleted, "A release newer than any that the base knows brought it; structs and enumerations can grow.";
    ItemAddedBackdated "item-added-backdated" [] Compatible Minor, ItemDeleted, "We had missed it; no server changed.";
    ItemAddedBackdatedUnproven "item-added-backdated-unproven" [W] Risky Minor, ItemDeleted, "It is said to be old, and nothing proves it: rewriting history needs evidence.";
    ItemAddedWithoutSince "item-added-without-since" [W] Risky Minor, ItemDeleted, "No program is known to have it, so that a gate cannot decide; it stays optional.";
    ItemDeleted "item-deleted" [C W] Breaking Major, ("backwards it is one of the rules of addition, which judge its Since"), "The symbol vanishes. That nobody documents an item any more does not mean that no server has it: say so with a tombstone.";
    ItemRetracted "item-retracted" [C] Risky Major, ("a tombstone is never taken back; that is item-key-reused"), "No server ever had it, so that no call worked; yet the symbol vanishes, because generated code keeps no stub.";
    ItemKeyReused "item-key-reused" [C W] Breaking Major, ("backwards it is item-retracted or item-deleted"), "An id that was laid to rest gets another meaning, and old references silently point to it.";
    ItemRenamed "item-renamed" [C] Breaking Major, ("backwards nothing says so, unless that state declares it too: item-renamed-guess, or a deletion and an addition"), "The id and its Rust name change; what goes over the wire stays.";
    ItemRenamedGuess "item-renamed-guess" [C] Breaking Major, same, "One item went and a similar one came. If it is the same, write `renamed_from`; else it is a deletion and an addition.";
    ItemMovedModule "item-moved-module" [C] Breaking Major, ("backwards nothing says so, unless that state declares it too: item-renamed-guess, or a deletion and an addition"), "The group is part of the Rust path.";
    WireNameChanged "wire-name-changed" [W S] Breaking Major proven Risky Patch, same, "Another name goes over the wire.";
    RustNameChanged "rust-name-changed" [C] Breaking Major, same, "Only the identifier changes; nothing on the wire does.";
    // Operations.
    PathChanged "path-changed" [W S] Breaking Major proven Risky Patch, same, "Servers that have the old path answer 404 on the new one.";
    PathArgRenamed "path-arg-renamed" [] Docs Patch, same, "Path arguments go by position; a changed Rust name is a finding of its own.";
    PathArgAdded "path-arg-added" [C W S] Breaking Major, PathArgRemoved, "The constructor takes one more argument, and the path is another.";
    PathArgRemoved "path-arg-removed" [C W S] Breaking Major, PathArgAdded, "The constructor takes one argument less, and the path is another.";
    MethodChanged "method-changed" [W S] Breaking Major proven Risky Patch, same, "Servers answer 404 or 405 to the wrong method.";
    RequestEncodingChanged "request-encoding-changed" [W S] Breaking Major proven Risky Patch, same, "A server that expects another encoding cannot read the body.";
    // Parameters.
    ParamAddedRequired "param-added-required" [C W S] Breaking Major, ItemDeleted, "Calls without it fail, and the constructor takes one more argument.";
    ParamBecameRequired "param-became-required" [C W] Breaking Major, ParamBecameOptional, "Calls without it fail, and the constructor takes one more argument.";
    ParamBecameOptional "param-became-optional" [C] Breaking Major, ParamBecameRequired, "Harmless on the wire, but the constructor takes one argument less.";
    ParamTypeWidened "param-type-widened" [C s] Breaking Major, ParamTypeNarrowed, "More is accepted; the field and its setter have another type.";
    ParamTypeNarrowed "param-type-narrowed" [C W] Breaking Major, ParamTypeWidened, "Something that was accepted is refused.";
    ParamTypeChanged "param-type-changed" [C W S] Breaking Major, same, "Neither type holds the other.";
    ParamFormatChanged "param-format-changed" [C W] Breaking Major proven Risky Major, same, "The text is refused or misread.";
    ParamBecameNullable "param-became-nullable" [s] Compatible Minor, ParamBecameNotNullable, "Null may be sent now.";
    ParamBecameNotNullable "param-became-not-nullable" [C W] Breaking Major, ParamBecameNullable, "Null is refused now.";
    ParamDefaultChanged "param-default-changed" [W] Risky Patch, same, "Leaving it out means something else.";
    ParamLimitTightened "param-limit-tightened" [W] Breaking Patch, ParamLimitLoosened, "A value that was accepted is refused or cut.";
    ParamLimitLoosened "param-limit-loosened" [s] Compatible Patch, ParamLimitTightened, "More values are accepted.";
    ParamCombinationTightened "param-combination-tightened" [W] Breaking Patch, ParamCombinationLoosened, "A combination that was accepted is refused.";
    ParamCombinationLoosened "param-combination-loosened" [s] Compatible Patch, ParamCombinationTightened, "More combinations are accepted.";
    ParamLocationChanged "param-location-changed" [W S] Breaking Major proven Risky Patch, same, "A server looks for it elsewhere.";
    ConstructorChanged "constructor-changed" [C] Breaking Major, same, "A constructor is gone, or takes other arguments or the same in another order.";
    // Fields.
    FieldAddedGuaranteed "field-added-guaranteed" [C] Breaking Major, ItemDeleted, "Every release has it, so that a server's `required::..` literal must name it.";
    FieldBecameOptional "field-became-optional" [C W] Breaking Major, FieldBecameRequired, "`T` becomes `Option<T>`, and old code relies on its presence.";
    FieldBecameRequired "field-became-required" [C S] Breaking Major, FieldBecameOptional, "`Option<T>` becomes `T`: harmless on the wire, but another type.";
    FieldBecameNullable "field-became-nullable" [C W] Breaking Major, FieldBecameNotNullable, "`T` becomes `Option<T>`, and old decoders fail on null.";
    FieldBecameNotNullable "field-became-not-nullable" [C S] Breaking Major, FieldBecameNullable, "`Option<T>` becomes `T`: harmless on the wire, but another type.";
    FieldTypeWidened "field-type-widened" [C W] Breaking Major, FieldTypeNarrowed, "Servers may send what old decoders do not read.";
    FieldTypeNarrowed "field-type-narrowed" [C S] Breaking Major, FieldTypeWidened, "Harmless on the wire, but another type.";
    FieldTypeChanged "field-type-changed" [C W S] Breaking Major, same, "Neither type holds the other.";
    FieldFormatChanged "field-format-changed" [C W] Breaking Major, same, "Old code cannot parse the text.";
    FieldMovedEntity "field-moved-entity" [C W] Breaking Major, ("backwards nothing says so, unless that state declares it too: a deletion and an addition"), "It stands in another entity.";
    FieldPresenceNoteChanged "field-presence-note-changed" [W] Risky Patch, same, "The same type, seen more or less often, or otherwise when it is missing.";
    OnOlderChanged "on-older-changed" [] Risky Patch, same, "A server that stands in for an older release shows something else instead of the value.";
    QuirkAdded "quirk-added" [] Compatible Patch, QuirkRemoved, "A server sends something else than promised; the decoder tolerates it from now on.";
    QuirkRemoved "quirk-removed" [W] Risky Patch, QuirkAdded, "The decoder no longer tolerates what a server was known to send.";
    // Answers.
    ResponseEntityChanged "response-entity-changed" [C W S] Breaking Major, same, "The answer has another type.";
    ResponseEntitySupersetted "response-entity-supersetted" [C s] Breaking Major, ResponseEntityChanged, "The new entity has all that the old one has: harmless on the wire, but another type.";
    ResponseCardinalityChanged "response-cardinality-changed" [C W S] Breaking Major, same, "One became many, or many one.";
    ResponseBodyAdded "response-body-added" [C s] Breaking Major, ResponseBodyRemoved, "An answer that was empty has a body.";
    ResponseBodyRemoved "response-body-removed" [C W] Breaking Major, ResponseBodyAdded, "An answer that had a body is empty.";
    SuccessStatusChanged "success-status-changed" [W S] Risky Patch, same, "A client takes any 2xx; but who polls reads the status.";
    EntityBecameKnown "entity-became-known" [C] Breaking Major, EntityBecameOpaque, "An opaque JSON value becomes a struct.";
    EntityBecameOpaque "entity-became-opaque" [C W] Breaking Major, EntityBecameKnown, "A struct becomes an opaque JSON value.";
    // Enumerations.
    EnumValueAddedRequest "enum-value-added-request" [s] Compatible Minor, EnumValueRemovedRequest, "More can be sent.";
    EnumValueAddedResponse "enum-value-added-response" [] Compatible Minor, EnumValueRemovedResponse, "The enumeration is open: what was unrecognized becomes a variant; compare by `as_str()`.";
    EnumValueRemovedRequest "enum-value-removed-request" [C W] Breaking Major, EnumValueAddedRequest, "The value is refused, and its variant gone.";
    EnumValueRemovedResponse "enum-value-removed-response" [C] Breaking Major, EnumValueAddedResponse, "It is never sent again, and its variant gone.";
    StringBecameEnum "string-became-enum" [C W] Breaking Major, EnumBecameString, "The values are restricted, and the type is another.";
    EnumBecameString "enum-became-string" [C] Breaking Major, StringBecameEnum, "Any text may come; the type is another.";
    EnumDirectionExtended "enum-direction-extended" [W] Risky Patch, ("backwards it restricts nobody, and the types that no longer name it are told"), "Its values are seen in a direction where they never were.";
    // Since, per program.
    SinceMovedEarlier "since-moved-earlier" [W] Risky Patch, SinceMovedLater, "The gate opens on releases that were excluded.";
    SinceMovedLater "since-moved-later" [W] Risky Patch, SinceMovedEarlier, "The gate closes on releases that were allowed.";
    SinceCrossedFloorDown "since-crossed-floor-down" [C] Breaking Major, SinceCrossedFloorUp, "Every supported release has it now: `Option<T>` becomes `T`.";
    SinceCrossedFloorUp "since-crossed-floor-up" [C W] Breaking Major, SinceCrossedFloorDown, "Not every supported release has it: `T` becomes `Option<T>`.";
    SinceBecameKnown "since-became-known" [] Compatible Patch, SinceBecameUnknown, "Nobody knew, and now somebody does.";
    SinceBecameUnknown "since-became-unknown" [W] Risky Patch, SinceBecameKnown, "Knowledge is lost: the gate can no longer decide.";
    SinceBecameSupported "since-became-supported" [] Compatible Minor, SinceBecameUnsupported, "A program that never had it has it: the gate opens.";
    SinceBecameUnsupported "since-became-unsupported" [W] Breaking Patch, SinceBecameSupported, "The gate always refuses.";
    WorksSinceChanged "works-since-changed" [W] Risky Patch, same, "The first release in which it does something is another.";
    AbsenceChanged "absence-changed" [W] Risky Patch, same, "The releases that lack it for a while are others.";
    FrozenFactChanged "frozen-fact-changed" [W] Risky Patch, same, "A version at or below the freeze line changed: what was released is rewritten only with evidence of at least the old class.";
    ReleaseRegistered "release-registered" [] Compatible Patch, ReleaseUnregistered, "The line between old and new moves.";
    ReleaseUnregistered "release-unregistered" [W] Risky Patch, ReleaseRegistered, "The line between old and new moves back.";
    ImplementationAdded "implementation-added" [] Compatible Minor, ImplementationRemoved, "A new column; it guarantees nothing until it has a floor.";
    ImplementationRemoved "implementation-removed" [C W] Breaking Major, ImplementationAdded, "A column is gone, and gates no longer know the program.";
    ImplementationChanged "implementation-changed" [W] Risky Patch, same, "The program, or the number that a release publishes, is recognised by other marks.";
    FloorRaised "floor-raised" [C W] Breaking Major, FloorLowered, "The oldest supported release is newer: dead items go, and `Option<T>` becomes `T`.";
    FloorLowered "floor-lowered" [C] Breaking Major, FloorRaised, "The oldest supported release is older: `T` becomes `Option<T>`.";
    // The rest of a life.
    DeprecatedAdded "deprecated-added" [] Compatible Minor, DeprecatedWithdrawn, "A release discourages it.";
    DeprecatedWithdrawn "deprecated-withdrawn" [] Compatible Patch, DeprecatedAdded, "No release discourages it after all.";
    DeprecatedMoved "deprecated-moved" [] Docs Patch, same, "Another release discourages it first; only text changes.";
    ReplacementChanged "replacement-changed" [] Docs Patch, same, "Something else is to be used instead; only text changes.";
    RemovedAdded "removed-added" [W] Risky Minor, RemovedWithdrawn, "A server dropped it; the symbol stays as long as an older release is supported.";
    RemovedAddedUndeprecated "removed-added-undeprecated" [W] Breaking Minor, RemovedWithdrawn, "A server dropped it without notice.";
    RemovedMovedEarlier "removed-moved-earlier" [W] Risky Patch, RemovedMovedLater, "The gate closes on releases that were allowed.";
    RemovedMovedLater "removed-moved-later" [] Compatible Patch, RemovedMovedEarlier, "The gate opens on releases that were excluded.";
    RemovedWithdrawn "removed-withdrawn" [] Compatible Patch, ("backwards it is removed-added or removed-added-undeprecated, by whether it is deprecated"), "No release dropped it after all.";
    ChangeRecorded "change-recorded" [] Compatible Patch, ChangeWithdrawn, "A change in place is recorded: what a release did to it is known.";
    ChangeWithdrawn "change-withdrawn" [] Compatible Patch, ChangeRecorded, "A change in place is no longer recorded.";
    // Who may call.
    AuthAdded "auth-added" [W] Breaking Patch, AuthDropped, "Calls without a token fail.";
    AuthDropped "auth-dropped" [s] Compatible Patch, AuthAdded, "No token is needed any more.";
    TokenKindTightened "token-kind-tightened" [W] Breaking Patch, TokenKindLoosened, "A token of a user is needed.";
    TokenKindLoosened "token-kind-loosened" [s] Compatible Patch, TokenKindTightened, "A token of an application is enough.";
    ScopeTightened "scope-tightened" [W] Breaking Patch, ScopeLoosened, "Tokens with the old scope no longer do.";
    ScopeLoosened "scope-loosened" [s] Compatible Patch, ScopeTightened, "Tokens with less do.";
    ScopeChanged "scope-changed" [W S] Breaking Patch, same, "Tokens with the old scope get 403.";
    RoleChanged "role-changed" [W] Risky Patch, same, "Another permission is needed.";
    // Paging and errors.
    PaginationAdded "pagination-added" [C W] Breaking Major, PaginationRemoved, "A list becomes a page.";
    PaginationRemoved "pagination-removed" [C W] Breaking Major, PaginationAdded, "A page becomes a list.";
    PaginationCursorChanged "pagination-cursor-changed" [C W] Breaking Major, same, "Positions of the old kind lead nowhere.";
    ErrorStatusAdded "error-status-added" [] Compatible Patch, ErrorStatusRemoved, "Errors are open.";
    ErrorStatusRemoved "error-status-removed" [] Docs Patch, ErrorStatusAdded, "Errors are open.";
    ErrorStatusChanged "error-status-changed" [W] Risky Patch, same, "Code branches on it.";
    ErrorEntityChanged "error-entity-changed" [C W] Breaking Major, same, "The body of an error has another type.";
    // Knowledge and text.
    FactBecameKnown "fact-became-known" [] Compatible Minor, FactBecameUnknown, "Nobody knew, and now somebody does; no type changes by it.";
    FactBecameUnknown "fact-became-unknown" [W] Risky Patch, FactBecameKnown, "Knowledge is lost.";
    ProvenanceOnlyChanged "provenance-only-changed" [] Docs None, same, "The fact stays, its proof is another.";
    ProvenanceWeakened "provenance-weakened" [] Risky None, ProvenanceOnlyChanged, "The fact stays, its proof goes or proves less.";
    OrderOnlyChanged "order-only-changed" [] Docs None, same, "Only the order differs; arguments of constructors are judged apart.";
    DocsOnlyChanged "docs-only-changed" [] Docs Patch, same, "Only text differs.";
    UnclassifiedChange "unclassified-change" [C W S] Risky Major, same, "No rule knows this difference; better too much said than too little.";
}

/// Rules of the design that this model makes impossible, and why.
#[rustfmt::skip]
pub static IMPOSSIBLE: &[(&str, &str)] = &[
    ("item-added-unreleased", "the check refuses a Since newer than the newest registered release, and pre-releases: the side is invalid"),
    ("response-header-added", "the model holds no headers of answers; Link is paging"),
    ("response-header-removed", "the model holds no headers of answers; Link is paging"),
    ("since-older-than-parent", "the check refuses it inside one state unless a reason is declared: the side is invalid, exit 2"),
    ("lifecycle-order-violated", "the check refuses it inside one state: the side is invalid, exit 2"),
    ("pagination-limits-changed", "limits of pages are limits of the parameter `limit`: param-limit-tightened, param-limit-loosened"),
    ("pagination-order-changed", "the model does not say how pages are ordered"),
    ("schema-version-changed", "a state in another format cannot be read: exit 2"),
];
