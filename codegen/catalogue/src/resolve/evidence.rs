//! Evidence: resolved for the API, and checked against the registered sources.

use super::Resolver;
use crate::merge::{MergedItem, Provenance};
use crate::model::{Evidence, PerProgram, Source, Verdict};
use crate::problems::{NodePath, Problems};
use crate::source::FileId;
use fedispec_model::api;
use fedispec_model::api::Own;
use fedispec_model::suggest::did_you_mean;
use fedispec_since::{Class, StableVersion};

/// The aspects that evidence is given of besides the versions of programs.
const ASPECTS: [&str; 3] = ["shape", "left_out", "absent_means"];

/// The aspects that evidence is given of by program, besides the versions.
const BY_PROGRAM: [&str; 3] = ["auth", "presence", "facts"];

impl<'a> Resolver<'a, '_, '_> {
    /// Converts evidence into the form of the API; `None` where its source is not registered.
    pub(super) fn evidence(&self, evidence: &Evidence) -> Option<api::Evidence> {
        let source = self.implementations.sources.get(&evidence.source)?;
        Some(api::Evidence {
            class: evidence.class.unwrap_or(source.class),
            source: source.full_title(),
            at: evidence.at.clone(),
            note: evidence.note.clone(),
            own: Own(true),
        })
    }

    /// Finds the evidence of a value by its provenance.
    pub(super) fn evidence_by<B>(
        &self,
        node: &MergedItem<'a, B>,
        of: &'a str,
        by: &Provenance<'a>,
    ) -> Option<api::Evidence> {
        match by {
            Provenance::Verdict(dispute, _) if dispute.verdict == Verdict::Supplement => {
                self.evidence(&dispute.evidence)
            }
            Provenance::Many(proof, _) => proof.and_then(|proof| self.evidence(proof)),
            Provenance::Verdict(..) => self.stated_evidence(node, of, node.first().proof(of)?),
            by => self.stated_evidence(node, of, by.stated()?.proof(of)?),
        }
    }

    /// Finds the evidence of a fact that may carry its own: that, or else what the highest layer names under the fact's key.
    pub(super) fn own_evidence<B>(
        &self,
        node: &MergedItem<'a, B>,
        key: &str,
        own: Option<&Evidence>,
    ) -> Option<api::Evidence> {
        let stated = || node.statements.iter().rev().find_map(|one| one.proof(key));
        self.evidence(own.or_else(stated)?)
    }

    /// Finds the evidence of an item's shape: that of the highest layer.
    pub(super) fn shape<B>(&self, node: &MergedItem<'a, B>) -> Option<api::Evidence> {
        let proof = node.of_all().rev().find_map(|one| one.proof("shape"))?;
        self.stated_evidence(node, "shape", proof)
    }

    /// Converts evidence of an item, which may be a default of one of its files.
    fn stated_evidence<B>(
        &self,
        node: &MergedItem<'a, B>,
        of: &str,
        proof: &'a Evidence,
    ) -> Option<api::Evidence> {
        let mut defaults = node.statements.iter().map(|one| &one.defaults.evidence);
        let is_default =
            defaults.any(|list| list.get(of).is_some_and(|default| std::ptr::eq(default, proof)));
        Some(api::Evidence { own: Own(!is_default), ..self.evidence(proof)? })
    }

    /// Reports evidence whose source is not registered, and classes better than the source's own.
    pub(super) fn proofs_are_sound(
        &mut self,
        list: &'a PerProgram<Evidence>,
        place: &NodePath<'a>,
    ) {
        for (of, evidence) in list {
            let place = place.then(of.as_str());
            let program = match of.split_once('.') {
                Some((aspect, program)) if BY_PROGRAM.contains(&aspect) => program,
                _ => of,
            };
            let is_known = ASPECTS.contains(&of.as_str())
                || self.implementations.programs.contains_key(program);
            if !is_known {
                let programs = self.programs.iter();
                let by_program: Vec<_> = programs
                    .flat_map(|one| BY_PROGRAM.map(|aspect| format!("{aspect}.{one}")))
                    .collect();
                let known = self.programs.iter().copied().chain(ASPECTS);
                let help = did_you_mean(
                    of,
                    known.chain(by_program.iter().map(String::as_str)),
                    "evidence is given by program, under `auth.`, `presence.` or `facts.` and a program for these, under `left_out` and `absent_means` for these, and under `shape` for the rest",
                );
                let message = format!("there is no program `{program}`");
                self.facts.problems.key("unknown-program", &place, message, help);
            }
            let is_by_program = is_known && !ASPECTS.contains(&of.as_str());
            let at = || place.clone();
            if is_by_program && !self.is_program(program, place.file, Problems::key, at) {
                continue;
            }
            // The class and the releases of a wrong source are of no use.
            if !is_by_program || self.is_of_program(evidence, program, &place) {
                self.proof_is_sound(evidence, &place);
            }
        }
    }

