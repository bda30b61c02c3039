import Foundation
import Glibc

/// TCP on 127.0.0.1 with blocking sockets.
enum Loopback {
    static func freePort() throws(BenchmarkError) -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var name = address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutableBytes(of: &name) { bytes -> UInt16? in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                bind(descriptor, base, size) == 0, getsockname(descriptor, base, &size) == 0
            else { return nil }
            return UInt16(bigEndian: bytes.load(as: sockaddr_in.self).sin_port)
        }
        guard let port else { throw .file("no free port on 127.0.0.1") }
        return port
    }

    static func canConnect(_ port: UInt16) -> Bool {
        guard let descriptor = connected(port) else { return false }
        close(descriptor)
        return true
    }

    /// Waits until a program that was just started listens; throws `BenchmarkError` after five seconds.
    ///
    /// `log` is a file whose text joins the error.
    static func waitUntilListening(_ port: UInt16, program: String, log: URL? = nil) throws(BenchmarkError) {
        for _ in 0..<500 {
            if canConnect(port) { return }
            usleep(10_000)
        }
        let said = log.flatMap { try? String(contentsOf: $0, encoding: .utf8) }.map { "\n\($0)" } ?? ""
        throw .unusable(program: program, reason: "it does not listen after five seconds\(said)")
    }

    /// The whole answer to a GET over a connection of its own; nil without one.
    static func get(_ path: String, port: UInt16) -> String? {
        guard let descriptor = connected(port) else { return nil }
        defer { close(descriptor) }
        let request = Array("GET \(path) HTTP/1.0\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            return nil
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer.prefix(count)
        }
        return answer.isEmpty ? nil : String(decoding: answer, as: UTF8.self)
    }

    private static func connected(_ port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var name = address(port: port)
        let isConnected = withUnsafeBytes(of: &name) { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return connect(descriptor, base, socklen_t(bytes.count)) == 0
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        return name
    }
}
