// Looks at the site in a real browser: `site.mjs FOLDER CHROMIUM COMPARISONS`; prints what is wrong, and exits with 1 if anything is.
//
// Each kind of page goes through axe in light and dark, on a wide and a narrow window; the search and the baseline page are used as a
// person would use them; and no page may ask for anything outside the folder.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, chromium, comparisons] = process.argv.slice(2);
const require = createRequire(join(process.env.PACKAGES, "package.json"));
const { chromium: browserType } = require("playwright-core");
const { HtmlValidate } = require("html-validate");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const PAGES = [
  "", "groups/", "groups/statuses/", "operations/statuses.create/", "operations/accounts.create/", "operations/streaming.connect/",
  "entities/", "entities/Status/", "enums/", "enums/NotificationType/", "releases/", "releases/mastodon/4.3.0/",
  "releases/mastodon/0.1.0/", "releases/gotosocial/0.19.2/", "compare/", "compare/#left=mastodon@3.0.0&right=mastodon@4.2.0",
  "compare/mastodon-gotosocial/", "disputes/", "sources/",
  "data/", "charts/", "upgrades/", "upgrades/mastodon-4.2-4.6/", "baseline/", "baseline/#mastodon=4.1.0&gotosocial=0.15.0&show=operation",
];
const wrong = [];
const say = (condition, text) => { if (!condition) wrong.push(text); };
const address = (page) => {
  const [, path, query, hash] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(page);
  return pathToFileURL(join(folder, path, "index.html")).href + (query ?? "") + (hash ?? "");
};

const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  // Ids of the catalogue have dots in them, which HTML allows.
  rules: { "valid-id": ["error", { relaxed: true }], "no-inline-style": "error", "void-style": "off", "long-title": "off", "attribute-boolean-style": "off",
    // What the template writes is one line a page, and `time` and `svg` need no more.
    "no-trailing-whitespace": "off", "prefer-native-element": "off" },
});
for (const page of PAGES) {
  const report = await validator.validateFile(join(folder, page.split("#")[0], "index.html"));
  for (const result of report.results) {
    for (const message of result.messages) wrong.push(`${page}: ${message.ruleId}: ${message.message} (${message.line}:${message.column})`);
  }
}

