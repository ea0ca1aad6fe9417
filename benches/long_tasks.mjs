// Reads pages of 'git implement review --html' in Chromium as a person does, and says of each step which tasks took the page
// longer than 50 ms, in which it answers to nothing. What is printed is the time on the clock, and in brackets that of the
// processor, which is the one to go by on a busy machine. By hand, since times are nothing for a test:
//
//   sh tests/servers/browser target/browser
//   node benches/long_tasks.mjs target/browser page.html...
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { existsSync, mkdtempSync, rmSync } from "node:fs";

const LONG = 50;
const [folder, ...files] = process.argv.slice(2);
const puppeteer = createRequire(pathToFileURL(resolve(folder, "package.json")))("puppeteer-core");
const home = mkdtempSync(resolve(process.env.TMPDIR || "/tmp", "chromium-"));
const rest = (time) => new Promise((done) => setTimeout(done, time));

/** The tasks of the page's main thread. */
function tasks(trace) {
  const events = JSON.parse(new TextDecoder().decode(trace)).traceEvents;
  const named = events.filter((it) => it.name === "thread_name" && it.args.name === "CrRendererMain");
  const mains = new Set(named.map((it) => `${it.pid}.${it.tid}`));
  const run = events.filter((it) => it.name.endsWith("RunTask") && mains.has(`${it.pid}.${it.tid}`));
  return run.filter((it) => it.dur / 1000 > LONG).map((it) => `${Math.round(it.dur / 1000)} (${Math.round(it.tdur / 1000)})`);
}

const browser = await puppeteer.launch({
  executablePath: process.env.PATH.split(":").map((folder) => `${folder}/chromium`).find((path) => existsSync(path)),
  userDataDir: home,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
try {
  for (const file of files) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1400, height: 900 });
    const press = (key) => () => page.keyboard.press(key);
    const scroll = async () => {
      for (let n = 0; n < 20; n++) { await page.mouse.wheel({ deltaY: 1500 }); await rest(60); }
    };
    const steps = [
      ["load", () => page.goto(pathToFileURL(resolve(file)).href, { waitUntil: "load" })], ["first file", press("n")],
      ["scroll", scroll], ["end", press("End")], ["viewed", press("v")], ["by risk", press("r")], ["by commits", press("r")],
      ["next open", press("o")],
    ];
    console.log(file);
    for (const [name, step] of steps) {
      await page.tracing.start({ categories: ["toplevel"] });
      await step();
      await rest(700);
      console.log(`  ${name}: ${tasks(await page.tracing.stop()).join(", ") || "none"}`);
    }
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}
