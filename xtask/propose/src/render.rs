//! A proposal as Markdown, for people, and as JSON.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use fedispec_report::diff::render::counted;

use crate::row::{Change, Edit, ItemKind, Proposal, Row, STANDS_WITH, yaml};

/// How a proposal is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    Markdown,
    /// For other tools.
    Json,
}

/// The parts of a proposal, in the order in which they are read.
struct Parts<'p> {
    /// Nothing is left to decide.
    ready: Vec<&'p Row>,
    /// A person must look.
    left: Vec<&'p Row>,
    /// Against what the catalogue says of the older release.
    against: Vec<&'p Row>,
    /// How much was decided before, and is not asked again.
    decided: usize,
}

impl<'p> Parts<'p> {
    fn of(proposal: &'p Proposal) -> Self {
        let (decided, asked): (Vec<_>, Vec<_>) =
            proposal.rows.iter().partition(|row| row.accepted.is_some());
        let (against, news): (Vec<_>, Vec<_>) =
            asked.into_iter().partition(|row| row.change == Change::Contradicts);
        let (ready, left) = news.into_iter().partition(|row| row.is_ready());
        let decided = decided.len() + proposal.unread_decided.len();
        Self { ready, left, against, decided }
    }
}

/// Rows that one look decides.
pub(crate) struct Group<'p> {
    pub(crate) first: &'p Row,
    /// The others, which the same place in the source brings.
    pub(crate) others: Vec<&'p Row>,
}

impl<'p> Group<'p> {
    /// Joins what is decided together: a member that several objects share, and the fields of a new object. What belongs to a new
    /// operation is in its YAML.
    pub(crate) fn all(rows: &[&'p Row]) -> Vec<Self> {
        let fresh: BTreeSet<&str> = { rows.iter() }
            .filter(|row| row.kind == ItemKind::Operation && row.change == Change::Added)
            .map(|row| row.id.as_str())
            .collect();
        let mut groups: Vec<Self> = Vec::new();
        let mut places = HashMap::new();
        for row in rows {
            let owner = row.id.strip_suffix(&format!(".{}", row.name));
            let is_inside = row.kind == ItemKind::Param
                && row.change == Change::Added
                && owner.is_some_and(|owner| fresh.contains(owner));
            if is_inside {
                continue;
            }
            // Nothing joins what it takes away, renames or contradicts, and of what changes the answers of several operations alone.
            let is_answer = row.kind == ItemKind::Operation && row.change == Change::Changed;
            let is_joined = row.decide.is_some() && (row.change == Change::Added || is_answer);
            let shared = is_joined.then(|| {
                let last = row.name.rsplit('[').next().unwrap_or_default();
                let entity = row.id.split('.').next().unwrap_or_default();
                let to = row.to.as_deref().unwrap_or_default();
                match row.kind {
                    _ if is_answer => (to, last, Some(row.file.as_str()), question(row)),
                    // A shape without a file is new as a whole.
                    ItemKind::Field if row.file.is_empty() => (entity, "", None, ""),
                    _ => (row.at.as_str(), last, Some(row.file.as_str()), question(row)),
                }
            });
            if let Some(place) = shared.and_then(|shared| places.get(&shared).copied()) {
                let group: &mut Self = &mut groups[place];
                group.others.push(row);
                continue;
            }
            places.extend(shared.map(|shared| (shared, groups.len())));
            groups.push(Self { first: row, others: Vec::new() });
        }
        groups
    }

    /// The edits to write: of parameters, those of the first alone where the others say the same of the same object.
    fn edits(&self) -> impl Iterator<Item = &'p Edit> {
        let mut asked = BTreeSet::new();
        let rows = std::iter::once(self.first).chain(self.others.iter().copied());
        let rows = rows.filter(move |row| asked.insert(&row.decide) || row.kind != ItemKind::Param);
        rows.flat_map(|row| &row.edits)
    }

    /// The file and the entity, operation or enumeration in it that the YAML is of.
    fn owner(&self) -> (&'p str, Option<&'p [String]>) {
        (&self.first.file, self.first.edits.first().and_then(|edit| edit.path.get(..2)))
    }

    /// Where the objects are that parameters stand in.
    fn objects(&self) -> Option<String> {
        let rows = std::iter::once(self.first).chain(self.others.iter().copied());
        let mut objects: Vec<&str> = Vec::new();
        for object in rows.filter_map(|row| Some(row.decide.as_deref()?.split_once(STANDS_WITH)?.1))
        {
            if !objects.contains(&object) {
                objects.push(object);
            }
        }
        (!objects.is_empty()).then(|| objects.join(", "))
    }