const browser = await browserType.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
const inside = pathToFileURL(folder).href;
const open = async (page, options) => {
  const tab = await browser.newPage(options);
  tab.on("request", (request) => say(request.url().startsWith(inside), `${page} asks for ${request.url()}`));
  tab.on("pageerror", (error) => wrong.push(`${page}: ${error.message}`));
  await tab.goto(address(page));
  return tab;
};
try {
  for (const page of PAGES) {
    for (const [width, height, colorScheme] of [[1280, 900, "light"], [390, 844, "dark"]]) {
      const tab = await open(page, { viewport: { width, height }, colorScheme });
      const over = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      say(over <= 0, `${page} is ${over} pixels too wide for ${width}`);
      await tab.evaluate(axe);
      const { violations } = await tab.evaluate(() => window.axe.run());
      for (const { id, nodes } of violations) wrong.push(`${page} at ${width}, ${colorScheme}: axe ${id}: ${nodes[0].html.slice(0, 160)}`);
      await tab.close();
    }
  }

  // The search: by name, path, number and alias, with the keyboard alone.
  const front = await open("", { viewport: { width: 1280, height: 900 } });
  // The index comes with the first question.
  await front.fill("#search", "status");
  await front.waitForSelector("#results a");
  const first = async (question) => {
    await front.fill("#search", question);
    return front.evaluate(() => document.querySelector("#results a")?.textContent);
  };
  for (const [question, found] of [
    ["accounts.lookup", "accounts.lookup"], ["/api/v1/accounts/lookup", "accounts.lookup"], ["U24", "accounts.lookup"],
    ["noindex", "Account.noindex"], ["rebogged", "Status.reblogged"], ["NotificationType", "NotificationType"],
  ]) say(await first(question) === found, `searching ${question} finds ${await first(question)} first`);
  // What people call things is among the first three.
  const queries = JSON.parse(readFileSync(new URL("queries.json", import.meta.url), "utf8"));
  for (const [question, wanted] of queries) {
    await front.fill("#search", question);
    const found = await front.$$eval("#results a", (links) => links.slice(0, 3).map((link) => link.textContent));
    say(found.includes(wanted), `searching ${question} finds ${found.join(", ")}, and not ${wanted}`);
  }
  await front.fill("#search", "a".repeat(10000));
  say((await front.textContent("#found")).includes("at most 300 characters"), "a long question is not refused");
  await front.fill("#search", "<img src=x onerror=alert(1)>");
  say(await front.$("#found img, #results img") === null, "markup is taken for markup");
  await front.fill("#search", "no such thing at all");
  say((await front.textContent("#found")).startsWith("Nothing"), "a search without results does not say so");
  await front.fill("#search", "lists.create");
  await front.press("#search", "ArrowDown");
  await front.keyboard.press("Enter");
  await front.waitForURL(/operations\/lists\.create\/index\.html/);
  say((await front.textContent("h1")) === "lists.create", "the keyboard does not open a result");
  await front.close();

  // Every page asks the front page, where a slash leads.
  const entity = await open("entities/Status/", { viewport: { width: 1280, height: 900 } });
  await entity.keyboard.press("/");
  await entity.keyboard.type("edit history");
  await entity.keyboard.press("Enter");
  await entity.waitForURL(/index\.html\?q=edit/);
  await entity.waitForSelector("#results a");
  say((await entity.textContent("#results a")) === "edit_history", "the search of a page is not that of the front page");
  await entity.close();

  // Back leads to the search as it was left.
  const searched = await open("", { viewport: { width: 1280, height: 400 } });
  await searched.fill("#search", "status");
  await searched.waitForSelector("#results a");
  await searched.locator("#results a").nth(20).click();
  await searched.waitForSelector("h1");
  await searched.goBack();
  await searched.waitForSelector("#results a");
  const back = await searched.evaluate(() => [document.querySelector("#search").value, scrollY > 100,
    [...document.querySelectorAll("#results a")].indexOf(document.activeElement)]);
  say(back.join() === "status,true,20", `back leads to the search ${back}`);
  await searched.close();

  // An item as a release has it: what the address names, what is chosen, and on later pages what was chosen.
  const status = await open("entities/Status/?as=gotosocial@0.17", { viewport: { width: 1280, height: 900 } });
  const group = (tab, head) => tab.evaluate((head) => {
    const title = [...document.querySelectorAll("#as dt")].find((one) => one.textContent.startsWith(`${head} (`));
    return title ? [...title.nextElementSibling.querySelectorAll("a")].map((a) => a.textContent).join() : "";
  }, head);
  const nullable = await group(status, "may be null");
  say(nullable === "in_reply_to_account_id,in_reply_to_id,reblog,language,card,poll", `may be null on GoToSocial 0.17: ${nullable}`);
  say((await status.textContent("#as-title")) === "As GoToSocial 0.17.0 has it", "the address does not choose the release");
  const listed = await status.evaluate(() => document.querySelector("#as dl").getBoundingClientRect().bottom < innerHeight);
  say(listed, "what a release has does not fit on one screen");
  await status.selectOption("#as select[name=program]", { label: "Mastodon" });
  await status.selectOption("#as select[name=release]", { label: "3.4.0" });
  say(status.url().includes("?as=mastodon@3.4.0"), `the address of a release is ${status.url()}`);
  say((await group(status, "not there")).includes("edited_at"), "Mastodon 3.4 has no edited_at");
  say(await status.evaluate(() => document.getElementById("Status.edited_at").classList.contains("gone")), "the row of a field that is not there looks as others do");
  await status.click('main a[href*="entities/Poll/"]');
  await status.waitForURL(/entities\/Poll\//);
  say(status.url().includes("?as=mastodon@3.4.0"), `a link does not keep the release: ${status.url()}`);
  await status.goto(address("operations/statuses.create/"));
  say((await status.textContent("#as-item")).startsWith("Mastodon 3.4.0 has it, for a user's token"), "a later page does not keep the release");
  for (const [asked, shown, told] of [["gotosocial@0.17.9", "GoToSocial 0.17.4", "nearest before it, 0.17.4,"], ["mastodon@0.0.1", "Mastodon 0.1.0", "nearest after it"],
    ["nonsense@1.0", "Mastodon", "no program called nonsense"], ["mastodon@%3Cb%3E", "Mastodon", "does not know Mastodon <b>"]]) {
    await status.goto(address(`entities/Status/?as=${asked}`));
    say((await status.textContent("#as-title")).includes(shown), `${asked} shows ${await status.textContent("#as-title")}`);
    say((await status.textContent("#as-told")).includes(told), `${asked} is told as ${await status.textContent("#as-told")}`);
  }
  await status.close();

  // The baseline: a choice changes the address, and the address makes the choice.
  const baseline = await open("baseline/", { viewport: { width: 1280, height: 900 } });
  await baseline.selectOption("select[name=mastodon]", "4.1.0");
  await baseline.selectOption("select[name=gotosocial]", "0.15.0");
  say(new URL(baseline.url()).hash.includes("mastodon=4.1.0&gotosocial=0.15.0"), `the address is ${baseline.url()}`);
  const config = await baseline.textContent("#config");
  say(config.includes('.floor("mastodon", "4.1.0")') && config.includes('.floor("gotosocial", "0.15.0")'), `Config is ${config}`);
  const has = (part, id, tab) => tab.evaluate(([part, id]) => [...document.querySelectorAll(`#have-${part} a`)].some((a) => a.textContent === id), [part, id]);
  say(await has("all", "accounts.lookup", baseline), "all releases have accounts.lookup");
  say(await has("none", "admin_canonical_email_blocks.list", baseline) || await has("some", "admin_canonical_email_blocks.list", baseline), "GoToSocial has no admin_canonical_email_blocks.list");
  say(await has("some", "filters.create", baseline), "filters.create came later to GoToSocial");
  await baseline.close();
  const again = await open("baseline/#mastodon=4.6.0&mastodon-to=4.6.5&show=operation", { viewport: { width: 1280, height: 900 } });
  say((await again.textContent("#config")).includes('.ceiling("mastodon", "4.6.5")'), "the address does not make the choice");
  say(await has("all", "filters.create", again), "Mastodon 4.6 has filters.create");
  await again.goto(address("baseline/#mastodon=4.6.0&mastodon-to=4.2.0"));
  await again.reload();
  say((await again.textContent("#baseline")).includes("newer than the newest"), "an impossible choice is not named");
  await again.close();

  // Any two releases: what the page finds is what `cargo xtask diff` reports, in files named LEFT..RIGHT.json.
  for (const file of readdirSync(comparisons)) {
    const [left, right] = file.replace(/\.json$/, "").split("..");
    const report = JSON.parse(readFileSync(join(comparisons, file), "utf8"));
    const tab = await open(`compare/#left=${left}&right=${right}`, { viewport: { width: 1280, height: 900 } });
    const listed = (part, kind) => tab.evaluate(([part, kind]) =>
      [...document.querySelectorAll(`#${part} li`)].filter((li) => li.querySelector("small").textContent.split(",")[0] === kind)
        .map((li) => li.querySelector("a").textContent), [part, kind]);
    const same = (what, found, wanted) => {
      const odd = [...found.filter((id) => !wanted.includes(id)), ...wanted.filter((id) => !found.includes(id))];
      say(wanted.length > 0 && odd.length === 0, `${file}: ${what} is told of ${wanted.length}, apart ${odd.join(", ")}`);
    };
    if (report.mode === "parity") {
      const told = (relations, kind) =>
        report.differences.filter((one) => relations.includes(one.relation) && one.item.kind === kind).map((one) => one.item.id);
      for (const [kind, name] of [["operation", "operation"], ["param", "parameter"]]) {
        same(`only left ${kind}`, await listed("only-left", name), told(["only-in-a", "b-later"], kind));
        same(`only right ${kind}`, await listed("only-right", name), told(["only-in-b", "a-later"], kind));
      }
      const callers = await tab.evaluate(() => [...document.querySelectorAll("#differ tbody tr")]
        .filter((row) => [1, 2].some((i) => /(^|, )for /.test(row.cells[i].textContent))).map((row) => row.cells[0].textContent));
      same("who may call", callers, told(["differs-auth"], "operation"));
    } else {
      const told = (happened) =>
        report.events.filter((one) => one.happened === happened && one.item.kind === "operation").map((one) => one.item.id);
      same("added", await listed("only-right", "operation"), told("added"));
    }
    await tab.close();
  }
  const pair = await open("compare/", { viewport: { width: 390, height: 844 } });
  await pair.selectOption("select[name=left]", "gotosocial@0.15.0");
  say(new URL(pair.url()).hash.includes("left=gotosocial@0.15.0"), `the address of two releases is ${pair.url()}`);
  await pair.goto(address("compare/#left=nonsense&right=gotosocial@0.1"));
  await pair.reload();
  say((await pair.textContent("#sides h2")).startsWith("Mastodon"), "an unknown release shows nothing");
  await pair.close();

  // Without scripts everything can be read, and the address of an item leads to it.
  const plain = await open("baseline/", { javaScriptEnabled: false });
  await plain.goto(address("entities/Status/?as=gotosocial@0.17"));
  say((await plain.textContent("#as-title")).startsWith("As Mastodon 4.") && await plain.locator("#as select").count() === 0, "without scripts the newest is not shown");
  await plain.goto(address("baseline/"));
  say(await plain.locator("td[data-program]").count() > 700, "the baseline page is empty without scripts");
  await plain.goto(address("compare/"));
  say(!await plain.isVisible("#pair"), "a form that needs scripts is shown without them");
  say(await plain.isVisible("noscript a"), "two releases are nowhere without scripts");
  await plain.close();
} finally {
  await browser.close();
}
for (const one of [...new Set(wrong)]) console.log(one);
console.log(`${PAGES.length} pages, ${new Set(wrong).size} findings`);
process.exitCode = wrong.length ? 1 : 0;
