//! Macros for what many types have in the same form.

/// Makes the methods of a builder that take it, set one field, and return it: `timeout(timeout: Duration) => timeout = timeout;`. With `const;` before
/// them they are constant.
macro_rules! setters {
    (const; $($(#[$doc:meta])* $name:ident($($value:ident: $type:ty),+) => $field:ident = $set:expr;)+) => {$(
        $(#[$doc])*
        #[must_use]
        pub const fn $name(mut self, $($value: $type),+) -> Self {
            self.$field = $set;
            self
        }
    )+};
    ($($(#[$doc:meta])* $name:ident($($value:ident: $type:ty),+) => $($field:ident).+ = $set:expr;)+) => {$(
        $(#[$doc])*
        #[must_use = "it returns what it has set"]
        pub fn $name(mut self, $($value: $type),+) -> Self {
            self.$($field).+ = $set;
            self
        }
    )+};
}

/// Implements `Debug` of a type of which only some parts can be shown, or may be: `shown!(Reply, own => status, bytes = own.body.len())` by fields and
/// by values that are given a name, `shown!(Token(..))` by nothing. Parameters of the type are named, and not shown: `shown!(Listen<E>, own => listener)`.
macro_rules! shown {
    ($name:ident(..)) => {
        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(::std::concat!(::std::stringify!($name), "(..)"))
            }
        }
    };
    ($name:ident $(<$generic:ident>)?, $own:ident => $($field:ident $(= $value:expr)?),* $(,)?) => {
        impl $(<$generic>)? ::std::fmt::Debug for $name $(<$generic>)? {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                let $own = self;
                f.debug_struct(::std::stringify!($name))
                    $(.field(::std::stringify!($field), &shown!(@ $own, $field $(, $value)?)))*
                    .finish_non_exhaustive()
            }
        }
    };
    (@ $own:ident, $field:ident) => { $own.$field };
    (@ $own:ident, $field:ident, $value:expr) => { $value };
}

/// Implements the conversions of texts into a type whose `new` takes any text.
macro_rules! of_text {
    ($name:ident $(<$generic:ident>)?) => {
        impl $(<$generic: ?Sized>)? From<&str> for $name $(<$generic>)? {
            fn from(text: &str) -> Self {
                Self::new(text)
            }
        }

        impl $(<$generic: ?Sized>)? From<String> for $name $(<$generic>)? {
            fn from(text: String) -> Self {
                Self::new(text)
            }
        }

        impl $(<$generic: ?Sized>)? ::std::str::FromStr for $name $(<$generic>)? {
            type Err = ::std::convert::Infallible;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Ok(Self::new(text))
            }
        }
    };
}

/// Implements what an opaque text is besides, which servers may send as a number: printed, sent and read as the text.
macro_rules! opaque_text {
    ($name:ident $(<$generic:ident>)?) => {
        of_text!($name $(<$generic>)?);

        impl $(<$generic: ?Sized>)? ::std::fmt::Debug for $name $(<$generic>)? {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Debug::fmt(self.as_str(), f)
            }
        }

        impl $(<$generic: ?Sized>)? ::std::fmt::Display for $name $(<$generic>)? {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl $(<$generic: ?Sized>)? ::serde::Serialize for $name $(<$generic>)? {
            fn serialize<S: ::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.as_str())
            }
        }

        impl<'de $(, $generic: ?Sized)?> ::serde::Deserialize<'de> for $name $(<$generic>)? {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                from.deserialize_any($crate::id::TextOrNumber).map(|(text, _)| Self::new(text))
            }
        }

        impl $(<$generic: ?Sized>)? $crate::param::ToParam for $name $(<$generic>)? {
            fn to_param(&self) -> $crate::param::Value<'_> {
                $crate::param::Value::Text(self.as_str().into())
            }
        }

        impl $(<$generic: ?Sized>)? $crate::param::FromParam for $name $(<$generic>)? {
            fn blank() -> Self {
                Self::new("")
            }

            fn from_param(given: $crate::param::Given) -> Result<Self, $crate::param::Expected> {
                let text = $crate::param::text(given);
                text.map(Self::from).map_err(|_| $crate::param::Expected("an id"))
            }
        }
    };
}

/// Implements an error that is one sentence: `sentence!(TooLong, own => "longer than {} bytes", own.0)`.
macro_rules! sentence {
    ($name:ident, $own:ident => $($told:tt)+) => {
        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                let $own = self;
                ::std::write!(f, $($told)+)
            }
        }

        impl ::std::error::Error for $name {}
    };
}
