// What a server's version string says: its program, the program's own version, and the version of Mastodon that it claims.
// The rules are those of the section "Version strings" in the README.

/** The program whose versions others claim. */
export const CLAIMED = "mastodon";

/** Forks of it, which use its version: the mark in the version string, and the name. Forks of glitch-soc name it besides themselves. */
const FORKS = [
  ["hometown", "hometown"],
  ["kmyblue", "kmyblue"],
  ["chuckya", "chuckya"],
  ["fedibird", "fedibird"],
  ["ecko", "ecko"],
  ["catstodon", "catstodon"],
  ["glitch", "glitch-soc"],
];

/** The programs whose own version a plain number is. */
const HAS_ITS_VERSION = [CLAIMED, "glitch-soc", "glitchcafe", "ecko"];

const SPELLINGS = {
  glitch: "glitch-soc",
  glitchsoc: "glitch-soc",
  glitch_soc: "glitch-soc",
  "mastodon-glitch": "glitch-soc",
  iceshrimpnet: "iceshrimp.net",
};

/** The version of Mastodon that GoToSocial reports when it is configured to. */
const GOTOSOCIALS_CLAIM = "3.5.3";

/** Major versions from here on are years or dates, and none of Mastodon's. */
const GREATEST_MAJOR = 50;

/** The greatest number of a version. */
const GREATEST = 2 ** 32 - 1;

const PRE_RELEASE =
  "(?:alpha|beta|rc|nightly|develop|dev|preview|prerelease|pre|snapshot|testrig|canary|edge)(?!\\p{Alphabetic})";
const NUMBERED = new RegExp(`^([0-9]+(?:\\.[0-9]+)*)(?:([-.]?)(${PRE_RELEASE})(.*))?`, "isu");
const COMMIT = /^[0-9a-f]{7,40}$/;

/** Splits off the version at the start of a text: `4.0.0rc1`, `v0.19.3-SNAPSHOT`. */
export function numbered(whole) {
  const text = withoutV(whole.trimStart());
  const found = NUMBERED.exec(text);
  if (!found) return null;
  const [, numbers, between, word, behind] = found;
  if (word === undefined) return { text: numbers, numbers, before: "", rest: text.slice(numbers.length) };
  let end = word.length + count(behind);
  const after = (word + behind).slice(end);
  if (/^-security/i.test(after)) end += "-security".length;
  const before = (word + behind).slice(0, end);
  const length = numbers.length + between.length + before.length;
  return { text: text.slice(0, length), numbers, before, rest: text.slice(length) };
}

/** The length of the number or date after a word: `.2025-02-07`, `.1`, `4`, `-3`. */
function count(text) {
  const rest = text.replace(/^[.-]/, "");
  const date = /^\d{4}-\d{2}-\d{2}/.test(rest);
  const digits = /^[0-9]*/.exec(rest)[0];
  if (!digits || (text.startsWith("-") && !date && digits.length > 3)) return 0;
  if (/^[0-9]+[a-z]/i.test(rest)) return 0;
  return text.length - rest.length + (date ? 10 : digits.length);
}

/** The numbers and the pre-release of what {@link numbered} has split off. */
export function version(found) {
  const parts = found?.numbers.split(".").slice(0, 3).map(Number) ?? [];
  if (parts.length < 2 || parts.some((part) => part > GREATEST)) return null;
  const [major, minor, patch = 0] = parts;
  const holds = found.before.length <= 31 && found.before.split(".").every((part) => /^[0-9a-z-]+$/i.test(part));
  return { major, minor, patch, pre: found.before && !holds ? "pre" : found.before };
}

const written = ({ major, minor, patch, pre }) => `${major}.${minor}.${patch}${pre && `-${pre}`}`;

function withoutV(text) {
  return /^v[0-9]/i.test(text) ? text.slice(1) : text;
}

/** The version in any program's own format, without additions of packagers: `2.0.5-6-ga36eb5ea`, `2023.05`. */
function own(text, schema) {
  const found = numbered(text);
  if (!found) return null;
  let [token] = /^[0-9a-z._+~-]*/i.exec(withoutV(text.trimStart()));
  if (schema) token = token.replace(/-[0-9]{4,}$/, "");
  const behind = token.slice(found.text.length);
  const word = behind.startsWith("-") ? behind.slice(1).split(/[-+.~]/)[0] : "";
  const added = /^[_~]/.test(behind) || (found.numbers.split(".").length > 3 && COMMIT.test(word));
  return { text: !found.before && added ? found.text : token, prerelease: Boolean(found.before) };
}

/** Splits off a name before the version: `takahe/0.11.0`. */
function withoutName(text) {
  const [, name, rest] = /^([^/ ]*)[/ ](.*)$/s.exec(text) ?? [];
  const named = name !== undefined && /^[a-z][0-9a-z._-]*$/i.test(name) && !numbered(name) && !name.startsWith("git-");
  return named && numbered(rest)?.numbers.includes(".") ? [name, rest.trimStart()] : [null, text];
}

/** The text before `(compatible; ..)`, and the name and the version inside. */
function compatible(text) {
  const found = /^(.*?)\(\s*compatible[;:,\s]*([^);]*)/is.exec(text);
  if (!found) return null;
  const inside = found[2].trim();
  const [, name, inner] = /^(.*?)[/\s](v?[0-9].*)$/is.exec(inside) ?? [null, inside, ""];
  return { outer: found[1].trimEnd(), name: name.split(/\s+/).filter(Boolean).join(" "), inner };
}

function knownAs(name) {
  const plain = name?.trim().toLowerCase();
  return plain ? (Object.hasOwn(SPELLINGS, plain) ? SPELLINGS[plain] : plain) : null;
}

