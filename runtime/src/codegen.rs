//! Plumbing that generated code and the expansions of the macros name, apart from the public surface.
//!
//! Nothing here is stable: it changes together with the generator that names it. What a person names is at the root of the crate and in
//! its public modules.

mod macros;

pub use serde;

pub use crate::param::{Expected, FromParam, Given, ToParam, Value};

#[cfg(feature = "client")]
pub use crate::client::encoder::Encoder;
pub use crate::compatibility::fallback::Move;
pub use crate::known::learn;
#[cfg(feature = "server")]
pub use crate::server::{
    answer::IntoAnswer,
    decoder::{Decode, Decoder, Field, Invalid, Unset},
    missing::{NotImplemented, not_implemented},
    routes::{Group, Routes},
    sign_in::flow::{Exchange, OauthFlow, documentation, grant_types},
    written::{Way, Written},
};

/// Reading JSON.
pub mod de {
    pub use crate::de::deserialize;
    pub use crate::de::fault::Fault;
    pub use crate::de::input::Input;
    pub use crate::de::object::{Slot, object};
}

/// Writing JSON.
pub mod ser {
    pub use crate::ser::{Table, object, serialize};
}

/// Implementing open enumerations.
pub mod open_enum {
    pub use crate::open_enum::{deserialize, read, text_of, to_param, write};
}
