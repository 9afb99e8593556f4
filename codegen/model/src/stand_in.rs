//! The notation of stand-ins: how an older operation or entity is made to serve for a newer one.

/// The source of an older operation's parameter: `title`, `filter_action is hide` for one that is true or false, or `keyword with
/// keyword_id` where it has the same meaning only beside another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param<'a> {
    /// The parameter of the newer operation.
    pub name: &'a str,
    /// The value that means true.
    pub value: Option<&'a str>,
    /// The parameter of the newer operation that must be set too, and has no place in the older one.
    pub with: Option<&'a str>,
}

impl<'a> Param<'a> {
    /// Reads the notation.
    pub fn read(text: &'a str) -> Self {
        let (text, with) = match text.split_once(" with ") {
            Some((text, with)) => (text, Some(with.trim())),
            None => (text, None),
        };
        let (name, value) = match text.split_once(" is ") {
            Some((name, value)) => (name, Some(value.trim())),
            None => (text, None),
        };
        Self { name: name.trim(), value, with }
    }
}

/// The source of a newer entity's field: `phrase`, or `hide if irreversible else warn` of one that is true or false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// The field of the older entity.
    pub name: &'a str,
    /// Its values for true and for false.
    pub values: Option<(&'a str, &'a str)>,
}

impl<'a> Field<'a> {
    /// Reads the notation.
    pub fn read(text: &'a str) -> Self {
        let either = text.split_once(" if ").and_then(|(yes, rest)| {
            let (name, no) = rest.split_once(" else ")?;
            Some((name, (yes, no)))
        });
        match either {
            Some((name, (yes, no))) => {
                Self { name: name.trim(), values: Some((yes.trim(), no.trim())) }
            }
            None => Self { name: text.trim(), values: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_catalogue_writes() {
        let plain = |name, value| Param { name, value, with: None };
        assert_eq!(
            Param::read("keyword with keyword_id"),
            Param { with: Some("keyword_id"), ..plain("keyword", None) }
        );
        assert_eq!(Param::read("title"), plain("title", None));
        assert_eq!(Param::read("filter_action is hide"), plain("filter_action", Some("hide")));
        let field = |name, values| Field { name, values };
        assert_eq!(Field::read("phrase"), field("phrase", None));
        assert_eq!(
            Field::read("hide if irreversible else warn"),
            field("irreversible", Some(("hide", "warn")))
        );
        assert_eq!(Field::read("hide if irreversible"), field("hide if irreversible", None));
    }
}
