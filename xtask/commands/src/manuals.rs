//! The command line of a program as a whole: parsing with suggestions, completions of shells, and man pages.

use std::fs;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Parser};
use clap_complete::Shell;
use fedispec_model::suggest::nearest;

use crate::failure::Failure;
use crate::output;

/// The program's name in the examples of help texts.
const WRITTEN: &str = "cargo xtask";

/// Parses the arguments of the process. Ends it after `--help`, and with 2 where they are wrong.
pub fn parse<P: Parser>() -> P {
    let mut command = command::<P>();
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    matches
        .and_then(|mut matches| P::from_arg_matches_mut(&mut matches))
        .unwrap_or_else(|error| with_suggestion(error.with_cmd(&command), &command).exit())
}

/// The definition of a program, whose help texts call it by its own name.
pub fn command<P: Parser>() -> Command {
    let command = P::command();
    let name = called(&command).to_owned();
    if name == WRITTEN { command } else { renamed(command, &name) }
}

fn called(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}

fn renamed(command: Command, name: &str) -> Command {
    let text = command.get_after_help().map(|text| text.to_string().replace(WRITTEN, name));
    let command = command.mut_subcommands(|one| renamed(one, name));
    match text {
        Some(text) => command.after_help(text),
        None => command,
    }
}

/// Names the command that was meant: clap's measure does not see letters that are exchanged.
fn with_suggestion(mut error: clap::Error, command: &Command) -> clap::Error {
    if error.kind() == ErrorKind::InvalidSubcommand
        && error.get(ContextKind::SuggestedSubcommand).is_none()
        && let Some(ContextValue::String(meant)) = error.get(ContextKind::InvalidSubcommand)
        && let Some(name) = nearest(meant, command.get_subcommands().map(Command::get_name))
    {
        let name = ContextValue::Strings(vec![name.to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, name);
    }
    error
}

/// Prints the completions of a shell.
pub(crate) fn completions(mut command: Command, shell: Shell) -> Result<(), Failure> {
    // A shell completes one word: that of a function which stands for `cargo xtask`.
    let word = called(&command).rsplit(' ').next().unwrap_or_default().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, word, &mut script);
    output::stdout(&String::from_utf8_lossy(&script))
}

/// Writes a man page for the program and for each command.
pub(crate) fn man(command: Command, folder: &Path) -> Result<(), Failure> {
    let name = called(&command).replace(' ', "-");
    let failed = |error| Failure::file("write", folder, &error);
    fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(command.display_name(name), folder).map_err(failed)
}
