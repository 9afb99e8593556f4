//! The report as one page that fetches nothing, with filters by audience, severity and program, readable on a phone.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::document::{Block, Document, Finding, Value, details, direction};
use super::words::{side, summary};
use super::{View, rust_lines};
use crate::diff::report::{Entry, Report};
use fedispec_diff::change::Place;
use fedispec_diff::rules::{Audience, Severity};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Nothing may be fetched: what is needed stands in the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

const SECTIONS: [(Severity, &str); 4] = [
    (Severity::Breaking, "Breaking"),
    (Severity::Risky, "Risky"),
    (Severity::Compatible, "Compatible"),
    (Severity::Docs, "Text only"),
];

const AUDIENCES: [Audience; 4] =
    [Audience::Source, Audience::Wire, Audience::Server, Audience::Gap];

/// The report as a page. Text is in it whatever the view says; the page hides it until asked.
pub fn html(report: &Report, view: &View) -> String {
    let view = View { docs: true, ..view.clone() };
    let title = format!("API catalogue: {}", summary(report));
    let document = Document::new(report, &view);
    let is_same = report.changes.is_empty();
    let none = if is_same { "Nothing differs." } else { "Nothing is left by these filters." };
    whole(
        &title,
        &html! {
            header {
                h1 { (title) }
                p { (side(&report.base)) " → " (side(&report.head)) }
                (verdict(report))
            }
            (filters(report))
            main {
                @for (severity, title) in SECTIONS {
                    @let findings: Vec<_> = document.of(severity).collect();
                    @if !findings.is_empty() {
                        section { h2 { (title) } @for (block, finding) in findings { (card((report, &view), block, finding)) } }
                    }
                }
                p #none hidden[!is_same] { (none) }
            }
            script { (PreEscaped(SCRIPT)) }
        },
    )
}

/// A page of what was written as markdown for people: a title, headings, lists and lines.
pub fn page(markdown: &str) -> String {
    let title =
        markdown.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("API catalogue");
    let lines: Vec<_> = markdown.lines().filter(|line| !line.trim().is_empty()).collect();
    whole(
        title,
        &html! {
            main {
                @for lines in lines.chunk_by(|a, b| a.starts_with("- ") && b.starts_with("- ")) {
                    @if lines[0].starts_with("- ") {
                        ul { @for line in lines { li { (prose(line.trim_start_matches("- "))) } } }
                    }
                    @else if let Some(title) = lines[0].strip_prefix("# ") { h1 { (prose(title)) } }
                    @else if let Some(heading) = lines[0].strip_prefix("## ") { h2 { (prose(heading)) } }
                    @else { p { (prose(lines[0].trim())) } }
                }
            }
        },
    )
}

fn whole(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta http-equiv="Content-Security-Policy" content=(POLICY);
            title { (title) }
            style { (PreEscaped(STYLE)) }
            (body)
        }
    };
    page.into_string()
}

fn verdict(report: &Report) -> Markup {
    let bump = &report.bump;
    let floors = report.floors.iter();
    let floors: Vec<_> = floors.map(|(program, floor)| format!("{program} {floor}")).collect();
    html! {
        p.short[!bump.ok] {
            "bump implied " b { (bump.implied.name()) }
            @if let Some(measured) = bump.measured { " · measured " b { (measured.name()) } }
            @if let Some(declared) = bump.declared {
                " · declared " b { (declared.name()) } @if !bump.ok { ", too small" }
            }
        }
        @for line in &bump.unclaimed { p.short { "no rule claims: " (line) } }
        @if !floors.is_empty() { p { "floors " (floors.join(", ")) } }
    }
}

fn filters(report: &Report) -> Markup {
    let of = |severity: Severity| {
        report.changes.iter().filter(|entry| entry.change.severity == severity).count()
    };
    let severities = SECTIONS.map(|(severity, _)| {
        let label = format!("{} {}", severity.name(), of(severity));
        chip("severity", severity.name(), &label, severity > Severity::Docs)
    });
    let audiences = AUDIENCES.map(|audience| chip("who", name(audience), audience.who(), true));
    let audiences = audiences.into_iter().chain([chip("who", "nobody", "nobody", true)]);
    let programs = report.floors.keys().map(String::as_str).chain(["any"]);
    let programs = programs.map(|program| chip("program", program, program, true));
    html! {
        details #filters open {
            summary { "Filters" }
            (group("Severity", severities))
            (group("Who is hit", audiences))
            (group("Program", programs))
            div.find {
                input #search type="search" placeholder="Item, rule or text" aria-label="Search";
                output #shown {}
            }
        }
        @if report.counts.accepted > 0 { p { (report.counts.accepted) " of them accepted, with a reason." } }
    }
}

fn group(title: &str, chips: impl IntoIterator<Item = Markup>) -> Markup {
    html! {
        fieldset aria-label=(title) { span { (title) } div.chips { @for chip in chips { (chip) } } }
    }
}

