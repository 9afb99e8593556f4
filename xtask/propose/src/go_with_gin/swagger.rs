//! The comments for swagger: names of models and answers. Swagger is often wrong about routes and parameters, which are never
//! read from it.

use crate::surface::Answer;
use crate::syntax::Spot;

/// The name of a model: `swagger:model account`.
pub(super) fn model(spec: Spot<'_>) -> Option<String> {
    let declaration = spec.parent()?;
    let mut lines = declaration.comment_above().into_iter();
    let name = lines.find_map(|line| line.strip_prefix("swagger:model"))?;
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// The model that a handler's comment names under the first status of success.
pub(super) fn answer(handler: Spot<'_>) -> Option<Answer> {
    let lines = handler.comment_above();
    let start =
        lines.iter().position(|line| line.starts_with("'20") || line.starts_with("\"20"))?;
    let block = lines[start + 1..].iter().take_while(|line| !line.starts_with('\''));
    let block: Vec<_> = block.collect();
    let shape = block.iter().find_map(|line| {
        let (_, name) = line.split_once("#/definitions/")?;
        Some(name.trim_matches(['"', '\'']).to_owned())
    })?;
    let list = block.iter().any(|line| **line == "type: array");
    Some(Answer { shape, list })
}
