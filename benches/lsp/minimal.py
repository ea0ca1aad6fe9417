#!/usr/bin/env python3
"""What a language server needs by itself: the least that can speak to it, for comparison with `git implement`.

    minimal.py pull|push|tsserver <language> <root> <path> <clean text> <wrong text> -- <server> <arguments>...

Texts are given with Python's escapes. Sends the two in turn, waits for what is said of exactly that one, and prints the
median of 100 in milliseconds, and how often the answer was right.
"""
import json, pathlib, statistics, subprocess, sys, time

how, language, root, path, clean, wrong, _, *command = sys.argv[1:]
clean, wrong = (text.encode().decode("unicode_escape") for text in (clean, wrong))
root = pathlib.Path(root).resolve()
uri = (root / path).as_uri()
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def read():
    """The next message that is no request; requests are answered."""
    while True:
        length = 0
        while (line := server.stdout.readline()).strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message = json.loads(server.stdout.read(length))
        if "method" not in message or "id" not in message:
            return message
        items = (message.get("params") or {}).get("items")
        send({"id": message["id"], "result": [None for _ in items] if items else None})


def call(number, method, params):
    send({"id": number, "method": method, "params": params})
    while (message := read()).get("id") != number:
        pass
    return message["result"]


def errors(version):
    if how == "pull":
        return [it for it in call(version, "textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"] if it.get("severity", 1) == 1]
    if how == "tsserver":
        found = []
        for n, command in enumerate(("syntacticDiagnosticsSync", "semanticDiagnosticsSync")):
            arguments = {"command": "typescript.tsserverRequest", "arguments": [command, {"file": uri}]}
            found += call(10 * version + n, "workspace/executeCommand", arguments)["body"]
        return [it for it in found if it["category"] == "error"]
    while True:
        message = read()
        params = message.get("params") or {}
        if message.get("method") == "textDocument/publishDiagnostics" and params.get("version") == version:
            return [it for it in params["diagnostics"] if it.get("severity", 1) == 1]


diagnostic = {"publishDiagnostics": {"versionSupport": True}, "diagnostic": {}}
capabilities = {"textDocument": diagnostic, "workspace": {"configuration": True, "didChangeWatchedFiles": {"dynamicRegistration": True}}}
folders = [{"uri": root.as_uri(), "name": "root"}]
greeting = {"processId": None, "rootUri": root.as_uri(), "workspaceFolders": folders, "capabilities": capabilities}
call(1, "initialize", greeting)
send({"method": "initialized", "params": {}})
send({"method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "languageId": language, "version": 2, "text": wrong}}})
right = bool(errors(2))
took = []
for version in range(3, 103):
    text = clean if version % 2 else wrong
    began = time.perf_counter()
    change = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
    send({"method": "textDocument/didChange", "params": change})
    right += bool(errors(version)) == (text == wrong)
    took.append(time.perf_counter() - began)
print(f"{command[0]}: median {1000 * statistics.median(took):.1f} ms, {right} of 101 right")
server.kill()
