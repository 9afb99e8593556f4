//! The report as one page that fetches nothing, with filters by audience, severity and program, readable on a phone.

use std::fmt::Write as _;

use super::document::{Block, Document, Finding, Value, details, direction};
use super::words::{side, summary};
use super::{View, rust_lines};
use crate::diff::report::{Entry, Report};
use fedispec_diff::change::Place;
use fedispec_diff::rules::{Audience, Severity};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Nothing may be fetched: what is needed stands in the page.
const HEAD: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
"#;

const SECTIONS: [(Severity, &str); 4] = [
    (Severity::Breaking, "Breaking"),
    (Severity::Risky, "Risky"),
    (Severity::Compatible, "Compatible"),
    (Severity::Docs, "Text only"),
];

/// The report as a page. Text is in it whatever the view says; the page hides it until asked.
pub fn html(report: &Report, view: &View) -> String {
    let view = View { docs: true, ..view.clone() };
    let title = escape(&format!("API catalogue: {}", summary(report)));
    let mut text = format!(
        "{HEAD}<title>{title}</title>\n<style>\n{STYLE}</style>\n<header>\n<h1>{title}</h1>\n<p>{} → {}</p>\n{}</header>\n",
        escape(&side(&report.base)),
        escape(&side(&report.head)),
        verdict(report),
    );
    filters(&mut text, report);
    text.push_str("<main>\n");
    let document = Document::new(report, &view);
    for (severity, title) in SECTIONS {
        let findings: Vec<_> = document.of(severity).collect();
        if findings.is_empty() {
            continue;
        }
        let _ = writeln!(text, "<section>\n<h2>{title}</h2>");
        for (block, finding) in findings {
            card(&mut text, (report, &view), block, finding);
        }
        text.push_str("</section>\n");
    }
    let none = if report.changes.is_empty() {
        "Nothing differs."
    } else {
        "Nothing is left by these filters."
    };
    let hidden = if report.changes.is_empty() { "" } else { " hidden" };
    let _ = write!(
        text,
        "<p id=\"none\"{hidden}>{none}</p>\n</main>\n<script>\n{SCRIPT}</script>\n</html>\n"
    );
    text
}

/// A page of what was written as markdown for people: a title, headings, lists and lines.
pub fn page(markdown: &str) -> String {
    let title =
        markdown.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("API catalogue");
    let title = prose(title);
    let mut text = format!("{HEAD}<title>{title}</title>\n<style>\n{STYLE}</style>\n<main>\n");
    let mut in_list = false;
    for line in markdown.lines().filter(|line| !line.trim().is_empty()) {
        let element = line.strip_prefix("- ");
        if element.is_some() != in_list {
            text.push_str(if in_list { "</ul>\n" } else { "<ul>\n" });
            in_list = element.is_some();
        }
        let (tag, words) = match element {
            Some(element) => ("li", element),
            None => match (line.strip_prefix("# "), line.strip_prefix("## ")) {
                (Some(title), _) => ("h1", title),
                (_, Some(heading)) => ("h2", heading),
                _ => ("p", line.trim()),
            },
        };
        let _ = writeln!(text, "<{tag}>{}</{tag}>", prose(words));
    }
    text.push_str(if in_list { "</ul>\n</main>\n</html>\n" } else { "</main>\n</html>\n" });
    text
}

fn verdict(report: &Report) -> String {
    let bump = &report.bump;
    let mut parts = vec![format!("bump implied <b>{}</b>", bump.implied.name())];
    if let Some(measured) = bump.measured {
        parts.push(format!("measured <b>{}</b>", measured.name()));
    }
    if let Some(declared) = bump.declared {
        let short = if bump.ok { "" } else { ", too small" };
        parts.push(format!("declared <b>{}</b>{short}", declared.name()));
    }
    let class = if bump.ok { "" } else { " class=\"short\"" };
    let mut text = format!("<p{class}>{}</p>\n", parts.join(" · "));
    for line in &bump.unclaimed {
        let _ = writeln!(text, "<p class=\"short\">no rule claims: {}</p>", escape(line));
    }
    let floors = report.floors.iter();
    let floors: Vec<_> = floors.map(|(program, floor)| format!("{program} {floor}")).collect();
    if !floors.is_empty() {
        let _ = writeln!(text, "<p>floors {}</p>", escape(&floors.join(", ")));
    }
    text
}

