//! The report as one page that fetches nothing, with filters by audience, severity and program, readable on a phone.

use std::fmt::Write as _;

use super::words::{few, side, spans, summary};
use super::{View, rust_lines};
use crate::diff::report::{Entry, Report};
use fedispec_diff::change::{Change, Direction, Place};
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

/// The report as a page. Text is in it whatever the view says; the page hides it until asked.
pub fn html(report: &Report, view: &View) -> String {
    let view = View {
        docs: true,
        ..view.clone()
    };
    let title = escape(&format!("API catalogue: {}", summary(report)));
    let mut text = format!(
        "{HEAD}<title>{title}</title>\n<style>\n{STYLE}</style>\n<header>\n<h1>{title}</h1>\n<p>{} → {}</p>\n{}</header>\n",
        escape(&side(&report.base)),
        escape(&side(&report.head)),
        verdict(report),
    );
    filters(&mut text, report);
    text.push_str("<main>\n");
    for entry in view.changes(report) {
        card(&mut text, &view, entry);
    }
    let none = if report.changes.is_empty() {
        "Nothing differs."
    } else {
        "Nothing is left by these filters."
    };
    let hidden = if report.changes.is_empty() {
        ""
    } else {
        " hidden"
    };
    let _ = write!(
        text,
        "<p id=\"none\"{hidden}>{none}</p>\n</main>\n<script>\n{SCRIPT}</script>\n</html>\n"
    );
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
        let _ = writeln!(
            text,
            "<p class=\"short\">no rule claims: {}</p>",
            escape(line)
        );
    }
    let floors = report.floors.iter();
    let floors: Vec<_> = floors
        .map(|(program, floor)| format!("{program} {floor}"))
        .collect();
    if !floors.is_empty() {
        let _ = writeln!(text, "<p>floors {}</p>", escape(&floors.join(", ")));
    }
    text
}

