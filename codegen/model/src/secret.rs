//! Secrets: texts that must not be logged, which have a type of their own in Rust.

use crate::api::Type;

/// OAuth's and the API's own names of secrets.
const NAMES: &[&str] = &[
    "access_token",
    "client_secret",
    "code",
    "code_verifier",
    "confirmation_token",
    "current_password",
    "password",
    "refresh_token",
    "registration_access_token",
    "reset_password_token",
    "subscription[keys][auth]",
    "token",
];

/// Whether a value is a secret, by its name on the wire and by what its text holds.
pub fn is_secret(ty: &Type, wire: &str, format: Option<&str>) -> bool {
    let told = match format {
        Some("secret" | "password") => true,
        // The `code` of a language is public.
        Some("language-code") => false,
        _ => NAMES.contains(&wire),
    };
    told && matches!(ty, Type::String)
}

#[cfg(test)]
mod tests {
    use super::is_secret;
    use crate::api::Type;

    #[test]
    fn by_name_or_by_format() {
        for (ty, wire, format, expected) in [
            (Type::String, "code", None, true),
            (Type::String, "code", Some("language-code"), false),
            (Type::String, "title", None, false),
            (Type::String, "title", Some("secret"), true),
            (Type::Integer, "code", None, false),
        ] {
            assert_eq!(is_secret(&ty, wire, format), expected, "{wire} {format:?}");
        }
    }
}
