//! How much work a call is, however busy the machine is.

use std::time::Duration;

/// The time that this thread spends computing in `work`. Unlike the clock on the wall it does not run while other processes do.
pub(crate) fn cpu_time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = now();
    let result = work();
    (result, now().saturating_sub(start))
}

#[cfg(target_os = "linux")]
fn now() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(now).unwrap_or_default()
}

#[cfg(not(target_os = "linux"))]
fn now() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
