//! The names that a file imports from other files of its crate, as far as its tokens tell.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::{fs, vec};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path of a module, from the root of its crate.
pub(crate) type Module = Vec<String>;

/// The files of a crate by their modules.
pub(crate) struct Sources {
    pub(crate) files: BTreeMap<Module, File>,
}

/// A file: the paths that it names, and the names that it re-exports.
pub(crate) struct File {
    pub(crate) path: PathBuf,
    /// Absolute paths, each of a module and a name in it.
    pub(crate) names: Vec<Module>,
    /// `use` makes a name of this module mean that path.
    aliases: BTreeMap<String, Module>,
}

impl Sources {
    /// Reads the sources of a crate, from its `lib.rs` or `main.rs`.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        let roots = ["lib.rs", "main.rs"];
        let top = roots.iter().map(|name| folder.join(name));
        let top = top.into_iter().find(|path| path.is_file());
        read(&top.expect("a root file"), folder, Vec::new(), &mut files);
        Self { files }
    }

    /// The module that defines what a path names, followed through `use`.
    pub(crate) fn home(&self, path: &[String]) -> Option<&Module> {
        let mut path = path.to_vec();
        for _ in 0..8 {
            let depth = (0..=path.len()).rev();
            let mut modules = depth.filter_map(|depth| self.files.get_key_value(&path[..depth]));
            let (module, file) = modules.next()?;
            let Some(alias) = path.get(module.len()).and_then(|name| file.aliases.get(name)) else {
                return Some(module);
            };
            let rest = path[module.len() + 1..].to_vec();
            path = [alias.clone(), rest].concat();
        }
        None
    }
}

fn read(path: &Path, folder: &Path, module: Module, files: &mut BTreeMap<Module, File>) {
    let text = fs::read_to_string(path).expect("a source file");
    let tokens: TokenStream = text.parse().expect("Rust");
    let mut reader = Reader {
        module: module.clone(),
        children: children(&tokens),
        names: Vec::new(),
        aliases: BTreeMap::new(),
    };
    reader.walk(tokens, 0);
    for child in &reader.children {
        let below: Module = module.iter().chain([child]).cloned().collect();
        let file = folder.join(format!("{}.rs", below.join("/")));
        if file.is_file() {
            read(&file, folder, below, files);
        }
    }
    let file = File { path: path.to_owned(), names: reader.names, aliases: reader.aliases };
    files.insert(module, file);
}

/// The modules that a file declares: `mod name;`.
fn children(tokens: &TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let declared = tokens.windows(3).filter_map(|three| match three {
        [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Punct(end)]
            if word == "mod" && end.as_char() == ';' =>
        {
            Some(name.to_string())
        }
        _ => None,
    });
    declared.collect()
}

struct Reader {
    module: Module,
    children: Vec<String>,
    names: Vec<Module>,
    aliases: BTreeMap<String, Module>,
}

type Tokens = Peekable<vec::IntoIter<TokenTree>>;

fn list(tokens: TokenStream) -> Tokens {
    tokens.into_iter().collect::<Vec<_>>().into_iter().peekable()
}

/// Takes `::` if it comes next.
fn take_colons(tokens: &mut Tokens) -> bool {
    let colon = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ':');
    let mut ahead = tokens.clone();
    let both = ahead.next().is_some_and(|t| colon(&t)) && ahead.next().is_some_and(|t| colon(&t));
    if both {
        *tokens = ahead;
    }
    both
}

impl Reader {
    /// Walks over tokens that are `depth` inline modules below the file's own.
    fn walk(&mut self, tokens: TokenStream, depth: usize) {
        let mut tokens = list(tokens);
        let mut after_colons = false;
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.walk(group.stream(), depth),
                TokenTree::Ident(word) if word == "mod" => self.inline(&mut tokens, depth),
                TokenTree::Ident(word) if !after_colons => {
                    let used = word == "use";
                    let first = if used {
                        take_colons(&mut tokens);
                        match tokens.next() {
                            Some(TokenTree::Ident(first)) => first,
                            _ => continue,
                        }
                    } else {
                        word
                    };
                    if let Some(base) = self.base(&first.to_string(), depth) {
                        self.path(base, &mut tokens, used, depth);
                    }
                }
                _ => {}
            }
            after_colons = false;
            while take_colons(&mut tokens) {
                after_colons = true;
            }
        }
    }

    /// Skips `mod name;` and unit tests, and walks over any other inline module.
    fn inline(&mut self, tokens: &mut Tokens, depth: usize) {
        let name = tokens.next();
        if let Some(TokenTree::Group(body)) = tokens.peek() {
            let body = body.stream();
            tokens.next();
            if !matches!(&name, Some(TokenTree::Ident(name)) if name == "tests") {
                self.walk(body, depth + 1);
            }
        }
    }

    /// The module that the first word of a path stands for.
    fn base(&self, word: &str, depth: usize) -> Option<Module> {
        match word {
            "crate" => Some(Vec::new()),
            "self" => Some(self.module.clone()),
            // Of an inline module, the file itself is above.
            "super" if depth > 0 => Some(self.module.clone()),
            "super" => Some(self.module[..self.module.len().checked_sub(1)?].to_vec()),
            child if depth == 0 && self.children.iter().any(|name| name == child) => {
                Some([self.module.as_slice(), &[child.to_owned()]].concat())
            }
            _ => None,
        }
    }

    /// Reads what follows the beginning of a path, the branches of a `use` included.
    fn path(&mut self, mut path: Module, tokens: &mut Tokens, used: bool, depth: usize) {
        while take_colons(tokens) {
            match tokens.next() {
                Some(TokenTree::Ident(word)) if word == "super" => {
                    path.pop();
                }
                Some(TokenTree::Ident(word)) if word == "self" => {}
                Some(TokenTree::Ident(word)) => path.push(word.to_string()),
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    let mut branches = list(group.stream());
                    while let Some(branch) = branches.next() {
                        if let TokenTree::Ident(word) = branch {
                            let mut below = path.clone();
                            if word != "self" {
                                below.push(word.to_string());
                            }
                            self.path(below, &mut branches, used, depth);
                        }
                    }
                    return;
                }
                // A glob names the module; of generic arguments the path has ended.
                _ => break,
            }
        }
        if used && depth == 0 {
            let renamed = matches!(tokens.peek(), Some(TokenTree::Ident(word)) if word == "as");
            let name = if renamed {
                tokens.next();
                tokens.next().map(|name| name.to_string())
            } else {
                path.last().cloned()
            };
            let own = [self.module.as_slice(), name.as_slice()].concat();
            if let Some(name) = name.filter(|_| own != path) {
                self.aliases.insert(name, path.clone());
            }
        }
        self.names.push(path);
    }
}