fn filters(text: &mut String, report: &Report) {
    let counts = report.counts;
    text.push_str("<details id=\"filters\" open>\n<summary>Filters</summary>\n");
    let of = |severity: Severity| {
        report
            .changes
            .iter()
            .filter(|entry| entry.change.severity == severity)
            .count()
    };
    let severities = [
        Severity::Breaking,
        Severity::Risky,
        Severity::Compatible,
        Severity::Docs,
    ];
    let chips = severities.map(|severity| {
        let label = format!("{} {}", severity.name(), of(severity));
        chip(
            "severity",
            severity.name(),
            &label,
            severity > Severity::Docs,
        )
    });
    group(text, "Severity", &chips.concat());
    let audiences = [
        Audience::Source,
        Audience::Wire,
        Audience::Server,
        Audience::Gap,
    ];
    let mut chips: String = audiences
        .map(|audience| chip("who", name(audience), audience.who(), true))
        .concat();
    chips.push_str(&chip("who", "nobody", "nobody", true));
    group(text, "Who is hit", &chips);
    let programs = report.floors.keys().map(String::as_str).chain(["any"]);
    let chips: String = programs
        .map(|program| chip("program", program, program, true))
        .collect();
    group(text, "Program", &chips);
    text.push_str(
        "<div class=\"find\"><input type=\"search\" id=\"search\" placeholder=\"Item, rule or text\" aria-label=\"Search\">\
         <output id=\"shown\"></output></div>\n</details>\n",
    );
    if counts.accepted > 0 {
        let _ = writeln!(
            text,
            "<p>{} of them accepted, with a reason.</p>",
            counts.accepted
        );
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

/// What the filters call an audience.
fn name(audience: Audience) -> &'static str {
    match audience {
        Audience::Source => "source",
        Audience::Wire => "wire",
        Audience::Server => "server",
        Audience::Gap => "gap",
    }
}

fn card(text: &mut String, view: &View, entry: &Entry) {
    let change = &entry.change;
    let who: Vec<_> = change
        .breaks
        .iter()
        .map(|audience| name(*audience))
        .collect();
    let who = if who.is_empty() {
        "nobody".to_owned()
    } else {
        who.join(" ")
    };
    // A change that is about no program in particular goes by `any`.
    let program = change.implementation.as_deref().unwrap_or("any");
    let severity = change.severity.name();
    let hidden = if change.severity == Severity::Docs {
        " hidden"
    } else {
        ""
    };
    let _ = write!(
        text,
        "<article class=\"{severity}\" data-severity=\"{severity}\" data-who=\"{who}\" data-program=\"{}\" id=\"{}\"{hidden}>\n\
         <h2><code>{}</code><small>{}</small></h2>\n<p>{}</p>\n",
        escape(program),
        escape(&entry.fp),
        escape(&change.item.id),
        escape(&kind(change)),
        escape(&change.message),
    );
    tags(text, entry);
    if let Some(rust) = &entry.rust {
        text.push_str("<pre>");
        for (sign, line) in rust_lines(rust) {
            let tag = if sign == '-' { "del" } else { "ins" };
            let _ = writeln!(text, "<{tag}>{sign} {}</{tag}>", escape(line));
        }
        text.push_str("</pre>\n");
    }
    details(text, view, entry);
    text.push_str("</article>\n");
}

fn tags(text: &mut String, entry: &Entry) {
    let change = &entry.change;
    let mut tags = vec![
        format!("<b>{}</b>", change.severity.name()),
        format!("<span>{}</span>", change.rule.rule().id),
        format!("<span>{}</span>", change.cause.name()),
        format!("<span>bump {}</span>", change.bump.name()),
    ];
    let who: Vec<_> = change
        .breaks
        .iter()
        .map(|audience| audience.who())
        .collect();
    if !who.is_empty() {
        tags.push(format!("<span>hits {}</span>", escape(&who.join(", "))));
    }
    if entry.accepted.is_some() {
        tags.push("<span>accepted</span>".to_owned());
    }
    let _ = writeln!(text, "<p class=\"tags\">{}</p>", tags.concat());
}

fn kind(change: &Change) -> String {
    let direction = match change.direction {
        Some(Direction::Request) => ", request",
        Some(Direction::Response) => ", response",
        None => "",
    };
    match (&change.item.method, &change.item.path) {
        (Some(method), Some(path)) => format!("{method} {path}{direction}"),
        _ => format!("{}{direction}", change.item.kind),
    }
}

fn details(text: &mut String, view: &View, entry: &Entry) {
    let change = &entry.change;
    let mut rows: Vec<(&str, String)> = vec![("why", escape(change.rule.rule().why))];
    if let (Some(old), Some(new)) = (&change.old, &change.new) {
        rows.push(("was", escape(old)));
        rows.push(("is", escape(new)));
    }
    let gate = change.gate.iter();
    for (what, releases) in gate.flat_map(|gate| {
        [
            ("gate opens on", &gate.opens),
            ("gate closes on", &gate.closes),
        ]
    }) {
        if !releases.is_empty() {
            rows.push((what, escape(&spans(releases))));
        }
    }
    if !change.reach.is_empty() {
        rows.push(("reach", escape(&few(&change.reach, 12))));
    }
    if let Some(at) = &change.base_at {
        rows.push(("stood at", escape(&format!("{}:{}", at.file, at.line))));
    }
    if let Some(at) = &change.head_at {
        rows.push(("stands at", place(view, at)));
    }
    let proofs = change.evidence.iter();
    rows.extend(proofs.map(|proof| {
        (
            "evidence",
            escape(&format!("{} {}", proof.class, proof.r#ref)),
        )
    }));
    match &entry.accepted {
        Some(reason) => rows.push(("accepted", escape(reason))),
        None if change.severity >= Severity::Risky => rows.push((
            "accept",
            format!(
                "<code>cargo xtask diff --accept {} --reason &quot;…&quot;</code>",
                escape(&entry.fp)
            ),
        )),
        None => rows.push(("fingerprint", escape(&entry.fp))),
    }
    text.push_str("<details><summary>more</summary>\n<dl>\n");
    for (name, value) in rows {
        let _ = writeln!(text, "<dt>{name}</dt><dd>{value}</dd>");
    }
    text.push_str("</dl>\n</details>\n");
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
    use super::escape;

    #[test]
    fn text_stays_text() {
        assert_eq!(escape("<script>'\"&"), "&lt;script&gt;&#39;&quot;&amp;");
    }
}
