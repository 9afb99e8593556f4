//! Macros that generated code calls.

/// Implements [`OpenEnum`](crate::OpenEnum) and the conversions of an enumeration to and from the text of each variant. The enumeration
/// needs a variant `Unrecognized(Box<str>)` for all other texts, which only answers and `custom` make.
///
/// ```
/// use fedispec_runtime as rt;
///
/// #[derive(Debug, Clone, PartialEq, Eq, Hash)]
/// #[non_exhaustive]
/// pub enum Visibility {
///     Public,
///     Private,
///     Unrecognized(Box<str>),
/// }
/// rt::open_enum!(Visibility { Public = "public", Private = "private" });
///
/// assert_eq!(Visibility::custom("private"), Visibility::Private);
/// assert_eq!(Visibility::custom("mutuals").as_str(), "mutuals");
/// assert_eq!(Visibility::KNOWN.len(), 2);
/// ```
#[macro_export]
macro_rules! open_enum {
    ($type:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        impl $type {
            /// The listed values.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant),*];

            /// Its text in JSON and in requests.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::Unrecognized(text) => text,
                }
            }

            /// The value of any text, also of one that is not listed. A client whose policy is strict or adapts does not send such a value,
            /// unless that is allowed (`Client::allowing`).
            #[inline]
            pub fn custom(text: &str) -> Self {
                $crate::OpenEnum::known(text).unwrap_or_else(|| Self::Unrecognized(text.into()))
            }
        }

        impl $crate::OpenEnum for $type {
            const KNOWN: &'static [Self] = Self::KNOWN;
            const TEXTS: &'static [&'static str] = &[$($text),*];

            fn as_str(&self) -> &str {
                self.as_str()
            }

            #[inline]
            fn unrecognized(text: ::std::boxed::Box<str>) -> Self {
                Self::Unrecognized(text)
            }
        }

        impl ::core::convert::AsRef<str> for $type {
            #[inline]
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl ::core::fmt::Display for $type {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl $crate::codegen::serde::Serialize for $type {
            #[inline]
            fn serialize<S: $crate::codegen::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::codegen::serde::Deserialize<'de> for $type {
            #[inline]
            fn deserialize<D: $crate::codegen::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::codegen::open_enum::deserialize(deserializer)
            }
        }

        impl $crate::de::FromJson for $type {
            #[inline]
            fn blank() -> Self {
                Self::Unrecognized(::core::default::Default::default())
            }

            #[inline]
            fn read(
                &mut self,
                input: &mut $crate::codegen::de::Input<'_>,
            ) -> ::core::result::Result<(), $crate::codegen::de::Fault> {
                $crate::codegen::open_enum::read(self, input)
            }
        }

        impl $crate::ser::ToJson for $type {
            #[inline]
            fn write(&self, to: &mut $crate::ser::Output) {
                $crate::codegen::open_enum::write(self, ::core::stringify!($type), to);
            }
        }

        impl $crate::codegen::ToParam for $type {
            #[inline]
            fn to_param(&self) -> $crate::codegen::Value<'_> {
                $crate::codegen::open_enum::to_param(self)
            }
        }

        impl $crate::codegen::FromParam for $type {
            const ENUMERATION: &'static str = ::core::stringify!($type);
            const LISTED: &'static [&'static str] = &[$($text),*];

            #[inline]
            fn blank() -> Self {
                <Self as $crate::de::FromJson>::blank()
            }

            #[inline]
            fn from_param(
                given: $crate::codegen::Given,
            ) -> ::core::result::Result<Self, $crate::codegen::Expected> {
                let text = $crate::codegen::open_enum::text_of(given)?;
                ::core::result::Result::Ok(Self::custom(&text))
            }
        }
    };
}

/// Implements [`Encode`](crate::client::Encode) by a table of the fields, each with the encoder's method and the index of its parameter:
/// `encode!(polls::Vote { id = required(0), choices = list(1) })`. One that is made of another is sent as that is: `encode!(Schedule(Create))`.
#[doc(hidden)]
#[cfg(feature = "client")]
#[macro_export]
macro_rules! encode {
    (request $request:ident $(answers $answer:ty)? { $($table:tt)* }) => {
        $crate::encode!($request { $($table)* });
    };
    ($request:ident($plain:ident)) => {
        impl $crate::client::Encode for $request {
            #[inline]
            fn encode<'a>(&'a self, to: &mut $crate::codegen::Encoder<'a>) {
                self.0.encode(to);
            }
        }
    };
    ($request:ty { $($field:ident = $method:ident($index:literal)),* $(,)? }) => {
        impl $crate::client::Encode for $request {
            #[inline]
            fn encode<'a>(&'a self, to: &mut $crate::codegen::Encoder<'a>) {
                $(to.$method($index, &self.$field);)*
            }
        }
    };
}

/// Implements [`Decode`](crate::codegen::Decode) by a table of the fields, each with the constructor of its
/// [`Field`](crate::codegen::Field) and the index of its parameter:
/// `decode!(polls::Vote { id = required(0), choices = required_list(1) })`. A `request` may be mounted on its own.
#[doc(hidden)]
#[cfg(feature = "server")]
#[macro_export]
macro_rules! decode {
    (request $request:ident { $($table:tt)* }) => {
        $crate::decode!(
            request $request answers <$request as $crate::Request>::Answer { $($table)* }
        );
    };
    (request $request:ident answers $answer:ty { $($table:tt)* }) => {
        impl $crate::server::Handled for $request {
            type Answered = $answer;
        }
        $crate::decode!($request { $($table)* });
    };
    ($request:ident($plain:ident)) => {};
    ($request:ty { $($field:ident = $method:ident($index:literal)),* $(,)? }) => {
        impl $crate::codegen::Decode for $request {
            #[allow(unused_mut, reason = "a request without parameters stays as it is")]
            fn decode(
                from: &mut $crate::codegen::Decoder,
            ) -> ::core::result::Result<Self, $crate::codegen::Invalid> {
                let mut request = Self { $($field: $crate::codegen::Unset::unset()),* };
                from.fill(&mut [
                    $($crate::codegen::Field::$method($index, &mut request.$field)),*
                ])?;
                ::core::result::Result::Ok(request)
            }
        }
    };
}
