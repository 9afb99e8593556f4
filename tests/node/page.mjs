// Opens a folder as a page in a real browser: `page.mjs FOLDER QUERY CHROMIUM`; prints the page's <output> once it has an answer.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder, query, chromium] = process.argv.slice(2);
const { chromium: browserType } = createRequire(join(process.env.PACKAGES, "package.json"))("playwright-core");
const types = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };

const server = createServer((request, response) => {
  const path = new URL(request.url, "http://localhost").pathname.slice(1) || "index.html";
  const type = types[path.split(".").at(-1)];
  response.writeHead(type ? 200 : 404, { "content-type": type ?? "text/plain" }).end(type && readFileSync(join(folder, path)));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const browser = await browserType.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${server.address().port}/?${query}`);
  console.log(await tab.locator("output").filter({ hasNotText: "asking" }).textContent({ timeout: 20_000 }));
} finally {
  await browser.close();
  server.close();
}
