//! Values that stand for themselves.

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
    ($($type:ty: $small:expr),*) => {$(
        impl FromJson for $type {
            fn blank() -> Self {
                Self::default()
            }

            fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
                let mark = input.mark();
                let of_few_digits = |number| small(number).and_then($small);
                let number = input.number().and_then(|number| {
                    of_few_digits(number).or_else(|| serde_json::from_str(number).ok())
                });
                *self = number.ok_or_else(|| {
                    input.back(mark);
                    input.misfit::<Self>()
                })?;
                Ok(())
            }
        }
    )*};
}

number!(i64: Some, u64: |number| number.try_into().ok(), u32: |number| number.try_into().ok(), f64: |_| None);

/// A number of few digits, which are most.
fn small(number: &str) -> Option<i64> {
    let digits = number.as_bytes();
    let is_small = match digits {
        [b'0'] => true,
        [b'1'..=b'9', rest @ ..] => rest.len() < 18 && rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    is_small.then(|| {
        digits
            .iter()
            .fold(0, |number, digit| number * 10 + i64::from(digit - b'0'))
    })
}

impl FromJson for String {
    fn blank() -> Self {
        Self::new()
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        if input.is_probe() {
            let is_text = input.string()?.is_some();
            return Err(input.probed(usize::from(is_text)));
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

/// A string.
pub(crate) fn text<'a>(input: &mut Input<'a>) -> Result<std::borrow::Cow<'a, str>, Fault> {
    input.string()?.ok_or_else(|| input.unexpected("a string"))
}

/// A string; a number becomes the text that it is.
pub(crate) fn text_or_number(input: &mut Input<'_>, into: &mut Box<str>) -> Result<(), Fault> {
    let mark = input.mark();
    if let Some(text) = input.string()? {
        *into = text.into();
        return Ok(());
    }
    let number = input
        .number()
        .and_then(|number| serde_json::from_str::<serde_json::Number>(number).ok());
    let Some(number) = number else {
        input.back(mark);
        return Err(input.unexpected("a string or a number"));
    };
    *into = number.to_string().into();
    Ok(())
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
}

impl<T: FromJson> FromJson for Box<T> {
    fn blank() -> Self {
        Self::new(T::blank())
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        T::read(self, input)
    }

    fn is_required(&self) -> bool {
        T::is_required(self)
    }
}
