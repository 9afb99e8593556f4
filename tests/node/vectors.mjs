// Asks a package that `cargo xtask data --format npm` has made every question of its vectors: `vectors.mjs FOLDER`.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const { FEATURES, has, identify, supports } = await import(pathToFileURL(`${folder}/index.js`));
const { schema, vectors } = JSON.parse(readFileSync(`${folder}/vectors.json`, "utf8"));
if (schema !== "fedispec-vectors/1") {
  console.error(`vectors.json is of the form ${schema}, and fedispec-vectors/1 is read`);
  process.exit(2);
}
const wrong = vectors.filter(({ version, software, item, verdict }) => {
  const ask = Object.hasOwn(FEATURES, item) ? has : supports;
  // An identity is as good as the string that it was read from.
  return ask(version, item, software) !== verdict || ask(identify(version, software), item) !== verdict;
});
for (const { version, software, item, verdict } of wrong.slice(0, 20)) {
  const known = identify(version, software);
  console.error(`${version} ${software} ${item}: not ${verdict}; ${JSON.stringify(known)}`);
}
console.log(JSON.stringify({ vectors: vectors.length, wrong: wrong.length }));
// Version strings on standard input, one JSON array a line, are answered with their identities.
const asked = readFileSync(0, "utf8").split("\n").filter(Boolean);
for (const line of asked) console.log(JSON.stringify(identify(...JSON.parse(line))));
