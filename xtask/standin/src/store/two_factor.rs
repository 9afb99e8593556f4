//! Two-factor sign-in: one-time codes that follow from the time (RFC 6238), and codes for recovery.

use data_encoding::BASE32_NOPAD;
use sha1::{Digest as _, Sha1};

use super::prelude::*;

/// How long a one-time code is shown.
const PERIOD: Millis = 30_000;

/// The second factor of a user.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct TwoFactor {
    /// In base 32; empty until somebody reads it.
    pub(crate) secret: String,
    pub(crate) enabled_at: Option<Millis>,
    /// Each is good once.
    pub(crate) recovery: Vec<String>,
}

impl TwoFactor {
    /// Whether a code is that of now, the one before or the next.
    pub(crate) fn fits(&self, code: &str, now: Millis) -> bool {
        let key = BASE32_NOPAD.decode(self.secret.as_bytes()).unwrap_or_default();
        let period = now / PERIOD;
        !key.is_empty() && (period - 1..=period + 1).any(|period| one_time(&key, period) == code)
    }

    /// Whether a user may sign in with a code, if one is wanted.
    pub(crate) fn admits(&mut self, code: &str, now: Millis) -> bool {
        if self.enabled_at.is_none() || self.fits(code, now) {
            return true;
        }
        let known = self.recovery.iter().position(|own| own == code);
        known.map(|place| self.recovery.remove(place)).is_some()
    }
}

fn one_time(key: &[u8], period: i64) -> String {
    let [inner, outer] = [0x36, 0x5c].map(|pad| {
        let mut block = [pad; 64];
        block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        Sha1::new().chain_update(block)
    });
    let inner = inner.chain_update(period.to_be_bytes()).finalize();
    let digest = outer.chain_update(inner).finalize();
    let at = usize::from(digest[19] & 0xf);
    let number = digest[at..at + 4].iter().fold(0, |all, byte| all << 8 | u32::from(*byte));
    format!("{:06}", (number & 0x7fff_ffff) % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_good_for_its_time() {
        // RFC 6238, appendix B.
        let secret = BASE32_NOPAD.encode(b"12345678901234567890");
        let mut own = TwoFactor { secret, ..TwoFactor::default() };
        assert_eq!(
            (own.fits("287082", 59_000), own.fits("081804", 1_111_111_109_000)),
            (true, true)
        );
        assert_eq!((own.fits("287082", 89_000), own.fits("287082", 120_000)), (true, false));
        assert!(own.admits("", 0), "it is not enabled");
        own.enabled_at = Some(0);
        own.recovery = vec!["spare".to_owned()];
        assert!(own.admits("287082", 59_000) && !own.admits("", 59_000));
        assert!(own.admits("spare", 0) && !own.admits("spare", 0), "it is good once");
        assert!(!TwoFactor::default().fits("", 0));
    }
}
