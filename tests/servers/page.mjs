// Opens a page in Chromium, reads it by keyboard, and says what it was like: page.mjs <folder of node_modules> <page>
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";

const [folder, file] = process.argv.slice(2);
const load = createRequire(pathToFileURL(resolve(folder, "package.json")));
const puppeteer = load("puppeteer-core");
const axe = load.resolve("axe-core/axe.min.js");
const home = mkdtempSync(resolve(process.env.TMPDIR || "/tmp", "chromium-"));
const said = { errors: [], requests: [], serious: [], wide: [], rules: 0 };

const browser = await puppeteer.launch({
  executablePath: process.env.PATH.split(":").map((folder) => `${folder}/chromium`).find((path) => existsSync(path)),
  userDataDir: home,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
try {
  const page = await browser.newPage();
  page.on("console", (message) => message.type() === "error" && said.errors.push(message.text()));
  page.on("pageerror", (error) => said.errors.push(String(error)));
  page.on("dialog", async (dialog) => { said.errors.push(`dialog ${dialog.message()}`); await dialog.dismiss(); });
  const url = pathToFileURL(resolve(file)).href;
  page.on("request", (request) => request.url().split("#")[0] !== url && said.requests.push(request.url()));
  await page.setViewport({ width: 1400, height: 900 });
  await page.goto(url, { waitUntil: "load" });
  const at = () => page.evaluate(() => document.activeElement?.dataset?.path ?? null);
  const viewed = () => page.$eval("#viewed-count", (it) => it.textContent);
  said.title = await page.title();
  said.files = await page.$$eval("article.file", (all) => all.map((it) => it.dataset.path));
  await page.keyboard.press("n");
  said.first = await at();
  await page.keyboard.press("v");
  said.viewed = await viewed();
  await page.keyboard.press("o");
  said.open = await at();
  await page.keyboard.press("d");
  said.row = await page.evaluate(() => location.hash);
  await page.keyboard.press("n");
  said.after = await at();
  await page.keyboard.press("p");
  const ofs = () => page.$$eval(".of", (all) => all.filter((it) => it.offsetParent).length);
  said.of = [await ofs()];
  await page.keyboard.press("r");
  said.of.push(await ofs());
  const inSight = () => { const top = document.activeElement.getBoundingClientRect().top; return top >= 0 && top < innerHeight; };
  said.stays = [await at(), await page.evaluate(inSight)];
  said.risky = await page.$$eval("article.file", (all) => all.map((it) => it.dataset.path));
  await page.keyboard.press("?");
  said.help = await page.$eval("#help", (it) => it.open);
  await page.keyboard.press("Escape");
  await page.keyboard.press("r");
  said.of.push(await ofs());
  const isShown = (file) => page.$eval(`article[data-path="${file}"] .part`, (it) => it.parentElement.clientHeight > 0);
  said.folded = [[await isShown("src/shop.py"), await viewed()]];
  await page.click('article[data-path="src/shop.py"] .fold');
  said.folded.push([await isShown("src/shop.py"), await viewed()]);
  await page.click("[data-check=tests]");
  await page.reload({ waitUntil: "load" });
  said.kept = [await viewed(), await page.$eval("[data-check=tests]", (it) => it.checked)];
  // Another text of the same file is news.
  await page.evaluate(() => {
    const name = Object.keys(localStorage)[0], state = JSON.parse(localStorage.getItem(name));
    state.viewed = state.viewed.map((it) => `another:one ${it.split(" ")[1]}`);
    localStorage.setItem(name, JSON.stringify(state));
  });
  await page.reload({ waitUntil: "load" });
  said.news = [await viewed(), await page.$$eval(".news", (all) => all.filter((it) => !it.hidden).length)];
  // Another tab of the same review, and then this one, which has not read since.
  const view = (path) => (tab) => tab.$eval(`article[data-path="${path}"] [data-viewed]`, (it) => it.click());
  await view("src/shop.py")(page);
  const other = await browser.newPage();
  await other.goto(url, { waitUntil: "load" });
  await view("src/till.py")(other);
  const come = await page.waitForFunction(() => document.getElementById("viewed-count").textContent === "2", { polling: 100, timeout: 20000 }).catch(() => null);
  said.tabs = [come && await viewed()];
  await page.$eval("[data-check=names]", (it) => it.click());
  await other.reload({ waitUntil: "load" });
  said.tabs.push(await other.$$eval("article.done", (all) => all.map((it) => it.dataset.path)), await other.$eval("[data-check=names]", (it) => it.checked));
  await view("tests/test_till.py")(other);
  await other.keyboard.press("o");
  said.none = await other.$eval("#said", (it) => it.textContent);
  await other.emulateMediaType("print");
  said.printed = await other.$$eval(".hunk", (all) => all.every((it) => it.clientHeight > 10));
  await other.emulateMediaType("screen");
  await other.setJavaScriptEnabled(false);
  await other.goto(url, { waitUntil: "load" });
  said.dead = await other.evaluate(() => [[...document.querySelectorAll("article input, header button, .order input")].filter((it) => it.offsetParent).length,
    document.body.innerText.includes("files viewed")]);
  await other.close();
  await page.bringToFront();
  await page.keyboard.press("?");
  said.keys = await page.$$eval("#help dd", (all) => new Set(all.map((it) => it.getBoundingClientRect().left)).size);
  await page.keyboard.press("Escape");
  await page.$$eval("article.done .fold", (all) => all.forEach((it) => it.click()));
  for (const width of [1400, 390]) {
    await page.setViewport({ width, height: 900 });
    for (const theme of ["light", "dark"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      await page.evaluate((open) => document.querySelectorAll("details").forEach((it) => { it.open = open; }), true);
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) said.wide.push(`${width} ${theme}`);
      const rows = await page.$$eval('article[data-path="src/till.py"] tr.a, article[data-path="src/till.py"] tr.r',
        (all) => all.map((row) => [...row.cells].filter((it) => getComputedStyle(it).display !== "none").map((it) => it.textContent)));
      said.phone = rows;
      said.chart = await page.$eval(".chart tbody th", (it) => it.clientHeight);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${theme}-${width}.png` });
      // The page's own policy lets no script in: this one is put there by the browser's tools.
      const world = page.mainFrame().isolatedRealm();
      await world.evaluate(readFileSync(axe, "utf8"));
      const found = await world.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
      said.rules += found.passes.length;
      const grave = found.violations.filter((it) => ["serious", "critical"].includes(it.impact));
      said.serious.push(...grave.map((it) => `${width} ${theme} ${it.id}: ${it.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" | ")}`));
    }
  }
} finally {
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}
console.log(JSON.stringify(said));
