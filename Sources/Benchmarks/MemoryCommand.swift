import ArgumentParser
import Foundation

/// Resident memory per viewer.
struct MemoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory",
        abstract: "Resident memory per viewer whose connection is open.",
        discussion: """
            podswarm opens every connection with one poll and is read when all are idle. The peers cannot be idle: \
            their peak with all connections, less their peak with a few, is divided by the difference.
            """
    )

    @OptionGroup var common: CommonOptions

    @Option(help: "Viewers, each with one connection.")
    var viewers = 5000

    /// Connections of the peers' run that gives their base.
    private static let few = 64

    mutating func validate() throws {
        guard viewers > Self.few, viewers <= 18_000 else {
            throw ValidationError("--viewers must be between \(Self.few + 1) and 18000")
        }
    }

    func run() throws {
        for tool in Tool.allCases { _ = try tool.path() }
        let server = try NginxServer(core: common.serverCore)
        defer { server.stop() }
        var document = BenchmarkDocument(
            measurement: "resident_bytes_per_viewer",
            connections: viewers,
            seconds: 0
        )
        for round in 1...common.rounds {
            for scheme in Scheme.allCases {
                var figures: [Generator: Double] = [:]
                for generator in scheme.generators {
                    figures[generator] = try bytes(generator, scheme, server)
                }
                document.add(round: round, scheme: scheme, figures: figures)
                print(document.lastLine(unit: "B"))
            }
        }
        try document.finish(title: "Resident memory per viewer, bytes", json: common.json)
    }

    private func bytes(_ generator: Generator, _ scheme: Scheme, _ server: NginxServer) throws -> Double {
        func load(_ connections: Int, seconds: Int) -> Generator.Load {
            Generator.Load(
                url: server.url(secure: scheme.isSecure),
                connections: connections,
                seconds: seconds,
                http2: scheme == .http2,
                certificate: server.certificate
            )
        }
        if generator == .podswarm {
            let report = try generator.idleReport(load(viewers, seconds: 0), core: common.clientCore, in: server.folder)
            return Double(report.residentAfter - report.residentBefore) / Double(viewers)
        }
        // Long enough for every handshake to be made.
        let seconds = scheme.isSecure ? max(4, viewers / 250) : 4
        let few = try generator.run(load(Self.few, seconds: 2), core: common.clientCore, in: server.folder)
        let many = try generator.run(load(viewers, seconds: seconds), core: common.clientCore, in: server.folder)
        let difference = many.resources.peakResidentBytes - few.resources.peakResidentBytes
        return Double(difference) / Double(viewers - Self.few)
    }
}
