//! Methods, paths and statuses that an operation can have.

use std::ops::Range;

/// The methods.
pub(crate) const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/// The statuses of a success.
pub(crate) const SUCCESSES: Range<u16> = 100..400;

/// The statuses of an error.
pub(crate) const ERRORS: Range<u16> = 400..600;

/// Whether a number is one of the statuses.
pub(crate) fn has_status(statuses: &Range<u16>, number: u64) -> bool {
    u16::try_from(number).is_ok_and(|status| statuses.contains(&status))
}

/// Whether a text is a media type without parameters.
pub(crate) fn is_media_type(text: &str) -> bool {
    let is_part = |part: &str| {
        let fits = |c: u8| c.is_ascii_alphanumeric() || b"+-.".contains(&c);
        !part.is_empty() && part.bytes().all(fits)
    };
    text.split_once('/').is_some_and(|(kind, sub)| is_part(kind) && is_part(sub))
}

/// Tells how to correct a path; `None` where it is sound.
pub(crate) fn wrong_path(path: &str) -> Option<&'static str> {
    if !path.starts_with('/') {
        return Some("a path begins with `/`");
    }
    if path.contains(['{', '}']) {
        return Some("write a placeholder as `:id`");
    }
    if path.contains(['?', '#']) {
        return Some("leave the query out; its parameters are items");
    }
    let sound = path[1..].split('/').all(|segment| {
        let name = segment.strip_prefix(':').unwrap_or(segment);
        !name.is_empty()
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'~'))
    });
    if sound {
        None
    } else {
        Some("write it like `/api/v1/accounts/:id`, a placeholder being a whole segment")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        assert_eq!(wrong_path("/api/v1/accounts/:id"), None);
        assert_eq!(wrong_path("/.well-known/oauth-authorization-server"), None);
        assert_eq!(wrong_path("api/v1"), Some("a path begins with `/`"));
        assert_eq!(wrong_path("/a/{id}"), Some("write a placeholder as `:id`"));
        assert_eq!(wrong_path("/a?b"), Some("leave the query out; its parameters are items"));
        for path in ["/", "/a//b", "/a/", "/a/:", "/a b", "/a/x:id"] {
            assert!(wrong_path(path).is_some(), "{path}");
        }
    }
}
