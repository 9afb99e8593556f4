//! Setters of values that a test builds up.

/// Public methods that set a field, each with its documentation: `name(given: Type) => field = value;`.
macro_rules! setters {
    ($($(#[$about:meta])* $name:ident($($given:ident: $type:ty)?) => $($field:ident).+ = $value:expr;)+) => {
        $($(#[$about])*
        pub fn $name(mut self, $($given: $type)?) -> Self {
            self.$($field).+ = $value;
            self
        })+
    };
}

pub(crate) use setters;
