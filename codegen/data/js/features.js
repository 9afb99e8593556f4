// Features: what people ask for, made up of items.
import { FEATURES, LIVES } from "./features.data.js";
import { composed, judge } from "./verdict.js";

export { FEATURES };

const plain = (name) =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(" ");

/** The id of a feature, by its id, its name or a synonym. */
export function featureId(name) {
  if (Object.hasOwn(FEATURES, name)) return name;
  const wanted = plain(name);
  const found = Object.entries(FEATURES).find(([id, { synonyms }]) =>
    [id, ...synonyms].some((one) => plain(one) === wanted),
  );
  return found ? found[0] : null;
}

/** Whether a server has a feature: `yes`, `stub`, `no` or `unknown`. What is not listed is unknown. */
export function has(version, feature, software) {
  const id = featureId(feature);
  if (id === null) return "unknown";
  const verdict = judge(version, software);
  const each = (ids) => ids.map((item) => verdict(Object.hasOwn(LIVES, item) ? LIVES[item] : undefined));
  return composed(each(FEATURES[id].all), each(FEATURES[id].one_of));
}