    /// The ids of the others.
    fn others(&self) -> Option<String> {
        let ids: Vec<&str> = self.others.iter().map(|row| row.id.as_str()).collect();
        (!ids.is_empty()).then(|| ids.join(", "))
    }
}

/// The question of a row, without the object that a parameter stands in.
fn question(row: &Row) -> &str {
    let asked = row.decide.as_deref().unwrap_or_default();
    asked.split(STANDS_WITH).next().unwrap_or_default()
}

/// The groups of each question, in the order in which they are first asked; of what leaves nothing to decide it is empty.
fn questions<'p>(rows: &[&'p Row]) -> Vec<(&'p str, Vec<Group<'p>>)> {
    let mut questions: Vec<(&str, Vec<Group<'_>>)> = Vec::new();
    for group in Group::all(rows) {
        let asked = question(group.first);
        match questions.iter_mut().find(|(known, _)| *known == asked) {
            Some((_, groups)) => groups.push(group),
            None => questions.push((asked, vec![group])),
        }
    }
    questions
}

/// Groups whose YAML is one block: of the same entity, operation or enumeration.
fn blocks<'p>(groups: Vec<Group<'p>>) -> Vec<Vec<Group<'p>>> {
    let mut blocks: Vec<Vec<Group<'p>>> = Vec::new();
    for group in groups {
        let (file, owner) = group.owner();
        let same = |block: &&mut Vec<Group<'p>>| {
            !file.is_empty() && owner.is_some() && block[0].owner() == (file, owner)
        };
        match blocks.iter_mut().find(same) {
            Some(block) => block.push(group),
            None => blocks.push(vec![group]),
        }
    }
    blocks
}

fn block_yaml(block: &[Group<'_>]) -> String {
    yaml(block.iter().flat_map(Group::edits))
}

/// Prints a proposal.
pub fn render(proposal: &Proposal, format: Format) -> String {
    match format {
        Format::Json => {
            let text = serde_json::to_string_pretty(proposal);
            text.map_or_else(|error| format!("{{\"error\": \"{error}\"}}"), |text| text + "\n")
        }
        Format::Markdown => markdown(proposal),
    }
}

fn title(proposal: &Proposal) -> String {
    format!("{} {} after {}", proposal.program, proposal.version, proposal.from)
}

/// A row without its YAML.
pub(crate) fn line(row: &Row) -> String {
    let mut text = format!("{} {} `{}`", row.change.name(), row.kind.name(), row.id);
    if let (Some(method), Some(path), true) = (&row.method, &row.path, row.name.is_empty()) {
        _ = write!(text, " (`{method} {path}`)");
    }
    match (&row.from, &row.to) {
        (Some(from), Some(to)) => _ = write!(text, ": {from} → {to}"),
        (Some(from), None) => _ = write!(text, ": was {from}"),
        (None, Some(to)) => _ = write!(text, ": {to}"),
        (None, None) => {}
    }
    text
}

/// A part's name, and its groups by question.
type Section<'p> = (&'static str, Vec<(&'p str, Vec<Group<'p>>)>);

impl<'p> Parts<'p> {
    /// The parts that are not empty. What is under no question is to be written as it is.
    fn sections(&self) -> impl Iterator<Item = Section<'p>> {
        let sections = [
            ("To be written down", &self.ready),
            ("To be decided", &self.left),
            ("Against the catalogue: mistakes of ours, or of this reading", &self.against),
        ];
        let sections = sections.map(|(name, rows)| (name, questions(rows)));
        sections.into_iter().filter(|(_, questions)| !questions.is_empty())
    }
}

