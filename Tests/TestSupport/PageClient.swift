import Foundation
import FoundationNetworking
import Testing

/// Asks a server on this machine as browsers, scrapers and strangers do.
package struct PageClient: Sendable {
    package struct Answer: Sendable {
        package var status: Int
        package var fields: [String: String]
        package var body: String
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
    package func raw(_ request: String) async throws -> String { try await connection(sending: request).answer().text }

    private func connection(sending request: String) throws -> RawConnection {
        let colon = try #require(authority.lastIndex(of: ":"))
        let host = authority[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        let port = try #require(Int(authority[authority.index(after: colon)...]))
        return try RawConnection(host: host, port: port, sending: request)
    }
}

/// Server-sent events as they come in.
package final class Events: @unchecked Sendable {
    package struct Event: Sendable {
        package var name: String
        package var data: String
    }

    private let connection: RawConnection
    private var text = ""

    fileprivate init(_ connection: RawConnection) { self.connection = connection }

    /// The next event; nil at the end of the stream.
    package func next() async -> Event? { await RawConnection.onThread { [self] in read() } }

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
            guard case .success(let bytes) = connection.read(), !bytes.isEmpty else { return nil }
            text += String(decoding: bytes, as: UTF8.self)
        }
    }
}
