//! Ports that nobody else can take before the server has them.
use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context;
use socket2::{Domain, Socket, Type};

use crate::error::Result;

/// A free port of the loopback address.
///
/// On Linux it stays ours: the socket is bound with `SO_REUSEPORT` and never listens, and the server binds the same
/// port with the same option, as often as it is started. Elsewhere it is not sure that a connection goes to the
/// socket that listens, so the port is only free now, and a start that loses the race is tried again.
pub(super) struct Port {
    number: u16,
    _held: Option<Socket>,
}

impl Port {
    /// Finds a free port.
    ///
    /// # Errors
    /// The system has none.
    pub(super) fn free() -> Result<Self> {
        let hold = cfg!(target_os = "linux");
        let (number, socket) = bind(hold).context("cannot find a free port on 127.0.0.1")?;
        let held = hold.then_some(socket);
        Ok(Self {
            number,
            _held: held,
        })
    }

    /// Its number.
    pub(super) fn number(&self) -> u16 {
        self.number
    }
}

fn bind(share: bool) -> std::io::Result<(u16, Socket)> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.set_reuse_port(share)?;
    socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into())?;
    let address = socket.local_addr()?.as_socket();
    Ok((address.expect("it is an IPv4 socket").port(), socket))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::collections::BTreeSet;
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn held_ports_are_given_to_nobody_else() {
        let ports: Vec<Port> = (0..500).map(|_| Port::free().unwrap()).collect();
        let numbers: BTreeSet<u16> = ports.iter().map(Port::number).collect();
        assert_eq!(numbers.len(), ports.len());
        assert!(TcpListener::bind((Ipv4Addr::LOCALHOST, ports[0].number())).is_err());
    }

    #[test]
    fn a_server_that_shares_the_port_gets_every_connection() {
        let port = Port::free().unwrap();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port.number()));
        assert!(TcpStream::connect(address).is_err());
        let server = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        server.set_reuse_port(true).unwrap();
        server.bind(&address.into()).unwrap();
        server.listen(16).unwrap();
        for _ in 0..16 {
            TcpStream::connect(address).unwrap();
        }
    }
}
