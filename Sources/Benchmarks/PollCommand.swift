import ArgumentParser
import Foundation

/// CPU per poll, user and system, in microseconds.
struct PollCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poll",
        abstract: "CPU per poll: every connection asks again as soon as it has been answered."
    )

    @OptionGroup var common: CommonOptions

    @Option(help: "Connections, one for each viewer.")
    var connections = 1000

    @Option(help: "Seconds of each run.")
    var seconds = 6

    func run() throws {
        for tool in Tool.allCases { _ = try tool.path() }
        let server = try NginxServer(core: common.serverCore)
        defer { server.stop() }
        var document = BenchmarkDocument(
            measurement: "cpu_per_poll_us",
            connections: connections,
            seconds: seconds
        )
        for round in 1...common.rounds {
            for scheme in Scheme.allCases {
                var figures: [Generator: Double] = [:]
                for generator in scheme.generators {
                    let load = Generator.Load(
                        url: server.url(secure: scheme.isSecure),
                        connections: connections,
                        seconds: seconds,
                        http2: scheme == .http2,
                        certificate: server.certificate
                    )
                    let run = try generator.run(load, core: common.clientCore, in: server.folder)
                    figures[generator] = run.resources.cpuMicroseconds / Double(run.requests)
                }
                document.add(round: round, scheme: scheme, figures: figures)
                print(document.lastLine(unit: "us"))
            }
        }
        try document.finish(title: "CPU per poll, us (user + system)", json: common.json)
    }
}

/// What carries the polls.
enum Scheme: String, CaseIterable, Codable {
    case http
    case https
    case http2

    var isSecure: Bool { self != .http }

    var name: String {
        switch self {
        case .http: "HTTP"
        case .https: "HTTPS"
        case .http2: "HTTPS, HTTP/2"
        }
    }

    /// wrk has no HTTP/2.
    var generators: [Generator] {
        self == .http2 ? [.podswarm, .h2load] : Generator.allCases
    }
}