/** Whether a program is a fork of Mastodon, so that the version of Mastodon that it claims is its code's. */
export function isFork(name) {
  return (
    FORKS.some(([, fork]) => fork === name) ||
    (name !== CLAIMED && Boolean(name?.includes("mastodon"))) ||
    Boolean(name?.startsWith("glitch"))
  );
}

const identity = (program, own, claims, prerelease) => ({
  program,
  version: own,
  claims_mastodon: claims && written(claims),
  prerelease: Boolean(prerelease),
});

const mastodons = (found) => (found && found.major < GREATEST_MAJOR ? found : null);

/** The fork that a mark after the version names, and the fork's own version if the mark has one. */
function forkIn(rest) {
  const words = (rest.trim().split(/\s+/)[0] ?? "").toLowerCase().split(/[+.~-]/);
  const known = FORKS.find(([mark]) => words.some((word) => word.startsWith(mark)));
  if (!known) return null;
  const behind = rest.slice(rest.toLowerCase().indexOf(known[0]) + known[0].length);
  // `glitch.41a1757` is a commit, not a version.
  const found = /^[-.]/.test(behind) ? numbered(behind.slice(1)) : null;
  return { name: known[1], own: found?.numbers.includes(".") ? found.text : null };
}

function ofMastodon(whole, name) {
  const old = oldHometown(whole);
  if (old) return old;
  const found = numbered(withoutName(whole)[1]);
  const fork = found && forkIn(found.rest);
  // NodeInfo says more than a mark, except that most forks report `mastodon` there.
  const program = fork && (name === CLAIMED || name === "glitch-soc") ? fork.name : name;
  const claims = mastodons(version(found));
  const nightly =
    found && (found.rest.trim().split(/\s+/)[0] ?? "").split(/[^0-9a-z]/i).some((word) => /^nightly$/i.test(word));
  let ownVersion = fork?.own ?? null;
  if (!ownVersion && claims && (HAS_ITS_VERSION.includes(program) || found.rest)) ownVersion = written(claims);
  return identity(program, ownVersion, claims, claims?.pre || nightly);
}

/** `1.0.5+3.5.2`: Hometown's version and Mastodon's behind it. */
function oldHometown(text) {
  const at = text.indexOf("+");
  if (at < 0) return null;
  const first = numbered(text.slice(0, at));
  const [own_, claims] = [version(first), mastodons(version(numbered(text.slice(at + 1))))];
  const old = own_ && claims && own_.major < 2 && !first.rest && claims.major >= 2;
  return old ? identity("hometown", written(own_), claims, claims.pre || own_.pre) : null;
}

/** `3.5.3+0.19.2+git-90851fc`: the claim of GoToSocial, and the rest. */
function claimBefore(text) {
  const at = text.indexOf("+");
  return at > 0 && text.slice(0, at) === GOTOSOCIALS_CLAIM ? [true, text.slice(at + 1)] : [false, text];
}

function ofGotosocial(whole) {
  const [claims, text] = claimBefore(withoutName(whole)[1]);
  const own_ = version(numbered(text));
  const claimed = claims ? version(numbered(GOTOSOCIALS_CLAIM)) : null;
  return identity("gotosocial", own_ && written(own_), claimed, own_?.pre);
}

/** Whether a string names a commit as GoToSocial does, on a version below 2: `0.2.0 31935ee`, `0.19.2+git-90851fc`. */
function looksLikeGotosocial(whole) {
  const [claims, text] = claimBefore(whole);
  const at = text.indexOf("-git-");
  const commit =
    (at >= 0 && COMMIT.test(text.slice(at + 5))) ||
    COMMIT.test(text.trim().split(/\s+/)[1] ?? "") ||
    text.split(/[ +]/).some((word) => word.startsWith("git-") && COMMIT.test(word.slice(4)));
  const found = numbered(text);
  if (!found) return commit && (claims || text.startsWith("git-"));
  const own_ = version(found);
  return Boolean(own_) && own_.major < 2 && (commit || claims);
}

function ofOther(whole, name) {
  const [named, text] = withoutName(whole);
  const program = name ?? knownAs(named);
  const own_ = own(text, program === "friendica");
  return identity(program, own_?.text ?? null, null, own_?.prerelease);
}

function ofCompatible({ outer, name, inner }, software) {
  const innerName = knownAs(name);
  const claiming = (own_, claims) => ({
    ...own_,
    claims_mastodon: claims && written(claims),
    prerelease: own_.prerelease || Boolean(claims?.pre),
  });
  if (innerName === CLAIMED) return claiming(ofOther(outer, software), mastodons(version(numbered(inner))));
  const program = (software === CLAIMED ? null : software) ?? innerName;
  const own_ = program === "gotosocial" ? ofGotosocial(inner) : ofOther(inner, program);
  return claiming(own_, mastodons(version(numbered(outer))));
}

function unnamed(text) {
  const [name, rest] = withoutName(text);
  if (name !== null) return identify(rest, name);
  if (looksLikeGotosocial(text)) return ofGotosocial(text);
  const old = oldHometown(text);
  if (old) return old;
  const found = mastodons(version(numbered(text)));
  return found && found.major > 0 ? ofMastodon(text, CLAIMED) : ofOther(text, null);
}

/** Reads a version string, with the program's name in NodeInfo if there is one. Every string gives an identity, which may be empty. */
export function identify(versionString, software) {
  const text = String(versionString).trim();
  const name = knownAs(software);
  const inner = compatible(text);
  if (inner) return ofCompatible(inner, name);
  if (name === null) return unnamed(text);
  if (name === "gotosocial") return ofGotosocial(text);
  if (name === CLAIMED || isFork(name)) return ofMastodon(text, name);
  return ofOther(text, name);
}
