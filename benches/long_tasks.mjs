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

/** The process that shows the page: Chromium's own pages (its bar, its pop-ups) have processes of their own. */
function shower(events, url) {
  const committed = events.filter((it) => it.name === "CommitLoad" && it.args.data?.url === url);
  if (committed.length === 0) throw new Error(`the trace does not say which process shows ${url}`);
  return committed.at(-1).pid;
}

/** The long tasks of that process's main thread. */
function tasks(events, pid) {
  const mains = events.filter((it) => it.pid === pid && it.name === "thread_name" && it.args.name === "CrRendererMain");
  const run = events.filter((it) => it.name.endsWith("RunTask") && it.pid === pid && mains.some((main) => main.tid === it.tid));
  if (run.length === 0) throw new Error("the trace has no task of the page");
  return run.filter((it) => it.dur / 1000 > LONG).map((it) => `${Math.round(it.dur / 1000)} (${Math.round(it.tdur / 1000)})`);
}

const browser = await puppeteer.launch({
  executablePath: process.env.PATH.split(":").map((folder) => `${folder}/chromium`).find((path) => existsSync(path)),
  userDataDir: home,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
try {
  // A browser that is still starting takes the processors for itself.
  await rest(3000);
  for (const file of files) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1400, height: 900 });
    const press = (key) => () => page.keyboard.press(key);
    const scroll = async () => {
      for (let n = 0; n < 20; n++) { await page.mouse.wheel({ deltaY: 1500 }); await rest(60); }
    };
    const url = pathToFileURL(resolve(file)).href;
    const steps = [
      ["load", () => page.goto(url, { waitUntil: "load" })], ["first file", press("n")],
      ["scroll", scroll], ["end", press("End")], ["viewed", press("v")], ["by risk", press("r")], ["by commits", press("r")],
      ["next open", press("o")],
    ];
    console.log(file);
    let pid;
    for (const [name, step] of steps) {
      await page.tracing.start({ categories: ["toplevel", "devtools.timeline"] });
      await step();
      await rest(700);
      const events = JSON.parse(new TextDecoder().decode(await page.tracing.stop())).traceEvents;
      pid ??= shower(events, url);
      console.log(`  ${name}: ${tasks(events, pid).join(", ") || "none"}`);
    }
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}
