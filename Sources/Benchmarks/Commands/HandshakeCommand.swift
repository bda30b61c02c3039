import ArgumentParser

struct HandshakeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "handshake",
        abstract: "CPU per TLS 1.3 connection that is opened, verified, and asked once.",
        discussion: "podswarm verifies every certificate; the peers verify none."
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Connections, at most 64 in the making at once.")
    var connections = 5_000

    mutating func validate() throws {
        try require("--connections", connections, in: 1...18_000)
    }

    func run() throws {
        let peers = options.peers()
        try options.measure("handshake", ["connections": connections]) { bench, round, document in
            for (name, caFile) in trust(bench.server.certificate) {
                var order = EngineOrder(.closedLoop, .tls, on: bench, viewers: connections)
                order.caFile = caFile
                let resources = try bench.engine(order).finish().resources
                document.add(round: round, cell: name, .podswarm, figures(resources))
                for peer in peers {
                    guard let figures = try figures(of: peer, bench) else { continue }
                    document.add(round: round, cell: name, peer.subject, figures)
                }
            }
        }
    }

    private func trust(_ certificate: TestCertificate) -> [(name: String, caFile: String)] {
        [("own authority", certificate.file)] + (certificate.bundle.map { [("system bundle", $0)] } ?? [])
    }

    private func figures(of peer: Peer, _ bench: Bench) throws -> [Quantity: Double]? {
        let url = bench.server.playlistURL(.tls)
        guard let arguments = peer.askingOnce(.tls, url: url, connections: connections) else { return nil }
        let (report, resources) = try bench.start(peer, arguments).wait(atMostSeconds: 120)
        _ = try peer.requests(in: report)
        return figures(resources)
    }

    private func figures(_ resources: ChildProcess.Resources) -> [Quantity: Double] {
        [.cpuPerConnection: resources.cpuMicroseconds / Double(connections)]
    }
}
