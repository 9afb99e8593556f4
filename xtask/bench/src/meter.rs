//! CPU time and memory of this process and its children.

use std::fs;
use std::time::Duration;

/// The CPU time of all threads of this process.
#[cfg(unix)]
pub(crate) fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0));
    seconds + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or(0))
}

/// The elapsed time, on systems without CPU times; the same if the machine is otherwise idle.
#[cfg(not(unix))]
pub(crate) fn cpu_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// The peak memory of this process, if the system reports it.
pub(crate) fn peak_memory_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The resources used by finished child processes, including their own children.
pub(crate) struct Used {
    /// Their user and system time.
    pub(crate) cpu: Duration,
    /// The greatest peak memory of any of them.
    pub(crate) peak_kib: u64,
}

#[cfg(unix)]
pub(crate) fn children() -> Used {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike as _;
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else {
        return Used { cpu: Duration::ZERO, peak_kib: 0 };
    };
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    let unit = if cfg!(target_vendor = "apple") { 1024 } else { 1 };
    Used {
        cpu: Duration::from_micros(u64::try_from(micros).unwrap_or(0)),
        peak_kib: u64::try_from(usage.max_rss()).unwrap_or(0) / unit,
    }
}

/// Zero, on systems that do not report it.
#[cfg(not(unix))]
pub(crate) fn children() -> Used {
    Used { cpu: Duration::ZERO, peak_kib: 0 }
}
