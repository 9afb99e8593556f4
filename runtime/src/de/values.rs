//! Readers of scalars, trees, options and boxes.

use std::borrow::Cow;

use super::FromJson;
use super::fault::Fault;
use super::input::Input;
use crate::Json;

impl FromJson for bool {
    fn blank() -> Self {
        false
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        *self = input.bool().ok_or_else(|| input.unexpected("a boolean"))?;
        Ok(())
    }
}

macro_rules! number {
    ($($type:ty: $from_integer:expr),*) => {$(
        impl FromJson for $type {
            fn blank() -> Self {
                Self::default()
            }

            fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
                let mark = input.mark();
                let number = input.number().and_then(|number| {
                    let integer = plain_integer(number).and_then($from_integer);
                    integer.or_else(|| serde_json::from_str(number).ok())
                });
                *self = match number {
                    Some(number) => number,
                    None => {
                        input.rewind(mark);
                        input.decode()?
                    }
                };
                Ok(())
            }
        }
    )*};
}

number!(i64: Some, u64: |number| number.try_into().ok(), u32: |number| number.try_into().ok(), f64: |_| None);

/// An integer without sign, fraction and exponent that fits, as most numbers are.
fn plain_integer(number: &str) -> Option<i64> {
    match number.as_bytes() {
        // JSON has no leading zeros.
        [b'0'] | [b'1'..=b'9', ..] => number.parse().ok(),
        _ => None,
    }
}

impl FromJson for String {
    fn blank() -> Self {
        Self::new()
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        if input.is_scored() {
            let is_text = input.string()?.is_some();
            return Err(input.end_score(usize::from(is_text)));
        }
        *self = match input.plain_string() {
            Some(text) => text.to_owned(),
            None => text(input)?.into_owned(),
        };
        Ok(())
    }

    fn accept() -> &'static str {
        "*/*"
    }

    fn read_plain(&mut self, body: &str) -> bool {
        body.clone_into(self);
        true
    }
}

/// Reads a string.
pub(crate) fn text<'a>(input: &mut Input<'a>) -> Result<Cow<'a, str>, Fault> {
    input.string()?.ok_or_else(|| input.unexpected("a string"))
}

/// Reads a string; a number becomes its text, as it was sent.
pub(crate) fn text_or_number(input: &mut Input<'_>, into: &mut Box<str>) -> Result<(), Fault> {
    if let Some(text) = input.string()? {
        *into = text.into();
        return Ok(());
    }
    let mark = input.mark();
    match input.number() {
        Some(number) if serde_json::from_str::<serde_json::Number>(number).is_ok() => {
            *into = number.into();
            Ok(())
        }
        _ => {
            input.rewind(mark);
            Err(input.unexpected("a string or a number"))
        }
    }
}

impl FromJson for Json {
    fn blank() -> Self {
        Self::Null
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        *self = input.tree()?;
        Ok(())
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn blank() -> Self {
        None
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        *self = None;
        if input.null() {
            return Ok(());
        }
        self.insert(T::blank()).read(input)
    }

    fn is_required(&self) -> bool {
        false
    }

    fn is_optional(&self) -> bool {
        true
    }
}

impl<T: FromJson> FromJson for Box<T> {
    fn blank() -> Self {
        Self::new(T::blank())
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        input.take(size_of::<T>())?;
        T::read(self, input)
    }

    fn is_required(&self) -> bool {
        T::is_required(self)
    }

    fn is_optional(&self) -> bool {
        T::is_optional(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `serde_json` would read these just as well, but not as fast.
    #[test]
    fn common_integers_are_read_here() {
        assert_eq!(plain_integer("0"), Some(0));
        assert_eq!(plain_integer("109"), Some(109));
        assert_eq!(plain_integer("9223372036854775807"), Some(i64::MAX));
        for other in ["", "-1", "01", "1.5", "1e2", "9223372036854775808"] {
            assert_eq!(plain_integer(other), None, "{other}");
        }
    }
}
