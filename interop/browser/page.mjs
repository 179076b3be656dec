// Uses a resolver's page as people do, in a real browser, and prints what it saw as JSON.
//
//     page.mjs DIR URL NEED SHOTS
//
// DIR has playwright-core, CHROMIUM names the browser, SHOTS is a folder for pictures.

import { createRequire } from "node:module";
import { join } from "node:path";

const [dir, url, need, shots] = process.argv.slice(2);
const { chromium } = createRequire(join(dir, "package.json"))("playwright-core");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  // As root there is no sandbox; nothing but the resolver under test is visited.
  args: ["--no-sandbox"],
});

const saw = { referers: [], dialogs: [], errors: [], elsewhere: [] };

async function open(options = {}, prepare = async () => {}) {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC", ...options });
  const page = await context.newPage();
  page.on("request", (request) => {
    const referer = request.headers().referer;
    if (referer) saw.referers.push(referer);
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) saw.elsewhere.push(request.url());
  });
  page.on("dialog", (dialog) => {
    saw.dialogs.push(dialog.message());
    dialog.dismiss();
  });
  page.on("pageerror", (error) => saw.errors.push(String(error)));
  await prepare(page);
  await page.goto(url);
  return page;
}

// By keyboard alone, from wherever the page begins.
async function ask(page, what = need) {
  for (let n = 0; n < 10; n++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.id === "need")) break;
  }
  await send(page, what);
}

async function send(page, what = need) {
  await page.keyboard.type(what);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !["", "Looking…"].includes(document.getElementById("said").textContent));
}

const shown = (page) =>
  page.evaluate(() => ({
    said: document.getElementById("said").textContent,
    who: document.getElementById("who").textContent,
    items: [...document.querySelectorAll("#list li")].map((item) => item.innerText),
    links: [...document.querySelectorAll("#list a")].map((link) => link.href),
    made: [...document.querySelectorAll("#list *, #said *, #who *")].map((one) => one.localName),
    address: location.href,
    history: history.length,
    tooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  }));

const shot = (page, name) => page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });

const desktop = await open({ viewport: { width: 1100, height: 800 } });
await shot(desktop, "empty");
saw.historyBefore = await desktop.evaluate(() => history.length);
await ask(desktop);
saw.desktop = await shown(desktop);
await shot(desktop, "desktop");
// What somebody else put into the document does not run.
saw.injected = await desktop.evaluate(() => {
  const script = document.createElement("script");
  script.textContent = "window.ran = true";
  document.body.append(script);
  return window.ran === true;
});

const phone = await open({ viewport: { width: 360, height: 740 }, colorScheme: "dark", isMobile: true, hasTouch: true });
await ask(phone);
saw.phone = await shown(phone);
await shot(phone, "phone-dark");
// The smallest thing to touch.
saw.touch = await phone.evaluate(() =>
  Math.min(...[...document.querySelectorAll("input[type=search], input[type=number], button")].map((one) => one.getBoundingClientRect().height)),
);

const nothing = await open();
await ask(nothing, "zzqqxx");
saw.nothing = await shown(nothing);
const constrained = await open();
await constrained.check("input[name=read_only]");
await constrained.focus("#need");
await send(constrained);
saw.constrained = await shown(constrained);
const limited = await open();
await limited.fill("#handshake", "100");
await limited.focus("#need");
await send(limited);
saw.limited = await shown(limited);
await shot(limited, "limited");
// A number that there is no limit of: the browser says so, and nobody is asked.
const unlimited = await open();
await unlimited.fill("#handshake", "0");
await unlimited.fill("#need", need);
await unlimited.click("#ask");
saw.unlimited = {
  valid: await unlimited.evaluate(() => document.getElementById("handshake").checkValidity()),
  said: await unlimited.locator("#said").textContent(),
};

// A resolver that lies: its answer is changed on the way.
const evil = "<img src=x onerror=alert(1)><script>alert(2)</script>";
const changed = (change) => async (page) => {
  await page.route("**/resolve?*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) });
  });
};
const lying = await open({}, changed((answer) => {
  const [one] = answer.candidates;
  const [head, claims, signature] = one.jws.split(".");
  const other = Buffer.from(claims, "base64url").toString().replace('"ok"', '"down"');
  const flipped = (signature[0] === "A" ? "B" : "A") + signature.slice(1);
  const cheat = (jws, more = {}) => ({ ...one, jws, url: evil, status: evil, evidence: { record: "javascript:alert(3)" }, ...more });
  answer.candidates = [
    cheat(one.jws),
    cheat([head, Buffer.from(other).toString("base64url"), signature].join(".")),
    cheat([head, claims, flipped].join(".")),
    cheat(evil),
    cheat(undefined, { evidence: null }),
  ];
  return answer;
}));
await ask(lying);
saw.lying = await shown(lying);
await shot(lying, "lying");

const other = await open({}, async (page) => {
  await page.route("**/.well-known/*", async (route) => {
    const response = await route.fetch();
    const discovery = await response.json();
    discovery.resolver = evil;
    discovery.iss = "https://other.test";
    await route.fulfill({ response, json: discovery });
  });
});
await ask(other);
saw.other = await shown(other);

const later = await open({}, async (page) => {
  await page.clock.install({ time: Date.now() + 3 * 86_400_000 });
});
await ask(later);
saw.later = await shown(later);

// A browser without this kind of signature, and one on a page without https.
const old = await open({}, (page) =>
  page.addInitScript(() => {
    crypto.subtle.importKey = () => Promise.reject(new DOMException("no", "NotSupportedError"));
  }),
);
await ask(old);
saw.old = await shown(old);
const insecure = await open({}, (page) =>
  page.addInitScript(() => Object.defineProperty(crypto, "subtle", { value: undefined })),
);
await ask(insecure);
saw.insecure = await shown(insecure);

const failing = await open({}, (page) =>
  page.route("**/resolve?*", (route) =>
    route.fulfill({
      status: 503,
      contentType: "application/problem+json",
      body: JSON.stringify({ title: `No answer ${evil}`, code: "unavailable" }),
    }),
  ),
);
await ask(failing);
saw.failing = await shown(failing);
const away = await open({}, (page) => page.route("**/resolve?*", (route) => route.abort()));
await ask(away);
saw.away = await shown(away);

const plain = await open({ javaScriptEnabled: false });
saw.plainSays = await plain.locator("noscript").innerText();
await plain.fill("#need", need);
await plain.click("#ask");
await plain.waitForLoadState();
saw.plain = { address: plain.url(), text: await plain.locator("body").innerText() };

await browser.close();
console.log(JSON.stringify(saw));
