import Foundation
import Glibc
import Rules
import TestSupport

/// A TCP server on a free loopback port that answers each request by a script, so that it can misbehave on purpose.
///
/// One thread serves all connections, polling; it ends when the server is stopped.
final class ScriptedServer: Sendable {
    /// What the server does with a connection, in order.
    enum Step: Sendable {
        case send(String)
        case sendBytes([UInt8])
        /// Sends each byte in a write of its own.
        case dribble(String)
        case close
        case reset
        /// Does nothing more on this connection, and leaves it open.
        case hold
    }

    struct Request: Sendable {
        /// The connection's number, from 0.
        let connection: Int
        /// Position among the connection's requests, from 0.
        let index: Int
        let peerPort: UInt16
        let peerAddress: String
        let lines: [String]
        let body: [UInt8]

        var method: String { String(lines.first?.split(separator: " ").first ?? "") }
        var path: String { String(lines.first?.split(separator: " ").dropFirst().first ?? "") }

        func header(_ name: String) -> String? {
            let prefix = name.lowercased() + ":"
            return lines.first { $0.lowercased().hasPrefix(prefix) }.map {
                $0.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces)
            }
        }
    }

    /// What the server has seen so far.
    struct Log: Sendable {
        var requests: [Request] = []
        var connectionsAccepted = 0
        /// Numbers of the connections whose peer closed them.
        var closedByPeer: Set<Int> = []
    }

    private let listener: LoopbackPort
    private let wake: (reader: Int32, writer: Int32)
    private let state = Watched(Log())
    typealias Script = @Sendable (Request) -> [Step]
    private let script: Script

    init(address: String = "127.0.0.1", port: UInt16 = 0, script: @escaping Script) throws {
        listener = try LoopbackPort(address: address, number: port)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        wake = (ends[0], ends[1])
        self.script = script
        Thread.detachNewThread { [self] in serve() }
    }

    func stop() { close(wake.writer) }

    var port: UInt16 { listener.number }

    var log: Log { state.value }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Returns when what was seen satisfies the condition.
    func wait(until condition: @escaping @Sendable (Log) -> Bool) async { try? await state.wait(until: condition) }
}

// MARK: - Serving

extension ScriptedServer {
    private struct Connection {
        let number: Int
        let descriptor: Int32
        let peer: (address: String, port: UInt16)
        var input: [UInt8] = []
        var answered = 0
        var isHeld = false
    }

    private func serve() {
        var connections: [Connection] = []
        while true {
            var polled = [pollfd(fd: wake.reader, events: Int16(POLLIN), revents: 0)]
            polled.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0))
            polled += connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            if polled[0].revents != 0 { break }
            var gone: Set<Int> = []
            for index in connections.indices where polled[index + 2].revents != 0 {
                if !receive(&connections[index]) { gone.insert(connections[index].number) }
            }
            connections.removeAll { gone.contains($0.number) }
            if polled[1].revents != 0 { accept(into: &connections) }
        }
        for connection in connections { close(connection.descriptor) }
        listener.shutDown()
        close(wake.reader)
    }

    private func accept(into connections: inout [Connection]) {
        var name = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = withUnsafeMutableBytes(of: &name) { bytes -> Int32 in
            guard let base = bytes.baseAddress else { return -1 }
            return Glibc.accept(listener.descriptor, base.assumingMemoryBound(to: sockaddr.self), &size)
        }
        guard descriptor >= 0 else { return }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        let number = state.change { log in
            log.connectionsAccepted += 1
            return log.connectionsAccepted - 1
        }
        let address = String(cString: inet_ntoa(name.sin_addr))
        connections.append(
            Connection(number: number, descriptor: descriptor, peer: (address, UInt16(bigEndian: name.sin_port)))
        )
    }

    /// Reads and answers; false when the connection is over.
    private func receive(_ connection: inout Connection) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = read(connection.descriptor, &chunk, chunk.count)
        guard count > 0 else {
            _ = state.change { $0.closedByPeer.insert(connection.number) }
            close(connection.descriptor)
            return false
        }
        connection.input += chunk[..<count]
        while !connection.isHeld, let request = takeRequest(&connection) {
            state.change { $0.requests.append(request) }
            for step in script(request) where !perform(step, on: &connection) { return false }
        }
        return true
    }

    private func takeRequest(_ connection: inout Connection) -> Request? {
        guard let end = connection.input.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: connection.input[..<end.lowerBound], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.split(separator: ":")[1].trimmingCharacters(in: .whitespaces)) }
        let total = end.upperBound + (length ?? 0)
        guard connection.input.count >= total else { return nil }
        let body = Array(connection.input[end.upperBound..<total])
        connection.input.removeFirst(total)
        connection.answered += 1
        return Request(
            connection: connection.number,
            index: connection.answered - 1,
            peerPort: connection.peer.port,
            peerAddress: connection.peer.address,
            lines: lines,
            body: body
        )
    }

    /// False when the step ended the connection.
    private func perform(_ step: Step, on connection: inout Connection) -> Bool {
        switch step {
        case .send(let text): write(Array(text.utf8), to: connection.descriptor)
        case .sendBytes(let bytes): write(bytes, to: connection.descriptor)
        case .dribble(let text): for byte in text.utf8 { write([byte], to: connection.descriptor) }
        case .hold: connection.isHeld = true
        case .close:
            close(connection.descriptor)
            return false
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                connection.descriptor,
                SOL_SOCKET,
                SO_LINGER,
                &linger,
                socklen_t(MemoryLayout<Glibc.linger>.size)
            )
            close(connection.descriptor)
            return false
        }
        return true
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                Glibc.send(descriptor, all.baseAddress.map { $0 + sent }, all.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}

/// A complete HTTP/1.1 answer.
func answer(_ status: String = "200 OK", headers: [String] = [], _ body: String = "") -> String {
    (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
        + body
}

func always(_ steps: ScriptedServer.Step...) -> ScriptedServer.Script { { _ in steps } }

/// Answers all but requests for `/hold`, which it never answers.
let holding: ScriptedServer.Script = { $0.path == "/hold" ? [.hold] : [.send(answer())] }
