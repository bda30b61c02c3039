import Foundation
import FoundationNetworking
import Glibc
import Testing

/// Asks a server on this machine as browsers, scrapers and strangers do.
package struct PageClient: Sendable {
    package struct Answer: Sendable {
        package var status: Int
        package var fields: [String: String]
        package var body: String
    }

    struct Refused: Error {
        let call: String
        let code: Int32
    }

    private let base: String

    /// - Parameter base: The address of the front page.
    package init(base: String) { self.base = base }

    /// Host and port.
    package var authority: String { String(base.dropFirst("http://".count).dropLast()) }

    package func get(_ path: String) async throws -> Answer {
        let url = try #require(URL(string: base + path))
        let (data, response) = try await URLSession.shared.data(from: url)
        let http = try #require(response as? HTTPURLResponse)
        let fields = http.allHeaderFields.reduce(into: [String: String]()) { fields, field in
            if let name = field.key as? String { fields[name] = field.value as? String }
        }
        return Answer(status: http.statusCode, fields: fields, body: String(decoding: data, as: UTF8.self))
    }

    /// Asks until the answer is as expected, as long as patience lasts; the last answer is for the test to judge.
    package func get(_ path: String, until isExpected: (Answer) -> Bool) async throws -> Answer {
        var answer = try await get(path)
        _ = try await Patience.sees {
            if !isExpected(answer) { answer = try await get(path) }
            return isExpected(answer)
        }
        return answer
    }

    package func events() async throws -> Events {
        Events(try connection(sending: "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
    }

    /// What comes back for exactly these bytes, up to the end of the connection.
    package func raw(_ request: String) async throws -> String {
        let descriptor = try connection(sending: request)
        return await Events.onThread {
            defer { close(descriptor) }
            var answer: [UInt8] = []
            while let bytes = Events.read(descriptor) { answer += bytes }
            return String(decoding: answer, as: UTF8.self)
        }
    }

    private func connection(sending request: String) throws -> Int32 {
        let colon = try #require(authority.lastIndex(of: ":"))
        let host = authority[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(authority[authority.index(after: colon)...]), &hints, &found)
        defer { freeaddrinfo(found) }
        guard code == 0, let address = found?.pointee else { throw Refused(call: "getaddrinfo", code: code) }
        let descriptor = socket(address.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
            throw Refused(call: "connect", code: errno)
        }
        // A test that waits for what does not come fails instead of hanging.
        var patience = timeval(tv_sec: Int(Patience.limit.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let bytes = Array(request.utf8)
        // A server that refuses closes before all is sent.
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        return descriptor
    }
}

/// Server-sent events as they come in.
package final class Events: @unchecked Sendable {
    package struct Event: Sendable {
        package var name: String
        package var data: String
    }

    private let descriptor: Int32
    private var text = ""

    fileprivate init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// The next event; nil at the end of the stream.
    package func next() async -> Event? { await Self.onThread { [self] in read() } }

    private func read() -> Event? {
        while true {
            if let end = text.firstRange(of: "\n\n") {
                let lines = text[..<end.lowerBound].split(whereSeparator: \.isNewline)
                text = String(text[end.upperBound...])
                let field = { (name: String) in
                    lines.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
                }
                if let name = field("event") { return Event(name: name, data: field("data") ?? "") }
                continue
            }
            // The last chunk of a chunked body is empty.
            if text.hasSuffix("\r\n0\r\n\r\n") { return nil }
            guard let bytes = Self.read(descriptor) else { return nil }
            text += String(decoding: bytes, as: UTF8.self)
        }
    }

    /// A read blocks its thread, which is none of the pool: the server that answers may need that.
    fileprivate static func onThread<Outcome: Sendable>(_ body: @escaping @Sendable () -> Outcome) async -> Outcome {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    fileprivate static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}
