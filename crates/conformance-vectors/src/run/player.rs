//! The other side of a client's vector: one server on loopback that is every origin of the scenario.
//!
//! Origins are told apart by `Host`. The first request to an origin gets the first answer of its script, the second the
//! second, whatever is asked; all are written down as they came. Each connection has a thread of its own and carries one
//! request.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::request::Request;
use super::script::{self, End, Framing, Response, Script};
use crate::model::{Input, Operation, Vector};

/// How often a thread that waits for its client looks whether the scenario is over.
const TICK: Duration = Duration::from_millis(50);

/// How long a client may take to close a connection that was answered.
const LINGER: Duration = Duration::from_secs(1);

/// A server that plays one scenario, until it is dropped.
pub(super) struct Player {
    address: SocketAddr,
    stage: Arc<Stage>,
    door: Option<JoinHandle<()>>,
    /// The addresses of origins at which nobody listens.
    closed: SocketAddr,
}

/// What the threads of a player share.
struct Stage {
    script: Script,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_over: bool,
    requests: Vec<Request>,
    /// The origins whose requests were answered, once for each.
    answered: Vec<String>,
}

impl Player {
    /// Starts to play what the vector needs played, if it needs that.
    pub(super) fn of(vector: &Vector) -> io::Result<Option<Self>> {
        match vector.operation {
            Operation::Client => Self::start(script::read(&vector.input)?).map(Some),
            _ => Ok(None),
        }
    }

    fn start(script: Script) -> io::Result<Self> {
        let listen = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
        let listener = listen()?;
        // Bound and let go: nothing else takes a number that was just given out.
        let closed = listen()?.local_addr()?;
        let address = listener.local_addr()?;
        let stage = Arc::new(Stage {
            script,
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let shared = Arc::clone(&stage);
        let door = thread::spawn(move || {
            while let Ok((connection, _)) = listener.accept() {
                if shared.is_over() {
                    break;
                }
                let stage = Arc::clone(&shared);
                // A client that goes away is no fault of the player.
                thread::spawn(move || drop(stage.serve(connection)));
            }
        });
        Ok(Self {
            address,
            stage,
            door: Some(door),
            closed,
        })
    }

    /// The input as the program gets it: with addresses in place of what is played there.
    pub(super) fn input(&self, input: &Input) -> Input {
        let mut input = input.expanded();
        input.0.remove("play");
        let connect = self.stage.script.iter().map(|(origin, answers)| {
            let address = if answers.is_some() {
                self.address
            } else {
                self.closed
            };
            (origin.clone(), Value::String(format!("http://{address}")))
        });
        input.0.insert("connect".to_owned(), connect.collect());
        input
    }

    /// Every request so far, as a vector's output has them: in order of arrival, or, where a client asks all resolvers at
    /// once, by their places in the list.
    pub(super) fn requests(&self, input: &Input) -> Value {
        let mut requests = self.stage.lock().requests.clone();
        if input.text("ask") == Some("at-once") {
            let list = input.0.get("resolvers").and_then(Value::as_array);
            requests.sort_by_key(|request| {
                let place = |list: &Vec<Value>| list.iter().position(|own| *own == request.origin);
                list.and_then(place).unwrap_or(usize::MAX)
            });
        }
        requests.into_iter().map(Request::into_value).collect()
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.stage.lock().is_over = true;
        self.stage.changed.notify_all();
        // The door waits for one more visitor.
        let visit = TcpStream::connect_timeout(&self.address, LINGER);
        if let (Ok(_), Some(door)) = (visit, self.door.take()) {
            let _ = door.join();
        }
    }
}

impl Stage {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.lock().is_over
    }

    /// Waits until a condition holds, at most for a time; false if the scenario was over before.
    fn wait(&self, time: Option<Duration>, mut holds: impl FnMut(&State) -> bool) -> bool {
        let deadline = time.map(|time| Instant::now() + time);
        let mut state = self.lock();
        while !state.is_over && !holds(&state) {
            let left = deadline.map_or(LINGER, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return true;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        !state.is_over
    }

    /// Reads one request, writes it down and answers it.
    fn serve(&self, mut connection: TcpStream) -> io::Result<()> {
        connection.set_read_timeout(Some(TICK))?;
        connection.set_write_timeout(Some(TICK))?;
        connection.set_nodelay(true)?;
        let Some(head) = self.head(&mut connection)? else {
            return Ok(());
        };
        let request = Request::read(&head);
        let (origin, copy) = (request.origin.clone(), request.copy.clone());
        let place = {
            let mut state = self.lock();
            let same = state.requests.iter().filter(|own| own.origin == origin);
            let place = same.count();
            state.requests.push(request);
            place
        };
        let answers = self.script.get(&origin).and_then(Option::as_ref);
        let Some(response) = answers.and_then(|answers| answers.get(place)) else {
            return Ok(());
        };
        let response = response.to(copy.as_deref());
        if let Some(after) = &response.after {
            let answered = |state: &State| {
                let those = state.answered.iter().filter(|own| **own == after.origin);
                those.count() >= after.requests
            };
            if !self.wait(None, answered) {
                return Ok(());
            }
        }
        if !self.wait(Some(Duration::from_millis(response.delay)), |_| false) {
            return Ok(());
        }
        self.answer(&mut connection, &response)?;
        self.lock().answered.push(origin);
        self.changed.notify_all();
        self.close(connection)
    }

    /// The bytes up to the empty line; `None` if the client closes before or the scenario ends.
    fn head(&self, connection: &mut TcpStream) -> io::Result<Option<Vec<u8>>> {
        let (mut head, mut buffer) = (Vec::new(), [0; 4096]);
        while !head.windows(4).any(|end| end == b"\r\n\r\n") {
            match connection.read(&mut buffer) {
                Ok(0) => return Ok(None),
                Ok(read) => head.extend_from_slice(buffer.get(..read).unwrap_or_default()),
                Err(error) if is_tick(&error) && !self.is_over() => {}
                Err(error) => return Err(error),
            }
            if head.len() > Request::MAX_BYTES {
                return Ok(None);
            }
        }
        Ok(Some(head))
    }

    fn answer(&self, connection: &mut TcpStream, response: &Response) -> io::Result<()> {
        let body = response.body();
        self.write(connection, &[response.head(), body.clone()].concat())?;
        match response.end {
            End::Complete if response.framing == Framing::Chunked => {
                self.write(connection, b"0\r\n\r\n")
            }
            End::Complete | End::Cut => Ok(()),
            End::Hang => {
                self.wait(None, |_| false);
                Ok(())
            }
            End::Endless => {
                while !self.is_over() {
                    self.write(connection, &body)?;
                }
                Ok(())
            }
            End::Trickle => {
                while self.wait(Some(TICK), |_| false) {
                    self.write(connection, &body)?;
                }
                Ok(())
            }
        }
    }

    /// Writes all, as slowly as the client reads.
    fn write(&self, connection: &mut TcpStream, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match connection.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
                Err(error) if is_tick(&error) && !self.is_over() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Closes so that the client gets all that was written, also what it has not read yet.
    fn close(&self, mut connection: TcpStream) -> io::Result<()> {
        connection.shutdown(Shutdown::Write)?;
        let deadline = Instant::now() + LINGER;
        let mut buffer = [0; 4096];
        while Instant::now() < deadline && !self.is_over() {
            match connection.read(&mut buffer) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if is_tick(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn is_tick(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
    )
}

#[cfg(test)]
mod tests;
