// Looks at the stand-in's page in a real browser: `standin.mjs URL CHROMIUM`; prints what is wrong, and exits with 1 if anything is.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [url, chromium] = process.argv.slice(2);
const require = createRequire(join(process.env.PACKAGES, "package.json"));
const { chromium: browserType } = require("playwright-core");
const { HtmlValidate } = require("html-validate");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const wrong = [];
const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: { "void-style": "off", "no-trailing-whitespace": "off", "attribute-boolean-style": "off" },
});
const report = await validator.validateString(await (await fetch(`${url}/`)).text());
for (const { messages } of report.results) for (const one of messages) wrong.push(`${one.ruleId}: ${one.message} (${one.line}:${one.column})`);

const browser = await browserType.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu"] });
try {
  for (const [width, height, colorScheme] of [[1280, 900, "light"], [390, 844, "dark"]]) {
    const tab = await browser.newPage({ viewport: { width, height }, colorScheme });
    tab.on("request", (request) => { if (!request.url().startsWith(url)) wrong.push(`asks for ${request.url()}`); });
    await tab.goto(`${url}/`);
    await tab.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
    const over = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) wrong.push(`${over} pixels too wide for ${width}`);
    await tab.evaluate(axe);
    const { violations } = await tab.evaluate(() => window.axe.run());
    for (const { id, nodes } of violations) wrong.push(`at ${width}, ${colorScheme}: axe ${id}: ${nodes[0].html.slice(0, 160)}`);
    const [first] = await tab.locator('td[data-name="Path"]').allTextContents();
    if (first !== "/api/v2/instance") wrong.push(`the last request is ${first}`);
    await tab.close();
  }
} finally {
  await browser.close();
}
for (const one of wrong) console.log(one);
console.log(`${wrong.length} findings`);
process.exitCode = wrong.length ? 1 : 0;
