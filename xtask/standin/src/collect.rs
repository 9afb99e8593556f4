//! Values each once, counted and ranked.

use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Adds a value to a list, unless it is there.
pub(crate) fn push_new<T: PartialEq>(all: &mut Vec<T>, one: T) {
    if !all.contains(&one) {
        all.push(one);
    }
}

/// Values with their counts, those of equal ones added up.
pub(crate) fn tally<T: Ord>(counts: impl IntoIterator<Item = (T, usize)>) -> BTreeMap<T, usize> {
    let mut all = BTreeMap::new();
    for (value, count) in counts {
        *all.entry(value).or_default() += count;
    }
    all
}

/// Values by their ranks, the highest first. Those of one rank stay in their order.
pub(crate) fn ranked<T, R: Ord>(
    values: impl IntoIterator<Item = T>,
    rank: impl Fn(&T) -> R,
) -> Vec<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    values.sort_by_cached_key(|value| Reverse(rank(value)));
    values
}
