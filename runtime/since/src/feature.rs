//! The rule of features: what holds of one, from what holds of the items that make it up.

use std::cmp::Ordering;

/// Folds what is said of a feature's items: the worst of `all`, and of `one_of` the best, whichever of the two is worse. `order` puts
/// the better first, as [`Availability`](crate::Availability) and [`Verdict`](crate::Verdict) are ordered. `None` where there is no item.
pub fn composed<T>(
    all: impl IntoIterator<Item = T>,
    one_of: impl IntoIterator<Item = T>,
    order: impl Fn(&T, &T) -> Ordering,
) -> Option<T> {
    let best = one_of.into_iter().min_by(&order);
    all.into_iter().chain(best).max_by(&order)
}

#[cfg(test)]
mod tests {
    use super::composed;
    use crate::{Availability, Verdict};

    #[test]
    fn all_are_as_late_as_the_latest_and_one_is_as_early_as_the_earliest() {
        let [old, new] = [2, 4].map(|major| <Availability>::since(major, 0, 0));
        let (unknown, never) = (Availability::Unknown, Availability::Never);
        let since = |all: &[Availability], one_of: &[Availability]| {
            composed(all.to_vec(), one_of.to_vec(), Ord::cmp)
        };
        assert_eq!(since(&[], &[]), None);
        assert_eq!(since(&[new, old], &[]), Some(new));
        assert_eq!(since(&[old, unknown], &[]), Some(unknown));
        assert_eq!(since(&[never, unknown], &[]), Some(never));
        assert_eq!(since(&[], &[new, old]), Some(old));
        assert_eq!(since(&[], &[never, unknown, new]), Some(new));
        assert_eq!(since(&[], &[never, unknown]), Some(unknown));
        assert_eq!(since(&[old], &[never, new]), Some(new));
        assert_eq!(since(&[new], &[old, never]), Some(new));
    }

    #[test]
    fn a_stub_is_not_the_feature() {
        use Verdict::{No, Stub, Unknown, Yes};
        let verdict =
            |all: &[Verdict], one_of: &[Verdict]| composed(all.to_vec(), one_of.to_vec(), Ord::cmp);
        assert_eq!(verdict(&[Yes, Stub], &[]), Some(Stub));
        assert_eq!(verdict(&[Yes], &[Stub, No]), Some(Stub));
        assert_eq!(verdict(&[Unknown], &[Stub, No]), Some(Unknown));
        assert_eq!(verdict(&[Yes], &[No, Yes]), Some(Yes));
    }
}
