//! Releases as the table has them.

/// Major, minor, patch.
pub(super) type Numbers = (u16, u16, u16);

/// The numbers of a release. The resolver has checked it; what is no number counts as none.
pub(super) fn numbers(text: &str) -> Numbers {
    let mut parts = text.split('.').map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    (next(), next(), next())
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn short_and_odd_versions() {
        assert_eq!(numbers("4.10.3"), (4, 10, 3));
        assert_eq!(numbers("0.6"), (0, 6, 0));
        assert_eq!(numbers("x"), (0, 0, 0));
    }
}
