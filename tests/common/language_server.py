#!/usr/bin/env python3
"""A language server for tests, which does what it is told: language_server.py <log> <behaviour>...

Each line of a document with ERROR in it is an error, with WARNING a warning, at the word; `ERROR:x` has the code x.
Started, it writes `started <pid>` into the log, if it may; of each document that it judges, its path. It ends with its input,
and by itself after a minute, whatever it was told.

pull            (default) answers textDocument/diagnostic
push            publishes with the version
unversioned     publishes without one
lie             publishes errors for other versions, and never anything for the right one
late            publishes errors for other versions first, and then the truth
hang-start      never answers the greeting
hang            never answers anything else
die-start       ends at once
die             ends when it is asked
die-once        ends when it is asked for the first time since the log was begun
noise           prints lines that are no messages between its messages
garbage         answers with what is no JSON
endless         announces a message of 99 gigabytes
flood           sends messages for ever instead of an answer
flood-errors    writes to standard error for ever instead of answering
ask             asks for all that servers ask for, and answers only when it was answered
register        says only later that it can be pulled from
refuse          answers every question with an error
cancel          cancels the first two questions
deaf            reads nothing after the greeting
utf8            counts bytes
stay            does not end with its input, ignores being asked to end, and leaves a child in a session of its own
late-answer     answers each question after the next second
ready           says that it is ready, as rust-analyzer does
unwell          says so, too, and that something is missing
litter          leaves a file beside each document that it is asked about
lines           says more of each error in a second line
wrong:<text>    finds each line with this text wrong, too
events          finds a line with `NEEDS x` wrong until it hears that there is a file x
"""
import json, os, signal, subprocess, sys, time, urllib.parse

log, told = sys.argv[1], set(sys.argv[2:])
signal.alarm(60)
inp, out = sys.stdin.buffer, sys.stdout.buffer
documents, versions, answered, cancelled, heard = {}, {}, set(), 0, set()
wrong = [it.split(":", 1)[1] for it in told if it.startswith("wrong:")]


def note(line):
    try:
        with open(log, "a") as file:
            file.write(line + "\n")
    except OSError:
        pass  # Held, it writes nothing.


def began_before():
    return open(log).read().count("died") if os.path.exists(log) else 0


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    if "noise" in told:
        out.write(b"loading 12 %\n{\"not\": \"ours\"}\n\nwarning: ")
    out.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    out.flush()


def read():
    length = 0
    while True:
        line = inp.readline()
        if not line:
            if "stay" in told:
                time.sleep(60)
            sys.exit(0)
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
        elif not line.strip():
            return json.loads(inp.read(length))


def judged(uri, text):
    note(uri.split("/repo/", 1)[-1])
    found = []
    for number, line in enumerate(text.split("\n")):
        for word, severity in ("ERROR", 1), ("WARNING", 2), ("NEEDS", 1), *((text, 1) for text in wrong):
            at = line.find(word)
            if word == "NEEDS" and ("events" not in told or line.split()[-1:] and line.split()[-1] in heard):
                continue
            if at >= 0:
                before = line[:at].encode("utf-8" if "utf8" in told else "utf-16-le")
                column = len(before) if "utf8" in told else len(before) // 2
                item = {"severity": severity, "message": "this is wrong" if word in wrong else line.strip(), "source": "fake"}
                item["message"] += "\n\u00a0\u00a0it is not what it should be" if "lines" in told else ""
                item["range"] = {"start": {"line": number, "character": column}, "end": {"line": number, "character": column}}
                rest = line[at + len(word) :]
                if rest.startswith(":"):
                    item["code"] = rest[1:].split()[0]
                found.append(item)
    return found


def publish(uri, version, items):
    params = {"uri": uri, "diagnostics": items}
    if version is not None:
        params["version"] = version
    send({"method": "textDocument/publishDiagnostics", "params": params})


def pushed(uri):
    version, items = versions[uri], judged(uri, documents[uri])
    wrong = judged(uri, "ERROR of another version")
    if told & {"lie", "late"}:
        publish(uri, version - 1, wrong)
        publish(uri, version + 1, wrong)
        publish(uri, None, wrong)
        publish("file:///elsewhere.py", version, wrong)
    if "unversioned" in told:
        publish(uri, None, items)
    elif "lie" not in told:
        time.sleep(0.05)
        publish(uri, version, items)


