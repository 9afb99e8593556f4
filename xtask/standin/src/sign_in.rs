//! The plain pages on which users sign in.

use fedispec::server::{Authorization, escape_html};

/// The address of those who copy the code by hand.
pub(crate) const OUT_OF_BAND: &str = "urn:ietf:wg:oauth:2.0:oob";

/// The page that asks for name and password.
pub(crate) fn page(app: &str, asked: &Authorization, error: Option<&str>) -> String {
    let scopes: Vec<_> = asked
        .scopes
        .iter()
        .map(|scope| format!("<li><code>{}</code>\n", escape_html(scope)))
        .collect();
    let error = error.map(|error| format!("<p role=\"alert\">{}</p>\n", escape_html(error)));
    let (hidden, scopes, app) = (asked.hidden_fields(), scopes.concat(), escape_html(app));
    document(
        "Sign in",
        &format!(
            "<h1>{app} asks for access</h1>\n{}<p>It may then:</p>\n<ul>\n{scopes}</ul>\n\
             <form method=\"post\" action=\"/oauth/authorize\">\n{hidden}\n\
             <p><label>Name or e-mail address<br><input name=\"username\" autocomplete=\"username\" autofocus></label></p>\n\
             <p><label>Password<br><input name=\"password\" type=\"password\" autocomplete=\"current-password\"></label></p>\n\
             <p><label>One-time code, if two-factor sign-in is on<br><input name=\"code\" autocomplete=\"one-time-code\"></label></p>\n\
             <p><button name=\"decision\" value=\"allow\">Allow</button>\n\
             <button name=\"decision\" value=\"deny\">Deny</button></p>\n</form>",
            error.unwrap_or_default()
        ),
    )
}

/// The page with a code to copy.
pub(crate) fn code_page(code: &str) -> String {
    let code = escape_html(code);
    document(
        "Authorization code",
        &format!(
            "<h1>Authorization code</h1>\n<p>Copy this code, and paste it into the application:</p>\n<p><code>{code}</code></p>"
        ),
    )
}

/// A page that says why nobody can sign in.
pub(crate) fn error_page(why: &str) -> String {
    let why = escape_html(why);
    document("An error", &format!("<h1>An error has occurred</h1>\n<p role=\"alert\">{why}</p>"))
}

fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 2rem auto; padding: 0 1rem; }} \
         input {{ font: inherit; width: 100%; box-sizing: border-box; padding: .4rem; }} button {{ font: inherit; padding: .4rem 1rem; }} \
         [role=alert] {{ border-left: .3rem solid #b00; padding-left: .7rem; }} code {{ overflow-wrap: anywhere; }}</style>\n\
         <main>\n{body}\n</main>\n</html>\n"
    )
}