    /// The programs that a source speaks of, where the one that its evidence is given of is none of them. A fork has what the program
    /// has that it is based on.
    fn other_programs(
        &self,
        evidence: &Evidence,
        program: &'a str,
        place: &NodePath<'a>,
    ) -> Option<&'a [String]> {
        let all = self.implementations;
        let source = all.sources.get(&evidence.source)?;
        // The documents tell of programs that are not theirs, and a guess may come from anywhere.
        let sources = self.facts.problems.sources();
        let is_telling = || sources.path(place.file).starts_with("documents/");
        let of = source.programs.as_ref().filter(|_| match source.class {
            Class::B => true,
            Class::C => !is_telling(),
            Class::A | Class::D => false,
        })?;
        let base = |key: &&str| all.programs.get(*key)?.based_on.as_deref();
        let mut line = std::iter::successors(Some(program), base).take(all.programs.len());
        // A name that no program has is reported at the source.
        let is_known = of.iter().all(|one| all.programs.contains_key(one));
        (is_known && !line.any(|program| of.iter().any(|one| one == program))).then_some(of)
    }

    /// Whether the source of evidence speaks of the program; one that speaks of others is reported.
    pub(super) fn is_of_program(
        &mut self,
        evidence: &Evidence,
        program: &'a str,
        place: &NodePath<'a>,
    ) -> bool {
        let Some(of) = self.other_programs(evidence, program, place) else { return true };
        let of: Vec<_> = of.iter().map(|key| self.program_name(key)).collect();
        let message = format!(
            "`{}` speaks of {}, and proves nothing of {}",
            evidence.source,
            of.join(", "),
            self.program_name(program)
        );
        let help = "name a source that speaks of the program, or add it to `programs` of this one";
        self.facts.problems.value("wrong-source", &place.then("source"), message, help);
        false
    }

    /// Whether a tag can be one of a release. Of a program's own source, which was read up to one of its releases, the tags are registered.
    fn is_release(&self, source: &Source, tag: &str) -> bool {
        let tag = tag.strip_prefix('v').unwrap_or(tag);
        let programs = source.programs.iter().flatten();
        let programs = programs.filter_map(|key| self.implementations.programs.get(key));
        let is_registered =
            |release| programs.clone().any(|one| one.releases.contains_key(&release));
        // Programs that count by months leave out the last number, and write the month with a zero.
        let month = || {
            let (year, month) = tag.split_once('.')?;
            format!("{year}.{}.0", month.trim_start_matches('0')).parse().ok()
        };
        let release = tag.parse().ok().or_else(month);
        let is_read = source.class == Class::B && programs.clone().next().is_some();
        match (release, source.revision.as_deref()) {
            (Some(release), Some(read)) if read_up_to(read).is_some_and(is_registered) => {
                is_registered(release)
            }
            (Some(release), None) if is_read => is_registered(release),
            _ => tag.starts_with(|c: char| c.is_ascii_digit()),
        }
    }

    /// The message and the help for a tag that names no release of a source's programs.
    fn no_release(&self, source: &'a Source, tag: &str, file: FileId) -> (String, String) {
        let release = tag.strip_prefix('v').unwrap_or(tag).parse::<StableVersion>();
        let all = &self.implementations.programs;
        let mut all = all.iter().filter(|(key, _)| self.speaks_in(key, file));
        let other = release.ok().and_then(|it| all.find(|(_, one)| one.releases.contains_key(&it)));
        let Some((_, other)) = other else {
            let help = "write the one that was read, as `app/models/list.rb:30@4.3.0`";
            return (format!("`@{tag}` names no release"), help.to_owned());
        };
        let programs = source.programs.iter().flatten().map(|key| self.program_name(key));
        let programs = programs.collect::<Vec<_>>().join(" or ");
        let help =
            format!("{} has it: write the one that was read, or name another source", other.name);
        (format!("`@{tag}` names no release of {programs}"), help)
    }

    /// Reports evidence whose source is not registered, and a class better than the source's own.
    pub(super) fn proof_is_sound(&mut self, evidence: &'a Evidence, place: &NodePath<'a>) {
        let Some(source) = self.implementations.sources.get(&evidence.source) else {
            let known = self.implementations.sources.keys().map(String::as_str);
            let or_else = if evidence.source.contains(['/', '@']) {
                "this is a place: write `{source: .., at: ..}`"
            } else {
                "register it under `sources` in implementations.yaml"
            };
            let help = did_you_mean(&evidence.source, known, or_else);
            let message = format!("there is no source `{}`", evidence.source);
            self.facts.problems.value("unknown-reference", &place.then("source"), message, help);
            return;
        };
        if let Some(tag) = evidence.tags().find(|tag| !self.is_release(source, tag)) {
            let (message, help) = self.no_release(source, tag, place.file);
            self.facts.problems.value("wrong-place", &place.then("at"), message, help);
        }
        if let Some((file, line)) = evidence.at.iter().find_map(|at| without_colon(at)) {
            let message = format!("`{file}{line}` names no line of a file");
            let help = format!("write a colon before it: `{file}:{line}`");
            self.facts.problems.value("wrong-place", &place.then("at"), message, help);
        }
        if let Some(class) = evidence.class.filter(|class| *class < source.class) {
            let message = format!(
                "`{}` is a source of class {:?}, and its evidence can be no better",
                evidence.source, source.class
            );
            let allowed = [Class::A, Class::B, Class::C, Class::D].into_iter();
            let allowed = allowed.filter(|one| *one >= source.class).map(|one| format!("{one:?}"));
            let allowed = allowed.collect::<Vec<_>>().join(", ");
            let help = format!("leave `class` out, or write one of {allowed} instead of {class:?}");
            self.facts.problems.value("weak-evidence", &place.then("class"), message, help);
        }
    }

    /// Reports evidence of a source that was read up to an older release than the one it is to prove.
    pub(super) fn proof_reaches(
        &mut self,
        evidence: &Evidence,
        version: StableVersion,
        program: &'a str,
        place: &NodePath<'a>,
    ) {
        let source = self.implementations.sources.get(&evidence.source);
        let read = source.and_then(|source| source.revision.as_deref());
        let Some(read) = read.and_then(read_up_to).filter(|read| version > *read) else {
            return;
        };
        if self.other_programs(evidence, program, place).is_some() {
            return;
        }
        let message = format!(
            "`{}` was read up to {read} and cannot prove what {} {version} has",
            evidence.source,
            self.program_name(program)
        );
        self.facts.problems.value("evidence-too-old", place, message, format!(
            "name a source that shows {version}, or look at it and raise `revision` of `{}` in implementations.yaml",
            evidence.source
        ));
    }

    /// Converts the declared contradictions into the form of the API.
    pub(super) fn disputes(&mut self) -> Vec<api::Dispute> {
        let mut disputes = Vec::new();
        for node in self.merged.disputes.all() {
            let Some(evidence) = self.evidence(&node.body.evidence) else {
                continue;
            };
            disputes.push(api::Dispute {
                item: node.body.item.clone(),
                fact: node.body.fact.clone(),
                documents: node.body.documents.clone(),
                supplement: node.body.supplement.clone(),
                supplement_holds: node.body.verdict == Verdict::Supplement,
                evidence,
                why: node.body.why.clone(),
                at: self.at(&node.place),
            });
        }
        disputes.sort_by(|a, b| (&a.item, &a.fact).cmp(&(&b.item, &b.fact)));
        disputes
    }
}