/// How much is in a part, and under how many questions.
fn size(questions: &[(&str, Vec<Group<'_>>)]) -> String {
    let entries: usize = questions.iter().map(|(_, groups)| groups.len()).sum();
    let asked = questions.iter().filter(|(question, _)| !question.is_empty()).count();
    match asked {
        0 => entries.to_string(),
        _ => format!("{entries}, {}", counted(asked, "question")),
    }
}

fn markdown(proposal: &Proposal) -> String {
    let parts = Parts::of(proposal);
    let mut text = format!("## {}\n", title(proposal));
    for (name, questions) in parts.sections() {
        _ = writeln!(text, "\n### {name} ({})", size(&questions));
        for (question, groups) in questions {
            let check = if question.is_empty() { "" } else { "[ ] " };
            match question {
                "" => text.push('\n'),
                question => _ = writeln!(text, "\nDecide: {question}.\n"),
            }
            for group in &groups {
                let row = group.first;
                let fp = if row.is_ready() { String::new() } else { format!(" fp {}", row.fp) };
                _ = writeln!(text, "- {check}{}, `{}`{fp}", line(row), row.at);
                if let Some(others) = group.others() {
                    _ = writeln!(text, "  With it: {others}.");
                }
                if let Some(objects) = group.objects() {
                    _ = writeln!(text, "  It stands with {objects}.");
                }
            }
        }
    }
    let left = blocks(Group::all(&parts.left));
    let left: Vec<_> = { left.iter() }
        .map(|block| (block[0].owner().0, block_yaml(block)))
        .filter(|(_, yaml)| !yaml.is_empty())
        .collect();
    if !left.is_empty() {
        text.push_str("\n<details><summary>YAML of what is to be decided</summary>\n");
        for (file, yaml) in left {
            let file = if file.is_empty() { "a new file" } else { file };
            _ = writeln!(text, "\n`{file}`\n```yaml\n{yaml}```");
        }
        text.push_str("\n</details>\n");
    }
    if parts.decided > 0 {
        _ = writeln!(text, "\n{} were decided before.", counted(parts.decided, "row"));
    }
    if !proposal.unread.is_empty() {
        _ = writeln!(text, "\n### Not read ({})\n", proposal.unread.len());
        for unread in &proposal.unread {
            _ = writeln!(text, "- {unread}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Format, render};
    use crate::row::{Change, Edit, ItemKind, Proposal, Row, SCHEMA, yaml};

    fn row(kind: ItemKind, id: &str, name: &str, at: &str, file: &str) -> Row {
        let edits = vec![Edit::new(id.split('.'), "new")];
        Row {
            change: Change::Added,
            kind,
            id: id.to_owned(),
            method: None,
            path: None,
            name: name.to_owned(),
            from: None,
            to: Some("2.0.0".to_owned()),
            at: at.to_owned(),
            sure: true,
            decide: Some("its summary".to_owned()),
            fp: "1a2b3c4d5e6f".to_owned(),
            yaml: yaml(&edits),
            file: file.to_owned(),
            edits,
            ..Row::default()
        }
    }

    #[test]
    fn what_one_look_decides_is_one_entry() {
        let proposal = Proposal {
            schema: SCHEMA,
            program: "a".to_owned(),
            version: "2.0.0".to_owned(),
            from: "1.0.0".to_owned(),
            date: String::new(),
            api: None,
            rows: vec![
                row(ItemKind::Operation, "notes.get", "", "routes:1", "notes.yaml"),
                row(ItemKind::Param, "notes.get.limit", "limit", "paging:1", "notes.yaml"),
                row(ItemKind::Param, "notes.create.a[word]", "a[word]", "form:7", "notes.yaml"),
                row(ItemKind::Param, "notes.create.b[word]", "b[word]", "form:7", "notes.yaml"),
                row(ItemKind::Field, "Shelf.id", "id", "shelf:1", ""),
                row(ItemKind::Field, "Shelf.name", "name", "shelf:2", ""),
                row(ItemKind::Field, "Note.text.id", "id", "note:1", "notes.yaml"),
                row(ItemKind::Field, "Shelf.of.id", "id", "shelf:3", "notes.yaml"),
                row(ItemKind::Field, "Note.text.size", "size", "note:2", "notes.yaml"),
            ],
            unread: Vec::new(),
            unread_decided: Vec::new(),
        };
        let text = render(&proposal, Format::Markdown);
        assert_eq!(
            text,
            "## a 2.0.0 after 1.0.0

### To be decided (6, 1 question)

Decide: its summary.

- [ ] added operation `notes.get`: 2.0.0, `routes:1` fp 1a2b3c4d5e6f
- [ ] added param `notes.create.a[word]`: 2.0.0, `form:7` fp 1a2b3c4d5e6f
  With it: notes.create.b[word].
- [ ] added field `Shelf.id`: 2.0.0, `shelf:1` fp 1a2b3c4d5e6f
  With it: Shelf.name.
- [ ] added field `Note.text.id`: 2.0.0, `note:1` fp 1a2b3c4d5e6f
- [ ] added field `Shelf.of.id`: 2.0.0, `shelf:3` fp 1a2b3c4d5e6f
- [ ] added field `Note.text.size`: 2.0.0, `note:2` fp 1a2b3c4d5e6f

<details><summary>YAML of what is to be decided</summary>

`notes.yaml`
```yaml
notes:
  get: new
```

`notes.yaml`
```yaml
notes:
  create:
    \"a[word]\": new
```

`a new file`
```yaml
Shelf:
  id: new
  name: new
```

`notes.yaml`
```yaml
Note:
  text:
    id: new
    size: new
```

`notes.yaml`
```yaml
Shelf:
  of:
    id: new
```

</details>
"
        );
    }
}
