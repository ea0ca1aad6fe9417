"use strict";
(() => {
  const files = [...document.querySelectorAll("article.file")];
  const name = `git-implement review ${document.body.dataset.name}`;
  // What was viewed is a file with the very text that it had then.
  const read = () => { try { return JSON.parse(localStorage.getItem(name)) || {}; } catch { return {}; } };
  const state = Object.assign({ viewed: {}, checks: {} }, read());
  const write = () => { try { localStorage.setItem(name, JSON.stringify(state)); } catch { /* Nothing is kept then. */ } };
  const key = (file) => `${file.dataset.path}@${file.dataset.order}`;
  const isViewed = (file) => state.viewed[key(file)] === file.dataset.blob;

  const show = () => {
    for (const file of files) {
      const known = state.viewed[key(file)];
      file.querySelector("[data-viewed]").checked = isViewed(file);
      file.classList.toggle("done", isViewed(file));
      file.querySelector(".news").hidden = known === undefined || isViewed(file);
    }
    document.getElementById("viewed-count").textContent = files.filter(isViewed).length;
    document.getElementById("viewed-all").textContent = files.length;
  };
  const view = (file, seen) => {
    if (seen) state.viewed[key(file)] = file.dataset.blob; else delete state.viewed[key(file)];
    write();
    show();
  };
  for (const file of files) file.querySelector("[data-viewed]").addEventListener("change", (event) => view(file, event.target.checked));
  for (const box of document.querySelectorAll("[data-check]")) {
    box.checked = state.checks[box.dataset.check] === document.body.dataset.tip;
    box.addEventListener("change", () => {
      if (box.checked) state.checks[box.dataset.check] = document.body.dataset.tip; else delete state.checks[box.dataset.check];
      write();
    });
  }

  const main = document.getElementById("changes");
  const byRisk = document.getElementById("by-risk");
  const homes = files.map((file) => [file, file.parentElement]);
  const list = document.createElement("div");
  const order = () => {
    if (byRisk.checked) {
      list.append(...[...files].sort((a, b) => b.dataset.risk - a.dataset.risk));
      main.insertBefore(list, main.children[1]);
    } else {
      for (const [file, home] of homes) home.append(file);
      list.remove();
    }
  };
  byRisk.addEventListener("change", order);

  const shown = () => [...document.querySelectorAll("article.file")];
  const current = () => shown().findIndex((file) => file === document.activeElement || file.contains(document.activeElement));
  const go = (file) => { if (file) { file.focus({ preventScroll: true }); file.scrollIntoView({ block: "start" }); } };
  const step = (by) => { const all = shown(), at = current(); go(all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]); };
  const open = () => { const all = shown(), at = current(); go([...all.slice(at + 1), ...all.slice(0, at + 1)].find((file) => !isViewed(file))); };
  const help = document.getElementById("help");
  document.getElementById("next").addEventListener("click", open);
  document.getElementById("show-help").addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const at = current();
    const keys = {
      n: () => step(1), p: () => step(-1), o: open, "?": () => help.showModal(),
      v: () => { if (at >= 0) view(shown()[at], !isViewed(shown()[at])); },
      d: () => { const row = at >= 0 && shown()[at].querySelector(".why a"); if (row) row.click(); },
      r: () => { byRisk.checked = !byRisk.checked; order(); },
    };
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  show();
})();
