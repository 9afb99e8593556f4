//! The words of refusals in other languages, as far as recordings show them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::http::header::ACCEPT_LANGUAGE;
use fedispec::server::Call;

use crate::store::State;

/// By language, the English texts and those in it. `{}` stands for a number.
static KNOWN: LazyLock<BTreeMap<String, BTreeMap<String, String>>> =
    LazyLock::new(|| serde_json::from_str(include_str!("languages.json")).unwrap_or_default());

/// A text in another language; none where it is not known.
pub(crate) fn told(language: &str, text: &str) -> Option<String> {
    KNOWN.get(language)?.iter().find_map(|(own, other)| {
        let (head, tail) = own.split_once("{}")?;
        let number = text.strip_prefix(head)?.strip_suffix(tail)?;
        Some(other.replace("{}", number))
    })
}

impl State {
    /// The language of a caller: that of the request, of the user, or of the browser.
    pub(crate) fn language_of(&self, call: &Call) -> String {
        let asked =
            call.unknown_params().get("lang").and_then(|lang| lang.as_str().map(str::to_owned));
        let own = || {
            let account = self.key(call.caller.as_ref()?.account.as_ref()?)?;
            Some(self.accounts.get(&account)?.user.as_ref()?.locale.clone())
        };
        let accepted = || {
            let accepted = call.headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
            accepted.split([',', ';']).next().map(|first| first.trim().to_owned())
        };
        asked.or_else(own).or_else(accepted).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_a_language_is_told() {
        let text = "Validation failed: Text character limit of 500 exceeded";
        let german =
            "Gültigkeitsprüfung ist fehlgeschlagen: Text Begrenzung von 500 Zeichen überschritten";
        assert_eq!(told("de", text).as_deref(), Some(german));
        assert_eq!(
            told("ja", text).as_deref(),
            Some("バリデーションに失敗しました: Text上限は500文字です")
        );
        assert_eq!(told("de", "Record not found"), None);
        assert_eq!(told("tlh", text), None);
    }
}
