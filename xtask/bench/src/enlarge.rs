//! A multiple of the catalogue: every file again, with other ids.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use fedispec_commands::failure::Failure;

/// Writes the catalogue `times` times to `to`. Each copy has its own ids, paths and ordinals.
pub(crate) fn enlarge(from: &Path, to: &Path, times: u32) -> Result<(), Failure> {
    let mut files = Vec::new();
    for layer in ["documents", "supplement"] {
        files.extend(read_layer(from, layer)?);
    }
    let names = Names::of(files.iter().map(|file| file.text.as_str()));
    for layer in ["documents", "supplement"] {
        create(&to.join(layer))?;
    }
    put(&to.join("implementations.yaml"), &get(&from.join("implementations.yaml"))?)?;
    for copy in 0..times {
        for file in &files {
            let name = if copy == 0 {
                format!("{}.yaml", file.stem)
            } else {
                format!("{}_c{copy}.yaml", file.stem)
            };
            let text = if copy == 0 { file.text.clone() } else { names.renamed(&file.text, copy) };
            put(&to.join(file.layer).join(name), &text)?;
        }
    }
    Ok(())
}

struct LayerText {
    layer: &'static str,
    stem: String,
    text: String,
}

fn read_layer(from: &Path, layer: &'static str) -> Result<Vec<LayerText>, Failure> {
    let folder = from.join(layer);
    let entries = fs::read_dir(&folder).map_err(|error| Failure::file("read", &folder, &error))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.sort();
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    paths.iter().map(|path| Ok(LayerText { layer, stem: stem(path), text: get(path)? })).collect()
}

fn get(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))
}

fn put(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure::file("write", path, &error))
}

fn create(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::file("make", folder, &error))
}

/// The names that each copy changes.
struct Names {
    groups: BTreeSet<String>,
    /// The names of entities and enumerations.
    types: BTreeSet<String>,
}

impl Names {
    fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut names = Self { groups: BTreeSet::new(), types: BTreeSet::new() };
        for text in texts {
            let mut section = "";
            for line in text.lines() {
                if line.starts_with(|first: char| first.is_ascii_alphabetic()) {
                    section = line.split(':').next().unwrap_or_default();
                } else if let Some(key) = key_of_depth_2(line) {
                    match section {
                        "groups" => names.groups.insert(key.to_owned()),
                        "entities" | "enums" => names.types.insert(key.to_owned()),
                        "operations" => names
                            .groups
                            .insert(key.split('.').next().unwrap_or_default().to_owned()),
                        _ => false,
                    };
                }
            }
        }
        names
    }

    fn renamed(&self, text: &str, copy: u32) -> String {
        let mut result = String::with_capacity(text.len() + text.len() / 8);
        let mut section = "";
        // The plain error is answered by every operation, and a copy of it by none: its conditions hold nowhere.
        let is_condition = |line: &&str| line.trim_start().starts_with("when: {in: ");
        for line in text.lines().filter(|line| !is_condition(line)) {
            if line.starts_with(|first: char| first.is_ascii_alphabetic()) {
                section = line.split(':').next().unwrap_or_default();
            }
            let group_key = section == "groups" && key_of_depth_2(line).is_some();
            result.push_str(&self.renamed_line(&with_own_path(line, copy), copy, group_key));
            result.push('\n');
        }
        result
    }

    /// Renames whole words: types anywhere, groups before a dot or as a key, ordinals of the documents.
    fn renamed_line(&self, line: &str, copy: u32, group_key: bool) -> String {
        let mut result = String::with_capacity(line.len() + 16);
        let mut rest = line;
        while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            result.push_str(&rest[..start]);
            rest = &rest[start..];
            let end =
                rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let inside = result.ends_with(['.', '/']);
            let in_condition = is_in_condition(&result);
            result.push_str(word);
            let group = group_key || (after.starts_with('.') && !inside) || in_condition;
            // A format may name an enumeration, and is one of a closed list.
            let is_format = result
                .rsplit_once("format: ")
                .is_some_and(|(_, inside)| !inside.contains([',', '}']));
            let ending = if is_format {
                String::new()
            } else if self.types.contains(word) {
                format!("C{copy}")
            } else if group && self.groups.contains(word) {
                format!("_c{copy}")
            } else if is_ordinal(word) {
                format!("{copy:02}0")
            } else {
                String::new()
            };
            result.push_str(&ending);
            rest = after;
        }
        result.push_str(rest);
        result
    }
}

/// Whether what follows stands in a condition that names groups: `in: lists`, `not_in: [lists, filters]`.
fn is_in_condition(before: &str) -> bool {
    let inside = before.rsplit_once("in: ").map_or("}", |(_, inside)| inside);
    !inside.contains(['}', ']', ':'])
}

/// Whether a word is an ordinal of the documents, like `U24`.
fn is_ordinal(word: &str) -> bool {
    word.strip_prefix('U').is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The unquoted key of a line that is indented by two spaces.
fn key_of_depth_2(line: &str) -> Option<&str> {
    let line = line.strip_prefix("  ").filter(|line| !line.starts_with([' ', '#', '-']))?;
    Some(line.split(':').next().unwrap_or_default().trim_matches('"'))
}

/// Makes the path, or the documents' name of an entity, in a line unique to the copy.
fn with_own_path(line: &str, copy: u32) -> String {
    for key in ["path: ", "documented_as: "] {
        let Some(start) = line.find(key).map(|at| at + key.len()) else {
            continue;
        };
        let value = &line[start..];
        let value = &value[..value.find([',', '}']).unwrap_or(value.len())];
        if let Some(slash) = value.find('/') {
            let (head, tail) = line.split_at(start + slash);
            return format!("{head}/c{copy}{tail}");
        }
        if value.starts_with(|first: char| first.is_ascii_uppercase()) && !is_ordinal(value) {
            let (head, tail) = line.split_at(start);
            return format!("{head}C{copy} {tail}");
        }
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn a_copy_shares_no_id() {
        let text = "\
area: accounts
groups:
  accounts: {summary: People.}

operations:
  accounts.lookup:
    documented_as: U24
    method: GET
    path: /api/v1/accounts/lookup
    returns: Account[]
    params:
      acct: {in: query, type: id<Account>}

entities:

  Account: {documented_as: Account, when: {not_in: [accounts, accounts.lookup], in: accounts}}
";
        let copy = Names::of([text].into_iter()).renamed(text, 3);
        let expected = "\
area: accounts
groups:
  accounts_c3: {summary: People.}

operations:
  accounts_c3.lookup:
    documented_as: U24030
    method: GET
    path: /c3/api/v1/accounts/lookup
    returns: AccountC3[]
    params:
      acct: {in: query, type: id<AccountC3>}

entities:

  AccountC3: {documented_as: C3 AccountC3, when: {not_in: [accounts_c3, accounts_c3.lookup], in: accounts_c3}}
";
        assert_eq!(copy, expected);
    }
}