fn filters(text: &mut String, report: &Report) {
    let counts = report.counts;
    text.push_str("<details id=\"filters\" open>\n<summary>Filters</summary>\n");
    let of = |severity: Severity| {
        report.changes.iter().filter(|entry| entry.change.severity == severity).count()
    };
    let severities = [Severity::Breaking, Severity::Risky, Severity::Compatible, Severity::Docs];
    let chips = severities.map(|severity| {
        let label = format!("{} {}", severity.name(), of(severity));
        chip("severity", severity.name(), &label, severity > Severity::Docs)
    });
    group(text, "Severity", &chips.concat());
    let audiences = [Audience::Source, Audience::Wire, Audience::Server, Audience::Gap];
    let mut chips: String =
        audiences.map(|audience| chip("who", name(audience), audience.who(), true)).concat();
    chips.push_str(&chip("who", "nobody", "nobody", true));
    group(text, "Who is hit", &chips);
    let programs = report.floors.keys().map(String::as_str).chain(["any"]);
    let chips: String = programs.map(|program| chip("program", program, program, true)).collect();
    group(text, "Program", &chips);
    text.push_str(
        "<div class=\"find\"><input type=\"search\" id=\"search\" placeholder=\"Item, rule or text\" aria-label=\"Search\">\
         <output id=\"shown\"></output></div>\n</details>\n",
    );
    if counts.accepted > 0 {
        let _ = writeln!(text, "<p>{} of them accepted, with a reason.</p>", counts.accepted);
    }
}

fn group(text: &mut String, title: &str, chips: &str) {
    let _ = writeln!(
        text,
        "<fieldset aria-label=\"{title}\"><span>{title}</span><div class=\"chips\">{chips}</div></fieldset>"
    );
}

fn chip(group: &str, value: &str, label: &str, checked: bool) -> String {
    let checked = if checked { " checked" } else { "" };
    format!(
        "<label><input type=\"checkbox\" name=\"{group}\" value=\"{}\"{checked}>{}</label>",
        escape(value),
        escape(label)
    )
}

/// Returns an audience's name in the filters.
fn name(audience: Audience) -> &'static str {
    match audience {
        Audience::Source => "source",
        Audience::Wire => "wire",
        Audience::Server => "server",
        Audience::Gap => "gap",
    }
}

fn card(
    text: &mut String,
    (report, view): (&Report, &View),
    block: &Block<'_>,
    finding: &Finding<'_>,
) {
    let change = finding.first;
    let who: Vec<_> = change.breaks.iter().map(|audience| name(*audience)).collect();
    let who = if who.is_empty() { "nobody".to_owned() } else { who.join(" ") };
    // A change that is about no program in particular goes by `any`.
    let program = change.implementation.as_deref().unwrap_or("any");
    let severity = change.severity.name();
    let hidden = if change.severity == Severity::Docs { " hidden" } else { "" };
    let id = match finding.only() {
        Some(entry) => format!(" id=\"{}\"", escape(&entry.fp)),
        None => String::new(),
    };
    let way = direction(change).map_or_else(String::new, |way| format!(", {way}"));
    let _ = write!(
        text,
        "<article class=\"{severity}\" data-severity=\"{severity}\" data-who=\"{who}\" data-program=\"{}\"{id}{hidden}>\n\
         <h3><code>{}</code><small>{}</small></h3>\n",
        escape(program),
        escape(&block.title),
        escape(&format!("{}{way}", block.subtitle)),
    );
    if let Some(message) = finding.message() {
        let _ = writeln!(text, "<p>{}</p>", prose(message));
    }
    tags(text, finding);
    match finding.only() {
        Some(entry) => {
            rust(text, entry);
            more(text, view, entry);
        }
        None => rows(text, (report, view), finding),
    }
    text.push_str("</article>\n");
}

fn tags(text: &mut String, finding: &Finding<'_>) {
    let change = finding.first;
    let mut tags = vec![
        format!("<b>{}</b>", change.severity.name()),
        format!("<span>{}</span>", change.rule.rule().id),
        format!("<span>{}</span>", change.cause.name()),
        format!("<span>bump {}</span>", change.bump.name()),
    ];
    let who: Vec<_> = change.breaks.iter().map(|audience| audience.who()).collect();
    if !who.is_empty() {
        tags.push(format!("<span>hits {}</span>", escape(&who.join(", "))));
    }
    if finding.is_accepted() {
        tags.push("<span>accepted</span>".to_owned());
    }
    let _ = writeln!(text, "<p class=\"tags\">{}</p>", tags.concat());
}

