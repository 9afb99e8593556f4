//! Parsed files, and nodes with their text and place.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{Language, Node, ParseOptions, ParseState, Parser, Tree};

use crate::error::Error;
use crate::surface::Place;

/// A parsed file.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
    tree: Tree,
}

/// Parses files. The second part names those that are not whole: what could be read of them is used all the same.
pub(crate) fn parse(
    language: &Language,
    files: Vec<(String, String)>,
) -> Result<(Vec<File>, Vec<String>), Error> {
    let mut parser = Parser::new();
    let set = parser.set_language(language);
    set.map_err(|error| Error(format!("the grammar and its parser do not fit: {error}")))?;
    let mut parsed = Vec::with_capacity(files.len());
    let mut broken = Vec::new();
    for (path, text) in files {
        let Some(tree) = parsed_in_time(&mut parser, &text) else {
            broken.push(format!("{path} could not be parsed in time; it was left out"));
            parser.reset();
            continue;
        };
        if is_too_deep(tree.root_node()) {
            broken.push(format!("{path} is nested too deeply; it was left out"));
            continue;
        }
        if let Some(line) = first_error(tree.root_node()) {
            broken.push(format!("{path}:{line} does not parse; the rest of the file was read"));
        }
        parsed.push(File { path, text, tree });
    }
    Ok((parsed, broken))
}

/// The time for one file, which takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// How deep a syntax tree may be. Those of the known programs have a tenth of it.
const DEEPEST: u32 = 1_000;

fn parsed_in_time(parser: &mut Parser, text: &str) -> Option<Tree> {
    let start = Instant::now();
    let mut watch = |_: &ParseState| {
        if start.elapsed() > PATIENCE { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut watch);
    let rest = |at: usize, _| text.as_bytes().get(at..).unwrap_or_default();
    parser.parse_with_options(&mut { rest }, None, Some(options))
}

/// Whether a tree is deeper than the recursion of the readers allows.
fn is_too_deep(root: Node<'_>) -> bool {
    let mut cursor = root.walk();
    loop {
        if cursor.depth() > DEEPEST {
            return true;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// The line of the first place that does not parse.
fn first_error(root: Node<'_>) -> Option<usize> {
    if !root.has_error() {
        return None;
    }
    let mut node = root;
    loop {
        let mut cursor = node.walk();
        let inner = node.children(&mut cursor).find(Node::has_error);
        match inner {
            Some(inner) => node = inner,
            None => return Some(node.start_position().row + 1),
        }
    }
}

impl File {
    pub(crate) fn root(&self) -> Spot<'_> {
        Spot { file: self, node: self.tree.root_node() }
    }
}

/// A node of a file.
#[derive(Clone, Copy)]
pub(crate) struct Spot<'s> {
    pub(crate) file: &'s File,
    pub(crate) node: Node<'s>,
}

impl<'s> Spot<'s> {
    fn here(self, node: Node<'s>) -> Self {
        Self { file: self.file, node }
    }

    pub(crate) fn kind(self) -> &'s str {
        self.node.kind()
    }

    pub(crate) fn text(self) -> &'s str {
        self.file.text.get(self.node.byte_range()).unwrap_or_default()
    }

    pub(crate) fn place(self) -> Place {
        Place { file: self.file.path.clone(), line: self.node.start_position().row + 1 }
    }

    /// The child of that role.
    pub(crate) fn field(self, role: &str) -> Option<Self> {
        Some(self.here(self.node.child_by_field_name(role)?))
    }

    /// The text of the child of that role; empty where there is none.
    pub(crate) fn word(self, role: &str) -> &'s str {
        self.field(role).map_or("", Self::text)
    }

    /// Whether the child of that role is written so.
    pub(crate) fn is(self, role: &str, text: &str) -> bool {
        self.field(role).is_some_and(|child| child.text() == text)
    }

    /// Whether two spots are the same node.
    pub(crate) fn same(self, other: Self) -> bool {
        self.node.id() == other.node.id()
    }

    /// The named children: punctuation and comments left out.
    pub(crate) fn children(self) -> Vec<Self> {
        let mut cursor = self.node.walk();
        let children = self.node.named_children(&mut cursor);
        let children = children.filter(|child| child.kind() != "comment");
        children.map(|child| self.here(child)).collect()
    }

    /// The first named child.
    pub(crate) fn first(self) -> Option<Self> {
        self.children().first().copied()
    }

    /// The last named child.
    pub(crate) fn last(self) -> Option<Self> {
        self.children().last().copied()
    }

    /// The children of the child of that role.
    pub(crate) fn list(self, role: &str) -> Vec<Self> {
        self.field(role).map(Self::children).unwrap_or_default()
    }

    /// The children of that role.
    pub(crate) fn fields(self, role: &str) -> Vec<Self> {
        let mut cursor = self.node.walk();
        let children = self.node.children_by_field_name(role, &mut cursor);
        let children = children.filter(Node::is_named);
        children.map(|child| self.here(child)).collect()
    }

    /// The first child of that kind.
    pub(crate) fn child(self, kind: &str) -> Option<Self> {
        self.children().into_iter().find(|child| child.kind() == kind)
    }

    pub(crate) fn parent(self) -> Option<Self> {
        Some(self.here(self.node.parent()?))
    }

    /// The nearest node around this one that is of that kind; this one itself where it is.
    pub(crate) fn around(self, kind: &str) -> Option<Self> {
        std::iter::successors(Some(self), |at| at.parent()).find(|at| at.kind() == kind)
    }

    /// Calls `visit` for this node and those below, the outer before the inner. Where it answers false, what is below is left out.
    pub(crate) fn walk(self, mut visit: impl FnMut(Self) -> bool) {
        let mut next = vec![self];
        while let Some(spot) = next.pop() {
            if visit(spot) {
                next.extend(spot.children().into_iter().rev());
            }
        }
    }

    /// This node and those below, the outer before the inner.
    pub(crate) fn all(self) -> impl Iterator<Item = Self> {
        let mut next = vec![self];
        std::iter::from_fn(move || {
            let spot = next.pop()?;
            next.extend(spot.children().into_iter().rev());
            Some(spot)
        })
    }

    /// The nodes of a kind, this one and those below, the outer before the inner.
    pub(crate) fn of_kind(self, kind: &str) -> impl Iterator<Item = Self> {
        self.all().filter(move |at| at.kind() == kind)
    }

    /// The comment lines directly above, without their marks.
    pub(crate) fn comment_above(self) -> Vec<&'s str> {
        let mut lines = Vec::new();
        let mut node = self.node;
        while let Some(above) = node.prev_sibling()
            && above.kind() == "comment"
            && above.end_position().row + 1 == node.start_position().row
        {
            let text = self.here(above).text();
            lines.push(text.trim_start_matches(['/', '#']).trim());
            node = above;
        }
        lines.reverse();
        lines
    }
}

/// `custom_emoji` of `CustomEmoji`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
