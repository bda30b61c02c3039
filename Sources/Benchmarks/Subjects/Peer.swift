import ArgumentParser

/// Another load generator, run as its users run it.
enum Peer: String, CaseIterable {
    case wrk
    case h2load

    var subject: Subject { self == .wrk ? .wrk : .h2load }

    var tool: Tool { self == .wrk ? .wrk : .h2load }

    /// Names those that are missing on standard error.
    static var installed: [Peer] { allCases.filter(\.tool.isInstalled) }

    /// Every connection polls again once answered.
    func closedLoop(_ scheme: Scheme, url: String, connections: Int, seconds: Int) -> [String] {
        switch self {
        case .wrk: ["-t1", "-c\(connections)", "-d\(seconds)s", "--timeout", "60s", url]
        case .h2load:
            ["-t1", "-c\(connections)", "-m1", "-D\(seconds)"] + (scheme == .http2 ? [] : ["--h1"]) + [url]
        }
    }

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
        }
    }
}

enum Subject: String, Codable, CaseIterable, CodingKeyRepresentable {
    case podswarm
    case wrk
    case h2load
    case k6
    case locust
    /// `send` in a loop over the same connections.
    case bareSend = "bare_send"
    /// podswarm over HTTP/1.1 and TLS.
    case overHTTP1 = "over_http1"
}

enum Scheme: String, Codable, CaseIterable, ExpressibleByArgument {
    case http
    case tls
    case http2

    var isSecure: Bool { self != .http }

    var name: String {
        switch self {
        case .http: "HTTP"
        case .tls: "TLS 1.3"
        case .http2: "HTTP/2"
        }
    }

    /// Generators with a connection per viewer: wrk has no HTTP/2.
    var peers: [Peer] { self == .http2 ? [.h2load] : Peer.allCases }
}
