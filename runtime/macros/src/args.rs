//! Arguments of the attribute `since`.

use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, LitStr, Path, Result, Token};

/// The arguments: `mastodon = "3.4.0", gotosocial = never`.
pub(crate) struct Args {
    /// The arguments in the notation of `Since::SINCE`: `mastodon 3.4.0 gotosocial never`.
    pub(crate) text: String,
    /// The path of the runtime, if not `::fedispec_runtime`.
    pub(crate) root: Option<Path>,
}

/// The error for an attribute without programs.
pub(crate) const NO_PROGRAM: &str =
    "no program is named; write for example `#[since(program = \"3.4.0\", other = never)]`";

/// One argument.
enum Arg {
    Root(Path, Span),
    Program(Ident, String),
}

impl Args {
    /// Checks that a program is named. `span` is that of the attribute.
    pub(crate) fn checked(self, span: Span) -> Result<Self> {
        if self.text.is_empty() {
            return Err(Error::new(span, NO_PROGRAM));
        }
        Ok(self)
    }
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut args = Self { text: String::new(), root: None };
        let mut programs: Vec<Ident> = Vec::new();
        for arg in Punctuated::<Arg, Token![,]>::parse_terminated(input)? {
            match arg {
                Arg::Root(_, span) if args.root.is_some() => {
                    return Err(Error::new(span, "`crate` is given twice"));
                }
                Arg::Root(path, _) => args.root = Some(path),
                Arg::Program(program, _) if programs.contains(&program) => {
                    return Err(Error::new(
                        program.span(),
                        format!("the program `{program}` is given twice"),
                    ));
                }
                Arg::Program(program, value) => {
                    if !args.text.is_empty() {
                        args.text.push(' ');
                    }
                    args.text += &program.to_string();
                    args.text.push(' ');
                    args.text += &value;
                    programs.push(program);
                }
            }
        }
        Ok(args)
    }
}

impl Parse for Arg {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(Token![crate]) {
            let span = input.parse::<Token![crate]>()?.span;
            input.parse::<Token![=]>()?;
            return Ok(Self::Root(input.call(Path::parse_mod_style)?, span));
        }
        let program = program(input)?;
        if !input.peek(Token![=]) {
            return Err(input.error(format!(
                "the program `{program}` needs a value: `{program} = \"3.4.0\"`, `unknown` or `never`"
            )));
        }
        input.parse::<Token![=]>()?;
        let value = value(input)?;
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error("expected a comma"));
        }
        Ok(Self::Program(program, value))
    }
}

fn program(input: ParseStream<'_>) -> Result<Ident> {
    const RULE: &str =
        "expected a program's key in the catalogue: lower-case letters, digits and `_`";
    if !input.peek(Ident::peek_any) {
        return Err(input.error(RULE));
    }
    let program = Ident::parse_any(input)?;
    let text = program.to_string();
    let letters =
        text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if letters && text.starts_with(|c: char| c.is_ascii_lowercase()) {
        Ok(program)
    } else {
        Err(Error::new(program.span(), RULE))
    }
}

fn value(input: ParseStream<'_>) -> Result<String> {
    const RULE: &str = "expected a version in quotes, like `\"3.4.0\"`, or `unknown`, or `never`";
    if input.peek(LitStr) {
        let literal: LitStr = input.parse()?;
        let text = literal.value();
        return match check_version(&text) {
            Ok(()) if literal.suffix().is_empty() => Ok(text),
            Ok(()) => Err(Error::new(literal.span(), RULE)),
            Err(why) => Err(Error::new(literal.span(), why)),
        };
    }
    if input.peek(Ident::peek_any) {
        let word = Ident::parse_any(input)?;
        if word == "unknown" || word == "never" {
            return Ok(word.to_string());
        }
        return Err(Error::new(word.span(), RULE));
    }
    Err(input.error(RULE))
}

/// Checks the rules of the runtime's `Version`, and names the one that is violated.
fn check_version(text: &str) -> std::result::Result<(), String> {
    if text == "unknown" || text == "never" {
        return Err(format!("`{text}` must not be in quotes"));
    }
    let (numbers, pre) = match text.split_once('-') {
        Some((numbers, pre)) => (numbers, Some(pre)),
        None => (text, None),
    };
    let parts: Vec<&str> = numbers.split('.').collect();
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if parts.len() != 3 || !parts.iter().all(digits) {
        return Err(format!(
            "`{text}` is not a version: it must have three numbers, like \"3.4.0\""
        ));
    }
    if parts.iter().any(|part| part.len() > 1 && part.starts_with('0')) {
        return Err(format!("`{text}` is not a version: its numbers must not have leading zeros"));
    }
    if parts.iter().any(|part| part.parse::<u32>().is_err()) {
        return Err(format!("`{text}` is not a version: a number is too large"));
    }
    let word = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    match pre {
        Some(pre) if pre.len() > 31 || !pre.split('.').all(word) => Err(format!(
            "`{text}` is not a version: a pre-release is at most 31 letters, digits and dots, like \"3.4.0-rc.1\""
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::result::Result<String, String> {
        syn::parse_str::<Args>(text).map(|args| args.text).map_err(|error| error.to_string())
    }

    #[test]
    fn reads_programs_and_values() {
        assert_eq!(
            read(
                r#"mastodon = "3.4.0", gotosocial = never, pleroma = unknown, x_2 = "1.0.0-rc.1","#
            ),
            Ok("mastodon 3.4.0 gotosocial never pleroma unknown x_2 1.0.0-rc.1".to_owned())
        );
        let args: Args =
            syn::parse_str(r#"crate = fedispec::runtime, mastodon = "3.4.0""#).expect("arguments");
        assert!(args.root.is_some());
        assert_eq!(args.text, "mastodon 3.4.0");
    }

    #[test]
    fn versions_are_parsed_strictly() {
        for good in ["0.0.0", "3.4.0", "10.20.30", "0.20.0-rc1", "4.3.0-beta.2"] {
            assert_eq!(check_version(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "3.4",
            "3.4.0.1",
            "v3.4.0",
            "3.04.0",
            "3.4.x",
            "3.4.0-",
            "3.4.0-a..b",
            "3.4.99999999999",
            "never",
        ] {
            assert!(check_version(bad).is_err(), "{bad}");
        }
    }
}
