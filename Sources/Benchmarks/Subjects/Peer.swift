import ArgumentParser

/// Another load generator, run as its users run it.
enum Peer: String, CaseIterable {
    case wrk
    case h2load
    case hey

    var subject: Subject {
        switch self {
        case .wrk: .wrk
        case .h2load: .h2load
        case .hey: .hey
        }
    }

    var tool: Tool {
        switch self {
        case .wrk: .wrk
        case .h2load: .h2load
        case .hey: .hey
        }
    }

    /// Every connection polls again once answered.
    func closedLoop(_ scheme: Scheme, url: String, connections: Int, seconds: Int) -> [String] {
        switch self {
        case .wrk:
            ["-t1", "-c\(connections)", "-d\(seconds)s", "--timeout", "60s", url]
        case .h2load:
            ["-t1", "-c\(connections)", "-m1", "-D\(seconds)"] + Self.version(scheme) + [url]
        case .hey:
            ["-cpus", "1", "-c", "\(connections)", "-z", "\(seconds)s", "-t", "60", url]
        }
    }

    /// wrk cannot.
    func askingOnce(_ scheme: Scheme, url: String, connections: Int) -> [String]? {
        switch self {
        case .wrk:
            nil
        case .h2load:
            ["-t1", "-c\(connections)", "-n\(connections)", "-m1"] + Self.version(scheme) + [url]
        case .hey:
            ["-cpus", "1", "-c", "\(connections)", "-n", "\(connections)", "-t", "60", url]
        }
    }

    /// wrk cannot.
    func paced(_ scheme: Scheme, url: String, connections: Int, perSecond: Int, seconds: Int) -> [String]? {
        let share = "\(Double(perSecond) / Double(connections))"
        switch self {
        case .wrk:
            return nil
        case .h2load:
            return closedLoop(scheme, url: url, connections: connections, seconds: seconds) + ["--rps=\(share)"]
        case .hey:
            return ["-q", share] + closedLoop(scheme, url: url, connections: connections, seconds: seconds)
        }
    }

    private static func version(_ scheme: Scheme) -> [String] { scheme.isHTTP2 ? [] : ["--h1"] }

    /// Throws for any failed request.
    func requests(in report: String) throws(BenchmarkError) -> Int {
        guard let (requests, isClean) = read(report), requests > 0 else {
            throw .unusable(program: rawValue, reason: "no count of requests in its report\n\(report)")
        }
        guard isClean else { throw .unusable(program: rawValue, reason: report) }
        return requests
    }

    private func read(_ report: String) -> (requests: Int, isClean: Bool)? {
        switch self {
        case .wrk:
            guard let requests = report.firstMatch(of: /(\d+) requests in/).flatMap({ Int($0.1) }) else { return nil }
            return (requests, !report.contains("Socket errors") && !report.contains("Non-2xx"))
        case .h2load:
            guard let match = report.firstMatch(of: /(\d+) succeeded, (\d+) failed, (\d+) errored/),
                let requests = Int(match.1)
            else { return nil }
            let isClean = report.contains("2xx, 0 3xx, 0 4xx, 0 5xx")
            return (requests, isClean && match.2 == "0" && match.3 == "0")
        case .hey:
            // The list of status codes ends at a million answers; the rate counts all.
            guard let total = report.firstMatch(of: /Total:\s+([0-9.]+) secs/).flatMap({ Double($0.1) }),
                let rate = report.firstMatch(of: /Requests\/sec:\s+([0-9.]+)/).flatMap({ Double($0.1) })
            else { return nil }
            let statuses = report.matches(of: /\[(\d+)\]\s+\d+ responses/).map(\.1)
            return (Int((total * rate).rounded()), statuses == ["200"] && !report.contains("Error distribution"))
        }
    }
}

enum Subject: String, Codable, CaseIterable, CodingKeyRepresentable {
    case podswarm
    case wrk
    case h2load
    case hey
    /// `send` in a loop over the same connections.
    case bareSend = "bare_send"
    /// podswarm over HTTP/1.1 and TLS.
    case overHTTP1 = "over_http1"
}

enum Scheme: String, Codable, CaseIterable, ExpressibleByArgument {
    case http
    case tls
    case http2
    /// Prior knowledge (RFC 9113 section 3.3).
    case h2c

    var isSecure: Bool { self == .tls || self == .http2 }
    var isHTTP2: Bool { self == .http2 || self == .h2c }

    var name: String {
        switch self {
        case .http: "HTTP"
        case .tls: "TLS 1.3"
        case .http2: "HTTP/2"
        case .h2c: "HTTP/2 in the clear"
        }
    }

    /// Generators with a connection per viewer: wrk has no HTTP/2, hey has one connection.
    var peers: [Peer] { isHTTP2 ? [.h2load] : Peer.allCases }
}
