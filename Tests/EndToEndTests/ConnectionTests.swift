import Foundation
import Results
import TestSupport
import Testing

/// Each carrier, TLS and HTTP/2, past a proxy that the profile excepts and those of the environment; every other way is told by the
/// tests of the transport.
///
/// Over sockets, because connections are what it is about.
@Suite(.fewWaiting) struct ConnectionTests {
    struct Way: Sendable, CustomTestStringConvertible {
        let settings: [String]
        let transports: Set<String>
        let tlsVerified: Bool?

        /// Whether HTTP/2 is spoken, by prior knowledge or by ALPN.
        var isMultiplexed: Bool { transports.contains("h2") || transports.isSuperset(of: ["h2 or http/1.1", "tls"]) }

        var testDescription: String { settings.joined(separator: " ") }
    }

    private static let curl = "connection.transport=curl"
    /// Nobody is there: what is led to it fails.
    private static let proxy = "http://127.0.0.1:9"
    private static let environment = Dictionary(
        uniqueKeysWithValues: ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].map { ($0, proxy) }
    )
    private static let either = "connection.protocol=http2-or-http1"
    private static let tls = "target.embedded.tls=true"

    static let ways = [
        Way(
            settings: [
                curl, tls, "connection.insecure=true", "connection.proxy=\(proxy)", "connection.noProxy=[127.0.0.0/8]",
            ],
            transports: ["libcurl", "http/1.1", "tls", "proxy \(proxy)"],
            tlsVerified: false
        ), Way(settings: [either, tls], transports: ["exchange", "h2 or http/1.1", "tls"], tlsVerified: true),
        Way(settings: [either], transports: ["exchange", "h2 or http/1.1"], tlsVerified: nil),
    ]

    @Test(arguments: ways) func everyViewerKeepsToConnectionsOfItsOwn(way: Way) async throws {
        let scratch = try TemporaryFolder()
        let outcome = try await Rehearsal(FastProfile.embedded.yaml)
            .run(
                way.settings.flatMap { ["--set", $0] },
                environment: Self.environment.merging(["TMPDIR": scratch.path]) { $1 }
            )
        #expect(scratch.files(in: ".") == [], "nothing is left behind")
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(Set(outcome.document.run.transports) == way.transports)
        #expect(outcome.document.run.tlsVerified == way.tlsVerified)
        let reconciliation = try #require(outcome.document.reconciliation)
        #expect(reconciliation.agrees)
        let connections = try #require(reconciliation.connections)
        #expect(connections.viewers == FastProfile.viewers)
        #expect(connections.shared == 0)
        if way.isMultiplexed {
            #expect(connections.total == FastProfile.viewers)
            #expect(connections.maximumPerViewer == 1)
        }
        for (kind, request) in outcome.document.requests {
            let carried = try #require(request.carried)
            #expect(carried.values.reduce(0, +) == request.count, "\(kind)")
            #expect(carried["exchange"] == 0 || way.transports.contains("exchange"), "\(kind)")
            #expect(carried["curl"] == 0 || way.transports.contains("libcurl"), "\(kind)")
        }
        let registration = try #require(outcome.document.requests["registration"])
        #expect((registration.latencies["tls"] != nil) == way.transports.contains("tls"))
        try Self.expectWatched(outcome.document)
    }

    /// Second by second it is known how long both processes waited for a core; how long that was is the machine's affair.
    private static func expectWatched(_ document: ResultDocument) throws {
        let health = document.health
        // Nothing is known where the kernel does not tell, and then nothing is judged.
        guard let generator = health.generatorWaits else {
            #expect(health.originWaits == nil && health.limitedByMachine == nil)
            return
        }
        #expect(document.series.points.allSatisfy { $0.generatorWaitMaximumMicroseconds != nil })
        for waits in [generator, try #require(health.originWaits)] {
            #expect(waits.seconds > 0 && waits.breakSeconds > 0 && waits.breakSeconds <= waits.seconds)
            #expect(waits.ranMicroseconds > 0 && waits.waitedMicroseconds >= 0)
            #expect(waits.threadWaitedMaximumMicroseconds >= 0)
        }
        #expect(health.budget.coreWaitMicroseconds == 30_000_000)
        #expect(health.limitedByMachine == false)
    }
}
