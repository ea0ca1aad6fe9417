"use strict";
(() => {
  const files = [...document.querySelectorAll("article.file")];
  const { home, name: branch, tip } = document.body.dataset;
  const name = `git-implement review ${home} ${branch}`;
  // What was viewed is a change from one text to another at a path, whichever commit it is in.
  const mark = (file) => `${file.dataset.pair} ${file.dataset.path}`;
  const path = (mark) => mark.slice(mark.indexOf(" ") + 1);
  const here = new Set(files.map(mark));
  const isOld = (mark) => !here.has(mark);
  let state = { viewed: [], checks: {} };
  const read = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(name)) || {};
      state = { viewed: Array.isArray(kept.viewed) ? kept.viewed.map(String) : [], checks: kept.checks || {} };
    } catch { /* What is known is kept, in this tab. */ }
  };
  const update = (change) => {
    // Another tab may have written since.
    read();
    change();
    try { localStorage.setItem(name, JSON.stringify(state)); } catch { /* Nothing is kept then. */ }
    show();
  };
  const isViewed = (file) => state.viewed.includes(mark(file));

  const boxes = [...document.querySelectorAll("[data-check]")];
  const fold = (file, shut) => {
    file.classList.toggle("shut", shut);
    file.querySelector(".fold").setAttribute("aria-expanded", String(!shut));
  };
  const show = () => {
    const seen = new Set(state.viewed), news = new Set(state.viewed.filter(isOld).map(path));
    let count = 0;
    for (const file of files) {
      const done = seen.has(mark(file));
      count += done;
      if (done !== file.classList.contains("done")) fold(file, done);
      file.classList.toggle("done", done);
      file.querySelector("[data-viewed]").checked = done;
      file.querySelector(".news").hidden = done || !news.has(file.dataset.path);
    }
    for (const box of boxes) box.checked = state.checks[box.dataset.check] === tip;
    document.getElementById("viewed-count").textContent = count;
    document.getElementById("viewed-all").textContent = files.length;
  };
  const view = (file, seen) => update(() => {
    state.viewed = state.viewed.filter((it) => it !== mark(file));
    if (!seen) return;
    // The older text of it that was viewed is news no more.
    const old = state.viewed.findIndex((it) => isOld(it) && path(it) === file.dataset.path);
    if (old >= 0) state.viewed.splice(old, 1);
    state.viewed.push(mark(file));
  });
  for (const file of files) {
    file.querySelector("[data-viewed]").addEventListener("change", (event) => view(file, event.target.checked));
    const heading = file.querySelector("h3"), button = document.createElement("button");
    button.type = "button";
    button.className = "fold";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => fold(file, !file.classList.contains("shut")));
    fold(file, false);
  }
  for (const box of boxes) {
    box.addEventListener("change", () => {
      const { checked } = box;
      update(() => { if (checked) state.checks[box.dataset.check] = tip; else delete state.checks[box.dataset.check]; });
    });
  }
  addEventListener("storage", (event) => { if (event.key === name || event.key === null) { read(); show(); } });

  const main = document.getElementById("changes");
  const byRisk = document.getElementById("by-risk");
  const homes = files.map((file) => [file, file.parentElement]);
  const list = document.createElement("div");
  list.className = "by-risk";
  const order = () => {
    if (byRisk.checked) {
      list.append(...[...files].sort((a, b) => b.dataset.risk - a.dataset.risk));
      main.insertBefore(list, main.querySelector("section"));
    } else {
      for (const [file, home] of homes) home.append(file);
      list.remove();
    }
  };
  byRisk.addEventListener("change", order);

  const shown = () => [...document.querySelectorAll("article.file")];
  // Where the reader is: a look at the design does not change it.
  let place = null;
  document.addEventListener("focusin", (event) => { place = event.target.closest("article.file") || place; });
  const go = (file) => { if (file) { file.focus({ preventScroll: true }); file.scrollIntoView({ block: "start" }); } };
  const say = (text) => { document.getElementById("said").textContent = text; };
  const step = (by) => { const all = shown(), at = all.indexOf(place); go(all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]); };
  const open = () => {
    const all = shown(), at = all.indexOf(place);
    const next = [...all.slice(at + 1), ...all.slice(0, at + 1)].find((file) => !isViewed(file));
    if (next) go(next); else say("All files are viewed.");
  };
  const help = document.getElementById("help");
  document.getElementById("next").addEventListener("click", open);
  document.getElementById("show-help").addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", (event) => {
    say("");
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const keys = {
      n: () => step(1), p: () => step(-1), o: open, "?": () => help.showModal(),
      v: () => { if (place) view(place, !isViewed(place)); },
      d: () => { const row = place && place.querySelector(".why a"); if (row) row.click(); },
      r: () => { byRisk.checked = !byRisk.checked; order(); go(place); },
    };
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  read();
  show();
  // What is dead without all of this.
  for (const it of document.querySelectorAll("[data-live]")) it.hidden = false;
})();
