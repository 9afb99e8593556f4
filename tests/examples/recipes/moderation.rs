//! Shows the reports that are open, and takes each as one's own.

use std::io::Write;

use fedispec::admin_reports::{AssignToSelf, List};
use fedispec::client::Client;

use super::Outcome;

pub async fn run(client: &Client, out: &mut impl Write) -> Outcome {
    let mut reports = client.pages(List::new().resolved(false)).elements();
    while let Some(report) = reports.next().await {
        let report = report?;
        let (of, by) = (&report.target_account.username, &report.account.username);
        writeln!(out, "{} ({}): {of} by {by}: {}", report.id, report.category, report.comment)?;
        client.send(AssignToSelf::new(report.id)).await?;
    }
    Ok(())
}
