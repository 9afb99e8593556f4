/** Whether a server has something; a stub answers, and there is never anything in the answer. */
export type Verdict = "yes" | "stub" | "no" | "unknown";

/** What a version string says. */
export interface Identity {
  /** The program's own name in lower case, whether or not the data has it. */
  readonly program: string | null;
  /** The program's own version. */
  readonly version: string | null;
  /** The version of Mastodon that the server claims to be or to be compatible with. */
  readonly claims_mastodon: string | null;
  readonly prerelease: boolean;
}

/** A server program with its releases, the oldest first. */
export interface Program {
  readonly key: string;
  readonly name: string;
  /** Its names in NodeInfo. */
  readonly nodeinfo: readonly string[];
  readonly releases: readonly string[];
  /** The newest release that its facts were looked up in. */
  readonly looked_at: string | null;
}

/** What people ask for, made up of items. */
export interface Feature {
  readonly summary: string;
  readonly synonyms: readonly string[];
  /** The ids of the items that it needs. */
  readonly all: readonly string[];
  /** The ids of the items of which it needs one. */
  readonly one_of: readonly string[];
}

/** The life of an item in a program, such as `2.0.0 works 2.1.0 removed 4.6.0`. */
export type Life = string;

export const PROGRAMS: readonly Program[];
export const FEATURES: Readonly<Record<string, Feature>>;
/** The life of each item in each program, in the order of the programs. */
export const ITEMS: Readonly<Record<string, readonly Life[]>>;

/** Reads a version string, with the program's name in NodeInfo (`software.name`) if there is one. */
export function identify(versionString: string, software?: string | null): Identity;

/** Whether a server has an item, by the item's id: `statuses.create.scheduled_at`. */
export function supports(version: string | Identity, item: string, software?: string | null): Verdict;

/** Whether a server has a feature, by its id, its name or a synonym: `edit history`. */
export function has(version: string | Identity, feature: string, software?: string | null): Verdict;
