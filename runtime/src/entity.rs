//! Objects that the API answers.

/// An object that the API answers.
pub trait Entity {
    /// Its id in the catalogue: `Account`.
    const NAME: &'static str;
}

/// Makes a type an [`Entity`] of its own name: `entity!(Account);`, or of another: `entity!(Type_ = "Type");`.
#[macro_export]
macro_rules! entity {
    ($type:ident) => {
        $crate::entity!($type = ::core::stringify!($type));
    };
    ($type:ident = $name:expr) => {
        impl $crate::Entity for $type {
            const NAME: &'static str = $name;
        }
    };
}

/// Keeps the literals of a struct open.
///
/// A struct with a field of this type is built with `..`, from a value that has it, so that a field more breaks nobody. (The attribute
/// `#[non_exhaustive]` would forbid other crates the literal altogether.)
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NonExhaustive(());
