//! Release numbers in the item table.

/// Major, minor, patch.
pub(super) type Numbers = (u16, u16, u16);

/// Writes the numbers of a release. The resolver has checked them; a part that is not a number counts as 0.
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
