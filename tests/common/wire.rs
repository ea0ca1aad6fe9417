//! A server that sends exactly the bytes a test wants, for what no real server can be made to send. It answers each
//! connection with the next of its answers (the last for ever) and keeps what it was asked.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What to do with one connection.
#[derive(Clone)]
pub enum Answer {
    /// Send these bytes in pieces of so many, then close.
    Bytes(Vec<u8>, usize),
    /// Send the first bytes, then the second again and again, as long as anybody listens.
    EndlessAfter(Vec<u8>, Vec<u8>),
    /// Send nothing, and keep the connection open.
    Silence,
}

/// A request that came.
#[derive(Debug, Clone)]
pub struct Seen {
    /// `POST /v1/messages`.
    pub target: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: serde_json::Value,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

pub struct Wire {
    pub url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

/// An answer of status 200 with an event stream.
pub fn stream(headers: &str, body: &str) -> Answer {
    pieces(headers, body.as_bytes(), 1 << 20)
}

/// The same, in pieces of so many bytes.
pub fn pieces(headers: &str, body: &[u8], size: usize) -> Answer {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n{headers}\r\n");
    Answer::Bytes([head.as_bytes(), body].concat(), size)
}

/// An answer of any status.
pub fn status(status: &str, headers: &str, body: &str) -> Answer {
    let text = format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}\r\n{body}");
    Answer::Bytes(text.into_bytes(), 1 << 20)
}

/// What a server says that is asked first how large its model's window is, as one on this machine is, and does not tell.
pub fn no_window() -> Answer {
    status("404 Not Found", "", "{}")
}

/// The body of a stream of OpenAI's chat protocol that has this text, and ends for this reason; `""`: it breaks off.
pub fn chat(text: &str, end: &str) -> String {
    let chunk = |delta: serde_json::Value, finish: serde_json::Value| {
        let choice = serde_json::json!({"index": 0, "delta": delta, "finish_reason": finish});
        format!("data: {}\n\n", serde_json::json!({"id": "1", "model": "m", "choices": [choice]}))
    };
    let text = chunk(serde_json::json!({"content": text}), serde_json::Value::Null);
    match end {
        "" => text,
        end => text + &chunk(serde_json::json!({}), end.into()) + "data: [DONE]\n\n",
    }
}

impl Wire {
    pub fn serve(answers: Vec<Answer>) -> Wire {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let requests = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut held = Vec::new();
            for (number, stream) in listener.incoming().map_while(Result::ok).enumerate() {
                let answer = &answers[number.min(answers.len() - 1)];
                match answer {
                    Answer::Silence => held.push(stream),
                    Answer::EndlessAfter(bytes, again) => {
                        let (bytes, again, requests) = (bytes.clone(), again.clone(), Arc::clone(&requests));
                        std::thread::spawn(move || endless(stream, &bytes, &again, &requests));
                    }
                    Answer::Bytes(bytes, size) => {
                        // The client may hang up at any time.
                        let _ = converse(stream, bytes, *size, &requests);
                    }
                }
            }
        });
        Wire { url, seen }
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

fn endless(stream: TcpStream, bytes: &[u8], again: &[u8], seen: &Mutex<Vec<Seen>>) -> std::io::Result<()> {
    let mut writer = stream.try_clone()?;
    converse(stream, bytes, 1 << 20, seen)?;
    loop {
        writer.write_all(again)?;
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

fn converse(stream: TcpStream, bytes: &[u8], size: usize, seen: &Mutex<Vec<Seen>>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        lines.push(line);
    }
    let target = lines.first().map(|line| line.rsplit_once(' ').unwrap().0.to_owned()).unwrap_or_default();
    let header = |line: &String| line.trim().split_once(": ").map(|(n, v)| (n.to_lowercase(), v.to_owned()));
    let headers: Vec<_> = lines.iter().skip(1).filter_map(header).collect();
    let length = headers.iter().find(|(name, _)| name == "content-length").map_or(0, |(_, n)| n.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    seen.lock().unwrap().push(Seen { target, headers, body });
    let mut stream = stream;
    for piece in bytes.chunks(size) {
        stream.write_all(piece)?;
        stream.flush()?;
    }
    Ok(())
}
