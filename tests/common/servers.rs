//! Real model servers for tests: installed on first use, started on a free port, gone with the test process.
//!
//! A server reads its standard input and ends with it. The other end is held by the test process alone, so that no
//! server outlives it, whatever becomes of it. Not a `mod.rs`: a test file takes it in with
//! `#[path = "common/servers.rs"] mod servers;`.
#![allow(dead_code)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{OnceLock, mpsc};
use std::time::Duration;

/// How long a server may take to load its model on a busy machine.
const START: Duration = Duration::from_secs(180);

/// A server that runs. Dropped, it is killed; in a `static` it ends with the process.
pub struct Server {
    /// `http://127.0.0.1:<port>`, without a slash at the end.
    pub url: String,
    child: Child,
}

impl Server {
    /// The stock llama.cpp server with the SmolLM2-135M model.
    pub fn llama(context: u32) -> Server {
        Server::start(&["llama", "--ctx", &context.to_string()])
    }

    /// The same, but whatever it is asked, it answers exactly the text of a file: token by token, with true counts,
    /// and cut off where the limit says.
    pub fn llama_that_answers(file: &Path, context: u32) -> Server {
        Server::start(&["llama", "--ctx", &context.to_string(), "--answer", file.to_str().expect("a path in UTF-8")])
    }

    /// The same, with an answer for each file: the text of `<folder>/<path>` when `<path>` is the one of the folder's
    /// files that the prompt names last. On OpenAI's protocol only.
    pub fn llama_with_answers(folder: &Path, context: u32) -> Server {
        Server::start(&["llama", "--ctx", &context.to_string(), "--answers", folder.to_str().expect("a path in UTF-8")])
    }

    /// A server that fails as it is told to: see [`Server::scenario`].
    pub fn faults() -> Server {
        Server::start(&["faults"])
    }

    fn start(arguments: &[&str]) -> Server {
        let python = installed().join("venv/bin/python");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/serve.py");
        let log = tempfile::NamedTempFile::new().expect("a log file");
        let mut child = Command::new(&python)
            .arg(script)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log.reopen().expect("the log file"))
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {}: {error}", python.display()));
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            // Read to the end, so that the server is never stopped by a full pipe.
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let mut server = Server { url: String::new(), child };
        loop {
            match lines.recv_timeout(START) {
                Ok(line) => {
                    if let Some(url) = line.strip_prefix("listening on ") {
                        server.url = url.trim_end_matches('/').to_owned();
                        break;
                    }
                }
                Err(error) => {
                    let said = fs::read_to_string(log.path()).unwrap_or_default();
                    panic!("server {arguments:?} did not start ({error}):\n{said}");
                }
            }
        }
        server.wait_for_health();
        server
    }

    /// llama.cpp's server answers 503 until the model is loaded.
    fn wait_for_health(&self) {
        let deadline = std::time::Instant::now() + START;
        while http(&self.url, "GET", "/health", "").is_none_or(|(status, _)| status != 200) {
            assert!(std::time::Instant::now() < deadline, "{} is not well", self.url);
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Tells a [`Server::faults`] what to do with the requests to come: a JSON list of behaviours. Forgets what was
    /// told, and what was asked, before.
    pub fn scenario(&self, behaviors: &str) {
        let (status, body) = self.http("POST", "/_llmock/reset", "{}");
        assert!(status < 300, "{status}: {body}");
        let (status, body) = self.http("POST", "/_llmock/scenario", &format!("{{\"behaviors\": {behaviors}}}"));
        assert!(status < 300, "{status}: {body}");
    }

    /// One plain request: status and body.
    pub fn http(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        http(&self.url, method, path, body).unwrap_or_else(|| panic!("no answer to {method} {}{path}", self.url))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The folder of the installed servers: `$GIT_IMPLEMENT_TEST_SERVERS`, else `target/servers`.
fn installed() -> &'static Path {
    static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
    INSTALLED.get_or_init(|| crate::installed::folder("models", "GIT_IMPLEMENT_TEST_SERVERS", "servers"))
}

fn http(url: &str, method: &str, path: &str, body: &str) -> Option<(u16, String)> {
    let host = url.strip_prefix("http://")?;
    let mut stream = TcpStream::connect(host).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.0\r\nHost: {host}\r\nContent-Type: application/json\r\n");
    write!(stream, "{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}").ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
}
