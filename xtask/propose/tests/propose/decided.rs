//! A decision of a keeper is not asked for again, also for a later release.

use fedispec_propose::render::{Format, render};
use fedispec_propose::row::{Change, ItemKind, Proposal};
use fedispec_propose::{decided, propose};

use crate::repository::{Scratch, request_of};

fn asked(scratch: &Scratch) -> Proposal {
    let source = scratch.source();
    let request = request_of("gotosocial", &source, "v0.2.0");
    let mut proposal = propose(&scratch.spec(), &request).expect("a proposal");
    decided::recall(&scratch.spec(), &mut proposal).expect("a file of decisions");
    proposal
}

fn open(proposal: &Proposal) -> usize {
    let rows = proposal.rows.iter();
    rows.filter(|row| row.accepted.is_none() && !row.is_ready()).count()
}

#[test]
fn what_is_decided_is_not_asked_again() {
    let scratch = Scratch::new("gotosocial");
    let before = asked(&scratch);
    let drafts = before.rows.iter().find(|row| row.id == "notes.drafts").expect("a new operation");
    let accept = |proposal: &Proposal, which: &str| {
        decided::accept(&scratch.spec(), proposal, &[which.to_owned()], "it is for testers alone")
    };
    let told = accept(&before, &drafts.fp).expect("accepted");
    assert!(told.contains(&drafts.fp) && told.contains("propose-accept.toml"), "{told}");
    let after = asked(&scratch);
    assert!(open(&after) < open(&before));
    let text = render(&after, Format::Markdown);
    assert!(!text.contains("notes.drafts") && text.contains("were decided before"), "{text}");
    let again = after.rows.iter().find(|row| row.id == "notes.drafts").expect("it is in the JSON");
    assert_eq!(again.accepted.as_deref(), Some("it is for testers alone"));

    // Many at once, and lines that were not read.
    accept(&after, "*:*").expect("accepted");
    let last = asked(&scratch);
    assert_eq!((open(&last), last.unread.len()), (0, 0));
    assert_eq!(last.unread_decided.len(), before.unread.len());
    assert!(accept(&last, "0123456789ab").is_err());
    let broken = scratch.spec().join("propose-accept.toml");
    std::fs::write(&broken, "[[accept]]\nfp = \"0123456789ab\"\nreason = \"x\"\n")
        .expect("written");
    let mut proposal = last;
    let error = decided::recall(&scratch.spec(), &mut proposal).expect_err("it never ends");
    assert!(error.to_string().contains("never ends"), "{error}");
}

#[test]
fn a_changed_fact_is_asked_again() {
    let scratch = Scratch::new("gotosocial");
    let mut proposal = asked(&scratch);
    decided::accept(&scratch.spec(), &proposal, &["*:*".to_owned()], "seen").expect("accepted");
    let is_changed = |row: &&mut fedispec_propose::row::Row| row.change == Change::Changed;
    let row = proposal.rows.iter_mut().find(is_changed).expect("a changed fact");
    assert_ne!(row.kind, ItemKind::Operation);
    row.to = Some("another".to_owned());
    let id = row.id.clone();
    decided::recall(&scratch.spec(), &mut proposal).expect("a file of decisions");
    let asked: Vec<_> = proposal.rows.iter().filter(|row| row.accepted.is_none()).collect();
    assert_eq!(asked.iter().map(|row| &row.id).collect::<Vec<_>>(), [&id]);
}