def ask_everything():
    asked = {
        "workspace/configuration": {"items": [{"section": "python"}, {}]},
        "client/registerCapability": {"registrations": [{"id": "1", "method": "workspace/didChangeWatchedFiles"}]},
        "window/workDoneProgress/create": {"token": 1},
        "workspace/workspaceFolders": None,
        "window/showMessageRequest": {"type": 1, "message": "Install?", "actions": [{"title": "yes"}]},
        "workspace/applyEdit": {"edit": {}},
        "made/up": {},
    }
    for number, (method, params) in enumerate(asked.items()):
        send({"method": "window/showMessage", "params": {"type": 1, "message": "\x1b[31mlook\x1b[0m"}})
        send({"id": f"own-{number}", "method": method, "params": params})
        while True:
            message = read()
            if message.get("id") == f"own-{number}":
                break
            waiting.append(message)


def answer(message):
    global cancelled
    uri = message["params"]["textDocument"]["uri"]
    if "hang" in told or told & {"push", "unversioned", "lie", "late"}:
        return
    if "die" in told or ("die-once" in told and not began_before()):
        note("died")
        sys.stderr.write("panicked: out of luck\n")
        sys.exit(3)
    if "flood" in told:
        while True:
            send({"method": "window/logMessage", "params": {"type": 4, "message": "x" * 4096}})
    if "flood-errors" in told:
        while True:
            sys.stderr.write("x" * 4096)
    if "garbage" in told:
        out.write(b"Content-Length: 7\r\n\r\n{{{{{{{" * 3)
        out.flush()
        return
    if "endless" in told:
        out.write(b"Content-Length: 99999999999\r\n\r\n{")
        out.flush()
        return
    if "refuse" in told:
        return send({"id": message["id"], "error": {"code": -32603, "message": "no\x1b[31m <idea>"}})
    if "cancel" in told and cancelled < 2:
        cancelled += 1
        return send({"id": message["id"], "error": {"code": -32802, "message": "later"}})
    if "ask" in told:
        ask_everything()
    if "litter" in told:
        open(urllib.parse.unquote(uri[len("file://") :]) + ".left", "w").close()
    if "late-answer" in told:
        time.sleep(1)
    items = judged(uri, documents[uri])
    send({"id": message["id"], "result": {"kind": "full", "items": items}})


note(f"started {os.getpid()}")
if "die-start" in told:
    sys.exit(1)
if "stay" in told:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen(["sleep", "60"], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    note(f"child {child.pid}")
waiting = []
while True:
    message = waiting.pop(0) if waiting else read()
    method, params = message.get("method"), message.get("params") or {}
    if method == "initialize":
        if "hang-start" in told:
            time.sleep(60)
        theirs = params["capabilities"]["textDocument"]["diagnostic"]
        capabilities = {"textDocumentSync": 1}
        if not told & {"push", "unversioned", "lie", "late", "register"}:
            capabilities["diagnosticProvider"] = {"interFileDependencies": True, "workspaceDiagnostics": False}
        if "utf8" in told:
            capabilities["positionEncoding"] = "utf-8"
        send({"id": message["id"], "result": {"capabilities": capabilities}})
        if told & {"ready", "unwell"}:
            health = {"health": "warning", "message": "no sources\x1b[31m\nof anything"} if "unwell" in told else {"health": "ok"}
            send({"method": "experimental/serverStatus", "params": {"quiescent": True, **health}})
        if "deaf" in told:
            time.sleep(60)
    elif method == "initialized" and "register" in told and theirs["dynamicRegistration"]:
        registration = {"id": "d", "method": "textDocument/diagnostic", "registerOptions": {"identifier": "fake"}}
        send({"id": "r", "method": "client/registerCapability", "params": {"registrations": [registration]}})
    elif method == "textDocument/didOpen":
        document = params["textDocument"]
        documents[document["uri"]], versions[document["uri"]] = document["text"], document["version"]
    elif method == "textDocument/didChange":
        uri = params["textDocument"]["uri"]
        documents[uri], versions[uri] = params["contentChanges"][-1]["text"], params["textDocument"]["version"]
    elif method == "textDocument/didClose":
        documents.pop(params["textDocument"]["uri"], None)
    elif method == "workspace/didChangeWatchedFiles":
        for change in params["changes"]:
            note(f"event {change['type']} {os.path.basename(change['uri'])}")
            (heard.discard if change["type"] == 3 else heard.add)(os.path.basename(change["uri"]))
    elif method == "textDocument/diagnostic":
        answer(message)
    elif method == "shutdown":
        send({"id": message["id"], "result": None})
    if method in ("textDocument/didOpen", "textDocument/didChange") and told & {"push", "unversioned", "lie", "late"}:
        pushed(params["textDocument"]["uri"])
