//! The runtime's knowledge of programs without any item table: how they are recognized, and their behaviour apart from items.

use std::fmt::Write as _;

use fedispec_model::api::Api;
use fedispec_since::StableVersion;

use super::format::HEADER;

/// The parameter that a login sends, whatever part of the API is generated.
const REDIRECT_URIS: (&str, &str) = ("apps.create", "redirect_uris");

/// The runtime's own data: paths relative to the project's folder, and texts.
///
/// # Errors
///
/// When the profiles cannot be written as JSON.
pub fn known(api: &Api) -> serde_json::Result<Vec<(String, String)>> {
    Ok(vec![
        ("runtime/src/known/profiles.json".to_owned(), profiles(api)?),
        ("runtime/src/known/redirect_uris.rs".to_owned(), redirect_uris(api)),
    ])
}

/// A line for each program.
fn profiles(api: &Api) -> serde_json::Result<String> {
    let programs = api.profiles.programs.iter().map(serde_json::to_string);
    let programs = programs.collect::<serde_json::Result<Vec<_>>>()?.join(",\n");
    let reference = serde_json::to_string(&api.profiles.reference)?;
    Ok(format!("{{\"reference\":{reference},\"programs\":[\n{programs}\n]}}\n"))
}

fn redirect_uris(api: &Api) -> String {
    let (operation, name) = REDIRECT_URIS;
    let mut operations = api.operations.iter().filter(|one| one.item.id == operation);
    let mut params = operations.next().into_iter().flat_map(|operation| &operation.params);
    let several = params.find(|param| param.item.wire == name).map(|param| &*param.several);
    let mut text = format!(
        "{HEADER}
//! How programs take several redirect addresses of an application.

use crate::Several;

pub(crate) const REDIRECT_URIS: &[(&str, Several)] = &[\n"
    );
    for (program, way) in api.programs.iter().zip(several.unwrap_or_default()) {
        let Some(way) = way else { continue };
        let since = |form: &str, since: Option<StableVersion>| {
            let (major, minor, patch) = since?.numbers();
            Some(format!(".{form}({major}, {minor}, {patch})"))
        };
        let forms = [since("lines", way.lines), since("list", way.list)];
        let forms: String = forms.into_iter().flatten().collect();
        _ = writeln!(text, "    ({:?}, Several::new(){forms}),", program.key);
    }
    text + "];\n"
}
