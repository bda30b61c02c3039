import Foundation
import TestSupport
import Testing

/// A server of HTTP/2 that was not written here, as it is set up to serve a folder.
struct ForeignServer: Sendable, CustomTestStringConvertible {
    enum Program: String, Sendable { case nginx, apache2, h2o, nghttpd, caddy }

    let program: Program
    var isTLS = false
    /// What its operator sets besides: lines of its configuration, or options of nghttpd.
    var settings: [String] = []

    var testDescription: String {
        ([program.rawValue, isTLS ? "over TLS" : "in clear"] + settings).joined(separator: " ")
    }

    struct Running: Sendable {
        let server: ForeignServer
        let process: ChildProcess
        /// Scheme, host and port.
        let url: String
        /// PEM file of who vouches for it; nil without TLS.
        let authority: String?
        let folder: TemporaryFolder

        /// What it wrote of the requests that it answered, up to now.
        var accessLog: AccessLog {
            switch server.program {
            case .nghttpd: AccessLog(nghttpd: process.output)
            case .caddy: AccessLog(caddy: process.errors)
            case .nginx, .apache2, .h2o:
                AccessLog(lines: (try? String(contentsOf: folder.file("access.log"), encoding: .utf8)) ?? "")
            }
        }

        /// Returns when it has answered so many requests for a file, or when a run has ended that had fewer, as on a busy machine.
        func answered(_ count: Int, for file: String, orEndOf run: ChildProcess) async throws {
            try await process.wait(for: "\(count) requests for \(file)") { _ in
                !run.isRunning || accessLog.requests[file] ?? 0 >= count
            }
        }

        /// Has it read its configuration again, after which other workers serve and the old ones say goodbye.
        func reload() async throws {
            switch server.program {
            case .nginx: process.send(SIGHUP)
            case .apache2: process.send(SIGUSR1)
            case .caddy:
                let admin = ["--address", "unix/\(folder.file("admin").path)"]
                let file = ["--config", folder.file("configuration").path, "--adapter", "caddyfile", "--force"]
                _ = try await ExternalTool.caddy.run(["reload"] + file + admin).succeeded()
            case .h2o, .nghttpd: break
            }
        }
    }

    func serving<Outcome: Sendable>(
        _ body: (Running) async throws -> Outcome
    ) async throws -> (outcome: Outcome, log: AccessLog) {
        let live = try LiveFolder()
        let port = try LoopbackPort(backlog: nil, mayBeBoundAgain: true)
        let folder = try TemporaryFolder()
        let place = Place(port: port.number, root: live.path, folder: folder.path, isTLS: isTLS)
        try await place.makeCertificate()
        let configuration = try folder.write(try configuration(at: place), to: "configuration")
        let process = try ChildProcess(
            try #require(ExternalTool(rawValue: program.rawValue)).path(),
            arguments(configuration, at: place),
            // Where Caddy keeps what it would remember.
            environment: ["HOME": folder.path, "XDG_DATA_HOME": folder.path, "XDG_CONFIG_HOME": folder.path]
        )
        let running = Running(
            server: self,
            process: process,
            url: "\(isTLS ? "https" : "http")://127.0.0.1:\(port.number)",
            authority: isTLS ? place.certificate : nil,
            folder: folder
        )
        let outcome = try await process.stopped {
            try await process.wait(for: "listener") { _ in port.isServed }
            return try await body(running)
        }
        withExtendedLifetime(live) {}
        return (outcome, running.accessLog)
    }
}

struct AccessLog: Sendable {
    /// By the file's name.
    private(set) var requests: [String: Int] = [:]
    private(set) var connections: Set<String> = []
    private(set) var protocols: Set<String> = []

    private mutating func count(_ path: some StringProtocol, over version: String, on connection: String) {
        guard let name = path.split(separator: "?").first?.split(separator: "/").last else { return }
        requests[String(name), default: 0] += 1
        connections.insert(connection)
        protocols.insert(version)
    }

    /// Lines of a connection's name, a protocol and a path.
    init(lines: String) {
        for line in lines.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 3 else { continue }
            count(words[2], over: words[1] == "HTTP/2" ? "HTTP/2.0" : words[1], on: words[0])
        }
    }

    /// What nghttpd tells of each frame.
    init(nghttpd output: String) {
        for line in output.split(separator: "\n") where line.contains(" recv (stream_id=") {
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(of: ":path:"), place + 1 < words.count else { continue }
            count(words[place + 1], over: "HTTP/2.0", on: String(words[0]))
        }
    }

    /// Lines of JSON, some of which tell of a request.
    init(caddy errors: String) {
        struct Line: Decodable {
            struct Request: Decodable {
                let remotePort, proto, uri: String
            }
            let request: Request
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        for line in errors.split(separator: "\n") where line.contains("handled request") {
            guard let told = try? decoder.decode(Line.self, from: Data(line.utf8)).request else { continue }
            count(told.uri, over: told.proto, on: told.remotePort)
        }
    }
}