/// A row for each of many items.
fn rows(text: &mut String, (report, view): (&Report, &View), finding: &Finding<'_>) {
    text.push_str("<ul>\n");
    for entry in &finding.entries {
        let said = match finding.message() {
            Some(_) => String::new(),
            None => format!(" {}", prose(&entry.change.message)),
        };
        let at = entry.change.head_at.as_ref().or(entry.change.base_at.as_ref());
        let at = at.map_or_else(String::new, |at| format!(" <small>{}</small>", place(view, at)));
        let accepted = match &entry.accepted {
            Some(reason) => format!(" <small>accepted: {}</small>", escape(reason)),
            None => String::new(),
        };
        let _ = writeln!(
            text,
            "<li id=\"{0}\"><code>{1}</code>{said}{at} <small>{0}</small>{accepted}",
            escape(&entry.fp),
            escape(finding.name(entry)),
        );
        rust(text, entry);
        text.push_str("</li>\n");
    }
    let _ = writeln!(
        text,
        "</ul>\n<details><summary>more</summary>\n<dl>\n<dt>why</dt><dd>{}</dd>\n<dt>accept</dt><dd>{}</dd>\n</dl>\n</details>",
        prose(finding.first.rule.rule().why),
        accept(&finding.accept(report)),
    );
}

fn rust(text: &mut String, entry: &Entry) {
    let Some(rust) = &entry.rust else { return };
    text.push_str("<pre><code>");
    for (sign, line) in rust_lines(rust) {
        let tag = if sign == '-' { "del" } else { "ins" };
        let _ = writeln!(text, "<{tag}>{sign} {}</{tag}>", highlighted(line));
    }
    text.push_str("</code></pre>\n");
}

fn more(text: &mut String, view: &View, entry: &Entry) {
    let change = &entry.change;
    let mut rows: Vec<(&str, String)> = vec![("why", prose(change.rule.rule().why))];
    if let (Some(old), Some(new)) = (&change.old, &change.new) {
        rows.push(("was", escape(old)));
        rows.push(("is", escape(new)));
    }
    for detail in details(change) {
        match detail.value {
            Value::Text(value) => rows.push((detail.label, escape(&value))),
            Value::Places(base, head) => {
                let former =
                    base.map(|at| ("stood at", escape(&format!("{}:{}", at.file, at.line))));
                rows.extend(former);
                rows.extend(head.map(|at| ("stands at", place(view, at))));
            }
        }
    }
    match &entry.accepted {
        Some(reason) => rows.push(("accepted", escape(reason))),
        None if change.severity >= Severity::Risky => rows.push(("accept", accept(&entry.fp))),
        None => rows.push(("fingerprint", escape(&entry.fp))),
    }
    text.push_str("<details><summary>more</summary>\n<dl>\n");
    for (name, value) in rows {
        let _ = writeln!(text, "<dt>{name}</dt><dd>{value}</dd>");
    }
    text.push_str("</dl>\n</details>\n");
}

fn accept(what: &str) -> String {
    format!(
        "<code>cargo xtask diff --accept &#39;{}&#39; --reason &quot;…&quot;</code>",
        escape(what)
    )
}

/// A sentence whose words between backticks are code.
fn prose(text: &str) -> String {
    let parts = text.split('`').enumerate();
    // A backtick that nothing closes is one.
    let is_closed = text.matches('`').count().is_multiple_of(2);
    let parts = parts.map(|(number, part)| match (number % 2, is_closed) {
        (1, true) => format!("<code>{}</code>", escape(part)),
        (0, true) => escape(part),
        _ if number > 0 => format!("`{}", escape(part)),
        _ => escape(part),
    });
    parts.collect()
}

/// A path of Rust and what stands there, the name apart from its module and its type.
fn highlighted(line: &str) -> String {
    let Some((path, what)) = line.split_once(": ") else {
        return escape(line);
    };
    let (module, name) = path.rsplit_once("::").unwrap_or(("", path));
    let separator = if module.is_empty() { "" } else { "::" };
    format!(
        "<span>{}{separator}</span><b>{}</b>: <i>{}</i>",
        escape(module),
        escape(name),
        escape(what)
    )
}

fn place(view: &View, at: &Place) -> String {
    let shown = escape(&format!("{}:{}", at.file, at.line));
    match super::address(view, at) {
        Some(address) => format!("<a href=\"{}\">{shown}</a>", escape(&address)),
        None => shown,
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::{escape, highlighted, prose};

    #[test]
    fn code_is_marked() {
        for (text, expected) in [
            ("is `a<b>` now", "is <code>a&lt;b&gt;</code> now"),
            ("a ` alone", "a ` alone"),
            ("`<b>` and ` alone", "`&lt;b&gt;` and ` alone"),
        ] {
            assert_eq!(prose(text), expected);
        }
        assert_eq!(
            highlighted("a::B::c: Vec<D>"),
            "<span>a::B::</span><b>c</b>: <i>Vec&lt;D&gt;</i>"
        );
        assert_eq!(highlighted("<"), "&lt;");
    }

    #[test]
    fn text_stays_text() {
        assert_eq!(escape("<script>'\"&"), "&lt;script&gt;&#39;&quot;&amp;");
    }
}
