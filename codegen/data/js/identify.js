// What a server's version string says: its program, the program's own version, and the version of Mastodon that it claims.
// The rules are those of the section "Version strings" in the README; the patterns are data.
import { anyFormat, compatible, match, numbered, sameRelease, trim, version, withoutName, written } from "./pattern.js";
import { PROFILES, REFERENCE } from "./programs.js";

/** Major versions from here on are years or dates, and no claim. */
const GREATEST_MAJOR = 50;

const find = (name) => PROFILES.find(({ key, nodeinfo }) => key === name || nodeinfo.includes(name));
const software = ({ key, nodeinfo }) => nodeinfo[0] ?? key;

/** A profile, and those of the programs that it is a fork of, one after another. */
function lineage(profile) {
  const line = [];
  for (let one = profile; one && !line.includes(one); one = find(one.based_on)) line.push(one);
  return line;
}

/** The program whose forks that nobody has registered have such names. */
const namedLike = (name) => PROFILES.find(({ forks_are_named }) => forks_are_named?.some((word) => name.includes(word)));

/** Whether a program is a fork of the reference program, so that the version that it claims is its code's. */
export function isFork(name) {
  if (name === null) return false;
  const profile = find(name);
  if (!profile) return Boolean(namedLike(name));
  return lineage(profile).slice(1).some(({ key }) => key === REFERENCE);
}

/** The profiles in the order in which their patterns are tried: forks before what they are forks of, and the reference program last. */
const TRIED = PROFILES.map((profile) => [profile.key === REFERENCE ? 1 : 0, -lineage(profile).length, profile])
  .sort((left, right) => left[0] - right[0] || left[1] - right[1])
  .map(([, , profile]) => profile);

const telling = (profile) => (profile.telling ?? []).map((pattern) => [profile, pattern]);

const identity = (program, own, claims, prerelease) => ({ program, version: own, claims_mastodon: claims, prerelease });

/** The first program of which a pattern fits. */
function matched(patterns, text, name) {
  for (const [profile, pattern] of patterns) {
    const found = match(pattern, text);
    if (!found) continue;
    const { own, claim, prerelease } = found;
    const release = own === null ? null : version(numbered(own));
    // What is one version is written in one way.
    const isOne = claim && release && sameRelease(release, claim);
    return identity(name(profile), isOne ? written(claim) : own, claim && written(claim), prerelease);
  }
  return null;
}

function inAnyFormat(text, name) {
  const own = anyFormat(text);
  return identity(name, own?.text ?? null, null, own?.prerelease ?? false);
}

/** The one name that a program goes by, in lower case. */
function knownAs(name) {
  const plain = trim(name ?? "").toLowerCase();
  const known = find(plain);
  return known ? software(known) : plain || null;
}

/** `4.2.1 (compatible; Name 2023.12.14)`, and the reverse, where the reference program stands inside. */
function ofCompatible({ outer, name, inner }, told) {
  const isReference = (one) => one !== null && find(one)?.key === REFERENCE;
  const innerName = knownAs(name);
  const isReverse = isReference(innerName);
  const program = isReverse ? told : isReference(told) ? innerName : told ?? innerName;
  const [text, claiming] = isReverse ? [outer, inner] : [inner, outer];
  const own = program === null ? inAnyFormat(text, null) : named(text, program);
  const found = version(numbered(claiming));
  const claim = found && found.major < GREATEST_MAJOR ? found : null;
  return { ...own, claims_mastodon: claim && written(claim), prerelease: own.prerelease || Boolean(claim?.pre) };
}

/** A string of a program that node info names: by the patterns of its forks, which may name it there, and its own. */
function named(whole, name) {
  const text = withoutName(whole)[1];
  const own = find(name);
  const profile = own ?? namedLike(name);
  if (!profile) return inAnyFormat(text, name);
  const forks = TRIED.filter((one) => lineage(one).includes(profile));
  const patterns = [...forks.flatMap(telling), ...(profile.named ?? []).map((pattern) => [profile, pattern])];
  // A fork without a profile goes by its own name.
  const goesBy = (of) => (own || of !== profile ? software(of) : name);
  return matched(patterns, text, goesBy) ?? inAnyFormat(text, name);
}

/** A string of a program that node info does not name. */
function unnamed(text) {
  const [name, rest] = withoutName(text);
  if (name !== null) return identify(rest, name);
  return matched(TRIED.flatMap(telling), text, software) ?? inAnyFormat(text, null);
}

/** Reads a version string, with the program's name in NodeInfo if there is one. Every string gives an identity, which may be empty. */
export function identify(versionString, softwareName) {
  const text = trim(String(versionString));
  const name = knownAs(softwareName);
  const inner = compatible(text);
  if (inner) return ofCompatible(inner, name);
  return name === null ? unnamed(text) : named(text, name);
}
