//! Names of items as people write them: in Rust, on the wire, or as ids.

/// A name with everything between its words as one `_`, in lower case: `poll[options][]` and `poll_options` are the same.
fn words(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("_").to_lowercase()
}

/// Whether a name means the parameter of an operation: in Rust, on the wire, or by its id.
#[cfg(feature = "client")]
pub(crate) fn names_param(name: &str, operation: &str, wire: &str) -> bool {
    let (name, wire) = (words(name), words(wire));
    let own = name.strip_prefix(&words(operation));
    name == wire || own.and_then(|rest| rest.strip_prefix('_')) == Some(&*wire)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "client")]
    fn a_parameter_has_several_names() {
        let is_options = |name| names_param(name, "statuses.create", "poll[options][]");
        for name in [
            "poll[options][]",
            "poll_options",
            "statuses.create.poll.options",
            "statuses::Create::poll_options",
        ] {
            assert!(is_options(name), "{name}");
        }
        for name in [
            "",
            "poll",
            "options",
            "statuses.create",
            "statuses.update.poll.options",
        ] {
            assert!(!is_options(name), "{name}");
        }
    }
}
