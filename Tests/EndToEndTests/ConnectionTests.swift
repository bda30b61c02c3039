import Foundation
import RunResult
import TestSupport
import Testing

/// Every way of connecting, over sockets because that is what it is about.
@Suite(.fewAtOnce) struct ConnectionTests {
    struct Way: Sendable, CustomTestStringConvertible {
        let settings: [String]
        let transports: Set<String>
        let tlsVerified: Bool?

        var testDescription: String { settings.joined(separator: " ") }
    }

    private static let (curl, http2) = ("connection.transport=curl", "connection.protocol=http2")
    private static let tls = "target.embedded.tls=true"

    static let ways = [
        Way(settings: [curl, tls], transports: ["libcurl", "http/1.1", "tls"], tlsVerified: true),
        Way(settings: [curl, http2], transports: ["libcurl", "h2"], tlsVerified: nil),
        Way(settings: [http2, tls], transports: ["exchange", "h2", "tls"], tlsVerified: true),
        Way(
            settings: [tls, "connection.insecure=true"],
            transports: ["exchange", "http/1.1", "tls"],
            tlsVerified: false
        ),
    ]

    @Test(arguments: ways) func everyViewerKeepsToConnectionsOfItsOwn(way: Way) async throws {
        let scratch = try TemporaryFolder()
        let outcome = try await Rehearsal(FastProfile.embedded.yaml)
            .run(way.settings.flatMap { ["--set", $0] }, environment: ["TMPDIR": scratch.path])
        #expect(scratch.files(in: ".") == [], "nothing is left behind")
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(Set(outcome.document.run.transports) == way.transports)
        #expect(outcome.document.run.tlsVerified == way.tlsVerified)
        let reconciliation = try #require(outcome.document.reconciliation)
        #expect(reconciliation.agrees)
        let connections = try #require(reconciliation.connections)
        #expect(connections.viewers == FastProfile.viewers)
        #expect(connections.shared == 0)
        if way.transports.contains("h2") {
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
        #expect(document.series.points.allSatisfy { $0.generatorWaitMicroseconds != nil })
        for waits in [generator, try #require(health.originWaits)] {
            #expect(waits.seconds > 0 && waits.breakSeconds > 0 && waits.breakSeconds <= waits.seconds)
            #expect(waits.ranMicroseconds > 0 && waits.waitedMicroseconds >= 0)
            #expect(waits.threadWaitedMaximumMicroseconds >= 0)
        }
        #expect(health.budget.coreWaitMicroseconds == 30_000_000)
        #expect(health.limitedByMachine == false)
    }

    @Test func whoSpeaksOnlyHTTP1IsToldOfTheProtocol() async throws {
        try await RunningOrigin.serving([]) { origin in
            let profile = FastProfile.podServing(
                content: "\(origin.url)/live/main/multivariant.m3u8",
                adServer: origin.url
            )
            let rehearsal = try Rehearsal(profile.yaml)
            let refused = try await rehearsal.start(["--set", "connection.protocol=http2"]).ended(within: .seconds(60))
            #expect(refused.status == 4 && refused.errors.contains("connection.protocol"), "\(refused.errors)")
        }
    }

    @Test func anUnknownAuthorityIsRefusedAndAGivenOneTrusted() async throws {
        let folder = try TemporaryFolder()
        let certificate = folder.url.appending(path: "origin.pem").path
        let arguments = [
            "--tls", "--certificate-file", certificate, "--break-interval-milliseconds", "5000",
            "--break-milliseconds", "2000",
        ]
        try await RunningOrigin.serving(arguments) { origin in
            #expect(origin.certificate == certificate)
            let profile = FastProfile.podServing(
                content: "\(origin.url)/live/main/multivariant.m3u8",
                adServer: origin.url
            )
            let rehearsal = try Rehearsal(profile.yaml)
            let refused = try await rehearsal.start().ended(within: .seconds(30))
            #expect(refused.status == 4)
            #expect(refused.errors.contains("tls_failed"), "\(refused.errors)")
            #expect(refused.errors.contains("connection.caFile"), "\(refused.errors)")
            let trusted = try await rehearsal.run(["--set", "connection.caFile=\(certificate)"])
            #expect(trusted.end.status == 0, "\(trusted.end.output)\(trusted.end.errors)")
            #expect(trusted.document.run.tlsVerified == true)
        }
    }
}
