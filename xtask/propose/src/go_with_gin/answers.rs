//! The answers of handlers: the type that the function behind one returns. The comments above handlers say so too, and are wrong at
//! times.

use super::go::{MODEL, Packages, TypeName};
use crate::surface::Answer;
use crate::syntax::Spot;

/// `thing, err := m.processor.Things().Get(..)` and `apiutil.JSON(c, http.StatusOK, thing)`; `None` where it is not as plain as that.
pub(super) fn answer<'s>(packages: &Packages<'s>, handler: Spot<'s>) -> Option<Answer> {
    let body = handler.field("body")?;
    let calls = body.of_kind("call_expression");
    let sent = calls.filter(|call| call.word("function").starts_with("apiutil.JSON")).last()?;
    let sent = sent.list("arguments").last().copied().filter(|at| at.kind() == "identifier")?;
    let mut declared = body.of_kind("short_var_declaration");
    let made = declared.find_map(|at| {
        let is_it = at.list("left").first()?.text() == sent.text();
        let right = at.list("right").first().copied().filter(|_| is_it);
        right.filter(|right| right.kind() == "call_expression")
    });
    let method = made?.field("function")?.field("field")?.text();
    let mut found: Option<Answer> = None;
    for (folder, package) in packages.all() {
        if !folder.starts_with("internal/processing") {
            continue;
        }
        for ((_, name), function) in &package.methods {
            if *name != method {
                continue;
            }
            let ((of, shape), list) = returned(packages, *function)?;
            let answer = Answer { shape: shape.to_owned(), list };
            // Several processors have methods of that name.
            if of != MODEL || found.as_ref().is_some_and(|found| *found != answer) {
                return None;
            }
            found = Some(answer);
        }
    }
    found
}

/// The first type that a function returns, and whether it is a list of it.
fn returned<'s>(packages: &Packages<'s>, function: Spot<'s>) -> Option<(TypeName<'s>, bool)> {
    let first = function.field("result")?.first()?;
    let of = first.field("type")?;
    let (of, list) = match of.kind() {
        "slice_type" => (of.field("element")?, true),
        _ => (of, false),
    };
    Some((packages.named(of)?, list))
}