/// The newest release of a source's revision: `v0.1.0 to v4.6.5`, `v4.5.0`. A commit tells none.
fn read_up_to(revision: &str) -> Option<StableVersion> {
    let newest = revision.split_whitespace().next_back()?;
    newest.strip_prefix('v').unwrap_or(newest).parse().ok()
}

/// A file of a place and its line, where the colon between them is lost: `web.php134`.
fn without_colon(at: &str) -> Option<(&str, &str)> {
    let parts = at.split('@').filter_map(|part| part.rsplit([' ', ',', ';', '(', '/']).next());
    { parts }.find_map(|name| {
        let (_, extension) = name.rsplit_once('.')?;
        let letters = extension.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_glued = letters.len() > 1
            && letters.len() < extension.len()
            && letters.bytes().all(|byte| byte.is_ascii_lowercase());
        is_glued.then(|| name.split_at(name.len() - (extension.len() - letters.len())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_has_lost_its_colon() {
        assert_eq!(
            without_colon("routes/web.php134@v0.10.6; a.php:1@v0.1"),
            Some(("web.php", "134"))
        );
        assert_eq!(without_colon("a.ex:3@2.0.0, lib/b.ex14@2.5.0"), Some(("b.ex", "14")));
        for sound in
            ["app/a.rb:30@4.3.0", "a.rb@2.4.1", "src/Pin.php:35@2021.07 (501 at 2021.04)", "0.19.2"]
        {
            assert_eq!(without_colon(sound), None, "{sound}");
        }
    }

    #[test]
    fn a_revision_ends_with_a_release_or_is_a_commit() {
        let read = |text| read_up_to(text).map(|release| release.to_string());
        assert_eq!(read("v0.1.0 to v4.6.5").as_deref(), Some("4.6.5"));
        assert_eq!(read("4.5.0").as_deref(), Some("4.5.0"));
        assert_eq!(read("2903485da54a20f1da5e7dfb8b34712e6196e8f7"), None);
    }
}
