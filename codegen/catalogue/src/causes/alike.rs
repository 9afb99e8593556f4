//! Problems that many places share.

use crate::diagnostic::Diagnostic;
use crate::map::HashMap;

/// The most places at which the same words are told, and the same mend: what is wrong at more of them has one cause, or is mended at all of
/// them at once.
const MOST_ALIKE: [usize; 2] = [3, 40];

/// Leaves the first of the problems that many places share, which says how many more there are. They are in their order.
pub(super) fn told_once(told: &[Diagnostic]) -> Vec<Diagnostic> {
    type Words = fn(&Diagnostic) -> Option<&str>;
    // The mend of a version string that is misread names the program that takes it.
    let same: Words = |one| match one.code {
        "misread-version" => one.help.as_deref(),
        _ => Some(&one.message),
    };
    let words: [Words; 2] = [same, |one| one.help.as_deref()];
    let mut alike = words.map(|words| (words, HashMap::<_, usize>::default()));
    for one in told {
        for (words, counts) in &mut alike {
            *counts.entry((one.code, words(one))).or_default() += 1;
        }
    }
    let mut kept = Vec::new();
    for one in told {
        let mut counted = alike.iter_mut().zip(MOST_ALIKE);
        let count = counted.find_map(|((words, counts), most)| {
            // A name that does not exist is unknown everywhere for one reason.
            let is_gone = matches!(
                one.code,
                "unknown-reference" | "unknown-release" | "wrong-condition" | "wrong-place"
            );
            let most = if is_gone { most.min(1) } else { most };
            let count = counts.get_mut(&(one.code, words(one)))?;
            (*count > most || *count == 0).then_some(count)
        });
        let mut one = one.clone();
        match count.map(std::mem::take) {
            Some(0) => continue,
            Some(all) => {
                let places = if all == 2 { "place" } else { "places" };
                one.message = format!("{} (and {} more {places} like it)", one.message, all - 1);
            }
            None => {}
        }
        kept.push(one);
    }
    kept
}
