import Foundation
import RunResult
import TestSupport
import Testing

/// Every way of connecting, and the limits of the machine.
@Suite(.fewAtOnce) struct ConnectionTests {
    struct Way: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: [String]
        let transports: Set<String>
        let tlsVerified: Bool?

        var testDescription: String { name }
    }

    static let ways = [
        Way(
            name: "libcurl",
            arguments: ["--set", "connection.transport=curl"],
            transports: ["libcurl", "http/1.1"],
            tlsVerified: nil
        ),
        Way(
            name: "libcurl over tls",
            arguments: ["--set", "connection.transport=curl", "--set", "target.embedded.tls=true"],
            transports: ["libcurl", "http/1.1", "tls"],
            tlsVerified: true
        ),
        Way(
            name: "http2",
            arguments: ["--set", "connection.protocol=http2"],
            transports: ["exchange", "h2"],
            tlsVerified: nil
        ),
        Way(
            name: "libcurl over http2",
            arguments: ["--set", "connection.protocol=http2", "--set", "connection.transport=curl"],
            transports: ["libcurl", "h2"],
            tlsVerified: nil
        ),
        Way(
            name: "tls",
            arguments: ["--set", "target.embedded.tls=true"],
            transports: ["exchange", "http/1.1", "tls"],
            tlsVerified: true
        ),
        Way(
            name: "http2 over tls",
            arguments: ["--set", "connection.protocol=http2", "--set", "target.embedded.tls=true"],
            transports: ["exchange", "h2", "tls"],
            tlsVerified: true
        ),
        Way(
            name: "insecure",
            arguments: ["--set", "target.embedded.tls=true", "--insecure"],
            transports: ["exchange", "http/1.1", "tls"],
            tlsVerified: false
        ),
    ]

    @Test(arguments: ways) func everyViewerKeepsToConnectionsOfItsOwn(way: Way) async throws {
        let scratch = try TemporaryFolder()
        let outcome = try await Rehearsal(FastProfile.embedded.yaml)
            .run(way.arguments, environment: ["TMPDIR": scratch.path])
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
    }

    @Test func aSeparateOriginSeesNoConnectionOfTwoSessions() async throws {
        try await RunningOrigin.serving(["--break-interval-milliseconds", "5000", "--break-milliseconds", "2000"]) {
            origin in
            let profile = FastProfile.podServing(
                content: "\(origin.url)/live/main/multivariant.m3u8",
                adServer: origin.url
            )
            let outcome = try await Rehearsal(profile.yaml).run()
            #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
            let truth = try await origin.truth()
            let connections = try #require(truth["connections"] as? [String: Any])
            #expect(connections["shared_between_sessions"] as? Int == 0)
            #expect((connections["attributed"] as? Int ?? 0) >= FastProfile.viewers)
            let requests = try #require(truth["requests"] as? [String: [String: Any]])
            // The one more is the look whether the target is there.
            for (kind, extra) in [("registration", 0), ("multivariant", 1), ("playlist", 0), ("pod_manifest", 0)] {
                let counted = outcome.document.requests[kind].map { Int($0.count) }
                #expect(requests[kind]?["received"] as? Int == counted.map { $0 + extra }, "\(kind)")
            }
        }
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

    @Test func tooFewDescriptorsAreToldBeforeTheStart() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let script = "ulimit -n 256; exec \"$0\" \"$@\""
        let command = [try PodswarmExecutable.path()] + rehearsal.arguments(["--viewers", "500"])
        let end = try await ExternalTool.bash.run(["-c", script] + command)
        #expect(end.status == 2)
        #expect(!end.isSignal)
        #expect(end.errors.contains("500 viewers need at least 628 file descriptors"), "\(end.errors)")
        #expect(end.errors.contains("the hard limit is 256"), "\(end.errors)")
        #expect(end.errors.contains("ulimit -Hn"), "\(end.errors)")
        #expect(end.errors.contains("--viewers"), "\(end.errors)")
        #expect(rehearsal.resultFiles == [])
    }
}
