import ArgumentParser

struct MemoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory",
        abstract: "Resident memory per viewer that watches and has nothing else to do.",
        discussion: """
            A whole run of podswarm with many viewers less one with a few, divided by the difference: machines, \
            bookkeeping and connections. The peers cannot be idle; their peaks are compared in the same way.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Viewers over HTTP.")
    var viewers = 10_000

    @Option(help: "Viewers over TLS 1.3, and as many over HTTP/2.")
    var secureViewers = 5_000

    @Flag(help: "Also viewers over HTTP with ten traits: where they register, and in headers.")
    var traits = false

    private static let few = 64

    mutating func validate() throws {
        try require("--viewers", viewers, in: Self.few + 1...18_000)
        try require("--secure-viewers", secureViewers, in: Self.few + 1...18_000)
    }

    func run() throws {
        let peers = options.peers()
        try options.measure(
            "memory",
            ["viewers": viewers, "secure_viewers": secureViewers],
            rewritingEvery: LivePlaylist.targetSeconds
        ) { bench, round, document in
            for said in EngineOrder.Traits.allCases where traits && said != .none {
                let figures = try audience(.http, said, bench)
                document.add(round: round, cell: "\(Scheme.http.name) ten traits, \(said)", .podswarm, figures)
            }
            for scheme in [Scheme.http, .tls, .http2] {
                document.add(round: round, cell: scheme.name, .podswarm, try podswarm(scheme, bench))
                for peer in peers where scheme.peers.contains(peer) {
                    let bytes = try bytes(of: peer, scheme, bench)
                    document.add(round: round, cell: scheme.name, peer.subject, [.residentPerViewer: bytes])
                }
            }
        }
    }

    private func many(_ scheme: Scheme) -> Int { scheme.isSecure ? secureViewers : viewers }

    private func podswarm(_ scheme: Scheme, _ bench: Bench) throws -> [Quantity: Double] {
        let many = many(scheme)
        let order = EngineOrder(.closedLoop, scheme, on: bench, viewers: many)
        let connected = try bench.engine(order).finish().report
        var figures = try audience(scheme, .none, bench)
        let connections = connected.residentBytes - connected.residentBytesBefore
        figures[.residentPerConnection] = Double(connections) / Double(many)
        return figures
    }

    private func audience(
        _ scheme: Scheme,
        _ traits: EngineOrder.Traits,
        _ bench: Bench
    ) throws -> [Quantity: Double] {
        func report(_ viewers: Int) throws -> EngineReport {
            var order = EngineOrder(.audience, scheme, on: bench, viewers: viewers)
            order.traits = traits
            return try bench.engine(order).finish().report
        }
        let many = many(scheme)
        let (large, small) = (try report(many), try report(Self.few))
        let perViewer = { (bytes: Int) in Double(bytes) / Double(many - Self.few) }
        return [
            .residentPerViewer: perViewer(large.residentBytes - small.residentBytes),
            .keptPerViewer: perViewer(large.keptBytes - small.keptBytes),
        ]
    }

    private func bytes(of peer: Peer, _ scheme: Scheme, _ bench: Bench) throws -> Double {
        func peak(_ connections: Int) throws -> Int {
            // Long enough for every handshake to be made.
            let seconds = 4 + (scheme.isSecure ? connections / 400 : 0)
            let arguments = peer.closedLoop(
                scheme,
                url: bench.server.playlistURL(scheme),
                connections: connections,
                seconds: seconds
            )
            let (report, resources) = try bench.start(peer, arguments).wait(atMostSeconds: seconds + 60)
            _ = try peer.requests(in: report)
            return resources.peakResidentBytes
        }
        let many = many(scheme)
        return Double(try peak(many) - peak(Self.few)) / Double(many - Self.few)
    }
}
