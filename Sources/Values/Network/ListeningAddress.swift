/// `HOST:PORT` that a server listens at.
package struct ListeningAddress: Hashable, Sendable, CustomStringConvertible {
    package enum Problem: String, Sendable {
        case noPort = "it has no port"
        case invalidPort = "its port is not a number from 0 to 65535"
        case noHost = "it has no host"
        case invalidHost = "its host is neither an address nor a name"
    }

    package struct Mistake: Error, Equatable, CustomStringConvertible {
        package let text: String
        package let problem: Problem
        package var description: String {
            "'\(text)' is not a listening address: \(problem.rawValue); write HOST:PORT, such as 127.0.0.1:9464 or [::1]:9464"
        }
    }

    /// Address without brackets, or a name.
    package let host: String
    /// 0 takes a free port.
    package let port: Int

    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// IPv6 addresses are in brackets (RFC 3986, section 3.2.2).
    package init(parsing text: String) throws(Mistake) {
        guard let colon = text.lastIndex(of: ":") else { throw Mistake(text: text, problem: .noPort) }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.count <= 5, digits.utf8.allSatisfy(\.isDigit), let port = UInt16(digits)
        else { throw Mistake(text: text, problem: .invalidPort) }
        let host = text[..<colon]
        guard !host.isEmpty else { throw Mistake(text: text, problem: .noHost) }
        guard Self.isHost(host) else { throw Mistake(text: text, problem: .invalidHost) }
        self.init(host: host.withoutBrackets, port: Int(port))
    }

    private static func isHost(_ text: Substring) -> Bool {
        guard !text.hasPrefix("[") else { return IPAddress(text.withoutBrackets)?.isVersion6 == true }
        return text.utf8.count <= 253
            && text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }

    package var isLoopback: Bool { host.lowercased().isLoopbackHost }

    package var description: String { host.authority(port: port) }

    /// For a browser on this machine.
    package func url(port: Int) -> String {
        switch host {
        case "0.0.0.0": "http://127.0.0.1:\(port)/"
        case "::": "http://[::1]:\(port)/"
        default: "http://\(host.authority(port: port))/"
        }
    }

    /// See ``isOwn(_:besides:)``.
    package func answers(_ authority: String?) -> Bool { Self.isOwn(authority, besides: host.lowercased()) }

    /// `name` is in lower case.
    ///
    /// A web page can let its own name resolve to 127.0.0.1 and read what is served there (DNS rebinding); the browser still
    /// sends that name as the host.
    package static func isOwn(_ authority: String?, besides name: String? = nil) -> Bool {
        guard let authority, let asked = host(of: authority) else { return false }
        return asked == "localhost" || asked == name || IPAddress(asked) != nil
    }

    private static func host(of authority: String) -> String? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]"), ["", ":"].contains(authority[end...].dropFirst().prefix(1))
            else { return nil }
            return authority[...end].lowercased().withoutBrackets
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, !host.isEmpty else { return nil }
        return host.lowercased()
    }
}
