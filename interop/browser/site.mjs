// Reads the pages of `cargo xtask site` in a real browser, and prints what it saw as JSON.
//
//     site.mjs DIR SITE SHOTS PAGE...
//
// DIR has playwright-core, CHROMIUM names the browser, SITE is the site's folder, SHOTS one for pictures or `-`. Every
// PAGE is a path in SITE. Each is read as files, and over HTTP from a server on loopback.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [dir, folder, shots, ...paths] = process.argv.slice(2);
const site = resolve(folder);
const { chromium } = createRequire(join(dir, "package.json"))("playwright-core");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  // As root there is no sandbox; nothing but the site under test is visited.
  args: ["--no-sandbox"],
});

const types = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml" };
const server = createServer(async (request, response) => {
  try {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://site").pathname));
    const bytes = await readFile(join(site, path));
    response.writeHead(200, { "Content-Type": types[extname(path)] ?? "application/octet-stream" }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const http = `http://127.0.0.1:${server.address().port}/`;
const file = `${pathToFileURL(site)}/`;

const saw = { pages: 0, elsewhere: [], errors: [], missing: [], tooWide: [], deadAnchors: [], unstyled: [], untitled: [] };

async function read(base, name, options) {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const page = await context.newPage();
  let path = "";
  page.on("request", (request) => {
    if (!request.url().startsWith(base)) saw.elsewhere.push(`${path}: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) saw.missing.push(`${path}: ${response.url()}`);
  });
  page.on("requestfailed", (request) => {
    // What was still on its way when the next page was opened is not missing.
    const why = request.failure()?.errorText;
    if (why !== "net::ERR_ABORTED") saw.missing.push(`${path}: ${request.url()}: ${why}`);
  });
  page.on("console", (message) => saw.errors.push(`${path}: ${message.text()}`));
  page.on("pageerror", (error) => saw.errors.push(`${path}: ${error}`));
  for (path of paths) {
    await page.goto(base + path);
    saw.pages += 1;
    const found = await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
      const anchors = [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute("href").slice(1));
      const { scrollWidth, clientWidth } = document.documentElement;
      return {
        title: document.title,
        // The style sheet takes the margin away that browsers give.
        styled: getComputedStyle(document.body).margin === "0px",
        dead: anchors.filter((id) => !document.getElementById(id)),
        wide: scrollWidth > clientWidth ? scrollWidth : 0,
        widest: [...document.querySelectorAll("main *")].findLast((one) => one.getBoundingClientRect().right > clientWidth + 1)?.outerHTML.slice(0, 120),
      };
    });
    if (!found.styled) saw.unstyled.push(path);
    if (!found.title) saw.untitled.push(path);
    if (found.wide) saw.tooWide.push(`${name} ${path}: ${found.wide}, ${found.widest}`);
    saw.deadAnchors.push(...found.dead.map((id) => `${path}#${id}`));
    if (shots !== "-") {
      await page.screenshot({ path: join(shots, `${path.replaceAll("/", "_")}-${name}.png`), fullPage: false });
    }
  }
  await context.close();
}

await read(http, "phone-dark", { viewport: { width: 360, height: 740 }, colorScheme: "dark", isMobile: true, hasTouch: true });
await read(file, "desktop", { viewport: { width: 1280, height: 900 } });

// As a reader does: from the first page to a rule in the text, to what covers it, to a vector, and back to the rule.
const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, javaScriptEnabled: true })).newPage();
saw.walk = [];
const arrived = async () => saw.walk.push((await page.title()).split(" \u00b7 ")[0]);
await page.goto(`${file}index.html`);
await arrived();
await page.getByRole("link", { name: "The text" }).first().click();
await arrived();
await page.locator('[id="token.exp.max-life"] .cover').click();
await arrived();
await page.locator(".vectors a").first().click();
await arrived();
await page.getByRole("link", { name: "token.exp.max-life" }).click();
await arrived();
await page.getByRole("link", { name: "Read it in the text" }).click();
await page.waitForURL(/#/);
saw.walk.push(decodeURIComponent(new URL(page.url()).hash));
saw.walkedTo = await page.evaluate(() => document.querySelector(":target")?.getBoundingClientRect().top ?? null);

// What somebody else put into a page does not run.
saw.injected = await page.evaluate(() => {
  const script = document.createElement("script");
  script.textContent = "window.ran = true";
  document.body.append(script);
  return window.ran === true;
});

// Two colours of paper, and a printed page.
const paper = async (colorScheme) => {
  await page.emulateMedia({ colorScheme });
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
};
saw.paper = [await paper("light"), await paper("dark")];
saw.printed = (await page.pdf()).length;

await browser.close();
server.close();
console.log(JSON.stringify(saw));
