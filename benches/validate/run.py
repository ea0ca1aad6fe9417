#!/usr/bin/env python3
"""How long a commit waits for its hook: `git implement check --cached` beside pre-commit and prek with check-ast,
check-yaml, check-json and check-merge-conflict, and beside ruff's parser (`ruff check --select E9`).

    cargo build --release && benches/validate/run.py [--sizes 1,100,1000,10000] [--runs 5] [--large 90000]

Each size is a repository of its own with so many staged files: the Python library's own sources; with `--mixed` three
of ten are JSON and YAML made of them, which ruff does not look at. `--large` adds a repository of that many files, of which one is staged, beside
`git diff-index --cached HEAD`. The other programs are installed into target/validate on first use.
Prints medians of wall-clock milliseconds, and the fastest other program's time divided by ours.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import sysconfig
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACE = ROOT / "target" / "validate"
PROGRAMS = ["pre-commit==4.*", "pre-commit-hooks==6.*", "prek", "ruff"]
HOOKS = [("check-ast", "python"), ("check-yaml", "yaml"), ("check-json", "json"), ("check-merge-conflict", "text")]


def install():
    """A virtual environment with the other programs."""
    bin = PLACE / "venv" / "bin"
    if not (bin / "prek").exists():
        venv.create(PLACE / "venv", with_pip=True, clear=True)
        subprocess.run([bin / "pip", "install", "--quiet", "--disable-pip-version-check", *PROGRAMS], check=True)
    return bin


def sources():
    """Real Python files that parse, without end: the same text is never there twice."""
    files = sorted(pathlib.Path(sysconfig.get_path("stdlib")).rglob("*.py"))
    good = []
    for file in files:
        if "site-packages" in file.parts or "lib2to3" in file.parts or "test" in file.parts:
            continue
        text = file.read_text(errors="replace")
        try:
            compile(text, str(file), "exec")
        except (SyntaxError, ValueError):
            continue
        good.append(text)
    round = 0
    while True:
        for text in good:
            yield f"{text}\n# {round}\n" if round else text
        round += 1


def fill(folder, count, mixed):
    """Python; if mixed, of every ten files seven are Python, two JSON, one YAML."""
    texts = sources()
    for n in range(count):
        place = folder / f"d{n // 100}"
        place.mkdir(exist_ok=True, parents=True)
        kind = n % 10
        if kind < 7 or not mixed:
            (place / f"m{n}.py").write_text(next(texts))
        else:
            data = {"n": n, "lines": next(texts).splitlines()[:200]}
            text = json.dumps(data, indent=1)
            (place / f"m{n}.{'json' if kind < 9 else 'yaml'}").write_text(text + "\n")


def repository(name, count, staged, mixed=False):
    """A repository of `count` files of which `staged` are staged and no others committed before."""
    place = PLACE / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    git = lambda *arguments: subprocess.run(["git", *arguments], cwd=place, check=True, capture_output=True)
    git("init", "--quiet")
    git("config", "user.name", "A U Thor")
    git("config", "user.email", "author@example.com")
    (place / "README").write_text("read me\n")
    if count > staged:
        for n in range(count - staged):
            file = place / f"c{n // 1000}" / f"f{n}.txt"
            file.parent.mkdir(exist_ok=True)
            file.write_text(f"{n}\n")
    git("add", ".")
    git("commit", "--quiet", "--message", "base")
    fill(place, staged, mixed)
    lines = ["repos:", "- repo: local", "  hooks:"]
    for hook, kind in HOOKS:
        program = PLACE / "venv" / "bin" / hook
        lines += [f"  - {{id: {hook}, name: {hook}, entry: {program}, language: system, types: [{kind}]}}"]
    (place / ".git" / "hooks.yaml").write_text("\n".join(lines) + "\n")
    git("add", ".")
    return place


def medians(runs, commands, cwd, environment):
    """Of each command; they take turns, so that whatever else the machine does falls on all of them."""
    times = [[] for _ in commands]
    for _ in range(runs + 1):
        for taken, command in zip(times, commands):
            began = time.perf_counter()
            run = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
            taken.append((time.perf_counter() - began) * 1000)
            if run.returncode != 0:
                sys.exit(f"{command[:3]}: status {run.returncode}\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    return [statistics.median(taken[1:]) for taken in times]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sizes", default="1,100,1000,10000")
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--mixed", action="store_true")
    arguments.add_argument("--large", type=int, default=0)
    arguments.add_argument("--binary", default=str(ROOT / "target" / "release" / "git-implement"))
    options = arguments.parse_args()
    bin = install()
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    ours = [os.path.abspath(options.binary), "check", "--cached"]
    print(f"{'staged':>8} {'ours':>9} {'ruff':>9} {'prek':>9} {'pre-commit':>11} {'ratio':>6}")
    for size in map(int, options.sizes.split(",")):
        place = repository(f"staged-{size}", size, size, options.mixed)
        runs = options.runs if size < 10000 else max(1, options.runs // 2)
        listed = subprocess.run(["git", "diff", "--cached", "--name-only", "--", "*.py"], cwd=place, capture_output=True, text=True)
        config = str(place / ".git" / "hooks.yaml")
        ruff = [bin / "ruff", "check", "--isolated", "--no-cache", "--quiet", "--select", "E9", *listed.stdout.split()]
        others = [ruff, [bin / "prek", "run", "--config", config], [bin / "pre-commit", "run", "--config", config]]
        times = medians(runs, [ours, *others], place, environment)
        print(f"{size:>8} {times[0]:>9.1f} {times[1]:>9.1f} {times[2]:>9.1f} {times[3]:>11.1f} {min(times[1:]) / times[0]:>6.2f}", flush=True)
    if options.large:
        place = repository("large", options.large, 1)
        check, git = medians(options.runs, [ours, ["git", "diff-index", "--cached", "HEAD"]], place, environment)
        print(f"one staged file of {options.large}: ours {check:.1f} ms, git diff-index --cached HEAD {git:.1f} ms, ratio {check / git:.2f}")


if __name__ == "__main__":
    main()
