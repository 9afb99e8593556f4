//! Random bytes, from the system or from a seed.

use fedispec::server::{Error, Result};
use serde::{Deserialize, Serialize};

/// The source of all chance. With a seed the same draws follow each other at every run; it is kept in halves, which all languages read exactly.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Chance(Option<[u32; 2]>);

impl Chance {
    /// Draws that only depend on the seed.
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(Some(halves(mix(seed))))
    }

    /// Draws bytes.
    ///
    /// # Errors
    ///
    /// Where there is no seed and the system has no random numbers.
    pub(crate) fn bytes<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        if self.0.is_none() {
            getrandom::fill(&mut bytes).map_err(|error| Error::internal().with_source(error))?;
            return Ok(bytes);
        }
        for chunk in bytes.chunks_mut(8) {
            let drawn = self.next().to_le_bytes();
            chunk.copy_from_slice(&drawn[..chunk.len()]);
        }
        Ok(bytes)
    }

    /// Draws a number from 0 to less than 1. Without a seed and random numbers of the system it is 0.
    pub(crate) fn fraction(&mut self) -> f64 {
        let drawn = u32::from_le_bytes(self.bytes().unwrap_or_default());
        f64::from(drawn) / (f64::from(u32::MAX) + 1.0)
    }

    /// The next number of `SplitMix64` (Steele, Lea, Flood, 2014).
    fn next(&mut self) -> u64 {
        let [high, low] = self.0.unwrap_or_default();
        let state = (u64::from(high) << 32 | u64::from(low)).wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.0 = Some(halves(state));
        mix(state)
    }
}

/// The upper and the lower half of a number.
#[allow(clippy::cast_possible_truncation, reason = "that is what makes halves")]
fn halves(number: u64) -> [u32; 2] {
    [(number >> 32) as u32, number as u32]
}

/// Spreads the bits of a number, as `SplitMix64` does.
pub(crate) fn mix(number: u64) -> u64 {
    let mixed = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_what_is_drawn() {
        let draw = |mut chance: Chance| chance.bytes::<12>().expect("random numbers");
        assert_eq!(draw(Chance::seeded(7)), draw(Chance::seeded(7)));
        assert_ne!(draw(Chance::seeded(7)), draw(Chance::seeded(8)));
        assert_ne!(draw(Chance::default()), draw(Chance::default()));
        let mut chance = Chance::seeded(0);
        let drawn: Vec<_> = std::iter::repeat_with(|| chance.fraction()).take(1000).collect();
        assert!(drawn.iter().all(|one| (0.0..1.0).contains(one)));
        let mean = drawn.iter().sum::<f64>() / 1000.0;
        assert!((0.45..0.55).contains(&mean), "{mean}");
    }
}