fn chip(group: &str, value: &str, label: &str, checked: bool) -> Markup {
    html! { label { input type="checkbox" name=(group) value=(value) checked[checked]; (label) } }
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

fn card((report, view): (&Report, &View), block: &Block<'_>, finding: &Finding<'_>) -> Markup {
    let change = finding.first;
    let who: Vec<_> = change.breaks.iter().map(|audience| name(*audience)).collect();
    let who = if who.is_empty() { "nobody".to_owned() } else { who.join(" ") };
    // A change that is about no program in particular goes by `any`.
    let program = change.implementation.as_deref().unwrap_or("any");
    let severity = change.severity.name();
    let id = finding.only().map(|entry| &entry.fp);
    let way = direction(change).map_or_else(String::new, |way| format!(", {way}"));
    html! {
        article class=(severity) data-severity=(severity) data-who=(who) data-program=(program) id=[id] hidden[change.severity == Severity::Docs] {
            h3 { code { (block.title) } small { (block.subtitle) (way) } }
            @if let Some(message) = finding.message() { p { (prose(&message)) } }
            (tags(finding))
            @match finding.only() {
                Some(entry) => { (rust(entry)) (more(view, entry)) },
                None => { (rows((report, view), finding)) },
            }
        }
    }
}

fn tags(finding: &Finding<'_>) -> Markup {
    let change = finding.first;
    let who: Vec<_> = change.breaks.iter().map(|audience| audience.who()).collect();
    html! {
        p.tags {
            b { (change.severity.name()) }
            span { (change.rule.rule().id) }
            span { (change.cause.name()) }
            span { "bump " (change.bump.name()) }
            @if !who.is_empty() { span { "hits " (who.join(", ")) } }
            @if finding.is_accepted() { span { "accepted" } }
        }
    }
}

/// A row for each of many items.
fn rows((report, view): (&Report, &View), finding: &Finding<'_>) -> Markup {
    html! {
        ul { @for entry in &finding.entries {
            li id=(entry.fp) {
                code { (finding.name(entry)) }
                @if finding.message().is_none() { " " (prose(&entry.change.sentence())) }
                @if let Some(at) = entry.change.head_at.as_ref().or(entry.change.base_at.as_ref()) { " " small { (place(view, at)) } }
                " " small { (entry.fp) }
                @if let Some(reason) = &entry.accepted { " " small { "accepted: " (reason) } }
                (rust(entry))
            }
        } }
        details {
            summary { "more" }
            dl {
                dt { "why" } dd { (prose(finding.first.why())) }
                dt { "accept" } dd { (accept(&finding.accept(report))) }
            }
        }
    }
}

fn rust(entry: &Entry) -> Markup {
    html! { @if let Some(rust) = &entry.rust {
        pre { code { @for (sign, line) in rust_lines(rust) {
            @if sign == '-' { del { (sign) " " (highlighted(line)) } } @else { ins { (sign) " " (highlighted(line)) } }
            "\n"
        } } }
    } }
}

fn more(view: &View, entry: &Entry) -> Markup {
    let change = &entry.change;
    let plain = |text: &str| html! { (text) };
    let mut rows: Vec<(&str, Markup)> = vec![("why", prose(change.why()))];
    if let (Some(old), Some(new)) = (&change.old, &change.new) {
        rows.extend([("was", plain(old)), ("is", plain(new))]);
    }
    for detail in details(change) {
        match detail.value {
            Value::Text(value) => rows.push((detail.label, plain(&value))),
            Value::Places(base, head) => {
                rows.extend(base.map(|at| ("stood at", html! { (at.file) ":" (at.line) })));
                rows.extend(head.map(|at| ("stands at", place(view, at))));
            }
        }
    }
    rows.push(match &entry.accepted {
        Some(reason) => ("accepted", plain(reason)),
        None if change.severity >= Severity::Risky => ("accept", accept(&entry.fp)),
        None => ("fingerprint", plain(&entry.fp)),
    });
    html! {
        details { summary { "more" } dl { @for (name, value) in rows { dt { (name) } dd { (value) } } } }
    }
}

fn accept(what: &str) -> Markup {
    html! { code { "cargo xtask diff --accept '" (what) "' --reason \"…\"" } }
}

/// A sentence whose words between backticks are code. A backtick that nothing closes is one.
fn prose(text: &str) -> Markup {
    let parts: Vec<_> = text.split('`').collect();
    html! {
        @if parts.len().is_multiple_of(2) { (text) }
        @else { @for (number, part) in parts.iter().enumerate() {
            @if number.is_multiple_of(2) { (part) } @else { code { (part) } }
        } }
    }
}

/// A path of Rust and what stands there, the name apart from its module and its type.
fn highlighted(line: &str) -> Markup {
    let Some((path, what)) = line.split_once(": ") else {
        return html! { (line) };
    };
    let (module, name) = path.split_at(path.rfind("::").map_or(0, |at| at + 2));
    html! { span { (module) } b { (name) } ": " i { (what) } }
}

fn place(view: &View, at: &Place) -> Markup {
    html! {
        @match super::address(view, at) {
            Some(address) => a href=(address) { (at.file) ":" (at.line) },
            None => { (at.file) ":" (at.line) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{highlighted, prose};

    #[test]
    fn code_is_marked() {
        for (text, expected) in [
            ("is `a<b>` now", "is <code>a&lt;b&gt;</code> now"),
            ("a ` alone", "a ` alone"),
            ("`<b>` and ` alone", "`&lt;b&gt;` and ` alone"),
            ("<script>'\"&", "&lt;script&gt;'&quot;&amp;"),
        ] {
            assert_eq!(prose(text).into_string(), expected);
        }
        assert_eq!(
            highlighted("a::B::c: Vec<D>").into_string(),
            "<span>a::B::</span><b>c</b>: <i>Vec&lt;D&gt;</i>"
        );
        assert_eq!(highlighted("<").into_string(), "&lt;");
    }
}
