//! The colours of a terminal.

use fedispec_diff::rules::Severity;

/// The colours, or none.
#[derive(Clone, Copy)]
pub(super) struct Paint(pub(super) bool);

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub(super) fn severity(self, severity: Severity, text: &str) -> String {
        self.with(
            match severity {
                Severity::Breaking => "1;31",
                Severity::Risky => "33",
                Severity::Compatible => "32",
                Severity::Docs => "2",
            },
            text,
        )
    }
}
