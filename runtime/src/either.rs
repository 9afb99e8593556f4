//! Values of one of two types.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::de::{self, Fault, FromJson, Input};
use crate::param::{Expected, FromParam, Given, ToParam, Value};
use crate::ser::{self, Output, ToJson};

/// A value of one of two types, where nothing in the API tells which.
///
/// It is read as the type that has more of the value's keys as fields, as the first type on a tie, and as the other one where that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Either<A, B> {
    /// A value of the first type.
    First(A),
    /// A value of the second type.
    Second(B),
}

impl<A, B> Either<A, B> {
    /// The value, if it is of the first type.
    pub fn first(self) -> Option<A> {
        match self {
            Self::First(value) => Some(value),
            Self::Second(_) => None,
        }
    }

    /// The value, if it is of the second type.
    pub fn second(self) -> Option<B> {
        match self {
            Self::First(_) => None,
            Self::Second(value) => Some(value),
        }
    }
}

impl<A: ToJson, B: ToJson> Serialize for Either<A, B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ser::serialize(self, serializer)
    }
}

impl<'de, A: FromJson, B: FromJson> Deserialize<'de> for Either<A, B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        de::deserialize(deserializer)
    }
}

/// An empty body reads as null does.
impl<A: FromJson, B: FromJson> FromJson for Either<A, B> {
    fn blank() -> Self {
        Self::First(A::blank())
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        if input.is_over() {
            return self.read(&mut Input::new("null"));
        }
        if input.is_scored() {
            let best = input.score::<A>()?.max(input.score::<B>()?);
            return Err(input.end_score(best));
        }
        let mark = input.mark();
        let is_first = input.score::<A>()? >= input.score::<B>()?;
        let mut attempt = |is_first: bool| {
            input.rewind(mark);
            if is_first {
                let mut first = A::blank();
                first.read(input).map(|()| Self::First(first))
            } else {
                let mut second = B::blank();
                second.read(input).map(|()| Self::Second(second))
            }
        };
        *self = attempt(is_first).or_else(|fault| attempt(!is_first).map_err(|_| fault))?;
        Ok(())
    }
}

impl<A: ToJson, B: ToJson> ToJson for Either<A, B> {
    #[inline]
    fn write(&self, to: &mut Output) {
        match self {
            Self::First(value) => value.write(to),
            Self::Second(value) => value.write(to),
        }
    }
}

impl<A: ToParam, B: ToParam> ToParam for Either<A, B> {
    fn to_param(&self) -> Value<'_> {
        match self {
            Self::First(value) => value.to_param(),
            Self::Second(value) => value.to_param(),
        }
    }
}

/// A text that reads as either type is of the first one.
impl<A: FromParam, B: FromParam> FromParam for Either<A, B> {
    const EMPTY_IS_VALUE: bool = A::EMPTY_IS_VALUE || B::EMPTY_IS_VALUE;

    fn blank() -> Self {
        Self::First(A::blank())
    }

    fn from_param(given: Given) -> Result<Self, Expected> {
        let first = A::from_param(given.clone());
        first
            .map(Self::First)
            .or_else(|expected| { B::from_param(given) }.map(Self::Second).map_err(|_| expected))
    }
}

#[cfg(test)]
mod tests {
    use super::{Either, Expected, FromParam, Given, ToParam, Value};
    use crate::{Empty, Json};
    use serde::Deserialize;

    #[derive(Debug, PartialEq, crate::Entity)]
    #[entity(crate = crate)]
    struct Status {
        id: Option<String>,
        content: Option<String>,
    }

    #[derive(Debug, PartialEq, crate::Entity)]
    #[entity(crate = crate)]
    struct Scheduled {
        id: Option<String>,
        scheduled_at: Option<String>,
    }

    fn status(content: &str) -> Status {
        Status { id: None, content: Some(content.to_owned()) }
    }

    fn read<T: for<'de> Deserialize<'de>>(json: &str) -> Result<T, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn is_the_one_that_fits_better() {
        type Posted = Either<Scheduled, Status>;
        assert_eq!(read::<Posted>(r#"{"content":"a"}"#), Ok(Either::Second(status("a"))));
        let scheduled = read::<Posted>(r#"{"id":"1","scheduled_at":"a"}"#).expect("one of two");
        assert!(scheduled.first().is_some());
        assert!(read::<Posted>(r#"{"id":"1"}"#).expect("one of two").first().is_some());
        assert!(read::<Posted>("3").is_err());
    }

    #[test]
    fn a_parameter_is_of_the_first_type_that_it_reads_as() {
        type Seconds = Either<i64, String>;
        let read = |given| Seconds::from_param(given);
        let text = |text: &str| Given::Text(text.to_owned());
        assert_eq!(read(text("40")), Ok(Either::First(40)));
        assert_eq!(read(Given::Number(40.into())), Ok(Either::First(40)));
        assert_eq!(read(text("never")), Ok(Either::Second("never".to_owned())));
        assert_eq!(read(Given::Null), Err(Expected("a whole number")));
        assert!(matches!(Seconds::First(40).to_param(), Value::Integer(40)));
    }

    #[test]
    fn lists_and_nothing_are_told_apart() {
        type Listed = Either<Status, Vec<Status>>;
        type Texts = Either<Vec<String>, Vec<Status>>;
        type Perhaps = Either<Status, Empty>;
        type Anything = Either<Json, Status>;

        assert_eq!(read::<Listed>(r#"[{"content":"a"}]"#), Ok(Either::Second(vec![status("a")])));
        assert_eq!(read::<Listed>(r#"{"content":"a"}"#), Ok(Either::First(status("a"))));
        assert_eq!(read::<Texts>(r#"["a"]"#), Ok(Either::First(vec!["a".to_owned()])));
        assert_eq!(read::<Texts>(r#"[{"content":"a"}]"#), Ok(Either::Second(vec![status("a")])));
        assert_eq!(read::<Perhaps>("{}"), Ok(Either::Second(Empty)));
        assert_eq!(read::<Perhaps>(r#"{"content":"a"}"#), Ok(Either::First(status("a"))));
        assert_eq!(
            serde_json::to_value(Perhaps::Second(Empty)).expect("json"),
            serde_json::json!({})
        );
        assert!(read::<Anything>(r#"{"content":"a"}"#).expect("one of two").second().is_some());
    }
}
